/* The report of a synthetic release, and its last round computed again. */
#ifndef SC_SYNTH_RELEASED_REPORT_H
#define SC_SYNTH_RELEASED_REPORT_H

#include "synth/model/one_way_counts.h"
#include "synth/release/synth_report.h"
#include "synth/rounds/synth_released.h"

/* The last round of AIM or MWEM, computed again: its selection says something about pairs that were never measured.
 *
 * Scores of a round compare with the model of that round. The model before the last round is made again from the
 * released numbers, by the same steps as then, so that its answers are the same integers. The marginal that was chosen
 * had nearly the highest score, and was then measured: so no other candidate can be far from that model.
 *
 * The candidates follow from the record. If their number differs from the recorded one, no bound is given.
 *
 * Reference  spec/synthetic.md 7
 */

typedef struct sc_last_round {
    sc_report_round round; /* its candidates are 0 if no round can be followed */
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

/* The report of a synthetic release: from its record, the model made of it and rows drawn from the model.
 *
 * Bounds by selection: for MST, whose scores compare with one-way marginals, every candidate pair that was not
 * measured has one. For AIM and MWEM the last round is computed again; pairs that were not candidates in it are
 * "not measured, model only".
 *
 * Reference  spec/synthetic.md 7
 */

typedef struct sc_released_report {
    const sc_synth_released *released;
    const sc_released_options *options; /* that its model was made with */
    const sc_recoding *recoding;        /* NULL: MWEM */
    const sc_synth_model *model;        /* of MST and AIM, else */
    const sc_weight_model *weights;     /* of MWEM */
    const sc_synth_rows *rows;          /* at least one; codes as the model has them */
    double beta;
    unsigned ways; /* 1 to 3 */
} sc_released_report;

/* out is initialised. The release is one that its model was made of. SCRIM_E_MEMORY, SCRIM_E_LIMIT. */
SCRIM_MUST_USE scrim_status sc_released_report_make(const sc_released_report *of,
                                                    sc_synth_report *out,
                                                    scrim_error *error);

#endif
