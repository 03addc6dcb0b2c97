/* Integer tables that are too coarse, or were filled from the wrong law; and a coin of too few
 * bits. */
#include "audit/broken.h"
#include "model/domain.h"
#include "sampling/law.h"

static const sc_parameter_rule parameters[] = {
    BROKEN_PARAMETER("epsilon"), BROKEN_PARAMETER("bound"), BROKEN_PARAMETER("bits"),
    BROKEN_PARAMETER("whole"), SC_PARAMETER_NEIGHBOURS};

/* Truncated discrete Laplace of scale 1/epsilon; where whole is given, not renormalised. */
static void law_of(const scrim_measurement *m, bool is_whole, sc_law *out)
{
    sc_ratio scale;
    sc_ratio_init(&scale);
    sc_ratio_set_int64(&scale, 1);
    sc_ratio_div(&scale, &scale, sc_measurement_get(m, "epsilon"));
    sc_law_init(out, is_whole ? &sc_discrete_laplace_law : &sc_truncated_laplace_law,
                &scale, sc_measurement_integer(m, "bound", 1));
    sc_ratio_clear(&scale);
}

/* floor(2^width P(k)). */
static bool weight_of(const sc_law *law, int64_t k, long width, long bits,
                      sc_integer *out)
{
    sc_ball mass;
    sc_ball_init(&mass);
    sc_law_pmf(law, k, bits + 512, &mass);
    sc_ball_mul_power2(&mass, &mass, width);
    const bool certain = sc_ball_floor(&mass, out);
    sc_ball_clear(&mass);
    return certain;
}

/* The weights are integers; what is missing to 2^width is added to that of 0. */
static scrim_status table_law(const scrim_measurement *m, const sc_private_input *input,
                              long bits, sc_outcomes *out, scrim_error *error)
{
    const int64_t bound = sc_measurement_integer(m, "bound", 1);
    const long width = (long)sc_measurement_integer(m, "bits", 64);
    scrim_status status = SCRIM_OK;
    sc_law law;
    sc_integer weight;
    sc_ball mass, missing;
    sc_integer_init(&weight);
    sc_ball_init(&mass);
    sc_ball_init(&missing);
    sc_ball_set_int64(&missing, 1);
    law_of(m, sc_measurement_get(m, "whole") != NULL, &law);
    for (int64_t k = -bound; status == SCRIM_OK && k <= bound; k++) {
        const int64_t key = input->values[0] + k;
        if (!weight_of(&law, k, width, bits, &weight)) {
            status = sc_fail(error, SCRIM_E_INTERNAL, "a weight is not certain");
            break;
        }
        sc_ball_set_integer(&mass, &weight);
        sc_ball_mul_power2(&mass, &mass, -width);
        sc_ball_sub(&missing, &missing, &mass, bits);
        status = sc_outcomes_add(out, &key, &mass, error);
    }
    if (status == SCRIM_OK)
        status = sc_outcomes_add(out, &input->values[0], &missing, error);
    sc_law_clear(&law);
    sc_ball_clear(&missing);
    sc_ball_clear(&mass);
    sc_integer_clear(&weight);
    return status;
}

/* The cost of the ideal truncated law. */
static scrim_status ideal_cost(const scrim_measurement *m, sc_exact_cost *out,
                               scrim_error *error)
{
    sc_law law;
    sc_ball edge;
    sc_ratio delta;
    (void)error;
    sc_ball_init(&edge);
    sc_ratio_init(&delta);
    law_of(m, false, &law);
    sc_law_pmf(&law, law.bound, 256, &edge);
    if (sc_cost_round_up_ball(&edge, &delta))
        sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"), &delta);
    sc_law_clear(&law);
    sc_ratio_clear(&delta);
    sc_ball_clear(&edge);
    return SCRIM_OK;
}

static const sc_mechanism table = {
    BROKEN_COMMON("laplace-by-table", parameters), .cost = ideal_cost, .law = table_law,
    .pair_count = broken_one_pair, .pair = broken_zero_and_one};

BROKEN(table_of_32_bits, .wrong = "a table of 32 bits charged as the ideal law",
       .mechanism = &table, .line = "epsilon=1 bound=20 bits=32", .kind = BROKEN_DELTA,
       .at = "1", .size = "v:mechanisms/table_sampler/rows/0/delta_at_nominal",
       .claimed = "v:mechanisms/table_sampler/rows/0/ideal_truncated_delta",
       .source = "spec/mechanisms.md 2.4b, v:table_sampler")
BROKEN(table_of_48_bits, .wrong = "a table of 48 bits charged as the ideal law",
       .mechanism = &table, .line = "epsilon=1/2 bound=30 bits=48", .kind = BROKEN_DELTA,
       .at = "1/2", .size = "v:mechanisms/table_sampler/rows/1/delta_at_nominal",
       .claimed = "v:mechanisms/table_sampler/rows/1/ideal_truncated_delta",
       .source = "spec/mechanisms.md 2.4b, v:table_sampler")
BROKEN(table_of_the_whole_law, .wrong = "a table filled without renormalising",
       .mechanism = &table, .line = "epsilon=1/10 bound=200 bits=64 whole=1",
       .kind = BROKEN_DELTA, .at = "1/10", .size = "2.06e-9", .claimed = "1.03e-10",
       .source = "spec/mechanisms.md 2.4b")

/* Randomised response from epsilon, with the probability of the truth rounded up to a number
 * of bits: 4 bits and epsilon 1 make it 12/16, the two coins of epsilon ln 3. */

static scrim_status response_law(const scrim_measurement *m,
                                 const sc_private_input *input, long bits,
                                 sc_outcomes *out, scrim_error *error)
{
    const long width = (long)sc_measurement_integer(m, "bits", 62);
    const int64_t lie = 1 - input->values[0];
    sc_integer weight;
    sc_ball truth, one;
    scrim_status status = SCRIM_OK;
    sc_integer_init(&weight);
    sc_ball_init(&truth);
    sc_ball_init(&one);
    sc_ball_set_int64(&one, 1);
    sc_ball_set_ratio(&truth, sc_measurement_get(m, "epsilon"), 512);
    sc_ball_neg(&truth, &truth);
    sc_ball_exp(&truth, &truth, 512);
    sc_ball_add_int64(&truth, &truth, 1, 512);
    sc_ball_div(&truth, &one, &truth, 512);
    sc_ball_mul_power2(&truth, &truth, width);
    sc_ball_add_int64(&truth, &truth, 1, 512); /* up, where down is right */
    if (!sc_ball_floor(&truth, &weight))
        status = sc_fail(error, SCRIM_E_INTERNAL, "a weight is not certain");
    sc_ball_set_integer(&truth, &weight);
    sc_ball_mul_power2(&truth, &truth, -width);
    if (status == SCRIM_OK)
        status = sc_outcomes_add(out, &input->values[0], &truth, error);
    sc_ball_sub(&truth, &one, &truth, bits);
    if (status == SCRIM_OK)
        status = sc_outcomes_add(out, &lie, &truth, error);
    sc_ball_clear(&one);
    sc_ball_clear(&truth);
    sc_integer_clear(&weight);
    return status;
}

static const sc_mechanism response = {
    BROKEN_COMMON("randomised-response-rounded-up", parameters), .cost = broken_cost_pure,
    .law = response_law, .pair_count = broken_one_pair, .pair = broken_zero_and_one};

BROKEN(randomised_response_4_bits, .wrong = "the probability of the truth rounded up",
       .mechanism = &response, .line = "epsilon=1 bits=4", .kind = BROKEN_LOSS,
       .size = "1.09861228866810969140", .claimed = "1", .source = "spec/mechanisms.md 6")
