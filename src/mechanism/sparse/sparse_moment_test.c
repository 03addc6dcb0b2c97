#include "exact.h"
#include "mechanism/sparse/sparse_renyi.h"
#include "sampling/law.h"
#include "vectors.h"

static bool moment_of(const char *threshold, const char *query, int64_t level,
                      const char *m, long bits, sc_ball *out)
{
    sc_ratio first, second, power;
    exact_ratio(threshold, &first);
    exact_ratio(query, &second);
    exact_ratio(m, &power);
    bool found = sc_sparse_moment(&first, &second, level, &power, bits, out);
    sc_ratio_clear(&power);
    sc_ratio_clear(&second);
    sc_ratio_clear(&first);
    return found;
}

TEST(sparse_moment_is_that_of_the_vectors)
{
    CLAIM("sparse-moment.encloses");
    json_t *rows = vectors_load("local-and-accounting", "svt_discrete_second_moment"),
           *row;
    size_t i;
    sc_ball moment;
    sc_ball_init(&moment);
    CHECK(json_array_size(rows) >= 3);
    json_array_foreach(rows, i, row)
    {
        CHECK(moment_of(json_string_value(json_object_get(row, "sigma1_sq")),
                        json_string_value(json_object_get(row, "sigma2_sq")),
                        json_integer_value(json_object_get(row, "T")), "2", EXACT_BITS,
                        &moment));
        CHECK(sc_ball_is_accurate(&moment, 200));
        /* printed with twelve digits */
        CHECK_NEAR(sc_ball_upper(&moment),
                   strtod(json_string_value(json_object_get(row, "second_moment")), NULL),
                   5e-12);
        CHECK(sc_ball_upper(&moment) <
              strtod(json_string_value(json_object_get(row, "continuous")), NULL));
    }
    sc_ball_clear(&moment);
}

/* A sum from the law alone, number by number, over `far` terms to each side. */
static void slow_moment(const char *threshold, const char *query, int64_t level,
                        uint64_t m, int64_t far, long bits, sc_ball *out)
{
    sc_law first, second;
    sc_ball term, part;
    sc_ball_init(&term);
    sc_ball_init(&part);
    exact_law(&sc_discrete_gaussian_law, threshold, 0, &first);
    exact_law(&sc_discrete_gaussian_law, query, 0, &second);
    sc_ball_set_int64(out, 0);
    for (int64_t z = -far; z <= far; z++) {
        sc_law_at_least(&second, (sc_int128)level + z, bits, &part);
        sc_ball_power(&part, &part, m, bits);
        sc_law_pmf(&first, z, bits, &term);
        sc_ball_div(&term, &term, &part, bits);
        sc_ball_add(out, out, &term, bits);
    }
    sc_law_clear(&second);
    sc_law_clear(&first);
    sc_ball_clear(&part);
    sc_ball_clear(&term);
}

TEST(sparse_moment_is_the_sum_of_its_terms)
{
    CLAIM("sparse-moment.encloses");
    sc_ball moment, slow;
    sc_ball_init(&moment);
    sc_ball_init(&slow);
    CHECK(moment_of("3/2", "14", 3, "4", EXACT_BITS, &moment));
    slow_moment("3/2", "14", 3, 4, 60, EXACT_BITS, &slow);
    CHECK(sc_ball_is_accurate(&moment, 200));
    CHECK_NEAR(sc_ball_upper(&moment), sc_ball_upper(&slow), 1e-15);
    CHECK(!sc_ball_is_less(&moment, &slow));
    /* a power between two others lies between them */
    sc_ball_set(&slow, &moment);
    CHECK(moment_of("3/2", "14", 3, "7/2", EXACT_BITS, &moment));
    CHECK(sc_ball_is_less(&moment, &slow));
    CHECK(moment_of("3/2", "14", 3, "9/2", EXACT_BITS, &moment));
    CHECK(sc_ball_is_less(&slow, &moment));
    sc_ball_clear(&slow);
    sc_ball_clear(&moment);
}

/* At this precision the terms that are left out of the sum matter, on either side. */
SLOW_TEST(sparse_moment_encloses_its_rest)
{
    CLAIM("sparse-moment.encloses");
    sc_ball moment, slow;
    sc_ball_init(&moment);
    sc_ball_init(&slow);
    CHECK(moment_of("1/4", "1", 1, "2", 1500, &moment));
    slow_moment("1/4", "1", 1, 2, 60, 2000, &slow);
    CHECK(!sc_ball_is_accurate(&moment, 1400));
    CHECK(sc_ball_is_accurate(&moment, 500));
    CHECK(sc_ball_contains(&moment, &slow));
    sc_ball_clear(&slow);
    sc_ball_clear(&moment);
}

TEST(sparse_moment_is_refused_where_it_is_infinite_or_endless)
{
    sc_ball moment;
    sc_ball_init(&moment);
    CHECK(!moment_of("25", "50", 0, "2", 128, &moment)); /* u = 0 */
    CHECK(!moment_of("25", "49", 0, "2", 128, &moment));
    CHECK(!moment_of("1e12", "1e13", 0, "2", 128, &moment));
    CHECK(!moment_of("25", "100", 1000000, "2", 128, &moment));
    CHECK(moment_of("25", "51", 0, "2", 128, &moment));
    sc_ball_clear(&moment);
}
