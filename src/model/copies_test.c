#include "balls.h"
#include "curves.h"
#include "model/copies.h"
#include "vectors.h"

#include <string.h>

/* The plain twin: every term by itself, with more bits than are needed. */
static void plain_delta(const sc_ratio *epsilon, uint64_t count, const sc_ratio *at,
                        long bits, sc_ball *out)
{
    sc_ball mass, step, term;
    sc_ratio above, part;
    sc_ball_init(&mass);
    sc_ball_init(&step);
    sc_ball_init(&term);
    sc_ratio_init(&above);
    sc_ratio_init(&part);
    sc_ball_set_ratio(&step, epsilon, bits);
    sc_ball_neg(&step, &step);
    sc_ball_exp(&step, &step, bits);
    sc_ball_add_int64(&mass, &step, 1, bits);
    sc_ball_power(&mass, &mass, count, bits);
    sc_ball_set_int64(&term, 1);
    sc_ball_div(&mass, &term, &mass, bits);
    sc_ball_set_int64(out, 0);
    for (uint64_t l = 0; l <= count; l++) {
        sc_ratio_set_int128(&above, (sc_int128)count - 2 * (sc_int128)l);
        sc_ratio_mul(&above, &above, epsilon);
        sc_ratio_sub(&above, at, &above);
        if (sc_ratio_sign(&above) >= 0)
            break;
        sc_ball_set_ratio(&term, &above, bits);
        sc_ball_expm1(&term, &term, bits);
        sc_ball_mul(&term, &term, &mass, bits);
        sc_ball_sub(out, out, &term, bits);
        sc_ball_mul(&mass, &mass, &step, bits);
        sc_ball_mul_int64(&mass, &mass, (int64_t)(count - l), bits);
        sc_ball_div_int64(&mass, &mass, (int64_t)(l + 1), bits);
    }
    sc_ratio_clear(&part);
    sc_ratio_clear(&above);
    sc_ball_clear(&term);
    sc_ball_clear(&step);
    sc_ball_clear(&mass);
}

/* k epsilon times a part of it. */
static void part_of(const sc_ratio *epsilon, uint64_t count, const char *part,
                    sc_ratio *out)
{
    sc_ratio k;
    exact_ratio(part, out);
    sc_ratio_init(&k);
    sc_ratio_set_int128(&k, (sc_int128)count);
    sc_ratio_mul(out, out, &k);
    sc_ratio_mul(out, out, epsilon);
    sc_ratio_clear(&k);
}

TEST(copies_delta_is_that_of_the_plain_sum)
{
    CLAIM("copies.delta");
    static const char *const epsilons[] = {"1e-300", "1e-9", "1/100", "7/10", "3", "50"};
    static const char *const parts[] = {"0", "1e-3", "1/7", "1/2", "9/10", "1"};
    static const uint64_t counts[] = {1, 2, 3, 10, 101, 1000};
    for (size_t i = 0; i < COUNT(epsilons); i++)
        for (size_t j = 0; j < COUNT(parts) * COUNT(counts); j++) {
            const uint64_t count = counts[j / COUNT(parts)];
            sc_ratio epsilon, at;
            sc_ball ours, plain;
            exact_ratio(epsilons[i], &epsilon);
            part_of(&epsilon, count, parts[j % COUNT(parts)], &at);
            sc_ball_init(&ours);
            sc_ball_init(&plain);
            CHECK(sc_copies_delta(&epsilon, count, &at, 128, &ours));
            plain_delta(&epsilon, count, &at, 400, &plain);
            CHECK_SAME(&ours, &plain, 120);
            sc_ball_clear(&plain);
            sc_ball_clear(&ours);
            sc_ratio_clear(&at);
            sc_ratio_clear(&epsilon);
        }
}

/* The inverse: what is found has that delta. */
static void check_inverse(const char *epsilon_text, uint64_t count,
                          const char *delta_text)
{
    sc_ratio epsilon, end, k;
    sc_ball delta, e, there;
    exact_ratio(epsilon_text, &epsilon);
    sc_ratio_init(&end);
    sc_ball_init(&delta);
    sc_ball_init(&e);
    sc_ball_init(&there);
    exact_ratio(delta_text, &k);
    sc_ball_set_ratio(&delta, &k, 256);
    if (CHECK(sc_copies_epsilon(&epsilon, count, &delta, 128, &e))) {
        CHECK(sc_ball_is_accurate(&e, 60) || sc_ball_upper(&e) == 0.0);
        CHECK(sc_ball_round_up(&e, 2000, &end));
        CHECK(sc_copies_delta(&epsilon, count, &end, 128, &there));
        CHECK(!sc_ball_is_less(&delta, &there));
        CHECK(sc_ball_round_down(&e, 2000, &end));
        CHECK(sc_copies_delta(&epsilon, count, &end, 128, &there));
        CHECK(sc_ratio_sign(&end) <= 0 || !sc_ball_is_less(&there, &delta));
    }
    sc_ball_clear(&there);
    sc_ball_clear(&e);
    sc_ball_clear(&delta);
    sc_ratio_clear(&k);
    sc_ratio_clear(&end);
    sc_ratio_clear(&epsilon);
}

TEST(copies_epsilon_has_the_delta_that_was_asked_for)
{
    CLAIM("copies.epsilon");
    static const char *const epsilons[] = {"1e-300", "1e-9", "1/10", "2", "50", "700"};
    static const char *const deltas[] = {"0",    "1e-300", "1e-30",
                                         "1e-6", "1/3",    "0.9999999999999999"};
    static const uint64_t counts[] = {1, 2, 7, 1000, 100000};
    const size_t kinds = check_is_long() ? COUNT(counts) : COUNT(counts) - 1;
    for (size_t i = 0; i < COUNT(epsilons); i++)
        for (size_t j = 0; j < COUNT(deltas); j++)
            for (size_t k = 0; k < kinds; k++)
                check_inverse(epsilons[i], counts[k], deltas[j]);
}

TEST(copies_match_the_vectors_both_ways)
{
    CLAIM("copies.epsilon");
    json_t *rows = vectors_load("mechanisms", "composition_pure"), *row;
    size_t index;
    REQUIRE(json_array_size(rows) > 20);
    json_array_foreach(rows, index, row)
    {
        sc_ratio epsilon;
        sc_ball delta, e;
        exact_ratio(json_string_value(json_object_get(row, "epsilon")), &epsilon);
        sc_ball_init(&delta);
        sc_ball_init(&e);
        CHECK(ball_set_text(&delta,
                            json_string_value(json_object_get(row, "delta_prime")), 400));
        CHECK(sc_copies_epsilon(&epsilon,
                                (uint64_t)json_integer_value(json_object_get(row, "k")),
                                &delta, 256, &e));
        CHECK_PRINTED(&e, json_string_value(json_object_get(row, "optimal")));
        sc_ball_clear(&e);
        sc_ball_clear(&delta);
        sc_ratio_clear(&epsilon);
    }
}

/* A million copies, and more: the sum is cut on both sides, so there must be ends to cut. */
SLOW_TEST(copies_of_a_million)
{
    CLAIM("copies.delta");
    static const struct {
        const char *epsilon;
        uint64_t count;
        const char *delta;
    } cases[] = {{"1e-3", 1000000, "1e-6"},
                 {"1/100", 1000000, "1e-30"},
                 {"1e-6", UINT64_C(10000000), "1e-9"},
                 {"20", UINT64_C(1) << 40, "1e-9"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        check_inverse(cases[i].epsilon, cases[i].count, cases[i].delta);
    sc_ratio epsilon, zero;
    sc_ball delta;
    exact_ratio("1", &epsilon);
    sc_ratio_init(&zero);
    sc_ball_init(&delta);
    /* Nearly all of it; what is left out above is more than half of the terms. */
    CHECK(sc_copies_delta(&epsilon, 1000000, &zero, 128, &delta));
    CHECK(sc_ball_is_accurate(&delta, 120) && sc_ball_upper(&delta) >= 1.0);
    /* Refused rather than waited for. */
    CHECK(!sc_copies_delta(&epsilon, UINT64_C(1) << 62, &zero, 128, &delta));
    sc_ball_clear(&delta);
    sc_ratio_clear(&zero);
    sc_ratio_clear(&epsilon);
}
