/* AIM, and the schedule of its noise. */
#ifndef SC_SYNTH_AIM_H
#define SC_SYNTH_AIM_H

#include "synth/rounds/rounds.h"
#include "synth/rounds/synth_released.h"
#include "synth/rounds/workload.h"

/* The noise and the cost of the rounds of AIM, from what was spent and whether noise was lowered.
 *
 * Claim  aim.schedule  variances, rates, costs and the last round are those of spec/synthetic.md 3, to the last
 *                      rational
 *
 * A round costs what its rounded noise costs when scores move by most_move, the largest that any candidates can. A
 * round whose candidates move less has a rate that is higher in proportion, rounded down, and costs no more.
 */

typedef struct sc_aim_schedule {
    const sc_round_unit *unit;
    const sc_ratio *total, *share;
    uint64_t most_move; /* D of all candidates together */
    uint64_t variance;  /* in 64ths */
    uint64_t rate;      /* 2^32 h at most_move */
    bool is_last;
} sc_aim_schedule;

/* The noise of the one-way marginals and of the first round, where `rounds` rounds are planned. */
SCRIM_MUST_USE scrim_status sc_aim_schedule_start(sc_aim_schedule *schedule,
                                                  uint64_t rounds, scrim_error *error);
/* The cost of the next round when so much was used; the noise of the last one is set here. */
SCRIM_MUST_USE scrim_status sc_aim_schedule_next(sc_aim_schedule *schedule,
                                                 const sc_ratio *used, sc_ratio *cost,
                                                 scrim_error *error);
/* A quarter of the variance, twice the rate. */
void sc_aim_schedule_anneal(sc_aim_schedule *schedule);

/* AIM: marginals of a workload are selected one by one, where the model is worst, and measured.
 *
 * Noise is high at first. A round whose measurement changes the model by no more than noise would makes it a
 * quarter for the next ones; the last round spends what is left. So rounds, noise and candidates follow from
 * answers, and the allowance keeps their sum.
 *
 * A release can be refined: its measurements are taken over, and rounds go on from its model with a total of their own.
 *
 * Claim  aim.size      a candidate lies inside a clique of the model's junction tree, or keeps the tree within the
 *                      share of the cap that is spent, which begins at the cells of a release that is refined; the set of candidates is never empty
 * Claim  aim.adult     on the Adult table at epsilon 1, delta 1e-9, the mean total variation of all pairs of rows is
 *                      at most 0.028
 *
 * Reference  McKenna, Mullins, Sheldon, Miklau 2022; spec/synthetic.md 3
 */

/* All of it public. */
typedef struct sc_aim_plan {
    sc_workload workload;
    uint64_t
        rounds; /* planned: more than columns, at most SC_AIM_ROUNDS; 0: the usual for each column */
    sc_ratio share;     /* of selections, from 1/100 to 1/2 */
    uint64_t cap_cells; /* of the junction tree, from 2^8 to 2^30 */
    sc_synth_fit fit;   /* after each round */
    const sc_synth_zero *zeros;
    size_t zero_count;
    const sc_synth_released *
        before; /* an earlier release of MST or AIM of the same columns, which is refined; or NULL */
} sc_aim_plan;

#define SC_AIM_ROUNDS ((uint64_t)1 << 16)
#define SC_AIM_USUAL_ROUNDS 16

void sc_aim_plan_init(sc_aim_plan *plan); /* all pairs, share 1/10, cap 2^17 */
void sc_aim_plan_clear(sc_aim_plan *plan);

/* To be called before a charge. SCRIM_E_PARAM for an invalid plan, SCRIM_E_LIMIT. */
SCRIM_MUST_USE scrim_status sc_aim_check(const sc_aim_plan *plan,
                                         const sc_synth_columns *columns,
                                         const sc_round_unit *unit, const sc_ratio *total,
                                         scrim_error *error);
/* Draws all of it; the allowance is not pure. */
SCRIM_MUST_USE scrim_status sc_aim_run(sc_rounds *rounds, const sc_aim_plan *plan,
                                       scrim_error *error);

#endif
