#include "choices.h"
#include "mechanism/threshold/used_keys.h"

#define FIRST                                                                            \
    "stabilise sensitivity=1 epsilon=1 threshold=6 whole=yes neighbours=add-remove"

enum { KEYS = 4 };

/* A draw of the first step: these keys are kept. */
static const sc_int128 kept_keys[KEYS] = {0, 1, 0, 1};

typedef struct stage {
    scrim_measurement *m;
    sc_int128 values[KEYS];
    sc_mark marks[KEYS];
    sc_draw draw;
    sc_used_keys kept;
} stage;

static bool enter(stage *s, const char *line)
{
    static const int64_t input[KEYS] = {7, 40, 9, 30};
    s->m = choices_new(line);
    if (s->m == NULL)
        return false;
    for (size_t i = 0; i < KEYS; i++) {
        s->values[i] = kept_keys[i];
        s->marks[i] = SC_MARK_VALUE;
    }
    s->draw = (sc_draw){
        .values = s->values, .marks = s->marks, .capacity = KEYS, .count = KEYS};
    return CHECK_STATUS(
        sc_used_keys_take(s->m, &(sc_private_input){.values = input, .count = KEYS},
                          &s->draw, &s->kept, NULL),
        SCRIM_OK);
}

static void leave(stage *s)
{
    sc_used_keys_clear(&s->kept);
    scrim_measurement_free(s->m);
}

TEST(used_keys_are_those_that_the_first_step_saw)
{
    CLAIM("used-keys.same");
    stage s;
    REQUIRE(enter(&s, FIRST " then laplace sensitivity=1 epsilon=1 lower=0 upper=35 "
                            "whole=yes"));
    CHECK_INT(s.kept.input.count, 2);
    CHECK_INT(s.kept.input.values[0], 35); /* clamped to the range of the second step */
    CHECK_INT(s.kept.input.values[1], 30);
    CHECK_INT(s.kept.places[0], 1);
    CHECK_INT(s.kept.places[1], 3);
    CHECK(s.kept.is_enough);
    leave(&s);
}

TEST(used_keys_have_their_answers)
{
    CLAIM("used-keys.places");
    stage s;
    REQUIRE(enter(&s, FIRST " then laplace sensitivity=1 epsilon=1 whole=yes"));
    s.kept.draw.values[0] = -5;
    s.kept.draw.values[1] = 12;
    s.kept.draw.marks[0] = s.kept.draw.marks[1] = SC_MARK_VALUE;
    s.kept.draw.count = 2;
    sc_used_keys_put(s.m, &s.kept, &s.draw);
    CHECK_INT(s.draw.count, KEYS);
    CHECK(s.marks[0] == SC_MARK_NONE && s.values[0] == 0);
    CHECK(s.marks[1] == SC_MARK_VALUE && s.values[1] == -5);
    CHECK(s.marks[2] == SC_MARK_NONE && s.values[2] == 0);
    CHECK(s.marks[3] == SC_MARK_VALUE && s.values[3] == 12);
    leave(&s);
}

TEST(used_keys_are_chosen_by_their_own_place)
{
    CLAIM("used-keys.places");
    stage s;
    REQUIRE(enter(&s, FIRST " then exponential sensitivity=1 epsilon=1"));
    s.kept.draw.values[0] = 1;
    s.kept.draw.marks[0] = SC_MARK_INDEX;
    s.kept.draw.count = 1;
    sc_used_keys_put(s.m, &s.kept, &s.draw);
    CHECK_INT(s.draw.count, 1);
    CHECK(s.marks[0] == SC_MARK_INDEX && s.values[0] == 3);
    leave(&s);
    REQUIRE(enter(&s, FIRST " then top-k k=3 sensitivity=1 epsilon=1"));
    CHECK(!s.kept.is_enough); /* two are kept */
    sc_used_keys_put(s.m, &s.kept, &s.draw);
    CHECK_INT(s.draw.count, 1);
    CHECK(s.marks[0] == SC_MARK_NONE && s.values[0] == 0);
    leave(&s);
}

TEST(used_keys_end_where_queries_halt)
{
    CLAIM("used-keys.places");
    stage s;
    REQUIRE(enter(&s, FIRST " then above-threshold sensitivity=1 epsilon=1 threshold=8"));
    s.kept.draw.values[0] = 1;
    s.kept.draw.marks[0] = SC_MARK_ABOVE;
    s.kept.draw.count = 1;
    s.kept.draw.has_halted = true;
    sc_used_keys_put(s.m, &s.kept, &s.draw);
    CHECK_INT(s.draw.count, 2);
    CHECK(s.marks[0] == SC_MARK_BELOW && s.values[0] == 0);
    CHECK(s.marks[1] == SC_MARK_ABOVE && s.values[1] == 1);
    CHECK(s.draw.has_halted);
    leave(&s);
}
