#include "synth/rounds/online_weights.h"

#include "base/memory.h"
#include "mechanism/noise/laplace.h"
#include "mechanism/sparse/sparse_vector.h"
#include "synth/rounds/mwem.h"

struct sc_online_weights {
    sc_online_plan plan;
    const sc_records *records;
    sc_weight_model *model;
    uint64_t rows; /* that are possible */
    scrim_measurement *checking, *value;
    scrim_run *run;
    sc_allowance *allowance;
    sc_passage *passage;
    bool has_halted;
};

/* r den: a query is at most 1 on a row. */
static uint64_t move_of(const sc_online_plan *plan)
{
    return plan->unit.rows * plan->den;
}

static scrim_status check_plan(const sc_online_plan *plan, scrim_error *error)
{
    if (plan->den < 1 || plan->den > SC_MWEM_DEN || plan->updates < 1 ||
        plan->updates > SC_MWEM_ROUNDS || plan->steps < 1 || plan->step < 1 ||
        plan->step > INT64_MAX)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "updates",
            "updates, the step and the denominator must be at least 1, and "
            "updates at most %llu",
            (unsigned long long)SC_MWEM_ROUNDS);
    return sc_round_unit_check(&plan->unit, error);
}

/* The run that compares, and the noise of one value: epsilon/updates. */
static scrim_status make_measurements(sc_online_weights *w, sc_ratio *values,
                                      scrim_error *error)
{
    SC_OWN(sc_ratio, checking, each, move, threshold, count);
    const char *neighbours = scrim_neighbours_name(w->plan.unit.neighbours);
    scrim_status status = sc_ratio_parse(sc_text_of(w->plan.checking), &checking, error);
    if (status == SCRIM_OK)
        status = sc_ratio_parse(sc_text_of(w->plan.values), values, error);
    if (status != SCRIM_OK)
        return status;
    sc_ratio_set_int128(&move, (sc_int128)move_of(&w->plan));
    sc_ratio_set_int64(&threshold, w->plan.threshold);
    sc_ratio_set_int64(&count, (int64_t)w->plan.updates);
    sc_ratio_div(&each, values, &count);
    const sc_argument run[] = {{.name = "epsilon", .values = &checking},
                               {.name = "sensitivity", .values = &move},
                               {.name = "threshold", .values = &threshold},
                               {.name = "count", .values = &count},
                               {.name = "neighbours", .word = neighbours}};
    const sc_argument one[] = {{.name = "sensitivity", .values = &move},
                               {.name = "epsilon", .values = &each},
                               {.name = "neighbours", .word = neighbours}};
    status = sc_measurement_of(&sc_sparse_vector, run, sizeof run / sizeof *run,
                               &w->checking, error);
    return status == SCRIM_OK
               ? sc_measurement_of(&sc_laplace, one, sizeof one / sizeof *one, &w->value,
                                   error)
               : status;
}

static scrim_status charge(sc_online_weights *w, scrim_ledger *ledger,
                           const sc_ratio *values, scrim_error *error)
{
    sc_bits_key key = {{0}};
    SC_OWN(sc_ratio, none);
    scrim_status status = sc_allowance_new(w->plan.unit.neighbours, NULL, values, &none,
                                           &w->allowance, error);
    if (status == SCRIM_OK && ledger->bits == NULL)
        status = sc_bits_key_draw(&key, error);
    if (status == SCRIM_OK)
        status = sc_passage_open_within(ledger, w->value->text, w->allowance, &key, false,
                                        &w->passage, error);
    sc_wipe(&key, sizeof key);
    return status == SCRIM_OK ? scrim_run_open(ledger, w->checking, &w->run, error)
                              : status;
}

scrim_status sc_online_weights_open(scrim_ledger *ledger, const sc_online_plan *plan,
                                    const sc_records *records, sc_online_weights **out,
                                    scrim_error *error)
{
    const sc_synth_columns *columns = sc_records_columns(records);
    scrim_status status = check_plan(plan, error);
    if (status != SCRIM_OK)
        return status;
    sc_online_weights *w = sc_allocate(1, sizeof *w);
    if (w == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a synthetic release");
    SC_OWN(sc_ratio, values);
    w->plan = *plan;
    w->records = records;
    w->rows = sc_clique_cells(columns, sc_synth_columns_all(columns));
    status = sc_weight_model_new(columns, plan->total, &w->model, error);
    if (status == SCRIM_OK)
        status = make_measurements(w, &values, error);
    if (status == SCRIM_OK)
        status = charge(w, ledger, &values, error);
    if (status == SCRIM_OK)
        *out = w;
    else
        sc_online_weights_close(w);
    return status;
}

/* Draws the value of an above answer and steps towards it. */
static scrim_status learn(sc_online_weights *w, const uint32_t *numerators, int64_t truth,
                          sc_online_answer *out, scrim_error *error)
{
    sc_int128 value = 0;
    sc_mark mark = SC_MARK_NONE;
    sc_draw draw = {.values = &value, .marks = &mark, .capacity = 1};
    const int64_t most = (int64_t)1 << 61, step = (int64_t)w->plan.step;
    const scrim_status status = sc_passage_draw_within(
        w->passage, w->value, &(sc_private_input){.values = &truth, .count = 1}, &draw,
        error);
    if (status != SCRIM_OK)
        return status;
    const int64_t y = value > most ? most : value < -most ? -most : (int64_t)value;
    if (y != out->value)
        sc_weight_model_step(w->model, numerators, w->plan.den,
                             y > out->value ? step : -step, w->plan.steps);
    out->value = y;
    out->is_above = true;
    return SCRIM_OK;
}

scrim_status sc_online_weights_ask(sc_online_weights *w, const uint32_t *numerators,
                                   sc_online_answer *out, scrim_error *error)
{
    scrim_run_answer checked = {.has_halted = 0};
    for (uint64_t i = 0; i < w->rows; i++)
        if (numerators[i] > w->plan.den)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "query",
                               "a query must have values from 0 to 1");
    sc_online_answer answer = {.value = sc_weight_model_answer(w->model, numerators),
                               .is_checked = !w->has_halted};
    scrim_status status = SCRIM_OK;
    if (!w->has_halted) { /* 2^40 rows of 2^20 */
        const int64_t truth = (int64_t)sc_records_query(w->records, numerators);
        status = scrim_run_ask(w->run, sc_rounds_distance(&truth, &answer.value, 1),
                               &checked, error);
        w->has_halted = status == SCRIM_OK && checked.has_halted != 0;
        if (status == SCRIM_OK && checked.kind == SCRIM_ANSWER_ABOVE)
            status = learn(w, numerators, truth, &answer, error);
    }
    if (status == SCRIM_OK)
        *out = answer;
    return status;
}

void sc_online_weights_close(sc_online_weights *w)
{
    if (w == NULL)
        return;
    scrim_run_close(w->run);
    sc_passage_close(w->passage);
    sc_allowance_free(w->allowance);
    scrim_measurement_free(w->value);
    scrim_measurement_free(w->checking);
    sc_weight_model_free(w->model);
    sc_free(w);
}
