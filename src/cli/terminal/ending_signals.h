/* The signals that end a process unless it catches them: all that may be caught, those that report
 * a fault and the real-time ones among them. Left out are those that stop a process, let it go on
 * or are ignored. */
#ifndef SC_CLI_ENDING_SIGNALS_H
#define SC_CLI_ENDING_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

bool sc_signal_is_ending(int number);
/* All of them. */
void sc_ending_signals(sigset_t *set);

#endif
