#include "cli/dataset/bound_view.h"

#include "cli/sheet/listing.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/talk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARK "SENSITIVE"
#define COLUMNS 9

/* Six digits, and no exponent. */
static void put_number(char text[32], double value, bool is_known)
{
    if (!is_known)
        text[0] = '\0';
    else
        snprintf(text, 32, value < 100000 ? "%.6g" : "%.0f", value);
}

static void add_choice(sc_listing *page, const scrim_bound_choice *choice, bool has_noise,
                       size_t skipped)
{
    char question[SCRIM_COLUMN_BYTES + 8], groups[24], rows[24], kept[32], bias[32],
        noise[32], error[32];
    snprintf(question, sizeof question,
             choice->column[0] == '\0' ? "COUNT(*)" : "SUM(%s)", choice->column);
    snprintf(groups, sizeof groups, "%" PRIu64, choice->max_groups);
    snprintf(rows, sizeof rows, "%" PRIu64, choice->max_rows);
    snprintf(kept, sizeof kept, "%.4f", choice->kept);
    put_number(bias, choice->bias, true);
    put_number(noise, choice->noise, has_noise);
    put_number(error, choice->error, has_noise);
    const char *const texts[COLUMNS] = {MARK,  question, groups,
                                        rows,  kept,     bias,
                                        noise, error,    choice->is_best ? "best" : ""};
    sc_listing_add(page, texts + skipped);
}

/* A sum of nothing keeps everything, which would look perfect. */
static void say_unread(const scrim_bound_choices *choices)
{
    const char *last = "";
    for (size_t i = 0; i < choices->count; i++) {
        const scrim_bound_choice *choice = &choices->choices[i];
        if (choice->is_unread && strcmp(choice->column, last) != 0)
            sc_talk(MARK ": SUM(%s): no cell could be read; see --decimal\n",
                    choice->column);
        last = choice->column;
    }
}

static const sc_listing_column columns[COLUMNS] = {
    {.name = "mark"},          {.name = "question"},      {"groups", SC_KIND_NUMBER},
    {"rows", SC_KIND_NUMBER},  {"kept", SC_KIND_NUMBER},  {"bias", SC_KIND_NUMBER},
    {"noise", SC_KIND_NUMBER}, {"error", SC_KIND_NUMBER}, {.name = "best"}};

static scrim_status open_page(const sc_options *options, sc_listing **page,
                              scrim_error *error)
{
    const scrim_status status = sc_page_new(options, columns, COLUMNS, page, error);
    if (status == SCRIM_OK)
        (*page)->heading = MARK ": raw data, for the owner only";
    if (status == SCRIM_OK && (*page)->format == SCRIM_FORMAT_TABLE) {
        (*page)->columns++; /* its mark stands above it */
        (*page)->column_count--;
    }
    return status;
}

/* The command for the best choice of COUNT(*). Without --by there is one group, which says nothing about
 * max-groups. */
static void say_best(const scrim_bound_choices *choices, const char *name, const char *by)
{
    for (size_t i = 0; i < choices->count; i++) {
        const scrim_bound_choice *choice = &choices->choices[i];
        if (!choice->is_best || choice->column[0] != '\0')
            continue;
        char groups[48] = "";
        if (by != NULL)
            snprintf(groups, sizeof groups, " --max-groups %" PRIu64, choice->max_groups);
        sc_talk(MARK ": best for COUNT(*): 'scrim dataset set %s%s --max-rows %" PRIu64
                     " --bounds-from check'\n",
                name, groups, choice->max_rows);
    }
}

/* A key without a default may be NULL. */
static scrim_status say_null(scrim_vault *vault, const char *name, const char *by,
                             scrim_error *error)
{
    char *policy = NULL;
    const scrim_status status = scrim_vault_policy(vault, name, &policy, error);
    for (size_t bytes; status == SCRIM_OK && *by != '\0';
         by += bytes + (by[bytes] == ',')) {
        char line[SCRIM_COLUMN_BYTES + 16];
        bytes = strcspn(by, ",");
        snprintf(line, sizeof line, "\nmissing=%.*s=", (int)bytes, by);
        if (strstr(policy, line) == NULL)
            sc_talk("%.*s may be NULL, and NULL is a group of its own\n", (int)bytes, by);
    }
    scrim_vault_text_free(policy);
    return status;
}

/* Below a table. */
static scrim_status say_more(scrim_vault *vault, const char *name,
                             const sc_options *options,
                             const scrim_bound_choices *choices, scrim_error *error)
{
    const char *by = options->value[SCRIM_OPTION_BY];
    if (sc_options_has(options, SCRIM_OPTION_EPSILON))
        say_best(choices, name, by);
    else
        sc_talk("--epsilon E adds the noise of one question and marks the best choice\n");
    return by == NULL ? SCRIM_OK : say_null(vault, name, by, error);
}

scrim_status sc_bound_view_check(scrim_vault *vault, const char *name,
                                 const sc_options *options, scrim_error *error)
{
    const bool is_quiet = sc_options_has(options, SCRIM_OPTION_QUIET),
               has_noise = sc_options_has(options, SCRIM_OPTION_EPSILON);
    scrim_bound_choices choices = {.choices = NULL};
    sc_listing *page = NULL;
    sc_progress progress;
    scrim_status status = open_page(options, &page, error);
    if (status != SCRIM_OK)
        return status;
    const bool is_table = page->format == SCRIM_FORMAT_TABLE;
    sc_progress_start(&progress, 0, "bytes", !is_quiet);
    status = scrim_vault_bound_choices(
        vault, name,
        SCRIM_OPTIONS(scrim_bound_options, .progress = sc_progress_told,
                      .context = &progress, .by = options->value[SCRIM_OPTION_BY],
                      .epsilon = options->value[SCRIM_OPTION_EPSILON]),
        &choices, error);
    sc_progress_end(&progress);
    for (size_t i = 0; i < choices.count; i++)
        add_choice(page, &choices.choices[i], has_noise, COLUMNS - page->column_count);
    status = sc_page_end(page, status, error);
    if (status == SCRIM_OK && !is_quiet)
        say_unread(&choices);
    if (status == SCRIM_OK && is_table && !is_quiet)
        status = say_more(vault, name, options, &choices, error);
    scrim_bound_choices_clear(&choices);
    return status;
}

/* Its mark stands above it, and what the columns are below. */
static scrim_status write_choices(const scrim_bound_choices *choices, const char *by,
                                  const char *epsilon, sc_output *output,
                                  scrim_error *error)
{
    sc_terminal terminal;
    sc_terminal_look(STDERR_FILENO, &terminal);
    sc_listing page = {.columns = columns + 1,
                       .column_count = COLUMNS - 1,
                       .output = output,
                       .format = SCRIM_FORMAT_TABLE,
                       .terminal = &terminal,
                       .heading = MARK ": raw data, for the owner only"};
    sc_output_init_screen(output, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    for (size_t i = 0; i < choices->count; i++)
        add_choice(&page, &choices->choices[i], true, 1);
    scrim_status status = sc_listing_close(&page, SCRIM_OK, error);
    if (status == SCRIM_OK)
        status = sc_output_finish(output, error);
    if (status == SCRIM_OK)
        say_unread(choices);
    if (status == SCRIM_OK)
        sc_talk("kept is the part of the rows or of the sum that is used, bias what is "
                "missing of a group, noise its standard deviation; best has the smallest "
                "error at epsilon %.40s, %s%.200s\n",
                epsilon, by == NULL ? "without groups" : "grouped by ",
                by == NULL ? "" : by);
    return status;
}

scrim_status sc_bound_view_say(const char *policy, const char *by, const char *epsilon,
                               scrim_error *error)
{
    scrim_bound_choices choices = {.choices = NULL};
    sc_output *output = malloc(sizeof *output);
    sc_progress progress;
    if (output == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory for the table");
    sc_progress_start(&progress, 0, "bytes", true);
    scrim_status status = scrim_policy_bound_choices(
        policy,
        SCRIM_OPTIONS(scrim_bound_options, .progress = sc_progress_told,
                      .context = &progress, .by = by, .epsilon = epsilon),
        &choices, error);
    sc_progress_end(&progress);
    if (status == SCRIM_OK)
        status = write_choices(&choices, by, epsilon, output, error);
    scrim_bound_choices_clear(&choices);
    free(output);
    return status;
}
