#include "query/rows/key_tuple.h"

#define NUMBER_BYTES 8
#define SIGN (UINT64_C(1) << 63)
#define PADDING 16

bool sc_key_part_is_null(const sc_key_part *part)
{
    return part->is_text ? sc_text_is_null(part->text) : part->value == SC_NULL;
}

size_t sc_key_tuple_bytes(const sc_key_part *parts, size_t count)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += parts[i].is_text ? parts[i].text.bytes + 1 : NUMBER_BYTES;
    return bytes;
}

static char *put_number(char *out, int64_t value)
{
    const uint64_t turned = (uint64_t)value ^ SIGN;
    for (unsigned i = 0; i < NUMBER_BYTES; i++)
        out[i] = (char)(unsigned char)(turned >> (56 - 8 * i));
    return out + NUMBER_BYTES;
}

static char *put_text(char *out, sc_text text)
{
    if (text.bytes > 0)
        memcpy(out, text.start, text.bytes);
    out[text.bytes] = '\0';
    return out + text.bytes + 1;
}

void sc_key_tuple_write(const sc_key_part *parts, size_t count, char *out)
{
    for (size_t i = 0; i < count; i++)
        out = parts[i].is_text ? put_text(out, parts[i].text)
                               : put_number(out, parts[i].value);
}

static bool take_text(sc_text *rest, sc_text *text)
{
    const char *end = rest->bytes == 0 ? NULL : memchr(rest->start, '\0', rest->bytes);
    if (end == NULL)
        return false;
    *text = (sc_text){rest->start, (size_t)(end - rest->start)};
    *rest = (sc_text){end + 1, rest->bytes - text->bytes - 1};
    return true;
}

static bool take_number(sc_text *rest, int64_t *value)
{
    uint64_t turned = 0;
    if (rest->bytes < NUMBER_BYTES)
        return false;
    for (unsigned i = 0; i < NUMBER_BYTES; i++)
        turned = turned << 8 | (unsigned char)rest->start[i];
    turned ^= SIGN;
    memcpy(value, &turned, sizeof *value);
    *rest = (sc_text){rest->start + NUMBER_BYTES, rest->bytes - NUMBER_BYTES};
    return true;
}

bool sc_key_tuple_read(sc_text key, sc_key_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (parts[i].is_text ? !take_text(&key, &parts[i].text)
                             : !take_number(&key, &parts[i].value))
            return false;
    return key.bytes == 0;
}

/* Many rows. */

void sc_key_rows_clear(sc_key_rows *rows)
{
    sc_free_wiped(rows->keys, rows->capacity * sizeof *rows->keys);
    sc_free_wiped(rows->hashes, rows->capacity * sizeof *rows->hashes);
    sc_free_wiped(rows->bytes, rows->bytes_capacity);
    *rows = (sc_key_rows){0};
}

/* Earlier contents are lost. */
static bool reserve(sc_key_rows *rows, size_t count, size_t bytes)
{
    if (rows->keys != NULL && count <= rows->capacity && bytes <= rows->bytes_capacity)
        return true;
    count = count > rows->capacity ? count : rows->capacity;
    bytes = bytes > rows->bytes_capacity ? bytes + bytes / 4 : rows->bytes_capacity;
    sc_key_rows_clear(rows);
    *rows = (sc_key_rows){.keys = sc_allocate(count, sizeof *rows->keys),
                          .hashes = sc_allocate(count, sizeof *rows->hashes),
                          .bytes = sc_allocate(bytes, 1),
                          .capacity = count,
                          .bytes_capacity = bytes};
    if (rows->keys != NULL && rows->hashes != NULL && rows->bytes != NULL)
        return true;
    sc_key_rows_clear(rows);
    return false;
}

static size_t bytes_of_rows(const sc_key_column *columns, size_t column_count,
                            size_t count)
{
    size_t bytes = PADDING;
    for (size_t i = 0; i < column_count; i++)
        for (size_t row = 0; row < count; row++)
            bytes +=
                columns[i].texts == NULL ? NUMBER_BYTES : columns[i].texts[row].bytes + 1;
    return bytes;
}

scrim_status sc_key_rows_make(sc_key_rows *rows, const sc_key_column *columns,
                              size_t column_count, size_t count,
                              const sc_value_key *hash_key, scrim_error *error)
{
    if (!reserve(rows, count, bytes_of_rows(columns, column_count, count)))
        return sc_no_memory(error, "the keys of rows");
    char *at = rows->bytes;
    for (size_t row = 0; row < count; row++) {
        const char *start = at;
        for (size_t i = 0; i < column_count; i++)
            at = columns[i].texts == NULL ? put_number(at, columns[i].values[row])
                                          : put_text(at, columns[i].texts[row]);
        rows->keys[row] = (sc_text){start, (size_t)(at - start)};
    }
    /* Hashes when all bytes are there: they look at those behind. */
    for (size_t row = 0; row < count; row++)
        rows->hashes[row] = sc_value_hash(hash_key, rows->keys[row]);
    return SCRIM_OK;
}
