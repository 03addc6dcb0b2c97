/* Continuous noise, to compare with: its curves, and the tails of the normal law. */
#ifndef SC_COMPOSITION_CONTINUOUS_NOISE_H
#define SC_COMPOSITION_CONTINUOUS_NOISE_H

#include "base/number/ball.h"
#include "base/number/parameters.h"
#include "model/cost.h"

/* The curves of continuous noise, to compare with: nothing of this engine draws it.
 *
 * Noise is in sensitivities: of standard deviation sigma, or of scale b, against a shift of 1.
 *
 * Claim  continuous-curve.exact  delta and the Renyi divergences are those of the continuous Gaussian and
 *                                the continuous Laplace law, both of which neighbours attain
 *
 * Reference  spec/mechanisms.md 2.2, 2.3; spec/local-and-accounting.md 5, 8.2
 */

/* Phi(1/(2 sigma) - e sigma) - exp(e) Phi(-1/(2 sigma) - e sigma); order / (2 sigma^2). */
void sc_curve_set_continuous_gaussian(sc_curve *curve, const sc_ratio *sigma);
/* 1 - exp((e - 1/b) / 2), 0 from 1/b on. */
void sc_curve_set_continuous_laplace(sc_curve *curve, const sc_ratio *scale);

/* The names that `scrim compose` and `scrim calibrate` have for them: "continuous-gaussian sigma=R
 * [sensitivity=R neighbours=RELATION]", "continuous-laplace scale=R ...". */
typedef struct sc_continuous {
    const char *name;
    const char *usage; /* "sigma=R [sensitivity=R]" */
    const sc_parameter_rule
        *parameters; /* the first is the noise, the second the sensitivity */
    size_t parameter_count;
    /* The cost of one release; noise is in sensitivities. */
    void (*cost)(const sc_ratio *noise, sc_exact_cost *out);
} sc_continuous;

/* At an index, NULL past the last; by name, NULL when the name is unknown. */
const sc_continuous *sc_continuous_at(size_t index);
const sc_continuous *sc_continuous_find(sc_text name);
/* Reads what stands behind the name. text becomes the canonical line, of the caller, freed by
 * sc_free. SCRIM_E_SYNTAX, SCRIM_E_PARAM, SCRIM_E_LIMIT as sc_parameters_parse,
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_continuous_parse(const sc_continuous *continuous,
                                                sc_text rest, sc_exact_cost *out,
                                                char **text, scrim_error *error);

/* Tails of the normal law at equally spaced points, many for the price of few.
 *
 * Around a centre c, with f its density,
 *
 *     P(N > c + d) = P(N > c) - f(c) I(d),    I(d) = integral of exp(-c s - s^2/2) from 0 to d
 *                                                  = sum over n >= 0 of c_n d^(n + 1) / (n + 1),
 *     c_0 = 1,  (n + 1) c_(n+1) = -(c c_n + c_(n-1)).
 *
 * exp(|c| s + s^2/2) has coefficients that are no smaller, so that what follows the first N terms is
 * at most |d| (|d| / R)^N exp(|c| R + R^2/2) for every R >= |d|. One error function serves all points
 * up to a quarter from its centre.
 *
 * Claim  normal-tails.hold  the balls hold the tails, and are as accurate as asked
 */

/* above[i] = P(N > first + i step) and below[i] = P(N <= that), i < count, step > 0: each to a
 * relative precision of about `bits` bits, the smaller one too. False, and no guarantee: no
 * memory. */
bool sc_normal_tails(const sc_ball *first, const sc_ball *step, size_t count, long bits,
                     sc_ball *above, sc_ball *below);

#endif
