/* What the verb audit does with --sample: answers are drawn on pairs of neighbours, and a lower
 * bound of the delta that they need is held against the claim. In the test build, and only there,
 * the bits come from a chosen seed. */
#ifndef SC_CLI_SAMPLED_AUDIT_H
#define SC_CLI_SAMPLED_AUDIT_H

#include "cli/terminal/options.h"

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
