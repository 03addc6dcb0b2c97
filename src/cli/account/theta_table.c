#include "cli/account/theta_table.h"

#include "cli/sheet/listing.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/json_reader.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/whole_file.h"

#include <stdlib.h>
#include <string.h>

#define FILE_BYTES ((size_t)1 << 24)
#define LAWS_MAX ((size_t)256)
#define PAIRS_MAX (LAWS_MAX * (LAWS_MAX - 1) / 2)
#define PLACES_MAX ((size_t)1 << 16)
#define STEPS_MAX ((size_t)4096)

/* What the file says. */
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
