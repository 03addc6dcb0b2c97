#include "scrim/local_plan.h"

#include "base/status.h"
#include "local/collect/text_forecast.h"
#include "mechanism/local/protocol.h"
#include "query/estimate/noise_sum.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BITS 128L
#define FALSE_ALARM 0.05 /* of all values together */
#define POWER 0.9
#define KEPT 64 /* prefixes that go on to the next group */

typedef scrim_local_plan_options plan_request;

static double middle(const sc_ratio *x)
{
    SC_OWN(sc_ball, ball);
    sc_ball_set_ratio(&ball, x, BITS);
    return (sc_ball_lower(&ball) + sc_ball_upper(&ball)) / 2;
}

/* Parameters. */

static bool is_text(uint32_t protocol)
{
    return protocol == SCRIM_LOCAL_TEXT_HASHING || protocol == SCRIM_LOCAL_PREFIX;
}

/* The members that the request decides; RAPPOR as it was first deployed, over a list or a Bloom filter. */
static scrim_local_config begin(const plan_request *request, uint32_t protocol)
{
    scrim_local_config c = {.protocol = protocol};
    snprintf(c.question, sizeof c.question, "%s",
             request->question == NULL ? "question" : request->question);
    if (is_text(protocol))
        c.text = (uint32_t)(request->length == 0 ? 8 : request->length);
    else if (request->domain > 0)
        c.values = (uint32_t)request->domain;
    if (protocol == SCRIM_LOCAL_RAPPOR) {
        c.bits = request->domain == 0 ? 128 : (uint32_t)request->domain;
        c.hashes = request->domain == 0 ? 2 : 0;
        c.cohorts = request->domain == 0 ? 64 : 1;
        c.text = request->domain != 0   ? 0
                 : request->length == 0 ? 8
                                        : (uint32_t)request->length;
        c.p = (uint32_t)1 << 31;
        c.q = (uint32_t)3 << 30;
    }
    return c;
}

static bool stores_an_answer(uint32_t protocol)
{
    return protocol == SCRIM_LOCAL_REPEATED_UNARY || protocol == SCRIM_LOCAL_RAPPOR ||
           protocol == SCRIM_LOCAL_ROUNDED_BIT || protocol == SCRIM_LOCAL_BIT_FLIP;
}

static const char *answers_of(uint32_t protocol)
{
    return protocol == SCRIM_LOCAL_SQUARE_WAVE  ? "distribution"
           : protocol > SCRIM_LOCAL_SQUARE_WAVE ? "mean"
           : is_text(protocol)                  ? "texts"
                                                : "counts";
}

/* The facts of a configuration that are shown. */

/* Devices of one group. */
static double reports_of(const plan_request *request, const scrim_local_config *c)
{
    return (double)request->users / (c->prefixes == 0 ? 1 : c->prefixes);
}

/* The share of devices that a text needs, or of a list the fraction that one value needs. */
static double detectable_of(const plan_request *request, const scrim_local_config *c,
                            double standard_error)
{
    const double domain = request->domain == 0 ? 1 : (double)request->domain;
    if (is_text(c->protocol)) {
        const sc_text_search search = {.config = c, .keep = KEPT, .alpha = FALSE_ALARM};
        sc_text_forecast forecast;
        sc_text_forecast_plan(&search, request->users, &forecast);
        return sc_text_forecast_detectable(&forecast, POWER);
    }
    return standard_error *
           (sc_normal_quantile(1 - FALSE_ALARM / domain) + sc_normal_quantile(POWER));
}

static void set_errors(const plan_request *request, const scrim_local_config *c,
                       scrim_local_plan_row *row)
{
    static const double shares[SCRIM_LOCAL_PLAN_SHARES] = {0.001, 0.01, 0.05};
    const bool is_number = sc_protocol_asks(c) == SC_PROTOCOL_NUMBERS;
    const double range = is_number ? (double)c->values - 1 : 1;
    SC_OWN(sc_protocol_facts, facts);
    if (!sc_protocol_find(c, &facts))
        return;
    row->standard_error = sqrt(middle(&facts.var_at_0) / reports_of(request, c)) / range;
    if (!is_number)
        row->detectable = detectable_of(request, c, row->standard_error);
    for (size_t i = 0; i < SCRIM_LOCAL_PLAN_SHARES; i++)
        row->raised[i] = shares[i] * middle(&facts.raise) / range;
    row->targets = facts.targets == UINT64_MAX ? 0 : facts.targets;
}

static double loss_of(const scrim_local_config *c, uint64_t reports)
{
    SC_OWN(sc_ball, loss);
    sc_protocol_loss(c, reports, BITS, &loss);
    return sc_ball_upper(&loss);
}

/* A constant value has one answer for ever where a device keeps it, charged once for all periods; any other
 * is answered and charged afresh in each. */
static void set_losses(const plan_request *request, const scrim_local_config *c,
                       scrim_local_plan_row *row)
{
    const double periods = request->periods == 0 ? 1 : (double)request->periods;
    row->loss_upper = loss_of(c, 1);
    row->lifetime_upper = request->is_constant && stores_an_answer(c->protocol)
                              ? loss_of(c, 0)
                              : periods * row->loss_upper;
}

/* Does a server keep counters for all of its reports? */
static bool can_be_counted(const scrim_local_config *c)
{
    const sc_protocol_integers integers = sc_protocol_integers_of(c);
    return (uint64_t)integers.first * integers.second <= SC_PROTOCOL_COUNTERS;
}

/* All parameters; the number of devices decides the steps of prefix. */
static bool choose(const plan_request *request, const sc_ratio *epsilon,
                   scrim_local_config *c)
{
    if (sc_protocol_choose(c, epsilon, NULL, NULL) != SCRIM_OK)
        return false;
    if (c->protocol == SCRIM_LOCAL_PREFIX && 8 * c->text <= UINT8_MAX)
        sc_text_steps_choose(c, request->users, KEPT, FALSE_ALARM);
    return true;
}

static void set_row(const plan_request *request, const sc_ratio *epsilon,
                    uint32_t protocol, scrim_local_plan_row *row)
{
    scrim_local_config c = begin(request, protocol);
    *row = (scrim_local_plan_row){.protocol = scrim_local_protocol_name(protocol),
                                  .answers = answers_of(protocol)};
    if (stores_an_answer(protocol))
        c.epoch = !request->is_constant;
    if (!choose(request, epsilon, &c) ||
        scrim_local_config_format(&c, row->config) != SCRIM_LOCAL_OK ||
        !can_be_counted(&c)) {
        row->config[0] = '\0';
        return;
    }
    row->report_bytes = scrim_local_report_bytes(&c);
    set_errors(request, &c, row);
    set_losses(request, &c, row);
}

/* The standard error of the share of a value, from square-wave, if values are spread evenly: a count is the difference of
 * about `steps` outputs, each with the mean share of the reports. */
static double error_of_share(const scrim_local_config *c, double users)
{
    const double k = c->values, a = c->a, b = c->b, span = 2.0 * c->width + 1;
    const double outputs = k + 2.0 * c->width, steps = k / span + 1;
    const double slope = (span * a + (k - 1) * b) / (a - b);
    return slope * sqrt(steps / outputs / users);
}

/* Is a value of average share one standard error or more? */
static bool fits(const plan_request *request, const sc_ratio *epsilon, uint64_t values)
{
    plan_request fewer = *request;
    fewer.domain = values;
    scrim_local_config c = begin(&fewer, SCRIM_LOCAL_SQUARE_WAVE);
    return sc_protocol_choose(&c, epsilon, NULL, NULL) != SCRIM_OK ||
           error_of_share(&c, (double)request->users) <= 1 / (double)values;
}

static double share_error_of(const plan_request *request, const sc_ratio *epsilon)
{
    scrim_local_config c = begin(request, SCRIM_LOCAL_SQUARE_WAVE);
    return sc_protocol_choose(&c, epsilon, NULL, NULL) == SCRIM_OK
               ? error_of_share(&c, (double)request->users)
               : 0;
}

/* The largest of 2, 5, 10, 20, 50, … that fits; 0 where the domain does, and 2 where nothing does. */
static uint64_t values_that_fit(const plan_request *request, const sc_ratio *epsilon)
{
    static const uint64_t steps[] = {5, 10, 20};
    uint64_t best = 2;
    if (fits(request, epsilon, request->domain))
        return 0;
    for (uint64_t power = 1; power <= request->domain; power *= 10)
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            const uint64_t values = power * steps[i];
            if (values >= request->domain || !fits(request, epsilon, values))
                return best;
            best = values;
        }
    return best;
}

/* The choice. */

static bool is_for(const plan_request *request, uint32_t protocol)
{
    return scrim_local_protocol_name(protocol) != NULL &&
           (protocol == SCRIM_LOCAL_RAPPOR ||
            is_text(protocol) == (request->domain == 0));
}

/* k <= 3 e^epsilon + 2: randomised response is no worse than the others. */
static bool is_small(const plan_request *request, double epsilon)
{
    return (double)request->domain <= 3 * exp(epsilon) + 2;
}

/* A number that never changes, asked again: counts of its values where a distribution fits, else the mean. */
static uint32_t choose_constant_number(bool has_few, const char **reason)
{
    *reason = has_few ? "one constant number, asked again: all reports together cost "
                        "epsilon, and counts give the distribution"
                      : "one constant number, asked again: all reports together cost "
                        "epsilon, and so many values have a mean only";
    return has_few ? SCRIM_LOCAL_REPEATED_UNARY : SCRIM_LOCAL_ROUNDED_BIT;
}

/* At most `fit` values have a distribution of the devices; at 0 the whole domain has one. */
static uint32_t choice(const plan_request *request, double epsilon, uint64_t fit,
                       const char **reason)
{
    if (request->domain == 0) {
        *reason = "texts that nobody has listed: each device reports one prefix";
        return SCRIM_LOCAL_PREFIX;
    }
    if (request->is_ordered && request->is_constant && request->periods > 1)
        return choose_constant_number(fit == 0, reason);
    if (request->is_ordered) {
        *reason = "numbers: their distribution, and from it their mean";
        return SCRIM_LOCAL_SQUARE_WAVE;
    }
    if (request->is_constant && request->periods > 1) {
        *reason = "one constant value, asked again: all reports together cost epsilon";
        return SCRIM_LOCAL_REPEATED_UNARY;
    }
    if (is_small(request, epsilon)) {
        *reason = "few values: at most 3 e^epsilon + 2";
        return SCRIM_LOCAL_RESPONSE;
    }
    *reason = "many values: within 2 % of the smallest error, and short reports";
    return SCRIM_LOCAL_PROJECTIVE;
}

static scrim_status read_epsilon(const plan_request *request, sc_ratio *out,
                                 scrim_error *error)
{
    if (request->epsilon == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "epsilon",
                           "epsilon is missing");
    if (sc_ratio_parse(sc_text_of(request->epsilon), out, NULL) != SCRIM_OK ||
        sc_ratio_sign(out) <= 0 || sc_ratio_compare_int64(out, 8) > 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilon",
                           "epsilon must be a number above 0 and at most 8");
    return SCRIM_OK;
}

static bool is_question(const char *name)
{
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-.");
    return length > 0 && length < SCRIM_LOCAL_QUESTION_BYTES && name[length] == '\0';
}

static scrim_status check(const plan_request *request, scrim_error *error)
{
    if (request->question != NULL && !is_question(request->question))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "question",
                           "the name of a question must have 1 to %d characters, each "
                           "of a-z, 0-9, - and .",
                           SCRIM_LOCAL_QUESTION_BYTES - 1);
    if (request->users == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "users",
                           "the number of users must be at least 1");
    if (request->domain == 1 || request->domain > SC_PROTOCOL_COUNTERS)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "domain",
                           "the number of values must be from 2 to %llu",
                           (unsigned long long)SC_PROTOCOL_COUNTERS);
    return SCRIM_OK;
}

scrim_status scrim_local_plan_find(const scrim_local_plan_options *options,
                                   scrim_local_plan *out, scrim_error *error)
{
    SC_REQUIRE(error, "options out", options, out);
    SC_BALL_SCOPE(scope);
    plan_request request = {0};
    SC_OWN(sc_ratio, epsilon);
    memcpy(&request, options,
           options->size < sizeof request ? options->size : sizeof request);
    scrim_status status = check(&request, error);
    if (status == SCRIM_OK)
        status = read_epsilon(&request, &epsilon, error);
    if (status != SCRIM_OK)
        return status;
    *out = (scrim_local_plan){.count = 0};
    const uint64_t fit = request.is_ordered && request.domain > 2
                             ? values_that_fit(&request, &epsilon)
                             : 0;
    const uint32_t chosen = choice(&request, middle(&epsilon), fit, &out->reason);
    for (uint32_t id = 1; id <= SCRIM_LOCAL_CONDENSED; id++) {
        if (!is_for(&request, id))
            continue;
        if (id == chosen)
            out->recommended = out->count;
        set_row(&request, &epsilon, id, &out->rows[out->count++]);
    }
    if (chosen == SCRIM_LOCAL_SQUARE_WAVE) {
        out->values_fit = fit;
        out->share_error = share_error_of(&request, &epsilon);
    }
    if (out->count > 0 && out->rows[out->recommended].config[0] != '\0')
        return SCRIM_OK;
    return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "domain",
                       "no protocol has such a domain and epsilon; use a smaller domain");
}
