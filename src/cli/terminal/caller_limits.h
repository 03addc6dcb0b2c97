/* Resource limits of whoever started the program. Where a limit is reached may depend on rows, so
 * that a caller who sets one could learn of them by whether it was: those who use the vault of
 * somebody else run without.
 *
 * The limits on memory, processor time and the size of files must be unlimited, as they are after
 * a login; those on the stack, on open files and on processes at least what a login gives or the
 * program needs.
 */
#ifndef SC_CLI_CALLER_LIMITS_H
#define SC_CLI_CALLER_LIMITS_H

#include "scrim/status.h"

#include <stdint.h>

#define SC_CALLER_STACK_BYTES ((uint64_t)8 << 20)
#define SC_CALLER_FILES 256
#define SC_CALLER_PROCESSES 256

/* SCRIM_E_POLICY, which names the first limit that is too low. */
SCRIM_MUST_USE scrim_status sc_caller_limits_check(scrim_error *error);

#endif
