/* Vaults of test builds: see random/bits_tape.h. */
#ifndef SC_VAULT_HANDLE_VAULT_TAPE_H
#define SC_VAULT_HANDLE_VAULT_TAPE_H

#ifndef SCRIM_TESTING
#error "vault_tape.h is for test builds"
#endif

#include "vault/vault.h"

#include <string.h>

/* Ledgers that are made from now on draw from a tape, which stays the caller's. */
static inline void sc_vault_use_bits(scrim_vault *vault, sc_bits *bits)
{
    vault->bits = bits;
}

/* Somebody else from now on. */
static inline void sc_vault_use_identity(scrim_vault *vault, uint64_t user,
                                         const char *name)
{
    sc_identity_set(&vault->identity, user, name);
    memcpy(vault->analyst, vault->identity.name, sizeof vault->analyst);
}

#endif
