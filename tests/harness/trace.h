/* Which instructions a piece of code executes: a child runs it a step at a time under
 * ptrace(2), and the sequence of instruction addresses is hashed. Two runs of one process
 * with the same trace have taken the same branches, all of them.
 *
 *     const char *reason = trace_unavailable();
 *     if (reason != NULL)
 *         SKIP(reason);
 *     trace zero = trace_of(draw, &warm, &context_of_zero);
 */
#ifndef TRACE_H
#define TRACE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct trace {
    uint64_t steps; /* 0: it could not be taken, and a check has failed */
    uint64_t hash;
} trace;

/* NULL, or why traces cannot be taken here. */
const char *trace_unavailable(void);

/* The trace of body(context) in a child, after body(warm) has bound symbols and touched
 * memory there. Neither has an effect in this process. */
trace trace_of(void (*body)(void *context), void *warm, void *context);

bool trace_is_equal(trace a, trace b);

#endif
