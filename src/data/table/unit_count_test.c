#include "base/workers.h"
#include "check.h"
#include "data/table/unit_count.h"

#include <stdio.h>
#include <string.h>

/* Unit k, of 0 to UNITS - 1, has 1 + k % 5 rows. */
#define UNITS 3000

/* Each of so many workers adds every row whose turn it is. */
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
        status = sc_unit_count_add(a->count, sc_text_of(name), error);
    }
    return status;
}

TEST(unit_count_is_right_for_any_number_of_threads)
{
    CLAIM("unit_count.exact");
    for (unsigned workers = 1; workers <= 4; workers += 3) {
        adding a = {.workers = workers};
        scrim_error error;
        REQUIRE_OK(sc_unit_count_new(&a.count, &error));
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
    REQUIRE_OK(sc_unit_count_new(&count, &error));
    CHECK_INT(sc_unit_count_totals(count, 1).units, 0);
    for (size_t i = 0; i < COUNT(units); i++)
        CHECK_STATUS(sc_unit_count_add(count, units[i], &error), SCRIM_OK);
    const sc_unit_totals totals = sc_unit_count_totals(count, 1);
    CHECK_INT(totals.units, COUNT(units) - 1);
    CHECK_INT(totals.most, 2);
    CHECK_INT(totals.over, 1);
    sc_unit_count_free(count);
}
