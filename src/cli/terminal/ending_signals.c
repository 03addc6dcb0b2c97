#include "cli/terminal/ending_signals.h"

#include <stddef.h>

bool sc_signal_is_ending(int number)
{
    static const int others[] = {SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU,
                                 SIGCONT, SIGCHLD, SIGURG,  SIGWINCH};
    /* Between the two the C library keeps some for itself. */
    if (number < 1 || number > SIGRTMAX || (number > SIGSYS && number < SIGRTMIN))
        return false;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (number == others[i])
            return false;
    return true;
}

void sc_ending_signals(sigset_t *set)
{
    sigemptyset(set);
    for (int number = 1; number <= SIGRTMAX; number++)
        if (sc_signal_is_ending(number))
            sigaddset(set, number);
}
