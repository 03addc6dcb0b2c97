/* Facts that the runner and the checks share: the list of tests, the tier and the seed, and the
 * way a test's process tells the runner how it went. */
#ifndef RUNNER_H
#define RUNNER_H

#include "check.h"

typedef struct check_settings {
    uint64_t seed;
    bool is_long;
    unsigned slowness; /* of a watched program: secret_slowness() */
} check_settings;

/* The tests in the order of registration. */
check_test *check_first(void);

/* Runs one test in the process that was made for it. What happens is written to the
 * descriptor, which the test's own children inherit, so that a check that fails in one of
 * them counts: NOTE_CHECKED once a process, NOTE_FAILED for each failed check,
 * NOTE_SKIPPED with the reason and a newline, NOTE_ENDED when the test has returned. A
 * process that ends without that last note has been cut short. */
enum check_note {
    NOTE_CHECKED = 'c',
    NOTE_FAILED = 'f',
    NOTE_SKIPPED = 's',
    NOTE_ENDED = 'e'
};
void check_run(const check_test *test, const check_settings *settings, int notes);

/* Has a check failed in this process? */
bool check_has_failed(void);

#endif
