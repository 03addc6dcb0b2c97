/* THREATS A01 to A03: what doubles give away, and what integers on a grid do not. */
#include "account/ledger.h"
#include "audit/audit_sample.h"
#include "audit/broken_float.h"
#include "audit/worst_pair.h"
#include "check.h"
#include "random/bits_tape.h"
#include "scrim.h"

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
TEST(audit_by_sampling_catches_float_laplace)
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
    scrim_measurement_free(m);
    sc_tape_free(tape);
}

/* The real one: the same audit finds nothing. */
TEST(audit_by_sampling_finds_nothing_in_laplace)
{
    CLAIM("audit.sampling");
    sc_tape *tape;
    REQUIRE_OK(sc_tape_seeded(check_seed() + 1, &tape, NULL));
    const char *const lines[] = {
        "laplace sensitivity=1 epsilon=1 neighbours=add-remove",
        "laplace sensitivity=1 epsilon=1/10 neighbours=add-remove grid=2^-30",
        "laplace sensitivity=3 epsilon=2 neighbours=replace lower=0 upper=9"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        scrim_measurement *m = NULL;
        scrim_audit_sample found;
        REQUIRE_OK(scrim_measurement_parse(lines[i], &m, NULL));
        REQUIRE_OK(sc_audit_sample_from(
            m,
            SCRIM_OPTIONS(scrim_audit_sample_options, .draws = check_count(2000, 200000)),
            sc_tape_bits_of(tape), &found, NULL));
        CHECK_INT(found.verdict, SCRIM_AUDIT_UNDECIDED);
        CHECK(found.delta_lower <= found.claimed_upper);
        scrim_measurement_free(m);
    }
    sc_tape_free(tape);
}
