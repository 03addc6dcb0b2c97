/* Grouping with more keys than are held. */
#include "check.h"
#include "faults.h"
#include "query/rows/group.h"
#include "query/rows/group_parts.h"
#include "random/bits_tape.h"

#include <stdio.h>
#include <stdlib.h>

#define ROWS 9000
#define BATCH 1000
#define MOST 12000

static const sc_value_key hash_key = {{11, 12, 13, 14, 15, 16, 17, 18, 19, 20}};

typedef struct setting {
    bool has_units, has_list, has_bars;
    unsigned workers;
    size_t held_keys, held_bytes, memory_bytes;
    size_t keys;      /* that there are */
    size_t rows;      /* 0: ROWS */
    bool has_big_one; /* a unit with a key in each of its many rows */
    bool has_totals;  /* else nothing is bounded before the last bound */
    bool has_crowd;   /* units with many rows in one group, alike and unlike */
    sc_cut_kind cut;
} setting;

/* A group, by numbers that depend on all of it. */
typedef struct noted {
    char key[40];
    uint64_t rows, units;
    sc_int128 sum, squares, total;
    uint64_t list, bars;
} noted;

typedef struct outcome {
    noted groups[MOST];
    size_t count, parts;
    bool is_ordered;
    uint64_t cut[SC_CUT_CELLS];
} outcome;

typedef struct batch {
    char units[BATCH][64], keys[BATCH][64]; /* with room behind them */
    sc_text unit_texts[BATCH], key_texts[BATCH];
    uint64_t unit_hashes[BATCH], key_hashes[BATCH];
    int64_t values[BATCH];
} batch;

static void make_row(const setting *s, batch *b, size_t place, size_t row)
{
    const bool is_big = s->has_big_one && row % 3 == 0,
               is_crowd = s->has_crowd && row % 3 == 1;
    memset(b->units[place], 0, sizeof b->units[place]);
    memset(b->keys[place], 0, sizeof b->keys[place]);
    snprintf(b->units[place], sizeof b->units[place],
             is_big          ? "one with many keys"
             : row % 10 == 0 ? "the unit with number %zu"
                             : "u%zu",
             is_crowd ? row % 30 : row * 7 % 2000);
    snprintf(b->keys[place], sizeof b->keys[place],
             row % 4 == 0 ? "%zu is the number of this key" : "%zu",
             is_big     ? row % s->keys
             : is_crowd ? row % 90
                        : row * 13 / 5 % s->keys);
    b->unit_texts[place] = sc_text_of(b->units[place]);
    b->key_texts[place] = sc_text_of(b->keys[place]);
    b->unit_hashes[place] = sc_value_hash_plain(&hash_key, b->unit_texts[place]);
    b->key_hashes[place] = sc_value_hash_plain(&hash_key, b->key_texts[place]);
    b->values[place] = (int64_t)(is_crowd ? row % 4 : row * 31 % 100);
}

static scrim_status take_rows(const setting *s, sc_grouping *grouping, scrim_error *error)
{
    static batch b;
    const int64_t *values[] = {b.values};
    const size_t all = s->rows == 0 ? ROWS : s->rows;
    scrim_status status = SCRIM_OK;
    for (size_t from = 0; status == SCRIM_OK && from < all; from += BATCH) {
        for (size_t i = 0; i < BATCH; i++)
            make_row(s, &b, i, from + i);
        const sc_group_rows rows = {.count = BATCH,
                                    .units = s->has_units ? b.unit_texts : NULL,
                                    .unit_hashes = b.unit_hashes,
                                    .keys = b.key_texts,
                                    .key_hashes = b.key_hashes,
                                    .values = values};
        status = sc_grouping_take(grouping, (unsigned)(from / BATCH % s->workers), &rows,
                                  error);
    }
    return status;
}

static int by_key(const void *left, const void *right)
{
    return strcmp(((const noted *)left)->key, ((const noted *)right)->key);
}

static void note_groups(const setting *s, const sc_groups *groups, outcome *out)
{
    for (size_t i = 0; i < groups->count && out->count < MOST; i++) {
        const sc_group *group = &groups->groups[i];
        noted *to = &out->groups[out->count++];
        *to = (noted){.rows = group->rows,
                      .units = group->units,
                      .sum = group->sums[0],
                      .squares = group->squares[0],
                      .total = group->totals[0]};
        snprintf(to->key, sizeof to->key, "%.*s", (int)group->key.bytes,
                 group->key.start);
        for (uint64_t j = 0; s->has_list && j < group->rows; j++)
            to->list = to->list * 31 + (uint64_t)group->lists[0][j];
        for (size_t j = 0; s->has_bars && j < 10; j++)
            to->bars = to->bars * 31 + (uint64_t)group->bars[0][j];
        out->is_ordered = out->is_ordered && (i == 0 || by_key(to - 1, to) < 0);
    }
}

static scrim_status finish(const setting *s, sc_grouping *grouping, outcome *out,
                           scrim_error *error)
{
    sc_groups groups;
    scrim_status status = sc_grouping_finish(grouping, &groups, error);
    if (status != SCRIM_OK)
        return status;
    out->parts = sc_grouping_parts(grouping);
    sc_grouping_cut(grouping, out->cut);
    out->is_ordered = true;
    if (out->parts == 0)
        note_groups(s, &groups, out);
    for (size_t i = 0; status == SCRIM_OK && i < out->parts; i++) {
        status = sc_grouping_part(grouping, i, &groups, error);
        if (status != SCRIM_OK)
            break;
        for (size_t j = 0; j < groups.count; j++)
            CHECK(sc_grouping_part_of(grouping, groups.groups[j].key) == i);
        note_groups(s, &groups, out);
    }
    qsort(out->groups, out->count, sizeof *out->groups, by_key);
    return status;
}

static scrim_status run(const setting *s, outcome *out, scrim_error *error)
{
    const sc_group_value value = {.low = 0,
                                  .high = 99,
                                  .centre = 50,
                                  .has_squares = true,
                                  .has_list = s->has_list,
                                  .has_total = s->has_units && s->has_totals,
                                  .total_high = 120,
                                  .is_cut = true,
                                  .bar_width = s->has_bars ? 10 : 0};
    const sc_group_plan plan = {
        .has_units = s->has_units,
        .bounds = {3, 2, 0},
        .cut = sc_cut_plan_of(s->has_units ? s->cut : SC_CUT_NOTHING, s->has_totals, 6),
        .values = &value,
        .value_count = 1,
        .hash_key = hash_key,
        .workers = s->workers,
        .held_keys = s->held_keys,
        .held_bytes = s->held_bytes,
        .memory_bytes = s->memory_bytes};
    sc_tape *tape = NULL;
    sc_grouping *grouping = NULL;
    memset(out, 0, sizeof *out);
    scrim_status status = sc_tape_seeded(5, &tape, error);
    if (status == SCRIM_OK)
        status = sc_grouping_new(&plan, sc_tape_bits_of(tape), &grouping, error);
    if (status == SCRIM_OK)
        status = take_rows(s, grouping, error);
    if (status == SCRIM_OK)
        status = finish(s, grouping, out, error);
    sc_grouping_free(grouping);
    sc_tape_free(tape);
    return status;
}

static void check_same(const setting *s, bool is_parted)
{
    static outcome want, got;
    scrim_error error = {.message = ""};
    setting all = *s;
    all.held_keys = all.held_bytes = all.memory_bytes = 0;
    all.workers = 1;
    REQUIRE_OK(run(&all, &want, &error));
    REQUIRE_OK(run(s, &got, &error));
    CHECK_INT((long)got.parts, is_parted ? SC_PART_LOG_PARTS : 0);
    CHECK(got.is_ordered && want.count > 500 && want.count < MOST);
    CHECK_INT((long)got.count, (long)want.count);
    CHECK(memcmp(got.groups, want.groups, want.count * sizeof *want.groups) == 0);
    CHECK(memcmp(got.cut, want.cut, sizeof want.cut) == 0);
    uint64_t units = 0;
    for (size_t i = 0; i < SC_CUT_CELLS; i++)
        units += want.cut[i];
    if (s->has_units && s->cut != SC_CUT_NOTHING)
        CHECK(units > 900 && want.cut[0] < units);
    else
        CHECK_INT(units, 0);
}

SLOW_TEST(A73_groups_in_parts_are_those_in_memory)
{
    CLAIM("group-parts.same");
    for (unsigned i = 0; i < (unsigned)check_count(24, 48); i++) {
        const setting s = {.has_units = i % 2 == 0,
                           .has_list = i / 2 % 2 == 0,
                           .has_bars = i / 4 % 2 == 0,
                           .workers = 1 + i % 3,
                           .held_keys = i / 8 % 3 == 0   ? 1
                                        : i / 8 % 3 == 1 ? 700
                                                         : 2500,
                           .held_bytes = i / 8 % 3 == 2 ? 3000 : 1 << 20,
                           .memory_bytes = i % 7 < 4 ? 0 : 1,
                           .keys = 1400,
                           .has_big_one = i % 5 < 2,
                           .has_totals = i % 3 != 0,
                           .has_crowd = i % 4 < 2,
                           .cut = (sc_cut_kind)(i / 2 % 3)};
        check_same(&s, true);
    }
}

/* Keys are in memory exactly as long as they fit, whoever has read which of them. */
SLOW_TEST(A73_whether_keys_fit_depends_on_the_keys)
{
    static outcome out;
    setting s = {.workers = 1, .keys = 500};
    scrim_error error = {.message = ""};
    REQUIRE_OK(run(&s, &out, &error));
    const size_t keys = out.count;
    size_t bytes = 0;
    for (size_t i = 0; i < keys; i++)
        bytes += strlen(out.groups[i].key);
    s.has_units = true;
    for (s.workers = 1; s.workers < 5; s.workers++)
        for (int lack = 0; lack < 3; lack++) {
            s.held_keys = keys - (lack == 1);
            s.held_bytes = bytes - (lack == 2);
            check_same(&s, lack > 0);
        }
}

TEST(group_parts_survive_failing_allocations)
{
    static outcome out;
    const setting s = {.has_units = true,
                       .has_list = true,
                       .workers = 2,
                       .held_keys = 100,
                       .held_bytes = 1 << 20,
                       .memory_bytes = 1,
                       .keys = 500,
                       .rows = BATCH};
    FAULT_LOOP(fault)
    {
        scrim_error error;
        const scrim_status status = run(&s, &out, &error);
        /* libcrypto does not say why it failed. */
        CHECK(fault_hit() ? status == SCRIM_E_MEMORY || status == SCRIM_E_ENTROPY
                          : status == SCRIM_OK);
        fault.nth += fault.nth / 4; /* each in turn would take minutes */
    }
}
