#include "base/workers.h"
#include "check.h"
#include "data/table/unit_count.h"

#include <stdio.h>
#include <string.h>

/* Unit k, of 0 to UNITS - 1, has 1 + k % 5 rows. */
#define UNITS 3000

/* Each of `workers` workers adds the rows whose turn it is. */
typedef struct adding {
    sc_unit_count *count;
    unsigned workers;
} adding;

static scrim_status add_some(void *context, unsigned worker, scrim_error *error)
{
    const adding *a = context;
    char name[40];
    scrim_status status = SCRIM_OK;
    for (unsigned row = 0; row < 5 * UNITS && status == SCRIM_OK; row++) {
        const unsigned unit = row % UNITS;
        if (row / UNITS > unit % 5 || row % a->workers != worker)
            continue;
        snprintf(name, sizeof name, unit % 2 == 0 ? "%u" : "somebody with a long name %u",
                 unit);
        status = sc_unit_count_add(a->count, sc_text_of(name), (sc_text){NULL, 0}, NULL,
                                   error);
    }
    return status;
}

TEST(unit_count_is_right_for_any_number_of_threads)
{
    CLAIM("unit_count.exact");
    for (unsigned workers = 1; workers <= 4; workers += 3) {
        adding a = {.workers = workers};
        scrim_error error;
        REQUIRE_OK(sc_unit_count_new(0, &a.count, &error));
        /* Where threads are not to be had somebody's turn is left out; here they are. */
        CHECK_STATUS(sc_workers_run(workers, add_some, &a, &error), SCRIM_OK);
        const sc_unit_totals totals = sc_unit_count_totals(a.count, 3);
        CHECK_INT(totals.units, UNITS);
        CHECK_INT(totals.most, 5);
        CHECK_INT(totals.over, 2 * UNITS / 5);
        CHECK_INT(sc_unit_count_totals(a.count, 5).over, 0);
        sc_unit_count_free(a.count);
    }
}

/* Bytes count, and nothing else: as csv.h says of units. */
TEST(unit_count_tells_units_by_their_bytes)
{
    CLAIM("unit_count.exact");
    static const sc_text units[] = {
        {"1", 1},   {"01", 2},   {" 1", 2},       {"a", 1},         {"A", 1},
        {"a\0", 2}, {"\xff", 1}, {"12345678", 8}, {"123456789", 9}, {"1", 1}};
    sc_unit_count *count = NULL;
    scrim_error error;
    REQUIRE_OK(sc_unit_count_new(0, &count, &error));
    CHECK_INT(sc_unit_count_totals(count, 1).units, 0);
    for (size_t i = 0; i < COUNT(units); i++)
        CHECK_STATUS(sc_unit_count_add(count, units[i], (sc_text){NULL, 0}, NULL, &error),
                     SCRIM_OK);
    const sc_unit_totals totals = sc_unit_count_totals(count, 1);
    CHECK_INT(totals.units, COUNT(units) - 1);
    CHECK_INT(totals.most, 2);
    CHECK_INT(totals.over, 1);
    sc_unit_count_free(count);
}

/* Unit u has u % 3 + 1 rows in each of u % 4 + 1 groups, each with the number u. */
TEST(unit_count_has_runs_of_groups_and_rows)
{
    CLAIM("unit_count.exact");
    enum { PEOPLE = 240 };
    sc_unit_count *count = NULL;
    scrim_error error;
    REQUIRE_OK(sc_unit_count_new(2, &count, &error));
    for (int64_t u = 0; u < PEOPLE; u++)
        for (int64_t g = 0; g <= u % 4; g++)
            for (int64_t r = 0; r <= u % 3; r++) {
                char unit[24], group[24];
                snprintf(unit, sizeof unit, "u%d", (int)u);
                snprintf(group, sizeof group, "%d", (int)(g + u % 5));
                CHECK_STATUS(sc_unit_count_add(count, sc_text_of(unit), sc_text_of(group),
                                               (const int64_t[]){u, -1}, &error),
                             SCRIM_OK);
            }
    sc_unit_runs runs;
    REQUIRE_OK(sc_unit_count_runs(count, &runs, &error));
    CHECK_INT(runs.count, 12);
    CHECK_INT(runs.groups, 8);
    for (size_t i = 0; i < runs.count; i++) {
        const sc_unit_run *run = &runs.runs[i];
        CHECK_INT(run->groups, i / 3 + 1);
        CHECK_INT(run->rows, i % 3 + 1);
        int64_t pairs = 0, sum = 0;
        for (int64_t u = 0; u < PEOPLE; u++)
            if ((uint64_t)u % 4 + 1 == run->groups && (uint64_t)u % 3 + 1 == run->rows) {
                pairs += (int64_t)run->groups;
                sum += u * (int64_t)(run->groups * run->rows);
            }
        CHECK_INT(run->pairs, pairs);
        CHECK_INT(run->sums[0], sum);
        CHECK_INT(run->sums[3], -(sc_int128)pairs * (int64_t)run->rows);
        CHECK(run->sums[1] == 0 && run->sums[2] == 0);
    }
    sc_unit_runs_clear(&runs);
    sc_unit_count_free(count);
}
