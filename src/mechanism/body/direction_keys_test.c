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
    int64_t *first = sc_allocate(rows + 1, sizeof *first);
    int64_t *second = sc_allocate(rows + 1, sizeof *second);
    for (size_t r = 0; r < rows; r++)
        for (size_t j = 0; j < dimension; j++) {
            const uint64_t kind = next(&state) % 64;
            int64_t v = (int64_t)(next(&state) % (uint64_t)(extents[j] + 1));
            v = kind == 0 ? -5 : kind == 1 ? INT64_MAX : kind == 2 ? extents[j] : v;
            values[r * dimension + j] =
                kind == 3 && r % 5 == 0 ? SC_DIRECTION_MISSING : v;
        }
    for (size_t i = 0; i + 1 < count; i += 2) {
        const size_t which[2] = {i, i + 1};
        int64_t *keys[2] = {first, second};
        const sc_direction_task task = {.rows = values,
                                        .count = rows,
                                        .which = which,
                                        .which_count = 2,
                                        .keys = keys,
                                        .workers = workers};
        CHECK_STATUS(sc_direction_keys_run(&p, &task, NULL), SCRIM_OK);
        size_t wrong = 0;
        for (size_t r = 0; r < rows; r++)
            for (size_t k = 0; k < 2; k++) {
                const int64_t want = by_definition(&p, values + r * dimension, which[k]);
                wrong += keys[k][r] != want || keys[k][r] < 0 ||
                         (uint64_t)keys[k][r] > p.axes[which[k]].last ||
                         sc_direction_key(&p, values + r * dimension, which[k]) != want;
            }
        CHECK_INT(wrong, 0);
        CHECK(p.axes[i].last >= 1 && p.axes[i].last <= cells);
    }
    sc_free(values);
    sc_free(first);
    sc_free(second);
    sc_direction_keys_clear(&p);
    sc_directions_clear(&s);
}

TEST(direction_keys_are_exact)
{
    CLAIM("direction-keys.exact");
    check_rows(1, 2, 1 << 20, 3000, 1);
    check_rows(3, 12, 1000, 2049, 2);
    check_rows(10, 20, SC_DIRECTION_CELLS, 1023, 2);
    check_rows(64, 128, 1 << 20, 100, 1);
    check_rows(2, 4, 1, 10, 1);
    check_rows(4, 8, 256, 0, 2);
}

/* One row more changes nothing of the others. */
TEST(direction_keys_depend_on_their_row)
{
    CLAIM("direction-keys.own-row");
    const int64_t extents[2] = {1000, 77};
    int64_t rows[2002], whole[1001], without[1001];
    uint64_t state = 3;
    sc_directions s;
    sc_direction_keys p;
    for (size_t i = 0; i < 2002; i++)
        rows[i] = (int64_t)(next(&state) % 1100);
    if (!made(&s, 2, 8) ||
        !CHECK_STATUS(sc_direction_keys_init(&p, &s, extents, 500, NULL), SCRIM_OK))
        return;
    for (size_t i = 0; i < 8; i++) {
        int64_t *keys = whole;
        sc_direction_task task = {.rows = rows,
                                  .count = 1001,
                                  .which = &i,
                                  .which_count = 1,
                                  .keys = &keys,
                                  .workers = 1};
        CHECK_STATUS(sc_direction_keys_run(&p, &task, NULL), SCRIM_OK);
        task.count = 700;
        keys = without;
        CHECK_STATUS(sc_direction_keys_run(&p, &task, NULL), SCRIM_OK);
        task.rows = rows + 2 * 701;
        task.count = 300;
        keys = without + 701;
        CHECK_STATUS(sc_direction_keys_run(&p, &task, NULL), SCRIM_OK);
        without[700] = whole[700];
        CHECK_BYTES(whole, without, sizeof whole);
    }
    sc_direction_keys_clear(&p);
    sc_directions_clear(&s);
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
