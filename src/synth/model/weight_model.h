/* A model with a weight for every possible row, updated by multiplication: MWEM.
 *
 *     update  log A(u) += q(u) (y/den - q(A))/(2N), over all measurements so far, `passes` times;
 *             then renormalised to N
 *
 * A measured marginal is one query a cell: these are disjoint and are updated at once. One that is measured again is
 * merged: the mean of the answers, with a step that is as many times as long, at most SC_WEIGHT_REPEATS. Weights are
 * doubles; answers leave as integers.
 *
 * Reference  spec/synthetic.md 4
 */
#ifndef SC_SYNTH_WEIGHT_MODEL_H
#define SC_SYNTH_WEIGHT_MODEL_H

#include "base/cancel.h"
#include "synth/model/clique.h"

/* No more possible rows. */
#define SC_WEIGHT_CELLS_MAX ((uint64_t)1 << 27)

#define SC_WEIGHT_REPEATS 3

typedef struct sc_weight_model sc_weight_model;

/* Uniform. The columns are copied. total N from 1 to 2^40. SCRIM_E_LIMIT above SC_WEIGHT_CELLS_MAX rows,
 * SCRIM_E_PARAM, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_weight_model_new(const sc_synth_columns *columns,
                                                int64_t total, sc_weight_model **out,
                                                scrim_error *error);
void sc_weight_model_free(sc_weight_model *model); /* NULL is allowed */

/* Declares cells impossible, those where is_impossible is true. SCRIM_E_PARAM where no row is left, with the model as
 * before; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_weight_model_forbid(sc_weight_model *model,
                                                   sc_clique clique,
                                                   const bool *is_impossible,
                                                   scrim_error *error);
/* Only rows with the allowed values of a column, for rows and marginals; the model is not updated any more. As
 * above. */
SCRIM_MUST_USE scrim_status sc_weight_model_given(sc_weight_model *model, size_t column,
                                                  const bool *is_allowed,
                                                  scrim_error *error);

/* The marginal of a clique, and the same rounded as in synth_model.h. */
SCRIM_MUST_USE scrim_status sc_weight_model_marginal(const sc_weight_model *model,
                                                     sc_clique clique, double *out,
                                                     scrim_error *error);
SCRIM_MUST_USE scrim_status sc_weight_model_counts(const sc_weight_model *model,
                                                   sc_clique clique, int64_t *out,
                                                   scrim_error *error);
/* floor(sum_u numerators[u] A(u) + 1/2): den q(A). SCRIM_E_PARAM, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_weight_model_answer(const sc_weight_model *model,
                                                   const sc_linear_query *query,
                                                   int64_t *out, scrim_error *error);

/* Weights that are given, one a row, at least 0 and not all 0; scaled to the total. */
void sc_weight_model_set(sc_weight_model *model, const int64_t *weights);

/* Adds a noisy marginal, which is copied. */
SCRIM_MUST_USE scrim_status sc_weight_model_measure(sc_weight_model *model,
                                                    sc_clique clique,
                                                    const int64_t *counts,
                                                    scrim_error *error);
/* Adds the noisy answer den q(x) + noise of one query, which is copied; den >= 1. */
SCRIM_MUST_USE scrim_status sc_weight_model_measure_query(sc_weight_model *model,
                                                          const sc_linear_query *query,
                                                          int64_t answer,
                                                          scrim_error *error);
/* Updates from here on end when the caller wants it, and leave weights that are not finished; cancel lives as long as the
 * model. */
void sc_weight_model_watch(sc_weight_model *model, sc_cancel *cancel);
/* Updates by everything measured so far, `passes` times. */
void sc_weight_model_update(sc_weight_model *model, unsigned passes);

#endif
