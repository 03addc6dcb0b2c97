#include "choices.h"
#include "exact.h"
#include "goodness.h"
#include "mechanism/threshold/kept_size.h"

/* The probability that a group of n units is kept, by the law: what is kept has a key that is
 * neither 0 nor INT64_MIN. */
static double kept(const scrim_measurement *m, int64_t n)
{
    sc_outcomes law;
    double left_out = 0;
    if (!choices_law(m, &n, 1, 128, &law))
        return -1;
    for (size_t i = 0; i < law.count; i++)
        if (law.keys[i] == 0 || law.keys[i] == INT64_MIN)
            left_out += goodness_middle(&law.mass[i]);
    sc_outcomes_clear(&law);
    return 1 - left_out;
}

static const char *const lines[] = {
    "partition-selection epsilon=1 delta=1e-5 neighbours=add-remove",
    "partition-selection epsilon=1 delta=1e-5 max-groups=3 neighbours=replace",
    "threshold-laplace epsilon=1 delta=1e-5 neighbours=add-remove",
    "threshold-laplace epsilon=2 delta=1e-3 max-groups=3 neighbours=replace",
    "threshold-gaussian epsilon=1 delta=1e-5 neighbours=add-remove",
    "threshold-gaussian epsilon=2 delta=1e-3 max-groups=3 neighbours=replace"};

/* Against the laws, which know nothing of it. */
TEST(kept_size_is_the_smallest)
{
    CLAIM("kept-size.smallest");
    static const char *const chances[] = {"1/1000", "1/2", "0.95", "0.9999"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        scrim_measurement *m = choices_new(lines[i]);
        REQUIRE(m != NULL);
        for (size_t k = 0; k < COUNT(chances); k++) {
            uint64_t units = 0;
            sc_ratio p;
            exact_ratio(chances[k], &p);
            REQUIRE(sc_threshold_kept_size(m, &p, &units));
            const double wanted = k == 0 ? 0.001 : strtod(chances[k], NULL);
            const double least = k == 1 ? 0.5 : wanted;
            CHECK(kept(m, (int64_t)units) >= least);
            CHECK(kept(m, (int64_t)units - 1) < least);
            sc_ratio_clear(&p);
        }
        scrim_measurement_free(m);
    }
}

static bool has_size(const char *line, const char *p, uint64_t *units)
{
    scrim_measurement *m = choices_new(line);
    sc_ratio ratio;
    if (!CHECK(m != NULL))
        return false;
    exact_ratio(p, &ratio);
    const bool result = sc_threshold_kept_size(m, &ratio, units);
    sc_ratio_clear(&ratio);
    scrim_measurement_free(m);
    return result;
}

/* The printed ones: pi(11) = .348, pi(12) = .760 and n2 = 23 of spec/thresholding.md 5; noise is
 * as often above as below, so that of thresholds it is T; mechanisms that keep no groups have no
 * such size. */
TEST(kept_size_knows_its_mechanisms)
{
    CLAIM("kept-size.smallest");
    uint64_t units = 77;
    CHECK(!has_size(lines[0], "0", &units));
    CHECK(!has_size(lines[0], "1.0001", &units));
    CHECK(!has_size(lines[2], "-1", &units));
    CHECK(!has_size(lines[2], "1", &units));
    CHECK(!has_size("laplace sensitivity=1 epsilon=1 neighbours=replace", "1/2", &units));
    CHECK_INT(units, 77);
    CHECK(has_size(lines[0], "1/2", &units));
    CHECK_INT(units, 12);
    CHECK(has_size(lines[0], "1", &units));
    CHECK_INT(units, 23);
    CHECK(has_size("threshold-laplace epsilon=0.05 delta=1e-19 neighbours=add-remove",
                   "1/2", &units));
    CHECK_INT(units, 863); /* spec/thresholding.md 3 */
    CHECK(has_size(lines[4], "1/2", &units));
    CHECK_INT(units, 18);
    CHECK(has_size(lines[2], "1e-30", &units));
    CHECK_INT(units, 1); /* never 0: a group has at least one unit */
}
