#include "lab/attack/generalise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ladders. */

static bool add_level(lab_ladder *ladder, const char *words)
{
    uint32_t *map = lab_allocate(ladder->column->value_count, sizeof *map);
    if (map == NULL) {
        lab_ladder_clear(ladder);
        return false;
    }
    snprintf(ladder->words[ladder->levels], LAB_LEVEL_BYTES, "%s", words);
    ladder->maps[ladder->levels++] = map;
    return true;
}

static bool add_exact(lab_ladder *ladder, const lab_public_column *column)
{
    memset(ladder, 0, sizeof *ladder);
    ladder->column = column;
    if (!add_level(ladder, "exact"))
        return false;
    for (size_t i = 0; i < column->value_count; i++)
        ladder->maps[0][i] = (uint32_t)i;
    return true;
}

static bool has_numbers(const lab_public_column *column)
{
    for (size_t i = 1; i < column->value_count; i++)
        if (column->values[i][strspn(column->values[i], "0123456789")] != '\0' ||
            strlen(column->values[i]) > 9)
            return false;
    return true;
}

bool lab_ladder_of_numbers(lab_ladder *out, const lab_public_column *column,
                           const unsigned *widths, size_t count)
{
    if (!add_exact(out, column))
        return false;
    for (size_t level = 0; level < count && has_numbers(column); level++) {
        char words[LAB_LEVEL_BYTES];
        snprintf(words, sizeof words, "by %u", widths[level]);
        if (!add_level(out, words))
            return false;
        for (size_t i = 1; i < column->value_count; i++)
            out->maps[level + 1][i] =
                1 + (uint32_t)strtoul(column->values[i], NULL, 10) / widths[level];
    }
    return true;
}

bool lab_ladder_drop(lab_ladder *ladder)
{
    return add_level(ladder, "dropped"); /* a map of zeros: all values are equal */
}

bool lab_ladder_of_digits(lab_ladder *out, const lab_public_column *column, size_t hidden)
{
    if (!add_exact(out, column))
        return false;
    for (size_t level = 1; level <= hidden; level++) {
        char words[LAB_LEVEL_BYTES];
        snprintf(words, sizeof words, "%zu hidden", level);
        if (!add_level(out, words))
            return false;
        /* Values that agree get the code of the first of them. */
        for (size_t i = 1; i < column->value_count; i++) {
            const size_t bytes = strlen(column->values[i]);
            const size_t left = bytes > level ? bytes - level : 0;
            size_t first = 1;
            while (strlen(column->values[first]) != bytes ||
                   memcmp(column->values[first], column->values[i], left) != 0)
                first++;
            out->maps[level][i] = (uint32_t)first;
        }
    }
    return true;
}

void lab_ladder_clear(lab_ladder *ladder)
{
    for (size_t i = 0; i < ladder->levels; i++)
        free(ladder->maps[i]);
    memset(ladder, 0, sizeof *ladder);
}

/* The lattice. */

size_t lab_lattice_level(const lab_lattice *lattice, size_t node, size_t ladder)
{
    for (size_t i = 0; i < ladder; i++)
        node /= lattice->ladders[i].levels;
    return node % lattice->ladders[ladder].levels;
}

void lab_lattice_look(lab_lattice *lattice, size_t node)
{
    lab_row_classes_join(&lattice->classes);
    for (size_t i = 0; i < lattice->count; i++) {
        const lab_ladder *ladder = &lattice->ladders[i];
        const uint32_t *map = ladder->maps[lab_lattice_level(lattice, node, i)];
        for (size_t row = 0; row < lattice->row_count; row++)
            lattice->codes[row] = map[ladder->column->codes[row]];
        lab_row_classes_split(&lattice->classes, lattice->codes);
    }
}

static size_t count_nodes(const lab_ladder *ladders, size_t count)
{
    size_t nodes = 1;
    for (size_t i = 0; i < count && nodes <= LAB_LATTICE_NODES; i++)
        nodes *= ladders[i].levels;
    return nodes;
}

bool lab_lattice_init(lab_lattice *out, const lab_ladder *ladders, size_t count,
                      const lab_public_column *sensitive, size_t row_count)
{
    *out = (lab_lattice){.ladders = ladders,
                         .count = count,
                         .sensitive = sensitive,
                         .row_count = row_count,
                         .node_count = count_nodes(ladders, count)};
    if (out->node_count > LAB_LATTICE_NODES)
        return false;
    out->smallest = lab_allocate(out->node_count, sizeof *out->smallest);
    out->codes = lab_allocate(row_count, sizeof *out->codes);
    if (out->smallest == NULL || out->codes == NULL ||
        !lab_row_classes_init(&out->classes, row_count) ||
        !lab_row_classes_init(&out->pairs, row_count)) {
        lab_lattice_clear(out);
        return false;
    }
    for (size_t node = 0; node < out->node_count; node++) {
        lab_lattice_look(out, node);
        out->smallest[node] = (uint32_t)lab_row_classes_smallest(&out->classes);
    }
    return true;
}

void lab_lattice_clear(lab_lattice *lattice)
{
    free(lattice->smallest);
    free(lattice->codes);
    lab_row_classes_clear(&lattice->classes);
    lab_row_classes_clear(&lattice->pairs);
    memset(lattice, 0, sizeof *lattice);
}

/* k never falls along the lattice, so it is enough to look one step down each ladder. */
bool lab_lattice_is_minimal(const lab_lattice *lattice, size_t node, size_t k)
{
    size_t step = 1;
    if (lattice->smallest[node] < k)
        return false;
    for (size_t i = 0; i < lattice->count; i++) {
        if (lab_lattice_level(lattice, node, i) > 0 &&
            lattice->smallest[node - step] >= k)
            return false;
        step *= lattice->ladders[i].levels;
    }
    return true;
}

/* Sums over the different sensitive values of a class. */
typedef struct class_sum {
    uint32_t values;
    double excess; /* of |p - q| - q; p is the share in the class, q in the table */
} class_sum;

static void sum_class(const lab_lattice *lattice, const double *shares, uint32_t *seen,
                      class_sum *sums)
{
    for (size_t row = 0; row < lattice->row_count; row++) {
        const uint32_t pair = lattice->pairs.of[row], class = lattice->classes.of[row];
        if (seen[pair] != 0)
            continue;
        seen[pair] = 1;
        const double q = shares[lattice->sensitive->codes[row]];
        const double p =
            (double)lattice->pairs.sizes[pair] / lattice->classes.sizes[class];
        sums[class].values++;
        sums[class].excess += fabs(p - q) - q;
    }
}

static void sum_table(const lab_lattice *lattice, const class_sum *sums,
                      lab_anonymity *out)
{
    *out = (lab_anonymity){.k = lab_row_classes_smallest(&lattice->classes),
                           .classes = lattice->classes.count,
                           .l = lattice->row_count};
    for (size_t i = 0; i < lattice->classes.count; i++) {
        const uint32_t size = lattice->classes.sizes[i];
        out->l = sums[i].values < out->l ? sums[i].values : out->l;
        out->t = fmax(out->t, (1 + sums[i].excess) / 2);
        out->certain += sums[i].values == 1 ? size : 0;
        out->nearly += sums[i].values <= 2 ? size : 0;
    }
}

bool lab_lattice_measure(lab_lattice *lattice, size_t node, lab_anonymity *out)
{
    const size_t rows = lattice->row_count;
    double *shares = lab_allocate(lattice->sensitive->value_count, sizeof *shares);
    uint32_t *seen = lab_allocate(rows, sizeof *seen);
    class_sum *sums = lab_allocate(rows, sizeof *sums);
    const bool has_memory = shares != NULL && seen != NULL && sums != NULL;
    if (has_memory) {
        lab_lattice_look(lattice, node);
        for (size_t row = 0; row < rows; row++) {
            lattice->codes[row] = lattice->sensitive->codes[row];
            shares[lattice->codes[row]] += 1.0 / (double)rows;
        }
        memcpy(lattice->pairs.of, lattice->classes.of, rows * sizeof *seen);
        lab_row_classes_split(&lattice->pairs, lattice->codes);
        sum_class(lattice, shares, seen, sums);
        sum_table(lattice, sums, out);
    }
    free(shares);
    free(seen);
    free(sums);
    return has_memory;
}

/* Median cuts. */

/* A row and the number that it is sorted by. */
typedef struct place {
    uint32_t row; /* of the list */
    uint64_t rank;
} place;

typedef struct cutting {
    const lab_median_cuts *q;
    size_t count; /* of classes */
    uint32_t *classes;
    place *places;
} cutting;

/* Numbers by value, texts by their code. */
static uint64_t rank_of(const lab_public_column *column, uint32_t row)
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
        c->places[i].rank = rank_of(c->q->columns[column], c->q->rows[c->places[i].row]);
    qsort(c->places + low, high - low, sizeof *c->places, by_rank);
}

static size_t count_ranks(const cutting *c, size_t low, size_t high)
{
    size_t ranks = 1;
    for (size_t i = low + 1; i < high; i++)
        ranks += c->places[i].rank != c->places[i - 1].rank;
    return ranks;
}

/* The place nearest to the middle at which the sorted rows can be cut; high if they cannot be. */
static size_t find_cut(const cutting *c, size_t low, size_t high)
{
    const size_t middle = low + (high - low) / 2;
    size_t best = high, distance = high - low;
    for (size_t i = low + c->q->k; i + c->q->k <= high; i++) {
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
    size_t chosen = c->q->column_count, most = 0;
    for (size_t column = 0; column < c->q->column_count; column++) {
        sort_by(c, column, low, high);
        const size_t ranks = count_ranks(c, low, high);
        if (find_cut(c, low, high) < high && ranks > most) {
            most = ranks;
            chosen = column;
        }
    }
    if (chosen == c->q->column_count) {
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

size_t lab_median_cuts_make(const lab_median_cuts *question, uint32_t *classes)
{
    cutting c = {.q = question,
                 .classes = classes,
                 .places = lab_allocate(question->row_count, sizeof *c.places)};
    if (c.places == NULL)
        return 0;
    for (size_t i = 0; i < question->row_count; i++)
        c.places[i].row = (uint32_t)i;
    cut(&c, 0, question->row_count);
    free(c.places);
    return c.count;
}
