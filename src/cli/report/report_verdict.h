/* What `scrim report verify` says. What was not checked comes first, in every format. */
#ifndef SC_CLI_REPORT_VERDICT_H
#define SC_CLI_REPORT_VERDICT_H

#include "cli/report/report_verify.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

/* 64 hexadecimal digits. */
bool sc_report_is_key(const char *text);

void sc_report_verdict_write(sc_output *output, sc_format format,
                             const sc_terminal *terminal,
                             const sc_report_verdict *verdict);
/* Of a file that does not hold; a table has nothing but the message on standard error. */
void sc_report_verdict_refuse(sc_output *output, sc_format format, const char *reason);
/* SCRIM_E_CHECK, and what it is, when anything was not checked. */
SCRIM_MUST_USE scrim_status sc_report_verdict_status(const sc_report_verdict *verdict,
                                                     scrim_error *error);

#endif
