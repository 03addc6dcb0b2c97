#include "scrim/local_plan.h"

#include "base/status.h"
#include "mechanism/local/protocol.h"
#include "query/estimate/noise_sum.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BITS 128L
#define FALSE_ALARM 0.05 /* of all values together */
#define POWER 0.9
#define KEPT 64.0 /* prefixes that go on to the next group */

typedef scrim_local_plan_options plan_wish;

static double middle(const sc_ratio *x)
{
    SC_OWN(sc_ball, ball);
    sc_ball_set_ratio(&ball, x, BITS);
    return (sc_ball_lower(&ball) + sc_ball_upper(&ball)) / 2;
}

/* Parameters. */

/* The members that the wish decides; RAPPOR as it was first deployed, over a list or a Bloom filter. */
static scrim_local_config begin(const plan_wish *wish, uint32_t protocol)
{
    scrim_local_config c = {.protocol = protocol};
    const bool is_text =
        protocol == SCRIM_LOCAL_TEXT_HASHING || protocol == SCRIM_LOCAL_PREFIX;
    snprintf(c.question, sizeof c.question, "%s",
             wish->question == NULL ? "question" : wish->question);
    if (is_text)
        c.text = (uint32_t)(wish->length == 0 ? 8 : wish->length);
    else if (wish->domain > 0)
        c.values = (uint32_t)wish->domain;
    if (protocol == SCRIM_LOCAL_RAPPOR) {
        c.bits = wish->domain == 0 ? 128 : (uint32_t)wish->domain;
        c.hashes = wish->domain == 0 ? 2 : 0;
        c.cohorts = wish->domain == 0 ? 64 : 1;
        c.text = wish->domain == 0 ? (uint32_t)(wish->length == 0 ? 8 : wish->length) : 0;
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
           : protocol == SCRIM_LOCAL_TEXT_HASHING || protocol == SCRIM_LOCAL_PREFIX
               ? "texts"
               : "counts";
}

/* The facts of a configuration that are shown. */

/* Devices of one group, and candidates of the last. */
static double reports_of(const plan_wish *wish, const scrim_local_config *c)
{
    return (double)wish->users / (c->prefixes == 0 ? 1 : c->prefixes);
}

static double candidates_of(const plan_wish *wish, const scrim_local_config *c)
{
    if (c->prefixes > 1)
        return KEPT * exp2(c->prefix[c->prefixes - 1] - c->prefix[c->prefixes - 2]);
    if (c->prefixes == 1)
        return exp2(c->prefix[0]);
    return wish->domain == 0 ? 1 : (double)wish->domain;
}

static void set_errors(const plan_wish *wish, const scrim_local_config *c,
                       scrim_local_plan_row *row)
{
    static const double shares[SCRIM_LOCAL_PLAN_SHARES] = {0.001, 0.01, 0.05};
    const bool is_number = sc_protocol_asks(c) == SC_PROTOCOL_NUMBERS;
    const double range = is_number ? (double)c->values - 1 : 1;
    SC_OWN(sc_protocol_facts, facts);
    if (!sc_protocol_find(c, &facts))
        return;
    row->standard_error = sqrt(middle(&facts.var_at_0) / reports_of(wish, c)) / range;
    if (!is_number)
        row->detectable = row->standard_error *
                          (sc_normal_quantile(1 - FALSE_ALARM / candidates_of(wish, c)) +
                           sc_normal_quantile(POWER));
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

/* A constant value is one answer for ever; any other is answered afresh in each period. */
static void set_losses(const plan_wish *wish, const scrim_local_config *c,
                       scrim_local_plan_row *row)
{
    const double periods = wish->periods == 0 ? 1 : (double)wish->periods;
    row->loss_upper = loss_of(c, 1);
    row->lifetime_upper =
        wish->is_constant ? loss_of(c, wish->periods) : periods * row->loss_upper;
}

/* Does a server keep counters for all of its reports? */
static bool can_be_counted(const scrim_local_config *c)
{
    const sc_protocol_integers integers = sc_protocol_integers_of(c);
    return (uint64_t)integers.first * integers.second <= SC_PROTOCOL_COUNTERS;
}

static void set_row(const plan_wish *wish, const sc_ratio *epsilon, uint32_t protocol,
                    scrim_local_plan_row *row)
{
    scrim_local_config c = begin(wish, protocol);
    *row = (scrim_local_plan_row){.protocol = scrim_local_protocol_name(protocol),
                                  .answers = answers_of(protocol)};
    if (stores_an_answer(protocol))
        c.epoch = !wish->is_constant;
    if (sc_protocol_choose(&c, epsilon, NULL, NULL) != SCRIM_OK ||
        scrim_local_config_format(&c, row->config) != SCRIM_LOCAL_OK ||
        !can_be_counted(&c)) {
        row->config[0] = '\0';
        return;
    }
    row->report_bytes = scrim_local_report_bytes(&c);
    set_errors(wish, &c, row);
    set_losses(wish, &c, row);
}

/* The choice. */

static bool is_for(const plan_wish *wish, uint32_t protocol)
{
    const bool is_text =
        protocol == SCRIM_LOCAL_TEXT_HASHING || protocol == SCRIM_LOCAL_PREFIX;
    return scrim_local_protocol_name(protocol) != NULL &&
           (protocol == SCRIM_LOCAL_RAPPOR || is_text == (wish->domain == 0));
}

/* k <= 3 e^epsilon + 2: randomised response is no worse than the others. */
static bool is_small(const plan_wish *wish, double epsilon)
{
    return (double)wish->domain <= 3 * exp(epsilon) + 2;
}

static uint32_t choice(const plan_wish *wish, double epsilon, const char **reason)
{
    if (wish->domain == 0) {
        *reason = "texts that nobody has listed: each device reports one prefix";
        return SCRIM_LOCAL_PREFIX;
    }
    if (wish->is_ordered) {
        *reason = "numbers: their distribution, and from it their mean";
        return SCRIM_LOCAL_SQUARE_WAVE;
    }
    if (wish->is_constant && wish->periods > 1) {
        *reason = "one constant value, asked again: all reports together cost epsilon";
        return SCRIM_LOCAL_REPEATED_UNARY;
    }
    if (is_small(wish, epsilon)) {
        *reason = "few values: at most 3 e^epsilon + 2";
        return SCRIM_LOCAL_RESPONSE;
    }
    *reason = "many values: the smallest error, and short reports";
    return SCRIM_LOCAL_PROJECTIVE;
}

static scrim_status read_epsilon(const plan_wish *wish, sc_ratio *out, scrim_error *error)
{
    if (wish->epsilon == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "epsilon",
                           "epsilon is missing");
    if (sc_ratio_parse(sc_text_of(wish->epsilon), out, NULL) != SCRIM_OK ||
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

static scrim_status check(const plan_wish *wish, scrim_error *error)
{
    if (wish->question != NULL && !is_question(wish->question))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "question",
                           "the name of a question must have 1 to %d characters, each "
                           "of a-z, 0-9, - and .",
                           SCRIM_LOCAL_QUESTION_BYTES - 1);
    if (wish->users == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "users",
                           "the number of users must be at least 1");
    if (wish->domain == 1 || wish->domain > SC_PROTOCOL_COUNTERS)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "domain",
                           "the number of values must be from 2 to %llu",
                           (unsigned long long)SC_PROTOCOL_COUNTERS);
    return SCRIM_OK;
}

scrim_status scrim_local_plan_find(const scrim_local_plan_options *options,
                                   scrim_local_plan *out, scrim_error *error)
{
    SC_BALL_SCOPE(scope);
    plan_wish wish = {0};
    SC_OWN(sc_ratio, epsilon);
    memcpy(&wish, options, options->size < sizeof wish ? options->size : sizeof wish);
    scrim_status status = check(&wish, error);
    if (status == SCRIM_OK)
        status = read_epsilon(&wish, &epsilon, error);
    if (status != SCRIM_OK)
        return status;
    *out = (scrim_local_plan){.count = 0};
    const uint32_t chosen = choice(&wish, middle(&epsilon), &out->reason);
    for (uint32_t id = 1; id <= SCRIM_LOCAL_CONDENSED; id++) {
        if (!is_for(&wish, id))
            continue;
        if (id == chosen)
            out->recommended = out->count;
        set_row(&wish, &epsilon, id, &out->rows[out->count++]);
    }
    if (out->count > 0 && out->rows[out->recommended].config[0] != '\0')
        return SCRIM_OK;
    return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "domain",
                       "no protocol has such a domain and epsilon; use a smaller domain");
}
