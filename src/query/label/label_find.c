/* The label in a file: as it is, in comments of YAML, in rows of CSV, in a string of JSON, or in an
 * element of HTML, where the record may stand in another one.
 *
 * Whatever else a file shows, such as the keys of groups, comes from data and may look like a
 * label. So the label is found by what those texts cannot hold where they stand: the beginning of a
 * line, quotes that are not escaped, a tag. The rest of the file is not looked at: the caller compares
 * the whole file with the one that follows from the label. */
#include "base/status.h"
#include "base/text_copy.h"
#include "query/label/label.h"

#include <stdio.h>
#include <string.h>

#define MARK "scrim-label "
#define ELEMENT "<pre id=\"scrim-label\">"
#define RECORD_ELEMENT "<pre id=\"scrim-record\">"
#define COMMENT "# "
#define CSV_HEADER "fact,value\n"

static scrim_status no_label(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_MISSING, "label",
                       "the file contains no label");
}

static bool begins(sc_text text, const char *with)
{
    const size_t bytes = strlen(with);
    return text.bytes >= bytes && memcmp(text.start, with, bytes) == 0;
}

static sc_text behind(sc_text text, size_t bytes)
{
    return (sc_text){text.start + bytes, text.bytes - bytes};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static sc_text without_blanks(sc_text text)
{
    while (text.bytes > 0 && is_blank(text.start[0]))
        text = behind(text, 1);
    return text;
}

/* Plain text: the label begins at the beginning of a line and ends with the line of its hash. */

static bool find_line(sc_text text, sc_text *at)
{
    for (size_t i = 0; i < text.bytes; i++)
        if ((i == 0 || text.start[i - 1] == '\n') && begins(behind(text, i), MARK)) {
            *at = behind(text, i);
            return true;
        }
    return false;
}

/* The block and what is behind it: up to the line of the hash, and of the signature if that
 * follows. */
static sc_text cut_block(sc_text from, sc_text *rest)
{
    sc_text line, left = from;
    bool is_last = false;
    while (!is_last && sc_text_split(left, '\n', &line, &left))
        is_last = begins(line, "hash ");
    if (is_last && begins(left, "signature "))
        (void)sc_text_split(left, '\n', &line, &left);
    *rest = is_last ? left : behind(from, from.bytes);
    return (sc_text){from.start, from.bytes - rest->bytes};
}

static scrim_status more_than_one(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_CHECK, "the file contains more than one label");
}

static scrim_status copy_lines(sc_text text, char **out, scrim_error *error)
{
    sc_text at, again, rest;
    if (!find_line(text, &at))
        return no_label(error);
    const sc_text block = cut_block(at, &rest);
    if (find_line(rest, &again))
        return more_than_one(error);
    char *copy = sc_text_copy(block);
    if (copy == NULL)
        return sc_no_memory(error, "a label");
    *out = copy;
    return SCRIM_OK;
}

/* YAML: the lines are comments. */

static scrim_status copy_comments(sc_text text, char **out, scrim_error *error)
{
    sc_text line, left = text;
    sc_text_sink sink;
    char *lines = sc_allocate(text.bytes + 1, 1);
    if (lines == NULL)
        return sc_no_memory(error, "a label");
    sc_text_sink_init(&sink, lines, text.bytes + 1);
    while (sc_text_split(left, '\n', &line, &left))
        if (begins(line, COMMENT)) {
            sc_text_put(&sink, behind(line, strlen(COMMENT)));
            sc_text_put(&sink, sc_text_of("\n"));
        }
    const scrim_status status = copy_lines((sc_text){lines, sink.length}, out, error);
    sc_free(lines);
    return status;
}

/* CSV: each row is a line of the label. */

/* Takes a field, perhaps in quotes, and `end` behind it. out has room for all of rest, which no
 * field exceeds. */
static bool take_field(sc_text *rest, char end, char *out, size_t *bytes)
{
    const bool is_quoted = sc_text_take(rest, '"');
    *bytes = 0;
    while (rest->bytes > 0) {
        if (is_quoted && sc_text_take(rest, '"')) {
            if (!sc_text_take(rest, '"'))
                return sc_text_take(rest, end);
            out[(*bytes)++] = '"';
            continue;
        }
        if (!is_quoted && sc_text_take(rest, end))
            return true;
        out[(*bytes)++] = rest->start[0];
        *rest = behind(*rest, 1);
    }
    return false;
}

static bool put_rows(sc_text rest, char *room, sc_text_sink *sink)
{
    size_t bytes;
    while (rest.bytes > 0) {
        if (!take_field(&rest, ',', room, &bytes))
            return false;
        sc_text_put(sink, (sc_text){room, bytes});
        sc_text_put(sink, sc_text_of(" "));
        if (!take_field(&rest, '\n', room, &bytes))
            return false;
        sc_label_escape(sink, (sc_text){room, bytes});
        sc_text_put(sink, sc_text_of("\n"));
    }
    return true;
}

static scrim_status copy_rows(sc_text text, char **out, scrim_error *error)
{
    const sc_text rows = behind(text, strlen(CSV_HEADER));
    const size_t most = 3 * rows.bytes + 1; /* every byte escaped */
    sc_text_sink sink;
    char *room = sc_allocate(rows.bytes + 1, 1);
    char *lines = sc_allocate(most, 1);
    scrim_status status = SCRIM_OK;
    if (room == NULL || lines == NULL)
        status = sc_no_memory(error, "a label");
    if (status == SCRIM_OK) {
        sc_text_sink_init(&sink, lines, most);
        if (!begins(rows, "scrim-label,") || !put_rows(rows, room, &sink))
            status = no_label(error);
    }
    sc_free(room);
    if (status == SCRIM_OK)
        *out = lines;
    else
        sc_free(lines);
    return status;
}

/* JSON: the member "label" that begins as a label does. */

static bool find_member(sc_text text, sc_text *at)
{
    static const char name[] = "\"label\"";
    for (; text.bytes > 0; text = behind(text, 1)) {
        if (!begins(text, name))
            continue;
        sc_text rest = without_blanks(behind(text, sizeof name - 1));
        if (!sc_text_take(&rest, ':'))
            continue;
        rest = without_blanks(rest);
        if (sc_text_take(&rest, '"') && begins(rest, MARK)) {
            *at = rest;
            return true;
        }
    }
    return false;
}

static bool take_hex(sc_text *rest, unsigned *out)
{
    unsigned value = 0;
    if (rest->bytes < 4)
        return false;
    for (size_t i = 0; i < 4; i++) {
        const char c = rest->start[i];
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return false;
        value = value * 16 + (unsigned)digit;
    }
    *rest = behind(*rest, 4);
    *out = value;
    return true;
}

static char byte_of(unsigned value)
{
    return (char)(unsigned char)value;
}

static size_t put_utf8(unsigned c, char *out)
{
    if (c < 0x80) {
        out[0] = byte_of(c);
        return 1;
    }
    if (c < 0x800) {
        out[0] = byte_of(0xc0 | c >> 6);
        out[1] = byte_of(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = byte_of(0xe0 | c >> 12);
        out[1] = byte_of(0x80 | (c >> 6 & 0x3f));
        out[2] = byte_of(0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = byte_of(0xf0 | c >> 18);
    out[1] = byte_of(0x80 | (c >> 12 & 0x3f));
    out[2] = byte_of(0x80 | (c >> 6 & 0x3f));
    out[3] = byte_of(0x80 | (c & 0x3f));
    return 4;
}

/* The digits behind \u, and the second half of a surrogate pair. A NUL is refused: it would end
 * the label early. */
static bool take_unicode(sc_text *rest, char *out, size_t *bytes)
{
    unsigned c, low;
    if (!take_hex(rest, &c))
        return false;
    if (c >= 0xd800 && c < 0xdc00) {
        if (!sc_text_take(rest, '\\') || !sc_text_take(rest, 'u') ||
            !take_hex(rest, &low) || low < 0xdc00 || low > 0xdfff)
            return false;
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    }
    if (c == 0 || (c >= 0xdc00 && c <= 0xdfff))
        return false;
    *bytes += put_utf8(c, out + *bytes);
    return true;
}

static bool take_escape(sc_text *rest, char *out, size_t *bytes)
{
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    if (sc_text_take(rest, 'u'))
        return take_unicode(rest, out, bytes);
    for (size_t i = 0; names[i] != '\0'; i++)
        if (sc_text_take(rest, names[i])) {
            out[(*bytes)++] = meant[i];
            return true;
        }
    return false;
}

/* out has room for all of rest, as no character is longer than its escape. */
static bool read_string(sc_text *rest, char *out)
{
    size_t bytes = 0;
    while (rest->bytes > 0) {
        if (sc_text_take(rest, '"')) {
            out[bytes] = '\0';
            return true;
        }
        if (sc_text_take(rest, '\\')) {
            if (!take_escape(rest, out, &bytes))
                return false;
            continue;
        }
        out[bytes++] = rest->start[0];
        *rest = behind(*rest, 1);
    }
    return false;
}

/* HTML: between the tags. */

static bool find_tag(sc_text text, const char *tag, sc_text *at)
{
    for (; text.bytes > 0; text = behind(text, 1))
        if (begins(text, tag)) {
            *at = behind(text, strlen(tag));
            return true;
        }
    return false;
}

static bool find_element(sc_text text, sc_text *at)
{
    return find_tag(text, ELEMENT, at);
}

static bool find_record(sc_text text, sc_text *at)
{
    return find_tag(text, RECORD_ELEMENT, at);
}

static bool read_element(sc_text *rest, char *out)
{
    static const struct {
        const char *entity;
        char meant;
    } entities[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
    const size_t count = sizeof entities / sizeof *entities;
    size_t bytes = 0;
    while (rest->bytes > 0 && rest->start[0] != '<') {
        size_t which = 0;
        if (rest->start[0] != '&') {
            out[bytes++] = rest->start[0];
            *rest = behind(*rest, 1);
            continue;
        }
        while (which < count && !begins(*rest, entities[which].entity))
            which++;
        if (which == count)
            return false;
        out[bytes++] = entities[which].meant;
        *rest = behind(*rest, strlen(entities[which].entity));
    }
    out[bytes] = '\0';
    return begins(*rest, "</pre>");
}

/* JSON and HTML alike: find the beginning, read to the end, and refuse a second one. */

typedef bool finder(sc_text text, sc_text *at);
typedef bool reader(sc_text *rest, char *out);

static scrim_status copy_spelt(sc_text text, finder *find, reader *read, char **out,
                               scrim_error *error)
{
    sc_text rest, again;
    if (!find(text, &rest))
        return no_label(error);
    char *copy = sc_allocate(rest.bytes + 1, 1);
    if (copy == NULL)
        return sc_no_memory(error, "a label");
    const bool is_read = read(&rest, copy);
    if (is_read && !find(rest, &again)) {
        *out = copy;
        return SCRIM_OK;
    }
    sc_free(copy);
    return is_read
               ? more_than_one(error)
               : sc_fail(
                     error, SCRIM_E_CHECK,
                     "the label was changed: it is cut short, or written differently");
}

/* A page leaves out a record that is too long. A record that is there must be that of the label. */
static scrim_status take_record(sc_text page, scrim_label *label, scrim_error *error)
{
    char *copy = NULL;
    size_t bytes = 0;
    sc_text at;
    if (!find_record(page, &at))
        return SCRIM_OK;
    scrim_status status = copy_spelt(page, find_record, read_element, &copy, error);
    if (status != SCRIM_OK)
        return status;
    status = sc_label_unescape(sc_text_of(copy), copy, &bytes)
                 ? sc_label_keep_record(label, (sc_text){copy, bytes}, error)
                 : sc_fail(error, SCRIM_E_CHECK, "the record was changed");
    sc_free(copy);
    return status == SCRIM_OK ? sc_label_check_record(label, error) : status;
}

/* A file of a release in JSON: the label is the last member of the object, and is not called
 * "label". */

static bool has_end(sc_text text)
{
    static const char mark[] = "scrim-label";
    for (; text.bytes > 0; text = behind(text, 1))
        if (begins(text, mark))
            return true;
    return false;
}

static scrim_status copy_end(sc_text text, char **out, scrim_error *error)
{
    scrim_label *label = NULL;
    size_t shown;
    const scrim_status status =
        scrim_label_find_end(text.start, text.bytes, &shown, &label, error);
    if (status != SCRIM_OK)
        return status;
    char *copy = sc_text_copy(sc_text_of(label->text));
    scrim_label_free(label);
    if (copy == NULL)
        return sc_no_memory(error, "a label");
    *out = copy;
    return SCRIM_OK;
}

static scrim_status copy_block(sc_text text, char **block, scrim_error *error)
{
    const sc_text first = without_blanks(text);
    const int c = first.bytes > 0 ? first.start[0] : '\0';
    sc_text member;
    if (c == '<')
        return copy_spelt(text, find_element, read_element, block, error);
    if (c == '{' && (find_member(text, &member) || !has_end(text)))
        return copy_spelt(text, find_member, read_string, block, error);
    if (c == '{')
        return copy_end(text, block, error);
    if (c == '#')
        return copy_comments(text, block, error);
    if (begins(text, CSV_HEADER))
        return copy_rows(text, block, error);
    return copy_lines(text, block, error);
}

scrim_status scrim_label_find(const char *bytes, size_t count, scrim_label **out,
                              scrim_error *error)
{
    SC_REQUIRE(error, "out", out);
    const sc_text text = {bytes, count}, first = without_blanks(text);
    scrim_label *label = NULL;
    char *block = NULL;
    scrim_status status = copy_block(text, &block, error);
    if (status == SCRIM_OK)
        status = sc_label_read(sc_text_of(block), &label, error);
    if (status == SCRIM_OK && first.start[0] == '<')
        status = take_record(text, label, error);
    if (status == SCRIM_OK)
        *out = label;
    else
        scrim_label_free(label);
    sc_free(block);
    return status;
}
