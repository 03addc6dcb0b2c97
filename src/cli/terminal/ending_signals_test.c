#include "check.h"
#include "cli/terminal/ending_signals.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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
