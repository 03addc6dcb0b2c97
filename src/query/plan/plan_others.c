#include "mechanism/noise/gaussian.h"
#include "query/plan/plan_choice.h"
#include "query/plan/plan_predict.h"
#include "query/plan/plan_shown.h"

/* Parts of a plan that is compared. */
#define PARTS_MOST 16

/* The errors of the outputs of a statement, in a plan of all statements but with that one, and with some noise. *is_there is false
 * if there is no such plan. */
static scrim_status predict(const scrim_plan *plan, size_t statement,
                            const sc_planned_statement *instead, sc_plan_noise noise,
                            sc_ratio *errors, bool *is_there, scrim_error *error)
{
    scrim_plan other = *plan; /* lent, and not cleared */
    sc_noise_choice choice;
    sc_trial *trial = NULL;
    const size_t count = plan->statement_count;
    sc_planned_statement *all = sc_allocate(count, sizeof *all);
    if (all == NULL)
        return sc_no_memory(error, "a plan");
    for (size_t i = 0; i < count; i++)
        all[i] = i == statement ? *instead : plan->statements[i];
    other.statements = all;
    other.options.noise = noise;
    scrim_status status = sc_noise_choice_init(&other, &choice, NULL);
    if (status == SCRIM_OK)
        status =
            sc_noise_choose(&other, &choice, &other.options.epsilon, true, &trial, NULL);
    if (status == SCRIM_OK)
        status = sc_plan_predict_outputs(&other, trial, &other.options.confidence, errors,
                                         NULL);
    sc_trial_free(trial);
    sc_noise_choice_clear(&choice);
    sc_free(all);
    *is_there = status == SCRIM_OK;
    return status == SCRIM_E_MEMORY ? sc_no_memory(error, "a plan") : SCRIM_OK;
}

static void show_one(sc_texts *w, const scrim_plan *plan, size_t statement,
                     const sc_ratio *errors, const sc_ratio *other,
                     const scrim_plan_output *shown, scrim_plan_other *out)
{
    const size_t count = plan->statements[statement].query->output_count;
    const char **texts = sc_texts_room(w, count, sizeof(const char *)),
               **times = sc_texts_room(w, count, sizeof(const char *));
    SC_OWN(sc_ratio, ratio);
    for (size_t i = 0; texts != NULL && times != NULL && i < count; i++) {
        const bool is_known = shown[i].error != NULL && shown[i].error[0] != '\0' &&
                              sc_ratio_sign(&other[i]) > 0;
        texts[i] = is_known ? sc_texts_three(w, &other[i]) : "";
        times[i] = "";
        if (is_known && sc_ratio_sign(&errors[i]) > 0) {
            sc_ratio_div(&ratio, &other[i], &errors[i]);
            times[i] = sc_texts_three(w, &ratio);
        }
    }
    out->errors = texts;
    out->times = times;
}

/* The noise of its counts and sums; "any" for a statement without counts and sums. */
static sc_plan_noise noise_of(const sc_planned_statement *s)
{
    for (size_t i = 0; i < s->part_count; i++) {
        const sc_mechanism *mechanism = s->parts[i].measurement->mechanism;
        if (mechanism == &sc_gaussian_noise)
            return SC_PLAN_GAUSSIAN;
    }
    for (size_t i = 0; i < s->part_count; i++)
        if (s->parts[i].statistic != SC_STATISTIC_NONE && !s->parts[i].is_apart &&
            !s->statistics.list[s->parts[i].statistic].with_range)
            return SC_PLAN_LAPLACE;
    return SC_PLAN_ANY_NOISE;
}

/* The plan that is compared: a statement and a noise in place of the plan's. */
typedef struct alternative {
    sc_planned_statement statement;
    sc_plan_noise noise;
    const char *chosen, *name;
} alternative;

/* Histograms that only ever lose rows, and noise in each bucket. */
static bool list_bars(const scrim_plan *plan, const sc_planned_statement *s,
                      alternative *out)
{
    static const char lossy[] = "histograms that only lose rows",
                      noisy[] = "laplace in each bucket";
    if (!sc_bars_may_choose(plan, s))
        return false;
    *out = (alternative){.statement = *s,
                         .noise = plan->options.noise,
                         .chosen = s->has_noisy_bars ? noisy : lossy,
                         .name = s->has_noisy_bars ? lossy : noisy};
    out->statement.has_noisy_bars = !s->has_noisy_bars;
    return true;
}

static scrim_status list(scrim_plan *plan, const sc_planned_statement *s,
                         alternative all[SC_PLAN_OTHERS], size_t *count,
                         scrim_error *error)
{
    static const char cells[] = "counts of rows with and without a value",
                      disjoint[] = "one draw of counts without common rows",
                      apart[] = "separate counts";
    const sc_plan_noise noise = noise_of(s);
    bool is_any = false;
    *count = 0;
    SC_TRY(sc_cells_other(s, &plan->arena, &all[0].statement, &is_any, error));
    if (is_any) {
        all[0].noise = plan->options.noise;
        all[0].chosen = s->cells > 0 ? cells : s->disjoint != 0 ? disjoint : apart;
        all[0].name = s->cells > 0 || s->disjoint != 0 ? apart : cells;
        (*count)++;
    }
    *count += list_bars(plan, s, &all[*count]);
    if (plan->options.noise != SC_PLAN_ANY_NOISE || noise == SC_PLAN_ANY_NOISE ||
        sc_ratio_sign(&plan->options.delta) == 0)
        return SCRIM_OK;
    const sc_plan_noise other =
        noise == SC_PLAN_GAUSSIAN ? SC_PLAN_LAPLACE : SC_PLAN_GAUSSIAN;
    alternative *last = &all[(*count)++];
    *last = (alternative){.statement = *s,
                          .noise = other,
                          .chosen = sc_plan_noise_name(noise),
                          .name = sc_plan_noise_name(other)};
    /* With the other noise its rows may be better counted the other way. */
    scrim_plan forced = *plan; /* lent, and not cleared */
    forced.options.noise = other;
    return sc_cells_choose(&forced, &plan->arena, &last->statement, error);
}

scrim_status sc_plan_show_others(scrim_plan *plan, size_t statement,
                                 const sc_ratio *errors, const scrim_plan_output *shown,
                                 const scrim_plan_other **out, size_t *count,
                                 scrim_error *error)
{
    sc_texts w = {.arena = &plan->arena};
    alternative all[SC_PLAN_OTHERS];
    size_t found = 0, before = 0;
    *count = 0;
    if (plan->trial->part_count > PARTS_MOST || plan->ladder != NULL ||
        plan->has_series || plan->source > 0 || plan->options.share_count > 0)
        return SCRIM_OK;
    for (size_t i = 0; i < statement; i++)
        before += plan->statements[i].query->output_count;
    SC_TRY(list(plan, &plan->statements[statement], all, &found, error));
    const size_t outputs = sc_plan_outputs(plan);
    sc_ratio *others = sc_plan_errors_new(outputs);
    scrim_plan_other *made = sc_texts_room(&w, found, sizeof *made);
    scrim_status status =
        others == NULL || made == NULL ? sc_no_memory(error, "a plan") : SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < found; i++) {
        bool is_there = false;
        status = predict(plan, statement, &all[i].statement, all[i].noise, others,
                         &is_there, error);
        if (status != SCRIM_OK || !is_there)
            continue;
        made[*count] = (scrim_plan_other){.chosen = all[i].chosen, .name = all[i].name};
        show_one(&w, plan, statement, errors, others + before, shown, &made[(*count)++]);
    }
    sc_plan_errors_free(others, outputs);
    *out = made;
    return status == SCRIM_OK && w.has_failed ? sc_no_memory(error, "a plan") : status;
}
