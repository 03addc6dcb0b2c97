#include "check.h"
#include "composition/calibration/calibration_find.h"
#include "exact.h"

#include <math.h>

static void check_value(int64_t place, const char *text)
{
    sc_ratio value, wanted;
    sc_ratio_init(&value);
    exact_ratio(text, &wanted);
    sc_place_value(place, &value);
    CHECK_INT(sc_ratio_compare(&value, &wanted), 0);
    CHECK_INT(sc_place_floor(&wanted), place);
    CHECK_INT(sc_place_ceil(&wanted), place);
    sc_ratio_clear(&wanted);
    sc_ratio_clear(&value);
}

TEST(decimal_grid_numbers_are_of_six_digits)
{
    CLAIM("decimal-grid.order");
    check_value(0, "1");
    check_value(1, "1.00001");
    check_value(-1, "0.999999");
    check_value(SC_PLACE_DECADE - 1, "9.99999");
    check_value(SC_PLACE_DECADE, "10");
    check_value(-18 * SC_PLACE_DECADE + 23456, "1.23456e-18");
    check_value(18 * SC_PLACE_DECADE + 899999, "9.99999e18");
}

/* For any rational: floor and ceil are neighbours about it, and no number lies between. */
TEST(decimal_grid_holds_what_lies_between)
{
    CLAIM("decimal-grid.order");
    static const char *const texts[] = {"1/3",   "2^-60",  "2^60", "999999999/1000",
                                        "7e-30", "1234567"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        sc_ratio x, below, above;
        exact_ratio(texts[i], &x);
        sc_ratio_init(&below);
        sc_ratio_init(&above);
        int64_t place = sc_place_floor(&x);
        sc_place_value(place, &below);
        sc_place_value(place + 1, &above);
        CHECK(sc_ratio_compare(&below, &x) <= 0);
        CHECK(sc_ratio_compare(&x, &above) < 0);
        CHECK_INT(sc_place_ceil(&x),
                  sc_ratio_compare(&below, &x) == 0 ? place : place + 1);
        sc_ratio_clear(&above);
        sc_ratio_clear(&below);
        sc_ratio_clear(&x);
    }
}

/* A number that is too far has the nearest place. */
TEST(decimal_grid_ends_somewhere)
{
    sc_ratio x;
    exact_ratio("1e-300", &x);
    CHECK_INT(sc_place_floor(&x), -(sc_int128)SC_PLACE_FAR * SC_PLACE_DECADE);
    sc_ratio_clear(&x);
    exact_ratio("1e300", &x);
    CHECK_INT(sc_place_floor(&x), SC_PLACE_FAR * SC_PLACE_DECADE - 1);
    sc_ratio_clear(&x);
}

/* Yes from a place on, but for one hole; how often it was asked. */
typedef struct turning {
    int64_t from, hole;
    bool is_dumb; /* tells nothing of its misses */
    int asked;
    int64_t last_no, last_yes;
} turning;

static scrim_status ask_turning(void *context, int64_t place, bool *holds, double *miss,
                                scrim_error *error)
{
    turning *t = context;
    (void)error;
    t->asked++;
    *holds = place >= t->from && place != t->hole;
    *miss = t->is_dumb ? (double)HUGE_VAL : log((double)t->from / (double)place);
    if (*holds)
        t->last_yes = place;
    else
        t->last_no = place;
    return SCRIM_OK;
}

TEST(place_search_finds_where_it_turns)
{
    CLAIM("place-search.asked");
    static const int64_t froms[] = {1, 2, 3, 100, 54321, 999999, 1000000};
    for (size_t i = 0; i < COUNT(froms); i++)
        for (int dumb = 0; dumb < 2; dumb++)
            for (int64_t start = -5; start < 2000000; start = 3 * start + 17) {
                turning t = {froms[i], -1, dumb == 1, 0, 0, 0};
                sc_place_found found = {false, 0, false};
                sc_place_question question = {&t, ask_turning};
                REQUIRE_OK(sc_place_search(
                    &question, &(sc_place_range){1, 1000000, start, 64}, &found, NULL));
                CHECK(found.found);
                CHECK_INT(found.place, froms[i]);
                CHECK(found.has_before == (froms[i] > 1));
                CHECK_INT(t.last_yes, froms[i]);
                if (found.has_before)
                    CHECK_INT(t.last_no, froms[i] - 1);
                CHECK(t.asked < 64);
            }
}

/* A question that turns more than once has some turn found, and both sides of it asked. */
TEST(place_search_does_not_mind_holes)
{
    CLAIM("place-search.asked");
    for (int64_t hole = 54321; hole < 54400; hole++) {
        turning t = {54321, hole, false, 0, 0, 0};
        sc_place_found found = {false, 0, false};
        REQUIRE_OK(sc_place_search(&(sc_place_question){&t, ask_turning},
                                   &(sc_place_range){1, 1000000, hole, 16}, &found,
                                   NULL));
        CHECK(found.found && found.has_before);
        CHECK_INT(t.last_yes, found.place);
        CHECK_INT(t.last_no, found.place - 1);
    }
}

/* Misses that are nearly straight save most of the questions. */
TEST(place_search_follows_the_misses)
{
    turning wise = {54321, -1, false, 0, 0, 0}, dumb = {54321, -1, true, 0, 0, 0};
    sc_place_found found;
    sc_place_range range = {1, 1000000000, 60000, 2000};
    REQUIRE_OK(
        sc_place_search(&(sc_place_question){&wise, ask_turning}, &range, &found, NULL));
    REQUIRE_OK(
        sc_place_search(&(sc_place_question){&dumb, ask_turning}, &range, &found, NULL));
    CHECK(wise.asked + 3 < dumb.asked);
}

TEST(place_search_says_when_there_is_none)
{
    turning t = {2000, -1, false, 0, 0, 0};
    sc_place_found found = {true, 0, true};
    REQUIRE_OK(sc_place_search(&(sc_place_question){&t, ask_turning},
                               &(sc_place_range){1, 1999, 5, 3}, &found, NULL));
    CHECK(!found.found);
    CHECK_INT(t.last_no, 1999);
}

static scrim_status ask_failing(void *context, int64_t place, bool *holds, double *miss,
                                scrim_error *error)
{
    turning *t = context;
    if (t->asked == 5)
        return SCRIM_E_MEMORY;
    return ask_turning(context, place, holds, miss, error);
}

TEST(place_search_stops_at_a_failure)
{
    turning t = {54321, -1, true, 0, 0, 0};
    sc_place_found found = {true, 7, true};
    CHECK_STATUS(sc_place_search(&(sc_place_question){&t, ask_failing},
                                 &(sc_place_range){1, 1000000, 5, 3}, &found, NULL),
                 SCRIM_E_MEMORY);
    CHECK_INT(found.place, 7);
}
