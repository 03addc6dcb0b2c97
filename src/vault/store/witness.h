/* The witness: a small file elsewhere that remembers the head of the ledger, so that a vault
 * that was put back to an earlier state is noticed.
 *
 *     scrim-witness 1
 *     IDENTITY
 *     GENERATION HASH
 *
 * Claim  witness.forward  a witness is replaced as a whole, durably, and only by a later
 *                         generation, whoever else writes it at the same time; but for an owner who
 *                         accepts a restored vault
 */
#ifndef SC_VAULT_WITNESS_H
#define SC_VAULT_WITNESS_H

#include "vault/store/store.h"

typedef struct sc_witness {
    sc_digest identity; /* of the vault */
    sc_chain chain;
} sc_witness;

/* A witness in a folder, "FOLDER/" or "", is named after the vault's identity: no two vaults have
 * the same. NULL without memory; sc_free frees it. */
char *sc_witness_path(const char *place, const sc_digest *identity);
/* The folder of this user's witnesses, "FOLDER/", which is made where it is missing, for the user alone:
 * $XDG_STATE_HOME/scrim/, or ~/.local/state/scrim/. sc_free frees it. SCRIM_E_LEDGER, for
 * SCRIM_REASON_MISSING "witness", where neither variable names a folder or it cannot be made. */
SCRIM_MUST_USE scrim_status sc_witness_folder(char **out, scrim_error *error);

/* SCRIM_E_LEDGER when the file is missing (SCRIM_REASON_MOVED, "witness"), a link or no witness. */
SCRIM_MUST_USE scrim_status sc_witness_read(const char *path, sc_witness *out,
                                            scrim_error *error);
/* A witness is written in two steps, so that failures happen before a charge is made: first a
 * new file is written beside the old one, synced and locked; after the charge it is moved into
 * its place. */
typedef struct sc_witness_writer sc_witness_writer;

typedef enum sc_witness_step {
    SC_WITNESS_NEXT, /* the file is there, and is replaced by a later generation */
    SC_WITNESS_NEW,  /* there must be no such file yet */
    SC_WITNESS_AGAIN /* replaces a witness of this vault of any generation, or makes one */
} sc_witness_step;

/* SCRIM_E_BUSY when another process writes the witness for longer than wait_ms, SCRIM_E_LEDGER
 * when the file is missing, another vault's or cannot be written. */
SCRIM_MUST_USE scrim_status sc_witness_prepare(const char *path,
                                               const sc_witness *witness,
                                               sc_witness_step step, int wait_ms,
                                               sc_witness_writer **out,
                                               scrim_error *error);
/* The contents of the file when the writer was made, which nobody else has changed since; of
 * generation 0 if the file was missing. */
sc_chain sc_witness_seen(const sc_witness_writer *writer);
/* Puts it in place, durably, unless a later one is there; frees the writer. */
SCRIM_MUST_USE scrim_status sc_witness_publish(sc_witness_writer *writer,
                                               scrim_error *error);
/* Leaves the file as it is, and frees the writer; NULL is allowed. */
void sc_witness_abandon(sc_witness_writer *writer);

#endif
