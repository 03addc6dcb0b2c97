#include "choices.h"
#include "exact.h"
#include "goodness.h"
#include "mechanism/histogram/emptiness.h"
#include "mechanism/histogram/stlap_noise.h"
#include "mechanism/threshold/keep_table.h"
#include "mechanism_lines.h"
#include "scrim.h"

#include <stdio.h>
#include <string.h>

#define FILE_NAME "flexible-accuracy"
#define LINE "emptiness epsilon=1 certain=8 neighbours=add-remove"

static scrim_measurement *model_of(const char *epsilon, uint64_t certain)
{
    char text[96];
    snprintf(text, sizeof text, "epsilon=%s certain=%llu", epsilon,
             (unsigned long long)certain);
    return mechanism_model("emptiness", text);
}

TEST(emptiness_has_the_printed_chances)
{
    CLAIM("emptiness.exact");
    CLAIM("emptiness.privacy");
    const json_t *rows = vectors_load(FILE_NAME, "p_k_tables"), *row, *p;
    size_t i, k;
    REQUIRE(json_array_size(rows) >= 5);
    json_array_foreach(rows, i, row)
    {
        scrim_measurement *m =
            model_of(vectors_text(row, "eps"), vectors_number(row, "Q"));
        sc_ball got;
        REQUIRE(m != NULL);
        sc_ball_init(&got);
        json_array_foreach(json_object_get(row, "p_0_to_Q"), k, p)
        {
            sc_emptiness_chance(m, (int64_t)k, EXACT_BITS, &got);
            if (strcmp(json_string_value(p), "0.0") == 0)
                CHECK(sc_ball_upper(&got) <= 0);
            else
                CHECK_PRINTED(&got, json_string_value(p));
        }
        sc_ball_set_ratio(&got, &m->cost.delta, EXACT_BITS);
        CHECK_NEAR(sc_ball_upper(&got), strtod(vectors_text(row, "delta"), NULL), 1e-15);
        sc_ball_clear(&got);
        scrim_measurement_free(m);
    }
}

/* The recursion of optimal selection at this delta has the same chances, so that none is better:
 * whoever is certain at Q and has less delta breaks it. */
TEST(emptiness_is_what_optimal_selection_does)
{
    CLAIM("emptiness.optimal");
    static const char *const epsilons[] = {"1/10", "1", "2"};
    for (size_t i = 0; i < COUNT(epsilons); i++)
        for (uint64_t certain = 2; certain <= 12; certain++) {
            scrim_measurement *m = model_of(epsilons[i], certain);
            REQUIRE(m != NULL);
            sc_ratio epsilon;
            sc_ball odds, p, delta, a, b, want, one;
            sc_ball *const all[] = {&odds, &p, &delta, &a, &b, &want, &one};
            for (size_t k = 0; k < COUNT(all); k++)
                sc_ball_init(all[k]);
            exact_ratio(epsilons[i], &epsilon);
            sc_ball_set_ratio(&odds, &epsilon, 4 * EXACT_BITS);
            sc_ball_exp(&odds, &odds, 4 * EXACT_BITS);
            sc_ball_set_int64(&one, 1);
            sc_stlap_delta(&epsilon, certain - 1, 1, 1, 4 * EXACT_BITS, &delta);
            for (uint64_t k = 1; k <= certain; k++) {
                sc_ball_mul(&a, &p, &odds, 4 * EXACT_BITS);
                sc_ball_add(&a, &a, &delta, 4 * EXACT_BITS);
                sc_ball_add(&b, &p, &delta, 4 * EXACT_BITS);
                sc_ball_sub(&b, &one, &b, 4 * EXACT_BITS);
                sc_ball_div(&b, &b, &odds, 4 * EXACT_BITS);
                sc_ball_sub(&b, &one, &b, 4 * EXACT_BITS);
                sc_ball_set(&p, sc_ball_is_less(&b, &a) ? &b : &a);
                sc_emptiness_chance(m, (int64_t)k, EXACT_BITS, &want);
                CHECK_SAME(&p, &want, 180);
            }
            sc_ratio_clear(&epsilon);
            for (size_t k = 0; k < COUNT(all); k++)
                sc_ball_clear(all[k]);
            scrim_measurement_free(m);
        }
    /* The published pair for Q = 3, which is worse. */
    const json_t *row =
        json_object_get(vectors_load(FILE_NAME, "errata"), "pareto_odd_q");
    scrim_measurement *m = model_of(vectors_text(row, "eps"), vectors_number(row, "q"));
    REQUIRE(m != NULL);
    sc_ball got;
    sc_ball_init(&got);
    sc_ball_set_ratio(&got, &m->cost.delta, EXACT_BITS);
    CHECK_NEAR(sc_ball_upper(&got), strtod(vectors_text(row, "optimal"), NULL), 1e-15);
    CHECK(sc_ball_upper(&got) < strtod(vectors_text(row, "printed"), NULL));
    sc_ball_clear(&got);
    scrim_measurement_free(m);
}

/* At a delta between two grid values optimal selection is a little better than the least q. */
TEST(emptiness_and_selection_at_any_delta)
{
    const json_t *rows = vectors_load(FILE_NAME, "partition_selection_any_delta"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 3);
    json_array_foreach(rows, i, row)
    {
        sc_ratio epsilon, delta;
        sc_keep_table table;
        uint64_t q = 0;
        const char *key;
        json_t *value;
        exact_ratio(vectors_text(row, "eps"), &epsilon);
        exact_ratio(vectors_text(row, "delta"), &delta);
        REQUIRE_OK(sc_stlap_q_of(&epsilon, &delta, 1, 1, &q, NULL));
        CHECK_INT(q, vectors_number(row, "least_discrete_q"));
        REQUIRE_OK(sc_keep_table_init(&table, &epsilon, &delta, 1, NULL));
        CHECK_INT(table.certain, vectors_number(row, "first_n_with_p_1"));
        scrim_measurement *m = model_of(vectors_text(row, "eps"), q + 1);
        REQUIRE(m != NULL);
        sc_ball less;
        sc_ball_init(&less);
        json_object_foreach(json_object_get(row, "values"), key, value)
        {
            const uint64_t n = strtoull(key, NULL, 10);
            const double p = (double)sc_keep_table_at(&table, n) * 0x1p-126;
            const double want = strtod(json_string_value(value), NULL);
            if (want > 0)
                CHECK_NEAR(p, want, 1e-12);
            sc_emptiness_chance(m, (int64_t)n, EXACT_BITS, &less);
            CHECK(sc_ball_upper(&less) <= p * (1 + 1e-12));
        }
        sc_ball_clear(&less);
        scrim_measurement_free(m);
        sc_keep_table_clear(&table);
        sc_ratio_clear(&delta);
        sc_ratio_clear(&epsilon);
    }
}

/* The table of 62 bits that is printed, step by step; the one that ships, of 126, is nowhere below
 * it but for its last bit. */
TEST(emptiness_table_of_integers_is_as_printed)
{
    const json_t *rows = vectors_load(FILE_NAME, "keep_table_integer"), *row;
    size_t i;
    REQUIRE(json_array_size(rows) >= 3);
    json_array_foreach(rows, i, row)
    {
        const sc_uint128 whole = (sc_uint128)1 << 62, growth = vectors_number(row, "R");
        const unsigned places = (unsigned)vectors_number(row, "g");
        const sc_uint128 fresh = strtoull(vectors_text(row, "d"), NULL, 10);
        const uint64_t last = vectors_number(row, "first_n_with_M");
        const json_t *first = json_object_get(row, "u_1_to_6");
        const char *middle = NULL;
        json_t *there = NULL;
        sc_uint128 u = 0;
        sc_ratio epsilon, delta;
        sc_keep_table table;
        CHECK_INT(strtoll(vectors_text(row, "M"), NULL, 10), (int64_t)whole);
        exact_ratio(vectors_text(row, "eps"), &epsilon);
        exact_ratio(vectors_text(row, "delta"), &delta);
        REQUIRE_OK(sc_keep_table_init(&table, &epsilon, &delta, 1, NULL));
        json_object_foreach(json_object_get(row, "u_middle"), middle, there)
        {
        }
        for (uint64_t n = 1; n <= last; n++) {
            const sc_uint128 grown = (u * growth >> places) + fresh;
            const sc_uint128 left = u + fresh >= whole ? 0 : whole - u - fresh;
            const sc_uint128 mirror =
                whole - (left == 0 ? 0 : ((left << places) + growth - 1) / growth);
            u = grown < mirror ? grown : mirror;
            u = u < whole ? u : whole;
            const char *want = json_string_value(json_array_get(first, n - 1));
            if (n <= 6 && want != NULL)
                CHECK_INT((int64_t)u, strtoll(want, NULL, 10));
            if (middle != NULL && n == strtoull(middle, NULL, 10))
                CHECK_INT((int64_t)u, strtoll(json_string_value(there), NULL, 10));
            CHECK((n == last) == (u == whole));
            CHECK(sc_keep_table_at(&table, n) >= u << 64);
        }
        sc_keep_table_clear(&table);
        sc_ratio_clear(&delta);
        sc_ratio_clear(&epsilon);
    }
}

TEST(emptiness_draws_fit_the_law)
{
    CLAIM("emptiness.exact");
    static const int64_t sizes[] = {3, 0, 4, 8, 1};
    const uint64_t draws = check_count(20000, 1000000);
    choices_fit(LINE, sizes, 5, draws);
    choices_fit("emptiness epsilon=2 certain=7 neighbours=replace", sizes, 5, draws);
    choices_check_entropy(LINE, sizes, 3);
}

/* The smallest size that is called full often enough. */
TEST(emptiness_certifies_the_smallest_set)
{
    CLAIM("emptiness.exact");
    static const char *const confidences[] = {"0.5", "0.95", "0.001", "0.9999999"};
    scrim_measurement *m = choices_new(LINE);
    REQUIRE(m != NULL);
    sc_ball p;
    sc_ball_init(&p);
    for (size_t i = 0; i < COUNT(confidences); i++) {
        scrim_certificate c;
        REQUIRE_OK(scrim_measurement_certify(m, confidences[i], 1, &c, NULL));
        CHECK_INT(c.form, SCRIM_CERTIFICATE_PAC);
        const int64_t size = strtoll(c.radius, NULL, 10);
        const double wanted = strtod(confidences[i], NULL);
        sc_emptiness_chance(m, size, EXACT_BITS, &p);
        CHECK(sc_ball_upper(&p) >= wanted);
        sc_emptiness_chance(m, size - 1, EXACT_BITS, &p);
        CHECK(sc_ball_lower(&p) < wanted);
    }
    sc_ball_clear(&p);
    scrim_measurement_free(m);
}

TEST(emptiness_refuses)
{
    mechanism_check_status("emptiness", "epsilon=1 certain=1", SCRIM_E_PARAM);
    mechanism_check_status("emptiness", "epsilon=1", SCRIM_E_PARAM);
    mechanism_check_status("emptiness", "epsilon=0 certain=3", SCRIM_E_PARAM);
    mechanism_check_status("emptiness", "epsilon=1 certain=2147483649", SCRIM_E_LIMIT);
    mechanism_check_status("emptiness", "epsilon=1 certain=2147483648", SCRIM_OK);
    mechanism_check_faults(LINE);
}
