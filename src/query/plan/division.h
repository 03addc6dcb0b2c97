/* Which parts a plan has, and what share of the budget each is given: the statements' aggregates
 * as a problem for split.h.
 *
 * Numbers with Gaussian noise share one (epsilon, delta), which is one part here, and are given
 * shares of its rho; all other parts are given shares of epsilon. Nothing here
 * depends on epsilon: shares are the same whatever is spent.
 */
#ifndef SC_QUERY_DIVISION_H
#define SC_QUERY_DIVISION_H

#include "query/plan/plan_model.h"
#include "query/plan/split.h"

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

/* Adds the error of a statistic, so many times. SC_STATISTIC_NONE: of the selection. */
void sc_weigh(const sc_weighing *weighing, size_t statistic, sc_uint128 weight);
/* Adds that of a histogram alone: what is left out of a bucket is as many scales, whatever the share. */
void sc_weigh_bars(const sc_weighing *weighing);
/* How far one unit moves a statistic, at most 2^60. */
sc_uint128 sc_weigh_reach(const sc_weighing *weighing, size_t statistic);

/* SCRIM_E_LIMIT for too many parts, or a number that one unit changes by too much; SCRIM_E_MEMORY.
 * Freed by sc_division_clear, also on failure. */
SCRIM_MUST_USE scrim_status sc_division_make(const scrim_plan *plan, bool is_gaussian,
                                             sc_division *out, scrim_error *error);
bool sc_division_has_numbers(const sc_division *division);
void sc_division_clear(sc_division *division);

#endif
