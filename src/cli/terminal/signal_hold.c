#include "cli/terminal/signal_hold.h"

#include "cli/terminal/ending_signals.h"

/* Holds may be nested; the mask is that from before the first. */
static unsigned depth;
static sigset_t before;

void sc_signal_hold_begin(sc_signal_hold *hold)
{
    sigset_t held;
    sc_ending_signals(&held);
    sigprocmask(SIG_BLOCK, &held, &hold->then);
    if (depth++ == 0)
        before = hold->then;
}

void sc_signal_hold_end(const sc_signal_hold *hold)
{
    depth--;
    sigprocmask(SIG_SETMASK, &hold->then, NULL);
}

bool sc_signal_is_waiting(void)
{
    sigset_t waiting;
    if (depth == 0 || sigpending(&waiting) != 0)
        return false;
    for (int number = 1; number <= SIGRTMAX; number++)
        if (sc_signal_is_ending(number) && sigismember(&waiting, number) == 1 &&
            sigismember(&before, number) == 0)
            return true;
    return false;
}
