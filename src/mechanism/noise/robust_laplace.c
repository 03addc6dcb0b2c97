#include "mechanism/noise/robust_laplace.h"

#include "mechanism/noise/laplace.h"
#include "model/domain.h"

static const sc_parameter_rule parameters[] = {
    SC_RULE_POSITIVE("rho", "2^-60", "2^60",
                     "a rational above 0, from 8.7e-19 to 1.1e18"),
    SC_RULE_POSITIVE("epsilon", "2^-60", "1000",
                     "a rational above 0, from 8.7e-19 to 1000"),
    {.name = "theta",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .at_least = "0",
     .below = "1",
     .domain = "a rational of at least 0 and below 1"},
    SC_PARAMETER_GRID,
    SC_PARAMETER_NEIGHBOURS,
};

/* R = ceil(rho/step), and the scale R / epsilon. */
static scrim_status set_scale(scrim_measurement *m, sc_additive *s, sc_ratio *scale,
                              scrim_error *error)
{
    m->domain.count_max = 1; /* rho is the distance of two laws of one number */
    SC_OWN(sc_integer, steps);
    sc_grid_sensitivity_upper(&m->domain.grid, sc_measurement_get(m, "rho"), &steps);
    sc_ratio_set_integer(&s->steps, &steps);
    sc_ratio_div(scale, &s->steps, sc_measurement_get(m, "epsilon"));
    return sc_laplace_scale_check(m, scale, error);
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    static const sc_noise_kind kind = {.law = &sc_discrete_laplace_law,
                                       .blocks = {.sides = SC_SIDES_BOTH},
                                       .scale = set_scale};
    return sc_additive_check(m, &kind, error);
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    const sc_ratio *epsilon = sc_measurement_get(m, "epsilon");
    const sc_ratio *theta = sc_measurement_get(m, "theta");
    (void)error;
    if (theta != NULL && sc_ratio_sign(theta) > 0)
        sc_cost_set_approximate(out, epsilon, theta);
    else
        sc_laplace_cost(sc_additive_of(m), epsilon, out);
    return SCRIM_OK;
}

static void change(const scrim_measurement *m, sc_change *out)
{
    out->kind = SC_CHANGE_SUM;
    sc_ratio_set(&out->amount, sc_measurement_get(m, "rho"));
}

const sc_mechanism sc_robust_laplace = {
    .entry = {.name = "robust-laplace",
              .parameters = "rho=R epsilon=R [theta=R grid=R]",
              .input = "numbers",
              .claim = "(epsilon, theta)-DP for a random number whose distributions on "
                       "neighbours are within rho, ignoring a mass of theta",
              .does = "Adds discrete Laplace noise to a number that was itself drawn "
                      "at random. The guarantee holds for inputs whose distributions "
                      "are within rho of each other, ignoring a mass of theta.",
              .example = "rho=2 epsilon=1 neighbours=replace",
              .example_input = "1234\n",
              .reference = "Extending the Foundations of Differential Privacy: "
                           "Robustness and Flexibility (anonymous draft), Mechanisms 1 "
                           "to 3, corrected: errata 2 to 5"},
    SC_ADDITIVE_MEMBERS,
    SC_ADDITIVE_MEMBERS_SHOWN,
    .certify = sc_additive_certify,
    .pair_count = sc_additive_pair_count,
    .pair = sc_additive_pair,
    .change = change,
};
