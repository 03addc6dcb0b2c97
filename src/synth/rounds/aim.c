#include "synth/rounds/aim.h"

#include "base/memory.h"
#include "synth/model/one_way_counts.h"

#include <string.h>

scrim_status sc_aim_schedule_start(sc_aim_schedule *s, uint64_t rounds,
                                   scrim_error *error)
{
    SC_OWN(sc_ratio, count, measuring, selecting);
    sc_ratio_set_int128(&count, (sc_int128)rounds);
    sc_ratio_mul(&selecting, s->total, s->share);
    sc_ratio_sub(&measuring, s->total, &selecting);
    sc_ratio_div(&measuring, &measuring, &count);
    s->is_last = false;
    scrim_status status =
        sc_round_variance(&measuring, sc_round_square(s->unit), &s->variance, error);
    if (status == SCRIM_OK)
        status = sc_round_rate(&selecting, rounds, s->most_move, &s->rate, error);
    s->rate /= s->most_move;
    return status;
}

static void set_cost(const sc_aim_schedule *s, sc_ratio *out)
{
    SC_OWN(sc_ratio, selecting);
    sc_round_measure_cost(sc_round_square(s->unit), s->variance, out);
    sc_round_select_cost(s->most_move, s->rate, &selecting);
    sc_ratio_add(out, out, &selecting);
}

/* Makes this round the last one, which spends all that is left. */
static scrim_status set_last(sc_aim_schedule *s, const sc_ratio *left, scrim_error *error)
{
    SC_OWN(sc_ratio, part, rest);
    sc_ratio_mul(&part, left, s->share);
    scrim_status status = sc_round_rate(&part, 1, s->most_move, &s->rate, error);
    s->rate /= s->most_move;
    sc_round_select_cost(s->most_move, s->rate, &part);
    sc_ratio_sub(&rest, left, &part);
    if (status == SCRIM_OK)
        status = sc_round_variance(&rest, sc_round_square(s->unit), &s->variance, error);
    s->is_last = true;
    return status;
}

scrim_status sc_aim_schedule_next(sc_aim_schedule *s, const sc_ratio *used,
                                  sc_ratio *cost, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, left, twice);
    sc_ratio_sub(&left, s->total, used);
    set_cost(s, cost);
    sc_ratio_add(&twice, cost, cost);
    if (sc_ratio_compare(&left, &twice) < 0) {
        status = set_last(s, &left, error);
        set_cost(s, cost);
    }
    return status;
}

void sc_aim_schedule_anneal(sc_aim_schedule *s)
{
    s->variance = (s->variance + 3) / 4;
    s->rate *= 2;
}

/* The most cells of all candidates together: their counts stay in memory during a run. */
#define KEPT_CELLS ((uint64_t)1 << 27)

void sc_aim_plan_init(sc_aim_plan *plan)
{
    *plan = (sc_aim_plan){.cap_cells = (uint64_t)1 << 17, .fit = SC_SYNTH_FIT_AIM_ROUND};
    sc_ratio_init(&plan->share);
    sc_ratio_set_quotient(&plan->share, 1, 10);
}

void sc_aim_plan_clear(sc_aim_plan *plan)
{
    sc_ratio_clear(&plan->share);
}

/* A run. */
typedef struct aim {
    sc_rounds *rounds; /* NULL: it is only checked */
    const sc_aim_plan *plan;
    const sc_synth_columns *declared;
    sc_synth_columns
        columns; /* as the model has them: those of a release that is refined may be merged */
    sc_recoding recoding;
    sc_clique absent; /* columns whose last category is impossible */
    uint64_t inherited_cells;
    uint64_t planned;
    sc_candidates candidates;
    sc_aim_schedule schedule;
    sc_synth_model *model;
    int64_t *kept;    /* the true counts of every candidate, one behind the other */
    int64_t **counts; /* where each begins */
    int64_t *answers; /* of the model, for the largest candidate */
    int64_t *before;  /* those of the chosen one, before it was measured */
    size_t *places;   /* the candidates of the round */
    int64_t *scores;
    size_t count; /* of both */
    uint64_t round;
} aim;

/* The plan. */

static scrim_status check_plan(aim *a, scrim_error *error)
{
    const sc_aim_plan *plan = a->plan;
    SC_OWN(sc_ratio, low, high);
    sc_ratio_set_quotient(&low, 1, 100);
    sc_ratio_set_quotient(&high, 1, 2);
    a->planned = plan->rounds > 0 ? plan->rounds : SC_AIM_USUAL_ROUNDS * a->columns.count;
    if (a->planned <= a->columns.count || a->planned > SC_AIM_ROUNDS)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "rounds",
                           "rounds must be more than the columns and at most %llu",
                           (unsigned long long)SC_AIM_ROUNDS);
    if (sc_ratio_compare(&plan->share, &low) < 0 ||
        sc_ratio_compare(&plan->share, &high) > 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "shares",
                           "the share of selections must be at least 1/100 and at most "
                           "1/2");
    if (plan->cap_cells < 1 << 8 || plan->cap_cells > 1 << 30)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "cells",
                           "the model must have at least 256 and at most 1073741824 "
                           "cells");
    return SCRIM_OK;
}

/* The columns of the model, which a release that is refined has merged. */
static scrim_status set_columns(aim *a, scrim_error *error)
{
    const sc_synth_released *before = a->plan->before;
    a->columns = *a->declared;
    if (before == NULL)
        return SCRIM_OK;
    bool is_same = before->columns.count == a->declared->count;
    for (size_t i = 0; is_same && i < a->declared->count; i++)
        is_same = before->columns.sizes[i] == a->declared->sizes[i];
    if (!is_same || sc_released_has_weights(before))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "refine",
                           "a release that is refined must be of mst or aim, and of the "
                           "same columns");
    const scrim_status status = sc_released_recoding(before, &a->recoding, error);
    if (status == SCRIM_OK)
        sc_recoding_columns(&a->recoding, &a->columns);
    return status;
}

/* Checks and computes everything that is public before the first draw. */
static scrim_status prepare(aim *a, const sc_round_unit *unit, const sc_ratio *total,
                            scrim_error *error)
{
    scrim_status status = sc_synth_columns_check(a->declared, error);
    if (status == SCRIM_OK)
        status = sc_round_unit_check(unit, error);
    if (status == SCRIM_OK)
        status = set_columns(a, error);
    if (status == SCRIM_OK)
        status = check_plan(a, error);
    if (status == SCRIM_OK)
        status = sc_candidates_make(&a->columns, &a->plan->workload, a->plan->cap_cells,
                                    &a->candidates, error);
    if (status == SCRIM_OK && a->candidates.cells > KEPT_CELLS)
        status = sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "workload",
                             "the marginals of the workload have more than %llu cells",
                             (unsigned long long)KEPT_CELLS);
    a->schedule =
        (sc_aim_schedule){.unit = unit,
                          .total = total,
                          .share = &a->plan->share,
                          .most_move = sc_round_move(unit) * a->candidates.most};
    if (status == SCRIM_OK)
        status = sc_aim_schedule_start(&a->schedule, a->planned, error);
    return status;
}

/* Allocates all arrays of a run, and counts the records of every candidate: the only look at the
 * data before the draws. */
static scrim_status count_all(aim *a, scrim_error *error)
{
    const sc_candidates *all = &a->candidates;
    sc_clique *cliques = sc_allocate(all->count, sizeof *cliques);
    uint64_t largest = 0, at = 0;
    for (size_t i = 0; i < all->count; i++)
        largest = all->list[i].cells > largest ? all->list[i].cells : largest;
    a->kept = sc_allocate((size_t)all->cells, sizeof *a->kept);
    a->counts = sc_allocate(all->count, sizeof *a->counts);
    a->answers = sc_allocate((size_t)largest, sizeof *a->answers);
    a->before = sc_allocate((size_t)largest, sizeof *a->before);
    a->places = sc_allocate(all->count, sizeof *a->places);
    a->scores = sc_allocate(all->count, sizeof *a->scores);
    const bool has_room = cliques != NULL && a->kept != NULL && a->counts != NULL &&
                          a->answers != NULL && a->before != NULL && a->places != NULL &&
                          a->scores != NULL;
    for (size_t i = 0; has_room && i < all->count; i++) {
        cliques[i] = all->list[i].clique;
        a->counts[i] = a->kept + at;
        at += all->list[i].cells;
    }
    if (has_room)
        sc_records_count(a->rounds->records, cliques, all->count, a->counts);
    sc_free(cliques);
    return has_room ? SCRIM_OK : sc_no_memory(error, "a synthetic release");
}

static void leave(aim *a)
{
    sc_free_wiped(a->kept,
                  a->kept == NULL ? 0 : (size_t)a->candidates.cells * sizeof *a->kept);
    sc_free_wiped(a->scores,
                  a->scores == NULL ? 0 : a->candidates.count * sizeof *a->scores);
    sc_free(a->counts);
    sc_free(a->answers);
    sc_free(a->before);
    sc_free(a->places);
    sc_synth_model_free(a->model);
    sc_recoding_clear(&a->recoding);
    sc_candidates_clear(&a->candidates);
}

/* The model. */

/* The noisy total, and which columns have so few NULLs that they count as absent. */
static void set_total(aim *a)
{
    const int64_t *counts[SC_SYNTH_COLUMNS_MAX];
    sc_synth_released *released = a->rounds->released;
    for (size_t i = 0; i < a->columns.count; i++)
        counts[i] = released->steps[i].counts;
    released->total = sc_noisy_total(&a->columns, counts, NULL);
    released->absent = sc_absent_nulls(&a->columns, a->rounds->nullable, counts,
                                       a->schedule.variance, released->total);
}

/* Starts the model from all that was measured so far. */
static scrim_status start_model(aim *a, scrim_error *error)
{
    sc_synth_released *released = a->rounds->released;
    const sc_released_options options = {.zeros = a->plan->zeros,
                                         .zero_count = a->plan->zero_count,
                                         .cancel = a->rounds->cancel};
    released->round_fit = a->plan->fit;
    released->fit = SC_SYNTH_FIT_AIM_LAST;
    scrim_status status = sc_released_start(released, &options, released->count,
                                            &a->recoding, &a->model, error);
    if (status != SCRIM_OK)
        return status;
    a->absent = sc_released_absent(released, &a->recoding);
    a->inherited_cells = released->inherited > 0 ? sc_synth_model_cells(a->model) : 0;
    return sc_synth_model_fit(a->model, &a->plan->fit, error);
}

/* Takes over what an earlier release has measured. */
static scrim_status inherit(aim *a, scrim_error *error)
{
    const sc_synth_released *before = a->plan->before;
    sc_synth_released *released = a->rounds->released;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < before->count; i++)
        status = sc_synth_released_add(released, &before->steps[i], error);
    released->inherited = before->count;
    released->total = before->total;
    released->absent = before->absent;
    released->is_compressed = before->is_compressed;
    a->round = before->steps[before->count - 1].round;
    return status;
}

static scrim_status measure_columns(aim *a, scrim_error *error)
{
    sc_clique cliques[SC_SYNTH_COLUMNS_MAX];
    const sc_synth_step step = {.noise = SC_SYNTH_GAUSSIAN,
                                .scale_64ths = a->schedule.variance};
    for (size_t i = 0; i < a->columns.count; i++)
        cliques[i] = sc_clique_of(i);
    return sc_rounds_measure(a->rounds, cliques, a->columns.count, &step, error);
}

static scrim_status begin(aim *a, scrim_error *error)
{
    scrim_status status =
        a->plan->before != NULL ? inherit(a, error) : measure_columns(a, error);
    if (status == SCRIM_OK && a->plan->before == NULL)
        set_total(a);
    return status == SCRIM_OK ? start_model(a, error) : status;
}

/* A round. */

/* The cells that the model may have after this round: floor(cap spent/total), so that it grows
 * with the budget spent. The cells of a release that is refined come on top. */
static uint64_t cells_allowed(const aim *a, const sc_ratio *spent)
{
    const uint64_t most = a->plan->cap_cells, base = a->inherited_cells;
    uint64_t cells = 0;
    SC_OWN(sc_ratio, share, cap);
    SC_OWN(sc_integer, whole);
    sc_ratio_div(&share, spent, a->schedule.total);
    sc_ratio_set_int128(&cap, (sc_int128)(most > base ? most - base : 0));
    sc_ratio_mul(&share, &share, &cap);
    sc_ratio_floor(&share, &whole);
    (void)sc_integer_get_uint64(&whole, &cells);
    return base + cells;
}

/* Lists the candidates that fit into the model; returns their largest weight, 0 without
 * candidates. */
static uint64_t list_candidates(aim *a, const sc_ratio *spent)
{
    const uint64_t cells = cells_allowed(a, spent);
    uint64_t most = 0;
    a->rounds->released->cap = cells;
    a->count = 0;
    for (size_t i = 0; i < a->candidates.count; i++) {
        const sc_candidate_clique *c = &a->candidates.list[i];
        if (!sc_synth_model_holds(a->model, c->clique) &&
            sc_synth_model_cells_after(a->model, c->clique) > cells)
            continue;
        a->places[a->count++] = i;
        most = c->weight > most ? c->weight : most;
    }
    return most;
}

/* The noise that a measurement brings into the model, whose cells with an absent NULL stay 0. */
static int64_t noise_of(const aim *a, const sc_candidate_clique *c)
{
    const uint64_t cells = sc_present_cells(&a->columns, a->absent, c->clique);
    return sc_round_noise(cells, a->schedule.variance);
}

/* W (sum abs(x - m) - B), W at most 2^20 and the rest below 2^42, so that it fits 64 bits. */
static int64_t score(const aim *a, size_t candidate)
{
    const int64_t far = (int64_t)1 << 41;
    const sc_candidate_clique *c = &a->candidates.list[candidate];
    const int64_t noise = noise_of(a, c);
    const int64_t distance =
        sc_rounds_distance(a->counts[candidate], a->answers, (size_t)c->cells);
    return (int64_t)c->weight * (distance - (noise < far ? noise : far));
}

static scrim_status score_all(aim *a, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < a->count; i++) {
        status = sc_cancel_check(a->rounds->cancel, error);
        if (status != SCRIM_OK)
            break;
        status = sc_synth_model_counts(a->model, a->candidates.list[a->places[i]].clique,
                                       a->answers, error);
        if (status == SCRIM_OK)
            a->scores[i] = score(a, a->places[i]);
    }
    return status;
}

/* Selects the candidate of this round. The schedule's rate is for the largest weight of all
 * candidates; if those of this round have smaller weights, the same cost allows a higher rate. */
static scrim_status select_step(aim *a, uint64_t most, sc_synth_step *step, size_t *out,
                                scrim_error *error)
{
    size_t chosen = 0;
    const uint64_t move = sc_round_move(&a->rounds->unit) * most;
    *step = (sc_synth_step){.round = a->round,
                            .move = move,
                            .candidates = a->count,
                            .noise = SC_SYNTH_GAUSSIAN,
                            .scale_64ths = a->schedule.variance};
    step->rate = (uint64_t)((sc_uint128)a->schedule.rate * a->schedule.most_move / move);
    const scrim_status status = sc_rounds_select(a->rounds, a->scores, a->count, move,
                                                 step->rate, &chosen, error);
    if (status == SCRIM_OK)
        *out = a->places[chosen];
    return status;
}

/* Has the model changed by no more than the noise of its measurement? Compares two models, so it
 * looks at no data. */
static bool is_noise(const aim *a, const sc_candidate_clique *c)
{
    return sc_rounds_distance(a->answers, a->before, (size_t)c->cells) <= noise_of(a, c);
}

static scrim_status learn_step(aim *a, const sc_candidate_clique *c, scrim_error *error)
{
    scrim_status status = sc_synth_model_counts(a->model, c->clique, a->before, error);
    if (status == SCRIM_OK)
        status = sc_released_learn(a->rounds->released, a->rounds->released->count - 1,
                                   a->model, error);
    if (status == SCRIM_OK)
        status = sc_synth_model_fit(a->model, &a->plan->fit, error);
    if (status == SCRIM_OK)
        status = sc_synth_model_counts(a->model, c->clique, a->answers, error);
    if (status == SCRIM_OK && is_noise(a, c))
        sc_aim_schedule_anneal(&a->schedule);
    return status;
}

static scrim_status run_round(aim *a, scrim_error *error)
{
    size_t chosen = 0;
    sc_synth_step step;
    SC_OWN(sc_ratio, cost, spent);
    const sc_ratio *used = sc_allowance_used(a->rounds->allowance);
    scrim_status status = sc_aim_schedule_next(&a->schedule, used, &cost, error);
    if (status != SCRIM_OK)
        return status;
    a->round++;
    sc_ratio_add(&spent, used, &cost);
    const uint64_t most = list_candidates(a, &spent);
    if (most == 0)
        return sc_fail(error, SCRIM_E_INTERNAL, "a round has no candidate");
    status = score_all(a, error);
    if (status == SCRIM_OK)
        status = select_step(a, most, &step, &chosen, error);
    const sc_candidate_clique *c = &a->candidates.list[chosen];
    if (status == SCRIM_OK)
        status = sc_rounds_measure(a->rounds, &c->clique, 1, &step, error);
    return status == SCRIM_OK && !a->schedule.is_last ? learn_step(a, c, error) : status;
}

/* Reports progress in thousandths of the total cost, because the number of rounds is not known
 * before. */
static void tell(const aim *a)
{
    uint64_t done = 0;
    SC_OWN(sc_ratio, part, thousand);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&thousand, 1000);
    sc_ratio_mul(&part, sc_allowance_used(a->rounds->allowance), &thousand);
    sc_ratio_div(&part, &part, a->schedule.total);
    sc_ratio_floor(&part, &whole);
    (void)sc_integer_get_uint64(&whole, &done);
    sc_rounds_tell(a->rounds, done, 1000);
}

scrim_status sc_aim_check(const sc_aim_plan *plan, const sc_synth_columns *columns,
                          const sc_round_unit *unit, const sc_ratio *total,
                          scrim_error *error)
{
    aim a = {.plan = plan, .declared = columns};
    const scrim_status status = prepare(&a, unit, total, error);
    leave(&a);
    return status;
}

scrim_status sc_aim_run(sc_rounds *rounds, const sc_aim_plan *plan, scrim_error *error)
{
    aim a = {.rounds = rounds, .plan = plan, .declared = &rounds->released->columns};
    scrim_status status = sc_rounds_begin(rounds, SC_SYNTH_AIM, error);
    if (status == SCRIM_OK && sc_allowance_is_pure(rounds->allowance))
        status = sc_fail(error, SCRIM_E_INTERNAL, "this method has no pure form");
    if (status == SCRIM_OK)
        status = prepare(&a, &rounds->unit, sc_allowance_total(rounds->allowance), error);
    if (status == SCRIM_OK && plan->before != NULL)
        sc_records_recode(rounds->records, &a.recoding);
    if (status == SCRIM_OK)
        status = count_all(&a, error);
    if (status == SCRIM_OK)
        status = begin(&a, error);
    while (status == SCRIM_OK && !a.schedule.is_last) {
        status = run_round(&a, error);
        tell(&a);
    }
    leave(&a);
    return status;
}
