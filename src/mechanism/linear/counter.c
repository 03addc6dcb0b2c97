#include "mechanism/linear/counter.h"

#include "base/memory.h"
#include "mechanism/linear/linear_noise.h"
#include "model/domain.h"
#include "sampling/law_sum.h"

static const sc_parameter_rule parameters[] = {
    {.name = "steps",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "1",
     .limit_high = "2^20",
     .domain = "the number of steps, an integer from 1 to 1048576"},
    SC_PARAMETER_SENSITIVITY,
    SC_LINEAR_PARAMETERS,
    SC_PARAMETER_NEIGHBOURS,
};

/* The tree. */

size_t sc_counter_nodes(uint64_t t)
{
    return (size_t)__builtin_popcountll(t);
}

size_t sc_counter_levels(uint64_t steps)
{
    return (size_t)(64 - __builtin_clzll(steps));
}

/* C(n, k), n < 64. */
static uint64_t choices(uint64_t n, uint64_t k)
{
    uint64_t product = k <= n ? 1 : 0;
    for (uint64_t i = 1; i <= k && product > 0; i++)
        product = product * (n - k + i) / i;
    return product;
}

/* Those below T share its digits down to one of its ones, which is 0 in them; then T itself. */
uint64_t sc_counter_times(uint64_t steps, size_t nodes)
{
    uint64_t times = sc_counter_nodes(steps) == nodes ? 1 : 0, ones = 0;
    for (size_t bit = sc_counter_levels(steps); bit-- > 0;) {
        if ((steps >> bit & 1) == 0)
            continue;
        if (nodes >= ones)
            times += choices(bit, nodes - ones);
        ones++;
    }
    return times;
}

static uint64_t steps_of(const scrim_measurement *m)
{
    return (uint64_t)sc_measurement_integer(m, "steps", 1);
}

/* D, a whole number. */
static void sensitivity_of(const scrim_measurement *m, sc_ratio *out)
{
    SC_OWN(sc_integer, whole);
    sc_ratio_ceil(sc_measurement_get(m, "sensitivity"), &whole);
    sc_ratio_set_integer(out, &whole);
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    sc_linear_move move;
    SC_OWN(sc_ratio, levels);
    sc_ratio_init(&move.sum);
    sc_ratio_init(&move.square);
    sensitivity_of(m, &move.sum);
    sc_ratio_set_int64(&levels, (int64_t)sc_counter_levels(steps_of(m)));
    sc_ratio_mul(&move.square, &move.sum, &move.sum);
    sc_ratio_mul(&move.square, &move.square, &levels);
    sc_ratio_mul(&move.sum, &move.sum, &levels);
    const scrim_status status =
        sc_linear_check(m, &move, steps_of(m), steps_of(m), error);
    sc_ratio_clear(&move.square);
    sc_ratio_clear(&move.sum);
    return status;
}

/* The noise of all counts first, with no data near; then the true counts, one after the other. */
static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    sc_int128 count = 0;
    const scrim_status status = sc_blocks_fill_wide(bits, &sc_additive_of(m)->blocks,
                                                    input->count, out->values, error);
    if (status != SCRIM_OK)
        return status;
    for (uint64_t t = 1; t <= input->count; t++) {
        const uint64_t before = t - sc_counter_low(t);
        if (before > 0)
            out->values[t - 1] += out->values[before - 1];
    }
    for (size_t i = 0; i < input->count; i++) {
        /* at most 2^20 counts of 2^63, and 20 noises of 2^73 */
        count += input->wide != NULL ? input->wide[i] : input->values[i];
        out->values[i] += count;
        out->marks[i] = SC_MARK_VALUE;
    }
    out->count = input->count;
    return SCRIM_OK;
}

/* Accuracy. */

/* For each number of nodes, how many steps have counts made of that many; returns the largest number. */
static size_t set_times(uint64_t steps, uint64_t times[SC_LAW_SUM_MAX])
{
    size_t most = 0;
    for (size_t nodes = 1; nodes <= sc_counter_levels(steps); nodes++) {
        times[nodes - 1] = sc_counter_times(steps, nodes);
        most = times[nodes - 1] > 0 ? nodes : most;
    }
    return most;
}

static void set_whole(sc_ratio *out, sc_int128 steps)
{
    SC_OWN(sc_integer, whole);
    sc_integer_set_int128(&whole, steps);
    sc_ratio_set_integer(out, &whole);
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    uint64_t times[SC_LAW_SUM_MAX] = {0}, worst[SC_LAW_SUM_MAX] = {0};
    const size_t most = set_times(steps_of(m), times);
    sc_int128 each = 0, all = 0;
    sc_law_sum *sum = NULL;
    SC_OWN(sc_ratio, radius);
    (void)count;
    worst[most - 1] = 1;
    scrim_status status = sc_law_sum_new(&sc_additive_of(m)->law, most, &sum, error);
    if (status == SCRIM_OK)
        status = sc_law_sum_radius(sum, worst, beta, &each, error);
    if (status == SCRIM_OK)
        status = sc_law_sum_radius(sum, times, beta, &all, error);
    sc_law_sum_free(sum);
    if (status != SCRIM_OK)
        return status;
    set_whole(&radius, each);
    sc_certificate_interval(out, &radius, beta, "values that are not whole numbers");
    set_whole(&radius, all);
    if (steps_of(m) > 1)
        sc_certificate_add_radius_all(out, &radius);
    return SCRIM_OK;
}

/* The radii of the count at each step by itself. */
typedef struct counter_radii {
    sc_radii radii; /* first */
    sc_law law;
    sc_law_sum *sum;
    sc_ratio beta; /* of the radii that are known; 0: none is */
    sc_int128 known[SC_LAW_SUM_MAX];
} counter_radii;

static void free_radii(sc_radii *radii)
{
    counter_radii *r = (counter_radii *)radii;
    sc_law_sum_free(r->sum);
    sc_ratio_clear(&r->beta);
    sc_law_clear(&r->law);
    sc_free(r);
}

/* index is from 0, for the steps 1 to T. */
static scrim_status radius_at(sc_radii *radii, const sc_ratio *beta, size_t index,
                              sc_ratio *out, scrim_error *error)
{
    counter_radii *r = (counter_radii *)radii;
    const size_t nodes = sc_counter_nodes((uint64_t)index + 1);
    uint64_t times[SC_LAW_SUM_MAX] = {0};
    scrim_status status = SCRIM_OK;
    if (sc_ratio_compare(&r->beta, beta) != 0) {
        sc_ratio_set(&r->beta, beta);
        for (size_t i = 0; i < SC_LAW_SUM_MAX; i++)
            r->known[i] = -1;
    }
    times[nodes - 1] = 1;
    if (r->known[nodes - 1] < 0)
        status = sc_law_sum_radius(r->sum, times, beta, &r->known[nodes - 1], error);
    set_whole(out, r->known[nodes - 1]);
    return status;
}

static scrim_status make_radii(const scrim_measurement *m, sc_radii **out,
                               scrim_error *error)
{
    uint64_t times[SC_LAW_SUM_MAX] = {0};
    const sc_law *noise = &sc_additive_of(m)->law;
    counter_radii *r = sc_allocate(1, sizeof *r);
    if (r == NULL)
        return sc_no_memory(error, "an answer");
    r->radii = (sc_radii){.free = free_radii, .at = radius_at};
    sc_law_init(&r->law, noise->functions, &noise->shape, 0);
    sc_ratio_init(&r->beta);
    const scrim_status status =
        sc_law_sum_new(&r->law, set_times(steps_of(m), times), &r->sum, error);
    if (status == SCRIM_OK)
        *out = &r->radii;
    else
        free_radii(&r->radii);
    return status;
}

/* The audit. */

/* D, where it is a number of outcomes; else 0. */
static int64_t shift_of(const scrim_measurement *m)
{
    sc_int128 wide = 0;
    SC_OWN(sc_ratio, sensitivity);
    SC_OWN(sc_integer, whole);
    sensitivity_of(m, &sensitivity);
    sc_ratio_numerator(&sensitivity, &whole);
    return sc_integer_get_int128(&whole, &wide) && wide < (sc_int128)SC_OUTCOMES_MAX
               ? (int64_t)wide
               : 0;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    int64_t nodes[SC_PAIR_VALUES];
    if (input->count > SC_PAIR_VALUES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a distribution is listed for at most %d values", SC_PAIR_VALUES);
    for (uint64_t t = 1; t <= input->count; t++) {
        nodes[t - 1] = 0;
        for (uint64_t i = t - sc_counter_low(t); i < t; i++)
            nodes[t - 1] += input->values[i];
    }
    return sc_linear_list(m, &(sc_private_input){.values = nodes, .count = input->count},
                          0, shift_of(m), bits, out, error);
}

static size_t width(const scrim_measurement *m, size_t count)
{
    (void)m;
    return count;
}

/* One event of each step, which is all that a unit can move by; and one that changes its step. None
 * where the nodes have too many outcomes between 0 and D. */
static size_t pair_count(const scrim_measurement *m)
{
    const size_t steps = (size_t)steps_of(m);
    const int64_t shift = shift_of(m);
    if (steps > SC_PAIR_VALUES || shift == 0 ||
        (!sc_linear_is_gaussian(m) &&
         sc_size_power((size_t)shift + 1, steps) > SC_OUTCOMES_MAX))
        return 0;
    return steps + (shift > 1 && steps > 1 ? 1 : 0);
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const size_t steps = (size_t)steps_of(m);
    const int64_t shift = shift_of(m);
    out->x_count = out->y_count = steps;
    for (size_t i = 0; i < steps; i++)
        out->x[i] = out->y[i] = 0;
    if (index < steps) {
        out->y[index] = shift;
    } else {
        out->x[0] = shift / 2;
        out->y[steps - 1] = shift - shift / 2;
    }
}

const sc_mechanism sc_counter = {
    .entry = {.name = "counter",
              .parameters = "steps=N sensitivity=R " SC_LINEAR_TEXT_COST,
              .input = "numbers",
              .claim = "epsilon-DP, pure, for the running count at every step; with a "
                       "delta or rho: concentrated",
              .does = "Releases the running count of a stream after every step (the "
                      "binary tree mechanism). Its error grows with the logarithm of "
                      "the number of steps, not with the number itself.",
              .example = "steps=6 sensitivity=1 epsilon=1 neighbours=add-remove",
              .example_input = "3\n5\n2\n0\n7\n4\n",
              .reference = "Chan, Shi, Song: Private and Continual Release of "
                           "Statistics, 2011"},
    SC_MECHANISM_PARAMETERS,
    .answers_numbers = true,
    .law_is_folded = true,
    .takes_wide = true,
    .check = check,
    .discard = sc_additive_discard,
    .cost = sc_linear_cost,
    .certify = certify,
    .radii = make_radii,
    .answer_count = sc_additive_count,
    .draw = draw,
    .place = sc_linear_place,
    .width = width,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};
