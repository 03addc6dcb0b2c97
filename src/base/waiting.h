/* A clock for waiting, and for nothing else: no charge, budget or answer depends on it. It is never
 * set back, and begins anywhere.
 *
 * Claim  waiting.forward  the clock never goes back
 */
#ifndef SC_BASE_WAITING_H
#define SC_BASE_WAITING_H

#include <stdint.h>

/* In nanoseconds. */
int64_t sc_waiting_clock_ns(void);
/* In milliseconds. */
int64_t sc_waiting_clock_ms(void);

#endif
