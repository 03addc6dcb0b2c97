/* scrim run MECHANISM key=value… < input */
#include "cli/answer/answer_show.h"
#include "cli/answer/charge_note.h"
#include "cli/answer/release_note.h"
#include "cli/answer/sheet_note.h"
#include "cli/answer/statistic_list.h"
#include "cli/mechanism/input_reader.h"
#include "cli/terminal/command.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/process.h"
#include "cli/terminal/program.h"
#include "cli/vault/budget_writer.h"
#include "cli/vault/vault_place.h"
#include "cli/verb/verbs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct run_state {
    scrim_measurement *measurement;
    const char *confidence;
    const char *dataset; /* that is charged; NULL: none */
    sc_input_form form;
    sc_answer_style style;
    scrim_cost cost;
    scrim_certificate certificate;
    sc_run_ledger book;
    sc_input_values values;
    scrim_answer *answer;
    scrim_vault_release charge; /* of a dataset */
    scrim_budget left;
    sc_output talk; /* standard error */
} run_state;

/* The request, which is checked before any data are read. */

static scrim_status open_measurement(run_state *run, const sc_options *options,
                                     scrim_error *error)
{
    SC_FREED char *line = sc_word_line(options->words + 1, options->word_count - 1);
    if (line == NULL)
        return sc_out_of_memory(error, "the arguments");
    SC_TRY(scrim_measurement_parse(line, &run->measurement, error));
    return scrim_measurement_cost(run->measurement, &run->cost, error);
}

static scrim_status read_form(run_state *run, const sc_options *options,
                              scrim_error *error)
{
    const scrim_mechanism_entry *entry = scrim_measurement_mechanism(run->measurement);
    run->form.is_rows = strcmp(entry->input, "rows") == 0 ||
                        strcmp(entry->input, "transactions") == 0 ||
                        strcmp(entry->input, "points") == 0;
    run->form.has_header = sc_options_has(options, SCRIM_OPTION_HEADER);
    run->form.has_labels = sc_options_has(options, SCRIM_OPTION_LABELS);
    run->form.count = scrim_measurement_size(run->measurement);
    run->form.row_cells = scrim_measurement_row_size(run->measurement);
    if (run->form.is_rows && run->form.has_labels)
        return sc_refuse(
            error,
            "%s reads rows, which are private; --labels is for values with public names",
            entry->name);
    return SCRIM_OK;
}

/* The accuracy on an input of that many values. The number of rows may be private, and nothing
 * that is shown may depend on it. */
static scrim_status certify(run_state *run, size_t count, scrim_error *error)
{
    return scrim_measurement_certify(run->measurement, run->confidence,
                                     run->form.is_rows ? 1 : count, &run->certificate,
                                     error);
}

/* A wrong confidence is refused before data are read, if one value is enough to find it: a valid
 * confidence without a certificate means that another number of values is needed. */
static scrim_status check_confidence(run_state *run, scrim_error *error)
{
    scrim_certificate usual;
    scrim_error none;
    scrim_status status = certify(run, 1, error);
    if (status != SCRIM_OK &&
        scrim_measurement_certify(run->measurement, "1/2", 1, &usual, &none) != SCRIM_OK)
        status = SCRIM_OK;
    return status;
}

static scrim_status check_interactive(const run_state *run, const sc_options *options,
                                      scrim_error *error)
{
    if (sc_options_has(options, SCRIM_OPTION_HEADER) ||
        sc_options_has(options, SCRIM_OPTION_LABELS) ||
        sc_options_has(options, SCRIM_OPTION_PLOT) ||
        sc_options_has(options, SCRIM_OPTION_STATISTIC))
        return sc_refuse(error,
                         "--interactive reads one value per line; leave out --header, "
                         "--labels, --plot and --statistic");
    if (run->style.format == SCRIM_FORMAT_JSON)
        return sc_refuse(error, "an interactive run has no end to wait for; use --format "
                                "csv or jsonl");
    return SCRIM_OK;
}

static scrim_status read_request(run_state *run, const sc_options *options,
                                 scrim_error *error)
{
    if (options->word_count < 2)
        return sc_refuse(
            error,
            "name a mechanism, as in 'scrim run laplace sensitivity=1 epsilon=1/10 "
            "neighbours=add-remove'; 'scrim list mechanisms' lists them");
    run->confidence = sc_options_has(options, SCRIM_OPTION_CONFIDENCE)
                          ? options->value[SCRIM_OPTION_CONFIDENCE]
                          : SC_CONFIDENCE_USUAL;
    run->dataset = options->value[SCRIM_OPTION_CHARGE];
    if (run->dataset == NULL && (options->value[SCRIM_OPTION_VAULT] != NULL ||
                                 options->value[SCRIM_OPTION_WAIT] != NULL))
        return sc_refuse(error, "--vault and --wait need --charge NAME");
    SC_TRY(sc_answer_style_read(options, &run->style, error));
    sc_options_abridge(options, &run->style.terminal);
    SC_TRY(open_measurement(run, options, error));
    if (run->style.statistics != NULL)
        SC_TRY(sc_statistic_list_check(run->measurement, run->style.statistics, error));
    SC_TRY(read_form(run, options, error));
    SC_TRY(check_confidence(run, error));
    if (sc_options_has(options, SCRIM_OPTION_INTERACTIVE))
        SC_TRY(check_interactive(run, options, error));
    return sc_run_ledger_open(&run->cost, options, &run->book, error);
}

/* The release. */

static scrim_status read_values(run_state *run, scrim_error *error)
{
    if (!run->style.quiet && isatty(STDIN_FILENO) == 1) {
        sc_output_init_screen(&run->talk, STDERR_FILENO, SCRIM_FORMAT_TABLE);
        sc_output_text(&run->talk, "type one value per line; Ctrl-D ends the input\n");
        sc_output_flush(&run->talk);
    }
    return sc_input_read(STDIN_FILENO, &run->form, !run->style.quiet, &run->values,
                         error);
}

/* The note that lets a replay show the answer in the same way. */
static char *make_note(const char *recorded, void *context)
{
    const run_state *run = context;
    scrim_answer *answer = NULL;
    sc_sheet_note note = {.confidence = run->confidence,
                          .count = run->form.is_rows ? 1 : run->values.count,
                          .name = run->values.name,
                          .label_name = run->values.label_name,
                          .label_count = run->values.count};
    if (scrim_answer_parse(run->measurement, recorded, 0, &answer, NULL) != SCRIM_OK)
        return NULL;
    char *text = NULL;
    if (sc_sheet_note_take(&note, answer, run->values.labels))
        text = sc_sheet_note_format(&note);
    scrim_answer_free(answer);
    free(note.labels);
    return text;
}

static scrim_status make_release(run_state *run, scrim_error *error)
{
    const scrim_input input = {.texts = run->values.texts, .count = run->values.count};
    char where[SC_VAULT_WORDS_BYTES];
    sc_vault_words(run->style.vault, where);
    scrim_status status = certify(run, run->values.count, error);
    if (status == SCRIM_OK && run->dataset != NULL) {
        status = scrim_vault_note_by(run->book.ledger, make_note, run, error);
        sc_last_words_set(SC_PROGRAM " run: ended while it was charging; 'scrim ledger "
                                     "%.64s%s' shows whether it was charged\n",
                          run->dataset, where);
    }
    if (status == SCRIM_OK)
        status = scrim_release(run->book.ledger, run->measurement, &input, &run->answer,
                               error);
    if (run->dataset != NULL && run->answer != NULL)
        sc_charge_last_words("run", scrim_answer_entry(run->answer), run->style.vault);
    return status;
}

/* The number in the vault, and the rest of the budget for the analyst. */
static scrim_status look_back(run_state *run, scrim_error *error)
{
    SC_TRY(scrim_vault_replay(run->book.vault, scrim_answer_entry(run->answer),
                              &run->charge, error));
    return sc_budget_find(run->book.vault, run->charge.population, run->charge.analyst,
                          &run->left, error);
}

/* An interactive run: a line in, an answer out. */

/* No line is longer, as no input is (input_reader.h): a line is taken whole or refused. */
#define LINE_BYTES ((size_t)1 << 28)
#define LINE_ROOM 4096

/* Bytes of standard input, of which lines are taken. */
typedef struct lines {
    char buffer[4096];
    size_t at, count;
    char *line;
    size_t room;
} lines;

/* Wiped: the first line may hold counts. */
static void clear_line(lines *in)
{
    if (in->line != NULL)
        explicit_bzero(in->line, in->room);
    free(in->line);
    in->line = NULL;
    in->room = 0;
}

static void free_lines(lines **in)
{
    if (*in == NULL)
        return;
    clear_line(*in);
    explicit_bzero((*in)->buffer, sizeof(*in)->buffer);
    free(*in);
}

/* Room for another byte and the end, behind `length` bytes. */
static scrim_status make_line_room(lines *in, size_t length, scrim_error *error)
{
    if (length + 2 <= in->room)
        return SCRIM_OK;
    if (length >= LINE_BYTES)
        return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                 "a line of standard input has more than %zu bytes",
                                 LINE_BYTES);
    const size_t room = in->room == 0 ? LINE_ROOM : 2 * in->room;
    char *line = malloc(room);
    if (line == NULL)
        return sc_out_of_memory(error, "the input");
    if (length > 0)
        memcpy(line, in->line, length);
    clear_line(in);
    in->line = line;
    in->room = room;
    return SCRIM_OK;
}

static scrim_status fail_reading(scrim_error *error)
{
    return sc_complaint_fill(error, SCRIM_E_INPUT, "cannot read standard input: %s",
                             strerror(errno));
}

/* More bytes; none at the end of the input. */
static scrim_status fill_lines(lines *in, scrim_error *error)
{
    ssize_t got;
    do
        got = read(STDIN_FILENO, in->buffer, sizeof in->buffer);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return fail_reading(error);
    in->at = 0;
    in->count = (size_t)got;
    return SCRIM_OK;
}

/* The next line, without its end, which the last may lack. */
static scrim_status next_line(lines *in, bool *is_there, scrim_error *error)
{
    size_t length = 0;
    for (*is_there = false;; *is_there = true) {
        if (in->at == in->count)
            SC_TRY(fill_lines(in, error));
        if (in->count == 0 || in->buffer[in->at] == '\n')
            break;
        SC_TRY(make_line_room(in, length, error));
        in->line[length++] = in->buffer[in->at++];
    }
    *is_there = *is_there || in->count > 0;
    in->at += in->count > 0; /* the end of the line */
    SC_TRY(make_line_room(in, length, error));
    in->line[length] = '\0';
    return SCRIM_OK;
}

static size_t cells_of(const char *line)
{
    size_t count = 1;
    for (; *line != '\0'; line++)
        count += *line == ',';
    return count;
}

/* The private counts of a run that is asked public queries: its first line. */
static scrim_status open_on_line(run_state *run, lines *in, scrim_run **asked,
                                 scrim_error *error)
{
    bool is_there = false;
    size_t count = 0;
    if (!run->style.quiet && isatty(STDIN_FILENO) == 1) {
        sc_output_init_screen(&run->talk, STDERR_FILENO, SCRIM_FORMAT_TABLE);
        sc_output_text(&run->talk, "type the counts in one line, separated by commas\n");
        sc_output_flush(&run->talk);
    }
    SC_TRY(next_line(in, &is_there, error));
    SC_FREED const char **texts = calloc(cells_of(in->line), sizeof *texts);
    if (texts == NULL)
        return sc_out_of_memory(error, "the input");
    char *at = in->line;
    for (bool is_more = is_there; is_more; at += strlen(at) + 1) {
        is_more = strchr(at, ',') != NULL;
        at[strcspn(at, ",")] = '\0';
        texts[count++] = at;
    }
    return scrim_run_open_on(run->book.ledger, run->measurement,
                             &(scrim_input){.texts = texts, .count = count}, asked,
                             error);
}

/* False: nobody reads any more. */
static bool write_said(sc_output *output, const run_state *run, const char *said,
                       const char *value)
{
    if (run->style.format == SCRIM_FORMAT_JSONL) {
        sc_output_text(output, "{\"answer\":\"");
        sc_output_text(output, said);
        sc_output_text(output, value[0] == '\0' ? "\",\"value\":null" : "\",\"value\":");
        sc_output_text(output, value);
        sc_output_text(output, "}\n");
    } else {
        sc_output_text(output, said);
        sc_output_text(output, ",");
        sc_output_text(output, value);
        sc_output_text(output, "\n");
    }
    return sc_output_flush(output);
}

static scrim_status answer_lines(run_state *run, scrim_run *asked, lines *in,
                                 scrim_error *error)
{
    sc_output output;
    scrim_run_answer answer = {.has_halted = 0};
    char value[SCRIM_ANSWER_BYTES];
    sc_output_init(&output, STDOUT_FILENO);
    if (run->style.format != SCRIM_FORMAT_JSONL)
        sc_output_text(&output, "answer,value\n");
    bool is_read = sc_output_flush(&output), is_there = true;
    while (is_read && !answer.has_halted) {
        SC_TRY(next_line(in, &is_there, error));
        if (!is_there)
            break;
        const scrim_status status = scrim_run_ask_text(asked, in->line, &answer, error);
        if (status == SCRIM_E_PARAM) { /* a public query: another may follow */
            sc_complaint_print("run", error, "");
            is_read = write_said(&output, run, "invalid", "");
            continue;
        }
        if (status != SCRIM_OK)
            return status;
        scrim_run_value(asked, &answer, value);
        is_read = write_said(
            &output, run, answer.kind == SCRIM_ANSWER_BELOW ? "below" : "above", value);
    }
    if (is_read && answer.has_halted)
        (void)write_said(&output, run, "halted", "");
    return sc_output_finish(&output, error);
}

static void tell_begin(run_state *run, const scrim_run *asked)
{
    if (run->style.quiet)
        return;
    sc_output_init_screen(&run->talk, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    sc_output_text(&run->talk, "cost        ");
    sc_cost_write_short(&run->talk, scrim_run_cost(asked));
    sc_output_text(&run->talk, "; charged for the whole run");
    if (run->dataset != NULL)
        sc_output_format(&run->talk, ", release %llu",
                         (unsigned long long)scrim_run_entry(asked));
    sc_output_text(&run->talk, "\n");
    if (isatty(STDIN_FILENO) == 1)
        sc_output_text(&run->talk, "type one query per line; Ctrl-D ends the run\n");
    sc_output_flush(&run->talk);
}

static scrim_status run_interactively(run_state *run, scrim_error *error)
{
    scrim_run *asked = NULL;
    __attribute__((cleanup(free_lines))) lines *in = calloc(1, sizeof *in);
    if (in == NULL)
        return sc_out_of_memory(error, "the input");
    /* A folder, and an input that is closed, are found before anything is charged. */
    if (read(STDIN_FILENO, in->buffer, 0) < 0)
        return fail_reading(error);
    scrim_status status =
        scrim_run_open(run->book.ledger, run->measurement, &asked, error);
    /* Refused before a charge: this one wants its data. */
    if (status == SCRIM_E_PARAM && error->reason == SCRIM_REASON_CONFLICT &&
        strcmp(error->parameter, "input") == 0)
        status = open_on_line(run, in, &asked, error);
    if (status == SCRIM_OK && run->dataset != NULL)
        sc_charge_last_words("run", scrim_run_entry(asked), run->style.vault);
    if (status == SCRIM_OK)
        tell_begin(run, asked);
    if (status == SCRIM_OK)
        status = answer_lines(run, asked, in, error);
    scrim_run_close(asked);
    return status;
}

/* Showing it. */

static scrim_status show_answer(run_state *run, scrim_error *error)
{
    const bool is_charged = run->dataset != NULL;
    const sc_answer_sheet sheet = {
        .answer = run->answer,
        .certificate = &run->certificate,
        .measurement = scrim_measurement_text(run->measurement),
        .source = run->measurement,
        .labels = run->values.labels,
        .label_count = run->values.count,
        .name = run->values.name,
        .label_name = run->values.label_name,
        .charge = is_charged ? &run->charge : NULL,
    };
    SC_TRY(is_charged ? look_back(run, error) : SCRIM_OK);
    return sc_answer_show(&run->style, &sheet, run->measurement,
                          is_charged ? &run->left : NULL, error);
}

static scrim_status run_at_once(run_state *run, scrim_error *error)
{
    SC_TRY(read_values(run, error));
    SC_TRY(make_release(run, error));
    return show_answer(run, error);
}

static scrim_status run_run(const sc_options *options, scrim_error *error)
{
    run_state *run = calloc(1, sizeof *run);
    if (run == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = read_request(run, options, error);
    if (status == SCRIM_OK && run->dataset != NULL) {
        sc_last_words_set(SC_PROGRAM " run: ended; nothing was charged\n");
        sc_last_words_begin();
    }
    if (status == SCRIM_OK)
        status = sc_options_has(options, SCRIM_OPTION_INTERACTIVE)
                     ? run_interactively(run, error)
                     : run_at_once(run, error);
    if (status != SCRIM_OK && run->dataset != NULL && run->answer != NULL)
        sc_charge_advise(error, scrim_answer_entry(run->answer), run->style.vault);
    scrim_vault_release_clear(&run->charge);
    scrim_answer_free(run->answer);
    sc_input_clear(&run->values);
    sc_run_ledger_close(&run->book);
    scrim_measurement_free(run->measurement);
    free(run);
    return status;
}

const sc_verb sc_verb_run = {
    .name = "run",
    .synopsis = "MECHANISM key=value... [then MECHANISM...] [OPTION...] < INPUT",
    .summary = "Run any mechanism on a vector, a histogram, scores or rows (CSV)",
    .usage =
        "Reads values from standard input: one per line, or one line of them separated\n"
        "by commas; at most 256 MiB and 16777216 values. 'scrim list mechanisms' shows\n"
        "the mechanisms and their parameters. Also give neighbours=add-remove or\n"
        "neighbours=replace; for randomised-response give neighbours=local.\n"
        "A value that is not a number counts as 0, or as the end of the range nearest\n"
        "to 0; bucket-histogram ignores such a row. Noise on several values needs\n"
        "whole=yes if each is an integer by definition, else grid=STEP size=N.\n"
        "'robust rho=R epsilon=R of MECHANISM ...' adds noise to its answers.\n"
        "'stabilise ... then MECHANISM ...' selects keys and runs the mechanism on the\n"
        "selected ones, as one release with one charge.\n"
        "\n"
        "  --header       the first line holds names, which are public\n"
        "  --labels       lines are LABEL,VALUE; labels are public, and shown, except "
        "for\n"
        "                 groups that a mechanism did not keep\n"
        "  --confidence C of the confidence intervals (default 0.95)\n"
        "  --charge NAME  charge the release to this dataset of the vault and record it\n"
        "                 for 'scrim replay'; every run draws and charges "
        "anew\n" SC_USAGE_VAULT
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json         short for --format json\n"
        "  --interactive  for sparse vector mechanisms and guess-and-check: answer each\n"
        "                 line as it comes, so that the next may depend on it. The "
        "whole\n"
        "                 run is charged first. For online-weights the first line has\n"
        "                 the counts, and each other line the coefficients of a query\n"
        "  --statistic LIST  for bucket-histogram: show these instead of its bars: max,\n"
        "                 min, range, interval, support, median, quantile=R, mode,\n"
        "                 max-k=N, total, separator; separated by commas. They cost\n"
        "                 nothing more.\n"
        "  --plot         draw the numbers as bars: on a terminal instead of the table,\n"
        "                 otherwise on standard error\n"
        "  --all          show all rows of a long table; page by page on a terminal\n"
        "  --quiet        show neither progress nor the note on cost and "
        "accuracy\n" SC_USAGE_SEED "\n"
        "example: echo 12 | scrim run laplace sensitivity=1 epsilon=1 "
        "neighbours=replace\n",
    .kind = SC_COMMAND_RELEASE,
    .options = SC_OPTION_SET(SCRIM_OPTION_ALL, SCRIM_OPTION_PLOT, SCRIM_OPTION_HEADER,
                             SCRIM_OPTION_LABELS, SCRIM_OPTION_CONFIDENCE,
                             SCRIM_OPTION_STATISTIC, SCRIM_OPTION_INTERACTIVE,
                             SCRIM_OPTION_CHARGE),
    .run = run_run,
};
