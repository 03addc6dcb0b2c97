/* The ledger that a release of `scrim run` is charged to: a vault's, with --charge NAME, or one
 * for this release alone, whose budget is what it costs and which ends with the command. In the
 * test build, and only there, the bits come from a chosen seed. */
#ifndef SC_CLI_RUN_LEDGER_H
#define SC_CLI_RUN_LEDGER_H

#include "cli/terminal/options.h"
#include "scrim.h"

typedef struct sc_run_ledger {
    scrim_ledger *ledger;
    scrim_vault *vault; /* NULL: the ledger is in no vault */
#ifdef SCRIM_TESTING
    struct sc_tape *tape;
#endif
} sc_run_ledger;

/* A ledger of its own counts epsilon where the cost has one, else rho: SCRIM_E_PARAM when it has
 * neither. Nothing is charged yet. */
SCRIM_MUST_USE scrim_status sc_run_ledger_open(const scrim_cost *cost,
                                               const sc_options *options,
                                               sc_run_ledger *out, scrim_error *error);
void sc_run_ledger_close(sc_run_ledger *ledger);

#endif
