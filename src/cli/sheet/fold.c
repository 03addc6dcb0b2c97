#include "cli/sheet/fold.h"

#include "cli/terminal/text_width.h"

#include <stdlib.h>
#include <string.h>

#define INDENT 12
/* More than any note has. */
#define NOTE_BYTES (SC_OUTPUT_BYTES / 2)

size_t sc_fold_begin(sc_output *output)
{
    return (size_t)(sc_output_reserve(output, NOTE_BYTES) - output->bytes);
}

/* The bytes of text, a line behind its indent, that go on one line of so many columns. */
static size_t fitting_bytes(const char *text, size_t bytes, size_t columns)
{
    size_t end = 0;
    for (size_t i = 0; i <= bytes; i++) {
        if (i < bytes && text[i] != ' ')
            continue;
        if (end > 0 && sc_bytes_width(text, i) > columns)
            break;
        end = i;
    }
    return end;
}

static void put_line(sc_output *output, const char *line, size_t bytes, size_t columns)
{
    if (sc_bytes_width(line, bytes) <= columns || bytes <= INDENT || columns <= INDENT) {
        sc_output_bytes(output, line, bytes);
        return;
    }
    const char *rest = line + INDENT;
    size_t left = bytes - INDENT;
    sc_output_bytes(output, line, INDENT);
    for (;;) {
        const size_t taken = fitting_bytes(rest, left, columns - INDENT);
        sc_output_bytes(output, rest, taken);
        rest += taken;
        left -= taken;
        if (left == 0)
            return;
        rest++; /* the space */
        left--;
        sc_output_text(output, "\n");
        sc_output_repeat(output, " ", INDENT);
    }
}

void sc_fold_end(sc_output *output, size_t begin, size_t columns)
{
    if (output->used < begin)
        return; /* it went out meanwhile */
    const size_t bytes = output->used - begin;
    char *note = malloc(bytes + 1);
    if (note == NULL)
        return;
    memcpy(note, output->bytes + begin, bytes);
    output->used = begin;
    for (size_t at = 0; at < bytes;) {
        const char *end = memchr(note + at, '\n', bytes - at);
        const size_t length = end == NULL ? bytes - at : (size_t)(end - note) - at;
        put_line(output, note + at, length, columns);
        at += length;
        if (end != NULL) {
            sc_output_text(output, "\n");
            at++;
        }
    }
    free(note);
}

void sc_fold_line(sc_output *output, const char *name, const char *text, size_t columns)
{
    const size_t begin = sc_fold_begin(output);
    sc_output_format(output, "%-*s", INDENT, name);
    sc_output_text(output, text);
    sc_output_text(output, "\n");
    if (strlen(text) < NOTE_BYTES / 2)
        sc_fold_end(output, begin, columns);
}
