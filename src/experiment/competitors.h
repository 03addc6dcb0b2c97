/* The seven mechanisms of the experiments at one (epsilon, delta), all for add-remove neighbours:
 * ours, stlap, and six that others have proposed for the same statistics.
 *
 *   stlap        one-sided noise on every bar that is not empty, then the statistic
 *   exponential  y in 1..B with P ~ exp(-epsilon |f(x) - y| / (2 B)); pure epsilon
 *   ptr          propose-test-release: f(x) where its stability radius and noise reach the shift s,
 *                else a uniform bar
 *   smooth       f(x) with Laplace noise of scale 2 S / epsilon, S the smooth sensitivity at decay
 *                epsilon / (2 ln(2/delta)), rounded and clamped to 1..B; a floating scale
 *   stability    the stability histogram: noise on every bar that is not empty, shown from the
 *                threshold s + 1 on, then the statistic
 *   choosing     so many rounds of choosing a high bar, counted with noise, then the statistic;
 *                reconstructed, with its own guarantee
 *   esa          noise less the shift s on every bar that is not empty, cut at 0, then the
 *                statistic; reconstructed
 *
 * s is the least shift with P(discrete Laplace noise >= s) <= delta.
 *
 * Claim  competitors.private  each of them is (epsilon, delta)-DP for one element added or
 *                             removed, as it is drawn here
 *
 * For benchmarks on simulated data alone. All noise on integers and all choices are exact
 * (src/sampling); the scale of smooth is a double, which is why it may not be released from.
 *
 * Reference  spec/flexible-accuracy.md 13.3
 */
#ifndef SC_EXPERIMENT_COMPETITORS_H
#define SC_EXPERIMENT_COMPETITORS_H

#include "base/number/ratio.h"
#include "experiment/bar_noise.h"
#include "experiment/height_scene.h"
#include "random/bits.h"
#include "scrim/distribution.h"

typedef enum sc_competitor {
    SC_COMPETITOR_STLAP,
    SC_COMPETITOR_EXPONENTIAL,
    SC_COMPETITOR_PTR,
    SC_COMPETITOR_SMOOTH,
    SC_COMPETITOR_STABILITY,
    SC_COMPETITOR_CHOOSING,
    SC_COMPETITOR_ESA,
    SC_COMPETITOR_KINDS
} sc_competitor;

/* "stlap"; never NULL for one of the seven. */
const char *sc_competitor_name(sc_competitor kind);

/* The rounds of choosing, public. */
#define SC_CHOOSING_ROUNDS 20

typedef struct sc_competitors {
    uint64_t n, d;  /* epsilon = n / d in lowest terms, each below 2^20 */
    double epsilon; /* a view */
    double smooth_decay;
    int64_t q;         /* of stlap: the least whose delta is within the target */
    int64_t shift;     /* s */
    int64_t threshold; /* s + 1 */
    uint64_t choice_d; /* the epsilon of one choice is n / choice_d */
    int64_t choice_threshold;
    sc_bar_noise noise; /* of epsilon and q, for the laws (competitor_law.h) */
    /* The prepared samplers; all threads read them. */
    scrim_distribution *one_sided;    /* stlap's */
    scrim_distribution *laplace;      /* of scale 1 / epsilon */
    scrim_distribution *choice_noise; /* of scale choice_d / n */
    scrim_distribution *count_noise;  /* of scale 2 / epsilon */
} sc_competitors;

/* epsilon is exact text and so is delta; SCRIM_E_PARAM where epsilon is not above 0, delta not in
 * (0, 1); SCRIM_E_LIMIT where epsilon = n/d has not n, d < 2^20. */
SCRIM_MUST_USE scrim_status sc_competitors_init(sc_competitors *out, const char *epsilon,
                                                const char *delta, scrim_error *error);
void sc_competitors_clear(sc_competitors *c);

/* One run: the answer, 0 to B, where 0 is EMPTY or no bar. */
SCRIM_MUST_USE scrim_status sc_competitor_run(const sc_competitors *c, sc_competitor kind,
                                              const sc_scene *scene, sc_bits *bits,
                                              size_t *answer, scrim_error *error);

#endif
