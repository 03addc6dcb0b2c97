/* The ledger of a vault (scrim_vault_ledger), beyond the functions that all ledgers have. */
#ifndef SC_VAULT_VAULT_LEDGER_H
#define SC_VAULT_VAULT_LEDGER_H

#include "vault/vault.h"

/* The next charge of this ledger, which is scrim_vault_ledger's, is that release of the series: it
 * is charged as a window where that holds, and in full where it does not. */
void sc_vault_ledger_for_series(scrim_ledger *ledger, uint64_t series, uint64_t release);
/* Later charges of this ledger are told of a charge for the same in other words, SC_ONCE_OTHER; at first they are not. */
void sc_vault_ledger_take_other(scrim_ledger *ledger, bool takes_other);

#endif
