/* The ends of a quantile's interval are quantiles too: of ranks so much below and above that the
 * true one lies between them. The ranks follow from the number of rows that was released
 * (estimate.h), so that they are public, and the draw costs what was planned for it.
 *
 * Ranks are on a coarse grid, and a quantile takes a while to prepare: one whose ranks come again is
 * not prepared again.
 *
 * Claim  quantile-ends.order  the measurement has as many ranks as the planned one, in increasing
 *                             order, and differs from it in nothing else: where a rank falls
 *                             outside of (0, 1), another stands in its place, whose answer is not
 *                             used
 */
#ifndef SC_QUERY_QUANTILE_ENDS_H
#define SC_QUERY_QUANTILE_ENDS_H

#include "model/measurement.h"
#include "query/statistic.h"

typedef struct sc_quantile_ends {
    const scrim_measurement *planned;
    const sc_statistic *statistic; /* SC_STATISTIC_BELOW or SC_STATISTIC_ABOVE */
    const scrim_measurement *rows; /* that the number of rows was drawn by */
    const sc_ratio *confidence;
    sc_ratio *ranks;
    bool *is_used; /* by p: is the answer an end? Else the end of the range is. */
    scrim_measurement **made;
    size_t made_count, made_capacity;
} sc_quantile_ends;

/* What is given is borrowed. SCRIM_E_MEMORY; it is to be cleared anyway. */
SCRIM_MUST_USE scrim_status sc_quantile_ends_init(sc_quantile_ends *ends,
                                                  const scrim_measurement *planned,
                                                  const sc_statistic *statistic,
                                                  const scrim_measurement *rows,
                                                  const sc_ratio *confidence,
                                                  scrim_error *error);
void sc_quantile_ends_clear(sc_quantile_ends *ends);

/* The measurement for a group with that released number of rows, which lives as long as ends; NULL:
 * nothing is to be drawn. Sets is_used. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_quantile_ends_of(sc_quantile_ends *ends,
                                                sc_int128 rows_number,
                                                const scrim_measurement **out,
                                                scrim_error *error);

#endif
