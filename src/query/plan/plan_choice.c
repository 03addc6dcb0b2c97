#include "query/plan/plan_choice.h"

#include "mechanism/threshold/partition_selection.h"
#include "query/estimate/shown.h"
#include "query/plan/plan_bars.h"
#include "query/plan/plan_measure.h"
#include "query/plan/plan_predict.h"
#include "query/plan/plan_select.h"
#include "query/plan/plan_size.h"
#include "query/plan/plan_spread.h"

scrim_status sc_noise_choice_init(const scrim_plan *plan, sc_noise_choice *choice,
                                  scrim_error *error)
{
    const sc_plan_noise noise = plan->options.noise;
    scrim_status status = SCRIM_OK;
    *choice = (sc_noise_choice){.has_laplace = false};
    if (noise != SC_PLAN_GAUSSIAN) {
        choice->has_laplace = true;
        status = sc_division_make(plan, false, &choice->laplace, error);
    }
    if (status == SCRIM_OK &&
        (noise == SC_PLAN_GAUSSIAN ||
         (noise == SC_PLAN_ANY_NOISE && sc_ratio_sign(&plan->options.delta) > 0 &&
          sc_division_has_numbers(&choice->laplace)))) {
        choice->has_gaussian = true;
        status = sc_division_make(plan, true, &choice->gaussian, error);
    }
    return status;
}

void sc_noise_choice_clear(sc_noise_choice *choice)
{
    if (choice->has_laplace)
        sc_division_clear(&choice->laplace);
    if (choice->has_gaussian)
        sc_division_clear(&choice->gaussian);
}

/* The largest ratio of an output's error with Laplace noise to what it could have alone, and the
 * same with the other errors. */
static bool is_gaussian_better(const sc_division *laplace, const sc_ratio *errors,
                               const sc_ratio *others)
{
    SC_OWN(sc_ratio, worst, worst_other, ratio);
    for (size_t i = 0; i < laplace->aggregate_count; i++) {
        if (sc_ratio_sign(&errors[i]) == 0)
            continue;
        sc_ratio_set_int128(&ratio, (sc_int128)laplace->ratios[i]);
        if (sc_ratio_compare(&ratio, &worst) > 0)
            sc_ratio_set(&worst, &ratio);
        sc_ratio_mul(&ratio, &ratio, &others[i]);
        sc_ratio_div(&ratio, &ratio, &errors[i]);
        if (sc_ratio_compare(&ratio, &worst_other) > 0)
            sc_ratio_set(&worst_other, &ratio);
    }
    return sc_ratio_compare(&worst_other, &worst) < 0;
}

/* How many times wider intervals of a number are with Gaussian noise, squared: at 0.95 the radius is
 * 3 scales of one and 1.96 deviations of the other, (1.96 / 3)^2 = 0.427. */
static void squared_ratio(const scrim_plan *plan, const sc_noise_choice *choice, size_t i,
                          const sc_ratio *epsilon, const sc_ratio *rho, sc_ratio *out)
{
    const sc_slot *one = &choice->laplace.slots[i], *other = &choice->gaussian.slots[i];
    const sc_planned_statement *s = &plan->statements[one->statement];
    const sc_group_statistic *t = &s->statistics.list[one->statistic];
    const sc_reach reach = sc_plan_reach(s, plan->neighbours);
    SC_OWN(sc_ratio, x);
    SC_OWN(sc_norms, norms);
    sc_plan_norms(s, t, &reach, &norms);
    sc_ratio_mul(out, &norms.l2, epsilon);
    sc_ratio_mul(out, out, &one->share);
    sc_ratio_div(out, out, &norms.l1);
    sc_ratio_mul(out, out, out);
    sc_ratio_set_int64(&x, 427);
    sc_ratio_mul(out, out, &x);
    sc_ratio_set_int64(&x, 2000);
    sc_ratio_mul(&x, &x, rho);
    sc_ratio_mul(&x, &x, &other->share);
    sc_ratio_div(out, out, &x);
    /* Each of n copies has epsilon / n, or rho / n. */
    sc_ratio_set_int64(&x, (int64_t)sc_plan_levels(plan));
    sc_ratio_div(out, out, &x);
}

/* Is it certain, before anything is made, that Gaussian noise is no better: is each number wider
 * by a half? */
static bool is_hopeless(const scrim_plan *plan, const sc_noise_choice *choice,
                        const sc_ratio *epsilon)
{
    SC_OWN(sc_ratio, rho, square, most);
    sc_ratio_set_int64(&square, 9);
    sc_ratio_set_int64(&most, 4);
    sc_ratio_div(&most, &square, &most);
    bool is_worse = true;
    if (sc_trial_rho(plan, &choice->gaussian, epsilon, &rho))
        for (size_t i = 0; i < choice->laplace.count && is_worse; i++)
            if (choice->laplace.slots[i].kind == SC_SLOT_NUMBER) {
                squared_ratio(plan, choice, i, epsilon, &rho, &square);
                is_worse = sc_ratio_compare(&square, &most) > 0;
            }
    return is_worse;
}

/* Both were made: the worse one is freed. */
static scrim_status compare_noises(const scrim_plan *plan, const sc_noise_choice *choice,
                                   sc_trial *laplace, sc_trial *gaussian, sc_trial **out,
                                   scrim_error *error)
{
    const size_t count = sc_plan_aggregates(plan);
    sc_ratio *errors = sc_plan_errors_new(count), *others = sc_plan_errors_new(count);
    scrim_status status =
        errors == NULL || others == NULL ? sc_no_memory(error, "a plan") : SCRIM_OK;
    SC_OWN(sc_ratio, confidence, twenty);
    sc_ratio_set_int64(&confidence, 19);
    sc_ratio_set_int64(&twenty, 20);
    sc_ratio_div(&confidence, &confidence, &twenty);
    if (status == SCRIM_OK)
        status = sc_plan_predict(plan, laplace, &confidence, errors, error);
    if (status == SCRIM_OK)
        status = sc_plan_predict(plan, gaussian, &confidence, others, error);
    const bool is_better =
        status == SCRIM_OK && is_gaussian_better(&choice->laplace, errors, others);
    sc_trial_free(is_better || status != SCRIM_OK ? laplace : gaussian);
    if (status == SCRIM_OK)
        *out = is_better ? gaussian : laplace;
    else
        sc_trial_free(gaussian);
    sc_plan_errors_free(others, count);
    sc_plan_errors_free(errors, count);
    return status;
}

/* Sketches of both, where both may be chosen; the better one. */
static scrim_status choose(const scrim_plan *plan, const sc_noise_choice *choice,
                           const sc_ratio *epsilon, sc_trial **out,
                           const sc_division **chosen, scrim_error *error)
{
    sc_trial *laplace = NULL, *gaussian = NULL;
    scrim_error other = {.status = SCRIM_OK};
    const scrim_status first =
        sc_trial_new(plan, &choice->laplace, epsilon, true, &laplace, error);
    if (first != SCRIM_OK && first != SCRIM_E_LIMIT)
        return first;
    const scrim_status second =
        sc_trial_new(plan, &choice->gaussian, epsilon, true, &gaussian, &other);
    if (second != SCRIM_OK && second != SCRIM_E_LIMIT) {
        sc_trial_free(laplace);
        return sc_fail_again(error, second, &other, "%s", other.message);
    }
    /* One of them may be beyond a limit; if both are, report the first. */
    if (first != SCRIM_OK && second != SCRIM_OK)
        return first;
    scrim_status status = SCRIM_OK;
    *out = first == SCRIM_OK ? laplace : gaussian;
    if (first == SCRIM_OK && second == SCRIM_OK)
        status = compare_noises(plan, choice, laplace, gaussian, out, error);
    if (status == SCRIM_OK)
        *chosen = *out == laplace ? &choice->laplace : &choice->gaussian;
    return status;
}

scrim_status sc_noise_choose(const scrim_plan *plan, const sc_noise_choice *choice,
                             const sc_ratio *epsilon, bool is_sketch, sc_trial **out,
                             scrim_error *error)
{
    const sc_division *chosen =
        choice->has_laplace ? &choice->laplace : &choice->gaussian;
    sc_trial *trial = NULL;
    if (choice->has_laplace && choice->has_gaussian &&
        !is_hopeless(plan, choice, epsilon)) {
        const scrim_status status = choose(plan, choice, epsilon, &trial, &chosen, error);
        if (status != SCRIM_OK)
            return status;
        if (is_sketch || !trial->is_sketch) {
            *out = trial;
            return SCRIM_OK;
        }
        sc_trial_free(trial);
    }
    return sc_trial_new(plan, chosen, epsilon, is_sketch, out, error);
}

/* In steps of 1/1000. */
#define STEPS_MAX 1000000

typedef struct search {
    scrim_plan *plan;
    const sc_noise_choice *choice;
    sc_ratio *errors;
    sc_ratio
        *sizes; /* that errors are held against: 1 each, unless the target is relative */
    sc_ratio epsilon, worst;
    bool is_open; /* the interval of an output is everything that is possible */
    size_t at;    /* the output with the largest error, or the first open one */
} search;

/* Sets the largest error at a number of steps of epsilon. */
static scrim_status try(search *s, int64_t steps, scrim_error *error)
{
    sc_trial *trial = NULL;
    const size_t count = sc_plan_outputs(s->plan);
    sc_ratio_set_quotient(&s->epsilon, steps, 1000);
    scrim_status status =
        sc_noise_choose(s->plan, s->choice, &s->epsilon, true, &trial, error);
    if (status == SCRIM_OK)
        status = sc_plan_predict_outputs(s->plan, trial, &s->plan->options.confidence,
                                         s->errors, error);
    sc_trial_free(trial);
    sc_ratio_set_int64(&s->worst, 0);
    s->is_open = false;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        const bool is_open = sc_ratio_sign(&s->errors[i]) < 0;
        sc_ratio_div(&s->errors[i], &s->errors[i], &s->sizes[i]);
        const bool is_worse = sc_ratio_compare(&s->errors[i], &s->worst) > 0;
        if (is_worse)
            sc_ratio_set(&s->worst, &s->errors[i]);
        if (!s->is_open && (is_open || is_worse))
            s->at = i;
        s->is_open |= is_open;
    }
    return status;
}

static bool is_met(const search *s)
{
    return !s->is_open && sc_ratio_compare(&s->worst, &s->plan->options.target) <= 0;
}

/* A limit at a small epsilon is that too much noise would be needed. */
static scrim_status is_met_at(search *s, int64_t steps, bool *out, scrim_error *error)
{
    const scrim_status status = try(s, steps, error);
    *out = status == SCRIM_OK && is_met(s);
    return status == SCRIM_E_LIMIT ? SCRIM_OK : status;
}

/* The name of an output, of all outputs one behind the other. */
static sc_text name_of(const scrim_plan *plan, size_t output)
{
    size_t i = 0;
    while (output >= plan->statements[i].query->output_count)
        output -= plan->statements[i++].query->output_count;
    return plan->statements[i].query->columns[output].name;
}

static scrim_status refuse(const search *s, scrim_error *error)
{
    char best[SC_SHOWN_THREE_BYTES], wanted[SC_SHOWN_THREE_BYTES];
    char column[SC_TEXT_QUOTE_BYTES];
    const bool is_relative = s->plan->options.is_relative;
    sc_text_quote(name_of(s->plan, s->at), column);
    SC_OWN(sc_ratio, unit, shown);
    sc_ratio_set_int64(&unit, is_relative ? 100 : 1);
    sc_ratio_mul(&shown, &s->worst, &unit);
    sc_shown_three(&shown, best);
    sc_ratio_mul(&shown, &s->plan->options.target, &unit);
    sc_shown_three(&shown, wanted);
    if (s->is_open)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "target-error",
                                 "%s cannot be reached for %s: its divisor may be 0 even "
                                 "with epsilon 1000",
                                 wanted, column);
    return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "target-error",
                             "%s%s cannot be reached for %s; epsilon 1000 gives %s%s",
                             wanted, is_relative ? " %" : "", column, best,
                             is_relative ? " %" : "");
}

/* Is there an aggregate whose error is predicted? */
static bool is_predicted(const scrim_plan *plan)
{
    for (size_t i = 0; i < plan->statement_count; i++) {
        const sc_query *query = plan->statements[i].query;
        for (size_t k = 0; k < query->aggregate_count; k++)
            if (!query->aggregates[k].kind->is_unpredicted)
                return true;
    }
    return false;
}

static scrim_status bisect(search *s, scrim_error *error)
{
    int64_t low = 0, high = STEPS_MAX; /* not met, met */
    scrim_status status = try(s, high, error);
    if (status == SCRIM_OK && !is_met(s))
        return refuse(s, error);
    while (status == SCRIM_OK && high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        bool met = false;
        status = is_met_at(s, middle, &met, error);
        if (met)
            high = middle;
        else
            low = middle;
    }
    if (status == SCRIM_OK)
        sc_ratio_set_quotient(&s->plan->options.epsilon, high, 1000);
    return status;
}

/* An error that cannot be known cannot be aimed at. */
static scrim_status check_known(const scrim_plan *plan, const sc_query *query,
                                const sc_query_output *output, scrim_error *error)
{
    char wanted[SC_WANTED_BYTES];
    const sc_query_aggregate *a = sc_plan_unknown_of(plan, query, output);
    if (a == NULL)
        return SCRIM_OK;
    if (a->value->operation != SC_OP_COLUMN)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED,
                                 "target-error",
                                 "the error of %s depends on the spread of its values, "
                                 "which is private and can "
                                 "be guessed only for a column",
                                 a->kind->name);
    sc_plan_size_wanted(plan, sc_plan_schema_of(plan, a)->columns[a->value->column].name,
                        true, wanted);
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "deviation",
                       "the error of %s depends on the spread of its values, which is "
                       "private; guess it: %s",
                       a->kind->name, wanted);
}

static scrim_status set_size(search *s, const sc_query *query,
                             const sc_query_output *output, sc_ratio *size,
                             scrim_error *error)
{
    const char *source = NULL;
    sc_ratio_set_int64(size, 1);
    if (!s->plan->options.is_relative)
        return SCRIM_OK;
    if (output->formula != NULL)
        return sc_plan_size_formula(s->plan, query, output->formula, &s->plan->arena,
                                    size, &source, error);
    const sc_query_aggregate *a =
        sc_query_output_is_plain(output) ? &query->aggregates[output->index] : NULL;
    return a == NULL || a->kind->is_unpredicted
               ? SCRIM_OK
               : sc_plan_size(s->plan, a, &s->plan->arena, size, &source, error);
}

/* Sets the size of every output whose error is predicted. */
static scrim_status set_sizes(search *s, scrim_error *error)
{
    size_t at = 0;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < s->plan->statement_count; i++) {
        const sc_query *query = s->plan->statements[i].query;
        for (size_t k = 0; status == SCRIM_OK && k < query->output_count; k++)
            status = set_size(s, query, &query->outputs[k], &s->sizes[at++], error);
        for (size_t k = 0; status == SCRIM_OK && k < query->output_count; k++)
            status = check_known(s->plan, query, &query->outputs[k], error);
    }
    return status;
}

/* Puts the epsilon into the plan's options, which hold the target. SCRIM_E_PARAM when the target cannot be
 * met, else the failure of a trial. */
static scrim_status solve_target(scrim_plan *plan, const sc_noise_choice *choice,
                                 scrim_error *error)
{
    if (!is_predicted(plan))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED,
                                 "target-error",
                                 "MODE and SUPPORT have no predicted error");
    const size_t count = sc_plan_outputs(plan);
    search s = {.plan = plan,
                .choice = choice,
                .errors = sc_plan_errors_new(count),
                .sizes = sc_plan_errors_new(count)};
    scrim_status status = SCRIM_OK;
    sc_ratio_init(&s.epsilon);
    sc_ratio_init(&s.worst);
    if (s.errors == NULL || s.sizes == NULL)
        status = sc_no_memory(error, "a plan");
    if (status == SCRIM_OK)
        status = set_sizes(&s, error);
    if (status == SCRIM_OK)
        status = bisect(&s, error);
    sc_ratio_clear(&s.worst);
    sc_ratio_clear(&s.epsilon);
    sc_plan_errors_free(s.sizes, count);
    sc_plan_errors_free(s.errors, count);
    return status;
}

/* A trial of the statements as they are; where a target is given and it solves, at the epsilon
 * for that. */
static scrim_status make(scrim_plan *plan, bool solves, sc_trial **out,
                         scrim_error *error)
{
    sc_noise_choice choice;
    scrim_status status = sc_noise_choice_init(plan, &choice, error);
    if (status == SCRIM_OK && solves && !plan->options.has_epsilon)
        status = solve_target(plan, &choice, error);
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

/* The way that never shows units, which is the best of those that do not; if every way shows units,
 * the best of all. */
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
static scrim_status compare_ways(scrim_plan *plan, sc_planned_statement *statements,
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
        status = compare_ways(plan, statements, shown, drawn, &taken, error);
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
