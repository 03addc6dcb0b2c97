#include "plans.h"

#include "check.h"
#include "queries.h"
#include "store_memory.h"
#include "vault/vault.h"

#include <stdio.h>
#include <string.h>

static const char columns[] = "unit=person_id\n" QUERY_COLUMNS "column=size=int[-20,20]\n"
                              "keys=size=10,-2,9\n"
                              "missing=age=0\nmissing=income=0\nmissing=weight=0\n"
                              "missing=day=2020-01-01\nmissing=born=2000-01-01\n"
                              "missing=married=false\nmissing=sex=Female\n"
                              "missing=city=x\nmissing=home town=x\nmissing=big=0\n"
                              "missing=small=0\nmissing=size=9\n";

bool plan_begin(plan_scene *scene, const char *lines)
{
    char policy[4000];
    sc_store *store = NULL;
    *scene = (plan_scene){.status = SCRIM_OK};
    snprintf(policy, sizeof policy, "%s%s%s%s%s", columns, lines, query_bounds(lines),
             strstr(lines, "neighbours=") == NULL ? "neighbours=add-remove\n" : "",
             strstr(lines, "budget=") == NULL ? "budget=epsilon=100,delta=1e-3\n" : "");
    if (!CHECK_STATUS(store_memory_new(&store, &scene->error), SCRIM_OK) ||
        !CHECK_STATUS(sc_vault_new(store, 0, &scene->vault, &scene->error), SCRIM_OK))
        return false;
    scrim_status status = sc_vault_begin(scene->vault, NULL, NULL, NULL, &scene->error);
    if (status == SCRIM_OK)
        status = scrim_vault_add_dataset(scene->vault, "adult", policy, &scene->error);
    if (!CHECK_STATUS(status, SCRIM_OK))
        CHECK_STR(scene->error.message, "");
    return status == SCRIM_OK;
}

void plan_end(plan_scene *scene)
{
    scrim_plan_free(scene->plan);
    scrim_vault_close(scene->vault);
}

static void ask(plan_scene *scene, const char *query, const scrim_query_options *options)
{
    scrim_plan_free(scene->plan);
    scene->plan = NULL;
    scene->error = (scrim_error){.status = SCRIM_OK};
    scene->status = scrim_plan_new(scene->vault, "adult", &query, 1, options,
                                   &scene->plan, &scene->caret, &scene->error);
}

bool plan_ask(plan_scene *scene, const char *query, const scrim_query_options *options)
{
    ask(scene, query, options);
    if (!CHECK_STATUS(scene->status, SCRIM_OK))
        CHECK_STR(scene->error.message, query);
    return scene->status == SCRIM_OK;
}

void plan_refused(plan_scene *scene, const char *query,
                  const scrim_query_options *options, scrim_status status,
                  const char *message)
{
    ask(scene, query, options);
    CHECK_STATUS(scene->status, status);
    CHECK_STATUS(scene->error.status, status);
    CHECK_STR(scene->error.message, message);
    CHECK(scene->plan == NULL);
}
