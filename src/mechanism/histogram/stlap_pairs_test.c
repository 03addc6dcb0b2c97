#include "mechanism/histogram/stlap_noise.h"
#include "mechanism_lines.h"

/* By how much the bars move up, and down. */
static void check_pair(const char *parameters, const sc_pair *pair, uint64_t group,
                       bool is_replace)
{
    int64_t up = 0, down = 0;
    CHECK(pair->x_count == pair->y_count && pair->x_count >= 1 && pair->x_count <= 2);
    for (size_t i = 0; i < pair->x_count; i++) {
        CHECK(pair->x[i] >= 0 && pair->y[i] >= 0);
        if (pair->y[i] > pair->x[i])
            up += pair->y[i] - pair->x[i];
        else
            down += pair->x[i] - pair->y[i];
    }
    if (up != (int64_t)group || down != (is_replace ? (int64_t)group : 0))
        CHECK_FAIL("%s: %lld up and %lld down", parameters, (long long)up,
                   (long long)down);
}

TEST(stlap_pairs_are_neighbours)
{
    static const struct {
        const char *parameters;
        uint64_t group;
        bool is_replace;
        size_t least, most;
    } list[] = {{"epsilon=1 q=1", 1, false, 5, 5},
                {"epsilon=1 q=27", 1, false, 57, 57},
                {"epsilon=1 q=27 group=5", 5, false, 57 + 36, 57 + 36},
                {"epsilon=1 q=27 neighbours=replace", 1, true, 37, 37},
                {"epsilon=1 q=27 group=4 neighbours=replace", 4, true, 37, 37},
                {"epsilon=1 q=1 neighbours=replace", 1, true, 26, 26},
                {"epsilon=1 q=100000 neighbours=replace", 1, true, 36, 36},
                {"epsilon=1/1000 q=100000", 1, false, 12, 12},
                {"epsilon=1 q=2147483647", 1, false, 12, 12}};
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_measurement *m = mechanism_model("stlap", list[i].parameters);
        REQUIRE(m != NULL);
        const size_t count = m->mechanism->pair_count(m);
        CHECK(count >= list[i].least && count <= list[i].most);
        for (size_t k = 0; k < count; k++) {
            sc_pair pair;
            m->mechanism->pair(m, k, &pair);
            check_pair(list[i].parameters, &pair, list[i].group, list[i].is_replace);
            if (k == 0)
                CHECK(pair.x[0] == 0);
        }
        scrim_measurement_free(m);
    }
}
