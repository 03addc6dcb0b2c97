/* A vault as a file: made, opened, and known by its place and its witness. */
#include "base/memory.h"
#include "model/option_struct.h"
#include "vault/store_sqlite.h"
#include "vault/vault.h"
#include "vault/witness.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WAIT_MS 60000

/* With the wait in milliseconds, 0 for none. */
static scrim_status read_options(const scrim_vault_options *given,
                                 scrim_vault_options *options, scrim_error *error)
{
    scrim_status status = sc_option_struct_copy(
        given, offsetof(scrim_vault_options, wait_ms), options, sizeof *options, error);
    if (status == SCRIM_OK && options->wait_ms == 0)
        options->wait_ms = WAIT_MS;
    else if (status == SCRIM_OK && options->wait_ms < 0)
        options->wait_ms = 0;
    return status;
}

static scrim_status fail_path(const char *path, scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LEDGER, "the vault '%s' cannot be made: %s", path,
                   strerror(errno));
}

/* Freed by sc_release; NULL without memory. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = sc_allocate(strlen(path) + 2, 1);
    if (folder != NULL && slash == NULL)
        folder[0] = '.';
    else if (folder != NULL)
        memcpy(folder, path, (size_t)(slash - path) + 1);
    return folder;
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

/* The vault is complete before it has its name: a process that dies on the way leaves a file
 * that nobody takes for one. */
static scrim_status give_name(const char *made, const char *path, scrim_error *error)
{
    char *folder = folder_of(path);
    if (folder == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for the vault");
    scrim_status status = SCRIM_OK;
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        status = fail_path(path, error);
    else if (!rename_new(made, path))
        status = errno == EEXIST
                     ? sc_fail(error, SCRIM_E_LEDGER,
                               "there is a file '%s' already; nothing was made", path)
                     : fail_path(path, error);
    else if (fsync(file) != 0) {
        status = fail_path(path, error);
        (void)unlink(path);
    }
    if (file >= 0)
        close(file);
    sc_release(folder);
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
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for the vault");
    if (path[0] == '/')
        snprintf(made, bytes, "%s", path);
    else
        snprintf(made, bytes, "%s/%s", folder, path);
    *out = made;
    return SCRIM_OK;
}

static scrim_status write_new(const char *made, const char *witness, int wait_ms,
                              scrim_error *error)
{
    uint64_t device = 0, inode = 0;
    sc_store *store = NULL;
    scrim_vault *vault = NULL;
    if (!sc_vault_place(made, &device, &inode))
        return fail_path(made, error);
    scrim_status status = sc_store_sqlite_create(
        &(sc_store_sqlite_options){.path = made, .wait_ms = wait_ms}, &store, error);
    if (status == SCRIM_OK)
        status = sc_vault_new(store, wait_ms, &vault, error);
    if (status == SCRIM_OK)
        status = sc_vault_begin(vault, witness, device, inode, error);
    scrim_vault_close(vault);
    return status;
}

/* Nothing is left of what was not finished. */
static void remove_all(const char *made, const char *witness, char *room, size_t bytes)
{
    static const char *const tails[] = {"", "-journal"};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        snprintf(room, bytes, "%s%s", made, tails[i]);
        (void)unlink(room);
    }
    if (witness != NULL)
        (void)unlink(witness);
}

/* The witness that write_new has made is ours to remove; one that was there is not. */
static scrim_status make_file(const char *made, const char *path,
                              const scrim_vault_options *options, scrim_error *error)
{
    char *witness = NULL;
    scrim_status status = SCRIM_OK;
    const size_t bytes = strlen(made) + sizeof "-journal";
    char *room = sc_allocate(bytes, 1);
    if (room == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for the vault");
    if (options->witness != NULL)
        status = absolute(options->witness, &witness, error);
    if (status == SCRIM_OK)
        status = write_new(made, witness, options->wait_ms, error);
    const char *ours = status == SCRIM_OK ? witness : NULL;
    if (status == SCRIM_OK)
        status = give_name(made, path, error);
    if (status != SCRIM_OK)
        remove_all(made, ours, room, bytes);
    sc_release(witness);
    sc_release(room);
    return status;
}

scrim_status scrim_vault_init(const char *path, const scrim_vault_options *options,
                              scrim_error *error)
{
    scrim_vault_options known;
    scrim_status status = read_options(options, &known, error);
    if (status != SCRIM_OK)
        return status;
    if (access(path, F_OK) == 0)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "there is a file '%s' already; nothing was made", path);
    const size_t bytes = strlen(path) + sizeof ".XXXXXX";
    char *made = sc_allocate(bytes, 1);
    if (made == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for the vault");
    snprintf(made, bytes, "%s.%s", path, "XXXXXX");
    int file = mkstemp(made);
    if (file < 0) {
        status = fail_path(path, error);
    } else {
        close(file);
        status = make_file(made, path, &known, error);
    }
    sc_release(made);
    return status;
}

/* Opening. */

typedef struct arrival {
    const char *path;
    bool is_moved;
} arrival;

/* Within a transaction: nobody commits meanwhile, and a witness has its name after the commit, so that
 * it cannot have seen what this vault does not hold. */
static scrim_status check_witness(scrim_vault *v, scrim_error *error)
{
    sc_witness witness;
    if (v->book.witness == NULL)
        return SCRIM_OK;
    scrim_status status = sc_witness_read(v->book.witness, &witness, error);
    if (status != SCRIM_OK)
        return status;
    if (!sc_digest_equal(&witness.identity, &v->book.identity))
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault's witness is that of another vault");
    return sc_vault_check_seen(v, &witness.chain, error);
}

/* Noise from a chosen seed must not be replayed as an answer, nor be charged to people. */
static scrim_status fail_build(scrim_error *error)
{
    return SC_VAULT_IS_TEST
               ? sc_fail(error, SCRIM_E_LEDGER,
                         "this vault is real, and the test build keeps to vaults of its "
                         "own; use the program that is installed")
               : sc_fail(
                     error, SCRIM_E_LEDGER,
                     "this vault was made by the test build, whose noise is chosen: it "
                     "protects nobody; make another with scrim init");
}

static scrim_status check_arrival(scrim_vault *v, void *context, scrim_error *error)
{
    arrival *a = context;
    uint64_t device = 0, inode = 0;
    if (!v->book.has_begun)
        return sc_fail(error, SCRIM_E_LEDGER, "the vault has no beginning");
    if (v->book.is_test != SC_VAULT_IS_TEST)
        return fail_build(error);
    if (!sc_vault_place(a->path, &device, &inode))
        return sc_fail(error, SCRIM_E_LEDGER, "the vault '%s' cannot be read: %s",
                       a->path, strerror(errno));
    scrim_status status = check_witness(v, error);
    if (status != SCRIM_OK || (device == v->book.device && inode == v->book.inode))
        return status;
    if (!a->is_moved)
        return sc_fail(
            error, SCRIM_E_LEDGER,
            "this is a copy of a vault, or one that was moved or restored: its "
            "budget may have been spent elsewhere; its owner can accept it "
            "with scrim init --moved");
    if (!v->is_owner)
        return sc_fail(error, SCRIM_E_POLICY,
                       "only the vault's owner can accept it in a new place");
    sc_event event;
    sc_event_init(&event);
    event.kind = SC_EVENT_PLACE;
    event.device = device;
    event.inode = inode;
    status = sc_vault_append(v, &event, error);
    sc_event_clear(&event);
    return status;
}

static bool owns(const char *path)
{
    struct stat file;
    const uid_t user = getuid();
    return user == 0 || (stat(path, &file) == 0 && file.st_uid == user);
}

scrim_status scrim_vault_open(const char *path, const scrim_vault_options *options,
                              scrim_vault **out, scrim_error *error)
{
    sc_store *store = NULL;
    scrim_vault *vault = NULL;
    scrim_vault_options known;
    scrim_status status = read_options(options, &known, error);
    if (status != SCRIM_OK)
        return status;
    arrival a = {.path = path, .is_moved = known.is_moved != 0};
    status = sc_store_sqlite_open(
        &(sc_store_sqlite_options){.path = path, .wait_ms = known.wait_ms}, &store,
        error);
    status = sc_vault_refuse_damage(status, error);
    if (status == SCRIM_OK)
        status = sc_vault_new(store, known.wait_ms, &vault, error);
    if (status == SCRIM_OK) {
        vault->is_owner = owns(path);
        status = a.is_moved ? sc_vault_write(vault, check_arrival, &a, error)
                            : sc_vault_read(vault, check_arrival, &a, error);
    }
    if (status == SCRIM_OK)
        *out = vault;
    else
        scrim_vault_close(vault);
    return status;
}

scrim_status scrim_vault_check(const char *path, const scrim_vault_options *options,
                               scrim_vault_state *out, scrim_error *error)
{
    sc_store *store = NULL;
    scrim_vault *vault = NULL;
    arrival a = {.path = path};
    scrim_vault_options known;
    scrim_status status = read_options(options, &known, error);
    if (status != SCRIM_OK)
        return status;
    status = sc_store_sqlite_open(
        &(sc_store_sqlite_options){.path = path, .wait_ms = known.wait_ms}, &store,
        error);
    if (status == SCRIM_OK)
        status = sc_vault_new(store, known.wait_ms, &vault, error);
    if (status == SCRIM_OK)
        status = sc_vault_verify_with(vault, &known, out, error);
    if (status == SCRIM_OK)
        status = sc_vault_read(vault, check_arrival, &a, error);
    scrim_vault_close(vault);
    return status;
}
