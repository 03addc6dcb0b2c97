#include "data/source/packed_file.h"

#include "base/checked.h"
#include "base/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#define ZLIB_CONST
#include <zlib.h>

/* The largest window, and a header and trailer of gzip's and no others. */
#define WINDOW_BITS (15 + 16)

struct sc_packed_file {
    int descriptor;
    uint64_t bytes;           /* of the file */
    atomic_uint_least64_t at; /* of them: those that were read */
    uint64_t unpacked;        /* how many bytes they have unpacked to */
    const sc_schema *schema;  /* NULL: as much as there is */
    bool is_version;          /* of a file that was whole when it was declared */
    z_stream stream;
    bool is_open;              /* the stream is */
    bool is_within;            /* a member has begun and not ended */
    unsigned char *memory;     /* SC_CONTENT_BLOCK_BYTES */
    sc_content_hasher *hasher; /* NULL: no digest is made */
    sc_content_block *block;
    sc_source_content content;
};

bool sc_packed_file_begins(const void *bytes, size_t count)
{
    return count >= 2 && memcmp(bytes, "\x1f\x8b", 2) == 0;
}

/* zlib's memory holds rows: each part begins with its size, so that it can be wiped. */
typedef union part {
    size_t bytes;
    max_align_t align;
} part;

static void *take_memory(void *nothing, unsigned count, unsigned each)
{
    size_t bytes;
    (void)nothing;
    if (!sc_size_mul(count, each, &bytes) || !sc_size_add(bytes, sizeof(part), &bytes))
        return NULL;
    part *new = sc_allocate(bytes, 1);
    if (new == NULL)
        return NULL;
    new->bytes = bytes;
    return new + 1;
}

static void give_memory(void *nothing, void *memory)
{
    part *old = memory;
    (void)nothing;
    if (old != NULL)
        sc_free_wiped(old - 1, old[-1].bytes);
}

static scrim_status open_stream(sc_packed_file *file, scrim_error *error)
{
    file->stream = (z_stream){.zalloc = take_memory, .zfree = give_memory};
    const int result = inflateInit2(&file->stream, WINDOW_BITS);
    file->is_open = result == Z_OK;
    if (result == Z_MEM_ERROR)
        return sc_no_memory(error, "a packed source");
    return result == Z_OK ? SCRIM_OK
                          : sc_fail(error, SCRIM_E_INTERNAL, "zlib %s cannot be used",
                                    zlibVersion());
}

scrim_status sc_packed_file_new(int descriptor, uint64_t bytes, const sc_source_key *key,
                                sc_packed_file **out, scrim_error *error)
{
    sc_packed_file *new = sc_allocate(1, sizeof *new);
    if (new == NULL)
        return sc_no_memory(error, "a packed source");
    new->descriptor = descriptor;
    new->bytes = bytes;
    atomic_init(&new->at, 0);
    new->memory = sc_allocate(SC_CONTENT_BLOCK_BYTES, 1);
    scrim_status status = new->memory == NULL ? sc_no_memory(error, "a packed source")
                                              : open_stream(new, error);
    if (status == SCRIM_OK && key != NULL)
        status = sc_content_hasher_new(key, &new->hasher, error);
    if (status == SCRIM_OK && key != NULL)
        status = sc_content_block_new(new->hasher, &new->block, error);
    if (status == SCRIM_OK)
        *out = new;
    else
        sc_packed_file_free(new);
    return status;
}

void sc_packed_file_free(sc_packed_file *file)
{
    if (file == NULL)
        return;
    if (file->is_open)
        inflateEnd(&file->stream);
    sc_content_block_free(file->block);
    sc_content_hasher_free(file->hasher);
    sc_free_wiped(file->memory, SC_CONTENT_BLOCK_BYTES);
    sc_free(file);
}

void sc_packed_file_expect(sc_packed_file *file, const sc_schema *schema, bool is_version)
{
    file->schema = schema;
    file->is_version = is_version;
}

static scrim_status fail_damaged(const sc_packed_file *file, scrim_error *error)
{
    if (file->is_version)
        return sc_source_fail_rewritten(error);
    return sc_fail(error, SCRIM_E_INPUT,
                   "the source is a gzip file that is cut or damaged; copy or pack it "
                   "again");
}

/* A file that has become shorter was changed. */
static scrim_status read_block(sc_packed_file *file, size_t count, scrim_error *error)
{
    const uint64_t at = atomic_load(&file->at);
    for (size_t done = 0; done < count;) {
        const ssize_t more = pread(file->descriptor, file->memory + done, count - done,
                                   (off_t)(at + done));
        if (more < 0 && errno == EINTR)
            continue;
        if (more <= 0)
            return more == 0 ? sc_source_fail_rewritten(error)
                             : sc_source_fail_reading(error);
        done += (size_t)more;
    }
    return SCRIM_OK;
}

/* The next block of the file, hashed where it lies. */
static scrim_status next_block(sc_packed_file *file, scrim_error *error)
{
    const uint64_t at = atomic_load(&file->at), rest = file->bytes - at;
    const size_t count =
        rest < SC_CONTENT_BLOCK_BYTES ? (size_t)rest : SC_CONTENT_BLOCK_BYTES;
    SC_TRY(read_block(file, count, error));
    if (file->block != NULL) {
        SC_TRY(sc_content_block_begin(file->block, error));
        SC_TRY(sc_content_block_add(file->block, file->memory, count, error));
        SC_TRY(sc_content_block_end(file->block, at / SC_CONTENT_BLOCK_BYTES,
                                    &file->content, error));
    }
    atomic_store(&file->at, at + count);
    file->stream.next_in = file->memory;
    file->stream.avail_in = (unsigned)count;
    return SCRIM_OK;
}

/* One step of zlib. */
static scrim_status step(sc_packed_file *file, scrim_error *error)
{
    z_stream *stream = &file->stream;
    if (!file->is_within && inflateReset(stream) != Z_OK)
        return sc_fail(error, SCRIM_E_INTERNAL, "zlib could not begin");
    file->is_within = true;
    const int result = inflate(stream, Z_NO_FLUSH);
    if (result == Z_STREAM_END)
        file->is_within = false;
    if (result == Z_MEM_ERROR)
        return sc_no_memory(error, "a packed source");
    /* Z_BUF_ERROR: all that was there is taken; the next block goes on. */
    return result == Z_OK || result == Z_STREAM_END ||
                   (result == Z_BUF_ERROR && stream->avail_in == 0)
               ? SCRIM_OK
               : fail_damaged(file, error);
}

static scrim_status check_size(const sc_packed_file *file, scrim_error *error)
{
    if (file->schema == NULL || file->unpacked <= file->schema->max_bytes)
        return SCRIM_OK;
    return file->is_version ? sc_source_fail_rewritten(error)
                            : sc_schema_check_size(file->schema, file->unpacked, error);
}

scrim_status sc_packed_file_read(sc_packed_file *file, void *to, size_t bytes,
                                 size_t *got, scrim_error *error)
{
    z_stream *stream = &file->stream;
    size_t done = 0;
    for (bool has_more = true; has_more && done < bytes;) {
        const bool is_over = atomic_load(&file->at) == file->bytes;
        if (stream->avail_in == 0 && is_over && !file->is_within)
            break;
        if (stream->avail_in == 0 && !is_over)
            SC_TRY(next_block(file, error));
        const size_t left = bytes - done;
        const unsigned room = left < UINT_MAX ? (unsigned)left : UINT_MAX;
        const unsigned before = stream->avail_in;
        stream->next_out = (unsigned char *)to + done;
        stream->avail_out = room;
        SC_TRY(step(file, error));
        done += room - stream->avail_out;
        /* zlib may hold bytes that had no room before, also when all of the file was taken. */
        has_more = before > 0 || stream->avail_out < room;
    }
    if (done < bytes && file->is_within)
        return fail_damaged(file, error);
    file->unpacked += done;
    SC_TRY(check_size(file, error));
    *got = done;
    return SCRIM_OK;
}

uint64_t sc_packed_file_done(const sc_packed_file *file)
{
    return atomic_load(&file->at);
}

sc_source_content sc_packed_file_content(const sc_packed_file *file)
{
    return file->content;
}
