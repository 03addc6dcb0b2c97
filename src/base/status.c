#include "base/status.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *scrim_version(void)
{
    return SCRIM_VERSION;
}

const char *scrim_status_name(scrim_status status)
{
    switch (status) {
    case SCRIM_OK:
        return "SCRIM_OK";
    case SCRIM_E_INTERNAL:
        return "SCRIM_E_INTERNAL";
    case SCRIM_E_ENTROPY:
        return "SCRIM_E_ENTROPY";
    case SCRIM_E_MEMORY:
        return "SCRIM_E_MEMORY";
    case SCRIM_E_PARAM:
        return "SCRIM_E_PARAM";
    case SCRIM_E_LIMIT:
        return "SCRIM_E_LIMIT";
    case SCRIM_E_STATE:
        return "SCRIM_E_STATE";
    case SCRIM_E_SYNTAX:
        return "SCRIM_E_SYNTAX";
    case SCRIM_E_POLICY:
        return "SCRIM_E_POLICY";
    case SCRIM_E_BUDGET:
        return "SCRIM_E_BUDGET";
    case SCRIM_E_LEDGER:
        return "SCRIM_E_LEDGER";
    case SCRIM_E_BUSY:
        return "SCRIM_E_BUSY";
    case SCRIM_E_INPUT:
        return "SCRIM_E_INPUT";
    case SCRIM_E_CHECK:
        return "SCRIM_E_CHECK";
    }
    return "SCRIM_E_UNKNOWN";
}

const char *scrim_reason_name(scrim_reason reason)
{
    static const char *const names[] = {
        [SCRIM_REASON_NONE] = "",
        [SCRIM_REASON_MISSING] = "missing",
        [SCRIM_REASON_UNKNOWN] = "unknown",
        [SCRIM_REASON_MISSPELT] = "misspelt",
        [SCRIM_REASON_SYNTAX] = "syntax",
        [SCRIM_REASON_RANGE] = "range",
        [SCRIM_REASON_CONFLICT] = "conflict",
        [SCRIM_REASON_REPEATED] = "repeated",
        [SCRIM_REASON_TAKEN] = "taken",
        [SCRIM_REASON_UNSUPPORTED] = "unsupported",
        [SCRIM_REASON_BUDGET] = "budget",
        [SCRIM_REASON_SHARE] = "share",
        [SCRIM_REASON_CAP] = "cap",
        [SCRIM_REASON_OWNER] = "owner",
        [SCRIM_REASON_CHANGED] = "changed",
        [SCRIM_REASON_MOVED] = "moved",
        [SCRIM_REASON_BUILD] = "build",
        [SCRIM_REASON_DAMAGED] = "damaged",
        [SCRIM_REASON_OPEN] = "open",
        [SCRIM_REASON_COMPLETE] = "complete",
        [SCRIM_REASON_CANCELLED] = "cancelled",
        [SCRIM_REASON_LOCKED] = "locked",
    };
    const size_t number = (size_t)reason;
    return number < sizeof names / sizeof *names ? names[number] : "";
}

/* Replaces what must not reach a terminal or a log. When the message was cut, an
 * incomplete character at its end is dropped and not replaced. */
static void make_printable(char *message, bool was_cut)
{
    size_t length = strlen(message);
    for (size_t at = 0; at < length;) {
        size_t bytes = sc_text_character((sc_text){message + at, length - at});
        if (bytes > 0) {
            at += bytes;
        } else if (was_cut && length - at < 4 && (message[at] & 0xc0) == 0xc0) {
            message[at] = '\0';
            return;
        } else {
            message[at++] = '?';
        }
    }
}

/* A path with its longest name, twice. */
#define LONGEST 8704
#define ELLIPSIS " ... "
#define HEAD_BYTES 160

/* Keeps the begin of a message that is too long, as one with a long path is, and its end, which has the reason and the advice. */
static void leave_out_middle(const char *whole, char message[SCRIM_MESSAGE_BYTES])
{
    const size_t length = strlen(whole);
    size_t head = HEAD_BYTES;
    size_t tail = length - (SCRIM_MESSAGE_BYTES - 1 - HEAD_BYTES - strlen(ELLIPSIS));
    while (head > 0 && (whole[head] & 0xc0) == 0x80)
        head--;
    while ((whole[tail] & 0xc0) == 0x80)
        tail++;
    snprintf(message, SCRIM_MESSAGE_BYTES, "%.*s%s%s", (int)head, whole, ELLIPSIS,
             whole + tail);
}

scrim_status sc_fail_list(scrim_error *error, scrim_status status, scrim_reason reason,
                          const char *parameter, const char *format, va_list arguments)
{
    if (error == NULL)
        return status;
    char whole[LONGEST];
    const int needed = vsnprintf(whole, sizeof whole, format, arguments);
    if (needed < 0) /* no memory for the conversion: the status must do */
        whole[0] = '\0';
    const bool was_cut = needed >= (int)sizeof whole;
    if (strlen(whole) < sizeof error->message)
        strcpy(error->message, whole);
    else
        leave_out_middle(whole, error->message);
    make_printable(error->message, was_cut);
    error->status = status;
    error->reason = reason;
    snprintf(error->parameter, sizeof error->parameter, "%s", parameter);
    error->requested[0] = error->left[0] = '\0';
    return status;
}

void sc_error_set_amounts(scrim_error *error, const char *requested, const char *left)
{
    if (error == NULL)
        return;
    snprintf(error->requested, sizeof error->requested, "%s", requested);
    snprintf(error->left, sizeof error->left, "%s", left);
}

/* A defect of ours is named as one, with what to do about it. */
static void name_defect(char message[SCRIM_MESSAGE_BYTES])
{
    char what[SCRIM_MESSAGE_BYTES];
    snprintf(what, sizeof what, "%s", message);
    snprintf(message, SCRIM_MESSAGE_BYTES, "internal failure: %.280s%s", what,
             strchr(what, ';') != NULL ? "" : "; please report it");
}

#undef sc_fail /* what an analyser is told in the header */
scrim_status sc_fail(scrim_error *error, scrim_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    status = sc_fail_list(error, status, SCRIM_REASON_NONE, "", format, arguments);
    va_end(arguments);
    if (error != NULL && status == SCRIM_E_INTERNAL)
        name_defect(error->message);
    return status;
}

#undef sc_fail_for
scrim_status sc_fail_for(scrim_error *error, scrim_status status, scrim_reason reason,
                         const char *parameter, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    status = sc_fail_list(error, status, reason, parameter, format, arguments);
    va_end(arguments);
    return status;
}

#undef sc_fail_parameter
scrim_status sc_fail_parameter(scrim_error *error, scrim_status status,
                               scrim_reason reason, const char *parameter,
                               const char *format, ...)
{
    char rest[SCRIM_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    const int needed = vsnprintf(rest, sizeof rest, format, arguments);
    va_end(arguments);
    /* "epsilon must be above 0", "table: give the table of the database". */
    const char *between = strncmp(rest, "must ", 5) == 0 ? "" : ":";
    return (sc_fail_for)(error, status, reason, parameter, "%s%s %s", parameter, between,
                         needed < 0 ? "" : rest);
}

#undef sc_fail_again
scrim_status sc_fail_again(scrim_error *error, scrim_status status,
                           const scrim_error *cause, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    status =
        sc_fail_list(error, status, cause->reason, cause->parameter, format, arguments);
    va_end(arguments);
    sc_error_set_amounts(error, cause->requested, cause->left);
    return status;
}

#undef sc_no_memory
scrim_status sc_no_memory(scrim_error *error, const char *what)
{
    return (sc_fail)(error, SCRIM_E_MEMORY, "out of memory for %s", what);
}

scrim_status sc_require(scrim_error *error, const char *names,
                        const void *const *pointers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const size_t length = strcspn(names, " ");
        if (pointers[i] == NULL) {
            char name[SCRIM_PARAMETER_BYTES];
            snprintf(name, sizeof name, "%.*s", (int)length, names);
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, name,
                               "%s is missing", name);
        }
        names += length + (names[length] == ' ');
    }
    return SCRIM_OK;
}
