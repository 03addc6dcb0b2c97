/* The report of a release (synth/report), with the names of its columns. */
#ifndef SC_SYNTH_VARIATION_H
#define SC_SYNTH_VARIATION_H

#include "synth/release/query_report.h"
#include "synth/release/synth_draw.h"

struct scrim_synth_report {
    sc_synth_report report;
    uint64_t rows;                 /* that it is about */
    const char **names;            /* by entry */
    double *truth;                 /* by entry, for the owner alone; NULL: not compared */
    const sc_synth_domain *domain; /* of the release that has queries, or NULL */
    sc_query_entry *queries;       /* by query */
    sc_arena arena;
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
};

/* A comparison with the data tells how far it is: half of it is reading, half are the tables after it. How much there is
 * to read is not told. */
void sc_synth_report_tell(const scrim_synth_report *report, bool is_read, uint64_t done,
                          uint64_t total);

#endif
