/* Planning: what is asked for, in one spelling, by the policy alone. */
#include "body/body_plan.h"

#include "base/number/ball_double.h"
#include "base/number/ratio.h"
#include "mechanism/body/depth_median.h"
#include "mechanism/selection/quantile.h"
#include "model/option_struct.h"
#include "query/answer/by_keys.h"
#include "query/language/validate.h"
#include "solve/solid.h"
#include "synth/model/real_functions.h"
#include "vault/vault.h"

#include <stddef.h>
#include <string.h>

#define QUERY_BYTES 65536
/* The text that is charged is kept for ever. */
#define QUESTION_BYTES ((size_t)1 << 22)
#define CELLS ((uint64_t)1 << 20)
/* Candidates of a deep point on an axis. With a small epsilon there are more levels of depth, and time for fewer of them. */
#define DEPTH_POINTS 1024
#define DEPTH_POINTS_MOST 4096
#define DEPTH_MANY_DIRECTIONS 64
#define DEPTH_LEAST_SHARE 100

/* The dataset. */

static scrim_status read_dataset(scrim_vault *vault, const char *name, scrim_body_fit *f,
                                 scrim_error *error)
{
    SC_TRY(sc_planned_dataset_read(vault, name, &f->arena, &f->dataset, error));
    SC_TRY(sc_schema_parse(sc_text_of(f->dataset.policy), NULL, &f->schema, error));
    const scrim_query_options said = {.max_total_rows = f->options.max_total_rows};
    const char *policy = f->dataset.policy;
    SC_TRY(sc_asked_bounds_read(&said, &f->asked, error));
    SC_TRY(sc_asked_bounds_use(&f->asked, &f->arena, &policy, &f->schema, error));
    f->max_rows =
        f->schema->unit.bytes > 0 ? sc_bounds_normal(&f->schema->bounds, 1).rows : 1;
    return SCRIM_OK;
}

/* Columns. */

static scrim_status add_column(scrim_body_fit *f, const sc_column *column,
                               scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_text_quote(column->name, quote);
    for (size_t i = 0; i < f->count; i++)
        if (f->columns[i] == column)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "columns",
                               "'%s' is named twice", quote);
    if (column->type != SC_COLUMN_INT && column->type != SC_COLUMN_DECIMAL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "columns",
                           "'%s' is not a column of numbers; a body has int and decimal "
                           "columns",
                           quote);
    if (f->count == SC_DIRECTION_DIMENSIONS)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "columns",
                           "at most %d columns", SC_DIRECTION_DIMENSIONS);
    if (column->grid.low == column->grid.high)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "columns",
                           "'%s' has a range of one value", quote);
    f->columns[f->count++] = column;
    return SCRIM_OK;
}

static scrim_status list_columns(scrim_body_fit *f, scrim_error *error)
{
    sc_text rest = sc_text_of(f->options.columns), item;
    scrim_status status = SCRIM_OK;
    while (status == SCRIM_OK && sc_text_item(&rest, ',', &item)) {
        item = sc_text_trim(item);
        const sc_column *column = sc_schema_column(f->schema, item);
        status = column == NULL ? sc_schema_unknown(f->schema, item, "columns", error)
                                : add_column(f, column, error);
    }
    if (status == SCRIM_OK && f->count == 0)
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "columns",
                             "a body needs columns of numbers with their ranges");
    return status;
}

/* Scales and coordinates. */

static uint64_t steps_of(const sc_column *column)
{
    return (uint64_t)column->grid.high - (uint64_t)column->grid.low;
}

/* The width of a column's range. */
static void width_of(const sc_column *column, sc_ratio *out)
{
    SC_OWN(sc_ratio, step);
    sc_grid_step(&column->grid, &step);
    sc_ratio_set_int128(out, (sc_int128)steps_of(column));
    sc_ratio_mul(out, out, &step);
}

static scrim_status read_scales(scrim_body_fit *f, scrim_error *error)
{
    sc_text rest = sc_text_of(f->options.scales), item;
    size_t count = 0;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < f->count; i++)
        width_of(f->columns[i], &f->scales[i]);
    if (f->options.scales == NULL)
        return SCRIM_OK;
    while (status == SCRIM_OK && count < f->count && sc_text_item(&rest, ',', &item)) {
        status = sc_ratio_parse(sc_text_trim(item), &f->scales[count], error);
        if (status == SCRIM_OK && (sc_ratio_sign(&f->scales[count]) <= 0 ||
                                   sc_ratio_bits(&f->scales[count]) > 64))
            status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "scales",
                                 "a scale must be above 0, in numbers of 64 bits");
        count++;
    }
    if (status == SCRIM_OK && (count != f->count || rest.bytes > 0))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "scales",
                             "there must be a scale for each column");
    return status;
}

/* A deep point of columns with few values is one of these values: rows that share a value are as deep as they can be there
 * alone. Coordinates are then the steps of the columns. */
static bool has_few_values(const scrim_body_fit *f)
{
    for (size_t i = 0; i < f->count; i++)
        if (steps_of(f->columns[i]) >= DEPTH_POINTS_MOST)
            return false;
    return f->is_depth && f->options.scales == NULL;
}

static void set_steps(scrim_body_fit *f)
{
    for (size_t i = 0; i < f->count; i++) {
        sc_grid_step(&f->columns[i]->grid, &f->scales[i]);
        f->extents[i] = (int64_t)steps_of(f->columns[i]);
    }
    sc_ratio_set_int64(&f->unit, 1);
}

/* 2^24 coordinates for the longest range. */
static scrim_status set_extents(scrim_body_fit *f, scrim_error *error)
{
    SC_OWN(sc_ratio, width, half, most);
    SC_OWN(sc_integer, whole);
    if (has_few_values(f)) {
        set_steps(f);
        return SCRIM_OK;
    }
    for (size_t i = 0; i < f->count; i++) {
        width_of(f->columns[i], &width);
        sc_ratio_div(&width, &width, &f->scales[i]);
        if (sc_ratio_compare(&width, &most) > 0)
            sc_ratio_set(&most, &width);
    }
    sc_ratio_set_int64(&half, SC_DIRECTION_EXTENT);
    sc_ratio_div(&f->unit, &most, &half);
    sc_ratio_set_int64(&half, 1);
    sc_ratio_set_int64(&width, 2);
    sc_ratio_div(&half, &half, &width);
    for (size_t i = 0; i < f->count; i++) {
        sc_int128 extent = 0;
        width_of(f->columns[i], &width);
        sc_ratio_div(&width, &width, &f->scales[i]);
        sc_ratio_div(&width, &width, &f->unit);
        sc_ratio_add(&width, &width, &half);
        sc_ratio_floor(&width, &whole);
        if (!sc_integer_get_int128(&whole, &extent) || extent < 1)
            return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "scales",
                               "the scales of two columns are too far apart");
        f->extents[i] = (int64_t)extent;
    }
    return SCRIM_OK;
}

int64_t sc_body_fit_coordinate(const scrim_body_fit *f, size_t column, int64_t value)
{
    const sc_column *c = f->columns[column];
    if (value == SC_NULL)
        return SC_DIRECTION_MISSING;
    const uint64_t steps = steps_of(c),
                   at = value <= c->grid.low    ? 0
                        : value >= c->grid.high ? steps
                                                : (uint64_t)value - (uint64_t)c->grid.low;
    const sc_uint128 twice = (sc_uint128)at * (uint64_t)f->extents[column] * 2 + steps;
    return (int64_t)(twice / ((sc_uint128)steps * 2));
}

/* Budget, directions and the measurement of one of them. */

static scrim_status read_ratio(const char *text, const char *usual, const char *name,
                               sc_ratio *out, scrim_error *error)
{
    if (text == NULL && usual == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, name,
                           "%s is missing; it has no default", name);
    return sc_ratio_parse(sc_text_of(text == NULL ? usual : text), out, error);
}

static scrim_status read_numbers(scrim_body_fit *f, scrim_error *error)
{
    const scrim_body_fit_options *o = &f->options;
    char quote[SC_TEXT_QUOTE_BYTES];
    f->is_depth = o->method != NULL && strcmp(o->method, "depth") == 0;
    if (o->method != NULL && !f->is_depth && strcmp(o->method, "quantiles") != 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "method",
                           "unknown method '%s'; use quantiles or depth",
                           sc_text_quote(sc_text_of(o->method), quote));
    scrim_status status = read_ratio(o->q, "9/10", "q", &f->q, error);
    if (status == SCRIM_OK)
        status = read_ratio(o->epsilon, NULL, "epsilon", &f->epsilon, error);
    if (status == SCRIM_OK)
        status = read_ratio(o->delta, "0", "delta", &f->delta, error);
    if (status != SCRIM_OK)
        return status;
    if (sc_ratio_sign(&f->q) <= 0 || sc_ratio_compare_int64(&f->q, 1) >= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "q",
                           "q must be above 0 and less than 1");
    if (sc_ratio_sign(&f->epsilon) <= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilon",
                           "epsilon must be above 0");
    if (sc_ratio_sign(&f->delta) < 0 || sc_ratio_compare_int64(&f->delta, 1) >= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "delta",
                           "delta must be at least 0 and less than 1");
    return SCRIM_OK;
}

static scrim_status check_depth(const scrim_body_fit *f, scrim_error *error)
{
    if (f->count > 2)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "method",
                           "a deep point has one or two columns; use another method");
    if (f->options.expected_units == 0)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "expected-units",
            "a deep point needs the expected number of units, which steers "
            "accuracy and never privacy");
    if (sc_ratio_sign(&f->delta) > 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "delta",
                           "a deep point is released once and has no delta");
    return SCRIM_OK;
}

/* The quantile of one direction: all have the same range, and what lies beyond a direction's own end is that end. */
static scrim_status make_quantile(scrim_body_fit *f, scrim_error *error)
{
    SC_OWN(sc_ratio, low, high, rows);
    sc_ratio_set_int128(&high, (sc_int128)f->last);
    sc_ratio_set_int128(&rows, (sc_int128)f->max_rows);
    const sc_argument list[] = {
        {.name = "p", .values = &f->q, .count = 1},
        {.name = "epsilon", .values = &f->budget.each},
        {.name = "lower", .values = &low},
        {.name = "upper", .values = &high},
        {.name = "max-rows", .values = &rows},
        {.name = "neighbours", .word = scrim_neighbours_name(f->schema->neighbours)}};
    const scrim_status status = sc_measurement_of(
        &sc_quantile, list, sizeof list / sizeof *list, &f->measurement, error);
    /* Reword the failure: it is about the share of one direction, a number that the user has not typed. */
    if (status == SCRIM_E_LIMIT && sc_ratio_compare(&f->budget.each, &f->epsilon) < 0)
        return sc_fail_for(error, status, SCRIM_REASON_RANGE, "epsilon",
                           "epsilon is too large: each of %zu directions has more than a "
                           "quantile takes; use a smaller epsilon",
                           f->directions.count);
    return status;
}

static bool has_many_points(const scrim_body_fit *f)
{
    SC_OWN(sc_ratio, least, share);
    sc_ratio_set_int128(&least, (sc_int128)f->max_rows);
    sc_ratio_set_int64(&share, DEPTH_LEAST_SHARE);
    sc_ratio_div(&least, &least, &share);
    return has_few_values(f) || (sc_ratio_compare(&f->epsilon, &least) >= 0 &&
                                 f->directions.count <= DEPTH_MANY_DIRECTIONS);
}

static scrim_status make_depth(scrim_body_fit *f, scrim_error *error)
{
    SC_OWN(sc_ratio, low, high, rows, expected);
    SC_OWN(sc_ratio, dimensions, points, count, seed);
    int64_t extent = 0;
    for (size_t i = 0; i < f->count; i++)
        extent = f->extents[i] > extent ? f->extents[i] : extent;
    sc_ratio_set_int64(&high, extent);
    sc_ratio_set_int128(&rows, (sc_int128)f->max_rows);
    sc_ratio_set_int128(&expected, (sc_int128)f->options.expected_units);
    sc_ratio_set_int64(&dimensions, (int64_t)f->count);
    sc_ratio_set_int64(&points, has_many_points(f) ? DEPTH_POINTS_MOST : DEPTH_POINTS);
    sc_ratio_set_int64(&count, (int64_t)f->directions.count);
    sc_ratio_set_int128(&seed, (sc_int128)f->options.seed);
    const sc_argument list[] = {
        {.name = "epsilon", .values = &f->epsilon},
        {.name = "expected", .values = &expected},
        {.name = "dimensions", .values = &dimensions},
        {.name = "lower", .values = &low},
        {.name = "upper", .values = &high},
        {.name = "points", .values = &points},
        {.name = "directions", .word = sc_direction_kinds[f->kind]},
        {.name = "count", .values = &count},
        {.name = "seed", .values = &seed},
        {.name = "max-rows", .values = &rows},
        {.name = "neighbours", .word = scrim_neighbours_name(f->schema->neighbours)}};
    if (f->kind == SC_DIRECTIONS_GIVEN)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "directions",
                           "a deep point takes directions by their kind");
    return sc_measurement_of(&sc_depth_median, list, sizeof list / sizeof *list,
                             &f->measurement, error);
}

/* At 95 %, for all directions together. */
static scrim_status forecast(scrim_body_fit *f, scrim_error *error)
{
    SC_OWN(sc_ratio, beta, count);
    SC_OWN(sc_certificate, certificate);
    sc_ratio_set_int64(&beta, 1);
    sc_ratio_set_int64(&count, 20 * (int64_t)(f->is_depth ? 1 : f->directions.count));
    sc_ratio_div(&beta, &beta, &count);
    const scrim_status status = f->measurement->mechanism->certify(
        f->measurement, &beta, f->is_depth ? f->count : 1, &certificate, error);
    if (status == SCRIM_OK && certificate.has_radius)
        sc_cost_put_upper(&certificate.radius, f->rank_error);
    sc_cost_put_lower(&f->budget.each, f->epsilon_each);
    sc_cost_say(f->epsilon_each, false);
    return status;
}

/* Which directions a request means: those that it names, or the usual ones for its number of
 * columns. */

/* Directions of a deep point cost nothing but time. */
#define DEPTH_DIRECTIONS 64
/* The rule of the specification for two columns looks at these. */
#define PLANE_FIRST 8
#define PLANE_LAST 256
#define PLANE_STEP 4
#define USUAL_PLANE 16
#define FRAMES 4
/* Several frames need so much of epsilon_each (1 - q) n/2: with less their noise reaches the ends of the ranges, and a frame
 * of axes alone errs less. Measured by `make bench-body`. */
#define FRAMES_NEED 14

static scrim_status read_kind(scrim_body_fit *f, scrim_error *error)
{
    const char *name = f->options.directions;
    char quote[SC_TEXT_QUOTE_BYTES];
    f->kind = f->count == 2 ? SC_DIRECTIONS_EQUIANGULAR : SC_DIRECTIONS_FRAMES;
    if (name == NULL && f->options.vectors != NULL)
        name = sc_direction_kinds[SC_DIRECTIONS_GIVEN];
    if (name == NULL)
        return SCRIM_OK;
    for (size_t i = 0; sc_direction_kinds[i] != NULL; i++)
        if (strcmp(name, sc_direction_kinds[i]) == 0) {
            f->kind = (sc_direction_kind)i;
            return SCRIM_OK;
        }
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "directions",
                       "unknown directions '%s'; use frames, axes, pairs, equiangular, "
                       "sequence or given",
                       sc_text_quote(sc_text_of(name), quote));
}

/* The epsilon of each direction, where there are `count` of them. */
static double share_of(const scrim_body_fit *f, size_t count)
{
    double each = sc_ball_near(&f->epsilon) / (double)count;
    sc_body_budget budget;
    sc_body_budget_init(&budget);
    if (sc_ratio_sign(&f->delta) > 0 &&
        sc_body_budget_set(&budget, &f->epsilon, &f->delta, count, NULL) == SCRIM_OK)
        each = sc_ball_near(&budget.each);
    sc_body_budget_clear(&budget);
    return each;
}

/* Two columns: with more directions the polygon is nearer to the body, and each of them is told less exactly. */
static size_t plane_count(const scrim_body_fit *f, double rows)
{
    const double pi = 3.14159265358979, cells = (double)((uint64_t)1 << 20) + 1;
    double best = 0;
    size_t count = USUAL_PLANE;
    for (size_t m = PLANE_FIRST; m <= PLANE_LAST; m += PLANE_STEP) {
        const double gap = pi / (double)m;
        const double error = gap * gap / 2 + 2 / share_of(f, m) *
                                                 sc_real_log(cells * (double)m * 1e4) /
                                                 (rows / 5);
        if (m == PLANE_FIRST || error < best) {
            best = error;
            count = m;
        }
    }
    return count;
}

static size_t usual_count(const scrim_body_fit *f)
{
    const uint64_t expected = f->options.expected_units;
    const double rows = (double)expected;
    if (f->is_depth)
        return f->kind == SC_DIRECTIONS_EQUIANGULAR ? DEPTH_DIRECTIONS : 0;
    if (expected == 0)
        return 0;
    if (f->kind == SC_DIRECTIONS_EQUIANGULAR)
        return plane_count(f, rows);
    if (f->kind == SC_DIRECTIONS_FRAMES && f->count > 2) {
        const size_t many = (size_t)FRAMES * 2 * f->count;
        const double beyond = (1 - sc_ball_near(&f->q)) * rows;
        return share_of(f, many) * beyond / 2 < FRAMES_NEED ? 2 * f->count : many;
    }
    return 0;
}

/* The caller's own: a row of numbers for each, rows apart by ';' or an end of line. */
static scrim_status read_vectors(scrim_body_fit *f, sc_ratio **out, size_t *count,
                                 scrim_error *error)
{
    sc_text rest = sc_text_of(f->options.vectors), item;
    size_t numbers = 1;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < rest.bytes; i++)
        numbers += strchr(",;\n", rest.start[i]) != NULL;
    char *text = sc_arena_copy(&f->arena, rest.start, rest.bytes);
    sc_ratio *list = sc_arena_allocate(&f->arena, numbers, sizeof *list);
    if (text == NULL || list == NULL)
        return sc_no_memory(error, "directions");
    for (size_t i = 0; i < rest.bytes; i++)
        if (text[i] == ';' || text[i] == '\n')
            text[i] = ',';
    rest.start = text;
    *out = list;
    *count = 0;
    while (status == SCRIM_OK && sc_text_item(&rest, ',', &item)) {
        item = sc_text_trim(item);
        if (item.bytes == 0)
            continue;
        sc_ratio_init(&list[*count]);
        status = sc_ratio_parse(item, &list[(*count)++], error);
    }
    if (status == SCRIM_OK && (*count == 0 || *count % f->count != 0))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "directions",
                             "given directions must have %zu numbers each, one for each "
                             "column",
                             f->count);
    return status;
}

/* The directions of a request, into fit (body_plan.c). SCRIM_E_PARAM, SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
static scrim_status body_fit_directions(scrim_body_fit *f, scrim_error *error)
{
    sc_ratio *given = NULL;
    size_t numbers = 0;
    scrim_status status = read_kind(f, error);
    if (status != SCRIM_OK)
        return status;
    const bool is_given = f->kind == SC_DIRECTIONS_GIVEN;
    if (is_given != (f->options.vectors != NULL))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "directions",
                           "given directions need their numbers, and others have none");
    if (is_given)
        status = read_vectors(f, &given, &numbers, error);
    if (status == SCRIM_OK) {
        const sc_directions_question question = {
            .kind = f->kind,
            .dimension = f->count,
            .count = is_given                         ? numbers / f->count
                     : f->options.direction_count > 0 ? (size_t)f->options.direction_count
                                                      : usual_count(f),
            .seed = f->options.seed,
            .given = given};
        status = sc_directions_init(&f->directions, &question, error);
    }
    for (size_t i = 0; i < numbers; i++)
        sc_ratio_clear(&given[i]);
    return status;
}

static scrim_status set_directions(scrim_body_fit *f, scrim_error *error)
{
    scrim_status status = body_fit_directions(f, error);
    if (status == SCRIM_OK)
        status =
            sc_direction_keys_init(&f->keys, &f->directions, f->extents, CELLS, error);
    for (size_t i = 0; status == SCRIM_OK && i < f->directions.count; i++)
        if (f->keys.axes[i].last > f->last)
            f->last = f->keys.axes[i].last;
    if (status == SCRIM_OK)
        status = sc_body_budget_set(&f->budget, &f->epsilon, &f->delta,
                                    f->is_depth ? 1 : f->directions.count, error);
    return status;
}

static scrim_status check_bounded(const scrim_body_fit *f, scrim_error *error)
{
    sc_body *body = NULL;
    scrim_status status = sc_body_fit_body(f, &body, error);
    if (status == SCRIM_OK)
        status = sc_body_check(body, error);
    if (status == SCRIM_OK && f->kind == SC_DIRECTIONS_GIVEN)
        status = sc_body_check_bounded(body, error);
    sc_body_free(body);
    return status;
}

static scrim_status set_budget(scrim_body_fit *f, scrim_error *error)
{
    scrim_status status = f->is_depth ? check_depth(f, error) : SCRIM_OK;
    if (status == SCRIM_OK)
        status = set_directions(f, error);
    if (status == SCRIM_OK)
        status = f->is_depth ? make_depth(f, error) : make_quantile(f, error);
    if (status == SCRIM_OK)
        status = check_bounded(f, error);
    return status == SCRIM_OK ? forecast(f, error) : status;
}

scrim_status sc_body_fit_allowance(const scrim_body_fit *f, sc_allowance **out,
                                   scrim_error *error)
{
    const bool is_pure = !f->budget.is_concentrated;
    SC_OWN(sc_ratio, zero);
    return sc_allowance_new(f->schema->neighbours, is_pure ? NULL : &f->budget.rho,
                            &f->epsilon, is_pure ? &zero : &f->delta, out, error);
}

/* The query that reads the columns: a quantile of each, so that its values are listed. */
static scrim_status make_query(scrim_body_fit *f, scrim_error *error)
{
    scrim_error why = {.status = SCRIM_OK};
    sc_refusal refusal = {.error = &why};
    sc_text_sink sink;
    char *text = sc_arena_allocate(&f->arena, QUERY_BYTES, 1);
    if (text == NULL)
        return sc_no_memory(error, "a body");
    sc_text_sink_init(&sink, text, QUERY_BYTES);
    for (size_t i = 0; i < f->count; i++) {
        sc_text_put(&sink, sc_text_of(i == 0 ? "SELECT QUANTILE(" : ", QUANTILE("));
        sc_by_key_put_name(f->columns[i]->name, &sink);
        sc_text_put(&sink, sc_text_of(", 0.5)"));
    }
    scrim_status status = sc_validate((sc_text){text, sink.length}, sc_text_of(""),
                                      f->schema, &f->arena, &f->query, &refusal);
    if (status != SCRIM_OK)
        return sc_fail_for(error, status, SCRIM_REASON_UNSUPPORTED, "columns", "%s",
                           why.message);
    const sc_statistics_plan plan = {.bounds = f->schema->bounds};
    status = sc_statistics_of(f->query, &plan, &f->arena, &f->statistics, error);
    if (status == SCRIM_OK && f->statistics.value_count != f->count)
        status = sc_fail(error, SCRIM_E_INTERNAL, "a column of a body is not listed");
    return status;
}

/* The question. */

static void put(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text));
}

static void put_number(sc_text_sink *sink, const char *before, sc_int128 number)
{
    char text[SC_INT128_BYTES];
    (void)sc_int128_format(number, text);
    put(sink, before);
    put(sink, text);
}

static void put_question(const scrim_body_fit *f, sc_text_sink *sink)
{
    put(sink, f->is_depth ? "deep-point" : "floating-body");
    if (f->frame.version != NULL) {
        put(sink, " version=");
        put(sink, f->frame.version);
    }
    sc_asked_bounds_put(&f->asked, sink);
    if (!f->is_depth)
        sc_ratio_put(sink, " q=", &f->q);
    sc_ratio_put(sink, " epsilon=", &f->epsilon);
    if (f->budget.is_concentrated) {
        sc_ratio_put(sink, " delta=", &f->delta);
        sc_ratio_put(sink, " rho=", &f->budget.rho);
    }
    put(sink, " directions=");
    put(sink, sc_direction_kinds[f->kind]);
    put_number(sink, " count=", (sc_int128)f->directions.count);
    if (f->kind == SC_DIRECTIONS_FRAMES || f->kind == SC_DIRECTIONS_SEQUENCE)
        put_number(sink, " seed=", (sc_int128)f->options.seed);
    if (f->is_depth)
        put_number(sink, " expected=", (sc_int128)f->options.expected_units);
    for (size_t i = 0; i < f->count; i++) {
        put(sink, i == 0 ? " : " : ", ");
        sc_by_key_put_name(f->columns[i]->name, sink);
        if (f->options.scales != NULL)
            sc_ratio_put(sink, " scale ", &f->scales[i]);
    }
    if (f->kind == SC_DIRECTIONS_GIVEN)
        for (size_t i = 0; i < f->directions.count * f->count; i++)
            put_number(sink, i == 0 ? " vectors " : ",", f->directions.entries[i]);
}

static scrim_status set_question(scrim_body_fit *f, scrim_error *error)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    put_question(f, &sink);
    const size_t bytes = sink.length + 1;
    if (bytes > QUESTION_BYTES)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "directions",
                           "the given directions are too many to be recorded");
    f->question = sc_arena_allocate(&f->arena, bytes, 1);
    if (f->question == NULL)
        return sc_no_memory(error, "a body");
    sc_text_sink_init(&sink, f->question, bytes);
    put_question(f, &sink);
    return SCRIM_OK;
}

/* The whole. */

static scrim_status fill(scrim_body_fit *f, scrim_vault *vault, const char *dataset,
                         scrim_error *error)
{
    scrim_status status = read_dataset(vault, dataset, f, error);
    if (status == SCRIM_OK)
        status = sc_planned_dataset_frame(&f->dataset, f->schema, f->options.frame,
                                          &f->frame, &f->is_once, error);
    if (status == SCRIM_OK)
        status = list_columns(f, error);
    if (status == SCRIM_OK)
        status = read_numbers(f, error);
    if (status == SCRIM_OK)
        status = read_scales(f, error);
    if (status == SCRIM_OK)
        status = set_extents(f, error);
    if (status == SCRIM_OK)
        status = set_budget(f, error);
    if (status == SCRIM_OK)
        status = make_query(f, error);
    return status == SCRIM_OK ? set_question(f, error) : status;
}

scrim_status scrim_body_fit_new(scrim_vault *vault, const char *dataset,
                                const scrim_body_fit_options *options,
                                scrim_body_fit **out, scrim_error *error)
{
    SC_REQUIRE(error, "vault dataset out", vault, dataset, out);
    scrim_body_fit *f = sc_allocate(1, sizeof *f);
    if (f == NULL)
        return sc_no_memory(error, "a body");
    sc_arena_init(&f->arena);
    sc_ratio_init(&f->q);
    sc_ratio_init(&f->epsilon);
    sc_ratio_init(&f->delta);
    sc_ratio_init(&f->unit);
    for (size_t i = 0; i < SC_DIRECTION_DIMENSIONS; i++)
        sc_ratio_init(&f->scales[i]);
    sc_body_budget_init(&f->budget);
    scrim_status status =
        sc_option_struct_copy(options, offsetof(scrim_body_fit_options, frame),
                              &f->options, sizeof f->options, error);
    if (status == SCRIM_OK)
        status = fill(f, vault, dataset, error);
    if (status == SCRIM_OK)
        *out = f;
    else
        scrim_body_fit_free(f);
    return status;
}

void scrim_body_fit_free(scrim_body_fit *f)
{
    if (f == NULL)
        return;
    scrim_measurement_free(f->measurement);
    sc_direction_keys_clear(&f->keys);
    sc_directions_clear(&f->directions);
    sc_body_budget_clear(&f->budget);
    for (size_t i = 0; i < SC_DIRECTION_DIMENSIONS; i++)
        sc_ratio_clear(&f->scales[i]);
    sc_ratio_clear(&f->unit);
    sc_ratio_clear(&f->delta);
    sc_ratio_clear(&f->epsilon);
    sc_ratio_clear(&f->q);
    sc_schema_free(f->schema);
    sc_arena_clear(&f->arena);
    sc_free(f);
}
