#include "data/value/schema.h"

#include "data/value/source_kind.h"

#include <string.h>

/* A schema, and what it is made of; what follows the arena is needed on its way only. */
typedef struct sc_schema_memory {
    sc_schema schema;
    sc_arena arena;
    const sc_schema_files *files;
    bool has_unit, has_record_end, is_one_row, has_separator, has_decimal;
} building;

const char *sc_schema_key_at(size_t index)
{
    static const char *const keys[] = {
        "unit",          "column",         "keys",         "missing",     "max-groups",
        "max-rows",      "max-total-rows", "fixed-bounds", "neighbours",  "table",
        "records",       "separator",      "decimal",      "date-format", "null",
        "rows-per-unit", "max-total",      "bounds-from",  "zone",        "max-size",
        "join",          "join-column",    "join-cells",   "with"};
    const size_t count = sizeof keys / sizeof *keys;
    if (index < count)
        return keys[index];
    const sc_source_kind *kind = sc_source_kind_at(index - count);
    return kind == NULL ? NULL : kind->key;
}

bool sc_schema_is_key(sc_text key)
{
    const char *own;
    for (size_t i = 0; (own = sc_schema_key_at(i)) != NULL; i++)
        if (sc_text_is(key, own))
            return true;
    return false;
}

/* Lines. */

static size_t key_bytes(sc_text line)
{
    size_t count = 0;
    while (count < line.bytes &&
           ((line.start[count] >= 'a' && line.start[count] <= 'z') ||
            (line.start[count] == '-' && count > 0)))
        count++;
    const bool is_whole = count == line.bytes || line.start[count] == '=' ||
                          line.start[count] == ' ' || line.start[count] == '\t';
    return is_whole ? count : 0;
}

bool sc_schema_line(sc_text *policy, sc_text *line, sc_text *key, sc_text *value)
{
    *line = *key = *value = (sc_text){NULL, 0};
    while (sc_text_item(policy, '\n', line)) {
        if (line->bytes > 0 && line->start[line->bytes - 1] == '\r')
            line->bytes--;
        *line = sc_text_trim(*line);
        if (line->bytes == 0 || line->start[0] == '#')
            continue;
        const size_t bytes = key_bytes(*line);
        if (bytes == 0)
            return false;
        *key = (sc_text){line->start, bytes};
        if (bytes < line->bytes)
            *value =
                sc_text_trim((sc_text){line->start + bytes + 1, line->bytes - bytes - 1});
        return true;
    }
    *line = (sc_text){NULL, 0};
    return false;
}

/* Puts the line in front of the message; its key is the parameter, and one of ours. */
static scrim_status at_line(scrim_status status, sc_text key, sc_text value,
                            scrim_error *error)
{
    char name[SC_TEXT_QUOTE_BYTES], quote[SC_TEXT_QUOTE_BYTES];
    if (status == SCRIM_OK || error == NULL)
        return status;
    const scrim_error cause = *error;
    const bool is_form =
        cause.reason == SCRIM_REASON_NONE && status / 10 == SCRIM_E_PARAM / 10;
    return sc_fail_for(error, status, is_form ? SCRIM_REASON_SYNTAX : cause.reason,
                       sc_text_quote(key, name), "%s%s%s: %s", name,
                       value.bytes > 0 ? " " : "", sc_text_quote(value, quote),
                       cause.message);
}

static scrim_status copy(building *b, sc_text text, sc_text *out, scrim_error *error)
{
    const char *bytes = sc_arena_copy(&b->arena, text.start, text.bytes);
    if (bytes == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    *out = (sc_text){bytes, text.bytes};
    return SCRIM_OK;
}

/* The zone, in which ranges of columns are read. */

static scrim_status fail_twice(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "",
                       "duplicate; give it once");
}

static scrim_status take_zone(building *b, sc_text policy, scrim_error *error)
{
    sc_text line, key, value;
    scrim_status status = SCRIM_OK;
    while (status == SCRIM_OK && sc_schema_line(&policy, &line, &key, &value))
        if (sc_text_is(key, "zone"))
            status =
                at_line(b->schema.zone != NULL
                            ? fail_twice(error)
                            : sc_zone_parse(value, &b->arena, &b->schema.zone, error),
                        key, value, error);
    return status;
}

/* Columns, which all other lines speak of. */

static sc_column *find_column(const sc_schema *schema, sc_text name)
{
    for (size_t i = 0; i < schema->column_count; i++)
        if (sc_text_equal(schema->columns[i].name, name))
            return &schema->columns[i];
    return NULL;
}

static scrim_status take_column(building *b, sc_text value, scrim_error *error)
{
    sc_text name, type;
    sc_schema *schema = &b->schema;
    if (!sc_text_split(value, '=', &name, &type) ||
        !sc_column_is_name(name = sc_text_trim(name)))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "column",
                           "write a column as NAME=TYPE, as in age=int[0,120]");
    if (find_column(schema, name) != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "column",
                           "the column is declared twice");
    sc_column column = {
        .type = SC_COLUMN_TEXT, .form = &schema->form, .zone = schema->zone};
    SC_TRY(sc_column_set_type(&column, sc_text_trim(type), error));
    SC_TRY(copy(b, name, &column.name, error));
    schema->columns[schema->column_count++] = column;
    return SCRIM_OK;
}

static scrim_status take_columns(building *b, sc_text policy, scrim_error *error)
{
    sc_text line, key, value, rest = policy;
    size_t count = 0;
    while (sc_schema_line(&rest, &line, &key, &value))
        count += sc_text_is(key, "column");
    if (count > SC_SCHEMA_COLUMNS)
        return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "column",
                                 "at most %d columns are declared", SC_SCHEMA_COLUMNS);
    b->schema.columns =
        sc_arena_allocate(&b->arena, count + 1, sizeof *b->schema.columns);
    if (b->schema.columns == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    scrim_status status = SCRIM_OK;
    rest = policy;
    while (status == SCRIM_OK && sc_schema_line(&rest, &line, &key, &value))
        if (sc_text_is(key, "column"))
            status = at_line(take_column(b, value, error), key, value, error);
    return status;
}

/* "NAME=rest" of a column that is declared. */
static scrim_status named_column(building *b, sc_text *value, sc_column **column,
                                 scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES], near[SC_TEXT_QUOTE_BYTES];
    sc_text name, rest;
    if (!sc_text_split(*value, '=', &name, &rest))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "column",
                           "write COLUMN=VALUE after the key");
    name = sc_text_trim(name);
    *value = sc_text_trim(rest);
    *column = find_column(&b->schema, name);
    if (*column != NULL)
        return SCRIM_OK;
    const sc_text nearest = sc_schema_nearest(&b->schema, name);
    if (nearest.bytes > 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT, "column",
                           "no column '%s' is declared; did you mean '%s'?",
                           sc_text_quote(name, quote), sc_text_quote(nearest, near));
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "column",
                       "no column '%s' is declared", sc_text_quote(name, quote));
}

static scrim_status take_missing(building *b, sc_text value, scrim_error *error)
{
    sc_column *column = NULL;
    scrim_status status = named_column(b, &value, &column, error);
    if (status == SCRIM_OK && column->has_missing)
        status = fail_twice(error);
    if (status == SCRIM_OK)
        status = sc_column_set_missing(column, value, &b->arena, error);
    return status;
}

static scrim_status take_keys(building *b, sc_text value, scrim_error *error)
{
    sc_column *column = NULL;
    scrim_status status = named_column(b, &value, &column, error);
    if (status == SCRIM_OK && column->has_keys)
        status = fail_twice(error);
    const bool is_file = status == SCRIM_OK && sc_text_take(&value, '@');
    if (is_file && (value.bytes == 0 || b->files == NULL))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "keys",
                             "@FILE cannot be read here; list the keys");
    if (status == SCRIM_OK && is_file)
        status = b->files->read(b->files->context, value, &value, error);
    if (status == SCRIM_OK)
        status = sc_column_set_keys(column, value, is_file, &b->arena, error);
    return status;
}

static scrim_status take_total(building *b, sc_text value, scrim_error *error)
{
    sc_column *column = NULL;
    scrim_status status = named_column(b, &value, &column, error);
    if (status == SCRIM_OK && column->has_total)
        status = fail_twice(error);
    return status == SCRIM_OK ? sc_column_set_total(column, value, error) : status;
}

/* The other lines. */

static scrim_status take_unit(building *b, sc_text value, scrim_error *error)
{
    if (b->has_unit)
        return fail_twice(error);
    if (!sc_column_is_name(value))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "unit",
                           "the unit must be the name of a column, or row");
    b->has_unit = true;
    return sc_text_is(value, "row") ? SCRIM_OK : copy(b, value, &b->schema.unit, error);
}

static scrim_status take_count(uint64_t *count, sc_text value, scrim_error *error)
{
    if (*count != 0)
        return fail_twice(error);
    if (!sc_text_uint64(value, count) || *count < 1 || *count > SC_SCHEMA_CONTRIBUTION)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "",
                           "it must be a whole number from 1 to %d",
                           SC_SCHEMA_CONTRIBUTION);
    return SCRIM_OK;
}

static scrim_status take_neighbours(building *b, sc_text value, scrim_error *error)
{
    if (b->schema.neighbours != SCRIM_NEIGHBOURS_UNSET)
        return fail_twice(error);
    if (sc_text_is(value, "add-remove"))
        b->schema.neighbours = SCRIM_ADD_REMOVE;
    else if (sc_text_is(value, "replace"))
        b->schema.neighbours = SCRIM_REPLACE;
    else
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "neighbours",
                           "neighbours must be add-remove or replace");
    return SCRIM_OK;
}

static const char *const bounds_words[] = {[SC_BOUNDS_DECLARED] = "declared",
                                           [SC_BOUNDS_CHECK] = "check",
                                           [SC_BOUNDS_SUGGEST] = "suggest"};

const char *sc_schema_bounds_word(sc_bounds_from from)
{
    return from == SC_BOUNDS_UNSAID ? NULL : bounds_words[from];
}

static scrim_status take_bounds_from(building *b, sc_text value, scrim_error *error)
{
    if (b->schema.bounds_from != SC_BOUNDS_UNSAID)
        return fail_twice(error);
    for (int i = SC_BOUNDS_DECLARED; i <= SC_BOUNDS_SUGGEST; i++)
        if (sc_text_is(value, bounds_words[i])) {
            b->schema.bounds_from = (sc_bounds_from)i;
            return SCRIM_OK;
        }
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "bounds-from",
                       "use declared, check or suggest");
}

static scrim_status take_source(building *b, const sc_source_kind *kind, sc_text value,
                                scrim_error *error)
{
    if (b->schema.source != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "",
                           "a dataset has one source; give one of them");
    if (value.bytes == 0 || memchr(value.start, '\0', value.bytes) != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "source",
                           "the name of a file is missing");
    if (kind == &sc_source_live_kind && !sc_text_is(value, "yes"))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "live",
                           "write live=yes, or leave it out");
    if (!kind->may_be_stream && sc_text_is(value, "-"))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "source",
                           "a database cannot come from standard input; name its file");
    b->schema.source = kind;
    return copy(b, value, &b->schema.path, error);
}

static scrim_status take_table(building *b, sc_text value, scrim_error *error)
{
    if (b->schema.table.bytes != 0)
        return fail_twice(error);
    if (!sc_column_is_name(value))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "table",
                           "the name of a table is missing");
    return copy(b, value, &b->schema.table, error);
}

static scrim_status take_records(building *b, sc_text value, scrim_error *error)
{
    if (b->has_record_end)
        return fail_twice(error);
    b->has_record_end = true;
    if (sc_text_is(value, "crlf"))
        b->schema.csv.end = SC_RECORD_CRLF;
    else if (!sc_text_is(value, "lf"))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "records",
                           "records must be lf or crlf");
    return SCRIM_OK;
}

/* A number of bytes, or of KiB, MiB, GiB or TiB. */
static bool read_size(sc_text value, uint64_t *out)
{
    static const char *const units[] = {"", "KiB", "MiB", "GiB", "TiB"};
    sc_text rest = value;
    uint64_t size, factor = 1;
    if (!sc_text_uint64(sc_text_take_digits(&rest), &size))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++, factor <<= 10)
        if (sc_text_is(rest, units[i]))
            return sc_uint64_mul(size, factor, out) && *out >= SC_SCHEMA_SIZE_LEAST &&
                   *out <= SC_SCHEMA_SIZE_MOST;
    return false;
}

static scrim_status take_size(building *b, sc_text value, scrim_error *error)
{
    if (b->schema.has_size)
        return fail_twice(error);
    b->schema.has_size = true;
    if (!read_size(value, &b->schema.max_bytes))
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "max-size",
            "max-size must be from 64KiB to 16TiB, in KiB, MiB, GiB or TiB; "
            "write 64MiB or 2GiB");
    return SCRIM_OK;
}

static scrim_status take_one_row(building *b, sc_text value, scrim_error *error)
{
    if (!sc_text_is(value, "1"))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "rows-per-unit",
                           "it must be 1; for more, declare max-groups and max-rows");
    b->is_one_row = true;
    return SCRIM_OK;
}

const char *sc_schema_separator_at(size_t index, char *separator)
{
    static const struct {
        const char *name;
        char byte;
    } all[] = {{",", ','}, {";", ';'}, {"|", '|'}, {"tab", '\t'}};
    if (index >= sizeof all / sizeof *all)
        return NULL;
    *separator = all[index].byte;
    return all[index].name;
}

static scrim_status take_separator(building *b, sc_text value, scrim_error *error)
{
    const char *name;
    if (b->has_separator)
        return fail_twice(error);
    b->has_separator = true;
    if (sc_text_is(value, "\\t"))
        value = sc_text_of("tab");
    for (size_t i = 0;
         (name = sc_schema_separator_at(i, &b->schema.csv.separator)) != NULL; i++)
        if (sc_text_is(value, name))
            return SCRIM_OK;
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "separator",
                       "the separator must be , ; | or tab");
}

static scrim_status take_decimal(building *b, sc_text value, scrim_error *error)
{
    if (b->has_decimal)
        return fail_twice(error);
    b->has_decimal = true;
    return sc_cell_form_set_decimal(&b->schema.form, value, error);
}

static scrim_status take_date_format(building *b, sc_text value, scrim_error *error)
{
    return b->schema.form.date.bytes > 0
               ? fail_twice(error)
               : sc_cell_form_set_date(&b->schema.form, value, error);
}

static scrim_status take_null(building *b, sc_text value, scrim_error *error)
{
    return b->schema.form.nulls != NULL
               ? fail_twice(error)
               : sc_cell_form_set_nulls(&b->schema.form, value, &b->arena, error);
}

static scrim_status take_fixed_bounds(building *b, sc_text value, scrim_error *error)
{
    if (b->schema.has_fixed_bounds)
        return fail_twice(error);
    b->schema.has_fixed_bounds = true;
    return sc_text_is(value, "yes")
               ? SCRIM_OK
               : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "fixed-bounds",
                             "write fixed-bounds=yes, or leave it out");
}

static scrim_status take_line(building *b, sc_text key, sc_text value, scrim_error *error)
{
    const sc_source_kind *source = sc_source_kind_of(key);
    if (source != NULL)
        return take_source(b, source, value, error);
    if (sc_text_is(key, "unit"))
        return take_unit(b, value, error);
    if (sc_text_is(key, "keys"))
        return take_keys(b, value, error);
    if (sc_text_is(key, "missing"))
        return take_missing(b, value, error);
    if (sc_text_is(key, "max-groups"))
        return take_count(&b->schema.bounds.groups, value, error);
    if (sc_text_is(key, "max-rows"))
        return take_count(&b->schema.bounds.rows, value, error);
    if (sc_text_is(key, "max-total-rows"))
        return take_count(&b->schema.bounds.total, value, error);
    if (sc_text_is(key, "rows-per-unit"))
        return take_one_row(b, value, error);
    if (sc_text_is(key, "max-total"))
        return take_total(b, value, error);
    if (sc_text_is(key, "fixed-bounds"))
        return take_fixed_bounds(b, value, error);
    if (sc_text_is(key, "bounds-from"))
        return take_bounds_from(b, value, error);
    if (sc_text_is(key, "neighbours"))
        return take_neighbours(b, value, error);
    if (sc_text_is(key, "table"))
        return take_table(b, value, error);
    if (sc_text_is(key, "max-size"))
        return take_size(b, value, error);
    if (sc_text_is(key, "records"))
        return take_records(b, value, error);
    if (sc_text_is(key, "separator"))
        return take_separator(b, value, error);
    if (sc_text_is(key, "decimal"))
        return take_decimal(b, value, error);
    if (sc_text_is(key, "date-format"))
        return take_date_format(b, value, error);
    if (sc_text_is(key, "null"))
        return take_null(b, value, error);
    if (sc_public_table_is_key(key))
        return sc_public_table_take(&b->schema.joins, key, value, b->schema.zone,
                                    &b->arena, error);
    return SCRIM_OK;
}

/* Checks that need more than one line. */
static scrim_status complete(building *b, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_schema *schema = &b->schema;
    if (!b->has_unit)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "unit",
                                 "missing privacy unit");
    const sc_source_kind none = {.key = NULL},
                         *source = schema->source == NULL ? &none : schema->source;
    if (source->has_tables && schema->table.bytes == 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "table",
                                 "give the table of the database");
    if (!source->has_tables && schema->table.bytes > 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "table",
                                 "it goes with sqlite only");
    if (!source->has_records && b->has_record_end)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "records",
                                 "it goes with csv only");
    if (!source->has_records && b->has_separator)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "separator",
                                 "it goes with csv only");
    if (!schema->has_size)
        schema->max_bytes = SC_SCHEMA_SIZE;
    if (schema->neighbours == SCRIM_NEIGHBOURS_UNSET)
        schema->neighbours = SCRIM_ADD_REMOVE;
    sc_bounds *bounds = &schema->bounds;
    if (b->is_one_row && (bounds->groups > 0 || bounds->rows > 0 || bounds->total > 0))
        return sc_fail_parameter(
            error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "rows-per-unit",
            "it means max-groups=1 and max-rows=1; give one or the other");
    schema->has_one_row = b->is_one_row;
    schema->is_bounded =
        schema->unit.bytes == 0 || b->is_one_row || sc_bounds_are_whole(bounds);
    if (bounds->total == 0 && bounds->groups == 0)
        bounds->groups = 1;
    if (bounds->total == 0 && bounds->rows == 0)
        bounds->rows = 1;
    for (size_t i = 0; schema->unit.bytes == 0 && i < schema->column_count; i++)
        if (schema->columns[i].has_total)
            return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT,
                                     "max-total",
                                     "it needs a column as unit; where each row is a "
                                     "unit, declare a narrower range");
    for (size_t i = 0; i < schema->column_count; i++)
        if (schema->unit.bytes > 0 &&
            sc_text_equal(schema->unit, schema->columns[i].name))
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "column",
                               "column %s is the privacy unit; leave it "
                               "out",
                               sc_text_quote(schema->unit, quote));
    return sc_public_tables_check(&schema->joins, schema->columns, schema->column_count,
                                  schema->unit, error);
}

static scrim_status build(building *b, sc_text policy, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_text line, key, value;
    scrim_status status = take_zone(b, policy, error);
    if (status == SCRIM_OK)
        status = take_columns(b, policy, error);
    while (status == SCRIM_OK && sc_schema_line(&policy, &line, &key, &value))
        status = at_line(take_line(b, key, value, error), key, value, error);
    if (status == SCRIM_OK && line.bytes > 0)
        status = sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "policy",
                             "%s: a line of a policy must be key=value",
                             sc_text_quote(line, quote));
    return status == SCRIM_OK ? complete(b, error) : status;
}

scrim_status sc_schema_bounded(const sc_schema *schema, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (schema->is_bounded)
        return SCRIM_OK;
    return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "max-total-rows",
                             "give the most rows that one %s contributes",
                             sc_text_quote(schema->unit, quote));
}

scrim_status sc_schema_rows_alone(const sc_schema *schema, scrim_error *error)
{
    if (schema->source == NULL || !schema->source->has_query ||
        sc_row_query_is_alone(schema->path))
        return SCRIM_OK;
    return sc_fail_parameter(
        error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, schema->source->key,
        "the query must be SELECT with columns by name FROM read_parquet('FILE'), so "
        "that "
        "no row changes another; write any other result to a Parquet file, and declare "
        "a CSV file itself");
}

scrim_status sc_schema_own_tables(const sc_schema *schema, scrim_error *error)
{
    for (size_t i = 0; i < schema->joins.count; i++)
        if (schema->joins.list[i].digest.bytes > 0)
            return sc_fail_parameter(
                error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "with",
                "a policy declares a public table by join=; with= is "
                "for a table that comes with a question");
    return SCRIM_OK;
}

scrim_status sc_schema_parse(sc_text policy, const sc_schema_files *files,
                             const sc_schema **schema, scrim_error *error)
{
    building *b = sc_allocate(1, sizeof *b);
    scrim_error own;
    if (b == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    sc_arena_init(&b->arena);
    b->schema.memory = b;
    b->schema.csv.separator = ',';
    sc_cell_form_init(&b->schema.form);
    b->files = files;
    const scrim_status status = build(b, policy, error != NULL ? error : &own);
    b->files = NULL;
    if (status == SCRIM_OK)
        *schema = &b->schema;
    else
        sc_schema_free(&b->schema);
    return status;
}

void sc_schema_drop_missing(const sc_schema *schema)
{
    schema->memory->schema.drops_missing = true;
}

bool sc_schema_may_be_null(const sc_schema *schema, size_t column)
{
    return !schema->columns[column].has_missing && !schema->drops_missing;
}

uint64_t sc_schema_pushed_bytes(const sc_schema *schema, uint64_t rows)
{
    const size_t values = schema->column_count + (schema->unit.bytes > 0);
    uint64_t bytes;
    return sc_uint64_mul(rows, sizeof(int64_t) * (values > 0 ? values : 1), &bytes)
               ? bytes
               : UINT64_MAX;
}

scrim_status sc_schema_check_size(const sc_schema *schema, uint64_t bytes,
                                  scrim_error *error)
{
    if (bytes <= schema->max_bytes)
        return SCRIM_OK;
    return schema->has_size
               ? sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "max-size",
                             "the source is larger than its max-size; declare more")
               : sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_MISSING, "max-size",
                             "the source is larger than 64 MiB; declare its max-size");
}

void sc_schema_free(const sc_schema *schema)
{
    if (schema == NULL)
        return;
    building *b = schema->memory;
    sc_arena_clear(&b->arena);
    sc_free(b);
}

const sc_column *sc_schema_column(const sc_schema *schema, sc_text name)
{
    return find_column(schema, name);
}

sc_text sc_schema_nearest(const sc_schema *schema, sc_text word)
{
    sc_text nearest = {NULL, 0};
    size_t shortest = 3 < word.bytes ? 3 : word.bytes;
    for (size_t i = 0; i < schema->column_count; i++) {
        const size_t distance = sc_text_distance(word, schema->columns[i].name);
        if (distance < shortest) {
            shortest = distance;
            nearest = schema->columns[i].name;
        }
    }
    return nearest;
}

scrim_status sc_schema_unknown(const sc_schema *schema, sc_text name,
                               const char *parameter, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES], meant[SC_TEXT_QUOTE_BYTES];
    const sc_text nearest = sc_schema_nearest(schema, name);
    sc_text_quote(name, quote);
    if (name.bytes > 0 && sc_text_equal(name, schema->unit))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, parameter,
                           "'%s' is the privacy unit; name other columns", quote);
    if (nearest.bytes > 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT, parameter,
                           "unknown column '%s'; did you mean '%s'?", quote,
                           sc_text_quote(nearest, meant));
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, parameter,
                       "unknown column '%s'", quote);
}
