/* A vault is made: beside its place, whole, and then given its name. */
#include "base/descriptor.h"
#include "base/memory.h"
#include "vault/store/safe_folder.h"
#include "vault/store/store_sqlite.h"
#include "vault/store/witness.h"
#include "vault/vault.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of what is not finished. Whoever makes a vault holds the lock of its folder, so that what is found
 * of these was left by somebody who was killed. */
#define MADE "-init"

/* One that is under way. */
typedef struct making {
    const char *path;
    char *made;    /* the file until it has its name */
    char *witness; /* absolute, a file or "FOLDER/"; NULL: none */
    char *room;    /* for the names of what is beside it */
    size_t bytes;
    int folder;
    int wait_ms;
    sc_witness_writer *writer;
} making;

static scrim_status fail_path(const char *path, scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LEDGER, "the vault '%s' cannot be made: %s", path,
                   sc_descriptor_why(errno, true));
}

static scrim_status fail_there(const char *path, scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_TAKEN, "vault",
                       "'%s' exists already; nothing was created", path);
}

static scrim_status fail_memory(scrim_error *error)
{
    return sc_no_memory(error, "the vault");
}

static void remove_made(const making *m)
{
    static const char *const tails[] = {"", "-journal", "-unverified"};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        snprintf(m->room, m->bytes, "%s%s", m->made, tails[i]);
        (void)unlink(m->room);
    }
}

/* A file of that name which this user cannot have left so is somebody's own. */
static scrim_status check_leftover(const making *m, scrim_error *error)
{
    struct stat file;
    if (lstat(m->made, &file) != 0)
        return errno == ENOENT ? SCRIM_OK : fail_path(m->path, error);
    if (S_ISREG(file.st_mode) && file.st_uid == geteuid() && file.st_nlink <= 2 &&
        (file.st_mode & (S_IRWXG | S_IRWXO)) == 0)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_LEDGER,
                   "there is a file '%s', which is needed to make the vault; move it "
                   "away",
                   m->made);
}

/* Whatever the caller's umask is. */
static scrim_status make_empty(const making *m, scrim_error *error)
{
    const int file =
        sc_descriptor_open(m->made, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    const bool is_made = file >= 0 && fchmod(file, 0600) == 0;
    const scrim_status status = is_made ? SCRIM_OK : fail_path(m->path, error);
    if (file >= 0)
        close(file);
    return status;
}

static scrim_status write_new(making *m, scrim_error *error)
{
    sc_location here;
    sc_store *store = NULL;
    scrim_vault *vault = NULL;
    if (!sc_location_of(m->made, &here))
        return fail_path(m->path, error);
    scrim_status status = sc_store_sqlite_create(
        &(sc_store_sqlite_options){.path = m->made, .wait_ms = m->wait_ms}, &store,
        error);
    if (status == SCRIM_OK)
        status = sc_vault_new(store, m->wait_ms, &vault, error);
    if (status == SCRIM_OK)
        status = sc_vault_begin(vault, m->witness, &here, &m->writer, error);
    scrim_vault_close(vault);
    return status;
}

/* In one step, and never in place of another file. Where the file system does not know how to, a
 * process that dies between two steps leaves a second name, which its owner is told of. */
static bool rename_new(const char *made, const char *path)
{
    if (renameat2(AT_FDCWD, made, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
        return true;
    return (errno == EINVAL || errno == ENOSYS) && link(made, path) == 0 &&
           unlink(made) == 0;
}

/* The vault is complete before it has its name, and its witness has its own after that: what a
 * process that dies on the way leaves is no vault, or one whose witness is made when it is opened. */
static scrim_status give_names(making *m, scrim_error *error)
{
    if (!rename_new(m->made, m->path))
        return errno == EEXIST ? fail_there(m->path, error) : fail_path(m->path, error);
    scrim_status status = fsync(m->folder) == 0 ? SCRIM_OK : fail_path(m->path, error);
    if (status == SCRIM_OK && m->writer != NULL) {
        status = sc_witness_publish(m->writer, error);
        m->writer = NULL;
    }
    if (status != SCRIM_OK)
        (void)unlink(m->path);
    return status;
}

static scrim_status make(making *m, scrim_error *error)
{
    if (faccessat(AT_FDCWD, m->path, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        return fail_there(m->path, error);
    scrim_status status = sc_safe_folder_check(m->path, geteuid(), "the vault", error);
    if (status == SCRIM_OK && m->witness != NULL)
        status = sc_safe_folder_check(m->witness, geteuid(), "the witness", error);
    if (status == SCRIM_OK)
        status = check_leftover(m, error);
    if (status != SCRIM_OK)
        return status;
    remove_made(m);
    status = make_empty(m, error);
    if (status == SCRIM_OK)
        status = write_new(m, error);
    if (status == SCRIM_OK)
        status = give_names(m, error);
    sc_witness_abandon(m->writer);
    remove_made(m);
    return status;
}

/* The witness is asked for by other processes, from other folders. */
static scrim_status absolute(const char *path, char **out, scrim_error *error)
{
    char folder[4096];
    if (path[0] != '/' && getcwd(folder, sizeof folder) == NULL)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the folder of the witness '%s' cannot be named: %s; give an "
                       "absolute path",
                       path, strerror(errno));
    const size_t bytes = strlen(path) + (path[0] == '/' ? 0 : strlen(folder)) + 2;
    char *made = sc_allocate(bytes, 1);
    if (made == NULL)
        return fail_memory(error);
    if (path[0] == '/')
        snprintf(made, bytes, "%s", path);
    else
        snprintf(made, bytes, "%s/%s", folder, path);
    *out = made;
    return SCRIM_OK;
}

scrim_status sc_vault_witness_place(const scrim_vault_options *options, char **out,
                                    scrim_error *error)
{
    if (options->witness != NULL && options->witness_place != SCRIM_WITNESS_NAMED)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "witness",
                           "a witness is named, and another place chosen for it");
    if (options->witness_place == SCRIM_WITNESS_STATE)
        return sc_witness_folder(out, error);
    *out = NULL;
    return options->witness == NULL ? SCRIM_OK : absolute(options->witness, out, error);
}

scrim_status scrim_vault_init(const char *path, const scrim_vault_options *options,
                              scrim_error *error)
{
    scrim_vault_options known;
    scrim_status status = sc_vault_read_options(options, &known, error);
    if (status != SCRIM_OK)
        return status;
    making m = {.path = path,
                .bytes = strlen(path) + sizeof MADE "-unverified",
                .folder = -1,
                .wait_ms = known.wait_ms};
    m.made = sc_allocate(m.bytes, 1);
    m.room = sc_allocate(m.bytes, 1);
    if (m.made == NULL || m.room == NULL)
        status = fail_memory(error);
    else
        snprintf(m.made, m.bytes, "%s" MADE, path);
    if (status == SCRIM_OK)
        status = sc_vault_witness_place(&known, &m.witness, error);
    if (status == SCRIM_OK)
        status = sc_safe_folder_lock(path, m.wait_ms, &m.folder, error);
    if (status == SCRIM_OK)
        status = make(&m, error);
    if (m.folder >= 0)
        close(m.folder);
    sc_free(m.witness);
    sc_free(m.room);
    sc_free(m.made);
    return status;
}
