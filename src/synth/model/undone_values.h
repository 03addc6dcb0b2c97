/* From codes of a model back to values: `rare` becomes one of its categories, a bin one of its integers.
 * Public coins choose; data are not looked at.
 *
 * Reference  spec/synthetic.md 2.3
 */
#ifndef SC_SYNTH_UNDONE_VALUES_H
#define SC_SYNTH_UNDONE_VALUES_H

#include "synth/model/recoding.h"
#include "synth/model/synth_rows.h"

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
