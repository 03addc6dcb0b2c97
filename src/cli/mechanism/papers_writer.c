/* scrim list papers: the statements of the papers, and the command that shows each. */
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/mechanism/experiments.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/terminal.h"
#include "lab/papers/papers.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PLACE_BYTES 80
#define DOCUMENT_BYTES 3 /* digits of its number */

/* The documents. */

static const sc_listing_column document_columns[] = {
    {.name = "document"},          {.name = "title"},
    {.name = "authors"},           {"statements", SC_KIND_NUMBER},
    {"runs", SC_KIND_NUMBER},      {"corrected", SC_KIND_NUMBER},
    {"partly", SC_KIND_NUMBER},    {"not_yet", SC_KIND_NUMBER},
    {"no_command", SC_KIND_NUMBER}};

/* The table on a screen has fewer columns: it leaves out the authors, and the statements without a command. */
static const sc_listing_column document_box[] = {{.name = "doc"},
                                                 {.name = "title"},
                                                 {"all", SC_KIND_NUMBER},
                                                 {"runs", SC_KIND_NUMBER},
                                                 {"corrected", SC_KIND_NUMBER},
                                                 {"partly", SC_KIND_NUMBER},
                                                 {"not yet", SC_KIND_NUMBER}};

static void add_document(sc_listing *page, const lab_document *document)
{
    size_t counts[LAB_STATEMENT_STATES] = {0}, total = 0;
    const lab_statement *row;
    for (size_t i = 0; (row = lab_statement_at(i)) != NULL; i++)
        if (strcmp(row->document, document->number) == 0) {
            counts[row->state]++;
            total++;
        }
    sc_listing_put(page, "%s", document->number);
    sc_listing_put(page, "%s", document->title);
    if (page->format != SCRIM_FORMAT_TABLE)
        sc_listing_put(page, "%s", document->authors);
    sc_listing_put(page, "%zu", total);
    for (size_t state = 0; state < LAB_STATEMENT_STATES; state++)
        if (page->format != SCRIM_FORMAT_TABLE || state != LAB_NO_COMMAND)
            sc_listing_put(page, "%zu", counts[state]);
}

static scrim_status list_documents(const sc_options *options, scrim_error *error)
{
    const lab_document *document;
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    SC_TRY(sc_page_new(options, document_columns,
                       sizeof document_columns / sizeof *document_columns, &page, error));
    if (page->format == SCRIM_FORMAT_TABLE) {
        page->columns = document_box;
        page->column_count = sizeof document_box / sizeof *document_box;
    }
    for (size_t i = 0; (document = lab_document_at(i)) != NULL; i++)
        add_document(page, document);
    return sc_page_write(page, error);
}

/* The statements of a document. */

/* The table on a screen has the first BOX_COLUMNS of these. */
static const sc_listing_column statement_columns[] = {
    {.name = "place"},  {.name = "about"},       {.name = "state"},
    {.name = "errata"}, {.name = "document"},    {.name = "command"},
    {.name = "prints"}, {.name = "in_document"}, {.name = "in_scrim"},
    {.name = "note"}};

#define BOX_COLUMNS 4

static const char *text_of(const char *text)
{
    return text == NULL ? "" : text;
}

static void add_statement(sc_listing *page, const lab_statement *row)
{
    sc_listing_add(page, (const char *[]){
                             row->place, row->about, lab_statement_state_name(row->state),
                             text_of(row->errata), row->document, text_of(row->command),
                             text_of(row->prints), text_of(row->theirs),
                             text_of(row->ours), text_of(row->note)});
}

/* Lists the statements of a document; or only `one`, if it is not NULL. */
static scrim_status list_statements(const sc_options *options, const char *document,
                                    const lab_statement *one, scrim_error *error)
{
    const lab_statement *row;
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    SC_TRY(sc_page_new(options, statement_columns,
                       sizeof statement_columns / sizeof *statement_columns, &page,
                       error));
    if (page->format == SCRIM_FORMAT_TABLE)
        page->column_count = BOX_COLUMNS;
    for (size_t i = 0; (row = lab_statement_at(i)) != NULL; i++)
        if (one == NULL ? strcmp(row->document, document) == 0 : row == one)
            add_statement(page, row);
    return sc_page_write(page, error);
}

/* One in full, for people. */

static void write_line(sc_output *output, const sc_terminal *terminal, const char *name,
                       const char *text)
{
    if (text != NULL)
        sc_fold_line(output, name, text, terminal->columns);
}

static scrim_status write_statement(const lab_statement *row, const sc_terminal *terminal,
                                    scrim_error *error)
{
    sc_output output;
    const lab_document *document = lab_document_find(row->document);
    sc_output_init_screen(&output, STDOUT_FILENO, SCRIM_FORMAT_TABLE);
    write_line(&output, terminal, "statement", row->place);
    write_line(&output, terminal, "document", document->title);
    write_line(&output, terminal, "about", row->about);
    write_line(&output, terminal, "state", lab_statement_state_name(row->state));
    write_line(&output, terminal, "note", row->note);
    write_line(&output, terminal, "errata", row->errata);
    write_line(&output, terminal, "in paper", row->theirs);
    write_line(&output, terminal, "in scrim", row->ours);
    write_line(&output, terminal, "prints", row->prints);
    if (row->command != NULL) { /* on one line, to be copied */
        sc_output_text(&output, "\n$ ");
        sc_output_text(&output, row->command);
        sc_output_text(&output, "\n");
    }
    return sc_output_finish(&output, error);
}

static scrim_status show_statement(const sc_options *options, const lab_statement *row,
                                   scrim_error *error)
{
    sc_terminal terminal;
    sc_format format;
    SC_TRY(sc_options_screen(options, &terminal, &format, error));
    return format == SCRIM_FORMAT_TABLE ? write_statement(row, &terminal, error)
                                        : list_statements(options, NULL, row, error);
}

/* The request. */

/* Joins the words after `list papers` with spaces: "003", "003 Theorem 17". */
static scrim_status join_words(const sc_options *options, char text[PLACE_BYTES],
                               scrim_error *error)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 2; i < options->word_count; i++) {
        const int added = snprintf(text + length, PLACE_BYTES - length, "%s%s",
                                   i == 2 ? "" : " ", options->words[i]);
        if (added < 0 || (size_t)added >= PLACE_BYTES - length)
            return sc_refuse(error, "the name of a statement is too long; type for "
                                    "example 003 Theorem 17");
        length += (size_t)added;
    }
    return SCRIM_OK;
}

scrim_status sc_papers_show(const sc_options *options, scrim_error *error)
{
    char text[PLACE_BYTES], number[DOCUMENT_BYTES + 1];
    SC_TRY(join_words(options, text, error));
    if (text[0] == '\0')
        return list_documents(options, error);
    snprintf(number, sizeof number, "%.*s", DOCUMENT_BYTES, text);
    const char *place = text + strlen(number);
    if (lab_document_find(number) == NULL || (*place != '\0' && *place != ' '))
        return sc_refuse(error, "unknown document '%s'; use 000, 001, 002, 003 or 004",
                         text);
    place += strspn(place, " ");
    if (*place == '\0')
        return list_statements(options, number, NULL, error);
    const lab_statement *row = lab_statement_find(number, place);
    if (row == NULL)
        return sc_refuse(error,
                         "document %s has no '%s'; 'scrim list papers %s' lists "
                         "its statements",
                         number, place, number);
    return show_statement(options, row, error);
}
