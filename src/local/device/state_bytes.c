#include "local/device/state_bytes.h"

#include "local/device/integers.h"
#include "local/device/keyed_stream.h"
#include "local/device/sha256.h"
#include "local/device/siphash.h"

#define STATE_FIRST 80 /* the first question's part */
#define STATE_SEAL_BYTES 8
#define STATE_QUESTIONS ((uint32_t)1 << 12)
#define STATE_ROOM ((uint32_t)1 << 18)

static const uint8_t state_mark[4] = {'S', 'L', 'S', 1};
static const uint8_t state_no_hash[SCRIM_LOCAL_HASH_BYTES];

size_t scrim_local_state_bytes(uint32_t questions, uint32_t room)
{
    if (questions == 0 || questions > STATE_QUESTIONS || room == 0 || room > STATE_ROOM)
        return 0;
    const uint64_t bytes = STATE_FIRST +
                           (uint64_t)questions * (SL_PART_REPORT + 2 * (uint64_t)room) +
                           STATE_SEAL_BYTES;
    return bytes <= SIZE_MAX / 2 ? (size_t)bytes : 0;
}

uint32_t sl_state_questions(const uint8_t *state)
{
    return (uint32_t)sl_get(state + 4, 4);
}

uint32_t sl_state_room(const uint8_t *state)
{
    return (uint32_t)sl_get(state + 8, 4);
}

size_t sl_state_part(const uint8_t *state, uint32_t index)
{
    return STATE_FIRST + index * (SL_PART_REPORT + 2 * (size_t)sl_state_room(state));
}

int sl_state_is_used(const uint8_t *state, uint32_t index)
{
    return sl_get(state + sl_state_part(state, index) + SL_PART_FLAGS, 4) != 0;
}

static int state_is_equal(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    uint8_t differs = 0;
    for (size_t i = 0; i < bytes; i++)
        differs |= (uint8_t)(a[i] ^ b[i]);
    return differs == 0;
}

/* ---- questions ---------------------------------------------------------------------------- */

static void state_name_of(const char *question, uint8_t out[SCRIM_LOCAL_HASH_BYTES])
{
    size_t length = 0;
    while (question[length] != '\0')
        length++;
    sl_sha256(question, length, out);
}

scrim_local_status sl_state_find(const uint8_t *state, const char *question,
                                 uint32_t *index)
{
    const uint32_t questions = sl_state_questions(state);
    uint32_t unused = questions, found = questions, times = 0;
    uint8_t name[SCRIM_LOCAL_HASH_BYTES];
    state_name_of(question, name);
    for (uint32_t i = 0; i < questions; i++) {
        if (!sl_state_is_used(state, i)) {
            unused = unused == questions ? i : unused;
        } else if (state_is_equal(state + sl_state_part(state, i), name,
                                  SL_PART_NAME_BYTES)) {
            found = i;
            times++;
        }
    }
    *index = times == 0 ? unused : found;
    return times <= 1 ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_SYNTAX;
}

void sl_state_name(uint8_t *state, uint32_t index, const char *question)
{
    uint8_t name[SCRIM_LOCAL_HASH_BYTES];
    state_name_of(question, name);
    for (size_t i = 0; i < SL_PART_NAME_BYTES; i++)
        state[sl_state_part(state, index) + i] = name[i];
}

/* ---- the whole ---------------------------------------------------------------------------- */

void sl_state_begin(uint8_t *state, uint32_t questions, uint32_t room)
{
    for (size_t i = 0; i < sizeof state_mark; i++)
        state[i] = state_mark[i];
    sl_put(state + 4, questions, 4);
    sl_put(state + 8, room, 4);
    sl_put(state + 12, 0, 4);
}

static uint64_t state_seal_of(const uint8_t *state, size_t bytes)
{
    sl_stream key;
    sl_stream_init(&key, state + SL_STATE_SECRET, SL_FOR_SEAL, state_no_hash, 0,
                   state_no_hash, 0);
    const uint64_t seal = sl_siphash(key.key, state, bytes - STATE_SEAL_BYTES);
    sl_wipe(&key, sizeof key);
    return seal;
}

void sl_state_seal(uint8_t *state, size_t bytes)
{
    sl_put(state + bytes - STATE_SEAL_BYTES, state_seal_of(state, bytes),
           STATE_SEAL_BYTES);
}

/* A part that is used: what it says about itself. sl_state_find looks whether its question has another one. */
static int state_is_part(const uint8_t *state, uint32_t index)
{
    const uint8_t *part = state + sl_state_part(state, index);
    const uint64_t flags = sl_get(part + SL_PART_FLAGS, 4);
    const uint64_t spent = sl_get(part + SL_PART_SPENT, 8);
    return (flags & ~(uint64_t)SL_PART_LASTING) == SL_PART_USED &&
           sl_get(part + SL_PART_BYTES, 4) <= sl_state_room(state) &&
           sl_get(part + SL_PART_CHARGE, 8) <= spent &&
           spent <= sl_get(state + SL_STATE_SPENT, 8);
}

static int state_is_unused(const uint8_t *state, uint32_t index)
{
    const size_t first = sl_state_part(state, index),
                 end = sl_state_part(state, index + 1);
    uint8_t some = 0;
    for (size_t i = first; i < end; i++)
        some |= state[i];
    return some == 0;
}

scrim_local_status sl_state_check(const uint8_t *state, size_t bytes)
{
    if (bytes < STATE_FIRST || !state_is_equal(state, state_mark, sizeof state_mark) ||
        scrim_local_state_bytes(sl_state_questions(state), sl_state_room(state)) !=
            bytes ||
        sl_get(state + 12, 4) != 0)
        return SCRIM_LOCAL_E_SYNTAX;
    if (sl_get(state + bytes - STATE_SEAL_BYTES, STATE_SEAL_BYTES) !=
            state_seal_of(state, bytes) ||
        sl_get(state + SL_STATE_SPENT, 8) > sl_get(state + SL_STATE_CAP, 8))
        return SCRIM_LOCAL_E_SYNTAX;
    for (uint32_t i = 0; i < sl_state_questions(state); i++)
        if (sl_state_is_used(state, i) ? !state_is_part(state, i)
                                       : !state_is_unused(state, i))
            return SCRIM_LOCAL_E_SYNTAX;
    return SCRIM_LOCAL_OK;
}
