#include "replay_world.h"

#include "row_oracle.h"
#include "set_question.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define PICK(list) (list)[row_random(seed, sizeof(list) / sizeof *(list))]

static bool chance(uint64_t *seed, unsigned percent)
{
    return row_random(seed, 100) < percent;
}

/* Appends to text of size bytes. */
__attribute__((format(printf, 3, 4))) static void put(char *text, size_t size,
                                                      const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

/* The policy. */

static const struct {
    const char *name, *type, *missing;
} columns[] = {
    {"age", "int[0,100]", "30"},
    {"pay", "decimal[-10,1000]/2^-1", "0"},
    {"odd", "int[-1,2]", "2"},
    {"big", "int[-9007199254740992,9007199254740992]", "-5"},
    {"day", "date[2020-01-01,2020-03-31]", "2020-02-03"},
    {"ok", "bool", "true"},
    {"sex", "text", "F"},
    {"city", "text", "x"},
    {"at", "timestamp[2020-03-29,2020-03-30]", "2020-03-29 12:00"},
};
#define COLUMNS (sizeof columns / sizeof *columns)

/* Some are larger than what a few rows can be. */
static const char *const totals[] = {"age=150", "pay=-3,700.5", "odd=3", "big=1000000"};
#define TOTALS (sizeof totals / sizeof *totals)

/* Public tables: cells that are missing, a key that no row can have, and a table by a column of another. */
static const char public_tables[] =
    "join=towns=city=city\njoin-column=towns=city=text\njoin-cells=towns=city=a,b,A,x\n"
    "join-column=towns=land=text null\njoin-cells=towns=land=N,S,N,\n"
    "join-column=towns=head=int[-7,9000] null\njoin-cells=towns=head=9000,-7,,40\n"
    "join=lands=towns.land=code\njoin-column=lands=code=text\njoin-cells=lands=code=N,X\n"
    "join-column=lands=tax=decimal[-2,2]/0.5\njoin-cells=lands=tax=-2,0.5\n"
    "join=grades=odd=odd\njoin-column=grades=odd=int[-9,9]\n"
    "join-cells=grades=odd=-1,1,2,7\njoin-column=grades=name=text\n"
    "join-cells=grades=name=low,mid,top,out\njoin-column=grades=worth=int[0,70]\n"
    "join-cells=grades=worth=0,70,5,1\n";

static void make_policy(replay_world *w, const replay_slant *slant, uint64_t *seed)
{
    const uint64_t reach = slant->reach == 0 ? 4 : slant->reach;
    char *text = w->policy;
    text[0] = '\0';
    put(text, REPLAY_POLICY, "unit=%s\n", w->has_units ? "person" : "row");
    for (size_t i = 0; i < COLUMNS; i++) {
        put(text, REPLAY_POLICY, "column=%s=%s\n", columns[i].name, columns[i].type);
        if (chance(seed, 40)) /* else a value that changes may come and go */
            put(text, REPLAY_POLICY, "missing=%s=%s\n", columns[i].name,
                columns[i].missing);
    }
    put(text, REPLAY_POLICY,
        "keys=sex=F,M\nzone=Europe/Berlin 2020-03-27/2020-04-01 +01:00 "
        "2020-03-29T01:00:00Z+02:00\n");
    if (w->has_units)
        put(text, REPLAY_POLICY, "max-groups=%llu\nmax-rows=%llu\n",
            1 + (unsigned long long)row_random(seed, reach),
            1 + (unsigned long long)row_random(seed, reach));
    for (size_t i = 0; w->has_units && i < TOTALS; i++)
        if (slant->with_totals || chance(seed, 15))
            put(text, REPLAY_POLICY, "max-total=%s\n", totals[i]);
    if (slant->with_joins)
        put(text, REPLAY_POLICY, "%s", public_tables);
    put(text, REPLAY_POLICY, "neighbours=%s\nbudget=epsilon=1000,delta=1/2\ncsv=%s\n",
        scrim_neighbours_name(w->neighbours), w->path);
}

/* Rows. */

static const char *const hostile[] = {
    "NaN",
    "nan",
    "-nan(7)",
    "inf",
    "-inf",
    "-0.0",
    "5e-324",
    "1e308",
    "1e400",
    "-1e400",
    "",
    "NULL",
    "abc",
    "\x01",
    "1_000",
    "\"1,5\"",
    " 7 ",
    "+3",
    "0x10",
    "\xff\xfe",
    "9223372036854775808",
    "-9223372036854775809",
    "\"",
    "\"\"",
    "\"a\"b",
    "=1+1",
    "1;2",
    "2020-13-45",
    "true",
    "1e-400",
    "99999999999999999999999999999999999999",
    "\xc3\xa4",
};

static void put_cell(char *line, const replay_slant *slant, bool is_victim, size_t column,
                     uint64_t *seed)
{
    static const char *const cities[] = {"a", "b", "A", "B", "x", "a;e;b", "B;a;;a;x"};
    const unsigned bad = slant->hostile + (is_victim ? 10 : 2);
    put(line, REPLAY_LINE, ",");
    if (is_victim && slant->cell != NULL && column < 4) {
        put(line, REPLAY_LINE, "%s", slant->cell);
        return;
    }
    if (chance(seed, bad)) {
        put(line, REPLAY_LINE, "%s", PICK(hostile));
        return;
    }
    switch (column) {
    case 0:
        put(line, REPLAY_LINE, "%d", (int)row_random(seed, 111) - 5);
        break;
    case 1:
        put(line, REPLAY_LINE, "%d.%d", (int)row_random(seed, 1200) - 100,
            (int)row_random(seed, 100));
        break;
    case 2:
        put(line, REPLAY_LINE, "%d", (int)row_random(seed, 6) - 2);
        break;
    case 3:
        put(line, REPLAY_LINE, "%s%llu", chance(seed, 50) ? "-" : "",
            (unsigned long long)row_random(seed, UINT64_C(1)
                                                     << (1 + row_random(seed, 60))));
        break;
    case 4:
        put(line, REPLAY_LINE, "2020-%02d-%02d", 1 + (int)row_random(seed, 4),
            1 + (int)row_random(seed, 31));
        break;
    case 5:
        put(line, REPLAY_LINE, "%s", chance(seed, 50) ? "true" : "false");
        break;
    case 6:
        put(line, REPLAY_LINE, "%s",
            chance(seed, 10)   ? "D"
            : chance(seed, 50) ? "F"
                               : "M");
        break;
    case 8:
        put(line, REPLAY_LINE, "2020-03-%d %02d:%02d%s", 28 + (int)row_random(seed, 4),
            (int)row_random(seed, 25), (int)row_random(seed, 60),
            chance(seed, 30) ? ":60+02" : "");
        break;
    default:
        put(line, REPLAY_LINE, "%s", PICK(cities));
    }
}

/* Malformed records, among them some that would swallow their neighbours in other readers. An empty
 * line is no record, and so is not among them: it would be a row less. */
static const char *const malformed[] = {
    "\"",
    "u1,\"",
    "u1",
    ",",
    ",,,,,,,,,,,,,,,",
    "u1,\"1\"2,3,4,5,6,7,8,9",
    "\"u1,1,1",
    "\x01\x01\x01",
    "u1,1,1,1,1,2020-01-01,true,F,\"a",
    "\xff\xff,\xff",
    "u1\t1\t1",
};

/* Owners write themselves in one of two ways, which are the same; names that look alike are other
 * people. */
static void put_owner(char *line, unsigned owner, uint64_t *seed)
{
    static const char *const odd[] = {"U1", "u1 ", " u1",       "1",          "1.0",
                                      "01", "NaN", "u\xc3\xa9", "ue\xcc\x81", "-"};
    char name[24];
    if (owner % 5 == 4)
        snprintf(name, sizeof name, "%s", odd[owner / 5 % (sizeof odd / sizeof *odd)]);
    else
        snprintf(name, sizeof name, "u%u", owner);
    put(line, REPLAY_LINE, chance(seed, 20) ? "\"%s\"" : "%s", name);
}

static void add_row(const replay_world *w, replay_table *table, const replay_slant *slant,
                    unsigned owner, bool is_victim, uint64_t *seed)
{
    if (table->count == REPLAY_ROWS)
        return;
    replay_row *row = &table->rows[table->count++];
    *row = (replay_row){.owner = owner, .line = ""};
    if (is_victim && slant->line != NULL) {
        put(row->line, REPLAY_LINE, "%s", slant->line);
        return;
    }
    if (chance(seed, is_victim ? 6 : 1)) {
        put(row->line, REPLAY_LINE, "%s", PICK(malformed));
        return;
    }
    if (w->has_units)
        put_owner(row->line, owner, seed);
    else
        put(row->line, REPLAY_LINE, "%u", owner);
    for (size_t i = 0; i < COLUMNS; i++)
        put_cell(row->line, slant, is_victim, i, seed);
}

static void shuffle(replay_table *table, uint64_t *seed)
{
    for (size_t i = table->count; i > 1; i--) {
        const size_t j = row_random(seed, i);
        const replay_row row = table->rows[i - 1];
        table->rows[i - 1] = table->rows[j];
        table->rows[j] = row;
    }
}

/* A number, and a name, that nobody else has. */
#define VICTIM 1010

/* Rows of the unit that changes; where each row is a unit it has one. Under replace there is one at
 * least. */
static void add_victim(const replay_world *w, replay_table *table,
                       const replay_slant *slant, uint64_t *seed)
{
    const uint64_t most = slant->victim == 0 ? 8 : slant->victim;
    const uint64_t rows = w->has_units ? 1 + row_random(seed, most) : 1;
    const unsigned owner = VICTIM + (unsigned)row_random(seed, 40);
    for (uint64_t i = 0; i < rows; i++)
        add_row(w, table, slant, owner, true, seed);
}

static void make_tables(replay_world *w, const replay_slant *slant, uint64_t *seed)
{
    const unsigned units =
        slant->change == REPLAY_EMPTIED ? 0 : (unsigned)row_random(seed, 14);
    replay_table *here = &w->here, *there = &w->there;
    here->count = 0;
    for (unsigned owner = 0; owner < units; owner++) {
        const uint64_t rows = w->has_units ? 1 + row_random(seed, 6) : 1;
        for (uint64_t i = 0; i < rows; i++)
            add_row(w, here, slant, owner, false, seed);
    }
    *there = *here;
    if (slant->change == REPLAY_NO_CHANGE) {
        add_victim(w, here, slant, seed);
        *there = *here;
    } else {
        /* Exactly one of them has the unit, or each has rows of its own of it. */
        const bool is_here = w->neighbours == SCRIM_REPLACE || chance(seed, 50);
        if (is_here)
            add_victim(w, here, slant, seed);
        if (!is_here || w->neighbours == SCRIM_REPLACE)
            add_victim(w, there, slant, seed);
    }
    shuffle(here, seed);
    shuffle(there, seed);
}

/* All tables of a world are files of one size and one time, so that they are the same contents to a
 * policy: the header, whose names may have blanks around them, is made as long as need be. */
#define FILE_BYTES 60000

static size_t line_bytes(const replay_table *table)
{
    size_t bytes = 0;
    for (size_t i = 0; i < table->count; i++)
        bytes += strlen(table->rows[i].line) + 1;
    return bytes;
}

bool replay_world_write(const replay_world *w, const replay_table *table)
{
    const struct timespec times[2] = {{.tv_sec = 1600000000}, {.tv_sec = 1600000000}};
    FILE *file = fopen(w->path, "wb");
    if (file == NULL)
        return false;
    fputs("person", file);
    for (size_t i = 0; i < COLUMNS; i++)
        fprintf(file, ",%s", columns[i].name);
    for (size_t bytes = line_bytes(table); bytes < FILE_BYTES; bytes++)
        fputc(' ', file);
    fputc('\n', file);
    for (size_t i = 0; i < w->padding; i++)
        fprintf(file, "p%zu,%zu,%zu,1,9007199254740992,2020-02-%02zu,true,F,%c\n", i,
                100 - i % 50, i % 997, 1 + i % 28, (char)('a' + i % 5));
    for (size_t i = 0; i < table->count; i++) {
        for (const char *byte = table->rows[i].line; *byte != '\0'; byte++)
            fputc(*byte == 1 ? 0 : *byte, file);
        fputc('\n', file);
    }
    return fclose(file) == 0 && utimensat(AT_FDCWD, w->path, times, 0) == 0;
}

/* Questions. */

static const char *const values[] = {
    "age",
    "pay",
    "odd",
    "age",
    "pay",
    "CLAMP(pay, 0, 50)",
    "pay * 2 - 1",
    "ABS(odd)",
    "CASE WHEN sex = 'F' THEN pay ELSE 0 END",
    "ROUND(pay / 10)",
    "age - 50",
    "0 - age",
    "odd - age * 2",
    "CASE WHEN age = 42 THEN 1000000 ELSE 0 END",
    "GREATEST(age, odd)",
    "COALESCE(pay, age)",
    "NULLIF(odd, 0) + age",
    "CASE WHEN ok THEN age END",
    "LENGTH(city)",
    "CASE WHEN LOWER(city) LIKE 'a%' THEN pay ELSE odd END",
};
static const char *const wide_values[] = {"big", "big * 16", "age * 1000000"};
static const char *const public_keys[] = {
    "sex",
    "ok",
    "BUCKET(age, 25) AS b",
    "CASE WHEN age < 50 THEN 'y' ELSE 'o' END AS c",
    "MONTH(day) AS m",
    "WEEKDAY(day) AS w",
    "HOUR(at) AS h",
    "DATE_TRUNC('hour', at) AS h, ok",
    "DATE_TRUNC('week', day) AS w, ok",
    "odd * odd AS s",
    "sex, ok",
    "CASE WHEN city IS NULL THEN 'n' WHEN ok THEN 'y' END AS c",
    "LOWER(sex) AS l",
    "COALESCE(sex, 'none') || '.' AS j",
    "CASE WHEN ok THEN sex ELSE 'other' END AS c",
    "SUBSTR(sex, 1, 0) AS s",
};
static const char *const found_keys[] = {
    "city",
    "sex, city",
    "age",
    "day",
    "ok, city",
    "LOWER(city) AS l",
    "COALESCE(TRIM(city), 'none') AS c",
    "SUBSTR(UPPER(city || sex), 1, 2) AS s",
};
/* FROM with joins, and what only it can ask. */
typedef struct joined_words {
    const char *from;
    const char *values[3], *public_keys[3], *found_keys[2], *conditions[2];
} joined_words;

static const joined_words joins[] = {
    {" FROM people JOIN towns USING (city)",
     {"head", "COALESCE(head, pay)", "head - age"},
     {"land", "COALESCE(land, 'none') AS c", "land, ok"},
     {"city, land", "age"},
     {"head > 30", "land IS NULL"}},
    {" FROM people p LEFT JOIN towns t ON t.city = p.city",
     {"t.head", "COALESCE(head, 0)", "p.age"},
     {"land", "t.city AS c", "CASE WHEN head > 100 THEN 'y' ELSE land END AS c"},
     {"p.city AS c", "land, age"},
     {"head IS NOT NULL OR ok", "land IS DISTINCT FROM 'N'"}},
    {" FROM people LEFT JOIN towns USING (city) LEFT JOIN lands ON towns.land = "
     "lands.code",
     {"tax", "tax * head", "GREATEST(tax, age)"},
     {"code", "land, sex", "CASE WHEN tax < 0 THEN 'less' END AS c"},
     {"city, code", "day"},
     {"tax < 0", "code IS NULL"}},
    {" FROM people LEFT JOIN towns USING (city) JOIN lands ON towns.land = lands.code",
     {"tax", "head", "tax + odd"},
     {"code", "land", "code, ok"},
     {"city", "code, city"},
     {"tax < 0", "head > 0 OR age > 3"}},
    {" FROM people JOIN grades USING (odd) LEFT JOIN towns USING (city)",
     {"worth", "worth - odd", "worth + head"},
     {"name", "name, land", "LOWER(name) AS l"},
     {"name, city", "age"},
     {"worth > 4", "name <> 'low'"}},
    {" FROM people LEFT JOIN grades USING (odd)",
     {"worth", "COALESCE(worth, odd)", "NULLIF(worth, 5)"},
     {"name", "worth > 4 AS c", "SUBSTR(name, 1, 1) AS s"},
     {"city, name", "age"},
     {"worth BETWEEN 1 AND 9", "name LIKE '%o%' OR ok"}},
};

static const char *const conditions[] = {
    "age > 30",
    "sex = 'F'",
    "ok",
    "NOT ok",
    "city IN ('a', 'b', 'x')",
    "pay < 100.5",
    "day >= DATE '2020-02-01'",
    "odd <> 0",
    "age BETWEEN 20 AND 60",
    "big > 0",
    "age IS NOT NULL",
    "pay IS NULL OR ok IS NOT TRUE",
    "sex IS DISTINCT FROM 'F'",
    "LOWER(city) IN ('a', 'b')",
    "city NOT LIKE '_%b%'",
    "city || sex <> 'aF'",
};

static const char *const formulas[] = {
    "SUM(age) / COUNT(*)",
    "100 * COUNT(*) FILTER (WHERE ok) / COUNT(*)",
    "SUM(age) - SUM(pay)",
    "LEAST(COUNT(*), COUNT(age), 40)",
    "ROUND(AVG(age) / AVG(pay), 2)",
    "COALESCE(STDDEV(age) / COUNT(pay), 0)",
    "GREATEST(MAX(age, 10) - MEDIAN(age), COUNT(*))",
};

/* f arithmetic on aggregates, c COUNT(*), d COUNT(DISTINCT) of people or values, s SUM, a AVG, v the variances, q MEDIAN and QUANTILE, r WITH
 * RANGE, b a sum of large numbers, m MAX and its like, h what gives a row a bucket, alone. */
static const char all_aggregates[] = "cdsavqrbcsamf";

static void put_bars(char *text, const char *x, uint64_t *seed)
{
    static const char *const names[] = {"MAX", "MIN", "RANGE", "MODE", "MAX_K"};
    const char *name = PICK(names);
    put(text, REPLAY_QUERY, "%s(%s", name, x);
    if (strcmp(name, "MAX_K") == 0)
        put(text, REPLAY_QUERY, ", %d", 1 + (int)row_random(seed, 3));
    if (chance(seed, 40))
        put(text, REPLAY_QUERY, ", %s", chance(seed, 50) ? "10" : "1000000");
    put(text, REPLAY_QUERY, ")");
}

static void put_aggregate(const replay_world *w, const joined_words *joined, char *text,
                          const replay_slant *slant, uint64_t *seed)
{
    static const char *const spreads[] = {"VAR", "VAR_POP", "STDDEV", "STDDEV_POP"};
    const char *letters = slant->aggregates == NULL ? all_aggregates : slant->aggregates;
    const char *x = slant->value != NULL                 ? slant->value
                    : joined != NULL && chance(seed, 60) ? PICK(joined->values)
                                                         : PICK(values);
    const char *wide = slant->value != NULL ? slant->value : PICK(wide_values);
    switch (letters[row_random(seed, strlen(letters))]) {
    case 'f':
        put(text, REPLAY_QUERY, "%s", PICK(formulas));
        break;
    case 'd':
        if (chance(seed, 50)) {
            put(text, REPLAY_QUERY, "COUNT(DISTINCT %s)%s", chance(seed, 30) ? "city" : x,
                chance(seed, 20) ? " FILTER (WHERE ok)" : "");
            break;
        }
        put(text, REPLAY_QUERY, "%s%s",
            w->has_units ? "COUNT(DISTINCT person)" : "COUNT(*)",
            chance(seed, 30) ? " FILTER (WHERE odd > 0)" : "");
        break;
    case 's':
        put(text, REPLAY_QUERY, "SUM(%s)", x);
        break;
    case 'a':
        put(text, REPLAY_QUERY, "AVG(%s)%s", x,
            chance(seed, 30) ? " FILTER (WHERE odd > 0)" : "");
        break;
    case 'v':
        put(text, REPLAY_QUERY, "%s(%s)", PICK(spreads), x);
        break;
    case 'q':
        if (chance(seed, 30))
            put(text, REPLAY_QUERY, "MEDIAN(%s)",
                slant->value == NULL && chance(seed, 30) ? "day" : x);
        else
            put(text, REPLAY_QUERY, "QUANTILE(%s, 0.%d)", x,
                1 + (int)row_random(seed, 9));
        break;
    case 'r':
        if (chance(seed, 50))
            put(text, REPLAY_QUERY, "COUNT(*) WITH RANGE");
        else
            put(text, REPLAY_QUERY, "SUM(%s) WITH RANGE", x);
        break;
    case 'b':
        put(text, REPLAY_QUERY, "SUM(%s)", wide);
        break;
    case 'm':
        put_bars(text,
                 slant->value != NULL ? slant->value
                 : chance(seed, 20)   ? "day"
                 : chance(seed, 20)   ? wide
                                      : x,
                 seed);
        break;
    case 'h':
        put(text, REPLAY_QUERY, "%s(%s%s)", chance(seed, 60) ? "HISTOGRAM" : "SUPPORT", x,
            chance(seed, 50) ? ", 20" : "");
        break;
    default:
        put(text, REPLAY_QUERY, "COUNT(%s)%s", chance(seed, 40) ? x : "*",
            chance(seed, 20) ? " FILTER (WHERE ok)" : "");
    }
}

static replay_keys choose_keys(const replay_slant *slant, uint64_t *seed)
{
    if (slant->keys != REPLAY_ANY_KEYS)
        return slant->keys;
    return slant->without_delta && chance(seed, 50)
               ? REPLAY_PUBLIC_KEYS
               : (replay_keys)(1 + row_random(seed, slant->without_delta ? 2 : 3));
}

/* The keys of GROUP BY: names behind AS, where there is one, or positions. */
static void put_group_by(char *text, const char *keys, bool by_position)
{
    const char *as = strstr(keys, " AS ");
    if (by_position)
        keys = as == NULL && strchr(keys, ',') != NULL ? "1, 2" : "1";
    else if (as != NULL)
        keys = as + 4;
    put(text, REPLAY_QUERY, " GROUP BY %s", keys);
}

static void put_condition(const joined_words *joined, char *text, const char *clause,
                          uint64_t *seed)
{
    const char *first = PICK(conditions), *second = PICK(conditions);
    if (joined != NULL)
        first = PICK(joined->conditions);
    if (chance(seed, 60))
        put(text, REPLAY_QUERY, " %s %s", clause, first);
    else
        put(text, REPLAY_QUERY, " %s %s %s %s", clause, first,
            chance(seed, 50) ? "AND" : "OR", second);
}

/* One row a person: what is asked of these rows, and what they are made of. */
static void put_person_query(const joined_words *joined, char *text, uint64_t *seed)
{
    static const char *const asked[] = {
        "COUNT(*) AS a0, AVG(n) AS a1, COUNT(s) AS a2",
        "MEDIAN(n) AS a0, QUANTILE(LADDER(s), 0.5, 0.9) AS a1",
        "n, COUNT(*) AS a0, SUM(s) AS a1",
        "LADDER(n) AS k, COUNT(*) AS a0",
        "LADDER(s, -3, 0, 20) AS k, COUNT(*) AS a0",
    };
    static const char *const made[] = {
        "LEAST(COUNT(*), 4) AS n, CLAMP(SUM(age), -20, 60) AS s",
        "CLAMP(COUNT(*), 1, 3) AS n, MAX(age) AS s",
        "CLAMP(COUNT(*), 0, 5) AS n, ANY_VALUE(age) AS s",
    };
    static const char over[] = "CLAMP(MAX(m), 0, 4) AS n, CLAMP(MIN(t), -9, 90) AS s "
                               "FROM (SELECT COUNT(*) AS m, "
                               "SUM(age) AS t";
    const size_t way = row_random(seed, sizeof asked / sizeof *asked);
    const bool has_groups = chance(seed, 40);
    snprintf(text, REPLAY_QUERY, "SELECT %s FROM (SELECT %s", asked[way],
             has_groups ? over : PICK(made));
    if (joined != NULL)
        put(text, REPLAY_QUERY, "%s", joined->from);
    if (chance(seed, 30))
        put_condition(joined, text, "WHERE", seed);
    put(text, REPLAY_QUERY,
        has_groups ? " GROUP BY person, ok) GROUP BY person)" : " GROUP BY person)");
    if (chance(seed, 20))
        put(text, REPLAY_QUERY, " WHERE n > 1 OR s IS NULL");
    if (way >= 2)
        put(text, REPLAY_QUERY, way == 2 ? " GROUP BY n" : " GROUP BY 1");
}

static void make_query(const replay_world *w, char *text, const replay_slant *slant,
                       uint64_t *seed)
{
    const joined_words *joined = slant->with_joins ? &PICK(joins) : NULL;
    if (w->has_units && slant->aggregates == NULL && slant->value == NULL &&
        slant->keys == REPLAY_ANY_KEYS && chance(seed, 10)) {
        put_person_query(joined, text, seed);
        return;
    }
    const replay_keys kind = choose_keys(slant, seed);
    const char *keys = kind == REPLAY_PUBLIC_KEYS ? PICK(public_keys) : PICK(found_keys);
    if (joined != NULL)
        keys = kind == REPLAY_PUBLIC_KEYS ? PICK(joined->public_keys)
                                          : PICK(joined->found_keys);
    const bool is_list = slant->aggregates != NULL && slant->aggregates[0] == 'h';
    const uint64_t count = is_list ? 1 : 1 + row_random(seed, 3);
    const bool has_top = chance(seed, 10);
    const bool has_elements =
        joined == NULL && kind == REPLAY_DISCOVERED && strcmp(keys, "city") == 0;
    if (has_elements)
        keys = "part";
    snprintf(text, REPLAY_QUERY, has_top ? "SELECT TOP 2 " : "SELECT ");
    if (kind != REPLAY_NO_KEYS)
        put(text, REPLAY_QUERY, "%s, ", keys);
    for (uint64_t i = 0; i < count; i++) {
        put(text, REPLAY_QUERY, i == 0 ? "" : ", ");
        put_aggregate(w, joined, text, slant, seed);
        put(text, REPLAY_QUERY, chance(seed, 70) ? " AS a%d" : " a%d", (int)i);
    }
    if (has_elements)
        put(text, REPLAY_QUERY, " FROM people, UNNEST(SPLIT(city, ';') LIMIT %d) AS part",
            (int)count);
    if (joined != NULL)
        put(text, REPLAY_QUERY, "%s", joined->from);
    if (chance(seed, 40))
        put_condition(joined, text, "WHERE", seed);
    if (kind == REPLAY_NO_KEYS)
        return;
    put_group_by(text, keys, chance(seed, 20));
    if (chance(seed, 25))
        put(text, REPLAY_QUERY,
            strncmp(keys, "sex,", 4) == 0 || strcmp(keys, "sex") == 0
                ? " HAVING a0 > %d OR LOWER(sex) || 'x' LIKE 'f%%' AND LENGTH(sex) < 3"
                : " HAVING a0 > %d",
            (int)row_random(seed, 5));
    if (chance(seed, 40))
        put(text, REPLAY_QUERY, " ORDER BY %s%s", chance(seed, 70) ? "a0" : "1",
            chance(seed, 50) ? " DESC" : "");
    if (!has_top && chance(seed, 25))
        put(text, REPLAY_QUERY, " LIMIT %d", 1 + (int)row_random(seed, 3));
}

static void make_options(replay_world *w, const replay_slant *slant, uint64_t *seed)
{
    static const char *const epsilons[] = {"1", "1/2", "3", "10", "1/7"};
    static const char *const deltas[] = {"1e-6", "1e-3", "1/100"};
    static const char *const noises[] = {NULL, NULL, "laplace", "gaussian"};
    w->options = (scrim_query_options){
        .size = sizeof w->options,
        .epsilon = PICK(epsilons),
        .delta = slant->without_delta ? NULL : PICK(deltas),
        .mechanism = slant->noise != NULL   ? slant->noise
                     : slant->without_delta ? NULL
                                            : PICK(noises),
        .expect = chance(seed, 50) ? NULL : "20",
        .bounds = slant->bounds,
        .max_total = slant->ranges,
    };
}

void replay_world_ask(replay_world *w, const replay_slant *slant, uint64_t number)
{
    uint64_t state = number, *seed = &state;
    w->has_units = slant->with_units || chance(seed, 75);
    w->neighbours = slant->neighbours != SCRIM_NEIGHBOURS_UNSET ? slant->neighbours
                    : chance(seed, 60)                          ? SCRIM_ADD_REMOVE
                                                                : SCRIM_REPLACE;
    make_policy(w, slant, seed);
    w->query_count =
        slant->ranges == NULL && !slant->with_sets && chance(seed, 20) ? 2 : 1;
    if (slant->with_sets)
        set_question(w->queries[0], REPLAY_QUERY, false, seed);
    for (size_t i = 0; !slant->with_sets && i < w->query_count; i++)
        make_query(w, w->queries[i], slant, seed);
    make_options(w, slant, seed);
    w->padding = slant->padding;
}

void replay_world_fill(replay_world *w, const replay_slant *slant, uint64_t number)
{
    uint64_t state = ~number;
    make_tables(w, slant, &state);
}
