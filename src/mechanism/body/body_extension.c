#include "mechanism/body/body_extension.h"

#include "base/memory.h"
#include "mechanism/selection/ladder.h"
#include "mechanism/selection/order_slice.h"
#include "mechanism/selection/quantile_law.h"
#include "mechanism/selection/rank_shells.h"
#include "model/certificate.h"
#include "model/domain.h"
#include "model/measurement.h"

/* More rows than are ever asked about. */
static uint64_t most_of(const sc_extension_rule *r)
{
    return r->reach + r->clip;
}

scrim_status sc_extension_score_init(sc_extension_score *score,
                                     const sc_extension_rule *rule, scrim_error *error)
{
    *score = (sc_extension_score){.rule = *rule};
    score->places = sc_allocate(2 * (most_of(rule) + 1) + 2, sizeof *score->places);
    return score->places != NULL ? SCRIM_OK : sc_no_memory(error, "an extension");
}

void sc_extension_score_clear(sc_extension_score *score)
{
    if (score->places != NULL)
        sc_free_wiped(score->places,
                      (2 * (most_of(&score->rule) + 1) + 2) * sizeof *score->places);
    *score = (sc_extension_score){.count = 0};
}

/* A_s; the smallest number where no row is asked of. */
static int64_t lower_end(const sc_extension_rule *r, const sc_extension_table *t,
                         uint64_t s)
{
    int64_t most = INT64_MIN;
    for (uint64_t i = t->k > s ? 0 : s - t->k + 1; i <= r->reach; i++) {
        const int64_t end = t->row(t->context, t->k + i - s) - (int64_t)i * r->step;
        most = end > most ? end : most;
    }
    return most;
}

/* B_s likewise. */
static int64_t upper_end(const sc_extension_rule *r, const sc_extension_table *t,
                         uint64_t s)
{
    int64_t least = INT64_MAX;
    for (uint64_t i = t->k + s <= t->count ? 0 : t->k + s - t->count; i <= r->reach;
         i++) {
        const int64_t end = t->row(t->context, t->k + s - i) + (int64_t)i * r->step;
        least = end < least ? end : least;
    }
    return least;
}

static void put(sc_extension_score *score, int64_t value)
{
    if (value >= score->rule.low && value <= score->rule.high)
        score->places[score->count++].value = value;
}

void sc_extension_score_find(sc_extension_score *score, const sc_extension_table *t)
{
    const sc_extension_rule *r = &score->rule;
    const uint64_t most = most_of(r);
    score->count = 0;
    put(score, r->low);
    put(score, r->high);
    for (uint64_t s = 0; s <= most; s++) {
        put(score, lower_end(r, t, s));
        put(score, upper_end(r, t, s));
    }
    for (size_t i = 0; i < score->count; i++)
        score->places[i].moved = 2 * (most + 1);
    for (uint64_t s = 0; s <= most; s++) {
        /* a and b fall by one where the value is within the ends of s. */
        const int64_t lower = lower_end(r, t, s), upper = upper_end(r, t, s);
        for (size_t i = 0; i < score->count; i++) {
            score->places[i].moved -= score->places[i].value >= lower;
            score->places[i].moved -= score->places[i].value <= upper;
        }
    }
}

void sc_extension_interval(const sc_extension_score *score, uint64_t level,
                           int64_t *first, int64_t *last)
{
    const sc_extension_rule *r = &score->rule;
    const int64_t margin = (int64_t)r->reach * r->step;
    *first = r->low - margin;
    *last = r->high + margin;
    for (size_t i = 0; i < score->count; i++) {
        const sc_extension_place *p = &score->places[i];
        /* min(floor(|t - v|/D), K) <= level - clip + moved */
        if (level + p->moved >= r->reach + r->clip)
            continue;
        const int64_t within = level + p->moved < r->clip
                                   ? 0
                                   : (int64_t)(level + p->moved - r->clip + 1) * r->step;
        const int64_t from = p->value - within + 1, to = p->value + within - 1;
        *first = from > *first ? from : *first;
        *last = to < *last ? to : *last;
    }
}

#define LAW_MAX ((uint64_t)1 << 20)
/* Numbers of the range and its margins are below this in size. */
#define VALUE_MAX ((int64_t)1 << 60)

static const sc_parameter_rule parameters[] = {
    {.name = "q",
     .kind = SC_PARAMETER_RATIONAL,
     .above = "0",
     .below = "1",
     .domain = "a rational between 0 and 1"},
    SC_PARAMETER_LADDER_EPSILON,
    SC_PARAMETERS_RANGE,
    {.name = "spacing",
     .kind = SC_PARAMETER_RATIONAL,
     .above = "0",
     .domain = "a multiple of the grid's step, above 0"},
    {.name = "reach",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "1",
     .limit_high = "4096",
     .domain = "an integer from 1 to 4096"},
    {.name = "clip",
     .kind = SC_PARAMETER_INTEGER,
     .optional = true,
     .at_least = "0",
     .limit_high = "4096",
     .domain = "an integer from 0 to 4096"},
    SC_PARAMETER_NEIGHBOURS,
    SC_PARAMETER_PAIR_ROWS("64"),
};

typedef struct state {
    sc_extension_rule rule;
    int64_t first, last;             /* of all values */
    uint64_t numerator, denominator; /* of q */
    sc_ladder ladder;
} state;

static const state *state_of(const scrim_measurement *m)
{
    return m->state;
}

/* Making one. */

static scrim_status whole_steps(const scrim_measurement *m, const sc_grid *grid,
                                int64_t *out, scrim_error *error)
{
    sc_int128 steps = 0;
    SC_OWN(sc_ratio, step, count);
    SC_OWN(sc_integer, whole, below);
    sc_grid_step(grid, &step);
    sc_ratio_div(&count, sc_measurement_get(m, "spacing"), &step);
    sc_ratio_numerator(&count, &whole);
    sc_ratio_denominator(&count, &below);
    sc_int128 one = 0;
    if (!sc_integer_get_int128(&below, &one) || one != 1 ||
        !sc_integer_get_int128(&whole, &steps) || steps > VALUE_MAX)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "spacing",
                                 "spacing: it is not a multiple of the grid's step");
    *out = (int64_t)steps;
    return SCRIM_OK;
}

static bool set_q(const scrim_measurement *m, state *s)
{
    const sc_ratio *q = sc_measurement_get(m, "q");
    SC_OWN(sc_integer, part);
    sc_ratio_numerator(q, &part);
    const bool fits = sc_integer_get_uint64(&part, &s->numerator);
    sc_ratio_denominator(q, &part);
    return fits && sc_integer_bits(&part) <= 32 &&
           sc_integer_get_uint64(&part, &s->denominator);
}

/* The fewest rows that have reach ranks on either side of the k-th. */
static size_t least_rows(const state *s)
{
    const uint64_t rest = s->denominator - s->numerator,
                   below = s->rule.reach * s->denominator / s->numerator + 1,
                   above = (s->rule.reach * s->denominator + rest - 1) / rest;
    return (size_t)(below > above ? below : above);
}

/* Rows and answers are of the window and its margins. */
static scrim_status set_domain(scrim_measurement *m, state *s, scrim_error *error)
{
    scrim_status status = sc_domain_set_grid(&m->domain, sc_measurement_get(m, "grid"),
                                             sc_measurement_get(m, "lower"),
                                             sc_measurement_get(m, "upper"), error);
    if (status == SCRIM_OK)
        status = whole_steps(m, &m->domain.grid, &s->rule.step, error);
    if (status != SCRIM_OK)
        return status;
    s->rule.low = m->domain.grid.low;
    s->rule.high = m->domain.grid.high;
    const sc_int128 margin = (sc_int128)s->rule.step * s->rule.reach;
    if (s->rule.low - margin < -VALUE_MAX || s->rule.high + margin > VALUE_MAX)
        return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "spacing",
                                 "spacing: the range of answers has too many steps");
    s->first = s->rule.low - (int64_t)margin;
    s->last = s->rule.high + (int64_t)margin;
    m->domain.grid.low = s->first;
    m->domain.grid.high = s->last;
    m->domain.grid.missing = s->first;
    m->domain.count_min = least_rows(s);
    return SCRIM_OK;
}

static scrim_status fill(scrim_measurement *m, state *s, scrim_error *error)
{
    s->rule.reach = (uint64_t)sc_measurement_integer(m, "reach", 1);
    s->rule.clip = (uint64_t)sc_measurement_integer(m, "clip", (int64_t)s->rule.reach);
    if (sc_measurement_neighbours(m) != SCRIM_REPLACE)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT,
                                 "neighbours",
                                 "body-extension: the number of rows is public; use "
                                 "neighbours=replace");
    if (!set_q(m, s))
        return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "q",
                                 "q: its denominator has more than 32 bits");
    const scrim_status status = set_domain(m, s, error);
    if (status != SCRIM_OK)
        return status;
    SC_OWN(sc_ratio, step, two);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(&step, sc_measurement_get(m, "epsilon"), &two);
    return sc_ladder_init(&s->ladder, &step, s->rule.reach + s->rule.clip, error);
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    state *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    return fill(m, s, error);
}

static void discard(scrim_measurement *m)
{
    sc_free(m->state);
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set_bounded_range(out, sc_measurement_get(m, "epsilon"));
    return SCRIM_OK;
}

static const char excludes[] = "tables that are not typical, with rows near the quantile "
                               "that lie further apart than "
                               "spacing, and rounding to the grid";
static const char excludes_all[] =
    "everything: the flat part beyond the reach has too much of the weight";

/* On a typical table the score is floor(|t - x_(k)|/D): rung clip at the middle, and each further one 2 D values. */
static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    const state *s = state_of(m);
    sc_uint128 weight = SC_LADDER_TOP_WEIGHT;
    uint64_t level = s->ladder.top;
    (void)count, (void)error;
    SC_OWN(sc_ratio, tail, total, part, limit);
    SC_OWN(sc_integer, whole, one);
    sc_integer_set_int128(&one, 1);
    const uint64_t all = (uint64_t)s->last - (uint64_t)s->first + 1,
                   step = (uint64_t)s->rule.step;
    /* All values are at least as heavy as this sum says: the middle has 2 D - 1, the next 2 D. */
    sc_uint128 heavier = SC_LADDER_TOP_WEIGHT;
    sc_ratio_set_int64(&total, 0);
    for (uint64_t j = s->ladder.top; j > s->rule.clip; j--)
        heavier = sc_ladder_next(&s->ladder, heavier);
    sc_integer_set_uint128(&whole, heavier);
    sc_ratio_set_fraction(&total, &whole, &one);
    sc_ratio_set_int128(&part, (sc_int128)(2 * step - 1));
    sc_ratio_mul(&total, &total, &part); /* the middle's share, at least */
    sc_ratio_mul(&limit, &total, beta);
    /* The level from which on all others together have at most beta of that. */
    sc_ratio_set_int128(&part, (sc_int128)all);
    for (; level > s->rule.clip; level--) {
        sc_integer_set_uint128(&whole, weight);
        sc_ratio_set_fraction(&tail, &whole, &one);
        sc_ratio_mul(&tail, &tail, &part);
        if (sc_ratio_compare(&tail, &limit) > 0)
            break;
        weight = sc_ladder_next(&s->ladder, weight);
    }
    if (level == s->ladder.top) {
        sc_certificate_none(out, excludes_all);
        return SCRIM_OK;
    }
    sc_ratio_set_int128(&part, (sc_int128)(level + 1 - s->rule.clip) * s->rule.step);
    sc_grid_step(&m->domain.grid, &total);
    sc_ratio_mul(&part, &part, &total);
    sc_certificate_interval(out, &part, beta, excludes);
    return SCRIM_OK;
}

static size_t answer_count(const scrim_measurement *m, size_t count)
{
    (void)m, (void)count;
    return 1;
}

/* The score of an input. */

typedef struct ranked {
    const sc_order_slice *slice;
    int64_t low;
} ranked;

static int64_t row_at(const void *context, uint64_t rank)
{
    const ranked *r = context;
    size_t low = 0, high = r->slice->runs - 1; /* the last run with fewer rows below it */
    while (low < high) {
        const size_t middle = low + (high - low + 1) / 2;
        if (r->slice->below[middle] < rank)
            low = middle;
        else
            high = middle - 1;
    }
    return (int64_t)((uint64_t)r->low + r->slice->keys[low]);
}

static scrim_status find_score(const scrim_measurement *m, const sc_private_input *input,
                               sc_extension_score *score, scrim_error *error)
{
    const state *s = state_of(m);
    const uint64_t n = input->count, wide = sc_extension_width(&s->rule);
    const sc_order_rows rows = {
        .rows = input->values, .count = input->count, .low = s->first, .high = s->last};
    sc_order_slice slice = {.width = 0};
    if (n < least_rows(s))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "reach",
                                 "body-extension: this reach needs at least %zu rows",
                                 least_rows(s));
    const uint64_t k =
        (uint64_t)(((sc_uint128)s->numerator * n + s->denominator - 1) / s->denominator);
    scrim_status status = sc_extension_score_init(score, &s->rule, error);
    if (status == SCRIM_OK)
        status = sc_order_slice_init(&slice, (size_t)(2 * wide + 1), error);
    if (status == SCRIM_OK)
        status = sc_order_slice_find(&slice, &rows, k > wide ? k - wide : 1,
                                     k + wide < n ? k + wide : n, error);
    if (status == SCRIM_OK) {
        const ranked r = {.slice = &slice, .low = s->first};
        const sc_extension_table table = {
            .context = &r, .row = row_at, .count = n, .k = k};
        sc_extension_score_find(score, &table);
    }
    sc_order_slice_clear(&slice);
    return status;
}

/* Drawing: every shell is visited, from the largest score down. */

static uint64_t size_of(int64_t first, int64_t last)
{
    return last < first ? 0 : (uint64_t)last - (uint64_t)first + 1;
}

typedef struct shell {
    int64_t first, last, inner_first, inner_last;
    uint64_t size;
} shell;

static shell shell_at(const sc_extension_score *score, uint64_t level)
{
    shell s = {.inner_first = 0, .inner_last = -1};
    sc_extension_interval(score, level, &s.first, &s.last);
    if (level > 0)
        sc_extension_interval(score, level - 1, &s.inner_first, &s.inner_last);
    s.size = size_of(s.first, s.last) - size_of(s.inner_first, s.inner_last);
    return s;
}

static int64_t value_at(const shell *s, uint64_t place)
{
    const int64_t at = (int64_t)((uint64_t)s->first + place);
    const uint64_t inner = size_of(s->inner_first, s->inner_last);
    return inner == 0 || at < s->inner_first ? at : (int64_t)((uint64_t)at + inner);
}

static scrim_status draw_value(const state *s, sc_bits *bits,
                               const sc_extension_score *score, int64_t *out,
                               scrim_error *error)
{
    sc_weight_sum total = {{0}}, left, rest;
    sc_uint128 weight = SC_LADDER_TOP_WEIGHT;
    bool is_found = false;
    for (uint64_t j = s->ladder.top + 1; j-- > 0;
         weight = sc_ladder_next(&s->ladder, weight)) {
        const sc_weight_sum all = sc_weight_product(weight, shell_at(score, j).size);
        sc_weight_sum_add(&total, &all);
    }
    const scrim_status status = sc_weight_sum_draw(bits, &total, &left, error);
    if (status != SCRIM_OK)
        return status;
    weight = SC_LADDER_TOP_WEIGHT;
    for (uint64_t j = s->ladder.top + 1; j-- > 0;
         weight = sc_ladder_next(&s->ladder, weight)) {
        const shell here = shell_at(score, j);
        const sc_weight_sum all = sc_weight_product(weight, here.size);
        if (sc_weight_sum_sub(&left, &all, &rest) != 0 && !is_found) {
            *out = value_at(&here, sc_weight_sum_remainder(&left, here.size));
            is_found = true;
        }
        left = rest;
    }
    return SCRIM_OK;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    sc_extension_score score = {.places = NULL};
    int64_t value = 0;
    scrim_status status = find_score(m, input, &score, error);
    if (status == SCRIM_OK)
        status = draw_value(state_of(m), bits, &score, &value, error);
    if (status == SCRIM_OK) {
        out->count = 1;
        out->values[0] = value;
        out->marks[0] = SC_MARK_VALUE;
    }
    sc_extension_score_clear(&score);
    return status;
}

/* The law. */

static scrim_status list_law(const state *s, const sc_extension_score *score, long bits,
                             sc_outcomes *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, total, mass);
    SC_OWN(sc_integer, whole);
    for (int turn = 0; turn < 2; turn++) {
        sc_uint128 weight = SC_LADDER_TOP_WEIGHT;
        for (uint64_t j = s->ladder.top + 1; j-- > 0;
             weight = sc_ladder_next(&s->ladder, weight)) {
            const shell here = shell_at(score, j);
            sc_integer_set_uint128(&whole, weight);
            for (uint64_t i = 0; status == SCRIM_OK && i < here.size; i++) {
                const int64_t key = value_at(&here, i);
                sc_ball_set_integer(&mass, &whole);
                if (turn == 0) {
                    sc_ball_add(&total, &total, &mass, SC_WEIGHT_SUM_BITS);
                } else {
                    sc_ball_div(&mass, &mass, &total, bits);
                    status = sc_outcomes_add(out, &key, &mass, error);
                }
            }
        }
    }
    return status == SCRIM_OK ? sc_outcomes_sort(out, bits, error) : status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const state *s = state_of(m);
    sc_extension_score score = {.places = NULL};
    if (size_of(s->first, s->last) > LAW_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many values to give the probability of each");
    scrim_status status = find_score(m, input, &score, error);
    if (status == SCRIM_OK)
        status = list_law(s, &score, bits, out, error);
    sc_extension_score_clear(&score);
    return status;
}

/* Pairs: those of a quantile that have rows enough. */

static sc_quantile_family family_of(const scrim_measurement *m, size_t rows)
{
    const state *s = state_of(m);
    return (sc_quantile_family){.neighbours = SCRIM_REPLACE,
                                .low = s->rule.low,
                                .high = s->rule.high,
                                .rows = rows > SC_PAIR_VALUES ? SC_PAIR_VALUES : rows,
                                .unit = 1};
}

static sc_quantile_family whole_family(const scrim_measurement *m)
{
    const size_t least = least_rows(state_of(m)),
                 asked = (size_t)sc_measurement_integer(m, "records", 0);
    return family_of(m, asked > least ? asked : least);
}

/* Tables of fewer rows come first. */
static size_t pairs_before(const scrim_measurement *m)
{
    const sc_quantile_family family = family_of(m, least_rows(state_of(m)) - 1);
    return sc_quantile_pair_count(&family);
}

static size_t pair_count(const scrim_measurement *m)
{
    const sc_quantile_family family = whole_family(m);
    return least_rows(state_of(m)) > SC_PAIR_VALUES
               ? 0
               : sc_quantile_pair_count(&family) - pairs_before(m);
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const sc_quantile_family family = whole_family(m);
    sc_quantile_pair(&family, pairs_before(m) + index, out);
}

const sc_mechanism sc_body_extension = {
    .entry = {.name = "body-extension",
              .parameters = "q=R epsilon=R lower=R upper=R [grid=R] spacing=R reach=N "
                            "[clip=N]; audit: records=N",
              .input = "rows",
              .claim = "epsilon-DP, pure",
              .does = "Releases a quantile whose error is small if the table is "
                      "typical: rows near the quantile are dense. It is private for "
                      "every table, typical or not. Half of the cost would be too "
                      "little: of epsilon 1 the audit finds a loss of 0.78.",
              .example = "q=1/2 epsilon=8 lower=0 upper=9 spacing=1 reach=2 "
                         "neighbours=replace",
              .example_input = "3\n4\n5\n4\n6\n5\n4\n5\n",
              .reference = "Ben-Eliezer, Mikulincer, Zadik: Archimedes Meets Privacy, "
                           "2022, (20), (29), Propositions 36 and 37"},
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
    .draw = draw,
    .width = answer_count,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};
