/* Random questions over rows with NULL and of computed texts, against SQLite on the same rows: what is counted, summed and
 * grouped before noise, also where the plan shares a count. */
#include "check.h"
#include "data/value/calendar.h"
#include "pass_scene.h"
#include "query/language/key_text.h"
#include "query/language/validate.h"
#include "query/pass/key_tuple.h"
#include "row_oracle.h"

#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 80, TEXT = 6000, ANSWER = 8000 };

/* The same question in both dialects. */
typedef struct dialects {
    char ours[TEXT], theirs[TEXT];
    uint64_t *seed;
} dialects;

static void append(char *text, const char *more)
{
    const size_t used = strlen(text);
    snprintf(text + used, TEXT - used, "%s", more);
}

__attribute__((format(printf, 2, 3))) static void put(dialects *d, const char *format,
                                                      ...)
{
    char more[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(more, sizeof more, format, arguments);
    va_end(arguments);
    append(d->ours, more);
    append(d->theirs, more);
}

static unsigned below(const dialects *d, unsigned n)
{
    return (unsigned)row_random(d->seed, n);
}

static void put_condition(dialects *d, unsigned depth);
static void put_number(dialects *d, unsigned depth);
static void put_text(dialects *d, unsigned depth);

/* What was written since the marks is taken back as texts of its own. */
static void take_back(dialects *d, const size_t marks[2], char ours[TEXT],
                      char theirs[TEXT])
{
    snprintf(ours, TEXT, "%s", d->ours + marks[0]);
    snprintf(theirs, TEXT, "%s", d->theirs + marks[1]);
    d->ours[marks[0]] = d->theirs[marks[1]] = '\0';
}

/* SQLite's min and max give NULL where LEAST and GREATEST pass over it. */
static void put_extreme(dialects *d, unsigned depth)
{
    static char a[2][TEXT], b[2][TEXT];
    char whole[TEXT];
    const bool is_least = below(d, 2) == 0;
    const size_t marks[2] = {strlen(d->ours), strlen(d->theirs)};
    (void)depth;
    put_number(d, 0);
    take_back(d, marks, a[0], a[1]);
    put_number(d, 0);
    take_back(d, marks, b[0], b[1]);
    snprintf(whole, sizeof whole, "%s(%.200s, %.200s)", is_least ? "LEAST" : "GREATEST",
             a[0], b[0]);
    append(d->ours, whole);
    snprintf(whole, sizeof whole, "COALESCE(%s(%.200s, %.200s), %.200s, %.200s)",
             is_least ? "MIN" : "MAX", a[1], b[1], a[1], b[1]);
    append(d->theirs, whole);
}

static void put_two(dialects *d, const char *between, unsigned depth)
{
    put(d, "(");
    put_number(d, depth);
    put(d, "%s", between);
    put_number(d, depth);
    put(d, ")");
}

/* Functions of dates in both dialects: numbers, dates, dates that are compared with. */
static const char *const date_numbers[][2] = {
    {"(YEAR(d) - 2024)", "(strftime('%Y', d) - 2024)"},
    {"QUARTER(d)", "((strftime('%m', d) + 2) / 3)"},
    {"MONTH(d)", "(strftime('%m', d) + 0)"},
    {"WEEK(d)", "((strftime('%j', date(d, '-3 days', 'weekday 4')) - 1) / 7 + 1)"},
    {"WEEKDAY(d)", "((strftime('%w', d) + 6) % 7 + 1)"},
    {"DAY(d)", "(strftime('%d', d) + 0)"},
    {"HOUR(e)", "(strftime('%H', e, '+2 hours') + 0)"},
    {"WEEKDAY(e)", "((strftime('%w', e, '+2 hours') + 6) % 7 + 1)"},
    {"((e - TIMESTAMP '2024-01-01 00:00Z') / 1800)",
     "((strftime('%s', e) - strftime('%s', '2024-01-01')) / 1800)"},
};
static const char *const truncations[][2] = {
    {"DATE_TRUNC('week', d)", "date(d, '-6 days', 'weekday 1')"},
    {"DATE_TRUNC('month', d)", "date(d, 'start of month')"},
    {"DATE_TRUNC('year', d)", "date(d, 'start of year')"},
    {"DATE_TRUNC('day', d)", "d"},
    {"DATE_TRUNC('month', e)", "date(e, '+2 hours', 'start of month')"},
};
static const char *const days[] = {"'2024-01-01'", "'2023-12-25'", "'2024-02-29'",
                                   "'2024-12-30'"};

static void put_either(dialects *d, const char *const two[2])
{
    append(d->ours, two[0]);
    append(d->theirs, two[1]);
}

static void put_function(dialects *d, const char *name, unsigned depth)
{
    put(d, "%s(", name);
    put_text(d, depth);
    if (strcmp(name, "SUBSTR") == 0) { /* from 1 on: before it SQLite has other rules */
        put(d, ", %u", 1 + below(d, 3));
        if (below(d, 2) == 0)
            put(d, ", %u", below(d, 3));
    }
    put(d, ")");
}

static void put_two_texts(dialects *d, const char *before, const char *between,
                          unsigned depth)
{
    put(d, "%s", before);
    put_text(d, depth);
    put(d, "%s", between);
    put_text(d, depth);
    put(d, ")");
}

static void put_text(dialects *d, unsigned depth)
{
    static const char *const leaves[] = {"t", "t",   "t",    "t",  "t",   "t",
                                         "t", "'a'", "' A'", "''", "'b_'"};
    static const char *const functions[] = {"LOWER", "UPPER", "TRIM",
                                            "LTRIM", "RTRIM", "SUBSTR"};
    if (depth == 0 || below(d, 4) == 0) {
        put(d, "%s", leaves[below(d, COUNT(leaves))]);
        return;
    }
    switch (below(d, 8)) {
    case 0:
        put_two_texts(d, "(", " || ", depth - 1);
        return;
    case 1:
        put_two_texts(d, below(d, 2) == 0 ? "COALESCE(" : "NULLIF(", ", ", depth - 1);
        return;
    case 2:
        put(d, "CASE WHEN ");
        put_condition(d, depth - 1);
        put(d, " THEN ");
        put_text(d, depth - 1);
        if (below(d, 2) == 0) {
            put(d, " ELSE ");
            put_text(d, depth - 1);
        }
        put(d, " END");
        return;
    default:
        put_function(d, functions[below(d, COUNT(functions))], depth - 1);
    }
}

/* SQLite has no escape unless one is named. */
static void put_like(dialects *d, unsigned depth)
{
    static const char *const patterns[] = {"a%",    "%b",    "_",     "%",    "",
                                           "A_%",   "%a%b%", "%\\_%", "\\%%", "a",
                                           "%b\\_", "_%_",   "% ",    "%!%"};
    const bool is_named = below(d, 3) == 0;
    put_text(d, depth);
    if (is_named) {
        put(d, " %sLIKE '%%!%%' ESCAPE '!'", below(d, 2) == 0 ? "NOT " : "");
        return;
    }
    put(d, " %sLIKE '%s'", below(d, 2) == 0 ? "NOT " : "",
        patterns[below(d, COUNT(patterns))]);
    append(d->theirs, " ESCAPE '\\'");
}

static void put_text_condition(dialects *d, unsigned depth)
{
    switch (below(d, 6)) {
    case 0:
        put_text(d, depth);
        put(d, "%s", below(d, 2) == 0 ? " = " : " <> ");
        put_text(d, depth);
        return;
    case 1:
        put_text(d, depth);
        put(d, " %sIN ('a', 'ab', '', ' A'%s)", below(d, 2) == 0 ? "NOT " : "",
            below(d, 3) == 0 ? ", NULL" : "");
        return;
    case 2:
        put_text(d, depth);
        put(d, " IS %sNULL", below(d, 2) == 0 ? "NOT " : "");
        return;
    case 3:
        put_text(d, depth);
        put(d, " IS %sDISTINCT FROM ", below(d, 2) == 0 ? "NOT " : "");
        put_text(d, depth);
        return;
    default:
        put_like(d, depth);
    }
}

static void put_number(dialects *d, unsigned depth)
{
    static const char *const leaves[] = {"x", "y", "x", "y", "c", "2", "0", "-1"};
    if (below(d, 12) == 0) {
        put_either(d, date_numbers[below(d, COUNT(date_numbers))]);
        return;
    }
    if (depth == 0 || below(d, 4) == 0) {
        put(d, "%s", leaves[below(d, 8)]);
        return;
    }
    switch (below(d, 9)) {
    case 8:
        put_function(d, "LENGTH", depth - 1);
        return;
    case 0:
        put_two(d, " + ", depth - 1);
        return;
    case 1:
        put_two(d, " - ", depth - 1);
        return;
    case 2:
        put(d, "ABS(");
        put_number(d, depth - 1);
        put(d, ")");
        return;
    case 3:
        put(d, "%s(", below(d, 2) == 0 ? "COALESCE" : "NULLIF");
        put_number(d, depth - 1);
        put(d, ", ");
        put_number(d, depth - 1);
        put(d, ")");
        return;
    case 4:
        put_extreme(d, depth - 1);
        return;
    case 5:
        put(d, "(");
        put_number(d, depth - 1);
        put(d, " * %d)", (int)below(d, 4) - 1);
        return;
    default:
        put(d, "CASE WHEN ");
        put_condition(d, depth - 1);
        put(d, " THEN ");
        put_number(d, depth - 1);
        if (below(d, 2) == 0) {
            put(d, " ELSE ");
            put_number(d, depth - 1);
        }
        put(d, " END");
    }
}

static void put_leaf_condition(dialects *d, unsigned depth)
{
    static const char *const signs[] = {" = ", " <> ", " < ", " <= ", " > ", " >= "};
    switch (below(d, 13)) {
    case 10:
    case 11:
    case 12:
        put_text_condition(d, depth);
        return;
    case 0:
        put(d, "b");
        return;
    case 9:
        put_either(d, truncations[below(d, COUNT(truncations))]);
        put(d, "%s%s", signs[below(d, 6)], days[below(d, COUNT(days))]);
        return;
    case 1:
        put(d, "t%s", below(d, 2) == 0 ? " = 'a'" : " <> ''");
        return;
    case 2:
        put(d, "t %sIN ('a', ''%s)", below(d, 2) == 0 ? "NOT " : "",
            below(d, 3) == 0 ? ", NULL" : "");
        return;
    case 3:
        put(d, "%s IS %sNULL", below(d, 2) == 0 ? "t" : "b",
            below(d, 2) == 0 ? "NOT " : "");
        return;
    case 4:
        put_number(d, depth);
        put(d, " IS %sNULL", below(d, 2) == 0 ? "NOT " : "");
        return;
    case 5:
        put_number(d, depth);
        put(d, " %sIN (1, 5%s)", below(d, 2) == 0 ? "NOT " : "",
            below(d, 3) == 0 ? ", NULL" : "");
        return;
    case 6:
        put_number(d, depth);
        put(d, " %sBETWEEN ", below(d, 2) == 0 ? "NOT " : "");
        put_number(d, 0);
        put(d, " AND ");
        put_number(d, 0);
        return;
    case 7:
        put_number(d, depth);
        put(d, " IS %sDISTINCT FROM ", below(d, 2) == 0 ? "NOT " : "");
        put_number(d, depth);
        return;
    default:
        put_number(d, depth);
        put(d, "%s", signs[below(d, 6)]);
        put_number(d, depth);
    }
}

static void put_condition(dialects *d, unsigned depth)
{
    static const char *const truths[] = {"TRUE",      "FALSE", "NOT TRUE",
                                         "NOT FALSE", "NULL",  "NOT NULL"};
    if (depth == 0) {
        put_leaf_condition(d, 0);
        return;
    }
    switch (below(d, 6)) {
    case 0:
    case 1:
        put(d, "(");
        put_condition(d, depth - 1);
        put(d, "%s", below(d, 2) == 0 ? " AND " : " OR ");
        put_condition(d, depth - 1);
        put(d, ")");
        return;
    case 2:
        put(d, "NOT (");
        put_condition(d, depth - 1);
        put(d, ")");
        return;
    case 3:
        put(d, "((");
        put_condition(d, depth - 1);
        put(d, ") IS %s)", truths[below(d, 6)]);
        return;
    case 4:
        put(d, "CASE WHEN ");
        put_condition(d, depth - 1);
        put(d, " THEN ");
        put_condition(d, 0);
        put(d, " ELSE ");
        put_condition(d, 0);
        put(d, " END");
        return;
    default:
        put_leaf_condition(d, depth - 1);
    }
}

static void put_filter(dialects *d)
{
    if (below(d, 3) != 0)
        return;
    put(d, " FILTER (WHERE ");
    put_condition(d, 1);
    put(d, ")");
}

/* Ours asks for means: theirs for the sums and counts that they are made of. */
static void put_aggregates(dialects *d, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const unsigned kind = below(d, 5);
        const size_t marks[2] = {strlen(d->ours), strlen(d->theirs)};
        static char ours[TEXT], theirs[TEXT], whole[5 * TEXT];
        char filters[2][TEXT];
        do { /* of a column at least: what is the same for every row is refused */
            if (kind == 0 && i == 0)
                put_text(d, 2);
            else
                put_number(d, 2);
            take_back(d, marks, ours, theirs);
        } while (strpbrk(ours, "xyctd") == NULL);
        put_filter(d);
        take_back(d, marks, filters[0], filters[1]);
        snprintf(whole, sizeof whole, ", %s(%s)%s AS a%zu",
                 kind == 0                ? "COUNT"
                 : kind == 1 || kind == 2 ? "SUM"
                                          : "AVG",
                 ours, filters[0], i);
        append(d->ours, whole);
        snprintf(whole, sizeof whole, ", COUNT(%s)%s, COALESCE(SUM(%s)%s, 0)", theirs,
                 filters[1], theirs, filters[1]);
        append(d->theirs, whole);
    }
}

static void make_question(dialects *d, size_t aggregates)
{
    static const char *const keys[] = {"", "x", "b", "t", "CASE", "DATE", "TEXT", "TEXT"};
    const char *key = keys[below(d, COUNT(keys))];
    static char own[2][TEXT];
    d->ours[0] = d->theirs[0] = own[0][0] = own[1][0] = '\0';
    const size_t marks[2] = {0, 0};
    if (strcmp(key, "CASE") == 0) {
        put(d, "CASE WHEN ");
        put_condition(d, 1);
        put(d, " THEN 'p' WHEN ");
        put_condition(d, 1);
        put(d, " THEN 'q' END");
        take_back(d, marks, own[0], own[1]);
    } else if (strcmp(key, "DATE") == 0) {
        put_either(d, below(d, 2) == 0 ? truncations[1] : date_numbers[4]);
        take_back(d, marks, own[0], own[1]);
    } else if (strcmp(key, "TEXT") == 0) {
        do { /* not the same for every row */
            put_text(d, 3);
            take_back(d, marks, own[0], own[1]);
        } while (strchr(own[0], 't') == NULL);
        if (strcmp(own[0], "t") == 0)
            key = "t";
    } else {
        snprintf(own[0], TEXT, "%s", key);
        snprintf(own[1], TEXT, "%s", key);
    }
    append(d->ours, "SELECT ");
    append(d->theirs, "SELECT ");
    append(d->ours, own[0]);
    append(d->theirs, key[0] == '\0' ? "1" : own[1]);
    if (key[0] != '\0')
        append(d->ours, " AS k, ");
    append(d->theirs, ", ");
    if (strlen(key) == 1) /* a column keeps its name */
        d->ours[strlen(d->ours) - strlen(" AS k, ")] = '\0', append(d->ours, ", ");
    put(d, "COUNT(*)");
    append(d->ours, " AS n");
    put_aggregates(d, aggregates);
    append(d->theirs, " FROM r");
    if (below(d, 4) != 0) {
        put(d, " WHERE ");
        put_condition(d, 2);
    }
    if (key[0] == '\0')
        return;
    if (below(d, 2) == 0) {
        put(d, " GROUP BY 1");
        return;
    }
    append(d->ours, strlen(key) == 1 ? " GROUP BY " : " GROUP BY k");
    append(d->ours, strlen(key) == 1 ? key : "");
    append(d->theirs, " GROUP BY 1");
}

/* The table, in a file and in SQLite. */

typedef struct scene {
    char path[64];
    sqlite3 *database;
    const sc_schema *schema;
} scene;

static void bind_cell(FILE *file, sqlite3_stmt *insert, int place, const char *cell,
                      const char *value, bool is_text)
{
    fprintf(file, "%s%s", place > 1 ? "," : "", cell);
    if (value == NULL)
        sqlite3_bind_null(insert, place);
    else if (is_text)
        sqlite3_bind_text(insert, place, value, -1, SQLITE_TRANSIENT);
    else
        sqlite3_bind_int(insert, place, atoi(value));
}

static void write_row(FILE *file, sqlite3_stmt *insert, uint64_t *seed)
{
    static const char *const broken[] = {"", "abc", "NaN", " ", "\"\"", "1x"};
    static const char *const texts[][2] = {
        {"a", "a"}, {"b", "b"},   {"\"\"", ""},   {"", NULL},     {"\xff", NULL},
        {"c", "c"}, {"ab", "ab"}, {" A ", " A "}, {"B_b", "B_b"}, {"aB%", "aB%"}};
    char number[16];
    for (int i = 1; i <= 3; i++) { /* x, y, c; c has the default 2 */
        const bool is_broken = row_random(seed, 100) < (i == 3 ? 10 : 25);
        snprintf(number, sizeof number, "%d", (int)row_random(seed, 10) - 3);
        const char *cell = is_broken ? broken[row_random(seed, COUNT(broken))] : number;
        bind_cell(file, insert, i, cell,
                  !is_broken ? number
                  : i == 3   ? "2"
                             : NULL,
                  false);
    }
    const uint64_t truth = row_random(seed, 4);
    bind_cell(file, insert, 4,
              truth == 0   ? "maybe"
              : truth == 1 ? "no"
                           : "yes",
              truth == 0   ? NULL
              : truth == 1 ? "0"
                           : "1",
              false);
    const uint64_t text = row_random(seed, COUNT(texts));
    bind_cell(file, insert, 5, texts[text][0], texts[text][1], true);
    /* 2023-12-20 to 2025-01-10; beyond them clamped. */
    int64_t day = 19711 - 20 + (int64_t)row_random(seed, 388 + 40);
    char cell[SC_CALENDAR_TEXT_BYTES + 1], value[SC_CALENDAR_TEXT_BYTES + 1];
    sc_calendar_format(day, cell);
    day = day < 19711 ? 19711 : day > 20098 ? 20098 : day;
    sc_calendar_format(day, value);
    const bool is_lost = row_random(seed, 5) == 0;
    bind_cell(file, insert, 6, is_lost ? "2024-02-30" : cell, is_lost ? NULL : value,
              true);
    /* In steps of half an hour, with an offset or in the zone, which is +02:00. */
    char time[40], utc[40];
    const unsigned half = (unsigned)row_random(seed, 48);
    snprintf(utc, sizeof utc, "2024-0%u-1%u %02u:%s:00",
             1 + (unsigned)row_random(seed, 3), (unsigned)row_random(seed, 10), half / 2,
             half % 2 == 0 ? "00" : "30");
    const uint64_t way = row_random(seed, 4);
    snprintf(time, sizeof time, "%.13s:%s%s", utc, half % 2 == 0 ? "00" : "30",
             way == 0   ? "Z"
             : way == 1 ? ":00+00:00"
             : way == 2 ? ":00 UTC"
                        : ":61");
    bind_cell(file, insert, 7, time, way == 3 ? NULL : utc, true);
    fputc('\n', file);
    CHECK_INT(sqlite3_step(insert), SQLITE_DONE);
    sqlite3_reset(insert);
}

static bool scene_begin(scene *s, uint64_t *seed)
{
    char policy[400];
    sqlite3_stmt *insert = NULL;
    *s = (scene){.database = NULL};
    FILE *file = pass_file_new(s->path);
    if (!CHECK(file != NULL) ||
        !CHECK_INT(sqlite3_open(":memory:", &s->database), SQLITE_OK))
        return false;
    CHECK_INT(sqlite3_exec(s->database, "CREATE TABLE r(x, y, c, b, t, d, e)", NULL, NULL,
                           NULL),
              SQLITE_OK);
    CHECK_INT(
        sqlite3_exec(s->database, "PRAGMA case_sensitive_like = ON", NULL, NULL, NULL),
        SQLITE_OK);
    CHECK_INT(sqlite3_prepare_v2(s->database, "INSERT INTO r VALUES(?,?,?,?,?,?,?)", -1,
                                 &insert, NULL),
              SQLITE_OK);
    fputs("x,y,c,b,t,d,e\n", file);
    for (size_t i = 0; i < ROWS; i++)
        write_row(file, insert, seed);
    fputs("nothing of this can be read\n", file);
    for (int i = 1; i <= 7; i++)
        sqlite3_bind_null(insert, i);
    sqlite3_bind_int(insert, 3, 2);
    CHECK_INT(sqlite3_step(insert), SQLITE_DONE);
    sqlite3_finalize(insert);
    fclose(file);
    snprintf(policy, sizeof policy,
             "unit=row\ncolumn=x=int[-3,6]\ncolumn=y=int[-3,6]\ncolumn=c=int[-3,6]\n"
             "missing=c=2\ncolumn=b=bool\ncolumn=t=text\n"
             "column=d=date[2023-12-20,2025-01-10]\nzone=+02:00\n"
             "column=e=timestamp[2024-01-01,2024-12-31]/1800\ncsv=%s\n",
             s->path);
    return CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, &s->schema, NULL),
                        SCRIM_OK);
}

static void scene_end(scene *s)
{
    sqlite3_close(s->database);
    sc_schema_free(s->schema);
    unlink(s->path);
}

/* Answers, as sorted lines: the key, the rows, and of each aggregate its values and their sum. */

typedef struct answer {
    char lines[40][200];
    size_t count;
} answer;

static int by_line(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Words of a line have spaces between them: a key has none. */
static size_t put_line_key(char *line, const char *key)
{
    const size_t length = (size_t)snprintf(line, 200, "[%s]", key);
    for (size_t i = 0; i < length; i++)
        if (line[i] == ' ')
            line[i] = '~';
    return length;
}

static bool ask_sqlite(const scene *s, const dialects *d, answer *out)
{
    sqlite3_stmt *query = NULL;
    out->count = 0;
    if (!CHECK_INT(sqlite3_prepare_v2(s->database, d->theirs, -1, &query, NULL),
                   SQLITE_OK))
        return CHECK_STR(d->theirs, sqlite3_errmsg(s->database));
    while (sqlite3_step(query) == SQLITE_ROW && out->count < 40) {
        char *line = out->lines[out->count++];
        const char *key = (const char *)sqlite3_column_text(query, 0);
        size_t used = put_line_key(line, key == NULL ? "<null>" : key);
        for (int i = 1; i < sqlite3_column_count(query); i++)
            used += (size_t)snprintf(line + used, 200 - used, " %lld",
                                     (long long)sqlite3_column_int64(query, i));
    }
    sqlite3_finalize(query);
    qsort(out->lines, out->count, sizeof *out->lines, by_line);
    return true;
}

/* As the plan would have it drawn. */
static long long number_of(const sc_statistics *statistics, size_t at, const sc_group *g)
{
    const sc_group_statistic *s = &statistics->list[at];
    const sc_int128 n = s->value == SC_STATISTIC_NONE ? (sc_int128)g->rows
                                                      : (sc_int128)g->present[s->value];
    if (s->kind == SC_STATISTIC_ROWS)
        return (long long)n;
    return (long long)(g->sums[s->value] +
                       n * (statistics->groups[s->value].centre - s->centre));
}

/* A sum follows from a centred one and the rows of its own; a mean has both. */
static void put_answer(const sc_query *query, const sc_statistics *statistics,
                       const sc_group *g, char *line)
{
    size_t used = strlen(line);
    used +=
        (size_t)snprintf(line + used, 200 - used, " %llu", (unsigned long long)g->rows);
    for (size_t i = 1; i < query->aggregate_count; i++) {
        const sc_statistic_use *use = &statistics->uses[i];
        long long rows = 0, sum = 0;
        if (use->rows != SC_STATISTIC_NONE)
            rows = number_of(statistics, use->rows, g);
        if (use->sum != SC_STATISTIC_NONE)
            sum =
                number_of(statistics, use->sum, g) +
                (use->rows == SC_STATISTIC_NONE ? 0 : statistics->list[use->sum].centre) *
                    rows;
        if (query->aggregates[i].value != NULL) {
            const sc_value_step step = query->aggregates[i].value->extent.step;
            sum = sum * step.numerator / step.denominator;
        }
        used +=
            (size_t)(use->rows == SC_STATISTIC_NONE
                         ? snprintf(line + used, 200 - used, " ? %lld", sum)
                         : snprintf(line + used, 200 - used, " %lld %lld", rows, sum));
    }
}

static void put_key(const sc_query *query, const sc_group *g, char *line)
{
    char text[100] = "1";
    sc_key_part part = {.is_text = query->key_count > 0 &&
                                   sc_typed_is_text(query->keys[0].value)};
    if (query->key_count > 0 && CHECK(sc_key_tuple_read(g->key, &part, 1))) {
        if (sc_key_part_is_null(&part))
            snprintf(text, sizeof text, "<null>");
        else if (part.is_text)
            snprintf(text, sizeof text, "%.*s", (int)part.text.bytes, part.text.start);
        else if (query->keys[0].value->type == SC_TYPE_BOOL)
            snprintf(text, sizeof text, "%d", (int)part.value);
        else
            (void)sc_key_text(query->keys[0].value, part.value, text, sizeof text);
    }
    (void)put_line_key(line, text);
}

/* What theirs has of an aggregate that ours does not ask for is taken over. */
static void fill_gaps(answer *ours, const answer *theirs)
{
    for (size_t i = 0; i < ours->count && i < theirs->count; i++) {
        char filled[200] = "", *mine = ours->lines[i];
        const char *other = theirs->lines[i];
        size_t used = 0;
        while (*mine != '\0') {
            const size_t a = strcspn(mine + 1, " ") + 1, b = strcspn(other + 1, " ") + 1;
            const bool is_gap = strncmp(mine, " ?", 2) == 0;
            used += (size_t)snprintf(filled + used, sizeof filled - used, "%.*s",
                                     (int)(is_gap ? b : a), is_gap ? other : mine);
            mine += a;
            other += other[0] == '\0' ? 0 : b;
        }
        snprintf(ours->lines[i], sizeof ours->lines[i], "%s", filled);
    }
}

static bool ask_engine(const scene *s, const sc_query *query, sc_arena *arena,
                       answer *out)
{
    const sc_pass_options options = {.workers = 1};
    sc_statistics statistics;
    sc_pass *pass = NULL;
    scrim_error error = {.status = SCRIM_OK};
    if (!CHECK_STATUS(sc_statistics_of(query, false, arena, &statistics, &error),
                      SCRIM_OK))
        return false;
    const sc_pass_statement asked = {
        .query = query, .statistics = &statistics, .max_groups = 1, .max_rows = 1};
    const bool is_done = CHECK_STATUS(
        pass_run(s->schema, &asked, 1, &options, 7, &pass, &error), SCRIM_OK);
    const sc_groups *groups = is_done ? sc_pass_groups(pass, 0) : NULL;
    out->count = 0;
    for (size_t i = 0; is_done && i < groups->count && out->count < 40; i++) {
        char *line = out->lines[out->count++];
        put_key(query, &groups->groups[i], line);
        put_answer(query, &statistics, &groups->groups[i], line);
    }
    sc_pass_close(pass);
    qsort(out->lines, out->count, sizeof *out->lines, by_line);
    return is_done;
}

/* What is refused since no row can be so has none in SQLite. */
static void check_refused(const scene *s, const dialects *d, const scrim_error *error)
{
    static answer theirs;
    char count[TEXT];
    const char *where = strstr(d->theirs, " FROM r WHERE "), *group;
    if (strncmp(error->message, "no row can be so", 16) != 0 || where == NULL ||
        strstr(d->ours, "FILTER") != NULL)
        return;
    group = strstr(where, " GROUP BY 1");
    dialects counting = *d;
    snprintf(count, sizeof count, "SELECT 1, COUNT(*)%.*s",
             (int)(group == NULL ? strlen(where) : (size_t)(group - where)), where);
    snprintf(counting.theirs, TEXT, "%s", count);
    if (ask_sqlite(s, &counting, &theirs) && !CHECK_STR(theirs.lines[0], "[1] 0"))
        CHECK_STR(d->ours, "");
}

/* Is the sum of an aggregate left out, as COUNT has none? Then theirs is too. */
static void mask_sums(const sc_query *query, answer *theirs)
{
    for (size_t i = 0; i < theirs->count; i++) {
        char masked[200] = "";
        const char *at = theirs->lines[i];
        size_t used = 0;
        for (size_t word = 0; *at != '\0'; word++) {
            const size_t bytes = strcspn(at + 1, " ") + 1;
            const bool is_sum = word >= 3 && word % 2 == 1 &&
                                query->aggregates[(word - 1) / 2].value == NULL;
            used += (size_t)snprintf(masked + used, sizeof masked - used, "%.*s",
                                     is_sum ? 2 : (int)bytes, is_sum ? " 0" : at);
            at += bytes;
        }
        snprintf(theirs->lines[i], sizeof theirs->lines[i], "%s", masked);
    }
}

static bool check_question(const scene *s, const dialects *d, size_t *answered)
{
    static answer ours, theirs;
    const sc_query *query = NULL;
    scrim_error error = {.status = SCRIM_OK};
    sc_refusal refusal = {.error = &error};
    sc_arena arena;
    bool is_same = true;
    sc_arena_init(&arena);
    const scrim_status status = sc_validate(sc_text_of(d->ours), sc_text_of("r"),
                                            s->schema, &arena, &query, &refusal);
    if (status == SCRIM_E_PARAM || status == SCRIM_E_LIMIT) {
        check_refused(s, d, &error);
    } else if (CHECK_STATUS(status, SCRIM_OK)) {
        if (ask_engine(s, query, &arena, &ours) && ask_sqlite(s, d, &theirs)) {
            /* A group that SQLite has none of has no rows. */
            mask_sums(query, &theirs);
            fill_gaps(&ours, &theirs);
            is_same = CHECK_INT(ours.count, theirs.count);
            for (size_t i = 0; is_same && i < ours.count; i++)
                is_same = CHECK_STR(ours.lines[i], theirs.lines[i]);
            ++*answered;
        }
    } else {
        is_same = CHECK_STR(error.message, "");
    }
    if (!is_same)
        CHECK_STR(d->ours, d->theirs);
    sc_arena_clear(&arena);
    return is_same;
}

TEST(null_questions_mean_what_they_mean_in_sql)
{
    CLAIM("expression.null");
    CLAIM("statistic.present");
    CLAIM("condition-facts.sound");
    CLAIM("text-value.total");
    static dialects d;
    uint64_t seed = check_seed();
    size_t answered = 0;
    const uint64_t count = check_count_whole(400, 10000);
    scene s;
    d.seed = &seed;
    bool is_same = scene_begin(&s, &seed);
    for (uint64_t i = 0; is_same && i < count; i++) {
        if (i % 100 == 99) { /* other rows */
            scene_end(&s);
            is_same = scene_begin(&s, &seed);
        }
        make_question(&d, 1 + below(&d, 3));
        is_same = is_same && check_question(&s, &d, &answered);
    }
    CHECK(answered > count / 2);
    scene_end(&s);
}
