/* The test harness. A test registers itself, goes on after a failed check and ends with
 * it counted:
 *
 *     TEST(ratio_parses_decimals)
 *     {
 *         CLAIM("ratio.exact");
 *         ...
 *         CHECK_INT(sign, 1);
 *     }
 *
 * The runner prints TAP lines and, last, "N passed, N failed, N skipped"; it exits with 1
 * when anything failed or nothing ran. Options: --filter TEXT (tests whose name contains
 * it; may be repeated), --seed N, --brief (for the inner loop: fewer cases, and of the slow
 * tests only those that a filter names), --long (the counts of `make check-long`), --list,
 * --jobs N (tests in N processes, as many as there are cores unless given; results
 * in order), --quiet (failures, skips and the closing line only), --timeout SECONDS,
 * --times FILE (writes the processor seconds of each test, the slowest first), --quick (divides counts by 4 and leaves faults to the sanitized build, as `make test`
 * does), --watched (leaves slow tests to the build that ships), --passed FILE (leaves out the tests that it names and adds those that pass, with their processor seconds, so that a
 * campaign that was cut short goes on), --share N/COUNT (the tests of one of COUNT shares, by their names, for a campaign
 * of several sittings). Each test runs in a process of its own, so that a crash or a hang (5 minutes; 2 hours with
 * --long) is a failure of that test alone. A check that fails in a child that the test
 * forked counts; a test that ends without a single check or skip has failed.
 */
#ifndef CHECK_H
#define CHECK_H

#include "base/checked.h"
#include "scrim/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef enum check_kind { CHECK_QUICK, CHECK_SLOW, CHECK_FAULT } check_kind;

typedef struct check_test check_test;
struct check_test {
    const char *name, *file;
    void (*run)(void);
    check_kind kind;
    check_test *next;
};
void check_register(check_test *test);
/* Runs this in front of each test, in its process. */
void check_prepare(void (*run)(void));

/* `make check-long` runs all tests in every build. A quick test runs in `make test` and `make check`, and sanitized in
 * `make check-sanitized`. */
#define TEST(test_name) TEST_ENTRY(test_name, CHECK_QUICK)
/* A test that takes 0.1 s or more, or 0.2 s sanitized, with brief counts (`make test-times` shows it): neither `make check` nor
 * `make check-sanitized` runs it. */
#define SLOW_TEST(test_name) TEST_ENTRY(test_name, CHECK_SLOW)
/* As slow, and it makes calls or allocations fail one after another: `make check-sanitized` runs it and `make test` does not,
 * since only sanitizers see the memory that a failure leaves behind. */
#define FAULT_TEST(test_name) TEST_ENTRY(test_name, CHECK_FAULT)
#define TEST_ENTRY(test_name, test_kind)                                                 \
    static void test_##test_name(void);                                                  \
    static check_test entry_##test_name = {#test_name, __FILE__, test_##test_name,       \
                                           test_kind, NULL};                             \
    __attribute__((constructor)) static void register_##test_name(void)                  \
    {                                                                                    \
        check_register(&entry_##test_name);                                              \
    }                                                                                    \
    static void test_##test_name(void)

/* How many elements an array has. */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The test defends this claim of a header; read by tools/check_claims. */
#define CLAIM(identifier) check_claim(identifier)
/* Leaves the test as skipped; the reason is printed. */
#define SKIP(reason)                                                                     \
    do {                                                                                 \
        check_skip(reason);                                                              \
        return;                                                                          \
    } while (0)

/* Checks print both sides and go on. Each is true when it held. */
#define CHECK(condition) check_true((condition), #condition, __FILE__, __LINE__)
#define CHECK_INT(got, want) check_int((got), (want), #got, __FILE__, __LINE__)
#define CHECK_STR(got, want) check_str((got), (want), #got, __FILE__, __LINE__)
#define CHECK_BYTES(got, want, bytes)                                                    \
    check_bytes((got), (want), (bytes), #got, __FILE__, __LINE__)
#define CHECK_STATUS(got, want) check_status((got), (want), #got, __FILE__, __LINE__)
/* |got - want| <= relative * |want|; for tests and views only. */
#define CHECK_NEAR(got, want, relative)                                                  \
    check_near((got), (want), (relative), #got, __FILE__, __LINE__)
/* Fails with a message of its own, printf style. */
#define CHECK_FAIL(...) check_fail(__FILE__, __LINE__, __VA_ARGS__)
/* As CHECK, and leaves the test when it does not hold. */
#define REQUIRE(condition)                                                               \
    do {                                                                                 \
        if (!CHECK(condition))                                                           \
            return;                                                                      \
    } while (0)
#define REQUIRE_OK(call)                                                                 \
    do {                                                                                 \
        if (!CHECK_STATUS((call), SCRIM_OK))                                             \
            return;                                                                      \
    } while (0)

/* The result of a check; the answer is given in this header, where the compiler and the analysers
 * can follow it. */
void check_saw(bool held, const char *text, const char *file, int line);
void check_saw_status(scrim_status got, scrim_status want, const char *text,
                      const char *file, int line);
void check_saw_int(sc_int128 got, sc_int128 want, const char *text, const char *file,
                   int line);

static inline bool check_true(bool held, const char *text, const char *file, int line)
{
    check_saw(held, text, file, line);
    return held;
}
static inline bool check_status(scrim_status got, scrim_status want, const char *text,
                                const char *file, int line)
{
    check_saw_status(got, want, text, file, line);
    return got == want;
}
static inline bool check_int(sc_int128 got, sc_int128 want, const char *text,
                             const char *file, int line)
{
    check_saw_int(got, want, text, file, line);
    return got == want;
}

bool check_str(const char *got, const char *want, const char *text, const char *file,
               int line);
bool check_bytes(const void *got, const void *want, size_t bytes, const char *text,
                 const char *file, int line);
bool check_near(double got, double want, double relative, const char *text,
                const char *file, int line);
__attribute__((format(printf, 3, 4))) bool check_fail(const char *file, int line,
                                                      const char *format, ...);
void check_claim(const char *identifier);
void check_skip(const char *reason);

/* The tier sets a test's count: quick in `make test`, full with --long. Where every step is slow
 * because it is watched, a quick count of hundreds is divided, by 10 under the sanitizers and by
 * 100 under valgrind, down to 10: watching is for the code, counting for the build that ships. So it
 * is with --brief, by 10, and with --quick, by 4: `make test` is run often. */
uint64_t check_count(uint64_t quick, uint64_t full);
/* The same for what would show nothing with fewer: never divided. */
uint64_t check_count_whole(uint64_t quick, uint64_t full);
/* The stride through a list of cases: 1, or n where every step is watched and the counts are
 * quick. All of the list is for the build that ships, and for --long. */
unsigned check_every(unsigned n);
bool check_is_long(void);
/* The seed of this run (1 unless --seed says otherwise): no retries, no clock. */
uint64_t check_seed(void);

#endif
