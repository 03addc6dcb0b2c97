#include "lab/attack/public_table.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define QUOTED 40 /* characters of a user's word in a message */

/* Reading. */

/* Compares the bytes that were read, not the file, which may have changed since. */
static bool has_digest(const char *bytes, size_t count, const char *wanted)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    char text[2 * EVP_MAX_MD_SIZE + 1] = "";
    if (!EVP_Digest(bytes, count, digest, &length, EVP_sha256(), NULL))
        return false;
    for (unsigned i = 0; i < length; i++)
        (void)snprintf(text + (size_t)2 * i, 3, "%02x", digest[i]);
    return strcmp(text, wanted) == 0;
}

static scrim_status read_bytes(int file, const char *digest, lab_public_table *out,
                               scrim_error *error)
{
    struct stat facts;
    if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode))
        return lab_fail(error, SCRIM_E_INPUT, "the public table is not a file");
    const size_t bytes = (size_t)facts.st_size;
    if (bytes > LAB_PUBLIC_BYTES)
        return lab_fail(error, SCRIM_E_LIMIT, "the public table is larger than 256 MB");
    out->bytes = lab_allocate(bytes + 1, 1);
    if (out->bytes == NULL)
        return lab_fail(error, SCRIM_E_MEMORY, "out of memory for a public table");
    for (size_t done = 0; done < bytes;) {
        const ssize_t got = read(file, out->bytes + done, bytes - done);
        if (got <= 0)
            return lab_fail(error, SCRIM_E_INPUT, "the public table cannot be read");
        done += (size_t)got;
    }
    if (digest != NULL && !has_digest(out->bytes, bytes, digest))
        return lab_fail_for(
            error, SCRIM_E_POLICY, SCRIM_REASON_UNSUPPORTED, "file",
            "the public table does not have the expected SHA-256; use the original file");
    return SCRIM_OK;
}

/* The next cell, terminated in place; *at moves behind it. A quoted cell may contain the separator; a
 * doubled quote in it stays doubled. */
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

static scrim_status read_header(lab_public_table *out, char **at, scrim_error *error)
{
    bool is_last = false;
    while (!is_last) {
        if (out->column_count == LAB_PUBLIC_COLUMNS)
            return lab_fail(error, SCRIM_E_LIMIT, "the public table has over 64 columns");
        out->columns[out->column_count++].name = next_cell(at, &is_last);
    }
    return SCRIM_OK;
}

/* The codes of the values of one column. */
typedef struct dictionary {
    uint32_t *slots; /* codes; 0: free */
    size_t mask;
} dictionary;

/* FNV-1a: the table is public, so nobody is helped by collisions. */
static size_t hash_of(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return (size_t)(hash ^ hash >> 32);
}

static uint32_t code_of(dictionary *d, lab_public_column *column, const char *value)
{
    if (value[0] == '\0' || strcmp(value, "?") == 0)
        return 0;
    size_t place = hash_of(value) & d->mask;
    while (d->slots[place] != 0 && strcmp(column->values[d->slots[place]], value) != 0)
        place = (place + 1) & d->mask;
    if (d->slots[place] == 0) {
        d->slots[place] = (uint32_t)column->value_count;
        column->values[column->value_count++] = value;
    }
    return d->slots[place];
}

/* cells: of all rows, row by row. */
static bool code_column(lab_public_table *out, size_t index, char *const *cells)
{
    lab_public_column *column = &out->columns[index];
    dictionary d = {.mask = 1};
    while (d.mask < 2 * out->rows)
        d.mask = 2 * d.mask + 1;
    d.slots = lab_allocate(d.mask + 1, sizeof *d.slots);
    column->codes = lab_allocate(out->rows, sizeof *column->codes);
    column->values = lab_allocate(out->rows + 1, sizeof *column->values);
    const bool has_memory =
        d.slots != NULL && column->codes != NULL && column->values != NULL;
    if (has_memory) {
        column->values[0] = "";
        column->value_count = 1;
        for (size_t row = 0; row < out->rows; row++)
            column->codes[row] =
                code_of(&d, column, cells[row * out->column_count + index]);
    }
    free(d.slots);
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

static scrim_status read_rows(lab_public_table *out, char *at, scrim_error *error)
{
    const size_t lines = count_lines(at), columns = out->column_count;
    char **cells = lab_allocate(lines * columns, sizeof *cells);
    bool has_memory = cells != NULL;
    while (has_memory && *at != '\0') {
        bool is_last = false;
        if (*at == '\n') { /* skip empty lines */
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
    free(cells);
    if (!has_memory)
        return lab_fail(error, SCRIM_E_MEMORY, "out of memory for a public table");
    if (out->rows == 0)
        return lab_fail(error, SCRIM_E_INPUT, "the public table has no rows");
    return SCRIM_OK;
}

static scrim_status cut_bytes(lab_public_table *out, scrim_error *error)
{
    char *at = out->bytes;
    scrim_status status = read_header(out, &at, error);
    if (status == SCRIM_OK)
        status = read_rows(out, at, error);
    if (status != SCRIM_OK)
        lab_public_table_clear(out);
    return status;
}

scrim_status lab_public_table_read(const char *path, const char *digest,
                                   lab_public_table *out, scrim_error *error)
{
    memset(out, 0, sizeof *out);
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return lab_fail(error, SCRIM_E_INPUT, "the public table cannot be opened");
    const scrim_status status = read_bytes(file, digest, out, error);
    close(file);
    if (status == SCRIM_OK)
        return cut_bytes(out, error);
    lab_public_table_clear(out);
    return status;
}

scrim_status lab_public_table_parse(const char *text, lab_public_table *out,
                                    scrim_error *error)
{
    const size_t bytes = strlen(text);
    memset(out, 0, sizeof *out);
    out->bytes = lab_allocate(bytes + 1, 1);
    if (out->bytes == NULL)
        return lab_fail(error, SCRIM_E_MEMORY, "out of memory for a public table");
    memcpy(out->bytes, text, bytes);
    return cut_bytes(out, error);
}

void lab_public_table_clear(lab_public_table *table)
{
    for (size_t i = 0; i < table->column_count; i++) {
        free(table->columns[i].codes);
        free(table->columns[i].values);
    }
    free(table->bytes);
    memset(table, 0, sizeof *table);
}

static const lab_public_column *find_column(const lab_public_table *table,
                                            const char *name, size_t bytes)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (strlen(table->columns[i].name) == bytes &&
            memcmp(table->columns[i].name, name, bytes) == 0)
            return &table->columns[i];
    return NULL;
}

/* Names the columns: the table is public. */
static scrim_status fail_column(const lab_public_table *table, const char *name,
                                size_t bytes, scrim_error *error)
{
    char names[300] = "";
    for (size_t i = 0, at = 0; i < table->column_count && at < sizeof names; i++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", i == 0 ? "" : ", ",
                               table->columns[i].name);
    return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "columns",
                        "unknown column '%.*s'; available: %s",
                        bytes < QUOTED ? (int)bytes : QUOTED, name, names);
}

scrim_status lab_public_columns_find(const lab_public_table *table, const char *list,
                                     size_t most, const lab_public_column **out,
                                     size_t *count, scrim_error *error)
{
    *count = 0;
    for (;;) {
        const size_t bytes = strcspn(list, ",");
        const lab_public_column *column = find_column(table, list, bytes);
        if (column == NULL)
            return fail_column(table, list, bytes, error);
        if (*count == most)
            return lab_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "columns",
                                "at most %zu columns", most);
        out[(*count)++] = column;
        if (list[bytes] == '\0')
            return SCRIM_OK;
        list += bytes + 1;
    }
}

scrim_status lab_public_people_read(const lab_attack_options *options,
                                    lab_public_people *out, scrim_error *error)
{
    const char *columns = options->columns != NULL
                              ? options->columns
                              : "age,sex,race,marital_status,education,native_country";
    const char *sensitive =
        options->sensitive != NULL ? options->sensitive : "occupation";
    size_t one = 0;
    if (options->is_own && (options->columns == NULL || options->sensitive == NULL))
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "columns",
                            "name the columns that an attacker may know of a person, and "
                            "the one that is to stay unknown");
    scrim_status status =
        lab_public_table_read(options->file, options->digest, &out->table, error);
    if (status == SCRIM_OK)
        status = lab_public_columns_find(&out->table, columns, LAB_PUBLIC_KNOWN,
                                         out->columns, &out->count, error);
    if (status == SCRIM_OK)
        status = lab_public_columns_find(&out->table, sensitive, 1, &out->sensitive, &one,
                                         error);
    return status;
}

/* Classes. */

bool lab_row_classes_init(lab_row_classes *classes, size_t rows)
{
    size_t mask = 1;
    while (mask < 2 * rows)
        mask = 2 * mask + 1;
    *classes = (lab_row_classes){.rows = rows,
                                 .of = lab_allocate(rows, sizeof *classes->of),
                                 .sizes = lab_allocate(rows + 1, sizeof *classes->sizes),
                                 .keys = lab_allocate(mask + 1, sizeof *classes->keys),
                                 .ids = lab_allocate(mask + 1, sizeof *classes->ids),
                                 .mask = mask};
    if (classes->of == NULL || classes->sizes == NULL || classes->keys == NULL ||
        classes->ids == NULL) {
        lab_row_classes_clear(classes);
        return false;
    }
    lab_row_classes_join(classes);
    return true;
}

void lab_row_classes_clear(lab_row_classes *classes)
{
    free(classes->of);
    free(classes->sizes);
    free(classes->keys);
    free(classes->ids);
    memset(classes, 0, sizeof *classes);
}

void lab_row_classes_join(lab_row_classes *classes)
{
    memset(classes->of, 0, classes->rows * sizeof *classes->of);
    classes->count = classes->rows > 0;
    classes->sizes[0] = (uint32_t)classes->rows;
}

void lab_row_classes_split(lab_row_classes *classes, const uint32_t *codes)
{
    memset(classes->keys, 0, (classes->mask + 1) * sizeof *classes->keys);
    classes->count = 0;
    for (size_t row = 0; row < classes->rows; row++) {
        const uint64_t key = ((uint64_t)classes->of[row] << 32 | codes[row]) + 1;
        size_t place = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & classes->mask;
        while (classes->keys[place] != 0 && classes->keys[place] != key)
            place = (place + 1) & classes->mask;
        if (classes->keys[place] == 0) {
            classes->keys[place] = key;
            classes->ids[place] = (uint32_t)classes->count;
            classes->sizes[classes->count++] = 0;
        }
        classes->of[row] = classes->ids[place];
        classes->sizes[classes->of[row]]++;
    }
}

size_t lab_row_classes_alone(const lab_row_classes *classes)
{
    size_t alone = 0;
    for (size_t i = 0; i < classes->count; i++)
        alone += classes->sizes[i] == 1;
    return alone;
}

size_t lab_row_classes_smallest(const lab_row_classes *classes)
{
    size_t smallest = classes->rows;
    for (size_t i = 0; i < classes->count; i++)
        smallest = classes->sizes[i] < smallest ? classes->sizes[i] : smallest;
    return smallest;
}
