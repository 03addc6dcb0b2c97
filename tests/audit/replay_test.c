/* Record and replay (THREATS 0): the same noise on two inputs. Whatever the values are, the bits
 * that are taken, the charge and the number of answers are the same, and the answers differ by no
 * more than what the domain makes of the values (A19, A21). */
#include "check.h"
#include "exact.h"
#include "ledger/answer.h"
#include "model/measurement.h"
#include "tape_release.h"

#include <float.h>
#include <math.h>

typedef struct recording {
    scrim_answer *answer;
    uint64_t words;
    scrim_entry_state state;
} recording;

static bool record(const scrim_measurement *m, const scrim_input *input, recording *out)
{
    sc_tape *tape = NULL;
    *out = (recording){.answer = NULL};
    scrim_error error;
    bool done = CHECK_STATUS(sc_tape_seeded(check_seed(), &tape, NULL), SCRIM_OK);
    if (done &&
        tape_release(m, input, tape, &out->answer, &out->state, &error) != SCRIM_OK)
        done = CHECK_FAIL("%s: %s", scrim_measurement_text(m), error.message);
    out->words = tape == NULL ? 0 : sc_tape_words_used(tape);
    sc_tape_free(tape);
    return done;
}

static const char *const noise_lines[] = {
    "laplace epsilon=1 sensitivity=1 neighbours=replace size=3 grid=1 lower=-9 upper=9",
    "laplace epsilon=1 sensitivity=1 neighbours=replace size=3 grid=1/8",
    "laplace scale=1000 sensitivity=1 neighbours=add-remove size=3 grid=1",
    "gaussian epsilon=1 delta=1e-6 sensitivity=1 neighbours=replace size=3 grid=1",
    "gaussian sigma=10 sensitivity=1 neighbours=replace size=3 grid=0.01",
    "truncated-laplace epsilon=1 bound=9 sensitivity=1 neighbours=replace size=3 grid=1"};

TEST(replay_on_wild_values_differs_by_their_places)
{
    CLAIM("release.quiet");
    const double wild[] = {
        0,      -0.0,   0.5,     1e300, -1e300,           DBL_MAX,
        5e-324, 1e-9,   -1.5,    2.5,   (double)NAN,      -(double)NAN,
        0x1p62, 0x1p63, -0x1p63, 0.125, (double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < sizeof noise_lines / sizeof *noise_lines; i++) {
        scrim_measurement *m = tape_measurement(noise_lines[i]);
        recording calm, other;
        const double zeros[3] = {0, 0, 0};
        REQUIRE(m != NULL);
        const bool clamps = sc_measurement_get(m, "lower") != NULL;
        REQUIRE(record(m, &(scrim_input){.reals = zeros, .count = 3}, &calm));
        for (size_t k = 0; k < sizeof wild / sizeof *wild; k++) {
            const double reals[3] = {wild[k], 1, wild[(k + 5) % 18]};
            REQUIRE(record(m, &(scrim_input){.reals = reals, .count = 3}, &other));
            CHECK_INT((int64_t)other.words, (int64_t)calm.words);
            CHECK_INT(other.state, calm.state);
            CHECK_INT((int64_t)other.answer->count, 3);
            for (size_t n = 0; n < 3; n++) {
                const sc_int128 place = sc_grid_of_double(&m->domain.grid, reals[n]);
                const sc_int128 moved = other.answer->values[n] - calm.answer->values[n];
                /* Clamping afterwards may only shorten the way. */
                if (clamps)
                    CHECK(place >= 0 ? moved >= 0 && moved <= place
                                     : moved <= 0 && moved >= place);
                else
                    CHECK(moved == place);
                CHECK(place >= m->domain.grid.low && place <= m->domain.grid.high);
            }
            scrim_answer_free(other.answer);
        }
        scrim_answer_free(calm.answer);
        scrim_measurement_free(m);
    }
}

/* Choices and runs: whatever the scores, one answer of the same shape, no error, one charge. */
TEST(replay_on_wild_scores_is_quiet)
{
    CLAIM("release.quiet");
    const char *const lines[] = {
        "exponential epsilon=1 sensitivity=1 neighbours=replace",
        "permute-and-flip epsilon=1 sensitivity=1 neighbours=replace",
        "one-sided-noisy-max epsilon=1 sensitivity=1 neighbours=replace",
        "noisy-max epsilon=1 sensitivity=1 neighbours=replace",
        "base2-exponential epsilon=2 sensitivity=1 lower=-5 upper=5 neighbours=replace",
        "top-k k=1 epsilon=1 sensitivity=1 neighbours=replace",
        "randomised-response keep=3/4 neighbours=local",
        "partition-selection epsilon=1 delta=1e-5 neighbours=replace",
        "threshold-gaussian epsilon=1 delta=1e-5 neighbours=replace",
        "threshold-truncated epsilon=1 delta=1e-5 neighbours=replace",
        "stabilise sensitivity=2 epsilon=1 delta=1e-5 whole=yes neighbours=replace",
        "range sensitivity=1 epsilon=1 width=3 grid=1 whole=yes neighbours=replace",
        "above-threshold epsilon=1 sensitivity=1 threshold=0 neighbours=replace"};
    const double wild[][3] = {{0, 0, 0},
                              {1e300, -1e300, 0},
                              {(double)NAN, (double)NAN, (double)NAN},
                              {(double)INFINITY, 1, -(double)INFINITY},
                              {5e-324, -0.0, DBL_MAX},
                              {1, 1e19, -1e19}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        scrim_measurement *m = tape_measurement(lines[i]);
        REQUIRE(m != NULL);
        const bool is_run = m->mechanism->ask != NULL;
        const size_t count = m->domain.count_max < 3 ? 1 : 3;
        for (size_t k = 0; k < sizeof wild / sizeof *wild; k++) {
            recording r;
            REQUIRE(record(m, &(scrim_input){.reals = wild[k], .count = count}, &r));
            CHECK_INT(r.state, SCRIM_ENTRY_RELEASED);
            const size_t most = m->mechanism->answer_count(m, count);
            CHECK(r.answer->count <= most && (is_run || r.answer->count == most));
            scrim_answer_free(r.answer);
        }
        scrim_measurement_free(m);
    }
}
