#include "cli/terminal/line_fold.h"

#include "cli/terminal/text_width.h"

#include <string.h>

/* A line, and where it may be broken first. */
typedef struct line {
    const char *text;
    size_t bytes, head, indent;
} line;

static void find_indent(const sc_line_fold *fold, line *of)
{
    size_t at = 0;
    while (at < of->bytes && of->text[at] == ' ')
        at++;
    of->head = of->indent = fold->indent > 0 ? fold->indent : at;
    if (fold->indent > 0)
        return;
    while (at + 1 < of->bytes && (of->text[at] != ' ' || of->text[at + 1] != ' '))
        at++;
    while (at < of->bytes && of->text[at] == ' ')
        at++;
    const size_t width = sc_bytes_width(of->text, at);
    if (at < of->bytes && width <= fold->columns / 2) {
        of->head = at;
        of->indent = width;
    }
    if (of->indent > fold->columns / 2)
        of->head = of->indent = 0;
}

/* The bytes of the rest that go on a line of so many columns. */
static size_t take(const line *rest, size_t columns, bool breaks_words)
{
    const size_t fits = sc_fitting_bytes(rest->text, rest->bytes, columns);
    if (fits == rest->bytes)
        return fits;
    size_t end = fits;
    while (end > rest->head && rest->text[end] != ' ')
        end--;
    if (end > rest->head)
        return end;
    if (breaks_words && fits > 0)
        return fits;
    end = fits > rest->head ? fits : rest->head;
    while (end < rest->bytes && rest->text[end] != ' ')
        end++;
    return end;
}

static void put_blanks(size_t count, sc_line_put put, void *context)
{
    for (size_t i = 0; i < count; i++)
        put(context, " ", 1);
}

static void fold_line(const sc_line_fold *fold, line of, sc_line_put put, void *context)
{
    size_t columns = fold->columns;
    find_indent(fold, &of);
    if (of.indent >= columns || of.head >= of.bytes) {
        put(context, of.text, of.bytes);
        return;
    }
    for (;;) {
        const size_t taken = take(&of, columns, fold->breaks_words);
        size_t shown = taken;
        while (shown > of.head && of.text[shown - 1] == ' ')
            shown--;
        put(context, of.text, shown);
        of.text += taken;
        of.bytes -= taken;
        for (; of.bytes > 0 && of.text[0] == ' '; of.bytes--)
            of.text++;
        if (of.bytes == 0)
            return;
        put(context, "\n", 1);
        put_blanks(of.indent, put, context);
        of.head = 0;
        columns = fold->columns - of.indent;
    }
}

void sc_lines_fold(const sc_line_fold *fold, const char *text, size_t bytes,
                   sc_line_put put, void *context)
{
    size_t whole = 0; /* bytes in front of the line that are put as they are */
    for (size_t at = 0; at < bytes;) {
        const char *end = memchr(text + at, '\n', bytes - at);
        const size_t length = end == NULL ? bytes - at : (size_t)(end - text) - at;
        if (sc_bytes_width(text + at, length) > fold->columns) {
            put(context, text + whole, at - whole);
            fold_line(fold, (line){.text = text + at, .bytes = length}, put, context);
            whole = at + length;
        }
        at += length + (end != NULL);
    }
    put(context, text + whole, bytes - whole);
}
