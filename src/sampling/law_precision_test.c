/* A ball of few bits and one of many are enclosures of the same number: what a sum leaves out
 * must be in its radius, or at some precision they part. */
#include "balls.h"
#include "exact.h"
#include "sampling/discrete_gaussian_law.h"
#include "sampling/law.h"

enum { MANY_BITS = 1600 };

typedef void question(const sc_law *law, sc_int128 k, long bits, sc_ball *out);

static void mean(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    (void)k;
    sc_law_mean(law, bits, out);
}

static void variance(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    (void)k;
    sc_law_variance(law, bits, out);
}

/* Asked at every step of precision up to top. */
static void check_question(question *ask, const sc_law *law, sc_int128 k, long step,
                           long top)
{
    sc_ball few, many;
    sc_ball_init(&few);
    sc_ball_init(&many);
    ask(law, k, MANY_BITS, &many);
    CHECK(sc_ball_is_accurate(&many, MANY_BITS - 100));
    for (long bits = step; bits <= top; bits += step) {
        ask(law, k, bits, &few);
        if (!CHECK(ball_overlaps(&few, &many)))
            CHECK_FAIL("%ld bits at %d", bits, (int)k);
    }
    sc_ball_clear(&few);
    sc_ball_clear(&many);
}

SLOW_TEST(laws_of_few_bits_hold_what_many_bits_find)
{
    CLAIM("law.encloses");
    static const struct {
        const sc_law_functions *functions;
        const char *shape;
        sc_int128 bound;
    } list[] = {
        {&sc_bernoulli_exp_law, "7/3", 0},     {&sc_geometric_law, "3", 0},
        {&sc_discrete_laplace_law, "1/3", 0},  {&sc_discrete_laplace_law, "1e6", 0},
        {&sc_discrete_gaussian_law, "1/9", 0}, {&sc_discrete_gaussian_law, "22/7", 0},
        {&sc_discrete_gaussian_law, "400", 0}, {&sc_discrete_gaussian_law, "4096", 0},
        {&sc_truncated_laplace_law, "10", 7},  {&sc_clamped_laplace_law, "10", 7},
        {&sc_shifted_laplace_law, "1/10", 31},
    };
    static const int points[] = {-3, 0, 1, 2, 5, 40, 200};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_law law;
        exact_law(list[i].functions, list[i].shape, list[i].bound, &law);
        check_question(mean, &law, 0, 3, 100);
        check_question(variance, &law, 0, 3, 100);
        for (size_t j = 0; j < sizeof points / sizeof *points; j++) {
            check_question(sc_law_pmf, &law, points[j], 3, 100);
            check_question(sc_law_at_least, &law, points[j], 3, 100);
            check_question(sc_law_at_most, &law, points[j], 3, 100);
        }
        sc_law_clear(&law);
    }
}

/* So narrow that all after 1 is small against the first term: where the last term summed lies
 * just above the precision, what is left out is far more than rounding. */
SLOW_TEST(law_of_a_narrow_gaussian_owns_up_to_what_its_sums_leave_out)
{
    CLAIM("law.encloses");
    static const char *const list[] = {"1/20", "1/40", "1/100"};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_law law;
        exact_law(&sc_discrete_gaussian_law, list[i], 0, &law);
        check_question(variance, &law, 0, 1, 1200);
        sc_law_clear(&law);
    }
}

/* Beyond 256 sigma, where the law gives the ends of the tail only, against all its terms. */
TEST(law_of_a_wide_gaussian_beyond_all_sense_holds_the_sum_of_its_terms)
{
    CLAIM("law.encloses");
    const sc_int128 sigma = 1 << 15;
    sc_law law;
    sc_ball tau, want, theta, got;
    sc_ball *const all[] = {&tau, &want, &theta, &got};
    for (size_t i = 0; i < 4; i++)
        sc_ball_init(all[i]);
    exact_law(&sc_discrete_gaussian_law, "2^30", 0, &law);
    sc_ball_set_int64(&tau, 1);
    sc_ball_mul_power2(&tau, &tau, -31);
    sc_theta(&tau, EXACT_BITS, &theta);
    for (sc_int128 m = 256 * sigma; m < 512 * sigma; m += 100 * sigma) {
        sc_gaussian_tail_by_terms(&law.shape, m, EXACT_BITS, &want);
        CHECK(sc_ball_is_accurate(&want, 200));
        sc_ball_div(&want, &want, &theta, EXACT_BITS);
        sc_law_at_least(&law, m, 128, &got);
        CHECK(!sc_ball_is_accurate(&got, 10)); /* or the ends are not what is tested */
        CHECK(sc_ball_contains(&got, &want));
    }
    sc_law_clear(&law);
    for (size_t i = 0; i < 4; i++)
        sc_ball_clear(all[i]);
}
