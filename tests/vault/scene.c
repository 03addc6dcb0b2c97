#include "scene.h"

#include "check.h"
#include "vault/store/store_sqlite.h"

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In memory where the system has a file system for it: calls, locks and what a killed process
 * leaves are the same there. What a sync is good for is tested by cutting the power. */
static const char *top_folder(void)
{
    const char *chosen = getenv("TMPDIR");
    if (chosen != NULL && strlen(chosen) <= 32)
        return chosen;
    return access("/dev/shm", R_OK | W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp";
}

bool scene_begin(scene *s)
{
    snprintf(s->folder, sizeof s->folder, "%s/scrim-vault-XXXXXX", top_folder());
    if (!CHECK(mkdtemp(s->folder) != NULL))
        return false;
    snprintf(s->path, sizeof s->path, "%s/scrim.vault", s->folder);
    snprintf(s->witness, sizeof s->witness, "%s/witness", s->folder);
    return true;
}

bool scene_begin_vault(scene *s, const char *budget, bool with_witness)
{
    scrim_error error = {.message = ""};
    char policy[256];
    scrim_vault *vault = NULL;
    if (!scene_begin(s))
        return false;
    snprintf(policy, sizeof policy, "unit=row\nneighbours=add-remove\nbudget=%s\n",
             budget);
    const scrim_vault_options options = {.size = sizeof options,
                                         .witness = with_witness ? s->witness : NULL};
    scrim_status status = scrim_vault_init(s->path, &options, &error);
    if (status == SCRIM_OK)
        status = scrim_vault_open(s->path, NULL, &vault, &error);
    if (status == SCRIM_OK)
        status = scrim_vault_add_dataset(vault, "people", policy, &error);
    scrim_vault_close(vault);
    if (status != SCRIM_OK)
        CHECK_FAIL("no vault: %s", error.message);
    return status == SCRIM_OK;
}

void scene_end(const scene *s)
{
    char path[512];
    DIR *folder = opendir(s->folder);
    if (folder == NULL)
        return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", s->folder, entry->d_name);
        (void)unlink(path);
    }
    closedir(folder);
    (void)rmdir(s->folder);
}

scrim_vault *scene_open(const scene *s)
{
    scrim_error error = {.message = ""};
    scrim_vault *vault = NULL;
    if (scrim_vault_open(s->path, SCRIM_OPTIONS(scrim_vault_options, .wait_ms = 60000),
                         &vault, &error) != SCRIM_OK)
        CHECK_FAIL("the vault does not open: %s", error.message);
    return vault;
}

scrim_measurement *scene_question(const char *epsilon)
{
    char line[128];
    scrim_error error = {.message = ""};
    scrim_measurement *count = NULL;
    snprintf(line, sizeof line, "laplace sensitivity=1 epsilon=%s neighbours=add-remove",
             epsilon);
    if (scrim_measurement_parse(line, &count, &error) != SCRIM_OK)
        CHECK_FAIL("%s: %s", line, error.message);
    return count;
}

scrim_status scene_release(scrim_vault *vault, const char *dataset,
                           const scrim_measurement *question, uint64_t *entry,
                           scrim_error *error)
{
    const int64_t people = 100;
    scrim_ledger *ledger = NULL;
    scrim_answer *answer = NULL;
    scrim_status status = scrim_vault_ledger(vault, dataset, &ledger, error);
    if (status == SCRIM_OK)
        status = scrim_release(ledger, question,
                               &(scrim_input){.integers = &people, .count = 1}, &answer,
                               error);
    if (status == SCRIM_OK && entry != NULL)
        *entry = scrim_answer_entry(answer);
    scrim_answer_free(answer);
    scrim_ledger_free(ledger);
    return status;
}

scrim_status scene_spend(scrim_vault *vault, const char *epsilon, uint64_t *entry,
                         scrim_error *error)
{
    scrim_measurement *question = scene_question(epsilon);
    scrim_status status = scene_release(vault, "people", question, entry, error);
    scrim_measurement_free(question);
    return status;
}

const char *scene_left(scrim_vault *vault, char text[SCRIM_NUMBER_BYTES])
{
    scrim_budget budget;
    CHECK_STATUS(scrim_vault_budget(vault, 0, NULL, &budget, NULL), SCRIM_OK);
    memcpy(text, budget.left, SCRIM_NUMBER_BYTES);
    return text;
}

bool scene_verifies(const scene *s, scrim_vault_state *out)
{
    scrim_error error = {.message = ""};
    if (scrim_vault_check(s->path, NULL, out, &error) == SCRIM_OK)
        return true;
    CHECK_FAIL("the vault does not verify: %s", error.message);
    return false;
}

void scene_execute(const char *path, const char *statements)
{
    sqlite3 *database = NULL;
    CHECK(sqlite3_open(path, &database) == SQLITE_OK);
    if (sqlite3_exec(database, statements, NULL, NULL, NULL) != SQLITE_OK)
        CHECK_FAIL("%s: %s", statements, sqlite3_errmsg(database));
    CHECK(sqlite3_close(database) == SQLITE_OK);
}

bool scene_copy(const char *from, const char *to)
{
    char bytes[65536];
    ssize_t count = 0;
    int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    bool is_done = in >= 0 && out >= 0;
    while (is_done && (count = read(in, bytes, sizeof bytes)) > 0)
        is_done = write(out, bytes, (size_t)count) == count;
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    return is_done && count == 0;
}

bool scene_make_real(const scene *s)
{
    static const char first[] =
        "init 1 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    const sc_store_sqlite_options options = {.path = s->path, .wait_ms = 1000};
    sc_store *store = NULL;
    sc_digester *digester = NULL;
    sc_chain chain;
    sc_chain_init(&chain);
    if (!CHECK(truncate(s->path, 0) == 0) ||
        !CHECK_STATUS(sc_digester_new(&digester, NULL), SCRIM_OK))
        return false;
    CHECK_STATUS(sc_chain_extend(&chain, digester, sc_text_of(first), &chain, NULL),
                 SCRIM_OK);
    sc_digester_free(digester);
    if (!CHECK_STATUS(sc_store_sqlite_create(&options, &store, NULL), SCRIM_OK))
        return false;
    CHECK_STATUS(store->functions->begin(store, true, NULL), SCRIM_OK);
    CHECK_STATUS(store->functions->append(store, &chain, true, sc_text_of(first), NULL),
                 SCRIM_OK);
    const scrim_status status = store->functions->commit(store, NULL);
    store->functions->close(store);
    return CHECK_STATUS(status, SCRIM_OK);
}
