/* scrim init [--vault FILE] [--witness FILE|--no-witness] */
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/process.h"
#include "cli/terminal/talk.h"
#include "cli/vault/vault_place.h"
#include "cli/verb/verbs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Signals wait: a vault is there as a whole or not at all, and nothing lies beside it. */
static scrim_status make_vault(const sc_vault_choice *choice,
                               const scrim_vault_options *options, scrim_error *error)
{
    sc_signal_hold hold;
    sc_signal_hold_begin(&hold);
    scrim_status status = scrim_vault_init(choice->path, options, error);
    sc_signal_hold_end(&hold);
    return status;
}

/* "its witness is in ~/.local/state/scrim": the name of the file tells people nothing. */
static void tell_folder(const char *path, const char *witness)
{
    const char *home = getenv("HOME"), *end = strrchr(witness, '/');
    const size_t bytes = home == NULL ? 0 : strlen(home);
    const bool is_home =
        bytes > 0 && strncmp(witness, home, bytes) == 0 && witness[bytes] == '/';
    const char *shown = is_home ? witness + bytes : witness;
    sc_talk("created %s, readable only by you; its witness is in %s%.*s\n", path,
            is_home ? "~" : "", (int)(end - shown), shown);
}

static void tell_new(const char *path, const char *witness, bool is_chosen)
{
    if (witness != NULL && !is_chosen)
        tell_folder(path, witness);
    else
        sc_talk("created %s, readable only by you\n", path);
    if (witness != NULL && is_chosen)
        sc_talk("created its witness %s; the vault cannot be opened without it\n",
                witness);
    sc_talk("next: scrim dataset add NAME, which asks for what it needs; or see scrim "
            "help dataset\n");
}

static void tell_accepted(const char *path, const char *witness, uint64_t lost)
{
    sc_talk("accepted the vault %s; its ledger records this\ncharges that were made in "
            "another copy of it are not in this ledger\n",
            path);
    if (lost > 0)
        sc_talk("%" PRIu64 " entr%s lost, which its witness had seen; treat their "
                "charges as spent\n",
                lost, lost == 1 ? "y is" : "ies are");
    if (witness != NULL)
        sc_talk("its witness is %s; the vault cannot be opened without it\n", witness);
    sc_talk("delete the former file, if there is one%s\n",
            witness != NULL ? ""
                            : ": without a witness it still works, and its budget could "
                              "be spent twice");
}

/* With the options that accept it, or a new one, whose witness is named after it. */
static scrim_status open_and_tell(const char *path, const scrim_vault_options *options,
                                  bool is_new, bool is_chosen, bool is_quiet,
                                  scrim_error *error)
{
    scrim_vault *vault = NULL;
    char *witness = NULL;
    uint64_t lost = 0;
    scrim_status status = scrim_vault_open(path, options, &vault, error);
    if (status == SCRIM_OK)
        status = scrim_vault_lost(vault, &lost, error);
    if (status == SCRIM_OK)
        status = scrim_vault_witness(vault, &witness, error);
    if (status == SCRIM_OK && is_new)
        tell_new(path, witness, is_chosen);
    else if (status == SCRIM_OK && !is_quiet)
        tell_accepted(path, witness, lost);
    scrim_vault_text_free(witness);
    scrim_vault_close(vault);
    return status;
}

static scrim_status make_or_accept(const sc_vault_choice *choice,
                                   const sc_options *options, scrim_error *error)
{
    const bool is_quiet = sc_options_has(options, SCRIM_OPTION_QUIET);
    const char *witness = options->value[SCRIM_OPTION_WITNESS];
    scrim_vault_options given = {.size = sizeof given,
                                 .witness = witness,
                                 .wait_ms = choice->wait_ms,
                                 .is_moved = sc_options_has(options, SCRIM_OPTION_MOVED),
                                 .is_restored =
                                     sc_options_has(options, SCRIM_OPTION_RESTORED)};
    const bool is_new = given.is_moved == 0 && given.is_restored == 0;
    if (sc_options_has(options, SCRIM_OPTION_NO_WITNESS))
        given.witness_place = SCRIM_WITNESS_NONE;
    else if (is_new && witness == NULL)
        given.witness_place = SCRIM_WITNESS_STATE;
    if (is_new) {
        scrim_status status = make_vault(choice, &given, error);
        if (status != SCRIM_OK || is_quiet)
            return status;
        given = (scrim_vault_options){.size = sizeof given, .wait_ms = choice->wait_ms};
    }
    return open_and_tell(choice->path, &given, is_new, witness != NULL, is_quiet, error);
}

static scrim_status run_init(const sc_options *options, scrim_error *error)
{
    const char *witness = options->value[SCRIM_OPTION_WITNESS];
    SC_OWNED(sc_vault_choice_clear) sc_vault_choice choice = {.path = NULL};
    if (options->word_count > 1)
        return sc_refuse(error,
                         "init takes no argument; name the file with --vault FILE");
    if (witness != NULL && witness[0] == '\0')
        return sc_refuse(error, "--witness needs a file name");
    if (witness != NULL && sc_options_has(options, SCRIM_OPTION_NO_WITNESS))
        return sc_refuse(error, "give --witness or --no-witness, not both");
    if (sc_rights_are_borrowed())
        return sc_complaint_fill(error, SCRIM_E_POLICY,
                                 "only its owner can create a vault, and this program "
                                 "runs with the rights of another user");
    SC_TRY(sc_vault_choose(options, &choice, error));
    return make_or_accept(&choice, options, error);
}

const sc_verb sc_verb_init = {
    .name = "init",
    .synopsis = "[--vault FILE] [--witness FILE|--no-witness] [OPTION...]",
    .summary = "Create a vault, which holds datasets, budgets and releases",
    .usage =
        "Creates the vault: one file that only you can read, in a folder that only you\n"
        "can write. You are then its owner, and only you can declare datasets in it.\n"
        "init never overwrites a file. To back a vault up, copy the file while no\n"
        "command is using it.\n"
        "\n" SC_USAGE_VAULT "  --witness FILE where the witness is, a small file with "
        "the latest hash of the\n"
        "                 ledger, best on another disk. The default is a file in\n"
        "                 ~/.local/state/scrim. scrim does not open a vault that was "
        "put\n"
        "                 back to an earlier state, or whose witness is missing.\n"
        "  --no-witness   keep no witness: nobody notices an older copy of the vault in\n"
        "                 its place\n"
        "  --moved        accept a moved or copied vault instead of creating one; the\n"
        "                 ledger records it. Delete the former file. With --witness or\n"
        "                 --no-witness also change the witness of a vault.\n"
        "  --restored     accept also a vault without its witness, or one that lacks\n"
        "                 entries which its witness has seen: their charges are lost, "
        "and\n"
        "                 that budget could be spent twice\n"
        "  --quiet        show no confirmation\n"
        "\n"
        "example: scrim init --witness /var/backups/scrim.witness\n",
    .kind = SC_COMMAND_MANAGE,
    .options = SC_OPTION_SET(SCRIM_OPTION_WITNESS, SCRIM_OPTION_NO_WITNESS,
                             SCRIM_OPTION_MOVED, SCRIM_OPTION_RESTORED),
    .run = run_init,
};
