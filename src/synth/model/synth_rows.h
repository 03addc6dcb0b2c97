/* Rows from a model: public coins, whole counts from shares, rows, and the values behind their
 * codes. */
#ifndef SC_SYNTH_ROWS_H
#define SC_SYNTH_ROWS_H

#include "base/hash.h"
#include "synth/model/one_way_counts.h"
#include "synth/model/synth_model.h"
#include "synth/model/weight_model.h"

#include <stddef.h>
#include <stdint.h>

/* Public coins: a stream of words that a public key determines. They are arithmetic and never noise.
 * They choose which of several equally good rows is written.
 *
 * Claim  public-coins.same  the words are a function of key, stream and place
 */

#define SC_PUBLIC_COINS_READY 64

typedef struct sc_public_coins {
    sc_hash_half half;
    uint64_t place; /* of the next words to be made */
    uint64_t ready[SC_PUBLIC_COINS_READY];
    unsigned left; /* of them */
} sc_public_coins;

void sc_public_coins_init(sc_public_coins *coins, const sc_hash_key *key,
                          uint64_t stream);
uint64_t sc_public_coins_word(sc_public_coins *coins);
/* Uniform below n >= 1. */
uint64_t sc_public_coins_below(sc_public_coins *coins, uint64_t n);
/* A multiple of 2^-53, at least 0 and below 1. */
double sc_public_coins_unit(sc_public_coins *coins);
/* Brings a list into an order that is uniform among all. */
void sc_public_coins_shuffle(sc_public_coins *coins, uint32_t *list, size_t count);

/* m rows divided among cells by their weights, so that each count is within 1 of its share and has it as
 * its expectation.
 *
 *     t_i = w_i m/sum w (w_i = 1 if all are 0), c_i = floor t_i, f_i = t_i - c_i
 *     cell i gets +1 for each of the points u, u + 1, u + 2, ... in [f_1+..+f_(i-1), f_1+..+f_i)
 *
 * Claim  allocation.total  the counts add up to m, whatever the rounding of doubles does
 * Claim  allocation.near   each is floor t_i or one more; a cell of weight 0 gets none unless all are 0
 *
 * Reference  spec/synthetic.md 2.3
 */

/* Weights that are negative or not numbers count as 0. 0 <= u < 1; rows at most 2^40. */
void sc_allocate_rows(const double *weights, size_t count, uint64_t rows, double u,
                      uint64_t *out);

/* Rows drawn from a model: integers that follow its marginals more closely than independent draws.
 *
 * Cliques in the order of the junction tree; the rows that agree on a clique's separator are divided
 * among its cells by sc_allocate_rows, and shuffled by public coins.
 *
 * Claim  synth-rows.same  the rows are a function of the model, their number and the key
 *
 * Reference  spec/synthetic.md 2.3
 */

#define SC_SYNTH_ROWS_MAX ((uint64_t)1 << 31)

typedef struct sc_synth_rows {
    size_t columns;
    uint64_t count;
    uint32_t *codes[SC_SYNTH_COLUMNS_MAX]; /* [column][row] */
} sc_synth_rows;

void sc_synth_rows_init(sc_synth_rows *rows);
void sc_synth_rows_clear(sc_synth_rows *rows);
/* out is initialised. SCRIM_E_LIMIT above SC_SYNTH_ROWS_MAX rows, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_synth_rows_draw(const sc_synth_model *model,
                                               uint64_t count, const sc_hash_key *key,
                                               sc_synth_rows *out, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_synth_rows_draw_weights(const sc_weight_model *model,
                                                       uint64_t count,
                                                       const sc_hash_key *key,
                                                       sc_synth_rows *out,
                                                       scrim_error *error);
/* Counts the rows in each cell of a clique. out is 0 before. */
void sc_synth_rows_count(const sc_synth_rows *rows, const sc_synth_columns *sizes,
                         sc_clique clique, int64_t *out);

/* From codes of a model back to values: `rare` becomes one of its categories, a bin one of its integers.
 * Public coins choose; data are not looked at.
 *
 * Reference  spec/synthetic.md 2.3
 */

/* Weights of the recoded values, for sc_synth_model_given, where only some categories are allowed: the share of
 * a cell's categories that are. */
void sc_recoded_given(const sc_recoded *column, const bool *is_allowed, double *weights);

/* Codes of recoded columns become categories. The rows of a `rare` are divided among its categories by
 * weights[column][category]; alike where the column's weights are NULL, or weights is. SCRIM_E_MEMORY: then
 * the rows are of no use. */
SCRIM_MUST_USE scrim_status sc_synth_rows_undo(sc_synth_rows *rows,
                                               const sc_recoding *recoding,
                                               const double *const *weights,
                                               const sc_hash_key *key,
                                               scrim_error *error);

/* Bin c of a column holds the integers from edges[c] on and below edges[c + 1]. A value for each code, uniform in
 * its bin: numbers, or days, or steps of a grid. */
void sc_bin_values(const int64_t *edges, const uint32_t *codes, uint64_t count,
                   const sc_hash_key *key, size_t column, int64_t *out);

#endif
