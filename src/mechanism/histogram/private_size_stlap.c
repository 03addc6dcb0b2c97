#include "mechanism/histogram/private_size_stlap.h"

#include "base/memory.h"
#include "mechanism/histogram/stlap.h"
#include "mechanism/histogram/stlap_noise.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/certificate.h"
#include "model/domain.h"
#include "model/outcomes.h"
#include "scrim/histogram.h"

#define COUNT_MAX ((int64_t)1 << 62)

#define EPSILON(key)                                                                     \
    {                                                                                    \
        .name = (key), .kind = SC_PARAMETER_RATIONAL, .above = "0",                      \
        .limit_low = "2^-31", .limit_high = "500",                                       \
        .domain = "a rational above 0, from 4.7e-10 to 500"                              \
    }
#define DELTA(key)                                                                       \
    {                                                                                    \
        .name = (key), .kind = SC_PARAMETER_RATIONAL, .above = "0", .below = "1/2",      \
        .limit_low = "2^-160",                                                           \
        .domain = "a rational above 0 and below 1/2, from 6.9e-49 on"                    \
    }

/* Only add-remove: under replace the number of elements is public. */
static const char *const relations[] = {"add-remove", NULL};

static const sc_parameter_rule parameters[] = {
    EPSILON("size-epsilon"),
    DELTA("size-delta"),
    EPSILON("bar-epsilon"),
    DELTA("bar-delta"),
    {.name = "tau",
     .kind = SC_PARAMETER_RATIONAL,
     .above = "0",
     .at_most = "1",
     .limit_low = "2^-60",
     .domain = "a rational above 0 and at most 1, from 8.7e-19 on"},
    SC_RULE_WORD("neighbours", relations, "add-remove"),
};

typedef struct private_size {
    uint64_t size_q, least_q;
    sc_stlap_sampler size; /* of the estimate */
} private_size;

static const private_size *state_of(const scrim_measurement *m)
{
    return m->state;
}

uint64_t sc_private_size_stlap_least(const scrim_measurement *m)
{
    return state_of(m)->least_q;
}

/* floor(tau estimate), cut: it is made of a released number. */
uint64_t sc_private_size_stlap_q(const scrim_measurement *m, uint64_t estimate)
{
    uint64_t q = SC_STLAP_Q_MAX;
    SC_OWN(sc_ratio, x);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int128(&x, (sc_int128)estimate);
    sc_ratio_mul(&x, &x, sc_measurement_get(m, "tau"));
    sc_ratio_floor(&x, &whole);
    if (!sc_integer_get_uint64(&whole, &q) || q > SC_STLAP_Q_MAX)
        q = SC_STLAP_Q_MAX;
    return q < state_of(m)->least_q ? state_of(m)->least_q : q;
}

/* Making one. */

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    const sc_ratio *epsilon = sc_measurement_get(m, "size-epsilon");
    private_size *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    SC_TRY(sc_unit_counts_elements(m, error));
    SC_TRY(sc_stlap_q_of(epsilon, sc_measurement_get(m, "size-delta"), 1, 1, &s->size_q,
                         error));
    SC_TRY(sc_stlap_q_of(sc_measurement_get(m, "bar-epsilon"),
                         sc_measurement_get(m, "bar-delta"), 1, 1, &s->least_q, error));
    return sc_stlap_sampler_init(&s->size, epsilon, s->size_q, false, error);
}

static void discard(scrim_measurement *m)
{
    private_size *s = m->state;
    if (s == NULL)
        return;
    sc_stlap_sampler_clear(&s->size);
    sc_free(s);
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    SC_OWN(sc_ratio, epsilon, delta);
    sc_ratio_add(&epsilon, sc_measurement_get(m, "size-epsilon"),
                 sc_measurement_get(m, "bar-epsilon"));
    sc_ratio_add(&delta, sc_measurement_get(m, "size-delta"),
                 sc_measurement_get(m, "bar-delta"));
    sc_cost_set_approximate(out, &epsilon, &delta);
    return SCRIM_OK;
}

/* The fraction t tau of all elements in t bars. */
static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    (void)beta;
    (void)error;
    SC_OWN(sc_ratio, alpha, zero);
    sc_ratio_set_int128(&alpha, (sc_int128)count);
    sc_ratio_mul(&alpha, &alpha, sc_measurement_get(m, "tau"));
    if (sc_ratio_compare_int64(&alpha, 1) > 0)
        sc_ratio_set_int64(&alpha, 1);
    sc_certificate_flexible(out, &alpha, &zero, &zero,
                            "so few elements that a bar may lose more than tau of them");
    return SCRIM_OK;
}

static size_t answer_count(const scrim_measurement *m, size_t count)
{
    (void)m;
    return count + 1;
}

/* Drawing. */

static int64_t size_of(const sc_private_input *input)
{
    sc_int128 sum = 0;
    for (size_t i = 0; i < input->count; i++) {
        const int64_t x = input->values[i];
        sum += x < 0 ? 0 : x;
    }
    return sum > COUNT_MAX ? COUNT_MAX : (int64_t)sum;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    sc_stlap_sampler bars = {.is_ready = false};
    int64_t size = size_of(input);
    const sc_private_input sum = {.values = &size, .count = 1};
    out->count = 0;
    scrim_status status =
        sc_stlap_draw(bits, &state_of(m)->size, sc_stlap_dense, &sum, out, error);
    sc_wipe(&size, sizeof size);
    if (status == SCRIM_OK)
        status = sc_stlap_sampler_init(
            &bars, sc_measurement_get(m, "bar-epsilon"),
            sc_private_size_stlap_q(m, (uint64_t)out->values[0]), false, error);
    if (status == SCRIM_OK) {
        status = sc_stlap_draw(bits, &bars, sc_stlap_dense, input, out, error);
    } else {
        sc_wipe(out->values, sizeof *out->values);
        out->count = 0;
    }
    sc_stlap_sampler_clear(&bars);
    return status;
}

/* The law. */

/* All answers with this estimate, which has that mass. */
static scrim_status list_estimate(const scrim_measurement *m,
                                  const sc_private_input *input, int64_t estimate,
                                  const sc_ball *mass, long bits, sc_outcomes *out,
                                  scrim_error *error)
{
    sc_stlap_sampler sampler;
    sc_stlap_sampler_init_law(&sampler, sc_measurement_get(m, "bar-epsilon"),
                              sc_private_size_stlap_q(m, (uint64_t)estimate));
    const sc_outcomes_each each = {.values = input->values,
                                   .count = input->count,
                                   .list = sc_stlap_bar_law,
                                   .context = &sampler,
                                   .prefix = {&estimate, 1, mass}};
    const scrim_status status = sc_outcomes_of_each(&each, bits, out, error);
    sc_stlap_sampler_clear(&sampler);
    return status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    if (input->count >= SC_PAIR_VALUES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many bars to give the probability of each answer");
    sc_outcomes sizes;
    sc_outcomes_init(&sizes, 1);
    scrim_status status =
        sc_stlap_bar_law(&state_of(m)->size, size_of(input), bits + 64, &sizes, error);
    for (size_t i = 0; status == SCRIM_OK && i < sizes.count; i++)
        status =
            list_estimate(m, input, sizes.keys[i], &sizes.mass[i], bits + 64, out, error);
    sc_outcomes_clear(&sizes);
    return status;
}

/* One element more in the first of one, two or three bars of the same size. */

#define SIZES 5
#define BARS 3
#define SIZE_FAR 24

static size_t pair_count(const scrim_measurement *m)
{
    (void)m;
    return (size_t)SIZES * BARS;
}

/* Answers of three bars are many, so that their bars are smaller. */
static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const size_t bars = index % BARS + 1;
    const uint64_t q = sc_private_size_stlap_least(m);
    const int64_t far = bars == 1 ? SIZE_FAR : bars == 2 ? 8 : 3;
    const int64_t last = (int64_t)q + 2 < far ? (int64_t)q + 2 : far;
    out->x_count = out->y_count = bars;
    for (size_t i = 0; i < bars; i++) {
        out->x[i] = (int64_t)(index / BARS) * last / (SIZES - 1);
        out->y[i] = out->x[i] + (i == 0);
    }
}

const sc_mechanism sc_private_size_stlap = {
    .entry =
        {.name = "private-size-stlap",
         .parameters = "size-epsilon=R size-delta=R bar-epsilon=R bar-delta=R tau=R",
         .input = "counts",
         .claim = "(sum of epsilons, sum of deltas)-DP; none loses more than tau of "
                  "all",
         .does = "Lowers the count of each bar by at most a fraction of all "
                 "elements, where the number of elements is itself private. It "
                 "first estimates that number, at a cost of its own.",
         .example = "size-epsilon=1/2 size-delta=1e-6 bar-epsilon=1/2 bar-delta=1e-6 "
                    "tau=1/10 neighbours=add-remove",
         .example_input = "400\n3\n900\n",
         .reference =
             "Bansal, Chunduru, Data, Prabhakaran: Flexible Accuracy for Differential "
             "Privacy, 2022, Algorithm 1, with a private size: errata 12 and 13"},
    SC_MECHANISM_PARAMETERS,
    .answers_numbers = true,
    .clamps_itself = true,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = answer_count,
    .draw = draw,
    .width = answer_count,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};

uint64_t scrim_private_size_stlap_q(const scrim_measurement *m, uint64_t estimate)
{
    return m->mechanism == &sc_private_size_stlap ? sc_private_size_stlap_q(m, estimate)
                                                  : 0;
}
