/* Questions about one row a person, against SQLite on the same rows, before noise; and what one person
 * changes in them. */
#include "check.h"
#include "pass_scene.h"
#include "query/language/key_text.h"
#include "query/language/validate.h"
#include "row_oracle.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 150, UNITS = 12, TEXT = 1000 };

typedef struct scene {
    char path[64];
    sqlite3 *database;
    const sc_schema *schema;
} scene;

/* u, x, y, k: rows of some units; those without a unit count nowhere. The rows of one unit are left
 * out. */
static bool scene_begin(scene *s, uint64_t seed, unsigned left_out, bool is_turned)
{
    static const char *const keys[] = {"a", "b", "cc", ""};
    char policy[300], insert[200], lines[ROWS][80];
    *s = (scene){.database = NULL};
    FILE *file = pass_file_new(s->path);
    if (!CHECK(file != NULL) ||
        !CHECK_INT(sqlite3_open(":memory:", &s->database), SQLITE_OK))
        return false;
    sqlite3_exec(s->database, "CREATE TABLE r(u, x, y, k)", NULL, NULL, NULL);
    size_t count = 0;
    for (size_t i = 0; i < ROWS; i++) {
        const unsigned unit = (unsigned)row_random(&seed, UNITS + 1);
        const int x = (int)row_random(&seed, 12) - 4, y = (int)row_random(&seed, 500);
        const bool has_x = row_random(&seed, 4) != 0 && unit != 3;
        const char *key = keys[row_random(&seed, 4)];
        char u[32] = "", number[16] = "";
        if (unit == left_out)
            continue;
        if (unit < UNITS)
            snprintf(u, sizeof u, "%s%u", unit % 2 == 0 ? "person number " : "", unit);
        if (has_x)
            snprintf(number, sizeof number, "%d", x);
        snprintf(lines[count++], sizeof *lines, "%s,%s,%d.%02d,%s\n", u, number, y / 100,
                 y % 100, key);
        snprintf(insert, sizeof insert,
                 "INSERT INTO r SELECT '%s', %s, %d, nullif('%s', '') WHERE '%s' <> ''",
                 u, has_x ? number : "NULL", y, key, u);
        CHECK_INT(sqlite3_exec(s->database, insert, NULL, NULL, NULL), SQLITE_OK);
    }
    fputs("u,x,y,k\n", file);
    for (size_t i = 0; i < count; i++)
        fputs(lines[is_turned ? count - 1 - i : i], file);
    fclose(file);
    snprintf(policy, sizeof policy,
             "unit=u\nmax-groups=1\nmax-rows=1\ncolumn=x=int[-4,7]\n"
             "column=y=decimal[0,5]\nmissing=y=0\ncolumn=k=text\ncsv=%s\n",
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

/* The findings of a pass about the one group: rows, present values, their sum and the list of them. */
typedef struct found {
    long long rows, present, sum;
    int64_t list[ROWS];
    size_t count;
} found;

static bool ask(const scene *s, const char *text, unsigned workers, found *out)
{
    const sc_pass_options options = {.workers = workers};
    sc_refusal refusal = {.error = NULL};
    scrim_error error = {.status = SCRIM_OK};
    const sc_query *query = NULL;
    sc_statistics statistics;
    sc_pass *pass = NULL;
    sc_arena arena;
    sc_arena_init(&arena);
    refusal.error = &error;
    bool is_done =
        CHECK_STATUS(sc_validate(sc_text_of(text), sc_text_of("r"), s->schema, &arena,
                                 &query, &refusal),
                     SCRIM_OK) &&
        CHECK_STATUS(sc_statistics_of(
                         query, &(sc_statistics_plan){.bounds = query->schema->bounds},
                         &arena, &statistics, &error),
                     SCRIM_OK);
    if (!is_done)
        CHECK_STR(error.message, text);
    const sc_pass_statement asked = {
        .query = query, .statistics = &statistics, .bounds = {1, 1, 0}};
    is_done = is_done &&
              CHECK_STATUS(pass_run(s->schema, &asked, 1, &options, 7, &pass, &error),
                           SCRIM_OK);
    *out = (found){.rows = 0};
    if (is_done && CHECK_INT(sc_pass_groups(pass, 0)->count, 1)) {
        const sc_group *group = &sc_pass_groups(pass, 0)->groups[0];
        size_t at = 0; /* the value itself, and not whether it is present */
        while (at + 1 < statistics.value_count &&
               statistics.values[at]->operation == SC_OP_PRESENT)
            at++;
        out->rows = (long long)group->rows;
        out->present = (long long)group->present[at];
        out->sum = (long long)(group->sums[at] +
                               (sc_int128)out->present * statistics.groups[at].centre);
        for (size_t i = 0; group->lists != NULL && group->lists[at] != NULL &&
                           i < group->present[at] && i < ROWS;
             i++)
            out->list[out->count++] = group->lists[at][i];
    }
    sc_pass_close(pass);
    sc_arena_clear(&arena);
    return is_done;
}

static bool ask_sqlite(const scene *s, const char *text, found *out)
{
    sqlite3_stmt *query = NULL;
    *out = (found){.rows = 0};
    if (!CHECK_INT(sqlite3_prepare_v2(s->database, text, -1, &query, NULL), SQLITE_OK))
        return CHECK_STR(text, sqlite3_errmsg(s->database));
    const bool is_row = CHECK_INT(sqlite3_step(query), SQLITE_ROW);
    *out = (found){.rows = sqlite3_column_int64(query, 0),
                   .present = sqlite3_column_int64(query, 1),
                   .sum = sqlite3_column_int64(query, 2)};
    sqlite3_finalize(query);
    return is_row;
}

/* A random question in both dialects: y is in hundredths in SQLite, where it has its step. */
static void make_question(uint64_t *seed, char ours[TEXT], char theirs[TEXT])
{
    static const char *const inner[] = {"COUNT(*)", "SUM(x)", "MIN(x)",
                                        "MAX(x)",   "SUM(y)", "MAX(y)"};
    static const char *const outer[] = {"MAX", "MIN", "SUM"};
    static const char *const wheres[] = {"", " WHERE x > 0",
                                         " WHERE k = 'a' OR x IS NULL", " WHERE y >= 1"};
    static const char *const their_wheres[] = {
        "", " WHERE x > 0", " WHERE k = 'a' OR x IS NULL", " WHERE y >= 100"};
    static const char *const keys[] = {"k", "k, x", "CASE WHEN x > 2 THEN 1 ELSE 0 END"};
    const size_t of = row_random(seed, 6), over = row_random(seed, 3),
                 where = row_random(seed, 4), key = row_random(seed, 3);
    const bool has_groups = row_random(seed, 3) != 0,
               is_number = row_random(seed, 4) == 0,
               is_y = of >= 4 && !(has_groups && is_number);
    const int low = (int)row_random(seed, 5) - 3,
              high = low + 1 + (int)row_random(seed, 9);
    const int times = is_y ? 100 : 1;
    char fold[60], person[300], their_person[300];
    if (!has_groups) {
        snprintf(fold, sizeof fold, "%s", inner[of]);
        snprintf(person, sizeof person, "%s GROUP BY u", wheres[where]);
        snprintf(their_person, sizeof their_person, " FROM r%s GROUP BY u",
                 their_wheres[where]);
    } else {
        snprintf(fold, sizeof fold, is_number ? "COUNT(*)" : "%s(v)", outer[over]);
        snprintf(person, sizeof person,
                 " FROM (SELECT %s AS v%s GROUP BY u, %s) GROUP BY u", inner[of],
                 wheres[where], keys[key]);
        snprintf(their_person, sizeof their_person,
                 " FROM (SELECT u, %s AS v FROM r%s GROUP BY u, %s) GROUP BY u",
                 inner[of], their_wheres[where], keys[key]);
    }
    /* Outside a condition sees what was clamped inside. */
    char at_end[2][40] = {"", ""};
    if (row_random(seed, 2) == 0) {
        snprintf(at_end[0], sizeof at_end[0], " WHERE a = %d", high);
        snprintf(at_end[1], sizeof at_end[1], " WHERE a = %d", high * times);
    }
    snprintf(ours, TEXT,
             "SELECT COUNT(*), COUNT(a), SUM(a) FROM (SELECT CLAMP(%s, %d, %d) AS a%s)%s",
             fold, low, high, person, at_end[0]);
    snprintf(
        theirs, TEXT,
        "SELECT COUNT(*), COUNT(a), COALESCE(SUM(a), 0) FROM (SELECT MIN(MAX(%s, %d), "
        "%d) AS a%s)%s",
        fold, low * times, high * times, their_person, at_end[1]);
}

SLOW_TEST(person_questions_mean_what_they_mean_in_sql)
{
    CLAIM("person-rows.exact");
    CLAIM("person.range");
    char ours[TEXT], theirs[TEXT];
    uint64_t seed = 20;
    for (unsigned round = 0; round < (check_is_long() ? 200 : 3); round++) {
        scene s, turned;
        if (!scene_begin(&s, round, UINT32_MAX, false) ||
            !scene_begin(&turned, round, UINT32_MAX, true))
            return;
        for (unsigned i = 0; i < 40; i++) {
            found a, b, c;
            make_question(&seed, ours, theirs);
            if (!ask(&s, ours, 1, &a) || !ask(&turned, ours, 3, &b) ||
                !ask_sqlite(&s, theirs, &c))
                continue;
            if (!CHECK_INT(a.rows, c.rows) || !CHECK_INT(a.present, c.present) ||
                !CHECK_INT(a.sum, c.sum) || !CHECK_INT(a.sum, b.sum))
                CHECK_STR(ours, theirs);
        }
        scene_end(&s);
        scene_end(&turned);
    }
}

static const char *const lists[] = {
    "SELECT MEDIAN(a) FROM (SELECT CLAMP(COUNT(*), 0, 99) AS a GROUP BY u)",
    "SELECT MEDIAN(a) FROM (SELECT CLAMP(COUNT(*), 0, 99) AS a FROM (SELECT COUNT(*) AS "
    "n "
    "GROUP BY u, k) GROUP BY u)",
    "SELECT MEDIAN(a) FROM (SELECT CLAMP(MAX(n), 0, 99) AS a FROM (SELECT COUNT(*) AS n "
    "GROUP BY u, k) GROUP BY u)",
    "SELECT MEDIAN(a) FROM (SELECT CLAMP(MIN(t), -50, 50) AS a FROM (SELECT SUM(x) AS t "
    "GROUP BY u, k) GROUP BY u)",
    "SELECT MEDIAN(a) FROM (SELECT ANY_VALUE(x) AS a GROUP BY u)"};

/* How many values are in one list and not in the other, both in order. */
static size_t apart(const found *a, const found *b)
{
    size_t i = 0, j = 0, count = 0;
    while (i < a->count || j < b->count) {
        if (i < a->count && j < b->count && a->list[i] == b->list[j]) {
            i++;
            j++;
            continue;
        }
        count++;
        if (j == b->count || (i < a->count && a->list[i] < b->list[j]))
            i++;
        else
            j++;
    }
    return count;
}

SLOW_TEST(person_is_one_row_whatever_its_rows_are)
{
    CLAIM("person.one-row");
    CLAIM("person-rows.own-rows");
    scene all, turned;
    if (!scene_begin(&all, 5, UINT32_MAX, false) ||
        !scene_begin(&turned, 5, UINT32_MAX, true))
        return;
    for (unsigned unit = 0; unit < UNITS; unit++) {
        scene without;
        if (!scene_begin(&without, 5, unit, false))
            return;
        for (size_t i = 0; i < COUNT(lists); i++) {
            found a, b, c;
            if (!ask(&all, lists[i], 2, &a) || !ask(&without, lists[i], 1, &b) ||
                !ask(&turned, lists[i], 1, &c))
                continue;
            CHECK_INT(a.rows, b.rows + 1);
            CHECK_INT(a.rows, UNITS);
            /* A unit without a value has no value to lose. */
            CHECK_INT(apart(&a, &b), a.present == b.present ? 0 : 1);
            CHECK_INT(apart(&a, &c), 0);
        }
        scene_end(&without);
    }
    scene_end(&all);
    scene_end(&turned);
}

TEST(person_any_value_is_one_of_the_unit_s_own)
{
    scene s;
    found all;
    if (!scene_begin(&s, 9, UINT32_MAX, false))
        return;
    if (ask(&s, lists[4], 1, &all)) {
        CHECK_INT(all.present, UNITS - 1); /* unit 3 has no value */
        for (size_t i = 0; i < all.count; i++)
            CHECK(all.list[i] >= -4 && all.list[i] <= 7);
    }
    scene_end(&s);
}

TEST(person_ladder_rounds_each_value)
{
    static const char plain[] =
        "SELECT MEDIAN(a) FROM (SELECT CLAMP(SUM(x), -50, 50) AS a "
        "GROUP BY u)",
                      rungs[] =
                          "SELECT MEDIAN(LADDER(a)) FROM (SELECT CLAMP(SUM(x), -50, "
                          "50) AS a GROUP BY u)";
    scene s;
    found a, b;
    if (!scene_begin(&s, 4, UINT32_MAX, false))
        return;
    if (ask(&s, plain, 1, &a) && ask(&s, rungs, 1, &b) && CHECK_INT(a.count, b.count)) {
        CHECK_INT(a.rows,
                  a.present + 1); /* the sum of no value is NULL, and so is its rung */
        for (size_t i = 0; i < a.count; i++)
            CHECK_INT(b.list[i], sc_rung_of(a.list[i]));
    }
    scene_end(&s);
}

TEST(person_questions_are_refused_where_they_have_no_meaning)
{
    static const char *const refused[][2] = {
        {"SELECT COUNT(*) FROM (SELECT COUNT(*) AS n)", "one row per u"},
        {"SELECT AVG(n) FROM (SELECT COUNT(*) AS n GROUP BY u)", "no public range"},
        {"SELECT AVG(n) FROM (SELECT SUM(x) AS n GROUP BY u)", "no public range"},
        {"SELECT AVG(n) FROM (SELECT MAX(x) AS n GROUP BY u, k)",
         "several rows per person"},
        {"SELECT AVG(n) FROM (SELECT CLAMP(COUNT(*), 0, 9) AS n GROUP BY u HAVING n > 1)",
         "WHERE and GROUP BY only"},
        {"SELECT AVG(n) FROM (SELECT CLAMP(AVG(x), 0, 9) AS n GROUP BY u)",
         "takes COUNT(*)"},
        {"SELECT AVG(n) FROM (SELECT CLAMP(COUNT(*), 0, 9) GROUP BY u)", "after AS"},
        {"SELECT AVG(n) FROM (SELECT CLAMP(COUNT(*), 9, 0) AS n GROUP BY u)",
         "low below high"},
        {"SELECT AVG(n) FROM (SELECT CLAMP(COUNT(*), 0, 9.5) AS n GROUP BY u)",
         "whole steps"},
        {"SELECT AVG(n) FROM (SELECT ANY_VALUE(m) AS n FROM (SELECT MAX(x) AS m GROUP BY "
         "u, "
         "k) GROUP BY u)",
         "an outer SELECT takes"},
        {"SELECT COUNT(*) FROM (SELECT MAX(n) AS m FROM (SELECT MAX(n) AS n FROM (SELECT "
         "MAX(x) AS n GROUP BY u, k) GROUP BY u) GROUP BY u)",
         "subqueries are not supported"},
        {"SELECT ANY_VALUE(x)", "never listed"},
        {"SELECT AVG(x) FROM (SELECT MAX(y) AS n GROUP BY u)", "no column x"},
        {"SELECT AVG(LADDER(x))", "takes no LADDER"}};
    scene s;
    if (!scene_begin(&s, 1, UINT32_MAX, false))
        return;
    for (size_t i = 0; i < COUNT(refused); i++) {
        scrim_error error = {.status = SCRIM_OK};
        sc_refusal refusal = {.error = &error};
        const sc_query *query;
        sc_arena arena;
        sc_arena_init(&arena);
        CHECK(sc_validate(sc_text_of(refused[i][0]), sc_text_of("r"), s.schema, &arena,
                          &query, &refusal) != SCRIM_OK);
        if (!CHECK(strstr(error.message, refused[i][1]) != NULL))
            CHECK_STR(error.message, refused[i][0]);
        sc_arena_clear(&arena);
    }
    scene_end(&s);
}

/* Many keys where one row per person is made: they are refused, and are read into a room of their own, wherever the arena
 * is full. The sanitizers see one that is beyond it. */
TEST(person_questions_with_many_keys_stay_in_their_room)
{
    scene s;
    if (!scene_begin(&s, 1, UINT32_MAX, false))
        return;
    for (size_t conditions = 0; conditions < 40; conditions++) {
        char text[TEXT] = "SELECT AVG(n) FROM (SELECT MAX(x) AS n WHERE x > 0";
        scrim_error error = {.status = SCRIM_OK};
        sc_refusal refusal = {.error = &error};
        const sc_query *query;
        sc_arena arena;
        sc_arena_init(&arena);
        for (size_t i = 0; i < conditions; i++)
            strcat(text, " AND x < 5");
        strcat(text, " GROUP BY u");
        for (size_t i = 0; i < 60; i++)
            strcat(text, ", k");
        strcat(text, ")");
        CHECK_STATUS(sc_validate(sc_text_of(text), sc_text_of("r"), s.schema, &arena,
                                 &query, &refusal),
                     SCRIM_E_POLICY);
        CHECK(strstr(error.message, "several rows per person") != NULL);
        sc_arena_clear(&arena);
    }
    scene_end(&s);
}
