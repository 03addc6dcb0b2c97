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
