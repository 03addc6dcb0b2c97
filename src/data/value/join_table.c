#include "data/value/join_table.h"

#include "base/checked.h"

#include <stdlib.h>
#include <string.h>

#define NULLABLE " null"

bool sc_public_table_is_key(sc_text key)
{
    return sc_text_is(key, "join") || sc_text_is(key, "with") ||
           sc_text_is(key, "join-column") || sc_text_is(key, "join-cells");
}

const sc_public_table *sc_public_table_find(const sc_public_tables *tables, sc_text name)
{
    for (size_t i = 0; i < tables->count; i++)
        if (sc_text_equal(tables->list[i].name, name))
            return &tables->list[i];
    return NULL;
}

static sc_public_column *find_column(const sc_public_table *table, sc_text name)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (sc_text_equal(table->columns[i].column.name, name))
            return &table->columns[i];
    return NULL;
}

const sc_public_column *sc_public_table_column(const sc_public_table *table, sc_text name)
{
    return find_column(table, name);
}

scrim_status sc_public_table_digest(sc_text name, sc_text lines,
                                    char out[SC_PUBLIC_DIGEST_BYTES], scrim_error *error)
{
    static const char prefix[] = "sha256:";
    sc_digester *digester = NULL;
    sc_digest digest;
    scrim_status status = sc_digester_new(&digester, error);
    if (status == SCRIM_OK)
        status = sc_digest_of(digester, name, lines, &digest, error);
    sc_digester_free(digester);
    if (status != SCRIM_OK)
        return status;
    memcpy(out, prefix, sizeof prefix);
    sc_digest_format(&digest, out + sizeof prefix - 1);
    return SCRIM_OK;
}

/* Lines. */

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "no memory");
}

static scrim_status fail_form(const char *form, scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "join", "write %s",
                       form);
}

static scrim_status copy(sc_arena *arena, sc_text text, sc_text *out, scrim_error *error)
{
    const char *bytes = sc_arena_copy(arena, text.start, text.bytes);
    *out = (sc_text){bytes, text.bytes};
    return bytes == NULL ? no_memory(error) : SCRIM_OK;
}

/* "NAME=...", the first line of a table. */
static scrim_status add_table(sc_public_tables *tables, sc_text name, sc_arena *arena,
                              scrim_error *error)
{
    if (!sc_column_is_name(name))
        return fail_form("join=NAME=COLUMN=COLUMN, as in join=regions=city=town", error);
    if (sc_public_table_find(tables, name) != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "join",
                           "two public tables have this name; choose another");
    if (tables->count == SC_PUBLIC_TABLES)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "join",
                           "at most %d public tables are joined", SC_PUBLIC_TABLES);
    if (tables->list == NULL)
        tables->list = sc_arena_allocate(arena, SC_PUBLIC_TABLES, sizeof *tables->list);
    if (tables->list == NULL)
        return no_memory(error);
    sc_public_table *table = &tables->list[tables->count];
    *table =
        (sc_public_table){.columns = sc_arena_allocate(arena, SC_PUBLIC_TABLE_COLUMNS,
                                                       sizeof *table->columns)};
    if (table->columns == NULL)
        return no_memory(error);
    SC_TRY(copy(arena, name, &table->name, error));
    tables->count++;
    return SCRIM_OK;
}

static scrim_status take_declared(sc_public_tables *tables, sc_text name, sc_text value,
                                  sc_arena *arena, scrim_error *error)
{
    sc_text on, key;
    if (!sc_text_split(value, '=', &on, &key))
        return fail_form("join=NAME=COLUMN=COLUMN, as in join=regions=city=town", error);
    on = sc_text_trim(on);
    key = sc_text_trim(key);
    if (on.bytes == 0 || key.bytes == 0 || memchr(key.start, '=', key.bytes) != NULL)
        return fail_form("join=NAME=COLUMN=COLUMN, as in join=regions=city=town", error);
    SC_TRY(add_table(tables, name, arena, error));
    sc_public_table *table = &tables->list[tables->count - 1];
    SC_TRY(copy(arena, on, &table->on, error));
    return copy(arena, key, &table->key, error);
}

static scrim_status take_brought(sc_public_tables *tables, sc_text name, sc_text value,
                                 sc_arena *arena, scrim_error *error)
{
    if (value.bytes == 0)
        return fail_form("with=NAME=DIGEST", error);
    SC_TRY(add_table(tables, name, arena, error));
    return copy(arena, value, &tables->list[tables->count - 1].digest, error);
}

static scrim_status take_column(sc_public_table *table, sc_text name, sc_text type,
                                const sc_zone *zone, sc_arena *arena, scrim_error *error)
{
    const sc_text null = sc_text_of(NULLABLE);
    sc_column column = {.type = SC_COLUMN_TEXT, .zone = zone, .has_missing = true};
    if (!sc_column_is_name(name))
        return fail_form("a column as NAME=COLUMN=TYPE, as in regions=people=int[0,9000]",
                         error);
    if (find_column(table, name) != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "join",
                           "the table has this column twice; rename one");
    if (table->column_count == SC_PUBLIC_TABLE_COLUMNS)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "join",
                           "a public table has at most %d columns",
                           SC_PUBLIC_TABLE_COLUMNS);
    if (type.bytes > null.bytes &&
        sc_text_equal((sc_text){type.start + type.bytes - null.bytes, null.bytes},
                      null)) {
        type = sc_text_trim((sc_text){type.start, type.bytes - null.bytes});
        column.has_missing = false;
    }
    SC_TRY(sc_column_set_type(&column, type, error));
    SC_TRY(copy(arena, name, &column.name, error));
    table->columns[table->column_count++] = (sc_public_column){.column = column};
    return SCRIM_OK;
}

/* The next cell of a list, its quotes taken off into room; start is NULL where it is empty. False at a list
 * that is not well-formed. */
static bool take_cell(sc_text *list, char **room, sc_text *cell, bool *is_last)
{
    const char *at = list->start, *end = list->start + list->bytes;
    char *const first = *room;
    const bool is_quoted = at < end && *at == '"';
    if (is_quoted)
        for (at++;; at++) {
            if (at == end)
                return false;
            if (*at == '"' && ++at < end && *at != '"')
                break;
            if (at == end)
                break;
            *(*room)++ = *at;
        }
    else
        while (at < end && *at != ',') {
            if (*at == '"')
                return false;
            *(*room)++ = *at++;
        }
    if (at < end && *at != ',')
        return false;
    *is_last = at == end;
    *list = *is_last ? (sc_text){end, 0} : (sc_text){at + 1, (size_t)(end - at) - 1};
    const size_t bytes = (size_t)(*room - first);
    *cell = is_quoted || bytes > 0 ? (sc_text){first, bytes} : (sc_text){NULL, 0};
    return true;
}

static scrim_status fail_cell(const sc_public_column *own, sc_text cell,
                              scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES], name[SC_TEXT_QUOTE_BYTES];
    if (cell.start == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "join",
                           "a cell of %s is empty, so its type must end in null",
                           sc_text_quote(own->column.name, name));
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "join",
                       "%s: '%s' is not a value of its type and range",
                       sc_text_quote(own->column.name, name), sc_text_quote(cell, quote));
}

static bool is_legal(const sc_public_column *own, sc_text cell)
{
    int64_t value;
    if (cell.start == NULL)
        return !own->column.has_missing;
    return own->column.type == SC_COLUMN_TEXT
               ? cell.bytes == 0 || sc_column_is_text(cell)
               : sc_column_read(&own->column, cell, &value);
}

static scrim_status take_cells(sc_public_table *table, sc_text name, sc_text list,
                               sc_arena *arena, scrim_error *error)
{
    sc_public_column *own = find_column(table, name);
    char *room = sc_arena_allocate(arena, list.bytes + 1, 1);
    size_t most = 1, count = 0;
    if (own == NULL || own->cells != NULL)
        return fail_form("the cells of each column once, behind its type", error);
    for (size_t i = 0; i < list.bytes; i++)
        most += list.start[i] == ',';
    if (list.bytes > SC_PUBLIC_TABLE_BYTES)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "join",
                           "a public table has at most 4 MiB");
    sc_text *cells = sc_arena_allocate(arena, most, sizeof *cells);
    if (room == NULL || cells == NULL)
        return no_memory(error);
    for (bool is_last = false; !is_last; count++) {
        if (!take_cell(&list, &room, &cells[count], &is_last))
            return fail_form("cells as CELL,CELL,...; put one that contains a comma in "
                             "double quotes",
                             error);
        if (!is_legal(own, cells[count]))
            return fail_cell(own, cells[count], error);
    }
    if (count > SC_PUBLIC_TABLE_ROWS)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "join",
                           "a public table has at most %zu rows", SC_PUBLIC_TABLE_ROWS);
    own->cells = cells;
    own->cell_count = count;
    return SCRIM_OK;
}

scrim_status sc_public_table_take(sc_public_tables *tables, sc_text key, sc_text value,
                                  const sc_zone *zone, sc_arena *arena,
                                  scrim_error *error)
{
    sc_text name, rest, column, last;
    if (!sc_text_split(value, '=', &name, &rest))
        return fail_form("NAME=... after the key, with the name of the public table",
                         error);
    name = sc_text_trim(name);
    if (sc_text_is(key, "join"))
        return take_declared(tables, name, rest, arena, error);
    if (sc_text_is(key, "with"))
        return take_brought(tables, name, sc_text_trim(rest), arena, error);
    if (!sc_text_split(rest, '=', &column, &last))
        return fail_form("NAME=COLUMN=... after the key", error);
    column = sc_text_trim(column);
    last = sc_text_trim(last);
    if (tables->count == 0 || !sc_text_equal(tables->list[tables->count - 1].name, name))
        return fail_form("the lines of a public table together, join= first", error);
    sc_public_table *table = &tables->list[tables->count - 1];
    return sc_text_is(key, "join-column")
               ? take_column(table, column, last, zone, arena, error)
               : take_cells(table, column, last, arena, error);
}

/* Keys. */

typedef struct keyed_row {
    int64_t value;
    sc_text text;
    size_t row;
} keyed_row;

static int by_value(const void *left, const void *right)
{
    const keyed_row *a = left, *b = right;
    return (a->value > b->value) - (a->value < b->value);
}

static int by_text(const void *left, const void *right)
{
    const keyed_row *a = left, *b = right;
    return sc_text_compare(a->text, b->text);
}

static scrim_status fail_twice(const sc_public_table *table, sc_text a, sc_text b,
                               const sc_column *as, scrim_error *error)
{
    char name[SC_TEXT_QUOTE_BYTES], one[SC_TEXT_QUOTE_BYTES], two[SC_TEXT_QUOTE_BYTES],
        of[SC_TEXT_QUOTE_BYTES];
    sc_text_quote(table->name, name);
    sc_text_quote(a, one);
    return sc_text_equal(a, b)
               ? sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "join",
                             "%s has the key '%s' twice; each key may be in one row",
                             name, one)
               : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "join",
                             "%s has the keys '%s' and '%s', which are the same value of "
                             "%s; each key may be in one row",
                             name, one, sc_text_quote(b, two),
                             sc_text_quote(as->name, of));
}

/* The rows whose key the column can hold. */
static size_t read_keys(const sc_public_column *key, const sc_column *as, keyed_row *out)
{
    size_t count = 0;
    for (size_t i = 0; i < key->cell_count; i++) {
        const sc_text cell = key->cells[i];
        out[count] = (keyed_row){.text = cell, .row = i};
        if (cell.start != NULL &&
            (as->type == SC_COLUMN_TEXT || sc_column_read(as, cell, &out[count].value)))
            count++;
    }
    return count;
}

static scrim_status check_distinct(const sc_public_table *table, const sc_column *as,
                                   const keyed_row *keyed, size_t count,
                                   scrim_error *error)
{
    int (*const order)(const void *, const void *) =
        as->type == SC_COLUMN_TEXT ? by_text : by_value;
    for (size_t i = 1; i < count; i++)
        if (order(&keyed[i - 1], &keyed[i]) == 0)
            return fail_twice(table, keyed[i - 1].text, keyed[i].text, as, error);
    return SCRIM_OK;
}

static scrim_status copy_index(const keyed_row *keyed, size_t count, bool is_text,
                               sc_arena *arena, sc_public_index *out, scrim_error *error)
{
    int64_t *values = sc_arena_allocate(arena, is_text ? 0 : count, sizeof *values);
    sc_text *texts = sc_arena_allocate(arena, is_text ? count : 0, sizeof *texts);
    size_t *rows = sc_arena_allocate(arena, count, sizeof *rows);
    if (values == NULL || texts == NULL || rows == NULL)
        return no_memory(error);
    for (size_t i = 0; i < count; i++) {
        rows[i] = keyed[i].row;
        if (is_text)
            texts[i] = keyed[i].text;
        else
            values[i] = keyed[i].value;
    }
    *out = (sc_public_index){.rows = rows, .count = count};
    if (is_text)
        out->texts = texts;
    else
        out->values = values;
    return SCRIM_OK;
}

scrim_status sc_public_index_of(const sc_public_table *table, const sc_public_column *key,
                                const sc_column *as, sc_arena *arena,
                                sc_public_index *out, scrim_error *error)
{
    const bool is_text = as->type == SC_COLUMN_TEXT;
    keyed_row *keyed = sc_allocate(key->cell_count + 1, sizeof *keyed);
    if (keyed == NULL)
        return no_memory(error);
    const size_t count = read_keys(key, as, keyed);
    qsort(keyed, count, sizeof *keyed, is_text ? by_text : by_value);
    scrim_status status = check_distinct(table, as, keyed, count, error);
    if (status == SCRIM_OK)
        status = copy_index(keyed, count, is_text, arena, out, error);
    sc_free(keyed);
    return status;
}

size_t sc_public_index_value(const sc_public_index *index, int64_t value)
{
    size_t at = 0;
    if (index->count == 0)
        return 0;
    for (size_t count = index->count; count > 1;) {
        const size_t half = count / 2;
        at += half * (index->values[at + half] <= value);
        count -= half;
    }
    return index->values[at] == value ? at : index->count;
}

size_t sc_public_index_text(const sc_public_index *index, sc_text text)
{
    size_t at = 0;
    if (index->count == 0)
        return 0;
    for (size_t count = index->count; count > 1;) {
        const size_t half = count / 2;
        if (sc_text_compare(index->texts[at + half], text) <= 0)
            at += half;
        count -= half;
    }
    return sc_text_equal(index->texts[at], text) ? at : index->count;
}

/* The whole. */

static scrim_status check_cells(sc_public_table *table, scrim_error *error)
{
    char name[SC_TEXT_QUOTE_BYTES];
    for (size_t i = 0; i < table->column_count; i++) {
        const sc_public_column *own = &table->columns[i];
        if ((own->cells == NULL) != (table->columns[0].cells == NULL) ||
            own->cell_count != table->columns[0].cell_count)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "join",
                               "the columns of %s have different numbers of cells",
                               sc_text_quote(table->name, name));
    }
    if (table->column_count == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "join",
                           "%s has no columns; name them with their types",
                           sc_text_quote(table->name, name));
    table->row_count = table->columns[0].cell_count;
    return SCRIM_OK;
}

/* The column that a declared table is joined to: the dataset's, or TABLE.COLUMN of another. */
static const sc_column *joined_to(const sc_public_tables *tables, size_t index,
                                  const sc_column *columns, size_t count)
{
    const sc_text on = tables->list[index].on;
    sc_text name, column;
    for (size_t i = 0; i < count; i++)
        if (sc_text_equal(columns[i].name, on))
            return &columns[i];
    if (!sc_text_split(on, '.', &name, &column))
        return NULL;
    const sc_public_table *table = sc_public_table_find(tables, name);
    const sc_public_column *own = table == NULL || table == &tables->list[index]
                                      ? NULL
                                      : sc_public_table_column(table, column);
    return own == NULL ? NULL : &own->column;
}

static scrim_status fail_on(const sc_public_table *table, const char *why,
                            scrim_error *error)
{
    char name[SC_TEXT_QUOTE_BYTES], on[SC_TEXT_QUOTE_BYTES];
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "on",
                       "%s cannot be joined by '%s': %s",
                       sc_text_quote(table->name, name), sc_text_quote(table->on, on),
                       why);
}

static scrim_status check_declared(const sc_public_tables *tables, size_t index,
                                   const sc_column *columns, size_t count, sc_text unit,
                                   scrim_error *error)
{
    const sc_public_table *table = &tables->list[index];
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_public_index keys;
    if (unit.bytes > 0 && sc_text_equal(table->on, unit))
        return fail_on(table, "it is the privacy unit, which no question reads", error);
    const sc_column *as = joined_to(tables, index, columns, count);
    if (as == NULL)
        return fail_on(table,
                       "no such column is declared; name one of the dataset, or "
                       "TABLE.COLUMN of another public table",
                       error);
    const sc_public_column *key = sc_public_table_column(table, table->key);
    if (key == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "on",
                           "%s has no column '%.60s'; write COLUMN=KEY where the names "
                           "differ",
                           sc_text_quote(table->name, quote), table->key.start);
    sc_arena arena;
    sc_arena_init(&arena);
    const scrim_status status = sc_public_index_of(table, key, as, &arena, &keys, error);
    sc_arena_clear(&arena);
    if (status == SCRIM_OK && table->row_count > 0 && keys.count == 0)
        return fail_on(table, "it can have no value that is a key of the table", error);
    return status;
}

scrim_status sc_public_tables_check(const sc_public_tables *tables,
                                    const sc_column *columns, size_t column_count,
                                    sc_text unit, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < tables->count; i++) {
        status = check_cells(&tables->list[i], error);
        if (status == SCRIM_OK && tables->list[i].digest.bytes == 0)
            status = check_declared(tables, i, columns, column_count, unit, error);
    }
    return status;
}
