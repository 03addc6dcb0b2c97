#include "check.h"
#include "cli/signal_hold.h"

#include <sys/wait.h>
#include <unistd.h>

/* Raises a signal in a child, before or behind the end of its hold; how that child ended. */
static int end_of(int number, int code)
{
    const pid_t child = fork();
    if (child == 0) {
        sc_signal_hold hold;
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

TEST(signals_wait_and_are_not_lost)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const int held = end_of(numbers[i], 7), released = end_of(numbers[i], 0);
        CHECK(WIFEXITED(held) && WEXITSTATUS(held) == 7);
        CHECK(WIFSIGNALED(released) && WTERMSIG(released) == numbers[i]);
    }
}
