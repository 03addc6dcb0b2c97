/* Sums that one unit moves together, with the noise of one of them. */
#include "audit/broken.h"
#include "mechanism/linear/counter.h"
#include "model/domain.h"
#include "model/outcomes.h"
#include "sampling/law.h"

static const sc_parameter_rule parameters[] = {
    BROKEN_PARAMETER("epsilon"), BROKEN_PARAMETER("steps"), SC_PARAMETER_NEIGHBOURS};

/* A noisy sum is above 0, or it is not: of 0 and 1 nothing else matters. */
static scrim_status list_sum(const void *context, int64_t sum, long bits,
                             sc_outcomes *out, scrim_error *error)
{
    const int64_t below = 0, above = 1;
    scrim_status status;
    SC_OWN(sc_ball, mass);
    sc_law_at_most(context, -sum, bits, &mass);
    status = sc_outcomes_add(out, &below, &mass, error);
    sc_law_at_least(context, 1 - sum, bits, &mass);
    return status == SCRIM_OK ? sc_outcomes_add(out, &above, &mass, error) : status;
}

static scrim_status sums_law(const scrim_measurement *m, const int64_t *sums,
                             size_t count, long bits, sc_outcomes *out,
                             scrim_error *error)
{
    sc_law noise;
    SC_OWN(sc_ratio, scale);
    sc_ratio_set_int64(&scale, 1);
    sc_ratio_div(&scale, &scale, sc_measurement_get(m, "epsilon"));
    sc_law_init(&noise, &sc_discrete_laplace_law, &scale, 0);
    const scrim_status status = sc_outcomes_of_each(
        &(sc_outcomes_each){
            .values = sums, .count = count, .list = list_sum, .context = &noise},
        bits, out, error);
    sc_law_clear(&noise);
    return status;
}

/* Nodes of the tree, each as if an event were in one of them alone. */
static scrim_status nodes_law(const scrim_measurement *m, const sc_private_input *input,
                              long bits, sc_outcomes *out, scrim_error *error)
{
    int64_t nodes[SC_PAIR_VALUES] = {0};
    for (uint64_t t = 1; t <= input->count; t++)
        for (uint64_t i = t - sc_counter_low(t); i < t; i++)
            nodes[t - 1] += input->values[i];
    return sums_law(m, nodes, input->count, bits, out, error);
}

/* No tree: each count with a noise of its own, as if it were the only one. */
static scrim_status counts_law(const scrim_measurement *m, const sc_private_input *input,
                               long bits, sc_outcomes *out, scrim_error *error)
{
    int64_t counts[SC_PAIR_VALUES] = {0};
    for (size_t i = 0; i < input->count; i++)
        counts[i] = (i > 0 ? counts[i - 1] : 0) + input->values[i];
    return sums_law(m, counts, input->count, bits, out, error);
}

static size_t width(const scrim_measurement *m, size_t count)
{
    (void)m;
    return count;
}

/* An event of the first step. */
static void first_step(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)index;
    out->x_count = out->y_count = (size_t)sc_measurement_integer(m, "steps", 1);
    for (size_t i = 0; i < out->x_count; i++)
        out->x[i] = out->y[i] = 0;
    out->y[0] = 1;
}

#define LINEAR_COMMON(title)                                                             \
    .entry = {.name = (title),                                                           \
              .parameters = "",                                                          \
              .input = "values",                                                         \
              .claim = "one that does not hold",                                         \
              .reference = "none"},                                                      \
    SC_MECHANISM_PARAMETERS, .check = broken_check, .discard = broken_discard,           \
    .certify = broken_certify, .answer_count = width, .draw = broken_draw,               \
    .width = width, .cost = broken_cost_pure, .pair_count = broken_one_pair

static const sc_mechanism nodes = {LINEAR_COMMON("counter-of-one-node"), .law = nodes_law,
                                   .pair = first_step};
static const sc_mechanism counts = {LINEAR_COMMON("counts-one-by-one"), .law = counts_law,
                                    .pair = first_step};

BROKEN(counter_of_one_node, .wrong = "noise for one node of the tree",
       .mechanism = &nodes, .line = "epsilon=1 steps=4", .kind = BROKEN_LOSS, .size = "3",
       .claimed = "1", .source = "spec/synthetic.md 6, v:counter_sensitivity")
BROKEN(counter_of_one_node_long, .wrong = "noise for one node of the tree",
       .mechanism = &nodes, .line = "epsilon=1/2 steps=13", .kind = BROKEN_LOSS,
       .size = "2", .claimed = "0.5",
       .source = "spec/synthetic.md 6, v:counter_sensitivity")
BROKEN(counts_one_by_one, .wrong = "running counts charged as one count",
       .mechanism = &counts, .line = "epsilon=1 steps=4", .kind = BROKEN_LOSS,
       .size = "4", .claimed = "1", .source = "spec/synthetic.md 6")

/* All ranges of three bins, charged as if a person were in one of them: v of spec/mechanisms.md 10.1, where
 * D = 1 is of one query. */
static scrim_status ranges_law(const scrim_measurement *m, const sc_private_input *input,
                               long bits, sc_outcomes *out, scrim_error *error)
{
    int64_t sums[6] = {0};
    size_t count = 0;
    for (size_t first = 0; first < 3; first++)
        for (size_t last = first; last < 3; last++, count++)
            for (size_t i = first; i <= last; i++)
                sums[count] += input->values[i];
    return sums_law(m, sums, count, bits, out, error);
}

static size_t six(const scrim_measurement *m, size_t count)
{
    (void)m;
    (void)count;
    return 6;
}

/* A person in the middle bin, which four of the six ranges hold. */
static void middle_bin(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m;
    (void)index;
    *out = (sc_pair){.y = {0, 1, 0}, .x_count = 3, .y_count = 3};
}

static const sc_mechanism ranges = {.entry = {.name = "ranges-one-by-one",
                                              .parameters = "",
                                              .input = "values",
                                              .claim = "one that does not hold",
                                              .reference = "none"},
                                    SC_MECHANISM_PARAMETERS,
                                    .check = broken_check,
                                    .discard = broken_discard,
                                    .certify = broken_certify,
                                    .answer_count = six,
                                    .draw = broken_draw,
                                    .width = six,
                                    .cost = broken_cost_pure,
                                    .pair_count = broken_one_pair,
                                    .law = ranges_law,
                                    .pair = middle_bin};

BROKEN(ranges_one_by_one, .wrong = "the sensitivity of one query for all of them",
       .mechanism = &ranges, .line = "epsilon=1", .kind = BROKEN_LOSS, .size = "4",
       .claimed = "1", .source = "spec/mechanisms.md 10.1")
