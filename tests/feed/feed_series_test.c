/* Series whose rows are pushed: the releases of the same rows in a file, and what is new or repeated. */
#include "check.h"
#include "feed_scene.h"
#include "query/query_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const people[] = {"1", "1", "2", "3", "3", "4"};
static const char *const days[] = {"1", "12", "3", "2", "25", "30"};
static const char *const words[] = {"a", "a", "b", "a", NULL, "b"};
static const arrow_cells columns[] = {
    {"p", "l", NULL, people}, {"day", "i", NULL, days}, {"t", "u", "c", words}};
#define ROWS 6

/* A file with the rows (has_rows), or an empty one in place of a file that others read. */
static bool write_file(char *path, bool has_rows)
{
    const int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!CHECK(file != NULL))
        return false;
    fputs(has_rows ? "p,day,t\n" : "PAR1", file);
    for (size_t i = 0; has_rows && i < ROWS; i++)
        fprintf(file, "%s,%s,%s\n", people[i], days[i], words[i] == NULL ? "" : words[i]);
    return CHECK_INT(fclose(file), 0);
}

/* The series "daily". */
static bool declare(feed_scene *s, const char *query, const scrim_series_options *options)
{
    scrim_series *series = NULL;
    scrim_status status = scrim_series_new(s->vault, "daily", "rows", query, options,
                                           &series, NULL, &s->error);
    if (status == SCRIM_OK)
        status = scrim_series_enter(s->vault, series, 0, &s->error);
    scrim_series_free(series);
    if (status != SCRIM_OK)
        CHECK_FAIL("no series: %s", s->error.message);
    return status == SCRIM_OK;
}

/* The release with this number by the feed; 0 where it fails. */
static uint64_t push(feed_scene *s, uint64_t number, bool *is_made, scrim_status want)
{
    arrow_batch batch;
    scrim_plan *plan = NULL;
    scrim_result *result = NULL;
    scrim_result_facts facts = {.release = 0};
    uint64_t made = 0;
    if (!arrow_batch_make(&batch, columns, 3, 0, ROWS, 0))
        return 0;
    scrim_status status =
        scrim_series_prepare(s->vault, "daily", number, NULL, &plan, &made, &s->error);
    CHECK_INT(plan != NULL, status == SCRIM_OK && made == 0);
    if (plan != NULL)
        status = feed_scene_push(s, plan, &batch, &result);
    if (!CHECK_STATUS(status, want))
        CHECK_FAIL("%s", s->error.message);
    if (result != NULL)
        scrim_result_describe(result, &facts);
    scrim_result_free(result);
    scrim_plan_free(plan);
    arrow_batch_clear(&batch);
    *is_made = made != 0;
    return made != 0 ? made : facts.release;
}

static uint64_t release_file(feed_scene *s)
{
    scrim_result *result = NULL;
    scrim_result_facts facts = {.release = 0};
    if (CHECK_STATUS(scrim_series_release(s->vault, "daily", 0, NULL, &result, &s->error),
                     SCRIM_OK))
        scrim_result_describe(result, &facts);
    scrim_result_free(result);
    return facts.release;
}

/* All releases of a series by a file and by the feed, with one tape. */
static void compare(const char *unit, const char *pushed, const char *query,
                    const scrim_series_options *options)
{
    char csv[] = "/tmp/feed_series.XXXXXX", policy[400];
    feed_scene file, feed;
    bool is_made;
    REQUIRE(write_file(csv, true));
    snprintf(policy, sizeof policy, "%s\ncolumn=day=int[1,30]\ncolumn=t=text\ncsv=%s",
             unit, csv);
    REQUIRE(feed_scene_begin(&file, policy, 7));
    snprintf(policy, sizeof policy, "%s\ncolumn=day=int[1,30]\ncolumn=t=text\n%s", unit,
             pushed);
    REQUIRE(feed_scene_begin(&feed, policy, 7));
    if (declare(&file, query, options) && declare(&feed, query, options))
        for (uint64_t i = 1; i <= options->releases; i++) {
            const uint64_t wanted = release_file(&file);
            CHECK_INT(push(&feed, 0, &is_made, SCRIM_OK), wanted);
            CHECK(!is_made);
            char *a = feed_scene_record(&file, wanted),
                 *b = feed_scene_record(&feed, wanted);
            if (CHECK(a != NULL && b != NULL))
                CHECK_STR(b, a);
            free(a);
            free(b);
        }
    feed_scene_end(&file);
    feed_scene_end(&feed);
    unlink(csv);
}

SLOW_TEST(feed_gives_the_releases_of_a_file)
{
    CLAIM("series.pushed");
    char path[] = "/tmp/feed_series.XXXXXX", parquet[60];
    REQUIRE(write_file(path, false));
    snprintf(parquet, sizeof parquet, "parquet=%s", path);
    const char *const sources[] = {"live=yes", "duckdb=SELECT * FROM 'rows.parquet'",
                                   parquet};
    for (size_t i = 0; i < COUNT(sources); i++) {
        compare("unit=p\nmax-groups=2\nmax-rows=2", sources[i],
                "SELECT t, COUNT(*) AS n GROUP BY t",
                SCRIM_OPTIONS(scrim_series_options, .epsilon = "9", .delta = "0.1",
                              .releases = 3, .window = "day"));
    }
    /* Totals add to earlier ones, which only a file of one version has. */
    compare("unit=row", parquet, "SELECT COUNT(*) AS n",
            SCRIM_OPTIONS(scrim_series_options, .epsilon = "9", .releases = 3,
                          .window = "day", .running = 1));
    unlink(path);
}

TEST(feed_releases_live_rows_one_after_the_other)
{
    CLAIM("series.once");
    CLAIM("series.pushed");
    feed_scene s;
    scrim_series *series = NULL;
    scrim_plan *plan = NULL;
    scrim_result *result = NULL;
    arrow_batch batch;
    bool is_made = false;
    REQUIRE(feed_scene_begin(
        &s, "unit=p\nmax-groups=1\nmax-rows=2\ncolumn=day=int[1,30]\nlive=yes", 0));
    REQUIRE(declare(&s, "SELECT COUNT(*) AS n",
                    SCRIM_OPTIONS(scrim_series_options, .epsilon = "1", .releases = 2)));
    /* There is no row to read, and a plan for a look is not asked. */
    CHECK_STATUS(scrim_series_release(s.vault, "daily", 0, NULL, &result, &s.error),
                 SCRIM_E_INPUT);
    REQUIRE_OK(scrim_series_read(s.vault, "daily", &series, &s.error));
    REQUIRE_OK(scrim_series_plan(s.vault, series, 1, &plan, &s.error));
    REQUIRE(arrow_batch_make(&batch, columns, 3, 0, ROWS, 0));
    CHECK_STATUS(feed_scene_push(&s, plan, &batch, &result), SCRIM_E_STATE);
    CHECK_STATUS(scrim_query_run(s.vault, plan, &result, &s.error), SCRIM_E_STATE);
    CHECK_INT(feed_scene_charges(&s), 0);
    arrow_batch_clear(&batch);
    scrim_plan_free(plan);
    scrim_series_free(series);
    CHECK_INT(push(&s, 0, &is_made, SCRIM_OK), 1);
    CHECK(!is_made);
    CHECK_INT(push(&s, 1, &is_made, SCRIM_OK), 1);
    CHECK(is_made);
    /* Rows are new each time: no version need be declared. */
    CHECK_INT(push(&s, 2, &is_made, SCRIM_OK), 2);
    CHECK(!is_made);
    CHECK_INT(push(&s, 0, &is_made, SCRIM_E_STATE), 0);
    CHECK_INT(push(&s, 3, &is_made, SCRIM_E_PARAM), 0);
    CHECK_INT(feed_scene_charges(&s), 2);
    feed_scene_end(&s);
}

/* Other rows may come with the second try, so that it must not have the noise of the first. */
TEST(feed_charges_an_interrupted_live_release_again)
{
    CLAIM("series.charged");
    feed_scene s;
    scrim_series *series = NULL;
    scrim_series_step step;
    scrim_plan *plan = NULL;
    scrim_feed *feed = NULL;
    arrow_batch batch;
    uint64_t made = 1;
    bool is_made;
    REQUIRE(feed_scene_begin(
        &s, "unit=p\nmax-groups=1\nmax-rows=2\ncolumn=day=int[1,30]\nlive=yes", 0));
    REQUIRE(declare(&s, "SELECT COUNT(*) AS n",
                    SCRIM_OPTIONS(scrim_series_options, .epsilon = "1", .releases = 2)));
    REQUIRE(arrow_batch_make(&batch, columns, 3, 0, ROWS, 0));
    REQUIRE_OK(scrim_series_prepare(s.vault, "daily", 0, NULL, &plan, &made, &s.error));
    CHECK_INT(made, 0);
    CHECK_INT(feed_scene_charges(&s), 0);
    REQUIRE_OK(scrim_feed_begin(s.vault, plan, &batch.schema, &feed, &s.error));
    scrim_feed_abort(feed);
    scrim_plan_free(plan);
    arrow_batch_clear(&batch);
    CHECK_INT(push(&s, 0, &is_made, SCRIM_OK), 2);
    CHECK_INT(feed_scene_charges(&s), 2);
    REQUIRE_OK(scrim_series_read(s.vault, "daily", &series, &s.error));
    REQUIRE_OK(scrim_series_step_at(series, 0, &step, &s.error));
    CHECK_INT(step.release, 2);
    CHECK_INT(step.lost, 1);
    CHECK_STR(step.amount, "2");
    scrim_series_free(series);
    feed_scene_end(&s);
}
