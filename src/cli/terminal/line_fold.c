#include "cli/terminal/line_fold.h"

#include "cli/terminal/terminal.h"
#include "cli/terminal/width_table.h"

#include <stdio.h>
#include <string.h>

bool sc_is_continuation(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

static bool is_among(const sc_width_range *ranges, size_t count, uint32_t value)
{
    size_t first = 0, behind = count;
    while (first < behind) {
        const size_t middle = first + (behind - first) / 2;
        if (value > ranges[middle].last)
            first = middle + 1;
        else
            behind = middle;
    }
    return first < count && value >= ranges[first].first;
}

static size_t value_width(uint32_t value)
{
    if (value < sc_width_none[0].first)
        return 1;
    if (is_among(sc_width_none, sizeof sc_width_none / sizeof *sc_width_none, value))
        return 0;
    return is_among(sc_width_two, sizeof sc_width_two / sizeof *sc_width_two, value) ? 2
                                                                                     : 1;
}

/* The bytes of a colour, "ESC [ 38 ; 5 ; 39 m"; 0: the text begins with none. */
static size_t colour_bytes(const char *text, size_t bytes)
{
    size_t taken = 2;
    if (bytes < 3 || text[0] != '\x1b' || text[1] != '[')
        return 0;
    while (taken < bytes &&
           (text[taken] == ';' || (text[taken] >= '0' && text[taken] <= '9')))
        taken++;
    return taken < bytes && text[taken] == 'm' ? taken + 1 : 0;
}

/* The bytes of the first character, with what goes on with it, or of a colour. */
static size_t character_bytes(const char *text, size_t bytes)
{
    size_t taken = colour_bytes(text, bytes);
    if (taken > 0)
        return taken;
    taken = 1;
    while (taken < bytes && sc_is_continuation(text[taken]))
        taken++;
    return taken;
}

/* Columns of a character of that many bytes; one column for a byte that begins no character. */
static size_t character_width(const char *text, size_t bytes)
{
    const unsigned char first = (unsigned char)text[0];
    if (colour_bytes(text, bytes) == bytes)
        return 0;
    const size_t wanted = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (wanted != bytes)
        return 1;
    uint32_t value = wanted == 1 ? first : first & (0x7fU >> wanted);
    for (size_t i = 1; i < bytes; i++)
        value = value << 6 | ((unsigned char)text[i] & 0x3f);
    return value_width(value);
}

size_t sc_bytes_width(const char *text, size_t bytes)
{
    size_t width = 0;
    for (size_t at = 0, taken; at < bytes; at += taken) {
        taken = character_bytes(text + at, bytes - at);
        width += character_width(text + at, taken);
    }
    return width;
}

size_t sc_text_width(const char *text)
{
    return sc_bytes_width(text, strlen(text));
}

size_t sc_fitting_bytes(const char *text, size_t bytes, size_t columns)
{
    size_t at = 0;
    for (size_t taken, width = 0; at < bytes; at += taken) {
        taken = character_bytes(text + at, bytes - at);
        width += character_width(text + at, taken);
        if (width > columns)
            break;
    }
    return at;
}

void sc_cut_middle(const char *text, size_t columns, char *out, size_t bytes)
{
    const size_t length = strlen(text);
    size_t head = length, tail = length;
    if (sc_text_width(text) > columns && columns > 3) {
        head = sc_fitting_bytes(text, length, (columns - 3) / 4);
        const size_t room = columns - 3 - sc_bytes_width(text, head);
        tail = head;
        while (sc_text_width(text + tail) > room)
            tail += character_bytes(text + tail, length - tail);
    }
    snprintf(out, bytes, "%.*s%s%s", (int)head, text, tail < length ? "..." : "",
             text + tail);
}

void sc_width_widen(size_t *width, const char *text)
{
    const size_t needed = sc_text_width(text);
    *width = needed > *width ? needed : *width;
}

/* A line, where it may be broken first, and what of it is coloured. */
typedef struct line {
    const char *text;
    size_t bytes, head, indent, marked;
} line;

/* The bytes of the word that begins a caution, "caution     ..." or "caution: ..."; 0: it is no caution. */
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

/* The bytes of the rest that fit on a line of that width. */
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
