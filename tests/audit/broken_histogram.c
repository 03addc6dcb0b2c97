/* Histograms whose q follows from the data. */
#include "audit/broken.h"
#include "audit/size_dependent.h"
#include "continuous_stlap.h"
#include "model/domain.h"

/* The published claim: epsilon, and the delta of a fixed q = tau elements. */
static const sc_parameter_rule parameters[] = {
    BROKEN_PARAMETER("epsilon"),  BROKEN_PARAMETER("tau"),   BROKEN_PARAMETER("bars"),
    BROKEN_PARAMETER("elements"), BROKEN_PARAMETER("floor"), SC_PARAMETER_NEIGHBOURS};

static void open_one(const scrim_measurement *m, size_dependent *s)
{
    sc_ball_init(&s->epsilon);
    sc_ratio_init(&s->tau);
    sc_ball_set_ratio(&s->epsilon, sc_measurement_get(m, "epsilon"), 512);
    sc_ratio_set(&s->tau, sc_measurement_get(m, "tau"));
    s->elements = (uint64_t)sc_measurement_integer(m, "elements", 1);
    s->bars = (size_t)sc_measurement_integer(m, "bars", 1);
    s->is_floor = sc_measurement_get(m, "floor") != NULL;
}

static void close_one(size_dependent *s)
{
    sc_ratio_clear(&s->tau);
    sc_ball_clear(&s->epsilon);
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    size_dependent s;
    sc_ratio q, delta;
    sc_ball claimed;
    open_one(m, &s);
    sc_ratio_init(&q);
    sc_ratio_init(&delta);
    sc_ball_init(&claimed);
    sc_ratio_set_int64(&q, (int64_t)s.elements);
    sc_ratio_mul(&q, &q, &s.tau);
    continuous_stlap_delta(&s.epsilon, &q, 256, &claimed);
    const bool is_found = sc_cost_round_up_ball(&claimed, &delta);
    sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"), &delta);
    sc_ball_clear(&claimed);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&q);
    close_one(&s);
    return is_found ? SCRIM_OK : sc_fail(error, SCRIM_E_INTERNAL, "no delta");
}

/* The input is the number of elements. */
static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    size_dependent s;
    open_one(m, &s);
    const bool is_larger = input->values[0] > (int64_t)s.elements;
    const bool is_made = size_dependent_law(&s, is_larger, bits + 64, out);
    close_one(&s);
    return is_made ? SCRIM_OK : sc_fail(error, SCRIM_E_LIMIT, "too many answers");
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const int64_t elements = sc_measurement_integer(m, "elements", 1);
    (void)index;
    broken_pair(elements, elements + 1, out);
}

static const sc_mechanism histogram = {
    BROKEN_COMMON("size-dependent-histogram", parameters),
    .cost = cost,
    .law = law,
    .pair_count = broken_one_pair,
    .pair = pair,
};

#define SOURCE "spec/flexible-accuracy.md 6, v:errata.a_data_dependent_q"

BROKEN(size_dependent_q_of_three_bars, .wrong = "q = tau n, of three bars",
       .mechanism = &histogram, .line = "epsilon=1 tau=0.1 bars=3 elements=200",
       .kind = BROKEN_DELTA, .at = "1", .size = "0.00153068269849915",
       .claimed = "3.90067080639037e-5", .source = SOURCE)
BROKEN(size_dependent_q_of_four_bars, .wrong = "q = tau n, of four bars",
       .mechanism = &histogram, .line = "epsilon=1 tau=0.1 bars=4 elements=200",
       .kind = BROKEN_DELTA, .at = "1", .size = "0.00266633304702451",
       .claimed = "3.90067080639037e-5", .source = SOURCE)
BROKEN(size_dependent_q_of_five_bars, .wrong = "q = tau n, of five bars",
       .mechanism = &histogram, .line = "epsilon=1 tau=0.1 bars=5 elements=200",
       .kind = BROKEN_DELTA, .at = "1", .size = "0.00374335801586030",
       .claimed = "3.90067080639037e-5", .source = SOURCE)
BROKEN(size_dependent_q_of_more_elements, .wrong = "q = tau n, which no n repairs",
       .mechanism = &histogram, .line = "epsilon=1 tau=0.1 bars=5 elements=800",
       .kind = BROKEN_DELTA, .at = "1", .size = "0.00371255952970",
       .claimed = "3.64993495886e-18", .source = SOURCE)
BROKEN(size_dependent_q_of_two_bars, .wrong = "q = tau n, of two bars",
       .mechanism = &histogram, .line = "epsilon=3/10 tau=0.4 bars=2 elements=54",
       .kind = BROKEN_DELTA, .at = "3/10", .size = "0.008660355038297043",
       .claimed = "0.007130161725539486",
       .source = "spec/flexible-accuracy.md 6, v:errata.a_t2_rounded")
BROKEN(size_dependent_q_rounded_down, .wrong = "q = floor(tau n), at a step of it",
       .mechanism = &histogram, .line = "epsilon=1 tau=0.1 bars=3 elements=99 floor=1",
       .kind = BROKEN_DELTA, .at = "1", .size = "0.0726170898165837",
       .source = "spec/flexible-accuracy.md 6, v:errata.a_naive_floor")
