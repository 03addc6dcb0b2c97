#include "check.h"
#include "random/bits_tape.h"
#include "sampling/bernoulli_exp.h"
#include "sampling/coin_runs.h"

#define STRINGS (1U << SC_COIN_RUN_BITS)

/* The reference, coin by coin, on a tape that begins with the string and goes on with rest: the
 * coins that the string decides, and no more of them. */
static void check_entry(const sc_coin_runs *runs, uint64_t string, uint64_t rest)
{
    sc_tape *tape = NULL;
    uint64_t words[2] = {string | rest << SC_COIN_RUN_BITS, rest};
    REQUIRE_OK(sc_tape_words(words, 2, &tape, NULL));
    const unsigned entry = sc_coin_runs_entry(runs, words[0]);
    unsigned count = 0, taken = 0;
    bool pass = true;
    while (pass) {
        scrim_status status =
            sc_bernoulli_exp01_64(sc_tape_bits_of(tape), 1, 1, &pass, NULL);
        if (status != SCRIM_OK || sc_tape_used(tape) > SC_COIN_RUN_BITS)
            break;
        count += pass;
        taken = (unsigned)sc_tape_used(tape);
        CHECK(pass || sc_coin_runs_ended(entry));
    }
    CHECK_INT(sc_coin_runs_count(entry), count);
    CHECK_INT(sc_coin_runs_bits(entry), taken);
    CHECK(!sc_coin_runs_ended(entry) || !pass);
    sc_tape_free(tape);
}

TEST(coin_runs_are_those_of_the_reference)
{
    CLAIM("coin-runs.same");
    sc_coin_runs runs;
    sc_coin_runs_init(&runs);
    size_t decided = 0;
    for (unsigned string = 0; string < STRINGS; string++) {
        check_entry(&runs, string, 0);
        check_entry(&runs, string, UINT64_MAX);
        check_entry(&runs, string, check_seed());
        decided += sc_coin_runs_ended(sc_coin_runs_entry(&runs, string));
    }
    /* A table that leaves much open would be right, and no use. */
    CHECK(10 * decided > (size_t)9 * STRINGS);
}

/* The run that ends is the reference's run. */
TEST(coin_runs_that_end_are_whole_runs)
{
    CLAIM("coin-runs.same");
    sc_coin_runs runs;
    sc_coin_runs_init(&runs);
    for (unsigned string = 0; string < STRINGS; string++) {
        const unsigned entry = sc_coin_runs_entry(&runs, string);
        uint64_t word = string, run = 77;
        sc_tape *tape = NULL;
        if (!sc_coin_runs_ended(entry))
            continue;
        REQUIRE_OK(sc_tape_words(&word, 1, &tape, NULL));
        REQUIRE_OK(sc_coin_run(sc_tape_bits_of(tape), &run, NULL));
        CHECK_INT(sc_coin_runs_count(entry), run);
        CHECK_INT(sc_coin_runs_bits(entry), sc_tape_used(tape));
        sc_tape_free(tape);
    }
}
