/* Writing what an audit found in every format. */
#ifndef SC_CLI_AUDIT_WRITER_H
#define SC_CLI_AUDIT_WRITER_H

#include "cli/account/audit_rows.h"
#include "cli/sheet/listing.h"

/* CSV and JSON hold every number; a table, unless all is asked for, about ten points of the
 * curve and all that does not hold. */
SCRIM_MUST_USE scrim_status sc_audit_write(sc_output *output,
                                           const scrim_audit_report *report,
                                           sc_format format, bool all,
                                           const sc_terminal *terminal,
                                           scrim_error *error);
/* The rows for programs: a listing of quantity, at, lower, upper, claimed, verdict and pair, opened as
 * sc_listing_open does, and a row of it. */
sc_json *sc_audit_rows_open(sc_listing *listing, sc_output *output, sc_format format);
void sc_audit_row_add(sc_listing *listing, const sc_audit_row *row);
/* "holds: ...", "VIOLATED: ...", "UNDECIDED: ...", folded to so many columns. */
void sc_audit_verdict_write(sc_output *output, const scrim_audit_report *report,
                            size_t columns);

#endif
