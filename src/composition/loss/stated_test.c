#include "base/memory.h"
#include "check.h"
#include "composition/loss/bag.h"
#include "composition/loss/stated.h"
#include "scrim/composition.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void read_as(const char *line, const char *want)
{
    sc_bag bag;
    sc_bag_init(&bag);
    if (CHECK_STATUS(sc_bag_parse(line, &bag, NULL), SCRIM_OK) && CHECK(bag.count == 1))
        CHECK_STR(bag.parts[0].text, want);
    sc_bag_clear(&bag);
}

TEST(stated_guarantees_have_one_spelling)
{
    CLAIM("stated.worst");
    read_as("delta=1e-6 epsilon=2/4", "epsilon=0.5 delta=0.000001 neighbours=add-remove");
    read_as("epsilon=1 neighbours=replace", "epsilon=1 neighbours=replace");
    read_as("xi=0 rho=1/2", "rho=0.5 xi=0 neighbours=add-remove");
    read_as("renyi epsilon=1 order=2", "renyi order=2 epsilon=1 neighbours=add-remove");
    read_as("poisson rate=1/2 gdp mu=2",
            "poisson rate=0.5 gdp mu=2 neighbours=add-remove");
}

TEST(stated_guarantees_are_refused_outside_of_their_domains)
{
    CLAIM("stated.worst");
    static const char *const lines[] = {"epsilon=-1",
                                        "epsilon=1 delta=1",
                                        "delta=0.1",
                                        "rho=0",
                                        "rho=1 xi=-1",
                                        "renyi order=1 epsilon=1",
                                        "renyi rho=1",
                                        "gdp mu=0",
                                        "gdp",
                                        "epsilon=",
                                        "rho=1 epsilon=1",
                                        "gdp mu=1 sensitivity=2",
                                        "mu=1",
                                        "epsilon=1 scale=1 x10",
                                        "order=2 epsilon=1"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        sc_bag bag;
        sc_bag_init(&bag);
        const scrim_status status = sc_bag_parse(lines[i], &bag, NULL);
        if (!CHECK(status == SCRIM_E_PARAM || status == SCRIM_E_SYNTAX))
            check_fail(__FILE__, __LINE__, "%s", lines[i]);
        sc_bag_clear(&bag);
    }
}

/* A rational number, rounded to 2^-80 downwards or upwards. */
static void round_to(sc_ratio *x, bool is_up)
{
    SC_OWN(sc_ratio, scale);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int128(&scale, (sc_int128)1 << 80);
    sc_ratio_mul(x, x, &scale);
    if (is_up)
        sc_ratio_ceil(x, &whole);
    else
        sc_ratio_floor(x, &whole);
    sc_ratio_set_integer(x, &whole);
    sc_ratio_div(x, x, &scale);
}

/* Rational numbers below and above exp(tenths/10), at most exp(3), and 2^-79 apart: its series, and beyond
 * the last term less than that term again. */
static void exp_between(unsigned tenths, sc_ratio *low, sc_ratio *high)
{
    SC_OWN(sc_ratio, x, term, count);
    sc_ratio_set_quotient(&x, tenths, 10);
    sc_ratio_set_int64(&term, 1);
    sc_ratio_set_int64(low, 0);
    for (int64_t k = 1; k <= 50; k++) {
        sc_ratio_add(low, low, &term);
        sc_ratio_set_int64(&count, k);
        sc_ratio_mul(&term, &term, &x);
        sc_ratio_div(&term, &term, &count);
    }
    sc_ratio_add(high, low, &term);
    sc_ratio_add(high, high, &term);
    round_to(low, false);
    round_to(high, true);
}

typedef struct stated_pair {
    unsigned tenths, parts; /* of epsilon; of delta, 10^-5 */
    sc_ratio low, high;     /* around exp(epsilon) */
} stated_pair;

/* The joint delta of (ln ratio, 0) of each part at ln threshold, by all outcomes: randomised response
 * says 1 with ratio / (1 + ratio), or with 1 / (1 + ratio). */
static void response_delta(const stated_pair *parts, size_t count, bool is_high,
                           const sc_ratio *threshold, sc_ratio *sum)
{
    SC_OWN(sc_ratio, p, q, one, all);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_set_int64(&all, 1);
    sc_ratio_set_int64(sum, 0);
    for (size_t i = 0; i < count; i++) {
        sc_ratio_add(&p, is_high ? &parts[i].high : &parts[i].low, &one);
        sc_ratio_mul(&all, &all, &p);
    }
    for (unsigned outcome = 0; outcome < 1U << count; outcome++) {
        sc_ratio_set_int64(&p, 1);
        sc_ratio_set(&q, threshold);
        for (size_t i = 0; i < count; i++)
            sc_ratio_mul(outcome >> i & 1 ? &p : &q, outcome >> i & 1 ? &p : &q,
                         is_high ? &parts[i].high : &parts[i].low);
        sc_ratio_sub(&p, &p, &q);
        if (sc_ratio_sign(&p) > 0)
            sc_ratio_add(sum, sum, &p);
    }
    sc_ratio_div(sum, sum, &all);
}

/* Rational numbers around the least joint delta of several (epsilon, delta): each part tells everything with its delta,
 * and otherwise is randomised response. It rises with every epsilon, and falls with the one it is asked at. */
static void exact_delta(const stated_pair *parts, size_t count, unsigned at_tenths,
                        sc_ratio *least, sc_ratio *most)
{
    SC_OWN(sc_ratio, low, high, one, kept, part);
    exp_between(at_tenths, &low, &high);
    response_delta(parts, count, false, &high, least);
    response_delta(parts, count, true, &low, most);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_set_int64(&kept, 1);
    for (size_t i = 0; i < count; i++) {
        sc_ratio_set_quotient(&part, (int64_t)(100000 - parts[i].parts), 100000);
        sc_ratio_mul(&kept, &kept, &part);
    }
    sc_ratio *ends[] = {least, most};
    for (size_t i = 0; i < 2; i++) { /* 1 - kept (1 - delta) */
        sc_ratio_sub(ends[i], &one, ends[i]);
        sc_ratio_mul(ends[i], ends[i], &kept);
        sc_ratio_sub(ends[i], &one, ends[i]);
    }
}

static uint64_t state;

static unsigned below(unsigned n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((state >> 33) % n);
}

static bool bounds_of(const char *line, uint64_t units, const char *epsilon,
                      scrim_bound_pair *out)
{
    scrim_composition *parts = NULL, *group = NULL;
    scrim_bounds bounds = {.rows = NULL};
    scrim_error error;
    const bool is_there =
        CHECK_STATUS(scrim_composition_parse(line, &parts, &error), SCRIM_OK) &&
        CHECK_STATUS(scrim_composition_group(parts, units, &group, &error), SCRIM_OK) &&
        CHECK_STATUS(scrim_composition_delta(group, epsilon, NULL, &bounds, &error),
                     SCRIM_OK);
    if (is_there)
        *out = bounds.best;
    else
        check_fail(__FILE__, __LINE__, "%s: %s", line, error.message);
    scrim_bounds_clear(&bounds);
    scrim_composition_free(group);
    scrim_composition_free(parts);
    return is_there;
}

/* Bounds that were found, as exact texts, hold the exact delta between them, closely. */
static bool holds_between(const scrim_bound_pair *found, const sc_ratio *least,
                          const sc_ratio *most)
{
    SC_OWN(sc_ratio, lower, upper, width, allowed, tiny);
    if (!found->has_lower ||
        sc_ratio_parse(sc_text_of(found->lower), &lower, NULL) != SCRIM_OK ||
        sc_ratio_parse(sc_text_of(found->upper), &upper, NULL) != SCRIM_OK)
        return false;
    sc_ratio_sub(&width, &upper, &lower);
    sc_ratio_set_quotient(&allowed, 1, 10000);
    sc_ratio_mul(&allowed, &allowed, most);
    sc_ratio_set_quotient(&tiny, 1, (int64_t)1e12);
    sc_ratio_add(&allowed, &allowed, &tiny);
    return sc_ratio_compare(&lower, most) <= 0 && sc_ratio_compare(&upper, least) >= 0 &&
           sc_ratio_compare(&width, &allowed) <= 0;
}

static void check_list(stated_pair *parts, size_t count)
{
    SC_OWN(sc_ratio, least, most);
    char line[400] = "", epsilon[16];
    scrim_bound_pair found;
    const unsigned at = below(30);
    for (size_t i = 0; i < count; i++) {
        parts[i].tenths = below(20);
        parts[i].parts = below(3) == 0 ? 0 : below(100);
        exp_between(parts[i].tenths, &parts[i].low, &parts[i].high);
        snprintf(line + strlen(line), sizeof line - strlen(line),
                 "%sepsilon=%u/10 delta=%u/100000", i == 0 ? "" : "; ", parts[i].tenths,
                 parts[i].parts);
    }
    snprintf(epsilon, sizeof epsilon, "%u/10", at);
    exact_delta(parts, count, at, &least, &most);
    if (bounds_of(line, 1, epsilon, &found) &&
        !CHECK(holds_between(&found, &least, &most)))
        check_fail(__FILE__, __LINE__, "%s at %s: not in [%s, %s]", line, epsilon,
                   found.lower, found.upper);
}

SLOW_TEST(stated_pairs_compose_to_their_exact_optimum)
{
    CLAIM("stated.worst");
    stated_pair parts[7];
    state = check_seed();
    for (size_t i = 0; i < COUNT(parts); i++) {
        sc_ratio_init(&parts[i].low);
        sc_ratio_init(&parts[i].high);
    }
    for (uint64_t turn = 0; turn < check_count_whole(12, 200); turn++)
        check_list(parts, 1 + below(COUNT(parts)));
    for (size_t i = 0; i < COUNT(parts); i++) {
        sc_ratio_clear(&parts[i].low);
        sc_ratio_clear(&parts[i].high);
    }
}

static double normal(double x)
{
    return erfc(-x / sqrt(2)) / 2;
}

/* The worst of the guarantee, in doubles, against what is said of it. */
TEST(stated_guarantees_are_converted_as_proved)
{
    CLAIM("stated.worst");
    scrim_bound_pair found;
    /* Normal laws that are mu apart. */
    if (bounds_of("gdp mu=3/5; gdp mu=4/5", 1, "1", &found)) {
        const double delta = normal(0.5 - 1) - exp(1) * normal(-0.5 - 1);
        CHECK_NEAR(found.upper_view, delta, 1e-6);
        CHECK_NEAR(found.lower_view, delta, 1e-6);
    }
    /* The order is the best, since nothing is known above it: exp((a-1)(D - e)) (1-1/a)^a / (a-1). */
    if (bounds_of("renyi order=8 epsilon=1/4; renyi order=8 epsilon=1/2", 1, "2",
                  &found)) {
        const double delta = exp(7 * (0.75 - 2)) * pow(1 - 1 / 8.0, 8) / 7;
        CHECK_NEAR(found.upper_view, delta, 1e-6);
        CHECK(found.upper_view >= delta * (1 - 1e-12));
        CHECK(!found.has_lower || found.lower_view == 0);
    }
    /* The least of two orders is the last that both have. */
    if (bounds_of("renyi order=8 epsilon=1/4; renyi order=1.5 epsilon=1/4", 1, "9",
                  &found))
        CHECK_NEAR(found.upper_view, exp(0.5 * (0.5 - 9)) * pow(1 - 1 / 1.5, 1.5) / 0.5,
                   1e-6);
    /* A rho is one of Gaussian noise, or worse. */
    scrim_bound_pair noise;
    if (bounds_of("rho=1/2", 1, "3", &found) &&
        bounds_of("continuous-gaussian sigma=1", 1, "3", &noise))
        CHECK(found.upper_view > noise.upper_view &&
              found.upper_view < 9 * noise.upper_view);
}

/* Groups have what noise against the whole shift has, or what the guarantee says of them. */
TEST(groups_have_the_cost_of_all_their_units)
{
    CLAIM("stated.worst");
    static const char *const same[][2] = {
        {"laplace scale=10 x3", "laplace scale=10 sensitivity=5 x3"},
        {"gaussian sigma=9", "gaussian sigma=9 sensitivity=5"},
        {"gdp mu=1/10", "gdp mu=1/2"},
        {"continuous-laplace scale=8", "continuous-laplace scale=8 sensitivity=5"},
        {"epsilon=1/10", "epsilon=1/2"},
        {"rho=1/100 x2", "rho=1/4 x2"}};
    scrim_bound_pair group, one;
    for (size_t i = 0; i < COUNT(same); i++)
        if (bounds_of(same[i][0], 5, "1/4", &group) &&
            bounds_of(same[i][1], 1, "1/4", &one)) {
            CHECK_NEAR(group.upper_view, one.upper_view, 1e-9);
            CHECK(group.lower_view <= one.upper_view);
        }
    /* It has a bounded range, so that its rho, and that of groups, is a quarter of what the epsilon gives. */
    if (bounds_of("exponential epsilon=1/10", 5, "1/4", &group) &&
        bounds_of("rho=1/32", 1, "1/4", &one))
        CHECK(group.upper_view > 0 && group.upper_view <= one.upper_view * (1 + 1e-9));
    /* (k epsilon, delta expm1(k epsilon) / expm1(epsilon)). */
    if (bounds_of("epsilon=1/10 delta=1e-6", 5, "1/2", &group))
        CHECK_NEAR(group.upper_view, 1e-6 * expm1(0.5) / expm1(0.1), 1e-9);
    /* (xi k (1 + 1/2 + ... + 1/k), k^2 rho). */
    if (bounds_of("rho=1/100 xi=1/100", 2, "1", &group) &&
        bounds_of("rho=4/100 xi=3/100", 1, "1", &one))
        CHECK_NEAR(group.upper_view, one.upper_view, 1e-9);
}

static double view(const sc_ratio *x)
{
    SC_OWN(sc_ball, ball);
    sc_ball_set_ratio(&ball, x, 64);
    return sc_ball_upper(&ball);
}

/* D_order of two distributions on four points. */
enum { POINTS = 4, CHAIN = 4 };
static double divergence(const double *p, const double *q, double order)
{
    double sum = 0;
    for (int i = 0; i < POINTS; i++)
        sum += pow(p[i], order) * pow(q[i], 1 - order);
    return log(sum) / (order - 1);
}

/* A random chain: what its neighbours attain at the order, and its ends at that of the group. */
static void check_chain(double order, const char *word)
{
    double laws[CHAIN + 1][POINTS], most = 0;
    for (int j = 0; j <= CHAIN; j++) {
        double sum = 0;
        for (int i = 0; i < POINTS; i++) {
            const double before = j == 0 ? 1 : laws[j - 1][i];
            laws[j][i] = before * exp(((double)below(1001) - 500) / 700);
            sum += laws[j][i];
        }
        for (int i = 0; i < POINTS; i++)
            laws[j][i] /= sum;
    }
    for (int j = 0; j < CHAIN; j++)
        most = fmax(most, fmax(divergence(laws[j], laws[j + 1], order),
                               divergence(laws[j + 1], laws[j], order)));
    char line[96];
    sc_exact_cost one, group;
    char *text = NULL;
    (void)snprintf(line, sizeof line, "renyi order=%s epsilon=%.12f", word, most + 1e-11);
    sc_cost_init(&one);
    sc_cost_init(&group);
    REQUIRE_OK(sc_stated_parse(sc_stated_find(sc_text_of("renyi")), sc_text_of(line),
                               &one, &text, NULL));
    for (int k = 2; k <= CHAIN; k++) {
        REQUIRE(sc_cost_of_group(&one, (uint64_t)k, &group));
        const double least = view(&group.curve.shape), bound = view(&group.curve.epsilon),
                     u = pow(1 - 1 / order, k);
        CHECK_NEAR(least, 1 / (1 - u), 1e-12);
        CHECK(divergence(laws[0], laws[k], least) <= bound);
        CHECK(divergence(laws[k], laws[0], least) <= bound);
        CHECK(bound >= most * k && bound <= most * k / (u - 1e-9) + 1e-9);
    }
    sc_free(text);
    sc_cost_clear(&group);
    sc_cost_clear(&one);
}

TEST(groups_have_a_divergence_of_a_smaller_order)
{
    CLAIM("stated.worst");
    static const struct {
        double order;
        const char *word;
    } orders[] = {{2, "2"}, {1.25, "1.25"}, {5, "5"}, {30, "30"}};
    scrim_bound_pair group, one;
    state = check_seed();
    for (size_t i = 0; i < COUNT(orders); i++)
        for (uint64_t j = 0; j < check_count(20, 1000); j++)
            check_chain(orders[i].order, orders[i].word);
    /* Order 4/3, with three times the epsilon. */
    if (bounds_of("renyi order=2 epsilon=1/2", 2, "4", &group) &&
        bounds_of("renyi order=4/3 epsilon=3/2", 1, "4", &one))
        CHECK_NEAR(group.upper_view, one.upper_view, 1e-9);
}

TEST(groups_are_refused_where_nothing_is_promised)
{
    CLAIM("stated.worst");
    static const struct {
        const char *line;
        uint64_t units;
    } cases[] = {{"poisson rate=1/2 gaussian sigma=3", 2},
                 {"renyi order=2 epsilon=1", 21},
                 {"renyi order=2 epsilon=0", 4097},
                 {"epsilon=5 delta=1e-3", 9},
                 {"epsilon=1", 0},
                 {"epsilon=1", (1 << 20) + 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        scrim_composition *parts = NULL, *group = NULL;
        REQUIRE_OK(scrim_composition_parse(cases[i].line, &parts, NULL));
        CHECK_STATUS(scrim_composition_group(parts, cases[i].units, &group, NULL),
                     SCRIM_E_PARAM);
        CHECK(group == NULL);
        scrim_composition_free(parts);
    }
}
