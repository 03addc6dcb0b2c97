#include "check.h"
#include "faults.h"
#include "query/rows/group_kept.h"
#include "remains.h"

static const sc_group_value values[] = {
    {.low = -3, .high = 300, .has_list = true},
    {.low = 0, .high = 9},
    {.low = -SC_GROUP_RANGE, .high = SC_GROUP_RANGE, .has_list = true}};
static const int64_t xs[] = {7, -9, 400, 7, 0, 5};
static const int64_t wide[] = {INT64_MAX, 1, INT64_MIN, 2, 3, 0};
static const uint32_t groups[] = {2, 0, 2, 2, 0, 3};
static const uint64_t copies[] = {1, 2, 1, 3, 1, 1};
static const uint32_t turned[] = {3, 1, 2, 0};
#define ROWS COUNT(xs)

/* Notes the rows twice: as they are, and with their groups turned. */
static scrim_status list_rows(sc_kept_lists *lists, scrim_error *error)
{
    static const int64_t *const columns[] = {xs, xs, wide};
    unsigned char packed[24];
    sc_cell_plan plan;
    sc_cells cells = {0};
    sc_kept kept = {0};
    scrim_status status = sc_cell_plan_init(&plan, values, COUNT(values), error);
    if (status == SCRIM_OK)
        status = sc_cells_reserve(&cells, &plan, 4, error);
    for (size_t i = 0; status == SCRIM_OK && i < ROWS; i++) {
        sc_unit_row row = {copies[i], packed, groups[i], 0};
        sc_cell_pack(&plan, columns, i, 1, packed);
        sc_cells_add(&cells, &plan, &row);
        status = sc_kept_add(&kept, &plan, &row, error);
        row.group = turned[row.group];
        sc_cells_add(&cells, &plan, &row);
    }
    if (status == SCRIM_OK)
        status = sc_kept_lists_init(lists, &plan, &cells, 4, error);
    if (status == SCRIM_OK) {
        sc_kept_lists_put(lists, &kept, NULL);
        sc_kept_lists_put(lists, &kept, turned);
        sc_kept_lists_finish(lists);
    }
    sc_kept_clear(&kept);
    sc_cells_clear(&cells);
    sc_cell_plan_clear(&plan);
    return status;
}

TEST(group_kept_lists_values_in_order)
{
    /* Group 0 has its own rows and those of group 3, and the other way round. */
    static const int64_t first[] = {-3, -3, 0, 5}, middle[] = {7, 7, 7, 7, 7, 7, 7, 7},
                         big[] = {300, 300};
    static const int64_t third[] = {-SC_GROUP_RANGE, -SC_GROUP_RANGE, 2, 2, 2, 2, 2, 2};
    sc_kept_lists lists = {0};
    scrim_error error;
    REQUIRE_OK(list_rows(&lists, &error));
    CHECK_INT(lists.starts[1], 4);
    CHECK_INT(lists.starts[2], 4);
    CHECK_INT(lists.starts[3], 14);
    CHECK_INT(lists.starts[4], 18);
    CHECK_BYTES(sc_kept_list(&lists, 0, 0), first, sizeof first);
    CHECK_BYTES(sc_kept_list(&lists, 3, 0), first, sizeof first);
    CHECK_BYTES(sc_kept_list(&lists, 2, 0), middle, sizeof middle);
    CHECK_BYTES(sc_kept_list(&lists, 2, 0) + 8, big, sizeof big);
    CHECK_BYTES(sc_kept_list(&lists, 2, 1), third, sizeof third);
    CHECK_INT(sc_kept_list(&lists, 2, 1)[9], SC_GROUP_RANGE);
    sc_kept_lists_clear(&lists);
}

TEST(group_kept_survives_failing_allocations)
{
    FAULT_LOOP(fault)
    {
        sc_kept_lists lists = {0};
        scrim_error error;
        const scrim_status status = list_rows(&lists, &error);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        sc_kept_lists_clear(&lists);
    }
}

/* Values of rows are gone from memory that is given back: when the notes grow, and when they end. */
TEST(group_kept_wipes_its_values)
{
    static const int64_t row[] = {0x5a17c3e94b20d681, 0x3d4f9be2760a15c8};
    masked secret;
    sc_kept kept = {0};
    masked_set(&secret, row);
    freed_watch(&secret);
    for (uint32_t i = 0; i < 100; i++)
        CHECK_STATUS(sc_kept_put(&kept, 2, i, 1, row, NULL), SCRIM_OK);
    CHECK(kept.capacity > 64);
    sc_kept_clear(&kept);
    CHECK_INT(freed_remains(), 0);
}
