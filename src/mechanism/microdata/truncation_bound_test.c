#include "exact.h"
#include "mechanism/microdata/cell_counts.h"
#include "vectors.h"

#include <string.h>

/* Noise of rate w, clamped to +-bound. */
static void noise_law(const char *rate, int64_t by, int64_t bound, sc_law *out)
{
    sc_ratio w, one;
    exact_ratio(rate, &w);
    exact_ratio("1", &one);
    sc_ratio_div(&one, &one, &w);
    sc_ratio_set_int64(&w, by);
    sc_ratio_mul(&one, &one, &w);
    sc_law_init(out, &sc_clamped_laplace_law, &one, bound);
    sc_ratio_clear(&one);
    sc_ratio_clear(&w);
}

static void add_excess(const sc_ball *p, const sc_ball *q, const sc_ball *growth,
                       sc_ball *sum)
{
    SC_OWN(sc_ball, term);
    sc_ball_mul(&term, q, growth, EXACT_BITS);
    sc_ball_sub(&term, p, &term, EXACT_BITS);
    if (sc_ball_is_positive(&term))
        sc_ball_add(sum, sum, &term, EXACT_BITS);
}

/* sum max(0, p - e^level q) of a count that moves by shift, outcome by outcome. */
static void enumerate_one(const sc_law *law, int64_t shift, const sc_ball *growth,
                          sc_ball *out)
{
    const int64_t bound = (int64_t)law->bound;
    SC_OWN(sc_ball, p, q);
    sc_ball_set_int64(out, 0);
    for (int64_t k = -bound; k <= bound + shift; k++) {
        sc_law_pmf(law, k - shift, EXACT_BITS, &p);
        sc_law_pmf(law, k, EXACT_BITS, &q);
        add_excess(&p, &q, growth, out);
    }
}

/* The same of two counts that move by 1 each. */
static void enumerate_two(const sc_law *law, const sc_ball *growth, sc_ball *out)
{
    const int64_t bound = (int64_t)law->bound;
    SC_OWN(sc_ball, p, q, p_one, q_one, p_two, q_two);
    sc_ball_set_int64(out, 0);
    for (int64_t k = -bound; k <= bound + 1; k++) {
        sc_law_pmf(law, k - 1, EXACT_BITS, &p_one);
        sc_law_pmf(law, k, EXACT_BITS, &q_one);
        for (int64_t j = -bound; j <= bound + 1; j++) {
            sc_law_pmf(law, j - 1, EXACT_BITS, &p_two);
            sc_law_pmf(law, j, EXACT_BITS, &q_two);
            sc_ball_mul(&p, &p_one, &p_two, EXACT_BITS);
            sc_ball_mul(&q, &q_one, &q_two, EXACT_BITS);
            add_excess(&p, &q, growth, out);
        }
    }
}

static void growth_of(const char *rate, int64_t by, int64_t shift, sc_ball *out)
{
    sc_ratio w, times;
    exact_ratio(rate, &w);
    sc_ratio_init(&times);
    sc_ratio_set_quotient(&times, shift, by);
    sc_ratio_mul(&w, &w, &times);
    sc_ball_set_ratio(out, &w, EXACT_BITS);
    sc_ball_exp(out, out, EXACT_BITS);
    sc_ratio_clear(&times);
    sc_ratio_clear(&w);
}

/* rate / by. */
static void rate_of(const char *rate, int64_t by, sc_ratio *out)
{
    SC_OWN(sc_ratio, divisor);
    exact_ratio(rate, out);
    sc_ratio_set_int64(&divisor, by);
    sc_ratio_div(out, out, &divisor);
}

TEST(truncation_delta_is_that_of_the_enumeration)
{
    CLAIM("truncation.delta");
    const json_t *rows = vectors_load("microdata", "tdgeo_delta_shift"), *row;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        const int64_t shift = (int64_t)vectors_number(row, "s"),
                      bound = (int64_t)vectors_number(row, "B");
        sc_law law;
        sc_ratio rate;
        SC_OWN(sc_ball, found, growth, enumerated);
        noise_law(vectors_text(row, "rate"), 1, bound, &law);
        exact_ratio(vectors_text(row, "rate"), &rate);
        growth_of(vectors_text(row, "rate"), 1, shift, &growth);
        enumerate_one(&law, shift, &growth, &enumerated);
        sc_truncation_delta(&rate, bound, (uint64_t)shift, EXACT_BITS, &found);
        CHECK_PRINTED(&found, vectors_text(row, "delta_at_s_times_rate"));
        CHECK_SAME(&found, &enumerated, 100);
        sc_ratio_clear(&rate);
        sc_law_clear(&law);
    }
    CHECK_INT(json_array_size(rows), 8);
}

TEST(truncation_delta_of_a_cell_and_the_sum)
{
    CLAIM("truncation.delta");
    const json_t *rows = vectors_load("microdata", "tdgeo_delta"), *row;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        const char *epsilon = vectors_text(row, "eps");
        const int64_t bound = (int64_t)vectors_number(row, "B");
        sc_law law;
        sc_ratio rate;
        SC_OWN(sc_ball, one, two, growth, twice);
        noise_law(epsilon, 2, bound, &law);
        rate_of(epsilon, 2, &rate);
        growth_of(epsilon, 1, 1, &growth);
        enumerate_two(&law, &growth, &two);
        sc_truncation_delta(&rate, bound, 1, EXACT_BITS, &one);
        CHECK_PRINTED(&one, vectors_text(row, "delta_single_at_half_eps"));
        CHECK_PRINTED(&two, vectors_text(row, "delta_pair_at_eps"));
        sc_ball_mul_power2(&twice, &one, 1);
        CHECK(sc_ball_is_less(&two, &twice));
        sc_ratio_clear(&rate);
        sc_law_clear(&law);
    }
    CHECK_INT(json_array_size(rows), 5);
}

/* The near end counts below ln((1 + sqrt 5)/2) alone. */
TEST(truncation_second_atom_begins_at_the_golden_ratio)
{
    CLAIM("truncation.delta");
    const char *printed =
        json_string_value(vectors_load("microdata", "tdgeo_second_atom_threshold"));
    REQUIRE(printed != NULL && strncmp(printed, "0.48121182505960344", 19) == 0);
    static const char *const rates[] = {"0.481211825", "0.481211826"};
    for (int i = 0; i < 2; i++) {
        sc_ratio rate;
        SC_OWN(sc_ball, found, alone, x);
        exact_ratio(rates[i], &rate);
        sc_truncation_delta(&rate, 10, 1, EXACT_BITS, &found);
        growth_of(rates[i], 1, -10, &alone); /* x^10/(1+x) */
        growth_of(rates[i], 1, -1, &x);
        sc_ball_add_int64(&x, &x, 1, EXACT_BITS);
        sc_ball_div(&alone, &alone, &x, EXACT_BITS);
        CHECK(sc_ball_is_less(&alone, &found) == (i == 0));
        sc_ratio_clear(&rate);
    }
}

static int64_t bound_of(const sc_truncation_rule *rule, const char *epsilon,
                        const char *delta)
{
    sc_ratio rate, most;
    int64_t bound = -1;
    rate_of(epsilon, 2 * (int64_t)(rule->rows * rule->weight), &rate);
    exact_ratio(delta, &most);
    CHECK(sc_truncation_bound(rule, &rate, &most, &bound));
    sc_ratio_clear(&most);
    sc_ratio_clear(&rate);
    return bound;
}

TEST(truncation_bound_is_the_smallest)
{
    CLAIM("truncation.bound");
    const json_t *rows = vectors_load("microdata", "tdgeo_B"), *row;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        const sc_truncation_rule add = {.rows = 1, .weight = 1, .has_sum = true},
                                 replace = {.rows = 1,
                                            .weight = 1,
                                            .is_replace = true,
                                            .has_sum = true};
        const char *epsilon = vectors_text(row, "eps"),
                   *delta = vectors_text(row, "delta");
        const uint64_t want = vectors_number(row, "B_exact_single");
        CHECK_INT(bound_of(&add, epsilon, delta), want);
        CHECK_INT(bound_of(&replace, epsilon, delta), want);
        CHECK(want < vectors_number(row, "B_survey"));
    }
    rows = vectors_load("microdata", "tdgeo_B_rows");
    json_array_foreach(rows, i, row)
    {
        const sc_truncation_rule rule = {
            .rows = vectors_number(row, "m"), .weight = 1, .has_sum = true};
        const int64_t want = (int64_t)vectors_number(row, "B");
        sc_ratio rate;
        SC_OWN(sc_ball, at, before);
        CHECK_INT(bound_of(&rule, vectors_text(row, "eps"), vectors_text(row, "delta")),
                  want);
        rate_of(vectors_text(row, "eps"), 2 * (int64_t)rule.rows, &rate);
        sc_truncation_rule_delta(&rule, &rate, want, EXACT_BITS, &at);
        sc_truncation_rule_delta(&rule, &rate, want - 1, EXACT_BITS, &before);
        CHECK_PRINTED(&at, vectors_text(row, "bound_at_B"));
        CHECK_PRINTED(&before, vectors_text(row, "bound_at_B_minus_1"));
        sc_ratio_clear(&rate);
    }
    CHECK_INT(json_array_size(rows), 6);
}

/* Whatever the split of rows and weights among cells, the deltas of the moves add up to no more. */

typedef struct split {
    const sc_truncation_rule *rule;
    sc_ball delta[16]; /* of each shift */
    sc_ball most;
} split;

/* Gives rows to cells, from here on at most as many as to the last cell; moved is what the sum
 * has moved by. */
static void split_rows(split *s, uint64_t rows, uint64_t moved, const sc_ball *so_far)
{
    SC_OWN(sc_ball, sum);
    sc_ball_set(&sum, so_far);
    if (moved > 0)
        sc_ball_add(&sum, &sum, &s->delta[moved], EXACT_BITS);
    if (!sc_ball_is_less_equal(&sum, &s->most))
        sc_ball_set(&s->most, &sum);
    for (uint64_t k = 1; k <= rows; k++)
        for (uint64_t by = 1; by <= k * s->rule->weight; by++) {
            sc_ball_add(&sum, so_far, &s->delta[by], EXACT_BITS);
            split_rows(s, rows - k, moved + by, &sum);
        }
}

static void check_splits(const char *rate, uint64_t rows, uint64_t weight, int64_t bound)
{
    const sc_truncation_rule rule = {.rows = rows, .weight = weight, .has_sum = true};
    split s = {.rule = &rule};
    sc_ratio w;
    SC_OWN(sc_ball, claimed, none);
    exact_ratio(rate, &w);
    sc_ball_init(&s.most);
    for (uint64_t i = 0; i < COUNT(s.delta); i++) {
        sc_ball_init(&s.delta[i]);
        if (i > 0 && i <= rows * weight)
            sc_truncation_delta(&w, bound, i, EXACT_BITS, &s.delta[i]);
    }
    split_rows(&s, rows, 0, &none);
    sc_truncation_rule_delta(&rule, &w, bound, EXACT_BITS, &claimed);
    CHECK(sc_ball_is_less_equal(&s.most, &claimed) ||
          exact_check_same(&s.most, &claimed, 200, "splits", __FILE__, __LINE__));
    for (uint64_t i = 0; i < COUNT(s.delta); i++)
        sc_ball_clear(&s.delta[i]);
    sc_ball_clear(&s.most);
    sc_ratio_clear(&w);
}

TEST(truncation_rule_covers_every_split)
{
    CLAIM("truncation.bound");
    static const char *const rates[] = {"1/100", "0.05", "1/4", "1/2", "2"};
    for (size_t i = 0; i < COUNT(rates); i++) {
        check_splits(rates[i], 1, 1, 20);
        check_splits(rates[i], 4, 1, 20);
        check_splits(rates[i], 1, 7, 30);
        check_splits(rates[i], 3, 2, 9);
    }
}

TEST(truncation_bound_refuses_what_is_too_wide)
{
    CLAIM("truncation.bound");
    sc_ratio rate, delta;
    int64_t bound = 7;
    exact_ratio("1e-12", &rate);
    exact_ratio("1e-12", &delta);
    CHECK(!sc_truncation_bound(&(sc_truncation_rule){.rows = 1, .weight = 1}, &rate,
                               &delta, &bound));
    sc_ratio_set_int64(&rate, 1);
    CHECK(!sc_truncation_bound(&(sc_truncation_rule){.rows = 257, .weight = 256}, &rate,
                               &delta, &bound));
    CHECK_INT(bound, 7);
    CHECK(sc_truncation_bound(&(sc_truncation_rule){.rows = 2, .weight = 3}, &rate,
                              &delta, &bound));
    CHECK(bound >= 6);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&rate);
}
