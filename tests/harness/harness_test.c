/* The harness tested: its checks and its runner by running this very program on the
 * hidden tests at the end, its statistics against published values. */
#include "check.h"
#include "corpus.h"
#include "faults.h"
#include "laws.h"
#include "vectors.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The runner. */

typedef struct run {
    int status;
    char output[16384];
} run;

/* Runs this program on its hidden tests. */
static run run_self(const char *options)
{
    run result = {.status = -1};
    char command[512], self[256];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (!CHECK(length > 0))
        return result;
    self[length] = '\0';
    snprintf(command, sizeof command, "CHECK_SELFTEST=1 '%s' %s 2>&1", self, options);
    FILE *pipe = popen(command, "r"); // NOLINT(cert-env33-c): the command is our own path
    if (!CHECK(pipe != NULL))
        return result;
    const size_t got = fread(result.output, 1, sizeof result.output - 1, pipe);
    result.output[got] = '\0';
    const int status = pclose(pipe);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return result;
}

static void check_run_of(const char *options, int status, const char *part,
                         const char *closing)
{
    const run result = run_self(options);
    const size_t whole = strlen(result.output), tail = strlen(closing);
    bool held = CHECK_INT(result.status, status);
    held &= CHECK(strstr(result.output, part) != NULL);
    held &= CHECK(whole >= tail && strcmp(result.output + whole - tail, closing) == 0);
    if (!held)
        CHECK_FAIL("tests %s printed\n%s\nwhere \"%s\" was looked for", options,
                   result.output, part);
}

SLOW_TEST(runner_counts_and_closes)
{
    check_run_of("--filter selftest_passes", 0, "\nok 1 - selftest_passes\n",
                 "\n1 passed, 0 failed, 0 skipped\n");
    check_run_of("--filter selftest_fails", 1, "not ok 1 - selftest_fails\n",
                 "\n0 passed, 1 failed, 0 skipped\n");
    check_run_of(
        "--filter selftest_passes --filter selftest_fails --filter selftest_skips", 1,
        "1..3\n", "\n1 passed, 1 failed, 1 skipped\n");
    check_run_of("--quiet --filter selftest_passes", 0, "",
                 "1 passed, 0 failed, 0 skipped\n");
}

TEST(runner_names_the_reason_of_a_skip)
{
    check_run_of("--quiet --filter selftest_skips --filter selftest_passes", 0,
                 "ok 2 - selftest_skips # SKIP the moon is not full\n",
                 "\n1 passed, 0 failed, 1 skipped\n");
}

TEST(runner_fails_when_nothing_ran)
{
    check_run_of("--filter no_such_test", 1, "1..0\n", "0 passed, 0 failed, 0 skipped\n");
    check_run_of("--filter selftest_skips", 1, "SKIP", "0 passed, 0 failed, 1 skipped\n");
}

SLOW_TEST(runner_survives_crash_exit_and_hang)
{
    check_run_of("--filter selftest_crashes", 1, "killed by SIGABRT",
                 "0 passed, 1 failed, 0 skipped\n");
    check_run_of("--filter selftest_leaves", 1, "left by exit(0)",
                 "0 passed, 1 failed, 0 skipped\n");
    check_run_of("--filter selftest_hangs --timeout 1", 1, "did not end within 1 s",
                 "0 passed, 1 failed, 0 skipped\n");
    check_run_of("--filter selftest_checks_nothing", 1, "checked nothing",
                 "0 passed, 1 failed, 0 skipped\n");
}

#ifdef __SANITIZE_ADDRESS__ /* nothing else looks for leaks */
FAULT_TEST(runner_notices_a_leak)
{
    check_run_of("--filter selftest_leaks", 1, "after the end: a leak?",
                 "0 passed, 1 failed, 0 skipped\n");
}
#endif

#ifdef __SANITIZE_THREAD__ /* nothing else looks for races */
TEST(runner_notices_a_race)
{
    check_run_of("--filter selftest_races", 1, "ThreadSanitizer: data race",
                 "0 passed, 1 failed, 0 skipped\n");
}
#endif

TEST(runner_counts_checks_of_forked_children)
{
    check_run_of("--filter selftest_child_fails", 1, "1 failed check\n",
                 "0 passed, 1 failed, 0 skipped\n");
    check_run_of("--filter selftest_child_comes_back", 0, "ok 1",
                 "1 passed, 0 failed, 0 skipped\n");
}

TEST(runner_reports_in_order_whatever_the_jobs)
{
    const run one = run_self("--jobs 1 --filter selftest_order");
    const run four = run_self("--jobs 4 --filter selftest_order");
    CHECK_INT(one.status, 0);
    CHECK_STR(four.output, one.output);
    CHECK(strstr(one.output,
                 "ok 1 - selftest_order_slow\nok 2 - selftest_order_quick\n") != NULL);
}

/* A test has its standard streams and what it tells the runner by, whatever is open around it. */
TEST(runner_gives_a_test_no_descriptors_of_others)
{
    int spare[20];
    for (size_t i = 0; i < COUNT(spare); i++)
        spare[i] = dup(STDIN_FILENO); /* not closed on exec */
    check_run_of("--filter selftest_descriptors", 1, "the next descriptor is 4\n",
                 "0 passed, 1 failed, 0 skipped\n");
    for (size_t i = 0; i < COUNT(spare); i++)
        CHECK(spare[i] >= 0 && close(spare[i]) == 0);
}

FAULT_TEST(runner_refuses_what_it_does_not_know)
{
    CHECK_INT(run_self("--nonsense").status, 2);
    CHECK_INT(run_self("--jobs 0").status, 2);
    CHECK_INT(run_self("--seed -1").status, 2);
    CHECK_INT(run_self("stray").status, 2);
}

TEST(runner_lists_and_hides)
{
    const run list = run_self("--list");
    CHECK_INT(list.status, 0);
    CHECK(strstr(list.output, "selftest_passes\n") != NULL);
    CHECK(strstr(list.output, "runner_lists_and_hides") == NULL);
}

SLOW_TEST(runner_leaves_slow_tests_out_of_the_brief_tier)
{
    const char slow[] = "selftest_order_slow\n", quick[] = "selftest_order_quick\n";
    const run all = run_self("--list"), brief = run_self("--brief --list");
    const run named = run_self("--brief --list --filter selftest_order_slow");
    CHECK(strstr(all.output, slow) != NULL && strstr(all.output, quick) != NULL);
    CHECK(strstr(brief.output, slow) == NULL && strstr(brief.output, quick) != NULL);
    CHECK_STR(named.output, slow);
}

SLOW_TEST(runner_of_a_watched_build_leaves_slow_tests_to_the_other)
{
    const char slow[] = "selftest_order_slow\n", quick[] = "selftest_order_quick\n",
               fault[] = "selftest_fault\n";
    const run all = run_self("--quick --list"), watched = run_self("--watched --list"),
              brief = run_self("--brief --list");
    CHECK(strstr(all.output, slow) != NULL && strstr(watched.output, slow) == NULL);
    CHECK(strstr(all.output, fault) == NULL && strstr(watched.output, fault) != NULL);
    CHECK(strstr(all.output, quick) != NULL && strstr(watched.output, quick) != NULL);
    CHECK(strstr(brief.output, fault) == NULL);
    CHECK(strstr(run_self("--list").output, fault) != NULL);
}

SLOW_TEST(runner_divides_counts)
{
    CHECK(strstr(run_self("--filter selftest_divides").output, "selftest_divides 1000") !=
          NULL);
    CHECK(strstr(run_self("--quick --filter selftest_divides").output,
                 "selftest_divides 250") != NULL);
    CHECK(strstr(run_self("--brief --filter selftest_divides").output,
                 "selftest_divides 100") != NULL);
}

SLOW_TEST(runner_writes_the_time_of_each_test)
{
    char path[] = "/tmp/scrim-times-XXXXXX", options[128], name[64];
    double seconds, before = HUGE_VAL;
    unsigned lines = 0;
    const int descriptor = mkstemp(path);
    REQUIRE(descriptor >= 0);
    snprintf(options, sizeof options, "--quiet --filter selftest_order --times %s", path);
    check_run_of(options, 0, "", "2 passed, 0 failed, 0 skipped\n");
    FILE *file = fdopen(descriptor, "r");
    REQUIRE(file != NULL);
    for (; fscanf(file, "%lf %63s", &seconds, name) == 2; lines++, before = seconds)
        CHECK(strstr(name, "selftest_order_") == name && seconds >= 0 &&
              seconds <= before);
    CHECK_INT(lines, 2);
    fclose(file);
    unlink(path);
    CHECK_INT(run_self("--filter selftest_passes --times /dev/null/file").status, 2);
}

FAULT_TEST(runner_goes_on_behind_the_tests_that_have_passed)
{
    char path[] = "/tmp/scrim-passed-XXXXXX", options[160], line[64] = "";
    const int file = mkstemp(path);
    CHECK(file >= 0 && close(file) == 0);
    snprintf(options, sizeof options,
             "--filter selftest_passes --filter selftest_fails --passed %s", path);
    check_run_of(options, 1, "ok 1 - selftest_passes\n",
                 "\n1 passed, 1 failed, 0 skipped\n");
    FILE *names = fopen(path, "re");
    CHECK(names != NULL && fgets(line, sizeof line, names) != NULL);
    double seconds = -1;
    CHECK_INT(sscanf(line, "selftest_passes %lf", &seconds), 1);
    CHECK(seconds >= 0 && seconds < 60);
    CHECK(fgets(line, sizeof line, names) == NULL && fclose(names) == 0);
    check_run_of(options, 1, "not ok 1 - selftest_fails\n",
                 "\n0 passed, 1 failed, 0 skipped\n");
    snprintf(options, sizeof options, "--filter selftest_passes --passed %s", path);
    check_run_of(options, 0, "1..0\n", "\n0 passed, 0 failed, 0 skipped\n");
    CHECK_INT(unlink(path), 0);
    CHECK_INT(run_self("--filter selftest_passes --passed /dev/null/file").status, 2);
}

static int passed_of(const char *options)
{
    const run result = run_self(options);
    const char *last = strstr(result.output, " passed, 0 failed");
    while (last != NULL && last > result.output && last[-1] != '\n')
        last--;
    int passed = -1;
    CHECK(last != NULL && sscanf(last, "%d passed", &passed) == 1);
    return passed;
}

/* Whatever the share, a test is in one of them and keeps its place when others are left out. */
SLOW_TEST(runner_runs_each_test_in_one_share)
{
    enum { SHARES = 3 };
    static const char *const names[] = {"selftest_passes", "selftest_order_slow",
                                        "selftest_order_quick", "selftest_fault"};
    int total = 0;
    for (int share = 1; share <= SHARES; share++) {
        char together[200] = "", options[240];
        int alone = 0;
        for (size_t i = 0; i < COUNT(names); i++) {
            const size_t used = strlen(together);
            snprintf(together + used, sizeof together - used, " --filter %s", names[i]);
            snprintf(options, sizeof options, "--share %d/%d --filter %s", share, SHARES,
                     names[i]);
            alone += passed_of(options);
        }
        snprintf(options, sizeof options, "--share %d/%d%s", share, SHARES, together);
        CHECK_INT(passed_of(options), alone);
        total += alone;
    }
    CHECK_INT(total, (int)COUNT(names));
    static const char *const wrong[] = {"0/3", "4/3", "3",         "/3",
                                        "1/0", "1/x", "12345678/2"};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        char options[40];
        snprintf(options, sizeof options, "--share %s", wrong[i]);
        CHECK_INT(run_self(options).status, 2);
    }
}

/* A slow test that began last would keep one processor while the others wait. */
SLOW_TEST(runner_begins_with_slow_tests)
{
    const char both[] = "--filter selftest_passes --filter selftest_order_slow";
    char options[128];
    check_run_of(both, 0, "ok 1 - selftest_order_slow\nok 2 - selftest_passes\n",
                 "2 passed, 0 failed, 0 skipped\n");
    snprintf(options, sizeof options, "--long %s", both);
    check_run_of(options, 0, "ok 1 - selftest_order_slow\nok 2 - selftest_passes\n",
                 "2 passed, 0 failed, 0 skipped\n");
}

SLOW_TEST(runner_passes_seed_and_tier)
{
    check_run_of("--filter selftest_settings --seed 18446744073709551615 --long", 1,
                 "seed 18446744073709551615, count 1000",
                 "0 passed, 1 failed, 0 skipped\n");
    check_run_of("--filter selftest_settings", 1, "seed 1, count 10",
                 "0 passed, 1 failed, 0 skipped\n");
}

TEST(checks_print_both_sides)
{
    const char *lines[] = {"1 + 1 == 3 does not hold",
                           "is -170141183460469231731687303715884105728, not 0",
                           "is 170141183460469231731687303715884105727, not -1",
                           "is \"left\", not \"right\"",
                           "is NULL, not \"\"",
                           "differs at byte 2 of 4: 03 04, not 09 04",
                           "is SCRIM_E_PARAM (20), not SCRIM_OK (0)",
                           "is 1.5, not 1 within 0.1 of it",
                           "is nan, not nan within 1 of it",
                           "a message of 7 words",
                           "defends a.claim",
                           "10 failed checks"};
    const run result = run_self("--filter selftest_every_check");
    CHECK_INT(result.status, 1);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!CHECK(strstr(result.output, lines[i]) != NULL))
            CHECK_FAIL("missing \"%s\" in\n%s", lines[i], result.output);
}

TEST(checks_that_hold_are_true)
{
    CHECK(CHECK_INT(-1, -1));
    CHECK(CHECK_STR("a", "a"));
    CHECK(CHECK_STR(NULL, NULL));
    CHECK(CHECK_BYTES("abc", "abd", 2));
    CHECK(CHECK_STATUS(SCRIM_E_LIMIT, SCRIM_E_LIMIT));
    CHECK(CHECK_NEAR(1.05, 1, 0.1));
    CHECK(CHECK_NEAR((double)INFINITY, (double)INFINITY, 0));
}

/* Faults. */

/* Two allocations, one of them grown; NULL when any is refused. */
static char *allocate_three_times(void)
{
    char *first = malloc(8), *grown = NULL;
    char *volatile second = calloc(2, 8); /* or clang leaves it out */
    if (first != NULL && second != NULL)
        grown = realloc(first, 64);
    if (grown == NULL)
        free(first);
    free(second);
    return grown;
}

TEST(fault_loop_refuses_each_allocation_in_turn)
{
    unsigned rounds = 0, refused = 0;
    FAULT_LOOP(fault)
    {
        char *memory = allocate_three_times();
        rounds++;
        refused += memory == NULL;
        CHECK_INT(fault_hit(), memory == NULL);
        free(memory);
    }
    CHECK_INT(rounds, 4);
    CHECK_INT(refused, 3);
    char *after = malloc(1);
    CHECK(after != NULL);
    free(after);
}

TEST(fault_loop_counts_allocations)
{
    const uint64_t before = fault_allocations();
    free(allocate_three_times());
    CHECK_INT(fault_allocations() - before, 3);
}

/* Laws. */

/* The p-value of a statistic is reached through counts: two cells of probability 1/2, n
 * draws and a difference of d give the statistic d^2/n with one degree of freedom. */
static double two_cells(uint64_t a, uint64_t b)
{
    return laws_chi_square((const uint64_t[]){a, b}, (const double[]){0.5, 0.5}, 2);
}

TEST(laws_chi_square_one_degree)
{
    /* P(chi-square_1 >= z^2) = erfc(z / sqrt 2): a second road to each. */
    CHECK_NEAR(two_cells(50, 50), 1, 1e-15);
    CHECK_NEAR(two_cells(60, 40), 0.045500263896358414, 1e-12);
    CHECK_NEAR(two_cells(80, 20), laws_normal_two_sided(6), 1e-10);
    CHECK_NEAR(two_cells(5100, 4900), laws_normal_two_sided(2), 1e-12);
    CHECK_NEAR(two_cells(900, 700), laws_normal_two_sided(5), 1e-11);
}

TEST(laws_chi_square_many_degrees)
{
    /* With 2m degrees P(chi-square >= x) = exp(-x/2) sum over i < m of (x/2)^i / i!, so
     * that 2 degrees give exp(-x/2) and 4 give exp(-x/2) (1 + x/2). */
    const double third[] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
    const double fifth[] = {0.2, 0.2, 0.2, 0.2, 0.2};
    CHECK_NEAR(laws_chi_square((const uint64_t[]){110, 100, 90}, third, 3), exp(-1),
               1e-12);
    CHECK_NEAR(laws_chi_square((const uint64_t[]){200, 100, 0}, third, 3), exp(-100),
               1e-9);
    CHECK_NEAR(laws_chi_square((const uint64_t[]){110, 90, 100, 100, 100}, fifth, 5),
               2 * exp(-1), 1e-12);
    CHECK_NEAR(laws_chi_square((const uint64_t[]){150, 50, 100, 100, 100}, fifth, 5),
               26 * exp(-25), 1e-9);
}

TEST(laws_chi_square_thousands_of_degrees)
{
    /* Cells in pairs n + d, n - d: the statistic is cells d^2 / n. With as many degrees
     * the square root transformation of Fisher makes it nearly normal. */
    enum { CELLS = 10001 };
    static uint64_t observed[CELLS];
    static double probability[CELLS];
    for (size_t i = 0; i < CELLS; i++) {
        probability[i] = 1.0 / CELLS;
        observed[i] = i == CELLS - 1 ? 100 : i % 2 == 0 ? 110 : 90;
    }
    const double by_fisher =
        laws_normal_two_sided(sqrt(2.0 * 10000) - sqrt(2.0 * 10000 - 1));
    CHECK_NEAR(laws_chi_square(observed, probability, CELLS), by_fisher / 2, 0.01);
    for (size_t i = 0; i < CELLS - 1; i++)
        observed[i] = i % 2 == 0 ? 111 : 89;
    CHECK(laws_chi_square(observed, probability, CELLS) < 1e-40);
    for (size_t i = 0; i < CELLS - 1; i++)
        observed[i] = i % 2 == 0 ? 109 : 91;
    CHECK(1 - laws_chi_square(observed, probability, CELLS) < 1e-12);
}

TEST(laws_chi_square_pools_small_cells)
{
    /* Expectations 50, 40, 4, 4, 2: the last three make one cell of 10. */
    const double probability[] = {0.5, 0.4, 0.04, 0.04, 0.02};
    CHECK_NEAR(laws_chi_square((const uint64_t[]){50, 40, 10, 0, 0}, probability, 5), 1,
               1e-15);
    /* Expectations 50, 48, 1, 1: what is left over joins the cell before it. */
    const double left_over[] = {0.5, 0.48, 0.01, 0.01};
    CHECK_NEAR(laws_chi_square((const uint64_t[]){50, 0, 25, 25}, left_over, 4), 1,
               1e-15);
    /* One cell says nothing. */
    CHECK_NEAR(laws_chi_square((const uint64_t[]){5, 4}, (const double[]){0.5, 0.5}, 2),
               1, 0);
}

TEST(laws_chi_square_refuses_what_is_no_law)
{
    const double impossible[] = {0.5, 0, 0.5}, short_of_one[] = {0.5, 0.4},
                 negative[] = {1.5, -0.5}, not_a_number[] = {(double)NAN, 1};
    CHECK_NEAR(laws_chi_square((const uint64_t[]){500, 1, 499}, impossible, 3), 0, 0);
    CHECK_NEAR(laws_chi_square((const uint64_t[]){500, 0, 500}, impossible, 3), 1, 1e-15);
    CHECK_NEAR(laws_chi_square((const uint64_t[]){50, 40}, short_of_one, 2), 0, 0);
    CHECK_NEAR(laws_chi_square((const uint64_t[]){50, 40}, negative, 2), 0, 0);
    CHECK_NEAR(laws_chi_square((const uint64_t[]){50, 40}, not_a_number, 2), 0, 0);
}

TEST(laws_normal_welch_correlation)
{
    const double a[] = {1, 2, 3, 4}, b[] = {2, 4, 6, 8}, c[] = {8, 6, 4, 2},
                 d[] = {1, 1, 1, 1};
    CHECK_NEAR(laws_normal_two_sided(1.959963984540054), 0.05, 1e-13);
    CHECK_NEAR(laws_normal_two_sided(-6), 1.9731752900753403e-9, 1e-12);
    /* Means 2.5 and 5, variances 5/3 and 20/3: -2.5 / sqrt(25/12). */
    CHECK_NEAR(laws_welch_t(a, 4, b, 4), -sqrt(3), 1e-14);
    CHECK_NEAR(laws_welch_t(d, 4, d, 4), 0, 0);
    CHECK_NEAR(laws_correlation(a, b, 4), 1, 1e-14);
    CHECK_NEAR(laws_correlation(a, c, 4), -1, 1e-14);
    CHECK_NEAR(laws_correlation(a, d, 4), 0, 0);
}

/* Vectors. */

TEST(vectors_load_once_and_keep_wide_integers)
{
    json_t *rounding = vectors_load("mechanisms", "grid_rounding");
    REQUIRE(rounding != NULL);
    CHECK(vectors_load("mechanisms", "grid_rounding") == rounding);
    char *text = json_dumps(rounding, JSON_COMPACT);
    REQUIRE(text != NULL);
    CHECK(strstr(text, "\"grid\":\"9223372036854775808\"") != NULL);
    CHECK(strstr(text, "\"grid\":72057594037927936") != NULL);
    free(text);
}

SLOW_TEST(vectors_that_are_missing_fail)
{
    check_run_of("--filter selftest_no_vectors", 1,
                 "cannot read tests/vectors/absent.json",
                 "0 passed, 1 failed, 0 skipped\n");
    check_run_of("--filter selftest_no_member", 1, "mechanisms.json has no absent",
                 "0 passed, 1 failed, 0 skipped\n");
}

/* Corpora. */

static size_t inputs, input_bytes;

static void count_input(const unsigned char *bytes, size_t count)
{
    inputs++;
    for (size_t i = 0; i < count; i++)
        input_bytes += bytes[i] == 'x';
}

TEST(corpus_runs_files_and_their_beginnings)
{
    /* tests/fuzz/corpus/harness holds "xxx" and an empty file: xxx, x, xx and twice
     * nothing.
     */
    corpus_replay("harness", count_input);
    CHECK_INT(inputs, 5);
    CHECK_INT(input_bytes, 6);
}

TEST(corpus_that_is_missing_fails)
{
    check_run_of("--filter selftest_no_corpus", 1, "there is no tests/fuzz/corpus/absent",
                 "0 passed, 1 failed, 0 skipped\n");
}

/* Hidden tests, run by the tests above. */

TEST(selftest_passes)
{
    CHECK(true);
}

TEST(selftest_fails)
{
    CHECK(false);
}

TEST(selftest_skips)
{
    SKIP("the moon is not full");
}

TEST(selftest_crashes)
{
    CHECK(true);
    abort();
}

TEST(selftest_leaves)
{
    CHECK(true);
    exit(0);
}

TEST(selftest_hangs)
{
    CHECK(true);
    for (;;)
        pause();
}

TEST(selftest_leaks)
{
    static char *volatile lost;
    lost = malloc(10);
    CHECK(lost != NULL);
    lost = NULL;
}

#ifdef __SANITIZE_THREAD__
static void *count_without_a_lock(void *number)
{
    for (int i = 0; i < 1000; i++)
        ++*(volatile long *)number;
    return NULL;
}

TEST(selftest_races)
{
    pthread_t threads[2];
    long number = 0;
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, count_without_a_lock, &number) == 0);
    for (int i = 0; i < 2; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
}
#endif

TEST(selftest_checks_nothing)
{
}

TEST(selftest_child_fails)
{
    const pid_t child = fork();
    if (child == 0) {
        CHECK(false);
        _exit(0);
    }
    CHECK(waitpid(child, NULL, 0) == child);
}

TEST(selftest_child_comes_back)
{
    const pid_t child = fork();
    if (child == 0)
        return;
    CHECK(waitpid(child, NULL, 0) == child);
}

SLOW_TEST(selftest_order_slow)
{
    CHECK(usleep(200000) == 0);
}

TEST(selftest_divides)
{
    CHECK_FAIL("selftest_divides %llu", (unsigned long long)check_count(1000, 1000000));
}

FAULT_TEST(selftest_fault)
{
    CHECK(true);
}

TEST(selftest_order_quick)
{
    CHECK(true);
}

TEST(selftest_descriptors)
{
    int last = STDERR_FILENO;
    for (int i = 0; i < 1000; i++)
        if (fcntl(i, F_GETFD) >= 0)
            last = i;
    CHECK_FAIL("the next descriptor is %d", last + 1);
}

TEST(selftest_settings)
{
    CHECK_FAIL("seed %llu, count %llu", (unsigned long long)check_seed(),
               (unsigned long long)check_count(10, 1000));
}

TEST(selftest_every_check)
{
    const char *none = NULL;
    check_claim("a.claim"); /* not CLAIM: no header makes it */
    CHECK(1 + 1 == 3);
    CHECK_INT(SC_INT128_MIN, 0);
    CHECK_INT(SC_INT128_MAX, -1);
    CHECK_STR("left", "right");
    CHECK_STR(none, "");
    CHECK_BYTES("\1\2\3\4", "\1\2\11\4", 4);
    CHECK_STATUS(SCRIM_E_PARAM, SCRIM_OK);
    CHECK_NEAR(1.5, 1, 0.1);
    CHECK_NEAR((double)NAN, (double)NAN, 1);
    CHECK_FAIL("a message of %d words", 7);
}

TEST(selftest_no_vectors)
{
    CHECK(vectors_load("absent", "anything") == NULL);
}

TEST(selftest_no_member)
{
    CHECK(vectors_load("mechanisms", "absent") == NULL);
}

TEST(selftest_no_corpus)
{
    corpus_replay("absent", count_input);
}
