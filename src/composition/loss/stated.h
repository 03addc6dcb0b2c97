/* Stated guarantees: parts of a bag of which somebody has proved, or claims, a guarantee, and nothing else is known.
 *
 *     epsilon=R [delta=R]          (epsilon, delta)-differential privacy
 *     rho=R [xi=R]                 (xi, rho)-concentrated: divergences of at most xi + rho order, at every order
 *     renyi order=R epsilon=R      a Renyi divergence of at most epsilon at this order, and so at smaller ones
 *     gdp mu=R                     at most the trade-off of two normal laws that are mu apart
 *
 * Bounds are those of the worst mechanism that has the guarantee. Some mechanism attains (epsilon, delta), and mu, exactly, so that
 * their lower bounds are proved too; for the others no worst mechanism is known, so they have no lower bound.
 *
 * Claim  stated.worst  a part's cost is never below that of any mechanism that has the guarantee
 *
 * Reference  spec/local-and-accounting.md 5, 8.5; spec/mechanisms.md 8
 */
#ifndef SC_COMPOSITION_STATED_H
#define SC_COMPOSITION_STATED_H

#include "base/number/parameters.h"
#include "model/cost.h"

typedef struct sc_stated {
    const char *name; /* the word that a part begins with; "" where that is a parameter */
    const char *begins; /* the parameter that a part without a name begins with */
    const sc_parameter_rule *parameters;
    size_t parameter_count;
    void (*cost)(const sc_parameters *given, sc_exact_cost *out);
} sc_stated;

/* The guarantee that a part states, by its first word: "gdp", "epsilon=1". NULL: the word begins
 * no stated guarantee. */
const sc_stated *sc_stated_find(sc_text word);
/* Reads a part without its count. text becomes the canonical line, of the caller, freed by sc_free. SCRIM_E_SYNTAX,
 * SCRIM_E_PARAM, SCRIM_E_LIMIT as sc_parameters_parse, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_stated_parse(const sc_stated *stated, sc_text line,
                                            sc_exact_cost *out, char **text,
                                            scrim_error *error);

#endif
