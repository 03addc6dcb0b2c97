/* scrim list papers: the statements of the papers, and the command that shows each. */
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/mechanism/experiments.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/terminal.h"
#include "lab/errata/paper_place.h"
#include "lab/papers/papers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLACE_BYTES 80
#define DOCUMENT_BYTES 3 /* digits of its number */

/* The documents. */

static const sc_listing_column document_columns[] = {
    {.name = "document"},       {.name = "title"},
    {.name = "authors"},        {"statements", SC_KIND_NUMBER},
    {"runs", SC_KIND_NUMBER},   {"corrected", SC_KIND_NUMBER},
    {"partly", SC_KIND_NUMBER}, {"not_yet", SC_KIND_NUMBER},
    {"step", SC_KIND_NUMBER},   {"no_command", SC_KIND_NUMBER}};

/* The table on a screen has fewer columns: it leaves out the authors, steps of proofs, and what has no command. */
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
            counts[lab_statement_state_of(row)]++;
            total++;
        }
    sc_listing_put(page, "%s", document->number);
    sc_listing_put(page, "%s", document->title);
    if (page->format != SCRIM_FORMAT_TABLE)
        sc_listing_put(page, "%s", document->authors);
    sc_listing_put(page, "%zu", total);
    for (size_t state = 0; state < LAB_STATEMENT_STATES; state++)
        if (page->format != SCRIM_FORMAT_TABLE || state < LAB_STEP)
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
    {.name = "note"},   {.name = "of"}};

#define BOX_COLUMNS 4

static const char *text_of(const char *text)
{
    return text == NULL ? "" : text;
}

static void add_statement(sc_listing *page, const lab_statement *row)
{
    char errata[LAB_ERRATA_BYTES];
    const lab_statement *runs = lab_statement_with_command(row);
    lab_statement_errata(row, errata);
    sc_listing_add(
        page,
        (const char *[]){
            row->place, row->about, lab_statement_state_name(lab_statement_state_of(row)),
            errata, row->document, text_of(runs->command), text_of(runs->prints),
            text_of(runs->theirs), text_of(runs->ours),
            text_of(row->note == NULL ? runs->note : row->note), text_of(row->of)});
}

/* Those that are asked for: of a document, and with these words or with a mechanism that they name. */
typedef struct search {
    const char *document, *words;   /* "": all */
    char mechanism[LAB_NAME_BYTES]; /* "": none */
    const lab_statement *one;       /* NULL: none alone */
} search;

static bool is_asked(const search *s, const lab_statement *row)
{
    if (s->one != NULL)
        return row == s->one;
    return (s->document[0] == '\0' || strcmp(row->document, s->document) == 0) &&
           (lab_place_matches(row->place, row->about, s->words) ||
            (s->mechanism[0] != '\0' && row->command != NULL &&
             lab_has_name(row->command, s->mechanism)));
}

static scrim_status list_statements(const sc_options *options, const search *asked,
                                    scrim_error *error)
{
    const lab_statement *row;
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    SC_TRY(sc_page_new(options, statement_columns,
                       sizeof statement_columns / sizeof *statement_columns, &page,
                       error));
    if (page->format == SCRIM_FORMAT_TABLE)
        page->column_count = BOX_COLUMNS + (asked->document[0] == '\0');
    for (size_t i = 0; (row = lab_statement_at(i)) != NULL; i++)
        if (is_asked(asked, row))
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
    char errata[LAB_ERRATA_BYTES];
    const lab_document *document = lab_document_find(row->document);
    const lab_statement *runs = lab_statement_with_command(row);
    lab_statement_errata(row, errata);
    sc_output_init(&output,
                   STDOUT_FILENO); /* the command is to be copied: it folds itself */
    write_line(&output, terminal, "statement", row->place);
    write_line(&output, terminal, "document", document->title);
    write_line(&output, terminal, "about", row->about);
    write_line(&output, terminal, row->is_step ? "step of" : "part of", row->of);
    write_line(&output, terminal, "state",
               lab_statement_state_name(lab_statement_state_of(row)));
    write_line(&output, terminal, "note", row->note);
    write_line(&output, terminal, "note", runs == row ? NULL : runs->note);
    write_line(&output, terminal, "errata", errata[0] == '\0' ? NULL : errata);
    write_line(&output, terminal, "in paper", runs->theirs);
    write_line(&output, terminal, "in scrim", runs->ours);
    write_line(&output, terminal, "prints", runs->prints);
    if (runs->command != NULL) {
        sc_output_text(&output, "\n");
        sc_fold_command(&output, runs->command, terminal->columns, 0);
    }
    return sc_output_finish(&output, error);
}

static scrim_status show_statement(const sc_options *options, const lab_statement *row,
                                   scrim_error *error)
{
    sc_terminal terminal;
    sc_format format;
    SC_TRY(sc_options_screen(options, &terminal, &format, error));
    return format == SCRIM_FORMAT_TABLE
               ? write_statement(row, &terminal, error)
               : list_statements(options,
                                 &(search){.document = row->document, .one = row}, error);
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

/* "003", or 3, and the words behind it. */
static const char *split_document(const char *text, char number[DOCUMENT_BYTES + 1])
{
    const size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > DOCUMENT_BYTES ||
        (text[digits] != '\0' && text[digits] != ' '))
        return NULL;
    snprintf(number, DOCUMENT_BYTES + 1, "%03ld", strtol(text, NULL, 10));
    return lab_document_find(number) == NULL ? NULL
                                             : text + digits + strspn(text + digits, " ");
}

/* The one statement that has the name, or else the words. */
static scrim_status show_asked(const sc_options *options, search *asked,
                               scrim_error *error)
{
    size_t count = 0;
    const lab_statement *row,
        *found = asked->document[0] == '\0'
                     ? NULL
                     : lab_statement_find(asked->document, asked->words);
    if (found != NULL)
        return show_statement(options, found, error);
    for (size_t i = 0; (row = lab_statement_at(i)) != NULL; i++)
        if (is_asked(asked, row)) {
            found = row;
            count++;
        }
    if (count == 1)
        return show_statement(options, found, error);
    if (count > 1)
        return list_statements(options, asked, error);
    if (asked->document[0] == '\0')
        return sc_refuse(error,
                         "no document has '%s'; 'scrim list papers' lists the documents",
                         asked->words);
    return sc_refuse(
        error, "document %s has no '%s'; 'scrim list papers %s' lists its statements",
        asked->document, asked->words, asked->document);
}

scrim_status sc_papers_show(const sc_options *options, scrim_error *error)
{
    char text[PLACE_BYTES], number[DOCUMENT_BYTES + 1];
    SC_TRY(join_words(options, text, error));
    if (text[0] == '\0')
        return list_documents(options, error);
    const char *place = split_document(text, number);
    search asked = {.document = place == NULL ? "" : number,
                    .words = place == NULL ? text : place};
    lab_mechanism_named(asked.words, asked.mechanism);
    return asked.words[0] == '\0' ? list_statements(options, &asked, error)
                                  : show_asked(options, &asked, error);
}
