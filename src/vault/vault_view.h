/* Releases by number: 1, 2, 3 in the order of their charges, whatever else the ledger has entered
 * between them. The number is computed from the entries and kept nowhere, so that vaults of every
 * version have it; entries of a ledger never change, and neither do the numbers.
 *
 * Time  the entries between the charge and the nearer end of the ledger
 */
#ifndef SC_VAULT_VAULT_VIEW_H
#define SC_VAULT_VAULT_VIEW_H

#include "vault/vault.h"

/* For plans. The charges among the entries up to this one: the number of a release, where the entry
 * is its charge. */
SCRIM_MUST_USE scrim_status sc_vault_count_charges(scrim_vault *vault, uint64_t entry,
                                                   uint64_t *out, scrim_error *error);
/* For plans. The entry that charged a release; SCRIM_E_PARAM when no release has that number. */
SCRIM_MUST_USE scrim_status sc_vault_charge_of(scrim_vault *vault, uint64_t number,
                                               uint64_t *entry, scrim_error *error);
/* The number of the release that an entry charged; SCRIM_E_PARAM when it charged none. */
SCRIM_MUST_USE scrim_status sc_vault_release_of(scrim_vault *vault, uint64_t entry,
                                                uint64_t *number, scrim_error *error);

#endif
