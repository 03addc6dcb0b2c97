#include "cli/sheet/fold.h"

#include "cli/terminal/line_fold.h"

#include <stdlib.h>
#include <string.h>

#define INDENT 12
/* More than any note has. */
#define NOTE_BYTES (SC_OUTPUT_BYTES / 2)

size_t sc_fold_begin(sc_output *output)
{
    return (size_t)(sc_output_reserve(output, NOTE_BYTES) - output->bytes);
}

static void put(void *context, const char *bytes, size_t count)
{
    sc_output_bytes(context, bytes, count);
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
    sc_lines_fold(&(sc_line_fold){.columns = columns, .indent = INDENT}, note, bytes, put,
                  output);
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
