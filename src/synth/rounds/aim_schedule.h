/* The noise and the cost of the rounds of AIM, from what was spent and whether noise was lowered.
 *
 * Claim  aim.schedule  variances, rates, costs and the last round are those of spec/synthetic.md 3, to the last
 *                      rational
 *
 * A round costs what its rounded noise costs when scores move by most_move, the largest that any candidates can. A
 * round whose candidates move less has a rate that is higher in proportion, rounded down, and costs no more.
 */
#ifndef SC_SYNTH_AIM_SCHEDULE_H
#define SC_SYNTH_AIM_SCHEDULE_H

#include "synth/rounds/round_budget.h"

typedef struct sc_aim_schedule {
    const sc_round_unit *unit;
    const sc_ratio *total, *share;
    uint64_t most_move; /* D of all candidates together */
    uint64_t variance;  /* in 64ths */
    uint64_t rate;      /* 2^32 h at most_move */
    bool is_last;
} sc_aim_schedule;

/* The noise of the one-way marginals and of the first round, with so many rounds planned. */
SCRIM_MUST_USE scrim_status sc_aim_schedule_start(sc_aim_schedule *schedule,
                                                  uint64_t rounds, scrim_error *error);
/* The cost of the next round when so much was used; the noise of the last one is set here. */
SCRIM_MUST_USE scrim_status sc_aim_schedule_next(sc_aim_schedule *schedule,
                                                 const sc_ratio *used, sc_ratio *cost,
                                                 scrim_error *error);
/* A quarter of the variance, twice the rate. */
void sc_aim_schedule_anneal(sc_aim_schedule *schedule);

#endif
