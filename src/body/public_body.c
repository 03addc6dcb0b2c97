/* The exact body of public points. Doubles are numbers of the caller that become coordinates; nothing here is private. */
#include "base/memory.h"
#include "base/number/ball.h"
#include "base/text.h"
#include "mechanism/body/directions.h"
#include "model/option_struct.h"
#include "scrim/body.h"
#include "solve/body.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* Coordinates are from 0 to this, and steps of a direction as wide as theirs. */
#define EXTENT_BITS 24
#define EXTENT ((int64_t)1 << EXTENT_BITS)
#define POINTS_MOST ((size_t)1 << 26)
#define LABEL "exact quantiles of public points, not private"

typedef struct public_body {
    scrim_public_points asked;
    sc_body *body;
    sc_directions directions;
    int64_t *coordinates, *places; /* of all points; of each along one direction */
    size_t rank;                   /* of the quantile, from 1 on */
} public_body;

static scrim_status refuse(const char *name, scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, name,
                       "public points need 1 to %d columns with names and ranges, and at "
                       "least one point",
                       SCRIM_BODY_DIMENSIONS);
}

static scrim_status read_asked(public_body *p, const scrim_public_points *points,
                               scrim_error *error)
{
    SC_TRY(
        sc_option_struct_copy(points, sizeof *points, &p->asked, sizeof p->asked, error));
    const scrim_public_points *a = &p->asked;
    if (a->dimension < 1 || a->dimension > SCRIM_BODY_DIMENSIONS || a->names == NULL ||
        a->low == NULL || a->high == NULL)
        return refuse("columns", error);
    if (a->points == NULL || a->count < 1)
        return refuse("points", error);
    if (a->count > POINTS_MOST / a->dimension)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "points",
                           "too many points: at most 67108864 numbers");
    return SCRIM_OK;
}

/* Directions. */

static scrim_status choose_directions(public_body *p, scrim_error *error)
{
    const scrim_public_points *a = &p->asked;
    sc_directions_question question = {
        .kind = a->dimension == 2 ? SC_DIRECTIONS_EQUIANGULAR : SC_DIRECTIONS_FRAMES,
        .dimension = a->dimension,
        .count = a->direction_count,
        .seed = a->seed};
    if (a->directions != NULL) {
        size_t kind = 0;
        while (kind < SC_DIRECTIONS_GIVEN &&
               !sc_text_is(sc_text_of(a->directions), sc_direction_kinds[kind]))
            kind++;
        if (kind == SC_DIRECTIONS_GIVEN)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "directions",
                               "unknown directions; use frames, axes, pairs, equiangular "
                               "or sequence");
        question.kind = (sc_direction_kind)kind;
    }
    SC_TRY(sc_directions_init(&p->directions, &question, error));
    SC_TRY(sc_body_new(a->dimension, p->directions.count, &p->body, error));
    return sc_body_set_text(p->body, SC_BODY_KIND, sc_direction_kinds[question.kind],
                            error);
}

/* Columns. */

static scrim_status set_column(public_body *p, size_t j, scrim_error *error)
{
    sc_body_column *column = &p->body->columns[j];
    SC_TRY(sc_body_set_name(p->body, j, p->asked.names[j], error));
    SC_TRY(sc_ratio_parse(sc_text_of(p->asked.low[j]), &column->low, error));
    SC_TRY(sc_ratio_parse(sc_text_of(p->asked.high[j]), &column->high, error));
    if (sc_ratio_compare(&column->low, &column->high) >= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "columns",
                           "the range of a column must have a lower end below its upper "
                           "end");
    sc_ratio_sub(&column->scale, &column->high, &column->low);
    /* One coordinate. */
    SC_OWN(sc_ratio, extent);
    sc_ratio_set_int64(&extent, EXTENT);
    sc_ratio_div(&column->step, &column->scale, &extent);
    return SCRIM_OK;
}

static double double_of(const sc_ratio *value)
{
    SC_OWN(sc_ball, ball);
    sc_ball_set_ratio(&ball, value, 128);
    return sc_ball_upper(&ball);
}

static scrim_status set_coordinates(public_body *p, scrim_error *error)
{
    const size_t d = p->asked.dimension, n = p->asked.count;
    p->coordinates = sc_allocate(n * d, sizeof *p->coordinates);
    p->places = sc_allocate(n, sizeof *p->places);
    if (p->coordinates == NULL || p->places == NULL)
        return sc_no_memory(error, "points");
    for (size_t j = 0; j < d; j++) {
        const double low = double_of(&p->body->columns[j].low),
                     width = double_of(&p->body->columns[j].scale);
        for (size_t i = 0; i < n; i++) {
            const double u = (p->asked.points[i * d + j] - low) / width;
            if (isnan(u))
                return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "points",
                                   "a point has a coordinate that is no number");
            p->coordinates[i * d + j] = u <= 0   ? 0
                                        : u >= 1 ? EXTENT
                                                 : llround(u * (double)EXTENT);
        }
    }
    return SCRIM_OK;
}

/* Quantiles. */

static scrim_status set_rank(public_body *p, scrim_error *error)
{
    uint64_t rank = 0;
    SC_OWN(sc_ratio, share);
    SC_OWN(sc_integer, whole);
    SC_TRY(sc_ratio_parse(sc_text_of(p->asked.q == NULL ? "9/10" : p->asked.q),
                          &p->body->q, error));
    if (sc_ratio_sign(&p->body->q) <= 0 || sc_ratio_compare_int64(&p->body->q, 1) >= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "q",
                           "q must be above 0 and less than 1");
    sc_ratio_set_int128(&share, (sc_int128)p->asked.count);
    sc_ratio_mul(&share, &share, &p->body->q);
    sc_ratio_ceil(&share, &whole);
    if (!sc_integer_get_uint64(&whole, &rank) || rank < 1 || rank > p->asked.count)
        return sc_fail(error, SCRIM_E_INTERNAL, "a rank is outside of the points");
    p->rank = (size_t)rank;
    return SCRIM_OK;
}

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* floor(x / 2^30) and its ceiling */
static int64_t whole_below(int64_t x)
{
    return x >= 0 ? x / SC_BODY_ONE : -((-x + SC_BODY_ONE - 1) / SC_BODY_ONE);
}

static int64_t whole_above(int64_t x)
{
    return -whole_below(-x);
}

/* Products are below 64 2^30 2^24 = 2^60. The place of the quantile is rounded up, so that its point is inside. */
static void set_direction(public_body *p, size_t index)
{
    const int32_t *a = sc_direction_at(&p->directions, index);
    const size_t d = p->asked.dimension, n = p->asked.count;
    sc_body_row *row = &p->body->rows[index];
    int64_t least = 0, most = 0;
    for (size_t j = 0; j < d; j++) {
        p->body->directions[index * d + j] = a[j];
        *(a[j] < 0 ? &least : &most) += a[j] * EXTENT;
    }
    for (size_t i = 0; i < n; i++) {
        int64_t place = 0;
        for (size_t j = 0; j < d; j++)
            place += a[j] * p->coordinates[i * d + j];
        p->places[i] = place;
    }
    qsort(p->places, n, sizeof *p->places, ascending);
    const int64_t first = whole_below(least);
    row->cells = (uint64_t)(whole_above(most) - first);
    row->offset = (uint64_t)(whole_above(p->places[p->rank - 1]) - first);
    sc_ratio_set_quotient(&row->step, 1, EXTENT);
    sc_ratio_set_quotient(&row->origin, first, EXTENT);
}

static scrim_status make(public_body *p, scrim_error *error)
{
    SC_TRY(choose_directions(p, error));
    for (size_t j = 0; j < p->asked.dimension; j++)
        SC_TRY(set_column(p, j, error));
    SC_TRY(set_rank(p, error));
    SC_TRY(set_coordinates(p, error));
    for (size_t i = 0; i < p->directions.count; i++)
        set_direction(p, i);
    p->body->max_rows = 1;
    p->body->units = p->asked.count;
    p->body->seed = p->asked.seed;
    SC_TRY(sc_body_set_text(p->body, SC_BODY_NEIGHBOURS, "add-remove", error));
    SC_TRY(sc_body_set_text(p->body, SC_BODY_COMPOSITION, "pure", error));
    SC_TRY(sc_body_set_text(p->body, SC_BODY_LABEL, LABEL, error));
    return sc_body_check(p->body, error);
}

scrim_status scrim_body_of_public(const scrim_public_points *points, scrim_body **out,
                                  scrim_error *error)
{
    SC_REQUIRE(error, "points out", points, out);
    public_body p = {.body = NULL};
    scrim_status status = read_asked(&p, points, error);
    if (status == SCRIM_OK)
        status = make(&p, error);
    if (status == SCRIM_OK) {
        *out = p.body;
        p.body = NULL;
    }
    sc_body_free(p.body);
    sc_directions_clear(&p.directions);
    sc_free(p.places);
    sc_free(p.coordinates);
    return status;
}
