/* A99, A100: questions in a program that has limits of its own, is interrupted all the time, or writes
 * numbers with a comma. */
#include "check.h"
#include "locales.h"
#include "query_scene.h"
#include "random/bits_tape.h"
#include "vault/vault_tape.h"

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define HEADER "person,age,sex,city,income\n"
#define ROWS HEADER "a,10,Female,x,1.25\nb,20,Male,y,999.5\nc,30,Female,x,12.125\n"

static bool begin(query_scene *s, const char *more)
{
    char policy[1000];
    snprintf(policy, sizeof policy, "%sbudget=epsilon=1000000,delta=0.9\n%s",
             query_scene_columns, more);
    return query_scene_begin(s, policy, ROWS);
}

/* A99. */

static volatile sig_atomic_t signals;

static void count_signal(int number)
{
    (void)number;
    signals++;
}

static double clock_seconds(void)
{
    struct timespec time;
    CHECK(clock_gettime(CLOCK_MONOTONIC, &time) == 0);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Signals end no wait: neither that for the quantum nor that for a lock. */
SLOW_TEST(A99_a_host_that_is_interrupted_waits_for_the_quantum)
{
    CLAIM("ask.quantum");
    const struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    query_scene s;
    scrim_result *result = NULL;
    if (!begin(&s, "max-size=64KiB\nquantum=0.2\n"))
        return;
    struct sigaction act = {.sa_handler = count_signal};
    CHECK(sigaction(SIGALRM, &act, NULL) == 0);
    CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
    const double before = clock_seconds();
    CHECK_STATUS(query_scene_ask(&s, "SELECT sex, COUNT(*), AVG(age) GROUP BY sex",
                                 OPTIONS(.epsilon = "0.5"), &result),
                 SCRIM_OK);
    CHECK(clock_seconds() - before >= 0.2);
    CHECK(setitimer(ITIMER_REAL, &never, NULL) == 0);
    CHECK(signals > 10);
    scrim_result_free(result);
    query_scene_end(&s);
}

/* Reads without an end, but for the limit. */
static void spin(void *context, uint64_t done, uint64_t total)
{
    (void)context, (void)done, (void)total;
    for (;;)
        ;
}

static void ask_until_killed(query_scene *s, const char *query)
{
    const struct rlimit second = {1, 2}, no_core = {0, 0};
    scrim_vault *vault = NULL;
    scrim_plan *plan = NULL;
    scrim_result *result = NULL;
    (void)setrlimit(RLIMIT_CORE, &no_core);
    (void)setrlimit(RLIMIT_CPU, &second);
    scrim_status status = scrim_vault_open(s->base.path, NULL, &vault, NULL);
    if (status == SCRIM_OK)
        status = scrim_plan_new(vault, "people", &query, 1,
                                OPTIONS(.epsilon = "0.5", .workers = 1, .progress = spin),
                                &plan, NULL, NULL);
    if (status == SCRIM_OK)
        status = scrim_query_run(vault, plan, &result, NULL);
    _exit((int)status);
}

/* The limit ends the program between charge and answer: the charge stays, and is answered once. */
SLOW_TEST(A99_a_limit_of_processor_time_wastes_no_charge)
{
    CLAIM("ask.once");
    const char *const query = "SELECT sex, COUNT(*) GROUP BY sex";
    query_scene s;
    char left[2][3 * SCRIM_NUMBER_BYTES];
    scrim_result *result = NULL;
    int status = 0;
    if (!begin(&s, ""))
        return;
    const pid_t child = fork();
    if (child == 0)
        ask_until_killed(&s, query);
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
    query_scene_left(&s, left[0]);
    CHECK(strstr(left[0], " 1") != NULL); /* one charge */
    CHECK_STATUS(query_scene_ask(&s, query, OPTIONS(.epsilon = "0.5"), &result),
                 SCRIM_OK);
    CHECK_STR(query_scene_left(&s, left[1]), left[0]);
    scrim_result_free(result);
    scrim_vault_state state;
    CHECK_STATUS(scrim_vault_verify(s.vault, &state, NULL), SCRIM_OK);
    CHECK(state.charges == 1 && state.releases == 1);
    query_scene_end(&s);
}

/* A100. */

/* All that questions show, with the same noise each time, and what is left. */
static void show_all(char text[2000])
{
    static const char *const queries[] = {
        "SELECT sex, COUNT(*), AVG(income), SUM(income) GROUP BY sex",
        "SELECT MEDIAN(income), COUNT(*) WHERE income > 1.5 AND income < 999.75",
        "SELECT HISTOGRAM(income, 12.5)"};
    query_scene s;
    sc_tape *tape = NULL;
    text[0] = '\0';
    if (!begin(&s, "cap=epsilon=900.5,delta=0.25\n"))
        return;
    REQUIRE_OK(sc_tape_seeded(7, &tape, NULL));
    sc_vault_use_bits(s.vault, sc_tape_bits_of(tape));
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        scrim_result *result = NULL;
        const size_t used = strlen(text);
        if (!CHECK_STATUS(query_scene_ask(&s, queries[i],
                                          OPTIONS(.epsilon = "900.5", .delta = "1e-3",
                                                  .confidence = "0.975"),
                                          &result),
                          SCRIM_OK))
            CHECK_STR(s.error.message, "");
        if (result != NULL)
            query_scene_show(result, false, text + used, 1000 - used);
        scrim_result_free(result);
    }
    char left[3 * SCRIM_NUMBER_BYTES];
    const size_t used = strlen(text);
    snprintf(text + used, 2000 - used, "%s", query_scene_left(&s, left));
    query_scene_end(&s);
    sc_tape_free(tape);
}

FAULT_TEST(A100_a_host_that_writes_commas_gets_the_same_answers)
{
    CLAIM("ask.locale");
    static char plain[2000], other[2000];
    char folder[] = "/tmp/scrim-locale-XXXXXX", command[64];
    REQUIRE(mkdtemp(folder) != NULL);
    show_all(plain);
    CHECK(strstr(plain, "997446.8935 0.899 3") != NULL);
    if (locale_enter(folder, "de_DE", "de_DE.UTF-8")) {
        CHECK_STR(localeconv()->decimal_point, ",");
        show_all(other);
        CHECK_STR(other, plain);
    }
    (void)setlocale(LC_ALL, "C");
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0); // NOLINT(cert-env33-c): a constant command
}
