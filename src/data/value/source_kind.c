#include "data/value/source_kind.h"

#include <string.h>
#include <strings.h>

const sc_source_kind sc_source_csv_kind = {
    .key = "csv", .may_be_stream = true, .has_records = true};
const sc_source_kind sc_source_sqlite_kind = {.key = "sqlite", .has_tables = true};

const sc_source_kind sc_source_live_kind = {
    .key = "live", .is_pushed = true, .has_no_file = true};
static const sc_source_kind parquet_kind = {.key = "parquet", .is_pushed = true};
static const sc_source_kind duckdb_kind = {
    .key = "duckdb", .is_pushed = true, .has_no_file = true, .has_query = true};

static const sc_source_kind *const kinds[] = {&sc_source_csv_kind, &sc_source_sqlite_kind,
                                              &sc_source_live_kind, &parquet_kind,
                                              &duckdb_kind};

const sc_source_kind *sc_source_kind_at(size_t index)
{
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    return index < sizeof kinds / sizeof *kinds ? kinds[index] : NULL;
}

const sc_source_kind *sc_source_kind_of(sc_text key)
{
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (sc_text_is(key, kinds[i]->key))
            return kinds[i];
    return NULL;
}

static void skip_blanks(sc_text *rest)
{
    while (rest->bytes > 0 && (rest->start[0] == ' ' || rest->start[0] == '\t'))
        *rest = (sc_text){rest->start + 1, rest->bytes - 1};
}

/* A sign, with blanks in front of it. */
static bool take_sign(sc_text *rest, char sign)
{
    skip_blanks(rest);
    return sc_text_take(rest, sign);
}

static bool is_in_name(char c, bool is_first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (!is_first && c >= '0' && c <= '9');
}

/* Takes letters, digits and '_' off the front; perhaps empty. */
static sc_text take_name(sc_text *rest)
{
    sc_text name;
    skip_blanks(rest);
    name = (sc_text){rest->start, 0};
    while (name.bytes < rest->bytes &&
           is_in_name(rest->start[name.bytes], name.bytes == 0))
        name.bytes++;
    *rest = (sc_text){rest->start + name.bytes, rest->bytes - name.bytes};
    return name;
}

static bool is_word(sc_text name, const char *word)
{
    return name.bytes == strlen(word) && strncasecmp(name.start, word, name.bytes) == 0;
}

static bool take_word(sc_text *rest, const char *word)
{
    return is_word(take_name(rest), word);
}

/* Text between two quotes, as it stands; a doubled quote is one. */
static bool take_quoted(sc_text *rest, char quote, sc_text *inside)
{
    if (!take_sign(rest, quote))
        return false;
    *inside = (sc_text){rest->start, 0};
    while (rest->bytes > 0) {
        if (!sc_text_take(rest, quote)) {
            *rest = (sc_text){rest->start + 1, rest->bytes - 1};
        } else if (!sc_text_take(rest, quote)) {
            inside->bytes = (size_t)(rest->start - inside->start) - 1;
            return true;
        }
    }
    return false;
}

/* Columns that DuckDB adds: where a row stands depends on the rows in front of it. */
static bool is_place(sc_text name)
{
    static const char *const places[] = {"rowid", "file_row_number", "file_index"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (is_word(name, places[i]))
            return true;
    return false;
}

static bool take_column(sc_text *rest)
{
    sc_text name;
    if (!take_quoted(rest, '"', &name))
        name = take_name(rest);
    return name.bytes > 0 && !is_place(name);
}

static bool take_columns(sc_text *rest)
{
    if (take_sign(rest, '*'))
        return true;
    do {
        if (!take_column(rest))
            return false;
    } while (take_sign(rest, ','));
    return true;
}

/* One file: a pattern may match several files, whose types may differ. */
static bool take_file(sc_text *rest, sc_text *file)
{
    if (!take_quoted(rest, '\'', file) || file->bytes == 0)
        return false;
    for (size_t i = 0; i < file->bytes; i++)
        if (strchr("*?[{", file->start[i]) != NULL)
            return false;
    return true;
}

/* The form of a CSV file. */

/* {'visitor': 'VARCHAR', ...} */
static bool take_types(sc_text *rest)
{
    sc_text name, type;
    if (!take_sign(rest, '{'))
        return false;
    do {
        if (!take_quoted(rest, '\'', &name) || !take_sign(rest, ':') ||
            !take_quoted(rest, '\'', &type) || !is_word(type, "varchar"))
            return false;
    } while (take_sign(rest, ','));
    return take_sign(rest, '}');
}

static bool take_empty(sc_text *rest)
{
    sc_text text;
    return take_quoted(rest, '\'', &text) && text.bytes == 0;
}

static bool take_mark(sc_text *rest)
{
    sc_text text;
    return take_quoted(rest, '\'', &text) && text.bytes == 1;
}

static bool take_true(sc_text *rest)
{
    return take_word(rest, "true");
}

static bool take_false(sc_text *rest)
{
    return take_word(rest, "false");
}

static bool take_either(sc_text *rest)
{
    const sc_text word = take_name(rest);
    return is_word(word, "true") || is_word(word, "false");
}

static const struct {
    const char *name;
    bool (*take)(sc_text *rest);
    bool may_lack;
} options[] = {{"auto_detect", take_false, false},  {"strict_mode", take_false, false},
               {"ignore_errors", take_true, false}, {"null_padding", take_true, false},
               {"header", take_either, false},      {"delim", take_mark, false},
               {"quote", take_empty, false},        {"escape", take_empty, false},
               {"columns", take_types, false},      {"all_varchar", take_true, true}};
#define OPTIONS (sizeof options / sizeof *options)

/* Adds its bit to found. */
static bool take_option(sc_text *rest, unsigned *found)
{
    const sc_text name = take_name(rest);
    for (size_t i = 0; i < OPTIONS; i++)
        if (is_word(name, options[i].name)) {
            const bool is_new = (*found >> i & 1) == 0;
            *found |= 1u << i;
            return is_new && take_sign(rest, '=') && options[i].take(rest);
        }
    return false;
}

static bool take_form(sc_text *rest)
{
    unsigned found = 0;
    while (take_sign(rest, ','))
        if (!take_option(rest, &found))
            return false;
    for (size_t i = 0; i < OPTIONS; i++)
        if (!options[i].may_lack && (found >> i & 1) == 0)
            return false;
    return true;
}

static bool take_source(sc_text *rest)
{
    static const char parquet[] = ".parquet";
    const size_t bytes = sizeof parquet - 1;
    sc_text file;
    const sc_text function = take_name(rest);
    if (function.bytes == 0)
        return take_file(rest, &file) && file.bytes > bytes &&
               memcmp(file.start + file.bytes - bytes, parquet, bytes) == 0;
    const bool is_csv = is_word(function, "read_csv");
    return (is_csv || is_word(function, "read_parquet")) && take_sign(rest, '(') &&
           take_file(rest, &file) && (!is_csv || take_form(rest)) && take_sign(rest, ')');
}

bool sc_row_query_is_alone(sc_text query)
{
    const bool is_alone = take_word(&query, "select") && take_columns(&query) &&
                          take_word(&query, "from") && take_source(&query);
    skip_blanks(&query);
    return is_alone && query.bytes == 0;
}
