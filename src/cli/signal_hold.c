#include "cli/signal_hold.h"

void sc_signal_hold_begin(sc_signal_hold *hold)
{
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGHUP);
    sigaddset(&held, SIGQUIT);
    sigprocmask(SIG_BLOCK, &held, &hold->then);
}

void sc_signal_hold_end(const sc_signal_hold *hold)
{
    sigprocmask(SIG_SETMASK, &hold->then, NULL);
}
