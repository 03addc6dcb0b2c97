/* Messages about a release that failed after its charge, in one place and in one form:
 *
 *     release 8 is charged and has no answer: REASON; ask the same question again: it is finished
 *     at no further charge
 *
 * Everything that can fail once a charge is made passes its status and its error through
 * sc_unanswered_fail, on the way out and once: the gate (release.c, run.c) and the query engine
 * (query/answer/charged.c) do. The status stays what it was, and so does the exit status of the command line.
 *
 * The reason is the message of what failed, but for memory, of which nothing more is said: which of
 * many allocations had none may depend on rows.
 *
 * Claim  unanswered.told    the message names the release, says that it is charged and has no
 *                           answer and what can be done, however long the reason is (A86)
 * Claim  unanswered.memory  without memory after the charge the message is one for all places
 *                           (A73, A86)
 */
#ifndef SC_ACCOUNT_UNANSWERED_H
#define SC_ACCOUNT_UNANSWERED_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Rewords an error, where there is one, and returns its status; SCRIM_OK is left alone. can_finish:
 * whoever asks the same question again gets the answer without another charge (sc_once). */
scrim_status sc_unanswered_fail(scrim_error *error, scrim_status status, uint64_t release,
                                bool can_finish);

/* SCRIM_E_LEDGER about a release of the past: its charge, in a unit, has no answer to show. */
SCRIM_MUST_USE scrim_status sc_unrecorded_fail(scrim_error *error, uint64_t release,
                                               bool can_finish, const char *unit,
                                               const char *amount);
/* sc_unanswered_fail where the charge was under way, and may or may not be on the disk. */
scrim_status sc_uncertain_fail(scrim_error *error, scrim_status status, uint64_t release,
                               bool can_finish);
/* The same for one query of a run, whose earlier answers are recorded. */
scrim_status sc_unanswered_query_fail(scrim_error *error, scrim_status status,
                                      uint64_t release, uint64_t query);
/* The same once the answer is recorded: only showing it has failed. */
scrim_status sc_answered_fail(scrim_error *error, scrim_status status, uint64_t release);

#endif
