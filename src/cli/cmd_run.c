/* scrim run MECHANISM key=value… < input */
#include "cli/answer_plot.h"
#include "cli/answer_writer.h"
#include "cli/complaint.h"
#include "cli/input_reader.h"
#include "cli/own_ledger.h"
#include "cli/release_note.h"
#include "cli/verbs.h"
#include "cli/word_line.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct run_state {
    scrim_measurement *measurement;
    const char *confidence;
    sc_input_form form;
    sc_format format;
    bool plot, quiet;
    sc_terminal terminal; /* where the answer goes */
    scrim_cost cost;
    scrim_certificate certificate;
    sc_own_ledger own;
    sc_input_values values;
    scrim_answer *answer;
    sc_output output; /* standard output */
    sc_output talk;   /* standard error */
} run_state;

/* What was asked for: all of it is looked at before any data is. */

static scrim_status open_measurement(run_state *run, const sc_options *options,
                                     scrim_error *error)
{
    char *line = sc_word_line(options->words + 1, options->word_count - 1);
    if (line == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "no memory for the arguments");
    scrim_status status = scrim_measurement_parse(line, &run->measurement, error);
    if (status == SCRIM_OK)
        status = scrim_measurement_cost(run->measurement, &run->cost, error);
    free(line);
    return status;
}

static scrim_status read_form(run_state *run, const sc_options *options,
                              scrim_error *error)
{
    const scrim_mechanism_entry *entry = scrim_measurement_mechanism(run->measurement);
    run->form.is_rows = strcmp(entry->input, "rows") == 0;
    run->form.has_header = sc_options_has(options, SCRIM_OPTION_HEADER);
    run->form.has_labels = sc_options_has(options, SCRIM_OPTION_LABELS);
    run->form.count = scrim_measurement_size(run->measurement);
    if (run->form.is_rows && run->form.has_labels)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "%s reads rows, and rows are private: --labels is for "
                                 "values with public names",
                                 entry->name);
    return SCRIM_OK;
}

/* The accuracy on an input of so many values. The number of rows may be private, and nothing
 * that is shown may depend on it. */
static scrim_status certify(run_state *run, size_t count, scrim_error *error)
{
    return scrim_measurement_certify(run->measurement, run->confidence,
                                     run->form.is_rows ? 1 : count, &run->certificate,
                                     error);
}

/* A confidence that is none is noticed before data are read, wherever one value would do: were
 * it one that is, and there still no certificate, another number of values is needed. */
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

static scrim_status read_request(run_state *run, const sc_options *options,
                                 scrim_error *error)
{
    if (options->word_count < 2)
        return sc_complaint_fill(
            error, SCRIM_E_PARAM,
            "name a mechanism, as in 'scrim run laplace sensitivity=1 epsilon=1/10 "
            "neighbours=add-remove'; 'scrim list mechanisms' shows them");
    if (sc_options_has(options, SCRIM_OPTION_CHARGE))
        return sc_complaint_fill(error, SCRIM_E_LEDGER,
                                 "--charge: there is no vault to charge yet; without it "
                                 "the release has a ledger of its own");
    sc_terminal_look(STDOUT_FILENO, &run->terminal);
    run->plot = sc_options_has(options, SCRIM_OPTION_PLOT);
    run->quiet = sc_options_has(options, SCRIM_OPTION_QUIET);
    run->confidence = sc_options_has(options, SCRIM_OPTION_CONFIDENCE)
                          ? options->value[SCRIM_OPTION_CONFIDENCE]
                          : "0.95";
    scrim_status status = sc_options_format(
        options, run->terminal.is_terminal ? SCRIM_FORMAT_TABLE : SCRIM_FORMAT_CSV,
        &run->format, error);
    if (status == SCRIM_OK)
        status = open_measurement(run, options, error);
    if (status == SCRIM_OK)
        status = read_form(run, options, error);
    if (status == SCRIM_OK)
        status = check_confidence(run, error);
    if (status == SCRIM_OK)
        status = sc_own_ledger_open(&run->cost, options, &run->own, error);
    return status;
}

/* The release. */

static scrim_status read_values(run_state *run, scrim_error *error)
{
    if (!run->quiet && isatty(STDIN_FILENO) == 1) {
        sc_output_init(&run->talk, STDERR_FILENO);
        sc_output_text(&run->talk, "values, one a line; Ctrl-D ends them\n");
        sc_output_flush(&run->talk);
    }
    return sc_input_read(STDIN_FILENO, &run->form, !run->quiet, &run->values, error);
}

static scrim_status make_release(run_state *run, scrim_error *error)
{
    const scrim_input input = {.texts = run->values.texts, .count = run->values.count};
    scrim_status status = certify(run, run->values.count, error);
    if (status == SCRIM_OK)
        status =
            scrim_release(run->own.ledger, run->measurement, &input, &run->answer, error);
    return status;
}

/* Showing it. */

/* The plot, where it is not shown in place of the answer, and the note. */
static scrim_status write_talk(run_state *run, const sc_answer_sheet *sheet, bool plots,
                               scrim_error *error)
{
    sc_terminal beside;
    sc_terminal_look(STDERR_FILENO, &beside);
    sc_output_init(&run->talk, STDERR_FILENO);
    if (plots)
        sc_answer_plot_write(&run->talk, sheet, &beside);
    if (!run->quiet && run->format != SCRIM_FORMAT_JSON)
        sc_release_note_write(&run->talk, run->measurement, &run->cost,
                              &run->certificate);
    return sc_output_finish(&run->talk, error);
}

static scrim_status show_answer(run_state *run, scrim_error *error)
{
    const sc_answer_sheet sheet = {
        .answer = run->answer,
        .certificate = &run->certificate,
        .measurement = scrim_measurement_text(run->measurement),
        .source = run->measurement,
        .labels = run->values.labels,
        .label_count = run->values.count,
        .name = run->values.name,
        .label_name = run->values.label_name,
    };
    scrim_status status = SCRIM_OK;
    bool plots = run->plot && sc_answer_plot_is_possible(&sheet);
    bool in_place = plots && run->terminal.is_terminal;
    sc_output_init(&run->output, STDOUT_FILENO);
    if (in_place)
        sc_answer_plot_write(&run->output, &sheet, &run->terminal);
    else
        status =
            sc_answer_write(&run->output, &sheet, run->format, &run->terminal, error);
    if (status == SCRIM_OK)
        status = sc_output_finish(&run->output, error);
    if (status == SCRIM_OK)
        status = write_talk(run, &sheet, plots && !in_place, error);
    return status;
}

static scrim_status run_run(const sc_options *options, scrim_error *error)
{
    run_state *run = calloc(1, sizeof *run);
    if (run == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "no memory to run in");
    scrim_status status = read_request(run, options, error);
    if (status == SCRIM_OK)
        status = read_values(run, error);
    if (status == SCRIM_OK)
        status = make_release(run, error);
    if (status == SCRIM_OK)
        status = show_answer(run, error);
    scrim_answer_free(run->answer);
    sc_input_clear(&run->values);
    sc_own_ledger_close(&run->own);
    scrim_measurement_free(run->measurement);
    free(run);
    return status;
}

const sc_verb sc_verb_run = {
    .name = "run",
    .synopsis = "MECHANISM key=value... [OPTION...] < INPUT",
    .summary = "Any mechanism on a vector, a histogram, scores or rows as CSV",
    .usage =
        "Values are read from standard input: one a line, or one line of them separated\n"
        "by commas. What is no number counts as 0, or as the end of the range nearest "
        "to\n"
        "it. 'scrim list mechanisms' shows the mechanisms and their parameters; besides\n"
        "them neighbours=add-remove or neighbours=replace is said, or where each "
        "answers\n"
        "alone (randomised-response) neighbours=local.\n"
        "\n"
        "  --header       the first line holds names, which are public\n"
        "  --labels       lines are label,value; labels are public, and shown\n"
        "  --confidence C of the intervals, 0.95 if left out\n"
        "  --charge NAME  books the release in a vault; there is none yet\n"
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json         short for --format json\n"
        "  --plot         the numbers as bars: on a terminal in place of the table,\n"
        "                 otherwise on standard error\n"
        "  --quiet        neither progress nor the note on cost and accuracy\n"
#ifdef SCRIM_TESTING
        "  --seed N       the seed to draw from, 1 if left out: NOT PRIVATE\n"
#endif
        "\n"
        "example: echo 1234 | scrim run laplace sensitivity=1 epsilon=1/10 "
        "neighbours=add-remove\n",
    .options = SC_OPTIONS_FORMAT | SC_OPTION_BIT(SCRIM_OPTION_PLOT) |
               SC_OPTION_BIT(SCRIM_OPTION_HEADER) | SC_OPTION_BIT(SCRIM_OPTION_LABELS) |
               SC_OPTION_BIT(SCRIM_OPTION_CONFIDENCE) |
               SC_OPTION_BIT(SCRIM_OPTION_CHARGE) |
#ifdef SCRIM_TESTING
               SC_OPTION_BIT(SCRIM_OPTION_SEED) |
#endif
               SC_OPTION_BIT(SCRIM_OPTION_QUIET),
    .run = run_run,
};
