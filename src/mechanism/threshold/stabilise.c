#include "mechanism/threshold/stabilise.h"

#include "base/memory.h"
#include "mechanism/threshold/threshold_laplace.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/certificate.h"
#include "model/domain.h"
#include "model/outcomes.h"

const sc_parameter_rule sc_stabilise_parameters[SC_STABILISE_PARAMETERS] = {
    SC_RULE_COUNT(
        "sensitivity", "2^40",
        "the change of all utilities together, an integer from 1 to 1099511627776"),
    SC_RULE_POSITIVE("epsilon", "2^-20", "1000",
                     "a rational above 0, from 9.6e-7 to 1000"),
    {.name = "delta",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .above = "0",
     .below = "1",
     .limit_low = "2^-160",
     .domain = "a rational above 0 and below 1, from 6.9e-49 on",
     .instead = "threshold"},
    {.name = "threshold",
     .kind = SC_PARAMETER_INTEGER,
     .optional = true,
     .at_least = "1",
     .limit_high = "2^50",
     .domain = "the least noisy utility of a kept key, an integer from 1 to 1.1e15",
     .instead = "delta"},
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

/* By a threshold in place of a delta: the delta is what that leaves. */
static scrim_status check_mass(const scrim_measurement *m, scrim_error *error)
{
    const sc_laplace_threshold *s = m->state;
    SC_OWN(sc_ratio, delta);
    if (sc_cost_round_up_ball(&s->mass, &delta) && sc_ratio_compare_int64(&delta, 1) < 0)
        return SCRIM_OK;
    return sc_fail_for(
        error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "threshold",
        "stabilise: the delta of this threshold is 1; choose a larger one");
}

scrim_status sc_stabilise_check(scrim_measurement *m, scrim_error *error)
{
    static const char *const least[] = {"delta", "threshold", NULL};
    const int64_t sum = sc_measurement_integer(m, "sensitivity", 1);
    const int64_t largest = sc_measurement_integer(m, "largest", sum);
    sc_new_groups own = {.total = (uint64_t)sum};
    scrim_status status = sc_measurement_one_of(m, least, error);
    if (status != SCRIM_OK)
        return status;
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
    status = sc_laplace_threshold_check(m, &own, (uint64_t)sum, error);
    if (status == SCRIM_OK)
        status = check_mass(m, error);
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
    SC_TRY(sc_noisy_threshold_units(m, &number, &utility, error));
    sc_ratio_set_int128(&number, utility);
    sc_certificate_pac(out, &number, beta, "keys of less utility, which may be left out");
    return SCRIM_OK;
}

/* Drawing: as counts are, without the counts. */

scrim_status sc_stabilise_draw(const scrim_measurement *m, sc_bits *bits,
                               const sc_private_input *input, sc_draw *out,
                               scrim_error *error)
{
    scrim_status status = sc_noisy_threshold_draw(m, bits, input, out, error);
    for (size_t i = 0; status == SCRIM_OK && i < out->count; i++) {
        out->values[i] = out->marks[i] == SC_MARK_ABOVE_VALUE;
        out->marks[i] = SC_MARK_VALUE;
    }
    return status;
}

void sc_stabilise_mass(const scrim_measurement *m, int64_t utility, bool is_kept,
                       long bits, sc_ball *out)
{
    const sc_noisy_threshold *s = sc_noisy_threshold_of(m);
    if (utility <= 0)
        sc_ball_set_int64(out, !is_kept);
    else if (is_kept)
        sc_law_at_least(&s->noise, (sc_int128)s->threshold - utility, bits, out);
    else
        sc_law_at_most(&s->noise, (sc_int128)s->threshold - 1 - utility, bits, out);
}

static scrim_status list_key(const void *context, int64_t utility, long bits,
                             sc_outcomes *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, mass);
    const int64_t last = utility > 0 ? 1 : 0;
    for (int64_t answer = 0; status == SCRIM_OK && answer <= last; answer++) {
        sc_stabilise_mass(context, utility, answer == 1, bits, &mass);
        status = sc_outcomes_add(out, &answer, &mass, error);
    }
    return status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    if (input->count > SC_PAIR_VALUES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many keys to give the probability of each answer");
    const sc_outcomes_each each = {
        .values = input->values, .count = input->count, .list = list_key, .context = m};
    return sc_outcomes_of_each(&each, bits + 64, out, error);
}

void sc_stabilise_change(const scrim_measurement *m, sc_change *out)
{
    out->kind = SC_CHANGE_SUM;
    sc_ratio_set_int64(&out->amount, sc_measurement_integer(m, "sensitivity", 1));
    out->few = (uint64_t)sc_measurement_integer(m, "max-groups", 0);
    out->most = sc_measurement_integer(m, "largest", 0);
}

const sc_mechanism sc_stabilise = {
    .entry = {.name = "stabilise",
              .parameters =
                  "sensitivity=N epsilon=R delta=R|threshold=N [max-groups=N largest=N "
                  "whole=yes] [then MECHANISM ...]",
              .input = "counts",
              .claim = "(epsilon, delta)-DP; keys that have utility enough to be used",
              .reference = "Wu, Wu, Zeng, Naughton: Suppression Strikes Back: On the "
                           "Interaction of Thresholding and Differential Privacy, "
                           "section 5.1, corrected: errata 155 to 158"},
    .parameters = sc_stabilise_parameters,
    .parameter_count = SC_STABILISE_PARAMETERS,
    .followed = sc_stabilised_by,
    .check = sc_stabilise_check,
    .discard = sc_laplace_threshold_discard,
    .cost = sc_laplace_threshold_cost,
    .certify = certify,
    .is_kept = sc_unit_counts_is_one,
    .answer_count = sc_unit_counts_answers,
    .draw = sc_stabilise_draw,
    .width = sc_unit_counts_answers,
    .law = law,
    .pair_count = sc_noisy_threshold_pair_count,
    .pair = sc_noisy_threshold_pair,
    .change = sc_stabilise_change,
};
