#include "check.h"
#include "cli/terminal/ending_signals.h"
#include "cli/terminal/signal_hold.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

TEST(A88_signals_wait_and_are_not_lost)
{
    for (int number = 1; number <= SIGRTMAX; number++) {
        if (!sc_signal_is_ending(number))
            continue;
        const int held = end_of(number, 7), released = end_of(number, 0);
        CHECK(WIFEXITED(held) && WEXITSTATUS(held) == 7);
        CHECK(WIFSIGNALED(released) && WTERMSIG(released) == number);
    }
}
