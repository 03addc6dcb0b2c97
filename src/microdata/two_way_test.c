#include "check.h"
#include "microdata/two_way.h"
#include "trees.h"

#include <stdlib.h>
#include <string.h>

#define MOST 40

/* A table with the sums of some other table, so that one exists. */
typedef struct two_way_scene {
    size_t rows, columns;
    int64_t row_sums[MOST], column_sums[MOST];
    int64_t values[MOST * MOST], counts[MOST * MOST];
} two_way_scene;

static void make(two_way_scene *s, uint64_t *state, size_t rows, size_t columns,
                 uint64_t most, uint64_t noise)
{
    *s = (two_way_scene){.rows = rows, .columns = columns};
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            const int64_t count = (int64_t)(trees_next(state) % most);
            s->row_sums[r] += count;
            s->column_sums[c] += count;
            s->values[r * columns + c] =
                count + (int64_t)(trees_next(state) % (2 * noise + 1)) - (int64_t)noise;
        }
    memcpy(s->counts, s->values, sizeof s->counts);
}

static void check_sums(const two_way_scene *s)
{
    int64_t columns[MOST] = {0};
    for (size_t r = 0; r < s->rows; r++) {
        int64_t sum = 0;
        for (size_t c = 0; c < s->columns; c++) {
            const int64_t count = s->counts[r * s->columns + c];
            CHECK(count >= 0);
            sum += count;
            columns[c] += count;
        }
        CHECK_INT(sum, s->row_sums[r]);
    }
    for (size_t c = 0; c < s->columns; c++)
        CHECK_INT(columns[c], s->column_sums[c]);
}

static int64_t distance(const two_way_scene *s, const int64_t *counts)
{
    int64_t sum = 0;
    for (size_t i = 0; i < s->rows * s->columns; i++)
        sum += (counts[i] - s->values[i]) * (counts[i] - s->values[i]);
    return sum;
}

/* The smallest distance over all tables of three columns with the sums, cell by cell. */
static void search(const two_way_scene *s, size_t cell, int64_t *counts, int64_t *rows,
                   int64_t *columns, int64_t *best)
{
    if (cell == s->rows * s->columns) {
        const int64_t now = distance(s, counts);
        *best = *best < 0 || now < *best ? now : *best;
        return;
    }
    const size_t r = cell / s->columns, c = cell % s->columns;
    for (int64_t n = 0; n <= rows[r] && n <= columns[c]; n++) {
        if ((c + 1 == s->columns && n != rows[r]) ||
            (r + 1 == s->rows && n != columns[c]))
            continue;
        counts[cell] = n;
        rows[r] -= n;
        columns[c] -= n;
        search(s, cell + 1, counts, rows, columns, best);
        rows[r] += n;
        columns[c] += n;
    }
}

TEST(two_way_is_nearest_of_all)
{
    CLAIM("two-way.nearest");
    uint64_t state = 3;
    two_way_scene s;
    for (size_t run = 0; run < 400; run++) {
        int64_t counts[MOST], best = -1;
        const sc_hash_key key = {run, 5};
        make(&s, &state, run % 3 + 1, trees_next(&state) % 3 + 1, 4, run % 7);
        CHECK_STATUS(sc_two_way(s.row_sums, s.rows, s.column_sums, s.columns,
                                run % 2 ? &key : NULL, s.counts, NULL),
                     SCRIM_OK);
        check_sums(&s);
        search(&s, 0, counts, s.row_sums, s.column_sums, &best);
        CHECK_INT(distance(&s, s.counts), best);
    }
}

/* Shortens the ways to a row and a column by the step between them, either way; true where one got shorter. */
static bool relax(const two_way_scene *s, size_t r, size_t c, int64_t *rows,
                  int64_t *columns)
{
    const int64_t count = s->counts[r * s->columns + c],
                  twice = 2 * (count - s->values[r * s->columns + c]);
    bool is_shorter = false;
    if (rows[r] + twice + 1 < columns[c]) {
        columns[c] = rows[r] + twice + 1;
        is_shorter = true;
    }
    if (count > 0 && columns[c] - twice + 1 < rows[r]) {
        rows[r] = columns[c] - twice + 1;
        is_shorter = true;
    }
    return is_shorter;
}

/* A table is nearest exactly if moving units around no circle is an improvement: ways then stop getting shorter after as many
 * rounds as there are rows and columns. */
static void check_circles(const two_way_scene *s)
{
    int64_t rows[MOST] = {0}, columns[MOST] = {0};
    bool is_shorter = true;
    for (size_t round = 0; is_shorter && round <= s->rows + s->columns; round++) {
        is_shorter = false;
        for (size_t r = 0; r < s->rows; r++)
            for (size_t c = 0; c < s->columns; c++)
                is_shorter |= relax(s, r, c, rows, columns);
    }
    CHECK(!is_shorter);
}

SLOW_TEST(two_way_of_larger_tables)
{
    CLAIM("two-way.sums");
    CLAIM("two-way.nearest");
    uint64_t state = 4;
    two_way_scene *s = malloc(sizeof *s);
    for (size_t run = 0; run < 200; run++) {
        static const uint64_t most[] = {2, 30, 1000000, 3};
        const sc_hash_key key = {run, 6};
        make(s, &state, trees_next(&state) % 30 + 1, trees_next(&state) % 30 + 1,
             most[run % 4], run % 5 == 0 ? 1000 : 12);
        CHECK_STATUS(sc_two_way(s->row_sums, s->rows, s->column_sums, s->columns, &key,
                                s->counts, NULL),
                     SCRIM_OK);
        check_sums(s);
        check_circles(s);
    }
    free(s);
}

/* Sums of 0, a table of one cell, values far beyond the sums, and values that are a table already. */
TEST(two_way_at_the_ends)
{
    CLAIM("two-way.sums");
    const int64_t none[3] = {0, 0, 0}, one[1] = {7}, some[2] = {3, 4},
                  parts[3] = {2, 0, 5};
    int64_t values[6] = {5, -3, 9, 0, 1, 2}, single[1] = {-40},
            huge[6] = {INT64_MAX, INT64_MIN, 0, 0, INT64_MAX, -1},
            exact[6] = {1, 0, 2, 1, 0, 3};
    CHECK_STATUS(sc_two_way(none, 2, none, 3, NULL, values, NULL), SCRIM_OK);
    for (size_t i = 0; i < 6; i++)
        CHECK_INT(values[i], 0);
    CHECK_STATUS(sc_two_way(one, 1, one, 1, NULL, single, NULL), SCRIM_OK);
    CHECK_INT(single[0], 7);
    CHECK_STATUS(sc_two_way(some, 2, parts, 3, NULL, huge, NULL), SCRIM_OK);
    CHECK_INT(huge[0] + huge[1] + huge[2], 3);
    CHECK_INT(huge[0] + huge[3], 2);
    CHECK_INT(huge[1] + huge[4], 0);
    CHECK_STATUS(sc_two_way(some, 2, parts, 3, NULL, exact, NULL), SCRIM_OK);
    CHECK_INT(exact[0], 1);
    CHECK_INT(exact[5], 3);
}
