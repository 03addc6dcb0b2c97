#include "cli/release/local_lifetime.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BUDGET_MAX 1e6
#define EPSILON_MAX 8.0
#define STEPS 1e6        /* an epsilon that follows from a budget has six decimals */
#define WEAK_LIFETIME 20 /* above it, protection over a lifetime is weak */

scrim_status sc_local_lifetime_read(sc_local_lifetime *life, const sc_options *options,
                                    scrim_local_plan_options *asked, scrim_error *error)
{
    const char *text = options->value[SCRIM_OPTION_LIFETIME];
    char *end = NULL;
    *life = (sc_local_lifetime){.users = asked->users,
                                .every = 1,
                                .is_constant = asked->is_constant != 0,
                                .all = asked->periods == 0 ? 1 : asked->periods};
    if (text == NULL)
        return SCRIM_OK;
    life->budget = strtod(text, &end);
    if (end == text || *end != '\0' || !(life->budget > 0 && life->budget <= BUDGET_MAX))
        return sc_refuse(error, "--lifetime must be an epsilon above 0 and at most %.0f",
                         BUDGET_MAX);
    if (asked->epsilon != NULL)
        return SCRIM_OK;
    const double reports = life->is_constant ? 1 : (double)life->all;
    const double epsilon =
        floor(fmin(life->budget / reports, EPSILON_MAX) * STEPS) / STEPS;
    if (epsilon <= 0)
        return sc_refuse(error, "--lifetime %.40s is too little for %" PRIu64 " periods",
                         text, life->all);
    snprintf(life->epsilon, sizeof life->epsilon, "%.6f", epsilon);
    asked->epsilon = life->epsilon;
    return SCRIM_OK;
}

scrim_status sc_local_lifetime_plan(sc_local_lifetime *life,
                                    scrim_local_plan_options *asked,
                                    scrim_local_plan *plan, scrim_error *error)
{
    SC_TRY(scrim_local_plan_find(asked, plan, error));
    const scrim_local_plan_row *row = &plan->rows[plan->recommended];
    life->turns = life->all;
    if (life->budget == 0 || row->lifetime_upper <= life->budget)
        return SCRIM_OK;
    const double pays = floor(life->budget / row->loss_upper);
    if (pays < 1)
        return sc_refuse(error,
                         "one report costs epsilon %.6g, more than the lifetime of %.6g",
                         row->loss_upper, life->budget);
    life->pays = (uint64_t)pays;
    life->every = (life->all + life->pays - 1) / life->pays;
    if (life->every > life->users)
        return sc_refuse(error,
                         "a device would report once in %" PRIu64
                         " periods, but there are %" PRIu64 " devices",
                         life->every, life->users);
    life->turns = (life->all + life->every - 1) / life->every;
    asked->users = life->users / life->every;
    asked->periods = life->turns;
    return scrim_local_plan_find(asked, plan, error);
}

static void talk_turns(const sc_local_lifetime *life,
                       const scrim_local_plan_options *asked,
                       const scrim_local_plan_row *row)
{
    if (life->epsilon[0] != '\0' && !life->is_constant)
        sc_talk("epsilon %.6g a report: a lifetime of %.6g for %" PRIu64 " periods\n",
                row->loss_upper, life->budget, life->all);
    if (life->every > 1)
        sc_talk(
            "a lifetime of %.6g pays for %" PRIu64 " reports of epsilon %.6g: each "
            "device reports once in %" PRIu64
            " periods, in those that scrim_local_state_turn says; errors are those of "
            "%" PRIu64 " devices a period\n",
            life->budget, life->pays, row->loss_upper, life->every, asked->users);
}

void sc_local_lifetime_talk(const sc_local_lifetime *life,
                            const scrim_local_plan_options *asked,
                            const scrim_local_plan *plan)
{
    const scrim_local_plan_row *row = &plan->rows[plan->recommended];
    talk_turns(life, asked, row);
    if (plan->values_fit > 0)
        sc_talk("caution: %" PRIu64 " values are too many for a distribution of %" PRIu64
                " devices; use about %" PRIu64 " bins, or one-bit-mean\n",
                asked->domain, asked->users, plan->values_fit);
    if (row->lifetime_upper > WEAK_LIFETIME)
        sc_talk(
            "caution: epsilon %.4g over a lifetime is weak protection; ask less often, "
            "or give a budget: --lifetime %d\n",
            row->lifetime_upper, WEAK_LIFETIME);
}
