/* How GMP, FLINT and Arb allocate: by the allocator that they would use, and from the reserve
 * (base/reserve.h) where it has nothing left. This is set up when the library is loaded.
 *
 * These functions serve a whole process, and a host may use GMP and FLINT too. Its blocks come
 * from the same allocator as before, and end there; only when that has failed may they come from
 * the reserve. When the reserve has no more either, the functions that were there before decide,
 * as if scrim were not loaded. A host that has set functions of its own for GMP keeps them.
 */
#ifndef SC_BASE_BALL_MEMORY_H
#define SC_BASE_BALL_MEMORY_H

#include "base/reserve.h"
#include "base/status.h"

/* Where numbers hold some of the reserve, frees what FLINT and Arb cache for this thread: caches
 * would keep it for ever. Leaving a scope of balls does this. */
void sc_ball_memory_settle(void);
/* The same, and sees to it that those caches are freed when this thread ends, some 200 KiB. Entering a scope of balls
 * does this. The caches of the main thread, and of a thread that fork has left out, end with the process. */
void sc_ball_memory_bind(void);
/* The status of a computation at whose start sc_reserve_refusals was `refusals`: SCRIM_E_MEMORY if
 * operations were refused since, as its bounds may be useless. */
SCRIM_MUST_USE scrim_status sc_ball_memory_check(uint64_t refusals, scrim_status status,
                                                 scrim_error *error);

#endif
