/* Statements of accuracy about selections and comparisons are not much wider than they must be: on data where
 * errors are large, an error above two thirds of the radius is more frequent than the statement allows, so that no radius
 * below that would hold. accuracy_simulated_test.c has the mechanisms whose answers are numbers with noise. */
#include "check.h"
#include "tape_release.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20 };

typedef struct situation situation;

/* Whether a run is wrong by `steps` of the grid at least, on data that place() made for it. */
typedef struct rule {
    void (*place)(const situation *s, int64_t steps, int64_t *input);
    bool (*is_wrong)(const situation *s, const scrim_answer *answer);
} rule;

struct situation {
    const char *line;
    const rule *rule;
    size_t count;
    int64_t threshold;
};

/* One candidate is the best, and the others are as much worse. */
static void place_losers(const situation *s, int64_t steps, int64_t *input)
{
    for (size_t i = 0; i < s->count; i++)
        input[i] = i == 0 ? 0 : -steps;
}

static bool is_loser(const situation *s, const scrim_answer *answer)
{
    (void)s;
    return scrim_answer_double(answer, 0) > 0;
}

/* All queries lie below the threshold. */
static void place_below(const situation *s, int64_t steps, int64_t *input)
{
    for (size_t i = 0; i < s->count; i++)
        input[i] = s->threshold - steps;
}

static bool is_above(const situation *s, const scrim_answer *answer)
{
    for (size_t i = 0; i < s->count && i < scrim_answer_count(answer); i++)
        if (scrim_answer_kind_at(answer, i) == SCRIM_ANSWER_ABOVE ||
            scrim_answer_kind_at(answer, i) == SCRIM_ANSWER_ABOVE_VALUE)
            return true;
    return false;
}

static const rule losers = {place_losers, is_loser}, below = {place_below, is_above};

static const situation situations[] = {
    {"noisy-max epsilon=1 sensitivity=1 neighbours=replace", &losers, 20, 0},
    {"noisy-max epsilon=1/4 sensitivity=1 noise=geometric neighbours=replace", &losers,
     20, 0},
    {"noisy-max epsilon=1/4 sensitivity=1 monotone=yes neighbours=add-remove", &losers, 5,
     0},
    {"above-threshold epsilon=1 sensitivity=1 threshold=0 neighbours=replace", &below, 10,
     0},
    {"above-threshold epsilon=1/5 sensitivity=1 threshold=100 monotone=yes "
     "neighbours=add-remove",
     &below, 3, 100},
    {"sparse-vector epsilon=1 sensitivity=1 threshold=0 count=1 neighbours=replace",
     &below, 10, 0},
    {"sparse-vector epsilon=1 sensitivity=1 threshold=0 count=3 form=b "
     "neighbours=replace",
     &below, 20, 0},
    {"guess-and-check epsilon=1 sensitivity=1 threshold=1000 count=1 "
     "guesses=0,0,0,0 neighbours=replace",
     &below, 4, 1000},
    {"generalised-sparse-vector sensitivity=1 threshold=0 threshold-scale=4 "
     "query-scale=8 count=1 neighbours=replace",
     &below, 10, 0},
    {"generalised-sparse-vector sensitivity=1 threshold=0 threshold-scale=3 "
     "query-scale=9 count=2 length=20 neighbours=replace",
     &below, 20, 0},
    {"stagewise-sparse-vector sensitivity=1 threshold=0 threshold-scale=4 query-scale=8 "
     "count=3 stage=2 neighbours=replace",
     &below, 10, 0},
};

static size_t wrong_runs(const situation *s, const scrim_measurement *m, int64_t steps,
                         uint64_t runs)
{
    int64_t input[MOST];
    size_t wrong = 0;
    s->rule->place(s, steps, input);
    bool is_well = true;
    for (uint64_t i = 0; is_well && i < runs; i++) {
        sc_tape *tape = NULL;
        scrim_answer *answer = NULL;
        scrim_error error = {.message = ""};
        is_well =
            CHECK_STATUS(sc_tape_seeded(check_seed() + i, &tape, NULL), SCRIM_OK) &&
            CHECK_STATUS(
                tape_release(m, &(scrim_input){.integers = input, .count = s->count},
                             tape, &answer, NULL, &error),
                SCRIM_OK);
        wrong += is_well && s->rule->is_wrong(s, answer);
        if (!is_well)
            CHECK_FAIL("%s: %s", s->line, error.message);
        scrim_answer_free(answer);
        sc_tape_free(tape);
    }
    return wrong;
}

SLOW_TEST(accuracy_of_comparisons_is_not_much_wider_than_it_must_be)
{
    const uint64_t runs = check_count_whole(1500, 8000);
    const double rare = 0.05 * (double)runs, spread = 4.1 * sqrt(0.0475 * (double)runs);
    for (size_t i = 0; i < COUNT(situations); i++) {
        const situation *s = &situations[i];
        scrim_measurement *m = tape_measurement(s->line);
        scrim_certificate c;
        REQUIRE(m != NULL);
        REQUIRE_OK(scrim_measurement_certify(m, "0.95", s->count, &c, NULL));
        const int64_t radius = strtoll(c.radius, NULL, 10);
        const double often = (double)wrong_runs(s, m, radius - radius / 3, runs),
                     seldom = (double)wrong_runs(s, m, radius + 1, runs);
        if (!CHECK(often > rare + spread) || !CHECK(seldom <= rare + spread))
            CHECK_FAIL("%s: radius %s; %g and %g of %g runs", s->line, c.radius, often,
                       seldom, (double)runs);
        scrim_measurement_free(m);
    }
}
