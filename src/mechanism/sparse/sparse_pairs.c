#include "mechanism/sparse/sparse_pairs.h"

/* A box has at most so many pairs, a long run at most so many outcomes. */
#define BOX_MAX 2000
#define OUTCOMES_MAX 3000
#define FULL_MAX ((uint64_t)1 << 19) /* of a full run */
#define QUERIES_MAX 60

/* The box: places of a query, and ways of moving all of them. */

static size_t moves(const sc_sparse_family *family)
{
    return (size_t)1 << family->queries;
}

/* 3 or 2 places for each query where that is not too many, else 0: all have the same. */
static size_t places(const sc_sparse_family *family)
{
    for (size_t base = 3; base >= 2; base--)
        if (sc_size_power(base, family->queries) * moves(family) <= BOX_MAX)
            return base;
    return 0;
}

static size_t box_count(const sc_sparse_family *family)
{
    size_t base = places(family);
    return (base == 0 ? 3 : sc_size_power(base, family->queries)) * moves(family);
}

static void box_pair(const sc_sparse_family *family, size_t index, sc_pair *out)
{
    const size_t base = places(family), all = moves(family);
    size_t move = index % all, place = index / all;
    for (size_t i = 0; i < family->queries; i++) {
        int64_t at = (int64_t)(base == 0 ? place : place % base);
        int64_t step = family->shift;
        place = base == 0 ? place : place / base;
        if ((move >> i & 1) == 0)
            step = family->is_monotone ? 0 : -step;
        out->x[i] = family->level + (at - (base == 2 ? 0 : 1)) * family->shift;
        out->y[i] = out->x[i] + step;
    }
    out->x_count = out->y_count = family->queries;
}

/* Long runs. */

/* How many outcomes n queries have with at most c above: the sum of C(n,j) values^j, or more
 * than most where it is more. */
static uint64_t count_outcomes(uint64_t all_values, uint64_t n, uint64_t c, uint64_t most)
{
    const uint64_t values = all_values <= most ? all_values : most + 1;
    uint64_t sum = 1, choices = 1, lists = 1;
    for (uint64_t j = 1; j <= c && j <= n && sum <= most; j++) {
        choices = choices * (n - j + 1) / j;
        lists *= values;
        sum += choices * lists;
    }
    return sum;
}

static uint64_t outcomes(const sc_sparse_family *family, uint64_t n, uint64_t c)
{
    return count_outcomes(family->values, n, c, OUTCOMES_MAX);
}

/* 1, 2, 4 .. queries below, as long as such a run is answered whole and its law is short. */
static size_t run_lengths(const sc_sparse_family *family)
{
    size_t lengths = 0;
    for (uint64_t below = 1; family->count < QUERIES_MAX; below *= 2, lengths++) {
        uint64_t all = below + family->count;
        if (all > QUERIES_MAX || outcomes(family, all, family->count) > OUTCOMES_MAX ||
            (family->length != 0 && all > family->length))
            break;
    }
    return lengths;
}

static size_t heights(const sc_sparse_family *family)
{
    return family->height == 0 ? 1 : 3;
}

static void run_pair(const sc_sparse_family *family, size_t index, sc_pair *out)
{
    const size_t below = (size_t)1 << index / heights(family);
    const size_t all = below + (size_t)family->count;
    static const int64_t signs[] = {0, 1, -1};
    int64_t at = family->level + signs[index % heights(family)] * family->height;
    for (size_t i = 0; i < all; i++) {
        out->x[i] = at;
        if (i < below)
            out->y[i] = at + family->shift;
        else
            out->y[i] = family->is_monotone ? at : at - family->shift;
    }
    out->x_count = out->y_count = all;
}

/* Can some run that halts be listed? One that may not be so long halts in the box, or never. */
static bool lists_halting(const sc_sparse_family *family)
{
    return run_lengths(family) > 0 || family->queries >= family->count ||
           (family->length != 0 && family->length <= family->count);
}

/* Full runs: with and without a query that is to be below, all others down and all up. */

#define FULL_PAIRS 4

bool sc_sparse_needs_full(const sc_sparse_family *family)
{
    const uint64_t c = family->count;
    return family->values > 1 && family->length == 0 && c < QUERIES_MAX &&
           outcomes(family, c + 1, c) > OUTCOMES_MAX &&
           count_outcomes(2 * (uint64_t)family->shift + 1, c + 1, c, FULL_MAX) <=
               FULL_MAX;
}

static void full_pair(const sc_sparse_family *family, size_t index, sc_pair *out)
{
    const bool is_up = index % 2 == 1;
    const size_t below = index / 2, all = below + (size_t)family->count;
    const int64_t down = family->is_monotone ? 0 : -family->shift;
    for (size_t i = 0; i < all; i++) {
        out->x[i] = family->level;
        out->y[i] = family->level + (is_up || i < below ? family->shift : down);
    }
    out->x_count = out->y_count = all;
}

size_t sc_sparse_pair_count(const sc_sparse_family *family)
{
    if (family->is_full)
        return FULL_PAIRS;
    if (!lists_halting(family))
        return 0;
    return box_count(family) + heights(family) * run_lengths(family);
}

void sc_sparse_pair(const sc_sparse_family *family, size_t index, sc_pair *out)
{
    size_t box = family->is_full ? 0 : box_count(family);
    if (family->is_full)
        full_pair(family, index, out);
    else if (index < box)
        box_pair(family, index, out);
    else
        run_pair(family, index - box, out);
    for (size_t i = 0; i < out->x_count; i++) {
        out->x[i] = sc_domain_clamp(family->domain, out->x[i]);
        out->y[i] = sc_domain_clamp(family->domain, out->y[i]);
    }
}
