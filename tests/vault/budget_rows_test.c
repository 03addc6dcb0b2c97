#include "check.h"
#include "cli/vault/budget_writer.h"
#include "scene.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TEST(budget_rows_are_found_by_population_and_by_dataset)
{
    sc_budget_rows rows;
    scrim_budget budget;
    scrim_error error = {.message = ""};
    scene s;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    CHECK_STATUS(scrim_vault_add_dataset(vault, "another",
                                         "unit=row\npopulation=people\n", &error),
                 SCRIM_OK);
    CHECK_STATUS(scene_spend(vault, "0.25", NULL, &error), SCRIM_OK);
    static const char *const names[] = {NULL, "people", "another"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!CHECK_STATUS(sc_budget_rows_get(vault, names[i], &rows, &error), SCRIM_OK))
            continue;
        CHECK(rows.group_count == 1 && rows.count == 2 && rows.dataset_count == 2);
        CHECK_STR(rows.rows[0].population, "people");
        CHECK_STR(rows.rows[0].spent, "0.25");
        CHECK_STR(rows.rows[0].left, "0.75");
        CHECK_STR(rows.rows[1].analyst, scrim_vault_analyst(vault));
        sc_budget_rows_clear(&rows);
    }
    CHECK_STATUS(sc_budget_find(vault, "people", NULL, &budget, &error), SCRIM_OK);
    CHECK_STR(budget.left, "0.75");
    CHECK_STATUS(sc_budget_find(vault, "another", NULL, &budget, &error), SCRIM_E_PARAM);
    CHECK_STATUS(sc_budget_rows_get(vault, "nobody", &rows, &error), SCRIM_E_PARAM);
    CHECK(strstr(error.message, "'nobody'") != NULL);
    scrim_vault_close(vault);
    scene_end(&s);
}

/* A vault that cannot be asked is not one without that name. */
TEST(budget_rows_tell_what_failed)
{
    scene s;
    int status = -1;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    pid_t child = fork();
    if (child == 0) {
        sc_budget_rows rows;
        scrim_budget budget;
        scrim_error error; /* a handle is not inherited */
        _exit(sc_budget_rows_get(vault, "nobody", &rows, &error) == SCRIM_E_STATE &&
                      sc_budget_find(vault, "people", NULL, &budget, &error) ==
                          SCRIM_E_STATE
                  ? 0
                  : 1);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    scrim_vault_close(vault);
    scene_end(&s);
}
