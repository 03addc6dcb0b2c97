#include "base/memory.h"
#include "check.h"
#include "faults.h"
#include "microdata/noise_weights.h"
#include "trees.h"

#include <math.h>
#include <string.h>

/* Terms of equal weight and level are one. */
static size_t merge(sc_noise_term *terms, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < kept && (terms[k].level != terms[i].level ||
                            fabs(terms[k].weight - terms[i].weight) > 1e-12))
            k++;
        if (k == kept)
            terms[kept++] = terms[i];
        else
            terms[k].count += terms[i].count;
    }
    return kept;
}

/* The weights of a node of each level, by impulses: each noise by itself, through both passes. */
static void check_level(const sc_squares *s, const tree_scene *t, const double *levels,
                        size_t level)
{
    sc_noise_term terms[SC_NOISE_TERMS];
    const size_t count = merge(terms, sc_noise_terms(s, level, terms));
    double values[TREES_NODES], variance = 0, found[SC_NOISE_TERMS] = {0};
    for (size_t u = 0; u < t->nodes; u++) {
        for (size_t v = 0; v < t->nodes; v++)
            values[v] = u == v;
        sc_squares_estimate(s, values);
        const double weight = values[s->starts[level]];
        size_t i = 0;
        if (fabs(weight) < 1e-14 || levels[sc_squares_level(s, u)] <= 0)
            continue;
        while (i < count && (terms[i].level != sc_squares_level(s, u) ||
                             fabs(terms[i].weight - weight) > 1e-12))
            i++;
        REQUIRE(i < count);
        found[i]++;
    }
    for (size_t i = 0; i < count; i++) {
        CHECK_NEAR(found[i], terms[i].count, 0);
        variance +=
            terms[i].count * terms[i].weight * terms[i].weight * levels[terms[i].level];
    }
    CHECK_NEAR(variance, sc_squares_variance(s, s->starts[level]), 1e-12);
}

TEST(noise_weights_are_those_of_the_passes)
{
    CLAIM("noise-weights.whole");
    static const size_t fanouts[] = {2, 3, 4};
    static const double variances[][4] = {
        {3, 2, 1.5, 1}, {3, HUGE_VAL, 2, 1}, {0, 2, 1.5, 1}};
    tree_scene t;
    sc_squares s;
    trees_even(fanouts, 4, &t);
    for (size_t i = 0; i < COUNT(variances); i++) {
        REQUIRE_OK(sc_squares_init_even(&s, &t.shape, fanouts, 4, variances[i], NULL));
        for (size_t level = 0; level < 4; level++)
            check_level(&s, &t, variances[i], level);
        sc_squares_clear(&s);
    }
}

#define LEVELS 4

/* A tree whose leaves are all on the last level, and whose nodes have one to four children. */
typedef struct path_scene {
    tree_scene tree;
    size_t starts[LEVELS + 1];
    sc_level_noise noises[LEVELS];
    double variances[TREES_NODES];
    sc_squares squares;
    sc_path_weights weights;
} path_scene;

static size_t level_of(const path_scene *s, size_t node)
{
    size_t level = 0;
    while (node >= s->starts[level + 1])
        level++;
    return level;
}

static void grow(path_scene *s, uint64_t *state)
{
    tree_scene *t = &s->tree;
    t->nodes = 1;
    t->parent[0] = 0;
    s->starts[0] = 0;
    s->starts[1] = 1;
    for (size_t level = 0; level + 1 < LEVELS; level++) {
        for (size_t v = s->starts[level]; v < s->starts[level + 1]; v++) {
            const size_t children = 1 + trees_next(state) % 4;
            t->child[v] = (uint32_t)t->nodes;
            for (size_t i = 0; i < children; i++)
                t->parent[t->nodes++] = (uint32_t)v;
        }
        s->starts[level + 2] = t->nodes;
    }
    t->shape = (sc_tree_shape){.child = t->child, .inner = s->starts[LEVELS - 1]};
    t->child[t->shape.inner] = (uint32_t)t->nodes;
}

/* Noise of a rate for each level; kind 1: a level is not measured; 2: some nodes are known. */
static bool open_scene(path_scene *s, uint64_t *state, int kind)
{
    memset(s, 0, sizeof *s);
    grow(s, state);
    for (size_t level = 0; level < LEVELS; level++)
        s->noises[level] = (sc_level_noise){
            SC_TREE_LAPLACE, 0.05 + (double)(trees_next(state) % 100) / 50};
    for (size_t v = 0; v < s->tree.nodes; v++) {
        const size_t level = level_of(s, v);
        s->variances[v] = sc_level_variance(&s->noises[level]);
        if (kind == 1 && level == 1 + v % 2)
            s->variances[v] = HUGE_VAL;
        if (kind == 2 && trees_next(state) % 6 == 0)
            s->variances[v] = 0;
    }
    return CHECK_STATUS(sc_squares_init(&s->squares, &s->tree.shape, s->variances, NULL),
                        SCRIM_OK) &&
           CHECK_STATUS(sc_path_weights_init(&s->weights, &s->squares, s->tree.parent,
                                             s->starts, LEVELS, NULL),
                        SCRIM_OK);
}

static void close_scene(path_scene *s)
{
    sc_path_weights_clear(&s->weights);
    sc_squares_clear(&s->squares);
}

static bool is_noisy(const path_scene *s, size_t node)
{
    return s->variances[node] > 0 && !isinf(s->variances[node]);
}

/* The weight of the noise of u in the estimate of v, by an impulse through both passes: a term for each noise. */
static size_t find_weights(const path_scene *s, size_t v, sc_noise_term *terms)
{
    static double values[TREES_NODES];
    size_t count = 0;
    for (size_t u = 0; u < s->tree.nodes; u++) {
        for (size_t i = 0; i < s->tree.nodes; i++)
            values[i] = i == u;
        sc_squares_estimate(&s->squares, values);
        if (is_noisy(s, u) && fabs(values[v]) > 1e-13)
            terms[count++] = (sc_noise_term){fabs(values[v]), 1, level_of(s, u), 0};
    }
    return count;
}

/* Squares of a level are those of its weights, and the half width is at least that of the weights, and not much more. */
/* Chernoff's, which needs no more than bounds. */
static double width(const sc_noise_term *terms, size_t count,
                    const sc_level_noise *noises)
{
    return sc_combined_noise_chernoff(&(sc_combined_noise){terms, count, noises}, 0.05);
}

static void check_node(const path_scene *s, size_t v)
{
    static sc_noise_term exact[TREES_NODES], terms[SC_PATH_TERMS];
    const size_t level = level_of(s, v), found = find_weights(s, v, exact),
                 count = sc_path_terms(&s->weights, v, level, terms);
    double squares[LEVELS] = {0}, most[LEVELS] = {0};
    for (size_t i = 0; i < count; i++) {
        const double part = terms[i].count * terms[i].weight * terms[i].weight;
        squares[terms[i].level] += part;
        most[terms[i].level] = fmax(most[terms[i].level], terms[i].weight);
    }
    for (size_t i = 0; i < found; i++) {
        squares[exact[i].level] -= exact[i].weight * exact[i].weight;
        CHECK(exact[i].weight <= most[exact[i].level] * (1 + 1e-9));
    }
    for (size_t i = 0; i < LEVELS; i++)
        CHECK(fabs(squares[i]) < 1e-9);
    const double want = width(exact, found, s->noises),
                 got = width(terms, count, s->noises);
    CHECK(got >= want * (1 - 1e-9));
    CHECK(got <= want * 1.6);
}

TEST(path_weights_are_those_of_the_passes)
{
    CLAIM("path-weights.whole");
    static path_scene s;
    uint64_t state = check_seed();
    const uint64_t trees = check_count(20, 2000);
    for (uint64_t i = 0; i < trees; i++) {
        if (open_scene(&s, &state, (int)(i % 3)))
            for (size_t v = 0; v < s.tree.nodes; v += 1 + v / 8)
                if (s.squares.final[v] > 0)
                    check_node(&s, v);
        close_scene(&s);
    }
}

/* The half widths of a whole tree are never below those of the exact weights, and hardly above as a rule. */
TEST(path_half_widths_are_those_of_each_node)
{
    CLAIM("half-width.sound");
    static path_scene s;
    static double widths[TREES_NODES];
    static sc_noise_term exact[TREES_NODES];
    uint64_t state = check_seed();
    double sums[2] = {0, 0};
    for (int i = 0; i < 6; i++) {
        if (open_scene(&s, &state, i % 3) &&
            CHECK_STATUS(sc_path_half_widths(&s.weights, s.noises, 0.05, widths, NULL),
                         SCRIM_OK))
            for (size_t v = 0; v < s.tree.nodes; v += 1 + v / 8) {
                const sc_combined_noise sum = {exact, find_weights(&s, v, exact),
                                               s.noises};
                const double want = sc_combined_noise_half_width(&sum, 0.05);
                CHECK(widths[v] >= want * (1 - 1e-3));
                sums[0] += widths[v];
                sums[1] += want;
            }
        close_scene(&s);
    }
    CHECK(sums[0] <= sums[1] * 1.12);
}

/* In an even tree they are the weights of noise_weights.h. */
TEST(path_weights_of_an_even_tree)
{
    CLAIM("path-weights.whole");
    static const size_t fanouts[] = {2, 3, 4}, starts[] = {0, 1, 3, 9, 33};
    static const double levels[] = {3, 2, 1.5, 1};
    static const sc_level_noise noises[] = {{SC_TREE_LAPLACE, 0.7},
                                            {SC_TREE_LAPLACE, 0.9},
                                            {SC_TREE_LAPLACE, 1},
                                            {SC_TREE_LAPLACE, 1.1}};
    static sc_noise_term terms[2][SC_PATH_TERMS + SC_NOISE_TERMS];
    double variances[33];
    tree_scene t;
    sc_squares even, any;
    sc_path_weights weights;
    trees_even(fanouts, 4, &t);
    for (size_t i = 0; i < 4; i++)
        for (size_t v = starts[i]; v < starts[i + 1]; v++)
            variances[v] = levels[i];
    REQUIRE_OK(sc_squares_init_even(&even, &t.shape, fanouts, 4, levels, NULL));
    REQUIRE_OK(sc_squares_init(&any, &t.shape, variances, NULL));
    REQUIRE_OK(sc_path_weights_init(&weights, &any, t.parent, starts, 4, NULL));
    for (size_t i = 0; i < 4; i++) {
        const size_t a = sc_noise_terms(&even, i, terms[0]),
                     b = sc_path_terms(&weights, starts[i], i, terms[1]);
        CHECK_NEAR(width(terms[0], a, noises), width(terms[1], b, noises), 1e-7);
    }
    sc_path_weights_clear(&weights);
    sc_squares_clear(&any);
    sc_squares_clear(&even);
}

/* Weights of a linear function, by impulses; and their terms, which have the same variance and hardly a larger width. */
TEST(noise_of_linear_functions_is_that_of_the_passes)
{
    CLAIM("noise-weights.whole");
    static path_scene s;
    static double weights[TREES_NODES], noise[TREES_NODES], values[TREES_NODES];
    static sc_noise_term exact[TREES_NODES], terms[LEVELS * SC_NOISE_BINS];
    uint64_t state = check_seed();
    for (int i = 0; i < 6; i++) {
        if (open_scene(&s, &state, i % 3)) {
            const size_t inner = s.tree.shape.inner, nodes = s.tree.nodes;
            double leaves[TREES_NODES], sum = 0;
            size_t found = 0;
            for (size_t v = inner; v < nodes; v++)
                leaves[v] = weights[v] = (double)(trees_next(&state) % 7) - 3;
            const double variance = sc_squares_linear(&s.squares, weights, noise);
            sc_squares_noise(&s.squares, weights, noise);
            for (size_t u = 0; u < nodes; u++) {
                double weight = 0;
                for (size_t k = 0; k < nodes; k++)
                    values[k] = k == u;
                sc_squares_estimate(&s.squares, values);
                for (size_t v = inner; v < nodes; v++)
                    weight += leaves[v] * values[v];
                CHECK_NEAR(noise[u], is_noisy(&s, u) ? weight : 0, 1e-9);
                if (!is_noisy(&s, u))
                    continue;
                sum += weight * weight * s.variances[u];
                if (fabs(weight) > 1e-12)
                    exact[found++] = (sc_noise_term){weight, 1, level_of(&s, u), 0};
            }
            CHECK_NEAR(sum, variance, 1e-9 * (1 + variance));
            const size_t count = sc_noise_collect(noise, s.starts, LEVELS, terms);
            const double want = width(exact, found, s.noises),
                         got = width(terms, count, s.noises);
            CHECK(got >= want * (1 - 1e-9) && got <= want * 1.05);
        }
        close_scene(&s);
    }
}

FAULT_TEST(path_weights_without_memory)
{
    static path_scene s;
    static double widths[TREES_NODES];
    uint64_t state = 5;
    REQUIRE(open_scene(&s, &state, 0));
    sc_path_weights_clear(&s.weights);
    scrim_status status = SCRIM_OK;
    FAULT_LOOP(fault)
    {
        status = sc_path_weights_init(&s.weights, &s.squares, s.tree.parent, s.starts,
                                      LEVELS, NULL);
        if (status == SCRIM_OK)
            status = sc_path_half_widths(&s.weights, s.noises, 0.05, widths, NULL);
        if (status != SCRIM_OK)
            CHECK_STATUS(status, SCRIM_E_MEMORY);
        sc_path_weights_clear(&s.weights);
    }
    CHECK_STATUS(status, SCRIM_OK);
    CHECK_STATUS(sc_path_weights_init(&s.weights, &s.squares, s.tree.parent, s.starts,
                                      SC_PATH_LEVELS + 1, NULL),
                 SCRIM_E_LIMIT);
    close_scene(&s);
}

/* An even tree with one table of two columns, and a query of another table of four cells at each level. */
static const size_t fanouts[] = {3, 2}, starts[] = {0, 1, 4, 10};
static const sc_table_shape shape = {2, {2, 3}};
static const sc_term_query queries[] = {
    {0, 0, 1, 2, false},  {0, 1, 2, 3, true}, {1, 3, 6, 1.5, true}, {1, 0, 4, 5, false},
    {2, 3, 6, 2.5, true}, {2, 2, 3, 4, true}, {2, 0, 4, 1, false}};

static double sum_squares(const sc_term_list *list)
{
    double sum = 0;
    for (size_t i = 0; i < list->count; i++)
        sum += list->terms[i].weight * list->terms[i].weight * list->terms[i].count *
               queries[list->terms[i].level].variance;
    return sum;
}

TEST(table_terms_make_up_the_variance)
{
    CLAIM("table-terms.whole");
    tree_scene t;
    sc_squares total;
    sc_table_squares table;
    sc_table_query own[COUNT(queries)];
    double levels[3] = {0};
    size_t count = 0;
    trees_even(fanouts, 3, &t);
    for (size_t i = 0; i < COUNT(queries); i++) {
        levels[queries[i].level] += 1 / (queries[i].variance * (double)queries[i].cells);
        if (queries[i].is_own)
            own[count++] = (sc_table_query){.level = queries[i].level,
                                            .columns = queries[i].columns,
                                            .variance = queries[i].variance};
    }
    for (size_t i = 0; i < 3; i++)
        levels[i] = 1 / levels[i];
    const sc_table_tree tree = {t.shape, starts, 3, fanouts};
    CHECK_STATUS(sc_squares_init_even(&total, &t.shape, fanouts, 3, levels, NULL),
                 SCRIM_OK);
    CHECK_STATUS(sc_table_squares_init(&table, &tree, &shape, own, count, NULL),
                 SCRIM_OK);
    for (size_t level = 0; level < 3; level++) {
        sc_term_list list;
        const double variance = total.final[level];
        CHECK(sc_table_terms(&total, NULL, queries, COUNT(queries), level, &list));
        CHECK_NEAR(sum_squares(&list), variance, 1e-12);
        sc_free(list.terms);
        CHECK(sc_table_terms(&total, &table, queries, COUNT(queries), level, &list));
        CHECK_NEAR(sum_squares(&list),
                   sc_table_squares_cell(&table, starts[level], variance), 1e-12);
        sc_free(list.terms);
    }
    sc_table_squares_clear(&table);
    sc_squares_clear(&total);
}
