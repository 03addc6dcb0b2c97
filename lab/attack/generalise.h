/* Generalisation of a public table: ladders of coarser values, the lattice of their levels, and median
 * cuts.
 *
 * A ladder maps the values of a column to coarser ones, level by level; from one level to the next,
 * classes can only join, so the size of the smallest class (k) never falls. A node of the lattice has
 * one level of each ladder.
 *
 * Claim  generalise.minimal  a node is minimal for k if it has k and no node below it has
 */
#ifndef LAB_ATTACK_GENERALISE_H
#define LAB_ATTACK_GENERALISE_H

#include "lab/attack/public_table.h"

#define LAB_LADDER_LEVELS 6
#define LAB_LEVEL_BYTES 16
#define LAB_LATTICE_NODES 1000000

typedef struct lab_ladder {
    const lab_public_column *column;
    size_t levels;
    uint32_t *maps[LAB_LADDER_LEVELS]; /* by the code of a value */
    char words[LAB_LADDER_LEVELS][LAB_LEVEL_BYTES];
} lab_ladder;

/* Exact values, then buckets of these widths; no buckets if a value is not a whole number. False without
 * memory; clear it in any case. */
bool lab_ladder_of_numbers(lab_ladder *out, const lab_public_column *column,
                           const unsigned *widths, size_t count);
/* Adds a level on which the column is dropped. */
bool lab_ladder_drop(lab_ladder *ladder);
/* Exact values, then with 1, 2 and so on of their last characters hidden. */
bool lab_ladder_of_digits(lab_ladder *out, const lab_public_column *column,
                          size_t hidden);
void lab_ladder_clear(lab_ladder *ladder);

typedef struct lab_lattice {
    const lab_ladder *ladders;
    size_t count; /* of ladders */
    const lab_public_column *sensitive;
    size_t row_count, node_count;
    uint32_t *smallest;      /* k of each node */
    lab_row_classes classes; /* of the node of the last lab_lattice_look */
    lab_row_classes pairs;   /* classes, split by the sensitive value */
    uint32_t *codes;
} lab_lattice;

/* Computes k of every node. False without memory, or if there are more than LAB_LATTICE_NODES; clear it
 * in any case. The ladders and the column must outlive it. */
bool lab_lattice_init(lab_lattice *out, const lab_ladder *ladders, size_t count,
                      const lab_public_column *sensitive, size_t row_count);
void lab_lattice_clear(lab_lattice *lattice);

/* The level of a ladder in a node. */
size_t lab_lattice_level(const lab_lattice *lattice, size_t node, size_t ladder);
bool lab_lattice_is_minimal(const lab_lattice *lattice, size_t node, size_t k);
/* Computes the classes of a node. */
void lab_lattice_look(lab_lattice *lattice, size_t node);

typedef struct lab_anonymity {
    size_t k, classes;
    size_t l;       /* fewest different sensitive values in a class */
    double t;       /* largest total variation distance of a class from the whole table */
    size_t certain; /* rows of classes with one sensitive value */
    size_t nearly;  /* rows of classes with at most two */
} lab_anonymity;

/* False without memory. */
bool lab_lattice_measure(lab_lattice *lattice, size_t node, lab_anonymity *out);

/* Median cuts: classes of some rows of a table, counted from 0. A class is cut at the median of the
 * column with most different values, the first one on a tie, until no cut leaves k rows on either side.
 *
 * Reference  LeFevre, DeWitt, Ramakrishnan, "Mondrian multidimensional k-anonymity", 2006
 */
typedef struct lab_median_cuts {
    const lab_public_column *const *columns;
    size_t column_count;
    const uint32_t *rows;
    size_t row_count, k;
} lab_median_cuts;

/* Writes the class of each of the rows. Returns the number of classes; 0 without memory. */
size_t lab_median_cuts_make(const lab_median_cuts *question, uint32_t *classes);

#endif
