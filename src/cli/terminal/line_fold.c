#include "cli/terminal/line_fold.h"

#include "cli/terminal/palette.h"
#include "cli/terminal/text_width.h"

#include <string.h>

/* A line, where it may be broken first, and what of it is coloured. */
typedef struct line {
    const char *text;
    size_t bytes, head, indent, marked;
} line;

/* The bytes of the word that begins a caution, "caution     ..." or "caution: ..."; 0: it is none. */
static size_t caution_bytes(const char *text, size_t bytes)
{
    static const char *const words[] = {"caution", "warning"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t length = strlen(words[i]);
        if (bytes > length && memcmp(text, words[i], length) == 0 &&
            (text[length] == ':' || text[length] == ' '))
            return length;
    }
    return 0;
}

static void put_coloured(const line *of, size_t bytes, sc_line_put put, void *context)
{
    const size_t marked = of->marked < bytes ? of->marked : bytes;
    if (marked > 0) {
        put(context, SC_CAUTION, strlen(SC_CAUTION));
        put(context, of->text, marked);
        put(context, SC_PLAIN, strlen(SC_PLAIN));
    }
    put(context, of->text + marked, bytes - marked);
}

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
        put_coloured(&of, of.bytes, put, context);
        return;
    }
    for (;;) {
        const size_t taken = take(&of, columns, fold->breaks_words);
        size_t shown = taken;
        while (shown > of.head && of.text[shown - 1] == ' ')
            shown--;
        put_coloured(&of, shown, put, context);
        of.marked = 0;
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
        const line of = {.text = text + at,
                         .bytes = length,
                         .marked =
                             fold->has_colour ? caution_bytes(text + at, length) : 0};
        const bool is_wide = sc_bytes_width(text + at, length) > fold->columns;
        if (is_wide || of.marked > 0) {
            put(context, text + whole, at - whole);
            whole = at + length;
        }
        if (is_wide)
            fold_line(fold, of, put, context);
        else if (of.marked > 0)
            put_coloured(&of, length, put, context);
        at += length + (end != NULL);
    }
    put(context, text + whole, bytes - whole);
}
