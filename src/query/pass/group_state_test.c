#include "check.h"
#include "faults.h"
#include "query/pass/group_state.h"
#include "query/unit/unit_rows.h"
#include "random/bits_tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 300
#define KEYS 6

static const sc_group_value group_values[] = {
    {.low = -3, .high = 3, .centre = 0, .has_squares = true},
    {.low = 0, .high = 1000, .centre = 500, .has_list = true, .bar_width = 100}};
static const sc_value_key hash_key = {{11, 12, 13, 14, 15, 16, 17, 18, 19, 20}};

typedef struct setting {
    bool has_units, has_keys;
    uint64_t max_groups;
    unsigned workers;
    size_t memory_bytes;
} setting;

typedef struct outcome {
    size_t count;
    uint64_t rows[KEYS], units[KEYS], list[KEYS];
    sc_int128 sums[KEYS], squares[KEYS];
    char keys[KEYS][32];
} outcome;

/* Bytes that were written, with none to spare, so that a reader that goes too far is seen. */
typedef struct state_bytes {
    char *bytes;
    size_t count;
} state_bytes;

static bool put_bytes(void *context, const void *bytes, size_t count)
{
    state_bytes *own = context;
    char *grown = malloc(own->count + count);
    if (grown == NULL)
        return false;
    if (own->count > 0)
        memcpy(grown, own->bytes, own->count);
    memcpy(grown + own->count, bytes, count);
    free(own->bytes);
    own->bytes = grown;
    own->count += count;
    return true;
}

static scrim_status open_grouping(const setting *s, uint64_t seed, sc_grouping **out,
                                  scrim_error *error)
{
    static const char *const names[KEYS] = {"key 5", "key 1", "key 2",
                                            "key 3", "key 4", "key 0"};
    sc_text keys[KEYS];
    sc_tape *tape = NULL;
    for (size_t i = 0; i < KEYS; i++)
        keys[i] = sc_text_of(names[i]);
    const sc_group_plan plan = {.has_units = s->has_units,
                                .max_groups = s->max_groups,
                                .max_rows = 2,
                                .values = group_values,
                                .value_count = 2,
                                .has_keys = s->has_keys,
                                .keys = keys,
                                .key_count = s->has_keys ? KEYS : 0,
                                .hash_key = hash_key,
                                .workers = s->workers,
                                .memory_bytes = s->memory_bytes};
    scrim_status status = sc_tape_seeded(seed, &tape, error);
    if (status == SCRIM_OK)
        status = sc_grouping_new(&plan, sc_tape_bits_of(tape), out, error);
    sc_tape_free(tape);
    return status;
}

/* Those of the rows whose number leaves this rest when divided by step. */
static scrim_status take_rows(sc_grouping *grouping, unsigned worker, size_t rest,
                              size_t step, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t row = rest; status == SCRIM_OK && row < ROWS; row += step) {
        char unit[64] = "", key[64] = "";
        snprintf(unit, sizeof unit, row % 4 == 0 ? "a longer name %zu" : "%zu", row % 5);
        /* Keys are discovered in another order, and some rows are alike. */
        const size_t at = row / 9 % KEYS;
        snprintf(key, sizeof key, "key %zu", rest == 0 ? KEYS - 1 - at : at);
        const sc_text units = sc_text_of(unit), keys = sc_text_of(key);
        const uint64_t unit_hash = sc_value_hash_plain(&hash_key, units),
                       key_hash = sc_value_hash_plain(&hash_key, keys);
        const int64_t x = (int64_t)(row % 2) * 4, y = (int64_t)(row % 3 * 400);
        const int64_t *const values[] = {&x, &y};
        const sc_group_rows one = {1, NULL, &units, &unit_hash, &keys, &key_hash, values};
        status = sc_grouping_take(grouping, worker, &one, error);
    }
    return status;
}

static scrim_status finish(sc_grouping *grouping, outcome *out, scrim_error *error)
{
    sc_groups groups = {NULL, 0};
    const scrim_status status = sc_grouping_finish(grouping, &groups, error);
    *out = (outcome){.count = groups.count};
    for (size_t i = 0; status == SCRIM_OK && i < groups.count && i < KEYS; i++) {
        const sc_group *group = &groups.groups[i];
        out->rows[i] = group->rows;
        out->units[i] = group->units;
        out->sums[i] = group->sums[0] * 1000000 + group->sums[1];
        out->squares[i] = group->squares[0];
        snprintf(out->keys[i], sizeof out->keys[i], "%.*s", (int)group->key.bytes,
                 group->key.start);
        for (uint64_t j = 0; j < group->rows; j++)
            out->list[i] = out->list[i] * 31 + (uint64_t)group->lists[1][j];
        for (size_t j = 0; j < 11; j++)
            out->list[i] = out->list[i] * 31 + (uint64_t)group->bars[1][j];
    }
    return status;
}

/* The rows of two thirds, in two workers, as bytes. */
static scrim_status write_part(const setting *s, uint64_t seed, state_bytes *out,
                               scrim_error *error)
{
    sc_grouping *part = NULL;
    *out = (state_bytes){NULL, 0};
    scrim_status status = open_grouping(s, seed, &part, error);
    if (status == SCRIM_OK)
        status = take_rows(part, 0, 1, 3, error);
    if (status == SCRIM_OK)
        status = take_rows(part, s->workers - 1, 2, 3, error);
    if (status == SCRIM_OK)
        status = sc_grouping_write(part, put_bytes, out, error);
    sc_grouping_free(part);
    return status;
}

static scrim_status merge_and_finish(const setting *s, uint64_t seed,
                                     const state_bytes *part, bool is_first, outcome *out,
                                     scrim_error *error)
{
    sc_grouping *whole = NULL;
    scrim_status status = open_grouping(s, seed, &whole, error);
    if (status == SCRIM_OK && !is_first)
        status = take_rows(whole, 0, 0, 3, error);
    if (status == SCRIM_OK)
        status = sc_grouping_merge(whole, (sc_text){part->bytes, part->count}, error);
    if (status == SCRIM_OK && is_first)
        status = take_rows(whole, 0, 0, 3, error);
    if (status == SCRIM_OK)
        status = finish(whole, out, error);
    sc_grouping_free(whole);
    return status;
}

static bool outcome_equal(const outcome *a, const outcome *b)
{
    bool is_equal = a->count == b->count;
    for (size_t i = 0; i < KEYS; i++)
        is_equal = is_equal && a->rows[i] == b->rows[i] && a->units[i] == b->units[i] &&
                   a->list[i] == b->list[i] && a->sums[i] == b->sums[i] &&
                   a->squares[i] == b->squares[i] && strcmp(a->keys[i], b->keys[i]) == 0;
    return is_equal;
}

static setting setting_of(unsigned i)
{
    return (setting){.has_units = i % 2 == 0,
                     .has_keys = i / 2 % 2 == 0,
                     .max_groups = i / 4 % 2 == 0 ? 1 : 3,
                     .workers = i / 8 % 2 == 0 ? 1 : 2,
                     .memory_bytes = i / 16 % 2};
}

TEST(group_state_merged_is_one_grouping_of_all_rows)
{
    CLAIM("group-state.same");
    for (unsigned i = 0; i < 32; i++) {
        const setting s = setting_of(i);
        const setting alone = {s.has_units, s.has_keys, s.max_groups, 1, 0};
        outcome want = {0}, got = {0};
        state_bytes part;
        sc_grouping *whole = NULL;
        scrim_error error;
        REQUIRE_OK(open_grouping(&alone, 7, &whole, &error));
        for (size_t rest = 0; rest < 3; rest++)
            CHECK_STATUS(take_rows(whole, 0, rest, 3, &error), SCRIM_OK);
        CHECK_STATUS(finish(whole, &want, &error), SCRIM_OK);
        sc_grouping_free(whole);
        REQUIRE_OK(write_part(&s, 7, &part, &error));
        CHECK_STATUS(merge_and_finish(&alone, 7, &part, false, &got, &error), SCRIM_OK);
        CHECK(want.count == KEYS && outcome_equal(&want, &got));
        /* One without rows takes the keys of the part. */
        CHECK_STATUS(merge_and_finish(&s, 8, &part, true, &got, &error), SCRIM_OK);
        CHECK(outcome_equal(&want, &got));
        /* One that has bounded by other keys cannot. */
        CHECK_STATUS(merge_and_finish(&s, 8, &part, false, &got, &error), SCRIM_E_PARAM);
        free(part.bytes);
    }
}

TEST(group_state_of_another_plan_is_refused)
{
    state_bytes part;
    outcome none = {0};
    scrim_error error;
    const setting s = setting_of(0);
    REQUIRE_OK(write_part(&s, 7, &part, &error));
    for (unsigned i = 1; i < 8; i++) {
        const setting other = setting_of(i);
        CHECK_STATUS(merge_and_finish(&other, 7, &part, true, &none, &error),
                     SCRIM_E_PARAM);
    }
    free(part.bytes);
}

/* Cut anywhere, in memory that ends there. */
TEST(group_state_that_is_cut_is_refused)
{
    for (unsigned i = 0; i < 4; i++) {
        const setting s = setting_of(i);
        state_bytes part;
        outcome none = {0};
        scrim_error error;
        REQUIRE_OK(write_part(&s, 7, &part, &error));
        for (size_t count = 0; count < part.count; count += 1 + count / 16) {
            state_bytes cut = {malloc(count > 0 ? count : 1), count};
            REQUIRE(cut.bytes != NULL);
            memcpy(cut.bytes, part.bytes, count);
            CHECK_STATUS(merge_and_finish(&s, 7, &cut, true, &none, &error),
                         SCRIM_E_INPUT);
            free(cut.bytes);
        }
        free(part.bytes);
    }
}

/* Where rows are units, values and copies of rows end the state: each as if another had written it. */
TEST(group_state_with_values_out_of_range_is_refused)
{
    static const int64_t lies[] = {-1, 1001, INT64_MIN, INT64_MAX};
    for (unsigned i = 1; i < 4; i += 2) {
        const setting s = setting_of(i);
        state_bytes part;
        outcome none = {0};
        scrim_error error;
        REQUIRE_OK(write_part(&s, 7, &part, &error));
        const size_t rows = ROWS / 3 * 2;
        char *values = part.bytes + part.count - SC_UNIT_PADDING - rows * sizeof(int64_t);
        char *copies = values - rows * sizeof(uint64_t);
        CHECK_STATUS(merge_and_finish(&s, 7, &part, true, &none, &error), SCRIM_OK);
        for (size_t k = 0; k < COUNT(lies); k++) {
            int64_t kept;
            memcpy(&kept, values, sizeof kept);
            CHECK(kept >= 0 && kept <= 1000);
            memcpy(values, &lies[k], sizeof lies[k]);
            CHECK_STATUS(merge_and_finish(&s, 7, &part, true, &none, &error),
                         SCRIM_E_INPUT);
            memcpy(values, &kept, sizeof kept);
        }
        for (uint64_t copy = 0; copy < 200; copy += 100) {
            uint64_t kept;
            memcpy(&kept, copies, sizeof kept);
            memcpy(copies, &copy, sizeof copy);
            CHECK_STATUS(merge_and_finish(&s, 7, &part, true, &none, &error),
                         SCRIM_E_INPUT);
            memcpy(copies, &kept, sizeof kept);
        }
        free(part.bytes);
    }
}

static bool put_nothing(void *context, const void *bytes, size_t count)
{
    (void)context, (void)bytes, (void)count;
    return false;
}

TEST(group_state_is_written_once)
{
    const setting s = setting_of(0);
    sc_grouping *grouping = NULL;
    outcome none = {0};
    scrim_error error;
    REQUIRE_OK(open_grouping(&s, 7, &grouping, &error));
    CHECK_STATUS(sc_grouping_write(grouping, put_nothing, NULL, &error), SCRIM_E_INPUT);
    CHECK_STATUS(sc_grouping_write(grouping, put_nothing, NULL, &error), SCRIM_E_STATE);
    CHECK_STATUS(finish(grouping, &none, &error), SCRIM_E_STATE);
    CHECK_STATUS(sc_grouping_merge(grouping, (sc_text){"", 0}, &error), SCRIM_E_STATE);
    sc_grouping_free(grouping);
}

TEST(group_state_survives_failing_allocations)
{
    for (unsigned i = 0; i < 4; i++) {
        const setting s = setting_of(i);
        state_bytes part;
        scrim_error error;
        REQUIRE_OK(write_part(&s, 7, &part, &error));
        FAULT_LOOP(fault)
        {
            outcome none = {0};
            sc_grouping *whole = NULL;
            scrim_status status = open_grouping(&s, 7, &whole, &error);
            if (status == SCRIM_OK)
                status =
                    sc_grouping_merge(whole, (sc_text){part.bytes, part.count}, &error);
            if (status == SCRIM_OK)
                status = finish(whole, &none, &error);
            sc_grouping_free(whole);
            CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        }
        free(part.bytes);
    }
}
