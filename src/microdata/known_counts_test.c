#include "check.h"
#include "microdata/known_counts.h"
#include "trees.h"
#include "vectors.h"

#include <string.h>

static const int64_t rounded[] = {20, 13, 7, 7, -1, 8, 2, 6};

static bool is_listed(const json_t *list, size_t node)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_integer_value(json_array_get(list, i)) == (json_int_t)node)
            return true;
    return false;
}

static void check_row(const json_t *row)
{
    const json_t *declared = json_object_get(row, "invariants");
    tree_scene t;
    sc_known_counts k;
    int64_t known[8], values[8];
    bool is_known[8];
    size_t at;
    trees_example(&t);
    for (size_t v = 0; v < 8; v++) {
        const json_t *value = trees_member(declared, v);
        known[v] = value == NULL ? SC_COUNT_UNKNOWN : json_integer_value(value);
        is_known[v] = value != NULL;
        values[v] = rounded[v];
    }
    REQUIRE_OK(sc_known_counts_init(&k, &t.shape, known, &at, NULL));
    CHECK_STATUS(sc_known_counts_solve(&k, NULL, values, NULL), SCRIM_OK);
    sc_known_counts_reveal(&t.shape, is_known);
    for (size_t v = 0; v < 8; v++) {
        CHECK_INT(values[v],
                  json_integer_value(trees_member(json_object_get(row, "topdown"), v)));
        CHECK_INT(is_known[v] && known[v] == SC_COUNT_UNKNOWN,
                  is_listed(json_object_get(row, "revealed_too"), v));
    }
    sc_known_counts_clear(&k);
}

TEST(known_counts_agree_with_the_vectors)
{
    CLAIM("known-counts.exact");
    CLAIM("known-counts.revealed");
    const json_t *rows = vectors_load("synthetic", "invariants"), *row;
    size_t i;
    CHECK_INT(json_array_size(rows), 7);
    json_array_foreach(rows, i, row) check_row(row);
}

/* A true tree, of whose counts some are known, and others noisy. */
static void check_random(uint64_t *state, const sc_hash_key *key)
{
    tree_scene t;
    sc_known_counts k;
    int64_t truth[TREES_NODES], known[TREES_NODES], values[TREES_NODES];
    size_t at;
    trees_random(state, &t);
    for (size_t v = t.nodes; v-- > 0;) {
        truth[v] = 0;
        if (v >= t.shape.inner)
            truth[v] = trees_next(state) % 2 == 0 ? (int64_t)(trees_next(state) % 50) : 0;
        for (size_t c = v < t.shape.inner ? t.child[v] : 1;
             v < t.shape.inner && c < t.child[v + 1]; c++)
            truth[v] += truth[c];
        known[v] = trees_next(state) % 4 == 0 ? truth[v] : SC_COUNT_UNKNOWN;
        values[v] = truth[v] + (int64_t)(trees_next(state) % 41) - 20;
    }
    REQUIRE_OK(sc_known_counts_init(&k, &t.shape, known, &at, NULL));
    CHECK_STATUS(sc_known_counts_solve(&k, key, values, NULL), SCRIM_OK);
    for (size_t v = 0; v < t.nodes; v++) {
        int64_t sum = 0;
        CHECK(values[v] >= 0);
        if (known[v] != SC_COUNT_UNKNOWN)
            CHECK_INT(values[v], known[v]);
        if (v >= t.shape.inner)
            continue;
        for (size_t c = t.child[v]; c < t.child[v + 1]; c++)
            sum += values[c];
        CHECK_INT(sum, values[v]);
    }
    sc_known_counts_clear(&k);
}

TEST(known_counts_stay_exact_in_random_trees)
{
    CLAIM("known-counts.exact");
    uint64_t state = check_seed();
    for (uint64_t i = 0; i < check_count(100, 3000); i++)
        check_random(&state, i % 2 == 0 ? NULL : &(sc_hash_key){i, 5});
}

TEST(contradictory_known_counts_are_refused)
{
    tree_scene t;
    sc_known_counts k;
    int64_t known[8];
    size_t at = 0;
    scrim_error error;
    trees_example(&t);
    memset(known, 0xff, sizeof known);
    known[1] = 3;
    known[4] = 4;
    CHECK_STATUS(sc_known_counts_init(&k, &t.shape, known, &at, &error), SCRIM_E_PARAM);
    CHECK_INT(at, 1);
    sc_known_counts_clear(&k);
    known[1] = SC_COUNT_UNKNOWN;
    known[2] = 5;
    known[6] = known[7] = 2;
    CHECK_STATUS(sc_known_counts_init(&k, &t.shape, known, &at, &error), SCRIM_E_PARAM);
    CHECK_INT(at, 2);
    sc_known_counts_clear(&k);
}
