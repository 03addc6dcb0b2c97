/* Noise that was added, cut or rounded in a way that the charge does not know of. */
#include "audit/broken.h"
#include "model/domain.h"
#include "sampling/law.h"

static const sc_parameter_rule parameters[] = {
    BROKEN_PARAMETER("epsilon"), BROKEN_PARAMETER("bound"), BROKEN_PARAMETER("charged"),
    BROKEN_PARAMETER("threshold"), SC_PARAMETER_NEIGHBOURS};

#define BOTTOM INT64_MIN

/* Discrete Laplace, or truncated, of scale 1/epsilon. */
static void noise_of(const scrim_measurement *m, const sc_law_functions *functions,
                     const char *bound, sc_law *out)
{
    sc_ratio scale;
    sc_ratio_init(&scale);
    sc_ratio_set_int64(&scale, 1);
    sc_ratio_div(&scale, &scale, sc_measurement_get(m, "epsilon"));
    sc_law_init(out, functions, &scale,
                bound == NULL ? 0 : sc_measurement_integer(m, bound, 1));
    sc_ratio_clear(&scale);
}

/* Lists centre + k with the probability of k, low <= k <= high. */
static scrim_status list_noise(const sc_law *noise, int64_t centre, int64_t low,
                               int64_t high, long bits, sc_outcomes *out,
                               scrim_error *error)
{
    sc_ball mass;
    scrim_status status = SCRIM_OK;
    sc_ball_init(&mass);
    for (int64_t k = low; status == SCRIM_OK && k <= high; k++) {
        const int64_t key = centre + k;
        sc_law_pmf(noise, k, bits, &mass);
        status = sc_outcomes_add(out, &key, &mass, error);
    }
    sc_ball_clear(&mass);
    return status;
}

/* The two tails beyond +-radius. */
static void set_tails(const sc_law *noise, int64_t radius, long bits, sc_ball *out)
{
    sc_law_at_least(noise, radius + 1, bits, out);
    sc_ball_mul_power2(out, out, 1);
}

/* Half to even. Inputs are in half steps: 0.5 becomes 0 and 1.5 becomes 2. */

static int64_t half_to_even(int64_t halves)
{
    const int64_t below = halves >= 0 ? halves / 2 : -((1 - halves) / 2);
    return halves % 2 == 0 || below % 2 == 0 ? below : below + 1;
}

static scrim_status rounded_law(const scrim_measurement *m, const sc_private_input *input,
                                long bits, sc_outcomes *out, scrim_error *error)
{
    sc_law noise;
    noise_of(m, &sc_discrete_laplace_law, NULL, &noise);
    scrim_status status =
        list_noise(&noise, half_to_even(input->values[0]), -bits, bits, bits, out, error);
    set_tails(&noise, bits, bits, &out->rest);
    sc_law_clear(&noise);
    return status;
}

/* All values one step apart, in half steps from -3 to 3. */
static size_t seven_pairs(const scrim_measurement *m)
{
    (void)m;
    return 7;
}

static void step_apart(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m;
    broken_pair((int64_t)index - 3, (int64_t)index - 1, out);
}

static const sc_mechanism rounded = {BROKEN_COMMON("laplace-half-to-even", parameters),
                                     .cost = broken_cost_pure, .law = rounded_law,
                                     .pair_count = seven_pairs, .pair = step_apart};

BROKEN(half_to_even_rounding, .wrong = "values rounded half to even before the noise",
       .mechanism = &rounded, .line = "epsilon=1", .kind = BROKEN_LOSS, .size = "2",
       .claimed = "1", .source = "spec/mechanisms.md 3.1")

/* Noise truncated at bound and renormalised, charged by the mass of the outermost point of
 * another bound, or not at all. */

static scrim_status truncated_law(const scrim_measurement *m,
                                  const sc_private_input *input, long bits,
                                  sc_outcomes *out, scrim_error *error)
{
    sc_law noise;
    noise_of(m, &sc_truncated_laplace_law, "bound", &noise);
    const int64_t bound = (int64_t)noise.bound;
    scrim_status status =
        list_noise(&noise, input->values[0], -bound, bound, bits, out, error);
    sc_law_clear(&noise);
    return status;
}

static scrim_status truncated_cost(const scrim_measurement *m, sc_exact_cost *out,
                                   scrim_error *error)
{
    sc_law noise;
    sc_ball edge;
    sc_ratio delta;
    if (sc_measurement_get(m, "charged") == NULL)
        return broken_cost_pure(m, out, error);
    sc_ball_init(&edge);
    sc_ratio_init(&delta);
    noise_of(m, &sc_truncated_laplace_law, "charged", &noise);
    sc_law_pmf(&noise, noise.bound, 256, &edge);
    if (sc_cost_round_up_ball(&edge, &delta))
        sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"), &delta);
    sc_law_clear(&noise);
    sc_ratio_clear(&delta);
    sc_ball_clear(&edge);
    return SCRIM_OK;
}

static const sc_mechanism truncated = {
    BROKEN_COMMON("truncated-laplace-miscounted", parameters), .cost = truncated_cost,
    .law = truncated_law, .pair_count = broken_one_pair, .pair = broken_zero_and_one};

/* Charged for 11 (or 21): the right delta of that bound is printed, too. */
BROKEN(truncated_off_by_one, .wrong = "delta of the next larger bound",
       .mechanism = &truncated, .line = "epsilon=1 bound=10 charged=11",
       .kind = BROKEN_DELTA, .at = "1", .size = "2.0980598824578844038e-5",
       .source = "spec/mechanisms.md 2.2, v:truncated_discrete_laplace")
BROKEN(truncated_twice_too_wide, .wrong = "delta of twice the bound",
       .mechanism = &truncated, .line = "epsilon=1 bound=10 charged=20",
       .kind = BROKEN_DELTA, .at = "1", .size = "2.0980598824578844038e-5",
       .claimed = "9.5249445373346951652e-10",
       .source = "spec/mechanisms.md 2.2, v:truncated_discrete_laplace")
BROKEN(truncated_as_clamped, .wrong = "renormalised noise charged as clamped noise",
       .mechanism = &truncated, .line = "epsilon=1 bound=10", .kind = BROKEN_DELTA,
       .at = "1", .size = "2.0980598824578844038e-5", .claimed = "0",
       .source = "spec/mechanisms.md 2.2, v:truncated_discrete_laplace")
BROKEN(truncated_as_clamped_loss, .wrong = "renormalised noise charged as clamped noise",
       .mechanism = &truncated, .line = "epsilon=1/2 bound=40", .kind = BROKEN_LOSS,
       .size = "inf", .claimed = "0.5", .source = "spec/mechanisms.md 2.2")

/* A loop that gives up above bound and answers nothing then. */

static scrim_status capped_law(const scrim_measurement *m, const sc_private_input *input,
                               long bits, sc_outcomes *out, scrim_error *error)
{
    const int64_t bottom = BOTTOM, cap = sc_measurement_integer(m, "bound", 1);
    sc_law noise;
    sc_ball mass;
    sc_ball_init(&mass);
    noise_of(m, &sc_discrete_laplace_law, NULL, &noise);
    scrim_status status =
        list_noise(&noise, input->values[0], -cap, cap, bits, out, error);
    set_tails(&noise, cap, bits, &mass);
    if (status == SCRIM_OK)
        status = sc_outcomes_add(out, &bottom, &mass, error);
    sc_law_clear(&noise);
    sc_ball_clear(&mass);
    return status;
}

static const sc_mechanism capped = {
    BROKEN_COMMON("laplace-with-a-deadline", parameters), .cost = broken_cost_pure,
    .law = capped_law, .pair_count = broken_one_pair, .pair = broken_zero_and_one};

#define CAPPED(variant, cap, row)                                                        \
    BROKEN(variant, .wrong = "a deadline that costs no delta", .mechanism = &capped,     \
           .line = "epsilon=1 bound=" cap, .kind = BROKEN_DELTA, .at = "1",              \
           .size = "v:mechanisms/deadline_delta/rows/" row "/delta_at_eps",              \
           .claimed = "0", .source = "spec/mechanisms.md 2.4c, v:deadline_delta")

CAPPED(deadline_3, "3", "0")
CAPPED(deadline_10, "10", "1")
CAPPED(deadline_40, "40", "2")

/* A key of one person is shown when its noisy count reaches the threshold, and charged as if it
 * had to exceed it. Input 0: nobody has the key. */

static scrim_status threshold_law(const scrim_measurement *m,
                                  const sc_private_input *input, long bits,
                                  sc_outcomes *out, scrim_error *error)
{
    const int64_t bottom = BOTTOM, threshold = sc_measurement_integer(m, "threshold", 1);
    const int64_t shown = threshold - input->values[0];
    sc_law noise;
    sc_ball mass;
    sc_ball_init(&mass);
    if (input->values[0] == 0) {
        sc_ball_set_int64(&mass, 1);
        scrim_status status = sc_outcomes_add(out, &bottom, &mass, error);
        sc_ball_clear(&mass);
        return status;
    }
    noise_of(m, &sc_discrete_laplace_law, NULL, &noise);
    sc_law_at_most(&noise, shown - 1, bits, &mass);
    scrim_status status = sc_outcomes_add(out, &bottom, &mass, error);
    if (status == SCRIM_OK)
        status =
            list_noise(&noise, input->values[0], shown, shown + bits, bits, out, error);
    sc_law_at_least(&noise, shown + bits + 1, bits, &out->rest);
    sc_law_clear(&noise);
    sc_ball_clear(&mass);
    return status;
}

/* P(1 + Z > threshold). */
static scrim_status threshold_cost(const scrim_measurement *m, sc_exact_cost *out,
                                   scrim_error *error)
{
    sc_law noise;
    sc_ball tail;
    sc_ratio delta;
    (void)error;
    sc_ball_init(&tail);
    sc_ratio_init(&delta);
    noise_of(m, &sc_discrete_laplace_law, NULL, &noise);
    sc_law_at_least(&noise, sc_measurement_integer(m, "threshold", 1), 256, &tail);
    if (sc_cost_round_up_ball(&tail, &delta))
        sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"), &delta);
    sc_law_clear(&noise);
    sc_ratio_clear(&delta);
    sc_ball_clear(&tail);
    return SCRIM_OK;
}

static const sc_mechanism threshold = {
    BROKEN_COMMON("threshold-off-by-one", parameters), .cost = threshold_cost,
    .law = threshold_law, .pair_count = broken_one_pair, .pair = broken_zero_and_one};

BROKEN(threshold_off_by_one, .wrong = "shown at the threshold, charged above it",
       .mechanism = &threshold, .line = "epsilon=1 threshold=5", .kind = BROKEN_DELTA,
       .at = "1", .size = "0.01339", .claimed = "0.00493", .source = "THREATS A27")
