/* A line on standard error about work that takes more than a second. */
#ifndef SC_CLI_PROGRESS_H
#define SC_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sc_progress {
    bool wanted, shown;
    uint64_t total;
    const char *unit;
    int64_t started_ns, next_ns;
} sc_progress;

/* unit is what is counted, "draws", or "%" where only the share that is done is shown; total is 0
 * where nobody knows it. Nothing is ever shown when it
 * is not wanted or standard error is no terminal. */
void sc_progress_start(sc_progress *progress, uint64_t total, const char *unit,
                       bool wanted);
/* To be called now and then; cheap. */
void sc_progress_update(sc_progress *progress, uint64_t done);
/* The same, for the library to call; context is the progress. */
void sc_progress_told(void *context, uint64_t done, uint64_t total);
/* Takes the line away again. */
void sc_progress_end(sc_progress *progress);

#endif
