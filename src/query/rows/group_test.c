#include "base/hash.h"
#include "check.h"
#include "faults.h"
#include "query/language/extent.h"
#include "query/rows/bound.h"
#include "query/rows/group.h"
#include "random/bits_tape.h"

#include <stdio.h>
#include <string.h>

#define ROWS 600
#define UNITS 60
#define KEYS 12
#define BLOCK 50

static const sc_group_value group_values[] = {
    {.low = -5, .high = 5, .centre = 0, .has_squares = true},
    {.low = 0, .high = 1000, .centre = 500, .has_list = true, .bar_width = 7}};
/* The bounds of totals, where there are units. */
static const int64_t total_bounds[2][2] = {{-7, 9}, {0, 1300}};

/* A table: its rows name units and keys by their numbers. */
typedef struct row {
    unsigned unit, key;
    int64_t x, y;
    int64_t is_counted;
} row;

typedef struct setting {
    uint64_t seed;                            /* of the keys of bounding */
    uint64_t max_groups, max_rows, max_total; /* the total: 0, none */
    unsigned workers;
    bool has_units, has_keys;
    size_t memory_bytes;
} setting;

/* The result, by number of key; keys without units are left empty. */
typedef struct outcome {
    uint64_t rows[KEYS], units[KEYS];
    sc_int128 sums[KEYS][2], squares[KEYS], totals[KEYS][2];
    int64_t lists[KEYS][ROWS + 100];
    bool is_listed[KEYS];
} outcome;

static char unit_bytes[UNITS + 1][64], key_bytes[KEYS][32];
static sc_value_key hash_key;

static uint64_t word(sc_tape *tape)
{
    uint64_t out = 0;
    scrim_error error;
    CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &out, &error), SCRIM_OK);
    return out;
}

static void name_everything(void)
{
    for (unsigned i = 0; i <= UNITS; i++)
        snprintf(unit_bytes[i], sizeof unit_bytes[i],
                 i % 5 == 0 ? "a unit with a long name, %u" : "%u", i);
    /* In bytewise order; one is the beginning of another. */
    for (unsigned i = 0; i < KEYS; i++)
        snprintf(key_bytes[i], sizeof key_bytes[i],
                 i % 2 == 0 ? "key %c" : "key %c and more", 'a' + i / 2);
    for (size_t i = 0; i < COUNT(hash_key.words); i++)
        hash_key.words[i] = UINT64_C(0x9e3779b97f4a7c15) * (i + 1);
}

/* The engine. */

static void put_block(sc_grouping *grouping, unsigned worker, const row *rows,
                      size_t count)
{
    sc_text units[BLOCK], keys[BLOCK];
    uint64_t unit_hashes[BLOCK], key_hashes[BLOCK];
    int64_t where[BLOCK], xs[BLOCK], ys[BLOCK];
    const int64_t *values[] = {xs, ys};
    scrim_error error;
    for (size_t i = 0; i < count; i++) {
        units[i] = sc_text_of(unit_bytes[rows[i].unit]);
        keys[i] = sc_text_of(key_bytes[rows[i].key]);
        unit_hashes[i] = sc_value_hash_plain(&hash_key, units[i]);
        key_hashes[i] = sc_value_hash_plain(&hash_key, keys[i]);
        where[i] = rows[i].is_counted;
        xs[i] = rows[i].x;
        ys[i] = rows[i].y;
    }
    const sc_group_rows block = {count, where,      units, unit_hashes,
                                 keys,  key_hashes, values};
    CHECK_STATUS(sc_grouping_take(grouping, worker, &block, &error), SCRIM_OK);
}

/* The buckets of a value hold what its list does. */
static void check_bars(const sc_group *group)
{
    const sc_bar_grid grid = sc_bar_grid_of(0, 1000, 7);
    uint64_t held[143] = {0};
    CHECK_INT(grid.count, COUNT(held));
    CHECK(group->bars[0] == NULL);
    for (uint64_t i = 0; i < group->rows; i++)
        held[group->lists[1][i] / 7]++;
    for (size_t i = 0; i < COUNT(held); i++)
        CHECK_INT((uint64_t)group->bars[1][i], held[i]);
}

static void read_groups(const sc_groups *groups, outcome *out)
{
    unsigned last = 0;
    *out = (outcome){.rows = {0}};
    for (size_t i = 0; i < groups->count; i++) {
        const sc_group *group = &groups->groups[i];
        unsigned key = 0;
        while (key < KEYS && !sc_text_is(group->key, key_bytes[key]))
            key++;
        if (!CHECK(key < KEYS && (i == 0 || key > last)))
            continue;
        last = key;
        out->is_listed[key] = true;
        out->rows[key] = group->rows;
        out->units[key] = group->units;
        out->sums[key][0] = group->sums[0];
        out->sums[key][1] = group->sums[1];
        out->squares[key] = group->squares[0];
        out->totals[key][0] = group->totals[0];
        out->totals[key][1] = group->totals[1];
        CHECK(group->lists[0] == NULL);
        if (group->rows > 0)
            memcpy(out->lists[key], group->lists[1], group->rows * sizeof(int64_t));
        CHECK_INT(group->squares[1], 0);
        check_bars(group);
    }
}

static sc_group_plan plan_of(const setting *s, sc_text *keys)
{
    static sc_group_value values[2];
    for (unsigned i = 0; i < KEYS; i++)
        keys[i] = sc_text_of(key_bytes[i]);
    for (size_t i = 0; i < 2; i++) {
        values[i] = group_values[i];
        values[i].has_total = s->has_units;
        values[i].total_low = total_bounds[i][0];
        values[i].total_high = total_bounds[i][1];
    }
    return (sc_group_plan){.has_units = s->has_units,
                           .bounds = {s->max_groups, s->max_rows, s->max_total},
                           .values = values,
                           .value_count = 2,
                           .has_keys = s->has_keys,
                           .keys = keys,
                           .key_count = s->has_keys ? KEYS : 0,
                           .hash_key = hash_key,
                           .workers = s->workers,
                           .memory_bytes = s->memory_bytes};
}

static void run_engine(const setting *s, const row *rows, size_t count, outcome *out)
{
    sc_text keys[KEYS];
    sc_tape *tape = NULL;
    sc_grouping *grouping = NULL;
    sc_groups groups = {NULL, 0};
    scrim_error error;
    const sc_group_plan plan = plan_of(s, keys);
    *out = (outcome){.rows = {0}};
    REQUIRE_OK(sc_tape_seeded(s->seed, &tape, &error));
    REQUIRE_OK(sc_grouping_new(&plan, sc_tape_bits_of(tape), &grouping, &error));
    for (size_t from = 0, block = 0; from < count; from += BLOCK, block++)
        put_block(grouping, (unsigned)(block % s->workers), rows + from,
                  count - from < BLOCK ? count - from : BLOCK);
    if (CHECK_STATUS(sc_grouping_finish(grouping, &groups, &error), SCRIM_OK))
        read_groups(&groups, out);
    sc_grouping_free(grouping);
    sc_tape_free(tape);
}

/* The model: everything by sorting, one step of the definition at a time. */

typedef struct model_row {
    row own;
    uint64_t copy, group_priority, row_priority;
    bool stays;
} model_row;

static uint64_t hash_of(const char *text)
{
    return sc_value_hash_plain(&hash_key, sc_text_of(text));
}

static int64_t clamped(int64_t x, const sc_group_value *value)
{
    return x < value->low ? value->low : x > value->high ? value->high : x;
}

static int by_everything(const void *left, const void *right)
{
    const row *a = &((const model_row *)left)->own, *b = &((const model_row *)right)->own;
    if (a->unit != b->unit)
        return a->unit < b->unit ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return (a->y > b->y) - (a->y < b->y);
}

static int by_priority(const void *left, const void *right)
{
    const model_row *a = left, *b = right;
    if (a->own.unit != b->own.unit)
        return a->own.unit < b->own.unit ? -1 : 1;
    if (a->group_priority != b->group_priority)
        return a->group_priority < b->group_priority ? -1 : 1;
    return (a->row_priority > b->row_priority) - (a->row_priority < b->row_priority);
}

static void set_priorities(model_row *m, const sc_bound_keys *keys)
{
    const uint64_t unit = hash_of(unit_bytes[m->own.unit]),
                   token = hash_of(key_bytes[m->own.key]);
    const uint64_t head[] = {unit, token, m->copy};
    const uint8_t x = (uint8_t)(m->own.x + 5);
    const uint16_t y = (uint16_t)m->own.y;
    unsigned char message[sizeof head + 3];
    memcpy(message, head, sizeof head);
    memcpy(message + sizeof head, &x, 1);
    memcpy(message + sizeof head + 1, &y, 2);
    m->group_priority = sc_hash(&keys->groups, head, 2 * sizeof *head);
    m->row_priority = sc_hash(&keys->rows, message, sizeof message);
}

static void add_model_row(outcome *out, const row *r, bool is_new)
{
    int64_t *list = out->lists[r->key];
    size_t at = (size_t)out->rows[r->key]++;
    for (; at > 0 && list[at - 1] > r->y; at--)
        list[at] = list[at - 1];
    list[at] = r->y;
    out->units[r->key] += is_new;
    out->sums[r->key][0] += r->x;
    out->sums[r->key][1] += r->y - 500;
    out->squares[r->key] += (sc_int128)r->x * r->x;
    out->is_listed[r->key] = true;
}

/* All rows of a unit in a group that stays, from this one on. */
static void add_model_total(outcome *out, const model_row *all, size_t from, size_t count)
{
    sc_int128 totals[2] = {0, 0};
    const row *first = &all[from].own;
    for (size_t i = from;
         i < count && all[i].own.unit == first->unit && all[i].own.key == first->key;
         i++) {
        totals[0] += all[i].own.x;
        totals[1] += all[i].own.y;
    }
    for (size_t i = 0; i < 2; i++) {
        const sc_int128 low = total_bounds[i][0], high = total_bounds[i][1];
        out->totals[first->key][i] += totals[i] < low    ? low
                                      : totals[i] > high ? high
                                                         : totals[i];
    }
}

/* Rows of a unit in the order of groups' and rows' priorities: first groups and rows of each; then, while
 * there are more than the total, the last of those that stay goes. */
static void choose_model_rows(const setting *s, model_row *all, size_t count)
{
    uint64_t groups = 0, in_group = 0;
    for (size_t i = 0; i < count; i++) {
        const bool new_unit = i == 0 || all[i].own.unit != all[i - 1].own.unit,
                   new_group = new_unit || all[i].own.key != all[i - 1].own.key;
        groups = new_unit ? 1 : groups + new_group;
        in_group = new_group ? 1 : in_group + 1;
        all[i].stays =
            !s->has_units || (groups <= s->max_groups && in_group <= s->max_rows);
    }
    for (size_t from = 0, end; s->has_units && s->max_total > 0 && from < count;
         from = end) {
        uint64_t kept = 0;
        for (end = from; end < count && all[end].own.unit == all[from].own.unit; end++)
            kept += all[end].stays;
        for (; kept > s->max_total; kept--) {
            size_t last = from;
            for (size_t i = from; i < end; i++)
                if (all[i].stays &&
                    (!all[last].stays || all[i].row_priority > all[last].row_priority))
                    last = i;
            all[last].stays = false;
        }
    }
}

static void run_model(const setting *s, const row *rows, size_t count, outcome *out)
{
    static model_row all[ROWS + 100];
    sc_tape *tape = NULL;
    sc_bound_keys keys = {{0, 0}, {0, 0}};
    scrim_error error;
    size_t n = 0;
    *out = (outcome){.rows = {0}};
    REQUIRE_OK(sc_tape_seeded(s->seed, &tape, &error));
    CHECK_STATUS(sc_bound_keys_draw(&keys, sc_tape_bits_of(tape), &error), SCRIM_OK);
    sc_tape_free(tape);
    for (size_t i = 0; i < count; i++)
        if (rows[i].is_counted != 0) {
            all[n] = (model_row){.own = rows[i]};
            all[n].own.x = clamped(rows[i].x, &group_values[0]);
            all[n++].own.y = clamped(rows[i].y, &group_values[1]);
        }
    qsort(all, n, sizeof *all, by_everything);
    for (size_t i = 0; i < n; i++) {
        all[i].copy =
            i > 0 && by_everything(&all[i - 1], &all[i]) == 0 ? all[i - 1].copy + 1 : 0;
        set_priorities(&all[i], &keys);
    }
    qsort(all, n, sizeof *all, by_priority);
    choose_model_rows(s, all, n);
    for (size_t i = 0; i < n; i++) {
        const bool new_group = i == 0 || all[i].own.unit != all[i - 1].own.unit ||
                               all[i].own.key != all[i - 1].own.key;
        /* Rows of a group are in the order of their priorities: if any stays, the first does. */
        if (s->has_units && new_group && all[i].stays)
            add_model_total(out, all, i, n);
        if (all[i].stays)
            add_model_row(out, &all[i].own, new_group || !s->has_units);
    }
    for (size_t i = 0; s->has_keys && i < KEYS; i++)
        out->is_listed[i] = true;
}

/* Tables. */

static size_t random_table(row *rows, sc_tape *tape)
{
    const size_t count = word(tape) % ROWS, units = 1 + word(tape) % UNITS,
                 keys = 1 + word(tape) % KEYS;
    for (size_t i = 0; i < count; i++)
        rows[i] = (row){.unit = (unsigned)(word(tape) % units),
                        .key = (unsigned)(word(tape) % keys),
                        .x = (int64_t)(word(tape) % 15) - 7,
                        .y = (int64_t)(word(tape) % 3) * 550,
                        .is_counted = word(tape) % 8 != 0};
    return count;
}

static void shuffle(row *rows, size_t count, sc_tape *tape)
{
    for (size_t i = count; i > 1; i--) {
        const size_t j = word(tape) % i;
        const row moved = rows[i - 1];
        rows[i - 1] = rows[j];
        rows[j] = moved;
    }
}

static setting random_setting(sc_tape *tape)
{
    return (setting){.seed = word(tape),
                     .max_groups = 1 + word(tape) % 5,
                     .max_rows = 1 + word(tape) % 4,
                     .max_total = word(tape) % 12,
                     .workers = 1 + (unsigned)(word(tape) % 4),
                     .has_units = word(tape) % 4 != 0,
                     .has_keys = word(tape) % 2 == 0,
                     .memory_bytes = word(tape) % 2};
}

static bool outcome_equal(const outcome *a, const outcome *b)
{
    bool is_equal = true;
    for (size_t i = 0; i < KEYS; i++)
        is_equal = is_equal && a->rows[i] == b->rows[i] && a->units[i] == b->units[i] &&
                   a->sums[i][0] == b->sums[i][0] && a->sums[i][1] == b->sums[i][1] &&
                   a->squares[i] == b->squares[i] && a->totals[i][0] == b->totals[i][0] &&
                   a->totals[i][1] == b->totals[i][1] &&
                   memcmp(a->lists[i], b->lists[i], sizeof a->lists[i]) == 0 &&
                   a->is_listed[i] == b->is_listed[i];
    return is_equal;
}

TEST(group_agrees_with_a_model_that_sorts)
{
    CLAIM("group.exact");
    CLAIM("group-cells.total");
    CLAIM("group.declared");
    static row rows[ROWS];
    static outcome got, want;
    sc_tape *tape = NULL;
    scrim_error error;
    uint64_t dropped = 0;
    name_everything();
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, &error));
    for (uint64_t turn = 0; turn < check_count(200, 20000); turn++) {
        const setting s = random_setting(tape);
        const size_t count = turn == 0 ? 0 : random_table(rows, tape);
        run_engine(&s, rows, count, &got);
        run_model(&s, rows, count, &want);
        if (!CHECK(outcome_equal(&got, &want)))
            break;
        uint64_t kept = 0;
        for (size_t i = 0; i < KEYS; i++)
            kept += got.rows[i];
        dropped += kept < count / 2;
    }
    CHECK(dropped > 0);
    sc_tape_free(tape);
}

SLOW_TEST(a17_group_is_the_same_in_any_order_by_any_workers)
{
    CLAIM("group.any-order");
    static row rows[ROWS];
    static outcome first, again;
    sc_tape *tape = NULL;
    scrim_error error;
    name_everything();
    REQUIRE_OK(sc_tape_seeded(check_seed() + 1, &tape, &error));
    setting s = random_setting(tape);
    s.has_units = true;
    s.has_keys = false;
    const size_t count = random_table(rows, tape);
    run_engine(&s, rows, count, &first);
    for (uint64_t turn = 0; turn < check_count(50, 1000); turn++) {
        shuffle(rows, count, tape);
        s.workers = 1 + (unsigned)(turn % 64);
        run_engine(&s, rows, count, &again);
        CHECK(outcome_equal(&first, &again));
    }
    sc_tape_free(tape);
}

static uint64_t distance(sc_int128 a, sc_int128 b)
{
    return (uint64_t)(a > b ? a - b : b - a);
}

static uint64_t rows_of(const outcome *o)
{
    uint64_t all = 0;
    for (size_t i = 0; i < KEYS; i++)
        all += o->rows[i];
    return all;
}

/* All rows of one unit more or less. */
TEST(a29_group_changes_little_with_one_unit)
{
    CLAIM("group.one-unit");
    static row rows[ROWS + 100];
    static outcome with, without;
    sc_tape *tape = NULL;
    scrim_error error;
    name_everything();
    REQUIRE_OK(sc_tape_seeded(check_seed() + 2, &tape, &error));
    for (uint64_t turn = 0; turn < check_count(200, 20000); turn++) {
        setting s = random_setting(tape);
        s.has_units = true;
        const size_t count = random_table(rows, tape), more = 1 + word(tape) % 100;
        run_engine(&s, rows, count, &without);
        for (size_t i = count; i < count + more; i++)
            rows[i] = (row){.unit = UNITS,
                            .key = (unsigned)(word(tape) % KEYS),
                            .x = (int64_t)(word(tape) % 3 - 1) * INT64_MAX,
                            .y = (int64_t)(word(tape) % 3 - 1) * INT64_MAX,
                            .is_counted = 1};
        shuffle(rows, count + more, tape);
        run_engine(&s, rows, count + more, &with);
        uint64_t changed = 0, wrong = 0;
        for (size_t i = 0; i < KEYS; i++) {
            const uint64_t units = with.units[i] - without.units[i];
            changed += units != 0;
            wrong +=
                units > 1 || with.rows[i] - without.rows[i] > units * s.max_rows ||
                distance(with.sums[i][0], without.sums[i][0]) > units * s.max_rows * 5 ||
                distance(with.sums[i][1], without.sums[i][1]) >
                    units * s.max_rows * 500 ||
                distance(with.squares[i], without.squares[i]) > units * s.max_rows * 25 ||
                distance(with.totals[i][0], without.totals[i][0]) > units * 9 ||
                distance(with.totals[i][1], without.totals[i][1]) > units * 1300;
        }
        CHECK_INT(wrong, 0);
        const uint64_t added = rows_of(&with) - rows_of(&without);
        CHECK(changed > 0 && changed <= s.max_groups);
        CHECK(s.max_total == 0 || (added <= s.max_total && changed <= s.max_total));
    }
    sc_tape_free(tape);
}

TEST(a55_group_of_no_rows_lists_public_keys)
{
    CLAIM("group.declared");
    static outcome got;
    name_everything();
    for (int i = 0; i < 4; i++) {
        const setting s = {1, 1, 1, 0, 2, i % 2 == 0, i / 2 == 0, 0};
        run_engine(&s, NULL, 0, &got);
        for (size_t j = 0; j < KEYS; j++) {
            CHECK_INT(got.is_listed[j], s.has_keys);
            CHECK_INT(got.rows[j], 0);
            CHECK_INT(got.sums[j][1], 0);
        }
    }
}

/* 2^62 to either side: a sum of such values leaves 64 bits after two rows. */
TEST(a14_group_sums_do_not_overflow)
{
    static const sc_group_value wide = {
        .low = -SC_GROUP_RANGE, .high = SC_GROUP_RANGE, .centre = -SC_GROUP_RANGE};
    static const int64_t xs[] = {INT64_MAX, INT64_MAX, INT64_MAX, SC_GROUP_RANGE,
                                 INT64_MIN};
    const sc_text key = sc_text_of("all");
    sc_group_plan plan = {.bounds = {1, 1, 0},
                          .values = &wide,
                          .value_count = 1,
                          .has_keys = true,
                          .keys = &key,
                          .key_count = 1,
                          .workers = 1};
    const int64_t *values[] = {xs};
    const sc_group_rows rows = {.count = COUNT(xs), .values = values};
    sc_tape *tape = NULL;
    sc_grouping *grouping = NULL;
    sc_groups groups;
    scrim_error error;
    REQUIRE_OK(sc_tape_seeded(1, &tape, &error));
    REQUIRE_OK(sc_grouping_new(&plan, sc_tape_bits_of(tape), &grouping, &error));
    REQUIRE_OK(sc_grouping_take(grouping, 0, &rows, &error));
    REQUIRE_OK(sc_grouping_finish(grouping, &groups, &error));
    CHECK_INT(groups.count, 1);
    CHECK_INT(groups.groups[0].rows, 5);
    CHECK_INT(groups.groups[0].units, 5);
    CHECK_INT(groups.groups[0].sums[0], (sc_int128)1 << 65);
    CHECK_STATUS(sc_grouping_finish(grouping, &groups, &error), SCRIM_E_STATE);
    sc_grouping_free(grouping);
    sc_tape_free(tape);
}

TEST(group_refuses_plans_that_are_none)
{
    static const sc_group_value wide = {
        .low = 0, .high = SC_GROUP_RANGE, .has_squares = true};
    const sc_text keys[] = {sc_text_of("a"), sc_text_of("b"), sc_text_of("a")};
    const sc_group_plan good = {.has_units = true,
                                .bounds = {1, 1, 0},
                                .has_keys = true,
                                .keys = keys,
                                .key_count = 2,
                                .workers = 1};
    sc_group_plan bad[8];
    sc_tape *tape = NULL;
    sc_grouping *grouping = NULL;
    scrim_error error;
    for (size_t i = 0; i < COUNT(bad); i++)
        bad[i] = good;
    bad[0].bounds.groups = 0;
    bad[1].bounds.rows = 0;
    bad[2].key_count = 0;
    bad[3].key_count = 3;
    bad[4].workers = 0;
    bad[5].workers = 257;
    bad[6].values = &wide;
    bad[6].value_count = 1;
    bad[7].value_count = SC_GROUP_VALUES + 1;
    REQUIRE_OK(sc_tape_constant(0, &tape, &error));
    for (size_t i = 0; i < COUNT(bad); i++)
        CHECK_STATUS(sc_grouping_new(&bad[i], sc_tape_bits_of(tape), &grouping, &error),
                     i < 6 ? SCRIM_E_PARAM : SCRIM_E_LIMIT);
    CHECK_STATUS(sc_grouping_new(&good, sc_tape_bits_of(tape), &grouping, &error),
                 SCRIM_OK);
    sc_grouping_free(grouping);
    sc_tape_free(tape);
}

static scrim_status try_everything(const sc_group_plan *plan, sc_bits *bits)
{
    static const int64_t xs[] = {1, 2, 3, 4, 5, 6};
    static const int64_t *const values[] = {xs, xs};
    sc_text units[6], keys[6];
    uint64_t unit_hashes[6], key_hashes[6];
    sc_grouping *grouping = NULL;
    sc_groups groups;
    scrim_error error;
    for (unsigned i = 0; i < 6; i++) {
        units[i] = sc_text_of(unit_bytes[i / 5]);
        keys[i] = sc_text_of(key_bytes[i / 2]);
        unit_hashes[i] = hash_of(unit_bytes[i / 5]);
        key_hashes[i] = hash_of(key_bytes[i / 2]);
    }
    const sc_group_rows rows = {6, NULL, units, unit_hashes, keys, key_hashes, values};
    scrim_status status = sc_grouping_new(plan, bits, &grouping, &error);
    if (status == SCRIM_OK)
        status = sc_grouping_take(grouping, 0, &rows, &error);
    if (status == SCRIM_OK)
        status = sc_grouping_finish(grouping, &groups, &error);
    sc_grouping_free(grouping);
    return status;
}

TEST(a67_group_survives_failing_allocations)
{
    name_everything();
    for (int i = 0; i < 4; i++) {
        const setting s = {1, 1, 1, 0, 1, i % 2 == 0, i / 2 == 0, 1};
        sc_text keys[KEYS];
        sc_tape *tape = NULL;
        scrim_error error;
        const sc_group_plan plan = plan_of(&s, keys);
        REQUIRE_OK(sc_tape_constant(5, &tape, &error));
        FAULT_LOOP(fault)
        {
            const scrim_status status = try_everything(&plan, sc_tape_bits_of(tape));
            CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        }
        sc_tape_free(tape);
    }
}
