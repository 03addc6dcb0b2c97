#include "cli/dataset/dataset_view.h"

#include "cli/dataset/dataset_caution.h"
#include "cli/dataset/dataset_columns.h"
#include "cli/dataset/dataset_share.h"
#include "cli/dataset/policy_draft.h"
#include "cli/display/listing.h"
#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/line_fold.h"
#include "cli/terminal/talk.h"
#include "cli/vault/budget_writer.h"
#include "cli/vault/vault_place.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static scrim_status fail_memory(scrim_error *error)
{
    return sc_out_of_memory(error, "a table");
}

/* All of them. */

static const char *given(const char *text)
{
    return text == NULL ? "" : text;
}

#define LIST_COLUMNS 7
/* A table has 80 columns: the state stands beside the version, if it is closed. */
#define TABLE_COLUMNS (LIST_COLUMNS - 1)

/* A closed version takes no queries until the next update. */
static const char *state_of(const scrim_dataset *dataset)
{
    return dataset->is_closed != 0 ? "closed" : "open";
}

/* The least columns that a path has. */
#define PATH_COLUMNS 14

/* The columns that all cells but the path take, with their lines. */
static scrim_status count_others(scrim_vault *vault, size_t *columns, scrim_error *error)
{
    size_t widest[] = {strlen("name"), strlen("population"), strlen("unit")};
    bool is_any_closed = false;
    scrim_dataset dataset;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK; i++) {
        sc_policy_draft draft = {.lines = NULL};
        status = scrim_vault_dataset(vault, i, &dataset, error);
        if (status == SCRIM_OK)
            status = sc_policy_draft_load(&draft, vault, dataset.name, error);
        const char *const texts[] = {dataset.name, dataset.population,
                                     given(sc_policy_draft_get(&draft, "unit"))};
        for (size_t k = 0; status == SCRIM_OK && k < sizeof widest / sizeof *widest; k++)
            widest[k] = strlen(texts[k]) > widest[k] ? strlen(texts[k]) : widest[k];
        is_any_closed = is_any_closed || (status == SCRIM_OK && dataset.is_closed != 0);
        sc_policy_draft_clear(&draft);
    }
    *columns = widest[0] + widest[1] + widest[2] + strlen("version") +
               (is_any_closed ? strlen("closed") : 0) + strlen("neighbours") +
               (size_t)3 * LIST_COLUMNS + 1;
    return status == SCRIM_E_PARAM ? SCRIM_OK : status; /* past the last */
}

/* Shortens a path in a table to its two ends, so that the table fits beside others; the caller frees it. NULL
 * without memory. */
static char *shown_path(const sc_listing *page, const char *path, size_t others)
{
    const size_t bytes = strlen(path) + 4, columns = page->terminal->columns;
    char *shown = malloc(bytes);
    if (shown == NULL)
        return NULL;
    if (page->format == SCRIM_FORMAT_TABLE)
        sc_cut_middle(path,
                      columns > others + PATH_COLUMNS ? columns - others : PATH_COLUMNS,
                      shown, bytes);
    else
        snprintf(shown, bytes, "%s", path);
    return shown;
}

static scrim_status list_dataset(sc_listing *page, scrim_vault *vault,
                                 const scrim_dataset *dataset, size_t others,
                                 scrim_error *error)
{
    sc_policy_draft draft = {.lines = NULL};
    char version[32];
    scrim_status status = sc_policy_draft_load(&draft, vault, dataset->name, error);
    const char *source = sc_policy_draft_source(&draft);
    const char *path = source == NULL ? ""
                       : strcmp(source, "live") == 0
                           ? source
                           : sc_policy_draft_get(&draft, source);
    char *shown = shown_path(page, path, others);
    snprintf(version, sizeof version, "%" PRIu64 "%s", dataset->version,
             page->format == SCRIM_FORMAT_TABLE && dataset->is_closed != 0 ? " closed"
                                                                           : "");
    const char *const texts[LIST_COLUMNS] = {
        dataset->name,
        version,
        dataset->population,
        given(sc_policy_draft_get(&draft, "neighbours")),
        given(sc_policy_draft_get(&draft, "unit")),
        shown,
        state_of(dataset)};
    if (status == SCRIM_OK && shown == NULL)
        status = fail_memory(error);
    if (status == SCRIM_OK)
        sc_listing_add(page, texts);
    free(shown);
    sc_policy_draft_clear(&draft);
    return status;
}

scrim_status sc_dataset_list(scrim_vault *vault, const sc_options *options,
                             scrim_error *error)
{
    static const sc_listing_column columns[LIST_COLUMNS] = {
        {.name = "name"},       {"version", SC_KIND_NUMBER},
        {.name = "population"}, {.name = "neighbours"},
        {.name = "unit"},       {.name = "source"},
        {.name = "state"}};
    sc_listing *page = NULL;
    scrim_dataset dataset;
    size_t others = 0;
    scrim_status status = count_others(vault, &others, error);
    if (status == SCRIM_OK)
        status = sc_page_new(options, columns, LIST_COLUMNS, &page, error);
    if (status != SCRIM_OK)
        return status;
    if (page->format == SCRIM_FORMAT_TABLE)
        page->column_count = TABLE_COLUMNS;
    for (size_t i = 0; status == SCRIM_OK; i++) {
        status = scrim_vault_dataset(vault, i, &dataset, error);
        if (status == SCRIM_OK)
            status = list_dataset(page, vault, &dataset, others, error);
    }
    return sc_page_end(page, status == SCRIM_E_PARAM ? SCRIM_OK : status, error);
}

/* One of them. */

static void add_line(sc_listing *page, const char *key, const char *value)
{
    sc_listing_add(page, (const char *[]){key, value});
}

/* The budget is the population's, which another dataset may have declared. */
static scrim_status add_budget(sc_listing *page, scrim_vault *vault,
                               const char *population, scrim_error *error)
{
    scrim_budget budget;
    char text[2 * SCRIM_NUMBER_BYTES + 32];
    const scrim_status status = sc_budget_find(vault, population, NULL, &budget, error);
    if (status != SCRIM_OK)
        return status;
    snprintf(text, sizeof text, "epsilon=%s,delta=%s", budget.epsilon, budget.delta);
    sc_delta_shorten(text);
    add_line(page, "budget", text);
    add_line(page, "accounting", budget.accounting);
    return SCRIM_OK;
}

/* Limits that a policy leaves out are 1, and are shown as if they stood there. */
typedef struct limit {
    const char *key;
    bool is_said;
} limit;

/* Earlier versions kept the size of a source and its time; they are for the owner alone. */
static bool is_for_owner(const char *key, const char *value)
{
    return strcmp(key, "contents") == 0 && strncmp(value, "bytes=", 6) == 0;
}

/* The rows of a public table, in place of its cells: by the cells of its first column. shown is the table whose
 * rows were shown last, up to its sign. */
static void add_rows(sc_listing *page, const char *value, const char **shown)
{
    const size_t name = strcspn(value, "=") + 1;
    const char *cells = strchr(value + name, '=');
    char text[SCRIM_NAME_BYTES + 160];
    size_t rows = 1;
    bool is_quoted = false;
    if (cells == NULL || (*shown != NULL && strncmp(*shown, value, name) == 0))
        return;
    for (const char *at = cells + 1; *at != '\0'; at++) {
        is_quoted ^= *at == '"';
        rows += *at == ',' && !is_quoted;
    }
    snprintf(text, sizeof text, "%.*s%zu", (int)name, value, rows);
    add_line(page, "join-rows", text);
    *shown = value;
}

/* The lines of the kept text, as they stand there, but for the cells of public tables. */
static void add_policy(sc_listing *page, char *text, bool is_owned)
{
    limit limits[4] = {{"max-groups", false},
                       {"max-rows", false},
                       {"max-total-rows", false},
                       {"rows-per-unit", false}};
    char *rest = NULL;
    const char *shown = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        line += strspn(line, " \t");
        const size_t bytes = strcspn(line, "= \t");
        if (line[0] == '#' || line[0] == '\0')
            continue;
        char *value = line[bytes] == '\0' ? line + bytes : line + bytes + 1;
        line[bytes] = '\0';
        for (size_t i = 0; i < 4; i++)
            limits[i].is_said = limits[i].is_said || strcmp(line, limits[i].key) == 0;
        value += strspn(value, " \t");
        if (strcmp(line, "join-cells") == 0)
            add_rows(page, value, &shown);
        else if (strcmp(line, "budget") != 0 && strcmp(line, "accounting") != 0 &&
                 strcmp(line, "population") != 0 &&
                 (is_owned || !is_for_owner(line, value)))
            add_line(page, line, value);
    }
    for (size_t i = 0; i < 2; i++)
        if (!limits[i].is_said && !limits[2].is_said && !limits[3].is_said)
            add_line(page, limits[i].key, "1");
}

static void add_share(void *context, const char *share)
{
    add_line(context, "share", share);
}

static scrim_status show_lines(scrim_vault *vault, const scrim_dataset *dataset,
                               sc_listing *page, scrim_error *error)
{
    char version[24], *text = NULL;
    scrim_status status = SCRIM_OK;
    snprintf(version, sizeof version, "%" PRIu64, dataset->version);
    add_line(page, "name", dataset->name);
    add_line(page, "version", version);
    add_line(page, "state", state_of(dataset));
    add_line(page, "population", dataset->population);
    status = add_budget(page, vault, dataset->population, error);
    if (status == SCRIM_OK)
        status = scrim_vault_policy(vault, dataset->name, &text, error);
    if (status == SCRIM_OK)
        add_policy(page, text, scrim_vault_is_owned(vault) != 0);
    scrim_vault_text_free(text);
    if (status == SCRIM_OK)
        status =
            sc_dataset_shares_tell(vault, dataset->population, add_share, page, error);
    return sc_page_end(page, status, error);
}

static void say_share(void *context, const char *share)
{
    (void)context;
    sc_talk("share       %s\n", share);
}

/* For people: the columns, and sentences. */
static scrim_status show_columns(scrim_vault *vault, const scrim_dataset *dataset,
                                 sc_listing *page, bool is_quiet, scrim_error *error)
{
    sc_policy_draft draft = {.lines = NULL};
    scrim_budget budget;
    scrim_status status =
        sc_budget_find(vault, dataset->population, NULL, &budget, error);
    if (status == SCRIM_OK)
        status = sc_policy_draft_load(&draft, vault, dataset->name, error);
    if (status == SCRIM_OK && !sc_dataset_columns_add(page, &draft))
        status = fail_memory(error);
    status = sc_page_end(page, status, error);
    if (status == SCRIM_OK && !is_quiet) {
        sc_dataset_columns_say(dataset, &budget, &draft);
        status =
            sc_dataset_shares_tell(vault, dataset->population, say_share, NULL, error);
    }
    sc_policy_draft_clear(&draft);
    return status;
}

static scrim_status write_policy(const sc_policy_draft *draft, const char *path,
                                 sc_output *output, scrim_error *error)
{
    sc_file_writer file;
    if (strcmp(path, "-") == 0) {
        sc_output_init(output, STDOUT_FILENO);
        sc_policy_draft_write(draft, output);
        return sc_output_finish(output, error);
    }
    scrim_status status = sc_file_writer_open(&file, "--policy", path, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_init(output, file.descriptor);
    sc_policy_draft_write(draft, output);
    return sc_file_writer_close(&file, output, error);
}

static scrim_status show_policy(scrim_vault *vault, const char *name, const char *path,
                                scrim_error *error)
{
    sc_policy_draft draft = {.lines = NULL};
    sc_output *output = malloc(sizeof *output);
    scrim_status status = output == NULL ? fail_memory(error) : SCRIM_OK;
    if (status == SCRIM_OK)
        status = sc_policy_draft_load(&draft, vault, name, error);
    if (status == SCRIM_OK)
        status = write_policy(&draft, path, output, error);
    sc_policy_draft_clear(&draft);
    free(output);
    return status;
}

static scrim_status show(scrim_vault *vault, const scrim_dataset *dataset,
                         const sc_options *options, scrim_error *error)
{
    static const sc_listing_column lines[] = {{.name = "key"}, {.name = "value"}};
    sc_listing *page = NULL;
    scrim_status status = sc_page_new(options, lines, 2, &page, error);
    if (status != SCRIM_OK)
        return status;
    const bool is_table = page->format == SCRIM_FORMAT_TABLE;
    if (is_table) {
        page->columns = sc_dataset_columns;
        page->column_count = SC_DATASET_COLUMNS;
    }
    status = is_table ? show_columns(vault, dataset, page,
                                     sc_options_has(options, SCRIM_OPTION_QUIET), error)
                      : show_lines(vault, dataset, page, error);
    return status == SCRIM_OK
               ? sc_dataset_caution_shares(vault, dataset->population, error)
               : status;
}

scrim_status sc_dataset_show(scrim_vault *vault, const char *name,
                             const sc_options *options, scrim_error *error)
{
    const char *path = options->value[SCRIM_OPTION_POLICY];
    scrim_dataset dataset;
    scrim_status status = sc_dataset_find(vault, name, &dataset, error);
    if (status != SCRIM_OK)
        return status;
    return path == NULL ? show(vault, &dataset, options, error)
                        : show_policy(vault, dataset.name, path, error);
}
