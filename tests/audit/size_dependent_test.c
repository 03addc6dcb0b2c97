/* The published statement for q = tau n, and the one that holds instead, against the law itself. */
#include "audit/size_dependent.h"
#include "continuous_stlap.h"
#include "exact.h"
#include "vectors.h"

#define FILE_NAME "flexible-accuracy"

static void open_one(size_dependent *s, const char *epsilon, const char *tau,
                     uint64_t elements, size_t bars)
{
    sc_ratio e;
    exact_ratio(epsilon, &e);
    exact_ratio(tau, &s->tau);
    sc_ball_init(&s->epsilon);
    sc_ball_set_ratio(&s->epsilon, &e, EXACT_BITS);
    s->elements = elements;
    s->bars = bars;
    s->is_floor = false;
    sc_ratio_clear(&e);
}

static void close_one(size_dependent *s)
{
    sc_ball_clear(&s->epsilon);
    sc_ratio_clear(&s->tau);
}

/* The laws are laws. */
TEST(size_dependent_laws_add_up)
{
    for (int i = 0; i < 4; i++) {
        size_dependent s;
        sc_outcomes law;
        sc_ball total, one;
        open_one(&s, "1", "0.1", i < 2 ? 200 : 99, 4);
        s.is_floor = i >= 2;
        sc_ball_init(&total);
        sc_ball_init(&one);
        sc_ball_set_int64(&one, 1);
        sc_outcomes_init(&law, 1);
        REQUIRE(size_dependent_law(&s, i % 2 == 1, EXACT_BITS, &law));
        sc_outcomes_total(&law, EXACT_BITS, &total);
        CHECK_SAME(&total, &one, 180);
        sc_outcomes_clear(&law);
        sc_ball_clear(&one);
        sc_ball_clear(&total);
        close_one(&s);
    }
}

/* As printed for up to five bars; for more, lower bounds are printed. */
TEST(size_dependent_q_grows_with_the_bars)
{
    const json_t *all =
        json_object_get(vectors_load(FILE_NAME, "errata"), "a_data_dependent_q");
    const json_t *rows = json_object_get(all, "growth_in_t"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 7);
    json_array_foreach(rows, i, row)
    {
        const uint64_t bars = vectors_number(row, "t");
        const double want = strtod(vectors_text(row, "true_delta_at_eps"), NULL);
        size_dependent s;
        sc_ball got;
        sc_ball_init(&got);
        open_one(&s, vectors_text(row, "eps"), vectors_text(row, "tau"),
                 vectors_number(row, "n"), bars);
        size_dependent_delta(&s, &s.epsilon, EXACT_BITS, &got);
        if (bars <= 5)
            CHECK_NEAR(sc_ball_upper(&got), want, 1e-12);
        else
            CHECK(sc_ball_lower(&got) >= want * (1 - 1e-9) &&
                  sc_ball_upper(&got) < want * 1.05);
        close_one(&s);
        sc_ball_clear(&got);
    }
}

TEST(size_dependent_q_is_not_repaired_by_size)
{
    const json_t *all =
        json_object_get(vectors_load(FILE_NAME, "errata"), "a_data_dependent_q");
    const json_t *rows = json_object_get(all, "sweep_n_t5"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 4);
    json_array_foreach(rows, i, row)
    {
        size_dependent s;
        sc_ball got;
        sc_ratio q;
        sc_ball_init(&got);
        open_one(&s, "1", "0.1", vectors_number(row, "n"), 5);
        size_dependent_delta(&s, &s.epsilon, EXACT_BITS, &got);
        CHECK_NEAR(sc_ball_upper(&got), strtod(vectors_text(row, "true"), NULL), 1e-10);
        sc_ratio_init(&q);
        sc_ratio_set_int64(&q, (int64_t)(vectors_number(row, "n") / 10));
        continuous_stlap_delta(&s.epsilon, &q, EXACT_BITS, &got);
        CHECK_NEAR(sc_ball_upper(&got), strtod(vectors_text(row, "claimed"), NULL),
                   1e-10);
        sc_ratio_clear(&q);
        close_one(&s);
        sc_ball_clear(&got);
    }
    /* A tenth of all elements in five bars: at least so much, of 1e-7 that are claimed. */
    row = json_array_get(json_object_get(all, "alpha_0.1"), 0);
    size_dependent s;
    sc_ball got;
    sc_ball_init(&got);
    open_one(&s, vectors_text(row, "eps"), "1/50", vectors_number(row, "n"), 5);
    size_dependent_delta(&s, &s.epsilon, EXACT_BITS, &got);
    CHECK(sc_ball_lower(&got) >
          strtod(vectors_text(row, "true_lower_bound"), NULL) * (1 - 1e-9));
    close_one(&s);
    sc_ball_clear(&got);
}

/* Two bars, rounded; and a q that is rounded down. */
TEST(size_dependent_q_of_two_bars_and_of_a_step)
{
    const json_t *errata = vectors_load(FILE_NAME, "errata");
    const json_t *row = json_object_get(errata, "a_t2_rounded");
    size_dependent s;
    sc_ball got;
    sc_ball_init(&got);
    open_one(&s, vectors_text(row, "eps"), vectors_text(row, "tau"),
             vectors_number(row, "n_small"), 2);
    size_dependent_delta(&s, &s.epsilon, EXACT_BITS, &got);
    CHECK_PRINTED(&got, vectors_text(row, "true"));
    close_one(&s);
    row = json_object_get(errata, "a_t2");
    open_one(&s, vectors_text(row, "eps"), vectors_text(row, "tau"),
             vectors_number(row, "n_small"), 2);
    size_dependent_delta(&s, &s.epsilon, EXACT_BITS, &got);
    CHECK_PRINTED(&got, vectors_text(row, "true_rounded"));
    close_one(&s);
    static const char *const bars[] = {"1", "3", "6"};
    const json_t *steps = json_object_get(errata, "a_naive_floor");
    for (size_t i = 0; i < COUNT(bars); i++) {
        open_one(&s, "1", "0.1", 99, strtoul(bars[i], NULL, 10));
        s.is_floor = true;
        size_dependent_delta(&s, &s.epsilon, EXACT_BITS, &got);
        CHECK_NEAR(sc_ball_upper(&got), strtod(vectors_text(steps, bars[i]), NULL),
                   1e-12);
        close_one(&s);
    }
    sc_ball_clear(&got);
}

/* The claim that replaces the published one is met. */
TEST(size_dependent_q_meets_the_corrected_claim)
{
    const json_t *rows = vectors_load(FILE_NAME, "data_dependent_q_corrected"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 7);
    json_array_foreach(rows, i, row)
    {
        size_dependent s;
        sc_ball epsilon, delta, got;
        sc_ball_init(&epsilon);
        sc_ball_init(&delta);
        sc_ball_init(&got);
        open_one(&s, vectors_text(row, "eps"), vectors_text(row, "tau"),
                 vectors_number(row, "n"), vectors_number(row, "t"));
        continuous_stlap_corrected(&s.epsilon, &s.tau, s.elements, s.bars, EXACT_BITS,
                                   &epsilon, &delta);
        size_dependent_delta(&s, &epsilon, EXACT_BITS, &got);
        CHECK(sc_ball_is_less(&got, &delta));
        CHECK_NEAR(sc_ball_upper(&got),
                   strtod(vectors_text(row, "true_delta_at_eps_corrected"), NULL), 1e-12);
        close_one(&s);
        sc_ball_clear(&got);
        sc_ball_clear(&delta);
        sc_ball_clear(&epsilon);
    }
}
