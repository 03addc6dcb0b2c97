/* The same rows in a CSV file, in a table of SQLite and through the feed, with one tape: one record. */
#include "check.h"
#include "feed_cells.h"
#include "feed_scene.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const queries[] = {
    "SELECT COUNT(*) AS n",
    "SELECT k, COUNT(*) AS n, AVG(y) AS m GROUP BY k",
    "SELECT SUM(x) AS s, VAR(y) AS v, COUNT(y) AS c WHERE b",
    "SELECT b, SUM(y) AS s GROUP BY b",
    "SELECT t, COUNT(*) AS n GROUP BY t",
    "SELECT MONTH(d) AS month, COUNT(*) AS n GROUP BY month",
    "SELECT HOUR(e) AS h, COUNT(*) AS n, AVG(x) AS a GROUP BY h",
    "SELECT MEDIAN(x) AS m WHERE t IS NOT NULL",
    "SELECT COUNT(*) FILTER (WHERE x > 0 AND y < 2.5) AS n, MAX(x) AS m",
    "SELECT k, COUNT(*) AS n WHERE d >= '2020-06-01' AND t <> '' GROUP BY k"};
static const char of_units[] =
    "SELECT AVG(n) AS a, SUM(s) AS t FROM (SELECT CLAMP(COUNT(*), 0, 9) AS n, "
    "CLAMP(SUM(y), -20, 20) AS s GROUP BY p)";

typedef struct world {
    char folder[40], csv[60], sqlite[60];
    char policies[3][1500]; /* of the CSV file, the database, the feed */
    feed_cells cells;
    bool has_units;
} world;

static bool world_begin(world *w, sc_bits *bits, size_t rows, bool has_units)
{
    *w = (world){.has_units = has_units};
    snprintf(w->folder, sizeof w->folder, "/tmp/feed_same.XXXXXX");
    if (!CHECK(mkdtemp(w->folder) != NULL))
        return false;
    snprintf(w->csv, sizeof w->csv, "%s/rows.csv", w->folder);
    snprintf(w->sqlite, sizeof w->sqlite, "%s/rows.db", w->folder);
    const char *unit = has_units ? "unit=p\nmax-groups=2\nmax-rows=3\n" : "unit=row\n";
    snprintf(w->policies[0], sizeof *w->policies, "%s%scsv=%s", unit, feed_cells_policy,
             w->csv);
    snprintf(w->policies[1], sizeof *w->policies, "%s%ssqlite=%s\ntable=t", unit,
             feed_cells_policy, w->sqlite);
    snprintf(w->policies[2], sizeof *w->policies, "%s%slive=yes", unit,
             feed_cells_policy);
    return feed_cells_make(&w->cells, bits, rows) && feed_cells_csv(&w->cells, w->csv) &&
           feed_cells_sqlite(&w->cells, w->sqlite);
}

static void world_end(world *w)
{
    feed_cells_clear(&w->cells);
    unlink(w->csv);
    unlink(w->sqlite);
    rmdir(w->folder);
}

/* Rows in batches of some size each, and an empty one. */
static scrim_status push_all(feed_scene *s, const world *w, const scrim_plan *plan,
                             size_t step, scrim_result **out)
{
    arrow_batch batch;
    scrim_feed *feed = NULL;
    scrim_status status = SCRIM_OK;
    for (size_t from = 0; status == SCRIM_OK && from <= w->cells.rows; from += step) {
        const size_t rest = w->cells.rows - from, count = rest < step ? rest : step;
        if (!arrow_batch_make(&batch, w->cells.columns, FEED_COLUMNS, from, count,
                              from % 3))
            break;
        if (from == 0)
            status = scrim_feed_begin(s->vault, plan, &batch.schema, &feed, &s->error);
        if (status == SCRIM_OK)
            status = scrim_feed_put(feed, &batch.array, &s->error);
        arrow_batch_clear(&batch);
    }
    if (status == SCRIM_OK)
        return scrim_feed_end(feed, out, &s->error);
    scrim_feed_abort(feed);
    return status;
}

/* The record of a query, by one of the three ways. */
static char *ask(const world *w, size_t way, const char *query, uint64_t seed,
                 unsigned workers, size_t step)
{
    feed_scene s;
    scrim_result *result = NULL;
    scrim_plan *plan = NULL;
    char *record = NULL;
    scrim_result_facts facts = {.release = 0};
    scrim_status status = SCRIM_E_INTERNAL;
    if (feed_scene_begin(&s, w->policies[way], seed))
        plan = feed_scene_plan(
            &s, query,
            FEED_OPTIONS(.epsilon = "2", .delta = "0.1", .workers = workers,
                         .rows_upper = workers > 1 ? w->cells.rows / 3 + 1 : 0));
    if (plan != NULL)
        status = way == 2 ? push_all(&s, w, plan, step, &result)
                          : scrim_query_run(s.vault, plan, &result, &s.error);
    if (status == SCRIM_OK) {
        scrim_result_describe(result, &facts);
        record = feed_scene_record(&s, facts.release);
    } else {
        CHECK_FAIL("%s: %s", query, s.error.message);
    }
    scrim_result_free(result);
    scrim_plan_free(plan);
    feed_scene_end(&s);
    return record;
}

static void compare(world *w, const char *query, uint64_t seed, sc_bits *bits)
{
    char *records[4] = {NULL};
    for (size_t way = 0; way < 3; way++)
        records[way] = ask(w, way, query, seed, 1, 7 + w->cells.rows / 4);
    feed_cells_shuffle(&w->cells, bits);
    records[3] = ask(w, 2, query, seed, 3, w->cells.rows + 1);
    for (size_t i = 1; i < 4; i++)
        if (!CHECK(records[0] != NULL && records[i] != NULL) ||
            !CHECK_STR(records[i], records[0])) {
            CHECK_FAIL("way %zu of %s", i, query);
            for (size_t c = 0; c < FEED_COLUMNS; c++)
                CHECK_FAIL("%s %s", w->cells.columns[c].name, w->cells.columns[c].format);
        }
    for (size_t i = 0; i < 4; i++)
        free(records[i]);
}

SLOW_TEST(feed_gives_the_record_of_files)
{
    CLAIM("feed.same");
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t count = check_count(15, 1000);
    for (uint64_t i = 0; i < count; i++) {
        world w;
        const bool has_units = i % 3 != 0;
        const char *query =
            has_units && i % 5 == 0 ? of_units : queries[i % COUNT(queries)];
        if (world_begin(&w, sc_tape_bits_of(tape), i % 7 * 9, has_units))
            compare(&w, query, i + 1, sc_tape_bits_of(tape));
        world_end(&w);
    }
    sc_tape_free(tape);
}

/* Enough rows for several threads. */
SLOW_TEST(feed_gives_the_record_of_files_by_threads)
{
    CLAIM("feed.same");
    sc_tape *tape = NULL;
    world w;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    if (world_begin(&w, sc_tape_bits_of(tape), 26000, true))
        compare(&w, queries[1], 1, sc_tape_bits_of(tape));
    world_end(&w);
    sc_tape_free(tape);
}
