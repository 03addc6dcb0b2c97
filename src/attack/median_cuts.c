#include "attack/median_cuts.h"

#include <stdlib.h>

/* A row and the number that it is sorted by. */
typedef struct place {
    uint32_t row; /* of the list */
    uint64_t rank;
} place;

typedef struct cutting {
    const sc_public_column *const *columns;
    size_t column_count;
    const uint32_t *rows;
    size_t k, count;
    uint32_t *classes;
    place *places;
} cutting;

/* Numbers by value, texts by their code. */
static uint64_t rank_of(const sc_public_column *column, uint32_t row)
{
    char *end = NULL;
    const uint32_t code = column->codes[row];
    const unsigned long long number = strtoull(column->values[code], &end, 10);
    return end != column->values[code] && *end == '\0' ? number : code;
}

static int by_rank(const void *a, const void *b)
{
    const place *left = a, *right = b;
    if (left->rank != right->rank)
        return left->rank < right->rank ? -1 : 1;
    return left->row < right->row ? -1 : left->row > right->row;
}

static void sort_by(const cutting *c, size_t column, size_t low, size_t high)
{
    for (size_t i = low; i < high; i++)
        c->places[i].rank = rank_of(c->columns[column], c->rows[c->places[i].row]);
    qsort(c->places + low, high - low, sizeof *c->places, by_rank);
}

static size_t count_ranks(const cutting *c, size_t low, size_t high)
{
    size_t ranks = 1;
    for (size_t i = low + 1; i < high; i++)
        ranks += c->places[i].rank != c->places[i - 1].rank;
    return ranks;
}

/* The place nearest to the middle at which the sorted rows can be cut; high: there is none. */
static size_t find_cut(const cutting *c, size_t low, size_t high)
{
    const size_t middle = low + (high - low) / 2;
    size_t best = high, distance = high - low;
    for (size_t i = low + c->k; i + c->k <= high; i++) {
        const size_t off = i > middle ? i - middle : middle - i;
        if (c->places[i].rank != c->places[i - 1].rank && off < distance) {
            best = i;
            distance = off;
        }
    }
    return best;
}

static void cut(cutting *c, size_t low, size_t high)
{
    size_t chosen = c->column_count, most = 0;
    for (size_t column = 0; column < c->column_count; column++) {
        sort_by(c, column, low, high);
        const size_t ranks = count_ranks(c, low, high);
        if (find_cut(c, low, high) < high && ranks > most) {
            most = ranks;
            chosen = column;
        }
    }
    if (chosen == c->column_count) {
        for (size_t i = low; i < high; i++)
            c->classes[c->places[i].row] = (uint32_t)c->count;
        c->count++;
        return;
    }
    sort_by(c, chosen, low, high);
    const size_t middle = find_cut(c, low, high);
    cut(c, low, middle);
    cut(c, middle, high);
}

size_t sc_median_cuts(const sc_public_column *const *columns, size_t column_count,
                      const uint32_t *rows, size_t row_count, size_t k, uint32_t *classes)
{
    cutting c = {.columns = columns,
                 .column_count = column_count,
                 .rows = rows,
                 .k = k,
                 .classes = classes,
                 .places = sc_allocate(row_count, sizeof *c.places)};
    if (c.places == NULL)
        return 0;
    for (size_t i = 0; i < row_count; i++)
        c.places[i].row = (uint32_t)i;
    cut(&c, 0, row_count);
    sc_free(c.places);
    return c.count;
}
