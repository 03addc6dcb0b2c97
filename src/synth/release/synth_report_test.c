#include "check.h"
#include "faults.h"
#include "synth/release/synth_report.h"

#include <math.h>
#include <string.h>

static const sc_synth_columns columns = {4, {3, 2, 4, 2}};
#define PEOPLE 3000
#define CELLS 48
#define VARIANCE 9
#define H 0.02

static uint64_t next(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static double uniform(uint64_t *state)
{
    return (double)(next(state) >> 11) * 0x1p-53;
}

/* Discrete Gaussian noise by its table, to 1e-15. */
static int64_t noise(uint64_t *state)
{
    double total = 0;
    for (int k = -40; k <= 40; k++)
        total += exp(-k * k / (2.0 * VARIANCE));
    double u = uniform(state) * total;
    for (int64_t k = -40; k < 40; k++) {
        u -= exp((double)(-k * k) / (2.0 * VARIANCE));
        if (u < 0)
            return k;
    }
    return 40;
}

/* A release: true rows, noisy marginals of all columns, of a pair and of a triple, a round of selection. */
#define MEASURED 6
typedef struct scene {
    uint32_t data[4][PEOPLE];
    int64_t counts[MEASURED][CELLS];
    sc_report_measured measured[MEASURED];
    int64_t models[3][CELLS];
    sc_report_candidate others[2];
    sc_report_round round;
    sc_synth_model *model;
    sc_synth_rows rows;
} scene;

static void count(const uint32_t *const *codes, uint64_t rows, sc_clique clique,
                  double *out)
{
    memset(out, 0, CELLS * sizeof *out);
    for (uint64_t row = 0; row < rows; row++) {
        size_t cell = 0;
        for (sc_clique rest = clique; rest != 0; rest &= rest - 1) {
            const size_t i = sc_clique_first(rest);
            cell = cell * columns.sizes[i] + codes[i][row];
        }
        out[cell]++;
    }
}

static void count_data(const scene *s, sc_clique clique, double *out)
{
    const uint32_t *codes[] = {s->data[0], s->data[1], s->data[2], s->data[3]};
    count(codes, PEOPLE, clique, out);
}

/* Columns that depend on each other. */
static void make_data(scene *s, uint64_t *seed)
{
    for (size_t row = 0; row < PEOPLE; row++) {
        s->data[0][row] = (uint32_t)(next(seed) % 3);
        s->data[1][row] = next(seed) % 4 > s->data[0][row];
        s->data[2][row] = (uint32_t)((next(seed) % 3 + s->data[0][row]) % 4);
        s->data[3][row] = next(seed) % 5 < 1 + 2 * s->data[1][row];
    }
}

static void measure(scene *s, size_t i, sc_clique clique, uint64_t *seed)
{
    double exact[CELLS];
    const size_t cells = (size_t)sc_clique_cells(&columns, clique);
    count_data(s, clique, exact);
    for (size_t c = 0; c < cells; c++)
        s->counts[i][c] = (int64_t)exact[c] + noise(seed);
    s->measured[i] = (sc_report_measured){clique, s->counts[i], cells, {false, VARIANCE}};
    CHECK_STATUS(sc_synth_model_measure(s->model, clique, s->counts[i], NULL,
                                        (uint64_t)64 * VARIANCE, NULL),
                 SCRIM_OK);
}

static double score(const scene *s, sc_clique clique, int64_t *model)
{
    double exact[CELLS], sum = 0;
    count_data(s, clique, exact);
    CHECK_STATUS(sc_synth_model_counts(s->model, clique, model, NULL), SCRIM_OK);
    for (size_t c = 0; c < sc_clique_cells(&columns, clique); c++)
        sum += fabs(exact[c] - (double)model[c]);
    return sum;
}

/* One of three pairs by the exponential mechanism, against the model of one-way marginals. */
static void choose(scene *s, uint64_t *seed)
{
    const sc_clique pairs[] = {3, 5, 9};
    double weights[3], all = 0;
    size_t chosen = 0, other = 0;
    for (size_t i = 0; i < 3; i++)
        all += weights[i] = exp(H * (score(s, pairs[i], s->models[i]) - 2000));
    double u = uniform(seed) * all;
    while (chosen < 2 && u >= weights[chosen])
        u -= weights[chosen++];
    for (size_t i = 0; i < 3; i++)
        if (i != chosen)
            s->others[other++] = (sc_report_candidate){pairs[i], s->models[i], 1, 0};
    s->round =
        (sc_report_round){H, {pairs[chosen], s->models[chosen], 1, 0}, 3, s->others, 2};
}

static void scene_open(scene *s, uint64_t seed)
{
    const sc_hash_key key = {seed, 0};
    make_data(s, &seed);
    REQUIRE_OK(sc_synth_model_new(&columns, PEOPLE, &s->model, NULL));
    for (size_t i = 0; i < 4; i++)
        measure(s, i, sc_clique_of(i), &seed);
    REQUIRE_OK(sc_synth_model_fit(s->model, &SC_SYNTH_FIT_AIM_ROUND, NULL));
    choose(s, &seed);
    measure(s, 4, s->round.chosen.clique, &seed);
    measure(s, 5, 14, &seed);
    REQUIRE_OK(sc_synth_model_fit(s->model, &SC_SYNTH_FIT_AIM_ROUND, NULL));
    sc_synth_rows_init(&s->rows);
    REQUIRE_OK(sc_synth_rows_draw(s->model, 2000, &key, &s->rows, NULL));
}

static void scene_close(scene *s)
{
    sc_synth_rows_clear(&s->rows);
    sc_synth_model_free(s->model);
}

static scrim_status marginal(const void *model, sc_clique clique, double *out,
                             scrim_error *error)
{
    return sc_synth_model_marginal(model, clique, out, error);
}

static sc_report_facts facts_of(const scene *s)
{
    return (sc_report_facts){.columns = &columns,
                             .rows = &s->rows,
                             .marginal = marginal,
                             .model = s->model,
                             .total = PEOPLE,
                             .measured = s->measured,
                             .measured_count = MEASURED,
                             .rounds = &s->round,
                             .round_count = 1,
                             .beta = 0.1,
                             .ways = 3};
}

static double true_variation(const scene *s, sc_clique clique)
{
    const uint32_t *codes[] = {s->rows.codes[0], s->rows.codes[1], s->rows.codes[2],
                               s->rows.codes[3]};
    double exact[CELLS], drawn[CELLS], sum = 0;
    count_data(s, clique, exact);
    count(codes, s->rows.count, clique, drawn);
    for (size_t c = 0; c < CELLS; c++)
        sum += fabs(exact[c] / PEOPLE - drawn[c] / (double)s->rows.count);
    return sum / 2;
}

/* Does every interval of a release hold? */
static bool holds(uint64_t seed)
{
    static scene s;
    sc_synth_report report;
    bool all = true;
    scene_open(&s, seed);
    const sc_report_facts facts = facts_of(&s);
    sc_synth_report_init(&report);
    CHECK_STATUS(sc_synth_report_make(&facts, &report, NULL), SCRIM_OK);
    CHECK_INT(report.count, 4 + 6 + 4);
    for (size_t i = 0; i < report.count; i++) {
        const double truth = true_variation(&s, report.entries[i].clique);
        all = all && report.entries[i].variation.lower <= truth &&
              truth <= report.entries[i].variation.upper;
    }
    sc_synth_report_clear(&report);
    scene_close(&s);
    return all;
}

/* False alarms: more than beta of the releases and 6 standard deviations. */
SLOW_TEST(synth_report_covers_the_truth)
{
    CLAIM("synth-report.covers");
    const uint64_t releases = check_count_whole(30, 3000);
    uint64_t broken = 0;
    for (uint64_t i = 0; i < releases; i++)
        broken += !holds(check_seed() * 1000000 + i);
    CHECK((double)broken <=
          (double)releases * 0.1 + 6 * sqrt((double)releases * 0.1 * 0.9));
}

TEST(synth_report_says_what_was_measured)
{
    static scene s;
    sc_synth_report report;
    size_t kinds[5] = {0};
    scene_open(&s, 3);
    sc_report_facts facts = facts_of(&s);
    sc_synth_report_init(&report);
    REQUIRE_OK(sc_synth_report_make(&facts, &report, NULL));
    for (size_t i = 0; i < report.count; i++) {
        const sc_report_entry *e = &report.entries[i];
        kinds[e->kind]++;
        CHECK(e->from_model >= 0 && e->from_model < 0.05);
        if (e->kind == SC_REPORT_MODEL)
            CHECK(e->variation.lower == 0 && e->variation.upper == 1);
        else
            CHECK(e->variation.upper < 1);
    }
    CHECK_INT(report.entries[0].clique, 1);
    CHECK_INT(report.entries[4].clique, 3);
    CHECK_INT(report.entries[13].clique, 14);
    CHECK_INT(kinds[SC_REPORT_MEASURED], 6);
    CHECK_INT(kinds[SC_REPORT_INSIDE], 3);
    CHECK_INT(kinds[SC_REPORT_SELECTION], 2);
    CHECK_INT(kinds[SC_REPORT_MODEL], 3);
    /* One column: only statements about it and the round share beta, and the intervals are narrower. */
    const double wide = report.entries[0].variation.upper;
    facts.ways = 1;
    REQUIRE_OK(sc_synth_report_make(&facts, &report, NULL));
    CHECK_INT(report.count, 4);
    CHECK(report.entries[0].variation.upper < wide);
    /* An uncertain total makes them wider. */
    const double narrow = report.entries[0].variation.upper;
    facts.total_noise = (sc_cell_noise){false, 25};
    REQUIRE_OK(sc_synth_report_make(&facts, &report, NULL));
    CHECK(report.entries[0].variation.upper > narrow && report.slack > 5);
    sc_synth_report_clear(&report);
    scene_close(&s);
}

TEST(synth_report_leaves_out_what_is_too_large)
{
    const sc_synth_columns wide = {3, {1 << 10, 1 << 10, 1 << 10}};
    const sc_hash_key key = {1, 1};
    sc_synth_model *model = NULL;
    sc_synth_rows rows;
    sc_synth_report report;
    sc_synth_rows_init(&rows);
    sc_synth_report_init(&report);
    REQUIRE_OK(sc_synth_model_new(&wide, 5, &model, NULL));
    REQUIRE_OK(sc_synth_rows_draw(model, 5, &key, &rows, NULL));
    const sc_report_facts facts = {.columns = &wide,
                                   .rows = &rows,
                                   .marginal = marginal,
                                   .model = model,
                                   .total = 5,
                                   .beta = 0.05,
                                   .ways = 3};
    REQUIRE_OK(sc_synth_report_make(&facts, &report, NULL));
    CHECK_INT(report.count, 6);
    CHECK_INT(report.left_out, 1);
    sc_synth_report_clear(&report);
    sc_synth_rows_clear(&rows);
    sc_synth_model_free(model);
}

FAULT_TEST(synth_report_survives_without_memory)
{
    static scene s;
    scene_open(&s, 5);
    sc_report_facts facts = facts_of(&s);
    facts.ways = 2;
    FAULT_LOOP(fault)
    {
        sc_synth_report report;
        sc_synth_report_init(&report);
        CHECK(sc_synth_report_make(&facts, &report, NULL) ==
              (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        sc_synth_report_clear(&report);
    }
    scene_close(&s);
}
