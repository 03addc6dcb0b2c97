#include "exact.h"
#include "sampling/law_sum.h"

/* The plain way: pmfs convolved over a range that leaves next to nothing. */
enum { REACH = 400 };

static sc_ball *list_noise(const sc_law *law)
{
    sc_ball *list = sc_balls_new(2 * REACH + 1);
    for (int64_t k = -REACH; list != NULL && k <= REACH; k++)
        sc_law_pmf(law, k, 160, &list[k + REACH]);
    return list;
}

static sc_ball *convolve(const sc_ball *a, const sc_ball *b)
{
    sc_ball term, *out = sc_balls_new(2 * REACH + 1);
    sc_ball_init(&term);
    for (int64_t i = -REACH; out != NULL && i <= REACH; i++)
        for (int64_t k = -60; k <= 60; k++) /* of b */
            if (i + k >= -REACH && i + k <= REACH) {
                sc_ball_mul(&term, &a[i + REACH], &b[k + REACH], 160);
                sc_ball_add(&out[i + k + REACH], &out[i + k + REACH], &term, 160);
            }
    sc_ball_clear(&term);
    return out;
}

static double tail_of(const sc_ball *law, int64_t a)
{
    double sum = 0;
    for (int64_t k = -REACH; k <= REACH; k++)
        if (k > a || k < -a)
            sum += sc_ball_upper(&law[k + REACH]);
    return sum;
}

static void check_law(const sc_law_functions *functions, const char *shape, size_t most)
{
    sc_law law;
    sc_law_sum *sum = NULL;
    sc_ball tail;
    exact_law(functions, shape, 0, &law);
    sc_ball_init(&tail);
    REQUIRE_OK(sc_law_sum_new(&law, most, &sum, NULL));
    sc_ball *one = list_noise(&law), *all = list_noise(&law);
    REQUIRE(one != NULL && all != NULL);
    for (size_t copies = 1; copies <= most; copies++) {
        for (int64_t a = 0; a < 25; a++) {
            sc_law_sum_tail(sum, copies, a, &tail);
            const double want = tail_of(all, a);
            CHECK(sc_ball_upper(&tail) >= want * (1 - 1e-12) &&
                  sc_ball_lower(&tail) <= want * (1 + 1e-12));
            if (want > 1e-20) /* what is listed ends somewhere */
                CHECK_NEAR(sc_ball_lower(&tail), sc_ball_upper(&tail), 1e-12);
        }
        sc_ball *next = convolve(all, one);
        REQUIRE(next != NULL);
        sc_balls_free(all, 2 * REACH + 1);
        all = next;
    }
    sc_balls_free(all, 2 * REACH + 1);
    sc_balls_free(one, 2 * REACH + 1);
    sc_law_sum_free(sum);
    sc_ball_clear(&tail);
    sc_law_clear(&law);
}

TEST(law_sums_of_laplace_noise_are_its_convolutions)
{
    CLAIM("law-sum.encloses");
    check_law(&sc_discrete_laplace_law, "1", 4);
    check_law(&sc_discrete_laplace_law, "1/5", 2);
}

/* Listed, and by the lattice. */
SLOW_TEST(law_sums_of_gaussian_noise_are_its_convolutions)
{
    CLAIM("law-sum.encloses");
    check_law(&sc_discrete_gaussian_law, "1/3", 3);
    check_law(&sc_discrete_gaussian_law, "5", 3);
    check_law(&sc_discrete_gaussian_law, "7", 3);
}

/* The variance of m copies is m times that of one: sum of (2a + 1) P(|S| > a). */
TEST(law_sums_have_the_variance_of_their_parts)
{
    CLAIM("law-sum.encloses");
    sc_law law;
    sc_law_sum *sum = NULL;
    sc_ball tail, one;
    exact_law(&sc_discrete_laplace_law, "3", 0, &law);
    sc_ball_init(&tail);
    sc_ball_init(&one);
    REQUIRE_OK(sc_law_sum_new(&law, 20, &sum, NULL));
    sc_law_variance(&law, 128, &one);
    for (size_t copies = 1; copies <= 20; copies += 19) {
        double variance = 0;
        for (int64_t a = 0; a < 400; a++) {
            sc_law_sum_tail(sum, copies, a, &tail);
            variance += (double)(2 * a + 1) * sc_ball_upper(&tail);
        }
        CHECK_NEAR(variance, (double)copies * sc_ball_upper(&one), 1e-9);
    }
    sc_law_sum_free(sum);
    sc_ball_clear(&one);
    sc_ball_clear(&tail);
    sc_law_clear(&law);
}

/* At the radius the tails are at most beta, and above it one before; one copy is what the law of one
 * says. */
TEST(law_sum_radii_are_the_smallest)
{
    CLAIM("law-sum.radius");
    static const struct {
        const sc_law_functions *functions;
        const char *shape, *beta;
    } list[] = {{&sc_discrete_laplace_law, "1", "1/20"},
                {&sc_discrete_laplace_law, "1000", "1e-9"},
                {&sc_discrete_laplace_law, "1e15", "1/3"},
                {&sc_discrete_gaussian_law, "2", "1/20"},
                {&sc_discrete_gaussian_law, "1e12", "1e-6"}};
    for (size_t i = 0; i < COUNT(list); i++) {
        const uint64_t single[3] = {1, 0, 0}, times[3] = {2, 0, 3};
        sc_law law;
        sc_law_sum *sum = NULL;
        sc_ratio beta;
        sc_int128 got = 0, want = 0;
        sc_ball tail;
        double all[2] = {0, 0};
        exact_law(list[i].functions, list[i].shape, 0, &law);
        exact_ratio(list[i].beta, &beta);
        sc_ball_init(&tail);
        REQUIRE_OK(sc_law_sum_new(&law, 3, &sum, NULL));
        CHECK_STATUS(sc_law_sum_radius(sum, single, &beta, &got, NULL), SCRIM_OK);
        CHECK_STATUS(sc_law_radius(&law, &beta, &want, NULL), SCRIM_OK);
        CHECK_INT(got, want);
        CHECK_STATUS(sc_law_sum_radius(sum, times, &beta, &got, NULL), SCRIM_OK);
        for (int before = 0; before < 2; before++)
            for (size_t copies = 1; copies <= 3; copies += 2) {
                sc_law_sum_tail(sum, copies, got - before, &tail);
                all[before] += (double)times[copies - 1] * sc_ball_upper(&tail);
            }
        sc_ball_set_ratio(&tail, &beta, 64);
        CHECK(all[0] <= sc_ball_upper(&tail) * (1 + 1e-12) &&
              all[1] > sc_ball_lower(&tail) * (1 - 1e-12));
        sc_law_sum_free(sum);
        sc_ball_clear(&tail);
        sc_ratio_clear(&beta);
        sc_law_clear(&law);
    }
}
