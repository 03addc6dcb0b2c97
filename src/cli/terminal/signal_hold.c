#include "cli/terminal/signal_hold.h"

#include "cli/terminal/ending_signals.h"

void sc_signal_hold_begin(sc_signal_hold *hold)
{
    sigset_t held;
    sc_ending_signals(&held);
    sigprocmask(SIG_BLOCK, &held, &hold->then);
}

void sc_signal_hold_end(const sc_signal_hold *hold)
{
    sigprocmask(SIG_SETMASK, &hold->then, NULL);
}
