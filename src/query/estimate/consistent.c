#include "query/estimate/consistent.h"

#include "base/memory.h"

#include <stdlib.h>

/* Weights of least squares are rounded to multiples of 2^-16. */
#define WEIGHT_PLACES 16

enum { LEVELS = SC_CONSISTENT_LEVELS };

/* A tree that is made consistent. */
typedef struct making {
    sc_consistent_level *levels;
    size_t count;
    uint64_t parts[LEVELS]; /* of a node; 0 of the finest */
    sc_ratio own[LEVELS];   /* a: the weight of its own number */
    sc_ratio *sums[LEVELS]; /* by node: of all z of its parts */
    size_t *places[LEVELS]; /* the parts of each node, one node behind the other */
} making;

/* Shape. */

static bool count_parts(making *m, size_t level)
{
    const sc_consistent_level *here = &m->levels[level], *finer = here + 1;
    size_t *filled = sc_allocate(here->count, sizeof *filled);
    m->places[level] = sc_allocate(finer->count, sizeof *m->places[level]);
    bool is_even =
        filled != NULL && m->places[level] != NULL && finer->count % here->count == 0;
    const size_t parts = finer->count / here->count;
    for (size_t i = 0; is_even && i < finer->count; i++) {
        const size_t parent = finer->parents[i];
        is_even = parent < here->count && filled[parent] < parts;
        if (is_even)
            m->places[level][parent * parts + filled[parent]++] = i;
    }
    m->parts[level] = parts;
    sc_free(filled);
    return is_even;
}

static void clear(making *m)
{
    for (size_t i = 0; i < m->count; i++) {
        for (size_t k = 0; m->sums[i] != NULL && k < m->levels[i].count; k++)
            sc_ratio_clear(&m->sums[i][k]);
        sc_free(m->sums[i]);
        sc_free(m->places[i]);
        sc_ratio_clear(&m->own[i]);
    }
}

static scrim_status prepare(making *m, scrim_error *error)
{
    for (size_t i = 0; i < m->count; i++)
        sc_ratio_init(&m->own[i]);
    for (size_t i = 0; i < m->count; i++) {
        m->sums[i] = sc_allocate(m->levels[i].count, sizeof *m->sums[i]);
        if (m->sums[i] == NULL)
            return sc_no_memory(error, "totals");
        for (size_t k = 0; k < m->levels[i].count; k++)
            sc_ratio_init(&m->sums[i][k]);
        if (i + 1 < m->count && !count_parts(m, i))
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "levels",
                               "totals of a level have not all as many parts");
    }
    return SCRIM_OK;
}

/* Weights. */

static void variance_of(const sc_consistent_level *level, sc_ratio *out)
{
    SC_OWN(sc_ratio, own, factor);
    sc_ratio_set_int64(out, 0);
    for (size_t i = 0; i < level->noises; i++) {
        const sc_law *law = level->laws[i];
        sc_ratio_set(&own, &law->shape); /* of a Gaussian the variance */
        if (law->functions != &sc_discrete_gaussian_law) {
            sc_ratio_mul(&own, &own, &law->shape);
            sc_ratio_set_int64(&factor, 2);
            sc_ratio_mul(&own, &own, &factor);
        }
        sc_ratio_set_int64(&factor, level->weights[i]);
        sc_ratio_mul(&own, &own, &factor);
        sc_ratio_mul(&own, &own, &factor);
        sc_ratio_add(out, out, &own);
    }
}

static void set_weights(making *m)
{
    SC_OWN(sc_ratio, v, all, sum);
    variance_of(&m->levels[m->count - 1], &all);
    sc_ratio_set_int64(&m->own[m->count - 1], 1);
    for (size_t i = m->count - 1; i-- > 0;) {
        SC_OWN(sc_ratio, parts);
        sc_ratio_set_int128(&parts, (sc_int128)m->parts[i]);
        sc_ratio_mul(&all, &all, &parts);
        variance_of(&m->levels[i], &v);
        sc_ratio_add(&sum, &all, &v);
        sc_ratio_div(&m->own[i], &all, &sum);
        sc_ratio_mul(&all, &v, &m->own[i]);
        sc_ratio_round_up(&m->own[i], WEIGHT_PLACES, &m->own[i]);
    }
}

/* 1 - a. */
static void rest_of(const making *m, size_t level, sc_ratio *out)
{
    sc_ratio_set_int64(out, 1);
    sc_ratio_sub(out, out, &m->own[level]);
}

/* Values. */

static void go_up(making *m)
{
    SC_OWN(sc_ratio, rest, term);
    for (size_t i = m->count; i-- > 0;) {
        sc_consistent_level *here = &m->levels[i];
        rest_of(m, i, &rest);
        for (size_t k = 0; k < here->count; k++) {
            sc_ratio_mul(&here->values[k], &here->values[k], &m->own[i]);
            sc_ratio_mul(&term, &rest, &m->sums[i][k]);
            sc_ratio_add(&here->values[k], &here->values[k], &term);
            if (i > 0) {
                sc_ratio *sum = &m->sums[i - 1][here->parents[k]];
                sc_ratio_add(sum, sum, &here->values[k]);
            }
        }
    }
}

static void go_down(making *m)
{
    SC_OWN(sc_ratio, shift, parts);
    for (size_t i = 0; i + 1 < m->count; i++) {
        const sc_consistent_level *here = &m->levels[i];
        sc_ratio_set_int128(&parts, (sc_int128)m->parts[i]);
        for (size_t k = 0; k < here->count; k++) {
            sc_ratio_sub(&shift, &here->values[k], &m->sums[i][k]);
            sc_ratio_div(&shift, &shift, &parts);
            for (size_t p = 0; p < m->parts[i]; p++) {
                sc_ratio *part = &here[1].values[m->places[i][k * m->parts[i] + p]];
                sc_ratio_add(part, part, &shift);
            }
        }
    }
}

/* Whole numbers. */

typedef struct rounded {
    sc_ratio rest; /* above the whole number below it */
    size_t place;
} rounded;

static int by_rest(const void *left, const void *right)
{
    const rounded *a = left, *b = right;
    const int compared = sc_ratio_compare(&b->rest, &a->rest);
    return compared != 0 ? compared : (a->place > b->place) - (a->place < b->place);
}

static void round_down(sc_ratio *x, sc_ratio *rest)
{
    SC_OWN(sc_integer, whole);
    SC_OWN(sc_ratio, down);
    sc_ratio_floor(x, &whole);
    sc_ratio_set_integer(&down, &whole);
    sc_ratio_sub(rest, x, &down);
    sc_ratio_set(x, &down);
}

/* The parts of a node that is rounded already: those with the largest rests go up. */
static void round_parts(const making *m, size_t level, size_t node, rounded *list)
{
    const sc_consistent_level *here = &m->levels[level];
    const size_t parts = m->parts[level];
    SC_OWN(sc_ratio, left, one);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_set(&left, &here->values[node]);
    for (size_t p = 0; p < parts; p++) {
        list[p].place = m->places[level][node * parts + p];
        round_down(&here[1].values[list[p].place], &list[p].rest);
        sc_ratio_sub(&left, &left, &here[1].values[list[p].place]);
    }
    qsort(list, parts, sizeof *list, by_rest);
    for (size_t p = 0; p < parts && sc_ratio_sign(&left) > 0; p++) {
        sc_ratio *part = &here[1].values[list[p].place];
        sc_ratio_add(part, part, &one);
        sc_ratio_sub(&left, &left, &one);
    }
}

static scrim_status round_all(const making *m, scrim_error *error)
{
    SC_OWN(sc_ratio, half, rest);
    sc_ratio_set_quotient(&half, 1, 2);
    for (size_t k = 0; k < m->levels[0].count; k++) {
        sc_ratio_add(&m->levels[0].values[k], &m->levels[0].values[k], &half);
        round_down(&m->levels[0].values[k], &rest);
    }
    for (size_t i = 0; i + 1 < m->count; i++) {
        rounded *list = sc_allocate(m->parts[i], sizeof *list);
        if (list == NULL)
            return sc_no_memory(error, "totals");
        for (size_t p = 0; p < m->parts[i]; p++)
            sc_ratio_init(&list[p].rest);
        for (size_t k = 0; k < m->levels[i].count; k++)
            round_parts(m, i, k, list);
        for (size_t p = 0; p < m->parts[i]; p++)
            sc_ratio_clear(&list[p].rest);
        sc_free(list);
    }
    return SCRIM_OK;
}

/* Intervals. */

/* Numbers that have one weight in a node: those of a level which leave its path, from the coarsest node down, at the same
 * node. */
typedef struct weighed {
    size_t
        leaves; /* the level of the last node of the path above them, or their own on the path */
    size_t level;
    uint64_t times;
    sc_ratio weight;
} weighed;

enum { WEIGHED = LEVELS * (LEVELS + 1) / 2 };

/* The weight of a number of a level in the z of the node above it, or of itself. */
static void weight_below(const making *m, size_t from, size_t level, sc_ratio *out)
{
    SC_OWN(sc_ratio, rest);
    sc_ratio_set(out, &m->own[level]);
    for (size_t i = from; i < level; i++) {
        rest_of(m, i, &rest);
        sc_ratio_mul(out, out, &rest);
    }
}

static uint64_t nodes_below(const making *m, size_t from, size_t level)
{
    uint64_t nodes = 1;
    for (size_t i = from; i < level; i++)
        nodes *= m->parts[i];
    return nodes;
}

static size_t list_weighed(const making *m, size_t node, weighed *list)
{
    size_t count = 0;
    for (size_t i = 0; i <= node; i++) {
        list[count++] = (weighed){.leaves = i, .level = i, .times = 1};
        for (size_t k = i + 1; k < m->count; k++)
            list[count++] = (weighed){.leaves = i,
                                      .level = k,
                                      .times = i == node ? nodes_below(m, i, k)
                                                         : (m->parts[i] - 1) *
                                                               nodes_below(m, i + 1, k)};
    }
    return count;
}

/* From the h of a node of the path to that of the next one: a share of the former, and of the z of itself and its neighbours. */
static void take_step(const making *m, size_t from, weighed *list, size_t count)
{
    SC_OWN(sc_ratio, share, own, term);
    sc_ratio_set_int128(&share, (sc_int128)m->parts[from]);
    sc_ratio_set_int64(&own, 1);
    sc_ratio_div(&share, &own, &share);
    sc_ratio_sub(&own, &own, &share);
    for (size_t i = 0; i < count; i++) {
        sc_ratio *weight = &list[i].weight;
        sc_ratio_mul(weight, weight, &share);
        if (list[i].level <= from || list[i].leaves < from)
            continue;
        weight_below(m, from + 1, list[i].level, &term);
        if (list[i].leaves > from) {
            sc_ratio_mul(&term, &term, &own);
            sc_ratio_add(weight, weight, &term);
        } else {
            sc_ratio_mul(&term, &term, &share);
            sc_ratio_sub(weight, weight, &term);
        }
    }
}

static scrim_status set_half(const making *m, size_t node, const sc_ratio *beta,
                             scrim_error *error)
{
    weighed list[WEIGHED];
    sc_noise_term terms[SC_NOISE_SUM_MAX];
    sc_ratio weights[SC_NOISE_SUM_MAX];
    size_t used = 0;
    const size_t count = list_weighed(m, node, list);
    SC_OWN(sc_ratio, radius);
    SC_OWN(sc_integer, whole);
    for (size_t i = 0; i < count; i++) {
        sc_ratio_init(&list[i].weight);
        weight_below(m, 0, list[i].level, &list[i].weight);
    }
    for (size_t i = 0; i < node; i++)
        take_step(m, i, list, count);
    for (size_t i = 0; i < count; i++) {
        const sc_consistent_level *level = &m->levels[list[i].level];
        for (size_t k = 0; list[i].times > 0 && k < level->noises; k++) {
            sc_ratio_init(&weights[used]);
            sc_ratio_set_int64(&weights[used], level->weights[k]);
            sc_ratio_mul(&weights[used], &weights[used], &list[i].weight);
            terms[used] = (sc_noise_term){level->laws[k], &weights[used], list[i].times};
            used++;
        }
    }
    scrim_status status = sc_noise_terms_radius(terms, used, beta, &radius, error);
    sc_ratio_ceil(&radius, &whole);
    if (status == SCRIM_OK && !sc_integer_get_int128(&whole, &m->levels[node].half))
        status = sc_fail(error, SCRIM_E_LIMIT, "the interval of a total is too wide");
    for (size_t i = 0; i < used; i++)
        sc_ratio_clear(&weights[i]);
    for (size_t i = 0; i < count; i++)
        sc_ratio_clear(&list[i].weight);
    return status;
}

scrim_status sc_consistent_make(sc_consistent_level *levels, size_t count,
                                const sc_ratio *beta, scrim_error *error)
{
    making m = {.levels = levels, .count = count};
    if (count == 0 || count > LEVELS)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "levels",
                           "totals have 1 to %d levels", LEVELS);
    scrim_status status = prepare(&m, error);
    if (status == SCRIM_OK) {
        set_weights(&m);
        go_up(&m);
        go_down(&m);
        status = round_all(&m, error);
    }
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        status = set_half(&m, i, beta, error);
    clear(&m);
    return status;
}
