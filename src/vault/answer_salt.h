/* The end of a recorded answer: 128 random bits, so that its digest in the ledger tells nothing of it. Labels and exports
 * show the digest to people who may not see the answer, and an answer of one number has few likely texts.
 *
 * Claim  answer-salt.hides  equal answers have different digests, and what is read again is the answer alone
 */
#ifndef SC_VAULT_ANSWER_SALT_H
#define SC_VAULT_ANSWER_SALT_H

#include "vault/vault.h"

/* "\nsalt " and 32 hexadecimal digits. */
#define SC_ANSWER_SALT_BYTES 38

/* The recorded text with a salt of its own; freed by sc_free. SCRIM_E_ENTROPY, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_answer_salt(sc_text answer, char **out,
                                           scrim_error *error);
/* The answer without its salt: all of a record of an earlier version, which has no salt. */
sc_text sc_answer_unsalted(sc_text recorded);
/* The recorded text of a release with its salt, whose digest is in the ledger; NULL before the release has an answer. Freed by sc_free. */
SCRIM_MUST_USE scrim_status sc_vault_recorded(scrim_vault *vault, uint64_t release,
                                              char **out, scrim_error *error);

#endif
