/* The curves of continuous noise, to compare with: nothing of this engine draws it.
 *
 * Noise is in sensitivities: of standard deviation sigma, or of scale b, against a shift of 1.
 *
 * Claim  continuous-curve.exact  delta and the Renyi divergences are those of the continuous Gaussian and
 *                                the continuous Laplace law, both of which neighbours attain
 *
 * Reference  spec/mechanisms.md 2.2, 2.3; spec/local-and-accounting.md 5, 8.2
 */
#ifndef SC_COMPOSITION_CONTINUOUS_CURVE_H
#define SC_COMPOSITION_CONTINUOUS_CURVE_H

#include "base/number/parameters.h"
#include "model/cost.h"

/* Phi(1/(2 sigma) - e sigma) - exp(e) Phi(-1/(2 sigma) - e sigma); order / (2 sigma^2). */
void sc_curve_set_continuous_gaussian(sc_curve *curve, const sc_ratio *sigma);
/* 1 - exp((e - 1/b) / 2), 0 from 1/b on. */
void sc_curve_set_continuous_laplace(sc_curve *curve, const sc_ratio *scale);

/* What `scrim compose` and `scrim calibrate` call them: "continuous-gaussian sigma=R
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

/* At an index, NULL past the last; by name, NULL when it is none of them. */
const sc_continuous *sc_continuous_at(size_t index);
const sc_continuous *sc_continuous_find(sc_text name);
/* Reads what stands behind the name. text becomes the canonical line, of the caller, freed by
 * sc_free. SCRIM_E_SYNTAX, SCRIM_E_PARAM, SCRIM_E_LIMIT as sc_parameters_parse,
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_continuous_parse(const sc_continuous *continuous,
                                                sc_text rest, sc_exact_cost *out,
                                                char **text, scrim_error *error);

#endif
