#include "mechanism/body/body_space.h"

#include "base/checked.h"
#include "base/memory.h"
#include "model/measurement.h"

/* Making it. */

static scrim_status set_domain(scrim_measurement *m, scrim_error *error)
{
    scrim_status status = sc_domain_set_grid(&m->domain, sc_measurement_get(m, "grid"),
                                             sc_measurement_get(m, "lower"),
                                             sc_measurement_get(m, "upper"), error);
    m->domain.grid.missing = m->domain.grid.low;
    const bool is_public = sc_measurement_neighbours(m) == SCRIM_REPLACE &&
                           sc_measurement_integer(m, "max-rows", 1) == 1;
    m->domain.count_min = is_public ? 1 : 0;
    return status;
}

static scrim_status make_directions(sc_body_space *s, const scrim_measurement *m,
                                    scrim_error *error)
{
    size_t numbers = 0;
    sc_directions_question question = {
        .kind = (sc_direction_kind)sc_parameters_word(&m->parameters, "directions",
                                                      SC_DIRECTIONS_FRAMES),
        .dimension = s->dimension,
        .count = (size_t)sc_measurement_integer(m, "count", 0),
        .seed = (uint64_t)sc_measurement_integer(m, "seed", 0)};
    question.given = sc_parameters_items(&m->parameters, "vectors", &numbers);
    const bool is_given = question.kind == SC_DIRECTIONS_GIVEN;
    if (is_given != (question.given != NULL) || numbers % s->dimension != 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "vectors",
                                 "directions=given and vectors=... go together, with so "
                                 "many numbers each as there are dimensions");
    if (is_given)
        question.count = numbers / s->dimension;
    return sc_directions_init(&s->directions, &question, error);
}

scrim_status sc_body_space_init(sc_body_space *s, scrim_measurement *m, uint64_t cells,
                                scrim_error *error)
{
    int64_t extents[SC_DIRECTION_DIMENSIONS];
    scrim_status status = set_domain(m, error);
    *s = (sc_body_space){.dimension = (size_t)sc_measurement_integer(m, "dimensions", 1)};
    if (status != SCRIM_OK)
        return status;
    s->low = m->domain.grid.low;
    s->largest = (uint64_t)m->domain.grid.high - (uint64_t)s->low;
    s->extent = s->largest < (uint64_t)SC_DIRECTION_EXTENT ? (int64_t)s->largest
                                                           : SC_DIRECTION_EXTENT;
    for (size_t j = 0; j < s->dimension; j++)
        extents[j] = s->extent;
    status = make_directions(s, m, error);
    if (status == SCRIM_OK)
        status =
            sc_direction_keys_init(&s->projection, &s->directions, extents, cells, error);
    if (status != SCRIM_OK)
        sc_body_space_clear(s);
    return status;
}

void sc_body_space_clear(sc_body_space *s)
{
    sc_direction_keys_clear(&s->projection);
    sc_directions_clear(&s->directions);
}

/* Rows. */

int64_t sc_body_space_place(const scrim_measurement *m, size_t index,
                            const sc_ratio *value)
{
    (void)index;
    return value == NULL ? SC_DIRECTION_MISSING
                         : sc_grid_of_ratio(&m->domain.grid, value);
}

int64_t sc_body_space_coordinate(const sc_body_space *s, int64_t steps)
{
    if (steps == SC_DIRECTION_MISSING)
        return steps;
    uint64_t c = steps <= s->low ? 0 : (uint64_t)steps - (uint64_t)s->low;
    c = c > s->largest ? s->largest : c;
    if ((uint64_t)s->extent == s->largest)
        return (int64_t)c;
    const sc_uint128 twice = (sc_uint128)c * (uint64_t)s->extent * 2 + s->largest;
    return (int64_t)(twice / ((sc_uint128)s->largest * 2));
}

int64_t *sc_body_space_rows(const sc_body_space *s, const sc_private_input *input,
                            size_t *rows)
{
    *rows = input->count / s->dimension;
    const size_t numbers = *rows * s->dimension;
    int64_t *out = sc_allocate(numbers > 0 ? numbers : 1, sizeof *out);
    for (size_t i = 0; out != NULL && i < numbers; i++)
        out[i] = sc_body_space_coordinate(s, input->values[i]);
    return out;
}

/* Pairs. */

/* Points of two dimensions, in halves of the range: corners and centre, then the middles of sides. */
static const unsigned char plane[SC_QUANTILE_POINTS][2] = {
    {0, 0}, {2, 2}, {0, 2}, {2, 0}, {1, 1}, {1, 0}, {0, 1}, {2, 1}};

#define AUDIT_ROWS 2

static sc_quantile_family family_of(const scrim_measurement *m)
{
    const sc_body_space *s = m->state;
    const size_t room = SC_PAIR_VALUES / s->dimension,
                 rows = (size_t)sc_measurement_integer(m, "records", AUDIT_ROWS);
    const uint64_t unit = (uint64_t)sc_measurement_integer(m, "max-rows", 1);
    const size_t owned =
        unit < SC_QUANTILE_UNIT_MAX ? (size_t)unit : SC_QUANTILE_UNIT_MAX;
    const size_t most = owned > rows ? owned : rows;
    return (sc_quantile_family){.neighbours = sc_measurement_neighbours(m),
                                .low = 0,
                                .high =
                                    s->dimension == 1 && s->largest < SC_QUANTILE_POINTS
                                        ? (int64_t)s->largest
                                        : SC_QUANTILE_POINTS - 1,
                                .rows = most > room ? room : most,
                                .unit = owned > room ? room : owned};
}

size_t sc_body_space_pair_count(const scrim_measurement *m)
{
    const sc_quantile_family family = family_of(m);
    return sc_quantile_pair_count(&family);
}

/* The coordinate of a point, by its number. */
static int64_t coordinate_of(const sc_body_space *s, const sc_quantile_family *f,
                             int64_t point, size_t j)
{
    uint64_t share = (uint64_t)point, of = (uint64_t)f->high;
    if (s->dimension == 2) {
        share = plane[point][j];
        of = 2;
    } else if (s->dimension > 2) { /* corners */
        share = (uint64_t)point >> j % 3 & 1;
        of = 1;
    }
    return (int64_t)((uint64_t)s->low + (uint64_t)((sc_uint128)s->largest * share / of));
}

static void spread(const sc_body_space *s, const sc_quantile_family *f, int64_t *values,
                   size_t *count)
{
    int64_t points[SC_PAIR_VALUES];
    const size_t rows = *count;
    for (size_t i = 0; i < rows; i++)
        points[i] = values[i];
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < s->dimension; j++)
            values[i * s->dimension + j] = coordinate_of(s, f, points[i], j);
    *count = rows * s->dimension;
}

void sc_body_space_pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const sc_quantile_family family = family_of(m);
    sc_quantile_pair(&family, index, out);
    spread(m->state, &family, out->x, &out->x_count);
    spread(m->state, &family, out->y, &out->y_count);
}
