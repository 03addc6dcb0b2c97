#include "synth/rounds/mst.h"

#include "base/memory.h"
#include "synth/model/one_way_counts.h"

void sc_mst_plan_init(sc_mst_plan *plan)
{
    static const int64_t tenths[] = {4, 1, 5};
    *plan = (sc_mst_plan){.edges = NULL};
    for (size_t i = 0; i < 3; i++) {
        sc_ratio_init(&plan->shares[i]);
        sc_ratio_set_quotient(&plan->shares[i], tenths[i], 10);
    }
}

void sc_mst_plan_clear(sc_mst_plan *plan)
{
    for (size_t i = 0; i < 3; i++)
        sc_ratio_clear(&plan->shares[i]);
}

/* A run, or a check of its plan. */
typedef struct mst {
    sc_rounds *rounds; /* NULL: a check */
    const sc_mst_plan *plan;
    const sc_synth_columns *declared;
    const sc_round_unit *unit;
    const sc_ratio *total;
    size_t columns;
    uint8_t root
        [SC_SYNTH_COLUMNS_MAX]; /* by column: a column that stands for its component of the tree */
    sc_clique *pairs;           /* candidates, in order */
    int64_t *scores;
    size_t count;
    sc_clique
        chosen[SC_SYNTH_COLUMNS_MAX]; /* the edges of the tree, declared ones first */
    uint64_t candidates
        [SC_SYNTH_COLUMNS_MAX]; /* of how many pairs each edge was selected; 0: declared */
    size_t edges, selections;
    uint64_t rate, variances[2];
} mst;

static size_t second_of(sc_clique pair)
{
    return sc_clique_first(pair & (pair - 1));
}

/* Components. */

static void separate(mst *t)
{
    for (size_t i = 0; i < t->columns; i++)
        t->root[i] = (uint8_t)i;
}

static bool is_joined(const mst *t, sc_clique pair)
{
    return t->root[sc_clique_first(pair)] == t->root[second_of(pair)];
}

static void join(mst *t, sc_clique pair)
{
    const uint8_t from = t->root[second_of(pair)], to = t->root[sc_clique_first(pair)];
    for (size_t i = 0; i < t->columns; i++)
        if (t->root[i] == from)
            t->root[i] = to;
}

/* The plan. */

static scrim_status check_shares(const sc_mst_plan *plan, scrim_error *error)
{
    SC_OWN(sc_ratio, sum);
    bool is_positive = true;
    for (size_t i = 0; i < 3; i++) {
        is_positive = is_positive && sc_ratio_sign(&plan->shares[i]) > 0;
        sc_ratio_add(&sum, &sum, &plan->shares[i]);
    }
    if (!is_positive || sc_ratio_compare_int64(&sum, 1) != 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "shares",
                           "the three shares must be above 0 and add up to 1");
    return SCRIM_OK;
}

static scrim_status take_edges(mst *t, scrim_error *error)
{
    const sc_clique all = sc_synth_columns_all(t->declared);
    separate(t);
    for (size_t i = 0; i < t->plan->edge_count; i++) {
        const sc_clique pair = t->plan->edges[i];
        if (sc_clique_count(pair) != 2 || !sc_clique_is_inside(pair, all) ||
            is_joined(t, pair))
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "edges",
                               "a declared pair must name two columns, and pairs may not "
                               "form a circle");
        join(t, pair);
        t->chosen[t->edges++] = pair;
    }
    return SCRIM_OK;
}

/* Lists the pairs that may be selected, by the declared sizes of their tables, and counts how
 * many will be: a spanning tree has as many edges whichever pairs are selected, so joining all
 * pairs in any order counts them. The components are then as before. */
static scrim_status list_pairs(mst *t, scrim_error *error)
{
    const size_t most = t->columns * (t->columns - 1) / 2;
    t->pairs = sc_allocate(most, sizeof *t->pairs);
    t->scores = sc_allocate(most, sizeof *t->scores);
    if (t->pairs == NULL || t->scores == NULL)
        return sc_no_memory(error, "a synthetic release");
    uint8_t kept[SC_SYNTH_COLUMNS_MAX];
    for (size_t i = 0; i < t->columns; i++)
        kept[i] = t->root[i];
    for (size_t a = 0; a < t->columns; a++)
        for (size_t b = a + 1; b < t->columns; b++) {
            const sc_clique pair = sc_clique_of(a) | sc_clique_of(b);
            if (sc_clique_cells(t->declared, pair) > SC_MST_PAIR_CELLS)
                continue;
            t->pairs[t->count++] = pair;
            if (!is_joined(t, pair)) {
                t->selections++;
                join(t, pair);
            }
        }
    for (size_t i = 0; i < t->columns; i++)
        t->root[i] = kept[i];
    return SCRIM_OK;
}

/* Divides the budget into variances and the rate. A step that is not needed gives its share to
 * the next one; without pairs the first step gets everything. */
static scrim_status set_budget(mst *t, scrim_error *error)
{
    const sc_ratio *total = t->total;
    const sc_round_unit *unit = t->unit;
    const size_t pairs = t->edges + t->selections;
    SC_OWN(sc_ratio, first, second, last);
    sc_ratio_set(&first, &t->plan->shares[0]);
    sc_ratio_set(&second, &t->plan->shares[1]);
    sc_ratio_set(&last, &t->plan->shares[2]);
    if (pairs == 0)
        sc_ratio_set_int64(&first, 1);
    else if (t->selections == 0)
        sc_ratio_add(&last, &last, &second);
    sc_ratio_mul(&first, &first, total);
    sc_ratio_mul(&second, &second, total);
    sc_ratio_mul(&last, &last, total);
    scrim_status status = sc_round_variance(
        &first, (sc_uint128)t->columns * sc_round_square(unit), &t->variances[0], error);
    if (status == SCRIM_OK && t->selections > 0)
        status =
            sc_round_rate(&second, t->selections, sc_round_move(unit), &t->rate, error);
    if (status == SCRIM_OK && pairs > 0)
        status = sc_round_variance(&last, (sc_uint128)pairs * sc_round_square(unit),
                                   &t->variances[1], error);
    t->rate /= sc_round_move(unit);
    return status;
}

/* One-way marginals, the total and the recoding. */

static scrim_status measure_columns(mst *t, scrim_error *error)
{
    sc_clique cliques[SC_SYNTH_COLUMNS_MAX];
    const sc_synth_step step = {.noise = SC_SYNTH_GAUSSIAN,
                                .scale_64ths = t->variances[0]};
    for (size_t i = 0; i < t->columns; i++)
        cliques[i] = sc_clique_of(i);
    return sc_rounds_measure(t->rounds, cliques, t->columns, &step, error);
}

static void list_counts(const mst *t, const int64_t *out[SC_SYNTH_COLUMNS_MAX])
{
    for (size_t i = 0; i < t->columns; i++)
        out[i] = t->rounds->released->steps[i].counts;
}

static scrim_status recode(mst *t, sc_recoding *recoding, scrim_error *error)
{
    const int64_t *counts[SC_SYNTH_COLUMNS_MAX];
    sc_synth_released *released = t->rounds->released;
    list_counts(t, counts);
    released->total = sc_noisy_total(&released->columns, counts, NULL);
    released->absent = sc_absent_nulls(&released->columns, t->rounds->nullable, counts,
                                       t->variances[0], released->total);
    released->fit = SC_SYNTH_FIT_MST;
    released->is_compressed = !t->plan->is_kept;
    const scrim_status status =
        t->plan->is_kept ? sc_recoding_keep_all(&released->columns, recoding, error)
                         : sc_recoding_compress(&released->columns, counts,
                                                t->variances[0], recoding, error);
    if (status == SCRIM_OK)
        sc_records_recode(t->rounds->records, recoding);
    return status;
}

/* The model in which recoded columns are independent, from the noisy counts of each. */
static scrim_status make_model(const mst *t, const sc_recoding *recoding,
                               sc_one_way_model **out, scrim_error *error)
{
    const sc_synth_columns *columns = sc_records_columns(t->rounds->records);
    int64_t *counts[SC_SYNTH_COLUMNS_MAX] = {NULL};
    const int64_t *lists[SC_SYNTH_COLUMNS_MAX];
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < t->columns; i++) {
        uint32_t *members = sc_allocate(columns->sizes[i], sizeof *members);
        lists[i] = counts[i] = sc_allocate(columns->sizes[i], sizeof *counts[i]);
        if (members == NULL || counts[i] == NULL)
            status = sc_no_memory(error, "a synthetic release");
        else
            sc_recoded_counts(&recoding->list[i], t->rounds->released->steps[i].counts,
                              counts[i], members);
        sc_free(members);
    }
    if (status == SCRIM_OK)
        status =
            sc_one_way_model_new(columns, lists, t->rounds->released->total, out, error);
    for (size_t i = 0; i < t->columns; i++)
        sc_free(counts[i]);
    return status;
}

/* Scores. */

/* The most cells of tables that are counted together in one pass over the rows. A larger table
 * has a pass of its own. */
#define CHUNK_CELLS ((size_t)1 << 20)

typedef struct chunk {
    size_t first, count; /* of pairs */
    size_t cells;
} chunk;

static size_t cells_of(const mst *t, size_t pair)
{
    return (size_t)sc_clique_cells(sc_records_columns(t->rounds->records),
                                   t->pairs[pair]);
}

static void chunk_from(const mst *t, size_t first, chunk *c)
{
    c->first = first;
    c->count = c->cells = 0;
    while (first < t->count &&
           (c->count == 0 || c->cells + cells_of(t, first) <= CHUNK_CELLS)) {
        c->cells += cells_of(t, first++);
        c->count++;
    }
}

static scrim_status score_chunk(mst *t, const sc_one_way_model *model, const chunk *c,
                                scrim_error *error)
{
    int64_t *counts = sc_allocate(c->cells, sizeof *counts);
    int64_t *answers = sc_allocate(c->cells, sizeof *answers);
    int64_t **starts = sc_allocate(c->count, sizeof *starts);
    scrim_status status = SCRIM_OK;
    if (counts == NULL || answers == NULL || starts == NULL) {
        status = sc_no_memory(error, "a synthetic release");
    } else {
        size_t at = 0;
        for (size_t i = 0; i < c->count; i++) {
            const sc_clique pair = t->pairs[c->first + i];
            starts[i] = counts + at;
            sc_one_way_model_pair(model, sc_clique_first(pair), second_of(pair),
                                  answers + at);
            at += cells_of(t, c->first + i);
        }
        sc_records_count(t->rounds->records, &t->pairs[c->first], c->count, starts);
        for (size_t i = 0; i < c->count; i++)
            t->scores[c->first + i] = sc_rounds_distance(
                starts[i], answers + (starts[i] - counts), cells_of(t, c->first + i));
    }
    sc_free(starts);
    sc_free(answers);
    sc_free_wiped(counts, c->cells * sizeof *counts);
    return status;
}

static scrim_status score_pairs(mst *t, const sc_recoding *recoding, scrim_error *error)
{
    sc_one_way_model *model = NULL;
    chunk c = {.first = 0};
    scrim_status status = make_model(t, recoding, &model, error);
    for (size_t first = 0; status == SCRIM_OK && first < t->count; first += c.count) {
        chunk_from(t, first, &c);
        status = score_chunk(t, model, &c, error);
    }
    sc_one_way_model_free(model);
    return status;
}

/* Selecting, and measuring what was selected. */

static scrim_status select_pair(mst *t, scrim_error *error)
{
    size_t *places = sc_allocate(t->count, sizeof *places);
    int64_t *scores = sc_allocate(t->count, sizeof *scores);
    size_t count = 0, chosen = 0;
    scrim_status status = places == NULL || scores == NULL
                              ? sc_no_memory(error, "a synthetic release")
                              : SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < t->count; i++)
        if (!is_joined(t, t->pairs[i])) {
            places[count] = i;
            scores[count++] = t->scores[i];
        }
    if (status == SCRIM_OK)
        status = sc_rounds_select(t->rounds, scores, count, sc_round_move(t->unit),
                                  t->rate, &chosen, error);
    if (status == SCRIM_OK) {
        join(t, t->pairs[places[chosen]]);
        t->candidates[t->edges] = count;
        t->chosen[t->edges++] = t->pairs[places[chosen]];
    }
    sc_free_wiped(scores, t->count * sizeof *scores);
    sc_free(places);
    return status;
}

/* Measures all pairs in one draw; each step then records the selection that it came from. */
static scrim_status measure_pairs(mst *t, scrim_error *error)
{
    const size_t first = t->rounds->released->count;
    const sc_synth_step step = {.noise = SC_SYNTH_GAUSSIAN,
                                .scale_64ths = t->variances[1]};
    const scrim_status status =
        sc_rounds_measure(t->rounds, t->chosen, t->edges, &step, error);
    for (size_t i = 0; status == SCRIM_OK && i < t->edges; i++) {
        sc_synth_step *kept = &t->rounds->released->steps[first + i];
        kept->round = i + 1;
        kept->candidates = t->candidates[i];
        kept->rate = t->candidates[i] > 0 ? t->rate : 0;
        kept->move = t->candidates[i] > 0 ? sc_round_move(t->unit) : 0;
    }
    return status;
}

static scrim_status find_pairs(mst *t, const sc_recoding *recoding, scrim_error *error)
{
    scrim_status status = t->selections > 0 ? score_pairs(t, recoding, error) : SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < t->selections; i++) {
        status = select_pair(t, error);
        sc_rounds_tell(t->rounds, i + 2, t->selections + 2);
    }
    if (status == SCRIM_OK && t->edges > 0)
        status = measure_pairs(t, error);
    return status;
}

/* Checks and computes everything that is public before the first draw. */
static scrim_status prepare(mst *t, scrim_error *error)
{
    t->columns = t->declared->count;
    scrim_status status = sc_synth_columns_check(t->declared, error);
    if (status == SCRIM_OK)
        status = sc_round_unit_check(t->unit, error);
    if (status == SCRIM_OK)
        status = check_shares(t->plan, error);
    if (status == SCRIM_OK)
        status = take_edges(t, error);
    if (status == SCRIM_OK)
        status = list_pairs(t, error);
    return status == SCRIM_OK ? set_budget(t, error) : status;
}

static void leave(mst *t)
{
    sc_free(t->pairs);
    sc_free_wiped(t->scores, t->scores == NULL ? 0 : t->count * sizeof *t->scores);
}

scrim_status sc_mst_check(const sc_mst_plan *plan, const sc_synth_columns *columns,
                          const sc_round_unit *unit, const sc_ratio *total,
                          scrim_error *error)
{
    mst t = {.plan = plan, .declared = columns, .unit = unit, .total = total};
    const scrim_status status = prepare(&t, error);
    leave(&t);
    return status;
}

scrim_status sc_mst_run(sc_rounds *rounds, const sc_mst_plan *plan, scrim_error *error)
{
    sc_recoding recoding;
    mst t = {.rounds = rounds,
             .plan = plan,
             .declared = &rounds->released->columns,
             .unit = &rounds->unit,
             .total = sc_allowance_total(rounds->allowance)};
    sc_recoding_init(&recoding);
    scrim_status status = sc_rounds_begin(rounds, SC_SYNTH_MST, error);
    if (status == SCRIM_OK && sc_allowance_is_pure(rounds->allowance))
        status = sc_fail(error, SCRIM_E_INTERNAL, "this method has no pure form");
    if (status == SCRIM_OK)
        status = prepare(&t, error);
    if (status == SCRIM_OK)
        status = measure_columns(&t, error);
    if (status == SCRIM_OK)
        status = recode(&t, &recoding, error);
    if (status == SCRIM_OK)
        status = find_pairs(&t, &recoding, error);
    sc_recoding_clear(&recoding);
    leave(&t);
    return status;
}
