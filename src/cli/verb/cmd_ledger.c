/* scrim ledger [history] [NAME] | verify | export | key */
#include "cli/display/number_view.h"
#include "cli/release/export_proof.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"
#include "cli/vault/budget_writer.h"
#include "cli/vault/history_writer.h"
#include "cli/vault/vault_place.h"
#include "cli/verb/verbs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OF_HISTORY                                                                       \
    SCRIM_OPTION_ANALYST, SCRIM_OPTION_SINCE, SCRIM_OPTION_UNTIL, SCRIM_OPTION_VERBOSE,  \
        SCRIM_OPTION_ALL

typedef struct ledger_state {
    const sc_options *options;
    sc_format format;
    bool quiet;
    bool is_export; /* what is verified */
    sc_terminal terminal;
    scrim_vault *vault;
    sc_output output, talk;
} ledger_state;

/* Charges and their analysts. */

typedef struct chosen_charges {
    sc_history history;
    sc_history_filter filter;
    sc_shown_answers shown;
} chosen_charges;

static void clear_chosen(chosen_charges *chosen)
{
    sc_shown_answers_clear(&chosen->shown);
}

static scrim_status add_charge(void *context, const scrim_vault_release *charge)
{
    chosen_charges *chosen = context;
    return sc_history_filter_takes(&chosen->filter, &chosen->shown, charge)
               ? sc_history_add(&chosen->history, charge)
               : SCRIM_OK;
}

static scrim_status write_history_note(ledger_state *ledger, const sc_history *history,
                                       scrim_error *error)
{
    sc_output_init_screen(&ledger->talk, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    sc_output_format(&ledger->talk, "%" PRIu64 " charge%s", history->count,
                     history->count == 1 ? "" : "s");
    if (history->unanswered > 0)
        sc_output_format(&ledger->talk, ", %" PRIu64 " of them without an answer",
                         history->unanswered);
    sc_output_text(&ledger->talk, "\n");
    for (size_t i = 0; i < history->population_count; i++) {
        scrim_budget budget;
        char left[SC_AMOUNT_BYTES];
        const scrim_status status =
            sc_budget_find(ledger->vault, history->populations[i], NULL, &budget, error);
        if (status != SCRIM_OK)
            return status;
        sc_amount_format(budget.unit, budget.left, budget.left_delta, false, left);
        sc_output_format(&ledger->talk, "left        %s of the budget of %s\n", left,
                         budget.population);
    }
    return sc_output_finish(&ledger->talk, error);
}

static scrim_status write_history(ledger_state *ledger, const char *name,
                                  chosen_charges *chosen, scrim_error *error)
{
    sc_history_begin(&chosen->history, &chosen->shown, &ledger->output, ledger->format,
                     sc_options_has(ledger->options, SCRIM_OPTION_VERBOSE),
                     &ledger->terminal);
    scrim_status status =
        scrim_vault_history(ledger->vault, name, 1, add_charge, chosen, error);
    status = sc_history_end(&chosen->history, status, error);
    return status == SCRIM_E_MEMORY
               ? sc_out_of_memory(error, "the table; --format csv needs none")
               : status;
}

static scrim_status show_history(ledger_state *ledger, const char *name,
                                 scrim_error *error)
{
    SC_OWNED(clear_chosen) chosen_charges chosen = {.shown = {.items = NULL}};
    SC_TRY(sc_vault_place_open(ledger->options, &ledger->vault, error));
    SC_TRY(sc_history_filter_read(ledger->options, ledger->vault, &chosen.filter, error));
    SC_TRY(sc_shown_answers_read(ledger->vault, &chosen.shown, error));
    SC_TRY(write_history(ledger, name, &chosen, error));
    SC_TRY(sc_output_finish(&ledger->output, error));
    return !ledger->quiet && ledger->format == SCRIM_FORMAT_TABLE
               ? write_history_note(ledger, &chosen.history, error)
               : SCRIM_OK;
}

/* The chain and every total recomputed. */

/* For programs. A ledger that does not hold is an answer too, without a state; people have the
 * message. */
static void write_verdict(const ledger_state *ledger, sc_output *output,
                          const scrim_vault_state *state, const char *holds,
                          const char *reason)
{
    static const sc_listing_column columns[] = {
        {.name = "entries"}, {.name = "charges"}, {.name = "releases"}, {.name = "head"},
        {.name = "holds"},   {.name = "reason"},  {.name = "key"}};
    char entries[24] = "", charges[24] = "", releases[24] = "";
    if (state != NULL) {
        snprintf(entries, sizeof entries, "%" PRIu64, state->entries);
        snprintf(charges, sizeof charges, "%" PRIu64, state->charges);
        snprintf(releases, sizeof releases, "%" PRIu64, state->releases);
    }
    if (ledger->format == SCRIM_FORMAT_CSV) {
        /* Only an export has the column of the key. */
        sc_listing_csv_row(output, columns, ledger->is_export ? 7 : 6,
                           (const char *[]){entries, charges, releases,
                                            state == NULL ? NULL : state->head, holds,
                                            reason, state == NULL ? NULL : state->key});
        return;
    }
    sc_json json;
    sc_json_init(&json, output);
    sc_json_object(&json, NULL);
    sc_json_word(&json, "holds", holds);
    if (state != NULL) {
        sc_json_number(&json, "entries", entries);
        sc_json_number(&json, "charges", charges);
        sc_json_number(&json, "releases", releases);
        sc_json_text(&json, "head", state->head);
        sc_json_text_if_any(&json, "key", state->key);
    }
    sc_json_text_if_any(&json, "reason", reason);
    sc_json_end(&json);
}

static void write_state(const ledger_state *ledger, sc_output *output,
                        const scrim_vault_state *state)
{
    switch (ledger->format) {
    case SCRIM_FORMAT_TABLE:
        sc_output_format(output,
                         "verdict     %s\n"
                         "entries     %" PRIu64 "\n"
                         "charges     %" PRIu64 ", of them %" PRIu64 " answered\n",
                         state->needs_owner ? "entries verified, but the owner must act"
                         : state->lacks_answers && state->key[0] != '\0'
                             ? "export verified: hash chain, totals, signature; it has "
                               "the digests of answers only"
                         : state->lacks_answers
                             ? "export verified: hash chain, totals; it has the digests "
                               "of answers only"
                         : state->key[0] != '\0'
                             ? "export verified: hash chain, totals, answers, signature"
                         : ledger->is_export
                             ? "export verified: hash chain, totals, answers"
                             : "ledger verified: hash chain, totals, answers",
                         state->entries, state->charges, state->releases);
        sc_output_format(output, "head        %s\n", state->head);
        if (state->key[0] != '\0')
            sc_output_format(output, "key         %s\n", state->key);
        break;
    case SCRIM_FORMAT_CSV:
    case SCRIM_FORMAT_JSON:
    case SCRIM_FORMAT_JSONL:
        write_verdict(ledger, output, state, state->needs_owner ? "false" : "true",
                      state->caution);
        break;
    }
}

/* The verdict stays, also where it cannot be shown. */
static scrim_status show_reason(ledger_state *ledger, scrim_error *error)
{
    scrim_error none;
    if (ledger->format != SCRIM_FORMAT_TABLE)
        write_verdict(ledger, &ledger->output, NULL, "false", error->message);
    scrim_status shown = sc_output_finish(&ledger->output, &none);
    (void)shown;
    error->reason = SCRIM_REASON_NONE; /* what it advises is being done */
    if (!ledger->is_export)
        sc_complaint_append(error,
                            "; a copy of the file lacks what was charged after it was "
                            "made: count that as spent");
    return SCRIM_E_CHECK;
}

/* The ledger contains the head of --head, if that was given. */
static scrim_status check_noted(ledger_state *ledger, scrim_error *error)
{
    const char *noted;
    uint64_t since;
    SC_TRY(sc_head_option_read(ledger->options, &noted, error));
    if (noted == NULL)
        return SCRIM_OK;
    SC_TRY(sc_vault_place_open(ledger->options, &ledger->vault, error));
    SC_TRY(sc_head_find(ledger->vault, noted, &since, error));
    if (!ledger->quiet)
        sc_talk("head        the noted one, and %" PRIu64 " entr%s since\n", since,
                since == 1 ? "y" : "ies");
    return SCRIM_OK;
}

static scrim_status verify(ledger_state *ledger, scrim_error *error)
{
    sc_vault_choice choice = {.path = NULL};
    scrim_vault_state state;
    sc_progress progress;
    scrim_status status = sc_vault_choose(ledger->options, &choice, error);
    if (status != SCRIM_OK)
        return status;
    sc_progress_start(&progress, 0, "entries", !ledger->quiet);
    status = scrim_vault_check(
        choice.path,
        SCRIM_OPTIONS(scrim_vault_options, .wait_ms = choice.wait_ms,
                      .progress = sc_progress_told, .context = &progress),
        &state, error);
    sc_progress_end(&progress);
    sc_vault_choice_clear(&choice);
    if (status == SCRIM_OK)
        status = check_noted(ledger, error);
    /* A copy, a vault that was rolled back, or one without its witness: it was asked, and does not hold. */
    if (status == SCRIM_E_LEDGER && error->reason == SCRIM_REASON_MOVED)
        return error->status = SCRIM_E_CHECK;
    if (status == SCRIM_E_CHECK)
        return show_reason(ledger, error);
    if (status != SCRIM_OK)
        return status;
    write_state(ledger, &ledger->output, &state);
    status = sc_output_finish(&ledger->output, error);
    if (status == SCRIM_OK && state.needs_owner)
        return sc_complaint_fill(error, SCRIM_E_CHECK, "%s", state.caution);
    if (status == SCRIM_OK && state.caution[0] != '\0')
        sc_talk("caution: %s\n", state.caution);
    return status;
}

/* An export, without the vault. */
static scrim_status verify_export(ledger_state *ledger, scrim_error *error)
{
    sc_export_proof proof;
    ledger->is_export = true;
    const scrim_status status =
        sc_export_prove(ledger->options, ledger->options->words[2], &proof, error);
    if (status == SCRIM_E_INPUT && error->reason == SCRIM_REASON_SYNTAX)
        sc_complaint_append(error, "; 'scrim ledger export' writes one");
    for (size_t i = 0; !ledger->quiet && i < proof.note_count; i++)
        sc_talk("%s\n", proof.notes[i]);
    if (status == SCRIM_E_CHECK)
        return show_reason(ledger, error);
    SC_TRY(status);
    write_state(ledger, &ledger->output, &proof.state);
    return sc_output_finish(&ledger->output, error);
}

/* The entries themselves. */

static scrim_status add_entry(void *context, uint64_t id, const char *bytes, size_t count,
                              const char *hash, const char *answer)
{
    sc_export_add(context, id, bytes, count, hash, answer);
    return SCRIM_OK;
}

static scrim_status export_entries(ledger_state *ledger, scrim_error *error)
{
    const bool is_given = sc_options_has(ledger->options, SCRIM_OPTION_FORMAT) ||
                          sc_options_has(ledger->options, SCRIM_OPTION_JSON);
    if (is_given && ledger->format != SCRIM_FORMAT_JSONL)
        return sc_refuse(
            error, "an export is always JSON lines; leave --format out, or use jsonl");
    SC_TRY(sc_vault_place_open(ledger->options, &ledger->vault, error));
    sc_export export;
    scrim_head head;
    sc_output_init(&ledger->output, STDOUT_FILENO); /* for programs */
    scrim_status status = sc_export_check(ledger->vault, error);
    sc_export_begin(&export, scrim_vault_is_owned(ledger->vault), &ledger->output);
    if (status == SCRIM_OK)
        status = scrim_vault_visit(ledger->vault, 1, add_entry, &export, error);
    if (status == SCRIM_OK)
        status = scrim_vault_head(ledger->vault, export.head, &head, error);
    if (status != SCRIM_OK)
        return status;
    sc_export_end(&export, &head);
    return sc_output_finish(&ledger->output, error);
}

/* The public key. */

/* The key alone, unless a format is asked for: a line to publish, and to give to report verify. */
static void write_key(const ledger_state *ledger, sc_output *output, const scrim_key *key)
{
    static const sc_listing_column columns[] = {
        {.name = "key"}, {.name = "algorithm"}, {"entry", SC_KIND_NUMBER}};
    char entry[24];
    const char *const cells[] = {key->text, "Ed25519", entry};
    snprintf(entry, sizeof entry, "%" PRIu64, key->entry);
    const bool is_asked = sc_options_has(ledger->options, SCRIM_OPTION_FORMAT) ||
                          sc_options_has(ledger->options, SCRIM_OPTION_JSON);
    if (!is_asked) {
        sc_output_init(output, STDOUT_FILENO); /* to be copied: no line of it is broken */
        sc_output_format(output, "%s\n", key->text);
        return;
    }
    if (ledger->format == SCRIM_FORMAT_TABLE) {
        sc_output_format(output,
                         "key         %s\n"
                         "algorithm   Ed25519\n"
                         "entry       %" PRIu64 "\n",
                         key->text, key->entry);
        return;
    }
    sc_json json;
    sc_json_init(&json, output);
    if (ledger->format == SCRIM_FORMAT_CSV)
        sc_listing_csv_row(output, columns, 3, cells);
    else
        sc_listing_json_row(&json, NULL, columns, 3, cells);
}

static scrim_status show_key(ledger_state *ledger, scrim_error *error)
{
    scrim_key key;
    SC_TRY(sc_vault_place_open(ledger->options, &ledger->vault, error));
    SC_TRY(scrim_vault_key(ledger->vault, &key, error));
    write_key(ledger, &ledger->output, &key);
    return sc_output_finish(&ledger->output, error);
}

/* The verb. */

/* Runs a part of the verb with at most this many words. */
static scrim_status perform(const sc_options *options, size_t words_most,
                            scrim_status (*part)(ledger_state *, scrim_error *),
                            scrim_error *error)
{
    if (options->word_count > words_most)
        return sc_refuse(error, "unknown form; use 'scrim ledger [history] [NAME]', "
                                "'scrim ledger verify [FILE]', "
                                "'scrim ledger export' or 'scrim ledger key'");
    SC_FREED ledger_state *ledger = calloc(1, sizeof *ledger);
    if (ledger == NULL)
        return sc_out_of_memory(error, "the ledger");
    ledger->options = options;
    ledger->quiet = sc_options_has(options, SCRIM_OPTION_QUIET);
    SC_TRY(sc_options_screen(options, &ledger->terminal, &ledger->format, error));
    sc_options_abridge(options, &ledger->terminal);
    sc_output_init_screen(&ledger->output, STDOUT_FILENO, ledger->format);
    const scrim_status status = part(ledger, error);
    scrim_vault_close(ledger->vault);
    return status;
}

static scrim_status show_named(ledger_state *ledger, scrim_error *error)
{
    const sc_options *options = ledger->options;
    return show_history(ledger, options->word_count > 2 ? options->words[2] : NULL,
                        error);
}

static scrim_status run_history(const sc_options *options, scrim_error *error)
{
    return perform(options, 3, show_named, error);
}

static scrim_status run_verify(const sc_options *options, scrim_error *error)
{
    return options->word_count > 2 ? perform(options, 3, verify_export, error)
                                   : perform(options, 2, verify, error);
}

static scrim_status run_export(const sc_options *options, scrim_error *error)
{
    return perform(options, 2, export_entries, error);
}

static scrim_status run_key(const sc_options *options, scrim_error *error)
{
    return perform(options, 2, show_key, error);
}

static const sc_command commands[] = {
    {.name = "history",
     .kind = SC_COMMAND_LOOK,
     .options = SC_OPTION_SET(OF_HISTORY),
     .run = run_history},
    {.name = "verify",
     .kind = SC_COMMAND_LOOK,
     .options = SC_OPTION_SET(SCRIM_OPTION_KEY, SCRIM_OPTION_HEAD),
     .run = run_verify},
    {.name = "export", .kind = SC_COMMAND_LOOK, .run = run_export},
    {.name = "key", .kind = SC_COMMAND_LOOK, .run = run_key}};

static const sc_command *command_at(size_t index)
{
    return index < sizeof commands / sizeof *commands ? &commands[index] : NULL;
}

static const char *command_name_at(size_t index)
{
    const sc_command *command = command_at(index);
    return command == NULL ? NULL : command->name;
}

/* Without a subcommand the first word is a dataset, or a subcommand that was misspelt. */
static scrim_status show_any(ledger_state *ledger, scrim_error *error)
{
    const sc_options *options = ledger->options;
    const char *name = options->word_count > 1 ? options->words[1] : NULL;
    const char *meant = name == NULL ? NULL : sc_nearest_name(name, command_name_at);
    const scrim_status status = show_history(ledger, name, error);
    if (status == SCRIM_E_PARAM && meant != NULL &&
        strcmp(error->parameter, "dataset") == 0)
        return sc_refuse(error, "unknown dataset '%s'; did you mean 'scrim ledger %s'?",
                         name, meant);
    return status;
}

static scrim_status run_ledger(const sc_options *options, scrim_error *error)
{
    return perform(options, 2, show_any, error);
}

/* Filters are for the history alone, and proofs for verify. */
static scrim_status advise(const sc_options *options, scrim_error *error)
{
    const sc_command *command =
        options->word_count < 2 ? NULL : sc_command_find(command_at, options->words[1]);
    const bool is_verify = command != NULL && command->run == run_verify;
    const bool is_history = command == NULL || command->run == run_history;
    for (sc_option_set set = SC_OPTION_SET(OF_HISTORY);
         !is_history && *set != SCRIM_OPTION_KINDS; set++)
        if (sc_options_has(options, *set))
            return sc_refuse(error, "%s needs the history", sc_option_name(*set));
    if (sc_options_has(options, SCRIM_OPTION_HEAD) && !is_verify)
        return sc_refuse(error, "--head is for 'scrim ledger verify'");
    return sc_options_has(options, SCRIM_OPTION_KEY) &&
                   !(is_verify && options->word_count > 2)
               ? sc_refuse(error, "--key is for 'scrim ledger verify FILE --key KEY'")
               : SCRIM_OK;
}

const sc_verb sc_verb_ledger = {
    .name = "ledger",
    .synopsis = "[history] [NAME] | verify [FILE] | export | key [OPTION...]",
    .summary = "List charges, verify the ledger, export it",
    .usage =
        "  history [NAME] list the charges of one dataset, or of all; this is the "
        "default\n"
        "                 'pending': ask the same query again to finish it, free\n"
        "                 'charged': it was interrupted and has no answer\n"
        "  verify         recompute the hash chain, every charge and every total from\n"
        "                 the entries; the status is 7 if anything is wrong. With the\n"
        "                 FILE of an export it checks that and its signature, and needs\n"
        "                 no vault\n"
        "  export         write the entries as JSON, one per line, so that another\n"
        "                 program can verify them; the vault's key signs the last line.\n"
        "                 Answers are in the owner's export only; others get their\n"
        "                 digests\n"
        "  key            print the public key of the vault; publish it, so that\n"
        "                 'scrim report verify --key' can check labels without the "
        "vault\n"
        "\n"
        "  --analyst A    only charges of this analyst, and answers shown to them\n"
        "  --since DATE   only charges from this time on, UTC: 2026-11-01 or\n"
        "                 2026-11-01T12:30:00Z\n"
        "  --until DATE   only charges up to this time; a day counts whole\n"
        "  --verbose      show times, versions and whole questions in a table\n"
        "  --key KEY      for verify FILE: the public key that 'scrim ledger key' "
        "prints,\n"
        "                 or a file that holds it\n"
        "  --head HASH    for verify: a head that you noted earlier; the ledger must\n"
        "                 contain it\n" SC_USAGE_VAULT
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json         short for --format json\n"
        "  --all          show all rows of a long table; page by page on a terminal\n"
        "  --quiet        show neither progress nor a count on standard error\n"
        "\n"
        "example: scrim ledger verify\n"
        "example: scrim ledger --since 2026-01-01 --until 2026-12-31 --verbose\n",
    .kind = SC_COMMAND_LOOK,
    .options = SC_OPTION_SET(OF_HISTORY),
    .advise = advise,
    .command = command_at,
    .run = run_ledger,
};
