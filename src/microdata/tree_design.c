#include "microdata/tree_design.h"

#include "base/status.h"

#include <string.h>

#define SHARE_MOST 1000000

/* Lists. */

/* The bytes before the next mark that is not inside of brackets or quotes. */
static size_t item_bytes(sc_text text, char mark)
{
    int depth = 0;
    char quote = '\0';
    for (size_t i = 0; i < text.bytes; i++) {
        const char c = text.start[i];
        if (c == quote)
            quote = '\0';
        else if (quote != '\0')
            continue;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '(' || c == ')')
            depth += c == '(' ? 1 : -1;
        else if (c == mark && depth == 0)
            return i;
    }
    return text.bytes;
}

/* Takes the next item of a list, without blanks around it; true where it is the last one. */
static bool take_item(sc_text *rest, char mark, sc_text *item)
{
    const size_t bytes = item_bytes(*rest, mark);
    const bool is_last = bytes == rest->bytes;
    *item = sc_text_trim((sc_text){rest->start, bytes});
    *rest = is_last ? (sc_text){rest->start + bytes, 0}
                    : (sc_text){rest->start + bytes + 1, rest->bytes - bytes - 1};
    return is_last;
}

/* "BUCKET(age, 10) AS decade" */
static sc_design_key read_key(sc_text item)
{
    for (size_t i = item.bytes; i-- > 1;) {
        const char c = item.start[i];
        if (c == ')' || c == '\'' || c == '"')
            break;
        if (i + 3 < item.bytes && c == ' ' && (item.start[i + 1] | 32) == 'a' &&
            (item.start[i + 2] | 32) == 's' && item.start[i + 3] == ' ')
            return (sc_design_key){
                sc_text_trim((sc_text){item.start, i}),
                sc_text_trim((sc_text){item.start + i + 4, item.bytes - i - 4})};
    }
    return (sc_design_key){.text = item};
}

/* Columns, separated by commas; false where one is empty, or there are more than most. */
static bool read_columns(const char *text, sc_design_key *items, size_t most,
                         size_t *count)
{
    sc_text rest = sc_text_of(text);
    *count = 0;
    for (bool is_last = text == NULL; !is_last;) {
        sc_text item;
        is_last = take_item(&rest, ',', &item);
        if (item.bytes == 0 || *count == most)
            return false;
        items[(*count)++] = read_key(item);
    }
    return *count > 0;
}

static bool is_in(const sc_design_key *items, size_t count, sc_text item)
{
    for (size_t i = 0; i < count; i++)
        if (sc_text_compare(items[i].text, item) == 0)
            return true;
    return false;
}

static scrim_status read_levels(const char *text, sc_tree_design *d, scrim_error *error)
{
    if (read_columns(text, d->levels, SC_LEVELS_MOST, &d->level_count))
        return SCRIM_OK;
    if (d->level_count == SC_LEVELS_MOST)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "levels",
                           "a tree has at most %d levels", SC_LEVELS_MOST);
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "levels",
                       "levels must be columns, the coarsest first, as in country,sex");
}

/* Tables. */

static scrim_status check_apart(const sc_tree_design *d, size_t table, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    for (size_t i = 0; i < d->column_counts[table]; i++) {
        const sc_text column = d->columns[table][i].text;
        bool is_twice = is_in(d->levels, d->level_count, column) ||
                        is_in(d->columns[table], i, column);
        for (size_t k = 0; k < table; k++)
            is_twice = is_twice || is_in(d->columns[k], d->column_counts[k], column);
        if (is_twice)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "tables",
                               "the column %s is given twice; a column of two tables "
                               "must be a level",
                               sc_text_quote(column, quote));
    }
    return SCRIM_OK;
}

static scrim_status read_tables(const scrim_hierarchy_design *given, sc_tree_design *d,
                                scrim_error *error)
{
    if (given->table_count > SC_TREE_TABLES)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "tables",
                           "a tree has at most %d tables", SC_TREE_TABLES);
    for (size_t i = 0; i < given->table_count; i++) {
        if (!read_columns(given->tables[i], d->columns[i], SC_TABLE_COLUMNS,
                          &d->column_counts[i]))
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "tables",
                               "a table must be 1 to %d columns, as in sex,race",
                               SC_TABLE_COLUMNS);
        d->table_count++;
        const scrim_status status = check_apart(d, i, error);
        if (status != SCRIM_OK)
            return status;
    }
    return SCRIM_OK;
}

/* Queries. */

static scrim_status add_query(sc_tree_design *d, sc_design_query query,
                              scrim_error *error)
{
    for (size_t i = 0; i < d->query_count; i++)
        if (d->queries[i].level == query.level && d->queries[i].table == query.table &&
            d->queries[i].columns == query.columns)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "queries",
                               "a query is given twice for one level");
    if (d->query_count == SC_TREE_QUERIES)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "queries",
                           "a tree has at most %d queries", SC_TREE_QUERIES);
    d->queries[d->query_count++] = query;
    return SCRIM_OK;
}

/* The table and the place of a column; false: no table has it. */
static bool find_column(const sc_tree_design *d, sc_text column, size_t *table,
                        unsigned *bit)
{
    for (size_t t = 0; t < d->table_count; t++)
        for (size_t i = 0; i < d->column_counts[t]; i++)
            if (sc_text_compare(d->columns[t][i].text, column) == 0 ||
                (column.bytes > 0 &&
                 sc_text_compare(d->columns[t][i].name, column) == 0)) {
                *table = t;
                *bit = 1u << i;
                return true;
            }
    return false;
}

/* "total", "sex", "sex*race" */
static bool read_cells(const sc_tree_design *d, sc_text text, sc_design_query *query)
{
    *query = (sc_design_query){.table = SC_NO_TABLE};
    if (sc_text_is(text, "total"))
        return true;
    for (bool is_last = false; !is_last;) {
        sc_text column;
        size_t table;
        unsigned bit;
        is_last = take_item(&text, '*', &column);
        if (!find_column(d, column, &table, &bit) ||
            (query->table != SC_NO_TABLE && query->table != table))
            return false;
        query->table = table;
        query->columns |= bit;
    }
    return true;
}

static scrim_status bad_queries(sc_text item, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "queries",
                       "'%s' is not a query; write total, or columns of one table, as "
                       "in total,sex:1,sex*race:2",
                       sc_text_quote(item, quote));
}

static scrim_status read_queries(const char *text, size_t level, sc_tree_design *d,
                                 scrim_error *error)
{
    sc_text rest = sc_text_of(text);
    for (bool is_last = false; !is_last;) {
        sc_text item, cells;
        sc_design_query query;
        uint64_t share = 1;
        is_last = take_item(&rest, ',', &item);
        sc_text behind = item;
        const bool has_share = !take_item(&behind, ':', &cells);
        if ((has_share && (!sc_text_uint64(sc_text_trim(behind), &share) || share < 1 ||
                           share > SHARE_MOST)) ||
            !read_cells(d, cells, &query))
            return bad_queries(item, error);
        query.level = level;
        query.share = share;
        const scrim_status status = add_query(d, query, error);
        if (status != SCRIM_OK)
            return status;
    }
    return SCRIM_OK;
}

/* The groups, and all cells of each table. */
static scrim_status default_queries(size_t level, sc_tree_design *d, scrim_error *error)
{
    scrim_status status = add_query(
        d, (sc_design_query){.level = level, .table = SC_NO_TABLE, .share = 1}, error);
    for (size_t t = 0; status == SCRIM_OK && t < d->table_count; t++)
        status = add_query(d,
                           (sc_design_query){.level = level,
                                             .table = t,
                                             .columns = (1u << d->column_counts[t]) - 1,
                                             .share = 1},
                           error);
    return status;
}

static scrim_status check_last(const sc_tree_design *d, scrim_error *error)
{
    for (size_t t = 0; t < d->table_count; t++) {
        bool is_whole = false;
        for (size_t i = 0; i < d->query_count; i++)
            is_whole =
                is_whole ||
                (d->queries[i].level == d->level_count && d->queries[i].table == t &&
                 d->queries[i].columns == (1u << d->column_counts[t]) - 1);
        if (!is_whole)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "queries",
                               "the last level must measure all cells of every table");
    }
    return SCRIM_OK;
}

/* Shares. */

static scrim_status bad_shares(scrim_error *error, size_t levels)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "shares",
                       "shares must be %zu integers from 0 to 1000000, one for all rows "
                       "and one a level; only levels between may have 0",
                       levels + 1);
}

static scrim_status read_shares(const char *text, size_t levels, uint64_t *shares,
                                scrim_error *error)
{
    sc_text rest = sc_text_of(text), word;
    for (size_t i = 0; i <= levels; i++) {
        const bool is_end = !sc_text_split(rest, ',', &word, &rest);
        if (is_end)
            word = rest;
        if (is_end != (i == levels) || !sc_text_uint64(word, &shares[i]) ||
            shares[i] > SHARE_MOST || (shares[i] == 0 && (i == 0 || i == levels)))
            return bad_shares(error, levels);
    }
    return SCRIM_OK;
}

static uint64_t divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Divides the share of each level among its queries, as whole numbers. */
static scrim_status divide_shares(sc_tree_design *d, const uint64_t *levels,
                                  scrim_error *error)
{
    uint64_t sums[SC_LEVELS_MOST + 1] = {0}, multiple = 1, common = 0;
    bool fits = true;
    for (size_t i = 0; i < d->query_count; i++)
        sums[d->queries[i].level] += d->queries[i].share;
    for (size_t l = 0; l <= d->level_count; l++) {
        const uint64_t factor = sums[l] == 0 ? 1 : sums[l] / divisor(sums[l], multiple);
        fits = fits && factor <= ((uint64_t)1 << 40) / multiple;
        multiple *= fits ? factor : 1;
    }
    for (size_t i = 0; fits && i < d->query_count; i++) {
        sc_design_query *q = &d->queries[i];
        const sc_uint128 share =
            (sc_uint128)levels[q->level] * q->share * (multiple / sums[q->level]);
        fits = share <= UINT64_MAX;
        q->share = (uint64_t)share;
        common = divisor(q->share, common);
    }
    for (size_t i = 0; fits && i < d->query_count; i++) {
        d->queries[i].share /= common;
        fits = d->queries[i].share <= SHARE_MOST;
    }
    return fits ? SCRIM_OK
                : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "shares",
                              "the shares of levels and queries differ too much; use "
                              "smaller integers");
}

scrim_status sc_tree_design_read(const scrim_hierarchy_design *given, const char *shares,
                                 sc_tree_design *d, scrim_error *error)
{
    uint64_t levels[SC_LEVELS_MOST + 1];
    *d = (sc_tree_design){.level_count = 0};
    scrim_status status = read_levels(given->levels, d, error);
    if (status == SCRIM_OK)
        status = read_tables(given, d, error);
    for (size_t l = 0; l <= d->level_count; l++)
        levels[l] = 1;
    if (status == SCRIM_OK && shares != NULL)
        status = read_shares(shares, d->level_count, levels, error);
    if (status == SCRIM_OK && given->query_count > 1 &&
        given->query_count != d->level_count + 1)
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "queries",
                             "queries must be given once, or %zu times: for all rows and "
                             "for each level",
                             d->level_count + 1);
    for (size_t l = 0; status == SCRIM_OK && l <= d->level_count; l++)
        if (levels[l] > 0)
            status = given->query_count == 0
                         ? default_queries(l, d, error)
                         : read_queries(given->queries[given->query_count == 1 ? 0 : l],
                                        l, d, error);
    if (status == SCRIM_OK)
        status = check_last(d, error);
    return status == SCRIM_OK ? divide_shares(d, levels, error) : status;
}
