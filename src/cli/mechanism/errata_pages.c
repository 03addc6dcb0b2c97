/* Pages of errata of papers: the list, and one of them. */
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

#define TITLE_BYTES 400

/* The list. */

static const sc_listing_column list_columns[] = {
    {"number", SC_KIND_NUMBER}, {.name = "document"}, {.name = "place"},
    {.name = "subject"},        {.name = "kind"},     {.name = "statement"},
    {.name = "where"},          {.name = "runs"}};

/* A box has one line for each erratum: the first columns, and the beginning of a long place. */
static const sc_listing_column list_box[] = {
    {"no.", SC_KIND_NUMBER}, {.name = "doc"}, {.name = "place"}, {.name = "subject"}};

#define BOX_PLACE 15

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

static void shorten_place(const char *place, char text[BOX_PLACE + 1])
{
    const char *end = strpbrk(place, ",;");
    const size_t first = end == NULL ? strlen(place) : (size_t)(end - place);
    const size_t room = BOX_PLACE - strlen(" ...");
    if (strlen(place) <= BOX_PLACE)
        snprintf(text, BOX_PLACE + 1, "%s", place);
    else
        snprintf(text, BOX_PLACE + 1, "%.*s ...", (int)(first < room ? first : room),
                 place);
}

/* How many there are in each document, for a screen. */

static const sc_listing_column count_columns[] = {{.name = "doc"},
                                                  {.name = "title"},
                                                  {"errata", SC_KIND_NUMBER},
                                                  {"false", SC_KIND_NUMBER},
                                                  {.name = "numbers"}};

static void add_document(sc_listing *page, const lab_document *document)
{
    const lab_erratum *row;
    unsigned count = 0, wrong = 0, first = 0, last = 0;
    for (size_t i = 0; (row = lab_erratum_at(i)) != NULL; i++)
        if (strcmp(row->document, document->number) == 0) {
            count++;
            wrong += strcmp(row->kind, "false") == 0;
            first = first == 0 ? row->number : first;
            last = row->number;
        }
    sc_listing_put(page, "%s", document->number);
    sc_listing_put(page, "%s", document->title);
    sc_listing_put(page, "%u", count);
    sc_listing_put(page, "%u", wrong);
    sc_listing_put(page, "%u to %u", first, last);
}

static scrim_status count_errata(sc_listing *page, scrim_error *error)
{
    const lab_document *document;
    page->columns = count_columns;
    page->column_count = sizeof count_columns / sizeof *count_columns;
    for (size_t i = 0; (document = lab_document_at(i)) != NULL; i++)
        add_document(page, document);
    (void)sc_listing_open(page);
    SC_TRY(sc_listing_close(page, SCRIM_OK, error));
    sc_output_text(page->output,
                   "\nscrim errata --document 004   lists those of a document\n"
                   "scrim errata --kind false     lists those of a kind\n"
                   "scrim errata 12               shows one, and computes it\n"
                   "scrim errata --format table   lists all\n");
    return sc_output_finish(page->output, error);
}

#define WORDS_BYTES 128

/* A search: all fields must match. */
typedef struct search {
    const char *document, *kind, *words; /* NULL: any; "": any words */
    char mechanism[LAB_NAME_BYTES];      /* that the words name; "": none */
} search;

static void set_search(const sc_options *options, const char *words, search *out)
{
    *out = (search){.document = options->value[SCRIM_OPTION_DOCUMENT],
                    .kind = options->value[SCRIM_OPTION_KIND],
                    .words = words};
    lab_mechanism_named(words, out->mechanism);
}

/* The statement that the words are the place of; NULL: they are not the whole of one. */
static const lab_statement *statement_at(const char *words, const char *document)
{
    char asked[LAB_PLACE_BYTES], place[LAB_PLACE_BYTES];
    const lab_statement *statement =
        words == NULL ? NULL : lab_statement_find(document, words);
    if (statement == NULL)
        return NULL;
    lab_place_normalise(words, asked);
    lab_place_normalise(statement->place, place);
    return strcmp(asked, place) == 0 ? statement : NULL;
}

/* The same if it has errata: places of errata may say "Thms 3-6". */
static const lab_statement *statement_asked(const search *s, const char *document)
{
    char errata[LAB_ERRATA_BYTES];
    const lab_statement *statement = statement_at(s->words, document);
    if (statement != NULL)
        lab_statement_errata(statement, errata);
    return statement != NULL && errata[0] != '\0' ? statement : NULL;
}

/* Has it the words in its place or its title, or is it about the mechanism that they name? */
static bool is_asked(const search *s, const lab_erratum *row)
{
    char uses[LAB_USES_BYTES];
    lab_erratum_uses(row->number, uses);
    if ((s->document != NULL && strcmp(s->document, row->document) != 0) ||
        (s->kind != NULL && strcmp(s->kind, row->kind) != 0))
        return false;
    const lab_statement *statement = statement_asked(s, row->document);
    return statement != NULL
               ? lab_statement_has_erratum(statement, row->number)
               : lab_place_matches(row->place, row->title, s->words) ||
                     (s->mechanism[0] != '\0' && lab_has_name(uses, s->mechanism));
}

static scrim_status list_errata(const sc_options *options, const search *asked,
                                scrim_error *error)
{
    const lab_erratum *row;
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    char number[16], uses[LAB_USES_BYTES], place[BOX_PLACE + 1];
    SC_TRY(check_filters(asked->document, asked->kind, error));
    SC_TRY(sc_page_new(options, list_columns, sizeof list_columns / sizeof *list_columns,
                       &page, error));
    const bool is_box = page->format == SCRIM_FORMAT_TABLE;
    if (is_box && asked->document == NULL && asked->kind == NULL &&
        asked->words[0] == '\0' && !sc_options_has(options, SCRIM_OPTION_FORMAT))
        return count_errata(page, error);
    if (is_box) {
        page->columns = list_box;
        page->column_count = sizeof list_box / sizeof *list_box;
    }
    for (size_t i = 0; (row = lab_erratum_at(i)) != NULL; i++) {
        if (!is_asked(asked, row))
            continue;
        snprintf(number, sizeof number, "%u", row->number);
        shorten_place(row->place, place);
        lab_erratum_uses(row->number, uses);
        sc_listing_add(page, (const char *[]){number, row->document,
                                              is_box ? place : row->place, row->title,
                                              row->kind, row->statement, uses,
                                              lab_erratum_runs(row) ? "yes" : "no"});
    }
    return sc_page_write(page, error);
}

/* One of them. */

typedef struct erratum_view {
    const lab_erratum *row;
    char uses[LAB_USES_BYTES];
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
        {"subject", view->row->title},
        {"statement", view->row->statement},
        {"counterexample", view->row->counterexample},
        {"correction", view->row->correction},
        {"where", view->uses},
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
    snprintf(title, sizeof title, "%u, %s: %s", row->number, row->kind, row->title);
    note(view, "erratum", title);
    snprintf(title, sizeof title, "%s: %s; %s", row->document, view->document->title,
             view->document->authors);
    note(view, "document", title);
    note(view, "place", row->place);
    note(view, "statement", row->statement);
    if (row->counterexample[0] != '\0')
        note(view, "example", row->counterexample);
    note(view, "correction", row->correction);
    note(view, "where", view->uses);
    if (!view->runs) {
        note(view, "runs", "no: its text is all there is; nothing is computed here");
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

/* "12" or "E12"; 0: it is no number. */
static unsigned number_of(const char *word)
{
    const char *digits = word[0] == 'E' || word[0] == 'e' ? word + 1 : word;
    char *end = NULL;
    const unsigned long number =
        digits[0] >= '0' && digits[0] <= '9' ? strtoul(digits, &end, 10) : 0;
    return end == NULL || *end != '\0' || number > 9999 ? 0 : (unsigned)number;
}

static scrim_status show_erratum(const sc_options *options, const lab_erratum *row,
                                 scrim_error *error)
{
    erratum_view *view = calloc(1, sizeof *view);
    if (view == NULL)
        return sc_out_of_memory(error, "an erratum");
    view->row = row;
    view->document = lab_document_find(row->document);
    lab_erratum_uses(row->number, view->uses);
    scrim_status status =
        sc_options_screen(options, &view->terminal, &view->format, error);
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

/* The words from the first on, with spaces between them. */
static scrim_status join_words(const sc_options *options, size_t first,
                               char text[WORDS_BYTES], scrim_error *error)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = first; i < options->word_count && length < WORDS_BYTES; i++)
        length += (size_t)snprintf(text + length, WORDS_BYTES - length, "%s%s",
                                   i == first ? "" : " ", options->words[i]);
    return length < WORDS_BYTES
               ? SCRIM_OK
               : sc_refuse(error,
                           "that is too long; type a number, as in 'scrim errata 12', or "
                           "a place, as in 'scrim errata Theorem 6.4'");
}

/* Nothing has the words: a statement without errata, or no place at all. */
static scrim_status refuse_words(const search *asked, scrim_error *error)
{
    const lab_document *document;
    const lab_statement *statement = NULL;
    for (size_t i = 0; statement == NULL && (document = lab_document_at(i)) != NULL; i++)
        if (asked->document == NULL || strcmp(asked->document, document->number) == 0)
            statement = statement_at(asked->words, document->number);
    return statement == NULL || asked->kind != NULL
               ? sc_refuse(error, "there is no erratum '%s'; 'scrim errata' lists them",
                           asked->words)
               : sc_refuse(error,
                           "no erratum is about %s of document %s; \"scrim list papers "
                           "%s '%s'\" shows what runs it",
                           statement->place, statement->document, statement->document,
                           statement->place);
}

/* The one that has the words, or a list of those that have. */
static scrim_status show_found(const sc_options *options, const search *asked,
                               scrim_error *error)
{
    const lab_erratum *row, *found = NULL;
    size_t count = 0;
    for (size_t i = 0; (row = lab_erratum_at(i)) != NULL; i++)
        if (is_asked(asked, row)) {
            found = row;
            count++;
        }
    if (count == 0)
        return refuse_words(asked, error);
    return count == 1 ? show_erratum(options, found, error)
                      : list_errata(options, asked, error);
}

/* "002" is a document, as in 'scrim list papers 002', and 2 is an erratum. */
static scrim_status show_document(const sc_options *options, size_t first,
                                  scrim_error *error)
{
    char words[WORDS_BYTES];
    search asked;
    SC_TRY(join_words(options, first + 1, words, error));
    set_search(options, words, &asked);
    asked.document = options->words[first];
    return words[0] == '\0' ? list_errata(options, &asked, error)
                            : show_found(options, &asked, error);
}

scrim_status sc_errata_show(const sc_options *options, size_t first, scrim_error *error)
{
    char words[WORDS_BYTES];
    search asked;
    SC_TRY(join_words(options, first, words, error));
    set_search(options, words, &asked);
    if (words[0] == '\0')
        return list_errata(options, &asked, error);
    if (lab_document_find(options->words[first]) != NULL &&
        !sc_options_has(options, SCRIM_OPTION_DOCUMENT))
        return show_document(options, first, error);
    const unsigned number = number_of(options->words[first]);
    if (number == 0)
        return show_found(options, &asked, error);
    if (options->word_count > first + 1)
        return sc_refuse(error, "one erratum at a time; leave '%s' out",
                         options->words[first + 1]);
    if (sc_options_has(options, SCRIM_OPTION_DOCUMENT) ||
        sc_options_has(options, SCRIM_OPTION_KIND))
        return sc_refuse(error,
                         "--document and --kind are for the list; leave them or "
                         "'%s' out",
                         words);
    const lab_erratum *row = lab_erratum_find(number);
    return row == NULL
               ? sc_refuse(error, "there is no erratum '%s'; 'scrim errata' lists them",
                           words)
               : show_erratum(options, row, error);
}
