#include "cli/terminal/output.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/line_fold.h"
#include "cli/terminal/process.h"
#include "cli/terminal/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *sc_format_name_at(size_t index)
{
    static const char *const names[] = {[SCRIM_FORMAT_TABLE] = "table",
                                        [SCRIM_FORMAT_CSV] = "csv",
                                        [SCRIM_FORMAT_JSON] = "json",
                                        [SCRIM_FORMAT_JSONL] = "jsonl"};
    return index < sizeof names / sizeof names[0] ? names[index] : NULL;
}

/* The end that the shell shows as 141, even when whoever started us has SIGPIPE
 * ignored. */
static _Noreturn void end_by_sigpipe(void)
{
    sigset_t pipes;
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &pipes, NULL);
    raise(SIGPIPE);
    _exit(128 + SIGPIPE);
}

/* The buffer. */

void sc_output_init(sc_output *output, int descriptor)
{
    output->descriptor = descriptor;
    output->columns = 0;
    output->has_colour = false;
    output->error = 0;
    output->used = 0;
    output->expected = NULL;
    output->keeps = false;
    output->digest = NULL;
}

void sc_output_init_screen(sc_output *output, int descriptor, sc_format format)
{
    sc_terminal terminal;
    sc_output_init(output, descriptor);
    if (format != SCRIM_FORMAT_TABLE)
        return;
    sc_terminal_look(descriptor, &terminal);
    output->columns = terminal.is_terminal ? terminal.columns : 0;
    output->has_colour = terminal.colour;
}

void sc_output_init_compare(sc_output *output, const char *bytes, size_t count)
{
    sc_output_init(output, -1);
    output->expected = bytes;
    output->expected_bytes = count;
    output->compared = 0;
    output->differs = false;
}

static void compare_all(sc_output *output, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count && !output->differs; i++) {
        output->differs = output->compared == output->expected_bytes ||
                          output->expected[output->compared] != bytes[i];
        output->compared += !output->differs;
    }
}

bool sc_output_is_equal(sc_output *output, size_t *place)
{
    sc_output_flush(output);
    *place = output->compared;
    return !output->differs && output->compared == output->expected_bytes;
}

void sc_output_init_keep(sc_output *output)
{
    sc_output_init(output, -1);
    output->keeps = true;
    output->kept = NULL;
    output->kept_bytes = output->kept_room = 0;
}

static void keep_all(sc_output *output, const char *bytes, size_t count)
{
    if (output->error != 0)
        return;
    if (output->kept_room - output->kept_bytes <= count) {
        const size_t room = 2 * (output->kept_bytes + count) + 1;
        char *larger = realloc(output->kept, room);
        if (larger == NULL) {
            output->error = ENOMEM;
            return;
        }
        output->kept = larger;
        output->kept_room = room;
    }
    memcpy(output->kept + output->kept_bytes, bytes, count);
    output->kept_bytes += count;
}

char *sc_output_take(sc_output *output, size_t *bytes)
{
    char *kept = NULL;
    sc_output_flush(output);
    keep_all(output, "", 1);
    if (output->error == 0) {
        kept = output->kept;
        *bytes = output->kept_bytes - 1;
    } else {
        free(output->kept);
    }
    output->kept = NULL;
    output->kept_bytes = output->kept_room = 0;
    return kept;
}

static void write_all(sc_output *output, const char *bytes, size_t count)
{
    if (output->keeps) {
        keep_all(output, bytes, count);
        return;
    }
    if (output->expected != NULL) {
        compare_all(output, bytes, count);
        return;
    }
    if (output->digest != NULL)
        scrim_file_digest_add(output->digest, bytes, count);
    /* A signal that waits until a file is closed ends the writing of it. */
    if (count > 0 && output->error == 0 && sc_signal_is_waiting())
        output->error = EINTR;
    while (count > 0 && output->error == 0) {
        ssize_t written = write(output->descriptor, bytes, count);
        if (written >= 0) {
            bytes += written;
            count -= (size_t)written;
        } else if (errno == EPIPE) {
            end_by_sigpipe();
        } else if (errno != EINTR) {
            output->error = errno;
        }
    }
}

static void put_folded(void *context, const char *bytes, size_t count)
{
    write_all(context, bytes, count);
}

/* Writes the first bytes of the buffer; the others are now the first. */
static void write_first(sc_output *output, size_t count)
{
    if (output->columns == 0)
        write_all(output, output->bytes, count);
    else
        sc_lines_fold(&(sc_line_fold){.columns = output->columns,
                                      .breaks_words = true,
                                      .has_colour = output->has_colour},
                      output->bytes, count, put_folded, output);
    output->used -= count;
    memmove(output->bytes, output->bytes + count, output->used);
}

bool sc_output_flush(sc_output *output)
{
    write_first(output, output->used);
    return output->error == 0;
}

/* Makes room for that many bytes. A line that may yet be broken stays, if it has room beside them. */
static void make_room(sc_output *output, size_t bytes)
{
    size_t ended = output->used;
    while (output->columns > 0 && ended > 0 && output->bytes[ended - 1] != '\n')
        ended--;
    write_first(output, ended);
    if (SC_OUTPUT_BYTES - output->used < bytes)
        sc_output_flush(output);
}

scrim_status sc_output_finish(sc_output *output, scrim_error *error)
{
    bool standard = output->descriptor == STDOUT_FILENO;
    sc_output_flush(output);
    /* A disk may notice only now that it is full. */
    if (standard && close(STDOUT_FILENO) != 0 && output->error == 0)
        output->error = errno;
    if (output->error == 0)
        return SCRIM_OK;
    return sc_complaint_fill(error, SCRIM_E_INTERNAL, "cannot write standard %s: %s",
                             standard ? "output" : "error", strerror(output->error));
}

char *sc_output_reserve(sc_output *output, size_t bytes)
{
    if (SC_OUTPUT_BYTES - output->used < bytes)
        make_room(output, bytes);
    return output->bytes + output->used;
}

void sc_output_advance(sc_output *output, const char *end)
{
    output->used = (size_t)(end - output->bytes);
}

void sc_output_bytes(sc_output *output, const void *bytes, size_t count)
{
    const char *from = bytes;
    if (count > SC_OUTPUT_BYTES && output->columns == 0) {
        sc_output_flush(output);
        write_all(output, bytes, count);
        return;
    }
    for (; count > SC_OUTPUT_BYTES / 2; count -= SC_OUTPUT_BYTES / 2) {
        memcpy(sc_output_reserve(output, SC_OUTPUT_BYTES / 2), from, SC_OUTPUT_BYTES / 2);
        output->used += SC_OUTPUT_BYTES / 2;
        from += SC_OUTPUT_BYTES / 2;
    }
    memcpy(sc_output_reserve(output, count), from, count);
    output->used += count;
}

/* Spellings. */

void sc_output_text(sc_output *output, const char *text)
{
    sc_output_bytes(output, text, strlen(text));
}

void sc_output_repeat(sc_output *output, const char *text, size_t times)
{
    while (times-- > 0)
        sc_output_text(output, text);
}

void sc_output_format(sc_output *output, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    sc_output_text(output, line);
}

/* The character of two or three bytes at text, when no terminal should get it: of those JSON has
 * another spelling. 0: it is another character. */
static unsigned hidden_character(const char *text)
{
    const unsigned first = (unsigned char)text[0];
    const size_t bytes = first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : 0;
    char character[4] = "";
    unsigned value = first & (bytes == 2 ? 0x1f : 0x0f);
    for (size_t i = 1; i < bytes; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | ((unsigned char)text[i] & 0x3f);
    }
    if (value < (bytes == 2 ? 0x80 : 0x800) || (value >= 0xd800 && value <= 0xdfff))
        return 0; /* no character at all */
    memcpy(character, text, bytes);
    sc_complaint_clean(character);
    return character[0] == '?' ? value : 0;
}

void sc_output_json_text(sc_output *output, const char *text)
{
    sc_output_text(output, "\"");
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        const unsigned hidden = byte < 0x80 ? 0 : hidden_character(text);
        if (hidden != 0) {
            sc_output_format(output, "\\u%04x", hidden);
            text += hidden < 0x800 ? 1 : 2;
        } else if (byte == '"' || byte == '\\') {
            sc_output_format(output, "\\%c", byte);
        } else if (byte < ' ' || byte == 0x7f) {
            sc_output_format(output, "\\u%04x", byte);
        } else {
            sc_output_bytes(output, text, 1);
        }
    }
    sc_output_text(output, "\"");
}

/* An integer of at most SC_JSON_INTEGER_MAX in size, spelt as JSON spells one. */
static bool is_json_integer(const char *text)
{
    const char *digits = text + (*text == '-');
    size_t length = strlen(digits);
    if (length == 0 || length > 16 || strspn(digits, "0123456789") != length ||
        (digits[0] == '0' && length > 1))
        return false;
    return strtoll(digits, NULL, 10) <= SC_JSON_INTEGER_MAX;
}

void sc_output_json_number(sc_output *output, const char *text)
{
    if (is_json_integer(text))
        sc_output_text(output, text);
    else
        sc_output_json_text(output, text);
}

void sc_output_csv_text(sc_output *output, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        sc_output_text(output, text);
        return;
    }
    sc_output_text(output, "\"");
    for (; *text != '\0'; text++)
        sc_output_bytes(output, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    sc_output_text(output, "\"");
}

/* "00" to "99": two digits a division. */
static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324"
                                  "25262728293031323334353637383940414243444546474849"
                                  "50515253545556575859606162636465666768697071727374"
                                  "75767778798081828384858687888990919293949596979899";

char *sc_int64_write(char *at, int64_t value)
{
    uint64_t rest = (uint64_t)value;
    if (value < 0) {
        *at++ = '-';
        rest = 0 - rest;
    }
    if (rest < 10) { /* most noise is small */
        *at = (char)('0' + rest);
        return at + 1;
    }
    if (rest < 100) {
        memcpy(at, digit_pairs + 2 * rest, 2);
        return at + 2;
    }
    char digits[SC_INT64_CHARS];
    size_t first = sizeof digits;
    for (; rest >= 100; rest /= 100) {
        first -= 2;
        memcpy(digits + first, digit_pairs + 2 * (rest % 100), 2);
    }
    if (rest >= 10) {
        first -= 2;
        memcpy(digits + first, digit_pairs + 2 * rest, 2);
    } else {
        digits[--first] = (char)('0' + rest);
    }
    size_t count = sizeof digits - first;
    memcpy(at, digits + first, count);
    return at + count;
}
