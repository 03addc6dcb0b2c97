#include "choices.h"
#include "mechanism/threshold/partition_selection.h"

/* Under add-remove every count grows by 1; under replace as many do as fall by 1. */
static void check_pair(const scrim_measurement *m, const sc_pair *pair)
{
    const bool is_replace = sc_measurement_neighbours(m) == SCRIM_REPLACE;
    size_t more = 0, less = 0;
    CHECK(pair->x_count == pair->y_count && pair->x_count <= sc_partition_parts(m));
    for (size_t i = 0; i < pair->x_count; i++) {
        CHECK(pair->x[i] >= 0 && pair->y[i] >= 0);
        more += pair->y[i] == pair->x[i] + 1;
        less += pair->y[i] == pair->x[i] - 1;
    }
    CHECK_INT(more + less, pair->x_count);
    CHECK(is_replace ? more == less : less == 0);
}

static void check_pairs(const char *line, size_t count)
{
    scrim_measurement *m = choices_model(line);
    REQUIRE(m != NULL);
    const size_t certain = sc_partition_table(m)->certain;
    if (count == 0)
        count = certain;
    bool has_new = false, has_last = false;
    REQUIRE(CHECK_INT(m->mechanism->pair_count(m), count));
    for (size_t i = 0; i < count; i++) {
        sc_pair pair;
        m->mechanism->pair(m, i, &pair);
        check_pair(m, &pair);
        const size_t last = pair.y_count - 1;
        has_new = has_new || (pair.x[last] == 0 && pair.y[last] == 1);
        has_last = has_last || (size_t)pair.y[last] == certain;
        if (count == certain) /* one group: all of them, in order */
            CHECK(pair.x_count == 1 && (size_t)pair.x[0] == i);
    }
    CHECK(has_new && has_last);
    scrim_measurement_free(m);
}

TEST(partition_pairs_are_neighbours)
{
    check_pairs("partition-selection epsilon=1 delta=1e-5", 0);
    check_pairs("partition-selection epsilon=1/10 delta=1e-9", 0);
    check_pairs("partition-selection epsilon=1 delta=1/2", 0);
    check_pairs("partition-selection epsilon=1/1000 delta=1e-5", SC_PARTITION_PAIRS);
    check_pairs("partition-selection epsilon=1/100 delta=1e-9 max-groups=50",
                SC_PARTITION_PAIRS);
    check_pairs("partition-selection epsilon=1/100 delta=1e-9 neighbours=replace",
                SC_PARTITION_PAIRS);
    check_pairs("partition-selection epsilon=1/100 delta=1e-9 max-groups=9 "
                "neighbours=replace",
                SC_PARTITION_PAIRS);
}
