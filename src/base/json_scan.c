#include "base/json_scan.h"

#include <string.h>

void sc_json_scan_init(sc_json_scan *scan, sc_text text)
{
    *scan = (sc_json_scan){text, 1};
}

static void advance(sc_text *text, size_t bytes)
{
    text->start += bytes;
    text->bytes -= bytes;
}

static void skip_blanks(sc_json_scan *scan)
{
    while (scan->rest.bytes > 0) {
        const char c = scan->rest.start[0];
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
            return;
        scan->line += c == '\n';
        advance(&scan->rest, 1);
    }
}

bool sc_json_scan_mark(sc_json_scan *scan, char mark)
{
    skip_blanks(scan);
    return sc_text_take(&scan->rest, mark);
}

bool sc_json_scan_is_end(sc_json_scan *scan)
{
    skip_blanks(scan);
    return scan->rest.bytes == 0;
}

bool sc_json_scan_member(sc_json_scan *scan, const char *name)
{
    const sc_json_scan before = *scan;
    const size_t length = strlen(name);
    skip_blanks(scan);
    if (sc_text_take(&scan->rest, '"') && scan->rest.bytes > length &&
        memcmp(scan->rest.start, name, length) == 0 && scan->rest.start[length] == '"') {
        advance(&scan->rest, length + 1);
        if (sc_json_scan_mark(scan, ':'))
            return true;
    }
    *scan = before;
    return false;
}

/* Strings. */

typedef struct output {
    char *out;
    size_t capacity, length;
} output;

static bool put(output *to, const char *bytes, size_t count)
{
    if (count >= to->capacity - to->length) /* one byte stays for the terminator */
        return false;
    memcpy(to->out + to->length, bytes, count);
    to->length += count;
    return true;
}

static bool put_character(output *to, uint32_t c)
{
    char bytes[4];
    size_t count;
    if (c == 0)
        return false;
    if (c < 0x80) {
        bytes[0] = (char)c;
        count = 1;
    } else if (c < 0x800) {
        bytes[0] = (char)(0xc0 | c >> 6);
        bytes[1] = (char)(0x80 | (c & 63));
        count = 2;
    } else if (c < 0x10000) {
        bytes[0] = (char)(0xe0 | c >> 12);
        bytes[1] = (char)(0x80 | (c >> 6 & 63));
        bytes[2] = (char)(0x80 | (c & 63));
        count = 3;
    } else {
        bytes[0] = (char)(0xf0 | c >> 18);
        bytes[1] = (char)(0x80 | (c >> 12 & 63));
        bytes[2] = (char)(0x80 | (c >> 6 & 63));
        bytes[3] = (char)(0x80 | (c & 63));
        count = 4;
    }
    return put(to, bytes, count);
}

static bool take_hex(sc_text *rest, uint32_t *out)
{
    *out = 0;
    if (rest->bytes < 4)
        return false;
    for (size_t i = 0; i < 4; i++) {
        const char c = rest->start[i];
        uint32_t digit;
        if (c >= '0' && c <= '9')
            digit = (uint32_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            digit = (uint32_t)(c - 'a' + 10);
        else if (c >= 'A' && c <= 'F')
            digit = (uint32_t)(c - 'A' + 10);
        else
            return false;
        *out = *out << 4 | digit;
    }
    advance(rest, 4);
    return true;
}

/* The four digits of \u; a character above 0xffff is a pair of them, a high and a low surrogate. */
static bool take_unicode(sc_text *rest, output *to)
{
    uint32_t c, low;
    if (!take_hex(rest, &c))
        return false;
    if (c >= 0xd800 && c < 0xdc00) {
        if (!sc_text_take(rest, '\\') || !sc_text_take(rest, 'u') ||
            !take_hex(rest, &low) || low < 0xdc00 || low > 0xdfff)
            return false;
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    } else if (c >= 0xdc00 && c <= 0xdfff) {
        return false;
    }
    return put_character(to, c);
}

static bool take_escape(sc_text *rest, output *to)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (rest->bytes == 0)
        return false;
    const char c = rest->start[0];
    advance(rest, 1);
    if (c == 'u')
        return take_unicode(rest, to);
    const char *at = c == '\0' ? NULL : strchr(letters, c);
    return at != NULL && put(to, &meanings[at - letters], 1);
}

/* The length of the UTF-8 character that comes next; 0 if it is not valid, or must be escaped in JSON. */
static size_t plain_bytes(sc_text rest)
{
    if (rest.bytes == 0 || (unsigned char)rest.start[0] < 0x20)
        return 0;
    if ((unsigned char)rest.start[0] ==
        0x7f) /* DEL: JSON allows it, sc_text_character does not */
        return 1;
    return sc_text_character(rest);
}

bool sc_json_scan_string(sc_json_scan *scan, char *out, size_t capacity)
{
    const sc_json_scan before = *scan;
    output to = {out, capacity, 0};
    skip_blanks(scan);
    bool good = capacity > 0 && sc_text_take(&scan->rest, '"');
    while (good && !sc_text_take(&scan->rest, '"')) {
        if (sc_text_take(&scan->rest, '\\')) {
            good = take_escape(&scan->rest, &to);
            continue;
        }
        const size_t bytes = plain_bytes(scan->rest);
        good = bytes > 0 && put(&to, scan->rest.start, bytes);
        advance(&scan->rest, good ? bytes : 0);
    }
    if (good)
        out[to.length] = '\0';
    else
        *scan = before;
    return good;
}

/* Numbers. */

/* How many bytes look like a number: the parser of numbers checks the rest, and takes fractions and powers too. */
static size_t number_bytes(sc_text text)
{
    size_t count = 0;
    while (count < text.bytes &&
           (sc_ascii_is_digit(text.start[count]) ||
            (text.start[count] != '\0' && strchr("+-.eE/^", text.start[count]) != NULL)))
        count++;
    return count;
}

bool sc_json_scan_number(sc_json_scan *scan, sc_text *out)
{
    const sc_json_scan before = *scan;
    skip_blanks(scan);
    const bool is_quoted = sc_text_take(&scan->rest, '"');
    const size_t count = number_bytes(scan->rest);
    const sc_text text = {scan->rest.start, count};
    advance(&scan->rest, count);
    if (count == 0 || (is_quoted && !sc_text_take(&scan->rest, '"'))) {
        *scan = before;
        return false;
    }
    *out = text;
    return true;
}

bool sc_json_scan_uint64(sc_json_scan *scan, uint64_t *out)
{
    const sc_json_scan before = *scan;
    sc_text text;
    if (sc_json_scan_number(scan, &text) && sc_text_uint64(text, out))
        return true;
    *scan = before;
    return false;
}

bool sc_json_scan_int64(sc_json_scan *scan, int64_t *out)
{
    const sc_json_scan before = *scan;
    uint64_t size;
    sc_text text;
    if (sc_json_scan_number(scan, &text)) {
        const bool is_negative = sc_text_take(&text, '-');
        if (sc_text_uint64(text, &size) && size <= INT64_MAX) {
            *out = is_negative ? -(int64_t)size : (int64_t)size;
            return true;
        }
    }
    *scan = before;
    return false;
}

void sc_json_put_string(sc_text_sink *sink, const char *text)
{
    static const char digits[] = "0123456789abcdef";
    sc_text_put(sink, sc_text_of("\""));
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            const char two[2] = {'\\', (char)c};
            sc_text_put(sink, (sc_text){two, 2});
        } else if (c == '\n') {
            sc_text_put(sink, sc_text_of("\\n"));
        } else if (c < 0x20) {
            const char six[6] = {'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]};
            sc_text_put(sink, (sc_text){six, 6});
        } else {
            sc_text_put(sink, (sc_text){text, 1});
        }
    }
    sc_text_put(sink, sc_text_of("\""));
}
