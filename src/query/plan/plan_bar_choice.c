#include "query/plan/plan_bars.h"
#include "query/plan/plan_choice.h"
#include "query/plan/plan_predict.h"

static bool has_unpredicted(const sc_query *query)
{
    for (size_t i = 0; i < query->aggregate_count; i++)
        if (query->aggregates[i].kind->is_unpredicted)
            return true;
    return false;
}

bool sc_bars_may_choose(const scrim_plan *plan, const sc_planned_statement *s)
{
    sc_planned_statement noisy = *s;
    bool has_bars = false;
    for (size_t i = 0; i < s->statistics.count; i++)
        has_bars |= s->statistics.list[i].kind == SC_STATISTIC_BARS;
    if (!has_bars || has_unpredicted(s->query) || plan->has_series || plan->source > 0 ||
        plan->options.share_count > 0 || plan->options.noise != SC_PLAN_ANY_NOISE ||
        sc_ratio_sign(&plan->options.delta) == 0 ||
        sc_ratio_sign(&plan->options.auto_share) > 0)
        return false;
    noisy.has_noisy_bars = true;
    return sc_plan_bars_are_noisy(plan, &noisy);
}

/* The errors of a statement that has the whole budget. *is_there is false where it cannot be drawn so. */
static scrim_status predict_alone(const scrim_plan *plan, const sc_planned_statement *s,
                                  sc_ratio *errors, bool *is_there, scrim_error *error)
{
    scrim_plan alone = *plan; /* lent, and not cleared */
    sc_noise_choice choice;
    sc_trial *trial = NULL;
    SC_OWN(sc_ratio, confidence);
    sc_ratio_set_quotient(&confidence, 19, 20);
    alone.statements = s;
    alone.statement_count = 1;
    scrim_status status = sc_noise_choice_init(&alone, &choice, NULL);
    if (status == SCRIM_OK)
        status =
            sc_noise_choose(&alone, &choice, &plan->options.epsilon, true, &trial, NULL);
    if (status == SCRIM_OK)
        status = sc_plan_predict_outputs(&alone, trial, &confidence, errors, NULL);
    sc_trial_free(trial);
    sc_noise_choice_clear(&choice);
    *is_there = status == SCRIM_OK;
    return status == SCRIM_E_MEMORY ? sc_no_memory(error, "a plan") : SCRIM_OK;
}

/* Are the errors that are known both ways smaller, multiplied? */
static bool is_product_less(const sc_ratio *errors, const sc_ratio *others, size_t count)
{
    SC_OWN(sc_ratio, product, product_of_others);
    sc_ratio_set_int64(&product, 1);
    sc_ratio_set_int64(&product_of_others, 1);
    for (size_t i = 0; i < count; i++)
        if (sc_ratio_sign(&errors[i]) > 0 && sc_ratio_sign(&others[i]) > 0) {
            sc_ratio_mul(&product, &product, &errors[i]);
            sc_ratio_mul(&product_of_others, &product_of_others, &others[i]);
        }
    return sc_ratio_compare(&product, &product_of_others) < 0;
}

static scrim_status choose_one(const scrim_plan *plan, sc_planned_statement *s,
                               scrim_error *error)
{
    const size_t count = s->query->output_count;
    sc_planned_statement lossy = *s, noisy = *s;
    sc_ratio *errors = sc_plan_errors_new(count), *others = sc_plan_errors_new(count);
    bool is_noisy = false, is_lossy = false;
    scrim_status status =
        errors == NULL || others == NULL ? sc_no_memory(error, "a plan") : SCRIM_OK;
    noisy.has_noisy_bars = true;
    lossy.has_noisy_bars = false;
    if (status == SCRIM_OK)
        status = predict_alone(plan, &noisy, errors, &is_noisy, error);
    if (status == SCRIM_OK)
        status = predict_alone(plan, &lossy, others, &is_lossy, error);
    s->has_noisy_bars = is_noisy && (!is_lossy || is_product_less(errors, others, count));
    sc_plan_errors_free(others, count);
    sc_plan_errors_free(errors, count);
    return status;
}

static scrim_status choose_all(const scrim_plan *plan, sc_planned_statement *statements,
                               scrim_error *error)
{
    for (size_t i = 0; i < plan->statement_count; i++) {
        statements[i].has_noisy_bars = false;
        if (sc_bars_may_choose(plan, &statements[i]))
            SC_TRY(choose_one(plan, &statements[i], error));
    }
    return SCRIM_OK;
}

/* All that may have noise, or none; is there any? */
static bool set_noisy(const scrim_plan *plan, sc_planned_statement *statements,
                      bool is_noisy)
{
    bool is_any = false;
    for (size_t i = 0; i < plan->statement_count; i++) {
        const bool may = sc_bars_may_choose(plan, &statements[i]);
        statements[i].has_noisy_bars = may && is_noisy;
        is_any |= may;
    }
    return is_any;
}

/* The way that reaches the target with the smaller epsilon. */
static scrim_status choose_for_target(scrim_plan *plan, sc_planned_statement *statements,
                                      sc_trial **out, scrim_error *error)
{
    sc_trial *trial = NULL;
    SC_OWN(sc_ratio, noisy);
    (void)set_noisy(plan, statements, true);
    const scrim_status first = sc_units_choose(plan, statements, &trial, NULL);
    sc_trial_free(trial);
    trial = NULL;
    if (first == SCRIM_E_MEMORY)
        return sc_no_memory(error, "a plan");
    sc_ratio_set(&noisy, &plan->options.epsilon);
    (void)set_noisy(plan, statements, false);
    const scrim_status second = sc_units_choose(plan, statements, &trial, error);
    if (first != SCRIM_OK ||
        (second == SCRIM_OK && sc_ratio_compare(&noisy, &plan->options.epsilon) >= 0)) {
        *out = trial;
        return second;
    }
    sc_trial_free(trial);
    (void)set_noisy(plan, statements, true);
    return sc_units_choose(plan, statements, out, error);
}

scrim_status sc_bars_choose(scrim_plan *plan, sc_planned_statement *statements,
                            sc_trial **out, scrim_error *error)
{
    *out = NULL;
    if (set_noisy(plan, statements, false) && !plan->options.has_epsilon)
        return choose_for_target(plan, statements, out, error);
    SC_TRY(choose_all(plan, statements, error));
    return sc_units_choose(plan, statements, out, error);
}
