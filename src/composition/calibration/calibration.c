/* The doubles here are views of balls, rounded outwards, and factors of a picture; nothing is
 * decided by them. */
#include "scrim/calibration.h"

#include "base/memory.h"
#include "base/number/ball_memory.h"
#include "base/number/decimal.h"
#include "base/work_limit.h"
#include "composition/calibration/calibration_find.h"
#include "composition/loss/bag_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BITS 256L
/* A computed epsilon is printed with this many digits, rounded up. */
#define DIGITS 12
/* The result, in the words of the public interface. */

static scrim_status put_text(const sc_target *target, const sc_candidate *found,
                             scrim_calibration *out, scrim_error *error)
{
    char *text = NULL;
    sc_text_sink sink;
    scrim_measurement *measurement = NULL;
    const sc_ratio *delta = found->has_delta ? &found->delta_each : NULL;
    scrim_status status =
        sc_noise_line_complete(&target->line, &found->value, delta, false, &text, error);
    if (status == SCRIM_OK && target->line.mechanism != NULL)
        status = scrim_measurement_parse_model(text, &measurement, error);
    if (status == SCRIM_OK) {
        const char *line =
            measurement == NULL ? text : scrim_measurement_text(measurement);
        sc_text_sink_init(&sink, out->text, sizeof out->text);
        sc_noise_line_put_sampling(&target->line, &sink);
        sc_text_put(&sink, sc_text_of(line));
        if (sink.length >= sizeof out->text)
            status = sc_fail(error, SCRIM_E_LIMIT, "a line of more than %d bytes",
                             SCRIM_CALIBRATION_TEXT_BYTES - 1);
    }
    scrim_measurement_free(measurement);
    sc_free(text);
    return status;
}

static void put_parameter(const sc_target *target, const sc_candidate *found,
                          scrim_calibration *out)
{
    snprintf(out->parameter, sizeof out->parameter, "%s", target->line.open);
    sc_cost_put_upper(&found->value, out->value); /* exact: it is short */
    out->next[0] = '\0';
    if (found->has_next)
        sc_cost_put_upper(&found->next, out->next);
    out->is_exact = found->is_exact ? 1 : 0;
}

/* Rounds up to a number of few digits. */
static void shorten(sc_ratio *x)
{
    sc_decimal_round_up(x, DIGITS, x);
}

/* The wanted delta, exactly where it can be. */
static void put_delta(const sc_target *target, char text[SCRIM_NUMBER_BYTES])
{
    const size_t bytes = strlen(target->delta_text);
    if (bytes > 0 && bytes < SCRIM_NUMBER_BYTES)
        memcpy(text, target->delta_text, bytes + 1);
    else
        sc_cost_put_upper(&target->delta, text);
}

/* The epsilon of the curve of one release at the wanted delta; of a sample of rate q the amplified one at delta / q. */
static bool curve_epsilon(const sc_target *target, const sc_part *part, sc_ratio *out)
{
    SC_OWN(sc_ratio, delta);
    sc_ratio_set(&delta, &target->delta);
    if (part->is_sampled)
        sc_ratio_div(&delta, &delta, &part->rate);
    if (sc_ratio_sign(&delta) <= 0 || sc_ratio_compare_int64(&delta, 1) >= 0 ||
        !sc_curve_epsilon_upper(&part->cost.curve, &delta, out))
        return false;
    if (part->is_sampled)
        sc_claims_amplify(out, &part->rate, out);
    return true;
}

/* One release: what it is charged, or the epsilon of its curve at the delta that is wanted. */
static void put_alone(const sc_target *target, const sc_attempt *attempt, scrim_cost *out)
{
    SC_OWN(sc_ratio, epsilon);
    sc_cost_format(&attempt->part->cost, out);
    if (attempt->part->is_sampled)
        out->rho[0] = '\0';
    if (attempt->part->is_sampled && attempt->has_epsilon) {
        sc_ratio_set(&epsilon, &attempt->epsilon);
        shorten(&epsilon);
        sc_cost_put_upper(&epsilon, out->epsilon);
        sc_cost_put_upper(&attempt->delta, out->delta);
    }
    if (out->epsilon[0] == '\0' && curve_epsilon(target, attempt->part, &epsilon)) {
        shorten(&epsilon);
        sc_cost_put_upper(&epsilon, out->epsilon);
        put_delta(target, out->delta);
    }
}

/* The smallest epsilon proved of all at the wanted delta: by the accountants, or the sum where
 * releases are pure. *known is false where no epsilon is proved. */
static scrim_status joint_epsilon(const sc_target *target, const sc_attempt *attempt,
                                  bool *known, sc_ratio *out, double *lower,
                                  const char **source, scrim_error *error)
{
    *lower = 0;
    SC_OWN(sc_joint_bound, bound);
    SC_OWN(sc_ratio, sum);
    scrim_status status = sc_joint_bound_epsilon(&attempt->bag, &target->delta,
                                                 SC_JOINT_FULL, &bound, error);
    *known = status == SCRIM_OK && bound.bounds.has_upper &&
             sc_cost_round_up_ball(&bound.bounds.upper, out);
    if (*known)
        shorten(out);
    if (status == SCRIM_OK && bound.bounds.has_lower)
        *lower = fmax(0, sc_ball_lower(&bound.bounds.lower));
    *source = bound.source;
    if (status == SCRIM_OK && sc_attempt_is_pure(attempt, &sum) &&
        (!*known || sc_ratio_compare(&sum, out) <= 0)) {
        if (attempt->part->is_sampled)
            shorten(&sum);
        sc_cost_round_up(&sum, out);
        *source = "basic";
        *known = true;
    }
    return status;
}

static void put_joint_rho(const sc_attempt *attempt, scrim_cost *out)
{
    if (!attempt->part->cost.has_rho || attempt->part->is_sampled)
        return;
    SC_OWN(sc_ratio, rho);
    sc_ratio_set_int128(&rho, (sc_int128)attempt->part->count);
    sc_ratio_mul(&rho, &rho, &attempt->part->cost.rho);
    sc_cost_put_upper(&rho, out->rho);
}

static scrim_status put_joint(const sc_target *target, const sc_attempt *attempt,
                              scrim_calibration *out, scrim_error *error)
{
    bool known = false;
    SC_OWN(sc_ratio, epsilon);
    SC_OWN(sc_joint_bound, bound);
    out->joint = (scrim_cost){.neighbours = out->alone.neighbours};
    put_joint_rho(attempt, &out->joint);
    out->delta_upper = 1;
    scrim_status status = joint_epsilon(target, attempt, &known, &epsilon,
                                        &out->epsilon_lower, &out->source, error);
    /* The wanted one was tested, and may come out a little larger by the other method. */
    if (status == SCRIM_OK && !target->by_error &&
        (!known || sc_ratio_compare(&target->epsilon, &epsilon) < 0)) {
        sc_cost_round_up(&target->epsilon, &epsilon);
        known = true;
    }
    if (status == SCRIM_OK && known) {
        sc_cost_put_upper(&epsilon, out->joint.epsilon);
        put_delta(target, out->joint.delta);
        status = sc_joint_bound_delta(&attempt->bag,
                                      target->by_error ? &epsilon : &target->epsilon,
                                      SC_JOINT_FULL, &bound, error);
        if (status == SCRIM_OK && bound.bounds.has_upper)
            out->delta_upper = sc_ball_upper(&bound.bounds.upper);
    }
    return status;
}

static scrim_status fill(const sc_target *target, const sc_candidate *found,
                         scrim_calibration *out, scrim_error *error)
{
    sc_attempt attempt;
    SC_OWN(sc_certificate, certificate);
    scrim_status status =
        sc_attempt_open(target, &found->value,
                        found->has_delta ? &found->delta_each : NULL, &attempt, error);
    if (status != SCRIM_OK)
        return status;
    put_parameter(target, found, out);
    out->count = target->count;
    out->values = target->values;
    out->input =
        target->line.mechanism == NULL ? "numbers" : target->line.mechanism->entry.input;
    put_alone(target, &attempt, &out->alone);
    status = put_joint(target, &attempt, out, error);
    if (status == SCRIM_OK)
        status = sc_attempt_certify(&attempt, target, &certificate, error);
    sc_certificate_format(&certificate, &out->certificate);
    if (status == SCRIM_OK)
        status = put_text(target, found, out, error);
    sc_attempt_close(&attempt);
    return status;
}

static bool is_of_samples(const char *line)
{
    sc_text rest = sc_text_of(line == NULL ? "" : line), word;
    return sc_text_word(&rest, &word) && sc_text_is(word, "poisson");
}

scrim_status scrim_calibrate(const char *line, const scrim_calibrate_options *options,
                             scrim_calibration *out, scrim_error *error)
{
    SC_REQUIRE(error, "out", out);
    scrim_calibration *result = sc_allocate(1, sizeof *result);
    if (result == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory");
    sc_work_limit limit;
    sc_work_limit_enter(&limit, SC_CALIBRATION_WORK *
                                    (is_of_samples(line) ? SC_CALIBRATION_SAMPLED : 1));
    const uint64_t refusals = sc_reserve_refusals();
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_target, target);
    SC_OWN(sc_candidate, found);
    scrim_status status = sc_target_read(line, options, &target, error);
    if (status == SCRIM_OK)
        status = sc_calibration_find(&target, &found, error);
    if (status == SCRIM_OK)
        status = fill(&target, &found, result, error);
    status = sc_ball_memory_check(refusals, status, error);
    /* Refuse an answer whose description was cut short. */
    if (status == SCRIM_OK && sc_work_limit_is_over())
        status = sc_calibration_refuse_time(error);
    if (status == SCRIM_OK)
        *out = *result;
    sc_work_limit_leave(&limit);
    sc_free(result);
    return status;
}

/* The curve. */

#define POINTS_MOST 1024

/* found times 4^t, t from -1 to 1 in the direction in which epsilon grows. */
static void point_value(const sc_target *target, const sc_ratio *found, size_t index,
                        size_t count, sc_ratio *out)
{
    double t = 2 * (double)index / (double)(count - 1) - 1;
    double factor = pow(4, target->line.grows ? -t : t);
    SC_OWN(sc_ratio, part);
    sc_ratio_set_int64(out, (int64_t)(factor * 1048576));
    sc_ratio_set_int64(&part, 1048576);
    sc_ratio_div(out, out, &part);
    sc_ratio_mul(out, out, found);
    sc_place_value(sc_place_floor(out), out);
}

static scrim_status measure_point(const sc_target *target, const sc_attempt *attempt,
                                  scrim_calibration_point *out, scrim_error *error)
{
    const char *source;
    double lower;
    bool known = false;
    SC_OWN(sc_ratio, number);
    SC_OWN(sc_certificate, certificate);
    SC_OWN(sc_ball, ball);
    out->epsilon_upper = out->error_upper = HUGE_VAL;
    scrim_status status =
        joint_epsilon(target, attempt, &known, &number, &lower, &source, error);
    if (status == SCRIM_OK && known) {
        sc_ball_set_ratio(&ball, &number, BITS);
        out->epsilon_upper = sc_ball_upper(&ball);
    }
    if (status == SCRIM_OK)
        status = sc_attempt_certify(attempt, target, &certificate, error);
    if (status == SCRIM_OK && certificate.has_radius) {
        sc_ball_set_ratio(&ball, sc_attempt_radius(target, &certificate), BITS);
        out->error_upper = sc_ball_upper(&ball);
    }
    return status;
}

static scrim_status put_point(const sc_target *target, const sc_ratio *value,
                              const sc_ratio *delta_each, scrim_calibration_point *out,
                              size_t *written, scrim_error *error)
{
    sc_attempt attempt;
    scrim_calibration_point point;
    scrim_status status = sc_attempt_open(target, value, delta_each, &attempt, error);
    if (status == SCRIM_E_LIMIT)
        return SCRIM_OK; /* not legal: no point */
    if (status != SCRIM_OK)
        return status;
    sc_cost_put_upper(value, point.value);
    status = measure_point(target, &attempt, &point, error);
    if (status == SCRIM_OK)
        out[(*written)++] = point;
    sc_attempt_close(&attempt);
    return status;
}

/* The noise that was found, and the delta of each release. */
static scrim_status read_found(const sc_target *target, const scrim_calibration *found,
                               sc_ratio *value, sc_ratio *delta_each, scrim_error *error)
{
    if (found == NULL || strcmp(found->parameter, target->line.open) != 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "line",
                           "a curve is about what was found for the same line");
    scrim_status status = sc_ratio_parse(sc_text_of(found->value), value, error);
    if (status == SCRIM_OK && target->line.needs_delta)
        status = sc_ratio_parse(sc_text_of(found->alone.delta), delta_each, error);
    if (status == SCRIM_OK && target->line.needs_delta && target->line.is_sampled)
        sc_ratio_div(delta_each, delta_each, &target->line.rate);
    return status;
}

scrim_status scrim_calibration_curve(const char *line,
                                     const scrim_calibrate_options *options,
                                     const scrim_calibration *found, size_t count,
                                     scrim_calibration_point *out, size_t *written,
                                     scrim_error *error)
{
    SC_REQUIRE(error, "line out", line, out);
    size_t done = 0;
    if (count < 2 || count > POINTS_MOST)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "points",
                           "a curve has from 2 to %d points", POINTS_MOST);
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_target, target);
    SC_OWN(sc_ratio, middle, value, delta_each);
    scrim_status status = sc_target_read(line, options, &target, error);
    if (status == SCRIM_OK)
        status = read_found(&target, found, &middle, &delta_each, error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        point_value(&target, &middle, i, count, &value);
        status = put_point(&target, &value, target.line.needs_delta ? &delta_each : NULL,
                           out, &done, error);
        sc_target_tell(&target, i + 1, count);
    }
    if (status == SCRIM_OK)
        *written = done;
    return status;
}
