#include "balls.h"
#include "choices.h"
#include "exact.h"
#include "mechanism/selection/base2_exponential.h"
#include "random/bits_tape.h"

#define CANDIDATES_MAX 8

static const sc_base2 *base2_of(const scrim_measurement *m)
{
    return sc_scores_of(m)->prepared;
}

/* The law. */

static void set_pair(const json_t *pair, sc_ratio *out)
{
    sc_ratio below;
    sc_ratio_init(&below);
    sc_ratio_set_int64(out, json_integer_value(json_array_get(pair, 0)));
    sc_ratio_set_int64(&below, json_integer_value(json_array_get(pair, 1)));
    sc_ratio_div(out, out, &below);
    sc_ratio_clear(&below);
}

TEST(base2_exponential_law_is_the_printed_one)
{
    CLAIM("base2-exponential.exact");
    json_t *rows = vectors_load("mechanisms", "base2_exponential"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        int64_t scores[CANDIDATES_MAX];
        json_t *list = json_object_get(row, "scores");
        const size_t count = json_array_size(list);
        const int64_t halvings = json_integer_value(
            json_array_get(json_object_get(row, "halvings_per_unit"), 0));
        const sc_base2 base2 = {.halvings = (uint64_t)halvings, .reach = 100};
        sc_ball *mass = sc_balls_new(count);
        sc_ratio exact;
        sc_ratio_init(&exact);
        REQUIRE(count <= CANDIDATES_MAX && mass != NULL);
        for (size_t i = 0; i < count; i++)
            scores[i] = json_integer_value(json_array_get(list, i));
        sc_base2_probabilities(&base2, scores, count, EXACT_BITS, mass);
        for (size_t i = 0; i < count; i++) {
            set_pair(json_array_get(json_object_get(row, "probabilities"), i), &exact);
            CHECK(ball_contains_ratio(&mass[i], &exact));
            CHECK(sc_ball_is_accurate(&mass[i], 240));
        }
        sc_ratio_clear(&exact);
        sc_balls_free(mass, count);
    }
    CHECK_INT(json_array_size(rows), 3);
}

/* As many halvings as epsilon pays for, and their price. */
static void check_price(const char *line, uint64_t halvings, const char *printed)
{
    scrim_measurement *m = choices_new(line);
    scrim_cost cost;
    sc_ratio epsilon;
    sc_ball exact, charged, slack;
    if (m == NULL)
        return;
    CHECK_INT(base2_of(m)->halvings, halvings);
    CHECK_STATUS(scrim_measurement_cost(m, &cost, NULL), SCRIM_OK);
    exact_ratio(cost.epsilon, &epsilon);
    sc_ball_init(&exact);
    sc_ball_init(&charged);
    sc_ball_init(&slack);
    /* halvings D ln 2, D by what was declared, and twice that unless monotone. */
    sc_ball_set_int64(&exact, 2);
    sc_ball_log(&exact, &exact, 256);
    sc_ball_mul_int64(&exact, &exact,
                      (int64_t)(halvings * sc_scores_of(m)->steps) *
                          (sc_scores_of(m)->is_monotone ? 1 : 2),
                      256);
    CHECK_PRINTED(&exact, printed);
    sc_ball_set_ratio(&charged, &epsilon, 256);
    CHECK(sc_ball_is_less_equal(&exact, &charged));
    sc_ball_mul_power2(&slack, &exact, -50);
    sc_ball_add(&exact, &exact, &slack, 256);
    CHECK(sc_ball_is_less(&charged, &exact));
    CHECK(sc_ratio_compare(&epsilon, sc_measurement_get(m, "epsilon")) <= 0);
    sc_ball_clear(&slack);
    sc_ball_clear(&charged);
    sc_ball_clear(&exact);
    sc_ratio_clear(&epsilon);
    scrim_measurement_free(m);
}

TEST(base2_exponential_charges_its_halvings)
{
    CLAIM("base2-exponential.privacy");
    json_t *rows = vectors_load("mechanisms", "base2_exponential");
    const char *one =
        json_string_value(json_object_get(json_array_get(rows, 0), "epsilon_general"));
    const char *two =
        json_string_value(json_object_get(json_array_get(rows, 2), "epsilon_general"));
    check_price("base2-exponential epsilon=1.4 sensitivity=1 lower=0 upper=9 "
                "neighbours=replace",
                1, one);
    check_price("base2-exponential epsilon=1.38629436111989061884 sensitivity=1 lower=0 "
                "upper=9 neighbours=replace",
                1, one);
    check_price("base2-exponential epsilon=2.7 sensitivity=1 lower=0 upper=9 "
                "neighbours=replace",
                1, one);
    check_price("base2-exponential epsilon=2.8 sensitivity=1 lower=0 upper=9 "
                "neighbours=replace",
                2, two);
    check_price("base2-exponential epsilon=1.4 sensitivity=2 monotone=yes lower=0 "
                "upper=9 neighbours=add-remove",
                1, one);
    check_price("base2-exponential epsilon=3 sensitivity=1 monotone=yes grid=1/2 lower=0 "
                "upper=9 neighbours=add-remove",
                2, two);
}

TEST(base2_exponential_reaches_as_far_as_is_public)
{
    CLAIM("base2-exponential.exact");
    scrim_measurement *m = choices_new("base2-exponential epsilon=3 sensitivity=1 "
                                       "lower=-5 upper=4 neighbours=replace");
    REQUIRE(m != NULL);
    CHECK_INT(base2_of(m)->reach, 9);
    scrim_measurement_free(m);
    /* Beyond 2^20 the scores are capped: 1 and 2 million below the best weigh the same. */
    m = choices_new("base2-exponential epsilon=10 sensitivity=1 lower=0 upper=4000000 "
                    "neighbours=replace");
    REQUIRE(m != NULL);
    const int64_t scores[] = {4000000, 2000000, 1000000};
    const int64_t second = 1, third = 2;
    sc_outcomes law;
    sc_ball a, b;
    sc_ball_init(&a);
    sc_ball_init(&b);
    CHECK_INT(base2_of(m)->halvings, 7);
    CHECK_INT(base2_of(m)->reach, (1 << 20) / 7);
    REQUIRE(choices_law(m, scores, 3, 128, &law));
    outcomes_mass(&law, &second, &a);
    outcomes_mass(&law, &third, &b);
    CHECK(sc_ball_is_positive(&a) && sc_ball_contains(&a, &b));
    sc_outcomes_clear(&law);
    sc_ball_clear(&b);
    sc_ball_clear(&a);
    scrim_measurement_free(m);
}

/* Drawing. */

TEST(base2_exponential_reference_draws_by_one_integer)
{
    /* Weights 8, 2 and 1 of 11: an integer below 16, drawn again from 11 on. */
    const int64_t scores[] = {3, 1, 0};
    const sc_base2 base2 = {.halvings = 1, .reach = 3};
    uint64_t seen[3] = {0};
    for (unsigned char tape_number = 0; tape_number < 16; tape_number++) {
        sc_tape *tape = NULL;
        size_t index = 9;
        REQUIRE_OK(sc_tape_bits(&tape_number, 4, &tape, NULL));
        if (sc_base2_reference(sc_tape_bits_of(tape), &base2, scores, 3, &index, NULL) ==
            SCRIM_OK)
            seen[index]++;
        sc_tape_free(tape);
    }
    CHECK_INT(seen[0], 8);
    CHECK_INT(seen[1], 2);
    CHECK_INT(seen[2], 1);
    const sc_base2 long_one = {.halvings = 3, .reach = 3000};
    CHECK_STATUS(sc_base2_reference(NULL, &long_one, scores, 3, NULL, NULL),
                 SCRIM_E_LIMIT);
}

/* The two roads give the same borders: all integers below the sum, and the weights of the fast
 * road at the same share of theirs. */
TEST(base2_exponential_draws_by_its_weights)
{
    CLAIM("base2-exponential.exact");
    const int64_t scores[] = {0, -3, -1, 0, -62, -64, -70};
    const sc_base2 base2 = {.halvings = 1, .reach = 1000};
    const uint64_t one = (uint64_t)1 << 62;
    const uint64_t sum = 2 * one + (one >> 3) + (one >> 1) + 3;
    const struct {
        uint64_t z, size;
    } cells[] = {{0, one}, {one, one >> 3}, {one + (one >> 3), one >> 1}};
    for (size_t i = 0; i < 3; i++)
        for (int end = 0; end < 2; end++) {
            uint64_t words[2];
            sc_tape *tape = NULL;
            size_t index = 9;
            choices_words(end == 0 ? cells[i].z : cells[i].z + cells[i].size - 1, sum,
                          words);
            REQUIRE_OK(sc_tape_words(words, 2, &tape, NULL));
            REQUIRE_OK(
                sc_base2_choose(sc_tape_bits_of(tape), &base2, scores, 7, &index, NULL));
            CHECK_INT(index, i);
            sc_tape_free(tape);
        }
    /* The last two weigh 1 and are kept when 2 and 8 bits are 0; else the first is drawn. */
    for (uint64_t bits = 0; bits < 256; bits++)
        for (size_t far = 5; far <= 6; far++) {
            uint64_t words[] = {0, 0, bits, 0, 0};
            sc_tape *tape = NULL;
            size_t index = 9;
            choices_words(sum - 7 + far, sum, words);
            choices_words(0, sum, words + 3);
            REQUIRE_OK(sc_tape_words(words, 5, &tape, NULL));
            REQUIRE_OK(
                sc_base2_choose(sc_tape_bits_of(tape), &base2, scores, 7, &index, NULL));
            const bool is_kept = far == 5 ? bits % 4 == 0 : bits == 0;
            CHECK_INT(index, is_kept ? far : 0);
            sc_tape_free(tape);
        }
}

TEST(base2_exponential_frequencies_fit_the_law)
{
    CLAIM("base2-exponential.exact");
    static const int64_t four[] = {5, 5, 4, 2}, far[] = {0, 90, 89, 10};
    const uint64_t draws = check_count(100000, 1000000);
    choices_fit("base2-exponential epsilon=1.4 sensitivity=1 lower=0 upper=9 "
                "neighbours=replace",
                four, 4, draws);
    choices_fit("base2-exponential epsilon=1.4 sensitivity=1 monotone=yes lower=0 "
                "upper=100 neighbours=add-remove",
                far, 4, draws);
}

/* The mechanism. */

TEST(base2_exponential_refuses_what_is_not_private)
{
    choices_check_refusals("base2-exponential", "lower=0 upper=10");
    choices_refused("base2-exponential epsilon=2 sensitivity=1 neighbours=replace",
                    SCRIM_E_PARAM, "range");
    choices_refused(
        "base2-exponential epsilon=2 sensitivity=1 lower=0 neighbours=replace",
        SCRIM_E_PARAM, "range");
    choices_refused("base2-exponential epsilon=1.38629436111989061883 sensitivity=1 "
                    "lower=0 upper=9 neighbours=replace",
                    SCRIM_E_PARAM, "halving");
}

TEST(base2_exponential_fails_closed_without_bits)
{
    static const int64_t scores[] = {3, 0, 4, 3};
    choices_check_entropy("base2-exponential epsilon=2 sensitivity=1 lower=0 upper=9 "
                          "neighbours=replace",
                          scores, 4);
}

TEST(base2_exponential_accuracy_is_attained)
{
    CLAIM("base2-exponential.accuracy");
    const char *const line = "base2-exponential epsilon=1.4 sensitivity=1 lower=0 "
                             "upper=1000 neighbours=replace";
    for (size_t count = 1; count <= 64; count = 2 * count + 1)
        choices_check_accuracy(line, count, "0.95", true);
    choices_check_accuracy(line, 10, "0.999999", true);
    /* Where nothing rarer can be promised the range is: no loss is larger. */
    scrim_certificate certificate;
    scrim_measurement *m = choices_new("base2-exponential epsilon=1.4 sensitivity=1 "
                                       "lower=0 upper=3 neighbours=replace");
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_certify(m, "0.999", 10, &certificate, NULL));
    CHECK_STR(certificate.radius, "3");
    REQUIRE_OK(scrim_measurement_certify(m, "0.999", 1, &certificate, NULL));
    CHECK_STR(certificate.radius, "0");
    scrim_measurement_free(m);
}
