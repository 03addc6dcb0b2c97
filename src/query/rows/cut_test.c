#include "check.h"
#include "query/rows/cut.h"
#include "query/rows/group.h"
#include "random/bits_tape.h"

#include <stdio.h>
#include <string.h>

/* A unit is in the last cell that it has enough rows for. */
static void check_cells(uint64_t total, bool has_totals)
{
    const sc_cut_plan plan = sc_cut_plan_of(SC_CUT_ROWS, has_totals, total);
    const uint64_t ends[] = {1, total, 4 * total, 16 * total};
    CHECK_INT(plan.count, has_totals ? 6 : 5);
    CHECK_INT(plan.from[0], 0);
    for (size_t i = 0; i < 4; i++) {
        const size_t first = plan.count - 4;
        CHECK(plan.from[first + i] == (i == 0 ? 1 : ends[i] + 1));
        CHECK_INT(sc_cut_cell(&plan, ends[i], i % 2 == 0),
                  i == 0 ? first : first + i - 1);
        CHECK_INT(sc_cut_cell(&plan, ends[i] + 1, false),
                  i == 0 && total > 1 ? first : first + (i == 0 ? 1 : i));
    }
    CHECK_INT(sc_cut_cell(&plan, 0, false), 0);
    CHECK_INT(sc_cut_cell(&plan, 0, true), has_totals ? 1 : 0);
    CHECK_INT(sc_cut_cell(&plan, UINT64_MAX, false), plan.count - 1);
}

TEST(cut_cells_hold_each_unit_once)
{
    CLAIM("cut.cells");
    check_cells(1, false);
    check_cells(60, false);
    check_cells(7, true);
    check_cells(1000000000, true);
    /* Products that do not fit are as large as can be. */
    const sc_cut_plan huge = sc_cut_plan_of(SC_CUT_ROWS, false, (uint64_t)1 << 62);
    CHECK(huge.from[4] == UINT64_MAX);
    CHECK_INT(sc_cut_cell(&huge, (uint64_t)1 << 61, false), 1);
    CHECK_INT(sc_cut_plan_of(SC_CUT_NOTHING, false, 9).count, 0);
}

/* Units. */

#define GROUPS 5
#define MOST 60

static const sc_value_key hash_key = {{3, 1, 4, 1, 5, 9, 2, 6, 5, 3}};

typedef struct people {
    char units[MOST][32], keys[MOST][32]; /* with room behind them */
    int64_t values[MOST];
    size_t count;
} people;

/* Rows in what groups stay, rows that stay, and whether a total beyond 20 is there. */
typedef struct found {
    uint64_t cut[SC_CUT_CELLS], rows;
    sc_int128 total;
} found;

static bool run(const people *p, const sc_bounds *bounds, sc_cut_kind kind, found *out)
{
    static const sc_text keys[GROUPS] = {
        {"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"e", 1}};
    const sc_group_value value = {
        .high = 9, .has_total = true, .total_high = 20, .is_cut = true};
    const sc_group_plan plan = {.has_units = true,
                                .bounds = *bounds,
                                .cut = sc_cut_plan_of(kind, true, 3),
                                .values = &value,
                                .value_count = 1,
                                .has_keys = true,
                                .keys = keys,
                                .key_count = GROUPS,
                                .hash_key = hash_key,
                                .workers = 1};
    sc_text units[MOST], own[MOST];
    uint64_t unit_hashes[MOST], key_hashes[MOST];
    const int64_t *values[] = {p->values};
    sc_tape *tape = NULL;
    sc_grouping *grouping = NULL;
    sc_groups groups;
    for (size_t i = 0; i < p->count; i++) {
        units[i] = sc_text_of(p->units[i]);
        own[i] = sc_text_of(p->keys[i]);
        unit_hashes[i] = sc_value_hash_plain(&hash_key, units[i]);
        key_hashes[i] = sc_value_hash_plain(&hash_key, own[i]);
    }
    const sc_group_rows rows = {.count = p->count,
                                .units = units,
                                .unit_hashes = unit_hashes,
                                .keys = own,
                                .key_hashes = key_hashes,
                                .values = values};
    *out = (found){.rows = 0};
    bool is_run =
        CHECK_STATUS(sc_tape_seeded(8, &tape, NULL), SCRIM_OK) &&
        CHECK_STATUS(sc_grouping_new(&plan, sc_tape_bits_of(tape), &grouping, NULL),
                     SCRIM_OK) &&
        CHECK_STATUS(sc_grouping_take(grouping, 0, &rows, NULL), SCRIM_OK) &&
        CHECK_STATUS(sc_grouping_finish(grouping, &groups, NULL), SCRIM_OK);
    if (is_run)
        sc_grouping_cut(grouping, out->cut);
    for (size_t i = 0; is_run && i < groups.count; i++) {
        out->rows += groups.groups[i].rows;
        out->total += groups.groups[i].totals[0];
    }
    sc_grouping_free(grouping);
    sc_tape_free(tape);
    return is_run;
}

static uint64_t next(uint64_t *seed, uint64_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (*seed >> 33) % below;
}

static void add_unit(people *p, unsigned unit, size_t rows, uint64_t *seed)
{
    for (size_t i = 0; i < rows && p->count < MOST; i++, p->count++) {
        memset(p->units[p->count], 0, sizeof p->units[p->count]);
        memset(p->keys[p->count], 0, sizeof p->keys[p->count]);
        snprintf(p->units[p->count], sizeof p->units[p->count], "u%u", unit);
        /* The last one is not listed. */
        p->keys[p->count][0] = (char)('a' + next(seed, GROUPS + 1));
        p->values[p->count] = (int64_t)next(seed, 10);
    }
}

/* One unit alone: as many rows are left out as are not there any more. */
TEST(cut_counts_the_rows_that_went)
{
    CLAIM("cut.own");
    uint64_t seed = check_seed();
    for (uint64_t turn = 0; turn < check_count(400, 20000); turn++) {
        const sc_bounds bounds =
            turn % 3 == 0 ? (sc_bounds){0, 0, 1 + next(&seed, 8)}
                          : (sc_bounds){1 + next(&seed, 5), 1 + next(&seed, 4),
                                        turn % 3 == 1 ? 0 : 1 + next(&seed, 8)};
        const sc_cut_plan cells = sc_cut_plan_of(SC_CUT_ROWS, false, 3);
        people p = {.count = 0};
        found got;
        uint64_t listed = 0, want[SC_CUT_CELLS] = {0};
        add_unit(&p, 1, next(&seed, 50), &seed);
        for (size_t i = 0; i < p.count; i++)
            listed += p.keys[i][0] < 'a' + GROUPS;
        if (!run(&p, &bounds, SC_CUT_ROWS, &got))
            return;
        /* Two of the plan's cells are for units that lost no row: with a clamped total and without. */
        const size_t cell = sc_cut_cell(&cells, listed - got.rows, false);
        if (listed > 0)
            want[cell == 0 ? 0 : cell + 1] = 1;
        if (cell == 0 && got.cut[1] == 1) {
            want[0] = 0;
            want[1] = 1;
        }
        CHECK(memcmp(want, got.cut, sizeof want) == 0);
    }
}

/* One unit more moves one cell by 1, whoever else is there. */
TEST(cut_of_a_unit_moves_one_cell)
{
    CLAIM("cut.own");
    uint64_t seed = check_seed() + 1;
    for (uint64_t turn = 0; turn < check_count(300, 20000); turn++) {
        const sc_bounds bounds = {1 + next(&seed, 3), 1 + next(&seed, 3), 0};
        const sc_cut_kind kind = turn % 2 == 0 ? SC_CUT_ROWS : SC_CUT_GROUPS;
        people p = {.count = 0};
        found with, without, alone;
        for (unsigned unit = 2; unit < 6; unit++)
            add_unit(&p, unit, next(&seed, 12), &seed);
        const size_t others = p.count;
        add_unit(&p, 1, 1 + next(&seed, 12), &seed);
        people own = {.count = p.count - others};
        memcpy(own.units, p.units + others, own.count * sizeof *own.units);
        memcpy(own.keys, p.keys + others, own.count * sizeof *own.keys);
        memcpy(own.values, p.values + others, own.count * sizeof *own.values);
        people rest = p;
        rest.count = others;
        if (!run(&p, &bounds, kind, &with) || !run(&rest, &bounds, kind, &without) ||
            !run(&own, &bounds, kind, &alone))
            return;
        uint64_t all = 0;
        for (size_t i = 0; i < SC_CUT_CELLS; i++) {
            CHECK(with.cut[i] == without.cut[i] + alone.cut[i]);
            all += alone.cut[i];
        }
        CHECK(all <= 1);
    }
}

/* Totals: all rows in groups that stay are in the sum, and a total beyond its bound is cut. */
TEST(cut_of_totals_is_by_groups_and_clamps)
{
    CLAIM("cut.cells");
    uint64_t seed = check_seed() + 2;
    uint64_t clamped = 0;
    for (uint64_t turn = 0; turn < check_count(300, 20000); turn++) {
        const sc_bounds bounds = {GROUPS, 1, 0};
        people p = {.count = 0};
        found got;
        sc_int128 sum = 0;
        add_unit(&p, 1, 1 + next(&seed, 12), &seed);
        uint64_t listed = 0;
        for (size_t i = 0; i < p.count; i++)
            if (p.keys[i][0] < 'a' + GROUPS) {
                sum += p.values[i];
                listed++;
            }
        if (!run(&p, &bounds, SC_CUT_GROUPS, &got))
            return;
        CHECK_INT(got.cut[0] + got.cut[1], listed > 0);
        CHECK_INT(got.cut[1], got.total != sum);
        clamped += got.cut[1];
    }
    CHECK(clamped > 0);
}
