/* scrim microdata fit FILE and check FILE...: tables of counts that were written earlier. */
#include "cli/display/listing.h"
#include "cli/release/file_proof.h"
#include "cli/release/subcommands.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/options.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"
#include "cli/terminal/whole_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sc_count_row {
    size_t table; /* 0: it is a group */
    size_t level;
    const char *key;   /* the keys of its levels, each behind a byte 0x1f */
    const char *cell;  /* the keys of a cell likewise */
    int64_t count;     /* in units of the last decimal of all counts */
    int64_t sum;       /* of its children */
    size_t line;       /* of the file */
    unsigned decimals; /* of this count, as written */
    size_t child_count;
} sc_count_row;

#define SC_COUNT_TABLE_LEVELS 16

typedef struct sc_count_table {
    const char *path, *counts;
    char *text; /* the cells, cut in place */
    char *keys;
    const char *names[SC_COUNT_TABLE_LEVELS];
    size_t levels;      /* below all rows */
    unsigned decimals;  /* of all counts, the most of any */
    size_t columns;     /* of tables, with the column "table"; 0: without tables */
    sc_count_row *rows; /* by table, level, key and cell */
    size_t count;
} sc_count_table;

/* A table of counts that add up, read back from CSV: columns "level", those of the levels, "n" or "noisy", and others that are
 * not looked at. Where groups have tables of their own, a column "table" is behind those of the levels, and then come those of
 * the tables: 0 is a group itself, 1 a cell of the first table. It is public: whoever has the file may see what is wrong with it. */

#define FILE_BYTES ((size_t)1 << 28)
#define ROWS_MAX ((size_t)1 << 24)
#define CELLS 96
#define DECIMALS 9 /* of a count at most */
#define COUNT_BYTES 40
#define MARK '\x1f'

static scrim_status no_table(const sc_count_table *t, const char *why, scrim_error *error)
{
    return sc_complaint_fill(error, SCRIM_E_INPUT,
                             "%.200s is not a table of counts: %s; 'scrim microdata "
                             "release %s' writes one",
                             t->path, why,
                             strcmp(t->counts, "n") == 0 ? "--format csv"
                                                         : "--measurements FILE");
}

/* CSV. */

/* Ends a cell in place, without its quotes; *at is left on the next one. False at the end of a line. */
static bool take_cell(char **at, char **cell)
{
    char *from = *at, *to = from;
    const bool is_quoted = *from == '"';
    *cell = to;
    from += is_quoted;
    while (*from != '\0') {
        if (is_quoted && from[0] == '"') {
            if (from[1] != '"') {
                from++;
                break;
            }
            from++;
        } else if (!is_quoted && (*from == ',' || *from == '\n' || *from == '\r')) {
            break;
        }
        *to++ = *from++;
    }
    while (*from == '\r')
        from++;
    const char end = *from;
    *to = '\0';
    *at = end == '\0' ? from : from + 1;
    return end == ',';
}

/* The cells of a line; returns how many there are, at most CELLS. */
static size_t take_line(char **at, char *cells[CELLS])
{
    size_t count = 0;
    bool has_more = true;
    while (has_more) {
        char *cell;
        has_more = take_cell(at, &cell);
        if (count < CELLS)
            cells[count++] = cell;
    }
    for (size_t i = count; i < CELLS; i++)
        cells[i] = *at; /* text in every reading */
    return count;
}

/* Rows. */

static bool read_number(const char *text, int64_t *out)
{
    char *end;
    errno = 0;
    const long long number = strtoll(text, &end, 10);
    *out = number;
    return end != text && *end == '\0' && errno == 0 && number < INT64_MAX / 2 &&
           number > -(INT64_MAX / 2);
}

/* A count that may have decimals: 6.25 is 625 with 2 of them. */
static bool read_count(const char *text, int64_t *out, unsigned *decimals)
{
    char digits[COUNT_BYTES];
    const char *point = strchr(text, '.');
    const size_t whole = point == NULL ? strlen(text) : (size_t)(point - text);
    *decimals = point == NULL ? 0 : (unsigned)strnlen(point + 1, DECIMALS + 1);
    if (*decimals > DECIMALS || (point != NULL && *decimals == 0) ||
        whole + *decimals >= sizeof digits || whole == 0)
        return false;
    memcpy(digits, text, whole);
    memcpy(digits + whole, point == NULL ? "" : point + 1, (size_t)*decimals + 1);
    return read_number(digits, out) &&
           strspn(digits + whole, "0123456789") == (size_t)*decimals;
}

static bool scale_up(int64_t *count, unsigned places)
{
    for (; places > 0; places--) {
        if (*count > INT64_MAX / 20 || *count < -(INT64_MAX / 20))
            return false;
        *count *= 10;
    }
    return true;
}

/* Without zeros behind the last decimal. */
static const char *format_count(const sc_count_table *t, int64_t count,
                                char out[COUNT_BYTES])
{
    uint64_t power = 1, size = count < 0 ? -(uint64_t)count : (uint64_t)count;
    unsigned decimals = t->decimals;
    for (; decimals > 0 && size % 10 == 0; decimals--)
        size /= 10;
    for (unsigned i = 0; i < decimals; i++)
        power *= 10;
    const int bytes =
        snprintf(out, COUNT_BYTES, "%s%" PRIu64, count < 0 ? "-" : "", size / power);
    if (decimals > 0)
        (void)snprintf(out + bytes, (size_t)(COUNT_BYTES - bytes), ".%0*" PRIu64,
                       (int)decimals, size % power);
    return out;
}

static scrim_status read_header(sc_count_table *t, char **at, scrim_error *error)
{
    char *cells[CELLS];
    const size_t count = take_line(at, cells);
    size_t next = 1;
    if (strcmp(cells[0], "level") != 0)
        return no_table(t, "its first column is not level", error);
    for (; next < count && strcmp(cells[next], t->counts) != 0; next++) {
        if (t->columns > 0 || strcmp(cells[next], "table") == 0)
            t->columns++;
        else if (t->levels == SC_COUNT_TABLE_LEVELS)
            return no_table(t, "it has too many levels", error);
        else
            t->names[t->levels++] = cells[next];
    }
    if (next < count)
        return SCRIM_OK;
    return no_table(
        t, strcmp(t->counts, "n") == 0 ? "it has no column n" : "it has no column noisy",
        error);
}

/* The keys of a row, each behind a mark; *room is left behind them. */
static const char *join_keys(char **room, char *const *cells, size_t count)
{
    const char *key = *room;
    for (size_t i = 0; i < count; i++) {
        const size_t bytes = strlen(cells[i]);
        *(*room)++ = MARK;
        memcpy(*room, cells[i], bytes);
        *room += bytes;
    }
    *(*room)++ = '\0';
    return key;
}

static scrim_status add_row(sc_count_table *t, char *const *cells, size_t count,
                            size_t line, char **room, scrim_error *error)
{
    const size_t behind = t->levels + 1; /* the levels: the table, or the count */
    int64_t level, number, table = 0;
    unsigned decimals = 0;
    if (count < behind + t->columns + 1 || !read_number(cells[0], &level) || level < 0 ||
        (uint64_t)level > t->levels ||
        !read_count(cells[behind + t->columns], &number, &decimals) ||
        (t->columns > 0 && (!read_number(cells[behind], &table) || table < 0)))
        return sc_complaint_fill(error, SCRIM_E_INPUT,
                                 "%.200s, line %zu: not a row of a table of counts",
                                 t->path, line);
    sc_count_row *row = &t->rows[t->count++];
    *row = (sc_count_row){.table = (size_t)table,
                          .level = (size_t)level,
                          .key = join_keys(room, cells + 1, (size_t)level),
                          .cell = "",
                          .count = number,
                          .line = line,
                          .decimals = decimals};
    t->decimals = decimals > t->decimals ? decimals : t->decimals;
    if (table > 0)
        row->cell = join_keys(room, cells + behind + 1, t->columns - 1);
    return SCRIM_OK;
}

static int compare_rows(const void *a, const void *b)
{
    const sc_count_row *x = a, *y = b;
    if (x->table != y->table)
        return x->table < y->table ? -1 : 1;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    const int order = strcmp(x->key, y->key);
    return order != 0 ? order : strcmp(x->cell, y->cell);
}

/* Cuts the text in place. */
static scrim_status read_rows(sc_count_table *t, size_t bytes, scrim_error *error)
{
    size_t lines = 1;
    if (strlen(t->text) != bytes)
        return no_table(t, "it holds bytes of zero", error);
    for (const char *c = t->text; *c != '\0'; c++)
        lines += *c == '\n';
    if (lines - 1 > ROWS_MAX)
        return sc_complaint_fill(error, SCRIM_E_LIMIT, "'%.120s' has more than %zu lines",
                                 t->path, ROWS_MAX);
    t->rows = calloc(lines, sizeof *t->rows);
    t->keys = malloc(2 * bytes + lines + 1);
    if (t->rows == NULL || t->keys == NULL)
        return sc_out_of_memory(error, "a table");
    char *at = t->text, *room = t->keys;
    SC_TRY(read_header(t, &at, error));
    for (size_t line = 2; *at != '\0'; line++) {
        char *cells[CELLS];
        const size_t count = take_line(&at, cells);
        if (count > 1 || cells[0][0] != '\0')
            SC_TRY(add_row(t, cells, count, line, &room, error));
    }
    if (t->count == 0)
        return no_table(t, "it has no rows", error);
    for (size_t i = 0; i < t->count; i++)
        if (!scale_up(&t->rows[i].count, t->decimals - t->rows[i].decimals))
            return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                     "%.200s, line %zu: the count is too large for %u "
                                     "decimals",
                                     t->path, t->rows[i].line, t->decimals);
    return SCRIM_OK;
}

/* counts names the column of counts: "n", or "noisy" of a file of measurements. Says whether the file is signed
 * (file_proof.h). SCRIM_E_CHECK where its signature does not hold, SCRIM_E_INPUT where the file cannot be read or is no such table, SCRIM_E_MEMORY. Freed by sc_count_table_clear,
 * also on failure. */
static scrim_status sc_count_table_read(const char *path, const char *counts,
                                        const sc_options *options, sc_count_table *t,
                                        scrim_error *error)
{
    sc_whole_file file = {.bytes = NULL};
    char note[SC_PROOF_BYTES] = "";
    *t = (sc_count_table){.path = path, .counts = counts};
    SC_TRY(sc_whole_file_read(path, FILE_BYTES, &file, error));
    t->text = file.bytes;
    SC_TRY(sc_file_prove(options, path, file.bytes, file.count, note, error));
    SC_TRY(read_rows(t, file.count, error));
    sc_proof_say(note);
    qsort(t->rows, t->count, sizeof *t->rows, compare_rows);
    return SCRIM_OK;
}

static void sc_count_table_clear(sc_count_table *t)
{
    free(t->text);
    free(t->keys);
    free(t->rows);
    *t = (sc_count_table){.path = NULL};
}

/* The row of these keys; NULL: none. */
static sc_count_row *find_row(const sc_count_table *t, sc_count_row wanted)
{
    return bsearch(&wanted, t->rows, t->count, sizeof *t->rows, compare_rows);
}

/* Checks. */

/* Names the line of the file, whatever order the rows are in now. */
static scrim_status fail_at(const sc_count_table *t, const sc_count_row *row,
                            scrim_error *error, const char *what)
{
    return sc_complaint_fill(error, SCRIM_E_CHECK, "%.200s, line %zu: %s", t->path,
                             row->line, what);
}

static sc_count_row *parent_of(const sc_count_table *t, const sc_count_row *row,
                               char *room)
{
    const char *last = strrchr(row->key, MARK);
    const size_t bytes = (size_t)(last - row->key);
    memcpy(room, row->key, bytes);
    room[bytes] = '\0';
    return find_row(t, (sc_count_row){.table = row->table,
                                      .level = row->level - 1,
                                      .key = room,
                                      .cell = row->cell});
}

/* The group that a cell is of. */
static sc_count_row *group_of(const sc_count_table *t, const sc_count_row *row)
{
    return find_row(t, (sc_count_row){.level = row->level, .key = row->key, .cell = ""});
}

static scrim_status add_up(sc_count_table *t, char *room, scrim_error *error)
{
    for (size_t i = 0; i < t->count; i++) {
        sc_count_row *row = &t->rows[i];
        if (row->count < 0)
            return fail_at(t, row, error, "the count is below 0");
        if (i > 0 && compare_rows(row - 1, row) == 0)
            return fail_at(t, row, error, "another row has the same keys");
        if (row->table > 0 && group_of(t, row) == NULL)
            return fail_at(t, row, error, "the group of the cell is missing");
        if (row->level == 0)
            continue;
        sc_count_row *parent = parent_of(t, row, room);
        if (parent == NULL)
            return fail_at(t, row, error, "the group that it is a part of is missing");
        parent->child_count++;
        if (parent->sum < INT64_MAX / 2)
            parent->sum += row->count;
    }
    return SCRIM_OK;
}

/* The cells of a group follow each other. */
static scrim_status add_cells(const sc_count_table *t, scrim_error *error)
{
    for (size_t i = 0; i < t->count;) {
        const sc_count_row *first = &t->rows[i];
        int64_t sum = 0;
        for (;
             i < t->count && t->rows[i].table == first->table &&
             t->rows[i].level == first->level && strcmp(t->rows[i].key, first->key) == 0;
             i++)
            sum += sum < INT64_MAX / 2 ? t->rows[i].count : 0;
        if (first->table > 0 && sum != group_of(t, first)->count)
            return fail_at(t, first, error,
                           "the cells of the group do not add up to its count");
    }
    return SCRIM_OK;
}

/* SCRIM_E_CHECK, with the first line that is wrong: a count below 0, two rows of the same keys, a row without its parent,
 * children that do not add up, cells that do not. */
static scrim_status sc_count_table_check(sc_count_table *t, scrim_error *error)
{
    size_t most = 1;
    for (size_t i = 0; i < t->count; i++) {
        const size_t bytes = strlen(t->rows[i].key) + 1;
        most = bytes > most ? bytes : most;
    }
    SC_FREED char *room = malloc(most);
    if (room == NULL)
        return sc_out_of_memory(error, "a table");
    SC_TRY(add_up(t, room, error));
    for (size_t i = 0; i < t->count; i++)
        if (t->rows[i].level < t->levels && t->rows[i].sum != t->rows[i].count)
            return fail_at(t, &t->rows[i], error, "its parts do not add up to the count");
    return add_cells(t, error);
}

/* SCRIM_E_CHECK where both have a row of the same keys, and other counts. */
static scrim_status sc_count_table_compare(const sc_count_table *one,
                                           const sc_count_table *other,
                                           scrim_error *error)
{
    size_t common = 0;
    while (common < one->levels && common < other->levels &&
           strcmp(one->names[common], other->names[common]) == 0)
        common++;
    for (size_t i = 0; i < one->count && one->rows[i].table == 0; i++) {
        char here[COUNT_BYTES], there[COUNT_BYTES];
        const sc_count_row *same =
            one->rows[i].level <= common ? find_row(other, one->rows[i]) : NULL;
        if (same != NULL && strcmp(format_count(one, one->rows[i].count, here),
                                   format_count(other, same->count, there)) != 0)
            return sc_complaint_fill(
                error, SCRIM_E_CHECK,
                "%.200s, line %zu: the count is %s, and %s in %.200s, line %zu",
                one->path, one->rows[i].line, here, there, other->path, same->line);
    }
    return SCRIM_OK;
}

/* Known counts. */

static scrim_status bad_known(const char *known, scrim_error *error)
{
    return sc_refuse(error,
                     "'%.80s' is not a known count; write total:N or "
                     "COLUMN=VALUE:N with the columns of the first levels",
                     known);
}

/* "sex=Male,part=1" as a key; false where the columns are not those of the table. */
static bool make_key(const sc_count_table *t, char *text, char *key, size_t *level)
{
    char *rest = NULL;
    *level = 0;
    for (char *pair = strtok_r(text, ",", &rest); pair != NULL;
         pair = strtok_r(NULL, ",", &rest)) {
        char *equals = strchr(pair, '=');
        if (equals == NULL || *level == t->levels)
            return false;
        *equals = '\0';
        if (strcmp(pair, t->names[(*level)++]) != 0)
            return false;
        const size_t bytes = strlen(equals + 1);
        *key++ = MARK;
        memcpy(key, equals + 1, bytes + 1);
        key += bytes;
    }
    return true;
}

static scrim_status check_known(const sc_count_table *t, const char *known, char *text,
                                char *key, scrim_error *error)
{
    char *colon = strrchr(text, ':');
    int64_t want;
    size_t level = 0;
    key[0] = '\0';
    if (colon == NULL || !read_number(colon + 1, &want) || want < 0)
        return bad_known(known, error);
    *colon = '\0';
    if (strcmp(text, "total") != 0 && !make_key(t, text, key, &level))
        return bad_known(known, error);
    const sc_count_row *row =
        find_row(t, (sc_count_row){.level = level, .key = key, .cell = ""});
    int64_t scaled = want;
    if (row == NULL || !scale_up(&scaled, t->decimals) || row->count != scaled)
        return sc_complaint_fill(error, SCRIM_E_CHECK,
                                 "%.200s: the count of %.80s is not %" PRId64, t->path,
                                 text, want);
    return SCRIM_OK;
}

/* SCRIM_E_CHECK unless the row of "COLUMN=VALUE,...:N" or "total:N" has that count. */
static scrim_status sc_count_table_known(const sc_count_table *t, const char *known,
                                         scrim_error *error)
{
    char *text = strdup(known), *key = malloc(strlen(known) + 2);
    const scrim_status status = text == NULL || key == NULL
                                    ? sc_out_of_memory(error, "a table")
                                    : check_known(t, known, text, key, error);
    free(text);
    free(key);
    return status;
}

/* scrim microdata fit FILE: a table from noisy cells and a noisy total that were released apart, free of charge. */
static int by_line(const void *a, const void *b)
{
    const sc_count_row *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

/* Rows are sorted by level and key: the total, and then the cells. */
static scrim_status check_rows(const sc_count_table *t, scrim_error *error)
{
    bool is_good = t->levels == 1 && t->columns == 0 && t->count > 1 &&
                   t->rows[0].level == 0 && t->rows[1].level == 1;
    if (!is_good)
        return sc_complaint_fill(error, SCRIM_E_INPUT,
                                 "%.200s is not a flat table: it needs one column of "
                                 "keys, one row of level 0 and the cells as level 1",
                                 t->path);
    for (size_t i = 2; i < t->count; i++)
        if (strcmp(t->rows[i - 1].key, t->rows[i].key) == 0)
            return sc_complaint_fill(error, SCRIM_E_INPUT,
                                     "%.200s, line %zu: another row has the same keys",
                                     t->path, t->rows[i].line);
    return SCRIM_OK;
}

static void put_row(sc_listing *page, const sc_count_table *t, const sc_count_row *row,
                    int64_t count)
{
    char text[COUNT_BYTES];
    sc_listing_put(page, "%zu", row->level);
    sc_listing_put(page, "%s", row->level == 0 ? "" : row->key + 1);
    sc_listing_put(page, "%s", format_count(t, count, text));
    sc_listing_put(page, "%s", format_count(t, row->count, text));
}

static scrim_status list_table(const sc_count_table *t, const int64_t *table,
                               int64_t total, const sc_options *options,
                               scrim_error *error)
{
    const sc_listing_column columns[] = {{"level", SC_KIND_NUMBER | SC_RIGHT},
                                         {t->names[0], SC_KIND_KEY},
                                         {"n", SC_KIND_NUMBER | SC_RIGHT},
                                         {"noisy", SC_KIND_NUMBER | SC_RIGHT}};
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    SC_TRY(sc_page_new(options, columns, sizeof columns / sizeof *columns, &page, error));
    put_row(page, t, &t->rows[0], total);
    for (size_t i = 1; i < t->count; i++)
        put_row(page, t, &t->rows[i], table[i - 1]);
    return sc_page_write(page, error);
}

static void note(const sc_count_table *t, int64_t total, const char *method)
{
    char own[COUNT_BYTES], measured[COUNT_BYTES];
    sc_talk("fitted %zu cells by %s; the total is %s, measured as %s; free of charge\n",
            t->count - 1, method, format_count(t, total, own),
            format_count(t, t->rows[0].count, measured));
    if (strcmp(method, "sum") != 0)
        sc_talk("error bounds are known for --method sum only\n");
}

static scrim_status fit(sc_count_table *t, const sc_options *options, scrim_error *error)
{
    const char *method = options->value[SCRIM_OPTION_METHOD];
    const size_t cells = t->count - 1;
    SC_FREED int64_t *table = calloc(cells, sizeof *table);
    int64_t total = 0;
    if (table == NULL)
        return sc_out_of_memory(error, "a table");
    qsort(t->rows + 1, cells, sizeof *t->rows, by_line);
    for (size_t i = 0; i < cells; i++)
        table[i] = t->rows[i + 1].count;
    SC_TRY(
        scrim_microdata_fit(table, cells, t->rows[0].count,
                            SCRIM_OPTIONS(scrim_microdata_fit_options, .method = method,
                                          .weight = options->value[SCRIM_OPTION_WEIGHT]),
                            table, error));
    for (size_t i = 0; i < cells; i++)
        total += table[i];
    SC_TRY(list_table(t, table, total, options, error));
    if (!sc_options_has(options, SCRIM_OPTION_QUIET))
        note(t, total, method == NULL ? "squares" : method);
    return SCRIM_OK;
}

static scrim_status run_fit(const sc_options *options, scrim_error *error)
{
    sc_count_table table = {.path = NULL};
    if (options->word_count != 3)
        return sc_refuse(
            error,
            "name one file of noisy counts, as in 'scrim microdata fit noisy.csv'");
    scrim_status status =
        sc_count_table_read(options->words[2], "noisy", options, &table, error);
    if (status == SCRIM_OK)
        status = check_rows(&table, error);
    if (status == SCRIM_OK)
        status = fit(&table, options, error);
    sc_count_table_clear(&table);
    return status;
}

const sc_command sc_microdata_fit_command = {
    .name = "fit",
    .kind = SC_COMMAND_READ,
    .options = SC_OPTION_SET(SCRIM_OPTION_METHOD, SCRIM_OPTION_WEIGHT),
    .run = run_fit,
};

/* scrim microdata check FILE... */
static scrim_status check_one(sc_count_table *table, const sc_options *options,
                              scrim_error *error)
{
    SC_TRY(sc_count_table_check(table, error));
    for (size_t i = 0; i < options->repeated_count; i++)
        if (options->repeated[i].option == SCRIM_OPTION_INVARIANT)
            SC_TRY(sc_count_table_known(table, options->repeated[i].value, error));
    return SCRIM_OK;
}

static scrim_status run_check(const sc_options *options, scrim_error *error)
{
    const size_t files = options->word_count - 2;
    size_t rows = 0;
    if (files == 0)
        return sc_refuse(error, "name the tables, as in 'scrim microdata check "
                                "counts.csv'");
    sc_count_table *tables = calloc(files, sizeof *tables);
    if (tables == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < files; i++) {
        status =
            sc_count_table_read(options->words[i + 2], "n", options, &tables[i], error);
        if (status == SCRIM_OK)
            status = check_one(&tables[i], options, error);
        for (size_t k = 0; status == SCRIM_OK && k < i; k++)
            status = sc_count_table_compare(&tables[i], &tables[k], error);
        rows += tables[i].count;
    }
    if (status == SCRIM_OK && !sc_options_has(options, SCRIM_OPTION_QUIET))
        sc_talk("checked %zu counts in %zu %s: all sums agree, no count is below 0\n",
                rows, files, files == 1 ? "table" : "tables");
    for (size_t i = 0; i < files; i++)
        sc_count_table_clear(&tables[i]);
    free(tables);
    return status;
}

const sc_command sc_microdata_check = {
    .name = "check",
    .kind = SC_COMMAND_CHECK,
    .options = SC_OPTION_SET(SCRIM_OPTION_INVARIANT),
    .run = run_check,
};
