/* The key of a vault: made with it, or later by its owner; bound to the chain; never shown. */
#include "base/memory.h"
#include "check.h"
#include "cli/vault/history_writer.h"
#include "scene.h"
#include "store_memory.h"
#include "vault/store/store_sqlite.h"
#include "vault/vault_key.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void execute(const char *path, const char *statement)
{
    sqlite3 *database = NULL;
    CHECK(sqlite3_open(path, &database) == SQLITE_OK);
    if (sqlite3_exec(database, statement, NULL, NULL, NULL) != SQLITE_OK)
        CHECK_FAIL("%s: %s", statement, sqlite3_errmsg(database));
    CHECK(sqlite3_close(database) == SQLITE_OK);
}

/* As versions without keys began a vault. */
static scrim_status plan_unkeyed(scrim_vault *v, void *context, scrim_error *error)
{
    sc_event event;
    sc_event_init(&event);
    event.kind = SC_EVENT_INIT;
    event.is_test = true;
    event.digest.bytes[0] = 7;
    scrim_status status = sc_vault_append(v, &event, error);
    sc_location here;
    event.kind = SC_EVENT_PLACE;
    if (status == SCRIM_OK && sc_location_of(context, &here)) {
        event.device = here.device;
        event.inode = here.inode;
        status = sc_vault_append(v, &event, error);
    }
    sc_event_clear(&event);
    return status;
}

static void begin_unkeyed(char *path)
{
    sc_store *store = NULL;
    scrim_vault *vault = NULL;
    const int file = open(path, O_CREAT | O_EXCL | O_RDWR, 0600);
    CHECK(file >= 0 && close(file) == 0);
    REQUIRE_OK(
        sc_store_sqlite_create(&(sc_store_sqlite_options){.path = path}, &store, NULL));
    REQUIRE_OK(sc_vault_new(store, 0, &vault, NULL));
    vault->is_owner = false; /* an owner would make a key */
    REQUIRE_OK(sc_vault_write(vault, plan_unkeyed, path, NULL));
    scrim_vault_close(vault);
}

TEST(A89_key_of_a_new_vault)
{
    CLAIM("key.bound");
    scene s;
    scrim_key key, again;
    scrim_vault_state state;
    sc_signature signature;
    sc_digest public;
    const sc_text text = sc_text_of("what is signed");
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(scrim_vault_key(vault, &key, NULL));
    CHECK_INT(key.entry, 1);
    CHECK(sc_digest_parse(sc_text_of(key.text), &public));
    REQUIRE_OK(sc_vault_key_sign(vault, text, &signature, NULL));
    CHECK_STATUS(sc_signature_check(&public, text, &signature, NULL), SCRIM_OK);
    scrim_vault_close(vault);
    vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(scrim_vault_key(vault, &again, NULL));
    CHECK_STR(again.text, key.text);
    scrim_vault_close(vault);
    memset(&state, 'x', sizeof state); /* all of it is set */
    CHECK(scene_verifies(&s, &state));
    CHECK_STR(state.key, "");
    CHECK_INT(state.noted, 0);
    scene_end(&s);
}

/* Another private key, or none, under the public one of the chain. */
TEST(A89_key_exchanged)
{
    CLAIM("key.bound");
    static const char *const changes[] = {
        "UPDATE secrets SET value = zeroblob(32) WHERE name = 'sign'",
        "DELETE FROM secrets WHERE name = 'sign'"};
    for (size_t i = 0; i < COUNT(changes); i++) {
        scene s;
        scrim_vault_state state;
        sc_signature signature;
        if (!scene_begin_vault(&s, "epsilon=1", false))
            return;
        CHECK_STATUS(scrim_vault_check(s.path, NULL, &state, NULL), SCRIM_OK);
        execute(s.path, changes[i]);
        CHECK_STATUS(scrim_vault_check(s.path, NULL, &state, NULL), SCRIM_E_CHECK);
        scrim_vault *vault = scene_open(&s);
        REQUIRE(vault != NULL);
        CHECK_STATUS(sc_vault_key_sign(vault, sc_text_of("x"), &signature, NULL),
                     SCRIM_E_LEDGER);
        scrim_vault_close(vault);
        scene_end(&s);
    }
}

/* Exports. */

typedef struct exported {
    sc_output output;
    sc_export export;
    uint64_t most; /* entries */
} exported;

static scrim_status add_entry(void *context, uint64_t id, const char *bytes, size_t count,
                              const char *hash, const char *answer)
{
    exported *e = context;
    if (id <= e->most)
        sc_export_add(&e->export, id, bytes, count, hash, answer);
    return SCRIM_OK;
}

/* Checks the first entries of a ledger with this last line. */
static scrim_status check_ended(scrim_vault *vault, uint64_t most, const scrim_head *head,
                                scrim_vault_state *state)
{
    static exported e;
    e.most = most;
    sc_output_init(&e.output, -1);
    sc_export_begin(&e.export, true, &e.output);
    CHECK_STATUS(scrim_vault_visit(vault, 1, add_entry, &e, NULL), SCRIM_OK);
    sc_export_end(&e.export, head);
    return scrim_vault_check_export(e.output.bytes, e.output.used, NULL, state, NULL);
}

TEST(export_is_signed_to_its_end)
{
    CLAIM("head.signed");
    scene s, other;
    scrim_head head, cut, foreign;
    scrim_vault_state state;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    if (!scene_begin_vault(&other, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s), *swapped = scene_open(&other);
    REQUIRE(vault != NULL && swapped != NULL);
    REQUIRE_OK(scrim_vault_head(vault, 0, &head, NULL));
    REQUIRE_OK(scrim_vault_head(swapped, 0, &foreign, NULL));
    CHECK(head.entries > 2);
    REQUIRE_OK(scrim_vault_head(vault, head.entries - 1, &cut, NULL));
    CHECK_STATUS(scrim_vault_head(vault, head.entries + 1, &cut, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(check_ended(vault, head.entries, &head, &state), SCRIM_OK);
    CHECK_STR(state.key, head.key);
    CHECK_STR(state.head, head.hash);
    /* An earlier head is signed as well, as it was the head then. */
    CHECK_STATUS(check_ended(vault, cut.entries, &cut, &state), SCRIM_OK);
    memcpy(cut.signature, head.signature, sizeof cut.signature);
    CHECK_STATUS(check_ended(vault, cut.entries, &cut, &state), SCRIM_E_CHECK);
    memcpy(cut.signature, foreign.signature, sizeof cut.signature);
    memcpy(cut.key, foreign.key, sizeof cut.key);
    CHECK_STATUS(check_ended(vault, cut.entries, &cut, &state), SCRIM_E_CHECK);
    CHECK_STATUS(check_ended(vault, head.entries, &foreign, &state), SCRIM_E_CHECK);
    /* Another key has signed the head of this very ledger. */
    char text[SC_HEAD_TEXT_BYTES];
    sc_signature signature;
    sc_chain at = {.generation = cut.entries};
    CHECK(sc_digest_parse(sc_text_of(cut.hash), &at.head));
    REQUIRE_OK(sc_vault_key_sign(swapped, sc_head_text(&at, text), &signature, NULL));
    sc_signature_format(&signature, cut.signature);
    CHECK_STATUS(check_ended(vault, cut.entries, &cut, &state), SCRIM_E_CHECK);
    cut.key[0] = '\0';
    CHECK_STATUS(check_ended(vault, cut.entries, &cut, &state), SCRIM_OK);
    CHECK_STR(state.key, "");
    scrim_vault_close(swapped);
    scrim_vault_close(vault);
    scene_end(&other);
    scene_end(&s);
}

/* A vault without a key goes on, and has one as soon as its owner enters anything. */
TEST(A89_key_of_a_vault_made_without_one)
{
    CLAIM("key.bound");
    scene s;
    scrim_key key = {.entry = 0}, again;
    scrim_vault_state state;
    scrim_vault *vault = NULL;
    sc_signature signature;
    if (!scene_begin(&s))
        return;
    begin_unkeyed(s.path);
    CHECK_STATUS(scrim_vault_check(s.path, NULL, &state, NULL), SCRIM_OK);
    CHECK_INT(state.entries, 2);
    REQUIRE_OK(scrim_vault_open(s.path, NULL, &vault, NULL));
    vault->is_owner = false;
    CHECK_STATUS(scrim_vault_key(vault, &key, NULL), SCRIM_E_POLICY);
    CHECK_STATUS(sc_vault_key_sign(vault, sc_text_of("x"), &signature, NULL),
                 SCRIM_E_LEDGER);
    vault->is_owner = true;
    REQUIRE_OK(scrim_vault_add_dataset(
        vault, "people", "unit=row\nneighbours=add-remove\nbudget=epsilon=1\n", NULL));
    REQUIRE_OK(scrim_vault_key(vault, &key, NULL));
    CHECK_INT(key.entry, 5); /* behind the population and the dataset */
    CHECK_STATUS(sc_vault_key_sign(vault, sc_text_of("x"), &signature, NULL), SCRIM_OK);
    CHECK_STATUS(scene_spend(vault, "0.1", NULL, NULL), SCRIM_OK);
    REQUIRE_OK(scrim_vault_key(vault, &again, NULL));
    CHECK_STR(again.text, key.text);
    scrim_vault_close(vault);
    CHECK(scene_verifies(&s, &state));
    execute(s.path, "UPDATE secrets SET value = zeroblob(32) WHERE name = 'sign'");
    CHECK_STATUS(scrim_vault_check(s.path, NULL, &state, NULL), SCRIM_E_CHECK);
    scene_end(&s);
}

TEST(A89_key_when_it_is_asked_for)
{
    CLAIM("key.bound");
    scene s;
    scrim_key key;
    scrim_vault_state state;
    scrim_vault *vault = NULL;
    if (!scene_begin(&s))
        return;
    begin_unkeyed(s.path);
    REQUIRE_OK(scrim_vault_open(s.path, NULL, &vault, NULL));
    REQUIRE_OK(scrim_vault_key(vault, &key, NULL));
    CHECK_INT(key.entry, 3);
    scrim_vault_close(vault);
    CHECK(scene_verifies(&s, &state));
    scene_end(&s);
}

/* The private key is in the store alone. */

typedef struct leak {
    sc_digest secret;
    char text[SC_DIGEST_TEXT_BYTES];
    size_t seen;
} leak;

static scrim_status read_secret(scrim_vault *v, void *context, scrim_error *error)
{
    leak *l = context;
    bool is_there = false;
    const scrim_status status =
        v->store->functions->secret(v->store, "sign", &l->secret, &is_there, error);
    CHECK(is_there);
    return status;
}

static scrim_status look(void *context, uint64_t id, const char *bytes, size_t count,
                         const char *hash, const char *answer)
{
    leak *l = context;
    (void)id, (void)hash, (void)answer;
    l->seen++;
    CHECK(memmem(bytes, count, l->secret.bytes, sizeof l->secret.bytes) == NULL);
    CHECK(memmem(bytes, count, l->text, sizeof l->text - 1) == NULL);
    return SCRIM_OK;
}

TEST(A89_key_is_not_exported)
{
    CLAIM("key.secret");
    scene s;
    leak l = {.seen = 0};
    scrim_key key;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    CHECK_STATUS(scene_spend(vault, "0.1", NULL, NULL), SCRIM_OK);
    REQUIRE_OK(sc_vault_read(vault, read_secret, &l, NULL));
    sc_digest_format(&l.secret, l.text);
    REQUIRE_OK(scrim_vault_visit(vault, 1, look, &l, NULL));
    CHECK(l.seen >= 6);
    REQUIRE_OK(scrim_vault_key(vault, &key, NULL));
    CHECK(strcmp(key.text, l.text) != 0);
    scrim_vault_close(vault);
    scene_end(&s);
}
