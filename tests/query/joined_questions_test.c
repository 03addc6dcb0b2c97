/* Random questions with joins of public tables, against databases on the same rows: what is counted, summed and
 * grouped before noise. Keys are missing, beyond the range of the column that they are joined to, spelt in
 * another way, and those of a table that is joined itself. */
#include "check.h"
#include "row_oracle.h"
#include "twin_questions.h"

#include <stdio.h>
#include <string.h>

#define below dialects_below
#define chance dialects_chance
#define put dialects_put
#define put_in dialects_put_in

enum { ROWS = 80, COLUMNS = 4, UNITS = 12 };

static const char policy[] =
    "column=t=text\ncolumn=k=int[0,5]\ncolumn=x=int[-3,6]\n"
    "join=g=t=t\njoin-column=g=t=text null\njoin-cells=g=t=a,b,c,\"\",zz,\n"
    "join-column=g=rg=text null\njoin-cells=g=rg=north,south,,north,east,west\n"
    "join-column=g=m=int[-5,9] null\njoin-cells=g=m=4,-5,9,,0,1\n"
    "join=h=k=k\njoin-column=h=k=int[-1,9]\njoin-cells=h=k=0,1,2,03,7,-1\n"
    "join-column=h=s=text\njoin-cells=h=s=u,v,u,w_,q,q\n"
    "join-column=h=z=decimal[-1,2]/0.5 null\njoin-cells=h=z=0.5,,-1,2,1,1\n"
    "join-column=h=d=date[2026-01-01,2026-03-01]\n"
    "join-cells=h=d=2026-01-01,2026-02-01,2026-01-01,2026-03-01,2026-01-01,2026-01-01\n"
    "join=c=g.rg=rg\njoin-column=c=rg=text\njoin-cells=c=rg=north,south,east\n"
    "join-column=c=w=text null\njoin-cells=c=w=N,S,\n"
    "join-column=c=q=bool\njoin-cells=c=q=true,false,true\n";

/* SQLite has no types; PostgreSQL has one for each column. */
static const struct {
    const char *name, *columns, *types, *rows;
} tables[] = {
    {"g", "t, rg, m", "t text, rg text, m numeric",
     "('a','north',4),('b','south',-5),('c',NULL,9),('','north',NULL),('zz','east',0),"
     "(NULL,'west',1)"},
    {"h", "k, s, z, d", "k numeric, s text, z numeric, d date",
     "(0,'u',0.5,'2026-01-01'),(1,'v',NULL,'2026-02-01'),(2,'u',-1,'2026-01-01'),"
     "(3,'w_',2,'2026-03-01'),(7,'q',1,'2026-01-01'),(-1,'q',1,'2026-01-01')"},
    {"c", "rg, w, q", "rg text, w text, q boolean",
     "('north','N',TRUE),('south','S',FALSE),('east',NULL,TRUE)"}};

static bool make_tables(sql_twin *twin, postgres_session *postgres)
{
    char statement[600];
    bool is_made = true;
    for (size_t i = 0; is_made && i < COUNT(tables); i++) {
        snprintf(statement, sizeof statement,
                 "CREATE TABLE %s(%s); INSERT INTO %s VALUES%s", tables[i].name,
                 tables[i].columns, tables[i].name, tables[i].rows);
        is_made =
            CHECK_INT(sqlite3_exec(twin->sqlite, statement, NULL, NULL, NULL), SQLITE_OK);
        snprintf(statement, sizeof statement,
                 "DROP TABLE IF EXISTS %s; CREATE TABLE %s(%s); INSERT INTO %s VALUES%s",
                 tables[i].name, tables[i].name, tables[i].types, tables[i].name,
                 tables[i].rows);
        is_made = is_made && (postgres == NULL || postgres_do(postgres, statement));
    }
    return is_made;
}

static void make_row(sql_cell cells[COLUMNS], uint64_t *seed)
{
    static const char *const texts[][2] = {{"a", "'a'"}, {"b", "'b'"},   {"c", "'c'"},
                                           {"d", "'d'"}, {"\"\"", "''"}, {"", "NULL"}};
    char number[16], clamped[16];
    snprintf(number, sizeof number, "'%u'", (unsigned)row_random(seed, UNITS));
    sql_cell_set(&cells[0], number, number);
    const char *const *text = texts[row_random(seed, COUNT(texts))];
    sql_cell_set(&cells[1], text[0], text[1]);
    /* Beyond 0 and 5 a row is clamped, and a key of h is not. */
    const int k = (int)row_random(seed, 11) - 3;
    snprintf(number, sizeof number, "%d", k);
    snprintf(clamped, sizeof clamped, "%d", k < 0 ? 0 : k > 5 ? 5 : k);
    sql_cell_set(&cells[2], k == 4 ? "x" : number, k == 4 ? "NULL" : clamped);
    snprintf(number, sizeof number, "%d", (int)row_random(seed, 10) - 3);
    const bool is_missing = row_random(seed, 5) == 0;
    sql_cell_set(&cells[3], is_missing ? "" : number, is_missing ? "NULL" : number);
}

static bool begin(sql_twin *twin, postgres_session *postgres, dialects *d)
{
    sql_cell cells[COLUMNS];
    char lines[1000];
    d->has_sqlite = true;
    d->has_units = row_random(d->seed, 2) == 0;
    bool is_made = sql_twin_begin(twin, postgres, "p,t,k,x",
                                  "p text, t text, k numeric, x numeric") &&
                   make_tables(twin, postgres);
    for (size_t i = 0; is_made && i < ROWS; i++) {
        make_row(cells, d->seed);
        is_made = sql_twin_row(twin, cells, COLUMNS, NULL);
    }
    snprintf(lines, sizeof lines, "unit=%s\n%s",
             d->has_units ? "p\nmax-groups=1000\nmax-rows=1000" : "row", policy);
    return is_made && sql_twin_declare(twin, lines);
}

/* ---- questions ---- */

typedef struct joins {
    bool has_g, has_h, has_c, g_is_named; /* with ON, t may be of both */
} joins;

static void put_join(dialects *d)
{
    static const char *const words[] = {" JOIN ", " INNER JOIN ", " LEFT JOIN ",
                                        " LEFT OUTER JOIN "};
    put(d, "%s", words[below(d, COUNT(words))]);
}

static void put_from(dialects *d, joins *out)
{
    const unsigned which = 1 + below(d, 3);
    *out = (joins){.has_g = which & 1, .has_h = which & 2};
    put(d, " FROM r");
    if (out->has_g) {
        out->g_is_named = chance(d, 2);
        put_join(d);
        put(d, out->g_is_named ? "g ON %s" : "g USING (t)",
            chance(d, 2) ? "r.t = g.t" : "g.t = r.t");
    }
    if (out->has_h) {
        put_join(d);
        put(d, "h ON r.k = h.k");
    }
    out->has_c = out->has_g && chance(d, 2);
    if (out->has_c) {
        put_join(d);
        put(d, "c ON g.rg = c.rg");
    }
}

static const char *text_of(const dialects *d, const joins *j)
{
    const unsigned way = below(d, 6);
    if (way < 3 && j->has_g)
        return way == 0 && !j->has_c ? "rg" : "g.rg";
    if (way < 5 && j->has_h)
        return chance(d, 2) ? "s" : "h.s";
    if (j->has_c)
        return "w";
    return j->g_is_named || chance(d, 2) ? "r.t" : j->has_g || !j->has_h ? "t" : "r.t";
}

static const char *number_of(const dialects *d, const joins *j)
{
    const unsigned way = below(d, 5);
    if (way < 2 && j->has_g)
        return chance(d, 2) ? "m" : "g.m";
    if (way < 4 && j->has_h)
        return chance(d, 2) ? "z" : "h.z";
    return chance(d, 3) ? "r.k" : "x";
}

static void put_text(dialects *d, const joins *j)
{
    switch (below(d, 6)) {
    case 0:
        put(d, "LOWER(%s)", text_of(d, j));
        return;
    case 1:
        put(d, "COALESCE(%s, 'none')", text_of(d, j));
        return;
    case 2:
        put(d, "(%s || %s)", text_of(d, j), text_of(d, j));
        return;
    default:
        put(d, "%s", text_of(d, j));
    }
}

static void put_number(dialects *d, const joins *j)
{
    switch (below(d, 5)) {
    case 0:
        put(d, "(%s + %s)", number_of(d, j), number_of(d, j));
        return;
    case 1:
        put(d, "COALESCE(%s, 1)", number_of(d, j));
        return;
    case 2:
        put(d, "LENGTH(%s)", text_of(d, j));
        return;
    default:
        put(d, "%s", number_of(d, j));
    }
}

static void put_condition(dialects *d, const joins *j, unsigned depth)
{
    static const char *const texts[] = {"north", "u", "N", "a", "nowhere", "none"};
    if (depth > 0 && chance(d, 2)) {
        put(d, chance(d, 3) ? "NOT (" : "(");
        put_condition(d, j, depth - 1);
        put(d, chance(d, 2) ? " AND " : " OR ");
        put_condition(d, j, depth - 1);
        put(d, ")");
        return;
    }
    switch (below(d, j->has_c ? 7 : 6)) {
    case 0:
        put_text(d, j);
        put(d, " %s '%s'", chance(d, 2) ? "=" : "<>", texts[below(d, COUNT(texts))]);
        return;
    case 1:
        put(d, "%s %sIN ('north', 'u', 'S')", text_of(d, j), chance(d, 2) ? "" : "NOT ");
        return;
    case 2:
        put(d, "%s IS %sNULL", chance(d, 2) ? text_of(d, j) : number_of(d, j),
            chance(d, 2) ? "" : "NOT ");
        return;
    case 3:
        put(d, "%s LIKE '%%o%%'", text_of(d, j));
        return;
    case 4:
        if (j->has_h) {
            put(d, "h.d > '2026-01-15'");
            return;
        }
        /* fall through */
    case 5:
        put_number(d, j);
        put(d, " > %d", (int)below(d, 6) - 3);
        return;
    default:
        put(d, "q");
    }
}

static void put_aggregate(dialects *d, const joins *j, size_t place)
{
    static const char *const calls[] = {"COUNT", "SUM", "AVG"};
    const unsigned call = below(d, 4);
    put(d, ", ");
    if (call == 3) {
        put(d, "COUNT(*)");
    } else {
        put_in(d, IN_SQLITE, call == 1 ? "COALESCE(" : "");
        put_in(d, IN_POSTGRES, call == 1 ? "COALESCE(" : "");
        put(d, "%s(", calls[call]);
        put_number(d, j);
        put(d, ")");
    }
    if (chance(d, 4)) {
        put(d, " FILTER (WHERE ");
        put_condition(d, j, 1);
        put(d, ")");
    }
    if (call == 1) {
        put_in(d, IN_SQLITE, ", 0)");
        put_in(d, IN_POSTGRES, ", 0)");
    }
    put(d, " AS v%zu", place);
}

static void put_key(dialects *d, const joins *j)
{
    if (j->has_h && chance(d, 6))
        put(d, "h.d");
    else if (chance(d, 4))
        put(d, "%s", j->has_g ? "g.m" : "h.k");
    else
        put_text(d, j);
}

/* FROM stands behind SELECT, which is made of its tables: it is written first and put where it belongs. */
static void make_rows(dialects *d)
{
    static dialect_texts from, key;
    joins j;
    const bool has_key = !chance(d, 5);
    dialects_mark mark = dialects_here(d);
    put_from(d, &j);
    if (chance(d, 2)) {
        put(d, " WHERE ");
        put_condition(d, &j, 1);
    }
    dialects_take_back(d, &mark, &from);
    mark = dialects_here(d);
    if (has_key)
        put_key(d, &j);
    dialects_take_back(d, &mark, &key);
    put(d, "SELECT ");
    if (has_key) {
        dialects_put_texts(d, &key);
        put(d, " AS key");
    } else {
        put_in(d, IN_SCRIM, "COUNT(*) AS n");
        put_in(d, IN_SQLITE, "1, COUNT(*) AS n");
        put_in(d, IN_POSTGRES, "1, COUNT(*) AS n");
    }
    const size_t count = 1 + below(d, 2);
    for (size_t i = 0; i < count; i++)
        put_aggregate(d, &j, i);
    dialects_put_texts(d, &from);
    if (has_key) {
        put(d, " GROUP BY ");
        dialects_put_texts(d, &key);
    }
}

/* One row per person first, of joined rows. */
static void make_people(dialects *d)
{
    joins j;
    put_in(d, IN_SCRIM,
           "SELECT COUNT(*) AS n, SUM(v) AS v0 FROM (SELECT LEAST(COUNT(*), 3) AS v");
    put_in(d, IN_SQLITE,
           "SELECT 1, COUNT(*), COALESCE(SUM(v), 0) FROM (SELECT MIN(COUNT(*), 3) AS v");
    put_in(
        d, IN_POSTGRES,
        "SELECT 1, COUNT(*), COALESCE(SUM(v), 0) FROM (SELECT LEAST(COUNT(*), 3) AS v");
    put_from(d, &j);
    if (chance(d, 2)) {
        put(d, " WHERE ");
        put_condition(d, &j, 1);
    }
    put(d, " GROUP BY p)");
    put_in(d, IN_POSTGRES, " AS people");
}

static void make(dialects *d)
{
    dialects_clear(d);
    d->is_for_sqlite = true;
    if (d->has_units && chance(d, 5))
        make_people(d);
    else
        make_rows(d);
}

SLOW_TEST(joined_questions_mean_what_they_mean_in_sql)
{
    CLAIM("joined.stability");
    CLAIM("joined.null");
    const twin_questions questions = {.begin = begin, .make = make};
    twin_questions_ask(&questions, check_count(1000, 10000));
}
