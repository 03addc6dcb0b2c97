#include "attack/generalise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ladders. */

static bool add_level(sc_ladder *ladder, const char *words)
{
    uint32_t *map = sc_allocate(ladder->column->value_count, sizeof *map);
    if (map == NULL) {
        sc_ladder_clear(ladder);
        return false;
    }
    snprintf(ladder->words[ladder->levels], SC_LEVEL_BYTES, "%s", words);
    ladder->maps[ladder->levels++] = map;
    return true;
}

static bool add_exact(sc_ladder *ladder, const sc_public_column *column)
{
    memset(ladder, 0, sizeof *ladder);
    ladder->column = column;
    if (!add_level(ladder, "exact"))
        return false;
    for (size_t i = 0; i < column->value_count; i++)
        ladder->maps[0][i] = (uint32_t)i;
    return true;
}

static bool has_numbers(const sc_public_column *column)
{
    for (size_t i = 1; i < column->value_count; i++)
        if (column->values[i][strspn(column->values[i], "0123456789")] != '\0' ||
            strlen(column->values[i]) > 9)
            return false;
    return true;
}

bool sc_ladder_of_numbers(sc_ladder *out, const sc_public_column *column,
                          const unsigned *widths, size_t count)
{
    if (!add_exact(out, column))
        return false;
    for (size_t level = 0; level < count && has_numbers(column); level++) {
        char words[SC_LEVEL_BYTES];
        snprintf(words, sizeof words, "by %u", widths[level]);
        if (!add_level(out, words))
            return false;
        for (size_t i = 1; i < column->value_count; i++)
            out->maps[level + 1][i] =
                1 + (uint32_t)strtoul(column->values[i], NULL, 10) / widths[level];
    }
    return true;
}

bool sc_ladder_drop(sc_ladder *ladder)
{
    return add_level(ladder, "dropped"); /* all alike: a map of zeros */
}

bool sc_ladder_of_digits(sc_ladder *out, const sc_public_column *column, size_t hidden)
{
    if (!add_exact(out, column))
        return false;
    for (size_t level = 1; level <= hidden; level++) {
        char words[SC_LEVEL_BYTES];
        snprintf(words, sizeof words, "%zu hidden", level);
        if (!add_level(out, words))
            return false;
        /* A value has the code of the first one that agrees with it. */
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

void sc_ladder_clear(sc_ladder *ladder)
{
    for (size_t i = 0; i < ladder->levels; i++)
        sc_free(ladder->maps[i]);
    memset(ladder, 0, sizeof *ladder);
}

/* The lattice. */

size_t sc_lattice_level(const sc_lattice *lattice, size_t node, size_t ladder)
{
    for (size_t i = 0; i < ladder; i++)
        node /= lattice->ladders[i].levels;
    return node % lattice->ladders[ladder].levels;
}

void sc_lattice_look(sc_lattice *lattice, size_t node)
{
    sc_row_classes_join(&lattice->classes);
    for (size_t i = 0; i < lattice->count; i++) {
        const sc_ladder *ladder = &lattice->ladders[i];
        const uint32_t *map = ladder->maps[sc_lattice_level(lattice, node, i)];
        for (size_t row = 0; row < lattice->row_count; row++)
            lattice->codes[row] = map[ladder->column->codes[row]];
        sc_row_classes_split(&lattice->classes, lattice->codes);
    }
}

static size_t count_nodes(const sc_ladder *ladders, size_t count)
{
    size_t nodes = 1;
    for (size_t i = 0; i < count && nodes <= SC_LATTICE_NODES; i++)
        nodes *= ladders[i].levels;
    return nodes;
}

bool sc_lattice_init(sc_lattice *out, const sc_ladder *ladders, size_t count,
                     const sc_public_column *sensitive, size_t row_count)
{
    *out = (sc_lattice){.ladders = ladders,
                        .count = count,
                        .sensitive = sensitive,
                        .row_count = row_count,
                        .node_count = count_nodes(ladders, count)};
    if (out->node_count > SC_LATTICE_NODES)
        return false;
    out->smallest = sc_allocate(out->node_count, sizeof *out->smallest);
    out->codes = sc_allocate(row_count, sizeof *out->codes);
    if (out->smallest == NULL || out->codes == NULL ||
        !sc_row_classes_init(&out->classes, row_count) ||
        !sc_row_classes_init(&out->pairs, row_count)) {
        sc_lattice_clear(out);
        return false;
    }
    for (size_t node = 0; node < out->node_count; node++) {
        sc_lattice_look(out, node);
        out->smallest[node] = (uint32_t)sc_row_classes_smallest(&out->classes);
    }
    return true;
}

void sc_lattice_clear(sc_lattice *lattice)
{
    sc_free(lattice->smallest);
    sc_free(lattice->codes);
    sc_row_classes_clear(&lattice->classes);
    sc_row_classes_clear(&lattice->pairs);
    memset(lattice, 0, sizeof *lattice);
}

/* k never falls along the lattice, so the nodes one step below decide. */
bool sc_lattice_is_minimal(const sc_lattice *lattice, size_t node, size_t k)
{
    size_t step = 1;
    if (lattice->smallest[node] < k)
        return false;
    for (size_t i = 0; i < lattice->count; i++) {
        if (sc_lattice_level(lattice, node, i) > 0 && lattice->smallest[node - step] >= k)
            return false;
        step *= lattice->ladders[i].levels;
    }
    return true;
}

/* What a class has, summed over its different sensitive values. */
typedef struct class_sum {
    uint32_t values;
    double excess; /* of |p - q| - q, p in the class and q in the table */
} class_sum;

static void sum_class(const sc_lattice *lattice, const double *shares, uint32_t *seen,
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

static void sum_table(const sc_lattice *lattice, const class_sum *sums, sc_anonymity *out)
{
    *out = (sc_anonymity){.k = sc_row_classes_smallest(&lattice->classes),
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

bool sc_lattice_measure(sc_lattice *lattice, size_t node, sc_anonymity *out)
{
    const size_t rows = lattice->row_count;
    double *shares = sc_allocate(lattice->sensitive->value_count, sizeof *shares);
    uint32_t *seen = sc_allocate(rows, sizeof *seen);
    class_sum *sums = sc_allocate(rows, sizeof *sums);
    const bool has_memory = shares != NULL && seen != NULL && sums != NULL;
    if (has_memory) {
        sc_lattice_look(lattice, node);
        for (size_t row = 0; row < rows; row++) {
            lattice->codes[row] = lattice->sensitive->codes[row];
            shares[lattice->codes[row]] += 1.0 / (double)rows;
        }
        memcpy(lattice->pairs.of, lattice->classes.of, rows * sizeof *seen);
        sc_row_classes_split(&lattice->pairs, lattice->codes);
        sum_class(lattice, shares, seen, sums);
        sum_table(lattice, sums, out);
    }
    sc_free(shares);
    sc_free(seen);
    sc_free(sums);
    return has_memory;
}
