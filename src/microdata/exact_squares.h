/* The passes of least_squares.h in rationals, for trees of at most SC_EXACT_NODES nodes.
 *
 * A negative variance stands for a node that was not measured.
 *
 * Claim      exact-squares.equal  variances, and those of linear functions, are the numbers of the
 *                                 specification, without rounding
 * Reference  spec/synthetic.md 5
 */
#ifndef SC_MICRODATA_EXACT_SQUARES_H
#define SC_MICRODATA_EXACT_SQUARES_H

#include "base/number/ratio.h"
#include "mechanism/microdata/projection.h"

#define SC_EXACT_NODES 4096

typedef struct sc_exact_squares {
    sc_tree_shape shape;
    size_t nodes;
    sc_ratio *measured, *up, *below, *final; /* V, V', S and U of each node */
} sc_exact_squares;

/* variances has one number for each node. SCRIM_E_LIMIT for a larger tree, SCRIM_E_PARAM where a leaf is not
 * measured, SCRIM_E_MEMORY. Freed by sc_exact_squares_clear, also on failure. */
SCRIM_MUST_USE scrim_status sc_exact_squares_init(sc_exact_squares *squares,
                                                  const sc_tree_shape *shape,
                                                  const sc_ratio *variances,
                                                  scrim_error *error);
void sc_exact_squares_clear(sc_exact_squares *squares);
/* The variance of the sum over leaves of weight times estimate. weights has a number for each node, of which
 * those of inner nodes are overwritten. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_exact_squares_linear(const sc_exact_squares *squares,
                                                    sc_ratio *weights, sc_ratio *out,
                                                    scrim_error *error);

/* So many rationals, all 0; NULL without memory. */
sc_ratio *sc_ratios_new(size_t count);
void sc_ratios_free(sc_ratio *ratios, size_t count); /* NULL is allowed */

#endif
