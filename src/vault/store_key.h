/* The private key of a vault's labels, as a secret of its store.
 *
 * Claim  store-key.fits  a private key is read as right exactly where the book names its public half,
 *                        or where there is neither
 */
#ifndef SC_VAULT_STORE_KEY_H
#define SC_VAULT_STORE_KEY_H

#include "vault/state/book.h"
#include "vault/store/store.h"

/* Draws a private key, keeps it in the transaction that is under way, and gives the public one, which
 * belongs into an entry of the same transaction. */
SCRIM_MUST_USE scrim_status sc_store_key_draw(sc_store *store, sc_digest *key,
                                              scrim_error *error);
/* The private key. *is_right: it is that of the book's public one, or there is neither. The caller
 * wipes out, also on failure. */
SCRIM_MUST_USE scrim_status sc_store_key_read(sc_store *store, const sc_book *book,
                                              sc_digest *out, bool *is_right,
                                              scrim_error *error);

#endif
