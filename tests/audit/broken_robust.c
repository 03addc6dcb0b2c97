/* Robust release that charges what it is not: how close outputs are, in place of what the mechanism
 * costs; and a randomised query without its theta. */
#include "audit/broken.h"
#include "mechanism/noise/randomised_query.h"
#include "scrim/measurement.h"

/* The claim, epsilon, is that of robustness. */
static const sc_parameter_rule parameters[] = {BROKEN_PARAMETER("epsilon")};

#define WRAPPED "robust rho=1 epsilon=1 of laplace sensitivity=1 epsilon=1"

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    (void)m;
    scrim_measurement *wrapped = NULL;
    scrim_status status = scrim_measurement_parse_model(WRAPPED, &wrapped, error);
    if (status == SCRIM_OK)
        status = wrapped->mechanism->law(wrapped, input, bits, out, error);
    scrim_measurement_free(wrapped);
    return status;
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    out->neighbours = SCRIM_REPLACE;
    return broken_cost_pure(m, out, error);
}

static const sc_mechanism charged = {
    BROKEN_COMMON("robust-charged", parameters),
    .cost = cost,
    .law = law,
    .pair_count = broken_one_pair,
    .pair = broken_zero_and_one,
};

BROKEN(robustness_in_place_of_privacy, .wrong = "robustness, charged in place of privacy",
       .mechanism = &charged, .line = "epsilon=1/4", .kind = BROKEN_DELTA, .at = "1/4",
       .size = "0.17820955300278777", .claimed = "0",
       .source = "v:robust_charged, by direct summation")

static scrim_status cost_pure(const scrim_measurement *m, sc_exact_cost *out,
                              scrim_error *error)
{
    (void)error;
    sc_cost_set_pure(out, sc_measurement_get(m, "epsilon"));
    return SCRIM_OK;
}

static sc_mechanism no_theta;

__attribute__((constructor)) static void make_no_theta(void)
{
    no_theta = sc_randomised_query;
    no_theta.cost = cost_pure;
}

BROKEN(randomised_query_without_theta, .wrong = "a mass that is ignored at no cost",
       .mechanism = &no_theta,
       .line = "places=0,50,1,90 masses=9/10,1/10,9/10,1/10 sizes=2,2 epsilon=1 "
               "theta=1/10 neighbours=replace",
       .kind = BROKEN_DELTA, .at = "1", .size = "0.099999999699", .claimed = "0",
       .source = "spec/papers-additions.md 5.3, v:theta_sensitivity")
