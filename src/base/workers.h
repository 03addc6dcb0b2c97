/* Instructions that only some processors of a kind have, where the system lets programs use them.
 *
 * glibc looked when the program started. gcc would bring code of its own that looks again: 5 KB of a library.
 */
#ifndef WORKERS_H
#define WORKERS_H

#include "base/status.h"

#include <stdbool.h>

/* Vector instructions of x86-64. Other processors have no such instructions. */
typedef enum sc_vectors {
    SC_AVX2,
    SC_AVX512F,
    SC_AVX512BW,
    SC_AVX512VL,
    SC_AVX512VBMI2,
} sc_vectors;

bool sc_processor_has(sc_vectors vectors);

/* Some threads that do one task together, and end together.
 *
 * The task is called once by every worker, with its number; how the work is shared is the task's
 * own affair (a counter that all of them take from). Worker 0 is the caller's thread and always
 * goes; the others go where threads are to be had, so that a task must be able to do everything
 * alone. Threads take no signals: those are the business of whoever has called.
 */

#define SC_WORKERS_MAX 256

typedef scrim_status sc_workers_task(void *context, unsigned worker, scrim_error *error);

/* From 1 to SC_WORKERS_MAX of them, else SCRIM_E_PARAM. Returns when all have ended, with the
 * failure of the first, in the order of numbers, that has failed; or SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_workers_run(unsigned workers, sc_workers_task *task,
                                           void *context, scrim_error *error);

#endif
