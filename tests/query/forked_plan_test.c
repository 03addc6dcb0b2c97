/* A78: plans, results, series and labels in a child made by fork. What they hold is public and may
 * be read there; what goes on to the vault is refused. */
#include "check.h"
#include "release/series_scene.h"

#include <sys/wait.h>
#include <unistd.h>

typedef struct made {
    query_scene scene;
    scrim_plan *plan;
    scrim_result *result;
    scrim_series *series;
    scrim_label *label;
} made;

static bool make_all(made *m)
{
    const char *const query = "SELECT COUNT(*)";
    scrim_vault *v = m->scene.vault;
    scrim_result_facts facts = {.release = 0};
    scrim_status status = scrim_plan_new(
        v, "people", &query, 1, SCRIM_OPTIONS(scrim_query_options, .epsilon = "1000"),
        &m->plan, NULL, NULL);
    if (status == SCRIM_OK)
        status = scrim_query_run(v, m->plan, &m->result, NULL);
    if (status == SCRIM_OK)
        scrim_result_describe(m->result, &facts);
    if (status == SCRIM_OK)
        status = series_scene_create(
            &m->scene, query,
            SCRIM_OPTIONS(scrim_series_options, .epsilon = "999", .releases = 3), 0);
    if (status == SCRIM_OK)
        status = scrim_series_read(v, "daily", &m->series, NULL);
    if (status == SCRIM_OK)
        status = scrim_label_new(v, facts.release, &m->label, NULL);
    return CHECK_STATUS(status, SCRIM_OK);
}

static int use_in_child(const made *m)
{
    scrim_vault *v = m->scene.vault;
    scrim_plan_facts facts;
    scrim_series_forecast forecast;
    scrim_result *result = NULL;
    const scrim_status got[] = {
        scrim_plan_describe(v, m->plan, &facts, NULL),
        scrim_query_run(v, m->plan, &result, NULL),
        scrim_series_forecast_of(v, m->series, &forecast, NULL),
        scrim_series_enter(v, m->series, 0, NULL),
        scrim_series_release(v, "daily", 1, SCRIM_OPTIONS(scrim_series_run, .workers = 1),
                             &result, NULL),
        scrim_label_check_ledger(m->label, v, NULL),
    };
    for (size_t i = 0; i < sizeof got / sizeof *got; i++)
        if (got[i] != SCRIM_E_STATE)
            return (int)i + 1;
    if (scrim_label_check(m->label, NULL) != SCRIM_OK || scrim_label_count(m->label) == 0)
        return 50;
    scrim_label_free(m->label);
    scrim_series_free(m->series);
    scrim_result_free(m->result);
    scrim_plan_free(m->plan);
    scrim_vault_close(v);
    return 0;
}

TEST(A78_plans_and_series_are_not_asked_in_a_child)
{
    made m = {.plan = NULL};
    int status = -1;
    if (!series_scene_begin(&m.scene, "unit=row\n" SERIES_LARGE_BUDGET,
                            series_scene_table))
        return;
    if (make_all(&m)) {
        const pid_t child = fork();
        if (child == 0)
            _exit(use_in_child(&m));
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        CHECK_INT(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
        series_scene_check_release(&m.scene, 1, "9;", false);
        series_scene_check_verifies(&m.scene);
    }
    scrim_label_free(m.label);
    scrim_series_free(m.series);
    scrim_result_free(m.result);
    scrim_plan_free(m.plan);
    query_scene_end(&m.scene);
}
