/* The doubles here are logarithms that a search is led by; what holds is decided by balls. */
#include "composition/calibration/calibration_attempt.h"

#include "base/memory.h"
#include "base/number/decimal.h"
#include "composition/calibration/noise_line.h"
#include "composition/loss/bag_parts.h"
#include "model/at_once.h"
#include "model/certificate.h"
#include "model/measurement.h"
#include "model/option_struct.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BITS 256L
#define CONFIDENCE_USUAL "0.95"
#define RADIUS_DIGITS 12

void sc_target_init(sc_target *target)
{
    *target = (sc_target){0};
    sc_noise_line_init(&target->line);
    sc_ratio_init(&target->epsilon);
    sc_ratio_init(&target->delta);
    sc_ratio_init(&target->error);
    sc_ratio_init(&target->beta);
}

void sc_target_clear(sc_target *target)
{
    sc_ratio_clear(&target->beta);
    sc_ratio_clear(&target->error);
    sc_ratio_clear(&target->delta);
    sc_ratio_clear(&target->epsilon);
    sc_noise_line_clear(&target->line);
}

/* Reading it. */

static scrim_status read_number(const char *name, const char *text, sc_ratio *out,
                                scrim_error *error)
{
    scrim_error inner;
    scrim_status status = sc_ratio_parse(sc_text_of(text), out, &inner);
    if (status != SCRIM_OK)
        return sc_fail_for(error, status, SCRIM_REASON_SYNTAX, name, "%s: %s", name,
                           inner.message);
    return SCRIM_OK;
}

/* The target: from the options, or else from the line. */
static scrim_status read_target(const char *name, const char *text, bool is_in_line,
                                const sc_ratio *in_line, sc_ratio *out,
                                scrim_error *error)
{
    if (text != NULL && is_in_line)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, name,
                           "%s is given twice: in the line, and beside it", name);
    if (text != NULL)
        return read_number(name, text, out, error);
    if (is_in_line)
        sc_ratio_set(out, in_line);
    return SCRIM_OK;
}

static scrim_status check_domains(const sc_target *target, scrim_error *error)
{
    if (!target->by_error && sc_ratio_sign(&target->epsilon) <= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilon",
                           "epsilon must be above 0");
    if (sc_ratio_sign(&target->delta) < 0 ||
        sc_ratio_compare_int64(&target->delta, 1) >= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "delta",
                           "delta must be at least 0 and less than 1");
    if (target->by_error && sc_ratio_sign(&target->error) <= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "target-error",
                           "target-error must be above 0, in the unit of the input");
    if (sc_ratio_sign(&target->beta) <= 0 ||
        sc_ratio_compare_int64(&target->beta, 1) >= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "confidence",
                           "confidence must be above 0 and below 1");
    if (target->count < 1 || target->count > SC_PART_COUNT)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "count",
                           "count must be a whole number from 1 to 1099511627776");
    return SCRIM_OK;
}

static scrim_status read_confidence(const char *text, sc_ratio *beta, scrim_error *error)
{
    scrim_status status =
        read_number("confidence", text == NULL ? CONFIDENCE_USUAL : text, beta, error);
    SC_OWN(sc_ratio, one);
    sc_ratio_set_int64(&one, 1);
    if (status == SCRIM_OK)
        sc_ratio_sub(beta, &one, beta);
    return status;
}

static scrim_status read_targets(const scrim_calibrate_options *options,
                                 sc_target *target, scrim_error *error)
{
    const sc_noise_line *line = &target->line;
    target->by_error = options->target_error != NULL;
    target->target = target->by_error ? options->target_error : options->epsilon;
    if (target->target == NULL)
        target->target = "that";
    target->delta_text = options->delta == NULL ? "" : options->delta;
    if (target->by_error && (options->epsilon != NULL || line->has_epsilon))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "target-error",
                           "give epsilon or target-error, not both");
    if (!target->by_error && options->epsilon == NULL && !line->has_epsilon)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "epsilon",
                           "missing target: give epsilon (and delta), or target-error");
    scrim_status status = read_target("epsilon", options->epsilon, line->has_epsilon,
                                      &line->epsilon, &target->epsilon, error);
    if (status == SCRIM_OK)
        status = read_target("delta", options->delta, line->has_delta, &line->delta,
                             &target->delta, error);
    if (status == SCRIM_OK && target->by_error)
        status =
            read_number("target-error", options->target_error, &target->error, error);
    if (status == SCRIM_OK)
        status = read_confidence(options->confidence, &target->beta, error);
    return status;
}

scrim_status sc_target_read(const char *line, const scrim_calibrate_options *options,
                            sc_target *target, scrim_error *error)
{
    scrim_calibrate_options given;
    scrim_status status = sc_option_struct_copy(
        options, offsetof(scrim_calibrate_options, delta), &given, sizeof given, error);
    if (status == SCRIM_OK)
        status = sc_noise_line_parse(line, given.delta != NULL, &target->line, error);
    if (status == SCRIM_OK)
        status = read_targets(&given, target, error);
    if (status != SCRIM_OK)
        return status;
    target->count = given.count == 0 ? 1 : given.count;
    target->is_at_once = given.is_at_once != 0;
    target->progress = given.progress;
    target->context = given.context;
    if (given.values > 1 || (given.values == 1 && target->line.values > 1))
        status = sc_noise_line_set_values(&target->line, given.values, error);
    if (status != SCRIM_OK)
        return status;
    target->values = given.values != 0 ? given.values : target->line.values;
    if (target->values == 0 && !target->line.needs_values)
        target->values = 1;
    if (target->values == 0 && target->by_error)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "values",
                           "missing values: the error depends on the number of %s",
                           target->line.mechanism->entry.input);
    return check_domains(target, error);
}

void sc_target_tell(const sc_target *target, uint64_t done, uint64_t total)
{
    if (target->progress != NULL)
        target->progress(target->context, done, total);
}

/* One candidate. */

/* The line of one part, "[poisson rate=R] LINE xN". */
static scrim_status put_part(const sc_target *target, const char *line, char **out,
                             scrim_error *error)
{
    char times[32];
    sc_text_sink sink;
    const size_t bytes = strlen(line) + SC_RATIO_TEXT_BYTES + 2 * sizeof times;
    char *text = sc_allocate(bytes, 1);
    if (text == NULL)
        return sc_no_memory(error, "a line");
    snprintf(times, sizeof times, " x%llu", (unsigned long long)target->count);
    sc_text_sink_init(&sink, text, bytes);
    sc_noise_line_put_sampling(&target->line, &sink);
    sc_text_put(&sink, sc_text_of(line));
    sc_text_put(&sink, sc_text_of(times));
    *out = text;
    return SCRIM_OK;
}

/* One release on a sample of rate q is (ln(1 + q (exp(epsilon) - 1)), q delta)-DP. */
static void set_promise(sc_attempt *attempt)
{
    const sc_part *part = attempt->part;
    attempt->has_epsilon = part->cost.has_epsilon;
    sc_ratio_set(&attempt->epsilon, &part->cost.epsilon);
    sc_ratio_set(&attempt->delta, &part->cost.delta);
    if (!part->is_sampled || !part->cost.has_epsilon)
        return;
    sc_claims_amplify(&part->cost.epsilon, &part->rate, &attempt->epsilon);
    sc_ratio_mul(&attempt->delta, &part->cost.delta, &part->rate);
}

/* A bag speaks of its parts; here there is one, and its mechanism speaks for itself. */
static scrim_status refuse(const sc_target *target, const char *line,
                           scrim_status refused, const scrim_error *inner,
                           scrim_error *error)
{
    scrim_measurement *measurement = NULL;
    if (target->line.mechanism == NULL)
        return sc_fail_again(error, refused, inner, "%s", inner->message);
    scrim_status status = scrim_measurement_parse_model(line, &measurement, error);
    if (status == SCRIM_OK)
        status = sc_fail_again(error, refused, inner, "%s", inner->message);
    scrim_measurement_free(measurement);
    return status;
}

scrim_status sc_attempt_open(const sc_target *target, const sc_ratio *value,
                             const sc_ratio *delta_each, sc_attempt *out,
                             scrim_error *error)
{
    char *line = NULL, *text = NULL;
    scrim_error inner = {.message = ""};
    sc_bag_init(&out->bag);
    scrim_status status =
        sc_noise_line_complete(&target->line, value, delta_each, true, &line, error);
    if (status == SCRIM_OK)
        status = put_part(target, line, &text, error);
    if (status == SCRIM_OK) {
        status = sc_bag_parse(text, &out->bag, &inner);
        if (status != SCRIM_OK)
            status = refuse(target, line, status, &inner, error);
        else if (out->bag.count != 1)
            status = sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "line",
                                 "one mechanism is calibrated at a time");
    }
    if (status == SCRIM_OK) {
        out->part = &out->bag.parts[0];
        sc_ratio_init(&out->value);
        sc_ratio_init(&out->epsilon);
        sc_ratio_init(&out->delta);
        sc_ratio_set(&out->value, value);
        set_promise(out);
    } else {
        sc_bag_clear(&out->bag);
    }
    sc_free(text);
    sc_free(line);
    return status;
}

void sc_attempt_close(sc_attempt *attempt)
{
    sc_ratio_clear(&attempt->delta);
    sc_ratio_clear(&attempt->epsilon);
    sc_ratio_clear(&attempt->value);
    sc_bag_clear(&attempt->bag);
}

bool sc_attempt_is_pure(const sc_attempt *attempt, sc_ratio *epsilon_sum)
{
    if (!attempt->has_epsilon || sc_ratio_sign(&attempt->delta) != 0)
        return false;
    sc_ratio_set_int128(epsilon_sum, (sc_int128)attempt->part->count);
    sc_ratio_mul(epsilon_sum, epsilon_sum, &attempt->epsilon);
    return true;
}

/* radius = noise times the quantile, rounded up where it is long. */
static bool continuous_radius(const sc_target *target, const sc_ratio *noise,
                              const sc_ratio *beta, sc_ratio *radius)
{
    const bool is_known = strcmp(target->line.open, "sigma") == 0
                              ? sc_continuous_gaussian_radius(beta, radius)
                              : sc_continuous_laplace_radius(beta, radius);
    if (is_known) {
        sc_ratio_mul(radius, radius, noise);
        sc_decimal_round_up(radius, RADIUS_DIGITS, radius);
    }
    return is_known;
}

static void certify_continuous(const sc_target *target, const sc_ratio *noise,
                               sc_certificate *out)
{
    SC_OWN(sc_ratio, radius, each);
    sc_certificate_none(out, "nothing draws it");
    if (!continuous_radius(target, noise, &target->beta, &radius))
        return;
    sc_certificate_interval(out, &radius, &target->beta, "nothing draws it");
    sc_at_once_each(&target->beta, target->values, &each);
    if (target->values > 1 && continuous_radius(target, noise, &each, &radius))
        sc_certificate_add_radius_all(out, &radius);
}

scrim_status sc_attempt_certify(const sc_attempt *attempt, const sc_target *target,
                                sc_certificate *out, scrim_error *error)
{
    const scrim_measurement *m = attempt->part->measurement;
    if (target->values == 0) {
        sc_certificate_none(out, "that depends on how many values there are");
        return SCRIM_OK;
    }
    if (m == NULL) {
        certify_continuous(target, &attempt->value, out);
        return SCRIM_OK;
    }
    return m->mechanism->certify(m, &target->beta, (size_t)target->values, out, error);
}

const sc_ratio *sc_attempt_radius(const sc_target *target,
                                  const sc_certificate *certificate)
{
    return target->is_at_once && certificate->has_radius_all ? &certificate->radius_all
                                                             : &certificate->radius;
}

/* Held against the target. */

/* ln(a / b) of two numbers above 0: a view, infinite where a is. */
static double log_ratio(const sc_ball *a, const sc_ratio *b)
{
    SC_OWN(sc_ball, value, below);
    sc_ball_set_ratio(&below, b, BITS);
    sc_ball_set_upper(&value, a, BITS);
    sc_ball_div(&value, &value, &below, BITS);
    sc_ball_log(&value, &value, BITS);
    double result = sc_ball_upper(&value);
    return isnan(result) ? (double)HUGE_VAL : result;
}

static scrim_status holds_error(const sc_attempt *attempt, const sc_target *target,
                                bool *holds, double *miss, scrim_error *error)
{
    SC_OWN(sc_certificate, certificate);
    SC_OWN(sc_ball, ball);
    scrim_status status = sc_attempt_certify(attempt, target, &certificate, error);
    if (status != SCRIM_OK)
        return status;
    *holds = false;
    *miss = HUGE_VAL;
    if (certificate.has_radius) {
        const sc_ratio *radius = sc_attempt_radius(target, &certificate);
        *holds = sc_ratio_compare(radius, &target->error) <= 0;
        sc_ball_set_ratio(&ball, radius, BITS);
        *miss = sc_ratio_sign(radius) > 0 ? log_ratio(&ball, &target->error)
                                          : -(double)HUGE_VAL;
    }
    return SCRIM_OK;
}

/* The sum of pure releases without a delta is compared as it is. */
static scrim_status holds_pure(const sc_attempt *attempt, const sc_target *target,
                               bool *holds, double *miss)
{
    SC_OWN(sc_ratio, sum);
    SC_OWN(sc_ball, ball);
    *holds = false;
    *miss = HUGE_VAL;
    if (sc_attempt_is_pure(attempt, &sum)) {
        *holds = sc_ratio_compare(&sum, &target->epsilon) <= 0;
        sc_ball_set_ratio(&ball, &sum, BITS);
        *miss = log_ratio(&ball, &target->epsilon);
    }
    return SCRIM_OK;
}

/* The sums of basic composition are exact, too: releases may use up all of both targets. */
static bool holds_basic(const sc_attempt *attempt, const sc_target *target, double *miss)
{
    SC_OWN(sc_ratio, epsilon, delta);
    SC_OWN(sc_ball, ball);
    sc_ratio_set_int128(&epsilon, (sc_int128)attempt->part->count);
    sc_ratio_mul(&delta, &epsilon, &attempt->delta);
    sc_ratio_mul(&epsilon, &epsilon, &attempt->epsilon);
    if (!attempt->has_epsilon || sc_ratio_compare(&epsilon, &target->epsilon) > 0 ||
        sc_ratio_compare(&delta, &target->delta) > 0)
        return false;
    sc_ball_set_ratio(&ball, &epsilon, BITS);
    *miss = log_ratio(&ball, &target->epsilon);
    return true;
}

static scrim_status holds_cost(const sc_attempt *attempt, const sc_target *target,
                               sc_joint_effort effort, bool *holds, double *miss,
                               scrim_error *error)
{
    (void)holds_pure(attempt, target, holds, miss);
    if (*holds || sc_ratio_sign(&target->delta) == 0)
        return SCRIM_OK;
    if (holds_basic(attempt, target, miss)) {
        *holds = true;
        return SCRIM_OK;
    }
    SC_OWN(sc_joint_bound, bound);
    SC_OWN(sc_ball, delta);
    sc_ball_set_ratio(&delta, &target->delta, BITS);
    scrim_status status =
        sc_joint_bound_delta(&attempt->bag, &target->epsilon, effort, &bound, error);
    if (status == SCRIM_OK) {
        const bool known = bound.bounds.has_upper;
        *holds = known && sc_ball_is_less_equal(&bound.bounds.upper, &delta);
        *miss = known ? log_ratio(&bound.bounds.upper, &target->delta) : (double)HUGE_VAL;
    }
    return status;
}

scrim_status sc_attempt_holds(const sc_attempt *attempt, const sc_target *target,
                              sc_joint_effort effort, bool *holds, double *miss,
                              scrim_error *error)
{
    if (target->by_error)
        return holds_error(attempt, target, holds, miss, error);
    return holds_cost(attempt, target, effort, holds, miss, error);
}
