#include "random_question.h"

#include "check.h"

#include <string.h>

#define below dialects_below
#define chance dialects_chance
#define put dialects_put

static void put_condition(dialects *d, unsigned depth);
static void put_number(dialects *d, unsigned depth);
static void put_text(dialects *d, unsigned depth);

/* Text that SQLite has not, or reads otherwise, is written where PostgreSQL answers. */
static bool is_wide(dialects *d, unsigned n)
{
    if (!d->has_postgres || !chance(d, n))
        return false;
    d->is_for_sqlite = false;
    return true;
}

static const char *maybe_not(const dialects *d)
{
    return chance(d, 2) ? "NOT " : "";
}

static const char *any_sign(const dialects *d)
{
    static const char *const signs[] = {" = ", " <> ", " < ", " <= ", " > ", " >= "};
    return signs[below(d, COUNT(signs))];
}

/* ---- dates ---- */

static const char *const date_numbers[][DIALECTS] = {
    {"(YEAR(d) - 2024)", "(strftime('%Y', d) - 2024)", "(EXTRACT(YEAR FROM d) - 2024)"},
    {"QUARTER(d)", "((strftime('%m', d) + 2) / 3)", "EXTRACT(QUARTER FROM d)"},
    {"MONTH(d)", "(strftime('%m', d) + 0)", "EXTRACT(MONTH FROM d)"},
    {"WEEK(d)", "((strftime('%j', date(d, '-3 days', 'weekday 4')) - 1) / 7 + 1)",
     "EXTRACT(WEEK FROM d)"},
    {"WEEKDAY(d)", "((strftime('%w', d) + 6) % 7 + 1)", "EXTRACT(ISODOW FROM d)"},
    {"DAY(d)", "(strftime('%d', d) + 0)", "EXTRACT(DAY FROM d)"},
    {"(d - DATE '2024-02-29')", "CAST(julianday(d) - julianday('2024-02-29') AS INTEGER)",
     "(d - DATE '2024-02-29')::numeric"},
    {"HOUR(e)", "(strftime('%H', e, '+2 hours') + 0)", "EXTRACT(HOUR FROM e)"},
    {"WEEKDAY(e)", "((strftime('%w', e, '+2 hours') + 6) % 7 + 1)",
     "EXTRACT(ISODOW FROM e)"},
    {"DAY(e)", "(strftime('%d', e, '+2 hours') + 0)", "EXTRACT(DAY FROM e)"},
    {"((e - TIMESTAMP '2024-01-01 00:00Z') / 1800)",
     "((strftime('%s', e) - strftime('%s', '2024-01-01')) / 1800)",
     "((EXTRACT(EPOCH FROM e) - EXTRACT(EPOCH FROM TIMESTAMPTZ '2024-01-01 00:00Z')) / "
     "1800)"},
};
enum { WEEKDAY_OF_DATE = 4 };

static const char *const dates[][DIALECTS] = {
    {"DATE_TRUNC('week', d)", "date(d, '-6 days', 'weekday 1')",
     "date_trunc('week', d)::date"},
    {"DATE_TRUNC('month', d)", "date(d, 'start of month')",
     "date_trunc('month', d)::date"},
    {"DATE_TRUNC('year', d)", "date(d, 'start of year')", "date_trunc('year', d)::date"},
    {"DATE_TRUNC('day', d)", "d", "d"},
    {"DATE_TRUNC('month', e)", "date(e, '+2 hours', 'start of month')",
     "date_trunc('month', e)::date"},
    {"DATE_TRUNC('day', e)", "date(e, '+2 hours')", "date_trunc('day', e)::date"},
    {"(d + 30)", "date(d, '+30 days')", "(d + 30)"},
    {"BUCKET(d, 10)",
     "date(CAST(julianday(d) - 2440587.5 AS INTEGER) / 10 * 10 + 2440587.5)",
     "(DATE '1970-01-01' + (d - DATE '1970-01-01') / 10 * 10)"},
};
static const char *const days[] = {"'2024-01-01'", "'2023-12-25'", "'2024-02-29'",
                                   "'2024-12-30'"};

/* Points in time, what they are compared with, and how they look as keys. */
static const char *const moments[][DIALECTS] = {
    {"e", "e", "e"},
    {"DATE_TRUNC('hour', e)", "strftime('%Y-%m-%d %H:00:00', e)",
     "date_trunc('hour', e)"},
    {"BUCKET(e, 3600)", "strftime('%Y-%m-%d %H:00:00', e)", "date_trunc('hour', e)"},
};
static const char *const instants[][DIALECTS] = {
    {"TIMESTAMP '2024-02-14 12:00'", "'2024-02-14 10:00:00'",
     "TIMESTAMPTZ '2024-02-14 12:00'"},
    {"TIMESTAMP '2024-03-12 00:30Z'", "'2024-03-12 00:30:00'",
     "TIMESTAMPTZ '2024-03-12 00:30Z'"},
    {"'2024-01-15 23:30+05:30'", "'2024-01-15 18:00:00'",
     "TIMESTAMPTZ '2024-01-15 23:30+05:30'"},
    {"DATE '2024-02-11'", "'2024-02-10 22:00:00'", "TIMESTAMPTZ '2024-02-11'"},
};
static const char *const moment_keys[][DIALECTS] = {
    {"DATE_TRUNC('hour', e)",
     "strftime('%Y-%m-%d %H:00:00', e, '+2 hours') || '" RANDOM_QUESTION_ZONE "'",
     "to_char(date_trunc('hour', e), 'YYYY-MM-DD HH24:MI:SSTZH:TZM')"},
    {"e", "strftime('%Y-%m-%d %H:%M:%S', e, '+2 hours') || '" RANDOM_QUESTION_ZONE "'",
     "to_char(e, 'YYYY-MM-DD HH24:MI:SSTZH:TZM')"},
};

static void put_date_condition(dialects *d)
{
    const char *sign = any_sign(d);
    if (chance(d, 3)) {
        dialects_put_each(d, moments[below(d, COUNT(moments))]);
        put(d, "%s", sign);
        dialects_put_each(d, instants[below(d, COUNT(instants))]);
        return;
    }
    dialects_put_each(d, dates[below(d, COUNT(dates))]);
    put(d, "%s%s", sign, days[below(d, COUNT(days))]);
}

/* ---- texts ---- */

/* Before the first character SQLite counts from the end. */
static void put_positions(dialects *d)
{
    const int from = is_wide(d, 3) ? (int)below(d, 6) - 3 : 1 + (int)below(d, 3);
    put(d, ", %d", from);
    if (chance(d, 2))
        put(d, ", %u", below(d, 4));
}

static void put_function(dialects *d, const char *name, unsigned depth)
{
    put(d, "%s(", name);
    put_text(d, depth);
    if (strcmp(name, "SUBSTR") == 0)
        put_positions(d);
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

/* CASE of values that put_value writes. */
static void put_case(dialects *d, void (*put_value)(dialects *, unsigned), unsigned depth)
{
    put(d, "CASE ");
    if (chance(d, 4)) {
        put_number(d, depth);
        put(d, " WHEN 1 THEN ");
        put_value(d, depth);
        put(d, " WHEN c");
    } else {
        put(d, "WHEN ");
        put_condition(d, depth);
    }
    put(d, " THEN ");
    put_value(d, depth);
    if (chance(d, 2)) {
        put(d, " ELSE ");
        put_value(d, depth);
    }
    put(d, " END");
}

static void put_text(dialects *d, unsigned depth)
{
    static const char *const leaves[] = {"t", "t",   "t",    "t",  "t",   "t",
                                         "t", "'a'", "' A'", "''", "'b_'"};
    static const char *const functions[] = {"LOWER", "UPPER", "TRIM",
                                            "LTRIM", "RTRIM", "SUBSTR"};
    if (depth == 0 || chance(d, 4)) {
        put(d, "%s", is_wide(d, 4) ? "u" : leaves[below(d, COUNT(leaves))]);
        return;
    }
    switch (below(d, 8)) {
    case 0:
        put_two_texts(d, "(", " || ", depth - 1);
        return;
    case 1:
        put_two_texts(d, chance(d, 2) ? "COALESCE(" : "NULLIF(", ", ", depth - 1);
        return;
    case 2:
        put_case(d, put_text, depth - 1);
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
    const bool is_named = chance(d, 3);
    put_text(d, depth);
    if (is_named) {
        put(d, " %sLIKE '%%!%%' ESCAPE '!'", maybe_not(d));
        return;
    }
    put(d, " %sLIKE '%s'", maybe_not(d), patterns[below(d, COUNT(patterns))]);
    dialects_put_in(d, IN_SQLITE, " ESCAPE '\\'");
}

static void put_text_condition(dialects *d, unsigned depth)
{
    const unsigned kind = below(d, 6);
    if (kind > 3) {
        put_like(d, depth);
        return;
    }
    put_text(d, depth);
    if (kind == 1) {
        put(d, " %sIN ('a', 'ab', '', ' A'%s)", maybe_not(d),
            chance(d, 3) ? ", NULL" : "");
        return;
    }
    if (kind == 2) {
        put(d, " IS %sNULL", maybe_not(d));
        return;
    }
    if (kind == 0)
        put(d, "%s", chance(d, 2) ? " = " : " <> ");
    else
        put(d, " IS %sDISTINCT FROM ", maybe_not(d));
    put_text(d, depth);
}

/* ---- numbers ---- */

static void put_two(dialects *d, const char *before, const char *between, unsigned depth)
{
    put(d, "%s", before);
    put_number(d, depth);
    put(d, "%s", between);
    put_number(d, depth);
    put(d, ")");
}

static void put_extreme(dialects *d)
{
    static dialect_texts a, b;
    const dialects_mark mark = dialects_here(d);
    put_number(d, 0);
    dialects_take_back(d, &mark, &a);
    put_number(d, 0);
    dialects_take_back(d, &mark, &b);
    dialects_put_extreme(d, chance(d, 2), &a, &b);
}

/* A number: ours divides exactly, rounds halves up and has words for what others write out. Halves and
 * quarters are exact in SQLite too. */
static const char *const steps[][2][DIALECTS] = {
    {{"(", "(", "("}, {" / 2)", " / 2.0)", " / 2.0)"}},
    {{"(", "(", "("}, {" / 4)", " / 4.0)", " / 4.0)"}},
    {{"FLOOR(", "FLOOR(", "FLOOR("}, {")", ")", "::numeric)"}},
    {{"ROUND(", "FLOOR(0.5 + ", "FLOOR(0.5 + "}, {")", ")", ")"}},
    {{"BUCKET(", "(2 * FLOOR(", "(2 * FLOOR("}, {", 2)", " / 2.0))", " / 2.0))"}},
    {{"(-", "(-", "(-"}, {")", ")", ")"}},
};

static void put_step(dialects *d, unsigned depth)
{
    static const char *const tenths[2][DIALECTS] = {{"ROUND(", "", "(FLOOR(0.5 + 10 * "},
                                                    {", 1)", "", ") / 10)"}};
    const char *const(*step)[DIALECTS] =
        is_wide(d, 6) ? tenths : steps[below(d, COUNT(steps))];
    dialects_put_each(d, step[0]);
    put(d, "(");
    put_number(d, depth);
    put(d, ")");
    dialects_put_each(d, step[1]);
}

static void put_clamp(dialects *d)
{
    static dialect_texts value;
    const dialects_mark mark = dialects_here(d);
    put_number(d, 0);
    dialects_take_back(d, &mark, &value);
    dialects_put_in(d, IN_SCRIM, "CLAMP(%s, 0, 3)", value.in[IN_SCRIM]);
    for (int i = IN_SQLITE; i < DIALECTS; i++)
        dialects_put_in(d, (dialect)i,
                        "CASE WHEN %s < 0 THEN 0 WHEN %s > 3 THEN 3 ELSE %s END",
                        value.in[i], value.in[i], value.in[i]);
}

static void put_number_of(dialects *d, unsigned depth)
{
    switch (below(d, 12)) {
    case 0:
        put_two(d, "(", " + ", depth);
        return;
    case 1:
        put_two(d, "(", " - ", depth);
        return;
    case 2:
        put(d, "ABS(");
        put_number(d, depth);
        put(d, ")");
        return;
    case 3:
        put_two(d, chance(d, 2) ? "COALESCE(" : "NULLIF(", ", ", depth);
        return;
    case 4:
        put_extreme(d);
        return;
    case 5:
        put(d, "(");
        put_number(d, depth);
        put(d, " * %d)", (int)below(d, 4) - 1);
        return;
    case 6:
        put_function(d, "LENGTH", depth);
        return;
    case 7:
    case 8:
        put_step(d, depth);
        return;
    case 9:
        if (chance(d, 2))
            put_clamp(d);
        else
            put_two(d, "(", " * ", 0);
        return;
    default:
        put_case(d, put_number, depth);
    }
}

static void put_number(dialects *d, unsigned depth)
{
    static const char *const leaves[] = {"x", "y", "x", "y", "c", "2", "0", "-1"};
    if (chance(d, 12))
        dialects_put_each(d, date_numbers[below(d, COUNT(date_numbers))]);
    else if (depth == 0 || chance(d, 4))
        put(d, "%s", leaves[below(d, COUNT(leaves))]);
    else
        put_number_of(d, depth - 1);
}

/* ---- conditions ---- */

static void put_number_condition(dialects *d, unsigned depth)
{
    put_number(d, depth);
    switch (below(d, 6)) {
    case 0:
        put(d, " IS %sNULL", maybe_not(d));
        return;
    case 1:
        put(d, " %sIN (1, 5%s)", maybe_not(d), chance(d, 3) ? ", NULL" : "");
        return;
    case 2:
        put(d, " %sBETWEEN ", maybe_not(d));
        put_number(d, 0);
        put(d, " AND ");
        put_number(d, 0);
        return;
    case 3:
        put(d, " IS %sDISTINCT FROM ", maybe_not(d));
        put_number(d, depth);
        return;
    default:
        put(d, "%s", any_sign(d));
        put_number(d, depth);
    }
}

static void put_leaf_condition(dialects *d, unsigned depth)
{
    switch (below(d, 13)) {
    case 0:
        put(d, "b");
        return;
    case 1:
        put_date_condition(d);
        return;
    case 2:
        put(d, "t%s", chance(d, 2) ? " = 'a'" : " <> ''");
        return;
    case 3:
        put(d, "t %sIN ('a', ''%s)", maybe_not(d), chance(d, 3) ? ", NULL" : "");
        return;
    case 4:
        put(d, "%c IS %sNULL", "tbde"[below(d, 4)], maybe_not(d));
        return;
    case 5:
    case 6:
    case 7:
        put_text_condition(d, depth);
        return;
    default:
        put_number_condition(d, depth);
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
        put(d, "%s", chance(d, 2) ? " AND " : " OR ");
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
        put(d, ") IS %s)", truths[below(d, COUNT(truths))]);
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

/* ---- questions ---- */

/* A sum of no value is 0 here, and a mean exact. */
static void put_aggregate(dialects *d, unsigned kind, const dialect_texts *value,
                          const dialect_texts *filter)
{
    static const char *const names[] = {"COUNT", "SUM", "AVG"};
    dialects_put_in(d, IN_SCRIM, "%s(%s)%s", names[kind], value->in[IN_SCRIM],
                    filter->in[IN_SCRIM]);
    for (int i = IN_SQLITE; i < DIALECTS; i++) {
        const char *v = value->in[i], *f = filter->in[i];
        if (kind == 1)
            dialects_put_in(d, (dialect)i, "COALESCE(SUM(%s)%s, 0)", v, f);
        else if (kind == 2 && i == IN_POSTGRES)
            dialects_put_in(d, IN_POSTGRES, "over(SUM(%s)%s, COUNT(%s)%s)", v, f, v, f);
        else
            dialects_put_in(d, (dialect)i, "%s(%s)%s", names[kind], v, f);
    }
}

/* COUNT(DISTINCT x) of a text or a column: what is computed in doubles may differ where decimals are equal. */
static void put_different(dialects *d)
{
    static const char *const columns[] = {"x", "y", "t", "d"};
    static dialect_texts value;
    const dialects_mark mark = dialects_here(d);
    do {
        if (chance(d, 2))
            put_text(d, 2);
        else
            put(d, "%s", columns[below(d, COUNT(columns))]);
        dialects_take_back(d, &mark, &value);
    } while (strpbrk(value.in[IN_SCRIM], "xyctdeu") == NULL);
    put(d, "COUNT(DISTINCT ");
    dialects_put_texts(d, &value);
    put(d, ")");
}

static void put_aggregates(dialects *d, size_t count)
{
    static dialect_texts value, filter;
    for (size_t i = 0; i < count; i++) {
        const unsigned kind = below(d, 5);
        const dialects_mark mark = dialects_here(d);
        do { /* of a column at least: what is the same for every row is refused */
            if (kind == 0 && chance(d, 2))
                put_text(d, 2);
            else
                put_number(d, 2);
            dialects_take_back(d, &mark, &value);
        } while (strpbrk(value.in[IN_SCRIM], "xyctdeu") == NULL);
        if (chance(d, 3)) {
            put(d, " FILTER (WHERE ");
            put_condition(d, 1);
            put(d, ")");
        }
        dialects_take_back(d, &mark, &filter);
        put(d, ", ");
        if (chance(d, 5)) {
            put_different(d);
            dialects_put_texts(d, &filter);
        } else if (d->has_units && chance(d, 4)) {
            put(d, "COUNT(DISTINCT p)");
            dialects_put_texts(d, &filter);
        } else {
            put_aggregate(d, kind < 3 ? (kind + 1) / 2 : 2, &value, &filter);
        }
        dialects_put_in(d, IN_SCRIM, " AS a%zu", i);
    }
}

typedef enum key_kind {
    NO_KEY,
    COLUMN_KEY,
    CASE_KEY,
    DATE_KEY,
    TEXT_KEY,
    NUMBER_KEY
} key_kind;

/* Not the same for every row. */
static void put_varied(dialects *d, void (*put_value)(dialects *, unsigned),
                       const char *columns, dialect_texts *out)
{
    const dialects_mark mark = dialects_here(d);
    do {
        put_value(d, 3);
        dialects_take_back(d, &mark, out);
    } while (strpbrk(out->in[IN_SCRIM], columns) == NULL);
}

static void make_key(dialects *d, key_kind kind, dialect_texts *own)
{
    static const char *const columns[][DIALECTS] = {
        {"x", "x", "x"}, {"b", "b", "b::int"}, {"t", "t", "t"}, {"d", "d", "d"}};
    const dialects_mark mark = dialects_here(d);
    if (kind == COLUMN_KEY) {
        dialects_put_each(d, columns[below(d, COUNT(columns))]);
    } else if (kind == CASE_KEY) {
        put(d, "CASE WHEN ");
        put_condition(d, 1);
        put(d, " THEN 'p' WHEN ");
        put_condition(d, 1);
        put(d, " THEN 'q' END");
    } else if (kind == DATE_KEY) {
        dialects_put_each(d, chance(d, 3)   ? date_numbers[WEEKDAY_OF_DATE]
                             : chance(d, 2) ? dates[below(d, COUNT(dates))]
                                            : moment_keys[below(d, COUNT(moment_keys))]);
    } else if (kind == TEXT_KEY) {
        put_varied(d, put_text, "tu", own);
        return;
    } else if (kind == NUMBER_KEY) {
        put_varied(d, put_number, "xyc", own);
        dialects_put_in(d, IN_POSTGRES, "trim_scale((%s)::numeric)",
                        own->in[IN_POSTGRES]);
        dialects_put_in(d, IN_SQLITE, "(%s)", own->in[IN_SQLITE]);
        dialects_put_in(d, IN_SCRIM, "%s", own->in[IN_SCRIM]);
    }
    dialects_take_back(d, &mark, own);
}

void random_question(dialects *d)
{
    static const key_kind kinds[] = {NO_KEY,     COLUMN_KEY, COLUMN_KEY,
                                     COLUMN_KEY, CASE_KEY,   DATE_KEY,
                                     TEXT_KEY,   TEXT_KEY,   NUMBER_KEY};
    static dialect_texts own;
    const key_kind kind = kinds[below(d, COUNT(kinds))];
    dialects_clear(d);
    make_key(d, kind, &own);
    const bool is_column = strlen(own.in[IN_SCRIM]) == 1; /* it keeps its name */
    put(d, "SELECT ");
    if (kind == NO_KEY) {
        dialects_put_in(d, IN_SQLITE, "1, ");
        dialects_put_in(d, IN_POSTGRES, "1, ");
    } else {
        dialects_put_texts(d, &own);
        dialects_put_in(d, IN_SCRIM, "%s", is_column ? "" : " AS k");
        put(d, ", ");
    }
    put(d, "COUNT(*)");
    dialects_put_in(d, IN_SCRIM, " AS n");
    put_aggregates(d, 1 + below(d, 3));
    dialects_put_in(d, IN_SQLITE, " FROM r");
    dialects_put_in(d, IN_POSTGRES, " FROM r");
    if (!chance(d, 4)) {
        put(d, " WHERE ");
        put_condition(d, 2);
    }
    if (kind == NO_KEY)
        return;
    put(d, " GROUP BY ");
    const bool is_place = chance(d, 2);
    dialects_put_in(d, IN_SCRIM, "%s",
                    is_place    ? "1"
                    : is_column ? own.in[IN_SCRIM]
                                : "k");
    dialects_put_in(d, IN_SQLITE, "1");
    dialects_put_in(d, IN_POSTGRES, "1");
}
