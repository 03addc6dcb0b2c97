/* Generalisation of a public table: ladders of coarser values, and the lattice of their levels.
 *
 * A ladder maps the values of a column to coarser ones, level by level; classes can only join from one
 * level to the next, so the size of the smallest class (k) never falls. A node has a level of each
 * ladder.
 *
 * Claim  generalise.minimal  the minimal nodes for k are those of at least k below which no node has k
 */
#ifndef SC_ATTACK_GENERALISE_H
#define SC_ATTACK_GENERALISE_H

#include "attack/public_table.h"
#include "attack/row_classes.h"

#define SC_LADDER_LEVELS 6
#define SC_LEVEL_BYTES 16
#define SC_LATTICE_NODES 1000000

typedef struct sc_ladder {
    const sc_public_column *column;
    size_t levels;
    uint32_t *maps[SC_LADDER_LEVELS]; /* by the code of a value */
    char words[SC_LADDER_LEVELS][SC_LEVEL_BYTES];
} sc_ladder;

/* Exact values, then buckets of these widths; a column with a value that is no whole number has no
 * buckets. False without memory; cleared in any case. */
bool sc_ladder_of_numbers(sc_ladder *out, const sc_public_column *column,
                          const unsigned *widths, size_t count);
/* One more level: the column is dropped. */
bool sc_ladder_drop(sc_ladder *ladder);
/* Exact values, then with 1, 2 and so on of their last characters hidden. */
bool sc_ladder_of_digits(sc_ladder *out, const sc_public_column *column, size_t hidden);
void sc_ladder_clear(sc_ladder *ladder);

typedef struct sc_lattice {
    const sc_ladder *ladders;
    size_t count; /* of ladders */
    const sc_public_column *sensitive;
    size_t row_count, node_count;
    uint32_t *smallest;     /* k of each node */
    sc_row_classes classes; /* of the node that was looked at last */
    sc_row_classes pairs;   /* classes, split by the sensitive value */
    uint32_t *codes;
} sc_lattice;

/* Looks at every node. False without memory, or if there are more than SC_LATTICE_NODES; cleared in any
 * case. The ladders and the column must outlive it. */
bool sc_lattice_init(sc_lattice *out, const sc_ladder *ladders, size_t count,
                     const sc_public_column *sensitive, size_t row_count);
void sc_lattice_clear(sc_lattice *lattice);

/* The level of a ladder in a node. */
size_t sc_lattice_level(const sc_lattice *lattice, size_t node, size_t ladder);
bool sc_lattice_is_minimal(const sc_lattice *lattice, size_t node, size_t k);
/* Makes its classes. */
void sc_lattice_look(sc_lattice *lattice, size_t node);

typedef struct sc_anonymity {
    size_t k, classes;
    size_t l;       /* fewest different sensitive values in a class */
    double t;       /* largest total variation distance of a class from the whole table */
    size_t certain; /* rows of classes with one sensitive value */
    size_t nearly;  /* rows of classes with at most two */
} sc_anonymity;

/* False without memory. */
bool sc_lattice_measure(sc_lattice *lattice, size_t node, sc_anonymity *out);

#endif
