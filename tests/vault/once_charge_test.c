/* THREATS A84 at the gate: who is charged, who joins, who is too late, and what verify says of it. */
#include "check.h"
#include "ledger/release.h"
#include "remains.h"
#include "sanitized.h"
#include "scene.h"
#include "secret.h"
#include "vault/vault.h"
#include "vault/vault_tape.h"

#include <stdio.h>
#include <string.h>

#define QUESTION "query : SELECT"

typedef struct once_scene {
    scene base;
    scrim_vault *vault;
    scrim_ledger *ledger;
    scrim_measurement *measurements[2];
    sc_bundle *bundles[2]; /* of other parts */
} once_scene;

static bool once_begin(once_scene *s)
{
    static const char *const lines[] = {
        "laplace sensitivity=1 epsilon=1/8 neighbours=add-remove",
        "laplace sensitivity=1 epsilon=1/4 neighbours=add-remove"};
    sc_ratio none;
    size_t part;
    memset(s, 0, sizeof *s);
    if (!scene_begin_vault(&s->base, "epsilon=1", false))
        return false;
    sc_ratio_init(&none);
    s->vault = scene_open(&s->base);
    bool is_made =
        s->vault != NULL &&
        CHECK_STATUS(scrim_vault_ledger(s->vault, "people", &s->ledger, NULL), SCRIM_OK);
    for (size_t i = 0; is_made && i < 2; i++)
        is_made =
            CHECK_STATUS(scrim_measurement_parse(lines[i], &s->measurements[i], NULL),
                         SCRIM_OK) &&
            CHECK_STATUS(sc_bundle_new(SCRIM_ADD_REMOVE, &s->bundles[i], NULL),
                         SCRIM_OK) &&
            CHECK_STATUS(sc_bundle_add(s->bundles[i], s->measurements[i], 1, &part, NULL),
                         SCRIM_OK) &&
            CHECK_STATUS(sc_bundle_fix(s->bundles[i], &none, NULL), SCRIM_OK);
    sc_ratio_clear(&none);
    return is_made;
}

static void once_end(once_scene *s)
{
    for (size_t i = 0; i < 2; i++) {
        sc_bundle_free(s->bundles[i]);
        scrim_measurement_free(s->measurements[i]);
    }
    scrim_ledger_free(s->ledger);
    scrim_vault_close(s->vault);
    scene_end(&s->base);
}

/* An asker: the key that they have in the end, the passage, and what they draw. */
typedef struct asker {
    sc_bits_key key;
    sc_passage *passage;
    sc_int128 value;
} asker;

static void open_asker(const once_scene *s, size_t bundle, asker *a,
                       sc_once_standing want)
{
    a->passage = NULL;
    REQUIRE_OK(sc_bits_key_draw(&a->key, NULL));
    REQUIRE_OK(sc_passage_open(s->ledger, QUESTION, s->bundles[bundle], &a->key, true,
                               &a->passage, NULL));
    CHECK_INT(sc_passage_standing(a->passage), want);
}

static scrim_status draw(const once_scene *s, size_t bundle, asker *a)
{
    const int64_t count = 1000;
    sc_mark mark;
    sc_draw out = {.values = &a->value, .marks = &mark, .capacity = 1};
    return sc_passage_draw(a->passage, 0, s->measurements[bundle],
                           &(sc_private_input){.values = &count, .count = 1}, &out, NULL);
}

static uint64_t charges_of(const once_scene *s)
{
    scrim_budget budget = {.charges = 0};
    CHECK_STATUS(scrim_vault_budget(s->vault, 0, NULL, &budget, NULL), SCRIM_OK);
    return budget.charges;
}

static scrim_entry_state state_of(const once_scene *s, uint64_t id)
{
    scrim_vault_release release = {.id = 0};
    CHECK_STATUS(scrim_vault_replay(s->vault, id, &release, NULL), SCRIM_OK);
    const scrim_entry_state state = release.state;
    scrim_vault_release_clear(&release);
    return state;
}

TEST(A84_who_joins_draws_the_same_and_the_first_record_wins)
{
    CLAIM("release.once");
    once_scene s;
    asker first, second, other, late;
    scrim_vault_release release = {.id = 0};
    if (!once_begin(&s))
        return;
    open_asker(&s, 0, &first, SC_ONCE_CHARGED);
    const uint64_t id = sc_passage_entry(first.passage);
    CHECK_INT(state_of(&s, id), SCRIM_ENTRY_PENDING);
    /* Somebody else, who is charged nothing and not even entered. */
    sc_vault_use_identity(s.vault, 4242, "somebody");
    open_asker(&s, 0, &second, SC_ONCE_JOINED);
    CHECK_INT(sc_passage_entry(second.passage), id);
    CHECK(memcmp(&first.key, &second.key, sizeof first.key) == 0);
    CHECK_INT(charges_of(&s), 1);
    CHECK_STATUS(scrim_vault_analyst_at(s.vault, 1, (char[SCRIM_NAME_BYTES]){""}, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(draw(&s, 0, &first), SCRIM_OK);
    CHECK_STATUS(draw(&s, 0, &second), SCRIM_OK);
    CHECK(first.value == second.value);
    /* Other parts are another release, and what was charged for these does not pay for it. */
    open_asker(&s, 1, &other, SC_ONCE_CHARGED);
    CHECK(sc_passage_entry(other.passage) != id);
    CHECK_INT(charges_of(&s), 2);
    CHECK_STATUS(sc_passage_record(second.passage, "the answer", NULL), SCRIM_OK);
    CHECK_INT(sc_passage_standing(second.passage), SC_ONCE_JOINED);
    CHECK_STATUS(sc_passage_record(first.passage, "another answer", NULL), SCRIM_OK);
    CHECK_INT(sc_passage_standing(first.passage), SC_ONCE_ANSWERED);
    CHECK_STATUS(sc_passage_record(first.passage, "a third", NULL), SCRIM_E_INTERNAL);
    open_asker(&s, 0, &late, SC_ONCE_ANSWERED);
    CHECK_INT(sc_passage_entry(late.passage), id);
    CHECK_STATUS(draw(&s, 0, &late), SCRIM_E_INTERNAL);
    CHECK_STATUS(sc_passage_record(late.passage, "a fourth", NULL), SCRIM_E_INTERNAL);
    REQUIRE_OK(scrim_vault_replay(s.vault, id, &release, NULL));
    CHECK_STR(release.answer, "the answer");
    scrim_vault_release_clear(&release);
    CHECK_STATUS(sc_passage_record(other.passage, "of others", NULL), SCRIM_OK);
    sc_passage_close(first.passage);
    sc_passage_close(second.passage);
    sc_passage_close(other.passage);
    sc_passage_close(late.passage);
    scrim_vault_state state;
    CHECK(scene_verifies(&s.base, &state));
    CHECK_INT(state.charges, 2);
    CHECK_INT(state.releases, 2);
    once_end(&s);
}

/* The rules for recorded answers hold: a share and a cap do not bind who joins, a dataset that was
 * removed answers nobody. */
TEST(A84_what_binds_who_joins)
{
    CLAIM("release.once");
    once_scene s;
    asker first, second, third;
    scrim_error error;
    if (!once_begin(&s))
        return;
    open_asker(&s, 0, &first, SC_ONCE_CHARGED);
    REQUIRE_OK(scrim_vault_share(s.vault, "people", NULL, "0.01", NULL, &error));
    sc_vault_use_identity(s.vault, 4242, "somebody");
    open_asker(&s, 0, &second, SC_ONCE_JOINED);
    third.passage = NULL;
    REQUIRE_OK(sc_bits_key_draw(&third.key, NULL));
    CHECK_STATUS(sc_passage_open(s.ledger, "query : other", s.bundles[0], &third.key,
                                 true, &third.passage, &error),
                 SCRIM_E_BUDGET);
    REQUIRE_OK(scrim_vault_remove_dataset(s.vault, "people", &error));
    CHECK(sc_passage_open(s.ledger, QUESTION, s.bundles[0], &third.key, true,
                          &third.passage, &error) != SCRIM_OK);
    CHECK_INT(charges_of(&s), 1);
    CHECK_INT(state_of(&s, sc_passage_entry(first.passage)), SCRIM_ENTRY_CHARGED);
    sc_passage_close(first.passage);
    sc_passage_close(second.passage);
    once_end(&s);
}

/* The entry that charged a release. */
static unsigned long long entry_of(const once_scene *s, uint64_t number)
{
    scrim_vault_release release = {.id = 0};
    CHECK_STATUS(scrim_vault_replay(s->vault, number, &release, NULL), SCRIM_OK);
    scrim_vault_release_clear(&release);
    return release.entry;
}

/* An answer that stands under the digest of another question is not that question's. */
TEST(A84_an_answer_of_another_question_is_not_shown)
{
    CLAIM("release.once");
    once_scene s;
    asker first, other, late = {.passage = NULL};
    char forgery[256];
    scrim_error error = {.message = ""};
    if (!once_begin(&s))
        return;
    open_asker(&s, 0, &first, SC_ONCE_CHARGED);
    CHECK_STATUS(sc_passage_record(first.passage, "of the question", NULL), SCRIM_OK);
    REQUIRE_OK(sc_bits_key_draw(&other.key, NULL));
    REQUIRE_OK(sc_passage_open(s.ledger, "query : other", s.bundles[0], &other.key, true,
                               &other.passage, NULL));
    CHECK_STATUS(sc_passage_record(other.passage, "of the other", NULL), SCRIM_OK);
    snprintf(
        forgery, sizeof forgery,
        "UPDATE releases SET question = (SELECT question FROM releases WHERE id = %llu) "
        "WHERE id = %llu; UPDATE releases SET question = zeroblob(32) WHERE id = %llu",
        entry_of(&s, sc_passage_entry(first.passage)),
        entry_of(&s, sc_passage_entry(other.passage)),
        entry_of(&s, sc_passage_entry(first.passage)));
    scene_execute(s.base.path, forgery);
    REQUIRE_OK(sc_bits_key_draw(&late.key, NULL));
    CHECK_STATUS(sc_passage_open(s.ledger, QUESTION, s.bundles[0], &late.key, true,
                                 &late.passage, &error),
                 SCRIM_E_LEDGER);
    CHECK(late.passage == NULL && strstr(error.message, "do not match") != NULL);
    CHECK_INT(charges_of(&s), 2);
    sc_passage_close(first.passage);
    sc_passage_close(other.passage);
    once_end(&s);
}

static scrim_status verify(const once_scene *s, scrim_error *error)
{
    scrim_vault_state state;
    return scrim_vault_verify(s->vault, &state, error);
}

/* A key that is kept for an answered charge, for none, or under another question. */
TEST(A84_verify_finds_keys_of_no_pending_charge)
{
    CLAIM("vault.verified");
    static const char *const forgeries[] = {
        ("INSERT INTO pending SELECT id, question, zeroblob(32), zeroblob(32) FROM "
         "releases"),
        "INSERT INTO pending VALUES (1, zeroblob(32), zeroblob(32), zeroblob(32))",
        "INSERT INTO pending VALUES (999, zeroblob(32), zeroblob(32), zeroblob(32))",
        "UPDATE pending SET question = zeroblob(32)"};
    for (size_t i = 0; i < COUNT(forgeries); i++) {
        once_scene s;
        asker first, second;
        scrim_error error = {.message = ""};
        if (!once_begin(&s))
            return;
        open_asker(&s, 0, &first, SC_ONCE_CHARGED);
        CHECK_STATUS(sc_passage_record(first.passage, "the answer", NULL), SCRIM_OK);
        open_asker(&s, 1, &second, SC_ONCE_ANSWERED); /* by the question alone */
        sc_passage_close(second.passage);
        REQUIRE_OK(sc_bits_key_draw(&second.key, NULL));
        REQUIRE_OK(sc_passage_open(s.ledger, "query : other", s.bundles[1], &second.key,
                                   true, &second.passage, NULL));
        CHECK_STATUS(verify(&s, &error), SCRIM_OK);
        scene_execute(s.base.path, forgeries[i]);
        CHECK_STATUS(verify(&s, &error), SCRIM_E_CHECK);
        sc_passage_close(first.passage);
        sc_passage_close(second.passage);
        once_end(&s);
    }
}

/* The bytes below the caller's frame: what the functions that it called before have left there. */
static unsigned char left_below[8192];

__attribute__((noinline, no_sanitize("address"))) static void keep_below(void)
{
    const volatile unsigned char *here = __builtin_frame_address(0);
    for (size_t i = 0; i < sizeof left_below; i++)
        left_below[i] = here[(ptrdiff_t)i - (ptrdiff_t)sizeof left_below];
}

static const sc_store_functions *store_functions;

static void rollback_watched(sc_store *store)
{
    keep_below();
    store_functions->rollback(store);
}

static scrim_status put_and_fail(sc_store *store, uint64_t charge,
                                 const sc_pending *pending, scrim_error *error)
{
    (void)store_functions->put_pending(store, charge, pending, error);
    return sc_fail(error, SCRIM_E_LEDGER, "the file is full");
}

/* A charge that has put its key into the store, or found one there, keeps no copy of it: seen where
 * nothing is committed after it, which would write over what was left. */
TEST(A84_a_charge_wipes_the_key_that_waits)
{
    CLAIM("release.wiped");
    if (secret_is_under_valgrind())
        SKIP("it reads below the end of the stack, which valgrind reports");
    if (IS_RACE_WATCHED)
        SKIP("the thread sanitizer keeps copies of what functions pass on");
    once_scene s;
    asker first, second;
    sc_passage *passage = NULL;
    if (!once_begin(&s))
        return;
    store_functions = s.vault->store->functions;
    sc_store_functions watched = *store_functions;
    watched.rollback = rollback_watched;
    watched.put_pending = put_and_fail;
    s.vault->store->functions = &watched;
    keys_watch();
    REQUIRE_OK(sc_bits_key_draw(&first.key, NULL));
    CHECK_STATUS(sc_passage_open(s.ledger, QUESTION, s.bundles[0], &first.key, true,
                                 &passage, NULL),
                 SCRIM_E_LEDGER);
    CHECK_INT(masked_remains_in(key_drawn_at(0), left_below, sizeof left_below), 0);
    watched.put_pending = store_functions->put_pending;
    open_asker(&s, 0, &first, SC_ONCE_CHARGED);
    memset(left_below, 1, sizeof left_below);
    open_asker(&s, 0, &second, SC_ONCE_JOINED);
    CHECK_INT(masked_remains_in(key_drawn_at(1), left_below, sizeof left_below), 0);
    CHECK(left_below[0] != 1 || left_below[sizeof left_below - 1] != 1);
    (void)freed_remains();
    s.vault->store->functions = store_functions;
    sc_passage_close(second.passage);
    sc_passage_close(first.passage);
    once_end(&s);
}

static uint64_t found_charge;

static scrim_status find_another(sc_store *store, sc_pending *pending, uint64_t *charge,
                                 scrim_error *error)
{
    (void)store, (void)pending, (void)error;
    *charge = found_charge;
    return SCRIM_OK;
}

/* A store whose digests lead to a charge of an earlier version is not believed. */
TEST(A84_a_charge_of_another_version_is_not_joined)
{
    CLAIM("release.once");
    once_scene s;
    asker first;
    sc_passage *passage = NULL;
    scrim_ledger *later = NULL;
    if (!once_begin(&s))
        return;
    open_asker(&s, 0, &first, SC_ONCE_CHARGED);
    found_charge = sc_passage_entry(first.passage);
    REQUIRE_OK(scrim_vault_update_dataset(s.vault, "people", NULL, NULL));
    REQUIRE_OK(scrim_vault_ledger(s.vault, "people", &later, NULL));
    store_functions = s.vault->store->functions;
    sc_store_functions forged = *store_functions;
    forged.find_pending = find_another;
    s.vault->store->functions = &forged;
    CHECK_STATUS(
        sc_passage_open(later, QUESTION, s.bundles[0], &first.key, true, &passage, NULL),
        SCRIM_E_LEDGER);
    s.vault->store->functions = store_functions;
    CHECK(passage == NULL);
    sc_passage_close(first.passage);
    scrim_ledger_free(later);
    once_end(&s);
}
