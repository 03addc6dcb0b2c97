/* How the budget is divided: the parts of a plan, and the share of each.
 *
 * Split: a budget is divided among numbers that several outputs share. An output's error is made of those of its parts: the error of a part is its weight over its
 * share (noise whose scale is 1/epsilon) or over the root of its share (a share of rho), and parts
 * add up, or as independent noise does: the root of the sum of squares. Each output is held against
 * the error it would have with the whole budget for itself, and the largest of these ratios is made as
 * small as possible, so that no output suffers for the others.
 *
 * Integers only, so that a plan is the same on every machine. Shares are counts of units, of which
 * there are SC_SPLIT_UNITS, or ten a part where that is more.
 *
 * Claim  split.whole   every part has a share, and shares add up to the whole exactly
 * Claim  split.fair    of outputs that share nothing each has the same ratio, but for rounding; one
 *                      output's parts have the shares that make its error smallest
 */
#ifndef SC_QUERY_DIVISION_H
#define SC_QUERY_DIVISION_H

#include "base/checked.h"
#include "base/memory.h"
#include "query/plan/plan_model.h"

#define SC_SPLIT_UNITS 1000

typedef enum sc_split_law {
    SC_SPLIT_BY_SHARE = 1, /* weight / share */
    SC_SPLIT_BY_ROOT       /* weight / root of share */
} sc_split_law;

typedef enum sc_split_sum {
    SC_SPLIT_ADDED = 1,  /* the sum of errors */
    SC_SPLIT_INDEPENDENT /* the root of the sum of their squares */
} sc_split_sum;

#define SC_SPLIT_TERMS 4

typedef struct sc_split_term {
    size_t part;
    sc_uint128 weight; /* above 0; only its ratio to the others of its output matters */
} sc_split_term;

typedef struct sc_split_output {
    sc_split_sum sum;
    sc_split_term terms[SC_SPLIT_TERMS]; /* of different parts */
    size_t count;                        /* at least 1 */
    sc_uint128
        alone; /* its error with the whole budget, computed otherwise; 0: from these terms */
} sc_split_output;

typedef struct sc_split_problem {
    sc_split_law law;
    size_t part_count; /* at least 1; each is in some output */
    const sc_split_output *outputs;
    size_t output_count;
} sc_split_problem;

/* The number of units for this many parts. */
uint64_t sc_split_units(size_t part_count);

/* shares has room for part_count; ratios, for output_count, are in units of 2^-20. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_split_find(const sc_split_problem *problem,
                                          uint64_t *shares, uint64_t *ratios,
                                          scrim_error *error);

/* The parts of a plan and their shares: the aggregates of all statements as a split problem.
 *
 * Numbers with Gaussian noise share one (epsilon, delta), which is one part here, and are given
 * shares of its rho; all other parts are given shares of epsilon. Nothing here
 * depends on epsilon: shares are the same whatever is spent.
 */

typedef enum sc_slot_kind {
    SC_SLOT_KEYS = 1, /* the selection */
    SC_SLOT_NUMBER,
    SC_SLOT_RANGE, /* a number whose noise is bounded */
    SC_SLOT_QUANTILE,
    SC_SLOT_BARS /* a histogram */
} sc_slot_kind;

/* The purpose of a part. */
typedef struct sc_slot {
    sc_slot_kind kind;
    size_t statement;
    size_t statistic; /* SC_STATISTIC_NONE: the keys */
    sc_ratio share;   /* of epsilon; of a number that shares a rho, of that rho */
} sc_slot;

typedef struct sc_division {
    bool is_gaussian; /* numbers share a rho */
    sc_slot *slots;   /* statement by statement, in the order of parts */
    size_t count;
    sc_ratio numbers; /* the share of epsilon that they have together, where so */
    size_t takers; /* of delta, but for selections: ranges, bars and what shares a rho */
    size_t selections; /* statements with discovered keys */
    uint64_t *ratios;  /* by aggregate of all statements, in units of 2^-20 */
    size_t aggregate_count;
} sc_division;

/* An aggregate whose descriptor says which numbers make up its error (sc_aggregate.weigh). out is empty
 * and adds errors up. */
typedef struct sc_weighing {
    const struct sc_division_problem *problem;
    const scrim_plan *plan;
    const sc_planned_statement *statement;
    size_t number; /* of the statement */
    const sc_query_aggregate *aggregate;
    const sc_statistic_use *use;
    sc_split_output *out;
} sc_weighing;

/* Adds the error of a statistic with a weight. SC_STATISTIC_NONE: of the selection. */
void sc_weigh(const sc_weighing *weighing, size_t statistic, sc_uint128 weight);
/* Adds the error of a histogram: a bucket loses the same multiple of the scale at every share. */
void sc_weigh_bars(const sc_weighing *weighing);
/* The largest change of a statistic by one unit; at most 2^60. */
sc_uint128 sc_weigh_reach(const sc_weighing *weighing, size_t statistic);

/* SCRIM_E_LIMIT for too many parts, or a number that one unit changes by too much; SCRIM_E_MEMORY.
 * Freed by sc_division_clear, also on failure. */
SCRIM_MUST_USE scrim_status sc_division_make(const scrim_plan *plan, bool is_gaussian,
                                             sc_division *out, scrim_error *error);
bool sc_division_has_numbers(const sc_division *division);
void sc_division_clear(sc_division *division);

#endif
