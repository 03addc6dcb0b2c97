/* Which vault a verb means, and opening it.
 *
 * --vault FILE, then $SCRIM_VAULT, then ./scrim.vault: whoever may choose the vault is trusted
 * with the data. Where the site names one vault in /etc/scrim/vault (its absolute path on a
 * line; '#' comments), that is the vault, and option and variable are refused for everyone but
 * its owner, who is the owner of the vault's file, and the superuser; so are resource limits
 * (caller_limits.h). A program that runs with the rights of another user than the one who has
 * called it opens no other vault than that.
 *
 * Claim  vault_place.site  where the site names the vault, nobody but its owner uses another one
 */
#ifndef SC_CLI_VAULT_PLACE_H
#define SC_CLI_VAULT_PLACE_H

#include "cli/terminal/options.h"

/* What a verb takes that opens a vault. */
#define SC_OPTIONS_VAULT SCRIM_OPTION_VAULT, SCRIM_OPTION_WAIT
/* How its help shows them. */
#define SC_USAGE_VAULT                                                                   \
    "  --vault FILE   the vault; otherwise $SCRIM_VAULT, otherwise ./scrim.vault\n  "    \
    "--wait SECONDS how long to wait for other users of it (default 60)\n"

typedef struct sc_vault_choice {
    char *path;  /* freed by sc_vault_choice_clear */
    int wait_ms; /* as scrim_vault_options has it */
} sc_vault_choice;

/* Touches no vault. SCRIM_E_POLICY when the choice is not this user's, or nobody's, or the user
 * has set limits, SCRIM_E_LEDGER
 * when the site's file cannot be read or says nothing, SCRIM_E_PARAM for a wait that is none. */
SCRIM_MUST_USE scrim_status sc_vault_choose(const sc_options *options,
                                            sc_vault_choice *out, scrim_error *error);
/* Also of zeros. */
void sc_vault_choice_clear(sc_vault_choice *choice);

/* Does the site name one vault for everybody? */
bool sc_vault_is_of_site(void);
/* Chooses and opens. SCRIM_E_LEDGER when there is none: the message says how to make one. */
SCRIM_MUST_USE scrim_status sc_vault_place_open(const sc_options *options,
                                                scrim_vault **out, scrim_error *error);

#endif
