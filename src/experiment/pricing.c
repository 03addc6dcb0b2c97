#include "mechanism/catalogue.h"
#include "model/measurement.h"
#include "sampling/law.h"
#include "scrim/worked.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BITS 128L
#define LEAST 1e-300 /* of a chance that is shown as more than 0 */
#define LARGEST 400  /* the largest price, in hundredths; the bound of all valuations */

/* In hundredths. */
static const int64_t prices[SCRIM_PRICING_PRICES] = {50,  100, 101, 150, 200,    250,
                                                     300, 301, 302, 350, LARGEST};
static const int64_t valuations[] = {100, 101, 301};
#define BUYERS (sizeof valuations / sizeof *valuations)
static const uint64_t crowds[SCRIM_PRICING_CROWDS] = {1, 10, 100, 1000};

static unsigned buyers_at(int64_t price)
{
    unsigned count = 0;
    for (size_t i = 0; i < BUYERS; i++)
        count += valuations[i] >= price;
    return count;
}

static scrim_status read_confidence(const char *text, double *beta, scrim_error *error)
{
    SC_OWN(sc_ratio, value);
    SC_OWN(sc_ball, ball);
    const scrim_status status = sc_ratio_parse(sc_text_of(text), &value, error);
    if (status != SCRIM_OK)
        return status;
    if (sc_ratio_sign(&value) <= 0 || sc_ratio_compare_int64(&value, 1) >= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "confidence",
                           "confidence must be above 0 and below 1");
    sc_ball_set_ratio(&ball, &value, BITS);
    *beta = 1 - sc_ball_upper(&ball);
    return SCRIM_OK;
}

/* The loss that is exceeded with probability beta at most: prices by their revenue, the worst first. */
static double loss_of(const int64_t scores[], const double chance[], double best,
                      double beta)
{
    double loss = best;
    for (size_t i = 0; i < SCRIM_PRICING_PRICES; i++) {
        const double candidate = best - (double)scores[i] / 100;
        double beyond = 0;
        for (size_t k = 0; k < SCRIM_PRICING_PRICES; k++)
            beyond += scores[k] < scores[i] ? chance[k] : 0;
        if (beyond <= beta && candidate < loss)
            loss = candidate;
    }
    return loss;
}

static scrim_status fill_crowd(const scrim_measurement *m, uint64_t times, double beta,
                               double epsilon, scrim_pricing_crowd *out,
                               scrim_error *error)
{
    int64_t scores[SCRIM_PRICING_PRICES];
    sc_outcomes law;
    *out = (scrim_pricing_crowd){.buyers = times * BUYERS};
    for (size_t i = 0; i < SCRIM_PRICING_PRICES; i++) {
        scores[i] = prices[i] * (int64_t)(buyers_at(prices[i]) * times);
        out->best = fmax(out->best, (double)scores[i] / 100);
    }
    sc_outcomes_init(&law, 1);
    const sc_private_input input = {.values = scores, .count = SCRIM_PRICING_PRICES};
    const scrim_status status = m->mechanism->law(m, &input, BITS, &law, error);
    for (size_t i = 0; status == SCRIM_OK && i < law.count; i++) {
        const size_t at = (size_t)law.keys[i];
        const double mass = sc_ball_upper(&law.mass[i]);
        out->chance[at] = mass < LEAST ? 0 : mass;
        out->expected += out->chance[at] * (double)scores[at] / 100;
        out->nothing += scores[at] == 0 ? out->chance[at] : 0;
    }
    sc_outcomes_clear(&law);
    out->loss_bound =
        (log(SCRIM_PRICING_PRICES) - log(beta)) * LARGEST / 100 / epsilon * (1 + 1e-12);
    out->loss = loss_of(scores, out->chance, out->best, beta);
    return status;
}

/* Noise of the same cost on the largest valuation, which one buyer can change by LARGEST. */
static double overstep(const sc_ratio *epsilon)
{
    sc_law noise;
    SC_OWN(sc_ratio, scale);
    SC_OWN(sc_ball, mass);
    sc_ratio_set_int64(&scale, LARGEST);
    sc_ratio_div(&scale, &scale, epsilon);
    sc_law_init(&noise, &sc_discrete_laplace_law, &scale, 0);
    sc_law_at_least(&noise, 1, BITS, &mass);
    sc_law_clear(&noise);
    return sc_ball_upper(&mass);
}

static scrim_status fill(const scrim_measurement *m, double beta, scrim_pricing *out,
                         scrim_error *error)
{
    const sc_ratio *epsilon = sc_measurement_get(m, "epsilon");
    scrim_status status = SCRIM_OK;
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, view);
    sc_ball_set_ratio(&view, epsilon, BITS);
    for (size_t i = 0; i < SCRIM_PRICING_PRICES; i++) {
        out->price[i] = (double)prices[i] / 100;
        out->buyers[i] = buyers_at(prices[i]);
        out->revenue[i] = (double)(prices[i] * (int64_t)out->buyers[i]) / 100;
    }
    for (size_t i = 0; i < SCRIM_PRICING_CROWDS && status == SCRIM_OK; i++)
        status =
            fill_crowd(m, crowds[i], beta, sc_ball_lower(&view), &out->crowd[i], error);
    out->overstep = overstep(epsilon);
    snprintf(out->text, sizeof out->text, "%s", scrim_measurement_text(m));
    return status;
}

scrim_status scrim_pricing_of(const char *epsilon, const char *confidence,
                              scrim_pricing *out, scrim_error *error)
{
    scrim_measurement *m = NULL;
    double beta = 0;
    const scrim_parameter list[] = {{"sensitivity", "4"},
                                    {"epsilon", epsilon},
                                    {"monotone", "yes"},
                                    {"grid", "0.01"},
                                    {"neighbours", "add-remove"}};
    scrim_status status = read_confidence(confidence, &beta, error);
    if (status == SCRIM_OK)
        status = scrim_measurement_new("exponential", list, sizeof list / sizeof *list,
                                       &m, error);
    if (status == SCRIM_OK)
        status = fill(m, beta, out, error);
    scrim_measurement_free(m);
    return status;
}
