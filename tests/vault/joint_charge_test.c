/* Parts that were declared in advance, charged by what they cost jointly: in the ledger, after a
 * crash, again, and recomputed. */
#include "check.h"
#include "ledger/release.h"
#include "passages.h"
#include "scene.h"
#include "vault/vault.h"

#include <string.h>

static const char question[] = "query epsilon=1 delta=0.000001 : SELECT many";
static const char line[] = "laplace sensitivity=1 epsilon=0.01 neighbours=add-remove";

/* A hundred draws of 1/100, declared with a delta of 10^-6: 0.392264 (joint_test.c). */
typedef struct many {
    scrim_measurement *made;
    sc_bundle *bundle;
} many;

static bool many_begin(many *m)
{
    size_t part;
    sc_ratio delta;
    *m = (many){NULL, NULL};
    sc_ratio_init(&delta);
    bool is_ready =
        CHECK_STATUS(sc_ratio_parse(sc_text_of("1e-6"), &delta, NULL), SCRIM_OK) &&
        CHECK_STATUS(scrim_measurement_parse(line, &m->made, NULL), SCRIM_OK) &&
        CHECK_STATUS(sc_bundle_new(SCRIM_ADD_REMOVE, &m->bundle, NULL), SCRIM_OK);
    for (int i = 0; is_ready && i < 2; i++)
        is_ready =
            CHECK_STATUS(sc_bundle_add(m->bundle, m->made, 50, &part, NULL), SCRIM_OK);
    is_ready = is_ready &&
               CHECK_STATUS(sc_bundle_fix(m->bundle, &delta, NULL), SCRIM_OK) &&
               CHECK_STATUS(sc_bundle_join(m->bundle, &delta, NULL), SCRIM_OK);
    sc_ratio_clear(&delta);
    return is_ready;
}

static void many_end(many *m)
{
    sc_bundle_free(m->bundle);
    scrim_measurement_free(m->made);
}

static scrim_status charge_many(scrim_vault *vault, const many *m, const char *text,
                                bool with_answer)
{
    scrim_ledger *ledger = NULL;
    sc_passage *passage = NULL;
    scrim_status status = scrim_vault_ledger(vault, "people", &ledger, NULL);
    if (status == SCRIM_OK)
        status = passage_open(ledger, text, m->bundle, &passage, NULL);
    if (status == SCRIM_OK && with_answer)
        status = sc_passage_record(passage, "an answer", NULL);
    sc_passage_close(passage);
    scrim_ledger_free(ledger);
    return status;
}

TEST(vault_charges_declared_parts_jointly)
{
    CLAIM("bundle.joint");
    CLAIM("filter.joint");
    CLAIM("vault.charged");
    scene s;
    many m;
    uint64_t id = 0;
    scrim_vault_state state;
    scrim_vault_release release;
    char left[SCRIM_NUMBER_BYTES];
    REQUIRE(many_begin(&m));
    REQUIRE(scene_begin_vault(&s, "epsilon=1,delta=1e-5", false));
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(charge_many(vault, &m, question, true));
    CHECK_STR(scene_left(vault, left), "0.607736");
    /* It is found by its question, and is a release as any other. */
    REQUIRE_OK(scrim_vault_find(vault, "people", question, &id, NULL));
    CHECK(id != 0);
    REQUIRE_OK(scrim_vault_replay(vault, id, &release, NULL));
    CHECK_STR(release.measurement, question);
    CHECK_STR(release.amount, "0.392264");
    CHECK_STR(release.delta, "0.000001");
    CHECK(release.is_joint);
    scrim_vault_release_clear(&release);
    /* A second one, which ends before it has an answer, stays. */
    REQUIRE_OK(charge_many(vault, &m, "query : another", false));
    CHECK_STR(scene_left(vault, left), "0.215472");
    CHECK_STATUS(charge_many(vault, &m, "query : a third", false), SCRIM_E_BUDGET);
    scrim_vault_close(vault);
    CHECK(scene_verifies(&s, &state));
    CHECK_INT(state.charges, 2);
    CHECK_INT(state.releases, 1);
    vault = scene_open(&s);
    REQUIRE(vault != NULL);
    CHECK_STR(scene_left(vault, left), "0.215472");
    scrim_vault_close(vault);
    scene_end(&s);
    many_end(&m);
}

/* A delta that is spent leaves the sum. */
TEST(vault_charges_the_sum_where_no_such_delta_is_left)
{
    CLAIM("filter.joint");
    scene s;
    many m;
    char left[SCRIM_NUMBER_BYTES];
    scrim_vault_state state;
    REQUIRE(many_begin(&m));
    REQUIRE(scene_begin_vault(&s, "epsilon=3,delta=1.5e-6", false));
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(charge_many(vault, &m, question, true));
    CHECK_STR(scene_left(vault, left), "2.607736");
    REQUIRE_OK(charge_many(vault, &m, "query : another", true));
    CHECK_STR(scene_left(vault, left), "1.607736");
    scrim_vault_close(vault);
    CHECK(scene_verifies(&s, &state));
    CHECK_INT(state.charges, 2);
    scene_end(&s);
    many_end(&m);
}

/* Where the budget has no such delta, or adds up rhos or divergences, prices add up. */
TEST(vault_charges_the_sum_where_a_joint_loss_has_no_place)
{
    CLAIM("filter.joint");
    static const struct {
        const char *budget, *left;
    } accounts[] = {
        {"epsilon=1.5", "0.5"},
        {"epsilon=1.5,delta=1e-7", "0.5"},
    };
    many m;
    char left[SCRIM_NUMBER_BYTES];
    scrim_vault_state state;
    REQUIRE(many_begin(&m));
    for (size_t i = 0; i < COUNT(accounts); i++) {
        scene s;
        REQUIRE(scene_begin_vault(&s, accounts[i].budget, false));
        scrim_vault *vault = scene_open(&s);
        REQUIRE(vault != NULL);
        REQUIRE_OK(charge_many(vault, &m, question, true));
        CHECK_STR(scene_left(vault, left), accounts[i].left);
        scrim_vault_close(vault);
        CHECK(scene_verifies(&s, &state));
        scene_end(&s);
    }
    many_end(&m);
}

/* An entry with the hash that it would have, as somebody writes it who can compute hashes. */
static scrim_status forge(scrim_vault *v, void *context, scrim_error *error)
{
    const char *bytes = context;
    scrim_status status =
        sc_chain_extend(&v->chain, v->digester, sc_text_of(bytes), &v->chain, error);
    v->is_dirty = true;
    if (status == SCRIM_OK)
        status = v->store->functions->append(v->store, &v->chain, false,
                                             sc_text_of(bytes), error);
    return status;
}

#define PARTS "part 100 laplace sensitivity=1 epsilon=0.01 neighbours=add-remove\n"
#define HEAD "arithmetic 1\nneighbours add-remove\ndelta 0.000001\n"
#define ASKED "question\nquery : SELECT many"

/* To verify is to compute the joint cost again: whatever is charged for other parts is found. */
SLOW_TEST(vault_verify_recomputes_joint_charges)
{
    CLAIM("vault.verified");
    CLAIM("declared.recomputed");
    static const char wrong_price[] = "a joint charge is not what its parts come to";
    static const struct {
        const char *bytes, *says;
    } forgeries[] = {
        /* As it ought to be, but in no total: this forger's tools do work. */
        {"joint 1 1 1 0.392264 0.000001\n" HEAD PARTS ASKED, "a total is"},
        {"joint 1 1 1 0.392263 0.000001\n" HEAD PARTS ASKED, wrong_price},
        {"joint 1 1 1 0.392265 0.000001\n" HEAD PARTS ASKED, wrong_price},
        {"joint 1 1 1 0.392264 0.0000009\n" HEAD PARTS ASKED, wrong_price},
        {"joint 1 1 1 0.392264 0.000001\n" HEAD PARTS PARTS ASKED, wrong_price},
        {"joint 1 1 1 0.392264 0.000001\n" HEAD ASKED, wrong_price},
        {"joint 1 1 1 0.392264 0.000001\nanything\n" ASKED, wrong_price},
        {"joint 1 1 1 0.392264 0.000001\narithmetic 1\nneighbours replace\ndelta "
         "0.000001\npart 100 laplace sensitivity=1 epsilon=0.01 "
         "neighbours=replace\n" ASKED,
         wrong_price},
        {"joint 1 1 1 0.392264 0.000001\n" HEAD PARTS "question\n", "cannot be read"},
        {"joint 1 1 1 0.392264 0.000001\n" HEAD PARTS, "cannot be read"},
    };
    for (size_t i = 0; i < COUNT(forgeries); i++) {
        scene s;
        char bytes[512];
        scrim_error error = {.message = ""};
        scrim_vault_state state;
        REQUIRE(scene_begin_vault(&s, "epsilon=1,delta=1e-5", false));
        scrim_vault *vault = scene_open(&s);
        REQUIRE(vault != NULL);
        CHECK_STATUS(scene_spend(vault, "0.1", NULL, NULL), SCRIM_OK);
        memcpy(bytes, forgeries[i].bytes, strlen(forgeries[i].bytes) + 1);
        CHECK_STATUS(sc_vault_write(vault, forge, bytes, &error), SCRIM_OK);
        scrim_vault_close(vault);
        CHECK_STATUS(scrim_vault_check(s.path, NULL, &state, &error), SCRIM_E_CHECK);
        if (strstr(error.message, forgeries[i].says) == NULL)
            CHECK_FAIL("forgery %zu: %s", i, error.message);
        scene_end(&s);
    }
}
