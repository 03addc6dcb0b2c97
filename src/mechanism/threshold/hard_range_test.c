#include "balls.h"
#include "choices.h"
#include "exact.h"
#include "laws.h"
#include "mechanism/threshold/hard_range.h"
#include "mechanism_lines.h"
#include "noise_checks.h"
#include "random/bits_tape.h"
#include "summation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *text_in(const json_t *row, const char *name)
{
    return json_string_value(json_object_get(row, name));
}

static int64_t number_in(const json_t *row, const char *name)
{
    return json_integer_value(json_object_get(row, name));
}

static scrim_measurement *made(const json_t *row, const char *width, const char *end)
{
    char line[200];
    snprintf(line, sizeof line,
             "range sensitivity=%lld epsilon=%s %s=%s size=1 neighbours=add-remove",
             (long long)number_in(row, "Delta"), text_in(row, "eps"), width, end);
    return noise_made(line);
}

/* F1: what the source prints for several of these widths is less than what there is. */
TEST(range_has_the_printed_deltas)
{
    CLAIM("range.privacy");
    json_t *table = vectors_load("thresholding", "range_mechanism_delta");
    json_t *rows = json_object_get(table, "rows"), *row;
    size_t r, above = 0;
    json_array_foreach(rows, r, row)
    {
        char width[24];
        sc_ratio epsilon, charged;
        sc_ball delta, cost;
        snprintf(width, sizeof width, "%lld", (long long)number_in(row, "L"));
        scrim_measurement *m = made(row, "width", width);
        REQUIRE(m != NULL);
        exact_ratio(text_in(row, "eps"), &epsilon);
        sc_ball_init(&delta);
        sc_ball_init(&cost);
        sc_curve_delta_upper(&m->cost.curve, &epsilon, EXACT_BITS, &delta);
        CHECK_PRINTED(&delta, text_in(row, "delta_exact"));
        exact_ratio("0", &charged);
        sc_ratio_set(&charged, &m->cost.delta);
        sc_ball_set_ratio(&cost, &charged, EXACT_BITS);
        CHECK(sc_ball_is_less_equal(&delta, &cost));
        CHECK_NEAR(sc_ball_upper(&cost), sc_ball_upper(&delta), 1e-15);
        const bool is_above =
            sc_ball_lower(&delta) > strtod(text_in(row, "paper_theorem2_claim"), NULL);
        CHECK_INT(is_above, json_is_true(json_object_get(row, "paper_claim_violated")));
        above += is_above;
        sc_ball_clear(&cost);
        sc_ball_clear(&delta);
        sc_ratio_clear(&charged);
        sc_ratio_clear(&epsilon);
        scrim_measurement_free(m);
    }
    CHECK_INT(r, 7);
    CHECK_INT(above, 3);
}

TEST(range_has_the_printed_widths)
{
    CLAIM("range.smallest");
    json_t *rows = vectors_load("thresholding", "range_L_min"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        scrim_cost cost;
        scrim_certificate c;
        char want[24];
        scrim_measurement *m = made(row, "delta", text_in(row, "delta"));
        REQUIRE(m != NULL);
        CHECK_INT(sc_hard_range_width(m), number_in(row, "L_min"));
        REQUIRE_OK(scrim_measurement_cost(m, &cost, NULL));
        CHECK_NEAR(strtod(cost.delta, NULL), strtod(text_in(row, "delta"), NULL), 0);
        REQUIRE_OK(scrim_measurement_certify(m, "0.5", 1, &c, NULL));
        snprintf(want, sizeof want, "%lld", (long long)number_in(row, "L_min"));
        CHECK_INT(c.form, SCRIM_CERTIFICATE_RANGE);
        CHECK_STR(c.radius, want);
        scrim_measurement_free(m);
    }
    CHECK_INT(r, 5);
}

/* From the sensitivity on, and one less has more; over a net of parameters, by the formula in
 * doubles. */
TEST(range_width_for_a_delta_is_the_smallest)
{
    CLAIM("range.smallest");
    static const char *const epsilons[] = {"1/20", "1", "4"};
    static const char *const deltas[] = {"0.3", "1e-3", "1e-12"};
    for (size_t i = 0; i < 27; i++) {
        const int64_t d = (int64_t[]){1, 2, 9}[i % 3];
        const char *epsilon = epsilons[i / 3 % 3], *delta = deltas[i / 9];
        char line[200];
        snprintf(line, sizeof line,
                 "range sensitivity=%lld epsilon=%s delta=%s neighbours=replace",
                 (long long)d, epsilon, delta);
        scrim_measurement *m = noise_made(line);
        REQUIRE(m != NULL);
        const double e = i / 3 % 3 == 0 ? 0.05 : strtod(epsilon, NULL);
        const double w = e / (double)d;
        const int64_t width = (int64_t)sc_hard_range_width(m);
        for (int64_t l = width; l >= width - 1 && l >= d; l--) {
            const double mass =
                -expm1(-e) * exp(-w * (double)(l - d + 1)) / (1 + exp(-w));
            CHECK((mass <= strtod(delta, NULL)) == (l == width));
        }
        CHECK(width >= d);
        scrim_measurement_free(m);
    }
}

/* The delta at epsilon of a pair, which both directions have. */
static void delta_of(const json_t *row, const sc_pair *pair, sc_ball *out)
{
    char line[200];
    summation sum;
    sc_ball back;
    sc_ratio epsilon;
    snprintf(line, sizeof line, "sensitivity=%lld epsilon=%s width=%lld",
             (long long)number_in(row, "Delta"), text_in(row, "eps"),
             (long long)number_in(row, "L"));
    REQUIRE(summation_open(&sum, &sc_hard_range, line, pair));
    exact_ratio(text_in(row, "eps"), &epsilon);
    sc_ball_init(&back);
    summation_delta(&sum, &epsilon, out);
    summation_delta_back(&sum, &epsilon, &back);
    CHECK(ball_overlaps(out, &back));
    sc_ball_clear(&back);
    sc_ratio_clear(&epsilon);
    summation_close(&sum);
}

/* Where there are too many answers to be summed: 1 - prod(1 - b), each b a sum. */
static void delta_by_values(const json_t *row, const sc_pair *pair, sc_ball *out)
{
    sc_ball one;
    sc_ball_init(&one);
    sc_ball_set_int64(out, 1);
    for (size_t i = 0; i < pair->y_count; i++) {
        const sc_pair alone = {.y = {pair->y[i]}, .x_count = 1, .y_count = 1};
        delta_of(row, &alone, &one);
        sc_ball_neg(&one, &one);
        sc_ball_add_int64(&one, &one, 1, EXACT_BITS);
        sc_ball_mul(out, out, &one, EXACT_BITS);
    }
    sc_ball_neg(out, out);
    sc_ball_add_int64(out, out, 1, EXACT_BITS);
    sc_ball_clear(&one);
}

/* F2: how the sensitivity is split over values, by sums over all answers. */
TEST(range_of_several_values_has_the_printed_deltas)
{
    CLAIM("range.privacy");
    json_t *rows = vectors_load("thresholding", "range_mechanism_multidim"), *row;
    size_t r, summed = 0;
    json_array_foreach(rows, r, row)
    {
        json_t *shifts = json_object_get(row, "shift"), *shift;
        sc_pair pair = {.x_count = 0};
        size_t k;
        sc_ball delta;
        json_array_foreach(shifts, k, shift)
        {
            if (json_integer_value(shift) != 0)
                pair.y[pair.y_count++] = json_integer_value(shift);
        }
        pair.x_count = pair.y_count;
        const double answers =
            pow(2 * (double)number_in(row, "L") + 2, (double)pair.x_count);
        sc_ball_init(&delta);
        if (answers <= 10000)
            delta_of(row, &pair, &delta);
        else
            delta_by_values(row, &pair, &delta);
        CHECK_PRINTED(&delta, text_in(row, "delta_exact"));
        sc_ball_clear(&delta);
        summed += answers <= 10000;
    }
    CHECK_INT(r, 7);
    CHECK_INT(summed, 6);
}

TEST(range_curve_is_that_of_its_law)
{
    CLAIM("range.privacy");
    static const struct {
        const char *line;
        sc_pair pair;
        bool is_exact;
    } list[] = {
        {"range epsilon=1 width=10 size=1", {{0}, {1}, 1, 1}, true},
        {"range epsilon=1 width=10 size=1", {{7}, {6}, 1, 1}, true},
        {"range sensitivity=3 epsilon=9/10 width=20 size=1", {{0}, {3}, 1, 1}, true},
        {"range sensitivity=3 epsilon=9/10 width=20 size=1", {{0}, {2}, 1, 1}, false},
        {"range sensitivity=4 epsilon=2 width=4 size=1", {{0}, {4}, 1, 1}, true},
        {"range sensitivity=0.3 epsilon=1/4 grid=0.1 delta=1e-3", {{0}, {3}, 1, 1}, true},
        {"range sensitivity=3 epsilon=1 width=6", {{0}, {3}, 1, 1}, false},
        {"range sensitivity=3 epsilon=1 width=6", {{0, 0}, {1, 2}, 2, 2}, false},
        {"range sensitivity=3 epsilon=1 width=5", {{0, 0, 0}, {1, -1, 1}, 3, 3}, false},
    };
    for (size_t i = 0; i < COUNT(list); i++)
        noise_check_curve(list[i].line, &list[i].pair, list[i].is_exact);
}

/* Section 10: every sensitivity up to 6, widths up to 60; the formula against the sum. */
TEST(range_claim_is_that_of_all_shifts)
{
    CLAIM("range.privacy");
    const int64_t step = check_is_long() ? 1 : 13;
    for (int64_t d = 1; d <= 6; d++)
        for (int64_t l = d; l <= 60; l += step) {
            char line[200];
            double worst = 0;
            snprintf(line, sizeof line, "sensitivity=%lld epsilon=1 width=%lld size=1",
                     (long long)d, (long long)l);
            for (int64_t s = 1; s <= d; s++) {
                summation sum;
                sc_ball delta;
                sc_ratio one;
                const sc_pair pair = {.x = {0}, .y = {s}, .x_count = 1, .y_count = 1};
                REQUIRE(summation_open(&sum, &sc_hard_range, line, &pair));
                exact_ratio("1", &one);
                sc_ball_init(&delta);
                summation_delta(&sum, &one, &delta);
                worst = fmax(worst, sc_ball_upper(&delta));
                sc_ball_clear(&delta);
                sc_ratio_clear(&one);
                summation_close(&sum);
            }
            const double w = 1.0 / (double)d;
            CHECK_NEAR(worst, -expm1(-1) * exp(-w * (double)(l - d + 1)) / (1 + exp(-w)),
                       1e-12);
        }
}

TEST(range_has_the_printed_probabilities_of_none)
{
    CLAIM("range.none");
    json_t *rows = vectors_load("thresholding", "range_suppression_probability"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        char width[24];
        sc_ball none;
        snprintf(width, sizeof width, "%lld", (long long)number_in(row, "L"));
        scrim_measurement *m = made(row, "width", width);
        REQUIRE(m != NULL);
        sc_ball_init(&none);
        sc_hard_range_none(m, 1, EXACT_BITS, &none);
        CHECK_PRINTED(&none, text_in(row, "per_dim"));
        sc_hard_range_none(m, 1000, EXACT_BITS, &none);
        CHECK_PRINTED(&none, text_in(row, "any_of_1000"));
        sc_ball_clear(&none);
        scrim_measurement_free(m);
    }
    CHECK_INT(r, 4);
}

/* No range misses the truth, and as many are missing as should. */
TEST(range_holds_the_truth_always)
{
    CLAIM("range.privacy");
    CLAIM("range.holds");
    CLAIM("range.none");
    enum { PORTION = 4096, WIDTH = 9 };
    static int64_t input[PORTION];
    static sc_int128 values[PORTION];
    static sc_mark marks[PORTION];
    scrim_measurement *m =
        noise_made("range sensitivity=2 epsilon=1 width=9 neighbours=replace");
    sc_tape *tape = NULL;
    sc_ball none;
    uint64_t seen[2 * WIDTH + 2] = {0}, wrong = 0;
    double expected[2 * WIDTH + 2];
    const uint64_t count = check_count_whole(1000000, 10000000);
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t i = 0; i < PORTION; i++)
        input[i] = ((int64_t)i - PORTION / 2) * 1000003;
    for (uint64_t done = 0; done < count; done += PORTION) {
        sc_draw room = {.values = values, .marks = marks, .capacity = PORTION};
        REQUIRE_OK(sc_hard_range.draw(
            m, sc_tape_bits_of(tape),
            &(sc_private_input){.values = input, .count = PORTION}, &room, NULL));
        for (size_t i = 0; i < PORTION; i++) {
            const sc_int128 away = values[i] - input[i];
            const bool is_none = marks[i] == SC_MARK_NONE;
            const bool is_right =
                is_none ? values[i] == 0
                        : marks[i] == SC_MARK_VALUE && away >= -WIDTH && away <= WIDTH;
            wrong += !is_right;
            seen[is_right && !is_none ? away + WIDTH : 2 * WIDTH + 1]++;
        }
    }
    CHECK_INT(wrong, 0);
    sc_ball_init(&none);
    sc_hard_range_none(m, 1, EXACT_BITS, &none);
    for (int i = 0; i <= 2 * WIDTH; i++)
        expected[i] = exp(-abs(i - WIDTH) / 2.0) * tanh(0.25);
    expected[2 * WIDTH + 1] = sc_ball_upper(&none);
    CHECK(seen[0] > 0 && seen[(size_t)2 * WIDTH] > 0);
    CHECK(laws_chi_square(seen, expected, COUNT(seen)) > LAWS_FALSE_ALARM);
    sc_ball_clear(&none);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

/* With the same bits the same ranges are missing, whatever the data, wide sums included. */
TEST(range_does_not_look_at_the_data)
{
    CLAIM("range.none");
    enum { DRAWS = 2000 };
    static int64_t zeros[DRAWS];
    static sc_int128 wide[DRAWS], values[2][DRAWS];
    static sc_mark marks[2][DRAWS];
    scrim_measurement *m =
        noise_made("range sensitivity=1 epsilon=1/2 width=3 neighbours=add-remove");
    sc_tape *tapes[2] = {NULL, NULL};
    REQUIRE(m != NULL);
    for (size_t i = 0; i < DRAWS; i++)
        wide[i] = ((sc_int128)1 << (i % 126)) * (i % 2 == 0 ? 1 : -1);
    for (int k = 0; k < 2; k++) {
        const sc_private_input input = {
            .values = zeros, .count = DRAWS, .wide = k == 1 ? wide : NULL};
        sc_draw room = {.values = values[k], .marks = marks[k], .capacity = DRAWS};
        REQUIRE_OK(sc_tape_seeded(check_seed() + 7, &tapes[k], NULL));
        REQUIRE_OK(sc_hard_range.draw(m, sc_tape_bits_of(tapes[k]), &input, &room, NULL));
    }
    size_t missing = 0;
    for (size_t i = 0; i < DRAWS; i++) {
        CHECK_INT(marks[0][i], marks[1][i]);
        missing += marks[0][i] == SC_MARK_NONE;
        if (marks[0][i] == SC_MARK_VALUE)
            CHECK_INT(values[1][i] - values[0][i], wide[i]);
    }
    CHECK(missing > 0 && missing < DRAWS);
    CHECK_INT(sc_tape_used(tapes[0]), sc_tape_used(tapes[1]));
    sc_tape_free(tapes[1]);
    sc_tape_free(tapes[0]);
    scrim_measurement_free(m);
}

/* Steps of a grid: the width is in them, the radius in the unit of the input. */
TEST(range_on_a_grid_is_in_its_unit)
{
    CLAIM("range.holds");
    scrim_certificate c;
    scrim_measurement *m = noise_made(
        "range sensitivity=0.05 epsilon=1 width=7 grid=0.01 neighbours=replace");
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 1, &c, NULL));
    CHECK_INT(c.form, SCRIM_CERTIFICATE_RANGE);
    CHECK_STR(c.radius, "0.07");
    CHECK(strstr(c.excludes, "no range") != NULL);
    scrim_measurement_free(m);
}

TEST(range_refuses_what_is_none)
{
    static const struct {
        const char *line;
        scrim_status status;
        const char *part;
    } list[] = {
        {"range sensitivity=1 epsilon=1 neighbours=replace", SCRIM_E_PARAM, "width"},
        {"range sensitivity=1 epsilon=1 width=3 delta=1e-3 neighbours=replace",
         SCRIM_E_PARAM, "width"},
        {"range sensitivity=4 epsilon=1 width=3 neighbours=replace", SCRIM_E_PARAM,
         "at least the sensitivity, which is 4 steps"},
        {"range sensitivity=1 width=3 neighbours=replace", SCRIM_E_PARAM, "epsilon"},
        {"range epsilon=1 width=3 neighbours=replace", SCRIM_E_PARAM, "sensitivity"},
        {"range sensitivity=0 epsilon=1 width=3 neighbours=replace", SCRIM_E_PARAM,
         "sensitivity"},
        {"range sensitivity=1 epsilon=1 width=3", SCRIM_E_PARAM, "neighbours"},
        {"range sensitivity=1 epsilon=1 delta=0 neighbours=replace", SCRIM_E_PARAM,
         "delta"},
        {"range sensitivity=2^60 epsilon=1 delta=1e-3 neighbours=replace", SCRIM_E_LIMIT,
         "1.1e18"},
        {"range sensitivity=1 epsilon=2^-59 delta=1e-40 neighbours=replace",
         SCRIM_E_LIMIT, "1.1e18"}};
    for (size_t i = 0; i < COUNT(list); i++)
        noise_refused(list[i].line, list[i].status, list[i].part);
}

TEST(range_fails_closed)
{
    static const int64_t values[] = {11, 0, 12};
    choices_check_entropy("range sensitivity=1 epsilon=1/100 width=30 neighbours=replace",
                          values, 3);
    mechanism_check_faults("range sensitivity=1 epsilon=1 delta=1e-3 neighbours=replace");
}
