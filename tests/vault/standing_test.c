/* The sum of charges as they stand, beside what is spent. */
#include "check.h"
#include "scene.h"

#include <stdlib.h>
#include <string.h>

/* Forty charges of 1/40, as any (epsilon, 0), at a delta of 10^-6: 0.62709609... by the sum over
 * binomial outcomes at 60 digits, by another program; what is spent is 1 all the same. */
TEST(vault_standing_is_beside_what_is_spent)
{
    CLAIM("filter.joint");
    scene s;
    scrim_standing standing;
    scrim_error error = {.message = ""};
    char left[SCRIM_NUMBER_BYTES];
    REQUIRE(scene_begin_vault(&s, "epsilon=3,delta=1e-6", false));
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(scrim_vault_standing(vault, 0, &standing, &error));
    CHECK_INT(standing.charges, 0);
    CHECK_STR(standing.epsilon, "");
    for (int i = 0; i < 40; i++)
        CHECK_STATUS(scene_spend(vault, "1/40", NULL, &error), SCRIM_OK);
    REQUIRE_OK(scrim_vault_standing(vault, 0, &standing, &error));
    CHECK_INT(standing.charges, 40);
    CHECK_STR(standing.epsilon, "0.627097");
    CHECK_STR(standing.delta, "0.000001");
    CHECK_STR(scene_left(vault, left), "2");
    /* It admits nothing. */
    CHECK_STATUS(scene_spend(vault, "2.1", NULL, &error), SCRIM_E_BUDGET);
    CHECK_STATUS(scrim_vault_standing(vault, 1, &standing, &error), SCRIM_E_PARAM);
    scrim_vault_close(vault);
    scene_end(&s);
}

TEST(vault_standing_needs_a_delta)
{
    scene s;
    scrim_standing standing;
    REQUIRE(scene_begin_vault(&s, "epsilon=3", false));
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    CHECK_STATUS(scene_spend(vault, "1", NULL, NULL), SCRIM_OK);
    REQUIRE_OK(scrim_vault_standing(vault, 0, &standing, NULL));
    CHECK_INT(standing.charges, 1);
    CHECK_STR(standing.epsilon, "");
    scrim_vault_close(vault);
    scene_end(&s);
}

/* One charge of epsilon 0.5 comes to 0.5, whatever unit the population counts in. */
TEST(A104_standing_of_one_charge_is_its_epsilon)
{
    CLAIM("charge_log.promise");
    static const char *const budgets[] = {
        "epsilon=10,delta=0.00001", "epsilon=10,delta=0.00001\naccounting=concentrated"};
    for (size_t i = 0; i < 2; i++) {
        scene s;
        scrim_standing standing;
        REQUIRE(scene_begin_vault(&s, budgets[i], false));
        scrim_vault *vault = scene_open(&s);
        REQUIRE(vault != NULL);
        CHECK_STATUS(scene_spend(vault, "0.5", NULL, NULL), SCRIM_OK);
        REQUIRE_OK(scrim_vault_standing(vault, 0, &standing, NULL));
        CHECK_STR(standing.epsilon, "0.5");
        CHECK_STR(standing.delta, "0");
        CHECK_STATUS(scene_spend(vault, "0.25", NULL, NULL), SCRIM_OK);
        REQUIRE_OK(scrim_vault_standing(vault, 0, &standing, NULL));
        CHECK(strtod(standing.epsilon, NULL) <= 0.75);
        scrim_vault_close(vault);
        scene_end(&s);
    }
}

/* A charge without an epsilon counts by its rho, wherever it stands: no other one speaks for it. */
SLOW_TEST(A104_standing_counts_charges_without_an_epsilon)
{
    CLAIM("charge_log.promise");
    for (int place = 0; place < 3; place++) {
        scene s;
        scrim_standing standing;
        scrim_measurement *wide = NULL;
        REQUIRE(scene_begin_vault(&s, "epsilon=20,delta=0.00001\naccounting=concentrated",
                                  false));
        REQUIRE_OK(scrim_measurement_parse(
            "gaussian sensitivity=1 sigma=1 neighbours=add-remove", &wide, NULL));
        scrim_vault *vault = scene_open(&s);
        REQUIRE(vault != NULL);
        for (int i = 0; i < 3; i++)
            CHECK_STATUS(i == place ? scene_release(vault, "people", wide, NULL, NULL)
                                    : scene_spend(vault, "0.01", NULL, NULL),
                         SCRIM_OK);
        REQUIRE_OK(scrim_vault_standing(vault, 0, &standing, NULL));
        CHECK_INT(standing.charges, 3);
        CHECK(strtod(standing.epsilon, NULL) > 3.5); /* of the wide one alone */
        CHECK_STR(standing.delta, "0.00001");        /* of the budget, and no other */
        scrim_vault_close(vault);
        scrim_measurement_free(wide);
        scene_end(&s);
    }
}

/* Rhos are converted, or epsilons composed, whatever is less. */
SLOW_TEST(vault_standing_converts_what_is_concentrated)
{
    scene s;
    scrim_standing standing;
    scrim_composition *spent = NULL;
    scrim_bounds bounds;
    REQUIRE(
        scene_begin_vault(&s, "epsilon=10,delta=0.001\naccounting=concentrated", false));
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    for (int i = 0; i < 40; i++)
        CHECK_STATUS(scene_spend(vault, "0.1", NULL, NULL), SCRIM_OK);
    REQUIRE_OK(scrim_vault_standing(vault, 0, &standing, NULL));
    CHECK_INT(standing.charges, 40);
    REQUIRE_OK(scrim_composition_parse("laplace sensitivity=1 epsilon=0.1 "
                                       "neighbours=add-remove x40",
                                       &spent, NULL));
    REQUIRE_OK(scrim_composition_epsilon(
        spent, standing.delta,
        SCRIM_OPTIONS(scrim_composition_options, .accountant = "concentrated"), &bounds,
        NULL));
    char *end = NULL;
    double epsilon = strtod(standing.epsilon, &end);
    if (*end == '/')
        epsilon /= strtod(end + 1, NULL);
    CHECK(epsilon <= bounds.best.upper_view);
    scrim_bounds_clear(&bounds);
    REQUIRE_OK(scrim_composition_epsilon(spent, standing.delta, NULL, &bounds, NULL));
    CHECK(epsilon >= bounds.best.lower_view);
    scrim_bounds_clear(&bounds);
    scrim_composition_free(spent);
    scrim_vault_close(vault);
    scene_end(&s);
}
