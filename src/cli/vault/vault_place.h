/* The vault of a command: where it is, the files that it must not overwrite, its datasets and releases by name and
 * number, and the ledger of a run. */
#ifndef SC_CLI_VAULT_PLACE_H
#define SC_CLI_VAULT_PLACE_H

#include "cli/terminal/options.h"
#include "scrim.h"

/* Files that no output may replace: the vault, what its store keeps beside it, and the data of its datasets.
 *
 * A file that is written takes the place of what has its name. A vault that is lost so has lost its charges, and
 * data cannot be had back from synthetic rows.
 *
 * Claim  spared_files.kept  an output option that leads to the vault, to a file beside it or to the source of a dataset is
 *                           refused before anything is charged; so is a link to one
 */

/* path: of the vault, which is open. SCRIM_E_PARAM names the option. */
SCRIM_MUST_USE scrim_status sc_spared_files_check(const sc_options *options,
                                                  const char *path, scrim_vault *vault,
                                                  scrim_error *error);

/* A file that its caller calls public, for commands that show what an attacker learns from it.
 *
 * Claim  public_file.refused  a file that is the source of a dataset of the vault, or has the same bytes, is refused; so is
 *                             every file where datasets cannot be listed, or where the program has somebody else's rights
 */

/* SCRIM_E_POLICY. SCRIM_E_INPUT: there is no such file. */
SCRIM_MUST_USE scrim_status sc_public_file_check(const sc_options *options,
                                                 const char *path, scrim_error *error);

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

/* Options of a verb that opens a vault. */
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
 * when the site's file cannot be read or says nothing, SCRIM_E_PARAM for a wait that is not a number. */
SCRIM_MUST_USE scrim_status sc_vault_choose(const sc_options *options,
                                            sc_vault_choice *out, scrim_error *error);
/* Also of zeros. */
void sc_vault_choice_clear(sc_vault_choice *choice);

/* Does the site name one vault for everybody? */
bool sc_vault_is_of_site(void);
/* Chooses and opens. SCRIM_E_LEDGER when there is no vault: the message says how to make one. */
SCRIM_MUST_USE scrim_status sc_vault_place_open(const sc_options *options,
                                                scrim_vault **out, scrim_error *error);

/* A dataset of a vault by its name. */

/* SCRIM_E_PARAM when no dataset has that name; the message has the nearest, if one is near. */
SCRIM_MUST_USE scrim_status sc_dataset_find(scrim_vault *vault, const char *name,
                                            scrim_dataset *out, scrim_error *error);

/* A release as a word of the command line: its number in the ledger. */

/* Digits, at most 18 of them. SCRIM_E_PARAM, and the message says where numbers are found. */
SCRIM_MUST_USE scrim_status sc_release_number_parse(const char *word, uint64_t *out,
                                                    scrim_error *error);

/* The ledger that a release of `scrim run` is charged to: a vault's, with --charge NAME, or one
 * for this release alone, whose budget is what it costs and which ends with the command. In the
 * test build, and only there, the bits come from a chosen seed. */

typedef struct sc_run_ledger {
    scrim_ledger *ledger;
    scrim_vault *vault;   /* NULL: the ledger is in no vault */
    struct sc_tape *tape; /* of --seed, in the test build; NULL: the bits of the system */
} sc_run_ledger;

/* A ledger of its own counts epsilon where the cost has one, else rho: SCRIM_E_PARAM when it has
 * neither. Nothing is charged yet. */
SCRIM_MUST_USE scrim_status sc_run_ledger_open(const scrim_cost *cost,
                                               const sc_options *options,
                                               sc_run_ledger *out, scrim_error *error);
void sc_run_ledger_close(sc_run_ledger *ledger);

#endif
