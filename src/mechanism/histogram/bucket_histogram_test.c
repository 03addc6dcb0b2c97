#include "choices.h"
#include "exact.h"
#include "mechanism/histogram/bucket_histogram.h"
#include "mechanism/histogram/stlap.h"
#include "random/bits_tape.h"
#include "sampling/uniform.h"
#include "scrim.h"
#include "tape_release.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LINE                                                                             \
    "bucket-histogram epsilon=1 q=3 upper=1 beta=0.1 neighbours=add-remove" /* 5 cells */

/* It costs as much as stlap with the same numbers. */
TEST(bucket_histogram_costs_what_its_counts_cost)
{
    CLAIM("bucket-histogram.privacy");
    static const char *const numbers[] = {
        "epsilon=1 q=8 neighbours=add-remove",
        "epsilon=1/2 delta=1e-6 neighbours=replace",
        "epsilon=2 delta=1e-4 group=3 neighbours=add-remove",
        "epsilon=1 q=9 sampler=table neighbours=add-remove"};
    for (size_t i = 0; i < COUNT(numbers); i++) {
        char line[256];
        snprintf(line, sizeof line, "stlap %s", numbers[i]);
        scrim_measurement *counts = choices_new(line);
        snprintf(line, sizeof line, "bucket-histogram upper=1 beta=0.1 %s", numbers[i]);
        scrim_measurement *rows = choices_new(line);
        REQUIRE(counts != NULL && rows != NULL);
        CHECK_INT(sc_ratio_compare(&counts->cost.epsilon, &rows->cost.epsilon), 0);
        CHECK_INT(sc_ratio_compare(&counts->cost.delta, &rows->cost.delta), 0);
        CHECK_INT(counts->cost.neighbours, rows->cost.neighbours);
        CHECK_INT(counts->cost.curve.is_attained, rows->cost.curve.is_attained);
        CHECK_INT(sc_stlap_q(counts), sc_bucket_histogram_q(rows));
        double a = 0, b = 0;
        REQUIRE_OK(scrim_measurement_delta_at(counts, "1/3", &a, NULL));
        REQUIRE_OK(scrim_measurement_delta_at(rows, "1/3", &b, NULL));
        CHECK_NEAR(a, b, 1e-12);
        scrim_measurement_free(rows);
        scrim_measurement_free(counts);
    }
}

/* Frequencies of draws, sparse and dense, against the product of the bars' laws. */
TEST(bucket_histogram_draws_by_its_law)
{
    CLAIM("bucket-histogram.privacy");
    static const int64_t rows[] = {4, 0, 0, 4, 0, 4, 4, 2};
    const uint64_t draws = check_count(20000, 1000000);
    sc_tape *tape = NULL;
    for (int dense = 0; dense < 2; dense++) {
        scrim_measurement *m = choices_new(dense ? LINE " mode=dense" : LINE);
        sc_outcomes law;
        sc_int128 values[16];
        sc_mark marks[16];
        REQUIRE(m != NULL);
        REQUIRE(choices_law(m, rows, COUNT(rows), 128, &law));
        choices_check_total(&law, 100);
        REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
        uint64_t *seen = calloc(law.count, sizeof *seen);
        REQUIRE(seen != NULL);
        uint64_t strangers = 0;
        for (uint64_t n = 0; n < draws; n++) {
            sc_draw draw = {.values = values, .marks = marks, .capacity = 16};
            const sc_private_input input = {.values = rows, .count = COUNT(rows)};
            int64_t key[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
            CHECK_STATUS(
                m->mechanism->draw(m, sc_tape_bits_of(tape), &input, &draw, NULL),
                SCRIM_OK);
            for (size_t i = 0; i < draw.count && i < 8; i++)
                key[i] = (int64_t)values[i];
            size_t at = 0;
            while (at < law.count &&
                   sc_outcomes_compare(law.keys + at * law.width, key, law.width) != 0)
                at++;
            if (at < law.count)
                seen[at]++;
            else
                strangers++;
        }
        CHECK_INT(strangers, 0);
        double square = 0;
        for (size_t i = 0; i < law.count; i++) {
            const double want = sc_ball_upper(&law.mass[i]) * (double)draws;
            if (want > 0)
                square += ((double)seen[i] - want) * ((double)seen[i] - want) / want;
        }
        /* About normal, mean n - 1 and variance 2 (n - 1): beyond 6 deviations, about 1e-8. */
        const double free_ones = (double)law.count - 1;
        CHECK(square < free_ones + 6 * sqrt(2 * free_ones) + 20);
        CHECK(law.count > 20);
        free(seen);
        sc_tape_free(tape);
        sc_outcomes_clear(&law);
        scrim_measurement_free(m);
    }
}

/* With mode=dense what is taken of a tape does not depend on which cells hold anything; else it
 * does. */
TEST(bucket_histogram_dense_takes_as_much_for_any_rows)
{
    CLAIM("bucket-histogram.privacy");
    static const int64_t rows[] = {4, 0, 0, 4, 0, 4, 4, 2};
    static const size_t counts[] = {0, 1, 8};
    for (int dense = 0; dense < 2; dense++) {
        scrim_measurement *m = choices_new(dense ? LINE " mode=dense" : LINE);
        uint64_t next[COUNT(counts)] = {0};
        sc_int128 values[16];
        sc_mark marks[16];
        REQUIRE(m != NULL);
        for (size_t i = 0; i < COUNT(counts); i++) {
            sc_draw draw = {.values = values, .marks = marks, .capacity = 16};
            const sc_private_input input = {.values = rows, .count = counts[i]};
            sc_tape *tape = NULL;
            REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
            REQUIRE_OK(m->mechanism->draw(m, sc_tape_bits_of(tape), &input, &draw, NULL));
            REQUIRE_OK(sc_bits_word(sc_tape_bits_of(tape), &next[i], NULL));
            sc_tape_free(tape);
        }
        CHECK((next[0] == next[1] && next[0] == next[2]) == (dense == 1));
        scrim_measurement_free(m);
    }
}

/* A release of texts: 0 <= x - y <= q everywhere, and the same answer for any order of rows. */
TEST(bucket_histogram_never_invents_anyone)
{
    CLAIM("bucket-histogram.accuracy");
    CLAIM("bucket-histogram.order");
    static const char *const numbers[] = {"0",     "0.19999999999999999999",
                                          "0.2",   "1/5",
                                          "0.39",  "3/5",
                                          "0.6",   "0.61",
                                          "0.999", "1",
                                          "1e99",  "-7",
                                          "-inf",  " .05 ",
                                          "0.0",   "0.1",
                                          "nan",   "",
                                          "red",   "0.2"};
    static const uint64_t want[] = {7, 4, 0, 3, 3}; /* as they are, clamped */
    enum { ROWS = COUNT(numbers) };
    scrim_measurement *m = choices_new(LINE);
    REQUIRE(m != NULL);
    for (uint64_t seed = 0; seed < check_count(50, 2000); seed++) {
        sc_tape *tape = NULL;
        scrim_answer *answer[2] = {NULL, NULL};
        for (size_t turn = 0; turn < 2; turn++) {
            const char *rows[ROWS];
            for (size_t i = 0; i < ROWS; i++)
                rows[i] = numbers[turn == 0 ? i : (i * 7 + 3) % ROWS];
            const scrim_input input = {.texts = rows, .count = ROWS};
            REQUIRE_OK(sc_tape_seeded(seed, &tape, NULL));
            REQUIRE_OK(tape_release(m, &input, tape, &answer[turn], NULL, NULL));
            sc_tape_free(tape);
        }
        CHECK_INT(scrim_answer_count(answer[0]), scrim_answer_count(answer[1]));
        uint64_t left[COUNT(want)] = {0};
        for (size_t i = 0; i < scrim_answer_count(answer[0]); i++) {
            int64_t count = 0;
            uint64_t place = 99, other = 98;
            CHECK_INT(scrim_answer_place(answer[0], i, &place), 1);
            CHECK_INT(scrim_answer_place(answer[1], i, &other), 1);
            CHECK_INT(place, other);
            CHECK_STR(scrim_answer_text(answer[0], i), scrim_answer_text(answer[1], i));
            REQUIRE(scrim_answer_integer(answer[0], i, &count) && place < COUNT(want));
            left[place] = (uint64_t)count;
        }
        for (size_t i = 0; i < COUNT(want); i++)
            CHECK(left[i] <= want[i] && left[i] + 3 >= want[i]);
        scrim_answer_free(answer[1]);
        scrim_answer_free(answer[0]);
    }
    scrim_measurement_free(m);
}

/* With a large epsilon and a q of 1 nearly everything is shown: labels, and rules for what is
 * outside. */
TEST(bucket_histogram_of_labelled_points)
{
    CLAIM("bucket-histogram.accuracy");
    static const char *const rows[] = {"0.1", "0.9", "1", "0.1", "0.9", "-1",
                                       "2",   "0.1", "1", "nan", "0.1", "1",
                                       "0.6", "0.6", "0", "0.6", "0.6", "x"};
    static const char *const rules[] = {"", " outside=discard"};
    for (size_t i = 0; i < COUNT(rules); i++) {
        char line[256];
        snprintf(line, sizeof line,
                 "bucket-histogram epsilon=1 q=1 upper=1 beta=1/2 dimensions=2 norm=1 "
                 "labelled=yes neighbours=add-remove%s",
                 rules[i]);
        scrim_measurement *m = choices_new(line);
        REQUIRE(m != NULL);
        CHECK_INT(sc_bucket_histogram_buckets(m)->count, 8);
        CHECK_INT(scrim_measurement_row_size(m), 3);
        size_t shown = 0;
        for (uint64_t seed = 0; seed < 40; seed++) {
            sc_tape *tape = NULL;
            scrim_answer *answer = NULL;
            const scrim_input input = {.texts = rows, .count = COUNT(rows)};
            REQUIRE_OK(sc_tape_seeded(seed, &tape, NULL));
            REQUIRE_OK(tape_release(m, &input, tape, &answer, NULL, NULL));
            for (size_t k = 0; k < scrim_answer_count(answer); k++) {
                const char *label = scrim_answer_label(answer, k);
                const bool is_first = strcmp(label, "0.25;0.75;+1") == 0;
                const bool is_second = strcmp(label, "0.25;0.75;-1") == 0;
                const bool is_third = strcmp(label, "0.75;0.25;+1") == 0;
                const bool is_fourth = strcmp(label, "0.75;0.75;-1") == 0;
                CHECK(is_first || is_second || is_fourth || (is_third && i == 0));
                shown |= (size_t)is_first | (size_t)is_second << 1 |
                         (size_t)is_third << 2 | (size_t)is_fourth << 3;
                CHECK_STR(scrim_answer_text(answer, k), "1");
            }
            CHECK_STR(scrim_answer_label_name(answer), "centre");
            scrim_answer_free(answer);
            sc_tape_free(tape);
        }
        CHECK_INT(shown, i == 0 ? 15 : 11); /* 2 is above the range */
        scrim_measurement_free(m);
    }
}

/* Reals go the same way as the texts that name them; infinity is an end, NaN no row. */
TEST(bucket_histogram_of_reals)
{
    CLAIM("bucket-histogram.total");
    static const double reals[] = {0.1, 0.2, 1.0 / 3, -0.0, 5e-324, 0.6};
    static const char *const texts[] = {
        "0.1000000000000000055511151231257827021181583404541015625",
        "0.200000000000000011102230246251565404236316680908203125",
        "0.333333333333333314829616256247390992939472198486328125",
        "0",
        "1e-310",
        "0.59999999999999997779553950749686919152736663818359375"};
    double odd[] = {HUGE_VAL, -HUGE_VAL, (double)NAN};
    scrim_measurement *m = choices_new(LINE);
    REQUIRE(m != NULL);
    for (size_t i = 0; i < COUNT(reals); i++) {
        sc_ratio a, b;
        sc_ratio_init(&a);
        exact_ratio(i == 4 ? "0" : texts[i], &b);
        CHECK(sc_grid_value_of_double(reals[i], &a));
        if (i != 4)
            CHECK_INT(sc_ratio_compare(&a, &b), 0);
        CHECK_INT(m->mechanism->place(m, i, &a), m->mechanism->place(m, i, &b));
        sc_ratio_clear(&b);
        sc_ratio_clear(&a);
    }
    for (uint64_t seed = 0; seed < 20; seed++) {
        sc_tape *tape = NULL;
        scrim_answer *answer = NULL;
        const scrim_input input = {.reals = odd, .count = COUNT(odd)};
        REQUIRE_OK(sc_tape_seeded(seed, &tape, NULL));
        REQUIRE_OK(tape_release(m, &input, tape, &answer, NULL, NULL));
        for (size_t k = 0; k < scrim_answer_count(answer); k++) {
            const char *label = scrim_answer_label(answer, k);
            CHECK(strcmp(label, "0.1") == 0 || strcmp(label, "0.9") == 0);
        }
        scrim_answer_free(answer);
        sc_tape_free(tape);
    }
    scrim_measurement_free(m);
}

/* Nothing fails on no rows, half a row, or invalid indices; and an empty answer is an answer. */
TEST(bucket_histogram_takes_any_rows)
{
    CLAIM("bucket-histogram.total");
    static const int64_t odd[] = {INT64_MIN, INT64_MAX, -1, 0, 4, 5, 3};
    scrim_measurement *m = choices_new(
        "bucket-histogram epsilon=1 q=2 upper=1 beta=0.1 dimensions=2 norm=max "
        "neighbours=add-remove");
    REQUIRE(m != NULL);
    for (size_t count = 0; count <= COUNT(odd); count++) {
        sc_tape *tape = NULL;
        scrim_answer *answer = NULL, *again = NULL;
        const scrim_input input = {.integers = odd, .count = count};
        REQUIRE_OK(sc_tape_seeded(count, &tape, NULL));
        REQUIRE_OK(tape_release(m, &input, tape, &answer, NULL, NULL));
        CHECK(scrim_answer_count(answer) <= count / 2);
        if (count == 0) {
            REQUIRE_OK(scrim_answer_parse(m, "", 1, &again, NULL));
            CHECK_INT(scrim_answer_count(again), 0);
            scrim_answer_free(again);
        }
        scrim_answer_free(answer);
        sc_tape_free(tape);
    }
    scrim_measurement_free(m);
}

/* An index beyond the last bucket is brought to it, or its row is left out; a negative one is no
 * row. */
TEST(bucket_histogram_brings_indices_inside)
{
    CLAIM("bucket-histogram.total");
    static const char *const rules[] = {"", " outside=discard"};
    int64_t far[20], none[20];
    for (size_t i = 0; i < COUNT(far); i++) {
        far[i] = i % 2 == 0 ? 5 : INT64_MAX;
        none[i] = -(int64_t)i - 1;
    }
    for (size_t i = 0; i < COUNT(rules); i++) {
        char line[256];
        sc_tape *tape = NULL;
        scrim_answer *answer = NULL;
        uint64_t place = 0;
        snprintf(line, sizeof line, "%s%s", LINE, rules[i]);
        scrim_measurement *m = choices_new(line);
        REQUIRE(m != NULL);
        REQUIRE_OK(sc_tape_seeded(1, &tape, NULL));
        REQUIRE_OK(tape_release(m, &(scrim_input){.integers = far, .count = COUNT(far)},
                                tape, &answer, NULL, NULL));
        CHECK_INT(scrim_answer_count(answer), i == 0);
        if (i == 0 && CHECK(scrim_answer_place(answer, 0, &place)))
            CHECK_INT(place, 4);
        scrim_answer_free(answer);
        REQUIRE_OK(tape_release(m, &(scrim_input){.integers = none, .count = COUNT(none)},
                                tape, &answer, NULL, NULL));
        CHECK_INT(scrim_answer_count(answer), 0);
        scrim_answer_free(answer);
        sc_tape_free(tape);
        scrim_measurement_free(m);
    }
}

/* The plan of the vectors: q from epsilon and delta, t from the range and beta, q t as alpha. */
TEST(bucket_histogram_certifies_by_its_plan)
{
    CLAIM("bucket-histogram.accuracy");
    json_t *rows = vectors_load("flexible-accuracy", "planning");
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row)
    {
        char line[256], want[64];
        scrim_certificate certificate;
        snprintf(line, sizeof line,
                 "bucket-histogram epsilon=%s delta=%s upper=%s beta=%s "
                 "neighbours=add-remove",
                 json_string_value(json_object_get(row, "eps")),
                 json_string_value(json_object_get(row, "delta")),
                 json_string_value(json_object_get(row, "B")),
                 json_string_value(json_object_get(row, "beta")));
        scrim_measurement *m = choices_new(line);
        REQUIRE(m != NULL);
        const int64_t q = json_integer_value(json_object_get(row, "q"));
        const int64_t t = json_integer_value(json_object_get(row, "t"));
        CHECK_INT(sc_bucket_histogram_q(m), q);
        CHECK_INT(sc_bucket_histogram_buckets(m)->count, t);
        REQUIRE_OK(scrim_measurement_certify(m, "0.95", 1, &certificate, NULL));
        CHECK_INT(certificate.form, SCRIM_CERTIFICATE_FLEXIBLE);
        snprintf(want, sizeof want, "%lld", (long long)q * t);
        CHECK_STR(certificate.alpha, want);
        CHECK_STR(certificate.gamma, "0");
        scrim_measurement_free(m);
    }
    CHECK_INT(index, 3);
}

/* spec/flexible-accuracy.md 14 E7: B = 1, beta .3, alpha .5, n = 100 make two buckets and q = 25, not 30. */
TEST(bucket_histogram_takes_a_share_of_elements_for_q)
{
    CLAIM("bucket-histogram.alpha");
    static const struct {
        const char *rest;
        uint64_t q;
    } cases[] = {
        {"alpha=.5 elements=100 beta=.3", 25},
        {"alpha=1 elements=7 beta=1/4", 3},
        {"alpha=1/3 elements=3 beta=1", 1},
        {"alpha=.5 elements=100 beta=.3 dimensions=2 norm=max", 12}, /* 4 cells */
        {"alpha=.5 elements=100 beta=.3 labelled=yes", 12},
        {"alpha=1 elements=4e18 beta=1", 2147483647},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char line[256];
        scrim_measurement *m = NULL;
        snprintf(line, sizeof line,
                 "bucket-histogram epsilon=1 upper=1 %s neighbours=add-remove",
                 cases[i].rest);
        REQUIRE_OK(scrim_measurement_parse(line, &m, NULL));
        const uint64_t q = sc_bucket_histogram_q(m);
        CHECK_INT(q, cases[i].q);
        scrim_measurement_free(m);
    }
}

TEST(bucket_histogram_refuses_what_is_no_plan)
{
    static const struct {
        const char *rest;
        scrim_status status;
        const char *word;
    } cases[] = {
        {"epsilon=1 upper=1 beta=0.1", SCRIM_E_PARAM, "q"},
        {"epsilon=1 q=3 delta=0.1 upper=1 beta=0.1", SCRIM_E_PARAM, "q"},
        {"epsilon=1 alpha=.1 q=3 elements=9 upper=1 beta=1", SCRIM_E_PARAM, "q"},
        {"epsilon=1 alpha=.1 upper=1 beta=1", SCRIM_E_PARAM, "elements"},
        {"epsilon=1 q=3 elements=9 upper=1 beta=1", SCRIM_E_PARAM, "elements"},
        {"epsilon=1 alpha=.1 elements=9 upper=1 beta=1", SCRIM_E_PARAM, "alpha"},
        {"epsilon=1 alpha=2 elements=9 upper=1 beta=1", SCRIM_E_LIMIT, "alpha"},
        {"epsilon=1 q=3 beta=0.1", SCRIM_E_PARAM, "upper"},
        {"epsilon=1 q=3 upper=1", SCRIM_E_PARAM, "beta"},
        {"epsilon=1 q=3 upper=1 beta=0", SCRIM_E_PARAM, "beta"},
        {"epsilon=1 q=3 upper=0 beta=1", SCRIM_E_PARAM, "upper"},
        {"epsilon=1 q=3 upper=-1 lower=-1 beta=1", SCRIM_E_PARAM, "upper"},
        {"epsilon=0 q=3 upper=1 beta=1", SCRIM_E_PARAM, "epsilon"},
        {"epsilon=1 q=0 upper=1 beta=1", SCRIM_E_PARAM, "q"},
        {"epsilon=1 q=1 group=2 upper=1 beta=1", SCRIM_E_PARAM, "q"},
        {"epsilon=1 q=3 upper=1 beta=1e-19", SCRIM_E_LIMIT, "beta"}, /* 2^62.1 */
        {"epsilon=1 q=3 upper=1e301 beta=1", SCRIM_E_LIMIT, "upper"},
        {"epsilon=1 q=3 upper=1 beta=1e-5 dimensions=5", SCRIM_E_LIMIT, "beta"},
        {"epsilon=1 q=3 upper=1 beta=1 dimensions=65", SCRIM_E_LIMIT, "dimensions"},
        {"epsilon=1 q=3 upper=1 beta=2^-26 mode=dense", SCRIM_E_LIMIT, "mode"},
        {"epsilon=1 q=3 upper=1 beta=1 norm=3", SCRIM_E_PARAM, "norm"},
        {"epsilon=1 q=3 upper=1 beta=1 outside=keep", SCRIM_E_PARAM, "outside"},
        {"epsilon=1 q=3 upper=2^-600 beta=1", SCRIM_E_LIMIT, "upper"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char line[256];
        snprintf(line, sizeof line, "bucket-histogram %s neighbours=add-remove",
                 cases[i].rest);
        choices_refused(line, cases[i].status, cases[i].word);
    }
    choices_refused("bucket-histogram epsilon=1 q=3 upper=1 beta=1 neighbours=local",
                    SCRIM_E_PARAM, "neighbours");
}
