/* Grouping with less memory than rows take. */
#include "check.h"
#include "query/rows/group.h"
#include "query/rows/sealed_file.h"
#include "query/rows/unit_room.h"
#include "random/bits_tape.h"
#include "system_calls.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#define ROWS 120000
#define UNITS 50000
#define KEYS 7
#define BATCH 4096

static const sc_group_value value = {.low = 0,
                                     .high = 99,
                                     .centre = 50,
                                     .has_squares = true,
                                     .has_list = true,
                                     .has_total = true,
                                     .total_high = 130};
static const sc_value_key hash_key = {{11, 12, 13, 14, 15, 16, 17, 18, 19, 20}};

typedef struct setting {
    size_t memory_bytes;
    unsigned workers;
    bool has_keys;
} setting;

/* The result of a group, its list as a number that depends on its order. */
typedef struct outcome {
    size_t count;
    uint64_t rows[KEYS], units[KEYS], list[KEYS];
    sc_int128 sums[KEYS], squares[KEYS], totals[KEYS];
} outcome;

typedef struct batch {
    char units[BATCH][32], keys[BATCH][32]; /* with room behind them */
    sc_text unit_texts[BATCH], key_texts[BATCH];
    uint64_t unit_hashes[BATCH], key_hashes[BATCH];
    int64_t values[BATCH];
} batch;

static void make_row(batch *b, size_t place, size_t row)
{
    snprintf(b->units[place], sizeof b->units[place], "unit %zu", row * 7 % UNITS);
    snprintf(b->keys[place], sizeof b->keys[place], "key %zu", row / 3 % KEYS);
    b->unit_texts[place] = sc_text_of(b->units[place]);
    b->key_texts[place] = sc_text_of(b->keys[place]);
    b->unit_hashes[place] = sc_value_hash_plain(&hash_key, b->unit_texts[place]);
    b->key_hashes[place] = sc_value_hash_plain(&hash_key, b->key_texts[place]);
    b->values[place] = (int64_t)(row * 31 % 100);
}

static scrim_status take_rows(sc_grouping *grouping, unsigned workers, scrim_error *error)
{
    static batch b;
    const int64_t *values[] = {b.values};
    scrim_status status = SCRIM_OK;
    for (size_t from = 0; status == SCRIM_OK && from < ROWS; from += BATCH) {
        const size_t count = ROWS - from < BATCH ? ROWS - from : BATCH;
        for (size_t i = 0; i < count; i++)
            make_row(&b, i, from + i);
        const sc_group_rows rows = {.count = count,
                                    .units = b.unit_texts,
                                    .unit_hashes = b.unit_hashes,
                                    .keys = b.key_texts,
                                    .key_hashes = b.key_hashes,
                                    .values = values};
        status =
            sc_grouping_take(grouping, (unsigned)(from / BATCH % workers), &rows, error);
    }
    return status;
}

static void note_groups(const sc_groups *groups, outcome *out)
{
    *out = (outcome){.count = groups->count};
    for (size_t i = 0; i < groups->count && i < KEYS; i++) {
        const sc_group *group = &groups->groups[i];
        out->rows[i] = group->rows;
        out->units[i] = group->units;
        out->sums[i] = group->sums[0];
        out->squares[i] = group->squares[0];
        out->totals[i] = group->totals[0];
        for (uint64_t j = 0; j < group->rows; j++)
            out->list[i] = out->list[i] * 31 + (uint64_t)group->lists[0][j];
    }
}

static scrim_status run(const setting *s, outcome *out, scrim_error *error)
{
    static const char *const names[KEYS] = {"key 0", "key 1", "key 2", "key 3",
                                            "key 4", "key 5", "key 6"};
    sc_text keys[KEYS];
    sc_tape *tape = NULL;
    sc_grouping *grouping = NULL;
    sc_groups groups;
    for (size_t i = 0; i < KEYS; i++)
        keys[i] = sc_text_of(names[i]);
    const sc_group_plan plan = {.has_units = true,
                                .bounds = {2, 1, 0},
                                .values = &value,
                                .value_count = 1,
                                .has_keys = s->has_keys,
                                .keys = keys,
                                .key_count = s->has_keys ? KEYS : 0,
                                .hash_key = hash_key,
                                .workers = s->workers,
                                .memory_bytes = s->memory_bytes};
    scrim_status status = sc_tape_seeded(5, &tape, error);
    if (status == SCRIM_OK)
        status = sc_grouping_new(&plan, sc_tape_bits_of(tape), &grouping, error);
    if (status == SCRIM_OK)
        status = take_rows(grouping, s->workers, error);
    if (status == SCRIM_OK)
        status = sc_grouping_finish(grouping, &groups, error);
    if (status == SCRIM_OK)
        note_groups(&groups, out);
    sc_grouping_free(grouping);
    sc_tape_free(tape);
    return status;
}

static size_t writes, writes_allowed;

static ssize_t counted_pwrite(int descriptor, const void *bytes, size_t count,
                              off_t offset)
{
    errno = ENOSPC;
    return writes++ < writes_allowed
               ? system_real.pwrite(descriptor, bytes, count, offset)
               : -1;
}

static bool outcome_equal(const outcome *a, const outcome *b)
{
    bool is_equal = a->count == b->count;
    for (size_t i = 0; i < KEYS; i++)
        is_equal = is_equal && a->rows[i] == b->rows[i] && a->units[i] == b->units[i] &&
                   a->list[i] == b->list[i] && a->sums[i] == b->sums[i] &&
                   a->squares[i] == b->squares[i] && a->totals[i] == b->totals[i];
    return is_equal;
}

SLOW_TEST(a57_group_is_the_same_with_rows_in_a_file)
{
    CLAIM("group.any-order");
    outcome in_memory = {0}, in_file = {0};
    scrim_error error;
    REQUIRE_OK(run(&(setting){.workers = 1, .has_keys = true}, &in_memory, &error));
    CHECK(in_memory.count == KEYS && in_memory.units[3] > 0);
    system_call.pwrite = counted_pwrite;
    writes_allowed = SIZE_MAX;
    for (unsigned i = 0; i < 2; i++) {
        const setting s = {.memory_bytes = 1, .workers = 1 + i, .has_keys = i == 0};
        writes = 0;
        CHECK_STATUS(run(&s, &in_file, &error), SCRIM_OK);
        CHECK(writes >= SC_UNIT_PARTS);
        CHECK(outcome_equal(&in_memory, &in_file));
    }
    system_call.pwrite = NULL;
}

TEST(a57_group_fails_when_a_file_cannot_hold_its_rows)
{
    outcome none = {0};
    scrim_error error = {.status = SCRIM_OK};
    const setting s = {.memory_bytes = 1, .workers = 2, .has_keys = true};
    system_call.pwrite = counted_pwrite;
    writes = 0;
    writes_allowed = 100;
    CHECK_STATUS(run(&s, &none, &error), SCRIM_E_MEMORY);
    system_call.pwrite = NULL;
    CHECK(strstr(error.message, "TMPDIR") != NULL);
    CHECK_INT(none.count, 0);
}
