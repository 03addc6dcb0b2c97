/* The seal of a store: what is read of it at opening, in one digest.
 *
 * The seal is the exclusive or of the SHA-256 of three kinds of text: the head, each entry of policy
 * and each total. It is kept in a row of its own, changed in the same transaction as they are, and
 * computed again when a vault is opened. After a commit that was cut short and whose journal is
 * lost, a file may hold pages from before and from after it; such a mixture does not have the seal
 * of its parts. It has no key: it finds accidents, not people.
 *
 * Claim  seal.together  a head, a policy and totals that were not written by the same commits, one of
 *                       them missing or one changed, are SCRIM_E_CHECK
 */
#ifndef SC_VAULT_STORE_SQLITE_SEAL_H
#define SC_VAULT_STORE_SQLITE_SEAL_H

#include "vault/store/store.h"

#include <sqlite3.h>

/* Adds one part to a seal, or takes it out again. */
SCRIM_MUST_USE scrim_status sc_seal_head(sc_digester *digester, const sc_chain *head,
                                         sc_digest *seal, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_seal_policy(sc_digester *digester, uint64_t entry,
                                           sc_text bytes, sc_digest *seal,
                                           scrim_error *error);
SCRIM_MUST_USE scrim_status sc_seal_total(sc_digester *digester, const sc_total *total,
                                          sc_digest *seal, scrim_error *error);
void sc_seal_join(sc_digest *seal, const sc_digest *other);

/* From the tables, in the transaction that is under way. */
SCRIM_MUST_USE scrim_status sc_seal_compute(sqlite3 *database, sc_digester *digester,
                                            sc_digest *out, scrim_error *error);
/* The row of a store that has none yet. */
SCRIM_MUST_USE scrim_status sc_seal_begin(sqlite3 *database, scrim_error *error);

#endif
