#include "check.h"
#include "cli/terminal/process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* The answer of a child that has these users and groups; -1 when it cannot have them. */
static int ask_child(uid_t user, uid_t effective, gid_t group, gid_t effective_group)
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        if (setregid(group, effective_group) != 0 || setreuid(user, effective) != 0)
            _exit(2);
        _exit(sc_rights_are_borrowed());
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status) == 2 ? -1 : WEXITSTATUS(status);
}

TEST(rights_of_another_user_or_group_are_borrowed)
{
    enum { NOBODY = 65534 };
    CHECK(!sc_rights_are_borrowed());
    if (ask_child(NOBODY, NOBODY, NOBODY, NOBODY) < 0) {
        SKIP("only the superuser can take another user's rights");
        return;
    }
    CHECK_INT(ask_child(NOBODY, NOBODY, NOBODY, NOBODY), 0);
    CHECK_INT(ask_child(NOBODY, 0, NOBODY, NOBODY), 1);
    CHECK_INT(ask_child(NOBODY, NOBODY, NOBODY, 0), 1);
}

/* Is it lent by this variable, and to whom? -1: it is not. */
static long lent_by(const char *variable, const char *value)
{
    uid_t caller = 0;
    CHECK(setenv(variable, value, 1) == 0);
    const bool is_lent = sc_rights_are_lent(&caller);
    CHECK(sc_rights_are_lent(NULL) == is_lent);
    CHECK(unsetenv(variable) == 0);
    return is_lent ? (long)caller : -1;
}

TEST(A80_rights_are_lent_by_sudo_and_its_like)
{
    CLAIM("rights.caller");
    static const char *const strange[] = {"",    "x",          "-1",          "12x",
                                          " 12", "4294967295", "99999999999", "1e3"};
    char own[24], other[24];
    const long nobody = (long)(uid_t)-1;
    snprintf(own, sizeof own, "%lu", (unsigned long)getuid());
    snprintf(other, sizeof other, "%lu", (unsigned long)getuid() + 7);
    CHECK(!sc_rights_are_lent(NULL));
    CHECK_INT(lent_by("SUDO_UID", own), -1);
    CHECK_INT(lent_by("PKEXEC_UID", own), -1);
    CHECK_INT(lent_by("SUDO_UID", other), (long)getuid() + 7);
    CHECK_INT(lent_by("PKEXEC_UID", other), (long)getuid() + 7);
    CHECK_INT(lent_by("DOAS_USER", "no such user there is"), nobody);
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++)
        CHECK_INT(lent_by("SUDO_UID", strange[i]), nobody);
    /* one of them is enough */
    CHECK(setenv("SUDO_UID", own, 1) == 0);
    CHECK_INT(lent_by("PKEXEC_UID", other), (long)getuid() + 7);
    CHECK(unsetenv("SUDO_UID") == 0);
}

/* How the check ends in a child with this soft limit, and nothing else out of the ordinary: 0, 3
 * where the message names the limit, else 1; 2 where the limits cannot be had. */
static int check_with(int resource, rlim_t soft, const char *named)
{
    static const int all[] = {RLIMIT_AS,  RLIMIT_DATA,  RLIMIT_RSS,
                              RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_RTTIME};
    int end = 0;
    const pid_t child = fork();
    if (child == 0) {
        struct rlimit now;
        scrim_error error = {.message = ""};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            if (getrlimit((__rlimit_resource_t)all[i], &now) != 0 ||
                now.rlim_cur != RLIM_INFINITY)
                _exit(2);
        if (getrlimit((__rlimit_resource_t)resource, &now) != 0)
            _exit(2);
        now.rlim_cur = soft;
        if (soft > now.rlim_max || setrlimit((__rlimit_resource_t)resource, &now) != 0)
            _exit(2);
        const scrim_status status = sc_caller_limits_check(&error);
        if (status == SCRIM_OK)
            _exit(0);
        _exit(status == SCRIM_E_POLICY && strstr(error.message, named) != NULL ? 3 : 1);
    }
    CHECK(child > 0 && waitpid(child, &end, 0) == child && WIFEXITED(end));
    return WEXITSTATUS(end);
}

TEST(A73_limits_of_the_caller_are_refused)
{
    static const struct {
        int resource;
        rlim_t refused, taken;
        const char *named;
    } cases[] = {
        {RLIMIT_AS, (rlim_t)1 << 40, RLIM_INFINITY, "ulimit -v"},
        {RLIMIT_DATA, (rlim_t)1 << 40, RLIM_INFINITY, "ulimit -d"},
        {RLIMIT_CPU, 1000000, RLIM_INFINITY, "ulimit -t"},
        {RLIMIT_FSIZE, (rlim_t)1 << 40, RLIM_INFINITY, "ulimit -f"},
        {RLIMIT_STACK, SC_CALLER_STACK_BYTES - 1, SC_CALLER_STACK_BYTES, "ulimit -s"},
        {RLIMIT_NOFILE, SC_CALLER_FILES - 1, SC_CALLER_FILES, "ulimit -n"},
        {RLIMIT_NPROC, SC_CALLER_PROCESSES - 1, SC_CALLER_PROCESSES, "ulimit -u"},
    };
    if (check_with(RLIMIT_NOFILE, SC_CALLER_FILES, "") == 2) {
        SKIP("the limits of this machine are lower than those of a login");
        return;
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_INT(check_with(cases[i].resource, cases[i].refused, cases[i].named), 3);
        CHECK_INT(check_with(cases[i].resource, cases[i].taken, ""), 0);
    }
}

/* Does the default of a signal end a process? */
static bool ends_a_child(int number)
{
    int end = 0;
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit none = {0, 0};
        (void)setrlimit(RLIMIT_CORE, &none);
        (void)signal(number, SIG_DFL);
        (void)raise(number);
        _exit(7);
    }
    CHECK(child > 0 && waitpid(child, &end, WUNTRACED) == child);
    if (!WIFSTOPPED(end))
        return WIFSIGNALED(end) && WTERMSIG(end) == number;
    kill(child, SIGKILL);
    waitpid(child, &end, 0);
    return false;
}

/* The list is that of the kernel, but for the one that nobody catches. */
TEST(A88_signals_that_end_are_those_the_kernel_ends_by)
{
    sigset_t all;
    sc_ending_signals(&all);
    for (int number = 1; number <= SIGRTMAX; number++) {
        if (number == SIGKILL || (number > SIGSYS && number < SIGRTMIN)) {
            CHECK(!sc_signal_is_ending(number));
            continue;
        }
        CHECK_INT(sc_signal_is_ending(number), ends_a_child(number));
        CHECK_INT(sigismember(&all, number), sc_signal_is_ending(number));
    }
    CHECK(!sc_signal_is_ending(0) && !sc_signal_is_ending(SIGRTMAX + 1));
}

/* Raises a signal in a child, before or behind the end of its hold; how that child ended. */
static int end_of(int number, int code)
{
    const pid_t child = fork();
    if (child == 0) {
        sc_signal_hold hold;
        const struct rlimit none = {0, 0};
        (void)setrlimit(RLIMIT_CORE, &none);
        signal(number, SIG_DFL);
        sc_signal_hold_begin(&hold);
        raise(number);
        if (code != 0)
            _exit(code); /* reached while the signal waits */
        sc_signal_hold_end(&hold);
        _exit(0); /* not reached */
    }
    int end = 0;
    CHECK(child > 0 && waitpid(child, &end, 0) == child);
    return end;
}

SLOW_TEST(A88_signals_wait_and_are_not_lost)
{
    for (int number = 1; number <= SIGRTMAX; number++) {
        if (!sc_signal_is_ending(number))
            continue;
        const int held = end_of(number, 7), released = end_of(number, 0);
        CHECK(WIFEXITED(held) && WEXITSTATUS(held) == 7);
        CHECK(WIFSIGNALED(released) && WTERMSIG(released) == number);
    }
}

/* Only within a hold, and only a signal that the hold keeps. */
TEST(A102_waiting_signals_are_seen_within_a_hold)
{
    const pid_t child = fork();
    if (child == 0) {
        sc_signal_hold outer, inner;
        sigset_t blocked;
        signal(SIGINT, SIG_DFL);
        sigemptyset(&blocked);
        sigaddset(&blocked, SIGTERM);
        sigprocmask(SIG_BLOCK, &blocked, NULL); /* as whoever started us may have done */
        raise(SIGTERM);
        bool is_right = !sc_signal_is_waiting();
        sc_signal_hold_begin(&outer);
        is_right = is_right && !sc_signal_is_waiting();
        sc_signal_hold_begin(&inner);
        raise(SIGINT);
        is_right = is_right && sc_signal_is_waiting();
        sc_signal_hold_end(&inner);
        is_right = is_right && sc_signal_is_waiting();
        if (!is_right)
            _exit(1);
        sc_signal_hold_end(&outer);
        _exit(0); /* not reached */
    }
    int end = 0;
    CHECK(child > 0 && waitpid(child, &end, 0) == child);
    CHECK(WIFSIGNALED(end) && WTERMSIG(end) == SIGINT);
}

/* A child that sets its words and gets a signal; what it said, and how it ended. */
static int end_child(int number, bool is_ignored, const char *words, char said[256])
{
    int channel[2], status = -1;
    if (!CHECK(pipe(channel) == 0))
        return -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(channel[1], STDERR_FILENO);
        close(channel[0]);
        const struct rlimit none = {0, 0};
        (void)setrlimit(RLIMIT_CORE, &none);
        signal(number, is_ignored ? SIG_IGN : SIG_DFL); /* whatever came from outside */
        sc_last_words_begin();
        sc_last_words_set("%s", "something else\n");
        sc_last_words_set("%s", words);
        raise(number);
        _exit(7);
    }
    close(channel[1]);
    ssize_t count = read(channel[0], said, 255);
    said[count > 0 ? count : 0] = '\0';
    close(channel[0]);
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return status;
}

/* Every signal that ends a process, and not a list that somebody has to think of. */
TEST(A88_any_signal_ends_with_the_words)
{
    char said[256];
    for (int number = 1; number <= SIGRTMAX; number++) {
        if (!sc_signal_is_ending(number))
            continue;
        const int status = end_child(number, false, "release 12 is charged\n", said);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == number);
        CHECK_STR(said, "release 12 is charged\n");
    }
}

TEST(last_words_of_an_ignored_signal)
{
    char said[256];
    /* As nohup has it; a reader who has gone ends us nevertheless. */
    int status = end_child(SIGHUP, true, "words\n", said);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    CHECK_STR(said, "");
    status = end_child(SIGPIPE, true, "words\n", said);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
    CHECK_STR(said, "words\n");
}
