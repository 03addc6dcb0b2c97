/* Whatever bytes are a state, once they are sealed, keep their promises: what is prepared is sent, the budget
 * holds, and a period has one report. Others are refused by every function. */
#include "corpus.h"
#include "local/device/local_state.h"
#include "local_device.h"

#include <string.h>

static void check_refused(uint8_t *state, size_t bytes, const scrim_local_config *config)
{
    uint8_t message[64];
    uint32_t chosen;
    int is_turn;
    uint64_t spent, period;
    CHECK_INT(scrim_local_state_prepare(state, bytes, config, 1, 1),
              SCRIM_LOCAL_E_SYNTAX);
    CHECK_INT(scrim_local_state_send(state, bytes, config, 1, message),
              SCRIM_LOCAL_E_SYNTAX);
    CHECK_INT(scrim_local_state_choose(state, bytes, 1, 3, &chosen),
              SCRIM_LOCAL_E_SYNTAX);
    CHECK_INT(scrim_local_state_turn(state, bytes, 1, 3, &is_turn), SCRIM_LOCAL_E_SYNTAX);
    CHECK_INT(scrim_local_state_forget(state, bytes, "q"), SCRIM_LOCAL_E_SYNTAX);
    CHECK_INT(scrim_local_state_question(state, bytes, "q", &spent, &period),
              SCRIM_LOCAL_E_SYNTAX);
}

/* The next period of the question: one report, charged within the cap. */
static void check_next(uint8_t *state, size_t bytes, const scrim_local_config *config)
{
    scrim_local_account before, after;
    uint8_t message[64], again[64];
    uint64_t spent, period = 0;
    CHECK_INT(scrim_local_state_read(state, bytes, &before), SCRIM_LOCAL_OK);
    (void)scrim_local_state_question(state, bytes, config->question, &spent, &period);
    period += period < UINT64_MAX;
    const scrim_local_status status =
        scrim_local_state_prepare(state, bytes, config, period, 1);
    CHECK_INT(scrim_local_state_read(state, bytes, &after), SCRIM_LOCAL_OK);
    CHECK(after.spent <= after.cap && after.spent >= before.spent);
    CHECK(after.cap == before.cap && after.largest == before.largest);
    if (status != SCRIM_LOCAL_OK) {
        CHECK(after.spent == before.spent);
        return;
    }
    CHECK_INT(scrim_local_state_send(state, bytes, config, period, message),
              SCRIM_LOCAL_OK);
    CHECK_INT(scrim_local_state_prepare(state, bytes, config, period, 2), SCRIM_LOCAL_OK);
    CHECK_INT(scrim_local_state_send(state, bytes, config, period, again),
              SCRIM_LOCAL_OK);
    CHECK_BYTES(again, message, SCRIM_LOCAL_HEADER_BYTES + 2);
    CHECK_INT(scrim_local_state_forget(state, bytes, config->question),
              period == UINT64_MAX ? SCRIM_LOCAL_E_LIMIT : SCRIM_LOCAL_OK);
}

FUZZ(local_state)
{
    static uint8_t state[1 << 14];
    const scrim_local_config config =
        device_config("randomised-response values=1000 a=3 b=1");
    scrim_local_account account;
    if (count > sizeof state)
        return;
    memcpy(state, bytes, count);
    if (scrim_local_state_read(state, count, &account) == SCRIM_LOCAL_OK)
        check_next(state, count, &config);
    memcpy(state, bytes, count);
    if (count < 88)
        return;
    sl_state_seal(state, count);
    if (scrim_local_state_read(state, count, &account) != SCRIM_LOCAL_OK)
        check_refused(state, count, &config);
    else
        check_next(state, count, &config);
}
