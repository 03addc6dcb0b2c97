#include "check.h"
#include "faults.h"
#include "synth/release/synth_variation.h"
#include "synth/rounds/mwem.h"
#include "synth_scene.h"

#include <math.h>

static const sc_synth_columns columns = {3, {4, 3, 2}};
static const sc_round_unit single = {SCRIM_ADD_REMOVE, 1};
static const uint32_t first[] = {1, 1, 0, 0}, second[] = {0, 1, 0}, third[] = {1, 0},
                      two[] = {1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                      three[24] = {[3] = 1, [7] = 1, [23] = 1};
static const sc_linear_query queries[] = {
    {1, first, 1}, {2, second, 1}, {4, third, 1}, {3, two, 1}, {7, three, 1}};
#define QUERIES COUNT(queries)
#define ROWS 700

/* A release of some of the queries, with its model and rows. */
typedef struct made {
    sc_records *records;
    synth_scene scene;
    sc_weight_model *weights;
    sc_synth_rows rows;
} made;

static uint64_t next(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static bool make(made *m, const char *rho, uint64_t rounds, uint64_t seed)
{
    static uint32_t codes[3 * 900];
    const sc_hash_key key = {seed, 1};
    sc_mwem_plan plan;
    uint64_t state = seed;
    for (size_t i = 0; i < 900; i++) {
        codes[3 * i] = (uint32_t)(next(&state) % 4);
        codes[3 * i + 1] = (codes[3 * i] + (uint32_t)(next(&state) % 2)) % 3;
        codes[3 * i + 2] = next(&state) % 5 == 0;
    }
    *m = (made){.records = synth_records(&columns, codes, 900)};
    sc_synth_rows_init(&m->rows);
    if (!CHECK(m->records != NULL) ||
        !synth_scene_open(&m->scene, m->records, &single, rho, seed))
        return false;
    sc_mwem_plan_init(&plan);
    plan.queries = queries;
    plan.count = QUERIES;
    plan.rounds = rounds;
    plan.passes = plan.last_passes = 20;
    const bool is_well =
        CHECK_STATUS(sc_mwem_run(&m->scene.rounds, &plan, &m->weights, NULL), SCRIM_OK) &&
        CHECK_STATUS(sc_synth_rows_draw_weights(m->weights, ROWS, &key, &m->rows, NULL),
                     SCRIM_OK);
    sc_mwem_plan_clear(&plan);
    return is_well;
}

static void unmake(made *m)
{
    sc_synth_rows_clear(&m->rows);
    sc_weight_model_free(m->weights);
    synth_scene_close(&m->scene);
    sc_records_free(m->records);
}

static const sc_released_options options = {.queries = queries, .query_count = QUERIES};

static sc_released_report question(const made *m, double beta)
{
    return (sc_released_report){.released = &m->scene.released,
                                .options = &options,
                                .weights = m->weights,
                                .rows = &m->rows,
                                .beta = beta,
                                .ways = 1};
}

/* Rows and data by themselves, one after the other. */
static double share_of(const made *m, const sc_linear_query *query)
{
    return (double)sc_records_query(m->records, query) /
           (double)sc_records_total(m->records);
}

/* Intervals hold together as often as they should, for both noises, and every kind of them is met. */
SLOW_TEST(query_reports_cover)
{
    CLAIM("query-report.covers");
    const uint64_t runs = check_count(40, 1000);
    uint64_t broken = 0, measured = 0, others = 0;
    for (uint64_t run = 0; run < runs; run++) {
        made m;
        sc_query_entry entries[QUERIES];
        bool holds = true;
        REQUIRE(make(&m, run % 2 == 0 ? NULL : "1/50", 3, run));
        const sc_released_report of = question(&m, 0.2);
        REQUIRE_OK(sc_query_report_make(&of, entries, NULL));
        for (size_t i = 0; i < QUERIES; i++) {
            const double off =
                fabs(share_of(&m, &queries[i]) - (double)entries[i].rows / (double)ROWS);
            measured += entries[i].kind == SC_REPORT_MEASURED;
            others += entries[i].kind == SC_REPORT_SELECTION;
            holds = holds && off >= entries[i].difference.lower &&
                    off <= entries[i].difference.upper;
        }
        broken += !holds;
        unmake(&m);
    }
    CHECK_INT(measured, (sc_int128)3 * runs);
    CHECK_INT(others, (sc_int128)2 * runs);
    CHECK(broken * 5 <= runs); /* beta 0.2, of bounds that are far from tight */
}

/* With little noise the interval is narrow, and it finds rows that are wrong. */
TEST(query_reports_see_rows_that_are_wrong)
{
    made m;
    sc_query_entry entries[QUERIES];
    REQUIRE(make(&m, "10", 0, 7));
    const sc_released_report of = question(&m, 0.05);
    REQUIRE_OK(sc_query_report_make(&of, entries, NULL));
    for (size_t i = 0; i < QUERIES; i++) {
        CHECK_INT(entries[i].kind, SC_REPORT_MEASURED);
        CHECK(entries[i].difference.upper - entries[i].difference.lower < 0.02);
        CHECK(entries[i].difference.upper < 0.15);
    }
    for (size_t i = 0; i < ROWS; i++)
        m.rows.codes[0][i] = 3;
    REQUIRE_OK(sc_query_report_make(&of, entries, NULL));
    CHECK_INT(entries[0].rows, 0);
    CHECK(entries[0].difference.lower > 0.4 && entries[0].difference.upper < 0.6);
    unmake(&m);
}

TEST(query_reports_survive_without_memory)
{
    made m;
    REQUIRE(make(&m, NULL, 2, 4));
    const sc_released_report of = question(&m, 0.05);
    FAULT_LOOP(fault)
    {
        sc_query_entry entries[QUERIES];
        CHECK(sc_query_report_make(&of, entries, NULL) ==
              (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
    }
    unmake(&m);
}
