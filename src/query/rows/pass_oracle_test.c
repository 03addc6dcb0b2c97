/* A pass against an oracle that reads row by row and computes in rationals. */
#include "check.h"
#include "pass_scene.h"
#include "query/rows/key_tuple.h"
#include "row_oracle.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS = 12, ROWS = PASS_ROWS, GROUPS = ROWS, KEY_BYTES = 200 };

/* A table in a file, and its rows for the oracle. */
typedef struct file_table {
    char path[64];
    const sc_schema *schema;
    row_value rows[ROWS][COLUMNS];
    unsigned units[ROWS];
} file_table;

static void set_number(const sc_column *column, int64_t steps, row_value *value)
{
    sc_ratio step;
    sc_ratio_init(&step);
    sc_ratio_set_int64(&step, 1);
    if (column->type != SC_COLUMN_BOOL)
        sc_grid_step(&column->grid, &step);
    sc_ratio_set_int64(&value->number, steps);
    sc_ratio_mul(&value->number, &value->number, &step);
    sc_ratio_clear(&step);
}

/* The default, or NULL. */
static void absent_value(const sc_column *column, row_value *value)
{
    value->is_null = !column->has_missing;
    if (column->type == SC_COLUMN_TEXT)
        value->text = column->missing;
    else if (column->type != SC_COLUMN_BOOL && !value->is_null)
        set_number(column, column->grid.missing, value);
}

/* A random value, written to the file; now and then it is left out. */
static void put_value(file_table *table, size_t r, size_t c, uint64_t *seed, FILE *file)
{
    static const char *const words[] = {"Female", "Male", "a", "b", "\xc3\xa4"};
    const sc_column *column = &table->schema->columns[c];
    row_value *value = &table->rows[r][c];
    char text[SC_COLUMN_TEXT_BYTES];
    value->is_text = column->type == SC_COLUMN_TEXT;
    if (row_random(seed, 40) == 0) {
        absent_value(column, value);
        fputs(row_random(seed, 2) == 0 ? "," : ",\xff", file);
        return;
    }
    if (value->is_text) {
        value->text = sc_text_of(words[row_random(seed, c == 6 ? 3 : 5)]);
        fprintf(file, ",%.*s", (int)value->text.bytes, value->text.start);
        return;
    }
    const bool is_bool = column->type == SC_COLUMN_BOOL;
    const int64_t low = is_bool ? 0 : column->grid.low,
                  high = is_bool ? 1 : column->grid.high;
    const uint64_t span = (uint64_t)high - (uint64_t)low + 1;
    int64_t steps = (int64_t)((uint64_t)low + row_random(seed, span));
    if (row_random(seed, 8) == 0)
        steps = row_random(seed, 2) == 0 ? low : high;
    sc_column_format(column, steps, text, sizeof text);
    fprintf(file, ",%s", text);
    set_number(column, steps, value);
}

static bool table_init(file_table *table, const char *unit, uint64_t *seed)
{
    memset(table, 0, sizeof *table);
    FILE *file = pass_file_new(table->path);
    for (size_t r = 0; r < ROWS; r++)
        for (size_t c = 0; c < COLUMNS; c++)
            sc_ratio_init(&table->rows[r][c].number);
    if (!CHECK(file != NULL) || !pass_schema_open(table->path, unit, &table->schema))
        return false;
    fputs("person_id", file);
    for (size_t c = 0; c < COLUMNS; c++)
        fprintf(file, ",%.*s", (int)table->schema->columns[c].name.bytes,
                table->schema->columns[c].name.start);
    for (size_t r = 0; r < ROWS; r++) {
        table->units[r] = (unsigned)row_random(seed, ROWS / 3);
        fprintf(file, "\nu%u", table->units[r]);
        for (size_t c = 0; c < COLUMNS; c++)
            put_value(table, r, c, seed, file);
    }
    fclose(file);
    return true;
}

static void table_clear(file_table *table)
{
    for (size_t r = 0; r < ROWS; r++)
        for (size_t c = 0; c < COLUMNS; c++)
            sc_ratio_clear(&table->rows[r][c].number);
    sc_schema_free(table->schema);
    unlink(table->path);
}

/* The oracle: row by row, in rationals. */

typedef struct oracle_group {
    char key[KEY_BYTES];
    size_t bytes;
    uint64_t rows, units;
    bool has_unit[ROWS];
    sc_int128 sums[8];
    uint64_t present[8];
    int64_t lists[8][ROWS];
} oracle_group;

typedef struct oracle {
    oracle_group groups[GROUPS + 1];
    size_t count;
} oracle;

/* As a count of the steps of what it is a value of. */
static int64_t steps_of(const sc_typed *typed, const row_value *value)
{
    sc_ratio step;
    sc_integer whole;
    sc_int128 steps = 0;
    for (size_t i = 0; value->is_text && i < typed->text_count; i++)
        if (sc_text_equal(typed->texts[i], value->text))
            return (int64_t)i;
    sc_ratio_init(&step);
    sc_integer_init(&whole);
    sc_extent_value(typed->extent.step, 1, &step);
    sc_ratio_div(&step, &value->number, &step);
    CHECK(sc_ratio_is_integer(&step));
    sc_ratio_floor(&step, &whole);
    CHECK(sc_integer_get_int128(&whole, &steps));
    sc_integer_clear(&whole);
    sc_ratio_clear(&step);
    return (int64_t)steps;
}

static int64_t evaluate(const file_table *table, const sc_typed *typed,
                        const sc_node *node, size_t r, sc_text *text)
{
    row_value value = {.is_text = false};
    sc_ratio_init(&value.number);
    row_evaluate(table->schema, node, table->rows[r], &value);
    *text = value.is_null ? sc_null_text() : value.text;
    const int64_t steps = value.is_null                    ? SC_NULL
                          : sc_typed_is_text_column(typed) ? 0
                                                           : steps_of(typed, &value);
    sc_ratio_clear(&value.number);
    return steps;
}

static oracle_group *group_of(oracle *o, const pass_question *s, const file_table *table,
                              size_t r)
{
    sc_key_part parts[SC_QUERY_KEYS];
    char key[KEY_BYTES];
    size_t at = 0;
    for (size_t i = 0; i < s->query->key_count; i++) {
        const sc_query_key *asked = &s->query->keys[i];
        parts[i].is_text = sc_typed_is_text_column(asked->value);
        parts[i].value =
            evaluate(table, asked->value, s->tree->groups[i], r, &parts[i].text);
        if (asked->column != NULL && asked->column->has_keys &&
            !sc_text_is_null(parts[i].text) && !sc_text_is(parts[i].text, "Female") &&
            !sc_text_is(parts[i].text, "Male"))
            return NULL;
    }
    const size_t bytes = sc_key_tuple_bytes(parts, s->query->key_count);
    if (!CHECK(bytes <= KEY_BYTES))
        return NULL;
    sc_key_tuple_write(parts, s->query->key_count, key);
    while (at < o->count &&
           (o->groups[at].bytes != bytes || memcmp(o->groups[at].key, key, bytes) != 0))
        at++;
    if (at == o->count) {
        memcpy(o->groups[at].key, key, bytes);
        o->groups[at].bytes = bytes;
        o->count++;
    }
    return &o->groups[at];
}

static void add_row(oracle_group *group, const pass_question *s, const file_table *table,
                    size_t r)
{
    const size_t first = s->tree->item_count - s->query->aggregate_count;
    size_t v = 0;
    for (size_t i = 0; i < s->query->aggregate_count; i++) {
        const sc_typed *value = s->query->aggregates[i].value;
        sc_text none;
        if (value == NULL)
            continue;
        const int64_t x =
            evaluate(table, value, s->tree->items[first + i].node->list[0], r, &none);
        if (x == SC_NULL) {
            v++;
            continue;
        }
        int64_t *list = group->lists[v];
        size_t at = (size_t)group->present[v]++;
        for (; at > 0 && list[at - 1] > x; at--)
            list[at] = list[at - 1];
        list[at] = x;
        group->sums[v] += (sc_int128)x - s->groups[v].centre;
        v++;
    }
    group->rows++;
    group->units += table->schema->unit.bytes == 0 || !group->has_unit[table->units[r]];
    group->has_unit[table->units[r]] = true;
}

static void run_oracle(oracle *o, const pass_question *s, const file_table *table)
{
    memset(o, 0, sizeof *o);
    o->count = s->query->key_count == 0; /* which is there whatever rows there are */
    for (size_t r = 0; r < ROWS; r++) {
        sc_text none;
        if (s->query->where != NULL &&
            evaluate(table, s->query->where, s->tree->where, r, &none) != 1)
            continue;
        oracle_group *group = group_of(o, s, table, r);
        if (group != NULL)
            add_row(group, s, table, r);
    }
}

static void check_group(const sc_group *got, const oracle_group *want,
                        const pass_question *s)
{

    CHECK_INT(got->rows, (sc_int128)want->rows);
    CHECK_INT(got->units, (sc_int128)want->units);
    for (size_t v = 0; v < s->statistics.value_count; v++) {
        CHECK_INT(got->sums[v], want->sums[v]);
        CHECK_INT(got->present[v], (sc_int128)want->present[v]);
        if (s->groups[v].has_list && want->present[v] > 0)
            CHECK_BYTES(got->lists[v], want->lists[v],
                        want->present[v] * sizeof(int64_t));
    }
}

static void check_groups(const sc_groups *got, const oracle *want, const pass_question *s)
{
    CHECK_INT((sc_int128)got->count, (sc_int128)want->count);
    for (size_t i = 0; i < got->count; i++) {
        const sc_group *group = &got->groups[i];
        size_t at = 0;
        while (at < want->count &&
               !sc_text_equal(group->key,
                              (sc_text){want->groups[at].key, want->groups[at].bytes}))
            at++;
        if (CHECK(at < want->count))
            check_group(group, &want->groups[at], s);
        if (i > 0 && !s->asked.has_keys)
            CHECK(sc_text_compare(got->groups[i - 1].key, group->key) < 0);
    }
}

/* One of the groups is not asked for, and one that nobody is in is. */
static void make_public(pass_question *s, oracle *o)
{
    if (s->query->key_count == 0 || o->count < 2)
        return;
    o->count--;
    oracle_group *empty = &o->groups[o->count];
    *empty = (oracle_group){.bytes = o->groups[0].bytes};
    memcpy(empty->key, o->groups[0].key, empty->bytes);
    empty->key[0] = '\x01'; /* beyond every range, and no text of these */
    o->count++;
    for (size_t i = 0; i < o->count; i++)
        s->keys[i] = (sc_text){o->groups[i].key, o->groups[i].bytes};
    s->asked.has_keys = true;
    s->asked.keys = s->keys;
    s->asked.key_count = o->count;
}

static const char *key_text(uint64_t *seed, char *text, size_t capacity)
{
    static const char *const columns[] = {"sex", "city", "\"home town\"", "married",
                                          "age"};
    const uint64_t choice = row_random(seed, 9);
    if (choice < 5)
        snprintf(text, capacity, "%s", columns[choice]);
    else
        (void)row_expression(seed, "nbdt"[choice - 5], 2, text, capacity);
    return text;
}

/* Random text; most of it is a query. */
static void make_text(pass_question *s, uint64_t *seed)
{
    char a[500], b[500], where[900] = "", sum[900], median[900], keys[1200] = "",
                         group[1300] = "";
    const uint64_t key_count = row_random(seed, 3);
    key_text(seed, a, sizeof a);
    key_text(seed, b, sizeof b);
    if (key_count > 0) {
        snprintf(keys, sizeof keys, "%s AS k1%s%s%s, ", a, key_count > 1 ? ", " : "",
                 key_count > 1 ? b : "", key_count > 1 ? " AS k2" : "");
        snprintf(group, sizeof group, " GROUP BY %s%s%s", a, key_count > 1 ? ", " : "",
                 key_count > 1 ? b : "");
    }
    if (row_random(seed, 2) == 0) {
        char condition[800];
        (void)row_expression(seed, 'b', 2, condition, sizeof condition);
        snprintf(where, sizeof where, " WHERE %s", condition);
    }
    (void)row_expression(seed, 'n', 2, sum, sizeof sum);
    (void)row_expression(seed, 'n', 2, median, sizeof median);
    snprintf(s->text, sizeof s->text,
             "SELECT %sCOUNT(*) AS n, SUM(%s) AS s, MEDIAN(%s) AS m%s%s", keys, sum,
             median, where, group);
}

typedef struct question {
    pass_question statements[2];
    oracle wanted[2];
} question;

/* Two random statements in one pass; false when they are no queries. */
static bool try_question(question *q, const file_table *table, unsigned workers,
                         uint64_t *seed)
{
    sc_pass_statement both[2];
    sc_pass *pass = NULL;
    const sc_pass_options options = {.workers = workers};
    bool is_good = true;
    scrim_error error;
    for (size_t i = 0; i < 2; i++) {
        make_text(&q->statements[i], seed);
        is_good = pass_question_read(&q->statements[i], table->schema) && is_good;
    }
    for (size_t i = 0; is_good && i < 2; i++) {
        run_oracle(&q->wanted[i], &q->statements[i], table);
        if (row_random(seed, 2) == 0)
            make_public(&q->statements[i], &q->wanted[i]);
        both[i] = q->statements[i].asked;
    }
    if (is_good &&
        CHECK_STATUS(pass_run(table->schema, both, 2, &options, *seed, &pass, &error),
                     SCRIM_OK))
        for (size_t i = 0; i < 2; i++)
            check_groups(sc_pass_groups(pass, i), &q->wanted[i], &q->statements[i]);
    sc_pass_close(pass);
    for (size_t i = 0; i < 2; i++)
        sc_arena_clear(&q->statements[i].arena);
    return is_good;
}

SLOW_TEST(pass_equals_the_oracle)
{
    CLAIM("pass.exact");
    CLAIM("pass.whole");
    static file_table table;
    static question q;
    uint64_t seed = check_seed();
    size_t asked = 0;
    const uint64_t tables = check_count_whole(30, 3000);
    for (uint64_t turn = 0; turn < tables; turn++) {
        if (!table_init(&table, turn % 3 == 0 ? "row" : "person_id", &seed))
            return;
        for (unsigned tries = 0; tries < 12; tries++)
            asked += try_question(&q, &table, 1 + tries % 3, &seed);
        table_clear(&table);
    }
    CHECK(asked > 2 * tables); /* some are refused for their ranges */
}
