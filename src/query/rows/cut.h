/* Who was cut: units by how many of their rows contribution bounds left out of a statement.
 *
 * The number of rows that bounds drop has no bounded reach, since one unit may have any number of them. So people are
 * counted in place of rows: each unit that has a row after WHERE and listed keys is in one cell, by d, the
 * rows of it that were left out: none; 1 to T; to 4 T; to 16 T; more, for a total of T rows. A unit that is added moves one
 * count by 1, and one that is replaced moves two. Where a statement clamps a person's totals, one cell more is
 * for units all of whose rows stayed, but whose total was clamped.
 *
 * Claim  cut.own    the cell of a unit is a function of the unit's own rows and of the secret keys of bounding
 * Claim  cut.cells  each unit is in one cell, and has at least as many rows left out as the cell says
 *
 * Reference  spec/query-semantics.md 2.5
 */
#ifndef SC_QUERY_CUT_H
#define SC_QUERY_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At most. */
#define SC_CUT_CELLS 6

typedef enum sc_cut_kind {
    SC_CUT_NOTHING = 0, /* nobody is counted */
    /* All rows in the groups that stay are in the numbers: those of other groups are left out. */
    SC_CUT_GROUPS,
    SC_CUT_ROWS
} sc_cut_kind;

/* All of it public. */
typedef struct sc_cut_plan {
    sc_cut_kind kind;
    bool has_totals; /* the second cell is that of clamped totals */
    /* The fewest left-out rows of a unit in each cell, in increasing order. */
    uint64_t from[SC_CUT_CELLS];
    size_t count; /* of the cells */
} sc_cut_plan;

/* total: the rows of a unit that bounds leave, at least 1. */
sc_cut_plan sc_cut_plan_of(sc_cut_kind kind, bool has_totals, uint64_t total);
/* The cell of a unit. */
size_t sc_cut_cell(const sc_cut_plan *plan, uint64_t left_out, bool is_clamped);

#endif
