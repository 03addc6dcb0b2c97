/* Whether a value that is randomised is seen from outside (THREATS A52): by the instructions
 * executed, and by what depends on it. A version that branches must be caught. */
#include "check.h"
#include "mechanism/selection/randomised_response.h"
#include "random/bits_tape.h"
#include "sampling/uniform.h"
#include "secret.h"
#include "trace.h"

typedef scrim_status respond(sc_bits *bits, const sc_response *response, uint64_t x,
                             uint64_t *out, scrim_error *error);

/* The same function, written as one would if time did not count. */
__attribute__((noinline)) static scrim_status branching(sc_bits *bits,
                                                        const sc_response *response,
                                                        uint64_t x, uint64_t *out,
                                                        scrim_error *error)
{
    volatile uint64_t answer = x;
    uint64_t u = 0, j = 0;
    scrim_status status = sc_uniform_64(bits, response->whole, &u, error);
    if (status == SCRIM_OK)
        status = sc_uniform_64(bits, response->values - 1, &j, error);
    if (status == SCRIM_OK && u >= response->keep) {
        if (j < x)
            answer = j;
        else
            answer = j + 1;
    }
    *out = answer;
    return status;
}

/* Two coins; a fraction; many values; 62 bits of epsilon. */
static const sc_response responses[] = {{3, 4, 2},
                                        {7, 10, 2},
                                        {5, 8, 6},
                                        {(uint64_t)3 << 60, (uint64_t)1 << 62, 2},
                                        {(uint64_t)3 << 60, (uint64_t)1 << 62, 5}};
enum { RESPONSES = sizeof responses / sizeof *responses, WORDS = 4 };

typedef struct report {
    respond *function;
    const sc_response *response;
    sc_tape *tape;
    uint64_t x, out;
} report;

static void make(void *context)
{
    report *r = context;
    if (r->function(sc_tape_bits_of(r->tape), r->response, r->x, &r->out, NULL) !=
        SCRIM_OK)
        r->out = 99;
}

/* Words whose first turn is accepted by every response: all digits 0, and small ones that keep
 * or change the value. */
static const uint64_t tapes[][WORDS] = {{0, 0, 0, 0},
                                        {2, 1, 0, 0},
                                        {1, 2, 0, 0},
                                        {3, 0, 0, 0},
                                        {(uint64_t)15 << 60, 1, 0, 0}};
enum { TAPES = sizeof tapes / sizeof *tapes };

static trace trace_report(respond *function, const sc_response *response, uint64_t x,
                          const uint64_t *words)
{
    report warm = {.function = function, .response = response};
    report r = {.function = function, .response = response, .x = x};
    trace seen = {0, 0};
    if (CHECK_STATUS(sc_tape_words(tapes[0], WORDS, &warm.tape, NULL), SCRIM_OK) &&
        CHECK_STATUS(sc_tape_words(words, WORDS, &r.tape, NULL), SCRIM_OK)) {
        seen = trace_of(make, &warm, &r);
        make(&r);
        CHECK(r.out < response->values);
    }
    sc_tape_free(warm.tape);
    sc_tape_free(r.tape);
    return seen;
}

/* How many of the traces, over values and tapes, differ from the first. */
static unsigned differing(respond *function, const sc_response *response)
{
    unsigned count = 0;
    const trace first = trace_report(function, response, 0, tapes[0]);
    CHECK(first.steps > 0);
    for (size_t i = 0; i < TAPES; i++)
        for (uint64_t x = 0; x < response->values; x += response->values - 1)
            count +=
                !trace_is_equal(first, trace_report(function, response, x, tapes[i]));
    return count;
}

SLOW_TEST(randomised_response_traces_are_equal)
{
    CLAIM("randomised-response.secret");
    const char *reason = trace_unavailable();
    if (reason != NULL)
        SKIP(reason);
    unsigned caught = 0;
    for (size_t i = 0; i < RESPONSES; i++) {
        CHECK_INT(differing(sc_response_draw, &responses[i]), 0);
        caught += differing(branching, &responses[i]);
    }
    CHECK(caught > 0);
}

/* Reports of memcheck while a secret value is randomised; coins are drawn by rejection, which
 * looks at them, so that only the value is hidden. */
static unsigned long reports(respond *function, const sc_response *response, uint64_t x,
                             const uint64_t *words)
{
    sc_tape *tape = NULL;
    uint64_t out = 99;
    if (!CHECK_STATUS(sc_tape_words(words, WORDS, &tape, NULL), SCRIM_OK))
        return 0;
    secret_hide(&x, sizeof x);
    const unsigned long before = secret_reports();
    const scrim_status status = function(sc_tape_bits_of(tape), response, x, &out, NULL);
    const unsigned long seen = secret_reports() - before;
    secret_show(&out, sizeof out);
    CHECK_STATUS(status, SCRIM_OK);
    CHECK(out < response->values);
    sc_tape_free(tape);
    return seen;
}

TEST(selftest_secret_randomised_response)
{
    CLAIM("randomised-response.secret");
    unsigned long caught = 0;
    for (size_t i = 0; i < RESPONSES; i++)
        for (size_t j = 0; j < TAPES; j++) {
            CHECK_INT(reports(sc_response_draw, &responses[i], 1, tapes[j]), 0);
            caught += reports(branching, &responses[i], 1, tapes[j]);
        }
    CHECK(caught > 0);
}
