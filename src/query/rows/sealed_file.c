#include "query/rows/sealed_file.h"

#include "base/descriptor.h"
#include "base/memory.h"
#include "base/text.h"
#include "random/bits_keyed.h"
#include "random/private_pages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define FOLDER "/var/tmp"
#define BLOCK_BYTES 16
/* File systems in memory, and what is reserved of that. */
#define TMPFS 0x01021994
#define RAMFS 0x858458f6
#define MEMORY_BYTES ((uint64_t)1 << 24)

struct sc_sealed_file {
    int descriptor;
    _Atomic uint64_t end; /* of what is written, a whole number of blocks */
    sc_cipher_seed *seed; /* in private pages; its counter is 0 */
};

/* Constant: what is written, and how much, is nobody's business. */
static scrim_status fail_writing(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY,
                   "the temporary folder has no room for the rows; set TMPDIR to one "
                   "with more room");
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
    int descriptor = sc_descriptor_apart(mkostemp(path, O_CLOEXEC));
    int failure = errno;
    if (descriptor >= 0 && unlink(path) != 0) {
        failure = errno;
        close(descriptor);
        descriptor = -1;
    }
    sc_free(path);
    errno = failure;
    return descriptor;
}

static const char *folder_of_files(void)
{
    const char *folder = secure_getenv("TMPDIR");
    return folder == NULL || folder[0] != '/' ? FOLDER : folder;
}

static int open_file(void)
{
    const char *folder = folder_of_files();
    const int descriptor = sc_descriptor_open(folder, O_TMPFILE | O_RDWR | O_EXCL);
    return descriptor >= 0 ? descriptor : open_named(folder);
}

/* Has the file system that much left? One that does not say has nothing. */
static bool is_left(int descriptor, uint64_t bytes)
{
    struct statfs now;
    if (fstatfs(descriptor, &now) != 0 || now.f_bsize <= 0)
        return false;
    return bytes / (uint64_t)now.f_bsize < (uint64_t)now.f_bavail;
}

static bool is_in_memory(int descriptor)
{
    struct statfs now;
    return fstatfs(descriptor, &now) == 0 &&
           ((uint32_t)now.f_type == TMPFS || (uint32_t)now.f_type == RAMFS);
}

/* Reserves `bytes` of the file system, so that no other process can take them. A file system that
 * cannot reserve, or that lies in memory, must have them free. */
static bool reserve(int descriptor, uint64_t bytes)
{
    struct rlimit limit;
    int code;
    if (bytes == 0)
        return true;
    if (bytes > INT64_MAX || getrlimit(RLIMIT_FSIZE, &limit) != 0 ||
        (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < bytes))
        return false;
    if (bytes > MEMORY_BYTES && is_in_memory(descriptor))
        return is_left(descriptor, bytes);
    do
        code = fallocate(descriptor, FALLOC_FL_KEEP_SIZE, 0, (off_t)bytes);
    while (code != 0 && errno == EINTR);
    if (code != 0 && (errno == EOPNOTSUPP || errno == ENOSYS))
        return is_left(descriptor, bytes);
    return code == 0;
}

_Static_assert(sizeof(((sc_cipher_seed *)0)->key) == sizeof(sc_bits_key),
               "a seed's key has 32 bytes");

static scrim_status draw_key(sc_cipher_seed *seed, scrim_error *error)
{
    sc_bits_key key;
    const scrim_status status = sc_bits_key_draw(&key, error);
    memcpy(seed->key, key.bytes, sizeof seed->key);
    sc_wipe(&key, sizeof key);
    return status;
}

static scrim_status fail_room(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY,
                   "the temporary folder has no room for this query; set TMPDIR to one "
                   "with more room, or declare a smaller max-size of the file; nothing "
                   "was charged");
}

static scrim_status fail_folder(int number, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (number == EMFILE || number == ENFILE)
        return sc_fail(error, SCRIM_E_MEMORY,
                       "no temporary file for this query: %s; nothing was charged",
                       sc_descriptor_why(number, true));
    if (number == ENOSPC || number == EDQUOT)
        return fail_room(error);
    return sc_fail(error, SCRIM_E_MEMORY,
                   "the temporary folder '%s' cannot be used: %s, or set TMPDIR to "
                   "another; nothing was charged",
                   sc_text_quote(sc_text_of(folder_of_files()), quote),
                   sc_descriptor_why(number, true));
}

scrim_status sc_sealed_file_open(uint64_t bytes, sc_sealed_file **out, scrim_error *error)
{
    bool is_wiped;
    scrim_status status = SCRIM_OK;
    sc_sealed_file *file = sc_allocate(1, sizeof *file);
    if (file == NULL)
        return sc_no_memory(error, "the rows of units");
    file->descriptor = -1;
    file->seed = sc_private_pages_map(sizeof *file->seed, &is_wiped);
    if (file->seed == NULL)
        status = sc_no_memory(error, "the rows of units");
    if (status == SCRIM_OK)
        status = draw_key(file->seed, error);
    if (status == SCRIM_OK && (file->descriptor = open_file()) < 0)
        status = fail_folder(errno, error);
    if (status == SCRIM_OK && !reserve(file->descriptor, bytes))
        status = fail_room(error);
    if (status == SCRIM_OK)
        *out = file;
    else
        sc_sealed_file_close(file);
    return status;
}

void sc_sealed_file_close(sc_sealed_file *file)
{
    if (file == NULL)
        return;
    if (file->descriptor >= 0)
        close(file->descriptor);
    sc_private_pages_unmap(file->seed, sizeof *file->seed);
    sc_free(file);
}

/* Bytes. */

/* Encrypts or decrypts what lies at this place of the file. */
static bool apply(const sc_sealed_file *file, const sc_cipher *cipher, uint64_t offset,
                  unsigned char *bytes, size_t count)
{
    sc_cipher_seed from = *file->seed;
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

static bool move_all(const sc_sealed_file *file, unsigned char *bytes, size_t count,
                     uint64_t offset, bool writing)
{
    for (size_t done = 0; done < count;) {
        const off_t at = (off_t)(offset + done);
        const ssize_t got = writing
                                ? pwrite(file->descriptor, bytes + done, count - done, at)
                                : pread(file->descriptor, bytes + done, count - done, at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

scrim_status sc_sealed_file_append(sc_sealed_file *file, const sc_cipher *cipher,
                                   void *bytes, size_t count, uint64_t *offset,
                                   scrim_error *error)
{
    const uint64_t whole = (count + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
    *offset = atomic_fetch_add(&file->end, whole);
    if (!apply(file, cipher, *offset, bytes, count))
        return fail_cipher(error);
    return move_all(file, bytes, count, *offset, true) ? SCRIM_OK : fail_writing(error);
}

scrim_status sc_sealed_file_read(const sc_sealed_file *file, const sc_cipher *cipher,
                                 uint64_t offset, void *bytes, size_t count,
                                 scrim_error *error)
{
    if (!move_all(file, bytes, count, offset, false))
        return sc_fail(error, SCRIM_E_MEMORY,
                       "the temporary folder returned other bytes than were written; set "
                       "TMPDIR to another");
    return apply(file, cipher, offset, bytes, count) ? SCRIM_OK : fail_cipher(error);
}

int sc_sealed_file_descriptor(const sc_sealed_file *file)
{
    return file->descriptor;
}
