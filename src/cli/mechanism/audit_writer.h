/* Writing what an audit found in every format. */
#ifndef SC_CLI_AUDIT_WRITER_H
#define SC_CLI_AUDIT_WRITER_H

#include "cli/display/listing.h"
#include "cli/terminal/options.h"
#include "cli/terminal/screen.h"
#include "scrim.h"

#include <stdbool.h>

/* Results of an audit as rows of one table: a number, its bounds, its claim, and whether the claim
 * holds. */

/* The points of the curve, the pair that is charged where there is one, the loss, the
 * orders. */
size_t sc_audit_row_count(const scrim_audit_report *report);

/* CSV and JSON hold every number; a table, unless all is asked for, about ten points of the
 * curve and all that does not hold. */
SCRIM_MUST_USE scrim_status sc_audit_write(sc_output *output,
                                           const scrim_audit_report *report,
                                           sc_format format, bool all,
                                           const sc_terminal *terminal,
                                           scrim_error *error);
/* "holds: ...", "VIOLATED: ...", "UNDECIDED: ...", folded to columns. */
void sc_audit_verdict_write(sc_output *output, const scrim_audit_report *report,
                            size_t columns);

/* `scrim audit --losses`: the loss of each outcome, or of one (NULL: all), and the distribution of the loss as a drawing. */
SCRIM_MUST_USE scrim_status sc_losses_show(const scrim_measurement *measurement,
                                           const scrim_audit_losses *losses,
                                           const char *outcome, sc_screen *screen,
                                           scrim_error *error);

/* `scrim audit --sample`: answers are drawn on pairs of neighbours, and a lower
 * bound of the delta that they need is held against the claim. In the test build, and only there,
 * the bits come from a chosen seed. */

/* Samples a measurement that is made for data and shows what was found on standard output, which
 * is closed. SCRIM_E_CHECK when a violation was shown; SCRIM_E_PARAM for options that speak of the
 * exact curve. */
SCRIM_MUST_USE scrim_status sc_sampled_audit(const scrim_measurement *measurement,
                                             const sc_options *options,
                                             scrim_error *error);

/* In every format. A row is one of audit_writer.h, without an upper bound. */
SCRIM_MUST_USE scrim_status sc_sample_write(sc_output *output,
                                            const scrim_measurement *measurement,
                                            const scrim_audit_sample *sample,
                                            sc_format format, scrim_error *error);

#endif
