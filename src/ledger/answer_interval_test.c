#include "check.h"
#include "ledger/answer.h"

#include <stdio.h>
#include <string.h>

/* An answer of one value on a grid of 10^exponent. */
static void answer_of(scrim_answer **out, sc_int128 steps, int exponent, sc_mark mark)
{
    static const sc_mechanism nameless = {.answer_parameter = NULL};
    scrim_measurement measurement = {.mechanism = &nameless};
    sc_draw draw = {.values = &steps, .marks = &mark, .capacity = 1, .count = 1};
    measurement.domain.grid =
        (sc_grid){.is_decimal = true, .exponent = exponent, .low = -9, .high = 9};
    sc_cost_init(&measurement.cost);
    CHECK_STATUS(sc_answer_new(&measurement, &draw, 1, out, NULL), SCRIM_OK);
    sc_cost_clear(&measurement.cost);
}

static scrim_certificate certificate_of(scrim_certificate_form form, const char *radius)
{
    scrim_certificate certificate = {.form = form, .excludes = ""};
    snprintf(certificate.radius, sizeof certificate.radius, "%s", radius);
    return certificate;
}

TEST(interval_ends_are_exact)
{
    static const struct {
        sc_int128 steps;
        int exponent;
        const char *radius, *low, *high;
    } cases[] = {
        {12, 0, "3", "9", "15"},
        {-12, 0, "3", "-15", "-9"},
        {12, -2, "0.03", "0.09", "0.15"},
        {1, 0, "1/3", "2/3", "4/3"},
        {5, 2, "0", "500", "500"},
        {((sc_int128)1 << 100), 0, "1", "1267650600228229401496703205375",
         "1267650600228229401496703205377"},
        /* no double has these digits */
        {9007199254740993, 0, "1e-20", "9007199254740992.99999999999999999999",
         "9007199254740993.00000000000000000001"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scrim_answer *answer = NULL;
        char low[SCRIM_ANSWER_BYTES], high[SCRIM_ANSWER_BYTES];
        const scrim_certificate certificate = certificate_of(
            i % 2 == 0 ? SCRIM_CERTIFICATE_INTERVAL : SCRIM_CERTIFICATE_RANGE,
            cases[i].radius);
        answer_of(&answer, cases[i].steps, cases[i].exponent,
                  i % 3 == 0 ? SC_MARK_ABOVE_VALUE : SC_MARK_VALUE);
        if (answer != NULL &&
            CHECK_STATUS(scrim_answer_interval(answer, 0, &certificate, low, high, NULL),
                         SCRIM_OK)) {
            CHECK_STR(low, cases[i].low);
            CHECK_STR(high, cases[i].high);
        }
        scrim_answer_free(answer);
    }
}

/* The longest values of the finest and the coarsest grid have room. */
TEST(interval_ends_fit_for_every_grid)
{
    static const int exponents[] = {-SC_GRID_EXPONENT_DECIMAL, SC_GRID_EXPONENT_DECIMAL};
    for (size_t i = 0; i < 2; i++) {
        scrim_answer *answer = NULL;
        char low[SCRIM_ANSWER_BYTES], high[SCRIM_ANSWER_BYTES];
        const scrim_certificate certificate =
            certificate_of(SCRIM_CERTIFICATE_INTERVAL, i == 0 ? "3e-330" : "3e330");
        answer_of(&answer, -(((sc_int128)1 << 126) - 1), exponents[i], SC_MARK_VALUE);
        if (answer != NULL &&
            CHECK_STATUS(scrim_answer_interval(answer, 0, &certificate, low, high, NULL),
                         SCRIM_OK))
            CHECK(strlen(low) > 300 && strlen(high) > 300);
        scrim_answer_free(answer);
    }
}

TEST(interval_is_of_numbers_and_intervals_only)
{
    static const sc_mark marks[] = {SC_MARK_VALUE, SC_MARK_INDEX,       SC_MARK_BELOW,
                                    SC_MARK_ABOVE, SC_MARK_ABOVE_VALUE, SC_MARK_NONE};
    static const scrim_certificate_form forms[] = {
        SCRIM_CERTIFICATE_NONE,  SCRIM_CERTIFICATE_INTERVAL, SCRIM_CERTIFICATE_PAC,
        SCRIM_CERTIFICATE_RANGE, SCRIM_CERTIFICATE_FLEXIBLE, SCRIM_CERTIFICATE_FREQUENCY,
        SCRIM_CERTIFICATE_DROP};
    for (size_t i = 0; i < 42; i++) {
        const sc_mark mark = marks[i % 6];
        const scrim_certificate_form form = forms[i / 6];
        const scrim_certificate certificate = certificate_of(form, "1");
        const bool is_number = mark == SC_MARK_VALUE || mark == SC_MARK_ABOVE_VALUE;
        /* 1 may be 2, and not 0; a flexible one with a radius says the same of it */
        const bool is_drop =
            form == SCRIM_CERTIFICATE_DROP || form == SCRIM_CERTIFICATE_FLEXIBLE;
        const bool covers = form == SCRIM_CERTIFICATE_INTERVAL ||
                            form == SCRIM_CERTIFICATE_RANGE || is_drop;
        scrim_answer *answer = NULL;
        scrim_error error;
        char low[SCRIM_ANSWER_BYTES] = "as it was", high[SCRIM_ANSWER_BYTES] = "too";
        answer_of(&answer, 1, 0, mark);
        if (answer == NULL)
            return;
        CHECK_STATUS(scrim_answer_interval(answer, 0, &certificate, low, high, &error),
                     is_number && covers ? SCRIM_OK : SCRIM_E_PARAM);
        CHECK_STR(low, !is_number || !covers ? "as it was" : is_drop ? "1" : "0");
        CHECK_STR(high, is_number && covers ? "2" : "too");
        scrim_answer_free(answer);
    }
}

TEST(interval_of_a_flexible_certificate_needs_a_radius)
{
    const scrim_certificate certificate = certificate_of(SCRIM_CERTIFICATE_FLEXIBLE, "");
    scrim_answer *answer = NULL;
    char low[SCRIM_ANSWER_BYTES], high[SCRIM_ANSWER_BYTES];
    answer_of(&answer, 1, 0, SC_MARK_VALUE);
    REQUIRE(answer != NULL);
    CHECK_STATUS(scrim_answer_interval(answer, 0, &certificate, low, high, NULL),
                 SCRIM_E_PARAM);
    scrim_answer_free(answer);
}

/* Counts from a threshold on: the radius says which are shown, another one how far they are off. */
TEST(interval_of_a_shown_count_is_that_of_values)
{
    static const sc_mark marks[] = {SC_MARK_VALUE, SC_MARK_ABOVE_VALUE};
    scrim_certificate certificate = certificate_of(SCRIM_CERTIFICATE_PAC, "48");
    snprintf(certificate.value_radius, sizeof certificate.value_radius, "9");
    for (size_t i = 0; i < COUNT(marks); i++) {
        scrim_answer *answer = NULL;
        char low[SCRIM_ANSWER_BYTES] = "", high[SCRIM_ANSWER_BYTES] = "";
        answer_of(&answer, 50, 0, marks[i]);
        REQUIRE(answer != NULL);
        CHECK_STATUS(scrim_answer_interval(answer, 0, &certificate, low, high, NULL),
                     SCRIM_OK);
        CHECK_STR(low, "41");
        CHECK_STR(high, "59");
        scrim_answer_free(answer);
    }
}
