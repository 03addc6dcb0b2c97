/* COUNT(DISTINCT x): the size of the union of what bounds leave of each unit.
 *
 * Each of these faults makes a test here fail: the reach of one group where a unit moves several; NULL as a value; a value counted
 * for each unit that has it; rows that are alike taking places of their own; what one unit has deciding what stays of another. */
#include "base/number/own.h"
#include "check.h"
#include "query/rows/group.h"
#include "query/rows/group_kept.h"
#include "query/rows/group_parts.h"
#include "query/rows/sensitivity.h"
#include "query/rows/unit_rows.h"
#include "random/bits_tape.h"
#include "system_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PEOPLE = 7, GROUPS = 3, VALUES = 9, PAIRS = 27, BATCH = 512 };

static sc_value_key hash_key;

static void make_key(void)
{
    for (size_t i = 0; i < COUNT(hash_key.words); i++)
        hash_key.words[i] = UINT64_C(0x9e3779b97f4a7c15) * (i + 1);
}

/* One row: who, in which group, with which value, or with NULL. */
typedef struct row {
    unsigned who, group;
    int64_t value;
} row;

typedef struct setting {
    sc_bounds bounds;
    uint64_t seed;
    unsigned workers;
    bool is_found; /* keys are discovered, */
    size_t held;   /* held at a time; 0: every key */
    bool is_beside;
    size_t memory_bytes;
    bool has_cut;
} setting;

/* By group. */
typedef struct outcome {
    uint64_t different[GROUPS], rows[GROUPS], cut[SC_CUT_CELLS];
    unsigned sets[GROUPS]; /* bit v: the value v is kept */
} outcome;

/* "u17": with room behind it that can be read. */
static sc_text write_name(char *name, char letter, unsigned number)
{
    snprintf(name, 32, "%c%u", letter, number);
    return (sc_text){name, strlen(name)};
}

static void put_rows(sc_grouping *grouping, const setting *s, const row *rows,
                     size_t count)
{
    static sc_text units[BATCH], keys[BATCH];
    static uint64_t unit_hashes[BATCH], key_hashes[BATCH];
    static int64_t values[BATCH];
    static char names[2 * BATCH][32];
    const int64_t *columns[] = {values};
    for (size_t from = 0, some, turn = 0; from < count; from += some, turn++) {
        some = count - from < BATCH / 2 ? count - from : BATCH / 2;
        for (size_t i = 0; i < some; i++) {
            units[i] = write_name(names[2 * i], 'u', rows[from + i].who);
            keys[i] = write_name(names[2 * i + 1], 'k', rows[from + i].group);
            unit_hashes[i] = sc_value_hash_plain(&hash_key, units[i]);
            key_hashes[i] = sc_value_hash_plain(&hash_key, keys[i]);
            values[i] = rows[from + i].value;
        }
        const sc_group_rows block = {some, NULL,       units,  unit_hashes,
                                     keys, key_hashes, columns};
        CHECK_STATUS(
            sc_grouping_take(grouping, (unsigned)(turn % s->workers), &block, NULL),
            SCRIM_OK);
    }
}

static void read_groups(const sc_groups *groups, outcome *out)
{
    for (size_t i = 0; i < groups->count; i++) {
        const sc_group *g = &groups->groups[i];
        const size_t at = (size_t)(g->key.start[1] - '0');
        const size_t present = g->rows == 0 ? 0 : (size_t)g->present[0];
        if (!CHECK(at < GROUPS))
            return;
        out->rows[at] = g->rows;
        out->different[at] = present == 0 ? 0 : sc_kept_different(g->lists[0], present);
        for (size_t k = 0; k < present; k++)
            out->sets[at] |= 1u << g->lists[0][k];
    }
}

static void run(const setting *s, const row *rows, size_t count, outcome *out)
{
    static const sc_group_value value = {
        .low = 0, .high = VALUES - 1, .is_nullable = true, .has_list = true};
    char names[GROUPS][32];
    sc_text keys[GROUPS];
    make_key();
    for (unsigned i = 0; i < GROUPS; i++)
        keys[i] = write_name(names[i], 'k', i);
    const sc_group_plan plan = {
        .has_units = true,
        .bounds = s->bounds,
        .are_distinct = !s->is_beside,
        .cut = sc_cut_plan_of(s->has_cut ? SC_CUT_ROWS : SC_CUT_NOTHING, false, 1),
        .values = &value,
        .value_count = 1,
        .has_keys = !s->is_found,
        .keys = keys,
        .key_count = s->is_found ? 0 : GROUPS,
        .hash_key = hash_key,
        .workers = s->workers,
        .held_keys = s->held,
        .held_bytes = 64 * s->held,
        .memory_bytes = s->memory_bytes};
    sc_tape *tape = NULL;
    sc_grouping *grouping = NULL;
    sc_groups groups = {NULL, 0};
    *out = (outcome){.sets = {0}};
    REQUIRE_OK(sc_tape_seeded(s->seed, &tape, NULL));
    REQUIRE_OK(sc_grouping_new(&plan, sc_tape_bits_of(tape), &grouping, NULL));
    put_rows(grouping, s, rows, count);
    if (CHECK_STATUS(sc_grouping_finish(grouping, &groups, NULL), SCRIM_OK))
        read_groups(&groups, out);
    for (size_t part = 0; part < sc_grouping_parts(grouping); part++)
        if (CHECK_STATUS(sc_grouping_part(grouping, part, &groups, NULL), SCRIM_OK))
            read_groups(&groups, out);
    sc_grouping_cut(grouping, out->cut);
    sc_grouping_free(grouping);
    sc_tape_free(tape);
}

/* Graphs: a person has a set of pairs of a group and a value, each pair in two rows. */
typedef struct graph {
    unsigned people, groups, values, sets; /* sets: 2 to the number of pairs */
} graph;

static void put_set(const graph *g, unsigned who, unsigned set, row *rows, size_t *count)
{
    for (unsigned pair = 0; pair < g->groups * g->values; pair++)
        for (unsigned twice = 0; twice < 2 && (set >> pair & 1) != 0; twice++)
            rows[(*count)++] = (row){who, pair / g->values, pair % g->values};
}

static unsigned joined(const graph *g, const outcome *o)
{
    unsigned all = 0;
    for (unsigned k = 0; k < g->groups; k++)
        all |= o->sets[k] << k * g->values;
    return all;
}

/* How far two unions are apart: the sum of what each group moves, and of its squares. */
typedef struct distance {
    int64_t l1, squares, largest;
} distance;

static void compare(const graph *g, unsigned a, unsigned b, distance *most)
{
    distance far = {0, 0, 0};
    for (unsigned k = 0; k < g->groups; k++) {
        const unsigned mask = ((1u << g->values) - 1) << k * g->values;
        const int64_t moved =
            llabs((long long)__builtin_popcount(a & mask) - __builtin_popcount(b & mask));
        far.l1 += moved;
        far.squares += moved * moved;
        far.largest = moved > far.largest ? moved : far.largest;
    }
    most->l1 = far.l1 > most->l1 ? far.l1 : most->l1;
    most->squares = far.squares > most->squares ? far.squares : most->squares;
    most->largest = far.largest > most->largest ? far.largest : most->largest;
}

/* All that others may cover, each once. */
static size_t list_covers(const graph *g, unsigned (*kept)[1 << 6], unsigned *covers)
{
    static bool is_there[1 << 6];
    size_t count = 0;
    memset(is_there, 0, sizeof is_there);
    is_there[0] = true;
    for (unsigned who = 1; who < g->people; who++) {
        bool before[1 << 6];
        memcpy(before, is_there, sizeof before);
        for (unsigned cover = 0; cover < g->sets; cover++)
            for (unsigned set = 0; set < g->sets && before[cover]; set++)
                is_there[cover | kept[who][set]] = true;
    }
    for (unsigned cover = 0; cover < g->sets; cover++)
        if (is_there[cover])
            covers[count++] = cover;
    return count;
}

/* The first person comes, goes or is another, among all that the others may have. */
static distance farthest(const graph *g, unsigned (*kept)[1 << 6], bool is_replace)
{
    static unsigned covers[1 << 6];
    const size_t count = list_covers(g, kept, covers);
    distance most = {0, 0, 0};
    for (size_t i = 0; i < count; i++)
        for (unsigned a = 0; a < g->sets; a++)
            for (unsigned b = 0; b < (is_replace ? g->sets : 1); b++)
                compare(g, covers[i] | kept[0][a], covers[i] | kept[0][b], &most);
    return most;
}

/* Asks each person alone: some of their values stay. */
static void keep_alone(const graph *g, const setting *s, unsigned (*kept)[1 << 6])
{
    row rows[2 * PAIRS];
    outcome out;
    for (unsigned who = 0; who < g->people; who++)
        for (unsigned set = 0; set < g->sets; set++) {
            size_t count = 0;
            put_set(g, who, set, rows, &count);
            run(s, rows, count, &out);
            kept[who][set] = joined(g, &out);
            CHECK_INT(kept[who][set] & ~set, 0);
        }
}

/* With all people together it is their union: what others have changes nothing. */
static void check_together(const graph *g, const setting *s, unsigned (*kept)[1 << 6])
{
    row rows[2 * PAIRS * PEOPLE];
    for (unsigned i = 0; i < 40; i++) {
        outcome out;
        unsigned all = 0;
        size_t count = 0;
        for (unsigned who = 0; who < g->people; who++) {
            const unsigned set = (i * 37 + 11) * (who * 29 + 5) % g->sets;
            put_set(g, who, set, rows, &count);
            all |= kept[who][set];
        }
        run(s, rows, count, &out);
        CHECK_INT(joined(g, &out), all);
    }
}

static void check_reach(const graph *g, const setting *s, unsigned (*kept)[1 << 6],
                        scrim_neighbours neighbours)
{
    const sc_group_statistic values = {.kind = SC_STATISTIC_VALUES};
    const sc_reach reach = {neighbours, s->bounds, g->groups};
    const distance far = farthest(g, kept, neighbours == SCRIM_REPLACE);
    SC_OWN(sc_norms, norms);
    SC_OWN(sc_ratio, squared, one);
    sc_sensitivity_of(&values, NULL, &reach, &norms);
    if (!CHECK(sc_ratio_compare_int64(&norms.l1, far.l1) == 0))
        CHECK_FAIL("K %u G %d R %d T %d: moved by %d", g->groups, (int)s->bounds.groups,
                   (int)s->bounds.rows, (int)s->bounds.total, (int)far.l1);
    CHECK(sc_ratio_compare_int64(&norms.largest, far.largest) == 0);
    sc_ratio_mul(&squared, &norms.l2, &norms.l2);
    CHECK(sc_ratio_compare_int64(&squared, far.squares) >= 0);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_sub(&squared, &squared, &one);
    CHECK(sc_ratio_compare_int64(&squared, far.squares) < 0);
}

/* All graphs of 3 people and 4 values in one group, of 2 people and 3 values in each of two. */
TEST(different_values_of_neighbours_move_by_what_is_charged)
{
    CLAIM("statistic.values");
    CLAIM("group.distinct");
    CLAIM("sensitivity.bound");
    CLAIM("sensitivity.tight");
    static const graph graphs[] = {{3, 1, 4, 1 << 4}, {2, 2, 3, 1 << 6}};
    static const sc_bounds bounds[][7] = {
        {{1, 1, 0}, {1, 2, 0}, {0, 0, 1}, {0, 0, 2}, {1, 2, 1}},
        {{1, 1, 0}, {2, 1, 0}, {1, 2, 0}, {2, 2, 0}, {2, 2, 3}, {0, 0, 2}, {0, 2, 3}}};
    static unsigned kept[3][1 << 6];
    for (size_t i = 0; i < COUNT(graphs); i++)
        for (size_t b = 0;
             b < COUNT(bounds[i]) && bounds[i][b].rows + bounds[i][b].total > 0; b++) {
            const setting s = {.bounds = bounds[i][b], .seed = 1 + b, .workers = 1};
            keep_alone(&graphs[i], &s, kept);
            check_together(&graphs[i], &s, kept);
            check_reach(&graphs[i], &s, kept, SCRIM_ADD_REMOVE);
            check_reach(&graphs[i], &s, kept, SCRIM_REPLACE);
        }
}

/* The trap: people in this order, each takes the value that fewest people have, if it is not taken; ties go to the smaller. */
static const unsigned trap[PEOPLE] = {1 << 5 | 1 << 7,
                                      1 << 1 | 1 << 2,
                                      1 | 1 << 6 | 1 << 7 | 1 << 8,
                                      1 << 2 | 1 << 5 | 1 << 8,
                                      1 << 8,
                                      1 | 1 << 2 | 1 << 5,
                                      1 | 1 << 7};

static unsigned owners_of(unsigned value, unsigned without)
{
    unsigned count = 0;
    for (unsigned who = 0; who < PEOPLE; who++)
        count += who != without && (trap[who] >> value & 1) != 0;
    return count;
}

static int covered_by_rarity(unsigned without)
{
    unsigned covered = 0;
    for (unsigned who = 0; who < PEOPLE; who++) {
        unsigned best = VALUES;
        for (unsigned v = 0; v < VALUES && who != without; v++)
            if ((trap[who] & ~covered) >> v & 1 &&
                (best == VALUES || owners_of(v, without) < owners_of(best, without)))
                best = v;
        covered |= best < VALUES ? 1u << best : 0;
    }
    return __builtin_popcount(covered);
}

/* X25 of spec/query-semantics.md. */
TEST(different_values_do_not_depend_on_how_rare_they_are)
{
    CLAIM("statistic.values");
    static const graph g = {PEOPLE, 1, VALUES, 1 << VALUES};
    row rows[2 * PAIRS * PEOPLE];
    CHECK_INT(covered_by_rarity(PEOPLE), 7);
    CHECK_INT(covered_by_rarity(2), 4);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        const setting s = {.bounds = {1, 1, 0}, .seed = seed, .workers = 1};
        uint64_t with = 0;
        for (unsigned without = PEOPLE + 1; without-- > 0;) {
            outcome out;
            size_t count = 0;
            for (unsigned who = 0; who < PEOPLE; who++)
                if (who != without)
                    put_set(&g, who, trap[who], rows, &count);
            run(&s, rows, count, &out);
            with = without == PEOPLE ? out.different[0] : with;
            CHECK(out.different[0] <= with && with <= out.different[0] + 1);
        }
    }
}

/* Rows of many people, some without a value, many alike. */
enum { MANY = 70000, FEW = 60 };

static void make_rows(row rows[MANY])
{
    for (unsigned i = 0; i < MANY; i++) {
        const unsigned x = (i * 2654435761u) >> 7;
        rows[i] = (row){x % 20011, x / 97 % GROUPS, x / 400 % (VALUES + 3)};
        if (rows[i].value >= VALUES)
            rows[i].value = SC_NULL;
    }
}

/* Without bounds that bind: each value once, and no NULL, by a plain loop. */
TEST(different_values_are_counted_as_sets_are)
{
    CLAIM("statistic.values");
    static row rows[MANY];
    unsigned sets[GROUPS] = {0};
    make_rows(rows);
    for (size_t i = 0; i < FEW; i++)
        if (rows[i].value != SC_NULL)
            sets[rows[i].group] |= 1u << rows[i].value;
    for (int way = 0; way < 4; way++) {
        const setting s = {.bounds = {GROUPS, MANY, 0},
                           .seed = 3,
                           .workers = 1,
                           .is_found = way % 2 == 1,
                           .is_beside = way > 1};
        outcome out;
        run(&s, rows, FEW, &out);
        for (unsigned k = 0; k < GROUPS; k++) {
            CHECK_INT(out.different[k], __builtin_popcount(sets[k]));
            CHECK_INT(out.sets[k], sets[k]);
        }
    }
}

/* A person with 30 rows of one value has a place for another: R is of different values. */
TEST(different_values_leave_rows_that_are_alike_no_places)
{
    CLAIM("group.distinct");
    row rows[50];
    size_t count = 0;
    outcome alone, beside;
    for (unsigned i = 0; i < 30; i++)
        rows[count++] = (row){1, 0, 4};
    rows[count++] = (row){1, 0, 7};
    for (unsigned i = 0; i < 15; i++)
        rows[count++] = (row){1, 0, SC_NULL};
    unsigned fewer = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        setting s = {.bounds = {1, 2, 0}, .seed = seed, .workers = 1, .has_cut = true};
        run(&s, rows, count, &alone);
        CHECK_INT(alone.different[0], 2);
        CHECK_INT(alone.rows[0], 2);
        CHECK_INT(alone.cut[0], 1);
        s.is_beside = true;
        run(&s, rows, count, &beside);
        CHECK_INT(beside.rows[0], 2);
        fewer += beside.different[0] < 2;
        s.is_beside = false;
        s.bounds = (sc_bounds){1, 1, 0};
        run(&s, rows, count, &alone);
        CHECK_INT(alone.different[0], 1);
        /* 30 rows are left out with the value 4, and 1 with the value 7: cells from 5 and from 1 on. */
        CHECK_INT(alone.cut[alone.sets[0] == 1u << 7 ? SC_CUT_CELLS - 2 : 1], 1);
    }
    CHECK(fewer > 10);
}

static _Atomic size_t writes; /* by all workers */

static ssize_t counted_pwrite(int descriptor, const void *bytes, size_t count,
                              off_t offset)
{
    writes++;
    return system_real.pwrite(descriptor, bytes, count, offset);
}

static void check_ways(const setting *given, const row *rows, size_t count)
{
    static const unsigned workers[] = {3, 1};
    outcome want, got;
    setting s = *given;
    run(&s, rows, count, &want);
    CHECK(want.different[0] > 3 && want.cut[1] > 0);
    for (size_t w = 0; w < COUNT(workers); w++)
        for (s.held = 0; s.held <= (size_t)s.is_found; s.held++) {
            s.workers = workers[w];
            s.memory_bytes = s.workers == 1;
            run(&s, rows, count, &got);
            CHECK(memcmp(&got, &want, sizeof got) == 0);
        }
}

/* The same sets whoever reads the rows, in a file or not, and whether keys are held. */
TEST(different_values_are_the_same_by_any_worker_and_through_a_file)
{
    CLAIM("group.distinct");
    CLAIM("group.any-order");
    CLAIM("group-parts.same");
    static row rows[MANY];
    static const sc_bounds bounds[] = {{2, 2, 0}, {2, 3, 4}, {0, 0, 3}};
    make_rows(rows);
    system_call.pwrite = counted_pwrite;
    for (size_t b = 0; b < COUNT(bounds); b++)
        for (int is_found = 0; is_found < 2; is_found++) {
            writes = 0;
            check_ways(&(setting){.bounds = bounds[b],
                                  .seed = 5 + b,
                                  .workers = 1,
                                  .is_found = is_found != 0,
                                  .has_cut = true},
                       rows, MANY);
            CHECK(writes >= SC_UNIT_PARTS);
        }
    system_call.pwrite = NULL;
}
