/* Audits one measurement; tests also audit some that are in no catalogue. */
#ifndef SC_CLI_CMD_AUDIT_H
#define SC_CLI_CMD_AUDIT_H

#include "cli/terminal/options.h"

/* Audits and shows what was found on standard output, which is closed. SCRIM_E_CHECK when the
 * claim does not hold; all of it is shown nevertheless. */
SCRIM_MUST_USE scrim_status sc_audit_measurement(const scrim_measurement *measurement,
                                                 const sc_options *options,
                                                 scrim_error *error);

#endif
