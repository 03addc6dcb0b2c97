/* What synthetic rows answer to the queries that were asked for, and how far the share in the data can be from it, from
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
#ifndef SC_SYNTH_QUERY_REPORT_H
#define SC_SYNTH_QUERY_REPORT_H

#include "synth/release/released_report.h"

typedef struct sc_query_entry {
    uint64_t rows; /* that it counts among the rows */
    sc_report_kind kind;
    sc_variation difference; /* of the shares */
} sc_query_entry;

/* Fills an entry for each query of the options. Of SmallDB the shares alone are known. As sc_released_report_make. */
SCRIM_MUST_USE scrim_status sc_query_report_make(const sc_released_report *of,
                                                 sc_query_entry *out, scrim_error *error);

#endif
