/* THREATS A05: values at the ends of 64 bits, wide noise and streams of bits that nobody should
 * trust, through the whole gate. */
#include "check.h"
#include "ledger/answer.h"
#include "tape_release.h"

#include <stdio.h>

static const int64_t far = (int64_t)1 << 62;

/* The answer to one integer, drawn from the tape of this seed. */
static bool answer_to(const scrim_measurement *m, int64_t value, uint64_t seed,
                      sc_int128 *out)
{
    sc_tape *tape = NULL;
    scrim_answer *answer = NULL;
    const scrim_input input = {.integers = &value, .count = 1};
    bool done =
        CHECK_STATUS(sc_tape_seeded(seed, &tape, NULL), SCRIM_OK) &&
        CHECK_STATUS(tape_release(m, &input, tape, &answer, NULL, NULL), SCRIM_OK);
    if (done)
        *out = answer->values[0];
    scrim_answer_free(answer);
    sc_tape_free(tape);
    return done;
}

/* Beyond 2^62 a value counts as 2^62, and noise is added to that in 128 bits: what comes out is
 * the noise of the tape, whatever the value. */
TEST(gate_does_not_wrap_at_the_ends)
{
    CLAIM("release.quiet");
    const char *const lines[] = {
        "laplace scale=1 sensitivity=1 neighbours=replace",
        "laplace scale=2^40 sensitivity=1 neighbours=replace",
        "laplace scale=2^60 sensitivity=1 neighbours=replace",
        "gaussian variance=2^59 sensitivity=1 neighbours=replace",
        "truncated-laplace scale=1000 bound=5000 sensitivity=1 neighbours=replace"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        scrim_measurement *m = tape_measurement(lines[i]);
        REQUIRE(m != NULL);
        for (uint64_t seed = 1; seed <= check_count(500, 20000); seed++) {
            sc_int128 zero = 0, high = 0, low = 0, high_end = 0, low_end = 0;
            REQUIRE(answer_to(m, 0, seed, &zero) && answer_to(m, far, seed, &high) &&
                    answer_to(m, -far, seed, &low) &&
                    answer_to(m, INT64_MAX - 1, seed, &high_end) &&
                    answer_to(m, INT64_MIN + 1, seed, &low_end));
            CHECK(high - zero == far && zero - low == far);
            CHECK(high_end == high && low_end == low);
        }
        scrim_measurement_free(m);
    }
}

/* With a public range the answer ends there, at either end and whatever the noise. */
TEST(gate_clamps_to_the_public_range)
{
    scrim_measurement *m = tape_measurement("laplace scale=2^60 sensitivity=1 "
                                            "neighbours=replace lower=-5 upper=7");
    uint64_t ends[2] = {0, 0};
    REQUIRE(m != NULL);
    for (uint64_t seed = 1; seed <= 200; seed++) {
        sc_int128 answer = 0;
        REQUIRE(answer_to(m, seed % 2 ? INT64_MAX : INT64_MIN, seed, &answer));
        CHECK(answer >= -5 && answer <= 7);
        ends[0] += answer == -5;
        ends[1] += answer == 7;
    }
    CHECK(ends[0] > 60 && ends[1] > 60); /* noise so wide falls beyond either end */
    scrim_measurement_free(m);
}

/* Noise that is too wide is refused while there is nothing to draw or charge. */
TEST(gate_refuses_noise_that_is_too_wide)
{
    const char *const lines[] = {
        "laplace scale=2^62 sensitivity=1 neighbours=replace",
        "laplace scale=2^70 sensitivity=1 neighbours=replace",
        "laplace epsilon=2^-59 sensitivity=2^60 neighbours=replace",
        "gaussian sigma=2^70 sensitivity=1 neighbours=replace",
        "gaussian variance=2^140 sensitivity=1 neighbours=replace"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        scrim_measurement *m = NULL;
        scrim_error error;
        CHECK_STATUS(scrim_measurement_parse(lines[i], &m, &error), SCRIM_E_LIMIT);
        CHECK(m == NULL);
    }
}

/* All zeros, all ones and their kin: the gate ends with an answer, or charged and without one. */
SLOW_TEST(gate_ends_on_streams_that_nobody_should_trust)
{
    CLAIM("release.charged");
    static const uint64_t words[] = {
        0, UINT64_MAX,       UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0x5555555555555555),
        1, UINT64_C(1) << 63};
    const char *const lines[] = {
        "laplace scale=3/2 sensitivity=1 neighbours=replace",
        "laplace scale=2^60 sensitivity=1 neighbours=replace",
        "gaussian variance=9 sensitivity=1 neighbours=replace",
        "truncated-laplace scale=2 bound=9 sensitivity=1 neighbours=replace",
        "exponential epsilon=1 sensitivity=1 neighbours=replace",
        "permute-and-flip epsilon=1 sensitivity=1 neighbours=replace",
        "noisy-max epsilon=1 sensitivity=1 neighbours=replace",
        "top-k k=1 epsilon=1 sensitivity=1 neighbours=replace",
        "randomised-response keep=3/4 neighbours=local",
        "partition-selection epsilon=1 delta=1e-5 neighbours=replace",
        "threshold-gaussian epsilon=1 delta=1e-5 neighbours=replace",
        "threshold-truncated epsilon=1 delta=1e-5 neighbours=replace",
        "stabilise sensitivity=2 epsilon=1 delta=1e-5 neighbours=replace",
        "range sensitivity=1 epsilon=1 width=3 neighbours=replace",
        "above-threshold epsilon=1 sensitivity=1 threshold=0 neighbours=replace"};
    uint64_t answers = 0, failures = 0;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        scrim_measurement *m = tape_measurement(lines[i]);
        REQUIRE(m != NULL);
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            sc_tape *tape = NULL;
            scrim_answer *answer = NULL;
            scrim_entry_state state = (scrim_entry_state)0;
            const int64_t value = 1;
            const scrim_input input = {.integers = &value, .count = 1};
            REQUIRE_OK(sc_tape_constant(words[k], &tape, NULL));
            scrim_status status = tape_release(m, &input, tape, &answer, &state, NULL);
            if (status == SCRIM_OK) {
                CHECK_INT(state, SCRIM_ENTRY_RELEASED);
                answers++;
            } else {
                CHECK_STATUS(status, SCRIM_E_ENTROPY);
                CHECK(answer == NULL);
                CHECK_INT(state, SCRIM_ENTRY_CHARGED);
                failures++;
            }
            scrim_answer_free(answer);
            sc_tape_free(tape);
        }
        scrim_measurement_free(m);
    }
    CHECK(answers > 0 && failures > 0); /* both roads are walked */
}
