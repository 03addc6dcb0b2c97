/* The exact law of a plan of quantiles on one input, from the weights that draw it. */
#ifndef SC_MECHANISM_SELECTION_QUANTILE_LAW_H
#define SC_MECHANISM_SELECTION_QUANTILE_LAW_H

#include "mechanism/selection/quantile_parts.h"
#include "model/outcomes.h"

/* Outcomes are keyed by the points of the grid, rows->low + key, in increasing order; sorted.
 * SCRIM_E_LIMIT where there are more than 2^22 ways to them. */
SCRIM_MUST_USE scrim_status sc_quantile_law(const sc_quantile_plan *plan,
                                            const sc_order_rows *rows, long bits,
                                            sc_outcomes *out, scrim_error *error);

#endif
