/* The report of a synthetic release: from its record, the model made of it and rows drawn from the model.
 *
 * Bounds by selection: of MST, whose scores compare with one-way marginals, every pair that was a candidate and was not
 * measured has one. Of AIM and MWEM the last round is followed again (last_round.h); pairs that were no candidates of it
 * are "not measured, model only".
 *
 * Reference  spec/synthetic.md 7
 */
#ifndef SC_SYNTH_RELEASED_REPORT_H
#define SC_SYNTH_RELEASED_REPORT_H

#include "synth/model/recoding.h"
#include "synth/release/synth_report.h"
#include "synth/rounds/released_model.h"

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
