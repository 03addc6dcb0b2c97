#include "query/rows/part_log.h"

#include "base/memory.h"

#include <string.h>

scrim_status sc_part_log_init(sc_part_log *log, sc_sealed_file *file, scrim_error *error)
{
    *log = (sc_part_log){.memory = sc_allocate_raw(SC_PART_LOG_PARTS * SC_PART_LOG_BYTES),
                         .streams = sc_allocate(SC_PART_LOG_PARTS, sizeof *log->streams),
                         .file = file};
    const scrim_status status = log->memory != NULL && log->streams != NULL
                                    ? sc_cipher_open(&log->cipher, error)
                                    : sc_no_memory(error, "the keys of the groups");
    if (status != SCRIM_OK)
        sc_part_log_clear(log);
    return status;
}

void sc_part_log_clear(sc_part_log *log)
{
    for (size_t i = 0; log->streams != NULL && i < SC_PART_LOG_PARTS; i++) {
        sc_wipe(log->memory + i * SC_PART_LOG_BYTES, log->streams[i].used);
        sc_free(log->streams[i].extents);
    }
    sc_free(log->streams);
    sc_free(log->memory);
    sc_cipher_close(log->cipher);
    *log = (sc_part_log){.memory = NULL};
}

/* Writing. */

/* Writes bytes of a part to the file. */
static scrim_status write_extent(sc_part_log *log, sc_part_stream *stream,
                                 unsigned char *bytes, size_t count, scrim_error *error)
{
    uint64_t offset = 0;
    if (!sc_make_room(&stream->extents, stream->count, &stream->capacity,
                      sizeof *stream->extents))
        return sc_no_memory(error, "the keys of the groups");
    const scrim_status status =
        sc_sealed_file_append(log->file, log->cipher, bytes, count, &offset, error);
    if (status != SCRIM_OK)
        return status;
    stream->extents[stream->count++] = (sc_part_extent){offset, count};
    log->most_bytes = count > log->most_bytes ? count : log->most_bytes;
    return SCRIM_OK;
}

/* A record that is longer than the memory of a part. */
static scrim_status put_long(sc_part_log *log, sc_part_stream *stream, const void *head,
                             size_t head_bytes, const void *body, size_t body_bytes,
                             scrim_error *error)
{
    const size_t bytes = head_bytes + body_bytes;
    unsigned char *whole = sc_allocate(bytes, 1);
    if (whole == NULL)
        return sc_no_memory(error, "the keys of the groups");
    memcpy(whole, head, head_bytes);
    memcpy(whole + head_bytes, body, body_bytes);
    const scrim_status status = write_extent(log, stream, whole, bytes, error);
    sc_free_wiped(whole, bytes);
    return status;
}

scrim_status sc_part_log_put(sc_part_log *log, size_t part, const void *head,
                             size_t head_bytes, const void *body, size_t body_bytes,
                             scrim_error *error)
{
    sc_part_stream *stream = &log->streams[part];
    unsigned char *memory = log->memory + part * SC_PART_LOG_BYTES;
    const size_t bytes = head_bytes + body_bytes;
    if (stream->used + bytes > SC_PART_LOG_BYTES && stream->used > 0) {
        const scrim_status status =
            write_extent(log, stream, memory, stream->used, error);
        if (status != SCRIM_OK)
            return status;
        stream->used = 0;
    }
    if (bytes > SC_PART_LOG_BYTES)
        return put_long(log, stream, head, head_bytes, body, body_bytes, error);
    memcpy(memory + stream->used, head, head_bytes);
    if (body_bytes > 0)
        memcpy(memory + stream->used + head_bytes, body, body_bytes);
    stream->used += bytes;
    return SCRIM_OK;
}

/* Reading. */

static scrim_status read_extents(const sc_part_log *log, const sc_part_stream *stream,
                                 const sc_cipher *cipher, unsigned char *memory,
                                 sc_part_log_take *take, void *context,
                                 scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < stream->count; i++) {
        const sc_part_extent *from = &stream->extents[i];
        status = sc_sealed_file_read(log->file, cipher, from->offset, memory, from->bytes,
                                     error);
        if (status == SCRIM_OK)
            status = take(context, memory, from->bytes, error);
    }
    return status;
}

scrim_status sc_part_log_read(const sc_part_log *log, size_t part, sc_cipher **cipher,
                              sc_part_log_take *take, void *context, scrim_error *error)
{
    const sc_part_stream *stream = &log->streams[part];
    const size_t most =
        log->most_bytes > SC_PART_LOG_BYTES ? log->most_bytes : SC_PART_LOG_BYTES;
    scrim_status status = SCRIM_OK;
    unsigned char *memory = sc_allocate(most + SC_PART_LOG_PADDING, 1);
    if (memory == NULL)
        return sc_no_memory(error, "the keys of the groups");
    if (stream->count > 0 && *cipher == NULL)
        status = sc_cipher_open(cipher, error);
    if (status == SCRIM_OK)
        status = read_extents(log, stream, *cipher, memory, take, context, error);
    if (status == SCRIM_OK && stream->used > 0) {
        memcpy(memory, log->memory + part * SC_PART_LOG_BYTES, stream->used);
        status = take(context, memory, stream->used, error);
    }
    sc_free_wiped(memory, most + SC_PART_LOG_PADDING);
    return status;
}
