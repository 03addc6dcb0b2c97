#include "balls.h"
#include "check.h"
#include "faults.h"
#include "model/outcomes.h"

#include <string.h>

static scrim_status add(sc_outcomes *outcomes, const int64_t *key, int64_t mass)
{
    sc_ball ball;
    sc_ball_init(&ball);
    sc_ball_set_int64(&ball, mass);
    scrim_status status = sc_outcomes_add(outcomes, key, &ball, NULL);
    sc_ball_clear(&ball);
    return status;
}

static int64_t mass_of(const sc_outcomes *outcomes, const int64_t *key)
{
    sc_ball ball;
    sc_integer whole;
    sc_int128 value = -1;
    sc_ball_init(&ball);
    sc_integer_init(&whole);
    outcomes_mass(outcomes, key, &ball);
    if (sc_ball_floor(&ball, &whole))
        (void)sc_integer_get_int128(&whole, &value);
    sc_integer_clear(&whole);
    sc_ball_clear(&ball);
    return (int64_t)value;
}

/* Added in any order, more than fits the first memory, equal keys again and again. */
TEST(outcomes_sort_and_merge)
{
    enum { KEYS = 300, TIMES = 3, DRAWS = KEYS * TIMES };
    sc_outcomes outcomes;
    sc_ball total, want;
    sc_ball_init(&total);
    sc_ball_init(&want);
    sc_outcomes_init(&outcomes, 2);
    int64_t sum = 0;
    for (int64_t i = 0; i < DRAWS; i++) {
        int64_t k = i * 7919 % KEYS, key[2] = {k % 7 - 3, k};
        REQUIRE_OK(add(&outcomes, key, i));
        sum += i;
    }
    CHECK_INT(outcomes.count, DRAWS);
    REQUIRE_OK(sc_outcomes_sort(&outcomes, 64, NULL));
    CHECK_INT(outcomes.count, KEYS);
    for (size_t i = 1; i < outcomes.count; i++) {
        const int64_t *a = outcomes.keys + 2 * (i - 1), *b = a + 2;
        CHECK(a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]));
    }
    for (int64_t k = 0; k < KEYS; k++) {
        int64_t key[2] = {k % 7 - 3, k}, expected = 0;
        for (int64_t i = 0; i < DRAWS; i++)
            if (i * 7919 % KEYS == k)
                expected += i;
        CHECK_INT(mass_of(&outcomes, key), expected);
    }
    sc_outcomes_total(&outcomes, 64, &total);
    sc_ball_set_int64(&want, sum);
    CHECK(sc_ball_contains(&total, &want));
    sc_outcomes_clear(&outcomes);
    sc_ball_clear(&want);
    sc_ball_clear(&total);
}

/* An outcome that is not listed has no mass under a finite law, and up to all of the rest under another. */
TEST(outcomes_that_are_not_listed_have_the_rest)
{
    sc_outcomes outcomes;
    sc_ball mass, total;
    int64_t there = 5, not_there = 6;
    sc_ball_init(&mass);
    sc_ball_init(&total);
    sc_outcomes_init(&outcomes, 1);
    REQUIRE_OK(add(&outcomes, &there, 1));
    REQUIRE_OK(sc_outcomes_sort(&outcomes, 64, NULL));
    outcomes_mass(&outcomes, &not_there, &mass);
    CHECK(sc_ball_lower(&mass) == 0.0 && sc_ball_upper(&mass) == 0.0);
    sc_ball_set_int64(&outcomes.rest, 1);
    sc_ball_mul_power2(&outcomes.rest, &outcomes.rest, -3);
    outcomes_mass(&outcomes, &not_there, &mass);
    CHECK(sc_ball_lower(&mass) <= 0.0 && sc_ball_upper(&mass) >= 0.125);
    outcomes_mass(&outcomes, &there, &mass);
    CHECK(sc_ball_lower(&mass) == 1.0);
    REQUIRE_OK(sc_outcomes_sort(&outcomes, 64, NULL));
    sc_outcomes_total(&outcomes, 64, &total);
    CHECK(sc_ball_lower(&total) == 1.125);
    sc_outcomes_clear(&outcomes);
    sc_ball_clear(&total);
    sc_ball_clear(&mass);
}

/* An outcome without a key: a law of one point. */
TEST(outcomes_of_width_zero_are_one)
{
    sc_outcomes outcomes;
    sc_outcomes_init(&outcomes, 0);
    REQUIRE_OK(add(&outcomes, NULL, 2));
    REQUIRE_OK(add(&outcomes, NULL, 3));
    REQUIRE_OK(sc_outcomes_sort(&outcomes, 64, NULL));
    CHECK_INT(outcomes.count, 1);
    CHECK_INT(mass_of(&outcomes, NULL), 5);
    sc_outcomes_clear(&outcomes);
    sc_outcomes_init(&outcomes, 3);
    REQUIRE_OK(sc_outcomes_sort(&outcomes, 64, NULL));
    CHECK_INT(outcomes.count, 0);
    sc_outcomes_clear(&outcomes);
}

TEST(outcomes_are_limited)
{
    sc_outcomes outcomes;
    scrim_error error = {.message = ""};
    sc_ball mass;
    sc_ball_init(&mass);
    sc_outcomes_init(&outcomes, 0);
    for (size_t i = 0; i < SC_OUTCOMES_MAX; i++)
        if (sc_outcomes_add(&outcomes, NULL, &mass, NULL) != SCRIM_OK) {
            CHECK_FAIL("outcome %zu was refused", i);
            break;
        }
    CHECK_STATUS(sc_outcomes_add(&outcomes, NULL, &mass, &error), SCRIM_E_LIMIT);
    CHECK(strstr(error.message, "1048576") != NULL);
    CHECK_INT(outcomes.count, SC_OUTCOMES_MAX);
    sc_outcomes_clear(&outcomes);
    sc_ball_clear(&mass);
}

/* Each allocation fails in turn: the outcomes stay what they were. */
TEST(outcomes_survive_a_lack_of_memory)
{
    FAULT_LOOP(fault)
    {
        sc_outcomes outcomes;
        sc_outcomes_init(&outcomes, 1);
        scrim_status status = SCRIM_OK;
        int64_t added = 0;
        for (; status == SCRIM_OK && added < 100; added++) {
            const int64_t key = 99 - added;
            status = add(&outcomes, &key, key);
        }
        if (status != SCRIM_OK)
            added--;
        CHECK_INT(outcomes.count, added);
        size_t before = outcomes.count;
        scrim_status sorted = sc_outcomes_sort(&outcomes, 64, NULL);
        CHECK((status == SCRIM_OK && sorted == SCRIM_OK) == !fault_hit());
        CHECK(sorted == SCRIM_OK || sorted == SCRIM_E_MEMORY);
        CHECK_INT(outcomes.count, before);
        if (sorted != SCRIM_OK)
            CHECK_INT(outcomes.keys[0], 99);
        sc_outcomes_clear(&outcomes);
    }
}
