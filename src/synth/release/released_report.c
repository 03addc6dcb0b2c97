#include "synth/release/released_report.h"

#include "base/memory.h"
#include "synth/model/one_way_counts.h"
#include "synth/rounds/aim.h"
#include "synth/rounds/mst.h"

#include <string.h>

/* The most cells of all tables of candidates together. */
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
    return sc_no_memory(error, "a report");
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

/* MWEM measures each of `all` candidates once before it measures one again: has this one been
 * measured in the current turn? The first step is the number of rows, the last one the round. */
static bool is_measured_now(const following *f, size_t all, sc_clique clique)
{
    const size_t rounds = f->released->count - 2;
    for (size_t i = rounds - rounds % all; i < rounds; i++)
        if (f->released->steps[1 + i].clique == clique)
            return true;
    return false;
}

/* MWEM: sets of as many columns as the last one has that were not measured since all of them were. */
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

/* The input of a report, and its memory. */
typedef struct collected {
    const sc_released_report *of;
    sc_synth_columns columns; /* as the model has them */
    sc_report_measured *measured;
    size_t count;
    int64_t *one_way[SC_SYNTH_COLUMNS_MAX]; /* recoded counts */
    sc_report_round *rounds;
    size_t round_count;
    sc_last_round last; /* of AIM and MWEM */
    sc_report_candidate *candidates;
    int64_t *tables[SC_SYNTH_COLUMNS_MAX][SC_SYNTH_COLUMNS_MAX]; /* of pairs */
} collected;

static void collected_clear(collected *c)
{
    for (size_t a = 0; a < SC_SYNTH_COLUMNS_MAX; a++) {
        sc_free(c->one_way[a]);
        for (size_t b = a + 1; b < SC_SYNTH_COLUMNS_MAX; b++)
            sc_free(c->tables[a][b]);
    }
    sc_last_round_clear(&c->last);
    sc_free(c->measured);
    sc_free(c->rounds);
    sc_free(c->candidates);
    sc_free(c);
}

static sc_cell_noise noise_of(const sc_synth_step *step)
{
    return (sc_cell_noise){step->noise == SC_SYNTH_LAPLACE,
                           (double)step->scale_64ths / 64};
}

/* A one-way marginal of the declared columns, in those of the model. */
static scrim_status recode_column(collected *c, size_t i, scrim_error *error)
{
    const sc_synth_step *step = &c->of->released->steps[i];
    uint32_t *members = sc_allocate(c->columns.sizes[i], sizeof *members);
    c->one_way[i] = sc_allocate(c->columns.sizes[i], sizeof *c->one_way[i]);
    const bool is_there = members != NULL && c->one_way[i] != NULL;
    if (is_there)
        sc_recoded_counts(&c->of->recoding->list[i], step->counts, c->one_way[i],
                          members);
    sc_free(members);
    return is_there ? SCRIM_OK : no_memory(error);
}

static scrim_status collect_measured(collected *c, scrim_error *error)
{
    const sc_synth_released *released = c->of->released;
    c->measured = sc_allocate(released->count, sizeof *c->measured);
    if (c->measured == NULL)
        return no_memory(error);
    for (size_t i = 0; i < released->count; i++) {
        const sc_synth_step *step = &released->steps[i];
        const bool is_recoded = c->of->recoding != NULL && i < c->columns.count;
        if (step->is_query || step->clique == 0 || step->noise == SC_SYNTH_SELECTED)
            continue;
        if (is_recoded && recode_column(c, i, error) != SCRIM_OK)
            return SCRIM_E_MEMORY;
        c->measured[c->count++] =
            (sc_report_measured){step->clique, is_recoded ? c->one_way[i] : step->counts,
                                 step->cells, noise_of(step)};
    }
    return SCRIM_OK;
}

/* Selection of MST, followed again. */

static size_t second_of(sc_clique pair)
{
    return sc_clique_first(pair & (pair - 1));
}

/* Which columns the pairs so far have joined: components[i] is that of column i. */
static void join(const collected *c, sc_clique *components, sc_clique pair)
{
    const sc_clique both =
        components[sc_clique_first(pair)] | components[second_of(pair)];
    for (size_t i = 0; i < c->columns.count; i++)
        if ((both & sc_clique_of(i)) != 0)
            components[i] = both;
}

static bool is_pair_allowed(const collected *c, sc_clique pair)
{
    return sc_clique_cells(&c->of->released->columns, pair) <= SC_MST_PAIR_CELLS;
}

/* The tables that scores compared with; false, with none, where they are too large. */
static scrim_status make_tables(collected *c, bool *out, scrim_error *error)
{
    const size_t count = c->columns.count;
    sc_one_way_model *model = NULL;
    uint64_t cells = 0;
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++)
            if (is_pair_allowed(c, sc_clique_of(a) | sc_clique_of(b)))
                cells += (uint64_t)c->columns.sizes[a] * c->columns.sizes[b];
    *out = cells <= CANDIDATE_CELLS;
    if (!*out)
        return SCRIM_OK;
    const int64_t *lists[SC_SYNTH_COLUMNS_MAX];
    memcpy(lists, c->one_way, sizeof lists);
    scrim_status status =
        sc_one_way_model_new(&c->columns, lists, c->of->released->total, &model, error);
    for (size_t a = 0; a < count && status == SCRIM_OK; a++)
        for (size_t b = a + 1; b < count && status == SCRIM_OK; b++) {
            if (!is_pair_allowed(c, sc_clique_of(a) | sc_clique_of(b)))
                continue;
            c->tables[a][b] =
                sc_allocate((size_t)c->columns.sizes[a] * c->columns.sizes[b],
                            sizeof *c->tables[a][b]);
            if (c->tables[a][b] == NULL)
                status = no_memory(error);
            else
                sc_one_way_model_pair(model, a, b, c->tables[a][b]);
        }
    sc_one_way_model_free(model);
    return status;
}

static sc_report_candidate candidate_of(const collected *c, sc_clique pair)
{
    return (sc_report_candidate){pair, c->tables[sc_clique_first(pair)][second_of(pair)],
                                 1, 0};
}

/* The candidates of a round: pairs of columns that are not joined yet. */
static void list_candidates(collected *c, const sc_clique *components,
                            const sc_synth_step *step, sc_report_candidate *out)
{
    sc_report_round *round = &c->rounds[c->round_count++];
    *round = (sc_report_round){.h = (double)step->rate * RATE_UNIT,
                               .chosen = candidate_of(c, step->clique),
                               .candidates = step->candidates,
                               .others = out};
    for (size_t a = 0; a < c->columns.count; a++)
        for (size_t b = a + 1; b < c->columns.count; b++) {
            const sc_clique pair = sc_clique_of(a) | sc_clique_of(b);
            if ((components[a] & sc_clique_of(b)) == 0 && pair != step->clique &&
                is_pair_allowed(c, pair))
                out[round->other_count++] = candidate_of(c, pair);
        }
}

static scrim_status collect_rounds(collected *c, scrim_error *error)
{
    const sc_synth_released *released = c->of->released;
    const size_t count = c->columns.count, pairs = count * (count - 1) / 2;
    sc_clique components[SC_SYNTH_COLUMNS_MAX];
    bool is_small = false;
    const scrim_status status = make_tables(c, &is_small, error);
    if (status != SCRIM_OK || !is_small || pairs == 0)
        return status;
    c->rounds = sc_allocate(count, sizeof *c->rounds);
    c->candidates = sc_allocate(count * pairs, sizeof *c->candidates);
    if (c->rounds == NULL || c->candidates == NULL)
        return no_memory(error);
    for (size_t i = 0; i < count; i++)
        components[i] = sc_clique_of(i);
    for (size_t i = count; i < released->count && c->round_count < count; i++) {
        const sc_synth_step *step = &released->steps[i];
        if (step->rate > 0)
            list_candidates(c, components, step, c->candidates + c->round_count * pairs);
        join(c, components, step->clique);
    }
    return SCRIM_OK;
}

static scrim_status collect_last(collected *c, scrim_error *error)
{
    const scrim_status status =
        sc_last_round_make(c->of->released, c->of->options, &c->last, error);
    if (status != SCRIM_OK || c->last.round.other_count == 0)
        return status;
    c->rounds = sc_allocate(1, sizeof *c->rounds);
    if (c->rounds == NULL)
        return no_memory(error);
    c->rounds[c->round_count++] = c->last.round;
    return SCRIM_OK;
}

/* The noise of the total: that of a count by itself, or of all one-way marginals together. */
static sc_cell_noise total_noise(const collected *c)
{
    const sc_synth_released *released = c->of->released;
    sc_cell_noise noise = noise_of(&released->steps[0]);
    if (released->steps[0].noise == SC_SYNTH_SELECTED)
        return (sc_cell_noise){false, 0}; /* nothing is compared with the total */
    if (c->of->recoding == NULL)
        return noise;
    noise.parameter *= sc_noisy_total_variance(&released->columns);
    return noise;
}

static scrim_status marginal(const void *context, sc_clique clique, double *out,
                             scrim_error *error)
{
    const sc_released_report *of = context;
    return of->recoding != NULL
               ? sc_synth_model_marginal(of->model, clique, out, error)
               : sc_weight_model_marginal(of->weights, clique, out, error);
}

/* The sets of one column up to ways columns inside a clique. */
static size_t sets_within(sc_clique clique, unsigned ways)
{
    const size_t n = sc_clique_count(clique);
    return n + (ways > 1 && n > 1 ? n * (n - 1) / 2 : 0) +
           (ways > 2 && n > 2 ? n * (n - 1) * (n - 2) / 6 : 0);
}

/* One for each set inside a measured clique, and two for each round of selection that is followed: of MST all, else the last
 * one. AIM has as many rounds as are planned, or fewer. */
static size_t statements_of(const sc_released_report *of)
{
    const sc_synth_released *released = of->released;
    const size_t columns = released->columns.count;
    size_t statements = 2;
    if (released->method == SC_SYNTH_MST)
        return of->ways > 1 ? columns + 3 * (released->count - columns) : columns;
    if (released->method == SC_SYNTH_AIM)
        return statements + released->inherited + (1 + SC_AIM_USUAL_ROUNDS) * columns;
    for (size_t i = 0; i < released->count; i++)
        statements += sets_within(released->steps[i].clique, of->ways);
    return statements;
}

scrim_status sc_released_report_make(const sc_released_report *of, sc_synth_report *out,
                                     scrim_error *error)
{
    collected *c = sc_allocate(1, sizeof *c);
    if (c == NULL)
        return no_memory(error);
    c->of = of;
    c->columns = of->released->columns;
    if (of->recoding != NULL)
        sc_recoding_columns(of->recoding, &c->columns);
    scrim_status status = collect_measured(c, error);
    if (status == SCRIM_OK && of->ways > 1)
        status = of->released->method == SC_SYNTH_MST ? collect_rounds(c, error)
                                                      : collect_last(c, error);
    if (status == SCRIM_OK)
        status =
            sc_synth_report_make(&(sc_report_facts){.columns = &c->columns,
                                                    .rows = of->rows,
                                                    .marginal = marginal,
                                                    .model = of,
                                                    .total = (double)of->released->total,
                                                    .total_noise = total_noise(c),
                                                    .measured = c->measured,
                                                    .measured_count = c->count,
                                                    .rounds = c->rounds,
                                                    .round_count = c->round_count,
                                                    .beta = of->beta,
                                                    .statements = statements_of(of),
                                                    .ways = of->ways},
                                 out, error);
    collected_clear(c);
    return status;
}
