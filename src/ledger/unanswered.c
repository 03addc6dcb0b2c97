#include "ledger/unanswered.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define UNANSWERED "charged and has no answer"
#define FINISH "; ask the same question again: it is finished at no further charge"

/* A reason that is too long ends early, not the advice. */
static scrim_status reword(scrim_error *error, scrim_status status, uint64_t release,
                           const char *what, const char *advice)
{
    char begin[128];
    if (status == SCRIM_OK || error == NULL)
        return status;
    const scrim_error cause = *error;
    const char *reason = status == SCRIM_E_MEMORY ? "no memory" : cause.message;
    const int used =
        snprintf(begin, sizeof begin, "release %" PRIu64 " is %s: ", release, what);
    const size_t room = SCRIM_MESSAGE_BYTES - (size_t)used - strlen(advice) - 1;
    return sc_fail_again(error, status, &cause, "%s%.*s%s", begin, (int)room, reason,
                         advice);
}

scrim_status sc_unanswered_fail(scrim_error *error, scrim_status status, uint64_t release,
                                bool can_finish)
{
    /* A version whose source has changed is closed. */
    const bool is_closed = error != NULL && error->reason == SCRIM_REASON_CHANGED;
    return reword(error, status, release, UNANSWERED,
                  can_finish && !is_closed ? FINISH
                                           : "; nothing was shown, and the charge stays");
}

scrim_status sc_unrecorded_fail(scrim_error *error, uint64_t release, bool can_finish,
                                const char *unit, const char *amount)
{
    char what[64];
    snprintf(what, sizeof what, "release %" PRIu64 " is " UNANSWERED, release);
    return can_finish ? sc_fail(error, SCRIM_E_LEDGER, "%s yet" FINISH, what)
                      : sc_fail(error, SCRIM_E_LEDGER,
                                "%s: it ended before one was recorded; nothing was "
                                "shown, and the charge of %s %s stays",
                                what, unit, amount);
}

scrim_status sc_uncertain_fail(scrim_error *error, scrim_status status, uint64_t release,
                               bool can_finish)
{
    return reword(error, status, release, "perhaps " UNANSWERED,
                  can_finish ? "; ask the same question again: it is charged once"
                             : "; nothing was shown; the ledger shows whether it is "
                               "charged");
}

scrim_status sc_unanswered_query_fail(scrim_error *error, scrim_status status,
                                      uint64_t release, uint64_t query)
{
    char what[64];
    snprintf(what, sizeof what, "charged and query %" PRIu64 " of it has no answer",
             query);
    return reword(error, status, release, what,
                  "; nothing of it was shown, and earlier answers are recorded");
}

scrim_status sc_answered_fail(scrim_error *error, scrim_status status, uint64_t release)
{
    return reword(error, status, release, "charged and its answer is recorded",
                  "; replay it: it is shown at no further charge");
}
