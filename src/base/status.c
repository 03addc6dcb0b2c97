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

#undef sc_fail /* what an analyser is told in the header */
scrim_status sc_fail(scrim_error *error, scrim_status status, const char *format, ...)
{
    if (error == NULL)
        return status;
    error->status = status;
    va_list arguments;
    va_start(arguments, format);
    int needed = vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    if (needed < 0) /* no memory for the conversion: the status must do */
        error->message[0] = '\0';
    make_printable(error->message, needed >= (int)sizeof error->message);
    return status;
}
