/* The model that knows one-way marginals only: columns are independent. MST scores pairs against it.
 *
 *     m_i = projection of y_i on the non-negative vectors of sum N,   M_ab = floor(m_a m_b/N + 1/2)
 *
 * Reference  spec/synthetic.md 2, step 4
 */
#ifndef SC_SYNTH_ONE_WAY_MODEL_H
#define SC_SYNTH_ONE_WAY_MODEL_H

#include "synth/model/clique.h"

typedef struct sc_one_way_model sc_one_way_model;

/* counts[i] has the cells of column i; total N >= 1. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_one_way_model_new(const sc_synth_columns *columns,
                                                 const int64_t *const *counts,
                                                 int64_t total, sc_one_way_model **out,
                                                 scrim_error *error);
void sc_one_way_model_free(sc_one_way_model *model); /* NULL is allowed */
/* The table of the clique {a, b}, a < b, as integers. */
void sc_one_way_model_pair(const sc_one_way_model *model, size_t a, size_t b,
                           int64_t *out);

#endif
