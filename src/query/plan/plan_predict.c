#include "query/plan/plan_predict.h"

#include "query/plan/plan_bars.h"

/* The part that draws a statistic; units without a part of their own are counted by the
 * selection. */
static const scrim_measurement *source_of(const sc_planned_statement *s,
                                          const sc_trial_statement *parts,
                                          size_t statistic)
{
    if (statistic == SC_STATISTIC_NONE)
        return NULL;
    const size_t drawn = sc_statistic_drawn_with(&s->statistics, statistic);
    for (size_t i = 0; i < parts->part_count; i++)
        if (parts->parts[i].statistic == drawn)
            return parts->parts[i].measurement;
    return sc_statistic_is_units(&s->statistics.list[statistic]) && parts->part_count > 0
               ? parts->parts[0].measurement
               : NULL;
}

void sc_plan_sources(const sc_planned_statement *statement,
                     const sc_trial_statement *parts, size_t aggregate,
                     sc_estimate_sources *out)
{
    const sc_statistic_use *use = &statement->statistics.uses[aggregate];
    *out = (sc_estimate_sources){
        .units = source_of(statement, parts, use->units),
        .rows = source_of(statement, parts, use->rows),
        .missing = source_of(statement, parts, use->missing),
        .sum = source_of(statement, parts, use->sum),
        .squares = source_of(statement, parts, use->squares),
        .quantiles = source_of(statement, parts, use->quantiles),
        .around = source_of(statement, parts, use->around),
    };
}

/* From the part that draws the histogram. */
static scrim_status predict_bars(const scrim_plan *plan, const sc_planned_statement *s,
                                 const sc_trial_statement *parts, size_t aggregate,
                                 const sc_ratio *confidence, sc_ratio *out,
                                 scrim_error *error)
{
    const size_t statistic = s->statistics.uses[aggregate].bars;
    const sc_bar_expected expected = {&plan->options.expect, confidence};
    for (size_t i = 0; i < parts->part_count; i++)
        if (parts->parts[i].statistic == statistic) {
            const sc_bar_grid grid =
                sc_bar_view_grid(&s->statistics, statistic, parts->parts[i].width);
            sc_plan_bars_predict(&s->query->aggregates[aggregate], &grid,
                                 parts->parts[i].measurement, &expected, out);
            return SCRIM_OK;
        }
    return sc_fail(error, SCRIM_E_INTERNAL, "no mechanism draws this histogram");
}

static scrim_status predict_one(const scrim_plan *plan, const sc_planned_statement *s,
                                const sc_trial_statement *parts, size_t aggregate,
                                const sc_ratio *confidence, sc_ratio *out,
                                scrim_error *error)
{
    const size_t sum = s->statistics.uses[aggregate].sum;
    if (s->query->aggregates[aggregate].kind->bars != NULL)
        return predict_bars(plan, s, parts, aggregate, confidence, out, error);
    const sc_group_guess guess = {
        .rows = &plan->options.expect,
        .column = sc_column_guess_of(&plan->options.guesses, s->query->schema,
                                     s->query->aggregates[aggregate].value)};
    sc_estimate_sources sources;
    sc_estimator *estimator = NULL;
    sc_plan_sources(s, parts, aggregate, &sources);
    sources.draws = plan->draws;
    scrim_status status =
        sc_estimator_new(&s->query->aggregates[aggregate],
                         sum == SC_STATISTIC_NONE ? NULL : &s->statistics.list[sum],
                         &sources, confidence, &estimator, error);
    if (status == SCRIM_OK)
        status = sc_estimator_predict(estimator, &guess, out, error);
    sc_estimator_free(estimator);
    return status;
}

/* Outputs. */

scrim_status sc_plan_formula(const sc_planned_statement *s,
                             const sc_trial_statement *parts, const sc_formula *formula,
                             const sc_ratio *confidence, sc_arena *arena,
                             sc_formula_estimator **out, scrim_error *error)
{
    const scrim_measurement **measurements =
        sc_arena_allocate(arena, s->statistics.count, sizeof(const scrim_measurement *));
    if (measurements == NULL)
        return sc_no_memory(error, "a plan");
    for (size_t i = 0; i < s->statistics.count; i++)
        measurements[i] = source_of(s, parts, i);
    const sc_formula_setting setting = {.formula = formula,
                                        .query = s->query,
                                        .statistics = &s->statistics,
                                        .measurements = measurements};
    return sc_formula_estimator_new(&setting, confidence, out, error);
}

static scrim_status predict_estimator(const scrim_plan *plan,
                                      const sc_planned_statement *s,
                                      const sc_trial_statement *parts,
                                      const sc_formula_estimator *estimator,
                                      sc_ratio *out, scrim_error *error)
{
    const size_t count = sc_formula_apart_count(estimator);
    sc_ratio *halves = sc_plan_errors_new(count);
    bool is_open = false;
    scrim_status status = halves == NULL ? sc_no_memory(error, "a plan") : SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        const sc_formula_apart *apart = sc_formula_apart_at(estimator, i);
        if (apart->estimator == NULL)
            status = predict_bars(plan, s, parts, apart->aggregate,
                                  &plan->options.confidence, &halves[i], error);
    }
    const sc_formula_guess guess = {.rows = &plan->options.expect,
                                    .columns = &plan->options.guesses,
                                    .halves = halves};
    if (status == SCRIM_OK)
        status = sc_formula_predict(estimator, &guess, out, &is_open, error);
    if (is_open)
        sc_ratio_set_int64(out, -1);
    sc_plan_errors_free(halves, count);
    return status;
}

static scrim_status predict_formula(const scrim_plan *plan, const sc_planned_statement *s,
                                    const sc_trial_statement *parts,
                                    const sc_formula *formula, const sc_ratio *confidence,
                                    sc_ratio *out, scrim_error *error)
{
    sc_formula_estimator *estimator = NULL;
    sc_arena arena;
    sc_arena_init(&arena);
    scrim_status status =
        sc_plan_formula(s, parts, formula, confidence, &arena, &estimator, error);
    if (status == SCRIM_OK)
        status = predict_estimator(plan, s, parts, estimator, out, error);
    sc_formula_estimator_free(estimator);
    sc_arena_clear(&arena);
    return status;
}

static scrim_status predict_output(const scrim_plan *plan, const sc_planned_statement *s,
                                   const sc_trial_statement *parts, size_t index,
                                   const sc_ratio *confidence, sc_ratio *out,
                                   scrim_error *error)
{
    const sc_query_output *output = &s->query->outputs[index];
    if (output->formula != NULL)
        return predict_formula(plan, s, parts, output->formula, confidence, out, error);
    return sc_query_output_is_plain(output)
               ? predict_one(plan, s, parts, output->index, confidence, out, error)
               : SCRIM_OK;
}

/* The errors of all statements, one behind the other: of their outputs, or of their aggregates. */
static scrim_status predict_all(const scrim_plan *plan, const sc_trial *trial,
                                bool of_outputs, const sc_ratio *confidence,
                                sc_ratio *errors, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    size_t at = 0;
    for (size_t i = 0; i < plan->statement_count; i++) {
        const sc_planned_statement *s = &plan->statements[i];
        const size_t count =
            of_outputs ? s->query->output_count : s->query->aggregate_count;
        for (size_t j = 0; status == SCRIM_OK && j < count; j++)
            status = (of_outputs ? predict_output : predict_one)(
                plan, s, &trial->statements[i], j, confidence, &errors[at++], error);
    }
    return status;
}

scrim_status sc_plan_predict(const scrim_plan *plan, const sc_trial *trial,
                             const sc_ratio *confidence, sc_ratio *errors,
                             scrim_error *error)
{
    return predict_all(plan, trial, false, confidence, errors, error);
}

scrim_status sc_plan_predict_outputs(const scrim_plan *plan, const sc_trial *trial,
                                     const sc_ratio *confidence, sc_ratio *errors,
                                     scrim_error *error)
{
    return predict_all(plan, trial, true, confidence, errors, error);
}

size_t sc_plan_aggregates(const scrim_plan *plan)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->statement_count; i++)
        count += plan->statements[i].query->aggregate_count;
    return count;
}

size_t sc_plan_outputs(const scrim_plan *plan)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->statement_count; i++)
        count += plan->statements[i].query->output_count;
    return count;
}

sc_ratio *sc_plan_errors_new(size_t count)
{
    sc_ratio *errors = sc_allocate(count, sizeof *errors);
    for (size_t i = 0; errors != NULL && i < count; i++)
        sc_ratio_init(&errors[i]);
    return errors;
}

void sc_plan_errors_free(sc_ratio *errors, size_t count)
{
    for (size_t i = 0; errors != NULL && i < count; i++)
        sc_ratio_clear(&errors[i]);
    sc_free(errors);
}
