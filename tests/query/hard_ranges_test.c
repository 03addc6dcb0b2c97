/* WITH RANGE from end to end: whatever is drawn, the interval holds the truth after clamping and
 * bounding, or no interval is shown; and that happens as often as the noise alone says. */
#include "audit/bounds.h"
#include "check.h"
#include "query/estimate/range_choice.h"
#include "query/plan/plan.h"
#include "query_scene.h"
#include "random/bits_tape.h"
#include "vault/vault_tape.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEYS 20
#define A_VAULT 80 /* questions, whose deltas must fit the budget */

/* Key k has 3 k people, of ages that are clamped to 0..100 where k is even, each there twice:
 * one row counts. */
static int64_t rows_of(int k)
{
    return (int64_t)3 * k;
}

static int64_t age_of(int k, int i)
{
    return k % 2 == 0 ? (i % 2 == 0 ? 700 : -40) : 10 + i % 7;
}

static int64_t sum_of(int k)
{
    int64_t sum = 0;
    for (int i = 0; i < 3 * k; i++) {
        const int64_t age = age_of(k, i);
        sum += age < 0 ? 0 : age > 100 ? 100 : age;
    }
    return sum;
}

static void write_table(const char *path)
{
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    fputs("who,age,place\n", file);
    for (int turn = 0; turn < 2; turn++)
        for (int k = 0; k < KEYS; k++)
            for (int i = 0; i < 3 * k; i++)
                fprintf(file, "u%d.%d,%" PRId64 ",k%02d\n", k, i, age_of(k, i), k);
    CHECK(fclose(file) == 0);
}

static bool begin(query_scene *s, sc_tape *tape)
{
    char policy[1000] = "unit=who\ncolumn=age=int[0,100]\ncolumn=place=text\n"
                        "budget=epsilon=1e6,delta=0.9\nkeys=place=";
    size_t length = strlen(policy);
    for (int k = 0; k < KEYS; k++)
        length += (size_t)snprintf(policy + length, sizeof policy - length, "%sk%02d",
                                   k > 0 ? "," : "", k);
    snprintf(policy + length, sizeof policy - length, "\n");
    if (!query_scene_begin_with(s, policy, "-"))
        return false;
    snprintf(s->table, sizeof s->table, "%s/table.csv", s->base.folder);
    write_table(s->table);
    sc_vault_use_bits(s->vault, sc_tape_bits_of(tape));
    const int input = open(s->table, O_RDONLY);
    const bool is_open = CHECK(input >= 0 && dup2(input, STDIN_FILENO) == STDIN_FILENO);
    close(input);
    return is_open;
}

typedef struct tally {
    uint64_t shown, none, wrong;
} tally;

/* Rows and sums. */
static void count(const scrim_result *result, tally both[2])
{
    for (int k = 0; k < KEYS; k++)
        for (size_t c = 1; c <= 2; c++) {
            tally *t = &both[c - 1];
            const scrim_result_cell *cell = scrim_result_cell_at(result, 0, (size_t)k, c);
            const int64_t truth = c == 1 ? rows_of(k) : sum_of(k);
            if (cell->value[0] == '\0') {
                t->none++;
                t->wrong +=
                    !cell->is_open || cell->low[0] != '\0' || cell->high[0] != '\0';
                continue;
            }
            t->shown++;
            t->wrong += strtoll(cell->low, NULL, 10) > truth ||
                        strtoll(cell->high, NULL, 10) < truth;
        }
}

/* How often a part of the plan has no range. */
static double none_of(const scrim_plan *plan, size_t part, const char *mechanism)
{
    const scrim_measurement *m = plan->statements[0].parts[part].measurement;
    double none = 0;
    CHECK_STR(m->mechanism->entry.name, mechanism);
    if (sc_range_may_be_none(m))
        CHECK_STATUS(scrim_range_none_upper(m, 1, &none, NULL), SCRIM_OK);
    return none;
}

static void check_tally(const tally *t, uint64_t turns, double none)
{
    CHECK_INT(t->wrong, 0);
    CHECK(t->shown + t->none >= turns * KEYS);
    if (none == 0)
        CHECK_INT(t->none, 0);
    else
        CHECK(sc_binomial_at_least(t->none, t->shown + t->none, none) > 1e-10 &&
              sc_binomial_at_most(t->none, t->shown + t->none, none) > 1e-10);
}

static void check_ranges(const char *epsilon, const char *delta, uint64_t turns,
                         const char *rows, const char *sums)
{
    static const char *const query =
        "SELECT place, COUNT(*) WITH RANGE AS n, SUM(age) WITH RANGE AS s GROUP BY place";
    const scrim_query_options *options = SCRIM_OPTIONS(
        scrim_query_options, .epsilon = epsilon, .delta = delta, .workers = 1);
    tally t[2] = {{0}, {0}};
    sc_tape *tape = NULL;
    query_scene s;
    double none[2] = {0, 0};
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t done = 0; done < turns; done += A_VAULT) {
        scrim_plan *plan = NULL;
        bool is_whole =
            begin(&s, tape) && CHECK_STATUS(scrim_plan_new(s.vault, "people", &query, 1,
                                                           options, &plan, NULL, NULL),
                                            SCRIM_OK);
        if (is_whole && done == 0) {
            none[0] = none_of(plan, 0, rows);
            none[1] = none_of(plan, 1, sums);
        }
        for (uint64_t i = 0; is_whole && i < A_VAULT; i++) {
            scrim_result *result = NULL;
            is_whole =
                CHECK(lseek(STDIN_FILENO, 0, SEEK_SET) == 0) &&
                CHECK_STATUS(scrim_query_run(s.vault, plan, &result, NULL), SCRIM_OK);
            if (is_whole)
                count(result, t);
            scrim_result_free(result);
        }
        scrim_plan_free(plan);
        query_scene_end(&s);
    }
    check_tally(&t[0], turns, none[0]);
    check_tally(&t[1], turns, none[1]);
    sc_tape_free(tape);
}

SLOW_TEST(hard_ranges_of_questions_always_hold)
{
    CLAIM("estimate.exact");
    CLAIM("range-choice.narrower");
    check_ranges("1", "1e-6", check_count_whole(80, 4000), "truncated-laplace",
                 "truncated-laplace");
    check_ranges("1", "1e-2", check_count_whole(80, 4000), "truncated-laplace", "range");
    check_ranges("1/100", "1e-4", check_count_whole(80, 20000), "range", "range");
}
