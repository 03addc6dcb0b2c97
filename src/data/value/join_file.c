#include "data/value/join_file.h"

#include "data/value/join_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The type of all present cells of a column. */
typedef enum guess {
    GUESS_INT,
    GUESS_DECIMAL,
    GUESS_DATE,
    GUESS_BOOL,
    GUESS_TEXT,
    GUESSES
} guess;

#define DECIMALS 12 /* at most, of a number that is read as one */
#define DIGITS 18

typedef struct column {
    sc_text name;
    const char *type; /* as the caller says; NULL: read from the cells */
    bool is_left_out;
    sc_text *cells; /* by row; start is NULL where a cell is empty */
    bool can_be[GUESSES];
    bool has_null, has_value;
    int decimals;
} column;

typedef struct table {
    sc_text name, rest; /* rest: what is not read yet */
    uint64_t line;      /* that it begins with */
    char separator;
    sc_arena arena;
    column columns[SC_PUBLIC_TABLE_COLUMNS];
    size_t column_count, row_count, capacity;
} table;

__attribute__((format(printf, 3, 4))) static scrim_status
fail_at(const table *t, scrim_error *error, const char *format, ...)
{
    char rest[SCRIM_MESSAGE_BYTES], name[SC_TEXT_QUOTE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(rest, sizeof rest, format, arguments);
    va_end(arguments);
    return sc_fail_for(error, SCRIM_E_INPUT, SCRIM_REASON_SYNTAX, "join",
                       "%s, line %" PRIu64 ": %s", sc_text_quote(t->name, name), t->line,
                       rest);
}

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "no memory");
}

/* Records. */

/* All bytes before a record is cut: UTF-8 in which no control character but tab and line ends stands. */
static scrim_status check_bytes(table *t, scrim_error *error)
{
    sc_text rest = t->rest;
    while (rest.bytes > 0) {
        const char c = rest.start[0];
        const bool is_plain = c == '\t' || c == '\n' ||
                              (c == '\r' && rest.bytes > 1 && rest.start[1] == '\n');
        const size_t bytes = is_plain ? 1 : sc_text_character(rest);
        if (bytes == 0)
            return fail_at(t, error, "not UTF-8 text without control characters");
        t->line += c == '\n';
        rest = (sc_text){rest.start + bytes, rest.bytes - bytes};
    }
    t->line = 1;
    return SCRIM_OK;
}

static bool is_line_end(sc_text rest)
{
    return rest.bytes == 0 || rest.start[0] == '\n' || rest.start[0] == '\r';
}

/* A field between quotes; what stands in it is copied where a quote is doubled. */
static scrim_status take_quoted(table *t, sc_text *out, scrim_error *error)
{
    char *room = sc_arena_allocate(&t->arena, t->rest.bytes, 1);
    size_t at = 1, kept = 0;
    if (room == NULL)
        return no_memory(error);
    for (;; at++) {
        if (at >= t->rest.bytes || t->rest.start[at] == '\n')
            return fail_at(t, error, "a quote does not end on its line");
        if (t->rest.start[at] == '"' &&
            (at + 1 >= t->rest.bytes || t->rest.start[++at] != '"'))
            break;
        room[kept++] = t->rest.start[at];
    }
    at += at + 1 >= t->rest.bytes && t->rest.start[at] == '"';
    t->rest = (sc_text){t->rest.start + at, t->rest.bytes - at};
    *out = (sc_text){room, kept};
    return SCRIM_OK;
}

static scrim_status take_field(table *t, sc_text *out, scrim_error *error)
{
    size_t bytes = 0;
    if (t->rest.bytes > 0 && t->rest.start[0] == '"') {
        SC_TRY(take_quoted(t, out, error));
        return is_line_end(t->rest) || t->rest.start[0] == t->separator
                   ? SCRIM_OK
                   : fail_at(t, error, "text stands behind a closing quote");
    }
    while (bytes < t->rest.bytes && t->rest.start[bytes] != t->separator &&
           t->rest.start[bytes] != '\n' && t->rest.start[bytes] != '\r') {
        if (t->rest.start[bytes] == '"')
            return fail_at(t, error,
                           "a quote stands within a field; quote all of it, and "
                           "double the quote");
        bytes++;
    }
    const sc_text field = sc_text_trim((sc_text){t->rest.start, bytes});
    *out = field.bytes == 0 ? (sc_text){NULL, 0} : field;
    t->rest = (sc_text){t->rest.start + bytes, t->rest.bytes - bytes};
    return SCRIM_OK;
}

/* The fields of the next record, and how many there are. */
static scrim_status take_record(table *t, sc_text fields[SC_PUBLIC_TABLE_COLUMNS],
                                size_t *count, scrim_error *error)
{
    *count = 0;
    for (;;) {
        if (*count == SC_PUBLIC_TABLE_COLUMNS)
            return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "join",
                               "a public table has at most %d columns",
                               SC_PUBLIC_TABLE_COLUMNS);
        SC_TRY(take_field(t, &fields[(*count)++], error));
        if (is_line_end(t->rest))
            return SCRIM_OK;
        t->rest = (sc_text){t->rest.start + 1, t->rest.bytes - 1};
    }
}

/* Passes over line ends and blank lines. */
static void next_line(table *t)
{
    while (t->rest.bytes > 0 && is_line_end(t->rest)) {
        t->line += t->rest.start[0] == '\n';
        t->rest = (sc_text){t->rest.start + 1, t->rest.bytes - 1};
    }
}

/* The header. */

static char separator_of(sc_text header)
{
    static const char separators[] = {',', ';', '\t', '|'};
    bool is_quoted = false, has[sizeof separators] = {false};
    for (size_t i = 0; i < header.bytes && header.start[i] != '\n'; i++) {
        is_quoted ^= header.start[i] == '"';
        for (size_t k = 0; !is_quoted && k < sizeof separators; k++)
            has[k] |= header.start[i] == separators[k];
    }
    for (size_t k = 0; k < sizeof separators; k++)
        if (has[k])
            return separators[k];
    return ',';
}

static scrim_status read_header(table *t, scrim_error *error)
{
    sc_text fields[SC_PUBLIC_TABLE_COLUMNS];
    char quote[SC_TEXT_QUOTE_BYTES];
    const sc_text mark = {"\xef\xbb\xbf", 3};
    if (t->rest.bytes >= mark.bytes && memcmp(t->rest.start, mark.start, mark.bytes) == 0)
        t->rest = (sc_text){t->rest.start + mark.bytes, t->rest.bytes - mark.bytes};
    next_line(t);
    if (t->rest.bytes == 0)
        return fail_at(t, error, "the file is empty; it needs a header and rows");
    t->separator = separator_of(t->rest);
    SC_TRY(take_record(t, fields, &t->column_count, error));
    for (size_t i = 0; i < t->column_count; i++) {
        if (!sc_column_is_name(fields[i]))
            return fail_at(t, error, "column %zu of the header has no valid name", i + 1);
        for (size_t k = 0; k < i; k++)
            if (sc_text_equal(fields[k], fields[i]))
                return fail_at(t, error, "the header has the column %s twice",
                               sc_text_quote(fields[i], quote));
        t->columns[i] =
            (column){.name = fields[i], .can_be = {true, true, true, true, true}};
    }
    next_line(t);
    return SCRIM_OK;
}

/* Types. */

static size_t take_digits(sc_text text, size_t from)
{
    size_t at = from;
    while (at < text.bytes && sc_ascii_is_digit(text.start[at]))
        at++;
    return at - from;
}

/* -12, 0.50: without leading zeros, exponent or sign +. decimals says how many. */
static bool is_number(sc_text cell, int *decimals)
{
    const size_t sign = cell.bytes > 0 && cell.start[0] == '-',
                 whole = take_digits(cell, sign), end = sign + whole;
    *decimals = 0;
    if (whole == 0 || (whole > 1 && cell.start[sign] == '0') || whole > DIGITS)
        return false;
    if (end == cell.bytes)
        return true;
    const size_t behind = cell.start[end] == '.' ? take_digits(cell, end + 1) : 0;
    *decimals = (int)behind;
    return behind > 0 && behind <= DECIMALS && whole + behind <= DIGITS &&
           end + 1 + behind == cell.bytes;
}

static void look_at(column *c, sc_text cell)
{
    int decimals = 0;
    int64_t day;
    if (cell.start == NULL) {
        c->has_null = true;
        return;
    }
    const bool number = is_number(cell, &decimals);
    c->has_value = true;
    c->decimals = number && decimals > c->decimals ? decimals : c->decimals;
    c->can_be[GUESS_INT] &= number && decimals == 0;
    c->can_be[GUESS_DECIMAL] &= number;
    c->can_be[GUESS_DATE] &= sc_calendar_parse(cell, &day);
    c->can_be[GUESS_BOOL] &= sc_text_is(cell, "true") || sc_text_is(cell, "false");
}

static column *find_column(table *t, sc_text name)
{
    for (size_t i = 0; i < t->column_count; i++)
        if (sc_text_equal(t->columns[i].name, name))
            return &t->columns[i];
    return NULL;
}

static scrim_status take_types(table *t, const sc_public_types *types, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    for (size_t i = 0; types != NULL && i < types->count; i++) {
        sc_text name, type;
        const sc_text said = sc_text_of(types->list[i]);
        if (!sc_text_split(said, '=', &name, &type))
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "column",
                               "write a column as NAME=TYPE, as in region=text");
        column *own = find_column(t, sc_text_trim(name));
        if (own == NULL)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "column",
                               "the public table has no column '%s'",
                               sc_text_quote(name, quote));
        own->type = sc_text_trim(type).start;
        own->is_left_out = sc_text_is(sc_text_trim(type), "none");
    }
    return SCRIM_OK;
}

/* The type of a column from the word that stands for it and its cells. */
static guess guess_of(const column *c)
{
    static const char *const words[] = {"int", "decimal", "date", "bool", "text"};
    for (int i = 0; c->type != NULL && i < GUESSES; i++)
        if (strcmp(c->type, words[i]) == 0)
            return (guess)i;
    for (int i = 0; c->has_value && i < GUESS_TEXT; i++)
        if (c->can_be[i])
            return (guess)i;
    return GUESS_TEXT;
}

/* The cells whose values are first and last, as numbers of steps of 10^-decimals, or days. */
static bool range_of(const table *t, const column *c, guess kind, int64_t range[2])
{
    bool has_any = false;
    sc_column wide = {.type = kind == GUESS_DATE ? SC_COLUMN_DATE : SC_COLUMN_DECIMAL,
                      .grid = {.low = INT64_MIN / 4,
                               .high = INT64_MAX / 4,
                               .is_decimal = true,
                               .exponent = kind == GUESS_DECIMAL ? -c->decimals : 0}};
    for (size_t i = 0; i < t->row_count; i++) {
        int64_t value;
        if (c->cells[i].start == NULL)
            continue;
        if (!sc_column_read(&wide, c->cells[i], &value))
            return false;
        range[0] = !has_any || value < range[0] ? value : range[0];
        range[1] = !has_any || value > range[1] ? value : range[1];
        has_any = true;
    }
    if (has_any && range[0] == range[1]) { /* a range is never empty */
        const bool is_last = kind == GUESS_DATE && range[1] == SC_CALENDAR_LAST;
        range[0] -= is_last;
        range[1] += !is_last;
    }
    return has_any;
}

#define TYPE_BYTES 256

static scrim_status write_range(const table *t, const column *c, guess kind,
                                char type[TYPE_BYTES], scrim_error *error)
{
    char low[SC_COLUMN_TEXT_BYTES], high[SC_COLUMN_TEXT_BYTES],
        quote[SC_TEXT_QUOTE_BYTES];
    int64_t range[2] = {0, 1};
    if (!range_of(t, c, kind, range))
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "column",
            "the cells of %s are not all of the type %s; write %s=text, or "
            "a type with its range",
            sc_text_quote(c->name, quote), c->type, quote);
    const sc_column shown = {
        .type = kind == GUESS_DATE ? SC_COLUMN_DATE : SC_COLUMN_DECIMAL,
        .grid = {.is_decimal = true,
                 .exponent = kind == GUESS_DECIMAL ? -c->decimals : 0}};
    (void)sc_column_format(&shown, range[0], low, sizeof low);
    (void)sc_column_format(&shown, range[1], high, sizeof high);
    if (kind == GUESS_DECIMAL)
        snprintf(type, TYPE_BYTES, "decimal[%.60s,%.60s]/1e-%d", low, high, c->decimals);
    else
        snprintf(type, TYPE_BYTES, "%s[%.60s,%.60s]", kind == GUESS_INT ? "int" : "date",
                 low, high);
    return SCRIM_OK;
}

static scrim_status write_type(const table *t, const column *c, char type[TYPE_BYTES],
                               scrim_error *error)
{
    const guess kind = guess_of(c);
    const bool has_range = c->type != NULL && strchr(c->type, '[') != NULL;
    if (has_range ||
        (c->type != NULL && kind == GUESS_TEXT && strcmp(c->type, "text") != 0))
        snprintf(type, TYPE_BYTES, "%.200s", c->type); /* the policy says what is wrong */
    else if (kind == GUESS_TEXT || kind == GUESS_BOOL)
        snprintf(type, TYPE_BYTES, "%s", kind == GUESS_TEXT ? "text" : "bool");
    else
        SC_TRY(write_range(t, c, kind, type, error));
    if (c->has_null)
        snprintf(type + strlen(type), TYPE_BYTES - strlen(type), " null");
    return SCRIM_OK;
}

/* Rows. */

static scrim_status make_room(table *t, scrim_error *error)
{
    if (t->row_count < t->capacity)
        return SCRIM_OK;
    if (t->row_count == SC_PUBLIC_TABLE_ROWS)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "join",
                           "a public table has at most %zu rows", SC_PUBLIC_TABLE_ROWS);
    const size_t capacity = t->capacity == 0 ? 64 : 2 * t->capacity;
    for (size_t i = 0; i < t->column_count; i++) {
        sc_text *cells = sc_arena_allocate(&t->arena, capacity, sizeof *cells);
        if (cells == NULL)
            return no_memory(error);
        if (t->row_count > 0)
            memcpy(cells, t->columns[i].cells, t->row_count * sizeof *cells);
        t->columns[i].cells = cells;
    }
    t->capacity = capacity;
    return SCRIM_OK;
}

static scrim_status read_rows(table *t, scrim_error *error)
{
    sc_text fields[SC_PUBLIC_TABLE_COLUMNS];
    for (size_t count; t->rest.bytes > 0; next_line(t)) {
        SC_TRY(take_record(t, fields, &count, error));
        if (count != t->column_count)
            return fail_at(t, error, "fields: %zu, and %zu in the header", count,
                           t->column_count);
        SC_TRY(make_room(t, error));
        for (size_t i = 0; i < count; i++) {
            if (fields[i].bytes > SC_COLUMN_VALUE_BYTES)
                return fail_at(t, error, "a field has more than %d bytes",
                               SC_COLUMN_VALUE_BYTES);
            t->columns[i].cells[t->row_count] = fields[i];
            look_at(&t->columns[i], fields[i]);
        }
        t->row_count++;
    }
    return t->row_count > 0 ? SCRIM_OK
                            : fail_at(t, error, "there are no rows behind the header");
}

/* Lines. */

static void put_cell(sc_text_sink *sink, sc_text cell)
{
    bool is_plain = cell.bytes > 0 && sc_text_trim(cell).bytes == cell.bytes;
    for (size_t i = 0; i < cell.bytes; i++)
        is_plain &= cell.start[i] != ',' && cell.start[i] != '"';
    if (is_plain || cell.start == NULL) {
        sc_text_put(sink, cell);
        return;
    }
    sc_text_put_times(sink, '"', 1);
    for (size_t i = 0; i < cell.bytes; i++)
        sc_text_put_times(sink, cell.start[i], cell.start[i] == '"' ? 2 : 1);
    sc_text_put_times(sink, '"', 1);
}

static void put_subject(sc_text_sink *sink, const char *key, const table *t,
                        const column *c)
{
    sc_text_put(sink, sc_text_of(key));
    sc_text_put(sink, t->name);
    sc_text_put(sink, sc_text_of("="));
    sc_text_put(sink, c->name);
    sc_text_put(sink, sc_text_of("="));
}

static scrim_status put_lines(sc_text_sink *sink, const table *t, scrim_error *error)
{
    for (size_t i = 0; i < t->column_count; i++) {
        const column *c = &t->columns[i];
        char type[TYPE_BYTES];
        if (c->is_left_out)
            continue;
        SC_TRY(write_type(t, c, type, error));
        put_subject(sink, "join-column=", t, c);
        sc_text_put(sink, sc_text_of(type));
        sc_text_put(sink, sc_text_of("\n"));
        put_subject(sink, "join-cells=", t, c);
        for (size_t row = 0; row < t->row_count; row++) {
            sc_text_put(sink, sc_text_of(row > 0 ? "," : ""));
            put_cell(sink, c->cells[row]);
        }
        sc_text_put(sink, sc_text_of("\n"));
    }
    return SCRIM_OK;
}

static scrim_status write_lines(const table *t, char **lines, scrim_error *error)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    SC_TRY(put_lines(&sink, t, error));
    const size_t bytes = sink.length + 1;
    char *text = sc_allocate(bytes, 1);
    if (text == NULL)
        return no_memory(error);
    sc_text_sink_init(&sink, text, bytes);
    const scrim_status status = put_lines(&sink, t, error);
    if (status == SCRIM_OK)
        *lines = text;
    else
        sc_free(text);
    return status;
}

scrim_status sc_public_file_lines(sc_text name, sc_text content,
                                  const sc_public_types *types, char **lines,
                                  scrim_error *error)
{
    table *t = sc_allocate(1, sizeof *t);
    if (t == NULL)
        return no_memory(error);
    t->name = name;
    t->rest = content;
    t->line = 1;
    sc_arena_init(&t->arena);
    scrim_status status = content.bytes > SC_PUBLIC_TABLE_BYTES
                              ? sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE,
                                            "join", "a public table has at most 4 MiB")
                              : check_bytes(t, error);
    if (status == SCRIM_OK)
        status = read_header(t, error);
    if (status == SCRIM_OK)
        status = take_types(t, types, error);
    if (status == SCRIM_OK)
        status = read_rows(t, error);
    if (status == SCRIM_OK)
        status = write_lines(t, lines, error);
    sc_arena_clear(&t->arena);
    sc_free(t);
    return status;
}
