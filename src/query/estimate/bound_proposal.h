/* Contribution bounds from released ladders (ladder_reading.h): those with the smallest predicted error, the root
 * of bias^2 + noise^2, of one group's count or sum at an epsilon. A view: it sees released numbers alone.
 *
 * People on a rung are taken as spread evenly in the logarithm between its ends, or evenly where the rung begins
 * at 0 or below. Rungs that the noise alone explains are taken as empty. A bound is always a rung.
 */
#ifndef SC_QUERY_BOUND_PROPOSAL_H
#define SC_QUERY_BOUND_PROPOSAL_H

#include "base/number/ratio.h"
#include "query/estimate/ladder_reading.h"

typedef struct sc_proposal {
    /* Public or released numbers. */
    int64_t people;          /* about how many there are */
    uint64_t keys;           /* groups there can be, 1 without keys; 0: not known */
    const sc_ratio *epsilon; /* of one number */
    bool is_doubled;         /* a unit that is replaced leaves groups for others */
    bool
        are_totals; /* of rows whose sum is clamped: each is taken as half of its largest value */
    /* Set by sc_proposal_rows, sc_proposal_total_rows and sc_proposal_reach. */
    double max_groups, max_rows, max_total_rows;
    double group_people, person_rows; /* expected: people in a group, their rows there */
} sc_proposal;

/* Each returns a rung. */
size_t sc_proposal_total_rows(sc_proposal *proposal, const sc_ladder_reading *rows);
typedef struct sc_proposal_pair {
    size_t groups, rows;
} sc_proposal_pair;
/* groups is NULL without keys. */
sc_proposal_pair sc_proposal_rows(sc_proposal *proposal, const sc_ladder_reading *groups,
                                  const sc_ladder_reading *rows);
/* The groups that a person may be in, and by their rows about how many people a group has, for a bound of totals. */
void sc_proposal_reach(sc_proposal *proposal, const sc_ladder_reading *rows,
                       uint64_t max_groups);
/* Where each row is a unit: nothing is bounded. */
void sc_proposal_of_rows(sc_proposal *proposal);
/* A bound of totals on one side of 0, by their distance from it. The first rung is 0. Where noise hides everybody, one row of
 * a person is within it, whose value is at most `farthest` steps. */
size_t sc_proposal_total(const sc_proposal *proposal, const sc_ladder_reading *totals,
                         int64_t farthest);
/* An end of CLAMP above 0, whose range has values there. */
size_t sc_proposal_high(const sc_proposal *proposal, const sc_ladder_reading *values);
/* An end below 0: the rung in front of which CLAMP begins, where its range starts below 0. */
size_t sc_proposal_low(const sc_proposal *proposal, const sc_ladder_reading *values);

#endif
