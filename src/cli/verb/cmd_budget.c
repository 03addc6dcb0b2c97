/* scrim budget [NAME] */
#include "cli/display/notes.h"
#include "cli/terminal/complaint.h"
#include "cli/vault/budget_writer.h"
#include "cli/vault/vault_place.h"
#include "cli/verb/verbs.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct budget_state {
    sc_format format;
    bool quiet;
    sc_terminal terminal;
    scrim_vault *vault;
    sc_budget_rows rows;
    sc_output output, talk;
} budget_state;

static scrim_status read_request(budget_state *budget, const sc_options *options,
                                 scrim_error *error)
{
    if (options->word_count > 2)
        return sc_refuse(error,
                         "name one population or dataset, or leave it out for all");
    budget->quiet = sc_options_has(options, SCRIM_OPTION_QUIET);
    return sc_options_screen(options, &budget->terminal, &budget->format, error);
}

static void write_note(const budget_state *budget, sc_output *output,
                       const sc_terminal *terminal)
{
    const size_t begin = sc_fold_begin(output);
    sc_budget_note_write(output, &budget->rows);
    sc_fold_end(output, begin, terminal->columns);
}

/* For people the note stands below the table. */
static scrim_status show(budget_state *budget, scrim_error *error)
{
    const bool is_table = budget->format == SCRIM_FORMAT_TABLE;
    sc_output_init_screen(&budget->output, STDOUT_FILENO, budget->format);
    SC_TRY(sc_budget_write(&budget->output, &budget->rows, budget->format,
                           &budget->terminal, error));
    if (is_table && !budget->quiet)
        write_note(budget, &budget->output, &budget->terminal);
    SC_TRY(sc_output_finish(&budget->output, error));
    if (is_table || budget->quiet || budget->format == SCRIM_FORMAT_JSON)
        return SCRIM_OK;
    sc_terminal beside;
    sc_terminal_look(STDERR_FILENO, &beside);
    sc_output_init_screen(&budget->talk, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    write_note(budget, &budget->talk, &beside);
    return sc_output_finish(&budget->talk, error);
}

static scrim_status run_budget(const sc_options *options, scrim_error *error)
{
    budget_state *budget = calloc(1, sizeof *budget);
    if (budget == NULL)
        return sc_out_of_memory(error, "the budgets");
    scrim_status status = read_request(budget, options, error);
    if (status == SCRIM_OK)
        status = sc_vault_place_open(options, &budget->vault, error);
    if (status == SCRIM_OK)
        status = sc_budget_rows_get(budget->vault,
                                    options->word_count > 1 ? options->words[1] : NULL,
                                    &budget->rows, error);
    if (status == SCRIM_OK)
        status = show(budget, error);
    sc_budget_rows_clear(&budget->rows);
    scrim_vault_close(budget->vault);
    free(budget);
    return status;
}

const sc_verb sc_verb_budget = {
    .name = "budget",
    .synopsis = "[NAME] [OPTION...]",
    .summary = "Show what is left, by population and analyst, with a forecast",
    .usage =
        "NAME is a population, or a dataset about it; without NAME all are shown. Each\n"
        "row shows the limit, what is spent and what is left. Amounts left are rounded\n"
        "down. Analysts with a share have a limit of their own. The forecast says how\n"
        "many more charges like the last ones would fit. A budget is never renewed.\n"
        "\n" SC_USAGE_VAULT
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json         short for --format json\n"
        "  --quiet        show the rows only, without shares, caps, forecast and notes\n"
        "\n"
        "example: scrim budget adult\n",
    .kind = SC_COMMAND_LOOK,

    .run = run_budget,
};
