#include "query/plan/target.h"

#include "query/estimate/shown.h"
#include "query/plan/plan_bars.h"
#include "query/plan/plan_predict.h"
#include "query/plan/plan_ranks.h"
#include "query/plan/plan_size.h"

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

/* Sets the largest error at so many steps. */
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

/* Of every output whose error is predicted. */
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

scrim_status sc_target_solve(scrim_plan *plan, const sc_noise_choice *choice,
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
