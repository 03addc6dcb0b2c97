#include "distance/places.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *sc_place_name(const sc_place_where *at, char text[SC_PLACES_WHERE_BYTES])
{
    if (at->from->name == NULL)
        snprintf(text, SC_PLACES_WHERE_BYTES, "%s %zu", at->what, at->index + 1);
    else
        snprintf(text, SC_PLACES_WHERE_BYTES, "'%.120s', line %zu", at->from->name,
                 at->from->lines == NULL ? at->index + 1 : at->from->lines[at->index]);
    return text;
}

scrim_status sc_place_number(const sc_place_where *at, sc_text text, sc_ratio *out,
                             scrim_error *error)
{
    scrim_error inner;
    char quote[SC_TEXT_QUOTE_BYTES], place[SC_PLACES_WHERE_BYTES];
    const scrim_status status = sc_ratio_parse(sc_text_trim(text), out, &inner);
    if (status == SCRIM_OK)
        return SCRIM_OK;
    sc_place_name(at, place);
    if (status == SCRIM_E_LIMIT)
        return sc_fail_again(error, status, &inner, "%s: %s", place, inner.message);
    return sc_fail(error, SCRIM_E_INPUT, "%s: '%s' is not a number; write 1, 0.1 or 1/3",
                   place, sc_text_quote(text, quote));
}

/* Numbers that are to become whole: what they are multiplied by, and the last one read. */
typedef struct common {
    sc_ratio multiple; /* the least that makes all of them whole */
    sc_ratio number;
    sc_integer whole;
} common;

static void common_init(common *c)
{
    sc_ratio_init(&c->multiple);
    sc_ratio_init(&c->number);
    sc_integer_init(&c->whole);
    sc_ratio_set_int64(&c->multiple, 1);
}

static void common_clear(common *c)
{
    sc_integer_clear(&c->whole);
    sc_ratio_clear(&c->number);
    sc_ratio_clear(&c->multiple);
}

/* The number that was read joins: multiple becomes the least that makes it whole as well. */
static scrim_status join(common *c, scrim_error *error)
{
    if (sc_ratio_is_integer(&c->number))
        return SCRIM_OK;
    sc_ratio_mul(&c->number, &c->number, &c->multiple);
    if (sc_ratio_is_integer(&c->number))
        return SCRIM_OK;
    sc_ratio_denominator(&c->number, &c->whole);
    sc_ratio_set_integer(&c->number, &c->whole);
    sc_ratio_mul(&c->multiple, &c->multiple, &c->number);
    if (sc_ratio_bits(&c->multiple) > 64)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "the numbers have no common step above 5.5e-20; use fewer digits");
    return SCRIM_OK;
}

/* The number that was read, in steps; at most `most` in size. */
static scrim_status in_steps(common *c, int64_t most, int64_t *out, scrim_error *error)
{
    sc_int128 wide = 0;
    sc_ratio_mul(&c->number, &c->number, &c->multiple);
    sc_ratio_floor(&c->number, &c->whole);
    if (!sc_integer_get_int128(&c->whole, &wide) || wide > most || wide < -most)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a number is more than %" PRId64
                       " steps of the common length from 0; use fewer digits",
                       most);
    *out = (int64_t)wide;
    return SCRIM_OK;
}

/* The two sides, one after the other. */
typedef struct sides {
    const scrim_place *list[2];
    size_t count[2];
    const scrim_list_lines *lines[2];
} sides;

static sc_place_where where_of(const sides *from, size_t side, size_t index,
                               const char *what)
{
    return (sc_place_where){.what = what, .index = index, .from = from->lines[side]};
}

/* Masses. */

static scrim_status join_masses(sc_places *out, const sides *from, common *c,
                                scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; status == SCRIM_OK && i < from->count[k]; i++) {
            if (from->list[k][i].mass == NULL)
                continue;
            const sc_place_where at = where_of(from, k, i, "mass");
            char place[SC_PLACES_WHERE_BYTES];
            status = sc_place_number(&at, sc_text_of(from->list[k][i].mass), &c->number,
                                     error);
            if (status == SCRIM_OK && sc_ratio_sign(&c->number) < 0)
                status = sc_fail(error, SCRIM_E_INPUT, "%s: a count must be at least 0",
                                 sc_place_name(&at, place));
            if (status == SCRIM_OK && !sc_ratio_is_integer(&c->number) &&
                !out->is_fraction) {
                out->is_fraction = true;
                sc_place_name(&at, out->fraction_at);
            }
            if (status == SCRIM_OK)
                status = join(c, error);
        }
    return status;
}

static scrim_status read_mass(common *c, const scrim_place *place,
                              const sc_place_where *at, uint64_t *out, scrim_error *error)
{
    int64_t units = 0;
    scrim_status status = SCRIM_OK;
    if (place->mass == NULL)
        sc_ratio_set_int64(&c->number, 1);
    else
        status = sc_place_number(at, sc_text_of(place->mass), &c->number, error);
    if (status == SCRIM_OK)
        status = in_steps(c, (int64_t)SC_MASS_MAX, &units, error);
    *out = (uint64_t)units;
    return status;
}

/* Numbers. */

/* The next of the numbers of a place, which are separated by commas. */
static bool next_number(sc_text *rest, bool *has_more, sc_text *out)
{
    if (!*has_more)
        return false;
    if (!sc_text_split(*rest, ',', out, rest)) {
        *out = *rest;
        *has_more = false;
    }
    return true;
}

/* A number of steps at most; squares of distances must fit as well. */
static int64_t most_of(const sc_places *places)
{
    if (places->dimensions == 1)
        return SC_PLACE_MAX;
    return (int64_t)1 << (places->is_square ? 28 : 58);
}

/* Reads the numbers of one place: joins them, or writes them in steps where out is given. */
static scrim_status read_point(common *c, const sc_places *to, const scrim_place *place,
                               const sc_place_where *at, int64_t *out, scrim_error *error)
{
    const unsigned dimensions = to->dimensions;
    sc_text rest = sc_text_of(place->place), number;
    bool has_more = true;
    unsigned found = 0;
    char named[SC_PLACES_WHERE_BYTES];
    scrim_status status = SCRIM_OK;
    while (status == SCRIM_OK && next_number(&rest, &has_more, &number)) {
        if (found++ == dimensions)
            break;
        status = sc_place_number(at, number, &c->number, error);
        if (status == SCRIM_OK)
            status = out == NULL ? join(c, error)
                                 : in_steps(c, most_of(to), &out[found - 1], error);
    }
    if (status == SCRIM_OK && found != dimensions)
        status =
            sc_fail(error, SCRIM_E_INPUT, "%s: %u %s expected", sc_place_name(at, named),
                    dimensions, dimensions == 1 ? "number is" : "numbers are");
    return status;
}

static scrim_status join_points(const sides *from, const sc_places *to, common *c,
                                scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; status == SCRIM_OK && i < from->count[k]; i++) {
            const sc_place_where at = where_of(from, k, i, "place");
            status = read_point(c, to, &from->list[k][i], &at, NULL, error);
        }
    return status;
}

/* Points of several numbers. */

static int64_t point_between(const void *context, int64_t a, int64_t b)
{
    const sc_places *places = context;
    const unsigned dimensions = places->dimensions;
    const int64_t *x = &places->points[(size_t)a * dimensions];
    const int64_t *y = &places->points[(size_t)b * dimensions];
    int64_t sum = 0;
    for (unsigned i = 0; i < dimensions; i++) {
        const int64_t apart = x[i] > y[i] ? x[i] - y[i] : y[i] - x[i];
        if (places->norm == SC_PLACES_SUM)
            sum += apart;
        else if (places->norm == SC_PLACES_ROOT)
            sum += apart * apart; /* 8 of at most 2^58 */
        else if (apart > sum)
            sum = apart;
    }
    return sum;
}

static int compare_points(const void *a, const void *b, void *context)
{
    const unsigned dimensions = *(const unsigned *)context;
    const int64_t *x = a, *y = b;
    for (unsigned i = 0; i < dimensions; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* All points of both sides, in order, each once. */
static scrim_status list_points(sc_places *out, const sides *from, common *c,
                                scrim_error *error)
{
    const size_t count = from->count[0] + from->count[1], width = out->dimensions;
    size_t filled = 0, kept = 0;
    scrim_status status = SCRIM_OK;
    if (count > SC_GROUND_PAIRS)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "more than 1048576 places can be compared only in one dimension");
    int64_t *list = out->points = sc_allocate(count * width, sizeof *list);
    if (list == NULL)
        return sc_no_memory(error, "the places");
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; status == SCRIM_OK && i < from->count[k]; i++) {
            const sc_place_where at = where_of(from, k, i, "place");
            status = read_point(c, out, &from->list[k][i], &at, &list[width * filled++],
                                error);
        }
    if (status != SCRIM_OK)
        return status;
    qsort_r(list, count, width * sizeof *list, compare_points, &out->dimensions);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || compare_points(&list[i * width], &list[(kept - 1) * width],
                                     &out->dimensions) != 0)
            memmove(&list[kept++ * width], &list[i * width], width * sizeof *list);
    out->point_count = kept;
    return SCRIM_OK;
}

/* The index of a point that is listed. */
static int64_t index_of(sc_places *out, const int64_t *point)
{
    size_t low = 0, high = out->point_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (compare_points(&out->points[middle * out->dimensions], point,
                           &out->dimensions) <= 0)
            low = middle;
        else
            high = middle;
    }
    return (int64_t)low;
}

/* Named places. */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool find_name(const sc_places *out, const char *name, size_t *index)
{
    if (out->name_count == 0)
        return false;
    const char **found =
        bsearch(&name, out->names, out->name_count, sizeof *out->names, by_name);
    if (found != NULL)
        *index = (size_t)(found - out->names);
    return found != NULL;
}

static int64_t name_between(const void *context, int64_t a, int64_t b)
{
    const sc_places *places = context;
    return places->lengths[(size_t)a * places->name_count + (size_t)b];
}

static scrim_status list_names(sc_places *out, const scrim_distance_options *options,
                               scrim_error *error)
{
    size_t kept = 0;
    const size_t room = 2 * options->step_count;
    if (options->step_count > SC_GROUND_PAIRS)
        return sc_fail(error, SCRIM_E_LIMIT, "a metric has at most 1048576 pairs");
    out->names = sc_allocate(room, sizeof *out->names);
    if (out->names == NULL)
        return sc_no_memory(error, "a metric");
    for (size_t i = 0; i < options->step_count; i++) {
        if (options->steps[i].from == NULL || options->steps[i].to == NULL ||
            options->steps[i].length == NULL)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "metric",
                               "pair %zu of the metric is not complete", i + 1);
        out->names[2 * i] = options->steps[i].from;
        out->names[2 * i + 1] = options->steps[i].to;
    }
    qsort(out->names, room, sizeof *out->names, by_name);
    for (size_t i = 0; i < room; i++)
        if (i == 0 || strcmp(out->names[i], out->names[kept - 1]) != 0)
            out->names[kept++] = out->names[i];
    out->name_count = kept;
    if (kept > SC_PLACES_NAMES)
        return sc_fail(error, SCRIM_E_LIMIT, "a metric has at most %d places",
                       SC_PLACES_NAMES);
    return SCRIM_OK;
}

/* Lengths of the pairs that are listed; is_back fills the ways back that are not. */
static scrim_status set_lengths(sc_places *out, const scrim_distance_options *options,
                                common *c, bool is_back, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < options->step_count; i++) {
        const scrim_step *s = &options->steps[i];
        size_t from = 0, to = 0;
        int64_t length = 0;
        (void)find_name(out, is_back ? s->to : s->from, &from);
        (void)find_name(out, is_back ? s->from : s->to, &to);
        const sc_place_where line = {"distance", i, &options->step_lines};
        status = sc_place_number(&line, sc_text_of(s->length), &c->number, error);
        if (status == SCRIM_OK)
            status = in_steps(c, (int64_t)1 << 61, &length, error);
        int64_t *at = &out->lengths[from * out->name_count + to];
        if (status == SCRIM_OK && (!is_back || *at == SC_GROUND_NONE))
            *at = length;
    }
    return status;
}

static scrim_status join_lengths(const scrim_distance_options *options, common *c,
                                 scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < options->step_count; i++) {
        const scrim_step *s = &options->steps[i];
        const sc_place_where at = {"distance", i, &options->step_lines};
        char place[SC_PLACES_WHERE_BYTES];
        status = sc_place_number(&at, sc_text_of(s->length), &c->number, error);
        if (status == SCRIM_OK && sc_ratio_sign(&c->number) < 0)
            status = sc_fail(error, SCRIM_E_INPUT, "%s: a distance must be at least 0",
                             sc_place_name(&at, place));
        if (status == SCRIM_OK && strcmp(s->from, s->to) == 0 &&
            sc_ratio_sign(&c->number) != 0)
            status = sc_fail(error, SCRIM_E_INPUT,
                             "%s: the distance from a place to itself must be 0",
                             sc_place_name(&at, place));
        if (status == SCRIM_OK)
            status = join(c, error);
    }
    return status;
}

static scrim_status read_metric(sc_places *out, const scrim_distance_options *options,
                                common *c, scrim_error *error)
{
    SC_TRY(list_names(out, options, error));
    SC_TRY(join_lengths(options, c, error));
    const size_t pairs = out->name_count * out->name_count;
    out->lengths = sc_allocate(pairs, sizeof *out->lengths);
    if (out->lengths == NULL)
        return sc_no_memory(error, "a metric");
    for (size_t k = 0; k < pairs; k++)
        out->lengths[k] = k % (out->name_count + 1) == 0 ? 0 : SC_GROUND_NONE;
    SC_TRY(set_lengths(out, options, c, false, error));
    return set_lengths(out, options, c, true, error);
}

/* Together. */

static scrim_status place_of(sc_places *out, common *c, const scrim_place *from,
                             const sc_place_where *at, int64_t *place, scrim_error *error)
{
    char named[SC_PLACES_WHERE_BYTES];
    int64_t point[SC_PLACES_DIMENSIONS] = {0};
    char quote[SC_TEXT_QUOTE_BYTES];
    size_t name = 0;
    if (out->names != NULL) {
        if (!find_name(out, from->place, &name))
            return sc_fail(
                error, SCRIM_E_INPUT, "%s: '%s' is not among those of the metric",
                sc_place_name(at, named), sc_text_quote(sc_text_of(from->place), quote));
        *place = (int64_t)name;
        return SCRIM_OK;
    }
    SC_TRY(read_point(c, out, from, at, point, error));
    *place = out->dimensions == 1 ? point[0] : index_of(out, point);
    return SCRIM_OK;
}

static scrim_status fill(sc_places *out, const sides *from, common *places,
                         common *masses, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; status == SCRIM_OK && i < from->count[k]; i++) {
            int64_t place = 0;
            uint64_t mass = 0;
            const sc_place_where at = where_of(from, k, i, "place");
            status = place_of(out, places, &from->list[k][i], &at, &place, error);
            if (status == SCRIM_OK)
                status = read_mass(masses, &from->list[k][i], &at, &mass, error);
            if (status == SCRIM_OK)
                status = sc_masses_add(k == 0 ? &out->a : &out->b, place, mass, error);
        }
    sc_masses_sort(&out->a);
    sc_masses_sort(&out->b);
    return status;
}

static bool read_norm(const char *text, sc_places_norm *out)
{
    static const char *const names[] = {
        [SC_PLACES_SUM] = "1", [SC_PLACES_ROOT] = "2", [SC_PLACES_MAX] = "max"};
    *out = SC_PLACES_SUM;
    for (size_t i = 0; text != NULL && i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i]) == 0) {
            *out = (sc_places_norm)i;
            return true;
        }
    return text == NULL;
}

static scrim_status read_options(sc_places *out, const scrim_distance_options *options,
                                 scrim_error *error)
{
    const bool is_named = options->steps != NULL;
    out->dimensions = options->dimensions == 0 ? 1 : options->dimensions;
    if (out->dimensions > SC_PLACES_DIMENSIONS)
        return sc_fail(error, SCRIM_E_LIMIT, "a place has at most %d numbers",
                       SC_PLACES_DIMENSIONS);
    if (is_named && (options->dimensions != 0 || options->norm != NULL))
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "metric",
            "places are named by a metric or are numbers with a norm, not both");
    if (!read_norm(options->norm, &out->norm))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "norm",
                                 "use 1, 2 or max");
    out->is_square = out->norm == SC_PLACES_ROOT && out->dimensions > 1;
    if (is_named || out->dimensions > 1) {
        out->general = (sc_ground){.between = is_named ? name_between : point_between,
                                   .context = out};
        out->ground = &out->general;
    }
    return SCRIM_OK;
}

static scrim_status read_all(sc_places *out, const sides *from,
                             const scrim_distance_options *options, common *places,
                             common *masses, scrim_error *error)
{
    scrim_status status = read_options(out, options, error);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; status == SCRIM_OK && i < from->count[k]; i++)
            if (from->list[k][i].place == NULL)
                status = sc_fail(error, SCRIM_E_INPUT, "place %zu is missing", i + 1);
    if (status == SCRIM_OK && options->steps != NULL)
        status = read_metric(out, options, places, error);
    else if (status == SCRIM_OK)
        status = join_points(from, out, places, error);
    if (status == SCRIM_OK && out->dimensions > 1)
        status = list_points(out, from, places, error);
    if (status == SCRIM_OK)
        status = join_masses(out, from, masses, error);
    if (status == SCRIM_OK)
        status = fill(out, from, places, masses, error);
    if (status == SCRIM_OK) {
        sc_ratio_set_int64(&out->step, 1);
        sc_ratio_div(&out->step, &out->step, &places->multiple);
        sc_ratio_set_int64(&out->unit, 1);
        sc_ratio_div(&out->unit, &out->unit, &masses->multiple);
    }
    return status;
}

scrim_status sc_places_read(sc_places *out, const scrim_place *a, size_t a_count,
                            const scrim_place *b, size_t b_count,
                            const scrim_distance_options *options, scrim_error *error)
{
    const sides from = {.list = {a, b},
                        .count = {a_count, b_count},
                        .lines = {&options->a_lines, &options->b_lines}};
    common places, masses;
    memset(out, 0, sizeof *out);
    sc_masses_init(&out->a);
    sc_masses_init(&out->b);
    sc_ratio_init(&out->step);
    sc_ratio_init(&out->unit);
    common_init(&places);
    common_init(&masses);
    const scrim_status status = read_all(out, &from, options, &places, &masses, error);
    common_clear(&masses);
    common_clear(&places);
    return status;
}

void sc_places_clear(sc_places *places)
{
    sc_free(places->lengths);
    sc_free(places->names);
    sc_free(places->points);
    sc_ratio_clear(&places->step);
    sc_ratio_clear(&places->unit);
    sc_masses_clear(&places->b);
    sc_masses_clear(&places->a);
}
