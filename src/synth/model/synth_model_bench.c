#include "bench.h"
#include "synth/model/synth_rows.h"

/* The sizes of the public census table Adult after its cuts, and a tree of pairs over its columns. */
static const sc_synth_columns adult = {
    14, {15, 9, 15, 16, 7, 15, 6, 5, 2, 15, 15, 15, 42, 2}};
static const unsigned char tree[13][2] = {{4, 6},  {6, 8},  {0, 4},  {3, 5},  {1, 5},
                                          {6, 13}, {5, 11}, {5, 6},  {9, 13}, {7, 12},
                                          {3, 12}, {0, 2},  {10, 13}};
/* Pairs that close cycles: the junction tree grows to the default cap of 2^17 cells. */
static const unsigned char chords[8][2] = {{0, 6}, {3, 6},  {0, 13}, {3, 13},
                                           {5, 4}, {1, 11}, {0, 5},  {3, 11}};
#define TOTAL 32561

static uint64_t next(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Noisy counts that fall off from cell to cell. */
static void measure(sc_synth_model *model, sc_clique clique, uint64_t *seed)
{
    static int64_t counts[1 << 12];
    scrim_error error;
    const size_t cells = (size_t)sc_clique_cells(&adult, clique);
    double sum = 0;
    for (size_t i = 0; i < cells; i++)
        sum += (double)(counts[i] = (int64_t)((next(seed) % 1000) / (1 + i % 7)));
    for (size_t i = 0; i < cells; i++)
        counts[i] =
            (int64_t)((double)counts[i] * TOTAL / sum) + (int64_t)(next(seed) % 91) - 45;
    bench_must(
        sc_synth_model_measure(model, clique, counts, NULL, (uint64_t)64 * 676, &error),
        &error);
}

static sc_synth_model *make_model(size_t cycles)
{
    scrim_error error;
    sc_synth_model *model;
    uint64_t seed = 1;
    bench_must(sc_synth_model_new(&adult, TOTAL, &model, &error), &error);
    for (size_t i = 0; i < adult.count; i++)
        measure(model, sc_clique_of(i), &seed);
    for (size_t i = 0; i < 13; i++)
        measure(model, sc_clique_of(tree[i][0]) | sc_clique_of(tree[i][1]), &seed);
    for (size_t i = 0; i < cycles; i++)
        measure(model, sc_clique_of(chords[i][0]) | sc_clique_of(chords[i][1]), &seed);
    return model;
}

static void fit_tree(void *context, uint64_t operations)
{
    scrim_error error;
    (void)context;
    for (; operations > 0; operations--) {
        sc_synth_model *model = make_model(0);
        bench_must(sc_synth_model_fit(model, &SC_SYNTH_FIT_MST, &error), &error);
        bench_keep(model);
        sc_synth_model_free(model);
    }
}

static void fit_junction(void *context, uint64_t operations)
{
    scrim_error error;
    for (; operations > 0; operations--)
        bench_must(sc_synth_model_fit(context, &(sc_synth_fit){10, 30}, &error), &error);
}

static void answer_pairs(void *context, uint64_t operations)
{
    static int64_t counts[1 << 12];
    scrim_error error;
    for (; operations > 0; operations--)
        for (size_t a = 0; a < adult.count; a++)
            for (size_t b = 0; b < a; b++)
                bench_must(sc_synth_model_counts(context,
                                                 sc_clique_of(a) | sc_clique_of(b),
                                                 counts, &error),
                           &error);
}

static void draw_rows(void *context, uint64_t operations)
{
    scrim_error error;
    const sc_hash_key key = {1, 2};
    for (; operations > 0; operations--) {
        sc_synth_rows rows;
        sc_synth_rows_init(&rows);
        bench_must(sc_synth_rows_draw(context, TOTAL, &key, &rows, &error), &error);
        sc_synth_rows_clear(&rows);
    }
}

static void bench_one(const char *name, void (*body)(void *, uint64_t), void *context,
                      double target)
{
    bench_measure(&(bench_case){.name = name,
                                .unit = BENCH_MILLISECONDS,
                                .body = body,
                                .context = context,
                                .target = target});
}

#define JUNCTION "synth fit of a junction tree, 10 iterations"
#define PAIRS "synth answers to 91 pairs across a junction tree"
#define ROWS "synth 32561 rows of 14 columns from a junction tree"

BENCH(synth_model)
{
    scrim_error error;
    bench_one("synth fit of a tree of 13 pairs, 500 iterations", fit_tree, NULL, 100);
    if (!bench_is_wanted(JUNCTION) && !bench_is_wanted(PAIRS) && !bench_is_wanted(ROWS))
        return;
    sc_synth_model *model = make_model(sizeof chords / sizeof chords[0]);
    bench_must(sc_synth_model_fit(model, &(sc_synth_fit){10, 30}, &error), &error);
    bench_one(JUNCTION, fit_junction, model, 0);
    bench_one(PAIRS, answer_pairs, model, 0);
    bench_one(ROWS, draw_rows, model, 0);
    sc_synth_model_free(model);
}
