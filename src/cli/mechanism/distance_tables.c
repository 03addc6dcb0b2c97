#include "cli/mechanism/distance_tables.h"

#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/whole_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SC_PLACE_FILE_LINES ((size_t)1 << 22)

/* No file is larger. */
#define SC_PLACE_FILE_BYTES ((size_t)1 << 27)

/* The next line of the text, terminated; NULL behind the last. */
static char *next_line(char **rest)
{
    char *line = *rest;
    if (line == NULL)
        return NULL;
    char *end = strchr(line, '\n');
    *rest = end == NULL ? NULL : end + 1;
    if (end != NULL)
        *end = '\0';
    return *line == '\0' && end == NULL ? NULL : line;
}

/* Without spaces at either end, and without the other half of a line's end. */
static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]) != NULL)
        text[--length] = '\0';
    return text;
}

/* The next line that says something, without blanks around it, and its number, from 1 on. */
static char *next_said(char **rest, size_t *number)
{
    char *line;
    while ((line = next_line(rest)) != NULL) {
        ++*number;
        line = trim(line);
        if (line[0] != '\0' && line[0] != '#')
            break;
    }
    return line;
}

/* Cuts the line behind `count` fields; NULL if it has no more. */
static char *cut_behind(char *line, unsigned fields)
{
    char *comma = line - 1;
    for (unsigned i = 0; i < fields && comma != NULL; i++)
        comma = strchr(comma + 1, ',');
    if (comma == NULL)
        return NULL;
    *comma = '\0';
    return comma + 1;
}

static size_t count_lines(const char *text)
{
    size_t count = 1;
    while ((text = strchr(text, '\n')) != NULL) {
        text++;
        count++;
    }
    return count;
}

static scrim_status misread(const char *path, size_t line, const char *wanted,
                            scrim_error *error)
{
    return sc_complaint_fill(error, SCRIM_E_INPUT, "'%.120s', line %zu: write %s", path,
                             line, wanted);
}

/* A text with a zero byte would end there. */
static scrim_status check_text(const sc_whole_file *file, const char *path,
                               scrim_error *error)
{
    return strlen(file->bytes) == file->count
               ? SCRIM_OK
               : sc_complaint_fill(error, SCRIM_E_INPUT, "'%.120s' is not text", path);
}

static scrim_status read_places(const char *path, unsigned dimensions, sc_place_file *out,
                                scrim_error *error)
{
    char *rest = out->file.bytes, *line;
    out->places = calloc(count_lines(rest), sizeof *out->places);
    out->lines = calloc(count_lines(rest), sizeof *out->lines);
    if (out->places == NULL || out->lines == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory for '%.120s'",
                                 path);
    for (size_t number = 0; (line = next_said(&rest, &number)) != NULL;) {
        char *mass = cut_behind(line, dimensions);
        if (mass != NULL && strchr(mass, ',') != NULL)
            return misread(path, number,
                           dimensions == 1
                               ? "PLACE or PLACE,COUNT"
                               : "the numbers of a place, and a count or none",
                           error);
        out->lines[out->count] = number;
        out->places[out->count++] =
            (scrim_place){.place = trim(line), .mass = mass == NULL ? NULL : trim(mass)};
    }
    return SCRIM_OK;
}

static scrim_status read_steps(const char *path, sc_place_file *out, scrim_error *error)
{
    char *rest = out->file.bytes, *line;
    out->steps = calloc(count_lines(rest), sizeof *out->steps);
    out->lines = calloc(count_lines(rest), sizeof *out->lines);
    if (out->steps == NULL || out->lines == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory for '%.120s'",
                                 path);
    for (size_t number = 0; (line = next_said(&rest, &number)) != NULL;) {
        char *to = cut_behind(line, 1);
        char *length = to == NULL ? NULL : cut_behind(to, 1);
        if (length == NULL || strchr(length, ',') != NULL)
            return misread(path, number, "FROM,TO,LENGTH", error);
        out->lines[out->count] = number;
        out->steps[out->count++] =
            (scrim_step){.from = trim(line), .to = trim(to), .length = trim(length)};
    }
    return SCRIM_OK;
}

static scrim_status open_file(const char *path, sc_place_file *out, scrim_error *error)
{
    memset(out, 0, sizeof *out);
    SC_TRY(sc_whole_file_read(path, SC_PLACE_FILE_BYTES, &out->file, error));
    SC_TRY(check_text(&out->file, path, error));
    if (count_lines(out->file.bytes) > SC_PLACE_FILE_LINES)
        return sc_complaint_fill(error, SCRIM_E_LIMIT, "'%.120s' has more than %zu lines",
                                 path, SC_PLACE_FILE_LINES);
    return SCRIM_OK;
}

scrim_status sc_place_file_read(const char *path, unsigned dimensions, sc_place_file *out,
                                scrim_error *error)
{
    scrim_status status = open_file(path, out, error);
    if (status == SCRIM_OK)
        status = read_places(path, dimensions, out, error);
    if (status != SCRIM_OK)
        sc_place_file_clear(out);
    return status;
}

scrim_status sc_place_file_metric(const char *path, sc_place_file *out,
                                  scrim_error *error)
{
    scrim_status status = open_file(path, out, error);
    if (status == SCRIM_OK)
        status = read_steps(path, out, error);
    if (status == SCRIM_OK && out->count == 0)
        status = misread(path, 1, "FROM,TO,LENGTH", error);
    if (status != SCRIM_OK)
        sc_place_file_clear(out);
    return status;
}

void sc_place_file_clear(sc_place_file *file)
{
    free(file->lines);
    free(file->steps);
    free(file->places);
    sc_whole_file_clear(&file->file);
    memset(file, 0, sizeof *file);
}

#define NUMBERS_MAX 32

enum { ORDER, EPSILON, DELTA, GROUP, LISTS };

static const char *const names[LISTS] = {"order", "epsilon", "delta", "group"};

static const sc_listing_column divergence_columns[] = {
    {"divergence", SC_KIND_TEXT}, {"at", SC_KIND_TEXT},
    {"exact", SC_KIND_TEXT},      {"value", SC_KIND_BOUND},
    {"exact_back", SC_KIND_TEXT}, {"value_back", SC_KIND_BOUND}};

/* For people: 5 digits, and what they are where that is short. */
static const sc_listing_column short_columns[] = {{"divergence", SC_KIND_TEXT},
                                                  {"at", SC_KIND_TEXT},
                                                  {"first to second", SC_KIND_TEXT},
                                                  {"second to first", SC_KIND_TEXT}};

#define SHORT_EXACT 9
#define SHORT_BYTES (SHORT_EXACT + SC_BOUND_BYTES + 8)

static void write_short(const scrim_distance *found, char out[SHORT_BYTES])
{
    char digits[SC_BOUND_BYTES];
    sc_number_format_upper(found->decimal, digits);
    if (found->is_infinite || strncmp(found->exact, "ln(", 3) != 0 ||
        strlen(found->exact) > SHORT_EXACT)
        snprintf(out, SHORT_BYTES, "%.30s", found->is_infinite ? found->decimal : digits);
    else
        snprintf(out, SHORT_BYTES, "%.9s = %s", found->exact, digits);
}

typedef struct numbers {
    char *text;
    const char *list[NUMBERS_MAX];
    size_t count;
} numbers;

static scrim_status split(const char *text, const char *name, numbers *out,
                          scrim_error *error)
{
    out->text = strdup(text);
    if (out->text == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    for (char *at = out->text; at != NULL;) {
        char *comma = strchr(at, ',');
        if (comma != NULL)
            *comma = '\0';
        if (*at == '\0' || out->count == NUMBERS_MAX)
            return sc_refuse(error, "--%s takes 1 to %d numbers, as in --%s 1,2,5", name,
                             NUMBERS_MAX, name);
        out->list[out->count++] = at;
        at = comma == NULL ? NULL : comma + 1;
    }
    return SCRIM_OK;
}

/* One row: a kind, and a number of each list that it needs, else NULL. */
typedef struct row {
    const scrim_divergence_kind *kind;
    const char *number[LISTS];
} row;

/* A bound of Renyi needs an order above 1 and a delta above 0; a group an epsilon that is not
 * negative. Beside the others they have no row. */
static bool has_row(const row *r)
{
    if (r->number[ORDER] != NULL && r->number[DELTA] != NULL)
        return sc_number_view(r->number[ORDER]) > 1 &&
               sc_number_view(r->number[DELTA]) > 0;
    return r->number[GROUP] == NULL || r->number[EPSILON] == NULL ||
           r->number[EPSILON][0] != '-';
}

static void write_at(const row *r, char *out, size_t capacity)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < LISTS && used < capacity; i++)
        if (r->number[i] != NULL)
            used += (size_t)snprintf(out + used, capacity - used, "%s%s %.60s",
                                     used == 0 ? "" : ", ", names[i], r->number[i]);
}

static scrim_status add_row(const scrim_laws *laws, const row *r, sc_listing *listing,
                            scrim_error *error)
{
    scrim_distance found[2];
    char at[160];
    for (int back = 0; back < 2; back++) {
        const scrim_divergence question = {.size = sizeof question,
                                           .kind = r->kind->name,
                                           .is_back = back,
                                           .order = r->number[ORDER],
                                           .epsilon = r->number[EPSILON],
                                           .delta = r->number[DELTA],
                                           .group = r->number[GROUP]};
        const scrim_status status =
            scrim_divergence_of(laws, &question, &found[back], error);
        if (status != SCRIM_OK)
            return status;
    }
    write_at(r, at, sizeof at);
    if (listing->format == SCRIM_FORMAT_TABLE) {
        char cells[2][SHORT_BYTES];
        write_short(&found[0], cells[0]);
        write_short(&found[1], cells[1]);
        sc_listing_add(listing, (const char *[]){r->kind->name, at, cells[0], cells[1]});
        return SCRIM_OK;
    }
    sc_listing_add(listing,
                   (const char *[]){r->kind->name, at, found[0].exact, found[0].decimal,
                                    found[1].exact, found[1].decimal});
    return SCRIM_OK;
}

/* Every combination of the numbers that the kind needs, from this list on. */
static scrim_status add_rows(const scrim_laws *laws, const numbers lists[LISTS], row *r,
                             size_t from, sc_listing *listing, scrim_error *error)
{
    if (from == LISTS)
        return has_row(r) ? add_row(laws, r, listing, error) : SCRIM_OK;
    r->number[from] = NULL;
    if (strstr(r->kind->needs, names[from]) == NULL)
        return add_rows(laws, lists, r, from + 1, listing, error);
    for (size_t i = 0; i < lists[from].count; i++) {
        r->number[from] = lists[from].list[i];
        SC_TRY(add_rows(laws, lists, r, from + 1, listing, error));
    }
    return SCRIM_OK;
}

/* Rows of all kinds. */
static scrim_status write_rows(const scrim_laws *laws,
                               const sc_divergence_request *request, sc_listing *listing,
                               scrim_error *error)
{
    const char *const given[LISTS] = {request->orders, request->epsilons, request->deltas,
                                      request->groups};
    static const char *const fallback[LISTS] = {"2", "1", "1e-6", NULL};
    numbers lists[LISTS] = {{.count = 0}};
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < LISTS; i++) {
        const char *text = given[i] == NULL ? fallback[i] : given[i];
        if (text != NULL)
            status = split(text, names[i], &lists[i], error);
    }
    row r = {.kind = NULL};
    for (size_t i = 0;
         status == SCRIM_OK && (r.kind = scrim_divergence_kind_at(i)) != NULL; i++)
        status = add_rows(laws, lists, &r, 0, listing, error);
    for (size_t i = 0; i < LISTS; i++)
        free(lists[i].text);
    return status;
}

scrim_status sc_divergence_table(const scrim_laws *laws,
                                 const sc_divergence_request *request, sc_output *output,
                                 sc_format format, const sc_terminal *terminal,
                                 scrim_error *error)
{
    sc_listing full = SC_LISTING(divergence_columns, output, format, terminal),
               brief = SC_LISTING(short_columns, output, format, terminal);
    sc_listing *listing = format == SCRIM_FORMAT_TABLE ? &brief : &full;
    listing->is_held = true;
    (void)sc_listing_open(listing);
    return sc_listing_close(listing, write_rows(laws, request, listing, error), error);
}

#define FILE_BYTES ((size_t)1 << 24)
#define LAWS_MAX ((size_t)256)
#define PAIRS_MAX (LAWS_MAX * (LAWS_MAX - 1) / 2)
#define PLACES_MAX ((size_t)1 << 16)
#define STEPS_MAX ((size_t)4096)

/* Contents of the file. */
typedef struct theta_file {
    const char *path;
    sc_json_reader reader;
    scrim_place *places; /* of all laws, one behind the other */
    size_t place_count;
    const char *names[LAWS_MAX];
    scrim_law_list laws[LAWS_MAX];
    size_t law_count;
    scrim_law_pair *pairs;
    size_t pair_count;
    scrim_theta_step *steps;
    size_t step_count;
} theta_file;

static scrim_status fail_form(const theta_file *f, const char *expected,
                              scrim_error *error)
{
    return sc_complaint_fill(error, SCRIM_E_INPUT, "%s: line %zu: expected %s", f->path,
                             f->reader.line, expected);
}

/* [place, mass] */
static scrim_status read_place(theta_file *f, scrim_error *error)
{
    if (f->place_count == PLACES_MAX)
        return sc_complaint_fill(error, SCRIM_E_LIMIT, "%s: more than %zu places",
                                 f->path, PLACES_MAX);
    scrim_place *place = &f->places[f->place_count];
    if (!sc_json_skip(&f->reader, '[') ||
        (place->place = sc_json_scalar(&f->reader)) == NULL ||
        !sc_json_skip(&f->reader, ',') ||
        (place->mass = sc_json_scalar(&f->reader)) == NULL ||
        !sc_json_skip(&f->reader, ']'))
        return fail_form(f, "a place and its mass, as in [50, \"1/10\"]", error);
    f->place_count++;
    return SCRIM_OK;
}

/* "name": [[place, mass], ...] */
static scrim_status read_law(theta_file *f, scrim_error *error)
{
    const char *name = sc_json_scalar(&f->reader);
    const size_t first = f->place_count;
    if (name == NULL || !sc_json_skip(&f->reader, ':') || !sc_json_skip(&f->reader, '['))
        return fail_form(f, "a law, as in \"a\": [[0, \"9/10\"], [50, \"1/10\"]]", error);
    if (f->law_count == LAWS_MAX)
        return sc_complaint_fill(error, SCRIM_E_LIMIT, "%s: more than %zu laws", f->path,
                                 LAWS_MAX);
    scrim_status status = SCRIM_OK;
    do
        status = read_place(f, error);
    while (status == SCRIM_OK && sc_json_skip(&f->reader, ','));
    if (status == SCRIM_OK && !sc_json_skip(&f->reader, ']'))
        status = fail_form(f, "] behind the last place", error);
    f->names[f->law_count] = name;
    f->laws[f->law_count++] =
        (scrim_law_list){.places = f->places + first, .count = f->place_count - first};
    return status;
}

static scrim_status find_law(const theta_file *f, const char *name, size_t *out,
                             scrim_error *error)
{
    for (*out = 0; *out < f->law_count; ++*out)
        if (strcmp(f->names[*out], name) == 0)
            return SCRIM_OK;
    return sc_complaint_fill(error, SCRIM_E_INPUT, "%s: line %zu: unknown law '%.60s'",
                             f->path, f->reader.line, name);
}

/* ["a", "b"] */
static scrim_status read_pair(theta_file *f, scrim_error *error)
{
    const char *first = NULL, *second = NULL;
    scrim_law_pair pair;
    if (!sc_json_skip(&f->reader, '[') || (first = sc_json_scalar(&f->reader)) == NULL ||
        !sc_json_skip(&f->reader, ',') || (second = sc_json_scalar(&f->reader)) == NULL ||
        !sc_json_skip(&f->reader, ']'))
        return fail_form(f, "two neighbours, as in [\"a\", \"b\"]", error);
    if (f->pair_count == PAIRS_MAX)
        return sc_complaint_fill(error, SCRIM_E_LIMIT, "%s: more than %zu neighbours",
                                 f->path, PAIRS_MAX);
    SC_TRY(find_law(f, first, &pair.first, error));
    SC_TRY(find_law(f, second, &pair.second, error));
    f->pairs[f->pair_count++] = pair;
    return SCRIM_OK;
}

static void pair_all(theta_file *f)
{
    for (size_t i = 0; i < f->law_count; i++)
        for (size_t j = i + 1; j < f->law_count; j++)
            f->pairs[f->pair_count++] = (scrim_law_pair){i, j};
}

static bool skip_member(theta_file *f, const char *name, char open)
{
    const char *found = sc_json_scalar(&f->reader);
    return found != NULL && strcmp(found, name) == 0 && sc_json_skip(&f->reader, ':') &&
           sc_json_skip(&f->reader, open);
}

static scrim_status read_neighbours(theta_file *f, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (!skip_member(f, "neighbours", '['))
        return fail_form(f, "\"neighbours\": [[\"a\", \"b\"]]", error);
    do
        status = read_pair(f, error);
    while (status == SCRIM_OK && sc_json_skip(&f->reader, ','));
    if (status == SCRIM_OK && !sc_json_skip(&f->reader, ']'))
        status = fail_form(f, "] behind the last neighbours", error);
    return status;
}

static scrim_status read_all(theta_file *f, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (!sc_json_skip(&f->reader, '{') || !skip_member(f, "laws", '{'))
        return fail_form(f, "{\"laws\": {\"a\": [[0, 1]], \"b\": [[1, 1]]}}", error);
    do
        status = read_law(f, error);
    while (status == SCRIM_OK && sc_json_skip(&f->reader, ','));
    if (status == SCRIM_OK && !sc_json_skip(&f->reader, '}'))
        status = fail_form(f, "} behind the last law", error);
    if (status == SCRIM_OK && sc_json_skip(&f->reader, ','))
        status = read_neighbours(f, error);
    else if (status == SCRIM_OK)
        pair_all(f);
    if (status == SCRIM_OK &&
        (!sc_json_skip(&f->reader, '}') || !sc_json_is_end(&f->reader)))
        status = fail_form(f, "} at the end", error);
    if (status == SCRIM_OK && f->pair_count == 0)
        status = sc_complaint_fill(error, SCRIM_E_INPUT,
                                   "%s: give at least two laws, or neighbours", f->path);
    return status;
}

static scrim_status show(const theta_file *f, const sc_options *options,
                         scrim_error *error)
{
    static const sc_listing_column columns[] = {{.name = "theta"},
                                                {.name = "sensitivity"},
                                                {.name = "first"},
                                                {.name = "second"}};
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    SC_TRY(sc_page_new(options, columns, sizeof columns / sizeof *columns, &page, error));
    for (size_t i = 0; i < f->step_count; i++) {
        const scrim_law_pair *pair = &f->pairs[f->steps[i].pair];
        sc_listing_add(page,
                       (const char *[]){f->steps[i].theta, f->steps[i].sensitivity,
                                        f->names[pair->first], f->names[pair->second]});
    }
    return sc_page_write(page, error);
}

static scrim_status run(theta_file *f, const sc_options *options, const char *theta,
                        scrim_error *error)
{
    SC_TRY(read_all(f, error));
    SC_TRY(scrim_theta_steps(f->laws, f->law_count, f->pairs, f->pair_count, theta,
                             f->steps, STEPS_MAX, &f->step_count, error));
    return show(f, options, error);
}

scrim_status sc_theta_table(const sc_options *options, const char *path,
                            const char *theta, scrim_error *error)
{
    sc_whole_file file = {.bytes = NULL};
    theta_file *f = calloc(1, sizeof *f);
    if (f != NULL) {
        f->path = path;
        f->places = calloc(PLACES_MAX, sizeof *f->places);
        f->pairs = calloc(PAIRS_MAX, sizeof *f->pairs);
        f->steps = calloc(STEPS_MAX, sizeof *f->steps);
    }
    scrim_status status = SCRIM_OK;
    if (f == NULL || f->places == NULL || f->pairs == NULL || f->steps == NULL)
        status = sc_out_of_memory(error, "a distance");
    if (status == SCRIM_OK)
        status = sc_whole_file_read(path, FILE_BYTES, &file, error);
    if (status == SCRIM_OK) {
        sc_json_reader_init(&f->reader, file.bytes);
        status = run(f, options, theta, error);
        sc_whole_file_clear(&file);
    }
    if (f != NULL) {
        free(f->steps);
        free(f->pairs);
        free(f->places);
    }
    free(f);
    return status;
}
