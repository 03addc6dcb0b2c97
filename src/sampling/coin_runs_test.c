#include "check.h"
#include "random/bits_tape.h"
#include "sampling/coin_runs.h"

/* The reference on a tape that begins with the string and goes on with rest. */
static void check_entry(const sc_coin_runs *runs, uint64_t string, uint64_t rest)
{
    sc_tape *tape = NULL;
    uint64_t words[2] = {string | rest << SC_COIN_RUN_BITS, rest}, run = 77;
    REQUIRE_OK(sc_tape_words(words, 2, &tape, NULL));
    scrim_status status = sc_coin_run(sc_tape_bits_of(tape), &run, NULL);
    unsigned entry = runs->entry[string];
    if (entry == 0) {
        CHECK(status != SCRIM_OK || sc_tape_used(tape) > SC_COIN_RUN_BITS);
    } else {
        CHECK_STATUS(status, SCRIM_OK);
        CHECK_INT(entry / 16, run);
        CHECK_INT(entry % 16, sc_tape_used(tape));
    }
    sc_tape_free(tape);
}

TEST(coin_runs_are_those_of_the_reference)
{
    CLAIM("coin-runs.same");
    sc_coin_runs runs;
    sc_coin_runs_init(&runs);
    size_t decided = 0;
    for (unsigned string = 0; string < sizeof runs.entry; string++) {
        check_entry(&runs, string, 0);
        check_entry(&runs, string, UINT64_MAX);
        check_entry(&runs, string, check_seed());
        decided += runs.entry[string] != 0;
    }
    /* A table that leaves much open would be right, and no use. */
    CHECK(10 * decided > 8 * sizeof runs.entry);
}
