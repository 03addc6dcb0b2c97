/* Gaussian noise whose variance comes from the wrong formula. */
#include "audit/broken.h"
#include "model/domain.h"
#include "sampling/law.h"

static const sc_parameter_rule parameters[] = {
    BROKEN_PARAMETER("epsilon"), BROKEN_PARAMETER("delta"), BROKEN_PARAMETER("variance"),
    BROKEN_PARAMETER("shift"), SC_PARAMETER_NEIGHBOURS};

/* out = Q(x), the upper tail of the normal law. */
static void normal_tail(const sc_ball *x, long bits, sc_ball *out)
{
    sc_ball root;
    sc_ball_init(&root);
    sc_ball_set_int64(&root, 2);
    sc_ball_sqrt(&root, &root, bits);
    sc_ball_div(out, x, &root, bits);
    sc_ball_erfc(out, out, bits);
    sc_ball_mul_power2(out, out, -1);
    sc_ball_clear(&root);
}

/* The continuous mechanism's curve, with s = shift/sigma: Q(e/s - s/2) - exp(e) Q(e/s + s/2). */
static void continuous_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                             sc_ball *out)
{
    sc_ball s, e, half, a, b;
    sc_ball *const all[] = {&s, &e, &half, &a, &b};
    for (size_t i = 0; i < 5; i++)
        sc_ball_init(all[i]);
    sc_ball_set_ratio(&s, &curve->shape, bits);
    sc_ball_sqrt(&s, &s, bits);
    sc_ball_set_int64(&e, (int64_t)curve->count);
    sc_ball_div(&s, &e, &s, bits);
    sc_ball_mul_power2(&half, &s, -1);
    sc_ball_set_ratio(&e, epsilon, bits);
    sc_ball_div(&s, &e, &s, bits);
    sc_ball_sub(&a, &s, &half, bits);
    sc_ball_add(&b, &s, &half, bits);
    normal_tail(&a, bits, out);
    normal_tail(&b, bits, &a);
    sc_ball_exp(&e, &e, bits);
    sc_ball_mul(&a, &a, &e, bits);
    sc_ball_sub(out, out, &a, bits);
    for (size_t i = 0; i < 5; i++)
        sc_ball_clear(all[i]);
}

static const sc_curve_functions continuous = {.name = "continuous-gaussian",
                                              .delta = continuous_delta};

static scrim_status analytic_cost(const scrim_measurement *m, sc_exact_cost *out,
                                  scrim_error *error)
{
    (void)error;
    out->curve.functions = &continuous;
    sc_ratio_set(&out->curve.shape, sc_measurement_get(m, "variance"));
    out->curve.count = (uint64_t)sc_measurement_integer(m, "shift", 1);
    return SCRIM_OK;
}

/* Integer noise of that variance. */
static scrim_status discrete_law(const scrim_measurement *m,
                                 const sc_private_input *input, long bits,
                                 sc_outcomes *out, scrim_error *error)
{
    const int64_t radius = 4 * bits;
    sc_law noise;
    sc_ball mass;
    scrim_status status = SCRIM_OK;
    sc_ball_init(&mass);
    sc_law_init(&noise, &sc_discrete_gaussian_law, sc_measurement_get(m, "variance"), 0);
    for (int64_t k = -radius; status == SCRIM_OK && k <= radius; k++) {
        const int64_t key = input->values[0] + k;
        sc_law_pmf(&noise, k, bits, &mass);
        status = sc_outcomes_add(out, &key, &mass, error);
    }
    sc_law_at_least(&noise, radius + 1, bits, &out->rest);
    sc_ball_mul_power2(&out->rest, &out->rest, 1);
    sc_law_clear(&noise);
    sc_ball_clear(&mass);
    return status;
}

static void shifted(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)index;
    broken_pair(0, sc_measurement_integer(m, "shift", 1), out);
}

static const sc_mechanism analytic = {
    BROKEN_COMMON("gaussian-continuous-sigma", parameters), .cost = analytic_cost,
    .law = discrete_law, .pair_count = broken_one_pair, .pair = shifted};

BROKEN(gaussian_continuous_sigma, .wrong = "the continuous sigma for integer noise",
       .mechanism = &analytic, .line = "variance=1 shift=2", .kind = BROKEN_DELTA,
       .at = "11.7", .size = "3.908e-7", .claimed = "1.721e-7",
       .source = "spec/mechanisms.md 2.3")

/* The classic sigma = sqrt(2 ln(1.25/delta))/epsilon, for continuous noise. The answer is only
 * told by intervals of sigma/8, of which one ends where the likelihood ratio is exp(epsilon): that
 * is processing after the fact, and loses nothing at this epsilon. */

#define BINS 120 /* to either side; the last ones have no outer end */

static void classic_variance(const scrim_measurement *m, long bits, sc_ball *out)
{
    sc_ball e;
    sc_ball_init(&e);
    sc_ball_set_int64(out, 5);
    sc_ball_mul_power2(out, out, -2);
    sc_ball_set_ratio(&e, sc_measurement_get(m, "delta"), bits);
    sc_ball_div(out, out, &e, bits);
    sc_ball_log(out, out, bits);
    sc_ball_mul_power2(out, out, 1);
    sc_ball_set_ratio(&e, sc_measurement_get(m, "epsilon"), bits);
    sc_ball_div(out, out, &e, bits);
    sc_ball_div(out, out, &e, bits);
    sc_ball_clear(&e);
}

/* The k-th edge in units of sigma, from the mean: (epsilon v + 1/2 - mean)/sigma + k/8. */
static void edge_at(const scrim_measurement *m, int64_t mean, int64_t k, long bits,
                    sc_ball *out)
{
    sc_ball variance, half;
    sc_ball_init(&variance);
    sc_ball_init(&half);
    classic_variance(m, bits, &variance);
    sc_ball_set_ratio(out, sc_measurement_get(m, "epsilon"), bits);
    sc_ball_mul(out, out, &variance, bits);
    sc_ball_set_int64(&half, 1 - 2 * mean);
    sc_ball_mul_power2(&half, &half, -1);
    sc_ball_add(out, out, &half, bits);
    sc_ball_sqrt(&variance, &variance, bits);
    sc_ball_div(out, out, &variance, bits);
    sc_ball_set_int64(&half, k);
    sc_ball_mul_power2(&half, &half, -3);
    sc_ball_add(out, out, &half, bits);
    sc_ball_clear(&half);
    sc_ball_clear(&variance);
}

/* P(edge k <= X < edge k+1), by the tail on the far side of the mean. */
static void bin_mass(const scrim_measurement *m, int64_t mean, int64_t k, long bits,
                     sc_ball *out)
{
    sc_ball low, high, zero;
    sc_ball_init(&low);
    sc_ball_init(&high);
    sc_ball_init(&zero);
    edge_at(m, mean, k, bits, &low);
    edge_at(m, mean, k + 1, bits, &high);
    if (sc_ball_is_less(&high, &zero)) {
        sc_ball_neg(&low, &low);
        sc_ball_neg(&high, &high);
        sc_ball_set(&zero, &low);
        sc_ball_set(&low, &high);
        sc_ball_set(&high, &zero);
        const bool is_first = k == -BINS;
        normal_tail(&low, bits, out);
        normal_tail(&high, bits, &low);
        if (!is_first)
            sc_ball_sub(out, out, &low, bits);
    } else {
        const bool is_last = k == BINS;
        normal_tail(&low, bits, out);
        normal_tail(&high, bits, &low);
        if (!is_last)
            sc_ball_sub(out, out, &low, bits);
    }
    sc_ball_clear(&zero);
    sc_ball_clear(&high);
    sc_ball_clear(&low);
}

static scrim_status classic_law(const scrim_measurement *m, const sc_private_input *input,
                                long bits, sc_outcomes *out, scrim_error *error)
{
    sc_ball mass;
    scrim_status status = SCRIM_OK;
    sc_ball_init(&mass);
    for (int64_t k = -BINS; status == SCRIM_OK && k <= BINS; k++) {
        bin_mass(m, input->values[0], k, bits, &mass);
        status = sc_outcomes_add(out, &k, &mass, error);
    }
    sc_ball_clear(&mass);
    return status;
}

static scrim_status classic_cost(const scrim_measurement *m, sc_exact_cost *out,
                                 scrim_error *error)
{
    (void)error;
    sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"),
                            sc_measurement_get(m, "delta"));
    return SCRIM_OK;
}

static const sc_mechanism classic = {BROKEN_COMMON("gaussian-classic-sigma", parameters),
                                     .cost = classic_cost, .law = classic_law,
                                     .pair_count = broken_one_pair, .pair = shifted};

BROKEN(gaussian_classic_sigma, .wrong = "the classic sigma beyond its range",
       .mechanism = &classic, .line = "epsilon=10 delta=1e-5", .kind = BROKEN_DELTA,
       .at = "10", .size = "2.265e-5", .claimed = "1e-5",
       .source = "spec/mechanisms.md 4.3, v:gaussian_classic_breaks_at")
