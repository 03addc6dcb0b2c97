#include "mechanism/body/depth_median.h"

#include "base/memory.h"
#include "mechanism/body/depth_levels.h"
#include "mechanism/selection/ladder.h"
#include "model/certificate.h"
#include "model/domain.h"
#include "model/measurement.h"

#define USUAL_POINTS 1024
/* Steps of all levels, lines and directions together. */
#define STEPS_MAX ((uint64_t)1 << 32)
#define LEVELS_MAX ((uint64_t)1 << 18)
/* The most levels, and the most steps, for depths between n0/3 and n0/2. */
#define MIDDLE_LEVELS ((uint64_t)1 << 12)
#define MIDDLE_STEPS ((uint64_t)1 << 28)
#define LAW_MAX ((uint64_t)1 << 16)

static const sc_parameter_rule parameters[] = {
    SC_PARAMETER_LADDER_EPSILON,
    {.name = "expected",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "0",
     .limit_high = "1e12",
     .domain = "the expected number of rows, an integer from 0 to 1e12"},
    SC_RULE_COUNT("dimensions", "2", "how many numbers a row has, 1 or 2"),
    SC_PARAMETERS_RANGE,
    SC_RULE_COUNT("points", "4096",
                  "how many candidates there are on an axis, at most 4096"),
    SC_RULE_COUNT("levels", "262144",
                  "how many depths are told apart, an integer from 1 to 262144"),
    SC_RULE_COUNT("level-rows", "1e12",
                  "the rows from one level of depth to the next, from 1 to 1e12"),
    SC_PARAMETERS_BODY_DIRECTIONS,
    SC_PARAMETER_BODY_ROWS,
    SC_PARAMETER_NEIGHBOURS,
    SC_PARAMETER_PAIR_ROWS("32"),
};

typedef struct state {
    sc_body_space space;    /* first: body_space.h looks for it there */
    uint64_t points, lines; /* of candidates */
    int64_t stride;
    sc_depth_scale scale;
    sc_depth_ladder ladder;
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

/* The score of a candidate moves by at most ceil(r/step). */
static void ratio_of(const scrim_measurement *m, const state *s, sc_ratio *out)
{
    const uint64_t rows = rows_of_unit(m), moved = (rows - 1) / s->scale.step + 1;
    const int64_t sides = sc_measurement_neighbours(m) == SCRIM_REPLACE ? 2 : 1;
    sc_ratio_set_int64(out, sides * (int64_t)moved);
    sc_ratio_div(out, sc_measurement_get(m, "epsilon"), out);
}

/* beta/|Z|. */
static void share_of(const state *s, const sc_ratio *beta, sc_ratio *out)
{
    sc_ratio_set_int128(out, (sc_int128)s->points * s->lines);
    sc_ratio_div(out, beta, out);
}

/* R: the candidates more than R levels below the best have together 10^-4 of its weight. */
static scrim_status tail_levels(const state *s, const sc_ratio *ratio, uint64_t *out,
                                scrim_error *error)
{
    SC_OWN(sc_ratio, beta, least, all);
    sc_ratio_set_int64(&beta, 1);
    sc_ratio_set_int64(&all, 10000);
    sc_ratio_div(&beta, &beta, &all);
    share_of(s, &beta, &least);
    const scrim_status status = sc_ladder_top(ratio, &least, out, error);
    *out += status == SCRIM_OK;
    return status;
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

static uint64_t steps_of_level(const state *s)
{
    return s->lines * s->space.directions.count;
}

/* In two dimensions some point has a depth of n0/3, and with many different rows no point has much
 * more than n0/2: depths between them are told apart, every one or every few. In one dimension the
 * median has n0/2. */
static uint64_t middle_rows(const state *s, uint64_t expected)
{
    return s->space.dimension == 1 ? 0 : expected / 2 - expected / 3;
}

static uint64_t usual_step(const state *s, uint64_t expected)
{
    const uint64_t by_steps = MIDDLE_STEPS / steps_of_level(s),
                   most = by_steps < MIDDLE_LEVELS ? by_steps : MIDDLE_LEVELS,
                   step = divide_up(middle_rows(s, expected), most > 0 ? most : 1);
    return step > 0 ? step : 1;
}

static scrim_status set_levels(const scrim_measurement *m, state *s, uint64_t expected,
                               sc_ratio *ratio, scrim_error *error)
{
    sc_depth_scale *scale = &s->scale;
    scale->levels = (uint64_t)sc_measurement_integer(m, "levels", 0);
    scale->step = (uint64_t)sc_measurement_integer(m, "level-rows", 0);
    if (scale->step == 0)
        scale->step = scale->levels > 0 ? 1 : usual_step(s, expected);
    ratio_of(m, s, ratio);
    if (scale->levels > 0)
        return SCRIM_OK;
    const scrim_status status = tail_levels(s, ratio, &scale->levels, error);
    if (status == SCRIM_OK)
        scale->levels += divide_up(middle_rows(s, expected), scale->step);
    return status;
}

static scrim_status make_ladder(scrim_measurement *m, state *s, scrim_error *error)
{
    const uint64_t expected = (uint64_t)sc_measurement_integer(m, "expected", 0);
    sc_depth_scale *scale = &s->scale;
    SC_OWN(sc_ratio, ratio);
    const scrim_status status = set_levels(m, s, expected, &ratio, error);
    if (status != SCRIM_OK)
        return status;
    if (scale->levels > LEVELS_MAX ||
        (sc_uint128)scale->levels * steps_of_level(s) > STEPS_MAX)
        return sc_fail_parameter(
            error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "epsilon",
            "epsilon: there would be too many levels of depth; choose "
            "a larger epsilon, or fewer points or directions");
    const sc_uint128 below = (sc_uint128)scale->levels * scale->step;
    scale->offset = expected / 2 > below ? expected / 2 - (uint64_t)below : 0;
    return sc_depth_ladder_init(&s->ladder, &ratio, scale->levels, error);
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
    if ((uint64_t)s->space.extent != s->space.largest)
        return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "grid",
                                 "grid: the range has more than 16777216 steps; choose a "
                                 "coarser grid");
    s->points = sc_depth_points(
        &s->space, (uint64_t)sc_measurement_integer(m, "points", USUAL_POINTS),
        &s->stride);
    s->lines = s->space.dimension == 1 ? 1 : s->points;
    s->scale.points = s->points;
    return make_ladder(m, s, error);
}

static void discard(scrim_measurement *m)
{
    state *s = m->state;
    if (s == NULL)
        return;
    sc_depth_ladder_clear(&s->ladder);
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
    "clamping to the range and rounding to the lattice; tables that have far fewer rows "
    "than expected. The radius counts rows: so much less deep than the best candidate "
    "the "
    "point may be, or than half of the expected rows";
static const char excludes_all[] =
    "everything: so few levels of depth promise nothing at this confidence";

/* Candidates whose weight is at most beta/|Z| of the best one's have together at most beta. Floors take less than 2^-32 of a weight
 * at each level, 2^-14 of it at LEVELS_MAX of them; 2^-13 is allowed for. */
static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    const state *s = state_of(m);
    uint64_t levels = 0;
    (void)count;
    SC_OWN(sc_ratio, least, kept, whole, ratio);
    sc_ratio_set_int64(&kept, 8191);
    sc_ratio_set_int64(&whole, 8192);
    sc_ratio_div(&kept, &kept, &whole);
    share_of(s, beta, &least);
    sc_ratio_mul(&least, &least, &kept);
    ratio_of(m, s, &ratio);
    const scrim_status status = sc_ladder_top(&ratio, &least, &levels, NULL);
    (void)error;
    if (status != SCRIM_OK || levels > s->scale.levels) {
        sc_certificate_none(out, excludes_all);
    } else {
        sc_ratio_set_int128(&whole, (sc_int128)levels * s->scale.step);
        sc_certificate_pac(out, &whole, beta, excludes);
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
        return sc_no_memory(error, "depths");
    scrim_status status = sc_depth_levels_init(levels, &s->space, &s->scale, error);
    levels->progress = input->progress;
    levels->context = input->context;
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
        return sc_no_memory(error, "depths");
    for (uint64_t j = 0; j <= d->levels; j++)
        shells[j] = sc_depth_count(d, j);
    for (uint64_t j = 0; j < d->levels; j++)
        shells[j] -= shells[j + 1];
    *out = shells;
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
        status =
            sc_depth_ladder_draw(&s->ladder, bits, shells, &f.level, &f.place, error);
    if (status == SCRIM_OK) {
        point_at(&levels, &f, &at[0], &at[1]);
        out->count = s->space.dimension;
        for (size_t i = 0; i < 2 && i < out->count; i++) {
            out->values[i] = (sc_int128)s->space.low + (sc_int128)at[i] * s->stride;
            out->marks[i] = SC_MARK_VALUE;
        }
    }
    sc_free_wiped(shells, (s->ladder.top + 1) * sizeof *shells);
    sc_depth_levels_clear(&levels);
    return status;
}

/* The law. */

static void set_weight(const sc_depth_ladder *ladder, uint64_t score, sc_ball *out)
{
    SC_OWN(sc_integer, whole);
    sc_depth_ladder_weight(ladder, score, &whole);
    sc_ball_set_integer(out, &whole);
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

static scrim_status list_law(const state *s, const sc_depth_levels *d, long bits,
                             sc_outcomes *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, total, weight);
    for (int turn = 0; turn < 2; turn++)
        for (uint64_t y = 0; y < d->lines; y++)
            for (uint64_t x = 0; status == SCRIM_OK && x < d->points; x++) {
                const int64_t key[2] = {s->space.low + (int64_t)x * s->stride,
                                        s->space.low + (int64_t)y * s->stride};
                set_weight(&s->ladder, score_of(d, x, y), &weight);
                if (turn == 0) {
                    sc_ball_add(&total, &total, &weight,
                                sc_depth_ladder_bits(&s->ladder));
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
    if (s->points * s->lines > LAW_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many points to give the probability of each");
    scrim_status status = find_levels(s, input, &levels, error);
    if (status == SCRIM_OK)
        status = list_law(s, &levels, bits, out, error);
    sc_depth_levels_clear(&levels);
    return status;
}

const sc_mechanism sc_depth_median = {
    .entry =
        {.name = "depth-median",
         .parameters =
             "epsilon=R expected=N [dimensions=1|2] lower=R upper=R [grid=R] "
             "[points=N levels=N level-rows=N] [directions=frames|axes|pairs|equiangular|"
             "sequence|given count=N seed=N vectors=R,...] [max-rows=N]; audit: "
             "records=N",
         .input = "rows",
         .claim = "epsilon-DP, pure",
         .does = "Releases a point that lies deep among the rows (an approximate "
                 "Tukey median). Outliers move it little, unlike a mean.",
         .example = "epsilon=4 expected=8 lower=0 upper=9 neighbours=add-remove",
         .example_input = "3\n4\n5\n4\n6\n5\n4\n5\n",
         .reference = "Tukey: Mathematics and the Picturing of Data, 1975; McSherry, "
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
    .pair_count = sc_body_space_pair_count,
    .pair = sc_body_space_pair,
};
