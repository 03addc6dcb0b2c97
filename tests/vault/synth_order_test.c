/* Synthetic releases in a vault: charged before a row is read, finished by whoever asks again, recorded once. */
#include "base/memory.h"
#include "check.h"
#include "exact.h"
#include "scene.h"
#include "synth/rounds/synth_order.h"

#include <string.h>

typedef struct order_scene {
    scene base;
    scrim_vault *vault;
    scrim_ledger *ledger;
    sc_ratio rho, one, delta;
    sc_mst_plan plan;
    sc_synth_order order;
    char left[SCRIM_NUMBER_BYTES]; /* when rows were read */
    int loads;
    bool is_failing;
} order_scene;

static scrim_status load(void *context, const sc_bits_key *key, sc_records *records,
                         scrim_error *error)
{
    order_scene *s = context;
    scrim_status status = SCRIM_OK;
    (void)key;
    s->loads++;
    scene_left(s->vault, s->left);
    for (uint32_t i = 0; status == SCRIM_OK && i < 12; i++)
        status = sc_records_add(records, (const uint32_t[]){i % 2, i % 3}, 10, error);
    return s->is_failing ? SCRIM_E_INPUT : status;
}

static bool order_begin(order_scene *s)
{
    memset(s, 0, sizeof *s);
    exact_ratio("0.014973", &s->rho);
    exact_ratio("1", &s->one);
    exact_ratio("1e-9", &s->delta);
    sc_mst_plan_init(&s->plan);
    s->order = (sc_synth_order){.method = SC_SYNTH_MST,
                                .mst = &s->plan,
                                .columns = {.count = 2, .sizes = {2, 3}},
                                .unit = {SCRIM_ADD_REMOVE, 1},
                                .rho = &s->rho,
                                .epsilon = &s->one,
                                .delta = &s->delta,
                                .capacity = 12,
                                .load = load,
                                .context = s};
    if (!scene_begin_vault(&s->base, "epsilon=1.5,delta=1e-5", false))
        return false;
    s->vault = scene_open(&s->base);
    return s->vault != NULL &&
           CHECK_STATUS(scrim_vault_ledger(s->vault, "people", &s->ledger, NULL),
                        SCRIM_OK);
}

static void order_end(order_scene *s)
{
    scrim_vault_state state;
    scrim_ledger_free(s->ledger);
    scrim_vault_close(s->vault);
    CHECK(scene_verifies(&s->base, &state));
    scene_end(&s->base);
    sc_mst_plan_clear(&s->plan);
    sc_ratio_clear(&s->delta);
    sc_ratio_clear(&s->one);
    sc_ratio_clear(&s->rho);
}

static scrim_status ask(order_scene *s, sc_once_standing *standing, char **text,
                        scrim_error *error)
{
    sc_bits_key key;
    uint64_t entry = 0;
    scrim_status status = sc_bits_key_draw(&key, error);
    if (status == SCRIM_OK)
        status = sc_synth_order_release(s->ledger, "synth people", &s->order, &key, true,
                                        standing, &entry, text, error);
    return status;
}

TEST(synth_order_is_charged_once_and_recorded)
{
    CLAIM("synth-order.charged");
    CLAIM("synth-order.recorded");
    order_scene s;
    char left[SCRIM_NUMBER_BYTES], *text = NULL, *again = NULL;
    sc_once_standing standing = SC_ONCE_CHARGED;
    sc_synth_released released;
    scrim_error error = {.message = ""};
    uint64_t id = 0;
    REQUIRE(order_begin(&s));
    /* It fails after the charge: which stays, and the message says so. */
    s.is_failing = true;
    CHECK_STATUS(ask(&s, &standing, &text, &error), SCRIM_E_INPUT);
    CHECK(text == NULL && strstr(error.message, "is charged and has no answer") != NULL);
    CHECK_STR(s.left, "0.5");
    CHECK_STR(scene_left(s.vault, left), "0.5");
    /* Whoever asks again finishes it. */
    s.is_failing = false;
    REQUIRE_OK(ask(&s, &standing, &text, NULL));
    CHECK_INT(standing, SC_ONCE_JOINED);
    CHECK_STR(scene_left(s.vault, left), "0.5");
    CHECK_INT(s.loads, 2);
    sc_synth_released_init(&released);
    CHECK_STATUS(sc_synth_released_read(sc_text_of(text), &released, NULL), SCRIM_OK);
    CHECK_INT(released.count, 3);
    sc_synth_released_clear(&released);
    REQUIRE_OK(scrim_vault_find(s.vault, "people", "synth people", &id, NULL));
    CHECK(id > 0);
    /* Now it is answered: no row is read. */
    REQUIRE_OK(ask(&s, &standing, &again, NULL));
    CHECK_INT(standing, SC_ONCE_ANSWERED);
    CHECK(again == NULL);
    CHECK_INT(s.loads, 2);
    sc_free(text);
    order_end(&s);
}

/* An order that is none, or that the budget does not have, reads no row and charges nothing. */
TEST(synth_order_is_checked_before_the_charge)
{
    CLAIM("synth-order.charged");
    order_scene s;
    char left[SCRIM_NUMBER_BYTES], *text = NULL;
    sc_once_standing standing = SC_ONCE_CHARGED;
    REQUIRE(order_begin(&s));
    s.order.columns.sizes[0] = 0;
    CHECK_STATUS(ask(&s, &standing, &text, NULL), SCRIM_E_PARAM);
    s.order.columns.sizes[0] = 2;
    sc_ratio_set_int64(&s.plan.shares[0], 1);
    CHECK_STATUS(ask(&s, &standing, &text, NULL), SCRIM_E_PARAM);
    sc_ratio_set_quotient(&s.plan.shares[0], 2, 5);
    s.order.rho = NULL;
    CHECK_STATUS(ask(&s, &standing, &text, NULL), SCRIM_E_PARAM);
    s.order.rho = &s.rho;
    sc_ratio_set_int64(&s.one, 2);
    CHECK_STATUS(ask(&s, &standing, &text, NULL), SCRIM_E_BUDGET);
    CHECK_STR(scene_left(s.vault, left), "1.5");
    CHECK_INT(s.loads, 0);
    CHECK(text == NULL);
    order_end(&s);
}
