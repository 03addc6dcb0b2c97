#include "check.h"
#include "faults.h"
#include "synth/release/released_report.h"
#include "synth/rounds/aim.h"
#include "synth/rounds/mst.h"
#include "synth/rounds/mwem.h"
#include "synth_scene.h"

#include <math.h>

static const sc_synth_columns columns = {4, {4, 3, 12, 2}};
static const sc_round_unit single = {SCRIM_ADD_REMOVE, 1};
#define PEOPLE 2000
#define CELLS 288

static uint64_t next(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Columns that depend on each other; most values of the third are rare. */
static sc_records *make_records(uint64_t seed)
{
    static uint32_t codes[4 * PEOPLE];
    for (size_t i = 0; i < PEOPLE; i++) {
        uint32_t *row = codes + 4 * i;
        row[0] = (uint32_t)(next(&seed) % 4);
        row[1] = (uint32_t)((row[0] + next(&seed) % 2) % 3);
        row[2] = next(&seed) % 50 == 0 ? (uint32_t)(next(&seed) % 12) : row[0] / 2;
        row[3] = next(&seed) % 3 == 0;
    }
    return synth_records(&columns, codes, PEOPLE);
}

/* A release with its model and rows. */
typedef struct made {
    sc_records *records;
    synth_scene scene;
    sc_recoding recoding;
    sc_synth_model *model;
    sc_weight_model *weights;
    sc_synth_rows rows;
} made;

/* Two more: MWEM of all pairs, and of all three columns together, with too few rounds for them. */
#define MWEM_PAIRS 4
#define MWEM_TRIPLES 5

static scrim_status run_method(made *m, int method)
{
    static const sc_clique some[] = {3, 5, 14}, pairs[] = {3, 5, 6, 9, 10, 12},
                           triples[] = {7, 11, 13, 14};
    sc_mst_plan mst;
    sc_aim_plan aim;
    sc_mwem_plan mwem;
    scrim_status status = SCRIM_OK;
    sc_mst_plan_init(&mst);
    sc_aim_plan_init(&aim);
    sc_mwem_plan_init(&mwem);
    mwem.cliques = method == MWEM_PAIRS ? pairs : method == MWEM_TRIPLES ? triples : some;
    mwem.count = method == MWEM_PAIRS     ? COUNT(pairs)
                 : method == MWEM_TRIPLES ? COUNT(triples)
                                          : COUNT(some);
    mwem.rounds = method == MWEM_PAIRS ? 4 : method == MWEM_TRIPLES ? 3 : 0;
    if (method == SC_SYNTH_MST)
        status = sc_mst_run(&m->scene.rounds, &mst, NULL);
    else if (method == SC_SYNTH_AIM)
        status = sc_aim_run(&m->scene.rounds, &aim, NULL);
    else
        status = sc_mwem_run(&m->scene.rounds, &mwem, &m->weights, NULL);
    sc_mst_plan_clear(&mst);
    sc_aim_plan_clear(&aim);
    sc_mwem_plan_clear(&mwem);
    return status;
}

static bool make(made *m, int method, uint64_t seed)
{
    const sc_hash_key key = {seed, 1};
    const bool is_pure = method >= SC_SYNTH_MWEM;
    *m = (made){.records = make_records(seed)};
    sc_recoding_init(&m->recoding);
    sc_synth_rows_init(&m->rows);
    if (!CHECK(m->records != NULL) ||
        !synth_scene_open(&m->scene, m->records, &single, is_pure ? NULL : "1/10",
                          seed) ||
        !CHECK_STATUS(run_method(m, method), SCRIM_OK))
        return false;
    if (is_pure)
        return CHECK_STATUS(
            sc_synth_rows_draw_weights(m->weights, 1500, &key, &m->rows, NULL), SCRIM_OK);
    return CHECK_STATUS(sc_released_model(&m->scene.released, &(sc_released_options){0},
                                          &m->recoding, &m->model, NULL),
                        SCRIM_OK) &&
           CHECK_STATUS(sc_synth_rows_draw(m->model, 1500, &key, &m->rows, NULL),
                        SCRIM_OK);
}

static void unmake(made *m)
{
    sc_synth_rows_clear(&m->rows);
    sc_synth_model_free(m->model);
    sc_weight_model_free(m->weights);
    sc_recoding_clear(&m->recoding);
    synth_scene_close(&m->scene);
    sc_records_free(m->records);
}

static sc_released_report question(const made *m)
{
    static const sc_released_options none = {.zero_count = 0};
    return (sc_released_report){.released = &m->scene.released,
                                .options = &none,
                                .recoding = m->model == NULL ? NULL : &m->recoding,
                                .model = m->model,
                                .weights = m->weights,
                                .rows = &m->rows,
                                .beta = 0.1,
                                .ways = 3};
}

/* The records have been recoded as the rows are. */
static double true_variation(const made *m, sc_clique clique)
{
    static int64_t counts[CELLS];
    static double drawn[CELLS];
    const sc_synth_columns *recoded = sc_records_columns(m->records);
    const size_t cells = (size_t)sc_clique_cells(recoded, clique);
    double sum = 0;
    sc_records_count(m->records, &clique, 1, (int64_t *const[]){counts});
    for (size_t c = 0; c < cells; c++)
        drawn[c] = 0;
    for (uint64_t row = 0; row < m->rows.count; row++) {
        size_t cell = 0;
        for (sc_clique rest = clique; rest != 0; rest &= rest - 1) {
            const size_t i = sc_clique_first(rest);
            cell = cell * recoded->sizes[i] + m->rows.codes[i][row];
        }
        drawn[cell]++;
    }
    for (size_t c = 0; c < cells; c++)
        sum += fabs((double)counts[c] / PEOPLE - drawn[c] / (double)m->rows.count);
    return sum / 2;
}

/* Do all intervals of a release hold? kinds counts its entries. */
static bool holds(int method, uint64_t seed, size_t *kinds)
{
    made m;
    sc_synth_report report;
    bool all = true;
    sc_synth_report_init(&report);
    if (make(&m, method, seed)) {
        const sc_released_report of = question(&m);
        CHECK_STATUS(sc_released_report_make(&of, &report, NULL), SCRIM_OK);
        CHECK_INT(report.count, 14);
    }
    for (size_t i = 0; i < report.count; i++) {
        const double truth = true_variation(&m, report.entries[i].clique);
        kinds[report.entries[i].kind]++;
        all = all && report.entries[i].variation.lower <= truth &&
              truth <= report.entries[i].variation.upper;
    }
    sc_synth_report_clear(&report);
    unmake(&m);
    return all;
}

/* False alarms: more than beta of the releases and 6 standard deviations. */
SLOW_TEST(released_report_covers_the_truth)
{
    CLAIM("synth-report.covers");
    const uint64_t releases = check_count_whole(6, 400);
    const double most = (double)releases * 0.1 + 6 * sqrt((double)releases * 0.1 * 0.9);
    for (int method = SC_SYNTH_MST; method <= MWEM_TRIPLES; method++) {
        size_t kinds[5] = {0};
        uint64_t broken = 0;
        for (uint64_t i = 0; i < releases; i++)
            broken += !holds(method, check_seed() * 1000 + i, kinds);
        CHECK((double)broken <= most);
        CHECK(kinds[SC_REPORT_MEASURED] >= 3 * releases);
        if (method == SC_SYNTH_MST)
            CHECK_INT(kinds[SC_REPORT_SELECTION], (sc_int128)3 * releases);
        if (method == MWEM_PAIRS)
            CHECK_INT(kinds[SC_REPORT_SELECTION], (sc_int128)2 * releases);
        if (method == MWEM_TRIPLES)
            CHECK_INT(kinds[SC_REPORT_SELECTION], releases);
        if (method == SC_SYNTH_MWEM)
            CHECK_INT(kinds[SC_REPORT_SELECTION], 0);
        CHECK((kinds[SC_REPORT_INSIDE] > 0) == (method >= SC_SYNTH_MWEM));
    }
}

/* Bounds by selection say something: pairs that were not chosen are not far off. */
SLOW_TEST(released_report_bounds_what_was_not_chosen)
{
    for (int method = SC_SYNTH_MST; method <= MWEM_TRIPLES; method++) {
        made m;
        sc_synth_report report;
        sc_synth_report_init(&report);
        REQUIRE(make(&m, method, 3));
        const sc_released_report of = question(&m);
        REQUIRE_OK(sc_released_report_make(&of, &report, NULL));
        for (size_t i = 0; i < report.count; i++)
            if (report.entries[i].kind == SC_REPORT_SELECTION)
                CHECK(report.entries[i].variation.upper < 0.6);
        CHECK(report.slack > 0 && (method != SC_SYNTH_MST || report.slack < 200));
        sc_synth_report_clear(&report);
        unmake(&m);
    }
}

/* The share of beta that a statement has is not a function of how long the rounds went on. */
TEST(released_report_divides_beta_before_the_rounds)
{
    CLAIM("synth-report.covers");
    made m;
    sc_synth_report long_one, short_one;
    if (make(&m, SC_SYNTH_AIM, 5)) {
        sc_released_report q = question(&m);
        sc_synth_released fewer = m.scene.released;
        CHECK(fewer.count > columns.count + 1);
        fewer.count = columns.count + 1;
        sc_synth_report_init(&long_one);
        sc_synth_report_init(&short_one);
        REQUIRE_OK(sc_released_report_make(&q, &long_one, NULL));
        q.released = &fewer;
        REQUIRE_OK(sc_released_report_make(&q, &short_one, NULL));
        CHECK(long_one.slack > 0 && long_one.slack == short_one.slack);
        sc_synth_report_clear(&short_one);
        sc_synth_report_clear(&long_one);
    }
    unmake(&m);
}

/* The model that AIM selected with is made again to the last integer: of fewer steps it is that of an earlier round. */
TEST(last_round_follows_the_record)
{
    made m;
    sc_last_round last;
    REQUIRE(make(&m, SC_SYNTH_AIM, 5));
    sc_synth_released *released = &m.scene.released;
    sc_last_round_init(&last);
    REQUIRE_OK(sc_last_round_make(released, &(sc_released_options){0}, &last, NULL));
    CHECK_INT(last.round.candidates, released->steps[released->count - 1].candidates);
    CHECK_INT(last.round.chosen.clique, released->steps[released->count - 1].clique);
    sc_last_round_clear(&last);
    released->steps[released->count - 1].candidates++;
    REQUIRE_OK(sc_last_round_make(released, &(sc_released_options){0}, &last, NULL));
    CHECK_INT(last.round.candidates, 0);
    unmake(&m);
}

FAULT_TEST(released_report_survives_without_memory)
{
    made m;
    REQUIRE(make(&m, MWEM_PAIRS, 4));
    sc_released_report of = question(&m);
    of.ways = 2;
    FAULT_LOOP(fault)
    {
        sc_synth_report report;
        sc_synth_report_init(&report);
        CHECK(sc_released_report_make(&of, &report, NULL) ==
              (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        sc_synth_report_clear(&report);
    }
    unmake(&m);
}
