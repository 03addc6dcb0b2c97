/* The report of a release with names of columns, and answers to counting queries. */
#ifndef SC_SYNTH_VARIATION_H
#define SC_SYNTH_VARIATION_H

#include "synth/release/released_report.h"
#include "synth/release/synth_draw.h"

/* Answers of synthetic rows to the queries that were asked for, and how far the share in the data can be from it, from
 * releases alone.
 *
 * x of n rows of the data are counted by a query. |x - y| <= t where y = x + noise was measured. A query that was a candidate
 * of the last round and was not chosen has a score that is not far above that of the chosen one: an upper bound of
 * |x - a|, a the answer of the model before that round, which is made again. With |N - n| <= slack of the released total N,
 *
 *     x/n is between (y - t)/(N + slack) and (y + t)/(N - slack)
 *
 * Intervals of all queries hold together with probability 1 - beta. Each statement has an equal share: one for the total,
 * one for the choice of the last round, one for each noise.
 *
 * Claim  query-report.covers  the intervals hold together with probability at least 1 - beta, whatever the rows are
 */

typedef struct sc_query_entry {
    uint64_t rows; /* that it counts among the rows */
    sc_report_kind kind;
    sc_variation difference; /* of the shares */
} sc_query_entry;

/* Fills an entry for each query of the options. Of SmallDB the shares alone are known. As sc_released_report_make. */
SCRIM_MUST_USE scrim_status sc_query_report_make(const sc_released_report *of,
                                                 sc_query_entry *out, scrim_error *error);

/* The report of a release (synth/report), with the names of its columns. A charged comparison (synth_compare.c) adds numbers
 * that are measured for it.
 *
 * Claim  synth-compare.singles  the intervals of all numbers of a charged comparison hold together with probability 0.95, if
 *                               that of the released total does; rows that agree with the data in every bin and in no
 *                               value are not called alike
 */

struct scrim_synth_report {
    sc_synth_report report;
    uint64_t rows;      /* that it is about */
    const char **names; /* by entry */
    double *truth;      /* by entry, for the owner alone; NULL: not compared */
    /* By column in bins, for the owner alone: the total variation over single values; -1: not compared */
    double singles[SC_SYNTH_PLAN_COLUMNS];
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
