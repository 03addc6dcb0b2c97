#include "balls.h"
#include "exact.h"
#include "sampling/law.h"

#include <stdio.h>

/* sum of i^order exp(-i/scale), i = 0..last, term by term. */
static void plain_sum(const sc_ratio *scale, int64_t last, int order, sc_ball *out)
{
    sc_ball term;
    sc_ball_init(&term);
    sc_ball_set_int64(out, 0);
    for (int64_t i = 0; i <= last; i++) {
        sc_decay(scale, i, EXACT_BITS, &term);
        for (int j = 0; j < order; j++)
            sc_ball_mul_int64(&term, &term, i, EXACT_BITS);
        sc_ball_add(out, out, &term, EXACT_BITS);
    }
    sc_ball_clear(&term);
}

TEST(decay_sums_are_those_of_their_terms)
{
    static const char *const scales[] = {"2^-10", "1/3",  "1",   "22/7",
                                         "1000",  "2^40", "2^60"};
    static const int64_t lasts[] = {0, 1, 2, 3, 10, 300};
    sc_ball plain, closed;
    sc_ball_init(&plain);
    sc_ball_init(&closed);
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        sc_ratio scale;
        exact_ratio(scales[i], &scale);
        for (size_t j = 0; j < sizeof lasts / sizeof *lasts; j++)
            for (int order = 0; order <= 2; order++) {
                plain_sum(&scale, lasts[j], order, &plain);
                sc_decay_sum(&scale, lasts[j], order, EXACT_BITS, &closed);
                if (order == 0 || lasts[j] > 0)
                    CHECK_SAME(&closed, &plain, 200);
                else
                    CHECK(sc_ball_contains(&closed, &plain)); /* an exact 0 */
            }
        sc_ratio_clear(&scale);
    }
    sc_ball_clear(&plain);
    sc_ball_clear(&closed);
}

/* 1 - exp(-k/scale) keeps its digits where exp(-k/scale) is nearly 1. */
TEST(decay_rest_does_not_cancel)
{
    static const char *const scales[] = {"2^-60", "1/3", "1", "2^60", "2^120"};
    sc_ball rest, sum, one;
    sc_ball_init(&rest);
    sc_ball_init(&sum);
    sc_ball_init(&one);
    sc_ball_set_int64(&one, 1);
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        sc_ratio scale;
        exact_ratio(scales[i], &scale);
        for (sc_int128 k = 1; k <= (sc_int128)1 << 120; k *= 16) {
            sc_decay_rest(&scale, k, EXACT_BITS, &rest);
            CHECK(sc_ball_is_accurate(&rest, 240));
            sc_decay(&scale, k, EXACT_BITS, &sum);
            CHECK(sc_ball_is_accurate(&sum, 240));
            sc_ball_add(&sum, &sum, &rest, EXACT_BITS);
            CHECK(sc_ball_contains(&sum, &one));
        }
        sc_ratio_clear(&scale);
    }
    sc_ball_clear(&rest);
    sc_ball_clear(&sum);
    sc_ball_clear(&one);
}

/* p/(1-p)^2 */
TEST(decay_spread_is_the_variance_of_a_geometric_number)
{
    static const char *const scales[] = {"1/30", "1/3", "1", "1000", "2^60"};
    sc_ball spread, p, rest;
    sc_ball_init(&spread);
    sc_ball_init(&p);
    sc_ball_init(&rest);
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        sc_ratio scale;
        exact_ratio(scales[i], &scale);
        sc_decay_spread(&scale, EXACT_BITS, &spread);
        sc_decay(&scale, 1, EXACT_BITS, &p);
        sc_decay_rest(&scale, 1, EXACT_BITS, &rest);
        sc_ball_mul(&rest, &rest, &rest, EXACT_BITS);
        sc_ball_div(&p, &p, &rest, EXACT_BITS);
        CHECK_SAME(&spread, &p, 240);
        sc_ratio_clear(&scale);
    }
    sc_ball_clear(&spread);
    sc_ball_clear(&p);
    sc_ball_clear(&rest);
}

/* The laws that are held against sums of their terms: narrow enough to be summed. */
typedef struct subject {
    const sc_law_functions *functions;
    const char *shape;
    sc_int128 bound;
    int64_t reach; /* what is beyond is below 2^-300 */
} subject;

static const subject subjects[] = {
    {&sc_uniform_law, NULL, 1, 2},
    {&sc_uniform_law, NULL, 37, 40},
    {&sc_bernoulli_law, "3/7", 0, 2},
    {&sc_bernoulli_exp_law, "7/3", 0, 2},
    {&sc_geometric_law, "1/3", 0, 100},
    {&sc_geometric_law, "3", 0, 700},
    {&sc_discrete_laplace_law, "2^-3", 0, 40},
    {&sc_discrete_laplace_law, "1/3", 0, 100},
    {&sc_discrete_laplace_law, "5/2", 0, 700},
    {&sc_discrete_gaussian_law, "1/9", 0, 20},
    {&sc_discrete_gaussian_law, "1/2", 0, 30},
    {&sc_discrete_gaussian_law, "22/7", 0, 60},
    {&sc_discrete_gaussian_law, "400", 0, 600},
    {&sc_discrete_gaussian_law, "5000", 0, 1800}, /* tails by the integral */
    {&sc_truncated_laplace_law, "1/3", 1, 3},
    {&sc_truncated_laplace_law, "10", 7, 9},
    {&sc_truncated_laplace_law, "1000", 30, 32},
    {&sc_clamped_laplace_law, "1/3", 1, 3},
    {&sc_clamped_laplace_law, "10", 7, 9},
    {&sc_clamped_laplace_law, "1000", 30, 32},
    {&sc_shifted_laplace_law, "3", 1, 3},
    {&sc_shifted_laplace_law, "1/10", 2, 4},
    {&sc_shifted_laplace_law, "1/10", 31, 33},
    {&sc_shifted_laplace_law, "1/1000", 30, 32},
};

enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static void law_of(const subject *s, sc_law *out)
{
    exact_law(s->functions, s->shape, s->bound, out);
}

/* Tails and moments against sums. */

/* The mass that the sums below leave out. */
static void widen_by_tails(sc_ball *out)
{
    sc_ball tiny;
    sc_ball_init(&tiny);
    sc_ball_set_int64(&tiny, 1);
    sc_ball_mul_power2(&tiny, &tiny, -250);
    sc_ball_widen(out, &tiny);
    sc_ball_clear(&tiny);
}

static void check_sums(const subject *s)
{
    sc_law law;
    sc_ball below, above, value, mean, square;
    sc_ball *const all[] = {&below, &above, &value, &mean, &square};
    for (size_t i = 0; i < 5; i++)
        sc_ball_init(all[i]);
    law_of(s, &law);
    for (int64_t k = -s->reach; k <= s->reach; k++) {
        sc_law_pmf(&law, k, 300, &value);
        sc_ball_add(&below, &below, &value, 300);
        sc_ball_mul_int64(&value, &value, k, 300);
        sc_ball_add(&mean, &mean, &value, 300);
        sc_ball_mul_int64(&value, &value, k, 300);
        sc_ball_add(&square, &square, &value, 300);
        sc_law_pmf(&law, -k, 300, &value);
        sc_ball_add(&above, &above, &value, 300);
        if (k % (s->reach / 50 + 1) != 0)
            continue;
        sc_law_at_most(&law, k, 300, &value);
        widen_by_tails(&value);
        CHECK(ball_overlaps(&value, &below));
        sc_law_at_least(&law, -k, 300, &value);
        widen_by_tails(&value);
        CHECK(ball_overlaps(&value, &above));
    }
    sc_law_mean(&law, 300, &value);
    widen_by_tails(&mean);
    CHECK(ball_overlaps(&value, &mean));
    sc_ball_mul(&mean, &mean, &mean, 300);
    sc_ball_sub(&square, &square, &mean, 300);
    widen_by_tails(&square);
    sc_law_variance(&law, 300, &value);
    CHECK(ball_overlaps(&value, &square));
    for (size_t i = 0; i < 5; i++)
        sc_ball_clear(all[i]);
    sc_law_clear(&law);
}

SLOW_TEST(law_tails_and_moments_are_sums_of_probabilities)
{
    for (size_t i = 0; i < SUBJECTS; i++)
        check_sums(&subjects[i]);
}

SLOW_TEST(law_between_is_a_sum_of_probabilities)
{
    sc_ball sum, value;
    sc_ball_init(&sum);
    sc_ball_init(&value);
    for (size_t i = 0; i < SUBJECTS; i++) {
        sc_law law;
        law_of(&subjects[i], &law);
        for (int64_t low = -12; low <= 12; low++) {
            sc_ball_set_int64(&sum, 0);
            sc_law_between(&law, low, low - 1, 300, &value);
            CHECK(sc_ball_contains(&value, &sum));
            for (int64_t high = low; high <= 14; high++) {
                sc_law_pmf(&law, high, 300, &value);
                sc_ball_add(&sum, &sum, &value, 300);
                sc_law_between(&law, low, high, 300, &value);
                CHECK(ball_overlaps(&value, &sum));
                widen_by_tails(&sum);
            }
        }
        sc_law_clear(&law);
    }
    sc_ball_clear(&sum);
    sc_ball_clear(&value);
}

/* Quantiles against a walk. */

/* The smallest k with P(X <= k) >= p by walking up from the lowest number in reach. */
static sc_int128 walk_to(const sc_law *law, const subject *s, const sc_ball *p,
                         bool outside)
{
    sc_ball sum, part;
    sc_ball_init(&sum);
    sc_ball_init(&part);
    sc_int128 k = outside ? 0 : -s->reach;
    sc_law_pmf(law, k, 300, &sum);
    while (k < s->reach && sc_ball_is_less(&sum, p)) {
        k++;
        sc_law_pmf(law, k, 300, &part);
        sc_ball_add(&sum, &sum, &part, 300);
        if (outside) {
            sc_law_pmf(law, -k, 300, &part);
            sc_ball_add(&sum, &sum, &part, 300);
        }
    }
    sc_ball_clear(&sum);
    sc_ball_clear(&part);
    return k;
}

SLOW_TEST(law_quantiles_and_radii_are_found)
{
    static const char *const list[] = {"1e-30", "1/1000",  "1/7",
                                       "0.3",   "1/2",     "0.6",
                                       "0.9",   "0.99999", "1000000007/1000000009"};
    sc_ball p, one;
    sc_ball_init(&p);
    sc_ball_init(&one);
    sc_ball_set_int64(&one, 1);
    for (size_t i = 0; i < SUBJECTS; i++)
        for (size_t j = 0; j < sizeof list / sizeof *list; j++) {
            sc_law law;
            sc_ratio exact;
            sc_int128 got = -1;
            law_of(&subjects[i], &law);
            exact_ratio(list[j], &exact);
            sc_ball_set_ratio(&p, &exact, 300);
            REQUIRE_OK(sc_law_quantile(&law, &exact, &got, NULL));
            if (!CHECK_INT(got, walk_to(&law, &subjects[i], &p, false)))
                CHECK_FAIL("subject %zu, p = %s", i, list[j]);
            REQUIRE_OK(sc_law_radius(&law, &exact, &got, NULL));
            sc_ball_sub(&p, &one, &p, 300);
            if (!CHECK_INT(got, walk_to(&law, &subjects[i], &p, true)))
                CHECK_FAIL("subject %zu, beta = %s", i, list[j]);
            sc_ratio_clear(&exact);
            sc_law_clear(&law);
        }
    sc_ball_clear(&p);
    sc_ball_clear(&one);
}

/* Where P(X <= k) is p exactly, k is the quantile: rational laws, and symmetric ones. */
TEST(law_quantiles_at_exact_borders)
{
    static const struct {
        const sc_law_functions *functions;
        const char *shape;
        sc_int128 bound;
        const char *p;
        sc_int128 quantile;
    } list[] = {
        {&sc_uniform_law, NULL, 10, "3/10", 2},
        {&sc_uniform_law, NULL, 10, "300000000000000000001/1000000000000000000000", 3},
        {&sc_uniform_law, NULL, (sc_int128)1 << 120, "1/2", ((sc_int128)1 << 119) - 1},
        {&sc_bernoulli_law, "3/7", 0, "4/7", 0},
        {&sc_bernoulli_law, "3/7", 0, "40000001/70000000", 1},
        {&sc_bernoulli_law, "0", 0, "0.999", 0},
        {&sc_bernoulli_law, "1", 0, "0.001", 1},
        {&sc_shifted_laplace_law, "1", 1, "1/2", -1},
        {&sc_shifted_laplace_law, "1/9", 1001, "1/2", -501},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_law law;
        sc_ratio p;
        sc_int128 got = -99;
        exact_law(list[i].functions, list[i].shape, list[i].bound, &law);
        exact_ratio(list[i].p, &p);
        CHECK_STATUS(sc_law_quantile(&law, &p, &got, NULL), SCRIM_OK);
        CHECK_INT(got, list[i].quantile);
        sc_ratio_clear(&p);
        sc_law_clear(&law);
    }
}

TEST(law_quantiles_refuse_what_is_no_probability)
{
    static const char *const list[] = {"0", "1",     "-1/2",
                                       "2", "-1e-9", "1000000000001/1000000000000"};
    sc_law law;
    exact_law(&sc_discrete_laplace_law, "10", 0, &law);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_ratio p;
        sc_int128 got = 42;
        scrim_error error = {.status = SCRIM_OK};
        exact_ratio(list[i], &p);
        CHECK_STATUS(sc_law_quantile(&law, &p, &got, &error), SCRIM_E_PARAM);
        CHECK_STATUS(sc_law_radius(&law, &p, &got, &error), SCRIM_E_PARAM);
        CHECK(error.message[0] != '\0');
        CHECK_INT(got, 42);
        sc_ratio_clear(&p);
    }
    sc_law_clear(&law);
}

/* Every scale. */

/* P(X >= k+1) = P(X >= k) - P(k) and the like on a law too wide to be summed, at points of
 * every size, with every answer as accurate as it says. */
static void check_steps(const sc_law *law, sc_int128 width)
{
    sc_int128 low, high;
    sc_ball here, next, value;
    sc_ball_init(&here);
    sc_ball_init(&next);
    sc_ball_init(&value);
    law->functions->support(law, &low, &high);
    for (int times = -60; times <= 60; times += 4) {
        const sc_int128 k = width / 4 * times + times;
        if (k <= low || k >= high)
            continue;
        sc_law_at_least(law, k, EXACT_BITS, &here);
        CHECK(sc_ball_is_accurate(&here, 200));
        sc_law_at_least(law, k + 1, EXACT_BITS, &next);
        CHECK(sc_ball_is_accurate(&next, 200));
        sc_law_pmf(law, k, EXACT_BITS, &value);
        CHECK(sc_ball_is_accurate(&value, 200));
        sc_ball_add(&next, &next, &value, EXACT_BITS);
        CHECK_SAME(&here, &next, 199);
        /* The other side: what is at most k is not at least k + 1. */
        sc_law_at_most(law, k, EXACT_BITS, &here);
        CHECK(sc_ball_is_accurate(&here, 200));
        sc_law_at_least(law, k + 1, EXACT_BITS, &next);
        sc_ball_add(&here, &here, &next, EXACT_BITS);
        sc_ball_set_int64(&value, 1);
        CHECK(sc_ball_contains(&here, &value));
    }
    sc_ball_clear(&here);
    sc_ball_clear(&next);
    sc_ball_clear(&value);
}

SLOW_TEST(laws_are_accurate_at_every_scale)
{
    const sc_int128 one = 1;
    static const struct {
        const sc_law_functions *functions;
        const char *shape;
        int bound, width; /* powers of 2 */
    } list[] = {
        {&sc_uniform_law, NULL, 120, 116},
        {&sc_geometric_law, "2^-60", 0, 0},
        {&sc_geometric_law, "2^40", 0, 40},
        {&sc_geometric_law, "2^60", 0, 60},
        {&sc_discrete_laplace_law, "2^-60", 0, 0},
        {&sc_discrete_laplace_law, "1/3", 0, 0},
        {&sc_discrete_laplace_law, "2^40", 0, 40},
        {&sc_discrete_laplace_law, "2^60", 0, 60},
        {&sc_discrete_gaussian_law, "2^-120", 0, 0},
        {&sc_discrete_gaussian_law, "1/9", 0, 0},
        {&sc_discrete_gaussian_law, "100", 0, 3},
        {&sc_discrete_gaussian_law, "4096", 0, 6},
        {&sc_discrete_gaussian_law, "4097", 0, 6},
        {&sc_discrete_gaussian_law, "2^20", 0, 10},
        {&sc_discrete_gaussian_law, "1e12", 0, 20},
        {&sc_discrete_gaussian_law, "2^80", 0, 40},
        {&sc_discrete_gaussian_law, "2^120", 0, 60},
        {&sc_truncated_laplace_law, "2^-60", 4, 0},
        {&sc_truncated_laplace_law, "2^40", 42, 40},
        {&sc_truncated_laplace_law, "2^60", 60, 57},
        {&sc_truncated_laplace_law, "2^60", 4, 1},
        {&sc_clamped_laplace_law, "2^-60", 4, 0},
        {&sc_clamped_laplace_law, "2^40", 42, 40},
        {&sc_clamped_laplace_law, "2^60", 4, 1},
        {&sc_shifted_laplace_law, "2^60", 4, 0},
        {&sc_shifted_laplace_law, "2^-40", 42, 40},
        {&sc_shifted_laplace_law, "2^-60", 60, 57},
        {&sc_shifted_laplace_law, "2^-60", 4, 1},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        sc_law law;
        exact_law(list[i].functions, list[i].shape, one << list[i].bound, &law);
        check_steps(&law, one << list[i].width);
        sc_law_clear(&law);
    }
}

/* Far tails of a wide Gaussian, where the remainder of Euler and Maclaurin is large against
 * the tail unless more terms are taken. */
TEST(law_of_a_wide_gaussian_is_accurate_far_out)
{
    CLAIM("law.encloses");
    static const int sigmas[] = {7, 10, 20, 40, 60}; /* powers of 2 */
    sc_ball value;
    sc_ball_init(&value);
    for (size_t i = 0; i < sizeof sigmas / sizeof *sigmas; i++)
        for (int64_t times = 1; times <= 200; times = times * 3 / 2 + 1) {
            char shape[16];
            sc_law law;
            snprintf(shape, sizeof shape, "2^%d", 2 * sigmas[i]);
            exact_law(&sc_discrete_gaussian_law, shape, 0, &law);
            sc_law_at_least(&law, (sc_int128)times << sigmas[i], 128, &value);
            if (!CHECK(sc_ball_is_accurate(&value, 100)))
                CHECK_FAIL("sigma 2^%d, %d sigma", sigmas[i], (int)times);
            sc_law_clear(&law);
        }
    sc_ball_clear(&value);
}

/* Beyond 256 sigma of a wide Gaussian the tail is enclosed by its ends, at once. */
TEST(law_of_a_wide_gaussian_is_enclosed_beyond_all_sense)
{
    CLAIM("law.encloses");
    sc_law law;
    sc_ball value, first, before;
    sc_ball_init(&value);
    sc_ball_init(&first);
    sc_ball_init(&before);
    exact_law(&sc_discrete_gaussian_law, "2^120", 0, &law);
    for (int power = 68; power <= 100; power += 4) {
        sc_int128 m = (sc_int128)1 << power;
        sc_law_at_least(&law, m, 128, &value);
        sc_law_pmf(&law, m, 128, &first);
        CHECK(!sc_ball_is_less(&value, &first));
        sc_law_pmf(&law, m - ((sc_int128)1 << 62), 128, &before); /* far above the tail */
        CHECK(sc_ball_is_less(&value, &before));
    }
    sc_law_clear(&law);
    sc_ball_clear(&value);
    sc_ball_clear(&first);
    sc_ball_clear(&before);
}

TEST(law_of_a_coin_near_one_keeps_its_digits)
{
    CLAIM("law.encloses");
    sc_ratio p, small;
    sc_law law;
    sc_ball value, want;
    sc_ball_init(&value);
    sc_ball_init(&want);
    exact_ratio("1", &p);
    exact_ratio("2^-1000", &small);
    sc_ratio_sub(&p, &p, &small);
    sc_law_init(&law, &sc_bernoulli_law, &p, 0);
    sc_law_pmf(&law, 0, EXACT_BITS, &value);
    sc_ball_set_ratio(&want, &small, EXACT_BITS);
    CHECK_SAME(&value, &want, 250);
    sc_law_clear(&law);
    sc_ratio_clear(&p);
    sc_ratio_clear(&small);
    sc_ball_clear(&value);
    sc_ball_clear(&want);
}

/* Scale 2^60 at the 2^-4000 quantile is 2^60 4000 ln 2: beyond int64, inside 2^120. */
TEST(law_quantiles_of_wide_laws_are_wide)
{
    sc_law law;
    sc_ratio p;
    sc_int128 low = 0, radius = 0;
    sc_ball value, edge;
    sc_ball_init(&value);
    sc_ball_init(&edge);
    exact_law(&sc_discrete_laplace_law, "2^60", 0, &law);
    exact_ratio("2^-4000", &p);
    sc_ball_set_ratio(&edge, &p, EXACT_BITS);
    REQUIRE_OK(sc_law_quantile(&law, &p, &low, NULL));
    CHECK(low < -((sc_int128)2700 << 60) && low > -((sc_int128)2800 << 60));
    sc_law_at_most(&law, low, EXACT_BITS, &value);
    CHECK(sc_ball_is_less(&edge, &value));
    sc_law_at_most(&law, low - 1, EXACT_BITS, &value);
    CHECK(sc_ball_is_less(&value, &edge));
    REQUIRE_OK(sc_law_radius(&law, &p, &radius, NULL));
    CHECK(radius >= -low && radius < -low + ((sc_int128)1 << 60));
    sc_ratio_clear(&p);
    sc_law_clear(&law);
    sc_ball_clear(&value);
    sc_ball_clear(&edge);
}

/* The mass beyond a and -a, added up the long way. */
static void mass_beyond(const sc_law *law, sc_int128 a, sc_ball *out)
{
    sc_ball left;
    sc_ball_init(&left);
    sc_law_at_most(law, -a - 1, EXACT_BITS, &left);
    sc_law_at_least(law, a + 1, EXACT_BITS, out);
    sc_ball_add(out, out, &left, EXACT_BITS);
    sc_ball_clear(&left);
}

/* Whatever guides the search: a radius leaves out at most beta, and one step less leaves out more. */
TEST(law_radius_of_wide_laws_is_the_first)
{
    static const struct {
        const sc_law_functions *functions;
        const char *shape;
        sc_int128 bound;
    } laws[] = {{&sc_discrete_gaussian_law, "2^21", 0},
                {&sc_discrete_gaussian_law, "2^120", 0},
                {&sc_discrete_gaussian_law, "123456789123456789/7", 0},
                {&sc_discrete_laplace_law, "1000003", 0},
                {&sc_discrete_laplace_law, "2^60", 0},
                {&sc_geometric_law, "2^40", 0},
                {&sc_uniform_law, NULL, 1000000007},
                {&sc_truncated_laplace_law, "2^30", 5000000000},
                {&sc_clamped_laplace_law, "2^30", 1000000},
                {&sc_shifted_laplace_law, "1/1000000", 30000000}};
    static const char *const betas[] = {"0.9", "1/2", "0.05", "1e-9", "2^-200"};
    sc_ball mass, edge;
    sc_ball_init(&mass);
    sc_ball_init(&edge);
    for (size_t i = 0; i < COUNT(laws); i++)
        for (size_t j = 0; j < COUNT(betas); j++) {
            sc_law law;
            sc_ratio beta;
            sc_int128 radius = -1;
            exact_law(laws[i].functions, laws[i].shape, laws[i].bound, &law);
            exact_ratio(betas[j], &beta);
            sc_ball_set_ratio(&edge, &beta, EXACT_BITS);
            REQUIRE_OK(sc_law_radius(&law, &beta, &radius, NULL));
            mass_beyond(&law, radius, &mass);
            bool is_first = !sc_ball_is_less(&edge, &mass);
            mass_beyond(&law, radius - 1, &mass);
            is_first = is_first && (radius == 0 || sc_ball_is_less(&edge, &mass));
            if (!CHECK(is_first))
                CHECK_FAIL("law %zu, beta = %s", i, betas[j]);
            sc_ratio_clear(&beta);
            sc_law_clear(&law);
        }
    sc_ball_clear(&mass);
    sc_ball_clear(&edge);
}

/* Whatever step the search begins with, it looks as far as 2^120, and no farther. */
TEST(law_radius_is_found_up_to_its_limit)
{
    static const struct {
        const char *scale;
        scrim_status status;
    } list[] = {{"2^118", SCRIM_OK}, {"5e35", SCRIM_E_LIMIT}};
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_law law;
        sc_ratio beta;
        sc_int128 radius = 0;
        exact_law(&sc_discrete_laplace_law, list[i].scale, 0, &law);
        exact_ratio("0.05", &beta);
        CHECK_STATUS(sc_law_radius(&law, &beta, &radius, NULL), list[i].status);
        CHECK(list[i].status != SCRIM_OK || radius > (sc_int128)1 << 119);
        sc_ratio_clear(&beta);
        sc_law_clear(&law);
    }
}
