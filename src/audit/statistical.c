#include "audit/statistical.h"

#include "audit/bounds.h"
#include "base/checked.h"
#include "base/memory.h"
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

/* What an output is judged by. */
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

/* What an event would prove if its counts were k out of n and l out of n, nearly: z standard
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

static scrim_status check(const sc_statistical *asked, scrim_error *error)
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
    scrim_status status = check(asked, error);
    if (status != SCRIM_OK)
        return status;
    if (!sc_size_mul((size_t)s.count, s.width, &cells))
        return sc_fail(error, SCRIM_E_LIMIT, "too many draws");
    for (size_t side = 0; side < 2; side++) {
        s.keys[side] = sc_allocate(cells, sizeof *s.keys[side]);
        s.scores[side] = sc_allocate((size_t)(s.count / 4), sizeof *s.scores[side]);
        if (s.keys[side] == NULL || s.scores[side] == NULL)
            status = sc_no_memory(error, "so many outputs");
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
