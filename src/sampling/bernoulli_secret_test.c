/* Whether a bit that is randomised for a report is seen from outside (THREATS A52): by the
 * instructions executed, and by what depends on it. A version that branches must be caught. */
#include "check.h"
#include "random/bits_tape.h"
#include "sampling/bernoulli.h"
#include "secret.h"
#include "trace.h"

/* Two coins: kept with probability 3/4. */
#define KEEP ((uint64_t)3 << 60)

typedef scrim_status randomise(sc_bits *bits, uint64_t keep, unsigned secret,
                               unsigned *out, scrim_error *error);

/* The same function, written as one would if time did not count. */
__attribute__((noinline)) static scrim_status branching(sc_bits *bits, uint64_t keep,
                                                        unsigned secret, unsigned *out,
                                                        scrim_error *error)
{
    uint64_t word = 0;
    scrim_status status = sc_bits_word(bits, &word, error);
    if (status != SCRIM_OK)
        return status;
    volatile unsigned bit = secret;
    if (secret != 0) {
        if (word >> 2 >= keep)
            bit = 0;
    } else if (word >> 2 >= keep) {
        bit = 1;
    }
    *out = bit;
    return SCRIM_OK;
}

/* Words on both sides of the border, and far from it. */
static const uint64_t kept_words[] = {0, (KEEP << 2) - 1};
static const uint64_t flipped_words[] = {KEEP << 2, UINT64_MAX};

typedef struct report {
    randomise *function;
    sc_tape *tape;
    unsigned secret, out;
} report;

static void make(void *context)
{
    report *r = context;
    if (r->function(sc_tape_bits_of(r->tape), KEEP, r->secret, &r->out, NULL) != SCRIM_OK)
        r->out = 9;
}

static trace trace_report(randomise *function, unsigned secret, const uint64_t *word,
                          unsigned want)
{
    const uint64_t other = 12345;
    report warm = {.function = function}, r = {.function = function, .secret = secret};
    trace seen = {0, 0};
    if (CHECK_STATUS(sc_tape_words(&other, 1, &warm.tape, NULL), SCRIM_OK) &&
        CHECK_STATUS(sc_tape_words(word, 1, &r.tape, NULL), SCRIM_OK)) {
        seen = trace_of(make, &warm, &r);
        make(&r);
        CHECK_INT(r.out, want);
    }
    sc_tape_free(warm.tape);
    sc_tape_free(r.tape);
    return seen;
}

/* How many of the eight traces (secret, outcome, word) differ from the first. */
static unsigned differing(randomise *function)
{
    unsigned count = 0;
    const trace first = trace_report(function, 0, &kept_words[0], 0);
    CHECK(first.steps > 0);
    for (unsigned secret = 0; secret < 2; secret++) {
        for (size_t i = 0; i < 2; i++) {
            const trace kept = trace_report(function, secret, &kept_words[i], secret);
            const trace flipped =
                trace_report(function, secret, &flipped_words[i], 1 - secret);
            count += !trace_is_equal(first, kept);
            count += !trace_is_equal(first, flipped);
        }
    }
    return count;
}

TEST(randomise_bit_traces_are_equal)
{
    CLAIM("bernoulli.secret");
    const char *reason = trace_unavailable();
    if (reason != NULL)
        SKIP(reason);
    CHECK_INT(differing(sc_randomise_bit), 0);
    CHECK(differing(branching) > 0);
}

/* Reports of memcheck while a secret bit is randomised by secret coins. */
static unsigned long reports(randomise *function, unsigned secret, uint64_t word,
                             unsigned want)
{
    sc_tape *tape = NULL;
    unsigned out = 9;
    if (!CHECK_STATUS(sc_tape_words(&word, 1, &tape, NULL), SCRIM_OK))
        return 0;
    secret_hide(&secret, sizeof secret);
    secret_hide(&word, sizeof word);
    const unsigned long before = secret_reports();
    const scrim_status status = function(sc_tape_bits_of(tape), KEEP, secret, &out, NULL);
    const unsigned long seen = secret_reports() - before;
    secret_show(&out, sizeof out);
    CHECK_STATUS(status, SCRIM_OK);
    CHECK_INT(out, want);
    sc_tape_free(tape);
    return seen;
}

TEST(selftest_secret_randomise_bit)
{
    CLAIM("bernoulli.secret");
    for (unsigned secret = 0; secret < 2; secret++) {
        CHECK_INT(reports(sc_randomise_bit, secret, kept_words[1], secret), 0);
        CHECK_INT(reports(sc_randomise_bit, secret, flipped_words[0], 1 - secret), 0);
        CHECK(reports(branching, secret, kept_words[1], secret) > 0);
        CHECK(reports(branching, secret, flipped_words[0], 1 - secret) > 0);
    }
}
