/* Rows drawn from a model: integers that follow its marginals more closely than independent draws.
 *
 * Cliques in the order of the junction tree; the rows that agree on a clique's separator are divided
 * among its cells by allocation.h, and shuffled by public coins.
 *
 * Claim  synth-rows.same  the rows are a function of the model, their number and the key
 *
 * Reference  spec/synthetic.md 2.3
 */
#ifndef SC_SYNTH_ROWS_H
#define SC_SYNTH_ROWS_H

#include "base/hash.h"
#include "synth/model/synth_model.h"
#include "synth/model/weight_model.h"

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

#endif
