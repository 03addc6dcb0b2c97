#include "check.h"
#include "mechanism/microdata/projection.h"
#include "vectors.h"

#include <stdio.h>

#define NODES_MAX 400

TEST(top_down_agrees_with_the_example)
{
    CLAIM("top-down.consistent");
    const json_t *noisy = vectors_load("microdata", "hierarchy_example");
    const uint32_t child[] = {1, 3, 6, 8};
    int64_t values[8];
    REQUIRE(noisy != NULL);
    for (int i = 0; i < 8; i++) {
        char name[12];
        snprintf(name, sizeof name, "%d", i);
        values[i] =
            json_integer_value(json_object_get(json_object_get(noisy, "noisy"), name));
    }
    sc_top_down(&(sc_tree_shape){.child = child, .inner = 3}, NULL, values);
    for (int i = 0; i < 8; i++) {
        char name[12];
        snprintf(name, sizeof name, "%d", i);
        CHECK_INT(values[i], json_integer_value(json_object_get(
                                 json_object_get(noisy, "integer"), name)));
    }
}

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

typedef struct tree {
    uint32_t child[NODES_MAX], parent[NODES_MAX];
    size_t inner, nodes;
    int64_t truth[NODES_MAX], noise[NODES_MAX], shown[NODES_MAX];
} tree;

/* A tree whose inner nodes come first, with counts of leaves that are often 0. */
static void make_tree(uint64_t *state, tree *t)
{
    t->nodes = 1;
    t->inner = next(state) % 30 + 1;
    for (size_t v = 0; v < t->inner; v++) {
        /* node v + 1 exists at the latest now, and is a child of one up to v */
        const size_t fan_out = next(state) % 10 + 1;
        t->child[v] = (uint32_t)t->nodes;
        for (size_t i = 0; i < fan_out; i++)
            t->parent[t->nodes++] = (uint32_t)v;
    }
    t->child[t->inner] = (uint32_t)t->nodes;
    for (size_t v = t->nodes; v-- > 0;) {
        t->truth[v] = 0;
        if (v >= t->inner)
            t->truth[v] = next(state) % 3 == 0 ? (int64_t)(next(state) % 100) : 0;
        for (size_t i = t->child[v < t->inner ? v : 0];
             v < t->inner && i < t->child[v + 1]; i++)
            t->truth[v] += t->truth[i];
        t->noise[v] = (int64_t)(next(state) % 41) - 20;
        t->shown[v] = t->truth[v] + t->noise[v];
    }
}

static int64_t size_of(int64_t x)
{
    return x < 0 ? -x : x;
}

static int64_t largest_noise(const tree *t, size_t parent)
{
    int64_t most = 0;
    for (size_t i = t->child[parent]; i < t->child[parent + 1]; i++)
        most = size_of(t->noise[i]) > most ? size_of(t->noise[i]) : most;
    return most;
}

static void check_tree(const tree *t)
{
    int64_t bound[NODES_MAX] = {size_of(t->noise[0])};
    bool is_consistent = t->shown[0] ==
                         (t->truth[0] + t->noise[0] > 0 ? t->truth[0] + t->noise[0] : 0),
         is_near = size_of(t->shown[0] - t->truth[0]) <= bound[0];
    for (size_t v = 0; v < t->nodes; v++)
        is_consistent = is_consistent && t->shown[v] >= 0;
    for (size_t v = 0; v < t->inner; v++) {
        int64_t sum = 0;
        for (size_t i = t->child[v]; i < t->child[v + 1]; i++)
            sum += t->shown[i];
        is_consistent = is_consistent && sum == t->shown[v];
    }
    for (size_t v = 1; v < t->nodes; v++) {
        bound[v] =
            size_of(t->noise[v]) + bound[t->parent[v]] + largest_noise(t, t->parent[v]);
        is_near = is_near && size_of(t->shown[v] - t->truth[v]) <= bound[v];
    }
    CHECK(is_consistent);
    CHECK(is_near);
}

TEST(top_down_is_consistent_and_near)
{
    CLAIM("top-down.consistent");
    CLAIM("top-down.error");
    uint64_t state = check_seed();
    static tree t;
    for (uint64_t n = 0; n < check_count(600, 20000); n++) {
        const sc_hash_key key = {n, 1};
        make_tree(&state, &t);
        sc_top_down(&(sc_tree_shape){.child = t.child, .inner = t.inner},
                    n % 2 == 0 ? NULL : &key, t.shown);
        check_tree(&t);
    }
}
