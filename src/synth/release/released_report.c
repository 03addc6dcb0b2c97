#include "synth/release/released_report.h"

#include "base/memory.h"
#include "synth/model/noisy_total.h"
#include "synth/model/one_way_model.h"
#include "synth/release/last_round.h"
#include "synth/rounds/aim.h"
#include "synth/rounds/mst.h"

#include <string.h>

/* Tables of candidates together have at most so many cells; a release with more has no bounds by selection. */
#define CANDIDATE_CELLS ((uint64_t)1 << 24)
#define RATE_UNIT 0x1p-32

/* What a report is made from, and the memory of it. */
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

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a report");
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
