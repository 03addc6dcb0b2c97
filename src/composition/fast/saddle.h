/* Where to look: the cumulants of composed losses, in doubles.
 *
 * K(t) = sum of count ln(sum mass exp(t z)) over the parts. Nothing here is proved and nothing
 * need be: tilts and slices that are found here are good, and what is computed with them is a
 * bound for any.
 */
#ifndef SC_COMPOSITION_SADDLE_H
#define SC_COMPOSITION_SADDLE_H

#include "composition/fast/fast_part.h"

/* One part, its points put together to a few. */
typedef struct sc_saddle_part {
    size_t count;
    double times;
    double *point, *log_mass;
} sc_saddle_part;

typedef struct sc_saddle {
    sc_saddle_part *parts;
    size_t count;
    double cap; /* no tilt is larger */
} sc_saddle;

typedef struct sc_cumulants {
    double k, mean, variance; /* K, K', K'' */
} sc_cumulants;

void sc_saddle_init(sc_saddle *saddle);
void sc_saddle_clear(sc_saddle *saddle);
SCRIM_MUST_USE scrim_status sc_saddle_set(sc_saddle *saddle, const sc_fast_part *parts,
                                          size_t count, scrim_error *error);

void sc_saddle_cumulants(const sc_saddle *saddle, double tilt, sc_cumulants *out);
/* ln of the sum of one part's mass exp(tilt z). */
double sc_saddle_log_moment(const sc_saddle *saddle, size_t part, double tilt);
/* The tilt in [least, cap] whose mean is this, or is nearest to it. */
double sc_saddle_tilt_to(const sc_saddle *saddle, double mean, double least);
/* The tilt >= 0 whose mean is the epsilon of this delta, about. */
double sc_saddle_tilt_for(const sc_saddle *saddle, double log_delta);
/* The same of the loss of Gaussian noise with this mean. */
double sc_saddle_normal_tilt(double mean, double log_delta);

#endif
