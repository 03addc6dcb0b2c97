/* RAPPOR's counts over candidate texts (spec 2.3, steps 3 to 6): selection, then a fit of what was selected
 * by weighted least squares without negative values, its covariance, one-sided tests.
 *
 * Errors and p-values are those of the fit, as if the selected candidates had been given: the selection itself
 * has no proven error rate.
 */
#ifndef SC_LOCAL_TEXT_DECODER_H
#define SC_LOCAL_TEXT_DECODER_H

#include "local/texts/signal_counts.h"
#include "local/texts/text_design.h"
#include "scrim/local_candidates.h"

/* rows: one a column of the design. ones: [cohort][bit]. */
SCRIM_MUST_USE scrim_status sc_text_decode(const sc_text_design *design,
                                           const sc_signal_chances *chances,
                                           const uint64_t *reports, const uint64_t *ones,
                                           scrim_local_candidate *rows,
                                           scrim_local_explained *out,
                                           scrim_error *error);

/* Fills p-value and is_kept from the estimate and its error: the p-value is below the level divided by the
 * number of candidates. */
void sc_text_decoder_test(scrim_local_candidate *row, size_t candidates);

#endif
