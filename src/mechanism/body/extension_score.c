#include "mechanism/body/extension_score.h"

#include "base/memory.h"

/* More rows than are ever asked about. */
static uint64_t most_of(const sc_extension_rule *r)
{
    return r->reach + r->clip;
}

scrim_status sc_extension_score_init(sc_extension_score *score,
                                     const sc_extension_rule *rule, scrim_error *error)
{
    *score = (sc_extension_score){.rule = *rule};
    score->places = sc_allocate(2 * (most_of(rule) + 1) + 2, sizeof *score->places);
    return score->places != NULL ? SCRIM_OK : sc_no_memory(error, "an extension");
}

void sc_extension_score_clear(sc_extension_score *score)
{
    if (score->places != NULL)
        sc_free_wiped(score->places,
                      (2 * (most_of(&score->rule) + 1) + 2) * sizeof *score->places);
    *score = (sc_extension_score){.count = 0};
}

/* A_s; the smallest number where no row is asked of. */
static int64_t lower_end(const sc_extension_rule *r, const sc_extension_table *t,
                         uint64_t s)
{
    int64_t most = INT64_MIN;
    for (uint64_t i = t->k > s ? 0 : s - t->k + 1; i <= r->reach; i++) {
        const int64_t end = t->row(t->context, t->k + i - s) - (int64_t)i * r->step;
        most = end > most ? end : most;
    }
    return most;
}

/* B_s likewise. */
static int64_t upper_end(const sc_extension_rule *r, const sc_extension_table *t,
                         uint64_t s)
{
    int64_t least = INT64_MAX;
    for (uint64_t i = t->k + s <= t->count ? 0 : t->k + s - t->count; i <= r->reach;
         i++) {
        const int64_t end = t->row(t->context, t->k + s - i) + (int64_t)i * r->step;
        least = end < least ? end : least;
    }
    return least;
}

static void put(sc_extension_score *score, int64_t value)
{
    if (value >= score->rule.low && value <= score->rule.high)
        score->places[score->count++].value = value;
}

void sc_extension_score_find(sc_extension_score *score, const sc_extension_table *t)
{
    const sc_extension_rule *r = &score->rule;
    const uint64_t most = most_of(r);
    score->count = 0;
    put(score, r->low);
    put(score, r->high);
    for (uint64_t s = 0; s <= most; s++) {
        put(score, lower_end(r, t, s));
        put(score, upper_end(r, t, s));
    }
    for (size_t i = 0; i < score->count; i++)
        score->places[i].moved = 2 * (most + 1);
    for (uint64_t s = 0; s <= most; s++) {
        /* a and b fall by one where the value is within the ends of s. */
        const int64_t lower = lower_end(r, t, s), upper = upper_end(r, t, s);
        for (size_t i = 0; i < score->count; i++) {
            score->places[i].moved -= score->places[i].value >= lower;
            score->places[i].moved -= score->places[i].value <= upper;
        }
    }
}

void sc_extension_interval(const sc_extension_score *score, uint64_t level,
                           int64_t *first, int64_t *last)
{
    const sc_extension_rule *r = &score->rule;
    const int64_t margin = (int64_t)r->reach * r->step;
    *first = r->low - margin;
    *last = r->high + margin;
    for (size_t i = 0; i < score->count; i++) {
        const sc_extension_place *p = &score->places[i];
        /* min(floor(|t - v|/D), K) <= level - clip + moved */
        if (level + p->moved >= r->reach + r->clip)
            continue;
        const int64_t within = level + p->moved < r->clip
                                   ? 0
                                   : (int64_t)(level + p->moved - r->clip + 1) * r->step;
        const int64_t from = p->value - within + 1, to = p->value + within - 1;
        *first = from > *first ? from : *first;
        *last = to < *last ? to : *last;
    }
}
