/* Whether scores are seen in the instructions that choose by them (THREATS A51, A53): the traces
 * of two choices on the same bits are the same, whatever the scores and the one chosen. */
#include "check.h"
#include "exact.h"
#include "mechanism/selection/exponential.h"
#include "random/bits_tape.h"
#include "sampling/uniform.h"
#include "trace.h"

enum { COUNT = 70 }; /* more than there are parts */

static sc_gap_weights weights;

typedef struct choice {
    int64_t scores[COUNT];
    sc_tape *tape;
    size_t index;
    bool brief;
} choice;

/* The same, leaving off where the one drawn is found: its trace tells which it was. */
__attribute__((noinline)) static scrim_status choose_briefly(choice *c)
{
    const int64_t best = sc_scores_best(c->scores, COUNT);
    sc_uint128 total = 0, z = 0;
    for (size_t i = 0; i < COUNT; i++)
        total += sc_gap_ceiling(&weights, sc_scores_gap(best, c->scores[i]));
    scrim_status status = sc_uniform_wide(sc_tape_bits_of(c->tape), total, &z, NULL);
    for (c->index = 0; status == SCRIM_OK && c->index < COUNT; c->index++) {
        const uint64_t weight =
            sc_gap_ceiling(&weights, sc_scores_gap(best, c->scores[c->index]));
        if (z < weight)
            break;
        z -= weight;
    }
    return status;
}

static void make(void *context)
{
    choice *c = context;
    const scrim_status status =
        c->brief ? choose_briefly(c)
                 : sc_exponential_choose(&(sc_scores){.prepared = &weights},
                                         sc_tape_bits_of(c->tape), c->scores, COUNT,
                                         &c->index, NULL);
    if (status != SCRIM_OK)
        c->index = COUNT;
}

/* Scores by a rule: all equal, close, far apart, rising. */
static int64_t score(int rule, int64_t i)
{
    static const int64_t factor[] = {0, 1, 1000000007, 1};
    return rule == 3 ? i : i * 37 % 11 * factor[rule];
}

static trace trace_choice(int rule, const uint64_t words[3], bool brief)
{
    choice warm = {.brief = brief}, c = {.brief = brief};
    trace seen = {0, 0};
    for (int64_t i = 0; i < COUNT; i++)
        c.scores[i] = score(rule, i);
    if (CHECK_STATUS(sc_tape_seeded(1, &warm.tape, NULL), SCRIM_OK) &&
        CHECK_STATUS(sc_tape_words(words, 3, &c.tape, NULL), SCRIM_OK)) {
        seen = trace_of(make, &warm, &c);
        make(&c);
        CHECK(c.index < COUNT);
    }
    sc_tape_free(warm.tape);
    sc_tape_free(c.tape);
    return seen;
}

SLOW_TEST(exponential_traces_do_not_show_scores)
{
    CLAIM("exponential.time");
    static const uint64_t words[][3] = {{1, (uint64_t)1 << 62, 0},
                                        {12345, 0xc000000000000000, 99999}};
    const char *reason = trace_unavailable();
    if (reason != NULL)
        SKIP(reason);
    sc_ratio rate;
    exact_ratio("1/20", &rate);
    REQUIRE_OK(sc_gap_weights_init(&weights, &rate, NULL));
    for (int brief = 0; brief < 2; brief++) {
        const trace first = trace_choice(0, words[0], brief);
        unsigned differing = 0;
        CHECK(first.steps > 0);
        /* Each rule with one of both; with both in the long tier. */
        for (int rule = 0; rule < 4; rule++)
            for (size_t i = check_is_long() ? 0 : (size_t)(rule + 1) % 2;
                 i < sizeof words / sizeof *words; i += check_is_long() ? 1 : 2)
                differing += !trace_is_equal(first, trace_choice(rule, words[i], brief));
        CHECK((differing > 0) == brief);
    }
    sc_gap_weights_clear(&weights);
    sc_ratio_clear(&rate);
}
