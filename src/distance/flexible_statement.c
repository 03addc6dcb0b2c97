/* The public face of the calculators: texts in, texts out. */
#include "base/memory.h"
#include "base/number/decimal.h"
#include "distance/flexible.h"
#include "distance/robust_release.h"
#include "model/cost.h"
#include "model/measurement.h"
#include "scrim/accuracy.h"

#include <string.h>

#define BITS 256
#define DIGITS 20

static scrim_status read_number(const char *name, const char *text, sc_ratio *out,
                                scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    const sc_text given = sc_text_of(text);
    const scrim_status status = sc_ratio_parse(given, out, error);
    if (status == SCRIM_OK || status == SCRIM_E_LIMIT)
        return status;
    return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, name,
                             "'%s' is not a number", sc_text_quote(given, quote));
}

static scrim_status read_flexible(const scrim_flexible *from, sc_flexible_claim *out,
                                  scrim_error *error)
{
    if (!sc_distortion_parse(sc_text_of(from->distortion), &out->distortion))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "distortion",
                                 "use drop, move or drop-move");
    out->metric = from->metric;
    out->is_average = from->is_average != 0;
    out->is_count = from->is_count != 0;
    out->is_beta_unbounded = from->beta[0] == '\0';
    scrim_status status = read_number("alpha", from->alpha, &out->alpha, error);
    if (status == SCRIM_OK && !out->is_beta_unbounded)
        status = read_number("beta", from->beta, &out->beta, error);
    if (status == SCRIM_OK)
        status = read_number("gamma", from->gamma, &out->gamma, error);
    if (status == SCRIM_OK && from->eta[0] != '\0')
        status = read_number("eta", from->eta, &out->eta, error);
    return status == SCRIM_OK ? sc_flexible_check(out, error) : status;
}

static void show_flexible(const sc_flexible_claim *from, scrim_flexible *out)
{
    memset(out, 0, sizeof *out);
    sc_cost_put_upper(&from->alpha, out->alpha);
    if (!from->is_beta_unbounded)
        sc_cost_put_upper(&from->beta, out->beta);
    sc_cost_put_upper(&from->gamma, out->gamma);
    if (from->distortion == SC_DISTORTION_DROP_MOVE)
        sc_cost_put_upper(&from->eta, out->eta);
    out->distortion = sc_distortion_name(from->distortion);
    out->metric = from->metric;
    out->is_average = from->is_average;
    out->is_count = from->is_count;
}

static bool multiply(const void *context, const sc_ratio *at, sc_ratio *out)
{
    sc_ratio_mul(out, at, context);
    return true;
}

/* factor is the caller's, and lives as long as the modulus. */
static scrim_status read_growth(const char *text, sc_ratio *factor, sc_modulus *out,
                                scrim_error *error)
{
    const sc_text word = sc_text_of(text);
    scrim_status status = SCRIM_OK;
    *out = sc_text_is(word, "unbounded") ? sc_modulus_unbounded : sc_modulus_same;
    if (sc_text_is(word, "same") || sc_text_is(word, "unbounded"))
        return SCRIM_OK;
    status = read_number("growth", text, factor, error);
    if (status == SCRIM_OK && sc_ratio_sign(factor) < 0)
        status = sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "growth",
                                   "use same, unbounded or a number of at least 0");
    *out = (sc_modulus){.bound = multiply, .context = factor, .is_linear = true};
    return status;
}

scrim_status scrim_flexible_apply(const scrim_flexible *first, const char *input_metric,
                                  const char *growth, const char *output_metric,
                                  scrim_flexible *out, scrim_error *error)
{
    SC_REQUIRE(error, "first out", first, out);
    sc_flexible_claim statement;
    sc_modulus modulus;
    sc_flexible_init(&statement);
    SC_OWN(sc_ratio, factor);
    scrim_status status = read_flexible(first, &statement, error);
    if (status == SCRIM_OK)
        status = read_growth(growth, &factor, &modulus, error);
    if (status == SCRIM_OK)
        status = sc_flexible_apply(
            &statement, &(sc_flexible_statistic){input_metric, output_metric, &modulus},
            &statement, error);
    if (status == SCRIM_OK)
        show_flexible(&statement, out);
    sc_flexible_clear(&statement);
    return status;
}

scrim_status scrim_flexible_distort(const scrim_flexible *first, const char *eta,
                                    const char *output_metric, scrim_flexible *out,
                                    scrim_error *error)
{
    SC_REQUIRE(error, "first out", first, out);
    sc_flexible_claim statement;
    sc_flexible_init(&statement);
    SC_OWN(sc_ratio, price);
    scrim_status status = read_flexible(first, &statement, error);
    if (status == SCRIM_OK)
        status = read_number("eta", eta, &price, error);
    if (status == SCRIM_OK)
        status =
            sc_flexible_distort(&statement, &price, output_metric, &statement, error);
    if (status == SCRIM_OK)
        show_flexible(&statement, out);
    sc_flexible_clear(&statement);
    return status;
}

scrim_status scrim_flexible_then(const scrim_flexible *first,
                                 const scrim_flexible *second, const char *input_metric,
                                 const char *growth, scrim_flexible *out,
                                 scrim_error *error)
{
    SC_REQUIRE(error, "first second out", first, second, out);
    sc_flexible_claim one, two;
    sc_modulus modulus;
    sc_flexible_init(&one);
    sc_flexible_init(&two);
    SC_OWN(sc_ratio, factor);
    scrim_status status = read_flexible(first, &one, error);
    if (status == SCRIM_OK)
        status = read_flexible(second, &two, error);
    if (status == SCRIM_OK)
        status = read_growth(growth, &factor, &modulus, error);
    if (status == SCRIM_OK)
        status = sc_flexible_then(&one,
                                  &(sc_flexible_stage){.second = &two,
                                                       .input_metric = input_metric,
                                                       .growth = &modulus,
                                                       .sigma = &sc_modulus_same,
                                                       .sigma_from = one.distortion,
                                                       .sigma_to = one.distortion},
                                  &one, error);
    if (status == SCRIM_OK)
        show_flexible(&one, out);
    sc_flexible_clear(&two);
    sc_flexible_clear(&one);
    return status;
}

/* The law of the mechanism on the input, as the audit asks for it. */
static scrim_status list_law(const scrim_measurement *m, const int64_t *input,
                             size_t count, sc_outcomes *out, scrim_error *error)
{
    const sc_private_input given = {.values = input, .count = count};
    if (m->mechanism->law == NULL || m->mechanism->width(m, count) != 1)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "measurement",
            "%s has no listed distribution of one number for such an input",
            m->mechanism->entry.name);
    sc_outcomes_init(out, 1);
    const scrim_status status = m->mechanism->law(m, &given, BITS, out, error);
    if (status != SCRIM_OK)
        sc_outcomes_clear(out);
    return status;
}

static scrim_status list_reachable(const int64_t *reachable, size_t count, sc_masses *out,
                                   scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        status = sc_masses_add(out, reachable[i], 1, error);
    sc_masses_sort(out);
    return status;
}

/* steps are in steps of the mechanism's grid, the texts in the unit of its input. */

static void show_span(const sc_distance *steps, const sc_ratio *step,
                      char text[SCRIM_NUMBER_BYTES])
{
    SC_OWN(sc_ratio, value);
    sc_ratio_set_int128(&value, steps->value);
    sc_ratio_mul(&value, &value, step);
    sc_cost_put_upper(&value, text);
    if (steps->is_infinite)
        memcpy(text, "inf", sizeof "inf");
}

/* Rounded up to nine decimals of a step. */
static void show_average(const sc_ball *steps, const sc_ratio *step,
                         char text[SCRIM_NUMBER_BYTES])
{
    const int64_t parts = 1000000000;
    SC_OWN(sc_ball, scaled);
    SC_OWN(sc_ratio, value, whole);
    sc_ball_mul_int64(&scaled, steps, parts, BITS);
    if (!sc_ball_is_finite(steps) || !sc_ball_round_up(&scaled, 0, &value)) {
        memcpy(text, "inf", sizeof "inf");
        return;
    }
    sc_ratio_set_int64(&whole, parts);
    sc_ratio_div(&value, &value, &whole);
    sc_ratio_mul(&value, &value, step);
    sc_cost_put_upper(&value, text);
}

/* A mechanism on one input, and the values that count as right, in steps of its grid. */
typedef struct evaluated {
    const scrim_measurement *measurement;
    const int64_t *input, *reachable;
    size_t input_count, reachable_count;
    const char *gamma;
    bool is_average;
} evaluated;

/* An upper bound of the mean of err^2 for one number with noise z of its own: err is at most |z| + c, where c is how
 * far the number is from what can be reached, and its square at most 2 z^2 + 2 c^2. False for other mechanisms. */
static bool bound_square(const evaluated *e, const sc_masses *values, sc_ball *out)
{
    const sc_mechanism *mechanism = e->measurement->mechanism;
    const sc_law *noise =
        mechanism->noise == NULL || mechanism->law_is_folded || e->input_count != 1
            ? NULL
            : mechanism->noise(e->measurement);
    if (noise == NULL || values->count == 0)
        return false;
    SC_OWN(sc_ball, mean, away);
    sc_law_variance(noise, BITS, out);
    sc_law_mean(noise, BITS, &mean);
    sc_ball_mul(&mean, &mean, &mean, BITS);
    sc_ball_add(out, out, &mean, BITS);
    sc_ball_set_int128(&away, (sc_int128)values->list[0].place -
                                  sc_domain_clamp(&e->measurement->domain, e->input[0]));
    sc_ball_mul(&away, &away, &away, BITS);
    sc_ball_add(out, out, &away, BITS);
    sc_ball_mul_int64(out, out, 2, BITS);
    return true;
}

/* In the unit of step. */
static scrim_status evaluate(const evaluated *e, const sc_ratio *step,
                             char beta[SCRIM_NUMBER_BYTES], scrim_error *error)
{
    sc_outcomes law;
    sc_masses values;
    sc_evaluation found;
    sc_ball_scope scope;
    sc_masses_init(&values);
    SC_OWN(sc_ratio, loss);
    SC_OWN(sc_ball, square);
    sc_evaluation_init(&found);
    scrim_status status = read_number("gamma", e->gamma, &loss, error);
    if (status == SCRIM_OK)
        status = list_reachable(e->reachable, e->reachable_count, &values, error);
    if (status == SCRIM_OK) {
        sc_ball_enter(&scope);
        status = list_law(e->measurement, e->input, e->input_count, &law, error);
        if (status == SCRIM_OK) {
            status = sc_evaluate(&law, &values, &loss,
                                 bound_square(e, &values, &square) ? &square : NULL, BITS,
                                 &found, error);
            sc_outcomes_clear(&law);
        }
        sc_ball_leave(&scope);
    }
    if (status == SCRIM_OK && e->is_average)
        show_average(&found.average, step, beta);
    else if (status == SCRIM_OK)
        show_span(&found.beta, step, beta);
    sc_evaluation_clear(&found);
    sc_masses_clear(&values);
    return status;
}

/* The upper end of a ball as a decimal, or "inf". */
static void show_upper(const sc_ball *ball, char text[SCRIM_NUMBER_BYTES])
{
    SC_OWN(sc_ratio, value);
    if (sc_cost_round_up_ball(ball, &value))
        sc_decimal_upper(&value, DIGITS, text);
    else
        memcpy(text, "inf", sizeof "inf");
}

static scrim_status find_bounds(const sc_ratio *rho, const sc_ratio *epsilon,
                                const sc_ratio *gamma, scrim_robust_bounds *out,
                                scrim_error *error)
{
    scrim_robust_bounds found = {.average = ""};
    SC_OWN(sc_ratio, scale);
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, ball);
    sc_ratio_div(&scale, rho, epsilon);
    SC_TRY(sc_robust_mean(&scale, gamma, BITS, &ball, error));
    show_upper(&ball, found.average);
    SC_TRY(sc_robust_radius(&scale, gamma, BITS, &ball, error));
    show_upper(&ball, found.worst);
    sc_robust_output_epsilon(epsilon, BITS, &ball);
    show_upper(&ball, found.output_epsilon);
    *out = found;
    return SCRIM_OK;
}

scrim_status scrim_robust_bounds_of(const char *rho, const char *epsilon,
                                    const char *gamma, scrim_robust_bounds *out,
                                    scrim_error *error)
{
    SC_REQUIRE(error, "out", out);
    SC_OWN(sc_ratio, r, e, g);
    scrim_status status = read_number("rho", rho, &r, error);
    if (status == SCRIM_OK)
        status = read_number("epsilon", epsilon, &e, error);
    if (status == SCRIM_OK)
        status = read_number("gamma", gamma, &g, error);
    if (status == SCRIM_OK && (sc_ratio_sign(&r) <= 0 || sc_ratio_sign(&e) <= 0))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "",
                             "rho and epsilon are above 0");
    if (status == SCRIM_OK)
        status = find_bounds(&r, &e, &g, out, error);
    return status;
}

/* Whatever has both rho and theta adds that noise. */
scrim_status scrim_measurement_robustness(const scrim_measurement *m,
                                          scrim_robustness *out, scrim_error *error)
{
    SC_REQUIRE(error, "measurement out", m, out);
    const sc_ratio *epsilon = sc_measurement_get(m, "epsilon");
    const sc_ratio *theta = sc_measurement_get(m, "theta");
    if (!sc_measurement_has(m, "theta") || !sc_measurement_has(m, "rho") ||
        epsilon == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "measurement",
                           "%s states no robustness", m->mechanism->entry.name);
    scrim_robustness found = {.theta = "0"};
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, ball);
    sc_cost_put_upper(sc_measurement_get(m, "rho"), found.rho);
    sc_cost_put_upper(epsilon, found.epsilon);
    if (theta != NULL)
        sc_cost_put_upper(theta, found.theta);
    sc_robust_output_epsilon(epsilon, BITS, &ball);
    show_upper(&ball, found.output_epsilon);
    *out = found;
    return SCRIM_OK;
}

/* The larger of two exact distances stays in most. */
static void take_larger(scrim_distance *most, sc_ratio *value,
                        const scrim_distance *found)
{
    SC_OWN(sc_ratio, other);
    const bool is_number =
        !found->is_infinite &&
        sc_ratio_parse(sc_text_of(found->exact), &other, NULL) == SCRIM_OK;
    if (!most->is_infinite && (!is_number || sc_ratio_compare(&other, value) > 0)) {
        *most = *found;
        sc_ratio_set(value, &other);
    }
}

scrim_status scrim_theta_sensitivity(const scrim_law_list *laws, size_t law_count,
                                     const scrim_law_pair *pairs, size_t pair_count,
                                     const char *theta, scrim_distance *out,
                                     scrim_error *error)
{
    SC_REQUIRE(error, "out", out);
    scrim_distance most = {.exact = "0", .decimal = "0"}, found;
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, value);
    for (size_t i = 0; status == SCRIM_OK && i < pair_count; i++) {
        const size_t a = pairs[i].first, b = pairs[i].second;
        if (a >= law_count || b >= law_count) {
            status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "pairs",
                                 "pair %zu: there are %zu laws", i + 1, law_count);
            break;
        }
        status = scrim_distance_between(
            "wasserstein", laws[a].places, laws[a].count, laws[b].places, laws[b].count,
            &(scrim_distance_options){.size = sizeof(scrim_distance_options),
                                      .loss = theta},
            &found, error);
        if (status == SCRIM_OK)
            take_larger(&most, &value, &found);
    }
    if (status == SCRIM_OK)
        *out = most;
    return status;
}

static scrim_status evaluate_steps(const evaluated *e, char beta[SCRIM_NUMBER_BYTES],
                                   scrim_error *error)
{
    SC_OWN(sc_ratio, one);
    sc_ratio_set_int64(&one, 1);
    return evaluate(e, &one, beta, error);
}

scrim_status scrim_flexible_evaluate(const scrim_measurement *measurement,
                                     const int64_t *input, size_t input_count,
                                     const int64_t *reachable, size_t reachable_count,
                                     const char *gamma, char beta[SCRIM_NUMBER_BYTES],
                                     scrim_error *error)
{
    SC_REQUIRE(error, "measurement", measurement);
    const evaluated e = {measurement,     input, reachable, input_count,
                         reachable_count, gamma, false};
    return evaluate_steps(&e, beta, error);
}

scrim_status scrim_flexible_evaluate_average(const scrim_measurement *measurement,
                                             const int64_t *input, size_t input_count,
                                             const int64_t *reachable,
                                             size_t reachable_count, const char *gamma,
                                             char beta[SCRIM_NUMBER_BYTES],
                                             scrim_error *error)
{
    SC_REQUIRE(error, "measurement", measurement);
    const evaluated e = {measurement,     input, reachable, input_count,
                         reachable_count, gamma, true};
    return evaluate_steps(&e, beta, error);
}

/* A number as a whole number of steps. */
static scrim_status read_steps(const char *name, const char *text, const sc_ratio *step,
                               int64_t *out, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES], unit[SCRIM_NUMBER_BYTES];
    SC_OWN(sc_ratio, value);
    SC_OWN(sc_integer, whole);
    sc_int128 steps = 0;
    SC_TRY(read_number(name, text, &value, error));
    sc_ratio_div(&value, &value, step);
    sc_ratio_floor(&value, &whole);
    if (sc_ratio_is_integer(&value) && sc_integer_get_int128(&whole, &steps) &&
        steps >= INT64_MIN && steps <= INT64_MAX) {
        *out = (int64_t)steps;
        return SCRIM_OK;
    }
    sc_cost_put_upper(step, unit);
    return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, name,
                             "'%s' is not a whole number of steps of %s",
                             sc_text_quote(sc_text_of(text), quote), unit);
}

static scrim_status read_all_steps(const char *name, const char *const *texts,
                                   size_t count, const sc_ratio *step, int64_t **out,
                                   scrim_error *error)
{
    *out = sc_allocate(count + 1, sizeof **out);
    if (*out == NULL)
        return sc_no_memory(error, "an evaluation");
    for (size_t i = 0; i < count; i++)
        SC_TRY(read_steps(name, texts[i], step, &(*out)[i], error));
    return SCRIM_OK;
}

scrim_status scrim_flexible_evaluate_numbers(const scrim_measurement *measurement,
                                             const scrim_flexible_question *question,
                                             char beta[SCRIM_NUMBER_BYTES],
                                             scrim_error *error)
{
    SC_REQUIRE(error, "measurement question", measurement, question);
    const scrim_flexible_question *q = question;
    SC_OWN(sc_ratio, step);
    int64_t *given = NULL, *right = NULL;
    sc_grid_step(&measurement->domain.grid, &step);
    scrim_status status =
        read_all_steps("input", q->input, q->input_count, &step, &given, error);
    if (status == SCRIM_OK)
        status = read_all_steps("reachable", q->reachable, q->reachable_count, &step,
                                &right, error);
    if (status == SCRIM_OK) {
        const evaluated e = {
            measurement,       given, right, q->input_count, q->reachable_count, q->gamma,
            q->is_average != 0};
        status = evaluate(&e, &step, beta, error);
    }
    sc_free(given);
    sc_free(right);
    return status;
}
