/* Two shares of discrete Gaussian noise charged as one draw of twice the variance: their sum is
 * not a discrete Gaussian. */
#include "audit/broken.h"
#include "model/domain.h"
#include "sampling/law.h"

#define FAR 60 /* what is beyond weighs less than exp(-FAR^2) */

static const sc_parameter_rule parameters[] = {BROKEN_PARAMETER("variance"),
                                               SC_PARAMETER_NEIGHBOURS};

/* P(sum = k). */
static void sum_mass(const sc_law *share, int64_t k, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, a, b);
    sc_ball_set_int64(out, 0);
    for (int64_t i = -FAR; i <= FAR; i++) {
        sc_law_pmf(share, i, bits, &a);
        sc_law_pmf(share, k - i, bits, &b);
        sc_ball_mul(&a, &a, &b, bits);
        sc_ball_add(out, out, &a, bits);
    }
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    SC_OWN(sc_ball, mass);
    sc_law share;
    scrim_status status = SCRIM_OK;
    sc_law_init(&share, &sc_discrete_gaussian_law, sc_measurement_get(m, "variance"), 0);
    for (int64_t k = -FAR / 2; k <= FAR / 2 && status == SCRIM_OK; k++) {
        const int64_t key = input->values[0] + k;
        sum_mass(&share, k, bits, &mass);
        status = sc_outcomes_add(out, &key, &mass, error);
    }
    sc_law_at_least(&share, FAR / 4, bits, &mass);
    sc_ball_mul_int64(&out->rest, &mass, 4, bits);
    if (status == SCRIM_OK)
        status = sc_outcomes_sort(out, bits, error);
    sc_law_clear(&share);
    return status;
}

/* As a draw of twice the variance, moved by 1. */
static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    SC_OWN(sc_ratio, twice, rho, one);
    const sc_ratio *variance = sc_measurement_get(m, "variance");
    (void)error;
    sc_ratio_add(&twice, variance, variance);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_add(&rho, &twice, &twice);
    sc_ratio_div(&rho, &one, &rho);
    out->has_rho = true;
    sc_cost_round_up(&rho, &out->rho);
    sc_curve_set_gaussian(&out->curve, &twice, 1);
    return SCRIM_OK;
}

static const sc_mechanism shares = {
    BROKEN_COMMON("gaussian-shares-as-one", parameters), .cost = cost, .law = law,
    .pair_count = broken_one_pair, .pair = broken_zero_and_one};

BROKEN(gaussian_shares_as_one, .wrong = "two Gaussian shares charged as one draw",
       .mechanism = &shares, .line = "variance=1/4", .kind = BROKEN_DELTA, .at = "1",
       .size = "0.3332324021984471", .claimed = "0.1896585294283971",
       .source = "spec/local-additions.md 5: the weights of even and odd sums differ")
