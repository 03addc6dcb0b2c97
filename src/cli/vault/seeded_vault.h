/* --seed of the test build: what a verb draws from its vault comes from a chosen seed. Nothing of it is in
 * the build that ships. */
#ifndef SC_CLI_SEEDED_VAULT_H
#define SC_CLI_SEEDED_VAULT_H

#include "cli/terminal/options.h"
#include "scrim/vault.h"

typedef struct sc_vault_seed {
    struct sc_tape *tape; /* NULL: the bits of the system */
} sc_vault_seed;

#ifdef SCRIM_TESTING

#include "random/bits_tape.h"
#include "vault/vault_tape.h"

SCRIM_MUST_USE static inline scrim_status sc_vault_seed_use(sc_vault_seed *seed,
                                                            const sc_options *options,
                                                            scrim_vault *vault,
                                                            scrim_error *error)
{
    const scrim_status status = sc_options_tape(options, &seed->tape, error);
    if (status == SCRIM_OK)
        sc_vault_use_bits(vault, sc_tape_bits_of(seed->tape));
    return status;
}

/* The vault draws no more, or is closed: NULL. */
static inline void sc_vault_seed_clear(sc_vault_seed *seed, scrim_vault *vault)
{
    if (vault != NULL)
        sc_vault_use_bits(vault, NULL);
    sc_tape_free(seed->tape);
}

#else

SCRIM_MUST_USE static inline scrim_status sc_vault_seed_use(sc_vault_seed *seed,
                                                            const sc_options *options,
                                                            scrim_vault *vault,
                                                            scrim_error *error)
{
    (void)seed, (void)options, (void)vault, (void)error;
    return SCRIM_OK;
}

static inline void sc_vault_seed_clear(sc_vault_seed *seed, scrim_vault *vault)
{
    (void)seed, (void)vault;
}

#endif

#endif
