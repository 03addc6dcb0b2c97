#include "check.h"
#include "faults.h"
#include "query/rows/group_cells.h"

static const sc_group_value values[] = {
    {.low = -5, .high = 5, .centre = 1, .has_squares = true},
    {.low = 7, .high = 7, .centre = 7},
    {.low = -SC_GROUP_RANGE, .high = SC_GROUP_RANGE, .centre = SC_GROUP_RANGE},
    {.low = 0, .high = 65535, .centre = 0},
    {.low = 0, .high = 65536, .centre = 32768, .has_squares = true},
    {.low = -SC_GROUP_SQUARED,
     .high = SC_GROUP_SQUARED,
     .centre = 0,
     .has_squares = true},
};
#define VALUES COUNT(values)

/* Sums by the plain formula, of rows at the ends of their ranges and beyond them. */
TEST(group_cells_sum_exactly)
{
    static const int64_t xs[] = {INT64_MIN, -6, -5, -1, 0,     1,
                                 5,         6,  7,  8,  65536, INT64_MAX};
    static const uint64_t copies[] = {1, 3, UINT64_C(1) << 32};
    sc_int128 sums[VALUES] = {0}, squares[VALUES] = {0}, rows = 0;
    unsigned char packed[VALUES * 8];
    const int64_t *columns[VALUES];
    sc_cell_plan plan;
    sc_cells cells = {0}, all = {0};
    scrim_error error;
    REQUIRE_OK(sc_cell_plan_init(&plan, values, VALUES, &error));
    REQUIRE_OK(sc_cells_reserve(&cells, &plan, 1, &error));
    for (size_t j = 0; j < VALUES; j++)
        columns[j] = xs;
    for (size_t i = 0; i < COUNT(xs); i++) {
        const sc_unit_row row = {copies[i % 3], packed, 0, 0};
        sc_cell_pack(&plan, columns, i, 1, packed);
        sc_cells_add(&cells, &plan, &row);
        rows += copies[i % 3];
        for (size_t j = 0; j < VALUES; j++) {
            int64_t x = xs[i] < values[j].low ? values[j].low : xs[i];
            x = x > values[j].high ? values[j].high : x;
            const sc_int128 d = (sc_int128)x - values[j].centre;
            sums[j] += d * (sc_int128)copies[i % 3];
            squares[j] += values[j].has_squares ? d * d * (sc_int128)copies[i % 3] : 0;
        }
    }
    /* Twice the same, in another group, after growing. */
    REQUIRE_OK(sc_cells_reserve(&cells, &plan, 100, &error));
    REQUIRE_OK(sc_cells_reserve(&all, &plan, 5, &error));
    for (int turn = 0; turn < 2; turn++)
        sc_cells_merge(&all, 4, &cells, 0);
    CHECK(all.cells[4 * plan.stride + SC_CELL_ROWS] == (sc_uint128)(2 * rows));
    for (size_t j = 0; j < VALUES; j++) {
        CHECK_INT(sc_cells_sum(&cells, &plan, 0, j), sums[j]);
        CHECK_INT(sc_cells_squares(&cells, &plan, 0, j), squares[j]);
        CHECK_INT(sc_cells_sum(&all, &plan, 4, j), 2 * sums[j]);
        CHECK_INT(sc_cells_squares(&all, &plan, 4, j), 2 * squares[j]);
        CHECK_INT(sc_cells_sum(&cells, &plan, 99, j), 0);
    }
    sc_cells_clear(&all);
    sc_cells_clear(&cells);
    sc_cell_plan_clear(&plan);
}

/* A unit of two groups, in one call and row by row. */
static void check_unit(const sc_group_value *asked, size_t count)
{
    static const unsigned char contents[4][VALUES * 8] = {{1}, {2, 3}, {4}, {5, 0, 6}};
    const sc_unit_row rows[] = {{1, contents[0], 2, 0},
                                {UINT64_C(1) << 63, contents[1], 2, 0},
                                {3, contents[2], 0, 0},
                                {1, contents[0], 0, 0},
                                {UINT64_C(1) << 63, contents[3], 0, 0}};
    sc_cell_plan plan;
    sc_cells one = {0}, other = {0};
    scrim_error error;
    REQUIRE_OK(sc_cell_plan_init(&plan, asked, count, &error));
    REQUIRE_OK(sc_cells_reserve(&one, &plan, 3, &error));
    REQUIRE_OK(sc_cells_reserve(&other, &plan, 3, &error));
    for (size_t i = 0; i < COUNT(rows); i++)
        sc_cells_add(&other, &plan, &rows[i]);
    other.cells[SC_CELL_UNITS] = other.cells[2 * plan.stride + SC_CELL_UNITS] = 1;
    sc_cells_add_unit(&one, &plan, rows, COUNT(rows));
    CHECK(memcmp(one.cells, other.cells, 3 * plan.stride * sizeof *one.cells) == 0);
    sc_cells_clear(&one);
    sc_cells_clear(&other);
    sc_cell_plan_clear(&plan);
}

TEST(group_cells_of_a_unit_are_those_of_its_rows)
{
    check_unit(values, VALUES);
    for (size_t i = 0; i < VALUES; i++)
        check_unit(&values[i], 1);
    check_unit(NULL, 0);
}

TEST(group_cells_refuse_what_could_overflow)
{
    static const struct {
        sc_group_value value;
        scrim_status status;
    } cases[] = {
        {{.low = -SC_GROUP_RANGE, .high = SC_GROUP_RANGE, .centre = 0}, SCRIM_OK},
        {{.low = -SC_GROUP_RANGE - 1, .high = 0, .centre = 0}, SCRIM_E_LIMIT},
        {{.low = 0, .high = SC_GROUP_RANGE + 1, .centre = 0}, SCRIM_E_LIMIT},
        {{.low = 0, .high = SC_GROUP_SQUARED, .centre = 0, .has_squares = true},
         SCRIM_OK},
        {{.low = 0, .high = SC_GROUP_SQUARED + 1, .centre = 0, .has_squares = true},
         SCRIM_E_LIMIT},
        {{.low = -SC_GROUP_SQUARED - 1, .high = 0, .centre = 0, .has_squares = true},
         SCRIM_E_LIMIT},
        {{.low = 0, .high = 5, .centre = 6}, SCRIM_E_PARAM},
        {{.low = 0, .high = 5, .centre = -1}, SCRIM_E_PARAM},
        {{.low = 5, .high = 0, .centre = 3}, SCRIM_E_PARAM},
        {{.low = 0, .high = SC_GROUP_BARS - 1, .centre = 0, .bar_width = 1}, SCRIM_OK},
        {{.low = 0, .high = SC_GROUP_BARS, .centre = 0, .bar_width = 1}, SCRIM_E_LIMIT},
        {{.low = 0, .high = SC_GROUP_RANGE, .centre = 0, .bar_width = -1}, SCRIM_E_PARAM},
        {{.has_total = true, .total_high = SC_GROUP_RANGE}, SCRIM_OK},
        {{.has_total = true, .total_low = 1, .total_high = 2}, SCRIM_E_PARAM},
        {{.has_total = true, .total_low = -2, .total_high = -1}, SCRIM_E_PARAM},
        {{.has_total = true, .total_high = SC_GROUP_RANGE + 1}, SCRIM_E_LIMIT},
        {{.has_total = true, .total_low = -SC_GROUP_RANGE - 1}, SCRIM_E_LIMIT},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_cell_plan plan;
        scrim_error error;
        CHECK_STATUS(sc_cell_plan_init(&plan, &cases[i].value, 1, &error),
                     cases[i].status);
        sc_cell_plan_clear(&plan);
    }
}

/* X3: NULL is no 0 about a centre, and no lowest value. */
TEST(group_cells_pass_over_null)
{
    CLAIM("group-cells.null");
    static const sc_group_value nullable[] = {
        {.low = 90, .high = 100, .centre = 95, .has_squares = true, .is_nullable = true},
        {.low = -3, .high = 5, .centre = 0, .bar_width = 2, .is_nullable = true},
        {.low = 1, .high = 1, .centre = 1, .is_nullable = true},
        {.low = 0, .high = 9, .centre = 4, .is_nullable = false}};
    static const int64_t xs[] = {90, SC_NULL, 100, SC_NULL, 97},
                         ys[] = {SC_NULL, SC_NULL, SC_NULL, -3, 5},
                         ones[] = {1, 1, SC_NULL, SC_NULL, SC_NULL},
                         all[] = {0, 1, 2, 3, 9};
    static const int64_t *const columns[] = {xs, ys, ones, all};
    unsigned char packed[5 * 16];
    sc_cell_plan plan;
    sc_cells cells = {.cells = NULL};
    REQUIRE_OK(sc_cell_plan_init(&plan, nullable, COUNT(nullable), NULL));
    REQUIRE(plan.packed_bytes <= 16);
    REQUIRE_OK(sc_cells_reserve(&cells, &plan, 1, NULL));
    sc_cell_pack(&plan, columns, 0, 5, packed);
    for (size_t i = 0; i < 5; i++) {
        const sc_unit_row row = {i + 1, packed + i * plan.packed_bytes, 0, 0};
        sc_cells_add_unit(&cells, &plan, &row, 1);
        for (size_t j = 0; j < COUNT(nullable); j++)
            CHECK_INT(sc_cell_value_of(&plan.values[j], row.content), columns[j][i]);
        /* Bounding hashes what is packed. */
        for (size_t k = 0; k < i; k++)
            CHECK((memcmp(packed + i * plan.packed_bytes, packed + k * plan.packed_bytes,
                          1) == 0) == (xs[i] == xs[k]));
    }
    static const uint64_t present[] = {1 + 3 + 5, 4 + 5, 1 + 2, 15};
    for (size_t j = 0; j < COUNT(nullable); j++)
        CHECK_INT(sc_cells_present(&cells, &plan, 0, j), present[j]);
    CHECK_INT(sc_cells_sum(&cells, &plan, 0, 0), -5 + 3 * 5 + 5 * 2);
    CHECK_INT(sc_cells_squares(&cells, &plan, 0, 0), 25 + 3 * 25 + 5 * 4);
    CHECK_INT(sc_cells_sum(&cells, &plan, 0, 1), 4 * -3 + 5 * 5);
    CHECK_INT(sc_cells_sum(&cells, &plan, 0, 2), 0);
    CHECK_INT(sc_cells_sum(&cells, &plan, 0, 3), 0 + 2 + 6 + 12 + 45 - 4 * 15);
    sc_uint128 bars = 0;
    for (size_t i = 0; i < plan.values[1].grid.count; i++)
        bars += cells.cells[plan.values[1].bars + i];
    CHECK_INT((int64_t)bars, 4 + 5);
    sc_cells_clear(&cells);
    sc_cell_plan_clear(&plan);
}
