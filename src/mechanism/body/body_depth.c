#include "mechanism/body/body_depth.h"

#include "base/memory.h"
#include "mechanism/body/depth_levels.h"
#include "mechanism/noise/additive.h"
#include "mechanism/noise/laplace.h"
#include "model/domain.h"

static const sc_parameter_rule parameters[] = {
    SC_RULE_POSITIVE("epsilon", "2^-31", "1000",
                     "a rational above 0, from 4.7e-10 to 1000"),
    {.name = "centre",
     .kind = SC_PARAMETER_RATIONALS,
     .domain = "the numbers of a point, as many as there are dimensions"},
    SC_PARAMETER_BODY_DIMENSIONS,
    {.name = "lower",
     .kind = SC_PARAMETER_RATIONAL,
     .domain = "a multiple of the grid's step, below upper"},
    {.name = "upper",
     .kind = SC_PARAMETER_RATIONAL,
     .domain = "a multiple of the grid's step, above lower"},
    SC_PARAMETER_GRID,
    SC_PARAMETERS_BODY_DIRECTIONS,
    SC_PARAMETER_BODY_ROWS,
    SC_PARAMETER_NEIGHBOURS,
    SC_PARAMETER_PAIR_ROWS("64"),
};

typedef struct state {
    sc_body_space space; /* first: body_space.h looks for it there */
    sc_grid
        grid; /* of the rows and of the point; the domain has that of the answer, a count */
    int64_t point[SC_DIRECTION_DIMENSIONS];
    scrim_measurement *noise; /* laplace, on the depth */
} state;

static const state *state_of(const scrim_measurement *m)
{
    return m->state;
}

static scrim_status set_point(const scrim_measurement *m, state *s, scrim_error *error)
{
    size_t count = 0;
    const sc_ratio *numbers = sc_parameters_items(&m->parameters, "centre", &count);
    if (count != s->space.dimension)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "centre",
                                 "centre: a point has %zu numbers here",
                                 s->space.dimension);
    for (size_t i = 0; i < count; i++)
        s->point[i] =
            sc_body_space_coordinate(&s->space, sc_grid_of_ratio(&s->grid, &numbers[i]));
    return SCRIM_OK;
}

static int64_t place(const scrim_measurement *m, size_t index, const sc_ratio *value)
{
    (void)index;
    return value == NULL ? SC_DIRECTION_MISSING
                         : sc_grid_of_ratio(&state_of(m)->grid, value);
}

static scrim_status make_noise(const scrim_measurement *m, state *s, scrim_error *error)
{
    SC_OWN(sc_ratio, rows);
    sc_ratio_set_int64(&rows, sc_measurement_integer(m, "max-rows", 1));
    const sc_argument list[] = {
        {.name = "sensitivity", .values = &rows},
        {.name = "epsilon", .values = sc_measurement_get(m, "epsilon")},
        {.name = "neighbours",
         .word = scrim_neighbours_name(sc_measurement_neighbours(m))}};
    return sc_measurement_of(&sc_laplace, list, sizeof list / sizeof *list, &s->noise,
                             error);
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    state *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    scrim_status status = sc_body_space_init(&s->space, m, SC_BODY_USUAL_CELLS, error);
    if (status != SCRIM_OK)
        return status;
    s->grid = m->domain.grid;
    m->domain.grid.exponent = 0;
    status = set_point(m, s, error);
    return status == SCRIM_OK ? make_noise(m, s, error) : status;
}

static void discard(scrim_measurement *m)
{
    state *s = m->state;
    if (s == NULL)
        return;
    scrim_measurement_free(s->noise);
    sc_body_space_clear(&s->space);
    sc_free(s);
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set(out, &state_of(m)->noise->cost);
    return SCRIM_OK;
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    (void)count;
    return sc_additive_certify(state_of(m)->noise, beta, 1, out, error);
}

static size_t answer_count(const scrim_measurement *m, size_t count)
{
    (void)m, (void)count;
    return 1;
}

static size_t row_width(const scrim_measurement *m)
{
    return state_of(m)->space.dimension;
}

static scrim_status find_depth(const state *s, const sc_private_input *input,
                               int64_t *depth, scrim_error *error)
{
    size_t count = 0;
    int64_t *rows = sc_body_space_rows(&s->space, input, &count);
    if (rows == NULL)
        return sc_no_memory(error, "depths");
    *depth = (int64_t)sc_depth_of(&s->space, rows, count, s->point);
    sc_free_wiped(rows, count * s->space.dimension * sizeof *rows);
    return SCRIM_OK;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    int64_t depth = 0;
    scrim_status status = find_depth(state_of(m), input, &depth, error);
    const sc_private_input one = {.values = &depth, .count = 1};
    if (status == SCRIM_OK)
        status = sc_additive_draw(state_of(m)->noise, bits, &one, out, error);
    sc_wipe(&depth, sizeof depth);
    return status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    int64_t depth = 0;
    const scrim_status status = find_depth(state_of(m), input, &depth, error);
    const sc_private_input one = {.values = &depth, .count = 1};
    return status == SCRIM_OK
               ? sc_additive_law(state_of(m)->noise, &one, bits, out, error)
               : status;
}

const sc_mechanism sc_body_depth_mechanism = {
    .entry =
        {.name = "body-depth",
         .parameters =
             "epsilon=R centre=R,... [dimensions=N] lower=R upper=R "
             "[grid=R] [directions=frames|axes|pairs|equiangular|sequence|given count=N "
             "seed=N vectors=R,...] [max-rows=N]; audit: records=N",
         .input = "rows",
         .claim = "epsilon-DP, pure",
         .does = "Releases how deep a given point lies among the rows, with "
                 "noise: the fewest rows beyond it in any of the directions. Use "
                 "it to ask whether a point is an outlier.",
         .example = "epsilon=1 centre=4 lower=0 upper=9 neighbours=add-remove",
         .example_input = "3\n4\n5\n4\n6\n5\n4\n5\n",
         .reference = "Tukey: Mathematics and the Picturing of Data, 1975; Archimedes "
                      "Meets Privacy, 2022, A.1"},
    SC_MECHANISM_PARAMETERS,
    .answers_numbers = true,
    .audit_count = 1,
    .clamps_itself = true,
    .input_is_rows = true,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = answer_count,
    .place = place,
    .row_width = row_width,
    .draw = draw,
    .width = answer_count,
    .law = law,
    .pair_count = sc_body_space_pair_count,
    .pair = sc_body_space_pair,
};
