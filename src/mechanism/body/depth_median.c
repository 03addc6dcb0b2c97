#include "mechanism/body/depth_median.h"

#include "base/memory.h"
#include "mechanism/body/depth_levels.h"
#include "mechanism/quantile/ladder.h"
#include "mechanism/quantile/weight_sum.h"
#include "model/certificate.h"
#include "model/measurement.h"
#include "model/neighbours.h"

#define AUDIT_ROWS 2
#define USUAL_POINTS 1024
/* Steps of all levels, lines and directions together. */
#define STEPS_MAX ((uint64_t)1 << 32)
#define LEVELS_MAX ((uint64_t)1 << 18)
#define LAW_MAX ((uint64_t)1 << 16)

static const sc_parameter_rule parameters[] = {
    {.name = "epsilon",
     .kind = SC_PARAMETER_RATIONAL,
     .above = "0",
     .limit_high = "20",
     .domain = "a rational above 0 and at most 20"},
    {.name = "expected",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "0",
     .limit_high = "1e12",
     .domain = "the expected number of rows, an integer from 0 to 1e12"},
    SC_RULE_COUNT("dimensions", "2", "how many numbers a row has, 1 or 2"),
    SC_PARAMETERS_BODY_RANGE,
    SC_RULE_COUNT("points", "4096",
                  "how many candidates there are on an axis, at most 4096"),
    SC_RULE_COUNT("levels", "262144",
                  "how many depths are told apart, an integer from 1 to 262144"),
    SC_PARAMETERS_BODY_DIRECTIONS,
    SC_PARAMETER_BODY_ROWS,
    SC_PARAMETER_NEIGHBOURS,
    SC_RULE_COUNT("records", "32",
                  "the rows of the tables that the audit looks at, from 1 to 32"),
};

typedef struct state {
    sc_body_space space;
    uint64_t points, lines; /* of candidates */
    int64_t stride;
    uint64_t offset;
    sc_ladder ladder; /* rung top - s is of score s */
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

static void step_of(const scrim_measurement *m, sc_ratio *out)
{
    const int64_t moved = sc_measurement_neighbours(m) == SCRIM_REPLACE ? 2 : 1;
    sc_ratio_set_int64(out, moved * (int64_t)rows_of_unit(m));
    sc_ratio_div(out, sc_measurement_get(m, "epsilon"), out);
}

/* R: beyond so many levels below the best all candidates together have a 10^-4 of its weight. */
static scrim_status usual_levels(const state *s, const sc_ratio *step, uint64_t *out,
                                 scrim_error *error)
{
    SC_OWN(sc_ratio, least, all);
    sc_ratio_set_int64(&least, 1);
    sc_ratio_set_int128(&all, (sc_int128)s->points * s->lines * 10000);
    sc_ratio_div(&least, &least, &all);
    const scrim_status status = sc_ladder_top(step, &least, out, error);
    *out += status == SCRIM_OK;
    return status;
}

static scrim_status make_ladder(scrim_measurement *m, state *s, scrim_error *error)
{
    uint64_t levels = (uint64_t)sc_measurement_integer(m, "levels", 0);
    const uint64_t expected = (uint64_t)sc_measurement_integer(m, "expected", 0);
    SC_OWN(sc_ratio, step);
    step_of(m, &step);
    scrim_status status = levels == 0 ? usual_levels(s, &step, &levels, error) : SCRIM_OK;
    if (status != SCRIM_OK)
        return status;
    if (levels > LEVELS_MAX ||
        (sc_uint128)levels * s->lines * s->space.directions.count > STEPS_MAX)
        return sc_fail_parameter(
            error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "epsilon",
            "epsilon: there would be too many levels of depth; choose "
            "a larger epsilon, or fewer points or directions");
    const uint64_t middle = expected / (s->space.dimension == 1 ? 2 : 3);
    s->offset = middle > levels ? middle - levels : 0;
    return sc_ladder_init(&s->ladder, &step, levels, error);
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    state *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a measurement");
    m->state = s;
    scrim_status status = sc_body_space_init(&s->space, m, SC_BODY_USUAL_CELLS, error);
    if (status != SCRIM_OK)
        return status;
    if ((uint64_t)s->space.extent != s->space.largest)
        return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "grid",
                                 "grid: the range has more than 16777216 steps; choose a "
                                 "coarser grid");
    s->points = sc_depth_points(
        &s->space, (uint64_t)sc_measurement_integer(m, "points", USUAL_POINTS),
        &s->stride);
    s->lines = s->space.dimension == 1 ? 1 : s->points;
    return make_ladder(m, s, error);
}

static void discard(scrim_measurement *m)
{
    state *s = m->state;
    if (s == NULL)
        return;
    sc_body_space_clear(&s->space);
    sc_free(s);
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set_bounded_range(out, sc_measurement_get(m, "epsilon"));
    return SCRIM_OK;
}

static const char excludes[] =
    "clamping to the range and rounding to the lattice. The radius counts rows: so much "
    "less deep than the best candidate the point may be, unless it is as deep as "
    "was told apart";
static const char excludes_all[] =
    "everything: so few levels of depth promise nothing at this confidence";

/* Candidates whose weight is at most beta/|Z| of the best one's have together at most beta. */
static sc_uint128 light(const state *s, const sc_ratio *beta)
{
    sc_uint128 out = 0;
    SC_OWN(sc_ratio, limit, all);
    SC_OWN(sc_integer, whole, one);
    sc_integer_set_int128(&one, 1);
    sc_integer_set_uint128(&whole, s->ladder.highest);
    sc_ratio_set_fraction(&limit, &whole, &one);
    sc_ratio_mul(&limit, &limit, beta);
    sc_ratio_set_int128(&all, (sc_int128)s->points * s->lines);
    sc_ratio_div(&limit, &limit, &all);
    sc_ratio_floor(&limit, &whole);
    (void)sc_integer_get_uint128(&whole, &out);
    return out;
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    const state *s = state_of(m);
    const uint64_t rung = sc_ladder_rung(&s->ladder, light(s, beta));
    (void)count, (void)error;
    SC_OWN(sc_ratio, radius);
    if (rung > s->ladder.top) {
        sc_certificate_none(out, excludes_all);
    } else {
        /* One rung more, as floors make ratios of two rungs differ by where they stand. */
        sc_ratio_set_int128(&radius, (sc_int128)rung + 1);
        sc_certificate_pac(out, &radius, beta, excludes);
    }
    return SCRIM_OK;
}

static size_t answer_count(const scrim_measurement *m, size_t count)
{
    (void)count;
    return state_of(m)->space.dimension;
}

static size_t row_width(const scrim_measurement *m)
{
    return state_of(m)->space.dimension;
}

/* The levels of an input. */

static scrim_status find_levels(const state *s, const sc_private_input *input,
                                sc_depth_levels *levels, scrim_error *error)
{
    size_t count = 0;
    int64_t *rows = sc_body_space_rows(&s->space, input, &count);
    if (rows == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for depths");
    scrim_status status = sc_depth_levels_init(levels, &s->space, s->points, s->offset,
                                               s->ladder.top, error);
    if (status == SCRIM_OK)
        status = sc_depth_levels_find(levels, rows, count, error);
    sc_free_wiped(rows, count * s->space.dimension * sizeof *rows);
    return status;
}

/* Drawing. Every shell is visited, whatever is drawn. */

typedef struct found {
    uint64_t level, place; /* the place within the shell */
} found;

/* How many candidates have a score of exactly each level; from all of them down. */
static scrim_status count_shells(const sc_depth_levels *d, uint64_t **out,
                                 scrim_error *error)
{
    uint64_t *shells = sc_allocate(d->levels + 1, sizeof *shells);
    if (shells == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for depths");
    for (uint64_t j = 0; j <= d->levels; j++)
        shells[j] = sc_depth_count(d, j);
    for (uint64_t j = 0; j < d->levels; j++)
        shells[j] -= shells[j + 1];
    *out = shells;
    return SCRIM_OK;
}

/* A uniform number below the sum of all weights, and the shell that it falls into. */
static scrim_status draw_shell(sc_bits *bits, const sc_ladder *ladder,
                               const uint64_t *shells, found *out, scrim_error *error)
{
    sc_weight_sum total = {{0}}, left, rest, at;
    sc_uint128 weight = SC_LADDER_TOP_WEIGHT;
    bool is_found = false;
    for (uint64_t j = 0; j <= ladder->top; j++, weight = sc_ladder_next(ladder, weight)) {
        const sc_weight_sum shell = sc_weight_product(weight, shells[j]);
        sc_weight_sum_add(&total, &shell);
    }
    const scrim_status status = sc_weight_sum_draw(bits, &total, &left, error);
    if (status != SCRIM_OK)
        return status;
    weight = SC_LADDER_TOP_WEIGHT;
    at = left;
    for (uint64_t j = 0; j <= ladder->top; j++, weight = sc_ladder_next(ladder, weight)) {
        const sc_weight_sum shell = sc_weight_product(weight, shells[j]);
        const bool is_here = sc_weight_sum_sub(&left, &shell, &rest) != 0;
        if (is_here && !is_found) {
            out->level = j;
            at = left;
            is_found = true;
        }
        left = rest;
    }
    out->place = sc_weight_sum_remainder(&at, shells[out->level]);
    return SCRIM_OK;
}

/* The candidate at a place of a shell: line by line what the next level leaves. */
static void point_at(const sc_depth_levels *d, const found *f, uint64_t *x, uint64_t *y)
{
    uint64_t place = f->place;
    bool is_found = false;
    *x = *y = 0;
    for (uint64_t line = 0; line < d->lines; line++) {
        uint64_t first, inner_first = 0, inner = 0;
        const uint64_t all = sc_depth_line(d, f->level, line, &first);
        if (f->level < d->levels)
            inner = sc_depth_line(d, f->level + 1, line, &inner_first);
        const uint64_t here = all - inner;
        if (!is_found && place < here) {
            is_found = true;
            *y = line;
            *x = first + place;
            if (inner > 0 && *x >= inner_first)
                *x += inner;
        }
        place -= is_found ? 0 : here;
    }
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    const state *s = state_of(m);
    sc_depth_levels levels = {.bounds = NULL};
    uint64_t *shells = NULL, at[2] = {0, 0};
    found f = {0, 0};
    scrim_status status = find_levels(s, input, &levels, error);
    if (status == SCRIM_OK)
        status = count_shells(&levels, &shells, error);
    if (status == SCRIM_OK)
        status = draw_shell(bits, &s->ladder, shells, &f, error);
    if (status == SCRIM_OK) {
        point_at(&levels, &f, &at[0], &at[1]);
        out->count = s->space.dimension;
        for (size_t i = 0; i < out->count; i++) {
            out->values[i] = (sc_int128)s->space.low + (sc_int128)at[i] * s->stride;
            out->marks[i] = SC_MARK_VALUE;
        }
    }
    sc_free_wiped(shells, (s->ladder.top + 1) * sizeof *shells);
    sc_depth_levels_clear(&levels);
    return status;
}

/* The law. */

static void set_weight(sc_ball *out, sc_uint128 weight)
{
    SC_OWN(sc_integer, whole);
    sc_integer_set_uint128(&whole, weight);
    sc_ball_set_integer(out, &whole);
}

/* Weights by score. */
static scrim_status list_weights(const sc_ladder *ladder, sc_uint128 **out,
                                 scrim_error *error)
{
    sc_uint128 *weights = sc_allocate(ladder->top + 1, sizeof *weights);
    if (weights == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a law");
    weights[0] = SC_LADDER_TOP_WEIGHT;
    for (uint64_t j = 1; j <= ladder->top; j++)
        weights[j] = sc_ladder_next(ladder, weights[j - 1]);
    *out = weights;
    return SCRIM_OK;
}

/* The score of a candidate: the last level that its line still has it in. */
static uint64_t score_of(const sc_depth_levels *d, uint64_t x, uint64_t line)
{
    uint64_t score = 0, first;
    for (uint64_t j = 1; j <= d->levels; j++) {
        const uint64_t count = sc_depth_line(d, j, line, &first);
        if (x < first || x >= first + count)
            break;
        score = j;
    }
    return score;
}

static scrim_status list_law(const state *s, const sc_depth_levels *d,
                             const sc_uint128 *weights, long bits, sc_outcomes *out,
                             scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, total, weight);
    for (int turn = 0; turn < 2; turn++)
        for (uint64_t y = 0; y < d->lines; y++)
            for (uint64_t x = 0; status == SCRIM_OK && x < d->points; x++) {
                const int64_t key[2] = {s->space.low + (int64_t)x * s->stride,
                                        s->space.low + (int64_t)y * s->stride};
                set_weight(&weight, weights[score_of(d, x, y)]);
                if (turn == 0) {
                    sc_ball_add(&total, &total, &weight, SC_WEIGHT_SUM_BITS);
                } else {
                    sc_ball_div(&weight, &weight, &total, bits);
                    status = sc_outcomes_add(out, key, &weight, error);
                }
            }
    return status == SCRIM_OK ? sc_outcomes_sort(out, bits, error) : status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const state *s = state_of(m);
    sc_depth_levels levels = {.bounds = NULL};
    sc_uint128 *weights = NULL;
    if (s->points * s->lines > LAW_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many points to give the probability of each");
    scrim_status status = find_levels(s, input, &levels, error);
    if (status == SCRIM_OK)
        status = list_weights(&s->ladder, &weights, error);
    if (status == SCRIM_OK)
        status = list_law(s, &levels, weights, bits, out, error);
    sc_free(weights);
    sc_depth_levels_clear(&levels);
    return status;
}

static size_t pair_count(const scrim_measurement *m)
{
    return sc_body_space_pair_count(
        &state_of(m)->space, sc_measurement_neighbours(m),
        (size_t)sc_measurement_integer(m, "records", AUDIT_ROWS), rows_of_unit(m));
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    sc_body_space_pair(&state_of(m)->space, sc_measurement_neighbours(m),
                       (size_t)sc_measurement_integer(m, "records", AUDIT_ROWS),
                       rows_of_unit(m), index, out);
}

const sc_mechanism sc_depth_median = {
    .entry = {.name = "depth-median",
              .parameters =
                  "epsilon=R expected=N [dimensions=1|2] lower=R upper=R [grid=R] "
                  "[points=N levels=N] [directions=frames|axes|pairs|equiangular|"
                  "sequence|given count=N seed=N vectors=R,...] [max-rows=N]; audit: "
                  "records=N",
              .input = "rows",
              .claim = "epsilon-DP, pure",
              .reference =
                  "Tukey: Mathematics and the Picturing of Data, 1975; McSherry, "
                  "Talwar: Mechanism Design via Differential Privacy, 2007"},
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
    .place = sc_body_space_place,
    .row_width = row_width,
    .draw = draw,
    .width = answer_count,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};
