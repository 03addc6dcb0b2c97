#include "check.h"
#include "local/device/integers.h"
#include "local/device/local_state.h"
#include "local_device.h"

#include <string.h>

#define NAT ((uint64_t)1 << 32)
#define QUESTIONS 2
#define ROOM 4
#define BYTES (80 + QUESTIONS * (80 + 2 * ROOM) + 8)

static void begin(uint8_t state[BYTES])
{
    uint64_t seed = 5;
    const scrim_local_source source = device_seeded(&seed);
    const scrim_local_config config =
        device_config("randomised-response values=9 a=3 b=1");
    CHECK_INT(
        scrim_local_state_init(state, BYTES, QUESTIONS, ROOM, 9 * NAT, 9 * NAT, &source),
        SCRIM_LOCAL_OK);
    CHECK_INT(scrim_local_state_prepare(state, BYTES, &config, 3, 1), SCRIM_LOCAL_OK);
}

/* States that are wrong under a right seal, as whoever has the secret can write them. */
TEST(state_bytes_are_checked_behind_the_seal)
{
    const size_t one = 80, two = 80 + 80 + 2 * ROOM;
    const struct {
        size_t at;
        uint8_t byte;
    } wrong[] = {
        {4, 3},                          /* more questions than there are bytes for */
        {12, 1},                         /* a number that is 0 */
        {SL_STATE_SPENT + 7, 255},       /* more spent than the cap */
        {one + SL_PART_SPENT + 7, 1},    /* more on a question than on all */
        {one + SL_PART_CHARGE + 7, 1},   /* more in a period than on the question */
        {one + SL_PART_BYTES, ROOM + 1}, /* a report longer than its room */
        {one + SL_PART_FLAGS, 5},        /* an unknown flag */
        {one + SL_PART_FLAGS, 2},        /* lasting, and not used */
        {two, 1},                        /* a name without a question */
        {two + SL_PART_REPORT + (size_t)2 * ROOM - 1,
         1}, /* an answer without a question */
    };
    uint8_t state[BYTES], changed[BYTES];
    begin(state);
    CHECK_INT(sl_state_check(state, BYTES), SCRIM_LOCAL_OK);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        memcpy(changed, state, BYTES);
        changed[wrong[i].at] = wrong[i].byte;
        sl_state_seal(changed, BYTES);
        if (!CHECK_INT(sl_state_check(changed, BYTES), SCRIM_LOCAL_E_SYNTAX))
            CHECK_FAIL("byte %zu", wrong[i].at);
    }
}

/* One question twice: nothing is prepared, sent or said about it, and others are as they were. */
TEST(state_bytes_have_a_question_once)
{
    const size_t one = 80, two = 80 + 80 + 2 * ROOM;
    const scrim_local_config config =
        device_config("randomised-response values=9 a=3 b=1");
    uint8_t state[BYTES], before[BYTES], message[SCRIM_LOCAL_HEADER_BYTES + ROOM];
    uint64_t spent, period;
    uint32_t index;
    begin(state);
    CHECK_INT(sl_state_find(state, config.question, &index), SCRIM_LOCAL_OK);
    CHECK_INT(index, 0);
    CHECK_INT(scrim_local_state_send(state, BYTES, &config, 3, message), SCRIM_LOCAL_OK);
    memcpy(state + two, state + one, two - one);
    sl_state_seal(state, BYTES);
    memcpy(before, state, BYTES);
    CHECK_INT(sl_state_find(state, config.question, &index), SCRIM_LOCAL_E_SYNTAX);
    CHECK_INT(scrim_local_state_prepare(state, BYTES, &config, 4, 1),
              SCRIM_LOCAL_E_SYNTAX);
    CHECK_INT(scrim_local_state_send(state, BYTES, &config, 3, message),
              SCRIM_LOCAL_E_SYNTAX);
    CHECK_INT(scrim_local_state_question(state, BYTES, config.question, &spent, &period),
              SCRIM_LOCAL_E_SYNTAX);
    CHECK_INT(scrim_local_state_forget(state, BYTES, config.question),
              SCRIM_LOCAL_E_SYNTAX);
    CHECK(memcmp(state, before, BYTES) == 0);
    CHECK_INT(sl_state_find(state, "another", &index), SCRIM_LOCAL_OK);
    CHECK_INT(index, QUESTIONS);
}
