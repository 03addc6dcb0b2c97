#include "local/device/local_state.h"

#include "local/device/device_hash.h"
#include "local/device/integers.h"
#include "local/device/kind.h"

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

static uint32_t state_questions(const uint8_t *state)
{
    return (uint32_t)sl_get(state + 4, 4);
}

static uint32_t state_room(const uint8_t *state)
{
    return (uint32_t)sl_get(state + 8, 4);
}

/* Where the part of a question begins. */
static size_t state_part(const uint8_t *state, uint32_t index)
{
    return STATE_FIRST + index * (SL_PART_REPORT + 2 * (size_t)state_room(state));
}

static int state_is_used(const uint8_t *state, uint32_t index)
{
    return sl_get(state + state_part(state, index) + SL_PART_FLAGS, 4) != 0;
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
    const uint32_t questions = state_questions(state);
    uint32_t unused = questions, found = questions, times = 0;
    uint8_t name[SCRIM_LOCAL_HASH_BYTES];
    state_name_of(question, name);
    for (uint32_t i = 0; i < questions; i++) {
        if (!state_is_used(state, i)) {
            unused = unused == questions ? i : unused;
        } else if (state_is_equal(state + state_part(state, i), name,
                                  SL_PART_NAME_BYTES)) {
            found = i;
            times++;
        }
    }
    *index = times == 0 ? unused : found;
    return times <= 1 ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_SYNTAX;
}

/* Writes the name of a question into a free part. */
static void state_name(uint8_t *state, uint32_t index, const char *question)
{
    uint8_t name[SCRIM_LOCAL_HASH_BYTES];
    state_name_of(question, name);
    for (size_t i = 0; i < SL_PART_NAME_BYTES; i++)
        state[state_part(state, index) + i] = name[i];
}

/* ---- the whole ---------------------------------------------------------------------------- */

/* Writes a state without questions, whose secret is there already. */
static void state_begin(uint8_t *state, uint32_t questions, uint32_t room)
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
    const uint8_t *part = state + state_part(state, index);
    const uint64_t flags = sl_get(part + SL_PART_FLAGS, 4);
    const uint64_t spent = sl_get(part + SL_PART_SPENT, 8);
    return (flags & ~(uint64_t)SL_PART_LASTING) == SL_PART_USED &&
           sl_get(part + SL_PART_BYTES, 4) <= state_room(state) &&
           sl_get(part + SL_PART_CHARGE, 8) <= spent &&
           spent <= sl_get(state + SL_STATE_SPENT, 8);
}

static int state_is_unused(const uint8_t *state, uint32_t index)
{
    const size_t first = state_part(state, index), end = state_part(state, index + 1);
    uint8_t some = 0;
    for (size_t i = first; i < end; i++)
        some |= state[i];
    return some == 0;
}

scrim_local_status sl_state_check(const uint8_t *state, size_t bytes)
{
    if (bytes < STATE_FIRST || !state_is_equal(state, state_mark, sizeof state_mark) ||
        scrim_local_state_bytes(state_questions(state), state_room(state)) != bytes ||
        sl_get(state + 12, 4) != 0)
        return SCRIM_LOCAL_E_SYNTAX;
    if (sl_get(state + bytes - STATE_SEAL_BYTES, STATE_SEAL_BYTES) !=
            state_seal_of(state, bytes) ||
        sl_get(state + SL_STATE_SPENT, 8) > sl_get(state + SL_STATE_CAP, 8))
        return SCRIM_LOCAL_E_SYNTAX;
    for (uint32_t i = 0; i < state_questions(state); i++)
        if (state_is_used(state, i) ? !state_is_part(state, i)
                                    : !state_is_unused(state, i))
            return SCRIM_LOCAL_E_SYNTAX;
    return SCRIM_LOCAL_OK;
}

static const uint8_t state_every_hash[SCRIM_LOCAL_HASH_BYTES];

static void state_copy(uint8_t *to, const uint8_t *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = from[i];
}

scrim_local_status scrim_local_state_init(uint8_t *state, size_t bytes,
                                          uint32_t questions, uint32_t room, uint64_t cap,
                                          uint64_t largest,
                                          const scrim_local_source *source)
{
    const size_t wanted = scrim_local_state_bytes(questions, room);
    if (wanted == 0)
        return SCRIM_LOCAL_E_LIMIT;
    if (bytes != wanted)
        return SCRIM_LOCAL_E_PARAM;
    sl_wipe(state, bytes);
    if (source->fill(source->context, state + SL_STATE_SECRET, SL_SECRET_BYTES) != 0) {
        sl_wipe(state, bytes);
        return SCRIM_LOCAL_E_ENTROPY;
    }
    state_begin(state, questions, room);
    sl_put(state + SL_STATE_CAP, cap, 8);
    sl_put(state + SL_STATE_LARGEST, largest, 8);
    sl_state_seal(state, bytes);
    return SCRIM_LOCAL_OK;
}

scrim_local_status scrim_local_state_read(const uint8_t *state, size_t bytes,
                                          scrim_local_account *out)
{
    const scrim_local_status status = sl_state_check(state, bytes);
    if (status != SCRIM_LOCAL_OK)
        return status;
    out->cap = sl_get(state + SL_STATE_CAP, 8);
    out->spent = sl_get(state + SL_STATE_SPENT, 8);
    out->largest = sl_get(state + SL_STATE_LARGEST, 8);
    out->questions = state_questions(state);
    out->room = state_room(state);
    out->used = 0;
    for (uint32_t i = 0; i < out->questions; i++)
        out->used += state_is_used(state, i) ? 1 : 0;
    return SCRIM_LOCAL_OK;
}

/* ---- preparing ---------------------------------------------------------------------------- */

/* A report that is to be made. */
typedef struct state_task {
    uint8_t *state;
    size_t bytes;
    const scrim_local_config *config;
    const sl_kind *kind;
    uint64_t period;
    uint64_t charge;
    uint32_t index;   /* of the question's part */
    uint32_t lasting; /* 1: the answer is kept for ever; 2: and is there */
} state_task;

/* Is the part's report by this configuration? */
static int state_is_of(const uint8_t *part, const scrim_local_config *config)
{
    uint8_t differs = 0;
    for (size_t i = 0; i < SCRIM_LOCAL_HASH_BYTES; i++)
        differs |= (uint8_t)(part[SL_PART_HASH + i] ^ config->hash[i]);
    return differs == 0 &&
           sl_get(part + SL_PART_BYTES, 4) == scrim_local_report_bytes(config);
}

/* One answer for ever: of a value that is declared constant. An offset is kept too where answers are
 * flipped, but each of these is charged. */
static uint32_t state_is_lasting(const state_task *task)
{
    return task->kind->permanent != NULL && task->config->epoch == 0 &&
           task->config->flip == 0;
}

/* Finds the part, and whether anything is to be done: *done is 1 where this period has its report. */
static scrim_local_status state_find_part(state_task *task, uint32_t *done)
{
    const scrim_local_status status =
        sl_state_find(task->state, task->config->question, &task->index);
    *done = 0;
    if (status != SCRIM_LOCAL_OK)
        return status;
    if (task->index == state_questions(task->state))
        return SCRIM_LOCAL_E_LIMIT;
    const uint8_t *part = task->state + state_part(task->state, task->index);
    const int is_used = state_is_used(task->state, task->index);
    const uint64_t last = sl_get(part + SL_PART_PERIOD, 8);
    if (!is_used)
        return task->period < sl_get(task->state + SL_STATE_LEAST, 8)
                   ? SCRIM_LOCAL_E_PERIOD
                   : SCRIM_LOCAL_OK;
    *done = task->period == last && state_is_of(part, task->config);
    if (task->period < last)
        return SCRIM_LOCAL_E_PERIOD;
    return task->period == last && !*done ? SCRIM_LOCAL_E_ANSWERED : SCRIM_LOCAL_OK;
}

/* The cost of a report; 0 where the lasting answer was paid for. */
static scrim_local_status state_find_charge(state_task *task)
{
    const uint8_t *part = task->state + state_part(task->state, task->index);
    const uint64_t loss = scrim_local_loss(task->config);
    const uint64_t left =
        sl_get(task->state + SL_STATE_CAP, 8) - sl_get(task->state + SL_STATE_SPENT, 8);
    if (loss == UINT64_MAX)
        return SCRIM_LOCAL_E_PARAM;
    if (loss > sl_get(task->state + SL_STATE_LARGEST, 8))
        return SCRIM_LOCAL_E_POLICY;
    task->lasting = state_is_lasting(task);
    if (task->lasting == 1 && state_is_of(part, task->config) &&
        (sl_get(part + SL_PART_FLAGS, 4) & SL_PART_LASTING) != 0)
        task->lasting = 2;
    task->charge = task->lasting == 2 ? 0 : loss;
    return task->charge <= left ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_BUDGET;
}

/* Words for a purpose: with the value's bytes in the key, or without. */
typedef struct state_words {
    sl_stream stream;
    scrim_local_source source;
    sl_bits bits;
} state_words;

static void state_words_init(state_words *words, const state_task *task,
                             sl_purpose purpose, uint64_t period, const uint8_t *value,
                             size_t bytes)
{
    sl_stream_init(&words->stream, task->state + SL_STATE_SECRET, purpose,
                   task->config->hash, period, value, bytes);
    words->source = sl_stream_source(&words->stream);
    sl_bits_init(&words->bits, &words->source, 0);
}

static void state_words_clear(state_words *words)
{
    sl_wipe(words, sizeof *words);
}

/* A number in place of an absent one: uniform, so that the server knows the mean of all that are. */
static uint64_t state_cover(const state_task *task, uint64_t value)
{
    state_words words;
    const sl_range range = sl_range_of(task->config->values);
    state_words_init(&words, task, SL_FOR_COVER, task->period, task->config->hash, 0);
    const uint64_t other = sl_uniform(&words.bits, &range);
    const uint64_t absent = sl_mask_equal(value, SCRIM_LOCAL_ABSENT);
    state_words_clear(&words);
    return sl_select(absent, other, value);
}

static void state_permanent(const state_task *task, const sl_plan *plan, sl_secret secret,
                            const uint8_t *value, size_t bytes, uint8_t *out)
{
    state_words device, kept;
    const uint64_t epoch = task->config->epoch == 0 ? 0 : task->period;
    state_words_init(&device, task, SL_FOR_DEVICE, 0, task->config->hash, 0);
    state_words_init(&kept, task, SL_FOR_PERMANENT, epoch, value, bytes);
    task->kind->permanent(plan, secret, &device.bits, &kept.bits, out);
    state_words_clear(&device);
    state_words_clear(&kept);
}

/* Writes the report into the part. */
static void state_draw(const state_task *task, sl_secret secret, const uint8_t *value,
                       size_t bytes)
{
    uint8_t *report = task->state + state_part(task->state, task->index) + SL_PART_REPORT;
    uint8_t *lasting = report + state_room(task->state);
    const size_t length = task->kind->report_bytes(task->config);
    sl_plan plan;
    state_words fresh;
    task->kind->prepare(task->config, &plan);
    state_words_init(&fresh, task, SL_FOR_REPORT, task->period, value, bytes);
    if (task->kind->permanent == NULL) {
        if (secret.text == NULL)
            task->kind->encode(&plan, secret.value, &fresh.bits, report);
        else
            task->kind->encode_text(&plan, secret.text, &fresh.bits, report);
    } else {
        if (task->lasting == 2)
            state_copy(report, lasting, length);
        else
            state_permanent(task, &plan, secret, value, bytes, report);
        if (task->lasting == 1)
            state_copy(lasting, report, length);
        task->kind->perturb(&plan, &fresh.bits, report);
    }
    state_words_clear(&fresh);
}

static void state_charge(const state_task *task)
{
    uint8_t *part = task->state + state_part(task->state, task->index);
    const uint64_t used = SL_PART_USED | (task->lasting != 0 ? SL_PART_LASTING : 0);
    state_name(task->state, task->index, task->config->question);
    state_copy(part + SL_PART_HASH, task->config->hash, SCRIM_LOCAL_HASH_BYTES);
    sl_put(part + SL_PART_PERIOD, task->period, 8);
    sl_put(part + SL_PART_CHARGE, task->charge, 8);
    sl_put(part + SL_PART_SPENT, sl_get(part + SL_PART_SPENT, 8) + task->charge, 8);
    sl_put(part + SL_PART_BYTES, task->kind->report_bytes(task->config), 4);
    sl_put(part + SL_PART_FLAGS, used, 4);
    sl_put(task->state + SL_STATE_SPENT,
           sl_get(task->state + SL_STATE_SPENT, 8) + task->charge, 8);
}

static scrim_local_status state_prepare(state_task *task, sl_secret secret)
{
    uint32_t done;
    uint8_t number[8];
    const int is_text = secret.text != NULL;
    task->kind = sl_kind_of(task->config->protocol);
    if (!sl_kind_takes(task->kind, task->config, is_text))
        return SCRIM_LOCAL_E_PARAM;
    scrim_local_status status = sl_state_check(task->state, task->bytes);
    if (status != SCRIM_LOCAL_OK)
        return status;
    if (task->kind->report_bytes(task->config) > state_room(task->state))
        return SCRIM_LOCAL_E_LIMIT;
    status = state_find_part(task, &done);
    if (status != SCRIM_LOCAL_OK || done)
        return status;
    status = state_find_charge(task);
    if (status != SCRIM_LOCAL_OK)
        return status;
    if (task->kind->is_number)
        secret.value = state_cover(task, secret.value);
    sl_put(number, secret.value, sizeof number);
    if (is_text)
        state_draw(task, secret, secret.text, task->config->text);
    else
        state_draw(task, secret, number, sizeof number);
    sl_wipe(number, sizeof number);
    state_charge(task);
    sl_state_seal(task->state, task->bytes);
    return SCRIM_LOCAL_OK;
}

scrim_local_status scrim_local_state_prepare(uint8_t *state, size_t bytes,
                                             const scrim_local_config *config,
                                             uint64_t period, uint64_t value)
{
    state_task task = {
        .state = state, .bytes = bytes, .config = config, .period = period};
    return state_prepare(&task, (sl_secret){.value = value});
}

scrim_local_status scrim_local_state_prepare_text(uint8_t *state, size_t bytes,
                                                  const scrim_local_config *config,
                                                  uint64_t period, const uint8_t *text)
{
    state_task task = {
        .state = state, .bytes = bytes, .config = config, .period = period};
    return state_prepare(&task, (sl_secret){.text = text});
}

/* ---- sending ------------------------------------------------------------------------------ */

/* The part of a question; SCRIM_LOCAL_E_PARAM: the question has no part. */
static scrim_local_status state_open(const uint8_t *state, size_t bytes,
                                     const char *question, size_t *part)
{
    uint32_t index;
    scrim_local_status status = sl_state_check(state, bytes);
    if (status == SCRIM_LOCAL_OK)
        status = sl_state_find(state, question, &index);
    if (status != SCRIM_LOCAL_OK)
        return status;
    if (index == state_questions(state) || !state_is_used(state, index))
        return SCRIM_LOCAL_E_PARAM;
    *part = state_part(state, index);
    return SCRIM_LOCAL_OK;
}

scrim_local_status scrim_local_state_send(const uint8_t *stored, size_t bytes,
                                          const scrim_local_config *config,
                                          uint64_t period, uint8_t *message)
{
    size_t at;
    const scrim_local_status status = state_open(stored, bytes, config->question, &at);
    if (status != SCRIM_LOCAL_OK)
        return status == SCRIM_LOCAL_E_PARAM ? SCRIM_LOCAL_E_STATE : status;
    const uint8_t *part = stored + at;
    if (sl_get(part + SL_PART_PERIOD, 8) != period || !state_is_of(part, config))
        return SCRIM_LOCAL_E_STATE;
    scrim_local_header(config, message);
    state_copy(message + SCRIM_LOCAL_HEADER_BYTES, part + SL_PART_REPORT,
               (size_t)sl_get(part + SL_PART_BYTES, 4));
    return SCRIM_LOCAL_OK;
}

scrim_local_status scrim_local_state_question(const uint8_t *state, size_t bytes,
                                              const char *question, uint64_t *spent,
                                              uint64_t *period)
{
    size_t at;
    const scrim_local_status status = state_open(state, bytes, question, &at);
    if (status == SCRIM_LOCAL_OK || status == SCRIM_LOCAL_E_PARAM)
        *spent = *period = 0;
    if (status != SCRIM_LOCAL_OK)
        return status;
    const uint8_t *part = state + at;
    *spent = sl_get(part + SL_PART_SPENT, 8);
    *period = sl_get(part + SL_PART_PERIOD, 8);
    return SCRIM_LOCAL_OK;
}

/* A uniform number below `count`, which the secret decides for that purpose and period. */
static scrim_local_status state_uniform(const uint8_t *state, sl_purpose purpose,
                                        uint64_t period, uint32_t count, uint32_t *out)
{
    sl_stream stream;
    sl_bits bits;
    uint8_t number[4];
    const sl_range range = sl_range_of(count);
    sl_put(number, count, sizeof number);
    sl_stream_init(&stream, state + SL_STATE_SECRET, purpose, state_every_hash, period,
                   number, sizeof number);
    const scrim_local_source source = sl_stream_source(&stream);
    sl_bits_init(&bits, &source, 0);
    *out = (uint32_t)sl_uniform(&bits, &range);
    sl_wipe(&stream, sizeof stream);
    return sl_bits_clear(&bits);
}

scrim_local_status scrim_local_state_choose(const uint8_t *state, size_t bytes,
                                            uint64_t period, uint32_t count,
                                            uint32_t *chosen)
{
    const scrim_local_status status = sl_state_check(state, bytes);
    if (status != SCRIM_LOCAL_OK)
        return status;
    if (count == 0)
        return SCRIM_LOCAL_E_PARAM;
    return state_uniform(state, SL_FOR_CHOICE, period, count, chosen);
}

scrim_local_status scrim_local_state_turn(const uint8_t *state, size_t bytes,
                                          uint64_t period, uint32_t every, int *is_turn)
{
    uint32_t turn = 0;
    scrim_local_status status = sl_state_check(state, bytes);
    if (status != SCRIM_LOCAL_OK)
        return status;
    if (every == 0)
        return SCRIM_LOCAL_E_PARAM;
    status = state_uniform(state, SL_FOR_TURN, 0, every, &turn);
    *is_turn = status == SCRIM_LOCAL_OK && period % every == turn;
    return status;
}

scrim_local_status scrim_local_state_forget(uint8_t *state, size_t bytes,
                                            const char *question)
{
    size_t at;
    const scrim_local_status status = state_open(state, bytes, question, &at);
    if (status != SCRIM_LOCAL_OK)
        return status;
    uint8_t *part = state + at;
    const uint64_t last = sl_get(part + SL_PART_PERIOD, 8);
    const uint64_t least = sl_get(state + SL_STATE_LEAST, 8);
    if (last == UINT64_MAX)
        return SCRIM_LOCAL_E_LIMIT;
    sl_put(state + SL_STATE_LEAST, last + 1 > least ? last + 1 : least, 8);
    sl_wipe(part, SL_PART_REPORT + 2 * (size_t)state_room(state));
    sl_state_seal(state, bytes);
    return SCRIM_LOCAL_OK;
}
