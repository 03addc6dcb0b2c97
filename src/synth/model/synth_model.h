/* A model of all columns together, made of released marginals: the distribution of greatest entropy
 * among those that fit them best.
 *
 * Measured marginals are factors of a product over cliques. Cliques of a junction tree hold them, so
 * that every marginal inside a clique is exact; those across cliques are found by elimination. MST is the
 * case in which the factors form a tree, AIM the general one.
 *
 *     sc_synth_model_new(&columns, total, &model, &error);
 *     sc_synth_model_measure(model, clique, counts, NULL, variance_64ths, &error);    // again and again
 *     sc_synth_model_fit(model, &SC_SYNTH_FIT_MST, &error);
 *     sc_synth_model_counts(model, other, cells, &error);
 *
 * Tables are those of clique.h. Nothing here sees data, and nothing is charged. A model belongs to one
 * thread at a time.
 */
#ifndef SC_SYNTH_MODEL_H
#define SC_SYNTH_MODEL_H

#include "base/cancel.h"
#include "synth/model/clique.h"
#include "synth/model/real_functions.h"

typedef struct sc_synth_model sc_synth_model;

/* The columns are copied; total N from 1 to SC_SYNTH_COUNT_MAX. Without measurements all cells are equally
 * likely. SCRIM_E_PARAM, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_synth_model_new(const sc_synth_columns *columns,
                                               int64_t total, sc_synth_model **out,
                                               scrim_error *error);
void sc_synth_model_free(sc_synth_model *model); /* NULL is allowed */

/* Adds a noisy marginal: its cells, and the variance of a cell in 64ths, times members[cell]
 * where members is not NULL (the cell is then a sum of members[cell] noisy counts). A clique
 * that was measured before is merged with it by inverse variance. The model is as before until
 * the next fit. SCRIM_E_PARAM for a clique that is empty or has unknown columns, or a variance
 * of 0; SCRIM_E_LIMIT above SC_SYNTH_CELLS_MAX cells; SCRIM_E_MEMORY. Nothing has changed on
 * failure. */
SCRIM_MUST_USE scrim_status sc_synth_model_measure(
    sc_synth_model *model, sc_clique clique, const int64_t *counts,
    const uint32_t *members, uint64_t variance_64ths, scrim_error *error);
/* Declares cells impossible, those where is_impossible is true: a structural zero. Again as above. */
SCRIM_MUST_USE scrim_status sc_synth_model_forbid(sc_synth_model *model, sc_clique clique,
                                                  const bool *is_impossible,
                                                  scrim_error *error);

typedef struct sc_synth_fit {
    unsigned iterations;     /* a parameter, never a clock */
    unsigned growth_percent; /* of the step, after each iteration */
} sc_synth_fit;
extern const sc_synth_fit SC_SYNTH_FIT_MST;       /* 500 iterations, 5 % */
extern const sc_synth_fit SC_SYNTH_FIT_AIM_ROUND; /* 60 iterations, 30 % */
extern const sc_synth_fit SC_SYNTH_FIT_AIM_LAST;  /* 400 iterations, 30 % */

/* Fits from here on end when the caller wants it, with SCRIM_E_STATE; cancel lives as long as the model. */
void sc_synth_model_watch(sc_synth_model *model, sc_cancel *cancel);
/* Fits all measurements, starting from the last fit. SCRIM_E_LIMIT where the junction tree has more than
 * SC_SYNTH_CELLS_MAX cells; SCRIM_E_PARAM where every row is impossible; SCRIM_E_MEMORY. The model is
 * as before on failure. */
SCRIM_MUST_USE scrim_status sc_synth_model_fit(sc_synth_model *model,
                                               const sc_synth_fit *fit,
                                               scrim_error *error);
/* The number that the fit minimises: the sum over measured cells of (model - measured)^2 / (2 variance). */
double sc_synth_model_misfit(const sc_synth_model *model);

/* The marginal of a clique. SCRIM_E_LIMIT where elimination needs a table above SC_SYNTH_CELLS_MAX cells;
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_synth_model_marginal(const sc_synth_model *model,
                                                    sc_clique clique, double *out,
                                                    scrim_error *error);
/* The same rounded: floor(A + 1/2), from 0 to SC_SYNTH_COUNT_MAX, 0 for what is not a number. */
SCRIM_MUST_USE scrim_status sc_synth_model_counts(const sc_synth_model *model,
                                                  sc_clique clique, int64_t *out,
                                                  scrim_error *error);

/* Cells of the junction tree of all that was measured, and if the clique were measured too. */
uint64_t sc_synth_model_cells(const sc_synth_model *model);
uint64_t sc_synth_model_cells_after(const sc_synth_model *model, sc_clique clique);
/* Is it inside a clique of the junction tree? Then measuring it costs no further cells. */
bool sc_synth_model_holds(const sc_synth_model *model, sc_clique clique);

/* Conditions the fitted model on a column: each of its values is multiplied by a weight, 0 for what is
 * excluded. For rows and marginals; the model is not fitted any more (SCRIM_E_STATE). SCRIM_E_PARAM where no
 * row is left; then the model is as before. */
SCRIM_MUST_USE scrim_status sc_synth_model_given(sc_synth_model *model, size_t column,
                                                 const double *weights,
                                                 scrim_error *error);

#endif
