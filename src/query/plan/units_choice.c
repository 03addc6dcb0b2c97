#include "query/plan/units_choice.h"

#include "mechanism/threshold/partition_selection.h"
#include "query/plan/noise_choice.h"
#include "query/plan/plan_select.h"
#include "query/plan/target.h"

/* A trial of the statements as they are; where a target is given and it solves, at the epsilon
 * for that. */
static scrim_status make(scrim_plan *plan, bool solves, sc_trial **out,
                         scrim_error *error)
{
    sc_noise_choice choice;
    scrim_status status = sc_noise_choice_init(plan, &choice, error);
    if (status == SCRIM_OK && solves && !plan->options.has_epsilon)
        status = sc_target_solve(plan, &choice, error);
    if (status == SCRIM_OK)
        status =
            sc_noise_choose(plan, &choice, &plan->options.epsilon, false, out, error);
    sc_noise_choice_clear(&choice);
    return status;
}

/* The part of a trial that draws the units of a statement. */
static const scrim_measurement *units_of(const sc_trial *trial,
                                         const sc_planned_statement *s, size_t at)
{
    const sc_trial_statement *t = &trial->statements[at];
    for (size_t i = 0; i < t->part_count; i++)
        if (t->parts[i].statistic != SC_STATISTIC_NONE &&
            sc_statistic_is_units(&s->statistics.list[t->parts[i].statistic]))
            return t->parts[i].measurement;
    return NULL;
}

static const sc_key_choice *chosen_of(const sc_trial *trial, size_t at)
{
    const sc_trial_statement *t = &trial->statements[at];
    return sc_plan_select_chosen(t->choices, t->choice_count);
}

/* The way that never shows units, which is the best of those that do not; where there is none,
 * whichever was best. */
static const sc_key_choice *silent_of(const sc_trial *trial, size_t at)
{
    const sc_trial_statement *t = &trial->statements[at];
    for (size_t i = 0; i < t->choice_count; i++)
        if (t->choices[i].measurement->mechanism == &sc_partition_selection)
            return &t->choices[i];
    return chosen_of(trial, at);
}

/* Sets draws_units where units are asked for; are they anywhere? */
static bool set_draws(const scrim_plan *plan, sc_planned_statement *statements,
                      bool draws)
{
    bool is_any = false;
    for (size_t i = 0; i < plan->statement_count; i++) {
        const bool asks = sc_plan_select_asks(&statements[i]);
        statements[i].draws_units = asks && draws;
        is_any |= asks;
    }
    return is_any;
}

/* Statements draw units where that keeps the smaller group; does any of them? */
static bool settle(const scrim_plan *plan, sc_planned_statement *statements,
                   const sc_trial *shown, const sc_trial *drawn)
{
    bool is_any = false;
    for (size_t i = 0; i < plan->statement_count; i++) {
        statements[i].draws_units = sc_plan_select_asks(&statements[i]) &&
                                    chosen_of(drawn, i)->half < chosen_of(shown, i)->half;
        is_any |= statements[i].draws_units;
    }
    return is_any;
}

/* The ways of a trial, each with the draw that it needs besides and the reason of the chosen one;
 * and behind them one of the other kind. */
static void list_choices(const scrim_plan *plan, sc_trial *trial, sc_trial *shown,
                         sc_trial *drawn)
{
    for (size_t i = 0; i < plan->statement_count; i++) {
        const sc_planned_statement *s = &plan->statements[i];
        sc_trial_statement *t = &trial->statements[i];
        if (!sc_plan_select_asks(s))
            continue;
        for (size_t k = 0; k < t->choice_count; k++) {
            if (s->draws_units)
                t->choices[k].units = units_of(trial, s, i);
            if (t->choices[k].is_chosen)
                t->choices[k].reason =
                    s->draws_units
                        ? "keeps the smallest groups, though units are drawn besides"
                        : "keeps the smallest groups, and its counts are those that are "
                          "asked for: no second draw";
        }
        if (s->draws_units)
            sc_trial_list(trial, i, shown, chosen_of(shown, i), NULL);
        else
            sc_trial_list(trial, i, drawn, silent_of(drawn, i), units_of(drawn, s, i));
    }
}

/* Both ways can be had; of several statements some may draw and others not. */
static scrim_status compare(scrim_plan *plan, sc_planned_statement *statements,
                            sc_trial *shown, sc_trial *drawn, sc_trial **out,
                            scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    *out = shown;
    if (settle(plan, statements, shown, drawn)) {
        *out = NULL;
        status = make(plan, true, out, error);
    }
    if (status == SCRIM_OK)
        list_choices(plan, *out, shown, drawn);
    return status;
}

scrim_status sc_units_choose(scrim_plan *plan, sc_planned_statement *statements,
                             sc_trial **out, scrim_error *error)
{
    sc_trial *shown = NULL, *drawn = NULL, *taken = NULL;
    scrim_error other = {.status = SCRIM_OK};
    if (!set_draws(plan, statements, false))
        return make(plan, true, out, error);
    scrim_status status = make(plan, true, &shown, error);
    if (status != SCRIM_OK && status != SCRIM_E_LIMIT)
        return status;
    /* At the same epsilon; where counts cannot be shown at any, at one of its own. */
    (void)set_draws(plan, statements, true);
    const scrim_status second = make(plan, shown == NULL, &drawn, &other);
    if (second != SCRIM_OK && second != SCRIM_E_LIMIT) {
        status = sc_fail_again(error, second, &other, "%s", other.message);
    } else if (shown != NULL && drawn != NULL) {
        status = compare(plan, statements, shown, drawn, &taken, error);
    } else {
        (void)set_draws(plan, statements, shown == NULL);
        taken = shown != NULL ? shown : drawn;
        status = taken != NULL ? SCRIM_OK : status;
    }
    if (status == SCRIM_OK)
        *out = taken;
    else if (taken != shown && taken != drawn)
        sc_trial_free(taken);
    if (status != SCRIM_OK || taken != shown)
        sc_trial_free(shown);
    if (status != SCRIM_OK || taken != drawn)
        sc_trial_free(drawn);
    return status;
}
