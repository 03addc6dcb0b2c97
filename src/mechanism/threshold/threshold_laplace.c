#include "mechanism/threshold/threshold_laplace.h"

#include "base/memory.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/domain.h"
#include "scrim/threshold.h"

#define BITS 256
#define SCALE_BITS 59

static const sc_parameter_rule parameters[] = {
    SC_PARAMETER_SHOWN_EPSILON,
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
     .domain = "the least noisy count that is shown, an integer from 1 to 1.1e15",
     .instead = "delta"},
    SC_PARAMETER_MAX_GROUPS,
    SC_PARAMETER_MAX_ROWS,
    SC_RULE_COUNT(
        "max-total", "2^40",
        "what one unit adds to all groups together, an integer from 1 to 1099511627776"),
    SC_PARAMETER_WHOLE,
    SC_PARAMETER_NEIGHBOURS,
};

/* Making one. */

scrim_status sc_laplace_threshold_check(scrim_measurement *m, const sc_new_groups *own,
                                        uint64_t moved, scrim_error *error)
{
    sc_laplace_threshold *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    s->own = *own;
    sc_curve_init(&s->noise);
    sc_ball_init(&s->mass);
    SC_OWN(sc_ratio, scale);
    sc_ratio_set_int128(&scale, (sc_int128)moved);
    sc_ratio_div(&scale, &scale, sc_measurement_get(m, "epsilon"));
    sc_curve_set_laplace(&s->noise, &scale, moved);
    scrim_status status =
        sc_ratio_exponent(&scale) > SCALE_BITS
            ? sc_fail(
                  error, SCRIM_E_LIMIT,
                  "%s: the scale of the noise is above 5.7e17; choose a larger epsilon",
                  m->mechanism->entry.name)
            : sc_noisy_threshold_init(&s->shown, &sc_discrete_laplace_law, &scale, error);
    if (status == SCRIM_OK) {
        s->shown.threshold =
            sc_measurement_get(m, "delta") == NULL
                ? sc_measurement_integer(m, "threshold", SC_THRESHOLD_MAX)
                : sc_new_groups_threshold(own, &s->shown.noise,
                                          sc_measurement_get(m, "delta"));
        if (s->shown.threshold >= SC_THRESHOLD_MAX)
            status =
                sc_fail(error, SCRIM_E_LIMIT,
                        "%s: that epsilon and delta need a threshold of 1.1e18 units or "
                        "more; choose larger ones or fewer max-groups",
                        m->mechanism->entry.name);
    }
    if (status == SCRIM_OK) {
        sc_new_groups_mass(own, &s->shown.noise, s->shown.threshold, BITS, &s->mass);
        status = sc_unit_counts_domain(m, error);
    }
    return status;
}

scrim_status sc_laplace_threshold_check_mass(const scrim_measurement *m,
                                             scrim_error *error)
{
    const sc_laplace_threshold *s = m->state;
    SC_OWN(sc_ratio, delta);
    if (sc_cost_round_up_ball(&s->mass, &delta) && sc_ratio_compare_int64(&delta, 1) < 0)
        return SCRIM_OK;
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "threshold",
                       "%s: the delta of this threshold is 1; choose a larger one",
                       m->mechanism->entry.name);
}

/* Which two counts the audit looks at together: any two, or two that share the total. */
static void set_moves(const scrim_measurement *m, sc_laplace_threshold *s)
{
    const sc_new_groups *own = &s->own;
    const bool is_replace = sc_measurement_neighbours(m) == SCRIM_REPLACE;
    const uint64_t most = own->groups > 0 ? own->each : own->total;
    s->shown.moves.one = (int64_t)most;
    if (is_replace || own->groups > 1)
        s->shown.moves.two[0] = s->shown.moves.two[1] = (int64_t)most;
    else if (own->total > 1) {
        s->shown.moves.two[0] = 1;
        s->shown.moves.two[1] = (int64_t)own->total - 1;
    }
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    static const char *const least[] = {"delta", "threshold", NULL};
    const bool has_total = sc_measurement_get(m, "max-total") != NULL;
    const bool is_replace = sc_measurement_neighbours(m) == SCRIM_REPLACE;
    sc_new_groups own = {.total = (uint64_t)sc_measurement_integer(m, "max-total", 0)};
    SC_TRY(sc_measurement_one_of(m, least, error));
    if (has_total && (sc_measurement_get(m, "max-groups") != NULL ||
                      sc_measurement_get(m, "max-rows") != NULL))
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "max-total",
            "threshold-laplace: give max-total, or max-groups and max-rows");
    if (!has_total)
        own = (sc_new_groups){.groups = sc_unit_counts_groups(m),
                              .each = sc_unit_counts_rows(m)};
    scrim_status status = sc_laplace_threshold_check(
        m, &own, (is_replace ? 2 : 1) * sc_new_groups_moved(&own), error);
    if (status == SCRIM_OK)
        status = sc_laplace_threshold_check_mass(m, error);
    if (status == SCRIM_OK)
        set_moves(m, m->state);
    if (status == SCRIM_OK && has_total)
        sc_unit_counts_sum(m);
    return status;
}

void sc_laplace_threshold_discard(scrim_measurement *m)
{
    sc_laplace_threshold *s = m->state;
    if (s == NULL)
        return;
    sc_noisy_threshold_clear(&s->shown);
    sc_curve_clear(&s->noise);
    sc_ball_clear(&s->mass);
    sc_free(s);
}

/* The cost. */

static void curve_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                        sc_ball *out)
{
    const sc_laplace_threshold *s = curve->context;
    sc_noisy_threshold_delta(&s->noise, &s->mass, epsilon, bits, out);
}

static const sc_curve_functions curve_functions = {.name = "threshold-laplace",
                                                   .delta = curve_delta};

scrim_status sc_laplace_threshold_cost(const scrim_measurement *m, sc_exact_cost *out,
                                       scrim_error *error)
{
    const sc_laplace_threshold *s = m->state;
    (void)error;
    sc_noisy_threshold_cost(m, &s->mass, &curve_functions, out);
    return SCRIM_OK;
}

static void change(const scrim_measurement *m, sc_change *out)
{
    const bool has_total = sc_measurement_get(m, "max-total") != NULL;
    out->kind = has_total ? SC_CHANGE_SUM : SC_CHANGE_FEW;
    out->few = has_total ? 0 : sc_unit_counts_groups(m);
    sc_ratio_set_int64(&out->amount, has_total ? sc_measurement_integer(m, "max-total", 1)
                                               : (int64_t)sc_unit_counts_rows(m));
}

const sc_mechanism sc_threshold_laplace = {
    .entry = {.name = "threshold-laplace",
              .parameters =
                  "epsilon=R delta=R|threshold=N [max-groups=N max-rows=N|max-total=N "
                  "whole=yes]",
              .input = "counts",
              .claim = "(epsilon, delta)-DP; noisy counts from a threshold on",
              .does = "Adds discrete Laplace noise to the count of each group and "
                      "shows only counts at or above a threshold. Use it for groups "
                      "whose names are themselves private.",
              .example = "epsilon=1 delta=1e-6 neighbours=add-remove",
              .example_input = "40\n3\n900\n",
              .reference = "Korolova, Kenthapadi, Mishra, Ntoulas: Releasing Search "
                           "Queries and Clicks Privately, 2009; errata 150 to 154"},
    SC_MECHANISM_PARAMETERS,
    .answers_numbers = true,
    .check = check,
    .discard = sc_laplace_threshold_discard,
    .cost = sc_laplace_threshold_cost,
    SC_NOISY_THRESHOLD_MEMBERS,
    .certify = sc_noisy_threshold_certify,
    .change = change,
};
