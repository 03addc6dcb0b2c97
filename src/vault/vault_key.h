/* The key of a vault, by which its labels are signed (base/signature.h). The public half is in the
 * ledger's chain; the private one is a secret of the store, and neither exported nor shown.
 *
 * Claim  key.bound   the public key is in the chain: as the vault's identity, or, of a vault that was
 *                    made without one, in one entry for good; verify holds it against the private one
 * Claim  key.secret  nothing that a vault shows or exports holds the private key, and no copy of ours
 *                    outlives its use
 */
#ifndef SC_VAULT_VAULT_KEY_H
#define SC_VAULT_VAULT_KEY_H

#include "base/signature.h"
#include "vault/vault.h"

/* For verification, between begin and its end: SCRIM_E_CHECK unless the private key is that of
 * the public one of this book, or there is neither. */
SCRIM_MUST_USE scrim_status sc_vault_key_check(scrim_vault *vault, const sc_book *book,
                                               scrim_error *error);

/* Signs a text. SCRIM_E_LEDGER when the vault has no key, or not the one of its ledger. */
SCRIM_MUST_USE scrim_status sc_vault_key_sign(scrim_vault *vault, sc_text text,
                                              sc_signature *out, scrim_error *error);

#endif
