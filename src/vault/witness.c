#include "vault/witness.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAGIC "scrim-witness 1\n"
#define WITNESS_BYTES 256

static scrim_status fail_system(const char *path, scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LEDGER, "the witness '%s' cannot be kept: %s", path,
                   strerror(errno));
}

static bool take_line(sc_text *rest, sc_text *line)
{
    return sc_text_split(*rest, '\n', line, rest);
}

static bool parse(sc_text text, sc_witness *out)
{
    sc_text line;
    return take_line(&text, &line) && sc_text_is(line, "scrim-witness 1") &&
           take_line(&text, &line) && sc_digest_parse(line, &out->identity) &&
           take_line(&text, &line) && sc_chain_parse(line, &out->chain) &&
           text.bytes == 0;
}

static size_t format(const sc_witness *witness, char text[WITNESS_BYTES])
{
    char identity[SC_DIGEST_TEXT_BYTES], chain[SC_CHAIN_TEXT_BYTES];
    sc_text_sink sink;
    sc_digest_format(&witness->identity, identity);
    sc_chain_format(&witness->chain, chain);
    sc_text_sink_init(&sink, text, WITNESS_BYTES);
    sc_text_put(&sink, sc_text_of(MAGIC));
    sc_text_put(&sink, sc_text_of(identity));
    sc_text_put(&sink, sc_text_of("\n"));
    sc_text_put(&sink, sc_text_of(chain));
    sc_text_put(&sink, sc_text_of("\n"));
    return sink.length;
}

scrim_status sc_witness_read(const char *path, sc_witness *out, scrim_error *error)
{
    char text[WITNESS_BYTES];
    size_t count = 0;
    ssize_t got = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault's witness '%s' cannot be read: %s; put it back", path,
                       strerror(errno));
    while (count < sizeof text &&
           ((got = read(file, text + count, sizeof text - count)) > 0 ||
            (got < 0 && errno == EINTR)))
        count += got > 0 ? (size_t)got : 0;
    close(file);
    sc_witness made;
    if (got < 0 || !parse((sc_text){text, count}, &made))
        return sc_fail(error, SCRIM_E_LEDGER, "'%s' is no witness of a vault", path);
    *out = made;
    return SCRIM_OK;
}

/* The lock is the file that is going to be the next witness. Whoever has it, and finds that it
 * still has its name, is alone. */
static scrim_status lock(const char *path, int wait_ms, int *out, scrim_error *error)
{
    for (int waited = 0;; waited++) {
        struct stat held, named;
        int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (file < 0)
            return fail_system(path, error);
        if (flock(file, LOCK_EX | LOCK_NB) == 0) {
            if (fstat(file, &held) == 0 && stat(path, &named) == 0 &&
                held.st_ino == named.st_ino && held.st_dev == named.st_dev) {
                *out = file;
                return SCRIM_OK;
            }
        } else if (errno != EWOULDBLOCK && errno != EINTR) {
            scrim_status status = fail_system(path, error);
            close(file);
            return status;
        }
        close(file);
        if (waited >= wait_ms)
            return sc_fail(error, SCRIM_E_BUSY,
                           "the witness is busy: somebody else is writing it");
        (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static bool write_all(int file, const char *text, size_t count)
{
    while (count > 0) {
        ssize_t done = write(file, text, count);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            text += done;
            count -= (size_t)done;
        }
    }
    return true;
}

/* The name itself is durable once the folder is. */
static bool sync_folder(const char *path, char *room)
{
    const char *slash = strrchr(path, '/');
    size_t bytes = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    memcpy(room, path, bytes);
    room[bytes] = '\0';
    int folder = open(bytes == 0 ? "." : room, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_synced = folder >= 0 && fsync(folder) == 0;
    if (folder >= 0)
        close(folder);
    return is_synced;
}

static scrim_status replace(const char *path, char *next, int file,
                            const sc_witness *witness, scrim_error *error)
{
    char text[WITNESS_BYTES];
    const size_t count = format(witness, text);
    if (ftruncate(file, 0) == 0 && write_all(file, text, count) && fsync(file) == 0 &&
        rename(next, path) == 0 && sync_folder(path, next))
        return SCRIM_OK;
    return fail_system(path, error);
}

scrim_status sc_witness_write(const char *path, const sc_witness *witness, bool is_new,
                              int wait_ms, scrim_error *error)
{
    sc_witness now = {0};
    int file = -1;
    const size_t bytes = strlen(path) + sizeof ".next";
    char *next = sc_allocate(bytes, 1);
    if (next == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for the witness");
    snprintf(next, bytes, "%s.next", path);
    scrim_status status = lock(next, wait_ms, &file, error);
    if (status == SCRIM_OK) {
        const bool is_there = access(path, F_OK) == 0;
        if (is_new && is_there)
            status = sc_fail(error, SCRIM_E_LEDGER, "there is a file '%s' already", path);
        else if (!is_new)
            status = sc_witness_read(path, &now, error);
        if (status == SCRIM_OK && !is_new &&
            !sc_digest_equal(&now.identity, &witness->identity))
            status = sc_fail(error, SCRIM_E_LEDGER,
                             "'%s' is the witness of another vault", path);
        const bool is_later =
            status == SCRIM_OK &&
            (is_new || now.chain.generation < witness->chain.generation);
        if (is_later)
            status = replace(path, next, file, witness, error);
        else
            (void)unlink(next);
        if (is_later && is_new && status != SCRIM_OK) { /* then there is none */
            snprintf(next, bytes, "%s.next", path);
            (void)unlink(path);
            (void)unlink(next);
        }
    }
    if (file >= 0)
        close(file);
    sc_release(next);
    return status;
}
