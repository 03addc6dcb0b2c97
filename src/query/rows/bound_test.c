#include "check.h"
#include "faults.h"
#include "laws.h"
#include "query/rows/bound.h"
#include "random/bits_tape.h"

#include <stdlib.h>
#include <string.h>

#define GROUPS 6
#define MOST 40

static const uint64_t tokens[GROUPS] = {11, 12, 13, 14, 15, 16};
/* Contents are single bytes. */
static const unsigned char bytes[256] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

static uint64_t word(sc_tape *tape)
{
    uint64_t out = 0;
    scrim_error error;
    CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &out, &error), SCRIM_OK);
    return out;
}

static sc_unit_row row_of(uint32_t group, unsigned content, uint64_t copies)
{
    return (sc_unit_row){copies, &bytes[content], group, 0};
}

/* How many rows stay, by group and content. */
typedef struct tally {
    uint64_t counts[GROUPS][16];
} tally;

static tally tally_of(const sc_unit_row *rows, size_t count)
{
    tally all = {{{0}}};
    for (size_t i = 0; i < count; i++) {
        CHECK(rows[i].copies > 0);
        all.counts[rows[i].group][*rows[i].content] += rows[i].copies;
    }
    return all;
}

static bool tally_equal(const tally *a, const tally *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static void shuffle(sc_unit_row *rows, size_t count, sc_tape *tape)
{
    for (size_t i = count; i > 1; i--) {
        const size_t j = word(tape) % i;
        const sc_unit_row moved = rows[i - 1];
        rows[i - 1] = rows[j];
        rows[j] = moved;
    }
}

static tally bounded(sc_bound *bound, sc_bound_stage stage, uint64_t unit,
                     sc_unit_row *rows, size_t *count)
{
    scrim_error error;
    size_t kept = 0;
    CHECK_STATUS(sc_bound_unit(bound, stage, unit, tokens, rows, *count, &kept, &error),
                 SCRIM_OK);
    *count = kept;
    return tally_of(rows, kept);
}

/* Rows of a unit, some of them alike. */
static size_t random_rows(sc_unit_row *rows, sc_tape *tape)
{
    const size_t count = word(tape) % MOST;
    for (size_t i = 0; i < count; i++)
        rows[i] = row_of((uint32_t)(word(tape) % GROUPS), word(tape) % 4,
                         word(tape) % 4 == 0 ? 3 : 1);
    return count;
}

static bool make_of(sc_bound *bound, sc_tape *tape, const sc_bounds *bounds)
{
    scrim_error error;
    sc_bound_keys keys = {{0, 0}, {0, 0}};
    CHECK_STATUS(sc_bound_keys_draw(&keys, sc_tape_bits_of(tape), &error), SCRIM_OK);
    return CHECK_STATUS(sc_bound_init(bound, &keys, bounds, 1, &error), SCRIM_OK);
}

static bool make(sc_bound *bound, sc_tape *tape, uint64_t max_groups, uint64_t max_rows)
{
    return make_of(bound, tape, &(sc_bounds){max_groups, max_rows, 0});
}

/* Bounds of all kinds; some are left out. */
static sc_bounds bounds_of(uint64_t turn)
{
    const sc_bounds all = {turn % 5, turn / 5 % 6, turn / 30 % 12};
    return sc_bounds_are_whole(&all) ? all : (sc_bounds){all.groups, all.rows, 7};
}

static void check_limits(const sc_bound *bound, const tally *before, const tally *after)
{
    uint64_t groups_before = 0, groups = 0, wrong = 0;
    for (size_t g = 0; g < GROUPS; g++) {
        uint64_t rows_before = 0, rows = 0;
        for (size_t c = 0; c < 16; c++) {
            rows_before += before->counts[g][c];
            rows += after->counts[g][c];
            wrong += after->counts[g][c] > before->counts[g][c];
        }
        groups_before += rows_before > 0;
        groups += rows > 0;
        const uint64_t most =
            rows_before < bound->max_rows ? rows_before : bound->max_rows;
        wrong += rows > 0 && rows != most;
    }
    CHECK_INT(wrong, 0);
    CHECK_INT(groups,
              groups_before < bound->max_groups ? groups_before : bound->max_groups);
}

/* The rows of each group are. */
static void check_side_by_side(const sc_unit_row *rows, size_t count)
{
    bool is_over[GROUPS] = {false};
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && rows[i - 1].group != rows[i].group)
            is_over[rows[i - 1].group] = true;
        CHECK(!is_over[rows[i].group]);
    }
}

TEST(bound_keeps_what_the_unit_alone_decides)
{
    CLAIM("bound.own-rows");
    CLAIM("bound.limits");
    sc_tape *tape = NULL;
    scrim_error error;
    sc_unit_row rows[MOST], again[3 * MOST];
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, &error));
    for (uint64_t turn = 0; turn < check_count(400, 100000); turn++) {
        sc_bound bound;
        if (!make(&bound, tape, 1 + turn % 4, 1 + turn / 4 % 5))
            break;
        size_t count = random_rows(rows, tape), copies = 0;
        for (size_t i = 0; i < count; i++)
            for (uint64_t j = 0; j < rows[i].copies; j++)
                again[copies++] = row_of(rows[i].group, *rows[i].content, 1);
        shuffle(again, copies, tape);
        const tally before = tally_of(rows, count);
        const tally one = bounded(&bound, SC_BOUND_FINAL, turn, rows, &count),
                    other = bounded(&bound, SC_BOUND_FINAL, turn, again, &copies);
        CHECK(tally_equal(&one, &other));
        check_limits(&bound, &before, &one);
        check_side_by_side(rows, count);
        sc_bound_clear(&bound);
    }
    sc_tape_free(tape);
}

/* All copies of the rows of some groups, with what decides which of them stay. */
typedef struct ranked {
    uint64_t priority;
    uint32_t group;
    unsigned content;
} ranked;

static int by_priority(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    return (a->priority > b->priority) - (a->priority < b->priority);
}

/* The same one row after another: those of the smallest priorities, as long as group and total have room. */
static tally chosen_plainly(const sc_bound *bound, uint64_t unit, const tally *before,
                            const tally *groups)
{
    static ranked all[4 * MOST];
    tally kept = {{{0}}};
    uint64_t in_group[GROUPS] = {0}, total = 0;
    size_t count = 0;
    for (uint32_t g = 0; g < GROUPS; g++)
        for (unsigned c = 0; c < 16; c++)
            for (uint64_t j = 0; groups->counts[g][c] > 0 && j < before->counts[g][c];
                 j++) {
                const sc_unit_row row = row_of(g, c, 1);
                all[count++] =
                    (ranked){sc_bound_priority(bound, unit, tokens[g], &row, j), g, c};
            }
    qsort(all, count, sizeof *all, by_priority);
    for (size_t i = 0; i < count && total < bound->max_total; i++)
        if (in_group[all[i].group] < bound->max_rows) {
            in_group[all[i].group]++;
            kept.counts[all[i].group][all[i].content]++;
            total++;
        }
    return kept;
}

/* Groups are chosen as without a total, and then the rows that come first in all of them. */
TEST(bound_of_a_total_keeps_the_smallest_of_all)
{
    CLAIM("bound.limits");
    CLAIM("bound.own-rows");
    sc_tape *tape = NULL;
    scrim_error error;
    sc_unit_row rows[MOST], again[4 * MOST], grouped[MOST];
    uint64_t cut = 0;
    REQUIRE_OK(sc_tape_seeded(check_seed() + 9, &tape, &error));
    for (uint64_t turn = 0; turn < check_count(800, 100000); turn++) {
        sc_bound bound, without;
        const sc_bounds bounds = bounds_of(turn),
                        loose = {bounds.groups, (uint64_t)MOST * 4, 0};
        if (!make_of(&bound, tape, &bounds))
            break;
        CHECK_STATUS(sc_bound_init(&without, &bound.keys, &loose, 1, &error), SCRIM_OK);
        size_t count = random_rows(rows, tape), copies = 0, all = count;
        for (size_t i = 0; i < count; i++)
            for (uint64_t j = 0; j < rows[i].copies; j++)
                again[copies++] = row_of(rows[i].group, *rows[i].content, 1);
        shuffle(again, copies, tape);
        if (count > 0)
            memcpy(grouped, rows, count * sizeof *rows);
        const tally before = tally_of(rows, count),
                    groups = bounded(&without, SC_BOUND_FINAL, turn, grouped, &all),
                    want = chosen_plainly(&bound, turn, &before, &groups),
                    one = bounded(&bound, SC_BOUND_FINAL, turn, rows, &count),
                    other = bounded(&bound, SC_BOUND_FINAL, turn, again, &copies);
        /* Which copies of a row stay in a group does not matter where there is no total. */
        if (bounds.total > 0)
            CHECK(tally_equal(&want, &one));
        CHECK(tally_equal(&one, &other));
        check_side_by_side(rows, count);
        cut += !tally_equal(&one, &groups);
        sc_bound_clear(&without);
        sc_bound_clear(&bound);
    }
    CHECK(cut > 0);
    sc_tape_free(tape);
}

/* Three of four rows in two groups, without other bounds: each of the four is left out as often. */
TEST(bound_of_a_total_chooses_uniformly)
{
    CLAIM("bound.uniform");
    sc_tape *tape = NULL;
    scrim_error error;
    uint64_t left[4] = {0};
    REQUIRE_OK(sc_tape_seeded(check_seed() + 11, &tape, &error));
    for (uint64_t turn = 0; turn < check_count(20000, 400000); turn++) {
        sc_bound bound;
        sc_unit_row rows[] = {row_of(1, 5, 2), row_of(3, 1, 1), row_of(3, 2, 1)};
        size_t count = COUNT(rows);
        if (!make_of(&bound, tape, &(sc_bounds){.total = 3}))
            break;
        const tally kept = bounded(&bound, SC_BOUND_FINAL, 5, rows, &count);
        left[kept.counts[1][5] == 1 ? turn % 2 : kept.counts[3][1] == 0 ? 2 : 3]++;
        sc_bound_clear(&bound);
    }
    sc_tape_free(tape);
    const double even[4] = {.25, .25, .25, .25};
    CHECK(laws_chi_square(left, even, COUNT(even)) > LAWS_FALSE_ALARM);
}

/* A row that stands for several, alone or beside others: no more of it stay than a group may have. */
TEST(A104_bound_of_copies_is_kept_for_few_rows)
{
    CLAIM("bound.limits");
    sc_tape *tape = NULL;
    scrim_error error;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, &error));
    for (uint64_t turn = 0; turn < (uint64_t)3 * 5 * 8; turn++) {
        const uint64_t groups = 1 + turn % 3, most = 1 + turn / 3 % 5,
                       copies = 1 + turn / 15;
        sc_unit_row rows[3];
        sc_bound bound;
        if (!make(&bound, tape, groups, most))
            break;
        for (uint32_t g = 0; g < groups; g++)
            rows[g] = row_of(g, g, copies);
        size_t count = (size_t)groups;
        const tally before = tally_of(rows, count);
        const tally after = bounded(&bound, SC_BOUND_FINAL, turn, rows, &count);
        check_limits(&bound, &before, &after);
        sc_bound_clear(&bound);
    }
    sc_tape_free(tape);
}

TEST(bound_of_parts_is_bound_of_all)
{
    CLAIM("bound.in-parts");
    CLAIM("bound.counted");
    sc_tape *tape = NULL;
    scrim_error error;
    sc_unit_row rows[MOST], parts[MOST];
    uint64_t shorter = 0;
    REQUIRE_OK(sc_tape_seeded(check_seed() + 1, &tape, &error));
    for (uint64_t turn = 0; turn < check_count(400, 100000); turn++) {
        sc_bound bound;
        const sc_bounds bounds = bounds_of(turn);
        if (!make_of(&bound, tape, &bounds))
            break;
        size_t count = random_rows(rows, tape), some = count / 2, rest = count - some;
        if (count > 0)
            memcpy(parts, rows, count * sizeof *rows);
        const size_t before = some;
        const uint64_t copies = sc_bound_copies(parts, some);
        bound.keeps_count = turn / 3 % 2 == 0;
        bounded(&bound, SC_BOUND_EARLY, turn, parts, &some);
        if (bound.keeps_count)
            CHECK(sc_bound_copies(parts, some) == copies);
        shorter += some < before;
        if (rest > 0)
            memmove(parts + some, rows + before, rest * sizeof *rows);
        some += rest;
        const tally whole = bounded(&bound, SC_BOUND_FINAL, turn, rows, &count),
                    joined = bounded(&bound, SC_BOUND_FINAL, turn, parts, &some);
        CHECK(tally_equal(&whole, &joined));
        sc_bound_clear(&bound);
    }
    CHECK(shorter > 0);
    sc_tape_free(tape);
}

/* Groups first, with all their rows, and then the rows. */
TEST(bound_of_groups_keeps_their_rows)
{
    CLAIM("bound.in-parts");
    sc_tape *tape = NULL;
    scrim_error error;
    sc_unit_row rows[MOST], whole[MOST];
    uint64_t more = 0;
    REQUIRE_OK(sc_tape_seeded(check_seed() + 7, &tape, &error));
    for (uint64_t turn = 0; turn < check_count(400, 100000); turn++) {
        sc_bound bound;
        const sc_bounds bounds = bounds_of(turn);
        if (!make_of(&bound, tape, &bounds))
            break;
        size_t count = random_rows(rows, tape), all = count;
        if (count > 0)
            memcpy(whole, rows, count * sizeof *rows);
        const tally before = tally_of(rows, count),
                    want = bounded(&bound, SC_BOUND_FINAL, turn, whole, &all),
                    groups = bounded(&bound, SC_BOUND_GROUPS, turn, rows, &count);
        check_side_by_side(rows, count);
        for (size_t g = 0; g < GROUPS; g++) {
            uint64_t stays = 0;
            for (size_t c = 0; c < 16; c++)
                stays += want.counts[g][c];
            for (size_t c = 0; c < 16; c++)
                CHECK_INT(groups.counts[g][c], stays > 0 ? before.counts[g][c] : 0);
        }
        more += !tally_equal(&groups, &want);
        const tally joined = bounded(&bound, SC_BOUND_FINAL, turn, rows, &count);
        CHECK(tally_equal(&want, &joined));
        sc_bound_clear(&bound);
    }
    CHECK(more > 0);
    sc_tape_free(tape);
}

/* One of six groups, and two of five rows of which two are alike: each of the 10 sets is equally
 * likely, and so is each group, for two units independently. */
TEST(bound_chooses_uniformly)
{
    CLAIM("bound.uniform");
    sc_tape *tape = NULL;
    scrim_error error;
    uint64_t groups[GROUPS * GROUPS] = {0}, pairs[7] = {0};
    const uint64_t turns = check_count(40000, 1000000);
    REQUIRE_OK(sc_tape_seeded(check_seed() + 2, &tape, &error));
    for (uint64_t turn = 0; turn < turns; turn++) {
        sc_bound bound;
        uint32_t stayed[2];
        if (!make(&bound, tape, 1, 2))
            break;
        for (uint64_t unit = 0; unit < 2; unit++) {
            sc_unit_row rows[GROUPS];
            size_t count = GROUPS;
            for (uint32_t i = 0; i < GROUPS; i++)
                rows[i] = row_of(i, 0, 1);
            bounded(&bound, SC_BOUND_FINAL, unit, rows, &count);
            stayed[unit] = rows[0].group;
        }
        groups[stayed[0] * GROUPS + stayed[1]]++;
        sc_unit_row rows[] = {row_of(2, 0, 1), row_of(2, 1, 1), row_of(2, 3, 2),
                              row_of(2, 2, 1)};
        size_t count = COUNT(rows);
        const tally kept = bounded(&bound, SC_BOUND_FINAL, 5, rows, &count);
        const uint64_t *c = kept.counts[2];
        pairs[c[3] == 2          ? 6
              : c[0] + c[1] == 2 ? 0
              : c[0] + c[2] == 2 ? 1
              : c[1] + c[2] == 2 ? 2
              : c[0] == 1        ? 3
              : c[1] == 1        ? 4
                                 : 5]++;
        sc_bound_clear(&bound);
    }
    sc_tape_free(tape);
    double even[GROUPS * GROUPS], chances[7] = {.1, .1, .1, .2, .2, .2, .1};
    for (size_t i = 0; i < COUNT(even); i++)
        even[i] = 1. / (GROUPS * GROUPS);
    CHECK(laws_chi_square(groups, even, COUNT(even)) > LAWS_FALSE_ALARM);
    CHECK(laws_chi_square(pairs, chances, COUNT(chances)) > LAWS_FALSE_ALARM);
}

TEST(bound_survives_failing_allocations)
{
    FAULT_LOOP(fault)
    {
        static const sc_bound_keys keys = {{1, 2}, {3, 4}};
        sc_bound bound;
        scrim_error error;
        sc_unit_row rows[MOST];
        size_t kept = 0;
        for (uint32_t i = 0; i < MOST; i++)
            rows[i] = row_of(i % GROUPS, i % 7, 1);
        scrim_status status =
            sc_bound_init(&bound, &keys, &(sc_bounds){4, 3, 5}, 1, &error);
        if (status == SCRIM_OK)
            status = sc_bound_unit(&bound, SC_BOUND_FINAL, 1, tokens, rows, MOST, &kept,
                                   &error);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        sc_bound_clear(&bound);
    }
}
