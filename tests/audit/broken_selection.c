/* Choices that give away more than they say. */
#include "audit/broken.h"
#include "model/domain.h"
#include "sampling/law.h"

static const sc_parameter_rule parameters[] = {
    BROKEN_PARAMETER("epsilon"), BROKEN_PARAMETER("gap"), SC_PARAMETER_NEIGHBOURS};

static void set_param(const scrim_measurement *m, const char *name, long bits,
                      sc_ball *out)
{
    sc_ball_set_ratio(out, sc_measurement_get(m, name), bits);
}

/* The law of a choice between two: the second has this probability. */
static scrim_status choice(const sc_ball *second, long bits, sc_outcomes *out,
                           scrim_error *error)
{
    static const int64_t keys[] = {0, 1};
    sc_ball first;
    sc_ball_init(&first);
    sc_ball_neg(&first, second);
    sc_ball_add_int64(&first, &first, 1, bits);
    scrim_status status = sc_outcomes_add(out, &keys[0], &first, error);
    if (status == SCRIM_OK)
        status = sc_outcomes_add(out, &keys[1], second, error);
    sc_ball_clear(&first);
    return status;
}

/* One score rises by 1, the other falls by 1: a gap grows by 2. */
static void widening(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)index;
    const int64_t gap = sc_measurement_integer(m, "gap", 0);
    out->x_count = out->y_count = 2;
    out->x[0] = gap;
    out->x[1] = 0;
    out->y[0] = gap + 1;
    out->y[1] = -1;
}

/* Report noisy max with continuous Laplace noise of scale 1/epsilon, as printed in the survey:
 * the lower of two scores wins with probability (1/2 + g/4) e^-g, g = epsilon times the gap. */
static scrim_status noisy_max_law(const scrim_measurement *m,
                                  const sc_private_input *input, long bits,
                                  sc_outcomes *out, scrim_error *error)
{
    sc_ball g, second;
    sc_ball_init(&g);
    sc_ball_init(&second);
    set_param(m, "epsilon", bits, &g);
    sc_ball_mul_int64(&g, &g, input->values[0] - input->values[1], bits);
    sc_ball_add_int64(&second, &g, 2, bits);
    sc_ball_mul_power2(&second, &second, -2);
    sc_ball_neg(&g, &g);
    sc_ball_exp(&g, &g, bits);
    sc_ball_mul(&second, &second, &g, bits);
    scrim_status status = choice(&second, bits, out, error);
    sc_ball_clear(&second);
    sc_ball_clear(&g);
    return status;
}

static const sc_mechanism noisy_max = {BROKEN_COMMON("noisy-max-as-printed", parameters),
                                       .cost = broken_cost_pure, .law = noisy_max_law,
                                       .pair_count = broken_one_pair, .pair = widening};

#define NOISY_MAX(variant, gap, found)                                                   \
    BROKEN(variant, .wrong = "noisy max at half the scale, scores not monotone",         \
           .mechanism = &noisy_max, .line = "epsilon=1 gap=" gap, .kind = BROKEN_LOSS,   \
           .size = (found), .claimed = "1",                                              \
           .source = "spec/mechanisms.md 5.5, v:noisy_max_nonmonotone_counterexample")

NOISY_MAX(noisy_max_gap_0, "0", "1.306853")
NOISY_MAX(noisy_max_gap_2, "2", "1.594535")
NOISY_MAX(noisy_max_gap_4, "4", "1.7123179275482")
NOISY_MAX(noisy_max_gap_64, "64", "1.9701470368503")

/* Integer noise of scale 1/2 on scores in quarters with D = 1/4: the second of two wins when
 * the difference of the two noises exceeds a gap that is no integer. */

/* P(Z2 - Z1 >= m) of two discrete Laplace numbers, by summation. */
static void difference_at_least(const sc_law *noise, int64_t m, long bits, sc_ball *out)
{
    sc_ball p, tail;
    sc_ball_init(&p);
    sc_ball_init(&tail);
    sc_ball_set_int64(out, 0);
    for (int64_t k = -bits; k <= bits; k++) {
        sc_law_pmf(noise, k, bits, &p);
        sc_law_at_least(noise, m + k, bits, &tail);
        sc_ball_mul(&p, &p, &tail, bits);
        sc_ball_add(out, out, &p, bits);
    }
    sc_law_at_least(noise, bits + 1, bits, &tail);
    sc_ball_mul_int64(&tail, &tail, 2, bits);
    sc_ball_widen(out, &tail);
    sc_ball_clear(&tail);
    sc_ball_clear(&p);
}

static int64_t floor_quarter(int64_t quarters)
{
    return quarters >= 0 ? quarters / 4 : -((3 - quarters) / 4);
}

static scrim_status quarters_law(const scrim_measurement *m,
                                 const sc_private_input *input, long bits,
                                 sc_outcomes *out, scrim_error *error)
{
    sc_ratio scale;
    sc_law noise;
    sc_ball second;
    sc_ratio_init(&scale);
    sc_ball_init(&second);
    /* 2 D / epsilon */
    sc_ratio_set_int64(&scale, 2);
    sc_ratio_mul(&scale, &scale, sc_measurement_get(m, "epsilon"));
    sc_ratio one;
    sc_ratio_init(&one);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_div(&scale, &one, &scale);
    sc_law_init(&noise, &sc_discrete_laplace_law, &scale, 0);
    difference_at_least(&noise, floor_quarter(input->values[0] - input->values[1]) + 1,
                        bits, &second);
    scrim_status status = choice(&second, bits, out, error);
    sc_law_clear(&noise);
    sc_ratio_clear(&one);
    sc_ball_clear(&second);
    sc_ratio_clear(&scale);
    return status;
}

/* (5/2, 1) and (11/4, 3/4). */
static void quarters_pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m;
    (void)index;
    *out = (sc_pair){.x = {10, 4}, .y = {11, 3}, .x_count = 2, .y_count = 2};
}

static const sc_mechanism noisy_max_quarters = {
    BROKEN_COMMON("noisy-max-in-quarters", parameters), .cost = broken_cost_pure,
    .law = quarters_law, .pair_count = broken_one_pair, .pair = quarters_pair};

BROKEN(noisy_max_in_quarters, .wrong = "integer noise on scores finer than integers",
       .mechanism = &noisy_max_quarters, .line = "epsilon=1", .kind = BROKEN_LOSS,
       .size = "1.7276066024707515928", .claimed = "1",
       .source = "spec/mechanisms.md 5.5, v:noisy_max_noninteger_sensitivity")

/* Each score with noise by its own sensitivity: score 0 has Lap(1), eight others Lap(10). With
 * F(v) = P(Lap(10) <= v - c) for their common value c, the first wins with the probability
 * 1/2 int e^-|v| F(v)^8 dv, which is elementary on each of v < 0, 0 < v < c and v > c. */

/* out = e^(n/d). */
static void exp_of(int64_t n, int64_t d, long bits, sc_ball *out)
{
    sc_ball below;
    sc_ball_init(&below);
    sc_ball_set_int64(out, n);
    sc_ball_set_int64(&below, d);
    sc_ball_div(out, out, &below, bits);
    sc_ball_exp(out, out, bits);
    sc_ball_clear(&below);
}

/* out += n/d x. */
static void add_times(int64_t n, int64_t d, const sc_ball *x, long bits, sc_ball *out)
{
    sc_ball term, below;
    sc_ball_init(&term);
    sc_ball_init(&below);
    sc_ball_set_int64(&below, d);
    sc_ball_mul_int64(&term, x, n, bits);
    sc_ball_div(&term, &term, &below, bits);
    sc_ball_add(out, out, &term, bits);
    sc_ball_clear(&below);
    sc_ball_clear(&term);
}

static void first_wins(int64_t c, long bits, sc_ball *out)
{
    static const int64_t binomial[] = {1, 8, 28, 56, 70, 56, 28, 8, 1};
    const int64_t two_9 = 512; /* 2^9 */
    sc_ball e;
    sc_ball_init(&e);
    sc_ball_set_int64(out, 0);
    /* v < 0: 2^-9 e^(-8c/10) / (1 + 8/10) */
    exp_of(-8 * c, 10, bits, &e);
    add_times(10, two_9 * 18, &e, bits, out);
    /* 0 < v < c: 2^-9 e^(-8c/10) (1 - e^(-2c/10)) / (2/10) */
    add_times(10, two_9 * 2, &e, bits, out);
    exp_of(-c, 1, bits, &e);
    add_times(-10, two_9 * 2, &e, bits, out);
    /* v > c: 1/2 e^-c sum_k C(8,k) (-1/2)^k / (1 + k/10) */
    for (int64_t k = 0; k <= 8; k++)
        add_times(10 * binomial[k] * (k % 2 ? -1 : 1), (2 * (10 + k)) << k, &e, bits,
                  out);
    sc_ball_clear(&e);
}

static scrim_status unequal_law(const scrim_measurement *m, const sc_private_input *input,
                                long bits, sc_outcomes *out, scrim_error *error)
{
    /* Only "the first" and "another" are looked at: processing after the fact. */
    sc_ball first, other;
    (void)m;
    sc_ball_init(&first);
    sc_ball_init(&other);
    first_wins(input->values[0], bits, &first);
    sc_ball_neg(&other, &first);
    sc_ball_add_int64(&other, &other, 1, bits);
    scrim_status status = choice(&other, bits, out, error);
    /* choice() took 1 - other; the number itself is more precise. */
    if (status == SCRIM_OK)
        sc_ball_set(&out->mass[0], &first);
    sc_ball_clear(&other);
    sc_ball_clear(&first);
    return status;
}

static void unequal_pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m;
    (void)index;
    broken_pair(20, 30, out);
}

static const sc_mechanism noisy_max_unequal = {
    BROKEN_COMMON("noisy-max-unequal-scales", parameters), .cost = broken_cost_pure,
    .law = unequal_law, .pair_count = broken_one_pair, .pair = unequal_pair};

BROKEN(noisy_max_unequal_scales, .wrong = "a scale of its own for each score",
       .mechanism = &noisy_max_unequal, .line = "epsilon=1", .kind = BROKEN_LOSS,
       .size = "7.99266670361769", .claimed = "1",
       .source = "spec/mechanisms.md 5.5, v:noisy_max_unequal_sensitivity")

/* The exponential mechanism with exp(epsilon s) for scores that are not monotone: the second of
 * two has 1/(1 + e^g). */
static scrim_status exponential_law(const scrim_measurement *m,
                                    const sc_private_input *input, long bits,
                                    sc_outcomes *out, scrim_error *error)
{
    sc_ball g, second;
    sc_ball_init(&g);
    sc_ball_init(&second);
    set_param(m, "epsilon", bits, &g);
    sc_ball_mul_int64(&g, &g, input->values[0] - input->values[1], bits);
    sc_ball_exp(&g, &g, bits);
    sc_ball_add_int64(&g, &g, 1, bits);
    sc_ball_set_int64(&second, 1);
    sc_ball_div(&second, &second, &g, bits);
    scrim_status status = choice(&second, bits, out, error);
    sc_ball_clear(&second);
    sc_ball_clear(&g);
    return status;
}

static const sc_mechanism exponential = {
    BROKEN_COMMON("exponential-without-2", parameters), .cost = broken_cost_pure,
    .law = exponential_law, .pair_count = broken_one_pair, .pair = widening};

/* ln((1 + e^2)/2) and ln((1 + e^18)/(1 + e^16)). */
BROKEN(exponential_gap_0, .wrong = "exponential mechanism without the factor 2",
       .mechanism = &exponential, .line = "epsilon=1 gap=0", .kind = BROKEN_LOSS,
       .size = "1.43378083048302", .claimed = "1",
       .source = "spec/mechanisms.md 5.1, 5.2")
BROKEN(exponential_gap_16, .wrong = "exponential mechanism without the factor 2",
       .mechanism = &exponential, .line = "epsilon=1 gap=16", .kind = BROKEN_LOSS,
       .size = "1.99999990269481", .claimed = "1",
       .source = "spec/mechanisms.md 5.1, 5.2")

/* Permute-and-flip, right in itself, charged as if it were of bounded range: the worse of two has
 * e^-g / 2, g = epsilon gap / 2. */
static scrim_status flip_law(const scrim_measurement *m, const sc_private_input *input,
                             long bits, sc_outcomes *out, scrim_error *error)
{
    sc_ball second;
    sc_ball_init(&second);
    set_param(m, "epsilon", bits, &second);
    sc_ball_mul_int64(&second, &second, input->values[1] - input->values[0], bits);
    sc_ball_mul_power2(&second, &second, -1);
    sc_ball_exp(&second, &second, bits);
    sc_ball_mul_power2(&second, &second, -1);
    scrim_status status = choice(&second, bits, out, error);
    sc_ball_clear(&second);
    return status;
}

static scrim_status flip_cost(const scrim_measurement *m, sc_exact_cost *out,
                              scrim_error *error)
{
    (void)error;
    sc_cost_set_bounded_range(out, sc_measurement_get(m, "epsilon"));
    return SCRIM_OK;
}

static const sc_mechanism flip = {BROKEN_COMMON("permute-and-flip-bounded", parameters),
                                  .cost = flip_cost, .law = flip_law,
                                  .pair_count = broken_one_pair, .pair = widening};

BROKEN(permute_and_flip_eps_1, .wrong = "permute-and-flip charged as bounded range",
       .mechanism = &flip, .line = "epsilon=1 gap=0", .kind = BROKEN_RENYI, .at = "1",
       .size = "0.25505993717762501164", .claimed = "0.125",
       .source = "spec/mechanisms.md 5.3, v:permute_and_flip_not_bounded_range")
BROKEN(permute_and_flip_eps_2, .wrong = "permute-and-flip charged as bounded range",
       .mechanism = &flip, .line = "epsilon=2 gap=0", .kind = BROKEN_RENYI, .at = "1",
       .size = "0.68845936980016805038", .claimed = "0.5",
       .source = "THREATS A12, v:permute_and_flip_not_bounded_range")
