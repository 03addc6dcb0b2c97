/* Pages of flexible accuracy, and of errata of papers. */
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/display/number_view.h"
#include "cli/mechanism/experiments.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/terminal.h"
#include "lab/papers/papers.h"

#include <errno.h>
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

static scrim_status list_errata(const sc_options *options, scrim_error *error)
{
    const char *document = options->value[SCRIM_OPTION_DOCUMENT];
    const char *kind = options->value[SCRIM_OPTION_KIND];
    const lab_erratum *row;
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    char number[16], uses[LAB_USES_BYTES], place[BOX_PLACE + 1];
    SC_TRY(check_filters(document, kind, error));
    SC_TRY(sc_page_new(options, list_columns, sizeof list_columns / sizeof *list_columns,
                       &page, error));
    const bool is_box = page->format == SCRIM_FORMAT_TABLE;
    if (is_box) {
        page->columns = list_box;
        page->column_count = sizeof list_box / sizeof *list_box;
    }
    for (size_t i = 0; (row = lab_erratum_at(i)) != NULL; i++) {
        if ((document != NULL && strcmp(document, row->document) != 0) ||
            (kind != NULL && strcmp(kind, row->kind) != 0))
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
        return sc_refuse(error, "there is no erratum '%s'; 'scrim errata' lists them",
                         word);
    view->document = lab_document_find(view->row->document);
    return SCRIM_OK;
}

static scrim_status show_erratum(const sc_options *options, const char *word,
                                 scrim_error *error)
{
    erratum_view *view = calloc(1, sizeof *view);
    if (view == NULL)
        return sc_out_of_memory(error, "an erratum");
    scrim_status status = find_row(view, word, error);
    if (status == SCRIM_OK) {
        lab_erratum_uses(view->row->number, view->uses);
        status = sc_options_screen(options, &view->terminal, &view->format, error);
    }
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

scrim_status sc_errata_show(const sc_options *options, size_t first, scrim_error *error)
{
    if (options->word_count > first + 1)
        return sc_refuse(error, "one erratum at a time; leave '%s' out",
                         options->words[first + 1]);
    if (options->word_count <= first)
        return list_errata(options, error);
    if (sc_options_has(options, SCRIM_OPTION_DOCUMENT) ||
        sc_options_has(options, SCRIM_OPTION_KIND))
        return sc_refuse(error,
                         "--document and --kind are for the list; leave them or "
                         "'%s' out",
                         options->words[first]);
    return show_erratum(options, options->words[first], error);
}

/* Statements of flexible accuracy: composition, and evaluate. */

/* Words "key=value" by their keys. */

typedef struct keyed {
    const char *key;
    const char *value; /* NULL: not given */
} keyed;

/* Reads words from first on until one that is not key=value; SCRIM_E_PARAM for a key that is not on the
 * list, ended by a key of NULL, or is there twice. */
static scrim_status read_keys(const sc_options *options, size_t first, keyed *list,
                              size_t *next, scrim_error *error)
{
    size_t i = first;
    for (; i < options->word_count; i++) {
        const char *word = options->words[i], *equals = strchr(word, '=');
        keyed *k = list;
        if (equals == NULL)
            break;
        const size_t length = (size_t)(equals - word);
        while (k->key != NULL &&
               (strlen(k->key) != length || strncmp(k->key, word, length) != 0))
            k++;
        if (k->key == NULL)
            return sc_refuse(error, "'%s' is not allowed here", word);
        if (k->value != NULL)
            return sc_refuse(error, "%s is given twice; give it once", k->key);
        k->value = equals + 1;
    }
    *next = i;
    return SCRIM_OK;
}

/* A statement, and how a stage takes the one before it. */
enum { ALPHA, DROPPED, BETA, GAMMA, ETA, DISTORTION, METRIC, CASE, GROWTH, FROM, KEYS };

static void init_keys(keyed list[KEYS + 1])
{
    static const char *const names[KEYS] = {
        [ALPHA] = "alpha",   [DROPPED] = "dropped", [BETA] = "beta",
        [GAMMA] = "gamma",   [ETA] = "eta",         [DISTORTION] = "distortion",
        [METRIC] = "metric", [CASE] = "case",       [GROWTH] = "growth",
        [FROM] = "from"};
    for (size_t i = 0; i < KEYS; i++)
        list[i] = (keyed){.key = names[i]};
    list[KEYS] = (keyed){.key = NULL};
}

static scrim_status refuse_keys(const keyed *list, int first, int last, const char *stage,
                                scrim_error *error)
{
    for (int i = first; i <= last; i++)
        if (list[i].value != NULL)
            return sc_refuse(error, "%s takes no %s; leave it out", stage, list[i].key);
    return SCRIM_OK;
}

static scrim_status copy(char out[SCRIM_NUMBER_BYTES], const keyed *from,
                         const char *otherwise, scrim_error *error)
{
    const char *text = from->value == NULL ? otherwise : from->value;
    if (strlen(text) >= SCRIM_NUMBER_BYTES)
        return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                 "%s has more than %d characters; use fewer digits",
                                 from->key, SCRIM_NUMBER_BYTES - 1);
    snprintf(out, SCRIM_NUMBER_BYTES, "%s", text);
    return SCRIM_OK;
}

/* A number that is not given is 0; a beta "unbounded" is the empty text. */
static scrim_status set_numbers(const keyed *k, scrim_flexible *out, scrim_error *error)
{
    const bool is_unbounded =
        k[BETA].value != NULL && strcmp(k[BETA].value, "unbounded") == 0;
    SC_TRY(copy(out->alpha, out->is_count ? &k[DROPPED] : &k[ALPHA], "0", error));
    if (!is_unbounded)
        SC_TRY(copy(out->beta, &k[BETA], "0", error));
    SC_TRY(copy(out->gamma, &k[GAMMA], "0", error));
    return copy(out->eta, &k[ETA], "", error);
}

/* Parameters that are not given are as in `like`. */
static scrim_status make_statement(const keyed *k, const scrim_flexible *like,
                                   scrim_flexible *out, scrim_error *error)
{
    const char *form = k[CASE].value;
    memset(out, 0, sizeof *out);
    out->distortion =
        k[DISTORTION].value == NULL ? like->distortion : k[DISTORTION].value;
    out->metric = k[METRIC].value == NULL ? like->metric : k[METRIC].value;
    out->is_average = form == NULL ? like->is_average : strcmp(form, "average") == 0;
    out->is_count =
        k[DROPPED].value != NULL || (k[ALPHA].value == NULL && like->is_count);
    if (form != NULL && strcmp(form, "average") != 0 && strcmp(form, "worst") != 0)
        return sc_refuse(error, "case must be worst or average, not '%s'", form);
    if (k[ALPHA].value != NULL && k[DROPPED].value != NULL)
        return sc_refuse(error, "alpha is a fraction and dropped a number of elements; "
                                "give one of them");
    return set_numbers(k, out, error);
}

static void add_row(const char *stage, const scrim_flexible *f, sc_listing *page)
{
    sc_listing_add(page,
                   (const char *[]){stage, f->is_count ? NULL : f->alpha,
                                    f->is_count ? f->alpha : NULL,
                                    f->beta[0] == '\0' ? "unbounded" : f->beta, f->gamma,
                                    f->distortion, f->eta[0] == '\0' ? NULL : f->eta,
                                    f->metric, f->is_average ? "average" : "worst"});
}

/* growth=same unless given; from is the metric that the growth was proved for, and the first stage's
 * unless given. */
static scrim_status run_stage(const char *stage, const keyed *k, scrim_flexible *now,
                              scrim_error *error)
{
    const char *growth = k[GROWTH].value == NULL ? "same" : k[GROWTH].value;
    const char *from = k[FROM].value == NULL ? now->metric : k[FROM].value;
    scrim_flexible second;
    scrim_status status;
    if (strcmp(stage, "apply") == 0) {
        status = refuse_keys(k, ALPHA, DISTORTION, "apply", error);
        if (status == SCRIM_OK)
            status = refuse_keys(k, CASE, CASE, "apply", error);
        return status == SCRIM_OK
                   ? scrim_flexible_apply(now, from, growth,
                                          k[METRIC].value == NULL ? now->metric
                                                                  : k[METRIC].value,
                                          now, error)
                   : status;
    }
    if (strcmp(stage, "then") != 0)
        return sc_refuse(error, "unknown stage '%s'; use apply or then", stage);
    status = make_statement(k, now, &second, error);
    return status == SCRIM_OK
               ? scrim_flexible_then(now, &second, from, growth, now, error)
               : status;
}

static scrim_status add_stages(const sc_options *options, sc_listing *page,
                               scrim_error *error)
{
    static const scrim_flexible usual = {.distortion = "drop", .metric = "absolute"};
    keyed k[KEYS + 1];
    scrim_flexible now;
    size_t next = 2;
    init_keys(k);
    SC_TRY(read_keys(options, next, k, &next, error));
    SC_TRY(refuse_keys(k, GROWTH, FROM, "the first statement", error));
    SC_TRY(make_statement(k, &usual, &now, error));
    /* Applied with no change it is checked. */
    SC_TRY(scrim_flexible_apply(&now, now.metric, "same", now.metric, &now, error));
    add_row("first", &now, page);
    while (next < options->word_count) {
        const char *stage = options->words[next];
        init_keys(k);
        SC_TRY(read_keys(options, next + 1, k, &next, error));
        SC_TRY(run_stage(stage, k, &now, error));
        add_row(stage, &now, page);
    }
    return SCRIM_OK;
}

scrim_status sc_flexible_stages(const sc_options *options, scrim_error *error)
{
    static const sc_listing_column columns[] = {
        {.name = "stage"}, {.name = "alpha"},  {.name = "dropped"},
        {.name = "beta"},  {.name = "gamma"},  {.name = "distortion"},
        {.name = "eta"},   {.name = "metric"}, {.name = "case"}};
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    if (options->word_count < 3)
        return sc_refuse(error, "give a statement, as in 'scrim experiment composition "
                                "alpha=0.05 beta=0.1 gamma=0 apply growth=2'");
    SC_TRY(sc_page_new(options, columns, sizeof columns / sizeof *columns, &page, error));
    SC_TRY(add_stages(options, page, error));
    return sc_page_write(page, error);
}

/* On one input. */

#define INTEGERS_MAX 4096

/* Integers between commas. */
static scrim_status read_integers(const keyed *from, int64_t *out, size_t *count,
                                  scrim_error *error)
{
    const char *at = from->value;
    *count = 0;
    while (at != NULL && *count < INTEGERS_MAX) {
        char *end = NULL;
        errno = 0;
        const long long value = strtoll(at, &end, 10);
        if (end == at || errno != 0 || (*end != ',' && *end != '\0'))
            break;
        out[(*count)++] = (int64_t)value;
        if (*end == '\0')
            return SCRIM_OK;
        at = end + 1;
    }
    return sc_refuse(error, "give %s as 1 to %d integers, as in %s=8,9,10", from->key,
                     INTEGERS_MAX, from->key);
}

#define LINE_BYTES 4096

static scrim_status read_mechanism(const sc_options *options, size_t first,
                                   scrim_measurement **out, scrim_error *error)
{
    char line[LINE_BYTES];
    size_t used = 0;
    line[0] = '\0';
    for (size_t i = first; i < options->word_count && used < sizeof line; i++)
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%s",
                                 i == first ? "" : " ", options->words[i]);
    if (used >= sizeof line)
        return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                 "the mechanism's line is too long");
    return scrim_measurement_parse_model(line, out, error);
}

enum { INPUT, REACHABLE, GAMMAS, FORM, EVALUATED };

typedef struct best {
    int64_t input[INTEGERS_MAX], reachable[INTEGERS_MAX];
    size_t input_count, reachable_count;
    char beta[SCRIM_NUMBER_BYTES];
} best;

static scrim_status show_best(const sc_options *options, const scrim_measurement *m,
                              const best *b, const char *gamma, scrim_error *error)
{
    static const sc_listing_column columns[] = {
        {.name = "mechanism"}, {.name = "gamma"}, {.name = "beta"}};
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    SC_TRY(sc_page_new(options, columns, sizeof columns / sizeof *columns, &page, error));
    sc_listing_add(page, (const char *[]){scrim_measurement_text(m), gamma, b->beta});
    return sc_page_write(page, error);
}

scrim_status sc_flexible_best(const sc_options *options, scrim_error *error)
{
    keyed k[EVALUATED + 1] = {{.key = "input"},
                              {.key = "reachable"},
                              {.key = "gamma"},
                              {.key = "case"},
                              {.key = NULL}};
    SC_OWNED(scrim_measurement_free_at) scrim_measurement *m = NULL;
    SC_FREED best *b = calloc(1, sizeof *b);
    size_t next = 2;
    if (b == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    SC_TRY(read_keys(options, next, k, &next, error));
    const char *gamma = k[GAMMAS].value == NULL ? "0" : k[GAMMAS].value;
    SC_TRY(read_integers(&k[INPUT], b->input, &b->input_count, error));
    SC_TRY(read_integers(k[REACHABLE].value == NULL ? &k[INPUT] : &k[REACHABLE],
                         b->reachable, &b->reachable_count, error));
    SC_TRY(read_mechanism(options, next, &m, error));
    const char *form = k[FORM].value == NULL ? "worst" : k[FORM].value;
    if (strcmp(form, "worst") != 0 && strcmp(form, "average") != 0)
        return sc_refuse(error, "unknown case '%s'; use worst or average", form);
    SC_TRY((strcmp(form, "worst") == 0 ? scrim_flexible_evaluate
                                       : scrim_flexible_evaluate_average)(
        m, b->input, b->input_count, b->reachable, b->reachable_count, gamma, b->beta,
        error));
    return show_best(options, m, b, gamma, error);
}

/* The rounded histogram. */

static const sc_listing_column columns[] = {
    {"q", SC_KIND_NUMBER},           {.name = "epsilon"},
    {"delta_source", SC_KIND_BOUND}, {"delta", SC_KIND_BOUND},
    {"delta_stlap", SC_KIND_BOUND},  {"lost_none", SC_KIND_BOUND},
    {"lost_one", SC_KIND_BOUND}};

#define ROUNDED_BYTES 512
#define NUMBERS 5

/* For people 5 digits, rounded up; NULL where there is no number. */
static void put_row(const char *q, const scrim_rounded_stlap_facts *found,
                    sc_listing *page)
{
    const char *cells[2 + NUMBERS] = {q,
                                      found->epsilon,
                                      found->published,
                                      found->delta,
                                      found->stlap_delta,
                                      found->lost_none,
                                      found->lost_one};
    char digits[NUMBERS][SC_BOUND_BYTES];
    for (size_t i = 2; i < 2 + NUMBERS; i++)
        if (cells[i][0] == '\0') {
            cells[i] = NULL;
        } else if (page->format == SCRIM_FORMAT_TABLE) {
            sc_number_format_upper(cells[i], digits[i - 2]);
            cells[i] = digits[i - 2];
        }
    sc_listing_add(page, cells);
}

static scrim_status add_rounded(const char *q, const char *epsilon, sc_listing *page,
                                scrim_error *error)
{
    char line[ROUNDED_BYTES];
    scrim_measurement *m = NULL;
    scrim_rounded_stlap_facts found;
    const int length =
        snprintf(line, sizeof line, "rounded-stlap q=%s%s%s", q,
                 epsilon == NULL ? "" : " epsilon=", epsilon == NULL ? "" : epsilon);
    if (length < 0 || (size_t)length >= sizeof line)
        return sc_refuse(error, "q and epsilon are too long");
    scrim_status status = scrim_measurement_parse_model(line, &m, error);
    if (status == SCRIM_OK)
        status = scrim_rounded_stlap_facts_of(m, &found, error);
    scrim_measurement_free(m);
    if (status == SCRIM_OK)
        put_row(q, &found, page);
    return status;
}

scrim_status sc_rounded_table(const sc_options *options, scrim_error *error)
{
    static const char *const usual[] = {"4", "9", "16", "25"};
    const char *epsilon = options->value[SCRIM_OPTION_EPSILON];
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    SC_TRY(sc_page_new(options, columns, sizeof columns / sizeof *columns, &page, error));
    const bool is_given = options->word_count > 2;
    const size_t count =
        is_given ? options->word_count - 2 : sizeof usual / sizeof *usual;
    for (size_t i = 0; i < count; i++)
        SC_TRY(add_rounded(is_given ? options->words[i + 2] : usual[i], epsilon, page,
                           error));
    return sc_page_write(page, error);
}
