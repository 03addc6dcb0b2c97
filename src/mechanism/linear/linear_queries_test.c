#include "exact.h"
#include "mechanism/linear/linear_queries.h"
#include "mechanism/noise/additive.h"
#include "mechanism_lines.h"
#include "noise_checks.h"
#include "tape_release.h"

#include <stdio.h>
#include <stdlib.h>

/* The l1 norm is the scale at epsilon 1, the square of the l2 norm the variance at rho 1/2. */
static void check_reach(const char *queries, const char *relation, const char *sum,
                        const char *square)
{
    char line[400];
    snprintf(line, sizeof line, "linear-queries %s epsilon=1 neighbours=%s", queries,
             relation);
    scrim_measurement *m = noise_made(line);
    REQUIRE(m != NULL);
    CHECK_RATIO(&sc_additive_of(m)->law.shape, sum);
    scrim_measurement_free(m);
    snprintf(line, sizeof line, "linear-queries %s rho=1/2 neighbours=%s", queries,
             relation);
    m = noise_made(line);
    REQUIRE(m != NULL);
    CHECK_RATIO(&sc_additive_of(m)->law.shape, square);
    scrim_measurement_free(m);
}

TEST(linear_queries_know_their_sensitivity)
{
    CLAIM("linear-queries.sensitivity");
    /* columns (1,0), (1,1), (0,1): 2 and 2; differences (0,1), (1,1): 2 and 2 */
    check_reach("bins=3 coefficients=1,1,0,0,1,1", "add-remove", "2", "2");
    check_reach("bins=3 coefficients=1,1,0,0,1,1", "replace", "2", "2");
    /* in steps of 1/4: columns (4,2), (1,0): 6 and 20; difference (3,2): 5 and 13 */
    check_reach("bins=2 coefficients=1,1/4,1/2,0 grid=1/4", "add-remove", "6", "20");
    check_reach("bins=2 coefficients=1,1/4,1/2,0 grid=1/4", "replace", "5", "13");
    check_reach("bins=2 coefficients=1,1/4,1/2,0 grid=1/4 max-rows=3", "replace", "15",
                "117");
    /* bin 1 is in all prefixes; bins 1 and 10 differ in nine of them */
    check_reach("bins=10 workload=prefix", "add-remove", "10", "10");
    check_reach("bins=10 workload=prefix", "replace", "9", "9");
    /* the middle bins of four are in 2 * 3 ranges; a bin is in 2^3 sets of four */
    check_reach("bins=4 workload=ranges", "add-remove", "6", "6");
    check_reach("bins=4 workload=subsets", "add-remove", "8", "8");
    check_reach("bins=4 workload=subsets", "replace", "8", "8");
}

/* With next to no noise the answers are the sums. */
TEST(linear_queries_answer_with_the_sums)
{
    CLAIM("linear-queries.privacy");
    static const struct {
        const char *queries, *want[10];
        size_t count;
    } list[] = {
        {"bins=3 coefficients=1,1,0,0,1,1", {"30", "52"}, 2},
        {"bins=3 coefficients=1,1/4,0,1/2,1,1/4 grid=1/4", {"15", "33"}, 2},
        {"bins=3 workload=prefix", {"10", "30", "62"}, 3},
        {"bins=3 workload=ranges", {"10", "30", "62", "20", "52", "32"}, 6},
        {"bins=3 workload=subsets", {"10", "20", "30", "32", "42", "52", "62"}, 7}};
    const int64_t counts[] = {10, 20, 32};
    for (size_t i = 0; i < COUNT(list); i++) {
        char line[200];
        scrim_answer *answer = NULL;
        sc_tape *tape = NULL;
        snprintf(line, sizeof line,
                 "linear-queries %s epsilon=1000 neighbours=add-remove", list[i].queries);
        scrim_measurement *m = tape_measurement(line);
        REQUIRE(m != NULL);
        REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
        REQUIRE_OK(tape_release(m, &(scrim_input){.integers = counts, .count = 3}, tape,
                                &answer, NULL, NULL));
        CHECK_INT((int64_t)scrim_answer_count(answer), (int64_t)list[i].count);
        for (size_t k = 0; k < list[i].count && k < scrim_answer_count(answer); k++)
            CHECK_STR(scrim_answer_text(answer, k), list[i].want[k]);
        scrim_answer_free(answer);
        sc_tape_free(tape);
        scrim_measurement_free(m);
    }
}

/* The noise of every answer is that of the law, and the radii are those of the law. */
TEST(linear_queries_draw_from_their_law)
{
    CLAIM("linear-queries.accuracy");
    scrim_measurement *m = tape_measurement(
        "linear-queries bins=64 workload=prefix epsilon=32 neighbours=add-remove");
    const int64_t counts[64] = {0};
    sc_tape *tape = NULL;
    sc_law law;
    goodness fit;
    scrim_certificate found;
    exact_law(&sc_discrete_laplace_law, "2", 0, &law);
    REQUIRE(m != NULL && goodness_init(&fit, &law, GOODNESS_COARSE));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t i = 0; i < check_count(100, 10000); i++) {
        scrim_answer *answer = NULL;
        REQUIRE_OK(tape_release(m, &(scrim_input){.integers = counts, .count = 64}, tape,
                                &answer, NULL, NULL));
        for (size_t k = 0; k < 64; k++) {
            int64_t value = 0;
            CHECK(scrim_answer_integer(answer, k, &value));
            const sc_int128 wide = value;
            goodness_count(&fit, &wide, 1);
        }
        scrim_answer_free(answer);
    }
    CHECK(goodness_holds(&fit));
    /* spec/papers-additions.md 6: 1000 answers at rate 1/2; here 64 of them, and one */
    sc_int128 radius = 0;
    sc_ratio beta;
    exact_ratio("1/20", &beta);
    CHECK_STATUS(sc_law_radius(&law, &beta, &radius, NULL), SCRIM_OK);
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 64, &found, NULL));
    CHECK_INT(radius, atoll(found.radius));
    CHECK(atoll(found.radius_all) > atoll(found.radius));
    sc_ratio_clear(&beta);
    goodness_clear(&fit);
    sc_law_clear(&law);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

TEST(linear_queries_refuse_what_are_none)
{
    CLAIM("linear-queries.sensitivity");
    static const char *const wrong[] = {
        "bins=2 epsilon=1",
        "bins=2 coefficients=1,0,1 epsilon=1",
        "bins=2 coefficients=1,2 epsilon=1",
        "bins=2 coefficients=1,-1 epsilon=1",
        "bins=2 coefficients=1,1/3 epsilon=1",
        "bins=2 coefficients=1,1/3 epsilon=1 grid=0.1",
        "bins=2 coefficients=0,0 epsilon=1",
        "bins=2 coefficients=1,1 epsilon=1 neighbours=replace",
        "bins=2 coefficients=1,1 workload=prefix epsilon=1",
        "bins=2 workload=prefix",
        "bins=2 workload=prefix epsilon=1 rho=1",
        "bins=2 workload=prefix epsilon=1 max-rows=0"};
    for (size_t i = 0; i < COUNT(wrong); i++)
        mechanism_check_status("linear-queries", wrong[i], SCRIM_E_PARAM);
    mechanism_check_status("linear-queries", "bins=13 workload=subsets epsilon=1",
                           SCRIM_E_LIMIT);
    mechanism_check_status("linear-queries", "bins=257 workload=prefix epsilon=1",
                           SCRIM_E_LIMIT);
    mechanism_check_status("linear-queries", "bins=90 workload=ranges rho=1", SCRIM_OK);
    mechanism_check_faults(
        "linear-queries bins=3 workload=ranges rho=1 neighbours=replace");
}
