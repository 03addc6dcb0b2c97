/* Secrets of a vault: the key of its labels and the key of its sources' seals. */
#ifndef SC_VAULT_VAULT_KEY_H
#define SC_VAULT_VAULT_KEY_H

#include "base/signature.h"
#include "data/table/source_seal.h"
#include "vault/vault.h"

/* The key of a vault, by which its labels are signed (base/signature.h). The public half is in the
 * ledger's chain; the private one is a secret of the store, and neither exported nor shown.
 *
 * Claim  key.bound   the public key is in the chain: as the vault's identity, or, of a vault that was
 *                    made without one, in one entry for good; verify holds it against the private one
 * Claim  key.secret  nothing that a vault shows or exports holds the private key, and no copy of ours
 *                    outlives its use
 */

/* For verification, between begin and its end: SCRIM_E_CHECK unless the private key is that of
 * the public one of this book, or there is neither. */
SCRIM_MUST_USE scrim_status sc_vault_key_check(scrim_vault *vault, const sc_book *book,
                                               scrim_error *error);

/* Signs a text. SCRIM_E_LEDGER when the vault has no key, or not the one of its ledger. */
SCRIM_MUST_USE scrim_status sc_vault_key_sign(scrim_vault *vault, sc_text text,
                                              sc_signature *out, scrim_error *error);

/* The text of a head that is signed (scrim/vault.h). A label begins with another word, so that neither can be taken for
 * the other.
 *
 * Claim  head.signed  an export whose last line is signed has all entries that the ledger had then: one that was cut,
 *                     whose end is that of another ledger, or that another key has signed is refused
 */
#define SC_HEAD_TEXT_BYTES (64 + SC_DIGEST_TEXT_BYTES)
sc_text sc_head_text(const sc_chain *head, char text[SC_HEAD_TEXT_BYTES]);

/* The vault's secret for the seals of its sources (data/table/source_seal.h): drawn by the vault, kept
 * with its other secrets, and in no entry.
 *
 * Claim  vault.sealed  no entry that is written holds the size of a source or the time of its last
 *                      change; seals of equal files differ
 * Claim  vault.closed  a version whose source was found to be another takes no more questions, also none
 *                      that was charged before, until the next update; recorded answers are repeated (A107)
 */

/* For plans: the key; zeros, which no seal fits, where the vault has made no seal yet. Wiped by
 * whoever has had it. */
SCRIM_MUST_USE scrim_status sc_vault_source_key(scrim_vault *vault, sc_source_key *out,
                                                scrim_error *error);
/* The same outside of a plan, with a fresh key if the vault has no key yet: for a digest that is
 * made while nobody holds the vault's lock. */
SCRIM_MUST_USE scrim_status sc_vault_draft_source_key(scrim_vault *vault,
                                                      sc_source_key *out,
                                                      scrim_error *error);
/* For plans that enter a policy: the vault's key. A vault without a key takes draft, or draws
 * one if draft is NULL. SCRIM_E_BUSY where the vault has another key than draft by now. */
SCRIM_MUST_USE scrim_status sc_vault_want_source_key(scrim_vault *vault,
                                                     const sc_source_key *draft,
                                                     sc_source_key *out,
                                                     scrim_error *error);
/* For plans that enter a policy: the seal of a file under a key of sc_vault_want_source_key; content may be NULL. */
SCRIM_MUST_USE scrim_status sc_vault_seal_source(const sc_source_key *key,
                                                 const sc_source_stamp *stamp,
                                                 const sc_source_content *content,
                                                 sc_source_seal *out, scrim_error *error);

/* Enters that the source of a version was found to be another. Does nothing if that is entered already, or the dataset
 * has another version by now. */
SCRIM_MUST_USE scrim_status sc_vault_close_version(scrim_vault *vault, uint64_t dataset,
                                                   uint64_t version, scrim_error *error);

#endif
