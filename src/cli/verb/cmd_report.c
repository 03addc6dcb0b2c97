/* scrim report RELEASE | all | verify FILE | compare A B */
#include "cli/release/all_releases.h"
#include "cli/release/file_proof.h"
#include "cli/release/report_html.h"
#include "cli/release/report_text.h"
#include "cli/release/report_verify.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"
#include "cli/terminal/whole_file.h"
#include "cli/vault/vault_place.h"
#include "cli/verb/verbs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_BYTES ((size_t)1 << 30)

typedef struct report_state {
    const sc_options *options;
    sc_format format; /* of what goes to standard output */
    sc_terminal terminal;
    scrim_vault *vault;
    uint64_t id; /* of the label made last */
    scrim_label *label, *other;
    sc_whole_file file, beside;
    sc_key_option key;
    sc_output output, draft;
} report_state;

static scrim_status make_label(report_state *report, const char *word, scrim_label **out,
                               scrim_error *error)
{
    scrim_status status = sc_release_number_parse(word, &report->id, error);
    if (status == SCRIM_OK && report->vault == NULL)
        status = sc_vault_place_open(report->options, &report->vault, error);
    if (status == SCRIM_OK)
        status = scrim_label_new(report->vault, report->id, out, error);
    if (status != SCRIM_OK && error->reason == SCRIM_REASON_OPEN)
        sc_complaint_append(error, "; 'scrim replay %s' shows its answers", word);
    return status;
}

/* The label of a release. */

static void write_label(report_state *report)
{
    switch (report->format) {
    case SCRIM_FORMAT_TABLE:
        sc_report_text_write(&report->output, report->label, &report->terminal);
        break;
    case SCRIM_FORMAT_CSV:
        sc_report_csv_write(&report->output, report->label);
        break;
    case SCRIM_FORMAT_JSON:
    case SCRIM_FORMAT_JSONL:
        sc_report_json_write(&report->output, report->label);
        break;
    }
}

/* Files. */

static scrim_status write_html(report_state *report, const char *path, scrim_error *error)
{
    return sc_label_page_write(report->vault, report->id, path, error);
}

static void put_yaml(const void *label, sc_output *output)
{
    sc_report_yaml_write(output, label);
}

static scrim_status write_yaml(report_state *report, const char *path, scrim_error *error)
{
    return sc_file_write("--yaml", path, put_yaml, report->label, error);
}

static const struct {
    sc_option option;
    scrim_status (*write)(report_state *report, const char *path, scrim_error *error);
} files[] = {{SCRIM_OPTION_HTML, write_html}, {SCRIM_OPTION_YAML, write_yaml}};
#define FILES (sizeof files / sizeof *files)

static const char *path_of(const report_state *report, sc_option option)
{
    const char *path = report->options->value[option];
    return path != NULL && strcmp(path, "-") == 0 ? sc_standard_output : path;
}

/* A program with the rights of another user writes no file. */
static scrim_status advise_output(scrim_status status, const char *option,
                                  scrim_error *error)
{
    if (status == SCRIM_E_POLICY)
        sc_complaint_append(error,
                            "; this program may write no file by name, '%s -' "
                            "writes to standard output",
                            option);
    return status;
}

/* Checks all files that will be written first, so that none is written if one cannot be. */
static scrim_status check_files(const report_state *report, bool is_shown,
                                scrim_error *error)
{
    int shown = is_shown;
    for (size_t i = 0; i < FILES; i++) {
        const char *path = path_of(report, files[i].option);
        shown += path == sc_standard_output;
        if (path != NULL)
            SC_TRY(advise_output(
                sc_file_writer_check(sc_option_name(files[i].option), path, error),
                sc_option_name(files[i].option), error));
    }
    if (shown > 1)
        return sc_refuse(error, "only one of --html -, --yaml - and --format can go to "
                                "standard output; name a file for the others");
    return SCRIM_OK;
}

static scrim_status write_files(report_state *report, bool *has_any, scrim_error *error)
{
    *has_any = false;
    for (size_t i = 0; i < FILES; i++) {
        const char *path = path_of(report, files[i].option);
        if (path == NULL)
            continue;
        *has_any = true;
        SC_TRY(files[i].write(report, path, error));
    }
    return SCRIM_OK;
}

/* A page that goes to a file is not shown as well, unless that is asked for. */
static scrim_status show(report_state *report, scrim_error *error)
{
    const bool is_asked = sc_options_has(report->options, SCRIM_OPTION_FORMAT) ||
                          sc_options_has(report->options, SCRIM_OPTION_JSON);
    bool has_files = false;
    SC_TRY(check_files(report, is_asked, error));
    SC_TRY(make_label(report, report->options->words[1], &report->label, error));
    SC_TRY(write_files(report, &has_files, error));
    if (has_files && !is_asked)
        return SCRIM_OK;
    write_label(report);
    return sc_output_finish(&report->output, error);
}

/* A label in a file. */

/* A verdict against the file is an answer too, for programs that read it; people get the message.
 * The verdict stays, also where it cannot be shown. */
static scrim_status refuse(report_state *report, const scrim_error *error)
{
    scrim_error none;
    sc_report_verdict_refuse(&report->output, report->format, error->message);
    const scrim_status shown = sc_output_finish(&report->output, &none);
    (void)shown;
    return SCRIM_E_CHECK;
}

static scrim_status open_proof(report_state *report, sc_report_proof *out,
                               scrim_error *error)
{
    SC_TRY(sc_key_option_read(report->options, &report->key, error));
    SC_TRY(sc_proof_vault_open(report->options, &report->vault, error));
    *out = (sc_report_proof){.vault = report->vault, .key = report->key.text};
    return SCRIM_OK;
}

/* The label is in the file, or beside it. */
static scrim_status verify_file(report_state *report, const char *path,
                                const sc_report_proof *proof, sc_report_verdict *verdict,
                                scrim_error *error)
{
    sc_whole_file_clear(&report->file);
    sc_whole_file_clear(&report->beside);
    SC_TRY(sc_whole_file_read(path, FILE_BYTES, &report->file, error));
    SC_TRY(sc_label_beside_read(path, &report->beside, error));
    const scrim_status status =
        sc_report_verify(report->file.bytes, report->file.count, proof, verdict, error);
    return status == SCRIM_E_SYNTAX && report->beside.bytes != NULL
               ? sc_report_verify_beside(report->file.bytes, report->file.count,
                                         report->beside.bytes, report->beside.count,
                                         proof, verdict, error)
               : status;
}

static scrim_status verify(report_state *report, scrim_error *error)
{
    sc_report_proof proof;
    SC_OWNED(sc_report_verdict_clear) sc_report_verdict verdict = {.label = NULL};
    SC_TRY(open_proof(report, &proof, error));
    scrim_status status =
        verify_file(report, report->options->words[2], &proof, &verdict, error);
    if (status == SCRIM_E_CHECK)
        return refuse(report, error);
    if (status == SCRIM_OK) {
        sc_report_verdict_write(&report->output, report->format, &report->terminal,
                                &verdict);
        status = sc_output_finish(&report->output, error);
    }
    if (status == SCRIM_OK)
        status = sc_report_verdict_status(&verdict, error);
    return status;
}

/* Does it concern one file, so that the others are verified all the same? */
static bool is_of_file(scrim_status status)
{
    return status == SCRIM_E_CHECK || status == SCRIM_E_SYNTAX ||
           status == SCRIM_E_INPUT || status == SCRIM_E_LIMIT;
}

/* A line for each file. The statuses are in order, so that the largest is the worst: changed, missing, without a label. */
static scrim_status verify_files(report_state *report, scrim_error *error)
{
    const sc_options *options = report->options;
    sc_report_proof proof;
    scrim_status status = SCRIM_OK, worst = SCRIM_OK;
    size_t bad = 0;
    SC_TRY(open_proof(report, &proof, error));
    sc_report_list list = {.output = &report->output,
                           .format = report->format,
                           .terminal = &report->terminal};
    sc_report_list_open(&list);
    for (size_t i = 2; i < options->word_count && status == SCRIM_OK; i++) {
        SC_OWNED(sc_report_verdict_clear) sc_report_verdict verdict = {.label = NULL};
        scrim_error cause = {.message = ""};
        scrim_status found =
            verify_file(report, options->words[i], &proof, &verdict, &cause);
        if (found != SCRIM_OK && !is_of_file(found)) {
            *error = cause;
            status = found;
            break;
        }
        sc_report_list_add(&list, options->words[i], found == SCRIM_OK ? &verdict : NULL,
                           found == SCRIM_OK ? "" : cause.message);
        if (found == SCRIM_OK && verdict.unchecked_count > 0)
            found = SCRIM_E_CHECK;
        bad += found != SCRIM_OK;
        worst = found > worst ? found : worst;
    }
    SC_TRY(sc_report_list_close(&list, status, error));
    SC_TRY(sc_output_finish(&report->output, error));
    return worst == SCRIM_OK
               ? SCRIM_OK
               : sc_complaint_fill(error, worst, "%zu of %zu files not verified", bad,
                                   options->word_count - 2);
}

/* Two labels. */

static scrim_status compare(report_state *report, scrim_error *error)
{
    char *const *words = report->options->words;
    SC_TRY(make_label(report, words[2], &report->label, error));
    SC_TRY(make_label(report, words[3], &report->other, error));
    SC_TRY(scrim_label_compare(report->label, report->other, error));
    SC_TRY(sc_report_compare_write(&report->output, report->label, report->other,
                                   report->format, &report->terminal, error));
    return sc_output_finish(&report->output, error);
}

/* Every release of a time. */

static void say_signed(const report_state *report, const char *path, bool is_signed)
{
    if (sc_options_has(report->options, SCRIM_OPTION_QUIET))
        return;
    if (is_signed)
        sc_signed_file_say(path, SCRIM_FORMAT_TABLE);
    else
        sc_talk(
            "not signed  the vault has no key; its owner makes one with 'scrim ledger "
            "key'\n");
}

/* The page, if there is one, and what is asked for besides. */
static scrim_status write_all(report_state *report, const sc_all_releases *all,
                              const char *path, bool is_asked, scrim_error *error)
{
    bool is_signed = false;
    if (path == sc_standard_output)
        return sc_all_page_show(report->vault, all, error);
    if (path != NULL) {
        SC_TRY(sc_all_page_write(report->vault, all, path, &is_signed, error));
        say_signed(report, path, is_signed);
    }
    if (path != NULL && !is_asked)
        return SCRIM_OK;
    SC_TRY(sc_all_releases_write(&report->output, all, report->format, &report->terminal,
                                 error));
    return sc_output_finish(&report->output, error);
}

static scrim_status show_all(report_state *report, scrim_error *error)
{
    const sc_options *options = report->options;
    const char *path = path_of(report, SCRIM_OPTION_HTML);
    const bool is_asked = sc_options_has(options, SCRIM_OPTION_FORMAT) ||
                          sc_options_has(options, SCRIM_OPTION_JSON);
    SC_OWNED(sc_all_releases_clear) sc_all_releases all = {0};
    if (path == sc_standard_output && is_asked)
        return sc_refuse(error, "only one of --html - and --format can go to standard "
                                "output; name a file for the page");
    if (path != NULL && path != sc_standard_output)
        SC_TRY(
            advise_output(sc_signed_file_check("--html", path, SCRIM_FORMAT_TABLE, error),
                          "--html", error));
    SC_TRY(sc_vault_place_open(options, &report->vault, error));
    SC_TRY(sc_all_releases_read(report->vault, options,
                                options->word_count > 2 ? options->words[2] : NULL, &all,
                                error));
    return write_all(report, &all, path, is_asked, error);
}

/* The verb. */

/* Runs a part of the verb that takes this many words. A label is a page everywhere; a verdict or a comparison is a
 * table for people. */
static scrim_status perform(const sc_options *options, size_t words,
                            scrim_status (*part)(report_state *, scrim_error *),
                            scrim_error *error)
{
    if (options->word_count != words)
        return sc_refuse(
            error, "use 'scrim report RELEASE', 'scrim report all [NAME]', 'scrim report "
                   "verify FILE...' or 'scrim report compare A B'; 'scrim ledger' lists "
                   "releases");
    SC_FREED report_state *report = calloc(1, sizeof *report);
    if (report == NULL)
        return sc_out_of_memory(error, "a label");
    report->options = options;
    sc_terminal_look(STDOUT_FILENO, &report->terminal);
    const bool is_page = part == show || report->terminal.is_terminal;
    SC_TRY(sc_options_format(options, is_page ? SCRIM_FORMAT_TABLE : SCRIM_FORMAT_CSV,
                             &report->format, error));
    sc_output_init_screen(&report->output, STDOUT_FILENO, report->format);
    const scrim_status status = part(report, error);
    sc_key_option_clear(&report->key);
    sc_whole_file_clear(&report->beside);
    sc_whole_file_clear(&report->file);
    scrim_label_free(report->other);
    scrim_label_free(report->label);
    scrim_vault_close(report->vault);
    return status;
}

static scrim_status run_report(const sc_options *options, scrim_error *error)
{
    return perform(options, 2, show, error);
}

static scrim_status run_verify(const sc_options *options, scrim_error *error)
{
    return options->word_count > 3
               ? perform(options, options->word_count, verify_files, error)
               : perform(options, 3, verify, error);
}

static scrim_status run_all(const sc_options *options, scrim_error *error)
{
    return perform(options, options->word_count == 3 ? 3 : 2, show_all, error);
}

static scrim_status run_compare(const sc_options *options, scrim_error *error)
{
    return perform(options, 4, compare, error);
}

static const sc_command commands[] = {
    {.name = "all",
     .kind = SC_COMMAND_LOOK,
     .options = SC_OPTION_SET(SCRIM_OPTION_HTML, SCRIM_OPTION_FROM, SCRIM_OPTION_TO,
                              SCRIM_OPTION_ANALYST),
     .run = run_all},
    {.name = "verify", .kind = SC_COMMAND_READ, .run = run_verify},
    {.name = "compare", .kind = SC_COMMAND_LOOK, .run = run_compare}};

static const sc_command *command_at(size_t index)
{
    return index < sizeof commands / sizeof *commands ? &commands[index] : NULL;
}

static scrim_status advise_verify(const sc_options *options, scrim_error *error)
{
    const bool is_verify =
        options->word_count > 1 && strcmp(options->words[1], "verify") == 0;
    return sc_options_has(options, SCRIM_OPTION_KEY) && !is_verify
               ? sc_refuse(error, "--key is for 'scrim report verify FILE --key KEY'")
               : SCRIM_OK;
}

const sc_verb sc_verb_report = {
    .name = "report",
    .synopsis = "RELEASE | all [NAME] | verify FILE | compare A B [OPTION...]",
    .summary = "Show the label of a release, or all releases of a year; verify them",
    .usage =
        "  RELEASE        show the label of a release, from the ledger and free: who is\n"
        "                 protected, what it cost and what that means, the mechanisms,\n"
        "                 bounds and keys, and what is not protected\n"
        "  all [NAME]     show every release of a time, of all budgets or of one:\n"
        "                 question, cost, who asked, who else was shown the answer, the\n"
        "                 total over time, and what all of them together let anybody\n"
        "                 conclude about one privacy unit\n"
        "  verify FILE... check a file that report wrote, in any format; or a body, a\n"
        "                 file of 'scrim synth' or 'scrim microdata', whose label is in\n"
        "                 it or in FILE.label. The label must be in the vault, or "
        "signed\n"
        "                 by the owner's key (--key), and every byte of the file must "
        "be\n"
        "                 as scrim wrote it. The status is 7 if a check fails or could\n"
        "                 not be made; of several files, with a line each, it is the\n"
        "                 worst one\n"
        "  compare A B    show the labels of two releases side by side; their privacy\n"
        "                 units and neighbours must be the same\n"
        "\n" SC_USAGE_VAULT
        "  --format table|csv|json|jsonl  by default a page of text; for verify and\n"
        "                 compare a table on a terminal, CSV otherwise\n"
        "  --json         short for --format json\n"
        "  --quiet        no notes on standard error\n"
        "  --html FILE    write a web page with plots of the answer; standard output\n"
        "                 stays empty unless --format is given. The page of all\n"
        "                 releases also shows what the owner changed, and is signed in\n"
        "                 FILE.label; on standard output the label is in the page\n"
        "  --from DAY, --to DAY  for all: the first and the last day, as 2026-12-31,\n"
        "                 a month, 2026-12, a quarter, 2026-Q4, or a year, 2026\n"
        "  --analyst A    for all: only releases that this analyst asked for or was "
        "shown\n"
        "  --yaml FILE    write a draft for a registry of deployments; FILE - is\n"
        "                 standard output, here and for --html\n"
        "  --key KEY      for verify: the public key that 'scrim ledger key' prints, or\n"
        "                 a file that holds it; no vault is then needed\n"
        "\n"
        "example: scrim report 12 --html label.html\n"
        "example: scrim report all --from 2026 --to 2026 --html year.html\n",
    .kind = SC_COMMAND_LOOK,
    .options = SC_OPTION_SET(SCRIM_OPTION_HTML, SCRIM_OPTION_YAML),
    .advise = advise_verify,
    .command = command_at,
    .run = run_report,
};
