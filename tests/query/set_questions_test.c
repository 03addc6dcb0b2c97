/* Random questions with several sets of keys, against SQLite on the same rows: the groups of each set before noise, which
 * SQLite gets by a GROUP BY of their own. Keys are missing, and on no list. */
#include "check.h"
#include "pass_scene.h"
#include "query/answer/nested_groups.h"
#include "query/language/key_text.h"
#include "query/plan/plan.h"
#include "query/rows/key_tuple.h"
#include "row_oracle.h"
#include "sql_twin.h"

#include <string.h>

enum { ROWS = 120, COLUMNS = 5, KEYS = 4, TEXT = 2000 };

static const char policy[] = "unit=p\nmax-total-rows=1000\ncolumn=a=text\nkeys=a=p,q,r\n"
                             "column=b=int[0,3]\ncolumn=c=bool\ncolumn=x=int[-5,9]\n"
                             "neighbours=add-remove\nbudget=epsilon=9\n";

/* The keys, and what they are in SQLite. */
static const char *const keys[KEYS] = {"a", "b", "c", "BUCKET(b, 2)"},
                         *const sql_keys[KEYS] = {"a", "b", "c", "(b - b % 2)"};

static void put_cell(sql_cell *cell, const char *text, bool is_text)
{
    char value[40];
    snprintf(value, sizeof value, is_text ? "'%s'" : "%s", text);
    sql_cell_set(cell, text, text[0] == '\0' ? "NULL" : value);
}

static bool make_rows(sql_twin *twin, uint64_t *seed)
{
    static const char *const as[] = {"p", "q", "r", "z", "", "p"};
    bool is_made = sql_twin_begin(twin, NULL, "p,a,b,c,x",
                                  "p text, a text, b numeric, c boolean, x numeric");
    for (size_t i = 0; is_made && i < ROWS; i++) {
        sql_cell cells[COLUMNS];
        char number[16];
        snprintf(number, sizeof number, "%u", (unsigned)row_random(seed, 20));
        put_cell(&cells[0], number, true);
        put_cell(&cells[1], as[row_random(seed, COUNT(as))], true);
        snprintf(number, sizeof number, "%u", (unsigned)row_random(seed, 4));
        put_cell(&cells[2], row_random(seed, 6) == 0 ? "" : number, false);
        sql_cell_set(&cells[3], "true", "1");
        if (row_random(seed, 2) == 0)
            sql_cell_set(&cells[3], "false", "0");
        if (row_random(seed, 9) == 0)
            sql_cell_set(&cells[3], "", "NULL");
        snprintf(number, sizeof number, "%d", (int)row_random(seed, 15) - 5);
        put_cell(&cells[4], row_random(seed, 5) == 0 ? "" : number, false);
        is_made = sql_twin_row(twin, cells, COLUMNS, NULL);
    }
    return is_made && sql_twin_declare(twin, policy);
}

/* A question of some keys: its text, and their places in the order of GROUP BY. */
typedef struct question {
    char text[TEXT];
    size_t places[3], count;
    bool is_filtered;
} question;

static void make_question(question *q, uint64_t *seed)
{
    /* With the places in SELECT of the keys in their order. */
    static const struct {
        const char *text;
        size_t order[3];
    } two[] = {{"ROLLUP(1, 2)", {0, 1}},
               {"CUBE(1, 2)", {0, 1}},
               {"1, ROLLUP(2)", {0, 1}},
               {"GROUPING SETS ((1), (2), ())", {0, 1}},
               {"GROUPING SETS ((2, 1), (2))", {1, 0}}},
      three[] = {{"ROLLUP(1, 2, 3)", {0, 1, 2}},
                 {"CUBE(1, 2, 3)", {0, 1, 2}},
                 {"2, CUBE(1, 3)", {1, 0, 2}},
                 {"GROUPING SETS ((1, 3), (2), ())", {0, 2, 1}},
                 {"ROLLUP((3, 1), 2)", {2, 0, 1}}};
    sc_text_sink sink;
    sc_text_sink_init(&sink, q->text, sizeof q->text);
    sc_text_put(&sink, sc_text_of("SELECT "));
    const size_t first = row_random(seed, KEYS);
    q->count = 2 + row_random(seed, 2);
    q->is_filtered = row_random(seed, 3) == 0;
    const size_t chosen = row_random(seed, COUNT(two));
    const size_t *order = q->count == 2 ? two[chosen].order : three[chosen].order;
    for (size_t i = 0; i < q->count; i++) {
        q->places[i] = (first + order[i]) % KEYS;
        sc_text_put(&sink, sc_text_of(keys[(first + i) % KEYS]));
        sc_text_put(&sink, sc_text_of(", "));
    }
    sc_text_put(&sink, sc_text_of("COUNT(*) AS n, SUM(x) AS s, VAR(x) AS v"));
    sc_text_put(
        &sink, sc_text_of(q->is_filtered ? " WHERE x > 0 OR c GROUP BY " : " GROUP BY "));
    sc_text_put(&sink, sc_text_of(q->count == 2 ? two[chosen].text : three[chosen].text));
}

/* A set in SQLite: rows that are in no group of all keys together are in none. */
static void put_sql(const question *q, uint64_t set, int64_t centre, char *out)
{
    sc_text_sink sink;
    char sums[200];
    bool is_first = true;
    sc_text_sink_init(&sink, out, TEXT);
    sc_text_put(&sink, sc_text_of("SELECT ''"));
    for (size_t i = 0; i < q->count; i++)
        if (set >> i & 1) {
            sc_text_put(&sink, sc_text_of(" || COALESCE("));
            sc_text_put(&sink, sc_text_of(sql_keys[q->places[i]]));
            sc_text_put(&sink, sc_text_of(", '<null>') || ';'"));
        }
    snprintf(sums, sizeof sums,
             ", COUNT(*), COUNT(x), COALESCE(SUM(x), 0), COALESCE(SUM((x - %d) * (x - "
             "%d)), 0) FROM r WHERE 1",
             (int)centre, (int)centre);
    sc_text_put(&sink, sc_text_of(sums));
    for (size_t i = 0; i < q->count; i++)
        if (q->places[i] == 0)
            sc_text_put(&sink, sc_text_of(" AND (a IN ('p', 'q', 'r') OR a IS NULL)"));
    sc_text_put(&sink, sc_text_of(q->is_filtered ? " AND (x > 0 OR c)" : ""));
    for (size_t i = 0; i < q->count; i++)
        if (set >> i & 1) {
            sc_text_put(&sink, sc_text_of(is_first ? " GROUP BY " : ", "));
            sc_text_put(&sink, sc_text_of(sql_keys[q->places[i]]));
            is_first = false;
        }
    sc_text_put(&sink, sc_text_of(" HAVING COUNT(*) > 0"));
}

static void put_key(const sc_query *query, const sc_group *g, char *out, size_t bytes)
{
    sc_key_part parts[3] = {{.is_text = false}};
    out[0] = '\0';
    for (size_t i = 0; i < query->key_count; i++)
        parts[i].is_text = sc_typed_is_text(query->keys[i].value);
    if (!CHECK(sc_key_tuple_read(g->key, parts, query->key_count)))
        return;
    for (size_t i = 0; i < query->key_count; i++) {
        const size_t at = strlen(out);
        if (sc_key_part_is_null(&parts[i]))
            snprintf(out + at, bytes - at, "<null>;");
        else if (parts[i].is_text)
            snprintf(out + at, bytes - at, "%.*s;", (int)parts[i].text.bytes,
                     parts[i].text.start);
        else if (query->keys[i].value->type == SC_TYPE_BOOL)
            snprintf(out + at, bytes - at, "%d;", (int)parts[i].value);
        else if (CHECK(sc_key_text(query->keys[i].value, parts[i].value, out + at,
                                   bytes - at) < 20))
            strcat(out, ";");
    }
}

static void put_groups(const sc_planned_statement *s, const sc_groups *groups,
                       sql_answer *out)
{
    const int64_t centre = s->statistics.groups[0].centre;
    out->count = 0;
    out->columns = 5;
    for (size_t i = 0; i < groups->count; i++) {
        const sc_group *g = &groups->groups[i];
        char key[SQL_CELL_BYTES], number[SC_INT128_BYTES];
        sql_row *row = g->rows == 0 ? NULL : sql_answer_row(out);
        if (row == NULL)
            continue;
        put_key(s->query, g, key, sizeof key);
        sql_cell_put(row, 0, key);
        const sc_int128 numbers[] = {(sc_int128)g->rows, (sc_int128)g->present[0],
                                     g->sums[0] + centre * (sc_int128)g->present[0],
                                     g->squares[0]};
        for (size_t k = 0; k < COUNT(numbers); k++) {
            sc_int128_format(numbers[k], number);
            sql_cell_put(row, k + 1, number);
        }
    }
}

/* The groups of every set, as ask.c makes them. */
static bool check_sets(const sql_twin *twin, const question *q, const scrim_plan *plan,
                       uint64_t seed)
{
    static sql_answer ours, theirs;
    static char sql[TEXT];
    const sc_planned_statement *source = sc_plan_source(plan);
    const sc_pass_options options = {.workers = 1 + (unsigned)(seed % 3)};
    const sc_pass_statement asked = {.query = source->query,
                                     .statistics = &source->statistics,
                                     .bounds = source->said,
                                     .has_keys = true,
                                     .keys = source->keys,
                                     .key_count = source->key_count};
    sc_pass *pass = NULL;
    bool is_same = CHECK_STATUS(
        pass_run(plan->schema, &asked, 1, &options, seed, &pass, NULL), SCRIM_OK);
    for (size_t i = 0; is_same && i < plan->statement_count; i++) {
        const sc_planned_statement *s = &plan->statements[i];
        sc_nested_groups nested = {.places = NULL};
        sc_groups groups = *sc_pass_groups(pass, 0);
        if (sc_plan_is_sum(plan, i) &&
            CHECK_STATUS(sc_nested_groups_init(&nested, plan, i, NULL), SCRIM_OK))
            groups = sc_nested_groups_sum(&nested, sc_pass_groups(pass, 0));
        put_groups(s, &groups, &ours);
        put_sql(q, s->source_keys, s->statistics.groups[0].centre, sql);
        is_same = sql_twin_ask(twin, IN_SQLITE, sql, &theirs);
        if (ours.count == 0)
            theirs.columns = ours.columns;
        is_same = is_same && sql_answers_are_same(&ours, &theirs, "0");
        if (!is_same)
            CHECK_STR(q->text, sql);
        sc_nested_groups_clear(&nested);
    }
    sc_pass_close(pass);
    return is_same;
}

SLOW_TEST(sets_of_keys_have_the_groups_that_sqlite_has)
{
    CLAIM("nested-groups.sum");
    const scrim_query_options options = {.size = sizeof options, .epsilon = "1"};
    uint64_t state = check_seed(), *seed = &state;
    bool is_right = true;
    for (uint64_t done = 0; is_right && done < check_count_whole(60, 10000);) {
        sql_twin twin;
        char declared[1000];
        is_right = make_rows(&twin, seed);
        snprintf(declared, sizeof declared, "%scsv=%s\n", policy, twin.path);
        for (size_t i = 0; is_right && i < 20; i++, done++) {
            question q;
            const char *text = q.text;
            scrim_plan *plan = NULL;
            scrim_error error = {.status = SCRIM_OK};
            make_question(&q, seed);
            is_right = CHECK_STATUS(scrim_plan_new(NULL, declared, &text, 1, &options,
                                                   &plan, NULL, &error),
                                    SCRIM_OK) &&
                       check_sets(&twin, &q, plan, *seed);
            if (!is_right)
                CHECK_STR(q.text, error.message);
            scrim_plan_free(plan);
        }
        sql_twin_end(&twin);
    }
}
