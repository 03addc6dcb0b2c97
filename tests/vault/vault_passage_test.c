#include "check.h"
#include "ledger/release.h"
#include "passages.h"
#include "random/bits_tape.h"
#include "scene.h"
#include "vault/vault_tape.h"

/* Several parts in a vault: the charge is durable before the first draw, and is that of all parts;
 * the text is found again. */
TEST(vault_keeps_a_release_of_several_parts)
{
    CLAIM("release.charged");
    static const int64_t people[] = {10, 20};
    static const char *const lines[] = {
        "laplace sensitivity=1 epsilon=1/4 neighbours=add-remove",
        "truncated-laplace sensitivity=1 epsilon=1/8 delta=1e-6 neighbours=add-remove",
        "gaussian sensitivity=1 rho=1/1000 size=2 neighbours=add-remove"};
    scene s;
    scrim_measurement *made[3] = {NULL};
    sc_bundle *bundle = NULL;
    sc_tape *tape = NULL;
    sc_passage *passage = NULL;
    scrim_ledger *ledger = NULL;
    sc_ratio delta, amount;
    size_t part = 0;
    uint64_t id = 0;
    char left[SCRIM_NUMBER_BYTES], want[SCRIM_NUMBER_BYTES];
    sc_int128 values[2];
    sc_mark marks[2];
    sc_draw draw = {.values = values, .marks = marks, .capacity = 2};
    sc_ratio_init(&delta);
    sc_ratio_init(&amount);
    REQUIRE_OK(sc_ratio_parse(sc_text_of("1e-6"), &delta, NULL));
    REQUIRE_OK(sc_bundle_new(SCRIM_ADD_REMOVE, &bundle, NULL));
    for (size_t i = 0; i < COUNT(lines); i++) {
        REQUIRE_OK(scrim_measurement_parse(lines[i], &made[i], NULL));
        REQUIRE_OK(sc_bundle_add(bundle, made[i], 1, &part, NULL));
    }
    REQUIRE_OK(sc_bundle_fix(bundle, &delta, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE(scene_begin_vault(&s, "epsilon=1,delta=1e-5", false));
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    sc_vault_use_bits(vault, sc_tape_bits_of(tape));
    REQUIRE_OK(scrim_vault_ledger(vault, "people", &ledger, NULL));
    REQUIRE_OK(passage_open(ledger, "query : SELECT", bundle, &passage, NULL));
    CHECK_INT(sc_tape_used(tape), 0);
    sc_ratio_set_int64(&amount, 1);
    sc_ratio_sub(&amount, &amount, &sc_bundle_total(bundle)->epsilon);
    sc_cost_put_lower(&amount, want);
    CHECK_STR(scene_left(vault, left), want);
    for (size_t i = 0; i < COUNT(lines); i++)
        CHECK_STATUS(sc_passage_draw(passage, i, made[i],
                                     &(sc_private_input){.values = people, .count = 2},
                                     &draw, NULL),
                     SCRIM_OK);
    CHECK(sc_tape_used(tape) > 0);
    REQUIRE_OK(scrim_vault_find(vault, "people", "query : SELECT", &id, NULL));
    CHECK_INT(id, 0); /* charged, and not answered yet */
    REQUIRE_OK(sc_passage_record(passage, "an answer\nof two lines", NULL));
    REQUIRE_OK(scrim_vault_find(vault, "people", "query : SELECT", &id, NULL));
    CHECK_INT(id, sc_passage_entry(passage));
    sc_passage_close(passage);
    passage = NULL;
    CHECK_STATUS(passage_open(ledger, "query : more", bundle, &passage, NULL),
                 SCRIM_E_BUDGET);
    CHECK(passage == NULL);
    CHECK_STR(scene_left(vault, left), want);
    scrim_ledger_free(ledger);
    scrim_vault_close(vault);
    scrim_vault_state state;
    CHECK(scene_verifies(&s, &state));
    scene_end(&s);
    sc_bundle_free(bundle);
    for (size_t i = 0; i < COUNT(lines); i++)
        scrim_measurement_free(made[i]);
    sc_tape_free(tape);
    sc_ratio_clear(&amount);
    sc_ratio_clear(&delta);
}

/* Draws that are chosen on the way: one total is charged, durably, before the first bit. Who asks again before
 * there is an answer joins that charge, and draws the same numbers within it. */
TEST(vault_charges_an_allowance_once)
{
    CLAIM("allowance.within");
    CLAIM("release.once");
    static const int64_t people[] = {10, 20};
    scene s;
    scrim_ledger *ledger = NULL;
    scrim_measurement *count = NULL;
    sc_ratio rho, one, delta;
    char left[SCRIM_NUMBER_BYTES];
    sc_int128 values[2][2];
    sc_ratio_init(&rho);
    sc_ratio_init(&one);
    sc_ratio_init(&delta);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_set_quotient(&rho, 14973, 1000000);
    sc_ratio_set_quotient(&delta, 1, 1000000000);
    REQUIRE_OK(scrim_measurement_parse(
        "marginals tables=2 rho=0.01 neighbours=add-remove", &count, NULL));
    REQUIRE(scene_begin_vault(&s, "epsilon=1.5,delta=1e-5", false));
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(scrim_vault_ledger(vault, "people", &ledger, NULL));
    for (int i = 0; i < 2; i++) {
        sc_allowance *allowance = NULL;
        sc_passage *passage = NULL;
        sc_bits_key key;
        sc_mark marks[2];
        sc_draw draw = {.values = values[i], .marks = marks, .capacity = 2};
        REQUIRE_OK(
            sc_allowance_new(SCRIM_ADD_REMOVE, &rho, &one, &delta, &allowance, NULL));
        REQUIRE_OK(sc_bits_key_draw(&key, NULL));
        REQUIRE_OK(sc_passage_open_within(ledger, "synth people", allowance, &key, true,
                                          &passage, NULL));
        CHECK_INT(sc_passage_standing(passage),
                  i == 0 ? SC_ONCE_CHARGED : SC_ONCE_JOINED);
        CHECK_STR(scene_left(vault, left), "0.5");
        CHECK_STATUS(sc_passage_draw_within(
                         passage, count,
                         &(sc_private_input){.values = people, .count = 2}, &draw, NULL),
                     SCRIM_OK);
        CHECK_STATUS(
            sc_passage_draw_within(
                passage, count, &(sc_private_input){.values = people, .count = 2},
                &(sc_draw){.values = (sc_int128[2]){0}, .marks = marks, .capacity = 2},
                NULL),
            SCRIM_E_INTERNAL);
        if (i == 1)
            CHECK_STATUS(sc_passage_record(passage, "noisy counts", NULL), SCRIM_OK);
        sc_passage_close(passage); /* the first one ends without an answer */
        sc_allowance_free(allowance);
    }
    CHECK(values[0][0] == values[1][0] && values[0][1] == values[1][1]);
    scrim_ledger_free(ledger);
    scrim_vault_close(vault);
    scrim_vault_state state;
    CHECK(scene_verifies(&s, &state));
    scene_end(&s);
    scrim_measurement_free(count);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&one);
    sc_ratio_clear(&rho);
}
