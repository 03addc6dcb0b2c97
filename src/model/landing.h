/* How a value comes to its place on a grid: as it is, moved to an end of the range, or rounded to
 * a step. The place alone does not tell; this is for the owner, who wants to know whether the
 * declared range and step fit what is there.
 *
 * Claim  landing.exact  a value is below or above exactly when it is less than the lower end of the
 *                       range or more than the upper one, and rounded exactly when it lies
 *                       within and is no multiple of the step; the place is the one that
 *                       data_number.h gives
 */
#ifndef SC_MODEL_LANDING_H
#define SC_MODEL_LANDING_H

#include "model/grid.h"

typedef struct sc_landing {
    int64_t place;
    bool is_below, is_above, is_rounded; /* at most one */
} sc_landing;

/* False for what sc_data_number_read does not read. */
bool sc_landing_of_text(const sc_grid *grid, sc_text text, sc_landing *out);

#endif
