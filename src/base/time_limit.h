/* How long a question about public numbers may compute: so much processor time of the thread that
 * asked. Searches whose steps cost more than anybody can say beforehand look at it now and then,
 * and end with SCRIM_E_LIMIT.
 *
 * Only for answers that may be refused: what is charged, recorded or verified is bounded in steps
 * (composition/loss/loss_work.h), so that it is the same on every machine.
 *
 * Claim  time-limit.inner  a limit within a limit never ends later than the outer one
 */
#ifndef SC_BASE_TIME_LIMIT_H
#define SC_BASE_TIME_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sc_time_limit {
    uint64_t outer_ns; /* the end that held before; 0: there was none */
} sc_time_limit;

/* From here on, this thread, until sc_time_limit_leave. */
void sc_time_limit_enter(sc_time_limit *limit, uint64_t milliseconds);
void sc_time_limit_leave(const sc_time_limit *limit);
/* False outside of any limit. It asks the kernel: call it for work of 10 microseconds or more. */
bool sc_time_limit_is_over(void);

#endif
