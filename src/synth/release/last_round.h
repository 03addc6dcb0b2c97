/* The last round of AIM or MWEM, followed again: what its selection says of pairs that were never measured.
 *
 * Scores of a round compare with the model of that round. The model before the last round is made again from the
 * released numbers, by the same steps as then, so that its answers are the same integers. The marginal that was chosen
 * had nearly the highest score, and was then measured: so no other candidate can be far from that model.
 *
 * Who the candidates were follows from the record. Where their number is not the recorded one, nothing is said.
 *
 * Reference  spec/synthetic.md 7
 */
#ifndef SC_SYNTH_LAST_ROUND_H
#define SC_SYNTH_LAST_ROUND_H

#include "synth/release/synth_report.h"
#include "synth/rounds/released_model.h"

typedef struct sc_last_round {
    sc_report_round round; /* candidates of 0: there is none */
    sc_report_candidate *others;
    int64_t **tables; /* [other_count + 1] */
    size_t table_count;
} sc_last_round;

void sc_last_round_init(sc_last_round *round);
void sc_last_round_clear(sc_last_round *round);
/* out is initialised. SCRIM_E_CHECK, SCRIM_E_LIMIT, SCRIM_E_MEMORY as sc_released_model. */
SCRIM_MUST_USE scrim_status sc_last_round_make(const sc_synth_released *released,
                                               const sc_released_options *options,
                                               sc_last_round *out, scrim_error *error);

#endif
