/* How long a question takes, and who may see it (THREATS A53). */
#include "check.h"
#include "query_scene.h"
#include "random/bits_tape.h"
#include "vault/vault_tape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define HEADER "person,age,sex,city,income\n"

static bool begin(query_scene *s, const char *quantum, const char *bytes)
{
    char policy[1000];
    snprintf(policy, sizeof policy, "%sbudget=epsilon=1000000,delta=0.9\n%s",
             query_scene_columns, quantum);
    return query_scene_begin(s, policy, bytes);
}

static double clock_seconds(void)
{
    struct timespec time;
    CHECK(clock_gettime(CLOCK_MONOTONIC, &time) == 0);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static scrim_plan *make_plan(query_scene *s, const char *query,
                             const scrim_query_options *options)
{
    scrim_plan *plan = NULL;
    CHECK_STATUS(
        scrim_plan_new(s->vault, "people", &query, 1, options, &plan, NULL, &s->error),
        SCRIM_OK);
    return plan;
}

/* The seconds of one question. */
static double time_of(query_scene *s, const scrim_plan *plan, scrim_status *status)
{
    scrim_result *result = NULL;
    const double before = clock_seconds();
    *status = scrim_query_run(s->vault, plan, &result, &s->error);
    const double after = clock_seconds();
    scrim_result_free(result);
    return after - before;
}

static void note_progress(void *context, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    *(bool *)context = true;
}

TEST(A53_answers_wait_for_the_quantum)
{
    CLAIM("ask.quantum");
    query_scene s;
    scrim_plan_facts facts;
    scrim_status status;
    bool has_progress = false;
    if (!begin(&s, "max-size=64KiB\nquantum=0.03\n",
               HEADER "a,10,Female,x,1\nb,20,Male,y,2\n"))
        return;
    scrim_plan *plan = make_plan(
        &s, "SELECT sex, COUNT(*), AVG(age) GROUP BY sex",
        OPTIONS(.epsilon = "0.5", .progress = note_progress, .context = &has_progress));
    REQUIRE(plan != NULL);
    REQUIRE_OK(scrim_plan_describe(s.vault, plan, &facts, &s.error));
    CHECK_STR(facts.quantum, "0.03");
    CHECK(time_of(&s, plan, &status) >= 0.03);
    CHECK_STATUS(status, SCRIM_OK);
    CHECK(!has_progress);
    scrim_plan_free(plan);
    query_scene_end(&s);
    if (!begin(&s, "", HEADER "a,10,Female,x,1\n"))
        return;
    plan = make_plan(&s, "SELECT COUNT(*)", OPTIONS(.epsilon = "0.5"));
    REQUIRE(plan != NULL);
    REQUIRE_OK(scrim_plan_describe(s.vault, plan, &facts, &s.error));
    CHECK_STR(facts.quantum, "");
    scrim_plan_free(plan);
    query_scene_end(&s);
}

/* Another quantum is no other version: what was answered is, but plans are made anew. */
SLOW_TEST(A53_another_quantum_holds_for_the_next_question)
{
    CLAIM("vault.terms");
    static const char query[] = "SELECT COUNT(*)";
    query_scene s;
    char left[2][3 * SCRIM_NUMBER_BYTES], *policy = NULL, other[1200];
    scrim_plan_facts facts;
    scrim_status status;
    if (!begin(&s, "max-size=64KiB\nquantum=0.001\n",
               HEADER "a,10,Female,x,1\nb,20,Male,y,2\n"))
        return;
    scrim_plan *plan = make_plan(&s, query, OPTIONS(.epsilon = "0.5"));
    REQUIRE(plan != NULL);
    (void)time_of(&s, plan, &status);
    CHECK_STATUS(status, SCRIM_OK);
    query_scene_left(&s, left[0]);
    REQUIRE_OK(scrim_vault_policy(s.vault, "people", &policy, &s.error));
    char *const line = strstr(policy, "quantum=0.001\n");
    REQUIRE(line != NULL);
    snprintf(other, sizeof other, "%.*squantum=0.04\n%s", (int)(line - policy), policy,
             line + strlen("quantum=0.001\n"));
    scrim_vault_text_free(policy);
    scrim_plan *early =
        make_plan(&s, "SELECT COUNT(*), AVG(age)", OPTIONS(.epsilon = "1"));
    REQUIRE(early != NULL);
    REQUIRE_OK(scrim_vault_set_dataset(s.vault, "people", other, &s.error));
    (void)time_of(&s, early, &status);
    CHECK_STATUS(status, SCRIM_E_POLICY);
    scrim_plan_free(early);
    scrim_plan_free(plan);
    plan = make_plan(&s, query, OPTIONS(.epsilon = "0.5"));
    REQUIRE(plan != NULL);
    REQUIRE_OK(scrim_plan_describe(s.vault, plan, &facts, &s.error));
    CHECK_STR(facts.quantum, "0.04");
    CHECK(facts.repeats != 0);
    (void)time_of(&s, plan, &status);
    CHECK_STATUS(status, SCRIM_OK);
    CHECK_STR(query_scene_left(&s, left[1]), left[0]);
    scrim_plan_free(plan);
    plan = make_plan(&s, "SELECT COUNT(*), AVG(age)", OPTIONS(.epsilon = "1"));
    REQUIRE(plan != NULL);
    CHECK(time_of(&s, plan, &status) >= 0.04);
    CHECK_STATUS(status, SCRIM_OK);
    scrim_plan_free(plan);
    query_scene_end(&s);
}

/* Bits that end: whether it fails before a row is read or behind, the failure waits as well. */
SLOW_TEST(A53_failures_wait_for_the_quantum)
{
    CLAIM("ask.quantum");
    static const uint64_t words[24];
    query_scene s;
    size_t failures = 0;
    if (!begin(&s, "max-size=64KiB\nquantum=0.01\n",
               HEADER "a,10,Female,x,1\nb,20,Male,y,2\n"))
        return;
    scrim_plan *plan = make_plan(&s, "SELECT sex, COUNT(*), AVG(age) GROUP BY sex",
                                 OPTIONS(.epsilon = "0.5"));
    REQUIRE(plan != NULL);
    for (size_t count = 0; count < COUNT(words); count += 2) {
        scrim_status status;
        scrim_budget before = {.charges = 0}, after = {.charges = 0};
        sc_tape *tape = NULL;
        REQUIRE_OK(sc_tape_words(words, count, &tape, NULL));
        sc_vault_use_bits(s.vault, sc_tape_bits_of(tape));
        REQUIRE_OK(scrim_vault_budget(s.vault, 0, NULL, &before, NULL));
        const double seconds = time_of(&s, plan, &status);
        REQUIRE_OK(scrim_vault_budget(s.vault, 0, NULL, &after, NULL));
        if (after.charges > before.charges && status != SCRIM_OK) {
            failures++;
            CHECK(seconds >= 0.01);
        }
        sc_vault_use_bits(s.vault, NULL);
        sc_tape_free(tape);
    }
    CHECK(failures > 0);
    scrim_plan_free(plan);
    query_scene_end(&s);
}

/* Two samples of times: the largest distance of their distribution functions, and how likely one
 * so large is where they have the same law (Kolmogorov's series). */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double likelihood(double *a, double *b, size_t count)
{
    double distance = 0, p = 0;
    size_t i = 0, j = 0;
    qsort(a, count, sizeof *a, compare);
    qsort(b, count, sizeof *b, compare);
    while (i < count && j < count) {
        const double at = a[i] < b[j] ? a[i] : b[j];
        while (i < count && a[i] <= at)
            i++;
        while (j < count && b[j] <= at)
            j++;
        distance = fmax(distance, fabs((double)i - (double)j) / (double)count);
    }
    const double scaled = distance * sqrt((double)count / 2);
    for (int k = 1; k <= 100; k++)
        p += (k % 2 == 1 ? 2 : -2) * exp(-2.0 * k * k * scaled * scaled);
    return scaled < 0.2 ? 1 : p;
}

typedef enum scene_kind { PLAIN, HUGE_CELL, VAST_CELL, MANY_KEYS } scene_kind;

#define ROWS 3000
#define HUGE_BYTES 2000000
#define VAST_BYTES 30000000

/* A table of one city, or of as many as rows; with a cell that is huge. */
static char *make_table(scene_kind kind)
{
    const size_t cell = kind == HUGE_CELL   ? HUGE_BYTES
                        : kind == VAST_CELL ? VAST_BYTES
                                            : 0;
    char *bytes = malloc((size_t)ROWS * 60 + cell + 100);
    if (bytes == NULL) {
        CHECK_FAIL("out of memory for %zu bytes", cell);
        return NULL;
    }
    size_t used = (size_t)sprintf(bytes, HEADER);
    for (int i = 0; i < ROWS; i++)
        used += (size_t)sprintf(bytes + used, "p%d,%d,%s,city%d,%d\n", i, i % 99 + 1,
                                i % 2 ? "Male" : "Female", kind == MANY_KEYS ? i : 0,
                                i % 1000);
    if (cell > 0) {
        used += (size_t)sprintf(bytes + used, "victim,0,Female,");
        memset(bytes + used, 'x', cell);
        used += cell;
        sprintf(bytes + used, ",1\n");
    }
    return bytes;
}

typedef struct timed {
    scene_kind kind;
    const char *query;
} timed;

/* One of two, in turns whose order is that of a coin. */
static double compare_times(const char *quantum, const timed pair[2], size_t count)
{
    query_scene scenes[2];
    scrim_plan *plans[2];
    double *times[2];
    for (int k = 0; k < 2; k++) {
        char *bytes = make_table(pair[k].kind);
        if (bytes == NULL || !begin(&scenes[k], quantum, bytes))
            return -1;
        free(bytes);
        times[k] = malloc(count * sizeof *times[k]);
        plans[k] = NULL;
        if (!CHECK(times[k] != NULL))
            return -1;
    }
    for (size_t i = 0; i < 2 * count; i++) {
        const int k = (int)((i + (i / 2 * 2654435761u >> 7)) % 2);
        char epsilon[32];
        scrim_status status;
        /* Never the same question. */
        snprintf(epsilon, sizeof epsilon, "1/%zu", 100 + i / 2);
        plans[k] = make_plan(&scenes[k], pair[k].query,
                             OPTIONS(.epsilon = epsilon, .delta = "1e-9"));
        if (plans[k] == NULL)
            return -1;
        times[k][i / 2] = time_of(&scenes[k], plans[k], &status);
        CHECK_STATUS(status, SCRIM_OK);
        scrim_plan_free(plans[k]);
    }
    const double p = likelihood(times[0], times[1], count);
    for (int k = 0; k < 2; k++) {
        free(times[k]);
        query_scene_end(&scenes[k]);
    }
    return p;
}

TEST(A53_times_tell_nothing_at_the_quantum)
{
    CLAIM("ask.quantum");
    static const timed pairs[][2] = {
        {{PLAIN, "SELECT COUNT(*) AS n"}, {HUGE_CELL, "SELECT COUNT(*) AS n"}},
        {{PLAIN, "SELECT COUNT(*) AS n WHERE age = 120"},
         {PLAIN, "SELECT COUNT(*) AS n WHERE age >= 1"}},
        {{PLAIN, "SELECT COUNT(*) AS n WHERE city = 'p'"},
         {PLAIN, "SELECT COUNT(*) AS n WHERE income = 1"}},
        {{PLAIN, "SELECT city, COUNT(*) AS n GROUP BY city"},
         {MANY_KEYS, "SELECT city, COUNT(*) AS n GROUP BY city"}}};
    static const timed control[2] = {{PLAIN, "SELECT COUNT(*) AS n"},
                                     {VAST_CELL, "SELECT COUNT(*) AS n"}};
    if (!check_is_long())
        SKIP("what times belongs to the long tier");
    for (size_t i = 0; i < COUNT(pairs); i++) {
        const double p = compare_times("quantum=0.25\n", pairs[i], 200);
        if (!CHECK(p > 0.001))
            CHECK_FAIL("pair %zu: p = %g", i, p);
    }
    /* Without it the same test sees the difference. */
    CHECK(compare_times("", control, 200) < 0.001);
}
