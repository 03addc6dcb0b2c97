#include "series_scene.h"

#include "check.h"

#include <stdio.h>

const char series_scene_columns[] = "column=day=int[1,30]\ncolumn=city=text\n";
const char series_scene_table[] = "person,day,city\n"
                                  "a,1,Ulm\nb,2,Ulm\nc,10,Ulm\nd,10,Bonn\n"
                                  "a,11,Bonn\nb,12,Trier\nc,20,Trier\n"
                                  "a,21,Ulm\nd,30,Kiel\n";
const char series_scene_by_city[] = "SELECT city, COUNT(*) AS n GROUP BY city";

bool series_scene_begin(query_scene *s, const char *lines, const char *table)
{
    char policy[1000];
    snprintf(policy, sizeof policy, "%s%s", series_scene_columns, lines);
    return query_scene_begin(s, policy, table);
}

scrim_status series_scene_create(query_scene *s, const char *query,
                                 const scrim_series_options *options, int beyond_budget)
{
    scrim_series *series = NULL;
    s->error.message[0] = '\0';
    scrim_status status = scrim_series_new(s->vault, "daily", "people", query, options,
                                           &series, NULL, &s->error);
    if (status == SCRIM_OK)
        status = scrim_series_enter(s->vault, series, beyond_budget, &s->error);
    scrim_series_free(series);
    return status;
}

void series_scene_check_release(query_scene *s, uint64_t number, const char *want,
                                bool is_repeated)
{
    char text[1000];
    scrim_result *result = NULL;
    scrim_result_facts facts;
    const scrim_status status =
        scrim_series_release(s->vault, "daily", number, NULL, &result, &s->error);
    if (!CHECK_STATUS(status, SCRIM_OK)) {
        CHECK_STR(s->error.message, want);
        return;
    }
    scrim_result_describe(result, &facts);
    CHECK_STR(query_scene_values(result, 0, text, sizeof text), want);
    CHECK_INT(facts.is_repeated, is_repeated);
    scrim_result_free(result);
}

void series_scene_check_refused(query_scene *s, uint64_t number, scrim_status want)
{
    scrim_result *result = NULL;
    CHECK_STATUS(
        scrim_series_release(s->vault, "daily", number, NULL, &result, &s->error), want);
}

void series_scene_check_spent(query_scene *s, const char *amount, uint64_t charges)
{
    scrim_budget budget;
    REQUIRE_OK(scrim_vault_budget(s->vault, 0, NULL, &budget, NULL));
    CHECK_STR(budget.spent, amount);
    CHECK_INT(budget.charges, charges);
}

void series_scene_check_verifies(query_scene *s)
{
    scrim_vault_state state;
    scrim_error error = {.message = ""};
    CHECK_STATUS(scrim_vault_verify(s->vault, &state, &error), SCRIM_OK);
    CHECK_STR(error.message, "");
}
