/* A vault as a file: opened, and known by its place and its witness. */
#include "base/build_id.h"
#include "base/descriptor.h"
#include "base/memory.h"
#include "base/text_copy.h"
#include "model/option_struct.h"
#include "vault/store/safe_folder.h"
#include "vault/store/store_sqlite.h"
#include "vault/store/witness.h"
#include "vault/vault.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WAIT_MS 60000

/* The caller's options, with the wait in milliseconds, 0 for none. */
static scrim_status vault_read_options(const scrim_vault_options *given,
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
        return sc_no_memory(error, "the vault");
    if (path[0] == '/')
        snprintf(made, bytes, "%s", path);
    else
        snprintf(made, bytes, "%s/%s", folder, path);
    *out = made;
    return SCRIM_OK;
}

/* Where the caller's options put the witness, absolute: a file or "FOLDER/", to be freed by sc_free; NULL:
 * they name none. */
static scrim_status vault_witness_place(const scrim_vault_options *options, char **out,
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

/* Does the owner accept what was moved or restored? */
static bool is_accepting(const scrim_vault_options *options)
{
    return options->is_moved != 0 || options->is_restored != 0;
}

typedef struct arrival {
    const char *path;
    const scrim_vault_options *options;
    char *witness; /* chosen for it, a file or "FOLDER/"; NULL: none was */
    char *former;  /* the witness that another one replaces */
} arrival;

static bool is_missing(const char *path)
{
    return faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0 &&
           (errno == ENOENT || errno == ENOTDIR);
}

static bool is_folder_missing(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const size_t bytes = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    if (bytes == 0 || bytes >= sizeof folder)
        return false;
    memcpy(folder, path, bytes);
    folder[bytes] = '\0';
    return is_missing(folder);
}

/* Who makes a vault gives it its name first and its witness after it. A process that was killed in
 * between leaves a vault without one, in which nothing was declared yet: it gets it now. */
static bool is_unfinished(const scrim_vault *v, uid_t owner)
{
    const sc_book *b = &v->book;
    return b->dataset_count == 0 && b->population_count == 0 && b->analyst_count == 0 &&
           is_missing(b->witness) &&
           sc_safe_folder_check(b->witness, owner, "", NULL) == SCRIM_OK;
}

static scrim_status finish_witness(const scrim_vault *v, uid_t owner, scrim_error *error)
{
    const sc_witness witness = {v->book.identity, v->chain};
    sc_witness_writer *writer = NULL;
    scrim_status status = sc_witness_prepare(v->book.witness, &witness, SC_WITNESS_NEW,
                                             v->wait_ms, &writer, error);
    if (status == SCRIM_OK)
        return sc_witness_publish(writer, error);
    return is_unfinished(v, owner) ? status : SCRIM_OK; /* somebody else has done it */
}

/* Within a transaction: nobody commits meanwhile, and a witness has its name after the commit, so that
 * it cannot have seen what this vault does not hold. seen is its last entry, once it was read. */
static scrim_status check_witness(scrim_vault *v, uid_t owner, uint64_t *seen,
                                  scrim_error *error)
{
    sc_witness witness;
    scrim_status status = SCRIM_OK;
    if (v->book.witness == NULL)
        return SCRIM_OK;
    if (is_unfinished(v, owner))
        status = finish_witness(v, owner, error);
    else if (!is_folder_missing(v->book.witness))
        status =
            sc_safe_folder_check(v->book.witness, owner, "the vault's witness", error);
    if (status == SCRIM_OK)
        status = sc_witness_read(v->book.witness, &witness, error);
    if (status != SCRIM_OK)
        return status;
    if (!sc_digest_equal(&witness.identity, &v->book.identity))
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault's witness is that of another vault");
    *seen = witness.chain.generation;
    return sc_vault_check_seen(v, &witness.chain, error);
}

/* Accepting. */

/* The witness that an accepted vault gets: the one that was chosen, or else its own, where that can be
 * kept, or else one in the folder of the owner's. NULL: none. */
static scrim_status choose_witness(const scrim_vault *v, const arrival *a, char **out,
                                   scrim_error *error)
{
    char *folder = NULL;
    const char *place = a->witness;
    scrim_status status = SCRIM_OK;
    if (a->options->witness_place == SCRIM_WITNESS_NONE ||
        (place == NULL && v->book.witness == NULL)) {
        *out = NULL;
        return SCRIM_OK;
    }
    if (place == NULL &&
        sc_safe_folder_check(v->book.witness, geteuid(), "", NULL) == SCRIM_OK)
        place = v->book.witness;
    if (place == NULL) {
        status = sc_witness_folder(&folder, error);
        place = folder;
    }
    if (status == SCRIM_OK)
        status = sc_safe_folder_check(place, geteuid(), "the vault's witness", error);
    if (status == SCRIM_OK) {
        *out = sc_witness_path(place, &v->book.identity);
        if (*out == NULL)
            status = sc_no_memory(error, "the witness");
    }
    sc_free(folder);
    return status;
}

static scrim_status accept_witness(scrim_vault *v, arrival *a, uint64_t lost,
                                   scrim_error *error)
{
    char *witness = NULL;
    if (!v->is_owner)
        return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_OWNER, "",
                           "only the vault's owner can accept it as it is");
    scrim_status status = choose_witness(v, a, &witness, error);
    if (status == SCRIM_OK && v->book.witness != NULL &&
        (witness == NULL || strcmp(witness, v->book.witness) != 0)) {
        a->former = sc_text_copy(sc_text_of(v->book.witness));
        if (a->former == NULL)
            status = sc_no_memory(error, "the witness");
    }
    if (status == SCRIM_OK)
        status = sc_vault_accept(v, witness, lost, error);
    sc_free(witness);
    return status;
}

/* Without its witness the former file of the vault does not open. */
static void remove_former(const scrim_vault *v, const arrival *a)
{
    sc_witness witness;
    if (a->former != NULL && sc_witness_read(a->former, &witness, NULL) == SCRIM_OK &&
        sc_digest_equal(&witness.identity, &v->book.identity))
        (void)unlink(a->former);
}

/* A vault says which program made it, and the other one does not open it: the test build draws from
 * chosen seeds. Noise from a chosen seed must not be replayed as an answer, nor be charged to people. */
static scrim_status fail_build(scrim_error *error)
{
    return sc_is_test_build
               ? sc_fail_for(
                     error, SCRIM_E_LEDGER, SCRIM_REASON_BUILD, "",
                     "this vault is real, and the test build keeps to vaults of its "
                     "own")
               : sc_fail_for(
                     error, SCRIM_E_LEDGER, SCRIM_REASON_BUILD, "",
                     "this vault was made by the test build, whose noise is chosen: it "
                     "protects nobody");
}

/* Is this the vault that its witness knows? An owner may go on with what there is. */
static scrim_status settle_witness(scrim_vault *v, arrival *a, uid_t owner,
                                   scrim_error *error)
{
    uint64_t seen = 0;
    const bool is_chosen =
        a->witness != NULL || a->options->witness_place == SCRIM_WITNESS_NONE;
    scrim_status status = check_witness(v, owner, &seen, error);
    const bool is_refused = status != SCRIM_OK && status != SCRIM_E_MEMORY;
    if (is_refused && a->options->is_restored != 0)
        return accept_witness(v, a, seen, error);
    return status == SCRIM_OK && is_chosen ? accept_witness(v, a, 0, error) : status;
}

static scrim_status check_arrival(scrim_vault *v, void *context, scrim_error *error)
{
    arrival *a = context;
    struct stat file;
    if (!v->book.has_begun)
        return sc_fail(error, SCRIM_E_LEDGER, "the vault has no first entry");
    if (v->book.is_test != sc_is_test_build)
        return fail_build(error);
    sc_vault_note_analyst(v);
    v->is_found = sc_location_of(a->path, &v->location) && stat(a->path, &file) == 0;
    if (!v->is_found)
        return sc_fail(error, SCRIM_E_LEDGER, "the vault '%s' cannot be read: %s",
                       a->path, strerror(errno));
    scrim_status status = settle_witness(v, a, file.st_uid, error);
    if (status != SCRIM_OK || sc_location_agrees(&v->book.location, &v->location))
        return status;
    if (!is_accepting(a->options))
        return sc_fail_for(
            error, SCRIM_E_LEDGER, SCRIM_REASON_MOVED, "",
            "this is a copy of a vault, or one that was moved or restored: its "
            "budget may have been spent elsewhere");
    if (!v->is_owner)
        return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_OWNER, "",
                           "only the vault's owner can accept it in a new place");
    return sc_vault_move(v, &v->location, error);
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
    SC_REQUIRE(error, "path out", path, out);
    sc_store *store = NULL;
    scrim_vault *vault = NULL;
    scrim_vault_options known;
    scrim_status status = vault_read_options(options, &known, error);
    if (status != SCRIM_OK)
        return status;
    arrival a = {.path = path, .options = &known};
    if (is_accepting(&known))
        status = vault_witness_place(&known, &a.witness, error);
    if (status != SCRIM_OK)
        return status;
    status = sc_store_sqlite_open(
        &(sc_store_sqlite_options){.path = path, .wait_ms = known.wait_ms}, &store,
        error);
    status = sc_vault_refuse_damage(status, error);
    if (status == SCRIM_OK)
        status = sc_vault_new(store, known.wait_ms, &vault, error);
    if (status == SCRIM_OK) {
        vault->is_owner = owns(path);
        status = is_accepting(&known) ? sc_vault_write(vault, check_arrival, &a, error)
                                      : sc_vault_read(vault, check_arrival, &a, error);
    }
    if (status == SCRIM_OK) {
        remove_former(vault, &a);
        *out = vault;
    } else {
        scrim_vault_close(vault);
    }
    sc_free(a.former);
    sc_free(a.witness);
    return status;
}

scrim_status scrim_vault_check(const char *path, const scrim_vault_options *options,
                               scrim_vault_state *out, scrim_error *error)
{
    SC_REQUIRE(error, "path out", path, out);
    sc_store *store = NULL;
    scrim_vault *vault = NULL;
    scrim_vault_options known;
    scrim_status status = vault_read_options(options, &known, error);
    if (status != SCRIM_OK)
        return status;
    known.is_moved = known.is_restored = 0;
    known.witness = NULL;
    known.witness_place = SCRIM_WITNESS_NAMED;
    arrival a = {.path = path, .options = &known};
    status = sc_store_sqlite_open(
        &(sc_store_sqlite_options){.path = path, .wait_ms = known.wait_ms}, &store,
        error);
    if (status == SCRIM_OK)
        status = sc_vault_new(store, known.wait_ms, &vault, error);
    if (status == SCRIM_OK) {
        vault->is_owner = owns(path);
        status = sc_vault_verify_with(vault, &known, out, error);
    }
    if (status == SCRIM_OK)
        status = sc_vault_read(vault, check_arrival, &a, error);
    scrim_vault_close(vault);
    return status;
}

static scrim_status copy_witness(scrim_vault *v, void *context, scrim_error *error)
{
    char **out = context;
    if (v->book.witness == NULL)
        return SCRIM_OK;
    *out = sc_text_copy(sc_text_of(v->book.witness));
    return *out == NULL ? sc_no_memory(error, "a path") : SCRIM_OK;
}

scrim_status scrim_vault_witness(scrim_vault *vault, char **out, scrim_error *error)
{
    SC_REQUIRE(error, "vault out", vault, out);
    char *copy = NULL;
    const scrim_status status = sc_vault_read(vault, copy_witness, &copy, error);
    if (status == SCRIM_OK)
        *out = copy;
    return status;
}

/* A vault is made: beside its place, whole, and then given its name. */

/* The ending of a file that is not finished. A process that makes a vault holds the lock of its folder, so that such a file was
 * left by a process that was killed. */
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
#ifdef RENAME_NOREPLACE /* which musl may lack */
    if (renameat2(AT_FDCWD, made, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
#endif
    return link(made, path) == 0 && unlink(made) == 0;
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

scrim_status scrim_vault_init(const char *path, const scrim_vault_options *options,
                              scrim_error *error)
{
    SC_REQUIRE(error, "path", path);
    scrim_vault_options known;
    scrim_status status = vault_read_options(options, &known, error);
    if (status != SCRIM_OK)
        return status;
    making m = {.path = path,
                .bytes = strlen(path) + sizeof MADE "-unverified",
                .folder = -1,
                .wait_ms = known.wait_ms};
    m.made = sc_allocate(m.bytes, 1);
    m.room = sc_allocate(m.bytes, 1);
    if (m.made == NULL || m.room == NULL)
        status = sc_no_memory(error, "the vault");
    else
        snprintf(m.made, m.bytes, "%s" MADE, path);
    if (status == SCRIM_OK)
        status = vault_witness_place(&known, &m.witness, error);
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
