/* scrim init [--vault FILE] [--witness FILE] */
#include "cli/terminal/borrowed_rights.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/signal_hold.h"
#include "cli/terminal/talk.h"
#include "cli/vault/vault_place.h"
#include "cli/verb/verbs.h"

#include <stdio.h>
#include <unistd.h>

/* Signals wait: a vault is there as a whole or not at all, and nothing lies beside it. */
static scrim_status make_vault(const sc_vault_choice *choice, const char *witness,
                               scrim_error *error)
{
    sc_signal_hold hold;
    sc_signal_hold_begin(&hold);
    scrim_status status =
        scrim_vault_init(choice->path,
                         SCRIM_OPTIONS(scrim_vault_options, .witness = witness,
                                       .wait_ms = choice->wait_ms),
                         error);
    sc_signal_hold_end(&hold);
    return status;
}

/* The vault itself writes down that it lives there now. */
static scrim_status accept_vault(const sc_vault_choice *choice, bool is_quiet,
                                 scrim_error *error)
{
    scrim_vault *vault = NULL;
    scrim_status status = scrim_vault_open(
        choice->path,
        SCRIM_OPTIONS(scrim_vault_options, .wait_ms = choice->wait_ms, .is_moved = 1),
        &vault, error);
    if (status == SCRIM_OK && !is_quiet)
        sc_talk("the vault lives here now: %s\nwhat was spent elsewhere since it was "
                "copied is not in its ledger\ndelete the former file, if there is one: "
                "without a witness it still works, and its budget could be spent "
                "twice\n",
                choice->path);
    scrim_vault_close(vault);
    return status;
}

static void tell(const char *path, const char *witness)
{
    sc_talk("created %s, readable only by you\n", path);
    if (witness != NULL)
        sc_talk("created its witness %s; the vault cannot be opened without it\n",
                witness);
    sc_talk(
        "next: scrim dataset add NAME, which asks for what it needs; or see scrim help "
        "dataset\n");
}

static scrim_status run_init(const sc_options *options, scrim_error *error)
{
    const char *witness = options->value[SCRIM_OPTION_WITNESS];
    sc_vault_choice choice = {.path = NULL};
    if (options->word_count > 1)
        return sc_complaint_fill(
            error, SCRIM_E_PARAM,
            "init takes no argument; name the file with --vault FILE");
    if (witness != NULL && witness[0] == '\0')
        return sc_complaint_fill(error, SCRIM_E_PARAM, "--witness needs a file name");
    if (sc_rights_are_borrowed())
        return sc_complaint_fill(error, SCRIM_E_POLICY,
                                 "only its owner can create a vault, and this program "
                                 "runs with the rights of another user");
    const bool is_moved = sc_options_has(options, SCRIM_OPTION_MOVED);
    const bool is_quiet = sc_options_has(options, SCRIM_OPTION_QUIET);
    if (is_moved && witness != NULL)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "a moved vault keeps its witness; leave --witness out");
    scrim_status status = sc_vault_choose(options, &choice, error);
    if (status == SCRIM_OK)
        status = is_moved ? accept_vault(&choice, is_quiet, error)
                          : make_vault(&choice, witness, error);
    if (status == SCRIM_OK && !is_moved && !is_quiet)
        tell(choice.path, witness);
    sc_vault_choice_clear(&choice);
    return status;
}

const sc_verb sc_verb_init = {
    .name = "init",
    .synopsis = "[--vault FILE] [--witness FILE] | --moved [--vault FILE]",
    .summary = "Create a vault, which holds datasets, budgets and releases",
    .usage =
        "Creates the vault: one file that only you can read, in a folder that only you\n"
        "can write. You are then its owner, and only you can declare datasets in it.\n"
        "init never overwrites a file. To back a vault up, copy the file while no\n"
        "command is using it.\n"
        "\n" SC_USAGE_VAULT
        "  --witness FILE keep the latest hash of the ledger in a second file, best on\n"
        "                 another disk. scrim then notices if the vault is put back to\n"
        "                 an earlier state, and does not open it. It does not open the\n"
        "                 vault without its witness either.\n"
        "  --moved        accept a moved, copied or restored vault instead of creating\n"
        "                 one; the ledger records it. Delete the former file: without a\n"
        "                 witness it still works, and its budget could be spent twice.\n"
        "  --quiet        show no confirmation\n"
        "\n"
        "example: scrim init --witness /var/backups/scrim.witness\n",
    .options = SC_OPTION_SET(SC_OPTIONS_VAULT, SCRIM_OPTION_WITNESS, SCRIM_OPTION_MOVED,
                             SCRIM_OPTION_QUIET),
    .run = run_init,
};
