#include "audit/audit_sample.h"

#include "audit/bounds.h"
#include "audit/worst_pair.h"
#include "base/checked.h"
#include "base/memory.h"
#include "ledger/answer.h"
#include "ledger/ledger.h"
#include "model/option_struct.h"
#include "model/outcomes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS_LEAST 1000
#define DRAWS_MOST ((uint64_t)1 << 26)
#define WIDTH_MOST 256
#define PIECE 4096 /* outputs asked for at once */

/* Quarters of the outputs of each input: the first is where likelihood ratios are learnt, the
 * second is where an event is chosen, the last two are where it is tested. */

/* One output that was seen in the first quarter, with how often on each input. */
typedef struct seen {
    const int64_t *key;
    uint32_t count[2];
} seen;

/* The features by which an output is judged. */
typedef enum feature { FEATURE_SEEN, FEATURE_VALUE, FEATURE_POWER } feature;

static const char *const feature_names[] = {
    "outputs that are likelier on one input", "outputs beyond a bound",
    "outputs that a power of 2 divides, or does not"};

typedef struct event {
    feature feature;
    size_t coordinate;
    bool is_below; /* score <= threshold, else score >= threshold */
    double threshold;
    bool is_back; /* of the outputs of the second input against the first */
    double promise;
} event;

typedef struct study {
    const sc_statistical *asked;
    size_t width;
    uint64_t count;   /* outputs of each input */
    int64_t *keys[2]; /* on each input */
    seen *table;
    size_t table_count;
    double *scores[2]; /* of the second quarter */
    event best;
} study;

/* Drawing. */

static scrim_status draw_all(study *s, scrim_error *error)
{
    const uint64_t total = 2 * s->count;
    uint64_t done = 0;
    for (int side = 0; side < 2; side++)
        for (uint64_t at = 0; at < s->count;) {
            const uint64_t left = s->count - at;
            const size_t piece = left < PIECE ? (size_t)left : PIECE;
            scrim_status status = s->asked->source(s->asked->context, side == 1, piece,
                                                   s->keys[side] + at * s->width, error);
            if (status != SCRIM_OK)
                return status;
            at += piece;
            done += piece;
            if (s->asked->progress != NULL)
                s->asked->progress(s->asked->progress_context, done, total);
        }
    return SCRIM_OK;
}

/* Learning. */

/* Sorts by merging: qsort takes no width. spare is as long as the list. */
static void sort_seen(seen *list, seen *spare, size_t count, size_t width)
{
    if (count < 2)
        return;
    const size_t half = count / 2;
    sort_seen(list, spare, half, width);
    sort_seen(list + half, spare, count - half, width);
    memcpy(spare, list, half * sizeof *list);
    size_t left = 0, right = half;
    for (size_t i = 0; left < half; i++) {
        const bool take_right =
            right < count &&
            sc_outcomes_compare(list[right].key, spare[left].key, width) < 0;
        list[i] = take_right ? list[right++] : spare[left++];
    }
}

static scrim_status learn(study *s, scrim_error *error)
{
    const size_t quarter = (size_t)(s->count / 4), all = 2 * quarter;
    s->table = sc_allocate(all, sizeof *s->table);
    seen *spare = sc_allocate(all, sizeof *spare);
    if (s->table == NULL || spare == NULL) {
        sc_free(spare);
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for %zu outputs", all);
    }
    for (size_t i = 0; i < all; i++) {
        const size_t side = i / quarter;
        s->table[i].key = s->keys[side] + (i % quarter) * s->width;
        s->table[i].count[side] = 1;
    }
    sort_seen(s->table, spare, all, s->width);
    for (size_t i = 0; i < all; i++) {
        seen *last = s->table_count > 0 ? &s->table[s->table_count - 1] : NULL;
        if (last != NULL &&
            sc_outcomes_compare(last->key, s->table[i].key, s->width) == 0) {
            last->count[0] += s->table[i].count[0];
            last->count[1] += s->table[i].count[1];
        } else {
            s->table[s->table_count++] = s->table[i];
        }
    }
    sc_free(spare);
    return SCRIM_OK;
}

/* The smoothed logarithm of the likelihood ratio; 0 for what was never seen. */
static double score_seen(const study *s, const int64_t *key)
{
    size_t low = 0, high = s->table_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = sc_outcomes_compare(s->table[middle].key, key, s->width);
        if (order == 0)
            return log((s->table[middle].count[0] + 0.5) /
                       (s->table[middle].count[1] + 0.5));
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

static double score(const study *s, feature by, size_t coordinate, const int64_t *key)
{
    switch (by) {
    case FEATURE_SEEN:
        return score_seen(s, key);
    case FEATURE_VALUE:
        return (double)key[coordinate];
    case FEATURE_POWER:
        return key[coordinate] == 0 ? 64 : __builtin_ctzll((uint64_t)key[coordinate]);
    }
    return 0;
}

/* Choosing. */

/* The bound that an event would prove if its counts were k out of n and l out of n, nearly: z standard
 * deviations to the wrong side. */
static double promise(const sc_statistical *asked, double k, double l, double n)
{
    const double z = sqrt(-2 * log(asked->failure));
    const double low = fmax(0, k + z * z / 2 - z * sqrt(k + z * z / 4)) / n;
    const double high = (l + z * z / 2 + z * sqrt(l + z * z / 4)) / n;
    if (asked->statistic == SC_STATISTIC_DELTA)
        return low - exp(asked->at) * high;
    return low > asked->at ? log((low - asked->at) / high) : -HUGE_VAL;
}

static void offer(study *s, const event *candidate, double k, double l, double n)
{
    event e = *candidate;
    for (int back = 0; back < 2; back++) {
        e.is_back = back == 1;
        e.promise = e.is_back ? promise(s->asked, l, k, n) : promise(s->asked, k, l, n);
        if (e.promise > s->best.promise)
            s->best = e;
    }
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Tries every threshold between the scores of the second quarter. */
static void sweep(study *s, feature by, size_t coordinate)
{
    const size_t quarter = (size_t)(s->count / 4);
    for (size_t side = 0; side < 2; side++) {
        for (size_t i = 0; i < quarter; i++)
            s->scores[side][i] =
                score(s, by, coordinate, s->keys[side] + (quarter + i) * s->width);
        qsort(s->scores[side], quarter, sizeof *s->scores[side], compare_doubles);
    }
    const double n = (double)quarter;
    size_t i = 0, j = 0;
    while (i < quarter || j < quarter) {
        const double at =
            j == quarter || (i < quarter && s->scores[0][i] < s->scores[1][j])
                ? s->scores[0][i]
                : s->scores[1][j];
        event e = {.feature = by, .coordinate = coordinate, .threshold = at};
        offer(s, &e, (double)(quarter - i), (double)(quarter - j), n);
        while (i < quarter && s->scores[0][i] <= at)
            i++;
        while (j < quarter && s->scores[1][j] <= at)
            j++;
        e.is_below = true;
        offer(s, &e, (double)i, (double)j, n);
    }
}

static void choose(study *s)
{
    s->best.promise = -HUGE_VAL;
    sweep(s, FEATURE_SEEN, 0);
    for (size_t i = 0; i < s->width; i++) {
        sweep(s, FEATURE_VALUE, i);
        sweep(s, FEATURE_POWER, i);
    }
}

/* Testing. */

static bool is_in(const study *s, const event *e, const int64_t *key)
{
    const double value = score(s, e->feature, e->coordinate, key);
    return e->is_below ? value <= e->threshold : value >= e->threshold;
}

static uint64_t count_hits(const study *s, size_t side)
{
    uint64_t hits = 0;
    for (uint64_t i = s->count / 2; i < s->count; i++)
        hits += is_in(s, &s->best, s->keys[side] + i * s->width);
    return hits;
}

/* Each of the two probabilities is bounded with half of the failure. */
static void test(const study *s, sc_statistical *out)
{
    const size_t first = s->best.is_back ? 1 : 0;
    out->event = feature_names[s->best.feature];
    out->is_back = s->best.is_back;
    out->tested = s->count - s->count / 2;
    out->hits[0] = count_hits(s, first);
    out->hits[1] = count_hits(s, 1 - first);
    const double low = sc_binomial_lower(out->hits[0], out->tested, out->failure / 2);
    const double high = sc_binomial_upper(out->hits[1], out->tested, out->failure / 2);
    if (out->statistic == SC_STATISTIC_DELTA)
        out->lower = fmax(0, low - exp(out->at) * high);
    else
        out->lower = low > out->at ? fmax(0, log((low - out->at) / high)) : 0;
}

static scrim_status check_asked(const sc_statistical *asked, scrim_error *error)
{
    if (asked->draws < DRAWS_LEAST)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "draws",
                           "draws is at least %d", DRAWS_LEAST);
    if (asked->draws > DRAWS_MOST || asked->width > WIDTH_MOST)
        return sc_fail(error, SCRIM_E_LIMIT, "at most 67108864 draws of %d integers",
                       WIDTH_MOST);
    if (!(asked->failure > 0 && asked->failure < 1) || asked->width == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "failure",
                           "the failure probability must be above 0 and below 1");
    if (!(asked->at >= 0) || isinf(asked->at) ||
        (asked->statistic == SC_STATISTIC_EPSILON && asked->at >= 1))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "",
                           "epsilon is at least 0, and delta from 0 on below 1");
    return SCRIM_OK;
}

scrim_status sc_statistical_run(sc_statistical *asked, scrim_error *error)
{
    study s = {.asked = asked, .width = asked->width, .count = asked->draws};
    size_t cells = 0;
    scrim_status status = check_asked(asked, error);
    if (status != SCRIM_OK)
        return status;
    if (!sc_size_mul((size_t)s.count, s.width, &cells))
        return sc_fail(error, SCRIM_E_LIMIT, "too many draws");
    for (size_t side = 0; side < 2; side++) {
        s.keys[side] = sc_allocate(cells, sizeof *s.keys[side]);
        s.scores[side] = sc_allocate((size_t)(s.count / 4), sizeof *s.scores[side]);
        if (s.keys[side] == NULL || s.scores[side] == NULL)
            status = sc_no_memory(error, "the outputs");
    }
    if (status == SCRIM_OK)
        status = draw_all(&s, error);
    if (status == SCRIM_OK)
        status = learn(&s, error);
    if (status == SCRIM_OK) {
        choose(&s);
        test(&s, asked);
    }
    for (size_t side = 0; side < 2; side++) {
        sc_free(s.keys[side]);
        sc_free(s.scores[side]);
    }
    sc_free(s.table);
    return status;
}

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

/* The claim at epsilon: by the curve, and by the pair that is charged. */
static double claim_at(const scrim_measurement *m, const sc_ratio *epsilon)
{
    SC_OWN(sc_ball, delta);
    sc_curve_delta_upper(&m->cost.curve, epsilon, 128, &delta);
    double claimed = sc_ball_upper(&delta);
    if (m->cost.has_epsilon && sc_ratio_compare(epsilon, &m->cost.epsilon) >= 0) {
        const double charged = sc_ratio_upper(&m->cost.delta);
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
        status = sample_pair(s, i, sc_ratio_upper(&epsilon),
                             down(&failure) / (double)pairs, out, error);
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
    SC_REQUIRE(error, "out", out);
    return sc_audit_sample_from(measurement, options, NULL, out, error);
}

scrim_status scrim_audit_sample_check(const scrim_audit_sample *sample,
                                      scrim_error *error)
{
    SC_REQUIRE(error, "sample", sample);
    if (sample->verdict != SCRIM_AUDIT_VIOLATED)
        return SCRIM_OK;
    return sc_fail(
        error, SCRIM_E_CHECK,
        "delta at epsilon %s is at least %.4g, more than the claimed %.4g, with "
        "a confidence of %s, on %s",
        sample->epsilon, sample->delta_lower, sample->claimed_upper, sample->confidence,
        sample->pair);
}
