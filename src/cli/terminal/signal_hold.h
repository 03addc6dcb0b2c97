/* Signals that end a process wait while something is written that must not be left half done;
 * then they end it as they would have. */
#ifndef SC_CLI_SIGNAL_HOLD_H
#define SC_CLI_SIGNAL_HOLD_H

#include <signal.h>
#include <stdbool.h>

typedef struct sc_signal_hold {
    sigset_t then; /* those that waited before */
} sc_signal_hold;

/* All that can wait (ending_signals.h). */
void sc_signal_hold_begin(sc_signal_hold *hold);
void sc_signal_hold_end(const sc_signal_hold *hold);
/* Does one wait for the end of a hold? Then long work before it should stop. */
bool sc_signal_is_waiting(void);

#endif
