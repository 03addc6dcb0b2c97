/* A ledger whose chain is right and whose entries are not: somebody who can compute hashes has
 * written it. To verify is to add up, and not only to hash. */
#include "check.h"
#include "scene.h"
#include "vault/vault.h"

#include <string.h>

typedef struct forgery {
    const char *bytes;
    bool is_policy;
} forgery;

/* Appends what the vault itself would refuse, with the hash that it would have. */
static scrim_status forge(scrim_vault *v, void *context, scrim_error *error)
{
    const forgery *f = context;
    scrim_status status =
        sc_chain_extend(&v->chain, v->digester, sc_text_of(f->bytes), &v->chain, error);
    v->is_dirty = true;
    if (status == SCRIM_OK)
        status = v->store->functions->append(v->store, &v->chain, f->is_policy,
                                             sc_text_of(f->bytes), error);
    return status;
}

#define DIGEST "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

SLOW_TEST(vault_verify_finds_chained_forgeries)
{
    CLAIM("vault.verified");
    static const forgery forgeries[] = {
        {"charge 1 1 1 0.95 0", false},  /* above the budget */
        {"charge 1 1 1 0.1 0.1", false}, /* with a delta that there is not */
        {"charge 1 2 1 0.1 0", false},   /* of another version */
        {"charge 2 1 1 0.1 0", false},   /* of no dataset */
        {"charge 1 1 7 0.1 0", false},   /* by nobody */
        {"charge 1 1 1 0.1 0", false},   /* in no total */
        {"charge 1 1 1 0.10 0", false},  /* with another spelling */
        {("release 6 " DIGEST), false},  /* a second answer */
        {("release 5 " DIGEST), false},  /* the answer to an analyst */
        {("release 9 " DIGEST), false},  /* to what is not there yet */
        {("release 8 " DIGEST), false},  /* to itself */
        {("init 1-test " DIGEST), true}, /* a second beginning */
        {("key " DIGEST), true},         /* a second key */
        {"population people add-remove sum 9 0 9", true},
        {"population other add-remove concentrated 1 0.000001 1", true},
        {"share 1 9 1 -", true},
        {"share 1 0 1 -", false}, /* policy that the index does not know */
        {"nonsense", true},
    };
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
        scene s;
        scrim_error error = {.message = ""};
        scrim_vault_state state;
        forgery f = forgeries[i];
        if (!scene_begin_vault(&s, "epsilon=1", false))
            return;
        scrim_vault *vault = scene_open(&s);
        REQUIRE(vault != NULL);
        CHECK_STATUS(scene_spend(vault, "0.1", NULL, NULL), SCRIM_OK);
        CHECK_STATUS(scrim_vault_verify(vault, &state, &error), SCRIM_OK);
        CHECK_INT(state.entries, 7);
        CHECK_STATUS(sc_vault_write(vault, forge, &f, &error), SCRIM_OK);
        scrim_vault_close(vault);
        if (scrim_vault_check(s.path, NULL, &state, &error) != SCRIM_E_CHECK)
            CHECK_FAIL("%s: it holds", f.bytes);
        scene_end(&s);
    }
}

/* The forger's tools do make a ledger that holds, when what they write is right. */
TEST(vault_verify_lets_pass_what_is_right)
{
    scene s;
    scrim_error error = {.message = ""};
    scrim_vault_state state;
    forgery f = {"share 1 0 0.5 -", true};
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    CHECK_STATUS(sc_vault_write(vault, forge, &f, &error), SCRIM_OK);
    scrim_vault_close(vault);
    CHECK(scene_verifies(&s, &state));
    scene_end(&s);
}
