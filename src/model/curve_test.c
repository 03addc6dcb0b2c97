#include "balls.h"
#include "curves.h"
#include "summation.h"

#include <string.h>

/* The other road: summation over the laws themselves. */

static void check_against(const sc_curve *curve, const summation *sum, bool has_renyi)
{
    static const char *const epsilons[] = {"0", "1/100", "1/4", "1", "2", "37/10"};
    static const char *const orders[] = {"101/100", "3/2", "2", "47/10", "20"};
    sc_ratio x;
    sc_ball ours, there, back, rest;
    sc_ball_init(&ours);
    sc_ball_init(&there);
    sc_ball_init(&back);
    /* The lists end where less than 1e-30 is left. */
    sc_ball_init(&rest);
    CHECK(ball_set_text(&rest, "1e-30", 64));
    for (size_t i = 0; i < COUNT(epsilons); i++) {
        exact_ratio(epsilons[i], &x);
        sc_curve_delta_upper(curve, &x, EXACT_BITS, &ours);
        summation_delta(sum, &x, &there);
        summation_delta_back(sum, &x, &back);
        if (sc_ball_upper(&there) < 1e-30)
            CHECK(sc_ball_upper(&ours) < 2e-30);
        else {
            sc_ball_widen(&there, &rest);
            CHECK_SAME(&ours, &there, 60);
        }
        CHECK(sc_ball_upper(&ours) >= sc_ball_lower(&back));
        sc_ratio_clear(&x);
    }
    for (size_t i = 0; has_renyi && i < COUNT(orders); i++) {
        exact_ratio(orders[i], &x);
        sc_curve_renyi_upper(curve, &x, EXACT_BITS, &ours);
        summation_renyi(sum, &x, &there);
        CHECK_NEAR(sc_ball_upper(&ours), sc_ball_upper(&there), 1e-12);
        sc_ratio_clear(&x);
    }
    sc_ball_clear(&rest);
    sc_ball_clear(&back);
    sc_ball_clear(&there);
    sc_ball_clear(&ours);
}

/* Both laws on -reach .. reach + shift. */
static void open_shifted(summation *sum, const sc_law *law, int64_t reach, int64_t shift)
{
    size_t count = (size_t)(2 * reach + shift + 1);
    sc_ball *p = calloc(count, sizeof *p), *q = calloc(count, sizeof *q);
    if (!CHECK(p != NULL && q != NULL))
        exit(1);
    for (size_t i = 0; i < count; i++) {
        sc_int128 k = (sc_int128)i - reach;
        sc_ball_init(&p[i]);
        sc_ball_init(&q[i]);
        sc_law_pmf(law, k, SUMMATION_BITS, &p[i]);
        sc_law_pmf(law, k - shift, SUMMATION_BITS, &q[i]);
    }
    summation_open_list(sum, p, q, count);
    for (size_t i = 0; i < count; i++) {
        sc_ball_clear(&p[i]);
        sc_ball_clear(&q[i]);
    }
    free(p);
    free(q);
}

TEST(curve_of_noise_is_the_sum_over_its_law)
{
    CLAIM("curve.bounds");
    static const struct {
        const char *scale;
        int64_t reach;
        uint64_t shift;
    } laplace[] = {
        {"1/2", 60, 1}, {"1", 120, 1}, {"10/3", 400, 4}, {"10", 1200, 7}, {"3", 300, 1}};
    static const struct {
        const char *variance;
        int64_t reach;
        uint64_t shift;
    } gaussian[] = {{"1/4", 12, 1}, {"1", 24, 2}, {"100", 200, 3}, {"25/4", 50, 5}};
    for (size_t i = 0; i < COUNT(laplace); i++) {
        sc_law law;
        sc_curve curve;
        summation sum;
        exact_law(&sc_discrete_laplace_law, laplace[i].scale, 0, &law);
        curves_of_noise(sc_curve_set_laplace, laplace[i].scale, laplace[i].shift, &curve);
        open_shifted(&sum, &law, laplace[i].reach, (int64_t)laplace[i].shift);
        check_against(&curve, &sum, true);
        summation_close(&sum);
        sc_curve_clear(&curve);
        sc_law_clear(&law);
    }
    for (size_t i = 0; i < COUNT(gaussian); i++) {
        sc_law law;
        sc_curve curve;
        summation sum;
        exact_law(&sc_discrete_gaussian_law, gaussian[i].variance, 0, &law);
        curves_of_noise(sc_curve_set_gaussian, gaussian[i].variance, gaussian[i].shift,
                        &curve);
        open_shifted(&sum, &law, gaussian[i].reach, (int64_t)gaussian[i].shift);
        check_against(&curve, &sum, false);
        summation_close(&sum);
        sc_curve_clear(&curve);
        sc_law_clear(&law);
    }
}

/* Two outcomes, the second what is left of 1. */
static void set_pair(sc_ball pair[2], const sc_ball *first)
{
    sc_ball_set(&pair[0], first);
    sc_ball_neg(&pair[1], first);
    sc_ball_add_int64(&pair[1], &pair[1], 1, SUMMATION_BITS);
}

/* 1 / (1 + exp(-x)) */
static void logistic(const char *x, sc_ball *out)
{
    sc_ratio value;
    sc_ball one;
    exact_ratio(x, &value);
    sc_ball_init(&one);
    sc_ball_set_int64(&one, 1);
    sc_ball_set_ratio(out, &value, SUMMATION_BITS);
    sc_ball_neg(out, out);
    sc_ball_exp(out, out, SUMMATION_BITS);
    sc_ball_add_int64(out, out, 1, SUMMATION_BITS);
    sc_ball_div(out, &one, out, SUMMATION_BITS);
    sc_ball_clear(&one);
    sc_ratio_clear(&value);
}

TEST(curve_of_pure_and_approximate_is_that_of_the_worst_pair)
{
    CLAIM("curve.bounds");
    static const char *const epsilons[] = {"1/10", "1", "5/2"};
    static const char *const deltas[] = {"0", "1e-6", "1/8"};
    for (size_t i = 0; i < COUNT(epsilons) * COUNT(deltas); i++) {
        const char *delta_text = deltas[i / COUNT(epsilons)];
        summation sum;
        sc_curve curve;
        sc_ratio epsilon, delta;
        sc_ball p[4], q[4], keep;
        for (size_t j = 0; j < 4; j++) {
            sc_ball_init(&p[j]);
            sc_ball_init(&q[j]);
        }
        sc_ball_init(&keep);
        exact_ratio(epsilons[i % COUNT(epsilons)], &epsilon);
        exact_ratio(delta_text, &delta);
        /* With probability delta all is told; else a coin is answered by randomised response. */
        logistic(epsilons[i % COUNT(epsilons)], &keep);
        set_pair(&p[1], &keep);
        set_pair(&q[1], &keep);
        sc_ball_set(&keep, &q[1]);
        sc_ball_set(&q[1], &q[2]);
        sc_ball_set(&q[2], &keep);
        sc_ball_set_ratio(&p[0], &delta, SUMMATION_BITS);
        sc_ball_set(&q[3], &p[0]);
        sc_ball_neg(&keep, &p[0]);
        sc_ball_add_int64(&keep, &keep, 1, SUMMATION_BITS);
        for (size_t j = 1; j < 3; j++) {
            sc_ball_mul(&p[j], &p[j], &keep, SUMMATION_BITS);
            sc_ball_mul(&q[j], &q[j], &keep, SUMMATION_BITS);
        }
        sc_curve_init(&curve);
        sc_curve_set_approximate(&curve, &epsilon, &delta);
        CHECK_STR(curve.functions->name,
                  strcmp(delta_text, "0") == 0 ? "pure" : "approximate");
        summation_open_list(&sum, p, q, 4);
        check_against(&curve, &sum, curve.functions->renyi != NULL);
        summation_close(&sum);
        sc_curve_clear(&curve);
        sc_ratio_clear(&delta);
        sc_ratio_clear(&epsilon);
        sc_ball_clear(&keep);
        for (size_t j = 0; j < 4; j++) {
            sc_ball_clear(&p[j]);
            sc_ball_clear(&q[j]);
        }
    }
}

/* Two losses at a distance of epsilon, t and t - epsilon: q1 = (1 - exp(t - epsilon)) /
 * (exp(t) - exp(t - epsilon)). Bounded range says order epsilon^2/8 of all of them. */
TEST(curve_of_bounded_range_bounds_all_pairs_of_that_range)
{
    CLAIM("curve.bounds");
    static const char *const epsilons[] = {"1/10", "1", "3"};
    static const char *const orders[] = {"11/10", "2", "5", "40"};
    for (size_t i = 0; i < COUNT(epsilons); i++)
        for (int part = 1; part < 20; part++) {
            sc_curve curve;
            summation sum;
            sc_ratio epsilon, t, twenty, order;
            sc_ball high, low, top, p[2], q[2], bound, there;
            sc_ball *const all[] = {&high, &low,  &top,   &p[0], &p[1],
                                    &q[0], &q[1], &bound, &there};
            for (size_t j = 0; j < COUNT(all); j++)
                sc_ball_init(all[j]);
            curves_of(sc_curve_set_bounded_range, epsilons[i], &curve);
            exact_ratio(epsilons[i], &epsilon);
            sc_ratio_init(&t);
            sc_ratio_init(&twenty);
            sc_ratio_set_int64(&t, part);
            sc_ratio_set_int64(&twenty, 20);
            sc_ratio_div(&t, &t, &twenty);
            sc_ratio_mul(&t, &t, &epsilon);
            sc_ball_set_ratio(&high, &t, SUMMATION_BITS);
            sc_ball_exp(&high, &high, SUMMATION_BITS);
            sc_ratio_sub(&t, &t, &epsilon);
            sc_ball_set_ratio(&low, &t, SUMMATION_BITS);
            sc_ball_exp(&low, &low, SUMMATION_BITS);
            sc_ball_neg(&top, &low);
            sc_ball_add_int64(&top, &top, 1, SUMMATION_BITS);
            sc_ball_sub(&bound, &high, &low, SUMMATION_BITS);
            sc_ball_div(&top, &top, &bound, SUMMATION_BITS);
            set_pair(q, &top);
            sc_ball_mul(&top, &top, &high, SUMMATION_BITS);
            set_pair(p, &top);
            summation_open_list(&sum, p, q, 2);
            for (size_t j = 0; j < COUNT(orders); j++) {
                exact_ratio(orders[j], &order);
                summation_renyi(&sum, &order, &there);
                sc_curve_renyi_upper(&curve, &order, EXACT_BITS, &bound);
                CHECK(sc_ball_is_less_equal(&there, &bound));
                sc_ratio_clear(&order);
            }
            summation_close(&sum);
            sc_ratio_clear(&twenty);
            sc_ratio_clear(&t);
            sc_ratio_clear(&epsilon);
            sc_curve_clear(&curve);
            for (size_t j = 0; j < COUNT(all); j++)
                sc_ball_clear(all[j]);
        }
}

/* The smaller of the line and what is true of anything pure. */
TEST(curve_of_bounded_range_is_concentrated_by_an_eighth)
{
    CLAIM("curve.bounds");
    sc_curve curve, pure;
    sc_ball ours, other;
    sc_ball_init(&ours);
    sc_ball_init(&other);
    curves_of(sc_curve_set_bounded_range, "1", &curve);
    curves_of(sc_curve_set_pure, "1", &pure);
    curves_renyi(&curve, "2", &ours);
    CHECK_PRINTED(&ours, "0.25");
    curves_renyi(&curve, "50", &ours);
    curves_renyi(&pure, "50", &other);
    CHECK_SAME(&ours, &other, 200);
    curves_delta(&curve, "1/2", &ours);
    curves_delta(&pure, "1/2", &other);
    CHECK_SAME(&ours, &other, 200);
    sc_curve_clear(&pure);
    sc_curve_clear(&curve);
    sc_ball_clear(&other);
    sc_ball_clear(&ours);
}

/* Both numbers of a line. */
TEST(curve_of_lines)
{
    CLAIM("curve.bounds");
    sc_curve line;
    sc_ratio xi, rho;
    sc_ball value;
    exact_ratio("1/8", &xi);
    exact_ratio("1/10", &rho);
    sc_curve_init(&line);
    sc_ball_init(&value);
    sc_curve_set_line(&line, &xi, &rho);
    curves_renyi(&line, "5/2", &value);
    CHECK_PRINTED(&value, "0.375");
    sc_ball_clear(&value);
    sc_curve_clear(&line);
    sc_ratio_clear(&rho);
    sc_ratio_clear(&xi);
}

/* All strings of k answers of randomised response: 2^k outcomes. */
TEST(curve_of_copies_is_the_sum_over_all_answers)
{
    CLAIM("curve.bounds");
    enum { K = 6 };
    summation sum;
    sc_curve curve;
    sc_ball p[1 << K], q[1 << K], keep, change;
    sc_ball_init(&keep);
    sc_ball_init(&change);
    logistic("2/5", &keep);
    logistic("-2/5", &change);
    for (unsigned answers = 0; answers < 1 << K; answers++) {
        sc_ball_init(&p[answers]);
        sc_ball_init(&q[answers]);
        sc_ball_set_int64(&p[answers], 1);
        sc_ball_set_int64(&q[answers], 1);
        for (unsigned i = 0; i < K; i++) {
            bool kept = (answers >> i & 1) == 0;
            sc_ball_mul(&p[answers], &p[answers], kept ? &keep : &change, SUMMATION_BITS);
            sc_ball_mul(&q[answers], &q[answers], kept ? &change : &keep, SUMMATION_BITS);
        }
    }
    summation_open_list(&sum, p, q, 1 << K);
    curves_of_noise(sc_curve_set_composed, "2/5", K, &curve);
    check_against(&curve, &sum, true);
    sc_curve_clear(&curve);
    summation_close(&sum);
    for (unsigned i = 0; i < 1 << K; i++) {
        sc_ball_clear(&p[i]);
        sc_ball_clear(&q[i]);
    }
    sc_ball_clear(&change);
    sc_ball_clear(&keep);
}

/* Asked the other way round. */

/* The epsilon found meets the delta, and one that is a little smaller does not. */
static void check_inverse(const sc_curve *curve, const char *delta)
{
    sc_ratio target, epsilon, less;
    sc_ball value, edge;
    exact_ratio(delta, &target);
    sc_ratio_init(&epsilon);
    exact_ratio("1073741823/1073741824", &less);
    sc_ball_init(&value);
    sc_ball_init(&edge);
    sc_ball_set_ratio(&edge, &target, EXACT_BITS);
    if (CHECK(sc_curve_epsilon_upper(curve, &target, &epsilon))) {
        sc_curve_delta_upper(curve, &epsilon, EXACT_BITS, &value);
        CHECK(sc_ball_is_less_equal(&value, &edge));
        sc_ratio_mul(&epsilon, &epsilon, &less);
        sc_curve_delta_upper(curve, &epsilon, EXACT_BITS, &value);
        CHECK(sc_ratio_sign(&epsilon) == 0 || sc_ball_is_less(&edge, &value));
    }
    sc_ball_clear(&edge);
    sc_ball_clear(&value);
    sc_ratio_clear(&less);
    sc_ratio_clear(&epsilon);
    sc_ratio_clear(&target);
}

TEST(curve_finds_the_smallest_epsilon)
{
    static const char *const deltas[] = {"1e-12", "1e-6", "1/100", "1/3"};
    sc_curve curves[5];
    curves_of_noise(sc_curve_set_laplace, "3", 2, &curves[0]);
    curves_of_noise(sc_curve_set_gaussian, "7/2", 1, &curves[1]);
    curves_of_noise(sc_curve_set_composed, "1/10", 50, &curves[2]);
    curves_of(sc_curve_set_concentrated, "1/20", &curves[3]);
    curves_of(sc_curve_set_pure, "5", &curves[4]);
    for (size_t i = 0; i < COUNT(curves); i++) {
        for (size_t j = 0; j < COUNT(deltas); j++)
            check_inverse(&curves[i], deltas[j]);
        sc_curve_clear(&curves[i]);
    }
}

/* A pure curve meets even a delta of 0; a Gaussian does at no epsilon. */
TEST(curve_at_a_delta_of_zero)
{
    sc_curve pure, gaussian, concentrated, nothing;
    sc_ratio zero, epsilon;
    sc_ratio_init(&zero);
    sc_ratio_init(&epsilon);
    curves_of_noise(sc_curve_set_laplace, "3", 2, &pure);
    curves_of_noise(sc_curve_set_gaussian, "3", 2, &gaussian);
    curves_of(sc_curve_set_concentrated, "1", &concentrated);
    sc_curve_init(&nothing);
    REQUIRE(sc_curve_epsilon_upper(&pure, &zero, &epsilon));
    sc_ball found;
    sc_ball_init(&found);
    sc_ball_set_ratio(&found, &epsilon, 64);
    CHECK(sc_ball_lower(&found) < 2.0 / 3 + 1e-9 && sc_ball_upper(&found) >= 2.0 / 3);
    CHECK(!sc_curve_epsilon_upper(&gaussian, &zero, &epsilon));
    CHECK(!sc_curve_epsilon_upper(&concentrated, &zero, &epsilon));
    sc_ratio_set_int64(&zero, 2);
    sc_ratio_set_int64(&epsilon, 1);
    sc_ratio_div(&zero, &epsilon, &zero); /* a half: nothing is proved there either */
    CHECK(!sc_curve_epsilon_upper(&nothing, &zero, &epsilon));
    sc_ball_clear(&found);
    sc_curve_clear(&nothing);
    sc_curve_clear(&concentrated);
    sc_curve_clear(&gaussian);
    sc_curve_clear(&pure);
    sc_ratio_clear(&epsilon);
    sc_ratio_clear(&zero);
}

/* Where nothing is proved: delta 1, and no divergence. */
TEST(curve_without_functions_promises_nothing)
{
    sc_curve nothing, approximate;
    sc_ball value;
    sc_ratio epsilon, delta;
    exact_ratio("1", &epsilon);
    exact_ratio("1/10", &delta);
    sc_ball_init(&value);
    sc_curve_init(&nothing);
    sc_curve_init(&approximate);
    sc_curve_set_approximate(&approximate, &epsilon, &delta);
    curves_delta(&nothing, "1000", &value);
    CHECK(sc_ball_lower(&value) == 1.0);
    curves_renyi(&nothing, "2", &value);
    CHECK(!sc_ball_is_finite(&value) && sc_ball_upper(&value) > 1e308);
    curves_renyi(&approximate, "2", &value);
    CHECK(!sc_ball_is_finite(&value) && sc_ball_upper(&value) > 1e308);
    sc_curve_clear(&approximate);
    sc_curve_clear(&nothing);
    sc_ball_clear(&value);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&epsilon);
}
