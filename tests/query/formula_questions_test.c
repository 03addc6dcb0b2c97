/* Random arithmetic on aggregates, against databases on the same rows: the value before noise, and the
 * public range that it must lie in. */
#include "check.h"
#include "row_oracle.h"
#include "twin_questions.h"

#include <stdio.h>

enum { ROWS = 60, FORMULAS = 3, COLUMNS = 5 };

#define below dialects_below
#define chance dialects_chance
#define put dialects_put

/* Sums of no value are 0, and means are quotients: the mean of no value is missing. */
static void put_leaf(dialects *d)
{
    static const char *const values[] = {"x", "y", "c", "x + c", "y * 2"};
    static const char *const filters[] = {"",
                                          "",
                                          "",
                                          " FILTER (WHERE x > 1)",
                                          " FILTER (WHERE y IS NOT NULL)",
                                          " FILTER (WHERE b)"};
    const char *value = values[below(d, COUNT(values))],
               *filter = filters[below(d, COUNT(filters))];
    switch (below(d, 4)) {
    case 0:
        put(d, "COUNT(*)%s", filter);
        return;
    case 1:
        put(d, "COUNT(%s)%s", value, filter);
        return;
    case 2:
        dialects_put_in(d, IN_SCRIM, "SUM(%s)%s", value, filter);
        for (int i = IN_SQLITE; i < DIALECTS; i++)
            dialects_put_in(d, (dialect)i, "COALESCE(SUM(%s)%s, 0)", value, filter);
        return;
    default:
        dialects_put_in(d, IN_SCRIM, "AVG(%s)%s", value, filter);
        dialects_put_in(d, IN_SQLITE, "AVG(%s)%s", value, filter);
        dialects_put_in(d, IN_POSTGRES, "over(SUM(%s)%s, COUNT(%s)%s)", value, filter,
                        value, filter);
    }
}

static void put_any(dialects *d, unsigned depth);

static void put_two(dialects *d, const char *const before[DIALECTS],
                    const char *const between[DIALECTS], unsigned depth)
{
    dialects_put_each(d, before);
    put_any(d, depth);
    dialects_put_each(d, between);
    put_any(d, depth);
    put(d, ")");
}

static void put_extreme(dialects *d)
{
    static dialect_texts a, b;
    const dialects_mark mark = dialects_here(d);
    put_leaf(d);
    dialects_take_back(d, &mark, &a);
    put_leaf(d);
    dialects_take_back(d, &mark, &b);
    dialects_put_extreme(d, chance(d, 2), &a, &b);
}

/* One part: what stands before it and behind it. Halves are rounded up. In doubles a quotient may miss
 * a step by its last digit, so that SQLite is not asked for steps. */
static const char *const around[][2][DIALECTS] = {
    {{"ABS(", "ABS(", "ABS("}, {")", ")", ")"}},
    {{"-(", "-(", "-("}, {")", ")", ")"}},
    {{"COALESCE(", "COALESCE(", "COALESCE("}, {", 7)", ", 7)", ", 7)"}},
    {{"(100 * ", "(100 * ", "(100 * "}, {" - 3)", " - 3)", " - 3)"}},
    {{"FLOOR(", "", "step(0, "}, {")", "", ")"}},
    {{"ROUND(", "", "step(0.5, "}, {")", "", ")"}},
};
enum { STEPS = 4 };

static void put_around(dialects *d, unsigned depth)
{
    const size_t which =
        below(d, d->has_postgres && d->is_for_sqlite ? COUNT(around) : STEPS);
    d->is_for_sqlite = d->is_for_sqlite && which < STEPS;
    dialects_put_each(d, around[which][0]);
    put_any(d, depth);
    dialects_put_each(d, around[which][1]);
}

static void put_any(dialects *d, unsigned depth)
{
    static const char *const open[DIALECTS] = {"(", "(", "("};
    static const char *const signs[][DIALECTS] = {
        {" + ", " + ", " + "}, {" - ", " - ", " - "}, {" * ", " * ", " * "}};
    /* SQLite divides whole numbers to whole ones; of PostgreSQL: postgres_session.c. */
    static const char *const over[2][DIALECTS] = {{"(", "(CAST(", "over("},
                                                  {" / ", " AS REAL) / ", ", "}};
    static const char *const nullif[2][DIALECTS] = {{"NULLIF(", "NULLIF(", "NULLIF("},
                                                    {", ", ", ", ", "}};
    if (depth == 0) {
        put_leaf(d);
        return;
    }
    switch (below(d, 11)) {
    case 0:
    case 1:
    case 2:
        put_two(d, open, signs[below(d, COUNT(signs))], depth - 1);
        return;
    case 3:
    case 4:
        put_two(d, over[0], over[1], depth - 1);
        return;
    case 5:
        put_extreme(d);
        return;
    case 6: /* whole numbers: equal or not */
        put_two(d, nullif[0], nullif[1], 0);
        return;
    default:
        put_around(d, depth - 1);
    }
}

static void make(dialects *d)
{
    dialects_clear(d);
    put(d, "SELECT k");
    for (int i = 0; i < FORMULAS; i++) {
        put(d, ", 0 + ");
        put_any(d, below(d, 4));
        dialects_put_in(d, IN_SCRIM, " AS f%d", i);
    }
    dialects_put_in(d, IN_SQLITE, " FROM r");
    dialects_put_in(d, IN_POSTGRES, " FROM r");
    if (chance(d, 2))
        put(d, "%s", chance(d, 2) ? " WHERE x IS NOT NULL" : " WHERE y <> 2");
    put(d, " GROUP BY k");
}

static bool begin(sql_twin *twin, postgres_session *postgres, dialects *d)
{
    sql_cell cells[COLUMNS];
    d->has_sqlite = true;
    bool is_made =
        sql_twin_begin(twin, postgres, "x,y,c,b,k",
                       "x numeric, y numeric, c numeric, b boolean, k numeric");
    for (size_t i = 0; is_made && i < ROWS; i++) {
        for (int j = 0; j < 3; j++) {
            char number[16];
            snprintf(number, sizeof number, "%d", (int)row_random(d->seed, 9) - 2);
            const bool is_missing = j < 2 && row_random(d->seed, 4) == 0;
            sql_cell_set(&cells[j], is_missing ? "" : number,
                         is_missing ? "NULL" : number);
        }
        const bool b = row_random(d->seed, 2) == 1;
        const char key[2] = {(char)('0' + row_random(d->seed, 3)), '\0'};
        sql_cell_set(&cells[3], b ? "1" : "0", b ? "TRUE" : "FALSE");
        sql_cell_set(&cells[4], key, key);
        is_made = sql_twin_row(twin, cells, COLUMNS, NULL);
    }
    return is_made &&
           sql_twin_declare(twin, "unit=row\ncolumn=x=int[-2,6]\ncolumn=y=int[-2,6]\n"
                                  "column=c=int[-2,6]\nmissing=c=2\ncolumn=b=bool\n"
                                  "missing=b=0\ncolumn=k=int[0,2]\nmissing=k=0\n");
}

TEST(formula_questions_mean_what_they_mean_in_sql)
{
    CLAIM("formula-form.range");
    CLAIM("formula-bounds.value");
    const twin_questions questions = {.begin = begin, .make = make};
    twin_questions_ask(&questions, check_count(300, 10000));
}
