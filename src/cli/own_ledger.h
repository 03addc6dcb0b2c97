/* A ledger for one release: its budget is what the release costs, and it ends with the
 * command. In the test build, and only there, its bits come from a chosen seed. */
#ifndef SC_CLI_OWN_LEDGER_H
#define SC_CLI_OWN_LEDGER_H

#include "cli/options.h"
#include "scrim.h"

typedef struct sc_own_ledger {
    scrim_ledger *ledger;
#ifdef SCRIM_TESTING
    struct sc_tape *tape;
#endif
} sc_own_ledger;

/* Counts epsilon where the cost has one, else rho. SCRIM_E_POLICY when it has neither. */
SCRIM_MUST_USE scrim_status sc_own_ledger_open(const scrim_cost *cost,
                                               const sc_options *options,
                                               sc_own_ledger *out, scrim_error *error);
void sc_own_ledger_close(sc_own_ledger *own);

#endif
