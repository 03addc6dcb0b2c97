/* The seven mechanisms of the experiments at one (epsilon, delta), all for add-remove neighbours:
 * scrim's stlap, and six that others have proposed for the same statistics.
 *
 *   stlap        one-sided noise on every bar that is not empty, then the statistic
 *   exponential  y in 1..B with P ~ exp(-epsilon |f(x) - y| / (2 B)); pure epsilon
 *   ptr          propose-test-release: f(x) if its stability radius plus noise reaches the shift s,
 *                else a uniform bar
 *   smooth       f(x) with Laplace noise of scale 2 S / epsilon, S the smooth sensitivity at decay
 *                epsilon / (2 ln(2/delta)), rounded and clamped to 1..B
 *   stability    the stability histogram: noise on every bar that is not empty, shown from the
 *                threshold s + 1 on, then the statistic
 *   choosing     LAB_CHOOSING_ROUNDS rounds that each choose a high bar, counted with noise, then the
 *                statistic; reconstructed, with its own guarantee
 *   esa          noise minus the shift s on every bar that is not empty, clamped at 0, then the
 *                statistic; reconstructed
 *
 * s is the smallest shift with P(discrete Laplace noise >= s) <= delta.
 *
 * For benchmarks on simulated data only. Noise on integers is exact; the choices and the scale of
 * smooth use doubles, so no protected data may be released with them.
 *
 * Claim  competitors.private   each of them, as drawn here, is (epsilon, delta)-DP for one element added
 *                              or removed, apart from the rounding of doubles
 * Claim  bar-noise.exact       the probabilities of noise agree with those of the samplers to about 15
 *                              digits
 * Claim  competitor-law.exact  lab_competitor_law is the distribution of lab_competitor_run
 *
 * Reference  spec/flexible-accuracy.md 5.1, 13.2, 13.3
 */
#ifndef LAB_EXPERIMENT_COMPETITORS_H
#define LAB_EXPERIMENT_COMPETITORS_H

#include "lab/experiment/simulated_bars.h"

typedef enum lab_competitor {
    LAB_COMPETITOR_STLAP,
    LAB_COMPETITOR_EXPONENTIAL,
    LAB_COMPETITOR_PTR,
    LAB_COMPETITOR_SMOOTH,
    LAB_COMPETITOR_STABILITY,
    LAB_COMPETITOR_CHOOSING,
    LAB_COMPETITOR_ESA,
    LAB_COMPETITOR_KINDS
} lab_competitor;

/* "stlap". */
const char *lab_competitor_name(lab_competitor kind);

/* Distribution functions of the noise on a bar: one-sided, the shifted Laplace noise of -q..0 (stlap),
 * and two-sided, discrete Laplace noise. From closed forms; tabulated up to LAB_NOISE_REACH from 0. */
#define LAB_NOISE_REACH 2048

typedef struct lab_bar_noise {
    long double epsilon;
    int64_t q;
    long double *one_sided, *two_sided; /* P(noise <= z), from -LAB_NOISE_REACH on */
} lab_bar_noise;

/* False without memory. Clear it in either case. */
bool lab_bar_noise_init(lab_bar_noise *out, long double epsilon, int64_t q);
void lab_bar_noise_clear(lab_bar_noise *noise);
/* P(noise <= z). */
long double lab_one_sided_at_most(const lab_bar_noise *noise, int64_t z);
long double lab_two_sided_at_most(const lab_bar_noise *noise, int64_t z);
/* P(noise = z). */
long double lab_one_sided_is(const lab_bar_noise *noise, int64_t z);
long double lab_two_sided_is(const lab_bar_noise *noise, int64_t z);

/* The public number of rounds of choosing. */
#define LAB_CHOOSING_ROUNDS 20

typedef struct lab_competitors {
    double epsilon;
    double smooth_decay;
    int64_t q;         /* of stlap: the smallest one whose delta is within the target */
    int64_t shift;     /* s */
    int64_t threshold; /* s + 1 */
    double choice_epsilon; /* of one choice */
    int64_t choice_threshold;
    lab_bar_noise noise;
    scrim_distribution *one_sided;    /* noise of stlap */
    scrim_distribution *laplace;      /* of scale 1 / epsilon */
    scrim_distribution *choice_noise; /* of scale 1 / choice_epsilon */
    scrim_distribution *count_noise;  /* of scale 2 / epsilon */
} lab_competitors;

/* epsilon and delta are exact text. SCRIM_E_PARAM, SCRIM_E_SYNTAX and SCRIM_E_LIMIT as scrim_measurement_new returns them for
 * stlap; SCRIM_E_LIMIT also for long fractions; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status lab_competitors_init(lab_competitors *out,
                                                 const char *epsilon, const char *delta,
                                                 scrim_error *error);
void lab_competitors_clear(lab_competitors *c);

/* One run: the answer, 0 to B; 0 if the released histogram has no element or no bar qualifies. */
size_t lab_competitor_run(const lab_competitors *c, lab_competitor kind,
                          const lab_scene *scene, lab_random *random);

/* The exact distribution of an answer, law[y] for 0 <= y <= B: bars have independent noise, so that
 * max_k has a product and the mode a sum of products; exponential, ptr and smooth have closed forms.
 * The distribution of choosing depends on the order of its rounds and is not computed: lab_competitor_has_law is
 * false. In long double, from sums of positive terms, which lose no digits: good to about 15 digits. */
bool lab_competitor_has_law(lab_competitor kind);
void lab_competitor_law(const lab_competitors *c, lab_competitor kind,
                        const lab_scene *scene, long double law[LAB_BARS_MAX + 1]);
/* P(a bar of count elements is shown as at most `shown`), for stlap, stability or esa. */
long double lab_bar_at_most(const lab_competitors *c, lab_competitor kind, int64_t count,
                            int64_t shown);

typedef struct lab_expected_error {
    double mean, deviation; /* of one run, in bars */
} lab_expected_error;

/* The raw and the flexible error of an answer with this distribution. */
void lab_expected_errors(const lab_scene *scene, const long double *law,
                         lab_expected_error *raw, lab_expected_error *flexible);

#endif
