/* A vault as a file: opened, and known by its place and its witness. */
#include "base/build_kind.h"
#include "model/option_struct.h"
#include "vault/handle/vault.h"
#include "vault/store/safe_folder.h"
#include "vault/store/store_sqlite.h"
#include "vault/store/witness.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WAIT_MS 60000

scrim_status sc_vault_read_options(const scrim_vault_options *given,
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

typedef struct arrival {
    const char *path;
    bool is_moved;
} arrival;

/* Who makes a vault gives it its name first and its witness after it. A process that was killed in
 * between leaves a vault without one, in which nothing was declared yet: it gets it now. */
static bool is_unfinished(const scrim_vault *v)
{
    const sc_book *b = &v->book;
    return b->dataset_count == 0 && b->population_count == 0 && b->analyst_count == 0 &&
           faccessat(AT_FDCWD, b->witness, F_OK, AT_SYMLINK_NOFOLLOW) != 0 &&
           errno == ENOENT;
}

static scrim_status finish_witness(const scrim_vault *v, scrim_error *error)
{
    const sc_witness witness = {v->book.identity, v->chain};
    sc_witness_writer *writer = NULL;
    scrim_status status =
        sc_witness_prepare(v->book.witness, &witness, true, v->wait_ms, &writer, error);
    if (status == SCRIM_OK)
        return sc_witness_publish(writer, error);
    return is_unfinished(v) ? status : SCRIM_OK; /* somebody else has done it */
}

/* Within a transaction: nobody commits meanwhile, and a witness has its name after the commit, so that
 * it cannot have seen what this vault does not hold. */
static scrim_status check_witness(scrim_vault *v, uid_t owner, scrim_error *error)
{
    sc_witness witness;
    if (v->book.witness == NULL)
        return SCRIM_OK;
    scrim_status status =
        sc_safe_folder_check(v->book.witness, owner, "the vault's witness", error);
    if (status == SCRIM_OK && is_unfinished(v))
        status = finish_witness(v, error);
    if (status == SCRIM_OK)
        status = sc_witness_read(v->book.witness, &witness, error);
    if (status != SCRIM_OK)
        return status;
    if (!sc_digest_equal(&witness.identity, &v->book.identity))
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault's witness is that of another vault");
    return sc_vault_check_seen(v, &witness.chain, error);
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
    scrim_status status = check_witness(v, file.st_uid, error);
    if (status != SCRIM_OK || sc_location_agrees(&v->book.location, &v->location))
        return status;
    if (!a->is_moved)
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
    sc_store *store = NULL;
    scrim_vault *vault = NULL;
    scrim_vault_options known;
    scrim_status status = sc_vault_read_options(options, &known, error);
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
    scrim_status status = sc_vault_read_options(options, &known, error);
    if (status != SCRIM_OK)
        return status;
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
