/* RAPPOR's decoder for candidate texts: selection, then a fit of those that were selected. */
#ifndef SC_LOCAL_TEXT_DECODER_H
#define SC_LOCAL_TEXT_DECODER_H

#include "local/texts/text_system.h"
#include "scrim/local_candidates.h"

/* Which candidate texts explain the counts: a path of penalties and cross-validation over cohorts
 * (spec 2.3, step 4). Deterministic. A procedure, not a theorem: no error rate is promised.
 *
 * The penalty is the largest of the path whose error is not above the smallest one by more than one standard
 * error of the difference, fold by fold: noise that both share does not count. With a single fold there is
 * nothing to hold back, and the penalty is the one that noise of all candidates exceeds seldom,
 * sqrt(2 ln(candidates)) standard deviations.
 */

#define SC_TEXT_PENALTIES 100
#define SC_TEXT_FOLDS 10

typedef struct sc_text_selection {
    size_t *columns; /* those above 0 at the penalty, rising; the caller frees them */
    double *values;  /* theirs; freed likewise */
    size_t count;
    double penalty, largest;
} sc_text_selection;

/* RAPPOR's counts over candidate texts (spec 2.3, steps 3 to 6): selection, then a fit of what was selected
 * by weighted least squares without negative values, its covariance, one-sided tests.
 *
 * Errors and p-values are those of the fit, as if the selected candidates had been given: the selection itself
 * has no proven error rate.
 */

/* rows: one a column of the design. ones: [cohort][bit]. */
SCRIM_MUST_USE scrim_status sc_text_decode(const sc_text_design *design,
                                           const sc_signal_chances *chances,
                                           const uint64_t *reports, const uint64_t *ones,
                                           scrim_local_candidate *rows,
                                           scrim_local_explained *out,
                                           scrim_error *error);

#endif
