#include "choices.h"
#include "exact.h"
#include "goodness.h"
#include "item_draws.h"
#include "mechanism/threshold/frequent_sets.h"
#include "mechanism/threshold/item_sets.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "mechanism_lines.h"
#include "random/bits_tape.h"
#include "scrim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE                                                                             \
    "frequent-sets epsilon=9 delta=1e-2 length=2 items=2 size=2 frequent=3 "             \
    "neighbours=add-remove"

/* Shares in proportion to C(l,k), one charge; the items have the threshold of their share. */
TEST(frequent_sets_cost_one_epsilon_and_one_delta)
{
    CLAIM("frequent-sets.privacy");
    scrim_measurement *m =
        choices_new("frequent-sets epsilon=1 delta=1e-6 length=9 items=4 size=3 "
                    "frequent=1 neighbours=replace");
    scrim_measurement *items = choices_new("threshold-laplace epsilon=4/14 delta=1e-6 "
                                           "max-groups=4 neighbours=replace");
    scrim_cost cost;
    scrim_certificate a, b;
    REQUIRE(m != NULL && items != NULL);
    REQUIRE_OK(scrim_measurement_cost(m, &cost, NULL));
    CHECK_STR(cost.epsilon, "1");
    CHECK_STR(cost.delta, "0.000001");
    CHECK_INT(cost.neighbours, SCRIM_REPLACE);
    CHECK(m->cost.has_aside && items->cost.has_aside);
    CHECK(sc_ratio_compare(&m->cost.aside, &items->cost.aside) == 0);
    /* A set has 7 subsets: 1 - 0.07 is the confidence of all where 1 - 0.01 is that of each. */
    REQUIRE_OK(scrim_measurement_certify(m, "0.93", 9, &a, NULL));
    REQUIRE_OK(scrim_measurement_certify(items, "0.99", 9, &b, NULL));
    CHECK_STR(a.radius, b.radius);
    scrim_measurement_free(items);
    scrim_measurement_free(m);
}

/* A unit with several transactions has each item in all of them. */
TEST(A104_frequent_sets_of_several_transactions_have_their_threshold)
{
    CLAIM("frequent-sets.privacy");
    scrim_measurement *m =
        choices_new("frequent-sets epsilon=1 delta=1e-6 length=9 items=4 size=3 "
                    "frequent=1 max-rows=3 neighbours=add-remove");
    scrim_measurement *items = choices_new("threshold-laplace epsilon=4/14 delta=1e-6 "
                                           "max-total=12 neighbours=add-remove");
    scrim_certificate a, b;
    REQUIRE(m != NULL && items != NULL);
    CHECK(m->cost.has_aside && items->cost.has_aside);
    CHECK(sc_ratio_compare(&m->cost.aside, &items->cost.aside) == 0);
    REQUIRE_OK(scrim_measurement_certify(m, "0.93", 9, &a, NULL));
    REQUIRE_OK(scrim_measurement_certify(items, "0.99", 9, &b, NULL));
    CHECK_STR(a.radius, b.radius);
    scrim_measurement_free(items);
    scrim_measurement_free(m);
}

/* From e = epsilon on the curve is the mass of items of one unit alone; before, that of a pure
 * epsilon besides. */
TEST(frequent_sets_have_the_curve_that_is_claimed)
{
    CLAIM("frequent-sets.privacy");
    scrim_measurement *m = choices_new(LINE);
    double at, mass;
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_delta_at(m, "9", &mass, NULL));
    REQUIRE_OK(scrim_measurement_delta_at(m, "11", &at, NULL));
    CHECK(at == mass);
    const double q = exp(-3), tail = q * q / (1 + q); /* of scale 1/3: T is 3, of 1 + Z */
    CHECK_NEAR(mass, 1 - pow(1 - tail, 2), 1e-12);
    REQUIRE_OK(scrim_measurement_delta_at(m, "8", &at, NULL));
    const double pure = (exp(9) - exp(8)) / (1 + exp(9));
    CHECK_NEAR(at, mass + (1 - mass) * pure, 1e-12);
    scrim_measurement_free(m);
}

static double laplace(double rate, int64_t z)
{
    const double q = exp(-rate);
    return (1 - q) / (1 + q) * pow(q, fabs((double)z));
}

/* Two items, in 5 and 6 rows, 4 of them with both: scale 1/3 each, and 1/3 of the pair. */
SLOW_TEST(frequent_sets_have_the_law_of_their_levels)
{
    CLAIM("frequent-sets.exact");
    static const int64_t rows[] = {1, 2, 2, 1, 1, 2, 1, 2, 0, 1, 2, 0, 2, 2};
    scrim_measurement *m = choices_new(LINE);
    sc_outcomes law;
    REQUIRE(m != NULL);
    REQUIRE(choices_law(m, rows, COUNT(rows), 128, &law));
    REQUIRE_OK(sc_outcomes_sort(&law, 128, NULL));
    const int64_t both[] = {1, 6, 2, 5, 1 << SC_ITEM_BITS | 2, 4, -1, -1};
    const int64_t none[] = {1, 6, 2, 5, -1, -1, -1, -1};
    const int64_t one[] = {2, 6, -1, -1, -1, -1, -1, -1};
    const double q = exp(-3), items = laplace(3, 1) * laplace(3, 1);
    CHECK_NEAR(choices_mass(&law, both), items * laplace(3, 0), 1e-15);
    CHECK_NEAR(choices_mass(&law, none), items * pow(q, 2) / (1 + q), 1e-15);
    CHECK_NEAR(choices_mass(&law, one), pow(q, 3) / (1 + q) * laplace(3, 0), 1e-15);
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);
    item_draws_fit(LINE, rows, COUNT(rows), (unsigned)check_count(10000, 50000));
}

typedef struct answer {
    sc_int128 *values;
    sc_mark *marks;
    sc_draw draw;
} answer;

static bool draw_rows(const scrim_measurement *m, const int64_t *rows, size_t count,
                      answer *out)
{
    const sc_private_input input = {.values = rows, .count = count};
    sc_tape *tape = NULL;
    const size_t room = m->mechanism->answer_count(m, count);
    out->values = calloc(room, sizeof *out->values);
    out->marks = calloc(room, sizeof *out->marks);
    out->draw = (sc_draw){.values = out->values, .marks = out->marks, .capacity = room};
    const bool is_drawn =
        out->values != NULL && out->marks != NULL &&
        CHECK_STATUS(sc_tape_seeded(check_seed(), &tape, NULL), SCRIM_OK) &&
        CHECK_STATUS(
            m->mechanism->draw(m, sc_tape_bits_of(tape), &input, &out->draw, NULL),
            SCRIM_OK);
    sc_tape_free(tape);
    return is_drawn;
}

static void answer_clear(answer *x)
{
    free(x->values);
    free(x->marks);
}

/* With hardly any noise: six items in 20 rows are a set of every size, and one more is not; of each
 * transaction as many are used as it has, so that all 63 sets have 20. */
TEST(frequent_sets_are_found_level_by_level)
{
    CLAIM("frequent-sets.accuracy");
    enum { ROWS = 40, LENGTH = 7 };
    int64_t rows[ROWS * LENGTH] = {0};
    scrim_measurement *m =
        choices_new("frequent-sets epsilon=1000 delta=1e-3 length=7 items=7 size=6 "
                    "frequent=15 neighbours=add-remove");
    answer x = {.values = NULL};
    REQUIRE(m != NULL);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < LENGTH;
             k++) /* 7 in every row, with 1 to 6 in odd ones of them */
            rows[i * LENGTH + k] = k == 6 ? (i < 10 ? 900 : 0) : i % 2 ? k + 1 : 0;
    if (draw_rows(m, rows, (size_t)ROWS * LENGTH, &x)) {
        CHECK_INT(x.draw.count, (sc_int128)2 * 63);
        for (size_t i = 1; i < x.draw.count; i += 2) {
            CHECK_INT(x.values[i], ROWS / 2);
            CHECK(i == 1 || x.values[i - 1] > x.values[i - 3]);
        }
        char text[64];
        m->mechanism->bar_label(m, (uint64_t)x.values[x.draw.count - 2], text,
                                sizeof text);
        CHECK_STR(text, "1+2+3+4+5+6");
        CHECK_INT(m->mechanism->bar_label(m, (uint64_t)1 << 60, NULL, 0), 0);
    }
    answer_clear(&x);
    scrim_measurement_free(m);
}

/* Pairs of 30 items, 60 rows with each: of two items a row holds one pair, and another one instead. */
enum {
    NOISY_ITEMS = 30,
    NOISY_ROWS = 60,
    NOISY_PAIRS = NOISY_ITEMS * (NOISY_ITEMS - 1) / 2
};

static void fill_pairs(int64_t *rows)
{
    for (int64_t a = 1; a <= NOISY_ITEMS; a++)
        for (int64_t b = a + 1; b <= NOISY_ITEMS; b++)
            for (size_t i = 0; i < NOISY_ROWS; i++) {
                *rows++ = a;
                *rows++ = b;
            }
}

/* The noise of all pairs has the scale D_2 / epsilon_2, epsilon_2 a third of epsilon. */
static void check_pair_noise(const char *line, const char *scale, const int64_t *rows,
                             uint64_t draws)
{
    const sc_private_input input = {.values = rows,
                                    .count = 2 * (size_t)NOISY_ROWS * NOISY_PAIRS};
    static sc_int128 values[2 * (NOISY_ITEMS + NOISY_PAIRS)];
    static sc_mark marks[COUNT(values)];
    sc_law law;
    goodness fit;
    sc_tape *tape = NULL;
    scrim_measurement *m = choices_new(line);
    REQUIRE(m != NULL);
    exact_law(&sc_discrete_laplace_law, scale, 0, &law);
    REQUIRE(goodness_init(&fit, &law, GOODNESS_COARSE));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t i = 0; i < draws; i++) {
        sc_draw draw = {.values = values, .marks = marks, .capacity = COUNT(values)};
        REQUIRE_OK(m->mechanism->draw(m, sc_tape_bits_of(tape), &input, &draw, NULL));
        CHECK_INT(draw.count, COUNT(values));
        for (size_t k = 2 * NOISY_ITEMS + 1; k < draw.count; k += 2) {
            const sc_int128 noise = values[k] - NOISY_ROWS;
            goodness_count(&fit, &noise, 1);
        }
    }
    CHECK(goodness_holds(&fit));
    sc_tape_free(tape);
    goodness_clear(&fit);
    sc_law_clear(&law);
    scrim_measurement_free(m);
}

SLOW_TEST(frequent_sets_have_noise_for_all_rows_of_a_unit)
{
    CLAIM("frequent-sets.exact");
    static int64_t rows[2 * NOISY_ROWS * NOISY_PAIRS];
    const uint64_t draws = check_count(3, 40);
    fill_pairs(rows);
#define OF_PAIRS "frequent-sets epsilon=3 delta=1e-3 length=2 items=2 size=2 frequent=1 "
    check_pair_noise(OF_PAIRS "neighbours=add-remove", "1", rows, draws);
    check_pair_noise(OF_PAIRS "neighbours=replace", "2", rows, draws);
    check_pair_noise(OF_PAIRS "max-rows=3 neighbours=add-remove", "3", rows, draws);
}

/* Items that are rare make room: the pair 1+2 is in every row, but after truncation in few. The count
 * of the pair is that of all rows, since only frequent items are used for it. */
TEST(frequent_sets_use_what_is_frequent)
{
    CLAIM("frequent-sets.accuracy");
    enum { ROWS = 4000, LENGTH = 6 };
    static int64_t rows[ROWS * LENGTH];
    scrim_measurement *m =
        choices_new("frequent-sets epsilon=1000 delta=1e-3 length=6 items=2 size=2 "
                    "frequent=1000 neighbours=add-remove");
    answer x = {.values = NULL};
    REQUIRE(m != NULL);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < LENGTH; k++)
            rows[i * LENGTH + k] = k < 2 ? k + 1 : 4 * i + k + 1;
    if (draw_rows(m, rows, (size_t)ROWS * LENGTH, &x)) {
        REQUIRE(x.draw.count == 6);
        for (size_t i = 1; i < 4;
             i += 2) /* of 6 items 2 are used: a third, within 5 deviations */
            CHECK(fabs((double)x.values[i] - ROWS / 3.0) <= 5 * sqrt(ROWS * 2.0 / 9));
        CHECK_INT(x.values[5], ROWS);
    }
    answer_clear(&x);
    scrim_measurement_free(m);
}

TEST(frequent_sets_pair_the_most_frequent_items)
{
    enum { ITEMS = 300, ROWS = 4 };
    static int64_t rows[2 * ITEMS * ROWS];
    scrim_measurement *m =
        choices_new("frequent-sets epsilon=1000 delta=0.5 length=2 items=2 size=2 "
                    "frequent=2 neighbours=add-remove");
    answer x = {.values = NULL};
    size_t at = 0;
    REQUIRE(m != NULL);
    for (int i = 0; i < ITEMS; i++) /* the last 200 twice as often */
        for (int k = 0; k < (i < 100 ? ROWS / 2 : ROWS); k++) {
            rows[at++] = i + 1;
            rows[at++] = 0;
        }
    rows[1] = 2; /* a pair of rare items */
    if (draw_rows(m, rows, at, &x))
        CHECK_INT(x.draw.count, (sc_int128)2 * ITEMS);
    answer_clear(&x);
    scrim_measurement_free(m);
}

TEST(frequent_sets_refuse)
{
    static const choices_refusal list[] = {
        {"epsilon=1 delta=1e-6 length=4 items=2 size=2 neighbours=replace", SCRIM_E_PARAM,
         "frequent"},
        {"epsilon=1 delta=1e-6 length=4 items=2 size=2 frequent=0 neighbours=replace",
         SCRIM_E_PARAM, "frequent"},
        {"epsilon=1 delta=1e-6 length=4 items=2 size=7 frequent=9 neighbours=replace",
         SCRIM_E_LIMIT, "size"},
        {"epsilon=1 delta=1e-6 length=4 items=17 size=2 frequent=9 neighbours=replace",
         SCRIM_E_LIMIT, "items"},
        {"epsilon=1e-6 delta=1e-6 length=4 items=2 size=2 frequent=9 neighbours=replace",
         SCRIM_E_LIMIT, "epsilon"},
        {"epsilon=1 length=4 items=2 size=2 frequent=9 neighbours=replace", SCRIM_E_PARAM,
         "delta"}};
    choices_refuse("frequent-sets", list, COUNT(list));
    mechanism_check_faults(LINE);
}
