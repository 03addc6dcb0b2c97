#include "check.h"
#include "scene.h"
#include "vault/vault.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A vault with a dataset of a file; vault is open. */
typedef struct inspected_scene {
    scene s;
    scrim_vault *vault;
    char csv[120];
} inspected_scene;

static bool write_csv(const inspected_scene *t, const char *text)
{
    FILE *file = fopen(t->csv, "we");
    const bool is_written = file != NULL && fputs(text, file) >= 0;
    return CHECK(file != NULL && fclose(file) == 0 && is_written);
}

static bool begin(inspected_scene *t, const char *text)
{
    char policy[400];
    scrim_error error;
    *t = (inspected_scene){.vault = NULL};
    if (!scene_begin_vault(&t->s, "epsilon=1", false))
        return false;
    snprintf(t->csv, sizeof t->csv, "%s/rows.csv", t->s.folder);
    snprintf(policy, sizeof policy,
             "unit=id\nrows-per-unit=1\nneighbours=add-remove\nbudget=epsilon=1\ncolumn="
             "age=int[0,120]\n"
             "csv=%s\n",
             t->csv);
    t->vault = scene_open(&t->s);
    return write_csv(t, text) && CHECK(t->vault != NULL) &&
           CHECK_STATUS(scrim_vault_add_dataset(t->vault, "rows", policy, &error),
                        SCRIM_OK);
}

static void end(inspected_scene *t)
{
    scrim_vault_close(t->vault);
    scene_end(&t->s);
}

TEST(inspection_tells_the_owner_what_is_not_as_declared)
{
    scrim_inspection inspection = {.lines = NULL};
    scrim_vault_state before, behind;
    scrim_error error;
    inspected_scene t;
    if (!begin(&t, "id,age\n1,30\n2,200\n"))
        return;
    CHECK_STATUS(scrim_vault_verify(t.vault, &before, &error), SCRIM_OK);
    REQUIRE_OK(scrim_vault_inspect(t.vault, "rows", NULL, &inspection, &error));
    CHECK_INT(inspection.version, 1);
    CHECK_INT(inspection.is_right, 0);
    CHECK_INT(inspection.count, 6);
    CHECK_INT(inspection.lines[0].finding, SCRIM_FINDING_ROWS);
    CHECK_INT(inspection.lines[0].count, 2);
    CHECK_INT(inspection.lines[5].finding, SCRIM_FINDING_ABOVE);
    CHECK_STR(inspection.lines[5].column, "age");
    CHECK_INT(inspection.lines[5].rows[0], 3);
    scrim_inspection_clear(&inspection);
    CHECK(inspection.lines == NULL);
    /* The file of another version is looked at, and said to be one. */
    if (write_csv(&t, "id,age\n1,30\n")) {
        CHECK_STATUS(scrim_vault_inspect(t.vault, "rows", NULL, &inspection, &error),
                     SCRIM_OK);
        CHECK_INT(inspection.lines[0].finding, SCRIM_FINDING_CHANGED);
        CHECK_INT(inspection.is_right, 0);
        scrim_inspection_clear(&inspection);
        CHECK_STATUS(scrim_vault_update_dataset(t.vault, "rows", NULL, &error), SCRIM_OK);
        CHECK_STATUS(scrim_vault_inspect(t.vault, "rows", NULL, &inspection, &error),
                     SCRIM_OK);
        CHECK_INT(inspection.version, 2);
        CHECK_INT(inspection.is_right, 1);
        scrim_inspection_clear(&inspection);
    }
    /* Only the update of all that the ledger knows. */
    CHECK_STATUS(scrim_vault_verify(t.vault, &behind, &error), SCRIM_OK);
    CHECK_INT(behind.entries, before.entries + 1);
    end(&t);
}

/* No option, and no way around: whoever does not own the vault is told nothing of rows. */
TEST(inspection_is_for_the_owner_alone)
{
    CLAIM("vault.identity");
    scrim_inspection inspection = {.lines = NULL};
    scrim_error error;
    inspected_scene t;
    scrim_risk risk = {.people = 7};
    if (!begin(&t, "id,age\n1,30\n"))
        return;
    t.vault->is_owner = false;
    CHECK_STATUS(scrim_vault_risk(t.vault, "rows", NULL, &risk, &error), SCRIM_E_POLICY);
    CHECK_STR(error.message, "only the vault's owner looks at raw data");
    CHECK_STATUS(scrim_vault_risk(t.vault, "nowhere", NULL, &risk, &error),
                 SCRIM_E_POLICY);
    CHECK_INT(risk.people, 7);
    CHECK_STATUS(scrim_vault_inspect(t.vault, "rows", NULL, &inspection, &error),
                 SCRIM_E_POLICY);
    CHECK_STR(error.message, "only the vault's owner looks at raw data");
    CHECK_STATUS(scrim_vault_inspect(t.vault, "nowhere", NULL, &inspection, &error),
                 SCRIM_E_POLICY);
    unlink(t.csv);
    CHECK_STATUS(scrim_vault_inspect(t.vault, "rows", NULL, &inspection, &error),
                 SCRIM_E_POLICY);
    CHECK(inspection.lines == NULL);
    end(&t);
}

static void count_bytes(void *context, uint64_t done, uint64_t total)
{
    uint64_t *last = context;
    CHECK(done > *last && done <= total);
    *last = done;
}

TEST(inspection_refuses_and_tells_how_far_it_is)
{
    scrim_inspection inspection = {.lines = NULL};
    scrim_inspect_options zeros = {0};
    uint64_t last = 0;
    scrim_error error;
    inspected_scene t;
    if (!begin(&t, "id,age\n1,30\n"))
        return;
    CHECK_STATUS(scrim_vault_inspect(t.vault, "rows", &zeros, &inspection, &error),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_vault_inspect(t.vault, "nowhere", NULL, &inspection, &error),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_vault_inspect(t.vault, "people", NULL, &inspection, &error),
                 SCRIM_E_PARAM); /* it has no source */
    CHECK_STATUS(
        scrim_vault_inspect(t.vault, "rows",
                            SCRIM_OPTIONS(scrim_inspect_options, .progress = count_bytes,
                                          .context = &last, .workers = 1),
                            &inspection, &error),
        SCRIM_OK);
    CHECK_INT(last, 5); /* the rows, without the header */
    scrim_inspection_clear(&inspection);
    unlink(t.csv);
    CHECK_STATUS(scrim_vault_inspect(t.vault, "rows", NULL, &inspection, &error),
                 SCRIM_E_INPUT);
    CHECK(inspection.lines == NULL);
    end(&t);
}

TEST(inspection_names_every_finding)
{
    CHECK_STR(scrim_finding_name((scrim_finding)0), "unknown");
    CHECK_STR(scrim_finding_name((scrim_finding)99), "unknown");
    for (int a = SCRIM_FINDING_CHANGED; a <= SCRIM_FINDING_OTHER_KEY; a++) {
        CHECK(strcmp(scrim_finding_name((scrim_finding)a), "unknown") != 0);
        for (int b = a + 1; b <= SCRIM_FINDING_OTHER_KEY; b++)
            CHECK(strcmp(scrim_finding_name((scrim_finding)a),
                         scrim_finding_name((scrim_finding)b)) != 0);
    }
}
