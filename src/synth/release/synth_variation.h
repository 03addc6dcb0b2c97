/* The report of a release (synth/report), with the names of its columns. */
#ifndef SC_SYNTH_VARIATION_H
#define SC_SYNTH_VARIATION_H

#include "synth/release/synth_draw.h"
#include "synth/report/query_report.h"

struct scrim_synth_report {
    sc_synth_report report;
    uint64_t rows;                 /* that it is about */
    const char **names;            /* by entry */
    double *truth;                 /* by entry, for the owner alone; NULL: not compared */
    const sc_synth_domain *domain; /* of the release that has queries, or NULL */
    sc_query_entry *queries;       /* by query */
    sc_arena arena;
};

#endif
