/* Writing what an audit found in every format. */
#ifndef SC_CLI_AUDIT_WRITER_H
#define SC_CLI_AUDIT_WRITER_H

#include "cli/account/audit_rows.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

/* CSV and JSON hold every number; a table, unless all is asked for, about ten points of the
 * curve and all that does not hold. */
SCRIM_MUST_USE scrim_status sc_audit_write(sc_output *output,
                                           const scrim_audit_report *report,
                                           sc_format format, bool all,
                                           const sc_terminal *terminal,
                                           scrim_error *error);
/* "holds: ...", "VIOLATED: ...", "UNDECIDED: ...", folded to so many columns. */
void sc_audit_verdict_write(sc_output *output, const scrim_audit_report *report,
                            size_t columns);

#endif
