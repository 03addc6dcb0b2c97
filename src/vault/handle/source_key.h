/* The vault's secret for the seals of its sources (data/table/source_seal.h): drawn by the vault, kept
 * with its other secrets, and in no entry.
 *
 * Claim  vault.sealed  no entry that is written holds the size of a source or the time of its last
 *                      change; seals of equal files differ
 */
#ifndef SC_VAULT_SOURCE_KEY_H
#define SC_VAULT_SOURCE_KEY_H

#include "data/table/source_seal.h"
#include "vault/handle/vault.h"

/* For plans: the key; zeros, which no seal fits, where the vault has made no seal yet. Wiped by
 * whoever has had it. */
SCRIM_MUST_USE scrim_status sc_vault_source_key(scrim_vault *vault, sc_source_key *out,
                                                scrim_error *error);
/* For plans that enter a policy: the seal of a file under that key, which is drawn when there is
 * none. */
SCRIM_MUST_USE scrim_status sc_vault_seal_source(scrim_vault *vault,
                                                 const sc_source_stamp *stamp,
                                                 sc_source_seal *out, scrim_error *error);

#endif
