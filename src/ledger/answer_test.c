#include "base/memory.h"
#include "check.h"
#include "faults.h"
#include "ledger/answer_record.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A measurement of which an answer needs the grid and the cost. */
static void measurement_of(scrim_measurement *m, bool is_decimal, int exponent)
{
    static const sc_mechanism nameless = {.answer_parameter = NULL};
    *m = (scrim_measurement){.mechanism = &nameless};
    m->domain.grid =
        (sc_grid){.is_decimal = is_decimal, .exponent = exponent, .low = -9, .high = 9};
    sc_cost_init(&m->cost);
    m->cost.neighbours = SCRIM_REPLACE;
    m->cost.has_epsilon = true;
    sc_ratio_set_int64(&m->cost.epsilon, 3);
}

static scrim_answer *answer_of(bool is_decimal, int exponent, const sc_int128 *values,
                               const sc_mark *marks, size_t count)
{
    scrim_measurement m;
    scrim_answer *answer = NULL;
    sc_int128 room[8];
    sc_mark marked[8];
    memcpy(room, values, count * sizeof *values);
    memcpy(marked, marks, count * sizeof *marks);
    sc_draw draw = {.values = room, .marks = marked, .capacity = 8, .count = count};
    measurement_of(&m, is_decimal, exponent);
    CHECK_STATUS(sc_answer_new(&m, &draw, 17, &answer, NULL), SCRIM_OK);
    sc_cost_clear(&m.cost);
    memset(room, 0x55, sizeof room); /* what was drawn has been copied */
    return answer;
}

TEST(answer_shows_exact_text)
{
    static const struct {
        bool is_decimal;
        int exponent;
        sc_int128 value;
        const char *text;
    } list[] = {{false, 0, 0, "0"},
                {false, 0, -42, "-42"},
                {true, -2, -1, "-0.01"},
                {true, -2, 12345, "123.45"},
                {true, 3, 7, "7000"},
                {false, -3, 3, "0.375"},
                {false, 4, -3, "-48"},
                {false, -20, 1, "0.00000095367431640625"},
                {false, -30, 1, "1/1073741824"},
                {false, 0, ((sc_int128)1 << 73) + 1, "9444732965739290427393"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const sc_mark mark = SC_MARK_VALUE;
        scrim_answer *answer =
            answer_of(list[i].is_decimal, list[i].exponent, &list[i].value, &mark, 1);
        REQUIRE(answer != NULL);
        CHECK_INT(scrim_answer_count(answer), 1);
        CHECK_STR(scrim_answer_text(answer, 0), list[i].text);
        /* Nothing is past the last. */
        uint64_t place = 5;
        int64_t integer = 5;
        CHECK(scrim_answer_text(answer, 1) == NULL);
        CHECK(scrim_answer_label(answer, 1) == NULL);
        CHECK_INT(scrim_answer_kind_at(answer, SIZE_MAX), SCRIM_ANSWER_NONE);
        CHECK_INT(scrim_answer_is_kept(answer, 1), 0);
        CHECK_INT(scrim_answer_place(answer, 1, &place), 0);
        CHECK_INT(scrim_answer_integer(answer, 1, &integer), 0);
        CHECK(isnan(scrim_answer_double(answer, 1)));
        scrim_answer_free(answer);
    }
    scrim_answer_free(NULL);
}

/* An index and a mark are what they are, whatever the grid; a value is in its unit. */
TEST(answer_of_each_kind)
{
    static const sc_int128 values[] = {5, 3, 0, 1, -7, 0};
    static const sc_mark marks[] = {SC_MARK_VALUE, SC_MARK_INDEX,       SC_MARK_BELOW,
                                    SC_MARK_ABOVE, SC_MARK_ABOVE_VALUE, SC_MARK_NONE};
    scrim_answer *answer = answer_of(true, -1, values, marks, 6);
    int64_t integer = 7;
    REQUIRE(answer != NULL);
    CHECK_INT(scrim_answer_kind_at(answer, 0), SCRIM_ANSWER_VALUE);
    CHECK_INT(scrim_answer_kind_at(answer, 1), SCRIM_ANSWER_INDEX);
    CHECK_INT(scrim_answer_kind_at(answer, 2), SCRIM_ANSWER_BELOW);
    CHECK_INT(scrim_answer_kind_at(answer, 3), SCRIM_ANSWER_ABOVE);
    CHECK_INT(scrim_answer_kind_at(answer, 4), SCRIM_ANSWER_ABOVE_VALUE);
    /* where nothing is said there is no 0 to be taken for a number */
    CHECK_INT(scrim_answer_kind_at(answer, 5), SCRIM_ANSWER_NONE);
    CHECK_STR(scrim_answer_text(answer, 5), "");
    CHECK_INT(scrim_answer_integer(answer, 5, &integer), 0);
    CHECK_INT(integer, 7);
    CHECK(isnan(scrim_answer_double(answer, 5)));
    char *line = sc_answer_line(answer);
    CHECK_STR(line, "0.5 #3 below above above=-0.7 none");
    sc_free(line);
    CHECK_STR(scrim_answer_cost(answer)->epsilon, "3");
    CHECK_INT(scrim_answer_cost(answer)->neighbours, SCRIM_REPLACE);
    CHECK_INT(scrim_answer_entry(answer), 17);
    CHECK_INT(scrim_answer_has_halted(answer), 0);
    scrim_answer_free(answer);
    answer = answer_of(true, -1, values, marks, 0);
    REQUIRE(answer != NULL);
    line = sc_answer_line(answer);
    CHECK_STR(line, "");
    sc_free(line);
    CHECK_INT(scrim_answer_count(answer), 0);
    scrim_answer_free(answer);
}

/* A05: what does not fit is not wrapped. */
TEST(answer_integers_fit_or_are_none)
{
    static const struct {
        int exponent;
        sc_int128 value;
        int fits;
        int64_t integer;
    } list[] = {{0, INT64_MAX, 1, INT64_MAX},
                {0, INT64_MIN, 1, INT64_MIN},
                {0, (sc_int128)INT64_MAX + 1, 0, 7},
                {0, (sc_int128)INT64_MIN - 1, 0, 7},
                {1, (sc_int128)1 << 62, 0, 7},
                {-1, 10, 1, 5},
                {-1, 11, 0, 7},
                {-1, (sc_int128)INT64_MAX * 2, 1, INT64_MAX}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const sc_mark mark = SC_MARK_VALUE;
        int64_t integer = 7;
        scrim_answer *answer =
            answer_of(false, list[i].exponent, &list[i].value, &mark, 1);
        REQUIRE(answer != NULL);
        CHECK_INT(scrim_answer_integer(answer, 0, &integer), list[i].fits);
        CHECK_INT(integer, list[i].integer);
        scrim_answer_free(answer);
    }
}

/* The nearest double is what strtod makes of the decimal text. */
TEST(answer_shows_the_nearest_double)
{
    static const int exponents[] = {0, -1, -2, -9, -15, 3, 20, 300};
    REQUIRE(setlocale(LC_ALL, "C") != NULL);
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        sc_int128 value = 1;
        for (int j = 0; j < 60; j++) {
            const sc_mark mark = SC_MARK_VALUE;
            const sc_int128 signed_value = j % 2 == 0 ? value : -value;
            scrim_answer *answer = answer_of(true, exponents[i], &signed_value, &mark, 1);
            REQUIRE(answer != NULL);
            CHECK(scrim_answer_double(answer, 0) ==
                  strtod(scrim_answer_text(answer, 0), NULL));
            scrim_answer_free(answer);
            value = value * 3 + j % 5;
            value = value > (sc_int128)1 << 90 ? 1 : value;
        }
    }
    const sc_int128 zero = 0;
    const sc_mark mark = SC_MARK_VALUE;
    scrim_answer *answer = answer_of(true, -2, &zero, &mark, 1);
    REQUIRE(answer != NULL);
    CHECK(scrim_answer_double(answer, 0) == 0.0);
    scrim_answer_free(answer);
}

/* Three quantiles are told apart; a count is what it is. */
TEST(answer_says_what_its_values_belong_to)
{
    static const char *const p[] = {"0.25", "0.5", "2/3"};
    scrim_measurement *m = NULL;
    REQUIRE_OK(scrim_measurement_parse("quantile p=1/4,0.5,2/3 epsilon=1 lower=0 upper=9 "
                                       "neighbours=replace",
                                       &m, NULL));
    int made = 0;
    FAULT_LOOP(fault)
    {
        scrim_answer *answer = NULL;
        sc_int128 values[3] = {1, 2, 3};
        sc_mark marks[3] = {SC_MARK_VALUE, SC_MARK_VALUE, SC_MARK_VALUE};
        sc_draw draw = {.values = values, .marks = marks, .capacity = 3, .count = 3};
        scrim_status status = sc_answer_new(m, &draw, 1, &answer, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        CHECK((answer != NULL) == (status == SCRIM_OK));
        for (size_t i = 0; answer != NULL && i < 3; i++)
            CHECK_STR(scrim_answer_label(answer, i), p[i]);
        if (answer != NULL)
            CHECK_STR(scrim_answer_label_name(answer), "p");
        made += answer != NULL;
        scrim_answer_free(answer);
    }
    CHECK_INT(made, 1);
    scrim_measurement_free(m);
    scrim_answer *plain =
        answer_of(true, 0, (sc_int128[]){7}, (sc_mark[]){SC_MARK_VALUE}, 1);
    REQUIRE(plain != NULL);
    CHECK(scrim_answer_label_name(plain) == NULL && scrim_answer_label(plain, 0) == NULL);
    scrim_answer_free(plain);
}

TEST(answer_survives_a_lack_of_memory)
{
    int made = 0;
    FAULT_LOOP(fault)
    {
        scrim_measurement m;
        scrim_answer *answer = NULL;
        sc_int128 values[3] = {1, 2, 3};
        sc_mark marks[3] = {SC_MARK_VALUE, SC_MARK_VALUE, SC_MARK_VALUE};
        sc_draw draw = {.values = values, .marks = marks, .capacity = 3, .count = 3};
        measurement_of(&m, true, -2);
        scrim_status status = sc_answer_new(&m, &draw, 1, &answer, NULL);
        CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY);
        CHECK((answer != NULL) == (status == SCRIM_OK));
        char *line = answer == NULL ? NULL : sc_answer_line(answer);
        CHECK((line != NULL) == !fault_hit());
        made += line != NULL;
        sc_free(line);
        scrim_answer_free(answer);
        sc_cost_clear(&m.cost);
    }
    CHECK_INT(made, 1);
}
