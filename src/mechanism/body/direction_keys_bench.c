/* Keys of 10^6 rows of 10 numbers in 20 directions, ten pairs of opposite ones, on one thread; an operation is all of them. Beside it
 * a copy that reads and writes as much memory in all. */
#include "base/memory.h"
#include "bench.h"
#include "mechanism/body/direction_keys.h"

#include <string.h>

#define ROWS ((size_t)1000000)
#define DIMENSION 10
#define DIRECTIONS 20
#define AT_ONCE 10
#define COPY_SHARE (1.0 / 3)

typedef struct table {
    sc_directions directions;
    sc_direction_keys keys;
    sc_direction_rows rows;
    int64_t *out[AT_ONCE];
} table;

static void project(void *context, uint64_t operations)
{
    table *t = context;
    scrim_error error;
    for (; operations > 0; operations--)
        for (size_t first = 0; first < DIRECTIONS; first += AT_ONCE) {
            const size_t which[AT_ONCE] = {first,     first + 1, first + 2, first + 3,
                                           first + 4, first + 5, first + 6, first + 7,
                                           first + 8, first + 9};
            const sc_direction_task task = {.rows = &t->rows,
                                            .which = which,
                                            .which_count = AT_ONCE,
                                            .keys = t->out,
                                            .workers = 1};
            bench_must(sc_direction_keys_run(&t->keys, &task, &error), &error);
        }
    bench_keep(t->out[0]);
}

/* Rows are read once for each AT_ONCE directions, whose keys are written: half of the sum of both is copied. */
#define READ_BYTES (DIRECTIONS / AT_ONCE * ROWS * DIMENSION * sizeof(int32_t))
#define WRITTEN_BYTES (DIRECTIONS * ROWS * sizeof(int64_t))
#define COPIED_BYTES ((READ_BYTES + WRITTEN_BYTES) / 2)

static void copy(void *context, uint64_t operations)
{
    const table *t = context;
    const size_t piece = ROWS * sizeof(int64_t);
    for (; operations > 0; operations--)
        for (size_t done = 0, i = 0; done < COPIED_BYTES; done += piece, i++) {
            memcpy(t->out[2 * i % AT_ONCE], t->out[(2 * i + 1) % AT_ONCE], piece);
            bench_keep(t->out[2 * i % AT_ONCE]);
        }
}
_Static_assert(COPIED_BYTES % (ROWS * sizeof(int64_t)) == 0, "whole pieces are copied");
_Static_assert(AT_ONCE % 2 == 0, "a piece is not copied to itself");

BENCH(direction_keys)
{
    static const char name[] = "body, 10^6 rows, 10 numbers, 20 directions";
    static const char rival[] = "body, as much memory copied";
    static table t;
    const sc_directions_question question = {.kind = SC_DIRECTIONS_FRAMES,
                                             .dimension = DIMENSION,
                                             .count = (size_t)DIRECTIONS * 2,
                                             .seed = 1};
    int64_t extents[DIMENSION];
    scrim_error error;
    uint64_t state = 88172645463325252u;
    if (!bench_is_wanted(name))
        return;
    for (size_t i = 0; i < DIMENSION; i++)
        extents[i] = SC_DIRECTION_EXTENT;
    bench_must(sc_directions_init(&t.directions, &question, &error), &error);
    bench_must(sc_direction_keys_init(&t.keys, &t.directions, extents, 1 << 20, &error),
               &error);
    t.rows.dimension = DIMENSION;
    for (size_t i = 0; i < AT_ONCE; i++)
        if ((t.out[i] = sc_allocate(ROWS, sizeof *t.out[i])) == NULL)
            bench_die("no memory");
    for (size_t i = 0; i < ROWS; i++) {
        int64_t row[DIMENSION];
        for (size_t j = 0; j < DIMENSION; j++) {
            state ^= state << 13; /* Marsaglia's xorshift: any spread will do */
            state ^= state >> 7;
            state ^= state << 17;
            row[j] = (int64_t)(state >> 40);
        }
        bench_must(sc_direction_rows_add(&t.rows, row, extents, 1, &error), &error);
    }
    bench_measure(&(bench_case){.name = name,
                                .unit = BENCH_MILLISECONDS,
                                .body = project,
                                .context = &t,
                                .rival = &(bench_case){.name = rival,
                                                       .unit = BENCH_MILLISECONDS,
                                                       .body = copy,
                                                       .context = &t},
                                .ratio_target = COPY_SHARE});
    for (size_t i = 0; i < AT_ONCE; i++)
        sc_free(t.out[i]);
    sc_direction_rows_clear(&t.rows);
    sc_direction_keys_clear(&t.keys);
    sc_directions_clear(&t.directions);
}
