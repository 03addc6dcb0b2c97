#include "mechanism/threshold/stabilise.h"

#include "base/memory.h"
#include "mechanism/threshold/threshold_laplace.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/certificate.h"
#include "model/neighbours.h"
#include "model/outcomes_product.h"
#include "scrim/threshold.h"

static const sc_parameter_rule parameters[] = {
    SC_RULE_COUNT(
        "sensitivity", "2^40",
        "the change of all utilities together, an integer from 1 to 1099511627776"),
    SC_RULE_POSITIVE("epsilon", "2^-20", "1000",
                     "a rational above 0, from 9.6e-7 to 1000"),
    SC_PARAMETER_SHOWN_DELTA,
    SC_RULE_COUNT(
        "max-groups", "2^20",
        "the keys that are there by one unit alone, an integer from 1 to 1048576"),
    SC_RULE_COUNT("largest", "2^40",
                  "the utility of such a key, an integer from 1 to 1099511627776"),
    SC_PARAMETER_WHOLE,
    SC_PARAMETER_NEIGHBOURS,
};

/* Two keys share the sum, where both may be there by one unit alone. */
static void set_moves(const sc_new_groups *own, int64_t sum, sc_threshold_moves *out)
{
    const int64_t most = (int64_t)(own->groups > 0 ? own->each : own->total);
    *out = (sc_threshold_moves){.one = most};
    if (sum > 1 && own->groups != 1) {
        out->two[0] = 1;
        out->two[1] = sum - 1 < most ? sum - 1 : most;
    }
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    const int64_t sum = sc_measurement_integer(m, "sensitivity", 1);
    const int64_t largest = sc_measurement_integer(m, "largest", sum);
    sc_new_groups own = {.total = (uint64_t)sum};
    if (sc_measurement_get(m, "largest") != NULL &&
        sc_measurement_get(m, "max-groups") == NULL)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "max-groups",
            "stabilise: largest is that of max-groups=... keys; give both");
    if (largest > sum)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "largest",
            "stabilise: largest must be at most the sensitivity, which is %lld",
            (long long)sum);
    if (sc_measurement_get(m, "max-groups") != NULL)
        own = (sc_new_groups){.groups = sc_unit_counts_groups(m),
                              .each = (uint64_t)largest};
    scrim_status status = sc_laplace_threshold_check(m, &own, (uint64_t)sum, error);
    if (status == SCRIM_OK) {
        sc_laplace_threshold *s = m->state;
        set_moves(&own, sum, &s->shown.moves);
        sc_unit_counts_sum(m);
    }
    return status;
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    sc_int128 utility = 0;
    (void)count;
    SC_OWN(sc_ratio, number);
    sc_ratio_set_int64(&number, 1);
    sc_ratio_sub(&number, &number, beta);
    scrim_status status = sc_noisy_threshold_units(m, &number, &utility, error);
    if (status == SCRIM_OK) {
        sc_ratio_set_int128(&number, utility);
        sc_certificate_pac(out, &number, beta,
                           "keys of less utility, which may be left out");
    }
    return status;
}

/* Drawing: as counts are, without the counts. */

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    scrim_status status = sc_noisy_threshold_draw(m, bits, input, out, error);
    for (size_t i = 0; status == SCRIM_OK && i < out->count; i++) {
        out->values[i] = out->marks[i] == SC_MARK_ABOVE_VALUE;
        out->marks[i] = SC_MARK_VALUE;
    }
    return status;
}

static scrim_status list_key(const void *context, int64_t utility, long bits,
                             sc_outcomes *out, scrim_error *error)
{
    const sc_noisy_threshold *s = context;
    const int64_t answers[2] = {0, 1};
    SC_OWN(sc_ball, mass);
    sc_ball_set_int64(&mass, 1);
    if (utility > 0)
        sc_law_at_most(&s->noise, (sc_int128)s->threshold - 1 - utility, bits, &mass);
    scrim_status status = sc_outcomes_add(out, &answers[0], &mass, error);
    sc_law_at_least(&s->noise, (sc_int128)s->threshold - utility, bits, &mass);
    if (status == SCRIM_OK && utility > 0)
        status = sc_outcomes_add(out, &answers[1], &mass, error);
    return status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    if (input->count > SC_PAIR_VALUES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many keys to give the probability of each answer");
    const sc_outcomes_each each = {.values = input->values,
                                   .count = input->count,
                                   .list = list_key,
                                   .context = sc_noisy_threshold_of(m)};
    return sc_outcomes_of_each(&each, bits + 64, out, error);
}

static void change(const scrim_measurement *m, sc_change *out)
{
    out->kind = SC_CHANGE_SUM;
    sc_ratio_set_int64(&out->amount, sc_measurement_integer(m, "sensitivity", 1));
}

const sc_mechanism sc_stabilise = {
    .entry = {.name = "stabilise",
              .parameters =
                  "sensitivity=N epsilon=R delta=R [max-groups=N largest=N whole=yes]",
              .input = "counts",
              .claim = "(epsilon, delta)-DP; keys that have utility enough to be used",
              .reference = "Wu, Wu, Zeng, Naughton: Suppression Strikes Back: On the "
                           "Interaction of Thresholding and Differential Privacy, "
                           "section 5.1, corrected: errata 155 to 158"},
    SC_MECHANISM_PARAMETERS,
    .check = check,
    .discard = sc_laplace_threshold_discard,
    .cost = sc_laplace_threshold_cost,
    .certify = certify,
    .answer_count = sc_unit_counts_answers,
    .draw = draw,
    .width = sc_unit_counts_answers,
    .law = law,
    .pair_count = sc_noisy_threshold_pair_count,
    .pair = sc_noisy_threshold_pair,
    .change = change,
};

scrim_status scrim_stabilised_cost(const scrim_measurement *keys,
                                   const scrim_measurement *mechanism, scrim_cost *out,
                                   scrim_error *error)
{
    sc_exact_cost sum;
    if (keys->mechanism != &sc_stabilise)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "mechanism",
                           "%s does not stabilise a universe",
                           keys->mechanism->entry.name);
    if (!mechanism->cost.has_epsilon)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "epsilon",
            "the mechanism on the kept keys has no epsilon; give it epsilon and delta");
    if (mechanism->cost.neighbours != keys->cost.neighbours)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "neighbours",
                           "both parts must hold for the same neighbours");
    sc_cost_init(&sum);
    sc_ratio_add(&sum.epsilon, &keys->cost.epsilon, &mechanism->cost.epsilon);
    sc_ratio_add(&sum.delta, &keys->cost.delta, &mechanism->cost.delta);
    sc_cost_round_up(&sum.epsilon, &sum.epsilon);
    sc_cost_round_up(&sum.delta, &sum.delta);
    sum.has_epsilon = true;
    sum.neighbours = keys->cost.neighbours;
    scrim_status status = sc_ratio_compare_int64(&sum.delta, 1) < 0
                              ? SCRIM_OK
                              : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE,
                                            "delta", "the deltas of both parts reach 1");
    if (status == SCRIM_OK)
        sc_cost_format(&sum, out);
    sc_cost_clear(&sum);
    return status;
}
