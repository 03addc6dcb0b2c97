#include "cli/dataset/finding_words.h"

#include "cli/terminal/talk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MARK SC_SENSITIVE
/* A word in at most a twentieth of the cells is taken for a misspelling of another; of values outside of their range
 * a twentieth are many. */
#define FEW_IN 20

void sc_finding_rows(const scrim_inspected *line, char text[SC_FINDING_ROWS_BYTES])
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < line->row_count && used < SC_FINDING_ROWS_BYTES; i++)
        used += (size_t)snprintf(text + used, SC_FINDING_ROWS_BYTES - used, "%s%" PRIu64,
                                 i == 0 ? "" : " ", line->rows[i]);
}

static bool is_one(const scrim_inspected *line)
{
    return line->count == 1;
}

/* The readable cells of the same column. */
static uint64_t count_readable(const sc_finding_scene *s, const scrim_inspected *line)
{
    for (size_t i = 0; i < s->inspection->count; i++) {
        const scrim_inspected *other = &s->inspection->lines[i];
        if (other->finding == SCRIM_FINDING_READABLE &&
            strcmp(other->column, line->column) == 0)
            return other->count;
    }
    return 0;
}

/* " and are NULL": how questions treat them. */
static const char *treatment(const scrim_inspected *line)
{
    static const struct {
        const char *effect, *one, *many;
    } list[] = {{"null", " and is NULL", " and are NULL"},
                {"default", " and gets the default", " and get the default"},
                {"clamped", " and is clamped to it", " and are clamped to it"},
                {"dropped", " and is dropped", " and are dropped"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(list[i].effect, line->effect) == 0)
            return is_one(line) ? list[i].one : list[i].many;
    return "";
}

/* what: "3 cells of age are ..."; advice: "" or a remedy. */
static void say(const sc_finding_scene *s, const scrim_inspected *line, const char *what,
                const char *advice)
{
    char rows[SC_FINDING_ROWS_BYTES], where[SC_FINDING_ROWS_BYTES + 16] = "";
    if (s->is_table_shown && advice[0] == '\0')
        return;
    sc_finding_rows(line, rows);
    if (!s->is_table_shown && line->row_count > 0)
        snprintf(where, sizeof where, " (%s%s %s)",
                 s->inspection->counts_lines ? "line" : "row", is_one(line) ? "" : "s",
                 rows);
    sc_talk(MARK ": %s%s%s%s%s\n", what, s->is_table_shown ? "" : treatment(line), where,
            advice[0] == '\0' ? "" : "; ", advice);
}

/* "3 cells of age are" and what they are. */
static void write_cells(const scrim_inspected *line, const char *one, const char *many,
                        char *text, size_t capacity)
{
    snprintf(text, capacity, "%" PRIu64 " %s of %s %s", line->count,
             is_one(line) ? "cell" : "cells", line->column, is_one(line) ? one : many);
}

/* Another form that may have been meant, for values that are read in it. A form that reads fewer cells
 * than the declared one is no advice. */

static void tell_mark(const sc_finding_scene *s, const scrim_inspected *line)
{
    const bool is_comma = line->finding == SCRIM_FINDING_DECIMAL_COMMA;
    char what[SCRIM_COLUMN_BYTES + 64], advice[SCRIM_NAME_BYTES + 96];
    write_cells(line, is_comma ? "has a decimal comma" : "has a decimal point",
                is_comma ? "have a decimal comma" : "have a decimal point", what,
                sizeof what);
    if (!line->reads_more)
        snprintf(advice, sizeof advice, "correct %s in the file",
                 is_one(line) ? "it" : "them");
    else
        snprintf(advice, sizeof advice, "declare it: 'scrim dataset set %s --decimal %s",
                 s->name, is_comma ? ",'" : ".', unless it separates thousands");
    say(s, line, what, advice);
}

static void tell_date(const sc_finding_scene *s, const scrim_inspected *line)
{
    const char *formats = line->date_formats;
    const size_t first = strcspn(formats, " ");
    char have[SCRIM_DATE_FORMATS_BYTES + 32], what[SCRIM_COLUMN_BYTES + sizeof have + 32],
        advice[SCRIM_NAME_BYTES + SCRIM_DATE_FORMATS_BYTES + 96];
    snprintf(have, sizeof have, "%s a date %s%s", is_one(line) ? "has" : "have",
             first == 0 || line->reads_more ? "in another format" : "as ",
             line->reads_more ? "" : formats);
    write_cells(line, have, have, what, sizeof what);
    if (!line->reads_more)
        snprintf(advice, sizeof advice, "correct %s in the file",
                 is_one(line) ? "it" : "them");
    else
        snprintf(advice, sizeof advice,
                 "declare it: 'scrim dataset set %s --date-format %.*s'%s%s", s->name,
                 first == 0 ? 1 : (int)first, first == 0 ? "F" : formats,
                 first == 0 ? ", but no format reads all" : "", formats + first);
    say(s, line, what, advice);
}

/* Cells that cannot be read. */

#define BOOL_WORDS "bool reads true, t, yes, y, 1, false, f, no, n and 0"

static void tell_bool(const sc_finding_scene *s, const scrim_inspected *line)
{
    char what[SCRIM_COLUMN_BYTES + 64], type[SC_TALK_WORD_BYTES],
        keys[SC_TALK_WORD_BYTES], typed[SC_TALK_WORD_BYTES], listed[SC_TALK_WORD_BYTES],
        advice[2 * SC_TALK_WORD_BYTES + SCRIM_NAME_BYTES + 160];
    snprintf(type, sizeof type, "%.160s=text", line->column);
    snprintf(keys, sizeof keys, "%.160s=ja,nein", line->column);
    write_cells(line, "is not bool", "are not bool", what, sizeof what);
    if (line->count <= count_readable(s, line) / FEW_IN)
        snprintf(advice, sizeof advice,
                 BOOL_WORDS "; correct %s in the file, then 'scrim dataset update %s'",
                 is_one(line) ? "it" : "them", s->name);
    else
        snprintf(advice, sizeof advice,
                 BOOL_WORDS
                 "; for other words declare text: 'scrim dataset set %s --column %s "
                 "--keys %s'",
                 s->name, sc_talk_word(type, typed), sc_talk_word(keys, listed));
    say(s, line, what, advice);
}

/* The value of the first line that begins so, up to its end; its length is 0 where no line does. */
static size_t find_value(const char *policy, const char *begin, const char **value)
{
    const size_t bytes = strlen(begin);
    for (const char *line = policy; line != NULL && *line != '\0';) {
        if (strncmp(line, begin, bytes) == 0) {
            *value = line + bytes;
            return strcspn(line + bytes, "\n");
        }
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    return 0;
}

/* --null replaces the list, so that the words which are on it are part of the command. */
static void tell_unreadable(const sc_finding_scene *s, const scrim_inspected *line)
{
    const char *known = "";
    const size_t bytes = find_value(s->policy, "null=", &known);
    char what[SCRIM_COLUMN_BYTES + 64], list[SC_TALK_WORD_BYTES],
        word[SC_TALK_WORD_BYTES],
        advice[SC_TALK_WORD_BYTES + SCRIM_NAME_BYTES + 128] = "";
    write_cells(line, "cannot be read", "cannot be read", what, sizeof what);
    snprintf(list, sizeof list, "%.*s%sWORD", (int)bytes, known, bytes > 0 ? "," : "");
    if (line->words > 0 && bytes < sizeof list - 8 && s->inspection->counts_lines)
        snprintf(advice, sizeof advice,
                 "if a word there means missing, such as NA, declare it: 'scrim dataset "
                 "set %s --null %s'",
                 s->name, sc_talk_word(list, word));
    say(s, line, what, advice);
}

static void tell_not_text(const sc_finding_scene *s, const scrim_inspected *line)
{
    char what[SCRIM_COLUMN_BYTES + 64], advice[SCRIM_NAME_BYTES + 128];
    write_cells(line, "is not UTF-8, perhaps WINDOWS-1252",
                "are not UTF-8, perhaps WINDOWS-1252", what, sizeof what);
    snprintf(advice, sizeof advice,
             "convert the file with iconv -f WINDOWS-1252 -t UTF-8, then 'scrim dataset "
             "update %s'",
             s->name);
    say(s, line, what, advice);
}

/* Values outside of their range. */

/* The command that declares another range; "" where the policy has no range. */
static void write_wider(const sc_finding_scene *s, const scrim_inspected *line,
                        char *advice, size_t capacity)
{
    char begin[SCRIM_COLUMN_BYTES + 16], type[SC_TALK_WORD_BYTES],
        word[SC_TALK_WORD_BYTES];
    const char *value = NULL;
    snprintf(begin, sizeof begin, "column=%s=", line->column);
    const size_t bytes = find_value(s->policy, begin, &value);
    const char *open = bytes == 0 ? NULL : memchr(value, '[', bytes),
               *comma = bytes == 0 ? NULL : memchr(value, ',', bytes),
               *close = bytes == 0 ? NULL : memchr(value, ']', bytes);
    advice[0] = '\0';
    if (open == NULL || comma == NULL || close == NULL)
        return;
    const int low = (int)(comma - open), high = (int)(close - comma),
              rest = (int)(value + bytes - close);
    if (line->finding == SCRIM_FINDING_ABOVE)
        snprintf(type, sizeof type, "%s=%.*s%.*s,LARGEST%.*s", line->column,
                 (int)(open - value), value, low, open, rest, close);
    else
        snprintf(type, sizeof type, "%s=%.*s[SMALLEST%.*s%.*s", line->column,
                 (int)(open - value), value, high, comma, rest, close);
    snprintf(advice, capacity,
             "if the range is wrong, declare another: 'scrim dataset set %s --column %s'",
             s->name, sc_talk_word(type, word));
}

static void tell_outside(const sc_finding_scene *s, const scrim_inspected *line)
{
    const uint64_t readable = count_readable(s, line);
    const char *side = line->finding == SCRIM_FINDING_ABOVE ? "above" : "below";
    char what[SCRIM_COLUMN_BYTES + 96],
        advice[SC_TALK_WORD_BYTES + SCRIM_NAME_BYTES + 96] = "";
    if (line->count == readable)
        snprintf(what, sizeof what, "all readable cells of %s are %s the range",
                 line->column, side);
    else
        snprintf(what, sizeof what,
                 "%" PRIu64 " of %" PRIu64 " readable cells of %s %s %s the range",
                 line->count, readable, line->column, is_one(line) ? "is" : "are", side);
    if (line->count >= readable / FEW_IN)
        write_wider(s, line, advice, sizeof advice);
    say(s, line, what, advice);
}

/* Rows that no grouped answer has, which an analyst cannot see. */
static void tell_keys(const sc_finding_scene *s, const scrim_inspected *line)
{
    char what[SCRIM_COLUMN_BYTES + 96], advice[SC_TALK_WORD_BYTES + 200],
        keys[SC_TALK_WORD_BYTES], word[SC_TALK_WORD_BYTES];
    write_cells(line, "is not on its list of keys, so its row is in no group",
                "are not on its list of keys, so their rows are in no group", what,
                sizeof what);
    snprintf(keys, sizeof keys, "%.160s=KEY,KEY", line->column);
    (void)sc_talk_column(line->column, word);
    if (line->folded > 0 && is_one(line))
        snprintf(advice, sizeof advice, "GROUP BY LOWER(TRIM(%s)) counts it", word);
    else if (line->folded > 0)
        snprintf(advice, sizeof advice,
                 "GROUP BY LOWER(TRIM(%s)) counts %" PRIu64 " of them", word,
                 line->folded);
    else
        snprintf(advice, sizeof advice,
                 "correct %s in the file, or list all keys anew: 'scrim dataset set "
                 "%.64s --keys %s'",
                 is_one(line) ? "it" : "them", s->name, sc_talk_word(keys, word));
    say(s, line, what, advice);
}

/* Rows and units. */

static void tell_over(const sc_finding_scene *s, const scrim_inspected *line)
{
    char what[128], advice[SCRIM_NAME_BYTES + 128];
    snprintf(what, sizeof what, "%" PRIu64 " %s more %s", line->count,
             is_one(line) ? "unit has" : "units have",
             line->is_right ? "rows than the contribution bounds allow"
                            : "than one row, though rows-per-unit 1 is declared");
    snprintf(advice, sizeof advice,
             line->is_right
                 ? "queries work and ignore further rows; 'scrim dataset check "
                   "%s --bounds' compares bounds"
                 : "queries ignore further rows; declare a bound: 'scrim "
                   "dataset set %s --max-total-rows N'",
             s->name);
    say(s, line, what, advice);
}

static void tell_rows(const sc_finding_scene *s, const scrim_inspected *line,
                      const char *one, const char *many)
{
    char what[128];
    snprintf(what, sizeof what, "%" PRIu64 " %s %s", line->count,
             is_one(line) ? "row" : "rows", is_one(line) ? one : many);
    say(s, line, what, "");
}

static void tell_changed(const sc_finding_scene *s, const scrim_inspected *line)
{
    char advice[SCRIM_NAME_BYTES + 64];
    if (s->is_table_shown)
        return;
    snprintf(advice, sizeof advice, "'scrim dataset update %s' declares the new contents",
             s->name);
    say(s, line, "the file is not the declared one, so every query is refused", advice);
}

static void tell_long(const sc_finding_scene *s, const scrim_inspected *line)
{
    char what[SCRIM_COLUMN_BYTES + 64];
    write_cells(line, "has more than 4096 bytes", "have more than 4096 bytes", what,
                sizeof what);
    say(s, line, what, "");
}

void sc_finding_tell(const sc_finding_scene *s, const scrim_inspected *line)
{
    switch (line->finding) {
    case SCRIM_FINDING_DECIMAL_COMMA:
    case SCRIM_FINDING_DECIMAL_POINT:
        tell_mark(s, line);
        break;
    case SCRIM_FINDING_OTHER_DATE:
        tell_date(s, line);
        break;
    case SCRIM_FINDING_UNREADABLE:
        (line->is_bool ? tell_bool : tell_unreadable)(s, line);
        break;
    case SCRIM_FINDING_NOT_UTF8:
        tell_not_text(s, line);
        break;
    case SCRIM_FINDING_BELOW:
    case SCRIM_FINDING_ABOVE:
        tell_outside(s, line);
        break;
    case SCRIM_FINDING_OTHER_KEY:
        tell_keys(s, line);
        break;
    case SCRIM_FINDING_OVER:
        tell_over(s, line);
        break;
    case SCRIM_FINDING_FIELDS:
        tell_rows(s, line, "has another number of fields than the header",
                  "have another number of fields than the header");
        break;
    case SCRIM_FINDING_BROKEN:
        tell_rows(s, line, "has a misplaced quote, or is too long",
                  "have a misplaced quote, or are too long");
        break;
    case SCRIM_FINDING_NO_UNIT:
        tell_rows(s, line, "has no unit", "have no unit");
        break;
    case SCRIM_FINDING_LONG_UNIT:
        tell_rows(s, line, "has a unit of more than 4096 bytes",
                  "have a unit of more than 4096 bytes");
        break;
    case SCRIM_FINDING_TOO_LONG:
        tell_long(s, line);
        break;
    case SCRIM_FINDING_CHANGED:
        tell_changed(s, line);
        break;
    case SCRIM_FINDING_ROWS:
    case SCRIM_FINDING_COUNTED:
    case SCRIM_FINDING_UNITS:
    case SCRIM_FINDING_MOST_ROWS:
    case SCRIM_FINDING_READABLE:
    case SCRIM_FINDING_MISSING:
    case SCRIM_FINDING_ROUNDED:
        break;
    }
}
