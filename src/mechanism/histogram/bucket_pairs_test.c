#include "choices.h"
#include "mechanism/histogram/bucket_histogram.h"
#include "mechanism/histogram/stlap.h"

#include <stdio.h>

/* Pairs are neighbours: the one has group rows more, or as many rows elsewhere. */
TEST(bucket_pairs_are_neighbours)
{
    static const char *const lines[] = {
        "bucket-histogram epsilon=1 q=3 upper=1 beta=0.1",
        "bucket-histogram epsilon=1 q=40 upper=1 beta=0.1",
        "bucket-histogram epsilon=1 q=3 upper=1 beta=1",
        "bucket-histogram epsilon=1 q=3 upper=1 beta=0.1 group=2",
        "bucket-histogram epsilon=1 q=3 upper=1 beta=0.1 dimensions=3",
        "bucket-histogram epsilon=1 q=3 upper=1 beta=0.1 labelled=yes",
        "bucket-histogram epsilon=1 q=3 upper=1 beta=0.1 neighbours=replace",
        "bucket-histogram epsilon=1 q=70 upper=1 beta=0.1 neighbours=replace group=5",
        "bucket-histogram epsilon=1 q=3 upper=1 beta=1 neighbours=replace group=2",
        ("bucket-histogram epsilon=1 q=3 upper=1 beta=0.1 dimensions=2 labelled=yes "
         "neighbours=replace group=2"),
        "bucket-histogram epsilon=1 q=300 upper=1 beta=0.1 group=64",
    };
    for (size_t i = 0; i < COUNT(lines); i++) {
        scrim_measurement *m = choices_model(lines[i]);
        REQUIRE(m != NULL);
        const size_t count = m->mechanism->pair_count(m);
        const size_t width = m->mechanism->row_width(m);
        const size_t group = (size_t)sc_measurement_integer(m, "group", 1);
        const bool is_replace = sc_measurement_neighbours(m) == SCRIM_REPLACE;
        const int64_t left_out =
            is_replace && sc_bucket_histogram_buckets(m)->count == 1 ? -1 : 0;
        CHECK(count > 0);
        for (size_t k = 0; k < count; k++) {
            sc_pair pair;
            m->mechanism->pair(m, k, &pair);
            CHECK(pair.x_count <= SC_PAIR_VALUES && pair.y_count <= SC_PAIR_VALUES);
            CHECK_INT(pair.y_count - pair.x_count, is_replace ? 0 : group * width);
            size_t moved = 0;
            for (size_t v = 0; v < pair.x_count; v++) {
                CHECK(pair.x[v] == 0 || pair.x[v] == 1 || pair.x[v] == left_out);
                moved += is_replace && pair.x[v] != pair.y[v];
            }
            /* In one number of a row, or in all of one that is left out. */
            CHECK_INT(moved, is_replace ? group * (left_out < 0 ? width : 1) : 0);
        }
        scrim_measurement_free(m);
    }
    scrim_measurement *m =
        choices_model("bucket-histogram epsilon=1 q=300 upper=1 beta=0.1 group=65");
    REQUIRE(m != NULL);
    CHECK_INT(m->mechanism->pair_count(m), 0);
    scrim_measurement_free(m);
}
