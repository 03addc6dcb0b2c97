#include "mechanism/body/body_quantiles.h"

#include "base/memory.h"
#include "mechanism/body/body_space.h"
#include "mechanism/selection/quantile_law.h"
#include "model/certificate.h"
#include "model/curve.h"
#include "model/domain.h"
#include "model/measurement.h"
#include "model/outcomes.h"
#include "model/renyi_conversion.h"

#define BITS 256
/* rho is rounded to multiples of 10^-9 and each to 10^-12, so that both are short fractions; each must be at least 10^-6. */
#define RHO_STEPS 1000000000
#define EACH_STEPS 1000000000000
#define LEAST_STEPS 1000000

void sc_body_budget_init(sc_body_budget *b)
{
    b->is_concentrated = false;
    sc_ratio_init(&b->rho);
    sc_ratio_init(&b->each);
}

void sc_body_budget_clear(sc_body_budget *b)
{
    sc_ratio_clear(&b->each);
    sc_ratio_clear(&b->rho);
}

/* out = count / steps. */
static void set_steps(sc_ratio *out, const sc_integer *count, int64_t steps)
{
    SC_OWN(sc_integer, whole);
    sc_integer_set_int128(&whole, steps);
    sc_ratio_set_fraction(out, count, &whole);
}

/* A large rho that implies (epsilon, delta)-DP; 0 if no rho does. Starts from the closed formula, rounded up, and steps down the
 * grid until the proof holds, so that rounding cannot break the guarantee. */
static void find_rho(const sc_ratio *epsilon, const sc_ratio *delta, sc_ratio *rho)
{
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, log_delta, found);
    SC_OWN(sc_ratio, bound);
    SC_OWN(sc_integer, steps, one);
    sc_ratio_set_int64(rho, 0);
    sc_ball_set_ratio(&log_delta, delta, BITS);
    sc_ball_log(&log_delta, &log_delta, BITS);
    if (!sc_renyi_rho(epsilon, &log_delta, BITS, &found))
        return;
    sc_ball_mul_int64(&found, &found, RHO_STEPS, BITS);
    if (!sc_ball_round_up(&found, 0, &bound))
        return;
    sc_ratio_floor(&bound, &steps);
    sc_integer_set_int128(&one, 1);
    for (int turn = 0; turn < 64 && sc_integer_sign(&steps) > 0; turn++) {
        set_steps(rho, &steps, RHO_STEPS);
        if (sc_rho_implies(rho, epsilon, delta))
            return;
        sc_integer_sub(&steps, &steps, &one);
    }
    sc_ratio_set_int64(rho, 0);
}

/* floor(sqrt(8 rho/count) 10^12)/10^12. */
static void share_rho(const sc_ratio *rho, size_t count, sc_ratio *out)
{
    SC_OWN(sc_ratio, square, part);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&square, 8);
    sc_ratio_mul(&square, &square, rho);
    sc_ratio_set_int64(&part, (int64_t)count);
    sc_ratio_div(&square, &square, &part);
    sc_ratio_set_int64(&part, EACH_STEPS);
    sc_ratio_mul(&square, &square, &part);
    sc_ratio_mul(&square, &square, &part);
    sc_ratio_floor(&square, &whole);
    sc_integer_sqrt(&whole, &whole);
    set_steps(out, &whole, EACH_STEPS);
}

/* epsilon/count if that is a short fraction, else rounded down. */
static void share_epsilon(const sc_ratio *epsilon, size_t count, sc_ratio *out)
{
    SC_OWN(sc_ratio, part);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&part, (int64_t)count);
    sc_ratio_div(out, epsilon, &part);
    if (sc_ratio_bits(out) <= 64)
        return;
    sc_ratio_set_int64(&part, EACH_STEPS);
    sc_ratio_mul(&part, &part, out);
    sc_ratio_floor(&part, &whole);
    set_steps(out, &whole, EACH_STEPS);
}

scrim_status sc_body_budget_set(sc_body_budget *b, const sc_ratio *epsilon,
                                const sc_ratio *delta, size_t count, scrim_error *error)
{
    SC_OWN(sc_ratio, each, least);
    b->is_concentrated = false;
    share_epsilon(epsilon, count, &b->each);
    if (delta != NULL && sc_ratio_sign(delta) > 0) {
        find_rho(epsilon, delta, &b->rho);
        share_rho(&b->rho, count, &each);
        b->is_concentrated = sc_ratio_compare(&each, &b->each) > 0;
        if (b->is_concentrated)
            sc_ratio_set(&b->each, &each);
    }
    sc_ratio_set_int64(&least, 1);
    sc_ratio_set_int64(&each, LEAST_STEPS);
    sc_ratio_div(&least, &least, &each);
    if (sc_ratio_compare(&b->each, &least) < 0)
        return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "epsilon",
                                 "epsilon: less than 1e-6 is left for each of %zu "
                                 "directions; choose a larger epsilon or fewer of them",
                                 count);
    return SCRIM_OK;
}

static const sc_parameter_rule parameters[] = {
    {.name = "q",
     .kind = SC_PARAMETER_RATIONAL,
     .above = "0",
     .below = "1",
     .domain = "a rational between 0 and 1"},
    SC_PARAMETER_LADDER_EPSILON,
    {.name = "delta",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .above = "0",
     .below = "1",
     .domain = "a rational between 0 and 1"},
    SC_PARAMETER_BODY_DIMENSIONS,
    SC_PARAMETERS_RANGE,
    SC_RULE_COUNT("cells", "1e12",
                  "how many cells a direction has, an integer from 1 to 1e12"),
    SC_PARAMETERS_BODY_DIRECTIONS,
    SC_PARAMETER_BODY_ROWS,
    SC_PARAMETER_NEIGHBOURS,
    SC_PARAMETER_PAIR_ROWS("64"),
};

typedef struct state {
    sc_body_space space; /* first: body_space.h looks for it there */
    sc_body_budget budget;
    bool has_plan;
    sc_quantile_plan plan; /* of a direction with as many cells as any of them has */
} state;

static const state *state_of(const scrim_measurement *m)
{
    return m->state;
}

static uint64_t rows_of_unit(const scrim_measurement *m)
{
    return (uint64_t)sc_measurement_integer(m, "max-rows", 1);
}

/* Making one. */

/* The last cell of the direction that has most cells. */
static uint64_t widest(const sc_body_space *space)
{
    uint64_t last = 0;
    for (size_t i = 0; i < space->directions.count; i++)
        if (space->projection.axes[i].last > last)
            last = space->projection.axes[i].last;
    return last;
}

static scrim_status make_plan(const scrim_measurement *m, state *s, scrim_error *error)
{
    const sc_quantile_question question = {.p = sc_measurement_get(m, "q"),
                                           .count = 1,
                                           .epsilon = &s->budget.each,
                                           .neighbours = sc_measurement_neighbours(m),
                                           .rows = rows_of_unit(m),
                                           .largest = widest(&s->space),
                                           .form = SC_QUANTILE_SPLIT};
    const scrim_status status = sc_quantile_plan_init(&s->plan, &question, error);
    s->has_plan = status == SCRIM_OK;
    return status;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    state *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    sc_body_budget_init(&s->budget);
    m->state = s;
    scrim_status status = sc_body_space_init(
        &s->space, m, (uint64_t)sc_measurement_integer(m, "cells", SC_BODY_USUAL_CELLS),
        error);
    if (status == SCRIM_OK)
        status = sc_body_budget_set(&s->budget, sc_measurement_get(m, "epsilon"),
                                    sc_measurement_get(m, "delta"),
                                    s->space.directions.count, error);
    return status == SCRIM_OK ? make_plan(m, s, error) : status;
}

static void discard(scrim_measurement *m)
{
    state *s = m->state;
    if (s == NULL)
        return;
    if (s->has_plan)
        sc_quantile_plan_clear(&s->plan);
    sc_body_budget_clear(&s->budget);
    sc_body_space_clear(&s->space);
    sc_free(s);
}

/* The cost and the accuracy. */

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    const state *s = state_of(m);
    const sc_ratio *epsilon = sc_measurement_get(m, "epsilon");
    (void)error;
    if (s->budget.is_concentrated) {
        sc_cost_set_approximate(out, epsilon, sc_measurement_get(m, "delta"));
        out->has_rho = true;
        sc_ratio_set(&out->rho, &s->budget.rho);
        sc_curve_set_concentrated(&out->curve, &s->budget.rho);
    } else {
        sc_composed_range_cost(out, epsilon, &s->budget.each, s->space.directions.count);
    }
    return SCRIM_OK;
}

static const char excludes[] =
    "clamping to the range and rounding to the cells of a direction. The radius counts "
    "rows: each cell may lie that many ranks from rank q n of its direction";
static const char excludes_all[] =
    "everything: a rank is promised at a confidence of at most 0.9999 for each direction";

static void round_up(sc_ratio *rows)
{
    SC_OWN(sc_integer, above, one);
    sc_ratio_ceil(rows, &above);
    sc_integer_set_int128(&one, 1);
    sc_ratio_set_fraction(rows, &above, &one);
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    const state *s = state_of(m);
    (void)count, (void)error;
    SC_OWN(sc_ratio, radius, each);
    sc_ratio_set_int64(&each, (int64_t)s->space.directions.count);
    sc_ratio_div(&each, beta, &each);
    if (sc_quantile_plan_radius_upper(&s->plan, &each, &radius)) {
        round_up(&radius);
        sc_certificate_pac(out, &radius, beta, excludes);
    } else {
        sc_certificate_none(out, excludes_all);
    }
    return SCRIM_OK;
}

static size_t answer_count(const scrim_measurement *m, size_t count)
{
    (void)count;
    return state_of(m)->space.directions.count;
}

static size_t row_width(const scrim_measurement *m)
{
    return state_of(m)->space.dimension;
}

/* Drawing. */

/* The plan of one direction: the common plan, with the number of its cells. A shallow copy, not to be cleared. */
static sc_quantile_plan plan_of(const state *s, size_t direction)
{
    sc_quantile_plan plan = s->plan;
    plan.cells = s->space.projection.axes[direction].last + 1;
    return plan;
}

/* Prepares the memory of the last direction for the next one. */
static void reuse_parts(sc_quantile_parts *parts, const sc_quantile_plan *plan,
                        size_t rows)
{
    parts->plan = plan;
    parts->rows.high = (int64_t)plan->cells - 1;
    parts->parts[0] = (sc_quantile_part){.last = plan->cells - 1, .count = rows};
}

static scrim_status project(const state *s, const sc_direction_rows *rows,
                            size_t direction, int64_t *keys, scrim_error *error)
{
    const sc_direction_task task = {
        .rows = rows, .which = &direction, .which_count = 1, .keys = &keys, .workers = 1};
    return sc_direction_keys_run(&s->space.projection, &task, error);
}

static scrim_status draw_all(const state *s, sc_bits *bits, const sc_direction_rows *rows,
                             int64_t *keys, sc_draw *out, scrim_error *error)
{
    const size_t count = sc_direction_rows_count(rows);
    const sc_order_rows order = {
        .rows = keys, .count = count, .low = 0, .high = (int64_t)s->plan.cells - 1};
    sc_quantile_parts parts;
    scrim_status status = sc_quantile_parts_init(&parts, &s->plan, &order, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; status == SCRIM_OK && i < s->space.directions.count; i++) {
        const sc_quantile_plan plan = plan_of(s, i);
        reuse_parts(&parts, &plan, count);
        status = project(s, rows, i, keys, error);
        if (status == SCRIM_OK)
            status = sc_quantile_parts_draw(&parts, bits, error);
        out->values[i] = (sc_int128)parts.keys[0];
        out->marks[i] = SC_MARK_INDEX;
        out->count = i + 1;
    }
    sc_quantile_parts_clear(&parts);
    return status;
}

static scrim_status take_rows(const state *s, const sc_private_input *input,
                              sc_direction_rows *rows, scrim_error *error)
{
    int64_t row[SC_DIRECTION_DIMENSIONS];
    const size_t d = s->space.dimension, count = input->count / d;
    scrim_status status = SCRIM_OK;
    rows->dimension = d;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        for (size_t j = 0; j < d; j++)
            row[j] = sc_body_space_coordinate(&s->space, input->values[i * d + j]);
        status = sc_direction_rows_add(rows, row, s->space.projection.extents, 1, error);
    }
    sc_wipe(row, sizeof row);
    return status;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    const state *s = state_of(m);
    sc_direction_rows rows = {.dimension = 0};
    scrim_status status = take_rows(s, input, &rows, error);
    const size_t count = sc_direction_rows_count(&rows);
    int64_t *keys = sc_allocate(count > 0 ? count : 1, sizeof *keys);
    if (status == SCRIM_OK)
        status = keys != NULL ? draw_all(s, bits, &rows, keys, out, error)
                              : sc_no_memory(error, "a body");
    sc_direction_rows_clear(&rows);
    sc_free_wiped(keys, count * sizeof *keys);
    return status;
}

/* The exact distribution, for the audit: directions are independent. */

static scrim_status law_of_direction(const state *s, const int64_t *rows, size_t count,
                                     size_t direction, long bits, sc_outcomes *out,
                                     scrim_error *error)
{
    int64_t keys[SC_PAIR_VALUES];
    const sc_quantile_plan plan = plan_of(s, direction);
    for (size_t r = 0; r < count; r++)
        keys[r] = sc_direction_key(&s->space.projection, rows + r * s->space.dimension,
                                   direction);
    const sc_order_rows order = {
        .rows = keys, .count = count, .low = 0, .high = (int64_t)plan.cells - 1};
    return sc_quantile_law(&plan, &order, bits, out, error);
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const state *s = state_of(m);
    const size_t directions = s->space.directions.count;
    size_t count = 0;
    sc_outcomes *parts = NULL;
    int64_t *rows = NULL;
    scrim_status status = SCRIM_OK;
    if (input->count > SC_PAIR_VALUES)
        return sc_fail(error, SCRIM_E_LIMIT, "the law of a body is of few rows");
    rows = sc_body_space_rows(&s->space, input, &count);
    parts = sc_allocate(directions, sizeof *parts);
    if (rows == NULL || parts == NULL)
        status = sc_no_memory(error, "a law");
    for (size_t i = 0; parts != NULL && i < directions; i++)
        sc_outcomes_init(&parts[i], 1);
    for (size_t i = 0; status == SCRIM_OK && i < directions; i++)
        status = law_of_direction(s, rows, count, i, bits, &parts[i], error);
    if (status == SCRIM_OK)
        status = sc_outcomes_product(parts, directions, NULL, bits, out, error);
    for (size_t i = 0; parts != NULL && i < directions; i++)
        sc_outcomes_clear(&parts[i]);
    sc_free(parts);
    sc_free(rows);
    return status;
}

const sc_mechanism sc_body_mechanism = {
    .entry = {.name = "body",
              .parameters =
                  "q=R epsilon=R [delta=R] [dimensions=N] lower=R upper=R [grid=R] "
                  "[cells=N] [directions=frames|axes|pairs|equiangular|sequence|given "
                  "count=N seed=N vectors=R,...] [max-rows=N]; audit: records=N",
              .input = "rows",
              .claim = "epsilon-DP, pure; or (epsilon, delta)-DP",
              .does = "Releases a quantile of the rows in each of many directions; "
                      "together they bound the region where most rows are (a floating "
                      "body). Centres and samples are computed from it free of charge.",
              .example = "q=1/2 epsilon=4 dimensions=2 lower=0 upper=9 directions=axes "
                         "neighbours=add-remove",
              .example_input = "3,4\n4,4\n5,6\n4,5\n6,3\n5,5\n4,6\n5,4\n",
              .reference = "Ben-Eliezer, Mikulincer, Zadik: Archimedes Meets Privacy, "
                           "2022, A.1 and Theorem 10"},
    SC_MECHANISM_PARAMETERS,
    .audit_count = 1,
    .clamps_itself = true,
    .input_is_rows = true,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = answer_count,
    .place = sc_body_space_place,
    .row_width = row_width,
    .draw = draw,
    .width = answer_count,
    .law = law,
    .pair_count = sc_body_space_pair_count,
    .pair = sc_body_space_pair,
};
