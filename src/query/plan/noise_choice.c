#include "query/plan/noise_choice.h"

#include "query/plan/plan_measure.h"
#include "query/plan/plan_predict.h"

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
    SC_OWN(sc_ratio, l1, l2, x);
    sc_sensitivity_of(
        t, t->value == SC_STATISTIC_NONE ? NULL : &s->statistics.groups[t->value], &reach,
        &l1, &l2);
    sc_ratio_mul(out, &l2, epsilon);
    sc_ratio_mul(out, out, &one->share);
    sc_ratio_div(out, out, &l1);
    sc_ratio_mul(out, out, out);
    sc_ratio_set_int64(&x, 427);
    sc_ratio_mul(out, out, &x);
    sc_ratio_set_int64(&x, 2000);
    sc_ratio_mul(&x, &x, rho);
    sc_ratio_mul(&x, &x, &other->share);
    sc_ratio_div(out, out, &x);
    /* Of n copies one has epsilon / n, or rho / n. */
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
static scrim_status compare(const scrim_plan *plan, const sc_noise_choice *choice,
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
    /* One of them may be beyond a limit; when both are, that of the first is said. */
    if (first != SCRIM_OK && second != SCRIM_OK)
        return first;
    scrim_status status = SCRIM_OK;
    *out = first == SCRIM_OK ? laplace : gaussian;
    if (first == SCRIM_OK && second == SCRIM_OK)
        status = compare(plan, choice, laplace, gaussian, out, error);
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
