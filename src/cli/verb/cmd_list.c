/* scrim list [mechanisms|distributions|verbs] */
#include "cli/terminal/box.h"
#include "cli/terminal/complaint.h"
#include "cli/verb/verbs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rows of a listing: at most SC_BOX_COLUMNS texts each, none of them ours to free. */
typedef struct listing {
    const char *const *columns;
    size_t column_count;
    const char **cells;
    size_t row_count;
} listing;

static size_t count_mechanisms(void)
{
    size_t count = 0;
    while (scrim_mechanism_at(count) != NULL)
        count++;
    return count;
}

static size_t count_distributions(void)
{
    size_t count = 0;
    while (scrim_distribution_at(count) != NULL)
        count++;
    return count;
}

static size_t count_verbs(void)
{
    size_t count = 0;
    while (sc_verb_at(count) != NULL)
        count++;
    return count;
}

static void add_row(listing *rows, const char *const *cells)
{
    memcpy(rows->cells + rows->row_count * rows->column_count, cells,
           rows->column_count * sizeof cells[0]);
    rows->row_count++;
}

static void write_listing(sc_output *output, const listing *rows, sc_format format,
                          const sc_terminal *terminal)
{
    sc_box box = {rows->columns, rows->column_count, rows->cells, rows->row_count};
    sc_box_write(output, &box, format, terminal);
}

static void list_mechanisms(sc_output *output, const char **cells, sc_format format,
                            const sc_terminal *terminal)
{
    static const char *const columns[] = {"name", "parameters", "input", "claim",
                                          "reference"};
    listing rows = {columns, 5, cells, 0};
    const scrim_mechanism_entry *entry;
    for (size_t index = 0; (entry = scrim_mechanism_at(index)) != NULL; index++)
        add_row(&rows, (const char *[]){entry->name, entry->parameters, entry->input,
                                        entry->claim, entry->reference});
    write_listing(output, &rows, format, terminal);
}

static void list_distributions(sc_output *output, const char **cells, sc_format format,
                               const sc_terminal *terminal)
{
    static const char *const columns[] = {"name", "parameters", "law", "domain"};
    listing rows = {columns, 4, cells, 0};
    const scrim_distribution_entry *entry;
    for (size_t index = 0; (entry = scrim_distribution_at(index)) != NULL; index++)
        add_row(&rows, (const char *[]){entry->name, entry->parameters, entry->law,
                                        entry->domain});
    write_listing(output, &rows, format, terminal);
}

static void list_verbs(sc_output *output, const char **cells, sc_format format,
                       const sc_terminal *terminal)
{
    static const char *const columns[] = {"name", "arguments", "summary"};
    listing rows = {columns, 3, cells, 0};
    const sc_verb *verb;
    for (size_t index = 0; (verb = sc_verb_at(index)) != NULL; index++)
        add_row(&rows, (const char *[]){verb->name, verb->synopsis, verb->summary});
    write_listing(output, &rows, format, terminal);
}

static void add_everything(listing *rows)
{
    const scrim_mechanism_entry *mechanism;
    for (size_t index = 0; (mechanism = scrim_mechanism_at(index)) != NULL; index++)
        add_row(rows, (const char *[]){"mechanism", mechanism->name,
                                       mechanism->parameters, mechanism->claim});
    const scrim_distribution_entry *entry;
    for (size_t index = 0; (entry = scrim_distribution_at(index)) != NULL; index++)
        add_row(rows, (const char *[]){"distribution", entry->name, entry->parameters,
                                       entry->law});
    const sc_verb *verb;
    for (size_t index = 0; (verb = sc_verb_at(index)) != NULL; index++)
        add_row(rows,
                (const char *[]){"verb", verb->name, verb->synopsis, verb->summary});
}

/* Everything: a box a list for people, one table with a column more for programs. */
static void list_all(sc_output *output, const char **cells, sc_format format,
                     const sc_terminal *terminal)
{
    static const char *const columns[] = {"kind", "name", "arguments", "summary"};
    if (format == SCRIM_FORMAT_TABLE) {
        sc_output_text(output, "mechanisms\n");
        list_mechanisms(output, cells, format, terminal);
        sc_output_text(output, "distributions\n");
        list_distributions(output, cells, format, terminal);
        sc_output_text(output, "verbs\n");
        list_verbs(output, cells, format, terminal);
        return;
    }
    listing rows = {columns, 4, cells, 0};
    add_everything(&rows);
    write_listing(output, &rows, format, terminal);
}

typedef void (*topic_writer)(sc_output *output, const char **cells, sc_format format,
                             const sc_terminal *terminal);

static const struct {
    const char *name;
    topic_writer write;
} topics[] = {
    {"mechanisms", list_mechanisms},
    {"distributions", list_distributions},
    {"verbs", list_verbs},
};

#define TOPICS (sizeof topics / sizeof topics[0])
#define TOPIC_NAMES "mechanisms, distributions or verbs"

static const char *topic_at(size_t index)
{
    return index < TOPICS ? topics[index].name : NULL;
}

/* Leaves out as it is when no topic is named. */
static scrim_status choose_topic(const sc_options *options, topic_writer *out,
                                 scrim_error *error)
{
    if (options->word_count > 2)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "one list at a time: " TOPIC_NAMES ", or none for all");
    if (options->word_count < 2)
        return SCRIM_OK;
    const char *word = options->words[1];
    for (size_t index = 0; index < TOPICS; index++)
        if (strcmp(word, topics[index].name) == 0) {
            *out = topics[index].write;
            return SCRIM_OK;
        }
    const char *nearest = sc_nearest_name(word, topic_at);
    return sc_complaint_fill(error, SCRIM_E_PARAM, "there is no list of '%s'; %s%s%s",
                             word,
                             nearest == NULL ? "ask for " TOPIC_NAMES : "did you mean '",
                             nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?");
}

static scrim_status run_list(const sc_options *options, scrim_error *error)
{
    sc_output output;
    sc_terminal terminal;
    sc_format format;
    topic_writer write_topic = list_all;
    sc_terminal_look(STDOUT_FILENO, &terminal);
    scrim_status status = choose_topic(options, &write_topic, error);
    if (status == SCRIM_OK)
        status = sc_options_format(
            options, terminal.is_terminal ? SCRIM_FORMAT_TABLE : SCRIM_FORMAT_CSV,
            &format, error);
    if (status != SCRIM_OK)
        return status;

    const char **cells = calloc(
        (count_mechanisms() + count_distributions() + count_verbs() + 1) * SC_BOX_COLUMNS,
        sizeof cells[0]);
    if (cells == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "no memory for the list");
    sc_output_init(&output, STDOUT_FILENO);
    write_topic(&output, cells, format, &terminal);
    free(cells);
    return sc_output_finish(&output, error);
}

const sc_verb sc_verb_list = {
    .name = "list",
    .synopsis = "[mechanisms|distributions|verbs] [OPTION...]",
    .summary = "What there is, with its parameters and claims",
    .usage = "Without an argument everything is listed.\n"
             "\n"
             "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
             "  --json                         short for --format json\n"
             "\n"
             "example: scrim list mechanisms\n",
    .options = SC_OPTIONS_FORMAT,
    .run = run_list,
};
