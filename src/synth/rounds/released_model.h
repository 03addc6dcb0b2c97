/* The model of a release: a function of the released numbers and of what was declared, so that it is the same
 * whenever it is made again.
 *
 * All measurements are fitted at once, from the beginning; the models that rounds used on the way are not needed.
 *
 * Claim  released-model.same  the release and its text give the same model
 */
#ifndef SC_SYNTH_RELEASED_MODEL_H
#define SC_SYNTH_RELEASED_MODEL_H

#include "synth/model/recoding.h"
#include "synth/model/synth_model.h"
#include "synth/model/weight_model.h"
#include "synth/rounds/synth_released.h"

/* Cells that no row can be in: declared, so that the model has none there. */
typedef struct sc_synth_zero {
    sc_clique clique;
    const bool *is_impossible; /* of the declared columns */
} sc_synth_zero;

typedef struct sc_released_options {
    const sc_synth_zero *zeros;
    size_t zero_count;
    const sc_linear_query *queries; /* that steps of MWEM are about, by number */
    size_t query_count;
    sc_cancel *cancel; /* of the models that are made; NULL: they are never ended */
} sc_released_options;

static inline bool sc_released_has_weights(const sc_synth_released *released)
{
    return released->method == SC_SYNTH_MWEM || released->method == SC_SYNTH_SMALLDB;
}

/* Of MST and AIM. The model is of the recoded columns; recoding, which is initialised, says what they stand for.
 * SCRIM_E_CHECK where the numbers are not those of such a release, SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_released_model(const sc_synth_released *released,
                                              const sc_released_options *options,
                                              sc_recoding *recoding, sc_synth_model **out,
                                              scrim_error *error);
/* Before it is fitted: with the first steps only, at least those of the columns. Likewise. */
SCRIM_MUST_USE scrim_status sc_released_start(const sc_synth_released *released,
                                              const sc_released_options *options,
                                              size_t steps, sc_recoding *recoding,
                                              sc_synth_model **out, scrim_error *error);
/* Adds a later step to the model. */
SCRIM_MUST_USE scrim_status sc_released_learn(const sc_synth_released *released,
                                              size_t step, sc_synth_model *model,
                                              scrim_error *error);
/* The model with which AIM selected the last marginal, fitted round by round as then. Likewise. */
SCRIM_MUST_USE scrim_status sc_released_before_last(const sc_synth_released *released,
                                                    const sc_released_options *options,
                                                    sc_recoding *recoding,
                                                    sc_synth_model **out,
                                                    scrim_error *error);
/* What the columns were recoded to, by their released counts; out is initialised. As sc_released_model. */
SCRIM_MUST_USE scrim_status sc_released_recoding(const sc_synth_released *released,
                                                 sc_recoding *out, scrim_error *error);
/* Columns with an absent NULL that has a cell of its own, which is then the last one and impossible. */
sc_clique sc_released_absent(const sc_synth_released *released,
                             const sc_recoding *recoding);
/* Of MWEM, with an update after each round, and of SmallDB. Likewise. */
SCRIM_MUST_USE scrim_status sc_released_weights(const sc_synth_released *released,
                                                const sc_released_options *options,
                                                sc_weight_model **out,
                                                scrim_error *error);
/* Before its first round. */
SCRIM_MUST_USE scrim_status sc_released_weights_start(const sc_synth_released *released,
                                                      const sc_released_options *options,
                                                      sc_weight_model **out,
                                                      scrim_error *error);

#endif
