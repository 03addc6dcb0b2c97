#include "attack/public_table.h"

#include "base/descriptor.h"
#include "base/digest.h"
#include "base/hash.h"
#include "base/text.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The bytes that were read are compared, not the file: it may be another by now. */
static scrim_status check_digest(const char *bytes, size_t count, const char *wanted,
                                 scrim_error *error)
{
    sc_digester *digester = NULL;
    sc_digest found, expected;
    scrim_status status = sc_digester_new(&digester, error);
    if (status == SCRIM_OK)
        status = sc_digest_of(digester, (sc_text){bytes, count}, sc_text_of(""), &found,
                              error);
    if (status == SCRIM_OK && (!sc_digest_parse(sc_text_of(wanted), &expected) ||
                               !sc_digest_equal(&found, &expected)))
        status = sc_fail_for(
            error, SCRIM_E_POLICY, SCRIM_REASON_UNSUPPORTED, "file",
            "the public table does not have the expected SHA-256; use the original file");
    sc_digester_free(digester);
    return status;
}

static scrim_status read_bytes(int file, const char *digest, sc_public_table *out,
                               scrim_error *error)
{
    struct stat facts;
    if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode))
        return sc_fail(error, SCRIM_E_INPUT, "the public table is not a file");
    const size_t bytes = (size_t)facts.st_size;
    if (bytes > SC_PUBLIC_BYTES)
        return sc_fail(error, SCRIM_E_LIMIT, "the public table is larger than 256 MB");
    out->bytes = sc_allocate(bytes + 1, 1);
    if (out->bytes == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a public table");
    for (size_t done = 0; done < bytes;) {
        const ssize_t got = read(file, out->bytes + done, bytes - done);
        if (got <= 0)
            return sc_fail(error, SCRIM_E_INPUT, "the public table cannot be read");
        done += (size_t)got;
    }
    return digest == NULL ? SCRIM_OK : check_digest(out->bytes, bytes, digest, error);
}

/* The next cell, terminated in place; *at moves behind it. A quoted cell may hold the separator; two
 * quotes in it stay two. */
static char *next_cell(char **at, bool *is_last)
{
    char *cell = *at, *end;
    if (*cell == '"') {
        cell++;
        end = cell;
        while (*end != '\0' && !(end[0] == '"' && end[1] != '"'))
            end += end[0] == '"' ? 2 : 1;
        if (*end == '"')
            *end++ = '\0';
        end += strcspn(end, ",\n");
    } else {
        end = cell + strcspn(cell, ",\n");
    }
    *is_last = *end != ',';
    *at = *end == '\0' ? end : end + 1;
    if (end > cell && end[-1] == '\r')
        end[-1] = '\0';
    *end = '\0';
    return cell;
}

static scrim_status read_header(sc_public_table *out, char **at, scrim_error *error)
{
    bool is_last = false;
    while (!is_last) {
        if (out->column_count == SC_PUBLIC_COLUMNS)
            return sc_fail(error, SCRIM_E_LIMIT, "the public table has over 64 columns");
        out->columns[out->column_count++].name = next_cell(at, &is_last);
    }
    return SCRIM_OK;
}

/* Codes of one column by what its values are. */
typedef struct dictionary {
    uint32_t *slots; /* codes; 0: free */
    size_t mask;
} dictionary;

static uint32_t code_of(dictionary *d, sc_public_column *column, const char *value)
{
    static const sc_hash_key public_key = {1, 2};
    if (value[0] == '\0' || strcmp(value, "?") == 0)
        return 0;
    size_t place = (size_t)sc_hash(&public_key, value, strlen(value)) & d->mask;
    while (d->slots[place] != 0 && strcmp(column->values[d->slots[place]], value) != 0)
        place = (place + 1) & d->mask;
    if (d->slots[place] == 0) {
        d->slots[place] = (uint32_t)column->value_count;
        column->values[column->value_count++] = value;
    }
    return d->slots[place];
}

/* cells are those of all rows, one row after the other. */
static bool code_column(sc_public_table *out, size_t index, char *const *cells)
{
    sc_public_column *column = &out->columns[index];
    dictionary d = {.mask = 1};
    while (d.mask < 2 * out->rows)
        d.mask = 2 * d.mask + 1;
    d.slots = sc_allocate(d.mask + 1, sizeof *d.slots);
    column->codes = sc_allocate(out->rows, sizeof *column->codes);
    column->values = sc_allocate(out->rows + 1, sizeof *column->values);
    const bool has_memory =
        d.slots != NULL && column->codes != NULL && column->values != NULL;
    if (has_memory) {
        column->values[0] = "";
        column->value_count = 1;
        for (size_t row = 0; row < out->rows; row++)
            column->codes[row] =
                code_of(&d, column, cells[row * out->column_count + index]);
    }
    sc_free(d.slots);
    return has_memory;
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    while (*text != '\0') {
        text += strcspn(text, "\n");
        lines++;
        text += *text == '\n';
    }
    return lines;
}

static scrim_status read_rows(sc_public_table *out, char *at, scrim_error *error)
{
    const size_t lines = count_lines(at), columns = out->column_count;
    char **cells = sc_allocate(lines * columns, sizeof *cells);
    bool has_memory = cells != NULL;
    while (has_memory && *at != '\0') {
        bool is_last = false;
        if (*at == '\n') { /* an empty line is no row */
            at++;
            continue;
        }
        for (size_t i = 0; i < columns; i++) {
            static char missing[] = "";
            cells[out->rows * columns + i] = is_last ? missing : next_cell(&at, &is_last);
        }
        while (!is_last)
            (void)next_cell(&at, &is_last);
        out->rows++;
    }
    for (size_t i = 0; i < columns && has_memory; i++)
        has_memory = code_column(out, i, cells);
    sc_free(cells);
    if (!has_memory)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a public table");
    if (out->rows == 0)
        return sc_fail(error, SCRIM_E_INPUT, "the public table has no rows");
    return SCRIM_OK;
}

static scrim_status cut_bytes(sc_public_table *out, scrim_error *error)
{
    char *at = out->bytes;
    scrim_status status = read_header(out, &at, error);
    if (status == SCRIM_OK)
        status = read_rows(out, at, error);
    if (status != SCRIM_OK)
        sc_public_table_clear(out);
    return status;
}

scrim_status sc_public_table_read(const char *path, const char *digest,
                                  sc_public_table *out, scrim_error *error)
{
    memset(out, 0, sizeof *out);
    const int file = sc_descriptor_open(path, O_RDONLY);
    if (file < 0)
        return sc_fail(error, SCRIM_E_INPUT, "the public table cannot be opened");
    const scrim_status status = read_bytes(file, digest, out, error);
    close(file);
    if (status == SCRIM_OK)
        return cut_bytes(out, error);
    sc_public_table_clear(out);
    return status;
}

scrim_status sc_public_table_parse(const char *text, sc_public_table *out,
                                   scrim_error *error)
{
    const size_t bytes = strlen(text);
    memset(out, 0, sizeof *out);
    out->bytes = sc_allocate(bytes + 1, 1);
    if (out->bytes == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a public table");
    memcpy(out->bytes, text, bytes);
    return cut_bytes(out, error);
}

void sc_public_table_clear(sc_public_table *table)
{
    for (size_t i = 0; i < table->column_count; i++) {
        sc_free(table->columns[i].codes);
        sc_free(table->columns[i].values);
    }
    sc_free(table->bytes);
    memset(table, 0, sizeof *table);
}

static const sc_public_column *find_column(const sc_public_table *table, const char *name,
                                           size_t bytes)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (strlen(table->columns[i].name) == bytes &&
            memcmp(table->columns[i].name, name, bytes) == 0)
            return &table->columns[i];
    return NULL;
}

/* The names are public, as the table is. */
static scrim_status fail_column(const sc_public_table *table, sc_text name,
                                scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES], names[300];
    sc_text_sink sink;
    sc_text_sink_init(&sink, names, sizeof names);
    for (size_t i = 0; i < table->column_count; i++) {
        sc_text_put(&sink, sc_text_of(i == 0 ? "" : ", "));
        sc_text_put(&sink, sc_text_of(table->columns[i].name));
    }
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "columns",
                       "unknown column '%s'; available: %s", sc_text_quote(name, quote),
                       names);
}

scrim_status sc_public_columns_find(const sc_public_table *table, const char *list,
                                    size_t most, const sc_public_column **out,
                                    size_t *count, scrim_error *error)
{
    *count = 0;
    for (;;) {
        const size_t bytes = strcspn(list, ",");
        const sc_public_column *column = find_column(table, list, bytes);
        if (column == NULL)
            return fail_column(table, (sc_text){list, bytes}, error);
        if (*count == most)
            return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "columns",
                               "at most %zu columns", most);
        out[(*count)++] = column;
        if (list[bytes] == '\0')
            return SCRIM_OK;
        list += bytes + 1;
    }
}

scrim_status sc_public_people_read(const char *path, const char *digest,
                                   const char *columns, const char *sensitive,
                                   sc_public_people *out, scrim_error *error)
{
    size_t one = 0;
    scrim_status status = sc_public_table_read(path, digest, &out->table, error);
    if (status == SCRIM_OK)
        status = sc_public_columns_find(&out->table, columns, SC_PUBLIC_KNOWN,
                                        out->columns, &out->count, error);
    if (status == SCRIM_OK)
        status = sc_public_columns_find(&out->table, sensitive, 1, &out->sensitive, &one,
                                        error);
    return status;
}
