/* Groups that are kept too often, or that are left out too loudly. */
#include "audit/broken.h"
#include "base/memory.h"
#include "mechanism/threshold/keep_table.h"
#include "model/domain.h"

/* The charge, what each group was given, and of how many groups; shift: a group of n units
 * is kept as one of n + shift; trace: what is left out is printed as such. */
static const sc_parameter_rule parameters[] = {
    BROKEN_PARAMETER("epsilon"),      BROKEN_PARAMETER("delta"),
    BROKEN_PARAMETER("each-epsilon"), BROKEN_PARAMETER("each-delta"),
    BROKEN_PARAMETER("groups"),       BROKEN_PARAMETER("shift"),
    BROKEN_PARAMETER("trace"),        SC_PARAMETER_NEIGHBOURS};

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    const sc_ratio *epsilon = sc_measurement_get(m, "each-epsilon");
    const sc_ratio *delta = sc_measurement_get(m, "each-delta");
    sc_keep_table *table = sc_allocate(1, sizeof *table);
    if (table == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a measurement");
    m->state = table;
    return sc_keep_table_init(
        table, epsilon != NULL ? epsilon : sc_measurement_get(m, "epsilon"),
        delta != NULL ? delta : sc_measurement_get(m, "delta"), 1, error);
}

static void discard(scrim_measurement *m)
{
    if (m->state != NULL)
        sc_keep_table_clear(m->state);
    sc_free(m->state);
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"),
                            sc_measurement_get(m, "delta"));
    return SCRIM_OK;
}

/* The probability, of 2^126, of an answer of one group: 1 kept, 0 absent, 2 told to be left
 * out. */
static sc_uint128 share(const scrim_measurement *m, int64_t n, int answer)
{
    const uint64_t shift = (uint64_t)sc_measurement_integer(m, "shift", 0);
    const sc_uint128 keep = n == 0 ? 0 : sc_keep_table_at(m->state, (uint64_t)n + shift);
    const int otherwise = n > 0 && sc_measurement_get(m, "trace") != NULL ? 2 : 0;
    return answer == 1 ? keep : answer == otherwise ? SC_KEEP_WHOLE - keep : 0;
}

/* All answers, as digits base 3 of one key. */
static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const size_t answers = sc_size_power(3, input->count);
    scrim_status status = SCRIM_OK;
    sc_ball mass, factor;
    sc_ball_init(&mass);
    sc_ball_init(&factor);
    for (size_t i = 0; status == SCRIM_OK && i < answers; i++) {
        const int64_t key = (int64_t)i;
        bool is_possible = true;
        sc_ball_set_int64(&mass, 1);
        for (size_t k = 0, rest = i; k < input->count; k++, rest /= 3) {
            const sc_uint128 part = share(m, input->values[k], (int)(rest % 3));
            is_possible = is_possible && part > 0;
            sc_ball_set_int128(&factor, (sc_int128)part);
            sc_ball_mul_power2(&factor, &factor, -SC_KEEP_BITS);
            sc_ball_mul(&mass, &mass, &factor, bits + 64);
        }
        if (is_possible)
            status = sc_outcomes_add(out, &key, &mass, error);
    }
    sc_ball_clear(&factor);
    sc_ball_clear(&mass);
    return status;
}

/* A unit joins all groups, which have n units each. */
static size_t pair_count(const scrim_measurement *m)
{
    return ((const sc_keep_table *)m->state)->certain;
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    out->x_count = out->y_count = (size_t)sc_measurement_integer(m, "groups", 1);
    for (size_t i = 0; i < out->x_count; i++) {
        out->x[i] = (int64_t)index;
        out->y[i] = (int64_t)index + 1;
    }
}

static const sc_mechanism partition = {.entry = {.name = "partition-selection-broken",
                                                 .parameters = "",
                                                 .input = "counts",
                                                 .claim = "one that does not hold",
                                                 .reference = "none"},
                                       .parameters = parameters,
                                       .parameter_count =
                                           sizeof parameters / sizeof *parameters,
                                       .check = check,
                                       .discard = discard,
                                       .cost = cost,
                                       .certify = broken_certify,
                                       .answer_count = broken_one,
                                       .draw = broken_draw,
                                       .width = broken_one,
                                       .law = law,
                                       .pair_count = pair_count,
                                       .pair = pair};

BROKEN(selection_off_by_one, .wrong = "a group of n units is kept as one of n + 1",
       .mechanism = &partition, .line = "epsilon=1 delta=1e-5 shift=1",
       .kind = BROKEN_DELTA, .at = "1", .size = "0.0000371828182845904524",
       .claimed = "0.0000100000000000000000",
       .source = "THREATS A27, v:optimal_partition_selection, pi(2)")
BROKEN(selection_delta_of_one_group, .wrong = "delta of one group spent on each of three",
       .mechanism = &partition, .line = "epsilon=1 delta=1e-3 each-epsilon=1/3 groups=3",
       .kind = BROKEN_DELTA, .at = "1", .size = "0.002997001", .claimed = "0.001",
       .source = "spec/thresholding.md 5: 1 - (1 - delta)^3")
BROKEN(selection_epsilon_of_one_group,
       .wrong = "epsilon of one group spent on each of two", .mechanism = &partition,
       .line = "epsilon=1 delta=1e-3 each-delta=5e-4 groups=2", .kind = BROKEN_DELTA,
       .at = "1", .size = "0.293561378899621", .claimed = "0.001",
       .source = "spec/thresholding.md 5, by enumeration")
BROKEN(selection_with_a_trace, .wrong = "what is left out is printed as left out",
       .mechanism = &partition, .line = "epsilon=1 delta=1e-5 trace=1",
       .kind = BROKEN_DELTA, .at = "1", .size = "1", .claimed = "0.00001",
       .source = "spec/thresholding.md 1, F9")
