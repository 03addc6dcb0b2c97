#include "synth/rounds/workload.h"

#include "base/memory.h"

#include <stdlib.h>

/* The workload with whole weights. */
typedef struct whole {
    sc_clique *cliques;
    int64_t *weights;
    size_t count;
} whole;

static scrim_status refuse_weights(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "weights",
                       "weights must be at least 0, not all 0, and have a common "
                       "denominator of at most %lld",
                       (long long)SC_WORKLOAD_WEIGHT);
}

static int64_t gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* x den, where that is a whole number from 0 to the largest weight. */
static bool times(const sc_ratio *x, int64_t den, int64_t *out)
{
    sc_int128 wide = 0;
    SC_OWN(sc_ratio, product);
    SC_OWN(sc_integer, top);
    sc_ratio_set_int64(&product, den);
    sc_ratio_mul(&product, &product, x);
    sc_ratio_numerator(&product, &top);
    if (!sc_ratio_is_integer(&product) || !sc_integer_get_int128(&top, &wide) ||
        wide < 0 || wide > SC_WORKLOAD_WEIGHT)
        return false;
    *out = (int64_t)wide;
    return true;
}

static bool denominator(const sc_ratio *x, int64_t *out)
{
    uint64_t found = 0;
    SC_OWN(sc_integer, below);
    sc_ratio_denominator(x, &below);
    if (!sc_integer_get_uint64(&below, &found) || found == 0 ||
        found > (uint64_t)SC_WORKLOAD_WEIGHT)
        return false;
    *out = (int64_t)found;
    return true;
}

static bool make_whole(const sc_ratio *weights, whole *w)
{
    int64_t den = 1, one = 1;
    for (size_t i = 0; weights != NULL && i < w->count; i++) {
        if (!denominator(&weights[i], &one))
            return false;
        den = den / gcd(den, one) * one;
        if (den > SC_WORKLOAD_WEIGHT)
            return false;
    }
    for (size_t i = 0; i < w->count; i++) {
        w->weights[i] = 1;
        if (weights != NULL && !times(&weights[i], den, &w->weights[i]))
            return false;
    }
    return true;
}

static void set_pairs(const sc_synth_columns *columns, whole *w)
{
    size_t at = 0;
    for (size_t a = 0; a < columns->count; a++)
        for (size_t b = a + 1; b < columns->count; b++)
            w->cliques[at++] = sc_clique_of(a) | sc_clique_of(b);
    if (columns->count == 1)
        w->cliques[0] = sc_clique_of(0);
}

static scrim_status whole_make(const sc_synth_columns *columns,
                               const sc_workload *workload, whole *w, scrim_error *error)
{
    const size_t k = columns->count;
    w->count = workload->cliques != NULL ? workload->count : k == 1 ? 1 : k * (k - 1) / 2;
    w->cliques = sc_allocate(w->count, sizeof *w->cliques);
    w->weights = sc_allocate(w->count, sizeof *w->weights);
    if (w->cliques == NULL || w->weights == NULL)
        return sc_no_memory(error, "a synthetic release");
    if (workload->cliques == NULL)
        set_pairs(columns, w);
    for (size_t i = 0; workload->cliques != NULL && i < w->count; i++) {
        const sc_clique clique = workload->cliques[i];
        if (clique == 0 || !sc_clique_is_inside(clique, sc_synth_columns_all(columns)) ||
            sc_clique_count(clique) > SC_WORKLOAD_WIDTH)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "workload",
                               "a marginal must have at least 1 and at most %d columns",
                               SC_WORKLOAD_WIDTH);
        w->cliques[i] = clique;
    }
    return make_whole(workload->cliques != NULL ? workload->weights : NULL, w)
               ? SCRIM_OK
               : refuse_weights(error);
}

/* Candidates. */

static int by_clique(const void *a, const void *b)
{
    const sc_clique x = ((const sc_candidate_clique *)a)->clique;
    const sc_clique y = ((const sc_candidate_clique *)b)->clique;
    return (x > y) - (x < y);
}

static void drop_repeated(sc_candidates *c)
{
    size_t kept = 0;
    if (c->count > 0)
        qsort(c->list, c->count, sizeof *c->list, by_clique);
    for (size_t i = 0; i < c->count; i++)
        if (kept == 0 || c->list[kept - 1].clique != c->list[i].clique)
            c->list[kept++] = c->list[i];
    c->count = kept;
}

/* Every subset of every clique; repeated ones are dropped whenever the room is used up. */
static scrim_status list_subsets(const sc_synth_columns *columns, const whole *w,
                                 uint64_t most_cells, sc_candidates *c,
                                 scrim_error *error)
{
    const size_t room = 2 * SC_WORKLOAD_CANDIDATES;
    c->list = sc_allocate(room, sizeof *c->list);
    if (c->list == NULL)
        return sc_no_memory(error, "a synthetic release");
    for (size_t i = 0; i < w->count; i++) {
        const sc_clique all = w->cliques[i];
        for (sc_clique part = all; part != 0; part = (part - 1) & all) {
            const uint64_t cells = sc_clique_cells(columns, part);
            if (cells > most_cells && sc_clique_count(part) > 1)
                continue;
            if (c->count == room)
                drop_repeated(c);
            if (c->count > SC_WORKLOAD_CANDIDATES)
                return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "workload",
                                   "the workload has more than %zu marginals",
                                   SC_WORKLOAD_CANDIDATES);
            c->list[c->count++] = (sc_candidate_clique){.clique = part, .cells = cells};
        }
    }
    drop_repeated(c);
    return SCRIM_OK;
}

static int64_t weight_of(const whole *w, sc_clique clique)
{
    int64_t sum = 0; /* 2^20 cliques of 2^20 times 8 fit */
    for (size_t i = 0; i < w->count; i++)
        sum += w->weights[i] * (int64_t)sc_clique_count(clique & w->cliques[i]);
    return sum;
}

/* Whole weights without a common divisor; those without a weight are dropped. */
static scrim_status weigh(const whole *w, sc_candidates *c, scrim_error *error)
{
    int64_t common = 0;
    size_t kept = 0;
    for (size_t i = 0; i < c->count; i++) {
        c->list[i].weight = (uint64_t)weight_of(w, c->list[i].clique);
        common = gcd(common, (int64_t)c->list[i].weight);
    }
    for (size_t i = 0; i < c->count; i++)
        if (c->list[i].weight > 0)
            c->list[kept++] = c->list[i];
    c->count = kept;
    c->cells = c->most = 0;
    for (size_t i = 0; i < kept; i++) {
        c->list[i].weight /= (uint64_t)common;
        c->cells += c->list[i].cells;
        c->most = c->list[i].weight > c->most ? c->list[i].weight : c->most;
    }
    return kept == 0 || c->most > (uint64_t)SC_WORKLOAD_WEIGHT ? refuse_weights(error)
                                                               : SCRIM_OK;
}

scrim_status sc_candidates_make(const sc_synth_columns *columns,
                                const sc_workload *workload, uint64_t most_cells,
                                sc_candidates *out, scrim_error *error)
{
    whole w = {.count = 0};
    sc_candidates found = {.count = 0};
    scrim_status status = SCRIM_OK;
    if (workload->cliques != NULL && workload->count > (size_t)1 << 20)
        status = sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "workload",
                             "the workload has more than %zu marginals",
                             SC_WORKLOAD_CANDIDATES);
    if (status == SCRIM_OK)
        status = whole_make(columns, workload, &w, error);
    if (status == SCRIM_OK)
        status = list_subsets(columns, &w, most_cells, &found, error);
    if (status == SCRIM_OK)
        status = weigh(&w, &found, error);
    sc_free(w.weights);
    sc_free(w.cliques);
    if (status == SCRIM_OK)
        *out = found;
    else
        sc_candidates_clear(&found);
    return status;
}

void sc_candidates_clear(sc_candidates *candidates)
{
    sc_free(candidates->list);
    *candidates = (sc_candidates){.count = 0};
}
