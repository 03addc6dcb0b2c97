/* Who asks: the user of the operating system that runs the process, never an argument.
 *
 * Claim  identity.system  the analyst is the real user of the process, in one canonical spelling
 * Claim  identity.unsure  where the name service fails nobody is taken for a new analyst: who is
 *                         known by number is charged as before, others are refused before a charge
 *                         (A86)
 */
#ifndef SC_VAULT_IDENTITY_H
#define SC_VAULT_IDENTITY_H

#include "vault/state/event.h"

typedef struct sc_identity {
    uint64_t user;
    char name[SC_EVENT_NAME_BYTES + 1];
    bool is_unsure; /* the name service has failed, and the name is none */
} sc_identity;

/* The real user, who stays the same in a program that runs with the rights of the vault's owner.
 * One without a name, or with one that is not visible ASCII of at most 64 bytes, is called
 * "user-NUMBER". */
void sc_identity_of_process(sc_identity *out);
/* SCRIM_E_PARAM when the system knows nobody of that name, SCRIM_E_LEDGER when it cannot tell. */
SCRIM_MUST_USE scrim_status sc_identity_of_name(const char *name, sc_identity *out,
                                                scrim_error *error);

/* SCRIM_E_LEDGER, and what to do: for who must have a name. */
scrim_status sc_identity_fail(scrim_error *error);

/* The identity of a user by number, and of one that the system calls by this name. */
void sc_identity_set(sc_identity *out, uint64_t user, const char *name);

#endif
