#include "mechanism/histogram/emptiness.h"

#include "base/memory.h"
#include "mechanism/histogram/stlap.h"
#include "mechanism/histogram/stlap_noise.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/certificate.h"
#include "model/domain.h"
#include "model/outcomes.h"
#include "scrim/histogram.h"

static const sc_parameter_rule parameters[] = {
    SC_RULE_POSITIVE("epsilon", "2^-31", "1000",
                     "a rational above 0, from 4.7e-10 to 1000"),
    {.name = "certain",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "2",
     .limit_high = "2^31",
     .domain = "from how many elements on a set is always called full, an integer from 2 "
               "to 2147483648"},
    SC_PARAMETER_NEIGHBOURS,
};

typedef struct emptiness {
    sc_ratio epsilon; /* of the noise */
    uint64_t q;
    unsigned sides;
    sc_stlap_sampler sampler;
} emptiness;

static const emptiness *state_of(const scrim_measurement *m)
{
    return m->state;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    emptiness *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    sc_ratio_init(&s->epsilon);
    s->sides = sc_measurement_neighbours(m) == SCRIM_REPLACE ? 2 : 1;
    s->q = (uint64_t)sc_measurement_integer(m, "certain", 0) - 1;
    sc_ratio_set_int64(&s->epsilon, (int64_t)s->sides);
    sc_ratio_div(&s->epsilon, sc_measurement_get(m, "epsilon"), &s->epsilon);
    SC_TRY(sc_unit_counts_elements(m, error));
    return sc_stlap_sampler_init(&s->sampler, &s->epsilon, s->q, false, error);
}

static void discard(scrim_measurement *m)
{
    emptiness *s = m->state;
    if (s == NULL)
        return;
    sc_stlap_sampler_clear(&s->sampler);
    sc_ratio_clear(&s->epsilon);
    sc_free(s);
}

/* The curve is that of the histogram that is not shown, which is never below. */
static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    const emptiness *s = state_of(m);
    SC_OWN(sc_ball, mass);
    SC_OWN(sc_ratio, delta);
    sc_stlap_delta(&s->epsilon, s->q, 1, s->sides, SC_STLAP_BITS, &mass);
    const bool is_found = sc_cost_round_up_ball(&mass, &delta);
    sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"), &delta);
    sc_curve_set_shifted(&out->curve, &s->epsilon, s->q, s->sides == 2);
    return is_found ? SCRIM_OK : sc_fail(error, SCRIM_E_INTERNAL, "a mass is not finite");
}

void sc_emptiness_chance(const scrim_measurement *m, int64_t k, long bits, sc_ball *out)
{
    const sc_law *law = &state_of(m)->sampler.law;
    if (k > (int64_t)law->bound)
        sc_ball_set_int64(out, 1);
    else
        sc_law_at_least(law, 1 - (sc_int128)k, bits, out);
}

/* The size k from which a set is called full with probability 1 - beta: the quantile of -Z. */
static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    sc_int128 size = 0;
    (void)count;
    SC_OWN(sc_ratio, number);
    /* P(Z > -k) = P(Z <= k - 1 - q), the law being its own mirror image about -q/2. */
    sc_ratio_set_int64(&number, 1);
    sc_ratio_sub(&number, &number, beta);
    scrim_status status =
        sc_law_quantile(&state_of(m)->sampler.law, &number, &size, error);
    if (status == SCRIM_OK) {
        sc_ratio_set_int128(&number, size + 1 + (sc_int128)state_of(m)->q);
        sc_certificate_pac(out, &number, beta, "smaller sets, which may be called empty");
    }
    return status;
}

static scrim_status draw_part(sc_bits *bits, const sc_stlap_sampler *sampler,
                              const int64_t *x, size_t count, int64_t *y,
                              scrim_error *error)
{
    const scrim_status status = sc_stlap_dense(bits, sampler, x, count, y, error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        y[i] = y[i] > 0;
    return status;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    out->count = 0;
    return sc_stlap_draw(bits, &state_of(m)->sampler, draw_part, input, out, error);
}

/* The outcomes of a set of k elements: 0 and 1, where both are possible. */
static scrim_status list_set(const void *context, int64_t k, long bits, sc_outcomes *out,
                             scrim_error *error)
{
    const scrim_measurement *m = context;
    const int64_t answers[] = {0, 1};
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, mass);
    if (k <= (int64_t)state_of(m)->q) {
        if (k > 0)
            sc_stlap_sampler_at_most(&state_of(m)->sampler, -k, bits, &mass);
        else
            sc_ball_set_int64(&mass, 1);
        status = sc_outcomes_add(out, &answers[0], &mass, error);
    }
    if (status == SCRIM_OK && k > 0) {
        sc_emptiness_chance(m, k, bits, &mass);
        status = sc_outcomes_add(out, &answers[1], &mass, error);
    }
    return status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const sc_outcomes_each each = {
        .values = input->values, .count = input->count, .list = list_set, .context = m};
    if (input->count > SC_PAIR_VALUES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many sets to give the probability of each answer");
    return sc_outcomes_of_each(&each, bits + 64, out, error);
}

/* All sizes up to the one that is certainly found, or SIZES of them, evenly. Under replace
 * another set gets the element: it was empty, or as large, or the largest that is not certainly
 * found. */
#define SIZES 256
#define FORMS 3

static size_t pair_count(const scrim_measurement *m)
{
    const emptiness *s = state_of(m);
    const size_t sizes = s->q + 1 < SIZES ? (size_t)s->q + 1 : SIZES;
    return s->sides == 2 ? FORMS * sizes : sizes;
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const emptiness *s = state_of(m);
    const size_t forms = s->sides == 2 ? FORMS : 1, sizes = pair_count(m) / forms;
    const int64_t q = (int64_t)s->q, at = (int64_t)(index / forms);
    const int64_t k = sizes == 1 ? 0 : at * q / (int64_t)(sizes - 1);
    out->x_count = out->y_count = s->sides;
    out->x[0] = k;
    out->y[0] = k + 1;
    out->y[1] = index % forms == 0 ? 0 : index % forms == 1 ? k : q;
    out->x[1] = out->y[1] + 1;
}

const sc_mechanism sc_emptiness = {
    .entry = {.name = "emptiness",
              .parameters = "epsilon=R certain=N",
              .input = "counts",
              .claim = "(epsilon, delta)-DP; the least delta for sets that are certain",
              .does = "Says of each set whether it has any element; sets of a certain "
                      "size are always reported. No mechanism with that certainty has "
                      "a smaller delta.",
              .example = "epsilon=1 certain=30 neighbours=add-remove",
              .example_input = "40\n3\n0\n",
              .reference =
                  "Bansal, Chunduru, Data, Prabhakaran: Flexible Accuracy for "
                  "Differential Privacy, 2022, section 5.1, corrected: erratum 16"},
    SC_MECHANISM_PARAMETERS,
    .clamps_itself = true,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = sc_unit_counts_answers,
    .draw = draw,
    .width = sc_unit_counts_answers,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};
