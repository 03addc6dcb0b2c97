/* Sparse vector as it must not be done (Lyu, Su, Li 2017 found four such among six that were
 * published). Each is looked at through one event, which is processing after the fact: some
 * queries below, and then some above. Sizes are those of sums to 40 digits, made apart. */
#include "audit/broken.h"
#include "mechanism/sparse/sparse_law.h"
#include "model/domain.h"
#include "sparse_plans.h"

static const sc_parameter_rule parameters[] = {
    BROKEN_PARAMETER("epsilon"),     BROKEN_PARAMETER("threshold-scale"),
    BROKEN_PARAMETER("query-scale"), BROKEN_PARAMETER("below"),
    BROKEN_PARAMETER("above"),       BROKEN_PARAMETER("gap"),
    BROKEN_PARAMETER("shown"),       SC_PARAMETER_NEIGHBOURS};

/* No noise at all: 0 for certain. */
static void none_pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    (void)law, (void)bits;
    sc_ball_set_int64(out, k == 0);
}

static void none_at_least(const sc_law *law, sc_int128 m, long bits, sc_ball *out)
{
    (void)law, (void)m, (void)bits;
    sc_ball_set_int64(out, 0);
}

static void none_support(const sc_law *law, sc_int128 *low, sc_int128 *high)
{
    (void)law;
    *low = *high = 0;
}

static const sc_law_functions none_law = {.is_symmetric = true,
                                          .pmf = none_pmf,
                                          .at_least = none_at_least,
                                          .support = none_support};

static void noise_law(const scrim_measurement *m, const char *name, sc_law *out)
{
    const sc_ratio *scale = sc_measurement_get(m, name);
    sc_law_init(out, scale == NULL ? &none_law : &sc_discrete_laplace_law, scale, 0);
}

/* The event has the key 1, everything else 0. */
static scrim_status add_event(const sc_ball *mass, long bits, sc_outcomes *out,
                              scrim_error *error)
{
    static const int64_t keys[] = {0, 1};
    sc_ball other;
    sc_ball_init(&other);
    sc_ball_neg(&other, mass);
    sc_ball_add_int64(&other, &other, 1, bits);
    scrim_status status = sc_outcomes_add(out, &keys[0], &other, error);
    if (status == SCRIM_OK)
        status = sc_outcomes_add(out, &keys[1], mass, error);
    sc_ball_clear(&other);
    return status;
}

/* Values: where the queries that are to be below stand, and those that are to be above. */
static scrim_status event_law(const scrim_measurement *m, const sc_private_input *input,
                              long bits, sc_outcomes *out, scrim_error *error)
{
    const sparse_group groups[] = {
        {input->values[0], (uint64_t)sc_measurement_integer(m, "below", 1), 0},
        {input->values[1], 0, (uint64_t)sc_measurement_integer(m, "above", 1)}};
    sc_sparse_plan plan = {.level = 0};
    sc_ball mass;
    sc_ball_init(&mass);
    noise_law(m, "threshold-scale", &plan.threshold.law);
    noise_law(m, "query-scale", &plan.query.law);
    scrim_status status = sparse_group_law(&plan, groups, 2, 2 * bits, &mass, error);
    if (status == SCRIM_OK)
        status = add_event(&mass, bits, out, error);
    sc_law_clear(&plan.query.law);
    sc_law_clear(&plan.threshold.law);
    sc_ball_clear(&mass);
    return status;
}

/* The value that is to be below rises by 1, the one that is to be above falls by 1. */
static void crossing_pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const int64_t gap = sc_measurement_integer(m, "gap", 0);
    (void)index;
    *out = (sc_pair){.x = {0, gap}, .y = {1, gap - 1}, .x_count = 2, .y_count = 2};
}

static const sc_mechanism event = {BROKEN_COMMON("sparse-event", parameters),
                                   .cost = broken_cost_pure, .law = event_law,
                                   .pair_count = broken_one_pair, .pair = crossing_pair};

#define EVENT(variant, what, parameters, found, where)                                   \
    BROKEN(variant, .wrong = (what), .mechanism = &event,                                \
           .line = "epsilon=1 " parameters, .kind = BROKEN_LOSS, .size = (found),        \
           .claimed = "1", .source = (where))

/* Stoddard, Chen, Machanavajjhala 2014: the queries have no noise. 0 is below and 1 above only
 * when the threshold is 1; 1 is below and 0 above never. */
EVENT(sparse_without_query_noise, "no noise on the queries",
      "threshold-scale=2 below=1 above=1 gap=1", "inf", "Lyu, Su, Li 2017, Algorithm 5")

/* The threshold has no noise: each answer below costs 1/4, and there is no end of them. */
EVENT(sparse_without_threshold_noise, "no noise on the threshold",
      "query-scale=4 below=8 above=0", "2", "spec/mechanisms.md 9.2")

/* Chen, Xiao, Zhang, Xu 2015: scales 2/epsilon and 2/epsilon, and no end of answers above. */
EVENT(sparse_without_end, "it never halts",
      "threshold-scale=2 query-scale=2 below=6 above=6", "5.592672813678455836",
      "Lyu, Su, Li 2017, Algorithm 6")
EVENT(sparse_without_end_20, "it never halts",
      "threshold-scale=2 query-scale=2 below=20 above=20", "19.52716042593607684",
      "Lyu, Su, Li 2017, Algorithm 6")

/* Lee, Clifton 2014: three answers, noise of the queries not scaled by three: (1 + 6c)/4. */
EVENT(sparse_not_scaled_by_count, "noise on the queries not scaled by the count",
      "threshold-scale=4 query-scale=4/3 below=10 above=3", "4.7499794299214869144",
      "Lyu, Su, Li 2017, Algorithm 4: (1 + 6 count)/4")

/* The scale of monotone queries for queries that are not: 3/2. */
EVENT(above_threshold_monotone_by_mistake, "queries taken for monotone that are not",
      "threshold-scale=2 query-scale=2 below=10 above=1", "1.4999799110465424634",
      "spec/mechanisms.md 9.1")

/* AboveThreshold begun again after each answer without a new threshold, charged once. */
EVENT(above_threshold_not_reset, "begun again with the old threshold",
      "threshold-scale=2 query-scale=4 below=20 above=5", "2.9999441727510805597",
      "spec/mechanisms.md 9.2")

/* Roth 2011: what is shown is the query with the noise of its comparison. It bounds the
 * threshold from above, so that every answer below costs again: (below + 1)/2. */
static scrim_status shown_law(const scrim_measurement *m, const sc_private_input *input,
                              long bits, sc_outcomes *out, scrim_error *error)
{
    const int64_t shown = sc_measurement_integer(m, "shown", 0);
    const uint64_t below = (uint64_t)sc_measurement_integer(m, "below", 1);
    sc_law threshold, query;
    sc_ball mass, term, part;
    sc_ball_init(&mass);
    sc_ball_init(&term);
    sc_ball_init(&part);
    noise_law(m, "threshold-scale", &threshold);
    noise_law(m, "query-scale", &query);
    for (int64_t z = -4 * (int64_t)bits; z <= shown; z++) {
        sc_law_at_most(&query, (sc_int128)z - input->values[0] - 1, bits, &part);
        sc_ball_power(&part, &part, below, bits);
        sc_law_pmf(&threshold, z, bits, &term);
        sc_ball_mul(&term, &term, &part, bits);
        sc_ball_add(&mass, &mass, &term, bits);
    }
    /* beyond: at most the tail of the threshold times the last power */
    sc_law_at_most(&query, -4 * (sc_int128)bits - input->values[0], bits, &part);
    sc_ball_power(&part, &part, below, bits);
    sc_law_at_least(&threshold, 4 * (sc_int128)bits + 1, bits, &term);
    sc_ball_mul(&part, &part, &term, bits);
    sc_ball_widen(&mass, &part);
    sc_law_pmf(&query, (sc_int128)shown - input->values[1], bits, &part);
    sc_ball_mul(&mass, &mass, &part, bits);
    scrim_status status = add_event(&mass, bits, out, error);
    sc_law_clear(&query);
    sc_law_clear(&threshold);
    sc_ball_clear(&part);
    sc_ball_clear(&term);
    sc_ball_clear(&mass);
    return status;
}

static const sc_mechanism shown = {BROKEN_COMMON("sparse-shown", parameters),
                                   .cost = broken_cost_pure, .law = shown_law,
                                   .pair_count = broken_one_pair, .pair = crossing_pair};

BROKEN(sparse_shows_its_noise, .wrong = "the compared noise is released with the answer",
       .mechanism = &shown,
       .line = "epsilon=1 threshold-scale=2 query-scale=2 below=10 shown=0",
       .kind = BROKEN_LOSS, .size = "5.5", .claimed = "1",
       .source = "Lyu, Su, Li 2017, Algorithm 3: (below + 1)/2")

/* The survey's NumericSparse: 29 epsilon where 2 epsilon/9 was meant, so that one answer has noise
 * of scale 2/29. Its law, cut after two on each side: the ratio is the same beyond. */
static scrim_status value_law(const scrim_measurement *m, const sc_private_input *input,
                              long bits, sc_outcomes *out, scrim_error *error)
{
    sc_law noise;
    sc_ball mass;
    scrim_status status = SCRIM_OK;
    sc_ball_init(&mass);
    noise_law(m, "query-scale", &noise);
    for (int64_t y = -2; status == SCRIM_OK && y <= 2; y++) {
        const sc_int128 k = (sc_int128)y - input->values[0];
        if (y == -2)
            sc_law_at_most(&noise, k, bits, &mass);
        else if (y == 2)
            sc_law_at_least(&noise, k, bits, &mass);
        else
            sc_law_pmf(&noise, k, bits, &mass);
        status = sc_outcomes_add(out, &y, &mass, error);
    }
    sc_law_clear(&noise);
    sc_ball_clear(&mass);
    return status;
}

static void value_pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m;
    (void)index;
    broken_pair(0, 1, out);
}

static const sc_mechanism value = {BROKEN_COMMON("numeric-sparse-value", parameters),
                                   .cost = broken_cost_pure, .law = value_law,
                                   .pair_count = broken_one_pair, .pair = value_pair};

BROKEN(numeric_sparse_as_printed, .wrong = "29 epsilon for 2 epsilon/9",
       .mechanism = &value, .line = "epsilon=1 query-scale=2/29", .kind = BROKEN_LOSS,
       .size = "14.5", .claimed = "1",
       .source = "spec/mechanisms.md 14, Alg 7 line 2; v:numeric_sparse_errata")

/* Eight answers, each shown with noise of the scale of one: all of the runs that halt are listed. The
 * threshold is so low that all queries are above it, so that the comparisons cost nothing. */
#define ANSWERS 8
static scrim_status many_values_law(const scrim_measurement *m,
                                    const sc_private_input *input, long bits,
                                    sc_outcomes *out, scrim_error *error)
{
    const sc_sparse_range range = {-1, 1};
    sc_sparse_plan plan = {
        .level = -60, .count = ANSWERS, .stage_count = ANSWERS, .is_numeric = true};
    noise_law(m, "threshold-scale", &plan.threshold.law);
    noise_law(m, "query-scale", &plan.query.law);
    noise_law(m, "shown", &plan.value.law);
    const scrim_status status = sc_sparse_law(&plan, &range, input, bits, out, error);
    sc_law_clear(&plan.value.law);
    sc_law_clear(&plan.query.law);
    sc_law_clear(&plan.threshold.law);
    return status;
}

static size_t many_values_width(const scrim_measurement *m, size_t count)
{
    (void)m;
    (void)count;
    return 2 + ANSWERS;
}

static void all_down(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m;
    (void)index;
    out->x_count = out->y_count = ANSWERS;
    for (size_t i = 0; i < ANSWERS; i++) {
        out->x[i] = 0;
        out->y[i] = -1;
    }
}

static const sc_mechanism many_values = {.entry = {.name = "numeric-sparse-values",
                                                   .parameters = "",
                                                   .input = "queries",
                                                   .claim = "one that does not hold",
                                                   .reference = "none"},
                                         SC_MECHANISM_PARAMETERS,
                                         .check = broken_check,
                                         .discard = broken_discard,
                                         .certify = broken_certify,
                                         .answer_count = broken_one,
                                         .draw = broken_draw,
                                         .width = many_values_width,
                                         .cost = broken_cost_pure,
                                         .law = many_values_law,
                                         .pair_count = broken_one_pair,
                                         .pair = all_down};

BROKEN(numeric_sparse_not_scaled_by_count,
       .wrong = "noise on eight values not scaled by their count",
       .mechanism = &many_values,
       .line = "epsilon=1 threshold-scale=2 query-scale=10 shown=2", .kind = BROKEN_LOSS,
       .size = "4.0", .claimed = "1", .source = "spec/mechanisms.md 9.2, form (A)")

/* A guess that is checked without noise: whether it is right is an exact answer. */
static scrim_status exact_check_law(const scrim_measurement *m,
                                    const sc_private_input *input, long bits,
                                    sc_outcomes *out, scrim_error *error)
{
    (void)m;
    (void)bits;
    const int64_t is_wrong = input->values[0] > 5;
    sc_ball one;
    sc_ball_init(&one);
    sc_ball_set_int64(&one, 1);
    const scrim_status status = sc_outcomes_add(out, &is_wrong, &one, error);
    sc_ball_clear(&one);
    return status;
}

static void near_tolerance(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m;
    (void)index;
    broken_pair(5, 6, out);
}

static const sc_mechanism exact_check = {
    BROKEN_COMMON("guess-and-exact-check", parameters), .cost = broken_cost_pure,
    .law = exact_check_law, .pair_count = broken_one_pair, .pair = near_tolerance};

BROKEN(guess_checked_exactly, .wrong = "good guesses are free and checked without noise",
       .mechanism = &exact_check, .line = "epsilon=1", .kind = BROKEN_LOSS, .size = "inf",
       .claimed = "1", .source = "spec/mechanisms.md 9.2")
