#include "balls.h"
#include "choices.h"
#include "continuous_stlap.h"
#include "exact.h"
#include "mechanism/histogram/rounded_stlap.h"
#include "mechanism_lines.h"
#include "random/bits_tape.h"
#include "scrim.h"

#include <stdio.h>
#include <string.h>

#define FILE_NAME "robust-release"
#define LINE "rounded-stlap q=9 neighbours=add-remove"

static scrim_measurement *model(uint64_t q, const char *more)
{
    char text[128];
    snprintf(text, sizeof text, "q=%llu%s", (unsigned long long)q, more);
    return mechanism_model("rounded-stlap", text);
}

/* The law of rounded noise on the real line, which is computed there by itself. */
TEST(rounded_stlap_is_the_rounded_real_law)
{
    CLAIM("rounded-stlap.exact");
    static const struct {
        uint64_t q;
        const char *epsilon;
    } list[] = {{1, "1"}, {2, "1/2"}, {4, "1/2"}, {5, "2"}, {16, "1/4"}, {25, "1/5"}};
    for (size_t i = 0; i < COUNT(list); i++) {
        char more[32];
        sc_ratio q, e;
        sc_ball epsilon, want, got;
        snprintf(more, sizeof more, " epsilon=%s", list[i].epsilon);
        scrim_measurement *m = model(list[i].q, more);
        REQUIRE(m != NULL);
        exact_ratio(list[i].epsilon, &e);
        sc_ratio_init(&q);
        sc_ball_init(&epsilon);
        sc_ball_init(&want);
        sc_ball_init(&got);
        sc_ratio_set_int64(&q, (int64_t)list[i].q);
        sc_ball_set_ratio(&epsilon, &e, EXACT_BITS);
        for (uint64_t lost = 0; lost <= list[i].q; lost++) {
            continuous_stlap_rounded(&epsilon, &q, lost, EXACT_BITS, &want);
            sc_rounded_stlap_lost(m, lost, lost, EXACT_BITS, &got);
            CHECK_SAME(&got, &want, 150);
        }
        sc_ball_clear(&got);
        sc_ball_clear(&want);
        sc_ball_clear(&epsilon);
        sc_ratio_clear(&q);
        sc_ratio_clear(&e);
        scrim_measurement_free(m);
    }
}

/* A decimal of the facts is the printed number, to 11 digits. */
static void check_fact(const char *found, const char *printed)
{
    CHECK_NEAR(strtod(found, NULL) / strtod(printed, NULL), 1, 5e-12);
}

TEST(rounded_stlap_has_the_printed_numbers)
{
    CLAIM("rounded-stlap.privacy");
    CLAIM("rounded-stlap.facts");
    const json_t *rows = vectors_load(FILE_NAME, "rounded_stlap"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) == 4);
    json_array_foreach(rows, i, row)
    {
        scrim_rounded_stlap_facts facts;
        sc_ball x;
        scrim_measurement *m = model(vectors_number(row, "q"), "");
        REQUIRE(m != NULL);
        sc_ball_init(&x);
        sc_rounded_stlap_delta(m, &m->cost.epsilon, EXACT_BITS, &x);
        CHECK_PRINTED(&x, vectors_text(row, "exact"));
        REQUIRE_OK(scrim_rounded_stlap_facts_of(m, &facts, NULL));
        CHECK_INT(facts.q, vectors_number(row, "q"));
        check_fact(facts.published, vectors_text(row, "source"));
        check_fact(facts.delta, vectors_text(row, "exact"));
        check_fact(facts.stlap_delta, vectors_text(row, "stlap"));
        check_fact(facts.lost_none, vectors_text(row, "lost_none"));
        check_fact(facts.lost_one, vectors_text(row, "lost_one"));
        sc_ball_clear(&x);
        scrim_measurement_free(m);
    }
}

/* q = 2, where the formula does not hold: epsilon is a decimal below 1/sqrt 2, by less than 1e-20. */
TEST(rounded_stlap_of_two_elements_is_as_printed)
{
    CLAIM("rounded-stlap.privacy");
    const json_t *printed = vectors_load(FILE_NAME, "rounded_stlap_two");
    scrim_rounded_stlap_facts facts;
    scrim_measurement *m = model(2, " epsilon=0.70710678118654752440");
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_rounded_stlap_facts_of(m, &facts, NULL));
    check_fact(facts.delta, json_string_value(printed));
    CHECK_STR(facts.published, "");
    scrim_measurement_free(m);
}

TEST(rounded_stlap_facts_are_of_it_alone)
{
    CLAIM("rounded-stlap.facts");
    scrim_rounded_stlap_facts facts = {.q = 7};
    scrim_measurement *m = mechanism_model("stlap", "q=9 epsilon=1");
    REQUIRE(m != NULL);
    CHECK_STATUS(scrim_rounded_stlap_facts_of(m, &facts, NULL), SCRIM_E_PARAM);
    CHECK_INT(facts.q, 7);
    scrim_measurement_free(m);
}

TEST(rounded_stlap_only_ever_drops)
{
    CLAIM("rounded-stlap.accuracy");
    scrim_measurement *m = choices_new(LINE);
    sc_tape *tape = NULL;
    scrim_certificate c;
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 4, &c, NULL));
    CHECK_INT(c.form, SCRIM_CERTIFICATE_DROP);
    CHECK_STR(c.radius, "9");
    static const int64_t far = INT64_C(1) << 62;
    uint64_t ends = 0;
    for (uint64_t turn = 0; turn < check_count(2000, 20000); turn++) {
        const int64_t x[4] = {(int64_t)(turn % 31), 0, INT64_MAX - 5, -3};
        sc_int128 y[4];
        REQUIRE_OK(choices_draw(m, sc_tape_bits_of(tape), x, 4, y, 4));
        CHECK(y[0] <= x[0] && y[0] >= x[0] - 9 && y[0] >= 0);
        CHECK(y[1] == 0 && y[3] == 0);
        CHECK(y[2] <= far && y[2] >= far - 9);
        ends += y[2] == far || y[2] == far - 9;
    }
    CHECK(ends > 0);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

TEST(rounded_stlap_draws_fit_the_law)
{
    CLAIM("rounded-stlap.exact");
    static const int64_t x[2] = {12, 3};
    choices_fit(LINE, x, 2, check_count(20000, 1000000));
    choices_check_entropy(LINE, x, 2);
}

TEST(rounded_stlap_refuses)
{
    static const struct {
        const char *parameters;
        scrim_status status;
    } list[] = {{"", SCRIM_E_PARAM},
                {"q=0", SCRIM_E_PARAM},
                {"q=5", SCRIM_E_PARAM},
                {"q=16 epsilon=0", SCRIM_E_PARAM},
                {"q=16 neighbours=replace", SCRIM_E_PARAM},
                {"q=2147483648 epsilon=1", SCRIM_E_LIMIT},
                {"q=1073741824", SCRIM_OK},
                {"q=5 epsilon=1/3", SCRIM_OK}};
    for (size_t i = 0; i < COUNT(list); i++)
        mechanism_check_status("rounded-stlap", list[i].parameters, list[i].status);
    mechanism_check_faults(LINE);
}
