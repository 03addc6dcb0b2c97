/* Releases of a synthesiser, and the model that is a function of them. */
#ifndef SC_SYNTH_RELEASED_H
#define SC_SYNTH_RELEASED_H

#include "base/text.h"
#include "scrim/measurement.h"
#include "synth/model/one_way_counts.h"
#include "synth/model/synth_model.h"
#include "synth/model/weight_model.h"

/* Everything that a synthesiser has released: which marginals were chosen and measured, the
 * noisy counts, the noise. The model, its rows and every report are functions of it.
 *
 * As text, which a ledger keeps as the answer of the release:
 *
 *     synth 1
 *     method mst
 *     neighbours add-remove
 *     max-rows 1
 *     columns 15,9,15
 *     compressed yes
 *     absent 5
 *     fit 0,0,500,5
 *     passes 0,0
 *     inherited 0
 *     cap 0
 *     total 32561
 *     step 0 1 0 0 0 gaussian 99736 1201,-3,77
 *     step 1 3 65186489 1 3 gaussian 46306 12,0,9,...
 *
 * absent has the columns whose NULL the model leaves out (one_way_counts.h), as a number of bits. fit has the iterations and
 * the growth of the models of rounds and of the last one, passes those of MWEM after a round and at
 * the end; inherited the number of steps of the release that this one refines; cap the cells that the model of AIM could
 * have in its last round.
 *
 * A step has the round, the clique as a number of bits, the rate of its selection (2^32 h; 0: not selected), the
 * sensitivity of the scores and the number of candidates, then the noise: gaussian with its variance in 64ths, or
 * laplace with its scale in 64ths; then the noisy counts. A step about one query has q and its number in place of
 * the clique. SmallDB has one step: the table that was selected, and 1 in place of a scale. Counts of a compressed release are of the recoded columns from round 1 on.
 *
 * Claim  synth-released.back  a text reads back as the same release, and is written again to the last byte;
 *                             any other text is refused
 */

typedef enum sc_synth_method {
    SC_SYNTH_MST = 1,
    SC_SYNTH_AIM = 2,
    SC_SYNTH_MWEM = 3,
    SC_SYNTH_SMALLDB = 4
} sc_synth_method;

/* "mst". */
const char *sc_synth_method_name(sc_synth_method method);

typedef enum sc_synth_noise {
    SC_SYNTH_GAUSSIAN = 1,
    SC_SYNTH_LAPLACE = 2,
    SC_SYNTH_SELECTED = 3 /* a table that was selected: its counts are as they are */
} sc_synth_noise;

/* A noisy count is at most this far from 0, so that those of a table of 2^24 cells have a sum. */
#define SC_SYNTH_NOISY_MAX ((int64_t)1 << 38)

/* One measurement, and the selection before it. */
typedef struct sc_synth_step {
    uint64_t round; /* 0: before the first selection */
    bool is_query;
    sc_clique clique; /* or */
    uint64_t query;
    uint64_t rate, move, candidates; /* of the selection; 0: nothing was selected */
    sc_synth_noise noise;
    uint64_t scale_64ths; /* the variance of Gaussian noise, the scale of Laplace noise */
    size_t cells;
    int64_t *counts;
} sc_synth_step;

typedef struct sc_synth_released {
    sc_synth_method method;
    scrim_neighbours neighbours;
    uint64_t rows; /* the most rows of a unit */
    sc_synth_columns columns;
    bool is_compressed;
    sc_clique absent;             /* columns whose last category is left out */
    sc_synth_fit round_fit, fit;  /* of MST and AIM */
    unsigned passes, last_passes; /* of MWEM */
    size_t
        inherited; /* the first steps are those of an earlier release, which is refined; 0: none */
    uint64_t cap; /* cells that the model of AIM could have in the last round */
    int64_t total;
    sc_synth_step *steps;
    size_t count, capacity;
} sc_synth_released;

void sc_synth_released_init(sc_synth_released *released);
void sc_synth_released_clear(sc_synth_released *released);
/* Adds a step; its counts, which may be NULL for zeros, are copied. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_synth_released_add(sc_synth_released *released,
                                                  const sc_synth_step *step,
                                                  scrim_error *error);

/* Freed by sc_free. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_synth_released_write(const sc_synth_released *released,
                                                    char **out, scrim_error *error);
/* out is initialised; it is untouched on failure. SCRIM_E_CHECK for what is no such text, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_synth_released_read(sc_text text, sc_synth_released *out,
                                                   scrim_error *error);

/* The model of a release: a function of the released numbers and of what was declared, so that it is the same
 * whenever it is made again.
 *
 * All measurements are fitted at once, from the beginning; the models that rounds used on the way are not needed.
 *
 * Claim  released-model.same  the release and its text give the same model
 */

/* Cells that no row can be in: declared, so that the model puts no row there. */
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

/* The model of MST and AIM, of the recoded columns; recoding, which is initialised, says what they stand for.
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
/* The recoding of the columns, by their released counts; out is initialised. As sc_released_model. */
SCRIM_MUST_USE scrim_status sc_released_recoding(const sc_synth_released *released,
                                                 sc_recoding *out, scrim_error *error);
/* Columns with an absent NULL that has a cell of its own, which is then the last one and impossible. */
sc_clique sc_released_absent(const sc_synth_released *released,
                             const sc_recoding *recoding);
/* The same for MWEM, with an update after each round, and for SmallDB. */
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
