/* Whether the caller wants a long computation to end.
 *
 * Rounds, fits and counts ask between their steps. One that is ended early leaves numbers that are not finished; code that
 * releases or shows numbers calls sc_cancel_check first.
 *
 * Claim  cancel.latched  once the caller has said so, every later question has the same answer
 */
#ifndef SC_BASE_CANCEL_H
#define SC_BASE_CANCEL_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sc_cancel {
    int (*is_cancelled)(void *context); /* by the calling thread alone; NULL: never */
    void *context;
    bool is_ended; /* set to false at first */
} sc_cancel;

/* NULL is never cancelled. */
bool sc_cancel_asks(sc_cancel *cancel);
/* SCRIM_E_STATE, SCRIM_REASON_CANCELLED. */
SCRIM_MUST_USE scrim_status sc_cancel_check(sc_cancel *cancel, scrim_error *error);

/* A clock for waiting, and for nothing else: no charge, budget or answer depends on it. It is never
 * set back, and begins anywhere.
 *
 * Claim  waiting.forward  the clock never goes back
 */

/* In nanoseconds. */
int64_t sc_waiting_clock_ns(void);
/* In milliseconds. */
int64_t sc_waiting_clock_ms(void);

#endif
