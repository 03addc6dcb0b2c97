#include "vault/store/witness.h"

#include "base/descriptor.h"
#include "base/memory.h"
#include "base/text_copy.h"
#include "vault/store/safe_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FIRST_LINE "scrim-witness 1"
#define WITNESS_BYTES 256

static scrim_status fail_system(const char *path, scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LEDGER, "the witness '%s' cannot be kept: %s", path,
                   sc_descriptor_why(errno, true));
}

static bool take_line(sc_text *rest, sc_text *line)
{
    return sc_text_split(*rest, '\n', line, rest);
}

static bool parse(sc_text text, sc_witness *out)
{
    sc_text line;
    return take_line(&text, &line) && sc_text_is(line, FIRST_LINE) &&
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
    sc_text_put(&sink, sc_text_of(FIRST_LINE "\n"));
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
    struct stat found;
    int file = sc_descriptor_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0 && errno == ELOOP)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault's witness '%s' is a link, which would be replaced by "
                       "a file; put the witness itself there",
                       path);
    if (file < 0)
        return errno == ENOENT || errno == ENOTDIR
                   ? sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_MOVED, "witness",
                                 "the vault's witness '%s' is missing; put it back", path)
                   : sc_fail(error, SCRIM_E_LEDGER,
                             "the vault's witness '%s' cannot be read: %s; nothing was "
                             "charged",
                             path, sc_descriptor_why(errno, false));
    if (fstat(file, &found) != 0 || !S_ISREG(found.st_mode) ||
        (found.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        close(file);
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault's witness '%s' is not a file that its owner alone can "
                       "write; run chmod 600 '%s'",
                       path, path);
    }
    while (count < sizeof text &&
           ((got = read(file, text + count, sizeof text - count)) > 0 ||
            (got < 0 && errno == EINTR)))
        count += got > 0 ? (size_t)got : 0;
    const int failure = got < 0 ? errno : 0;
    close(file);
    sc_witness made;
    if (failure != 0)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault's witness '%s' cannot be read: %s; look at its disk",
                       path, strerror(failure));
    if (!parse((sc_text){text, count}, &made))
        return sc_fail(error, SCRIM_E_LEDGER, "'%s' is not a witness of a vault", path);
    *out = made;
    return SCRIM_OK;
}

/* The lock is on the file that becomes the next witness. Its holder checks that the path still
 * names that file: another writer may have moved it into place meanwhile, and then the lock
 * excludes nobody. */
static scrim_status lock(const char *path, int wait_ms, int *out, scrim_error *error)
{
    for (int waited = 0;; waited++) {
        struct stat held, named;
        int file = sc_descriptor_open(path, O_RDWR | O_CREAT | O_NOFOLLOW);
        const int failure = errno;
        if (file < 0 && failure == EACCES && sc_safe_folder_regain(path))
            continue;
        errno = failure;
        /* Whatever the caller's umask is, the owner can read it again. */
        if (file < 0 || fchmod(file, 0600) != 0) {
            scrim_status status = fail_system(path, error);
            if (file >= 0)
                close(file);
            return status;
        }
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
                           "the witness is busy: another process is writing it");
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

/* A new name survives a power cut only once its folder is synced. */
static bool sync_folder(const char *path, char *room)
{
    const char *slash = strrchr(path, '/');
    size_t bytes = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    memcpy(room, path, bytes);
    room[bytes] = '\0';
    int folder = sc_descriptor_open(bytes == 0 ? "." : room, O_RDONLY | O_DIRECTORY);
    bool is_synced = folder >= 0 && fsync(folder) == 0;
    if (folder >= 0)
        close(folder);
    return is_synced;
}

struct sc_witness_writer {
    char *path;
    char *next; /* the file that becomes the witness, which is locked */
    char *room; /* for the folder's name */
    int file;
    sc_witness_step step;
    bool is_later; /* the new witness is later than the one that is there */
    sc_chain seen; /* the chain of the one that is there */
};

static void release_writer(sc_witness_writer *w)
{
    if (w->file >= 0)
        close(w->file);
    sc_free(w->path);
    sc_free(w->next);
    sc_free(w->room);
    sc_free(w);
}

void sc_witness_abandon(sc_witness_writer *w)
{
    if (w == NULL)
        return;
    if (w->file >= 0)
        (void)unlink(w->next);
    release_writer(w);
}

/* NULL without memory. */
static sc_witness_writer *new_writer(const char *path, sc_witness_step step)
{
    const size_t bytes = strlen(path) + sizeof ".next";
    sc_witness_writer *w = sc_allocate(1, sizeof *w);
    if (w == NULL)
        return NULL;
    *w = (sc_witness_writer){.path = sc_text_copy(sc_text_of(path)),
                             .next = sc_allocate(bytes, 1),
                             .room = sc_allocate(bytes, 1),
                             .file = -1,
                             .step = step};
    if (w->path == NULL || w->next == NULL || w->room == NULL) {
        release_writer(w);
        return NULL;
    }
    snprintf(w->next, bytes, "%s.next", path);
    return w;
}

/* A file that exists must be a witness of this vault; a new vault has no witness yet. */
static scrim_status look(sc_witness_writer *w, const sc_witness *witness,
                         scrim_error *error)
{
    sc_witness now = {.identity = witness->identity};
    const bool is_there = w->step == SC_WITNESS_NEXT ||
                          faccessat(AT_FDCWD, w->path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    if (w->step == SC_WITNESS_NEW && is_there)
        return sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_TAKEN, "witness",
                           "'%s', for the witness, exists already; nothing was created",
                           w->path);
    scrim_status status = is_there ? sc_witness_read(w->path, &now, error) : SCRIM_OK;
    if (status == SCRIM_OK && !sc_digest_equal(&now.identity, &witness->identity))
        status = sc_fail(error, SCRIM_E_LEDGER, "'%s' is the witness of another vault",
                         w->path);
    w->is_later =
        w->step == SC_WITNESS_AGAIN || now.chain.generation < witness->chain.generation;
    w->seen = now.chain;
    return status;
}

static scrim_status write_next(const sc_witness_writer *w, const sc_witness *witness,
                               scrim_error *error)
{
    char text[WITNESS_BYTES];
    const size_t count = format(witness, text);
    if (ftruncate(w->file, 0) == 0 && write_all(w->file, text, count) &&
        fsync(w->file) == 0)
        return SCRIM_OK;
    return fail_system(w->path, error);
}

scrim_status sc_witness_prepare(const char *path, const sc_witness *witness,
                                sc_witness_step step, int wait_ms,
                                sc_witness_writer **out, scrim_error *error)
{
    sc_witness_writer *w = new_writer(path, step);
    if (w == NULL)
        return sc_no_memory(error, "the witness");
    scrim_status status = lock(w->next, wait_ms, &w->file, error);
    if (status == SCRIM_OK)
        status = look(w, witness, error);
    if (status == SCRIM_OK && w->is_later)
        status = write_next(w, witness, error);
    if (status == SCRIM_OK)
        *out = w;
    else
        sc_witness_abandon(w);
    return status;
}

sc_chain sc_witness_seen(const sc_witness_writer *writer)
{
    return writer->seen;
}

scrim_status sc_witness_publish(sc_witness_writer *w, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (!w->is_later) {
        sc_witness_abandon(w);
        return status;
    }
    if (rename(w->next, w->path) != 0) {
        status = fail_system(w->path, error);
        (void)unlink(w->next);
    } else if (!sync_folder(w->path, w->room)) {
        status = fail_system(w->path, error);
        if (w->step == SC_WITNESS_NEW) /* leave no file behind */
            (void)unlink(w->path);
    }
    release_writer(w);
    return status;
}

/* Where witnesses are kept: a folder of the user's, and a name for each vault. */

#define FROM_HOME "/.local/state"
#define OWN "/scrim/"
#define TAIL ".witness"
#define NAME_DIGITS 16 /* of the identity */

char *sc_witness_path(const char *place, const sc_digest *identity)
{
    char name[SC_DIGEST_TEXT_BYTES];
    const size_t length = strlen(place);
    const bool is_folder = length == 0 || place[length - 1] == '/';
    const size_t bytes = length + sizeof name + sizeof TAIL;
    char *made = sc_allocate(bytes, 1);
    if (made == NULL)
        return NULL;
    sc_digest_format(identity, name);
    name[NAME_DIGITS] = '\0';
    snprintf(made, bytes, "%s%s%s", place, is_folder ? name : "", is_folder ? TAIL : "");
    return made;
}

/* Syncs the parent folder too: if a power cut removed the folder, the vault would miss its
 * witness and refuse to open. */
static bool make_folder(const char *path)
{
    char *parent = NULL;
    if (mkdir(path, 0700) != 0)
        return errno == EEXIST;
    const size_t bytes = strlen(path) + sizeof "/..";
    bool is_made = chmod(path, 0700) == 0 && (parent = sc_allocate(bytes, 1)) != NULL;
    if (is_made) {
        snprintf(parent, bytes, "%s/..", path);
        const int folder = sc_descriptor_open(parent, O_RDONLY | O_DIRECTORY);
        is_made = folder >= 0 && fsync(folder) == 0;
        if (folder >= 0)
            close(folder);
    }
    sc_free(parent);
    return is_made;
}

/* Makes all missing folders of the path, for its user alone. */
static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool is_made = make_folder(path);
        *slash = '/';
        if (!is_made)
            return false;
    }
    return true;
}

scrim_status sc_witness_folder(char **out, scrim_error *error)
{
    const char *state = secure_getenv("XDG_STATE_HOME"), *home = secure_getenv("HOME");
    const bool has_state = state != NULL && state[0] == '/';
    if (!has_state && (home == NULL || home[0] != '/'))
        return sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_MISSING, "witness",
                           "there is no folder for the vault's witness: HOME is %s",
                           home == NULL || home[0] == '\0' ? "not set"
                                                           : "not a full path");
    const char *base = has_state ? state : home;
    const size_t bytes = strlen(base) + sizeof FROM_HOME OWN;
    char *made = sc_allocate(bytes, 1);
    if (made == NULL)
        return sc_no_memory(error, "the witness");
    snprintf(made, bytes, "%s%s" OWN, base, has_state ? "" : FROM_HOME);
    if (!make_folders(made)) {
        scrim_status status =
            sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_MISSING, "witness",
                        "the folder '%s' for the vault's witness cannot be made: %s",
                        made, strerror(errno));
        sc_free(made);
        return status;
    }
    *out = made;
    return SCRIM_OK;
}
