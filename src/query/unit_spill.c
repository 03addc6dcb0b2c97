#include "query/unit_spill.h"

#include "base/checked.h"
#include "random/bits_system.h"
#include "random/private_pages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef SCRIM_TESTING
sc_unit_spill_calls sc_unit_spill_call = {open, pwrite, pread};
#define SPILL_OPEN sc_unit_spill_call.open
#define SPILL_PWRITE sc_unit_spill_call.pwrite
#define SPILL_PREAD sc_unit_spill_call.pread
#else
#define SPILL_OPEN open
#define SPILL_PWRITE pwrite
#define SPILL_PREAD pread
#endif

#define FOLDER "/var/tmp"
#define BLOCK_BYTES 16

/* Some entries of a stream that were written together. */
typedef struct extent {
    uint64_t offset;
    size_t bytes;
} extent;

typedef struct stream {
    extent *extents;
    size_t count, capacity;
    uint64_t entries;
} stream;

struct sc_unit_spill {
    int descriptor;
    uint64_t end;         /* of what is written, a whole number of blocks */
    sc_cipher_seed *seed; /* in private pages; its counter is 0 */
    sc_cipher *cipher;    /* of whoever writes */
    stream streams[SC_UNIT_KINDS][SC_UNIT_PARTS];
};

/* Constant: what is in the rows, and how many there are, is nobody's business. */
static scrim_status fail_writing(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY,
                   "the rows take more than their memory, and the folder for temporary "
                   "files cannot hold them; set TMPDIR to one with room");
}

static scrim_status fail_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "no memory for the rows of units");
}

static scrim_status fail_cipher(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_ENTROPY,
                   "libcrypto's AES-256-CTR failed; reinstall OpenSSL");
}

/* Opening. */

/* Where the file system cannot make a file without a name. */
static int open_named(const char *folder)
{
    static const char name[] = "/scrim.XXXXXX";
    const size_t bytes = strlen(folder);
    char *path = sc_allocate(bytes + sizeof name, 1);
    if (path == NULL)
        return -1;
    memcpy(path, folder, bytes);
    memcpy(path + bytes, name, sizeof name);
    int descriptor = mkostemp(path, O_CLOEXEC);
    if (descriptor >= 0 && unlink(path) != 0) {
        close(descriptor);
        descriptor = -1;
    }
    sc_release(path);
    return descriptor;
}

static int open_file(void)
{
    const char *folder = secure_getenv("TMPDIR");
    if (folder == NULL || folder[0] != '/')
        folder = FOLDER;
    const int descriptor =
        SPILL_OPEN(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    return descriptor >= 0 ? descriptor : open_named(folder);
}

static scrim_status draw_key(sc_cipher_seed *seed, scrim_error *error)
{
    sc_bits *bits = NULL;
    scrim_status status = sc_bits_system_open(&bits, error);
    for (size_t i = 0; status == SCRIM_OK && i < sizeof seed->key;
         i += sizeof(uint64_t)) {
        uint64_t word = 0;
        status = sc_bits_word(bits, &word, error);
        memcpy(seed->key + i, &word, sizeof word);
        sc_wipe(&word, sizeof word);
    }
    sc_bits_system_close(bits);
    return status;
}

scrim_status sc_unit_spill_open(sc_unit_spill **out, scrim_error *error)
{
    bool is_wiped;
    scrim_status status = SCRIM_OK;
    sc_unit_spill *spill = sc_allocate(1, sizeof *spill);
    if (spill == NULL)
        return fail_memory(error);
    spill->descriptor = -1;
    spill->seed = sc_private_pages_map(sizeof *spill->seed, &is_wiped);
    if (spill->seed == NULL)
        status = fail_memory(error);
    if (status == SCRIM_OK)
        status = draw_key(spill->seed, error);
    if (status == SCRIM_OK)
        status = sc_cipher_open(&spill->cipher, error);
    if (status == SCRIM_OK && (spill->descriptor = open_file()) < 0)
        status = fail_writing(error);
    if (status == SCRIM_OK)
        *out = spill;
    else
        sc_unit_spill_close(spill);
    return status;
}

void sc_unit_spill_close(sc_unit_spill *spill)
{
    if (spill == NULL)
        return;
    if (spill->descriptor >= 0)
        close(spill->descriptor);
    sc_cipher_close(spill->cipher);
    sc_private_pages_unmap(spill->seed, sizeof *spill->seed);
    for (size_t kind = 0; kind < SC_UNIT_KINDS; kind++)
        for (size_t i = 0; i < SC_UNIT_PARTS; i++)
            sc_release(spill->streams[kind][i].extents);
    sc_release(spill);
}

/* Bytes. */

/* Encrypts or decrypts what lies at this place of the file. */
static bool apply(const sc_unit_spill *spill, const sc_cipher *cipher, uint64_t offset,
                  unsigned char *bytes, size_t count)
{
    sc_cipher_seed from = *spill->seed;
    uint64_t block = offset / BLOCK_BYTES;
    for (size_t i = sizeof from.counter; i-- > sizeof from.counter - sizeof block;) {
        from.counter[i] = (unsigned char)block;
        block >>= 8;
    }
    bool is_done = sc_cipher_start(cipher, &from);
    sc_wipe(&from, sizeof from);
    is_done = is_done && sc_cipher_apply(cipher, bytes, count);
    return sc_cipher_forget(cipher) && is_done;
}

static bool write_all(const sc_unit_spill *spill, const unsigned char *bytes,
                      size_t count, uint64_t offset)
{
    for (size_t done = 0; done < count;) {
        const ssize_t got = SPILL_PWRITE(spill->descriptor, bytes + done, count - done,
                                         (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

static bool read_all(const sc_unit_spill *spill, unsigned char *bytes, size_t count,
                     uint64_t offset)
{
    for (size_t done = 0; done < count;) {
        const ssize_t got = SPILL_PREAD(spill->descriptor, bytes + done, count - done,
                                        (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

/* Rows. */

static bool reserve_extent(stream *own)
{
    if (own->count < own->capacity)
        return true;
    const size_t capacity = own->capacity == 0 ? 4 : 2 * own->capacity;
    extent *extents = sc_allocate(capacity, sizeof *extents);
    if (extents == NULL)
        return false;
    if (own->count > 0)
        memcpy(extents, own->extents, own->count * sizeof *extents);
    sc_release(own->extents);
    own->extents = extents;
    own->capacity = capacity;
    return true;
}

static scrim_status put_chunk(sc_unit_spill *spill, stream *own, unsigned char *bytes,
                              size_t count, scrim_error *error)
{
    if (count == 0)
        return SCRIM_OK;
    if (!reserve_extent(own))
        return fail_memory(error);
    if (!apply(spill, spill->cipher, spill->end, bytes, count))
        return fail_cipher(error);
    if (!write_all(spill, bytes, count, spill->end))
        return fail_writing(error);
    own->extents[own->count++] = (extent){spill->end, count};
    spill->end += (count + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
    return SCRIM_OK;
}

static scrim_status put_stream(sc_unit_spill *spill, stream *own,
                               const sc_unit_stream *from, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (sc_unit_chunk *chunk = from->chunks; status == SCRIM_OK && chunk != NULL;
         chunk = chunk->next)
        status =
            put_chunk(spill, own, chunk->bytes, sc_unit_stream_used(from, chunk), error);
    own->entries += from->entries;
    return status;
}

scrim_status sc_unit_spill_put(sc_unit_spill *spill, sc_unit_rows *rows,
                               scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < SC_UNIT_PARTS; i++) {
        for (size_t kind = 0; status == SCRIM_OK && kind < SC_UNIT_KINDS; kind++)
            status = put_stream(spill, &spill->streams[kind][i], &rows->streams[kind][i],
                                error);
        if (status == SCRIM_OK)
            sc_unit_rows_clear_part(rows, i);
    }
    return status;
}

static scrim_status load_stream(const sc_unit_spill *spill, const sc_cipher *cipher,
                                sc_unit_kind kind, size_t part, sc_unit_rows *rows,
                                scrim_error *error)
{
    const stream *own = &spill->streams[kind][part];
    for (size_t i = 0; i < own->count; i++) {
        const extent *from = &own->extents[i];
        unsigned char *to =
            sc_unit_rows_attach(rows, kind, part, i == 0 ? own->entries : 0, from->bytes);
        if (to == NULL)
            return fail_memory(error);
        if (!read_all(spill, to, from->bytes, from->offset))
            return sc_fail(error, SCRIM_E_MEMORY,
                           "what was written to the folder for temporary files cannot be "
                           "read again; set TMPDIR to another");
        if (!apply(spill, cipher, from->offset, to, from->bytes))
            return fail_cipher(error);
    }
    return SCRIM_OK;
}

scrim_status sc_unit_spill_load(const sc_unit_spill *spill, const sc_cipher *cipher,
                                size_t part, sc_unit_rows *rows, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (sc_unit_kind kind = 0; status == SCRIM_OK && kind < SC_UNIT_KINDS; kind++)
        status = load_stream(spill, cipher, kind, part, rows, error);
    return status;
}

#ifdef SCRIM_TESTING
int sc_unit_spill_descriptor(const sc_unit_spill *spill)
{
    return spill->descriptor;
}
#endif
