#include "synth/release/synth_method.h"

#include "mechanism/linear/marginals.h"
#include "synth/release/synth_draw.h"
#include "synth/rounds/aim.h"
#include "synth/rounds/small_release.h"

scrim_status sc_synth_allowance(const scrim_synth *s, sc_allowance **out,
                                scrim_error *error)
{
    SC_OWN(sc_ratio, epsilon, delta);
    sc_allowance *allowance = NULL;
    sc_ratio_sub(&epsilon, &s->epsilon, &s->selection_epsilon);
    sc_ratio_sub(&delta, &s->delta, &s->selection_delta);
    scrim_status status =
        sc_allowance_new(s->schema->neighbours, s->is_pure ? NULL : &s->rho, &epsilon,
                         &delta, &allowance, error);
    if (status == SCRIM_OK && s->private_count > 0)
        status = sc_allowance_reserve(allowance, &s->selection_epsilon,
                                      &s->selection_delta, error);
    if (status == SCRIM_OK)
        *out = allowance;
    else
        sc_allowance_free(allowance);
    return status;
}

/* Plans. */

static void set_aim(const scrim_synth *s, sc_aim_plan *plan)
{
    sc_aim_plan_init(plan);
    plan->zeros = s->zeros;
    plan->zero_count = s->domain.never_count;
    plan->before = s->before == NULL ? NULL : &s->before->record.released;
}

static void set_mwem(const scrim_synth *s, sc_mwem_plan *plan)
{
    sc_mwem_plan_init(plan);
    plan->zeros = s->zeros;
    plan->zero_count = s->domain.never_count;
    plan->cliques = s->marginals;
    plan->count = s->marginal_count;
    if (s->domain.query_count > 0) {
        plan->queries = s->domain.queries;
        plan->count = s->domain.query_count;
    }
}

static const sc_ratio *total_of(const scrim_synth *s)
{
    return s->is_pure ? &s->epsilon : &s->rho;
}

static scrim_status check_mst(const scrim_synth *s, scrim_error *error)
{
    sc_mst_plan plan;
    sc_mst_plan_init(&plan);
    const scrim_status status = sc_mst_check(&plan, &s->sizes, &s->unit, &s->rho, error);
    sc_mst_plan_clear(&plan);
    return status;
}

static scrim_status check_aim(const scrim_synth *s, scrim_error *error)
{
    sc_aim_plan plan;
    set_aim(s, &plan);
    const scrim_status status = sc_aim_check(&plan, &s->sizes, &s->unit, &s->rho, error);
    sc_aim_plan_clear(&plan);
    return status;
}

static scrim_status check_small(const scrim_synth *s, scrim_error *error)
{
    uint64_t rows = 0;
    if (s->domain.never_count > 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "never",
                           "smalldb takes no impossible combinations");
    return sc_small_check(&s->sizes, &s->unit, &s->epsilon, s->domain.queries,
                          s->domain.query_count, &rows, error);
}

static scrim_status check_method(const scrim_synth *s, scrim_error *error)
{
    switch (s->method) {
    case SC_SYNTH_MST:
        return check_mst(s, error);
    case SC_SYNTH_AIM:
        return check_aim(s, error);
    case SC_SYNTH_MWEM:
        return SCRIM_OK; /* with its forecast */
    case SC_SYNTH_SMALLDB:
        break;
    }
    return check_small(s, error);
}

/* Errors. */

/* The cost of measuring `tables` tables with this noise. */
static void set_cost(const scrim_synth *s, size_t tables, uint64_t scale, sc_ratio *out)
{
    SC_OWN(sc_ratio, divisor);
    if (!s->is_pure) {
        sc_round_measure_cost((sc_uint128)tables * sc_round_square(&s->unit), scale, out);
        return;
    }
    sc_ratio_set_int128(out, (sc_int128)(tables * sc_round_move(&s->unit)) * 64);
    sc_ratio_set_int128(&divisor, (sc_int128)scale);
    sc_ratio_div(out, out, &divisor);
}

/* Half of the interval of a count in one of `tables` tables that are measured together, with
 * this noise. */
static scrim_status set_error(const scrim_synth *s, size_t tables, uint64_t scale,
                              char out[SCRIM_NUMBER_BYTES], scrim_error *error)
{
    scrim_measurement *m = NULL;
    scrim_certificate certificate;
    SC_OWN(sc_ratio, cost, rows);
    sc_ratio *sizes = sc_allocate(tables, sizeof *sizes);
    if (sizes == NULL)
        return sc_no_memory(error, "a synthesiser");
    for (size_t i = 0; i < tables; i++) {
        sc_ratio_init(&sizes[i]);
        sc_ratio_set_int64(&sizes[i], 1);
    }
    set_cost(s, tables, scale, &cost);
    sc_ratio_set_int64(&rows, (int64_t)s->unit.rows);
    const sc_argument arguments[] = {
        {.name = "tables", .values = sizes, .count = tables},
        {.name = "max-rows", .values = &rows},
        {.name = s->is_pure ? "epsilon" : "rho", .values = &cost},
        {.name = "neighbours", .word = scrim_neighbours_name(s->unit.neighbours)}};
    scrim_status status = sc_measurement_of(
        &sc_marginals, arguments, sizeof arguments / sizeof *arguments, &m, error);
    if (status == SCRIM_OK)
        status = scrim_measurement_certify(m, "0.95", tables, &certificate, error);
    if (status == SCRIM_OK) {
        sc_text_sink sink;
        sc_text_sink_init(&sink, out, SCRIM_NUMBER_BYTES);
        sc_text_put(&sink, sc_text_of(certificate.radius));
    }
    scrim_measurement_free(m);
    for (size_t i = 0; i < tables; i++)
        sc_ratio_clear(&sizes[i]);
    sc_free(sizes);
    return status;
}

/* MST: both are known before the first draw. */
static scrim_status foresee_mst(scrim_synth *s, scrim_error *error)
{
    const size_t k = s->domain.count;
    sc_mst_plan plan;
    uint64_t one = 0, two = 0;
    SC_OWN(sc_ratio, share);
    sc_mst_plan_init(&plan);
    sc_ratio_set_int64(&share, 1);
    if (k > 1)
        sc_ratio_set(&share, &plan.shares[0]);
    sc_ratio_mul(&share, &share, &s->rho);
    scrim_status status =
        sc_round_variance(&share, (sc_uint128)k * sc_round_square(&s->unit), &one, error);
    sc_ratio_mul(&share, &plan.shares[2], &s->rho);
    if (status == SCRIM_OK && k > 1)
        status = sc_round_variance(
            &share, (sc_uint128)(k - 1) * sc_round_square(&s->unit), &two, error);
    sc_mst_plan_clear(&plan);
    if (status == SCRIM_OK)
        status = set_error(s, k, one, s->count_error, error);
    if (status == SCRIM_OK && k > 1)
        status = set_error(s, k - 1, two, s->pair_error, error);
    return status;
}

/* AIM: the noise of the first round, which is never raised. */
static scrim_status foresee_aim(scrim_synth *s, scrim_error *error)
{
    sc_aim_plan plan;
    set_aim(s, &plan);
    sc_aim_schedule schedule = {
        .unit = &s->unit, .total = &s->rho, .share = &plan.share, .most_move = 1};
    scrim_status status = sc_aim_schedule_start(
        &schedule, SC_AIM_USUAL_ROUNDS * (uint64_t)s->domain.count, error);
    if (status == SCRIM_OK)
        status = set_error(s, s->domain.count, schedule.variance, s->count_error, error);
    if (status == SCRIM_OK)
        status = set_error(s, 1, schedule.variance, s->pair_error, error);
    sc_aim_plan_clear(&plan);
    return status;
}

/* MWEM: the noise of a measurement of one round. */
static scrim_status foresee_mwem(scrim_synth *s, scrim_error *error)
{
    sc_mwem_plan plan;
    uint64_t scale = 0;
    set_mwem(s, &plan);
    scrim_status status =
        sc_mwem_noise(&plan, &s->sizes, &s->unit, total_of(s), s->is_pure, &scale, error);
    s->measured_count = s->domain.query_count == 0 ? 0 : (size_t)sc_mwem_rounds(&plan);
    const bool is_pair = s->ways > 1 && s->domain.query_count == 0;
    if (status == SCRIM_OK)
        status = set_error(s, 1, scale, is_pair ? s->pair_error : s->count_error, error);
    sc_mwem_plan_clear(&plan);
    return status;
}

scrim_status sc_synth_forecast(scrim_synth *s, scrim_error *error)
{
    scrim_status status = check_method(s, error);
    if (status == SCRIM_OK && s->method == SC_SYNTH_MST)
        status = foresee_mst(s, error);
    if (status == SCRIM_OK && s->method == SC_SYNTH_AIM && s->before == NULL)
        status = foresee_aim(s, error);
    if (status == SCRIM_OK && s->method == SC_SYNTH_MWEM)
        status = foresee_mwem(s, error);
    return status;
}

/* Draws. */

static scrim_status draw_mst(sc_rounds *rounds, scrim_error *error)
{
    sc_mst_plan plan;
    sc_mst_plan_init(&plan);
    const scrim_status status = sc_mst_run(rounds, &plan, error);
    sc_mst_plan_clear(&plan);
    return status;
}

static scrim_status draw_aim(const scrim_synth *s, sc_rounds *rounds, scrim_error *error)
{
    sc_aim_plan plan;
    set_aim(s, &plan);
    const scrim_status status = sc_aim_run(rounds, &plan, error);
    sc_aim_plan_clear(&plan);
    return status;
}

static scrim_status draw_mwem(const scrim_synth *s, sc_rounds *rounds, scrim_error *error)
{
    sc_mwem_plan plan;
    sc_weight_model *model = NULL;
    set_mwem(s, &plan);
    const scrim_status status = sc_mwem_run(rounds, &plan, &model, error);
    sc_weight_model_free(model);
    sc_mwem_plan_clear(&plan);
    return status;
}

scrim_status sc_synth_follow(const scrim_synth *s, sc_rounds *rounds, scrim_error *error)
{
    return s->method == SC_SYNTH_MST   ? draw_mst(rounds, error)
           : s->method == SC_SYNTH_AIM ? draw_aim(s, rounds, error)
           : s->method == SC_SYNTH_SMALLDB
               ? sc_small_run(rounds, s->domain.queries, s->domain.query_count, error)
               : draw_mwem(s, rounds, error);
}
