#include "audit/audit_sample.h"

#include "audit/statistical.h"
#include "audit/worst_pair.h"
#include "base/memory.h"
#include "ledger/answer.h"
#include "ledger/ledger.h"
#include "model/option_struct.h"

#define DRAWS_USUAL 100000

typedef struct sampling {
    const scrim_measurement *m;
    sc_bits *bits; /* a tape, in a test build */
    scrim_cost cost;
    sc_pair pair;
    size_t width;
    /* Progress over all pairs. */
    const scrim_audit_sample_options *options;
    uint64_t before, total;
} sampling;

/* A ledger for one release: exactly its cost. */
static scrim_status ledger_new(const sampling *s, scrim_ledger **out, scrim_error *error)
{
    const bool has_epsilon = s->cost.epsilon[0] != 0;
    scrim_status status = scrim_ledger_new(
        SCRIM_OPTIONS(scrim_ledger_options, .neighbours = s->cost.neighbours,
                      .epsilon = has_epsilon ? s->cost.epsilon : NULL,
                      .rho = has_epsilon ? NULL : s->cost.rho,
                      .delta = s->cost.delta[0] != 0 ? s->cost.delta : NULL),
        out, error);
    if (status == SCRIM_OK)
        (*out)->bits = s->bits;
    return status;
}

static int64_t narrow(sc_int128 value)
{
    return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

/* How many values, then each value with what it is or where its bar is; the rest stays 0. */
static void key_of(const scrim_answer *answer, size_t width, int64_t *key)
{
    for (size_t i = 0; i < width; i++)
        key[i] = 0;
    key[0] = (int64_t)answer->count;
    for (size_t i = 0; i < answer->count && 2 * i + 2 < width; i++) {
        key[2 * i + 1] = narrow(answer->values[i]);
        key[2 * i + 2] = answer->places != NULL ? (int64_t)answer->places[i]
                                                : (int64_t)answer->marks[i];
    }
}

static scrim_status release(const sampling *s, const scrim_input *input, int64_t *key,
                            scrim_error *error)
{
    scrim_ledger *ledger = NULL;
    scrim_answer *answer = NULL;
    scrim_status status = ledger_new(s, &ledger, error);
    if (status == SCRIM_OK)
        status = scrim_release(ledger, s->m, input, &answer, error);
    if (status == SCRIM_OK)
        key_of(answer, s->width, key);
    scrim_answer_free(answer);
    scrim_ledger_free(ledger);
    return status;
}

static scrim_status draw_outputs(void *context, bool is_second, size_t count,
                                 int64_t *keys, scrim_error *error)
{
    const sampling *s = context;
    const scrim_input input = {.integers = is_second ? s->pair.y : s->pair.x,
                               .count = is_second ? s->pair.y_count : s->pair.x_count};
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        status = release(s, &input, keys + i * s->width, error);
    return status;
}

static void pass_on(void *context, uint64_t done, uint64_t total)
{
    const sampling *s = context;
    (void)total;
    if (s->options->progress != NULL)
        s->options->progress(s->options->context, s->before + done, s->total);
}

static size_t width_of(const scrim_measurement *m, const sc_pair *pair)
{
    const size_t x = m->mechanism->answer_count(m, pair->x_count);
    const size_t y = m->mechanism->answer_count(m, pair->y_count);
    return 1 + 2 * (x > y ? x : y);
}

/* A number of the options, or what it is otherwise. */
static scrim_status read_number(const char *name, const char *text, const char *otherwise,
                                char shown[SCRIM_NUMBER_BYTES], sc_ratio *out,
                                scrim_error *error)
{
    scrim_status status =
        sc_ratio_parse(sc_text_of(text != NULL ? text : otherwise), out, error);
    if (status == SCRIM_OK &&
        sc_ratio_format(out, shown, SCRIM_NUMBER_BYTES) >= SCRIM_NUMBER_BYTES)
        status = sc_fail(error, SCRIM_E_LIMIT, "%s is at most %d characters long", name,
                         SCRIM_NUMBER_BYTES - 1);
    return status;
}

static double down(const sc_ratio *x)
{
    SC_OWN(sc_ball, ball);
    sc_ball_set_ratio(&ball, x, 64);
    return sc_ball_lower(&ball);
}

static double up(const sc_ratio *x)
{
    SC_OWN(sc_ball, ball);
    sc_ball_set_ratio(&ball, x, 64);
    return sc_ball_upper(&ball);
}

/* What is claimed at epsilon: by the curve, and by the pair that is charged. */
static double claim_at(const scrim_measurement *m, const sc_ratio *epsilon)
{
    SC_OWN(sc_ball, delta);
    sc_curve_delta_upper(&m->cost.curve, epsilon, 128, &delta);
    double claimed = sc_ball_upper(&delta);
    if (m->cost.has_epsilon && sc_ratio_compare(epsilon, &m->cost.epsilon) >= 0) {
        const double charged = up(&m->cost.delta);
        claimed = charged < claimed ? charged : claimed;
    }
    return claimed;
}

/* One pair; the failure is shared among all of them. */
static scrim_status sample_pair(sampling *s, size_t index, double epsilon, double failure,
                                scrim_audit_sample *out, scrim_error *error)
{
    const size_t family = s->m->mechanism->pair_count(s->m);
    const size_t step = family / (size_t)out->pairs;
    s->pair = (sc_pair){.x_count = 0};
    s->m->mechanism->pair(s->m, index * step, &s->pair);
    s->width = width_of(s->m, &s->pair);
    sc_statistical asked = {.source = draw_outputs,
                            .context = s,
                            .width = s->width,
                            .draws = out->draws,
                            .failure = failure,
                            .statistic = SC_STATISTIC_DELTA,
                            .at = epsilon,
                            .progress = pass_on,
                            .progress_context = s};
    scrim_status status = sc_statistical_run(&asked, error);
    s->before += 2 * out->draws;
    if (status != SCRIM_OK || (index > 0 && asked.lower <= out->delta_lower))
        return status;
    sc_text_sink sink;
    out->delta_lower = asked.lower;
    out->event = asked.event;
    sc_text_sink_init(&sink, out->pair, sizeof out->pair);
    sc_pair_put(&sink, &s->pair, asked.is_back ? SC_BACK : SC_FORTH);
    return status;
}

/* The failure that was asked for, or one less the confidence that was; both as text. */
static scrim_status read_failure(const scrim_audit_sample_options *options,
                                 scrim_audit_sample *out, sc_ratio *failure,
                                 scrim_error *error)
{
    const bool is_confidence = options->confidence != NULL;
    if (is_confidence && options->failure != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "confidence",
                           "give a confidence or a failure, not both");
    const char *name = is_confidence ? "confidence" : "failure";
    SC_OWN(sc_ratio, other, one);
    sc_ratio_set_int64(&one, 1);
    scrim_status status =
        read_number(name, is_confidence ? options->confidence : options->failure, "1e-9",
                    is_confidence ? out->confidence : out->failure, failure, error);
    if (status == SCRIM_OK &&
        (sc_ratio_sign(failure) <= 0 || sc_ratio_compare_int64(failure, 1) >= 0))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, name,
                             "%s must be above 0 and below 1", name);
    sc_ratio_sub(&other, &one, failure);
    if (status == SCRIM_OK &&
        sc_ratio_format(&other, is_confidence ? out->failure : out->confidence,
                        SCRIM_NUMBER_BYTES) >= SCRIM_NUMBER_BYTES)
        status = sc_fail(error, SCRIM_E_LIMIT, "%s has too many digits", name);
    if (is_confidence)
        sc_ratio_set(failure, &other);
    return status;
}

static scrim_status sample_all(sampling *s, scrim_audit_sample *out, scrim_error *error)
{
    const size_t family = s->m->mechanism->pair_count(s->m);
    const size_t pairs = s->options->pairs != 0 && s->options->pairs < family
                             ? (size_t)s->options->pairs
                             : family;
    SC_OWN(sc_ratio, epsilon, failure);
    out->pairs = pairs;
    out->draws = s->options->draws != 0 ? s->options->draws : DRAWS_USUAL;
    s->total = 2 * out->draws * pairs;
    scrim_status status = read_failure(s->options, out, &failure, error);
    if (status == SCRIM_OK)
        status = read_number("epsilon", s->options->epsilon,
                             s->m->cost.has_epsilon ? s->cost.epsilon : "0", out->epsilon,
                             &epsilon, error);
    if (status == SCRIM_OK && sc_ratio_sign(&epsilon) < 0)
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilon",
                             "epsilon must be at least 0");
    for (size_t i = 0; status == SCRIM_OK && i < pairs; i++)
        status =
            sample_pair(s, i, up(&epsilon), down(&failure) / (double)pairs, out, error);
    if (status == SCRIM_OK) {
        out->claimed_upper = claim_at(s->m, &epsilon);
        out->verdict = out->delta_lower > out->claimed_upper ? SCRIM_AUDIT_VIOLATED
                                                             : SCRIM_AUDIT_UNDECIDED;
    }
    return status;
}

static scrim_status check(const scrim_measurement *m, scrim_error *error)
{
    if (m == NULL || !m->is_for_data)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "measurement",
                           "sampling needs a measurement with neighbours");
    if (m->mechanism->draw == NULL || m->mechanism->pair_count == NULL ||
        m->mechanism->pair_count(m) == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "mechanism",
                           "'%s' cannot be sampled on neighbouring inputs",
                           m->mechanism->entry.name);
    return SCRIM_OK;
}

scrim_status sc_audit_sample_from(const scrim_measurement *m,
                                  const scrim_audit_sample_options *options,
                                  sc_bits *bits, scrim_audit_sample *out,
                                  scrim_error *error)
{
    scrim_audit_sample_options known;
    scrim_audit_sample found = {.delta_lower = 0};
    sampling s = {.m = m, .bits = bits, .options = &known};
    scrim_status status =
        sc_option_struct_copy(options, offsetof(scrim_audit_sample_options, failure),
                              &known, sizeof known, error);
    if (status == SCRIM_OK)
        status = check(m, error);
    if (status != SCRIM_OK)
        return status;
    sc_cost_format(&m->cost, &s.cost);
    SC_BALL_SCOPE(scope);
    status = sample_all(&s, &found, error);
    if (status == SCRIM_OK)
        *out = found;
    return status;
}

scrim_status scrim_audit_by_sampling(const scrim_measurement *measurement,
                                     const scrim_audit_sample_options *options,
                                     scrim_audit_sample *out, scrim_error *error)
{
    return sc_audit_sample_from(measurement, options, NULL, out, error);
}

scrim_status scrim_audit_sample_check(const scrim_audit_sample *sample,
                                      scrim_error *error)
{
    if (sample->verdict != SCRIM_AUDIT_VIOLATED)
        return SCRIM_OK;
    return sc_fail(
        error, SCRIM_E_CHECK,
        "delta at epsilon %s is at least %.4g, more than the claimed %.4g, with "
        "a confidence of %s, on %s",
        sample->epsilon, sample->delta_lower, sample->claimed_upper, sample->confidence,
        sample->pair);
}
