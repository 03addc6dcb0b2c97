/* This process: signals that end it, its last words, its limits, and rights that it has from another user. */
#ifndef SC_CLI_PROCESS_H
#define SC_CLI_PROCESS_H

#include "scrim/status.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Whose rights does this program run with?
 *
 * Borrowed: its file is set-user-ID or set-group-ID, and its user has other rights than it. Then
 * nothing is read or written by a name that the user chose: it would be read and written with the
 * rights of somebody else.
 *
 * Lent: sudo, doas or pkexec has started it as another user than the one who called. Such a program
 * has one user alone, whose rights are all its own, and cannot know what its caller may read. Files
 * that it reads by name must belong to the caller, and none is written by name. What the caller may
 * read can be given as standard input, which their own shell opens. The variables that tell of the
 * caller only ever take rights away: who sets them gains nothing.
 *
 * Claim  rights.caller  a file that belongs to another user than the caller is neither read nor
 *                       written by name, so that no message holds a byte of it, nor tells whether
 *                       it exists
 */

bool sc_rights_are_borrowed(void);
/* caller, unless it is NULL, is set to the user who called; to one who owns nothing where it is not
 * known who that is. */
bool sc_rights_are_lent(uid_t *caller);

/* Resource limits of whoever started the program. Where a limit is reached may depend on rows, so
 * that a caller who sets one could learn of them by whether it was: those who use the vault of
 * somebody else run without.
 *
 * The limits on memory, processor time and the size of files must be unlimited, as they are after
 * a login; those on the stack, on open files and on processes at least what a login gives or the
 * program needs.
 */

#define SC_CALLER_STACK_BYTES ((uint64_t)8 << 20)
#define SC_CALLER_FILES 256
#define SC_CALLER_PROCESSES 256

/* SCRIM_E_POLICY, which names the first limit that is too low. */
SCRIM_MUST_USE scrim_status sc_caller_limits_check(scrim_error *error);

/* The signals that end a process unless it catches them: all that may be caught, those that report
 * a fault and the real-time ones among them. Left out are those that stop a process, let it go on
 * or are ignored. */

bool sc_signal_is_ending(int number);
/* All of them. */
void sc_ending_signals(sigset_t *set);

/* Signals that end a process wait while something is written that must not be left half done;
 * then they end it as they would have. */

typedef struct sc_signal_hold {
    sigset_t then; /* those that waited before */
} sc_signal_hold;

/* All that can wait (ending_signals.h). */
void sc_signal_hold_begin(sc_signal_hold *hold);
void sc_signal_hold_end(const sc_signal_hold *hold);
/* Does one wait for the end of a hold? Then long work before it should stop. */
bool sc_signal_is_waiting(void);

/* The message on standard error when a signal ends the command: the charge, and how to see
 * it. The process then ends as the signal ends it, so that a shell shows 128 and its
 * number. */

/* From here on; for every signal that ends a process (ending_signals.h) unless the caller
 * has it ignored, and for SIGPIPE in any case. Nothing is said until something is set. */
void sc_last_words_begin(void);
/* One line, at most 1023 bytes with its end. */
__attribute__((format(printf, 1, 2))) void sc_last_words_set(const char *format, ...);

#endif
