#include "cli/terminal/option_voice.h"

#include <stdio.h>
#include <string.h>

/* So many bytes of a value are in a message for certain: a long line is cut there. */
#define SHOWN_BYTES 24

/* The option whose name text begins with, with a '=', ':' or blank behind it; KINDS: none. bytes is
 * the length of the name. */
static sc_option option_at(const char *text, uint64_t lines, size_t *bytes)
{
    *bytes = strspn(text, "abcdefghijklmnopqrstuvwxyz-");
    if (*bytes == 0 || text[*bytes] == '\0' || strchr("=: ", text[*bytes]) == NULL)
        return SCRIM_OPTION_KINDS;
    for (size_t option = 0; option < SCRIM_OPTION_KINDS; option++) {
        const char *name = sc_option_name((sc_option)option) + 2;
        if ((lines & SC_OPTION_BIT(option)) != 0 && strlen(name) == *bytes &&
            memcmp(name, text, *bytes) == 0)
            return (sc_option)option;
    }
    return SCRIM_OPTION_KINDS;
}

static bool begins(const char *text, const char *value)
{
    const size_t bytes = strlen(value);
    return strncmp(text, value, bytes < SHOWN_BYTES ? bytes : SHOWN_BYTES) == 0;
}

/* Is it about an option? text stands behind the option's name in the message: the value of a line
 * that is not right, or what is said of such lines, perhaps that there is none. */
static bool is_typed(const sc_options *options, sc_option option, const char *text)
{
    const bool has_file = sc_options_has(options, SCRIM_OPTION_POLICY);
    if (!sc_options_has(options, option))
        return text[0] != '=' && !has_file;
    if (!has_file || text[0] != '=')
        return true;
    if (begins(text + 1, options->value[option]))
        return true;
    for (size_t i = 0; i < options->repeated_count; i++)
        if (options->repeated[i].option == option &&
            begins(text + 1, options->repeated[i].value))
            return true;
    return false;
}

typedef struct voice {
    char text[SCRIM_MESSAGE_BYTES];
    size_t used;
} voice;

static void put(voice *v, const char *text, size_t bytes)
{
    const size_t room = sizeof v->text - 1 - v->used;
    bytes = bytes < room ? bytes : room;
    memcpy(v->text + v->used, text, bytes);
    v->used += bytes;
    v->text[v->used] = '\0';
}

/* "key=" becomes "--key ". */
static size_t put_option(voice *v, const char *text, size_t bytes)
{
    put(v, "--", 2);
    put(v, text, bytes);
    if (text[bytes] != '=')
        return bytes;
    put(v, " ", 1);
    return bytes + 1;
}

void sc_option_voice(const sc_options *options, uint64_t lines, scrim_error *error)
{
    voice v = {.used = 0};
    const char *at = error->message;
    size_t bytes = 0;
    const sc_option first = option_at(at, lines, &bytes);
    if (first != SCRIM_OPTION_KINDS) {
        if (!is_typed(options, first, at + bytes))
            return;
        at += put_option(&v, at, bytes);
        /* The value itself is left as it is, up to what is said about it. */
        const char *end = strstr(at, ": ");
        bytes = end == NULL ? strlen(at) : (size_t)(end - at);
        put(&v, at, bytes);
        at += bytes;
    } else if (sc_options_has(options, SCRIM_OPTION_POLICY)) {
        return;
    }
    for (char before = ' '; *at != '\0'; before = at[-1]) {
        if (before == ' ' && option_at(at, lines, &bytes) != SCRIM_OPTION_KINDS &&
            at[bytes] == '=') {
            at += put_option(&v, at, bytes);
        } else {
            put(&v, at++, 1);
        }
    }
    snprintf(error->message, sizeof error->message, "%s", v.text);
}
