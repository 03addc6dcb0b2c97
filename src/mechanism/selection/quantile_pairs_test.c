#include "check.h"
#include "mechanism/selection/quantile_law.h"

#include <string.h>

/* How often each point occurs, told as one number. */
static uint64_t table_number(const int64_t *rows, size_t count, int64_t low)
{
    uint64_t number = 0;
    for (size_t i = 0; i < count; i++)
        number += (uint64_t)1 << 5 * (rows[i] - low);
    return number;
}

static size_t count_rows(uint64_t number)
{
    size_t rows = 0;
    for (; number > 0; number >>= 5)
        rows += number & 31;
    return rows;
}

/* The rows by which two tables differ, counted twice where one is exchanged. */
static size_t distance(uint64_t a, uint64_t b)
{
    size_t rows = 0;
    for (int i = 0; i < 12; i++) {
        int64_t x = (int64_t)(a >> 5 * i & 31), y = (int64_t)(b >> 5 * i & 31);
        rows += (size_t)(x < y ? y - x : x - y);
    }
    return rows;
}

/* The family has `tables` tables of common rows, each with `neighbours` neighbours. */
static void check_family(const sc_quantile_family *f, size_t tables, size_t neighbours,
                         size_t apart)
{
    static uint64_t seen[SC_QUANTILE_PAIRS_MAX][2];
    const size_t pairs = tables * neighbours;
    size_t twice = 0, wrong = 0;
    CHECK_INT(sc_quantile_pair_count(f), pairs);
    for (size_t i = 0; i < pairs; i++) {
        sc_pair pair;
        sc_quantile_pair(f, i, &pair);
        uint64_t x = table_number(pair.x, pair.x_count, f->low);
        uint64_t y = table_number(pair.y, pair.y_count, f->low);
        wrong += count_rows(x) != pair.x_count || count_rows(y) != pair.y_count;
        wrong += distance(x, y) == 0 || distance(x, y) > apart;
        wrong += f->neighbours == SCRIM_REPLACE && pair.x_count != pair.y_count;
        wrong += pair.y_count > f->rows;
        seen[i][0] = x;
        seen[i][1] = y;
        /* Units of several rows may have one in common, and then their tables meet twice. */
        for (size_t j = f->unit > 1 ? i : i > 500 ? i - 500 : 0; j < i; j++)
            twice += seen[j][0] == x && seen[j][1] == y;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(twice, 0);
}

TEST(quantile_pairs_are_all_small_tables_with_all_neighbours)
{
    /* Tables of 0 to 4 common rows on 8 points: C(12, 8) = 495. */
    check_family(
        &(sc_quantile_family){
            .neighbours = SCRIM_ADD_REMOVE, .low = -3, .high = 4, .rows = 5, .unit = 1},
        495, 8, 1);
    check_family(
        &(sc_quantile_family){
            .neighbours = SCRIM_REPLACE, .low = -3, .high = 4, .rows = 5, .unit = 1},
        495, 28, 2);
    /* Units of two rows: 36 of them on 8 points, 630 pairs. */
    check_family(
        &(sc_quantile_family){
            .neighbours = SCRIM_REPLACE, .low = 0, .high = 7, .rows = 4, .unit = 2},
        1 + 8, 630, 4); /* 36 tables more would be too many */
    check_family(
        &(sc_quantile_family){
            .neighbours = SCRIM_ADD_REMOVE, .low = 0, .high = 1, .rows = 3, .unit = 1},
        1 + 2 + 3, 2, 1);
}

/* There are 18480 ordered neighbours of five rows on eight points; each is there once. */
TEST(quantile_pairs_hold_the_eighteen_thousand_of_the_specification)
{
    const sc_quantile_family f = {
        .neighbours = SCRIM_REPLACE, .low = 0, .high = 7, .rows = 5, .unit = 1};
    size_t full = 0;
    for (size_t i = 0; i < sc_quantile_pair_count(&f); i++) {
        sc_pair pair;
        sc_quantile_pair(&f, i, &pair);
        full += pair.x_count == 5;
    }
    CHECK_INT(full, 18480 / 2);
}

TEST(quantile_pairs_stand_on_few_points_of_a_wide_range)
{
    const int64_t far = (int64_t)1 << 62;
    const sc_quantile_family f = {
        .neighbours = SCRIM_ADD_REMOVE, .low = -far, .high = far, .rows = 3, .unit = 1};
    bool has_low = false, has_high = false;
    for (size_t i = 0; i < sc_quantile_pair_count(&f); i++) {
        sc_pair pair;
        sc_quantile_pair(&f, i, &pair);
        for (size_t j = 0; j < pair.y_count; j++) {
            CHECK(pair.y[j] >= -far && pair.y[j] <= far);
            has_low = has_low || pair.y[j] == -far;
            has_high = has_high || pair.y[j] == far;
        }
    }
    CHECK(has_low && has_high);
    /* A unit of many rows leaves few points, and still some pairs. */
    const sc_quantile_family many = {.neighbours = SCRIM_REPLACE,
                                     .low = 0,
                                     .high = 100,
                                     .rows = 33,
                                     .unit = SC_QUANTILE_UNIT_MAX};
    size_t pairs = sc_quantile_pair_count(&many);
    CHECK(pairs > 500 && pairs <= SC_QUANTILE_PAIRS_MAX);
    sc_pair pair;
    sc_quantile_pair(&many, pairs - 1, &pair);
    CHECK(pair.x_count == pair.y_count && pair.x_count <= 33);
}
