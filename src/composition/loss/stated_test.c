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

/* The joint delta of several (epsilon, delta), by all outcomes: each part tells everything with its delta, and otherwise is
 * randomised response. */
static double exact_delta(double (*parts)[2], size_t count, double epsilon)
{
    double kept = 1, sum = 0;
    for (size_t i = 0; i < count; i++)
        kept *= 1 - parts[i][1];
    for (unsigned outcome = 0; outcome < 1u << count; outcome++) {
        double p = 1, q = 1;
        for (size_t i = 0; i < count; i++) {
            const double high = 1 / (1 + exp(-parts[i][0]));
            p *= outcome >> i & 1 ? high : 1 - high;
            q *= outcome >> i & 1 ? 1 - high : high;
        }
        sum += fmax(0, p - exp(epsilon) * q);
    }
    return 1 - kept + kept * sum;
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

SLOW_TEST(stated_pairs_compose_to_their_exact_optimum)
{
    CLAIM("stated.worst");
    state = check_seed();
    for (uint64_t turn = 0; turn < check_count_whole(12, 200); turn++) {
        double parts[7][2];
        char line[400] = "", epsilon[16];
        const size_t count = 1 + below(COUNT(parts));
        for (size_t i = 0; i < count; i++) {
            const unsigned tenths = below(20), parts_of = below(3) == 0 ? 0 : below(100);
            parts[i][0] = tenths / 10.0;
            parts[i][1] = parts_of / 1e5;
            snprintf(line + strlen(line), sizeof line - strlen(line),
                     "%sepsilon=%u/10 delta=%u/100000", i == 0 ? "" : "; ", tenths,
                     parts_of);
        }
        const unsigned at = below(30);
        snprintf(epsilon, sizeof epsilon, "%u/10", at);
        const double want = exact_delta(parts, count, at / 10.0);
        scrim_bound_pair found;
        if (!bounds_of(line, 1, epsilon, &found))
            continue;
        if (!CHECK(found.lower_view <= want * (1 + 1e-9) + 1e-15 &&
                   found.upper_view >= want * (1 - 1e-9) - 1e-15 &&
                   found.upper_view - found.lower_view <= 1e-4 * want + 1e-12))
            check_fail(__FILE__, __LINE__, "%s at %s: %.12g, not in [%.12g, %.12g]", line,
                       epsilon, want, found.lower_view, found.upper_view);
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

TEST(groups_are_refused_where_nothing_is_promised)
{
    CLAIM("stated.worst");
    static const struct {
        const char *line;
        uint64_t units;
    } cases[] = {{"poisson rate=1/2 gaussian sigma=3", 2},
                 {"renyi order=2 epsilon=1", 2},
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
