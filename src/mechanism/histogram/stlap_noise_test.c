#include "exact.h"
#include "mechanism/histogram/stlap_noise.h"
#include "sampling/law.h"
#include "vectors.h"

#define FILE_NAME "flexible-accuracy"

static void delta_of(const char *epsilon, uint64_t q, uint64_t group, unsigned sides,
                     sc_ball *out)
{
    sc_ratio e;
    exact_ratio(epsilon, &e);
    sc_stlap_delta(&e, q, group, sides, EXACT_BITS, out);
    sc_ratio_clear(&e);
}

static uint64_t q_of(const char *epsilon, const char *delta, uint64_t group,
                     unsigned sides)
{
    sc_ratio e, d;
    uint64_t q = 0;
    exact_ratio(epsilon, &e);
    exact_ratio(delta, &d);
    CHECK_STATUS(sc_stlap_q_of(&e, &d, group, sides, &q, NULL), SCRIM_OK);
    sc_ratio_clear(&d);
    sc_ratio_clear(&e);
    return q;
}

TEST(stlap_noise_has_the_printed_deltas)
{
    CLAIM("stlap-noise.delta");
    const json_t *rows = vectors_load(FILE_NAME, "delta_of_eps_q"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 91);
    json_array_foreach(rows, i, row)
    {
        sc_ball got;
        sc_ball_init(&got);
        delta_of(vectors_text(row, "eps"), vectors_number(row, "q"), 1, 1, &got);
        CHECK_PRINTED(&got, vectors_text(row, "delta_discrete"));
        sc_ball_log(&got, &got, EXACT_BITS);
        CHECK_PRINTED(&got, vectors_text(row, "ln_delta_discrete"));
        sc_ball_clear(&got);
    }
}

TEST(stlap_noise_finds_the_printed_q)
{
    CLAIM("stlap-noise.least-q");
    const json_t *rows = vectors_load(FILE_NAME, "q_of_eps_delta"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 35);
    json_array_foreach(rows, i, row)
    {
        const char *epsilon = vectors_text(row, "eps");
        const uint64_t q = q_of(epsilon, vectors_text(row, "delta"), 1, 1);
        sc_ball got;
        sc_ball_init(&got);
        CHECK_INT(q, vectors_number(row, "q_discrete_least"));
        delta_of(epsilon, q, 1, 1, &got);
        CHECK_PRINTED(&got, vectors_text(row, "delta_at_q"));
        delta_of(epsilon, q - 1, 1, 1, &got);
        CHECK_PRINTED(&got, vectors_text(row, "delta_at_q_minus_1"));
        sc_ball_clear(&got);
    }
}

/* Above the least epsilon, which is printed, and by next to nothing. */
TEST(stlap_noise_finds_the_printed_epsilon)
{
    CLAIM("stlap-noise.epsilon");
    const json_t *rows = vectors_load(FILE_NAME, "eps_of_q_delta"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 35);
    json_array_foreach(rows, i, row)
    {
        sc_ratio delta, epsilon;
        sc_ball got, target;
        sc_ratio_init(&epsilon);
        sc_ball_init(&got);
        sc_ball_init(&target);
        exact_ratio(vectors_text(row, "delta"), &delta);
        REQUIRE_OK(sc_stlap_epsilon_of(vectors_number(row, "q"), &delta, &epsilon, NULL));
        sc_ball_set_ratio(&got, &epsilon, EXACT_BITS);
        CHECK_NEAR(sc_ball_upper(&got), strtod(vectors_text(row, "eps_least"), NULL),
                   1e-12);
        sc_ball_set_ratio(&target, &delta, EXACT_BITS);
        if (sc_ratio_sign(&epsilon) > 0) {
            sc_stlap_delta(&epsilon, vectors_number(row, "q"), 1, 1, EXACT_BITS, &got);
            CHECK(sc_ball_is_less_equal(&got, &target));
        }
        sc_ball_clear(&target);
        sc_ball_clear(&got);
        sc_ratio_clear(&epsilon);
        sc_ratio_clear(&delta);
    }
}

TEST(stlap_noise_epsilon_has_limits)
{
    CLAIM("stlap-noise.epsilon");
    static const struct {
        uint64_t q;
        const char *delta;
        scrim_status status;
        bool is_zero;
    } list[] = {{1, "1/2", SCRIM_OK, true},
                {1, "0.4999", SCRIM_E_PARAM, false},
                {0, "1/2", SCRIM_E_PARAM, false},
                {9, "1/10", SCRIM_OK, true},
                {9, "0.0999999999999999999999999999", SCRIM_OK, false},
                {2, "2^-2000000", SCRIM_E_LIMIT, false}};
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_ratio delta, epsilon;
        sc_ratio_init(&epsilon);
        sc_ratio_set_int64(&epsilon, 7);
        if (list[i].status == SCRIM_E_LIMIT) { /* no text is as long */
            sc_integer one;
            sc_integer_init(&one);
            sc_integer_set_int128(&one, 1);
            sc_ratio_init(&delta);
            sc_ratio_set_dyadic(&delta, &one, 2000000);
            sc_integer_clear(&one);
        } else {
            exact_ratio(list[i].delta, &delta);
        }
        CHECK_STATUS(sc_stlap_epsilon_of(list[i].q, &delta, &epsilon, NULL),
                     list[i].status);
        if (list[i].status == SCRIM_OK)
            CHECK_INT(sc_ratio_sign(&epsilon), list[i].is_zero ? 0 : 1);
        else
            CHECK(sc_ratio_compare_int64(&epsilon, 7) == 0);
        sc_ratio_clear(&epsilon);
        sc_ratio_clear(&delta);
    }
}

/* A group's delta is the tail of the law, and all of it in one bar is the worst division. */
TEST(stlap_noise_of_groups_is_worst_in_one_bar)
{
    CLAIM("stlap-noise.delta");
    static const uint64_t qs[] = {3, 8, 15};
    for (size_t i = 0; i < COUNT(qs); i++) {
        sc_law law;
        sc_ball whole, a, b, one;
        sc_ball_init(&whole);
        sc_ball_init(&a);
        sc_ball_init(&b);
        sc_ball_init(&one);
        sc_ball_set_int64(&one, 1);
        exact_law(&sc_shifted_laplace_law, "1/3", (sc_int128)qs[i], &law);
        for (uint64_t group = 1; group <= qs[i]; group++) {
            delta_of("1/3", qs[i], group, 1, &whole);
            sc_ball_set_int64(&b, 0);
            for (uint64_t k = 0; k < group; k++) {
                sc_law_pmf(&law, -(sc_int128)k, EXACT_BITS, &a);
                sc_ball_add(&b, &b, &a, EXACT_BITS);
            }
            CHECK_SAME(&whole, &b, 200);
            for (uint64_t part = 1; part < group; part++) {
                delta_of("1/3", qs[i], part, 1, &a);
                delta_of("1/3", qs[i], group - part, 1, &b);
                sc_ball_sub(&a, &one, &a, EXACT_BITS);
                sc_ball_sub(&b, &one, &b, EXACT_BITS);
                sc_ball_mul(&a, &a, &b, EXACT_BITS);
                sc_ball_sub(&a, &one, &a, EXACT_BITS);
                CHECK(sc_ball_is_less(&a, &whole));
            }
        }
        delta_of("1/3", qs[i], qs[i] + 1, 2, &whole);
        CHECK_SAME(&whole, &one, 200);
        sc_ball_clear(&one);
        sc_ball_clear(&b);
        sc_ball_clear(&a);
        sc_ball_clear(&whole);
        sc_law_clear(&law);
    }
}

/* For each number of elements and sides: enough, and one less is not. */
TEST(stlap_noise_finds_the_least_q)
{
    CLAIM("stlap-noise.least-q");
    static const char *const deltas[] = {"1/2", "3/4", "1e-3", "1e-9", "99/100"};
    for (size_t i = 0; i < COUNT(deltas); i++)
        for (uint64_t group = 1; group <= 5; group += 2)
            for (unsigned sides = 1; sides <= 2; sides++) {
                const uint64_t q = q_of("1/4", deltas[i], group, sides);
                sc_ball got, target;
                sc_ball_init(&got);
                sc_ball_init(&target);
                sc_ratio delta;
                exact_ratio(deltas[i], &delta);
                sc_ball_set_ratio(&target, &delta, EXACT_BITS);
                delta_of("1/4", q, group, sides, &got);
                CHECK(q >= group && sc_ball_is_less_equal(&got, &target));
                delta_of("1/4", q - 1, group, sides, &got);
                CHECK(q == group || sc_ball_is_less(&target, &got));
                sc_ratio_clear(&delta);
                sc_ball_clear(&target);
                sc_ball_clear(&got);
            }
    /* q = 1 has 1/2, and of two sides 3/4, exactly. */
    CHECK_INT(q_of("1/4", "1/2", 1, 1), 1);
    CHECK_INT(q_of("1/4", "3/4", 1, 2), 1);
    sc_ratio epsilon, delta;
    uint64_t q = 5;
    exact_ratio("2^-31", &epsilon);
    exact_ratio("1e-9", &delta);
    CHECK_STATUS(sc_stlap_q_of(&epsilon, &delta, 1, 1, &q, NULL), SCRIM_OK);
    CHECK(q > 890000000 && q <= SC_STLAP_Q_MAX);
    sc_ratio_set(&delta, &epsilon);
    q = 5;
    CHECK_STATUS(sc_stlap_q_of(&epsilon, &delta, 1, 1, &q, NULL), SCRIM_OK);
    sc_ratio_clear(&delta);
    exact_ratio("1e-30", &delta);
    q = 5;
    CHECK_STATUS(sc_stlap_q_of(&epsilon, &delta, 1, 1, &q, NULL), SCRIM_E_LIMIT);
    CHECK_INT(q, 5);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&epsilon);
}
