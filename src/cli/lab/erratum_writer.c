#include "cli/lab/experiments.h"
#include "cli/sheet/fold.h"
#include "cli/sheet/listing.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/terminal.h"
#include "lab/errata/errata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TITLE_BYTES 400

/* The list. */

static const sc_listing_column list_columns[] = {
    {"number", SC_KIND_NUMBER}, {.name = "document"},  {.name = "place"},
    {.name = "kind"},           {.name = "statement"}, {.name = "runs"}};

static bool is_known(const char *word, const char *(*name_at)(size_t index))
{
    for (size_t i = 0; name_at(i) != NULL; i++)
        if (strcmp(word, name_at(i)) == 0)
            return true;
    return false;
}

static const char *document_at(size_t index)
{
    const lab_document *document = lab_document_at(index);
    return document == NULL ? NULL : document->number;
}

static scrim_status check_filters(const char *document, const char *kind,
                                  scrim_error *error)
{
    if (document != NULL && !is_known(document, document_at))
        return sc_refuse(error, "unknown document '%s'; use 000, 001, 002, 003 or 004",
                         document);
    if (kind != NULL && !is_known(kind, lab_erratum_kind_at))
        return sc_refuse(
            error,
            "unknown kind '%s'; use false, loose, gap, ambiguous, typo, misleading, "
            "unproved, unusable or unreadable",
            kind);
    return SCRIM_OK;
}

scrim_status sc_errata_list(const sc_options *options, scrim_error *error)
{
    const char *document = options->value[SCRIM_OPTION_DOCUMENT];
    const char *kind = options->value[SCRIM_OPTION_KIND];
    const lab_erratum *row;
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    char number[16];
    SC_TRY(check_filters(document, kind, error));
    SC_TRY(sc_page_new(options, list_columns, sizeof list_columns / sizeof *list_columns,
                       &page, error));
    for (size_t i = 0; (row = lab_erratum_at(i)) != NULL; i++) {
        if ((document != NULL && strcmp(document, row->document) != 0) ||
            (kind != NULL && strcmp(kind, row->kind) != 0))
            continue;
        snprintf(number, sizeof number, "%u", row->number);
        sc_listing_add(page, (const char *[]){number, row->document, row->place,
                                              row->kind, row->statement,
                                              lab_erratum_runs(row) ? "yes" : "no"});
    }
    return sc_page_write(page, error);
}

/* One of them. */

typedef struct erratum_view {
    const lab_erratum *row;
    const lab_document *document;
    bool runs; /* then the working is filled */
    lab_working working;
    sc_format format;
    sc_terminal terminal;
    sc_output output;
} erratum_view;

static const sc_listing_column line_columns[] = {
    {.name = "part"}, {.name = "what"}, {.name = "formula"}, {.name = "value"}};

/* The facts of all formats, in their order; NULL past the last. */
static const char *fact_at(const erratum_view *view, size_t index, const char **name)
{
    const struct {
        const char *name, *text;
    } facts[] = {
        {"document", view->row->document},
        {"title", view->document->title},
        {"authors", view->document->authors},
        {"place", view->row->place},
        {"kind", view->row->kind},
        {"statement", view->row->statement},
        {"counterexample", view->row->counterexample},
        {"correction", view->row->correction},
        {"where", view->row->where},
    };
    if (index >= sizeof facts / sizeof *facts)
        return NULL;
    *name = facts[index].name;
    return facts[index].text;
}

static void add_lines(const erratum_view *view, sc_listing *listing)
{
    for (size_t i = 0; i < view->working.count; i++) {
        const lab_working_line *line = &view->working.lines[i];
        sc_listing_add(listing, (const char *[]){lab_working_part_name(line->part),
                                                 line->what, line->formula, line->value});
    }
}

static scrim_status write_rows(erratum_view *view, scrim_error *error)
{
    const char *text, *name;
    sc_listing listing =
        SC_LISTING(line_columns, &view->output, view->format, &view->terminal);
    (void)sc_listing_open(&listing);
    for (size_t i = 0; (text = fact_at(view, i, &name)) != NULL; i++)
        sc_listing_add(&listing, (const char *[]){name, "", "", text});
    add_lines(view, &listing);
    return sc_listing_close(&listing, SCRIM_OK, error);
}

static scrim_status write_json(erratum_view *view, scrim_error *error)
{
    const char *text, *name;
    sc_listing listing =
        SC_LISTING(line_columns, &view->output, SCRIM_FORMAT_JSON, &view->terminal);
    sc_json *json = sc_listing_open(&listing);
    sc_json_count(json, "number", view->row->number);
    for (size_t i = 0; (text = fact_at(view, i, &name)) != NULL; i++)
        sc_json_text(json, name, text);
    sc_json_truth(json, "runs", view->runs);
    add_lines(view, &listing);
    return sc_listing_close(&listing, SCRIM_OK, error);
}

static void note(erratum_view *view, const char *name, const char *text)
{
    sc_fold_line(&view->output, name, text, view->terminal.columns);
}

static scrim_status write_table(erratum_view *view, scrim_error *error)
{
    char title[TITLE_BYTES];
    const lab_erratum *row = view->row;
    snprintf(title, sizeof title, "%u, %s", row->number, row->kind);
    note(view, "erratum", title);
    snprintf(title, sizeof title, "%s: %s; %s", row->document, view->document->title,
             view->document->authors);
    note(view, "document", title);
    note(view, "place", row->place);
    note(view, "statement", row->statement);
    if (row->counterexample[0] != '\0')
        note(view, "example", row->counterexample);
    note(view, "correction", row->correction);
    note(view, "where", row->where);
    if (!view->runs) {
        note(view, "runs", "no: it holds by the argument above");
        return SCRIM_OK;
    }
    sc_listing listing =
        SC_LISTING(line_columns, &view->output, SCRIM_FORMAT_TABLE, &view->terminal);
    add_lines(view, &listing);
    return sc_listing_close(&listing, SCRIM_OK, error);
}

typedef scrim_status view_writer(erratum_view *view, scrim_error *error);

static view_writer *const writers[] = {
    [SCRIM_FORMAT_TABLE] = write_table,
    [SCRIM_FORMAT_CSV] = write_rows,
    [SCRIM_FORMAT_JSON] = write_json,
    [SCRIM_FORMAT_JSONL] = write_rows,
};

static scrim_status write_view(erratum_view *view, scrim_error *error)
{
    sc_output_init_screen(&view->output, STDOUT_FILENO, view->format);
    SC_TRY(writers[view->format](view, error));
    return sc_output_finish(&view->output, error);
}

static scrim_status find_row(erratum_view *view, const char *word, scrim_error *error)
{
    const char *digits = word[0] == 'E' || word[0] == 'e' ? word + 1 : word;
    unsigned long number = 0;
    char *end = NULL;
    if (digits[0] >= '0' && digits[0] <= '9')
        number = strtoul(digits, &end, 10);
    if (end == NULL || *end != '\0')
        return sc_refuse(error, "'%s' is not the number of an erratum; type 12 or E12",
                         word);
    view->row = number > 9999 ? NULL : lab_erratum_find((unsigned)number);
    if (view->row == NULL)
        return sc_refuse(error,
                         "there is no erratum '%s'; 'scrim experiment erratum' "
                         "lists them",
                         word);
    view->document = lab_document_find(view->row->document);
    return SCRIM_OK;
}

scrim_status sc_erratum_show(const sc_options *options, const char *word,
                             scrim_error *error)
{
    erratum_view *view = calloc(1, sizeof *view);
    if (view == NULL)
        return sc_out_of_memory(error, "an erratum");
    scrim_status status = find_row(view, word, error);
    if (status == SCRIM_OK)
        status = sc_options_screen(options, &view->terminal, &view->format, error);
    lab_working_init(&view->working);
    view->runs = status == SCRIM_OK && lab_erratum_runs(view->row);
    if (view->runs)
        status = lab_erratum_run(view->row, &view->working, error);
    if (status == SCRIM_OK)
        status = write_view(view, error);
    lab_working_clear(&view->working);
    free(view);
    return status;
}
