/* Random questions over rows with NULL and of computed texts, against databases on the same rows: what is
 * counted, summed and grouped before noise, also where the plan shares a count. */
#include "check.h"
#include "data/value/calendar.h"
#include "random_question.h"
#include "row_oracle.h"
#include "twin_questions.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 80, COLUMNS = 9, UNITS = 12 };

/* x, y and c; c has the default 2. */
static void make_numbers(sql_cell *cells, uint64_t *seed)
{
    static const char *const broken[] = {"", "abc", "NaN", " ", "\"\"", "1x"};
    for (int i = 0; i < 3; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", (int)row_random(seed, 10) - 3);
        if (row_random(seed, 100) < (i == 2 ? 10 : 25))
            sql_cell_set(&cells[i], broken[row_random(seed, COUNT(broken))],
                         i == 2 ? "2" : "NULL");
        else
            sql_cell_set(&cells[i], number, number);
    }
}

static void make_truth(sql_cell *cell, uint64_t *seed)
{
    static const char *const truths[][2] = {
        {"maybe", "NULL"}, {"no", "FALSE"}, {"yes", "TRUE"}, {"1", "TRUE"}};
    const char *const *truth = truths[row_random(seed, COUNT(truths))];
    sql_cell_set(cell, truth[0], truth[1]);
}

static void make_texts(sql_cell cells[2], uint64_t *seed)
{
    static const char *const texts[][2] = {
        {"a", "'a'"},     {"b", "'b'"},    {"\"\"", "''"}, {"", "NULL"},
        {"\xff", "NULL"}, {"c", "'c'"},    {"ab", "'ab'"}, {" A ", "' A '"},
        {"B_b", "'B_b'"}, {"aB%", "'aB%'"}};
    static const char *const wide[][2] = {
        {"", "NULL"},     {"Éa", "'Éa'"},   {"ßẞ", "'ßẞ'"},   {"日本語", "'日本語'"},
        {"ÀǆЖ", "'ÀǆЖ'"}, {"ıIi", "'ıIi'"}, {"Ω_😀", "'Ω_😀'"}, {"σςΣ", "'σςΣ'"}};
    const char *const *text = texts[row_random(seed, COUNT(texts))];
    sql_cell_set(&cells[0], text[0], text[1]);
    text = wide[row_random(seed, COUNT(wide))];
    sql_cell_set(&cells[1], text[0], text[1]);
}

/* 2023-12-20 to 2025-01-10; beyond them clamped. */
static void make_date(sql_cell *cell, uint64_t *seed)
{
    int64_t day = 19711 - 20 + (int64_t)row_random(seed, 388 + 40);
    char text[SC_CALENDAR_TEXT_BYTES + 1], value[SC_CALENDAR_TEXT_BYTES + 1], quoted[40];
    sc_calendar_format(day, text);
    day = day < 19711 ? 19711 : day > 20098 ? 20098 : day;
    sc_calendar_format(day, value);
    snprintf(quoted, sizeof quoted, "'%s'", value);
    if (row_random(seed, 5) == 0)
        sql_cell_set(cell, "2024-02-30", "NULL");
    else
        sql_cell_set(cell, text, quoted);
}

/* In steps of half an hour: with an offset, or without one, in the zone. PostgreSQL reads the text by
 * itself; SQLite is told how far the zone is ahead. Some are of the days when clocks change. */
static void make_moment(sql_cell *cell, uint64_t *seed)
{
    static const char *const offsets[] = {"Z", ":00+00:00", ":00 UTC", "+05:30", "-01"};
    static const char *const ahead[] = {"", "", "", "'-330 minutes'", "'+1 hours'"};
    char local[40];
    const bool is_change = row_random(seed, 3) == 0;
    const unsigned half = (unsigned)row_random(seed, is_change ? 10 : 48);
    if (is_change)
        snprintf(local, sizeof local, "2024-%s",
                 row_random(seed, 2) == 0 ? "03-31" : "10-27");
    else
        snprintf(local, sizeof local, "2024-0%u-1%u", 1 + (unsigned)row_random(seed, 3),
                 (unsigned)row_random(seed, 10));
    snprintf(local + 10, sizeof local - 10, " %02u:%s", half / 2,
             half % 2 == 0 ? "00" : "30");
    if (row_random(seed, 8) == 0) {
        sql_cell_set(cell, "2024-03-10 10:00:61", "NULL");
        return;
    }
    const uint64_t way = row_random(seed, 2 * COUNT(offsets));
    const bool is_local = way >= COUNT(offsets);
    snprintf(cell->text, sizeof cell->text, "%s%s", local, is_local ? "" : offsets[way]);
    snprintf(cell->postgres, sizeof cell->postgres, "'%.50s'", cell->text);
    snprintf(cell->sqlite, sizeof cell->sqlite, "datetime('%s'%s%s)", local,
             is_local || ahead[way][0] != '\0' ? ", " : "",
             is_local ? "'-2 hours'" : ahead[way]);
}

/* Rows of nobody, which are in no answer. */
static const char strays[] =
    ",1,2,3,yes,a,,2024-01-01,\n,,,,,,,,\n,6,6,6,no,b,Éa,2024-05-05,\n";

/* Only PostgreSQL knows the changes of a zone by name. */
static bool begin(sql_twin *twin, postgres_session *postgres, dialects *d)
{
    sql_cell cells[COLUMNS];
    char lines[600], name[16];
    const bool is_named = postgres != NULL && row_random(d->seed, 3) == 0;
    d->has_sqlite = !is_named;
    d->has_units = row_random(d->seed, 2) == 0;
    bool is_made =
        sql_twin_begin(twin, postgres, "p,x,y,c,b,t,u,d,e",
                       "p text, x numeric, y numeric, c numeric, b boolean, t text, "
                       "u text, d date, e timestamptz");
    if (is_made && postgres != NULL)
        is_made = postgres_do(postgres,
                              is_named ? "SET TIME ZONE 'Europe/Berlin'"
                                       : "SET TIME ZONE INTERVAL '" RANDOM_QUESTION_ZONE
                                         "' HOUR TO MINUTE");
    for (size_t i = 0; is_made && i < ROWS; i++) {
        snprintf(name, sizeof name, "'%u'", (unsigned)row_random(d->seed, UNITS));
        sql_cell_set(&cells[0], name, name);
        make_numbers(&cells[1], d->seed);
        make_truth(&cells[4], d->seed);
        make_texts(&cells[5], d->seed);
        make_date(&cells[7], d->seed);
        make_moment(&cells[8], d->seed);
        is_made = sql_twin_row(twin, cells, COLUMNS, NULL);
    }
    for (size_t i = 0; i < COLUMNS; i++)
        sql_cell_set(&cells[i], "", i == 3 ? "2" : "NULL");
    snprintf(lines, sizeof lines,
             "unit=%s\ncolumn=x=int[-3,6]\ncolumn=y=int[-3,6]\ncolumn=c=int[-3,6]\n"
             "missing=c=2\ncolumn=b=bool\ncolumn=t=text\ncolumn=u=text\n"
             "column=d=date[2023-12-20,2025-01-10]\nzone=%s\n"
             "column=e=timestamp[2024-01-01,2024-12-31]/1800\n",
             d->has_units ? "p\nmax-groups=1000\nmax-rows=1000" : "row",
             is_named ? "Europe/Berlin" : RANDOM_QUESTION_ZONE);
    if (is_made && d->has_units) /* these units stay within the bounds */
        fputs(strays, twin->file);
    return is_made &&
           (d->has_units ||
            sql_twin_row(twin, cells, COLUMNS, "nothing of this can be read")) &&
           sql_twin_declare(twin, lines);
}

TEST(null_questions_mean_what_they_mean_in_sql)
{
    CLAIM("expression.null");
    CLAIM("statistic.present");
    CLAIM("condition-facts.sound");
    CLAIM("text-value.total");
    const twin_questions questions = {.begin = begin, .make = random_question};
    twin_questions_ask(&questions, check_count(300, 10000));
}
