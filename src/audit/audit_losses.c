#include "audit/audit_report.h"
#include "base/memory.h"
#include "base/number/ball_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BITS SC_AUDIT_BITS
#define NO_NUMBER_TEXT "hidden"

/* An outcome of x or of y. Its loss is finite if both may have it. */
typedef struct entry {
    const int64_t *key; /* of one of the two laws */
    sc_ball p, q, loss, reached;
    double lower, upper; /* of the loss */
    size_t rank;         /* by key */
    char *text;
} entry;

struct scrim_audit_losses {
    entry *entries; /* the largest loss first */
    size_t count, capacity;
    size_t width;
    sc_ball unlisted; /* probability on x of outcomes without a known loss */
    char *pair;
};

/* Which outcomes have a loss. */

static void add_entry(scrim_audit_losses *l, const int64_t *key, const sc_ball *p,
                      const sc_ball *q)
{
    entry *e = &l->entries[l->count];
    e->key = key;
    e->rank = l->count++;
    e->lower = q == NULL ? HUGE_VAL : -HUGE_VAL;
    e->upper = e->lower;
    if (p != NULL)
        sc_ball_set(&e->p, p);
    if (q != NULL)
        sc_ball_set(&e->q, q);
    if (p == NULL || q == NULL)
        return;
    sc_ball_div(&e->loss, p, q, BITS);
    sc_ball_log(&e->loss, &e->loss, BITS);
    e->lower = sc_ball_lower(&e->loss);
    e->upper = sc_ball_upper(&e->loss);
}

/* A mass that may be 0 has no loss, nor has one that the other law may or may not have in its tail. */
static void add_pair(scrim_audit_losses *l, const int64_t *key, const sc_ball *p,
                     const sc_ball *q, bool may_be_hidden)
{
    const bool is_certain =
        (p == NULL || sc_ball_is_positive(p)) && (q == NULL || sc_ball_is_positive(q));
    if (is_certain && (!may_be_hidden || (p != NULL && q != NULL)))
        add_entry(l, key, p, q);
    else if (p != NULL)
        sc_ball_add(&l->unlisted, &l->unlisted, p, BITS);
}

static void merge(scrim_audit_losses *l, const sc_outcomes *p, const sc_outcomes *q)
{
    const bool p_has_rest = sc_ball_upper(&p->rest) > 0,
               q_has_rest = sc_ball_upper(&q->rest) > 0;
    size_t i = 0, k = 0;
    while (i < p->count || k < q->count) {
        const int64_t *a = &p->keys[i * p->width], *b = &q->keys[k * q->width];
        const int order = i == p->count   ? 1
                          : k == q->count ? -1
                                          : sc_outcomes_compare(a, b, p->width);
        add_pair(l, order <= 0 ? a : b, order <= 0 ? &p->mass[i] : NULL,
                 order >= 0 ? &q->mass[k] : NULL, order < 0 ? q_has_rest : p_has_rest);
        i += order <= 0;
        k += order >= 0;
    }
    sc_ball_add(&l->unlisted, &l->unlisted, &p->rest, BITS);
}

/* Their order. */

static int compare_doubles(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_entries(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    const int order = compare_doubles(b->lower, a->lower);
    if (order != 0)
        return order;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Outcomes whose losses cannot be told apart have one loss, and are reached together. */
static void add_up(scrim_audit_losses *l)
{
    SC_OWN(sc_ball, sum);
    for (size_t i = 0; i < l->count;) {
        size_t end = i;
        while (end < l->count &&
               (end == i || l->entries[end].upper >= l->entries[end - 1].lower)) {
            sc_ball_add(&sum, &sum, &l->entries[end].p, BITS);
            end++;
        }
        for (; i < end; i++)
            sc_ball_set(&l->entries[i].reached, &sum);
    }
}

/* Their texts. */

static void put_key(const scrim_measurement *m, sc_text_sink *sink, const int64_t *key,
                    size_t width)
{
    char digits[SC_INT128_BYTES];
    if (m->mechanism->outcome != NULL) {
        m->mechanism->outcome(m, key, sink);
        return;
    }
    for (size_t i = 0; i < width; i++) {
        if (i > 0)
            sc_text_put(sink, sc_text_of(" "));
        sc_int128_format(key[i], digits);
        sc_text_put(
            sink, sc_text_of(key[i] == SC_OUTCOMES_NO_NUMBER ? NO_NUMBER_TEXT : digits));
    }
}

static scrim_status write_texts(const scrim_measurement *m, scrim_audit_losses *l,
                                scrim_error *error)
{
    for (size_t i = 0; i < l->count; i++) {
        entry *e = &l->entries[i];
        sc_text_sink sink;
        sc_text_sink_init(&sink, NULL, 0);
        put_key(m, &sink, e->key, l->width);
        e->text = sc_allocate(sink.length + 1, 1);
        if (e->text == NULL)
            return sc_no_memory(error, "an audit");
        sc_text_sink_init(&sink, e->text, sink.length + 1);
        put_key(m, &sink, e->key, l->width);
        e->key = NULL; /* the laws do not outlive the list */
    }
    return SCRIM_OK;
}

/* The whole. */

static scrim_status fill(const scrim_measurement *m, scrim_audit_losses *l,
                         const sc_outcomes *const laws[2], scrim_error *error)
{
    const sc_outcomes *p = laws[0], *q = laws[1];
    l->width = p->width;
    l->entries = sc_allocate(p->count + q->count, sizeof *l->entries);
    if (l->entries == NULL)
        return sc_no_memory(error, "an audit");
    l->capacity = p->count + q->count;
    for (size_t i = 0; i < l->capacity; i++) {
        entry *e = &l->entries[i];
        sc_ball_init(&e->p);
        sc_ball_init(&e->q);
        sc_ball_init(&e->loss);
        sc_ball_init(&e->reached);
    }
    merge(l, p, q);
    qsort(l->entries, l->count, sizeof *l->entries, compare_entries);
    add_up(l);
    return write_texts(m, l, error);
}

static scrim_status copy_pair(const scrim_audit_report *r, scrim_audit_losses *l,
                              scrim_error *error)
{
    const char *pair = r->pairs[r->worst];
    l->pair = sc_allocate(strlen(pair) + 1, 1);
    if (l->pair == NULL)
        return sc_no_memory(error, "an audit");
    memcpy(l->pair, pair, strlen(pair));
    return SCRIM_OK;
}

static scrim_status list_losses(const scrim_measurement *m, const scrim_audit_report *r,
                                scrim_audit_losses *l, scrim_error *error)
{
    const sc_check *worst = &r->checks[r->worst];
    const sc_outcomes *laws[2] = {NULL, NULL};
    sc_law_cache *cache = NULL;
    sc_pair pair = {.x_count = 0};
    sc_search_pair(m, worst->pair, &pair);
    const sc_private_input inputs[2] = {{.values = pair.x, .count = pair.x_count},
                                        {.values = pair.y, .count = pair.y_count}};
    const bool is_back = worst->direction == SC_BACK;
    scrim_status status = copy_pair(r, l, error);
    if (status == SCRIM_OK)
        status = sc_law_cache_new(m, &cache, error);
    if (status == SCRIM_OK)
        status = sc_law_cache_get(cache, &inputs[is_back], BITS, &laws[0], error);
    if (status == SCRIM_OK)
        status = sc_law_cache_get(cache, &inputs[!is_back], BITS, &laws[1], error);
    if (status == SCRIM_OK)
        status = fill(m, l, laws, error);
    sc_law_cache_free(cache);
    return status;
}

scrim_status scrim_audit_losses_new(const scrim_measurement *measurement,
                                    const scrim_audit_report *report,
                                    scrim_audit_losses **out, scrim_error *error)
{
    SC_REQUIRE(error, "measurement report out", measurement, report, out);
    if (measurement == NULL || report == NULL ||
        strcmp(measurement->text, report->text) != 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "report",
                           "the report must be an audit of this measurement");
    scrim_audit_losses *l = sc_allocate(1, sizeof *l);
    if (l == NULL)
        return sc_no_memory(error, "an audit");
    const uint64_t refusals = sc_reserve_refusals();
    sc_ball_init(&l->unlisted);
    SC_BALL_SCOPE(scope);
    scrim_status status = list_losses(measurement, report, l, error);
    status = sc_ball_memory_check(refusals, status, error);
    if (status == SCRIM_OK)
        *out = l;
    else
        scrim_audit_losses_free(l);
    return status;
}

void scrim_audit_losses_free(scrim_audit_losses *l)
{
    if (l == NULL)
        return;
    for (size_t i = 0; i < l->capacity; i++) {
        entry *e = &l->entries[i];
        sc_ball_clear(&e->p);
        sc_ball_clear(&e->q);
        sc_ball_clear(&e->loss);
        sc_ball_clear(&e->reached);
        sc_free(e->text);
    }
    sc_free(l->entries);
    sc_ball_clear(&l->unlisted);
    sc_free(l->pair);
    sc_free(l);
}

/* The public questions. */

size_t scrim_audit_losses_count(const scrim_audit_losses *l)
{
    return l->count;
}

const char *scrim_audit_losses_pair(const scrim_audit_losses *l)
{
    return l->pair;
}

double scrim_audit_losses_unlisted(const scrim_audit_losses *l)
{
    return sc_ball_upper(&l->unlisted);
}

static void show(const scrim_audit_losses *l, const entry *e, scrim_audit_outcome *out)
{
    SC_OWN(sc_ball, most);
    sc_ball_add(&most, &e->reached, &l->unlisted, BITS);
    *out = (scrim_audit_outcome){.outcome = e->text,
                                 .x_lower = sc_ball_lower(&e->p),
                                 .x_upper = sc_ball_upper(&e->p),
                                 .y_lower = sc_ball_lower(&e->q),
                                 .y_upper = sc_ball_upper(&e->q),
                                 .loss_lower = e->lower,
                                 .loss_upper = e->upper,
                                 .reached_lower = fmax(0, sc_ball_lower(&e->reached)),
                                 .reached_upper = fmin(1, sc_ball_upper(&most))};
}

scrim_status scrim_audit_losses_get(const scrim_audit_losses *l, size_t index,
                                    scrim_audit_outcome *out, scrim_error *error)
{
    SC_REQUIRE(error, "losses out", l, out);
    if (index >= l->count)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "outcome",
                           "there are %zu outcomes", l->count);
    show(l, &l->entries[index], out);
    return SCRIM_OK;
}

static const char *skip_blanks(const char *text)
{
    while (*text == ' ')
        text++;
    return text;
}

/* asked may have commas, and more blanks, where text has one blank. */
static bool is_outcome(const char *text, const char *asked)
{
    asked = skip_blanks(asked);
    while (*text != '\0' && (*text == *asked || (*text == ' ' && *asked == ',')))
        asked = *text++ == ' ' ? skip_blanks(asked + 1) : asked + 1;
    return *text == '\0' && *skip_blanks(asked) == '\0';
}

scrim_status scrim_audit_losses_find(const scrim_audit_losses *l, const char *outcome,
                                     scrim_audit_outcome *out, scrim_error *error)
{
    SC_REQUIRE(error, "losses outcome out", l, outcome, out);
    char quote[SC_TEXT_QUOTE_BYTES];
    for (size_t i = 0; i < l->count; i++)
        if (is_outcome(l->entries[i].text, outcome)) {
            show(l, &l->entries[i], out);
            return SCRIM_OK;
        }
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "outcome",
                       "no listed outcome is '%s'; one is '%s'",
                       sc_text_quote(sc_text_of(outcome), quote),
                       l->count == 0 ? "" : l->entries[0].text);
}
