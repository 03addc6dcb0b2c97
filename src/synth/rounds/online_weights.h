/* Private multiplicative weights on line: queries come one by one, and the model answers those that it knows well
 * enough, free of charge.
 *
 *     s_q = |den q(x) - a_q| goes to a sparse vector run, a_q the model's answer as an integer
 *     below   answer a_q/den
 *     above   y = den q(x) + Laplace noise of its own; the weights step towards y; answer y/den
 *     halted  after so many updates: answer a_q/den, marked as not checked
 *
 * Both are charged whole when it is opened: the run, and an allowance for all values. If the second charge is
 * refused, the first one stays, so that the budget must have both.
 *
 * Claim  online-weights.charged  no query is answered from data beyond what was charged at opening; the values cost
 *                                epsilon/updates each, and there are at most so many updates
 * Claim  online-weights.checked  an answer is marked as checked exactly as long as the run has not halted
 * Claim  online-weights.learns   a query that was above is answered from the updated model later
 *
 * Reference  Hardt, Rothblum 2010; spec/synthetic.md 4, spec/mechanisms.md 9.2
 */
#ifndef SC_SYNTH_ONLINE_WEIGHTS_H
#define SC_SYNTH_ONLINE_WEIGHTS_H

#include "scrim/run.h"
#include "synth/model/weight_model.h"
#include "synth/rounds/rounds.h"

/* All of it public. */
typedef struct sc_online_plan {
    sc_round_unit unit;
    int64_t total;        /* N, released or public */
    uint32_t den;         /* of all queries, from 1 to 2^20 */
    int64_t threshold;    /* of s_q, in steps of 1/den */
    uint64_t updates;     /* at most */
    const char *checking; /* epsilon of the run, as text */
    const char *values;   /* epsilon of all values together */
    uint64_t step, steps; /* a step of log weights is step/steps */
} sc_online_plan;

typedef struct sc_online_answer {
    int64_t value; /* in steps of 1/den */
    bool is_above, is_checked;
} sc_online_answer;

typedef struct sc_online_weights sc_online_weights;

/* The records stay the caller's and live as long, as does the ledger. SCRIM_E_PARAM for a plan that is none,
 * SCRIM_E_BUDGET and others as scrim_run_open. */
SCRIM_MUST_USE scrim_status sc_online_weights_open(scrim_ledger *ledger,
                                                   const sc_online_plan *plan,
                                                   const sc_records *records,
                                                   sc_online_weights **out,
                                                   scrim_error *error);
/* numerators has a number from 0 to den for every possible row: SCRIM_E_PARAM for others. */
SCRIM_MUST_USE scrim_status sc_online_weights_ask(sc_online_weights *weights,
                                                  const uint32_t *numerators,
                                                  sc_online_answer *out,
                                                  scrim_error *error);
void sc_online_weights_close(sc_online_weights *weights); /* NULL is allowed */

#endif
