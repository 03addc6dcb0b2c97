#include "mechanism/noise/laplace.h"

#include "model/domain.h"
#include "sampling/geometric.h"

static const sc_parameter_rule parameters[] = {
    SC_PARAMETER_SENSITIVITY, SC_PARAMETER_EPSILON, SC_PARAMETER_SCALE,
    SC_PARAMETER_GRID,        SC_PARAMETER_LOWER,   SC_PARAMETER_UPPER,
    SC_PARAMETER_SIZE,        SC_PARAMETER_WHOLE,   SC_PARAMETER_NEIGHBOURS,
};

scrim_status sc_laplace_scale_check(const scrim_measurement *m, const sc_ratio *scale,
                                    scrim_error *error)
{
    if (sc_additive_fits(scale, SC_SCALE_BITS))
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_LIMIT,
                   "%s: the scale in grid steps, sensitivity / (epsilon grid), is not "
                   "between 8.7e-19 and 1.1e18; choose another grid",
                   m->mechanism->entry.name);
}

/* scale = D / epsilon, or epsilon = D / scale: the one that was not given, in steps. */
scrim_status sc_laplace_scale(scrim_measurement *m, sc_additive *s, sc_ratio *scale,
                              scrim_error *error)
{
    const sc_ratio *given = sc_measurement_get(m, "epsilon");
    sc_additive_sensitivity_upper(m, SC_NORM_L1, &s->steps);
    if (given != NULL) {
        sc_ratio_set(&s->epsilon, given);
        sc_ratio_div(scale, &s->steps, given);
    } else {
        sc_grid_step(&m->domain.grid, scale);
        sc_ratio_div(scale, sc_measurement_get(m, "scale"), scale);
        sc_ratio_div(&s->epsilon, &s->steps, scale);
    }
    return sc_laplace_scale_check(m, scale, error);
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    static const char *const either[] = {"epsilon", "scale", NULL};
    static const sc_noise_kind kind = {.law = &sc_discrete_laplace_law,
                                       .blocks = {.sides = SC_SIDES_BOTH},
                                       .scale = sc_laplace_scale};
    scrim_status status = sc_measurement_one_of(m, either, error);
    return status == SCRIM_OK ? sc_additive_check(m, &kind, error) : status;
}

void sc_laplace_cost(const sc_additive *s, const sc_ratio *epsilon, sc_exact_cost *out)
{
    sc_cost_set_pure(out, epsilon);
    if (sc_additive_is_whole(s))
        sc_curve_set_laplace(&out->curve, &s->law.shape, s->shift);
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    const sc_additive *s = sc_additive_of(m);
    (void)error;
    sc_laplace_cost(s, &s->epsilon, out);
    out->curve.is_attained =
        out->curve.functions->pair == SC_CURVE_PAIR_LAPLACE && sc_additive_is_attained(m);
    return SCRIM_OK;
}

const sc_mechanism sc_laplace = {
    .entry = {.name = "laplace",
              .parameters = "sensitivity=R epsilon=R|scale=R [grid=R lower=R upper=R "
                            "size=N whole=yes]",
              .input = "numbers",
              .claim = "epsilon-DP, pure",
              .does = "Adds exact two-sided geometric noise (discrete Laplace) to each "
                      "number. Use it for one count or sum, or a few of them.",
              .example = "sensitivity=1 epsilon=1/10 neighbours=add-remove",
              .example_input = "1234\n",
              .reference = "Ghosh, Roughgarden, Sundararajan: Universally "
                           "Utility-Maximizing Privacy Mechanisms, 2009"},
    SC_ADDITIVE_MEMBERS,
    SC_ADDITIVE_MEMBERS_SHOWN,
    .certify = sc_additive_certify,
    .pair_count = sc_additive_pair_count,
    .pair = sc_additive_pair,
    .change = sc_additive_change_sum,
};
