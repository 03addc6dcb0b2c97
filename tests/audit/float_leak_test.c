/* THREATS A01 to A03: what doubles give away, and what integers on a grid do not. */
#include "audit/audit_sample.h"
#include "audit/broken_float.h"
#include "check.h"
#include "exact.h"
#include "ledger/answer.h"
#include "tape_release.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_multiple(double value)
{
    return floor(ldexp(value, 53)) == ldexp(value, 53);
}

/* A02: outputs that are no multiple of 2^-53: 27.2 % on 0, none on 1. */
TEST(float_laplace_shows_its_input_in_the_last_bits)
{
    sc_tape *tape;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t draws = 200000;
    uint64_t telling[2] = {0, 0};
    for (int x = 0; x < 2; x++)
        for (uint64_t i = 0; i < draws; i++) {
            uint64_t word = 0;
            REQUIRE_OK(sc_bits_take(sc_tape_bits_of(tape), 53, &word, NULL));
            telling[x] += !is_multiple(broken_float_draw(x, 1, 53, word));
        }
    CHECK_NEAR((double)telling[0] / (double)draws, 0.272, 0.02);
    CHECK_INT((int64_t)telling[1], 0);
    sc_tape_free(tape);
}

/* The audit by sampling finds it, without being told what to look for. */
SLOW_TEST(audit_by_sampling_catches_float_laplace)
{
    CLAIM("audit.sampling");
    sc_tape *tape;
    scrim_measurement *m = NULL;
    scrim_audit_sample found;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(sc_measurement_new(&broken_float_laplace,
                                  sc_text_of("epsilon=1 neighbours=add-remove"),
                                  SC_PURPOSE_DATA, &m, NULL));
    REQUIRE_OK(
        sc_audit_sample_from(m, SCRIM_OPTIONS(scrim_audit_sample_options, .draws = 20000),
                             sc_tape_bits_of(tape), &found, NULL));
    CHECK_INT(found.verdict, SCRIM_AUDIT_VIOLATED);
    CHECK(found.delta_lower > 0.2 && found.delta_lower < 0.28);
    CHECK(found.claimed_upper == 0);
    CHECK_STR(found.pair, "x: 0 | y: 1");
    CHECK_STR(found.event, "outputs that a power of 2 divides, or does not");
    scrim_error error;
    CHECK_STATUS(scrim_audit_sample_check(&found, &error), SCRIM_E_CHECK);
    CHECK(strstr(error.message, "delta at epsilon 1 is at least 0.2") != NULL);
    CHECK(strstr(error.message, "with a confidence of 0.999999999, on x: 0 | y: 1") !=
          NULL);
    scrim_measurement_free(m);
    sc_tape_free(tape);
}

/* The real one: the same audit finds nothing. */
SLOW_TEST(audit_by_sampling_finds_nothing_in_laplace)
{
    CLAIM("audit.sampling");
    sc_tape *tape;
    REQUIRE_OK(sc_tape_seeded(check_seed() + 1, &tape, NULL));
    const char *const lines[] = {
        "laplace sensitivity=1 epsilon=1 neighbours=add-remove",
        "laplace sensitivity=1 epsilon=1/10 neighbours=add-remove grid=2^-30",
        "laplace sensitivity=3 epsilon=2 neighbours=replace lower=0 upper=9"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i += check_every(3)) {
        scrim_measurement *m = NULL;
        scrim_audit_sample found;
        REQUIRE_OK(scrim_measurement_parse(lines[i], &m, NULL));
        REQUIRE_OK(
            sc_audit_sample_from(m,
                                 SCRIM_OPTIONS(scrim_audit_sample_options,
                                               .draws = check_count_whole(1000, 200000)),
                                 sc_tape_bits_of(tape), &found, NULL));
        CHECK_INT(found.verdict, SCRIM_AUDIT_UNDECIDED);
        CHECK(found.delta_lower <= found.claimed_upper);
        scrim_measurement_free(m);
    }
    sc_tape_free(tape);
}

/* A01 to A03: what the gate shows for two counts has the same support, whatever the noise; and
 * every answer is a multiple of the public grid. */
static void check_support(const char *line, int64_t reach)
{
    scrim_measurement *m = tape_measurement(line);
    sc_tape *tape = NULL;
    uint64_t seen[2][64] = {{0}};
    REQUIRE(m != NULL && reach < 32);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t draws = check_count_whole(5000, 1000000);
    for (int64_t x = 0; x < 2; x++)
        for (uint64_t i = 0; i < draws; i++) {
            scrim_answer *answer = NULL;
            const scrim_input input = {.integers = &x, .count = 1};
            REQUIRE_OK(tape_release(m, &input, tape, &answer, NULL, NULL));
            const sc_int128 value = answer->values[0];
            if (value >= -reach && value <= reach)
                seen[x][value + reach]++;
            scrim_answer_free(answer);
        }
    for (int64_t k = 0; k <= 2 * reach; k++)
        CHECK(seen[0][k] > 0 && seen[1][k] > 0);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

SLOW_TEST(release_has_one_support_for_all_counts)
{
    CLAIM("audit.sampling");
    check_support("laplace scale=1 sensitivity=1 neighbours=add-remove", 4);
    check_support(
        "laplace scale=2^-27 sensitivity=2^-30 neighbours=add-remove grid=2^-30", 15);
    check_support("gaussian sigma=1 sensitivity=1 neighbours=add-remove", 1);
    check_support("gaussian sigma=10 sensitivity=1 neighbours=add-remove", 15);
}

/* The low bits of a wide answer are as good as uniform, on either input. */
SLOW_TEST(release_hides_the_input_in_no_bits)
{
    scrim_measurement *m =
        tape_measurement("gaussian sigma=1000000 sensitivity=1 neighbours=add-remove");
    sc_tape *tape = NULL;
    uint64_t seen[2][16] = {{0}};
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (int64_t x = 0; x < 2; x++)
        for (uint64_t i = 0; i < 8000; i++) {
            scrim_answer *answer = NULL;
            const scrim_input input = {.integers = &x, .count = 1};
            REQUIRE_OK(tape_release(m, &input, tape, &answer, NULL, NULL));
            seen[x][(uint64_t)answer->values[0] & 15]++;
            scrim_answer_free(answer);
        }
    for (size_t k = 0; k < 16; k++)
        CHECK(seen[0][k] > 350 && seen[1][k] > 350); /* 500 expected, 6.8 sigma */
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

/* A02: true values of 2^k, on three grids: the text of an answer is a multiple of the grid, and a
 * grid that is not a power of 2 or 10 is refused. */
TEST(release_is_a_multiple_of_the_grid)
{
    const char *const grids[] = {"2^-30", "1", "1000"};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (size_t i = 0; i < 3; i++) {
        char line[128];
        sc_ratio step, value;
        exact_ratio(grids[i], &step);
        sc_ratio_init(&value);
        (void)snprintf(line, sizeof line,
                       "laplace scale=%s sensitivity=1 neighbours=replace grid=%s",
                       grids[i], grids[i]);
        scrim_measurement *m = tape_measurement(line);
        REQUIRE(m != NULL);
        for (int k = -40; k <= 60; k++) {
            scrim_answer *answer = NULL;
            const double x = ldexp(1, k);
            const scrim_input input = {.reals = &x, .count = 1};
            REQUIRE_OK(tape_release(m, &input, tape, &answer, NULL, NULL));
            REQUIRE_OK(
                sc_ratio_parse(sc_text_of(scrim_answer_text(answer, 0)), &value, NULL));
            sc_ratio_div(&value, &value, &step);
            CHECK(sc_ratio_is_integer(&value));
            scrim_answer_free(answer);
        }
        scrim_measurement_free(m);
        sc_ratio_clear(&value);
        sc_ratio_clear(&step);
    }
    scrim_measurement *m = NULL;
    CHECK_STATUS(
        scrim_measurement_parse(
            "laplace scale=1 sensitivity=1 neighbours=replace grid=1/3", &m, NULL),
        SCRIM_E_PARAM);
    sc_tape_free(tape);
}
