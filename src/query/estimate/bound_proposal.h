/* Bounds of a contribution from released quantiles: those with the smallest predicted error, the root of
 * bias^2 + noise^2, of one group's count or sum at an epsilon. A view: it sees released numbers alone.
 *
 * Between two quantiles the share of people beyond a value falls evenly; behind the last one it falls as a
 * power, at the rate of the two before it, or by its square behind one alone.
 */
#ifndef SC_QUERY_BOUND_PROPOSAL_H
#define SC_QUERY_BOUND_PROPOSAL_H

#include "base/number/ratio.h"
#include "query/language/extent.h"

/* The first of the released quantiles at 0.5, 0.9, 0.95 and 0.99: those that enough people stand behind, at
 * least one. */
#define SC_PROPOSAL_POINTS 4
typedef struct sc_proposal_points {
    double values[SC_PROPOSAL_POINTS];
    size_t count;
} sc_proposal_points;
/* The points if everybody has 1. */
extern const sc_proposal_points sc_proposal_ones;

typedef struct sc_proposal {
    /* Public or released numbers. */
    int64_t people;          /* about how many there are */
    uint64_t keys;           /* groups there can be, 1 without keys; 0: not known */
    const sc_ratio *epsilon; /* of one number */
    bool is_doubled;         /* a unit that is replaced leaves groups for others */
    /* Set by sc_proposal_rows. */
    uint64_t max_groups, max_rows;
    double group_people, person_rows; /* expected: people in a group, their rows there */
} sc_proposal;

/* Both bounds; groups is NULL without keys. */
void sc_proposal_rows(sc_proposal *proposal, const sc_proposal_points *groups,
                      const sc_proposal_points *rows);
/* An end for totals, or where is_row the upper one for the values of rows, of which these are quantiles: so
 * many steps from 0, at most `most`. Totals are to one side of 0, and their signs are left out. 0: all
 * quantiles are there, and nothing lies beyond 0; SC_PROPOSAL_NONE: nothing is known of what does. */
#define SC_PROPOSAL_NONE (-1)
int64_t sc_proposal_end(const sc_proposal *proposal, const sc_proposal_points *points,
                        bool is_row, sc_value_step step, int64_t most);
/* The people that a quantile needs: with 4 ln(20 choices) / (epsilon (1 - p)) of them one that is so far off as
 * to have everybody beyond it is drawn once in 20 times. */
uint64_t sc_proposal_people(const sc_ratio *epsilon, uint64_t choices, const sc_ratio *p);

#endif
