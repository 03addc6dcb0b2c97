#include "check.h"
#include "mechanism/threshold/unit_counts.h"

#include <string.h>

TEST(place_tally_counts_equal_places)
{
    static const uint64_t given[] = {9, 2, 9, 9, 2, 40};
    sc_place_tally t;
    REQUIRE_OK(sc_place_tally_init(&t, 6, NULL));
    memcpy(t.places, given, sizeof given);
    sc_place_tally_count(&t, 6);
    REQUIRE(t.count == 3);
    CHECK(t.places[0] == 2 && t.places[1] == 9 && t.places[2] == 40);
    CHECK(t.counts[0] == 2 && t.counts[1] == 3 && t.counts[2] == 1);
    sc_place_tally_clear(&t);
}

TEST(place_tally_lists_what_is_shown)
{
    uint64_t places[] = {2, 9};
    const sc_place_tally t = {.places = places, .count = 2};
    const int64_t values[] = {0, 7};
    sc_outcomes counts, out;
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(&one, 1);
    sc_outcomes_init(&counts, 2);
    sc_outcomes_init(&out, SC_PLACE_TALLY_WIDTH);
    REQUIRE_OK(sc_outcomes_add(&counts, values, &one, NULL));
    REQUIRE_OK(sc_place_tally_list(&t, &counts, 0, 0, &out, NULL));
    CHECK_INT(out.count, 1);
    CHECK_INT(out.keys[0], 9);
    CHECK_INT(out.keys[1], 7);
    CHECK_INT(out.keys[2], -1);
    sc_outcomes_clear(&out);
    sc_outcomes_clear(&counts);
}
