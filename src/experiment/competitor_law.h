/* The law of a competitor's answer on a given data set, summed and not sampled.
 *
 * Histogram mechanisms noise their bars independently, so that max_k has a product and the mode a
 * sum of products for its law; exponential, ptr and smooth have theirs in closed form. The law
 * of choosing depends on the order of its rounds and is not given. In long double, from
 * closed forms and sums of positive terms: good to some 15 digits.
 *
 * Claim  competitor-law.exact  the law is that of sc_competitor_run
 *
 * Reference  spec/flexible-accuracy.md 13.2, 13.3
 */
#ifndef SC_EXPERIMENT_COMPETITOR_LAW_H
#define SC_EXPERIMENT_COMPETITOR_LAW_H

#include "experiment/competitors.h"

/* P(a bar of count elements is shown as at most c elements), of stlap, stability or esa. */
long double sc_bar_at_most(const sc_competitors *c, sc_competitor kind, int64_t count,
                           int64_t shown);

bool sc_competitor_has_law(sc_competitor kind);
/* law[y], 0 <= y <= B. SCRIM_E_MEMORY; SCRIM_E_PARAM for what has none. */
SCRIM_MUST_USE scrim_status sc_competitor_law(const sc_competitors *c, sc_competitor kind,
                                              const sc_scene *scene,
                                              long double law[SC_HEIGHTS_MAX + 1],
                                              scrim_error *error);

typedef struct sc_expected_error {
    double mean, deviation; /* in bars; the deviation of one run */
} sc_expected_error;

/* The raw and the flexible error of an answer with this law. */
void sc_expected_errors(const sc_scene *scene, const long double *law,
                        sc_expected_error *raw, sc_expected_error *flexible);

#endif
