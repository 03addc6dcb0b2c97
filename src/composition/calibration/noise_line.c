#include "composition/calibration/noise_line.h"

#include "base/memory.h"
#include "base/number/ball.h"
#include "base/number/ratio.h"
#include "composition/loss/bag.h"
#include "mechanism/catalogue.h"

#include <stdio.h>
#include <string.h>

/* The continuous curves, which no mechanism draws. */
static const struct {
    const char *name, *open;
} continuous[] = {{"continuous-gaussian", "sigma"}, {"continuous-laplace", "scale"}};

#define CONTINUOUS (sizeof continuous / sizeof *continuous)

/* Parameters that may be open, the first that a mechanism has; what a line may say instead, which leaves
 * nothing open; and where a line says how many values there are. */
static const char *const openings[] = {"scale", "sigma", "epsilon"};
static const char *const settled[] = {"scale", "sigma", "variance", "rho", "keep"};
static const char *const sizes[] = {"size", "candidates", "records", "queries"};

#define OPENINGS (sizeof openings / sizeof *openings)
#define SETTLED (sizeof settled / sizeof *settled)
#define SIZES (sizeof sizes / sizeof *sizes)

void sc_noise_line_init(sc_noise_line *line)
{
    *line = (sc_noise_line){0};
    sc_ratio_init(&line->rate);
    sc_ratio_init(&line->low);
    sc_ratio_init(&line->high);
    sc_ratio_init(&line->epsilon);
    sc_ratio_init(&line->delta);
    sc_ratio_init(&line->sensitivity);
    sc_ratio_set_int64(&line->sensitivity, 1);
}

void sc_noise_line_clear(sc_noise_line *line)
{
    sc_free(line->fixed);
    sc_free(line->audit);
    sc_ratio_clear(&line->sensitivity);
    sc_ratio_clear(&line->delta);
    sc_ratio_clear(&line->epsilon);
    sc_ratio_clear(&line->high);
    sc_ratio_clear(&line->low);
    sc_ratio_clear(&line->rate);
}

static bool is_one_of(sc_text name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sc_text_is(name, names[i]))
            return true;
    return false;
}

/* A parameter of the audit, which only a model takes? */
static bool is_for_audit(const sc_mechanism *mechanism, sc_text name)
{
    if (mechanism == NULL)
        return false;
    for (size_t i = mechanism->parameter_count - mechanism->audit_count;
         i < mechanism->parameter_count; i++)
        if (sc_text_is(name, mechanism->parameters[i].name))
            return true;
    return false;
}

/* The name, and what it leaves open. */

#define LOW_USUAL "2^-60"
#define HIGH_USUAL "2^60"

/* NULL where there is no limit. */
static scrim_status set_limits(sc_noise_line *line, const char *low, const char *high,
                               scrim_error *error)
{
    line->low_text = low == NULL ? LOW_USUAL : low;
    line->high_text = high == NULL ? HIGH_USUAL : high;
    SC_TRY(sc_ratio_parse(sc_text_of(line->low_text), &line->low, error));
    return sc_ratio_parse(sc_text_of(line->high_text), &line->high, error);
}

static scrim_status set_mechanism(sc_noise_line *line, sc_text name, scrim_error *error)
{
    const sc_parameter_rule *parameter = NULL;
    for (size_t i = 0; i < CONTINUOUS; i++)
        if (sc_text_is(name, continuous[i].name)) {
            line->name = continuous[i].name;
            line->open = continuous[i].open;
            line->grows = true;
            return set_limits(line, NULL, NULL, error);
        }
    line->mechanism = sc_catalogue_find(name, error);
    if (line->mechanism == NULL)
        return SCRIM_E_PARAM;
    line->name = line->mechanism->entry.name;
    for (size_t i = 0; parameter == NULL && i < OPENINGS; i++)
        parameter = sc_measurement_rule(line->mechanism, openings[i]);
    if (parameter == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "mechanism",
                           "%s: its noise does not depend on a single parameter that "
                           "could be solved for",
                           line->mechanism->entry.name);
    line->open = parameter->name;
    line->grows = strcmp(line->open, "epsilon") != 0;
    const char *input = line->mechanism->entry.input;
    line->needs_values = strcmp(input, "scores") == 0 || strcmp(input, "values") == 0 ||
                         strcmp(input, "queries") == 0;
    line->has_sensitivity = sc_measurement_rule(line->mechanism, "sensitivity") != NULL;
    return set_limits(line, parameter->limit_low,
                      parameter->limit_high != NULL ? parameter->limit_high
                                                    : parameter->at_most,
                      error);
}

/* The words behind it. */

static scrim_status refuse_settled(const sc_noise_line *line, sc_text key,
                                   scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, line->open,
                       "%s: leave it out; the result gives %s", sc_text_quote(key, quote),
                       line->open);
}

/* epsilon or delta, once. */
static scrim_status take_target(const char *name, sc_text value, bool *has, sc_ratio *out,
                                scrim_error *error)
{
    scrim_error inner;
    if (*has)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, name,
                           "%s is given twice", name);
    scrim_status status = sc_ratio_parse(value, out, &inner);
    if (status != SCRIM_OK)
        return sc_fail_for(error, status, SCRIM_REASON_SYNTAX, name, "%s: %s", name,
                           inner.message);
    *has = true;
    return SCRIM_OK;
}

static void keep(sc_text_sink *sink, sc_text word)
{
    if (sink->length > 0)
        sc_text_put(sink, sc_text_of(" "));
    sc_text_put(sink, word);
}

/* Parameters that end the noise, or the range, in place of a delta. */
#define ENDS 3
static const char *const ends[ENDS] = {"bound", "q", "width"};

static bool has_in_place_of_delta(const sc_mechanism *mechanism)
{
    for (size_t i = 0; i < ENDS; i++)
        if (sc_measurement_rule(mechanism, ends[i]) != NULL)
            return true;
    return false;
}

static bool is_instead_of_delta(const sc_mechanism *mechanism, sc_text key)
{
    const sc_parameter_rule *delta =
        mechanism == NULL ? NULL : sc_measurement_rule(mechanism, "delta");
    return delta != NULL && delta->instead != NULL && sc_text_is(key, delta->instead);
}

static scrim_status take_word(sc_noise_line *line, sc_text word, bool takes_delta,
                              sc_text_sink *fixed, sc_text_sink *audit,
                              scrim_error *error)
{
    sc_text key, value;
    if (!sc_text_split(word, '=', &key, &value)) {
        keep(fixed, word); /* the parser refuses it */
        return SCRIM_OK;
    }
    if (sc_text_is(key, "epsilon"))
        return take_target("epsilon", value, &line->has_epsilon, &line->epsilon, error);
    if (sc_text_is(key, "delta") && !takes_delta)
        return take_target("delta", value, &line->has_delta, &line->delta, error);
    if (is_one_of(key, settled, SETTLED))
        return refuse_settled(line, key, error);
    if (sc_text_is(key, "delta") || is_one_of(key, ends, ENDS) ||
        is_instead_of_delta(line->mechanism, key))
        line->needs_delta = false;
    /* A text that is not a number above 0 is refused where the whole line is parsed. */
    if (sc_text_is(key, "sensitivity") &&
        (sc_ratio_parse(value, &line->sensitivity, NULL) != SCRIM_OK ||
         sc_ratio_sign(&line->sensitivity) <= 0))
        sc_ratio_set_int64(&line->sensitivity, 1);
    if (is_one_of(key, sizes, SIZES))
        (void)sc_text_uint64(value, &line->values);
    if (is_for_audit(line->mechanism, key)) {
        sc_text_put(audit, sc_text_of(" "));
        sc_text_put(audit, word);
    } else {
        keep(fixed, word);
    }
    return SCRIM_OK;
}

scrim_status sc_noise_line_parse(const char *text, bool takes_delta, sc_noise_line *out,
                                 scrim_error *error)
{
    sc_text name, rest, word, line = sc_text_of(text == NULL ? "" : text);
    sc_text_sink fixed, audit;
    SC_TRY(sc_bag_take_sampling(&line, &out->is_sampled, &out->rate, error));
    if (!sc_parameters_line(line, &name, &rest))
        return sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "line",
                           "name a mechanism and its parameters, as in 'gaussian "
                           "sensitivity=1'");
    scrim_status status = set_mechanism(out, name, error);
    if (status != SCRIM_OK)
        return status;
    const size_t capacity = strlen(text) + 2;
    const sc_parameter_rule *delta =
        out->mechanism == NULL ? NULL : sc_measurement_rule(out->mechanism, "delta");
    out->needs_delta = delta != NULL && (!delta->optional || delta->instead != NULL ||
                                         has_in_place_of_delta(out->mechanism));
    out->fixed = sc_allocate(capacity, 1);
    out->audit = sc_allocate(capacity, 1);
    if (out->fixed == NULL || out->audit == NULL)
        return sc_no_memory(error, "a line");
    sc_text_sink_init(&fixed, out->fixed, capacity);
    sc_text_sink_init(&audit, out->audit, capacity);
    keep(&fixed, name);
    while (status == SCRIM_OK && sc_text_word(&rest, &word))
        status = take_word(out, word, takes_delta, &fixed, &audit, error);
    return status;
}

scrim_status sc_noise_line_set_values(sc_noise_line *line, uint64_t values,
                                      scrim_error *error)
{
    if (line->values != 0 && line->values != values)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "values",
                           "values is %llu, and the line says %llu: give one of them",
                           (unsigned long long)values, (unsigned long long)line->values);
    const bool is_said = line->values != 0;
    line->values = values;
    if (is_said || line->mechanism == NULL ||
        sc_measurement_rule(line->mechanism, "size") == NULL)
        return SCRIM_OK;
    const size_t bytes = strlen(line->fixed) + 32;
    char *fixed = sc_allocate(bytes, 1);
    if (fixed == NULL)
        return sc_no_memory(error, "a line");
    snprintf(fixed, bytes, "%s size=%llu", line->fixed, (unsigned long long)values);
    sc_free(line->fixed);
    line->fixed = fixed;
    return SCRIM_OK;
}

/* A whole line. */

static void put_number(sc_text_sink *sink, const char *name, const sc_ratio *value)
{
    char text[SC_RATIO_TEXT_BYTES];
    (void)sc_ratio_format(value, text, sizeof text);
    sc_text_put(sink, sc_text_of(" "));
    sc_text_put(sink, sc_text_of(name));
    sc_text_put(sink, sc_text_of("="));
    sc_text_put(sink, sc_text_of(text));
}

void sc_noise_line_put_sampling(const sc_noise_line *line, sc_text_sink *sink)
{
    char rate[SC_RATIO_TEXT_BYTES];
    if (!line->is_sampled)
        return;
    (void)sc_ratio_format(&line->rate, rate, sizeof rate);
    sc_text_put(sink, sc_text_of("poisson rate="));
    sc_text_put(sink, sc_text_of(rate));
    sc_text_put(sink, sc_text_of(" "));
}

static void put_line(const sc_noise_line *line, const sc_ratio *value,
                     const sc_ratio *delta, bool with_audit, sc_text_sink *sink)
{
    sc_text_put(sink, sc_text_of(line->fixed));
    put_number(sink, line->open, value);
    if (delta != NULL)
        put_number(sink, "delta", delta);
    if (with_audit)
        sc_text_put(sink, sc_text_of(line->audit));
}

scrim_status sc_noise_line_complete(const sc_noise_line *line, const sc_ratio *value,
                                    const sc_ratio *delta, bool with_audit, char **out,
                                    scrim_error *error)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    put_line(line, value, delta, with_audit, &sink);
    const size_t bytes = sink.length + 1;
    char *text = sc_allocate(bytes, 1);
    if (text == NULL)
        return sc_no_memory(error, "a line");
    sc_text_sink_init(&sink, text, bytes);
    put_line(line, value, delta, with_audit, &sink);
    *out = text;
    return SCRIM_OK;
}

#define BITS 256L
#define NEAR (-60)
#define FAR 20
#define STEPS 52

/* exp(-x), the probability that Laplace noise of scale 1 is farther away. */
static bool is_laplace_within(const void *context, const sc_ratio *x)
{
    SC_OWN(sc_ball, tail, beta);
    sc_ball_set_ratio(&beta, context, BITS);
    sc_ball_set_ratio(&tail, x, BITS);
    sc_ball_neg(&tail, &tail);
    sc_ball_exp(&tail, &tail, BITS);
    return sc_ball_is_less_equal(&tail, &beta);
}

/* erfc(x / sqrt 2) */
static bool is_gaussian_within(const void *context, const sc_ratio *x)
{
    SC_OWN(sc_ball, tail, beta, root);
    sc_ball_set_ratio(&beta, context, BITS);
    sc_ball_set_ratio(&tail, x, BITS);
    sc_ball_set_int64(&root, 2);
    sc_ball_sqrt(&root, &root, BITS);
    sc_ball_div(&tail, &tail, &root, BITS);
    sc_ball_erfc(&tail, &tail, BITS);
    return sc_ball_is_less_equal(&tail, &beta);
}

static bool find(sc_ratio_question *is_within, const sc_ratio *beta, sc_ratio *out)
{
    SC_OWN(sc_ratio, low);
    const bool found = sc_ratio_bracket(is_within, beta, NEAR, FAR, &low, out);
    if (found)
        sc_ratio_bisect(is_within, beta, STEPS, &low, out);
    return found;
}

bool sc_continuous_laplace_radius(const sc_ratio *beta, sc_ratio *out)
{
    return find(is_laplace_within, beta, out);
}

bool sc_continuous_gaussian_radius(const sc_ratio *beta, sc_ratio *out)
{
    return find(is_gaussian_within, beta, out);
}
