#include "base/memory.h"
#include "check.h"
#include "mechanism/body/direction_keys.h"

#include <string.h>

/* Numbers that look random, the same in every run. */
static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005 + 1442695040888963407;
    return *state >> 11;
}

static bool made(sc_directions *s, size_t dimension, size_t count)
{
    const sc_directions_question q = {
        .kind = SC_DIRECTIONS_FRAMES, .dimension = dimension, .count = count, .seed = 5};
    return CHECK_STATUS(sc_directions_init(s, &q, NULL), SCRIM_OK);
}

/* Exact arithmetic, written out: floor((P - lo)/2^shift + 1/2). */
static int64_t by_definition(const sc_direction_keys *p, const int64_t *row, size_t i)
{
    const sc_direction_axis *axis = &p->axes[i];
    const size_t other = p->directions->mirrors[i];
    const int32_t *a =
        sc_direction_at(p->directions, other == SC_DIRECTION_ALONE ? i : other);
    sc_int128 sum = 0, low = 0;
    for (size_t j = 0; j < p->directions->dimension; j++) {
        if (row[j] == SC_DIRECTION_MISSING)
            return 0;
        const int64_t c = row[j] < 0               ? 0
                          : row[j] > p->extents[j] ? p->extents[j]
                                                   : row[j];
        sum += (sc_int128)a[j] * c;
        low += a[j] < 0 ? (sc_int128)a[j] * p->extents[j] : 0;
    }
    const sc_int128 width = (sc_int128)1 << axis->shift;
    const int64_t key = (int64_t)((2 * (sum - low) + width) / (2 * width));
    return other == SC_DIRECTION_ALONE ? key : (int64_t)axis->last - key;
}

/* All directions at once, in the order of storing, by both implementations. */
static void check_keys(const sc_direction_keys *p, const sc_direction_rows *stored,
                       const int64_t *values, const size_t *order, unsigned workers,
                       uint64_t cells)
{
    const size_t rows = sc_direction_rows_count(stored), d = stored->dimension;
    size_t which[SC_DIRECTION_AT_ONCE];
    int64_t *keys[SC_DIRECTION_AT_ONCE], *plain[SC_DIRECTION_AT_ONCE];
    for (size_t first = 0; first < p->directions->count; first += SC_DIRECTION_AT_ONCE) {
        const size_t rest = p->directions->count - first,
                     count = rest < SC_DIRECTION_AT_ONCE ? rest : SC_DIRECTION_AT_ONCE;
        sc_direction_task task = {.rows = stored,
                                  .which = which,
                                  .which_count = count,
                                  .keys = keys,
                                  .workers = workers};
        for (size_t k = 0; k < count; k++) {
            which[k] = first + k;
            keys[k] = sc_allocate(rows + 1, sizeof **keys);
            plain[k] = sc_allocate(rows + 1, sizeof **plain);
        }
        CHECK_STATUS(sc_direction_keys_run(p, &task, NULL), SCRIM_OK);
        task.keys = plain;
        CHECK_STATUS(sc_direction_keys_plain(p, &task, NULL), SCRIM_OK);
        size_t wrong = 0;
        for (size_t k = 0; k < count; k++) {
            for (size_t r = 0; r < rows; r++) {
                const int64_t *row = values + order[r] * d,
                              want = by_definition(p, row, which[k]);
                wrong += keys[k][r] != want || plain[k][r] != want || want < 0 ||
                         (uint64_t)want > p->axes[which[k]].last ||
                         sc_direction_key(p, row, which[k]) != want;
            }
            CHECK(p->axes[which[k]].last >= 1 && p->axes[which[k]].last <= cells);
            sc_free(keys[k]);
            sc_free(plain[k]);
        }
        CHECK_INT(wrong, 0);
    }
}

static void check_rows(size_t dimension, size_t count, uint64_t cells, size_t rows,
                       unsigned workers)
{
    sc_directions s;
    sc_direction_keys p;
    int64_t extents[SC_DIRECTION_DIMENSIONS];
    uint64_t state = dimension * 1000 + count;
    for (size_t j = 0; j < dimension; j++)
        extents[j] =
            j % 3 == 0 ? SC_DIRECTION_EXTENT : (int64_t)(1 + next(&state) % 100000);
    if (!made(&s, dimension, count) ||
        !CHECK_STATUS(sc_direction_keys_init(&p, &s, extents, cells, NULL), SCRIM_OK))
        return;
    int64_t *values = sc_allocate(rows * dimension + 1, sizeof *values);
    sc_direction_rows stored = {.dimension = dimension};
    size_t *order = sc_allocate(rows + 1, sizeof *order), complete = 0, missing = 0;
    for (size_t r = 0; r < rows; r++) {
        bool is_missing = false;
        for (size_t j = 0; j < dimension; j++) {
            const uint64_t kind = next(&state) % 64;
            int64_t v = (int64_t)(next(&state) % (uint64_t)(extents[j] + 1));
            v = kind == 0 ? -5 : kind == 1 ? INT64_MAX : kind == 2 ? extents[j] : v;
            is_missing |= kind == 3 && r % 5 == 0;
            values[r * dimension + j] =
                kind == 3 && r % 5 == 0 ? SC_DIRECTION_MISSING : v;
        }
        REQUIRE_OK(
            sc_direction_rows_add(&stored, values + r * dimension, extents, 1, NULL));
        order[is_missing ? rows - ++missing : complete++] = r;
    }
    CHECK_INT(stored.complete, complete);
    CHECK_INT(stored.missing, missing);
    check_keys(&p, &stored, values, order, workers, cells);
    sc_free(values);
    sc_free(order);
    sc_direction_rows_clear(&stored);
    sc_direction_keys_clear(&p);
    sc_directions_clear(&s);
}

TEST(direction_keys_are_exact)
{
    CLAIM("direction-keys.exact");
    CLAIM("direction-keys.same");
    CLAIM("direction-rows.clamped");
    check_rows(1, 2, 1 << 20, 3000, 1);
    check_rows(3, 12, 1000, 2049, 2);
    check_rows(10, 20, SC_DIRECTION_CELLS, 1023, 2);
    check_rows(64, 128, 1 << 20, 100, 1);
    check_rows(2, 4, 1, 10, 1);
    check_rows(4, 8, 256, 0, 2);
}

/* The keys of rows with one of them left out, and with it as another. */
TEST(direction_keys_depend_on_their_row)
{
    CLAIM("direction-keys.own-row");
    enum { ROWS = 1001, OUT = 700, DIRECTIONS = 8 };
    const int64_t extents[2] = {1000, 77};
    int64_t rows[2 * ROWS], whole[ROWS], without[ROWS];
    uint64_t state = 3;
    sc_directions s;
    sc_direction_keys p;
    sc_direction_rows all = {.dimension = 2}, fewer = {.dimension = 2};
    for (size_t i = 0; i < (size_t)2 * ROWS; i++)
        rows[i] = (int64_t)(next(&state) % 1100);
    if (!made(&s, 2, DIRECTIONS) ||
        !CHECK_STATUS(sc_direction_keys_init(&p, &s, extents, 500, NULL), SCRIM_OK))
        return;
    for (size_t r = 0; r < ROWS; r++) {
        REQUIRE_OK(sc_direction_rows_add(&all, rows + 2 * r, extents, 1, NULL));
        if (r != OUT)
            REQUIRE_OK(sc_direction_rows_add(&fewer, rows + 2 * r, extents, 1, NULL));
    }
    for (size_t i = 0; i < DIRECTIONS; i++) {
        int64_t *keys = whole;
        sc_direction_task task = {
            .rows = &all, .which = &i, .which_count = 1, .keys = &keys, .workers = 1};
        CHECK_STATUS(sc_direction_keys_run(&p, &task, NULL), SCRIM_OK);
        task.rows = &fewer;
        keys = without;
        CHECK_STATUS(sc_direction_keys_run(&p, &task, NULL), SCRIM_OK);
        CHECK_BYTES(whole, without, OUT * sizeof *whole);
        CHECK_BYTES(whole + OUT + 1, without + OUT, (ROWS - OUT - 1) * sizeof *whole);
    }
    sc_direction_rows_clear(&all);
    sc_direction_rows_clear(&fewer);
    sc_direction_keys_clear(&p);
    sc_directions_clear(&s);
}

/* Copies, rows of several workers together, and rows that are not complete. */
TEST(direction_rows_are_joined)
{
    CLAIM("direction-rows.clamped");
    const int64_t extents[2] = {10, 20};
    const int64_t inside[2] = {3, 4}, beyond[2] = {-7, 1000},
                  missing[2] = {SC_DIRECTION_MISSING, 4}, other[2] = {4, INT64_MIN};
    sc_direction_rows one = {.dimension = 2}, two = {.dimension = 2};
    REQUIRE_OK(sc_direction_rows_add(&one, inside, extents, 1200, NULL));
    REQUIRE_OK(sc_direction_rows_add(&two, beyond, extents, 3, NULL));
    REQUIRE_OK(sc_direction_rows_add(&two, missing, extents, 2, NULL));
    REQUIRE_OK(sc_direction_rows_add(&one, other, extents, 5, NULL));
    REQUIRE_OK(sc_direction_rows_join(&one, &two, NULL));
    CHECK_INT(one.complete, 1203);
    CHECK_INT(one.missing, 7);
    CHECK_INT(sc_direction_rows_count(&one), 1210);
    CHECK_INT(sc_direction_rows_count(&two), 0);
    size_t first = 0, high = 0;
    for (size_t i = 0; i < one.block_count; i++)
        for (size_t r = 0; r < one.blocks[i].count; r++) {
            const int32_t *at = one.blocks[i].columns + r;
            first += at[0] == 3 && at[SC_DIRECTION_BLOCK] == 4;
            high += at[0] == 0 && at[SC_DIRECTION_BLOCK] == 20;
        }
    CHECK_INT(first, 1200);
    CHECK_INT(high, 3);
    CHECK(sc_direction_rows_bytes(10, 1000000) >= 40000000);
    CHECK(sc_direction_rows_bytes(10, 1000000) < 41000000);
    sc_direction_rows_clear(&one);
    sc_direction_rows_clear(&two);
}

/* Cells of mirrored directions stand for the same places, with the other sign. */
TEST(mirrored_cells_are_the_same_places)
{
    const int64_t extents[3] = {1 << 20, 12345, 7};
    sc_directions s;
    sc_direction_keys p;
    if (!made(&s, 3, 24) ||
        !CHECK_STATUS(sc_direction_keys_init(&p, &s, extents, 4096, NULL), SCRIM_OK))
        return;
    for (size_t i = 0; i < 24; i++)
        if (s.mirrors[i] != SC_DIRECTION_ALONE) {
            const sc_direction_axis *a = &p.axes[s.mirrors[i]], *b = &p.axes[i];
            for (uint64_t t = 0; t <= a->last; t += 97)
                CHECK_INT(a->origin + ((sc_int128)t << a->shift),
                          -(b->origin + ((sc_int128)(b->last - t) << b->shift)));
        }
    sc_direction_keys_clear(&p);
    sc_directions_clear(&s);
}

TEST(direction_keys_that_are_none_are_refused)
{
    const int64_t extents[2] = {10, 10};
    int32_t zeros[2] = {0, 0};
    sc_directions s;
    sc_direction_keys p;
    if (!made(&s, 2, 4))
        return;
    CHECK_STATUS(sc_direction_keys_init(&p, &s, extents, 0, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(sc_direction_keys_init(&p, &s, extents, SC_DIRECTION_CELLS + 1, NULL),
                 SCRIM_E_PARAM);
    sc_directions_clear(&s);
    size_t alone = SC_DIRECTION_ALONE;
    const sc_directions nowhere = {2, 1, zeros, &alone};
    CHECK_STATUS(sc_direction_keys_init(&p, &nowhere, extents, 10, NULL), SCRIM_E_PARAM);
}
