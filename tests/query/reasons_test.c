/* Every reason that scrim/status.h lists is had through the library's own calls, with its
 * parameter: a surface that words its advice by them has all it needs. */
#include "check.h"
#include "data/source/sqlite_source_file.h"
#include "release/series_scene.h"
#include "vault/vault.h"
#include "wiping.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define SERIES(...) SCRIM_OPTIONS(scrim_series_options, __VA_ARGS__)
#define COUNT_ALL "SELECT COUNT(*) AS n"
#define SPARSE                                                                           \
    "sparse-vector sensitivity=1 epsilon=1/2 threshold=1000000 count=2 "                 \
    "neighbours=add-remove"

typedef struct walk {
    query_scene scene;
    unsigned seen; /* a bit a reason */
} walk;

/* The last failure has this reason. */
static void saw(walk *w, scrim_status status, scrim_reason reason, const char *parameter)
{
    const scrim_error *error = &w->scene.error;
    CHECK(status != SCRIM_OK);
    CHECK_STATUS(error->status, status);
    if (!CHECK_STR(scrim_reason_name(error->reason), scrim_reason_name(reason)) ||
        !CHECK_STR(error->parameter, parameter))
        CHECK_FAIL("%s", error->message);
    w->seen |= 1U << error->reason;
}

static scrim_status ask(walk *w, const char *query, const scrim_query_options *options)
{
    scrim_result *result = NULL;
    const scrim_status status = query_scene_ask(&w->scene, query, options, &result);
    scrim_result_free(result);
    return status;
}

static scrim_status parse(walk *w, const char *line)
{
    scrim_measurement *measurement = NULL;
    const scrim_status status =
        scrim_measurement_parse(line, &measurement, &w->scene.error);
    scrim_measurement_free(measurement);
    return status;
}

static void walk_parameters(walk *w)
{
    saw(w, parse(w, "something-else"), SCRIM_REASON_UNKNOWN, "mechanism");
    saw(w, parse(w, "laplce scale=1"), SCRIM_REASON_MISSPELT, "mechanism");
    saw(w, parse(w, "laplace scale=one"), SCRIM_REASON_SYNTAX, "scale");
    saw(w, parse(w, "laplace scale=-1"), SCRIM_REASON_RANGE, "scale");
    saw(w, parse(w, "laplace scale=1 scale=1"), SCRIM_REASON_REPEATED, "scale");
    saw(w, parse(w, "laplace scale=1"), SCRIM_REASON_MISSING, "neighbours");
    saw(w, parse(w, ""), SCRIM_REASON_SYNTAX, "line");
}

/* A refusal of the mechanism itself has a reason as well. */
static void walk_mechanisms(walk *w)
{
    static const struct {
        const char *line;
        scrim_reason reason;
        const char *parameter;
    } rows[] = {
        {"laplace sensitivity=1 epsilon=1 lower=0", SCRIM_REASON_MISSING, "upper"},
        {"laplace sensitivity=1 epsilon=1 upper=9", SCRIM_REASON_MISSING, "lower"},
        {"gaussian sensitivity=1 epsilon=1", SCRIM_REASON_CONFLICT, "epsilon"},
        {"truncated-laplace sensitivity=5 epsilon=1 bound=1", SCRIM_REASON_RANGE,
         "bound"},
        {"base2-exponential sensitivity=1 epsilon=1 upper=9", SCRIM_REASON_MISSING,
         "lower"},
        {"base2-exponential sensitivity=1 epsilon=1/1000 lower=0 upper=9",
         SCRIM_REASON_RANGE, "epsilon"},
        {"sparse-vector sensitivity=1 epsilon=1 threshold=9 count=2 form=a delta=1e-6",
         SCRIM_REASON_CONFLICT, "delta"},
        {"stabilise sensitivity=2 epsilon=1 delta=1e-6 largest=1", SCRIM_REASON_MISSING,
         "max-groups"},
        {"range sensitivity=5 epsilon=1 width=1", SCRIM_REASON_RANGE, "width"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[200];
        snprintf(line, sizeof line, "%s neighbours=add-remove", rows[i].line);
        saw(w, parse(w, line), rows[i].reason, rows[i].parameter);
    }
}

static void walk_questions(walk *w)
{
    saw(w, ask(w, COUNT_ALL, OPTIONS(.delta = "1e-6")), SCRIM_REASON_MISSING, "epsilon");
    saw(w, ask(w, "SELECT COUNT(*) WITH RANGE", OPTIONS(.epsilon = "1")),
        SCRIM_REASON_MISSING, "delta");
    saw(w, ask(w, COUNT_ALL, OPTIONS(.epsilon = "1", .target_error = "1")),
        SCRIM_REASON_CONFLICT, "epsilon");
    saw(w, ask(w, "SELECT COUNT(", OPTIONS(.epsilon = "1")), SCRIM_REASON_SYNTAX,
        "query");
    saw(w, ask(w, COUNT_ALL " WHERE day", OPTIONS(.epsilon = "1")), SCRIM_REASON_SYNTAX,
        "query");
    saw(w, ask(w, COUNT_ALL " union " COUNT_ALL, OPTIONS(.epsilon = "1")),
        SCRIM_REASON_UNSUPPORTED, "UNION");
    saw(w, ask(w, "SELECT COUNT(*) WHERE zebra = 1", OPTIONS(.epsilon = "1")),
        SCRIM_REASON_UNKNOWN, "column");
    saw(w, ask(w, COUNT_ALL, OPTIONS(.epsilon = "11")), SCRIM_REASON_BUDGET, "epsilon");
    saw(w, ask(w, COUNT_ALL, OPTIONS(.epsilon = "21")), SCRIM_REASON_CAP, "epsilon");
    CHECK_STATUS(scrim_vault_share(w->scene.vault, "people", NULL, "5", NULL, NULL),
                 SCRIM_OK);
    saw(w, ask(w, COUNT_ALL, OPTIONS(.epsilon = "6")), SCRIM_REASON_SHARE, "epsilon");
}

static int end_at_once(void *context)
{
    (void)context;
    return 1;
}

static void walk_cancelled(walk *w)
{
    saw(w,
        ask(w, COUNT_ALL,
            OPTIONS(.epsilon = "0.25", .workers = 1, .is_cancelled = end_at_once)),
        SCRIM_REASON_CANCELLED, "");
}

static void walk_series(walk *w)
{
    query_scene *s = &w->scene;
    scrim_result *result = NULL;
    CHECK_STATUS(
        series_scene_create(s, COUNT_ALL, SERIES(.epsilon = "1", .releases = 2), 0),
        SCRIM_OK);
    CHECK_STATUS(scrim_series_release(s->vault, "daily", 1, NULL, &result, NULL),
                 SCRIM_OK);
    scrim_result_free(result);
    saw(w, scrim_series_release(s->vault, "daily", 2, NULL, &result, &s->error),
        SCRIM_REASON_MISSING, "version");
    CHECK_STATUS(scrim_vault_update_dataset(s->vault, "people", NULL, NULL), SCRIM_OK);
    CHECK_STATUS(scrim_series_release(s->vault, "daily", 2, NULL, &result, NULL),
                 SCRIM_OK);
    scrim_result_free(result);
    CHECK_STATUS(scrim_vault_update_dataset(s->vault, "people", NULL, NULL), SCRIM_OK);
    saw(w, scrim_series_release(s->vault, "daily", 0, NULL, &result, &s->error),
        SCRIM_REASON_COMPLETE, "series");
    saw(w, scrim_series_release(s->vault, "weekly", 0, NULL, &result, &s->error),
        SCRIM_REASON_UNKNOWN, "series");
}

/* A run that stays open while its label is asked for. */
static void walk_run(walk *w)
{
    query_scene *s = &w->scene;
    scrim_ledger *ledger = NULL;
    scrim_measurement *m = NULL;
    scrim_run *run = NULL;
    scrim_run_answer answer;
    scrim_label *label = NULL;
    if (!wiping_works()) { /* no run is opened on this kernel */
        w->seen |= 1U << SCRIM_REASON_OPEN;
        return;
    }
    REQUIRE_OK(scrim_vault_ledger(s->vault, "people", &ledger, NULL));
    REQUIRE_OK(scrim_measurement_parse(SPARSE, &m, NULL));
    REQUIRE_OK(scrim_run_open(ledger, m, &run, NULL));
    CHECK_STATUS(scrim_run_ask(run, 0, &answer, NULL), SCRIM_OK);
    saw(w, scrim_label_new(s->vault, scrim_run_entry(run), &label, &s->error),
        SCRIM_REASON_OPEN, "release");
    scrim_run_close(run);
    scrim_measurement_free(m);
    scrim_ledger_free(ledger);
}

static void walk_vault(walk *w)
{
    query_scene *s = &w->scene;
    scrim_vault *other = NULL;
    char copy[128];
    saw(w,
        scrim_vault_add_dataset(s->vault, "people", "unit=person\nrows-per-unit=1",
                                &s->error),
        SCRIM_REASON_TAKEN, "dataset");
    s->vault->is_owner = false;
    saw(w, scrim_vault_remove_dataset(s->vault, "people", &s->error), SCRIM_REASON_OWNER,
        "");
    CHECK(query_scene_write(s, "person,day,city\na,1,Ulm\n"));
    saw(w, ask(w, COUNT_ALL, OPTIONS(.epsilon = "1")), SCRIM_REASON_CHANGED, "");
    snprintf(copy, sizeof copy, "%s/copy", s->base.folder);
    CHECK(scene_copy(s->base.path, copy));
    saw(w, scrim_vault_open(copy, NULL, &other, &s->error), SCRIM_REASON_MOVED, "");
    snprintf(copy, sizeof copy, "%s/none", s->base.folder);
    saw(w, scrim_vault_open(copy, NULL, &other, &s->error), SCRIM_REASON_MISSING,
        "vault");
    scene_execute(s->base.path, "UPDATE totals SET charges = 7");
    saw(w, scrim_vault_open(s->base.path, NULL, &other, &s->error), SCRIM_REASON_DAMAGED,
        "");
    scrim_vault_close(s->vault);
    s->vault = NULL;
    if (scene_make_real(&s->base))
        saw(w, scrim_vault_open(s->base.path, NULL, &other, &s->error),
            SCRIM_REASON_BUILD, "");
}

/* A table that another connection writes is given up after two seconds, which this test does not wait. */
static void walk_locked(walk *w)
{
    saw(w, sc_sqlite_file_fail(SQLITE_BUSY, &w->scene.error), SCRIM_REASON_LOCKED, "");
}

TEST(reasons_can_all_be_had)
{
    walk w = {.seen = 1U << SCRIM_REASON_NONE};
    if (!series_scene_begin(&w.scene,
                            "unit=person\nrows-per-unit=1\nbudget=epsilon=10,delta=0.5\n"
                            "cap=epsilon=20\n",
                            series_scene_table))
        return;
    walk_parameters(&w);
    walk_mechanisms(&w);
    walk_questions(&w);
    walk_cancelled(&w);
    walk_series(&w);
    walk_run(&w);
    walk_locked(&w);
    walk_vault(&w);
    query_scene_end(&w.scene);
    for (int reason = 0; reason < 32; reason++) {
        const bool is_one =
            reason == 0 || scrim_reason_name((scrim_reason)reason)[0] != '\0';
        if (is_one != ((w.seen >> reason & 1) != 0))
            CHECK_FAIL("reason %d", reason);
    }
}
