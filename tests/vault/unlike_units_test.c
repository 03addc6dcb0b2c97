/* A76: costs of unlike privacy units do not add up to anything that one budget could bound. */
#include "check.h"
#include "scene.h"
#include "vault/vault.h"

#include <stdio.h>
#include <string.h>

#define BUDGET "neighbours=add-remove\nbudget=epsilon=1\n"

/* A vault with the population "crowd", whose first table, "persons", protects each person_id. */
static scrim_vault *begin(scene *s)
{
    if (!scene_begin_vault(s, "epsilon=1", false))
        return NULL;
    scrim_vault *vault = scene_open(s);
    if (vault != NULL)
        CHECK_STATUS(scrim_vault_add_dataset(
                         vault, "persons",
                         "unit=person_id\nrows-per-unit=1\npopulation=crowd\n" BUDGET,
                         NULL),
                     SCRIM_OK);
    return vault;
}

static scrim_vault *reopen(const scene *s, scrim_vault *vault)
{
    scrim_vault_close(vault);
    return scene_open(s);
}

static void check_add(scrim_vault *vault, const char *policy, scrim_status want,
                      const char *word)
{
    scrim_error error = {.message = ""};
    uint64_t before = 0, after = 0;
    REQUIRE_OK(scrim_vault_count(vault, &before, NULL));
    CHECK_STATUS(scrim_vault_add_dataset(vault, "other", policy, &error), want);
    if (strstr(error.message, word) == NULL)
        CHECK_FAIL("'%s' has no '%s'", error.message, word);
    REQUIRE_OK(scrim_vault_count(vault, &after, NULL));
    if (want == SCRIM_OK)
        CHECK_STATUS(scrim_vault_remove_dataset(vault, "other", NULL), SCRIM_OK);
    else
        CHECK_INT(after, before);
}

TEST(A76_a_population_has_one_unit)
{
    CLAIM("book.unit");
    scene s;
    scrim_vault *vault = begin(&s);
    REQUIRE(vault != NULL);
    for (unsigned round = 0; round < 2; round++) {
        check_add(vault, "unit=row\npopulation=crowd", SCRIM_E_POLICY,
                  "name another population");
        check_add(vault, "unit=customer\nrows-per-unit=1\npopulation=crowd",
                  SCRIM_E_POLICY, "same-unit person_id");
        check_add(vault, "unit=row\nsame-unit=person_id\npopulation=crowd",
                  SCRIM_E_POLICY, "each row");
        check_add(vault,
                  "unit=customer\nrows-per-unit=1\nsame-unit=household\npopulation=crowd",
                  SCRIM_E_POLICY, "each household");
        check_add(vault,
                  "unit=customer\nrows-per-unit=1\nsame-unit=row\npopulation=people",
                  SCRIM_E_PARAM, "same-unit");
        check_add(vault, "unit=person_id\nrows-per-unit=1\npopulation=people",
                  SCRIM_E_POLICY, "each row, this table each person_id");
        check_add(vault, "unit=person_id\nrows-per-unit=1\npopulation=crowd", SCRIM_OK,
                  "");
        check_add(vault,
                  "unit=customer\nrows-per-unit=1\nsame-unit=person_id\npopulation=crowd",
                  SCRIM_OK, "");
        /* and so it is in a vault that is opened anew */
        vault = reopen(&s, vault);
        REQUIRE(vault != NULL);
    }
    /* its tables may all have gone: what was charged for them has not */
    CHECK_STATUS(scrim_vault_remove_dataset(vault, "persons", NULL), SCRIM_OK);
    check_add(vault, "unit=row\npopulation=crowd", SCRIM_E_POLICY, "each person_id");
    check_add(vault, "unit=row\npopulation=rows\n" BUDGET, SCRIM_OK, "");
    scrim_vault_close(vault);
    scrim_vault_state state = {.needs_owner = 1};
    CHECK(scene_verifies(&s, &state));
    CHECK_STR(state.caution, "");
    CHECK_INT(state.needs_owner, 0);
    scene_end(&s);
}

TEST(A76_a_dataset_keeps_its_unit)
{
    CLAIM("book.unit");
    scene s;
    scrim_error error = {.message = ""};
    scrim_dataset dataset;
    scrim_vault *vault = begin(&s);
    REQUIRE(vault != NULL);
    CHECK_STATUS(scrim_vault_set_dataset(vault, "persons", "unit=row", &error),
                 SCRIM_E_POLICY);
    CHECK(strstr(error.message, "remove the dataset and add it") != NULL);
    CHECK_STATUS(scrim_vault_update_dataset(vault, "persons", "unit=row", &error),
                 SCRIM_E_POLICY);
    CHECK_STATUS(scrim_vault_set_dataset(vault, "persons",
                                         "unit=customer\nrows-per-unit=1", &error),
                 SCRIM_E_POLICY);
    REQUIRE_OK(scrim_vault_dataset(vault, 1, &dataset, NULL));
    CHECK_INT(dataset.version, 1);
    /* the column may be called otherwise, where its owner says that the people are the same */
    CHECK_STATUS(scrim_vault_set_dataset(
                     vault, "persons",
                     "unit=customer\nrows-per-unit=1\nsame-unit=person_id", &error),
                 SCRIM_OK);
    scrim_vault_close(vault);
    scene_end(&s);
}

/* A table of rows in "crowd", or its removal, as an earlier version entered it. */
static scrim_status enter_rows(scrim_vault *v, void *context, scrim_error *error)
{
    sc_event event;
    (void)context;
    sc_event_init(&event);
    event.kind = SC_EVENT_DATASET;
    event.name = sc_text_of("visits");
    event.population = sc_book_find_population(&v->book, sc_text_of("crowd"));
    event.body = sc_text_of("unit=row\npopulation=crowd\nneighbours=add-remove\n");
    const scrim_status status = sc_vault_append(v, &event, error);
    sc_event_clear(&event);
    return status;
}

static scrim_status spend(scrim_vault *vault, const char *dataset, scrim_error *error)
{
    scrim_measurement *question = scene_question("0.1");
    const scrim_status status = scene_release(vault, dataset, question, NULL, error);
    scrim_measurement_free(question);
    return status;
}

TEST(A76_vaults_of_earlier_versions_are_told)
{
    CLAIM("book.unit");
    scene s;
    scrim_error error = {.message = ""};
    scrim_vault_state state;
    char left[SCRIM_NUMBER_BYTES];
    scrim_vault *vault = begin(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(sc_vault_write(vault, enter_rows, NULL, NULL));
    for (unsigned round = 0; round < 2; round++) {
        REQUIRE_OK(scrim_vault_verify(vault, &state, &error));
        CHECK_INT(state.needs_owner, 1);
        CHECK(strstr(state.caution, "'visits'") != NULL);
        CHECK(strstr(state.caution, "'crowd' protects each person_id") != NULL);
        /* nothing more is added to the sum, and the first table goes on */
        CHECK_STATUS(spend(vault, "visits", &error), SCRIM_E_POLICY);
        CHECK(strstr(error.message, "another population") != NULL);
        CHECK_STATUS(spend(vault, "persons", &error), SCRIM_OK);
        vault = reopen(&s, vault);
        REQUIRE(vault != NULL);
    }
    CHECK_STR(scene_left(vault, left), "1"); /* of the others */
    CHECK_STATUS(scrim_vault_remove_dataset(vault, "visits", NULL), SCRIM_OK);
    REQUIRE_OK(scrim_vault_verify(vault, &state, &error));
    CHECK_INT(state.needs_owner, 0);
    CHECK(strstr(state.caution, "'visits'") != NULL);
    scrim_vault_close(vault);
    scene_end(&s);
}
