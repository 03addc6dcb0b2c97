#include "base/cancel.h"

#include <stddef.h>
#include <time.h>

bool sc_cancel_asks(sc_cancel *cancel)
{
    if (cancel == NULL || cancel->is_cancelled == NULL)
        return false;
    if (!cancel->is_ended)
        cancel->is_ended = cancel->is_cancelled(cancel->context) != 0;
    return cancel->is_ended;
}

scrim_status sc_cancel_check(sc_cancel *cancel, scrim_error *error)
{
    return sc_cancel_asks(cancel)
               ? sc_fail_for(error, SCRIM_E_STATE, SCRIM_REASON_CANCELLED, "",
                             "the query was cancelled")
               : SCRIM_OK;
}

int64_t sc_waiting_clock_ns(void)
{
    struct timespec clock = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &clock);
    return (int64_t)clock.tv_sec * 1000000000 + clock.tv_nsec;
}

int64_t sc_waiting_clock_ms(void)
{
    return sc_waiting_clock_ns() / 1000000;
}
