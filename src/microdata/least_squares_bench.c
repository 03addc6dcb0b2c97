/* A tree of 10^7 leaves and 5 levels: exact noise on every node, least squares, and counts that add up. */
#include "base/memory.h"
#include "bench.h"
#include "microdata/least_squares.h"
#include "microdata/tree_tables.h"
#include "scrim/distribution.h"

#define LEVELS 5
#define TARGET_MILLISECONDS 30000

static const size_t fanouts[LEVELS - 1] = {10, 10, 100, 1000};

typedef struct forest {
    sc_tree_shape shape;
    size_t nodes;
    uint32_t *child;
    int64_t *counts; /* of the data */
    int64_t *noise;
    double *values;
    scrim_distribution *law;
    sc_squares squares;
} forest;

static void draw(forest *f)
{
    scrim_error error;
    if (scrim_distribution_draw(f->law, f->nodes, f->noise, &error) != SCRIM_OK)
        bench_die("no noise");
}

static void solve(forest *f)
{
    for (size_t v = 0; v < f->nodes; v++)
        f->values[v] = (double)(f->counts[v] + f->noise[v]);
    sc_squares_estimate(&f->squares, f->values);
    for (size_t v = 0; v < f->nodes; v++)
        f->noise[v] = sc_nearest_count(f->values[v]);
    sc_top_down(&f->shape, &(sc_hash_key){1, 2}, f->noise);
    bench_keep(f->noise);
}

static void release(void *context, uint64_t operations)
{
    for (; operations > 0; operations--) {
        draw(context);
        solve(context);
    }
}

static void noise_alone(void *context, uint64_t operations)
{
    for (; operations > 0; operations--)
        draw(context);
}

static void make_shape(forest *f)
{
    size_t width = 1, node = 0;
    f->nodes = 1;
    for (size_t i = 0; i + 1 < LEVELS; i++) {
        f->shape.inner += width;
        width *= fanouts[i];
        f->nodes += width;
    }
    f->child = sc_allocate(f->shape.inner + 1, sizeof *f->child);
    f->counts = sc_allocate(f->nodes, sizeof *f->counts);
    f->noise = sc_allocate(f->nodes, sizeof *f->noise);
    f->values = sc_allocate(f->nodes, sizeof *f->values);
    if (f->child == NULL || f->counts == NULL || f->noise == NULL || f->values == NULL)
        bench_die("no memory");
    width = 1;
    size_t next = 1;
    for (size_t i = 0; i + 1 < LEVELS; i++, width *= fanouts[i - 1])
        for (size_t k = 0; k < width; k++, next += fanouts[i])
            f->child[node++] = (uint32_t)next;
    f->child[node] = (uint32_t)next;
    f->shape.child = f->child;
}

/* Leaves of which nine in ten are empty. */
static void make_counts(forest *f)
{
    for (size_t v = f->nodes; v-- > 0;) {
        f->counts[v] = v >= f->shape.inner && v % 10 == 0 ? (int64_t)(v % 97) : 0;
        for (size_t c = v < f->shape.inner ? f->child[v] : 1;
             v < f->shape.inner && c < f->child[v + 1]; c++)
            f->counts[v] += f->counts[c];
    }
}

BENCH(tree)
{
    forest f = {.nodes = 0};
    scrim_error error;
    const sc_level_noise noise = {SC_TREE_LAPLACE, 1.0 / LEVELS};
    const double variance = sc_level_variance(&noise);
    const double variances[LEVELS] = {variance, variance, variance, variance, variance};
    make_shape(&f);
    make_counts(&f);
    if (scrim_distribution_parse("discrete-laplace scale=5", &f.law, &error) !=
            SCRIM_OK ||
        sc_squares_init_even(&f.squares, &f.shape, fanouts, LEVELS, variances, &error) !=
            SCRIM_OK)
        bench_die("no tree");
    bench_measure(&(bench_case){.name = "tree: 10^7 leaves, 5 levels released",
                                .unit = BENCH_MILLISECONDS,
                                .body = release,
                                .context = &f,
                                .target = TARGET_MILLISECONDS,
                                .rival = &(bench_case){.name = "tree: the noise alone",
                                                       .unit = BENCH_MILLISECONDS,
                                                       .body = noise_alone,
                                                       .context = &f}});
    sc_squares_clear(&f.squares);
    scrim_distribution_free(f.law);
    sc_free(f.child);
    sc_free(f.counts);
    sc_free(f.noise);
    sc_free(f.values);
}
