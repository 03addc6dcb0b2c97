#include "synth/release/last_round.h"

#include "base/memory.h"
#include "synth/model/absent_null.h"
#include "synth/rounds/aim.h"

#include <string.h>

/* Tables of candidates together have at most so many cells. */
#define CANDIDATE_CELLS ((uint64_t)1 << 24)
#define RATE_UNIT 0x1p-32

void sc_last_round_init(sc_last_round *r)
{
    memset(r, 0, sizeof *r);
}

void sc_last_round_clear(sc_last_round *r)
{
    for (size_t i = 0; i < r->table_count; i++)
        sc_free(r->tables[i]);
    /* NOLINTNEXTLINE(bugprone-multi-level-implicit-pointer-conversion): an array of pointers */
    sc_free((void *)r->tables);
    sc_free(r->others);
    sc_last_round_init(r);
}

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a report");
}

/* The round while it is followed. */
typedef struct following {
    const sc_synth_released *released;
    const sc_synth_step *last;
    sc_synth_columns columns; /* as the model has them */
    sc_synth_model *model;    /* of AIM, else */
    sc_weight_model *weights;
    sc_clique absent;
    sc_candidates candidates; /* of the round: those with a weight */
    sc_last_round out;
} following;

static void forget(following *f)
{
    sc_candidates_clear(&f->candidates);
    sc_synth_model_free(f->model);
    sc_weight_model_free(f->weights);
    sc_last_round_clear(&f->out);
}

static bool is_measured(const sc_synth_released *released, sc_clique clique)
{
    for (size_t i = 0; i < released->count; i++)
        if (released->steps[i].clique == clique)
            return true;
    return false;
}

/* Candidates: list keeps those of the round. */

/* Inside a clique of the model, or small enough for it. */
static bool is_of_aim(const following *f, sc_clique clique)
{
    return sc_synth_model_holds(f->model, clique) ||
           sc_synth_model_cells_after(f->model, clique) <= f->released->cap;
}

/* Has it been measured since all of so many were? The first step is the number of rows, the last one the round. */
static bool is_measured_now(const following *f, size_t all, sc_clique clique)
{
    const size_t rounds = f->released->count - 2;
    for (size_t i = rounds - rounds % all; i < rounds; i++)
        if (f->released->steps[1 + i].clique == clique)
            return true;
    return false;
}

/* Of MWEM: sets of as many columns as the last one has that were not measured since all of them were. */
static scrim_status list_mwem(following *f, scrim_error *error)
{
    const sc_clique whole = sc_synth_columns_all(&f->columns);
    const unsigned ways = sc_clique_count(f->last->clique);
    const sc_clique first = ways > SC_WORKLOAD_WIDTH ? 0 : sc_clique_of(ways) - 1;
    size_t all = 0;
    sc_clique set = first;
    for (; set != 0 && sc_clique_is_inside(set, whole); set = sc_clique_next(set))
        if (++all > SC_WORKLOAD_CANDIDATES)
            return SCRIM_OK;
    f->candidates.list = sc_allocate(all, sizeof *f->candidates.list);
    if (f->candidates.list == NULL)
        return no_memory(error);
    set = first;
    for (size_t i = 0; i < all; i++, set = sc_clique_next(set))
        if (!is_measured_now(f, all, set))
            f->candidates.list[f->candidates.count++] =
                (sc_candidate_clique){set, 1, sc_clique_cells(&f->columns, set)};
    return SCRIM_OK;
}

/* Models before the round. */

static scrim_status follow_aim(following *f, const sc_released_options *options,
                               scrim_error *error)
{
    sc_recoding recoding;
    size_t kept = 0;
    sc_recoding_init(&recoding);
    scrim_status status =
        sc_released_before_last(f->released, options, &recoding, &f->model, error);
    if (status == SCRIM_OK) {
        sc_recoding_columns(&recoding, &f->columns);
        f->absent = sc_released_absent(f->released, &recoding);
        status = sc_candidates_make(&f->columns, &(sc_workload){NULL, NULL, 0},
                                    CANDIDATE_CELLS, &f->candidates, error);
    }
    for (size_t i = 0; status == SCRIM_OK && i < f->candidates.count; i++)
        if (is_of_aim(f, f->candidates.list[i].clique))
            f->candidates.list[kept++] = f->candidates.list[i];
    f->candidates.count = kept;
    sc_recoding_clear(&recoding);
    return status;
}

static scrim_status follow_mwem(following *f, const sc_released_options *options,
                                scrim_error *error)
{
    sc_synth_released before = *f->released;
    before.count--;
    before.last_passes = 0;
    scrim_status status = sc_released_weights(&before, options, &f->weights, error);
    f->columns = f->released->columns;
    return status == SCRIM_OK ? list_mwem(f, error) : status;
}

/* Tables. */

static scrim_status fill_table(const following *f, sc_clique clique, int64_t *out,
                               scrim_error *error)
{
    return f->model != NULL ? sc_synth_model_counts(f->model, clique, out, error)
                            : sc_weight_model_counts(f->weights, clique, out, error);
}

/* The candidate with the answers of the model; its score is weight (distance - penalty). */
static scrim_status put(following *f, const sc_candidate_clique *c,
                        sc_report_candidate *out, scrim_error *error)
{
    int64_t *table = sc_allocate((size_t)c->cells, sizeof *table);
    if (table == NULL)
        return no_memory(error);
    f->out.tables[f->out.table_count++] = table;
    const uint64_t cells = sc_present_cells(&f->columns, f->absent, c->clique);
    const bool is_aim = f->model != NULL;
    *out = (sc_report_candidate){
        c->clique, table, is_aim ? (double)c->weight : 1,
        is_aim ? (double)sc_round_noise(cells, f->last->scale_64ths) : (double)c->cells};
    return fill_table(f, c->clique, table, error);
}

static scrim_status put_all(following *f, scrim_error *error)
{
    const size_t count = f->candidates.count;
    sc_report_round *round = &f->out.round;
    scrim_status status = SCRIM_OK;
    f->out.others = sc_allocate(count, sizeof *f->out.others);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    f->out.tables = sc_allocate(count, sizeof *f->out.tables);
    if (f->out.others == NULL || f->out.tables == NULL)
        return no_memory(error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        const sc_candidate_clique *c = &f->candidates.list[i];
        if (c->clique == f->last->clique)
            status = put(f, c, &round->chosen, error);
        else if (!is_measured(f->released, c->clique))
            status = put(f, c, &f->out.others[round->other_count++], error);
    }
    round->h = (double)f->last->rate * RATE_UNIT;
    round->candidates = f->last->candidates;
    round->others = f->out.others;
    return status;
}

/* Is the chosen one among them, are they as many as recorded, and small enough together? */
static bool is_as_recorded(const following *f)
{
    uint64_t cells = 0;
    bool is_there = false;
    for (size_t i = 0; i < f->candidates.count; i++) {
        cells += f->candidates.list[i].cells;
        is_there = is_there || f->candidates.list[i].clique == f->last->clique;
    }
    return is_there && f->candidates.count == f->last->candidates &&
           cells <= CANDIDATE_CELLS;
}

scrim_status sc_last_round_make(const sc_synth_released *released,
                                const sc_released_options *options, sc_last_round *out,
                                scrim_error *error)
{
    const bool is_aim = released->method == SC_SYNTH_AIM;
    const size_t first = is_aim ? released->columns.count : 1;
    following f = {.released = released};
    sc_last_round_init(&f.out);
    if ((!is_aim && released->method != SC_SYNTH_MWEM) || released->count <= first ||
        released->steps[released->count - 1].is_query)
        return SCRIM_OK;
    f.last = &released->steps[released->count - 1];
    scrim_status status =
        is_aim ? follow_aim(&f, options, error) : follow_mwem(&f, options, error);
    const bool is_known = status == SCRIM_OK && f.last->rate > 0 && is_as_recorded(&f);
    if (is_known)
        status = put_all(&f, error);
    if (status == SCRIM_OK && is_known) {
        *out = f.out;
        sc_last_round_init(&f.out);
    }
    forget(&f);
    return status;
}
