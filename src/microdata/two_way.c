#include "microdata/two_way.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 400

/* Rows and columns are sides of one thing: places 0 .. rows - 1 are rows, those behind them are columns. The table is in the
 * public order. */
typedef struct task {
    size_t rows, columns;
    int64_t *wanted; /* sum of each place */
    int64_t *left;   /* what is missing of it */
    int64_t *values; /* f, row by row */
    int64_t *counts; /* t */
    double *slopes;  /* half of a price, of each place */
    double *sorted;  /* room for one row or column */
    int64_t *prices; /* of each place */
    int64_t *reach;  /* the length of the shortest path to each place; -1: not found */
    size_t *before;  /* the place before it */
    bool *is_settled;
    struct ranked *order;
} task;

struct ranked {
    uint64_t rank;
    size_t place;
};

/* The public order. */

static int compare_ranks(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Rows first, then columns, each in its own order. */
static void set_order(task *t, const sc_hash_key *key)
{
    for (size_t i = 0; i < t->rows + t->columns; i++)
        t->order[i] = (struct ranked){.place = i < t->rows ? i : i - t->rows};
    if (key == NULL)
        return;
    const sc_hash_half half[2] = {sc_hash_first(key, 0), sc_hash_first(key, 1)};
    for (size_t i = 0; i < t->rows + t->columns; i++)
        t->order[i].rank = sc_hash_second(&half[i >= t->rows], t->order[i].place);
    qsort(t->order, t->rows, sizeof *t->order, compare_ranks);
    qsort(t->order + t->rows, t->columns, sizeof *t->order, compare_ranks);
}

static size_t given_cell(const task *t, size_t r, size_t c)
{
    return t->order[r].place * t->columns + t->order[t->rows + c].place;
}

static int64_t clamp(int64_t value)
{
    return value > SC_TWO_WAY_VALUE    ? SC_TWO_WAY_VALUE
           : value < -SC_TWO_WAY_VALUE ? -SC_TWO_WAY_VALUE
                                       : value;
}

static void load(task *t, const int64_t *rows, const int64_t *columns,
                 const int64_t *values)
{
    for (size_t r = 0; r < t->rows; r++) {
        t->wanted[r] = rows[t->order[r].place];
        for (size_t c = 0; c < t->columns; c++)
            t->values[r * t->columns + c] = clamp(values[given_cell(t, r, c)]);
    }
    for (size_t c = 0; c < t->columns; c++)
        t->wanted[t->rows + c] = columns[t->order[t->rows + c].place];
}

/* Prices in doubles: t = max(0, f + slope(r) + slope(c)). */

/* From the largest on, by insertion over gaps that shrink to four ninths: rows and columns are short. */
static void sort_down(double *values, size_t count)
{
    size_t gap = 1;
    while (gap * 9 / 4 + 1 < count)
        gap = gap * 9 / 4 + 1;
    for (; gap > 0; gap = gap * 4 / 9)
        for (size_t i = gap; i < count; i++) {
            const double held = values[i];
            size_t at = i;
            for (; at >= gap && values[at - gap] < held; at -= gap)
                values[at] = values[at - gap];
            values[at] = held;
        }
}

/* The number to add to values, sorted from the largest on, so that those above 0 then have this sum. False if smaller values
 * than these would be above 0, too. */
static bool level_of(const double *sorted, size_t count, double sum, double *level)
{
    double above = 0;
    if (count > 0)
        *level = -sorted[0];
    for (size_t i = 0; i < count; i++) {
        above += sorted[i];
        if (sorted[i] * (double)(i + 1) <= above - sum)
            return true;
        *level = (sum - above) / (double)(i + 1);
    }
    return false;
}

/* How far below 0 a value may lie with the slope of the round before, and be looked at first. */
#define NEAR 4

/* The slope of a place from its values, few of which are above 0: only these need be sorted. */
static double new_slope(task *t, size_t place, size_t count)
{
    double *values = t->sorted, level = 0;
    size_t near = 0;
    for (size_t i = 0; i < count; i++)
        if (values[i] + t->slopes[place] > -NEAR) {
            const double held = values[i];
            values[i] = values[near];
            values[near++] = held;
        }
    sort_down(values, near);
    if (!level_of(values, near, (double)t->wanted[place], &level) && near < count) {
        sort_down(values, count);
        (void)level_of(values, count, (double)t->wanted[place], &level);
    }
    return level;
}

/* Sets the slope of a place; returns by how much its sum was off. */
static double set_slope(task *t, size_t place)
{
    const bool is_row = place < t->rows;
    const size_t count = is_row ? t->columns : t->rows, step = is_row ? 1 : t->columns,
                 first = is_row ? place * t->columns : place - t->rows,
                 other = is_row ? t->rows : 0;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        t->sorted[i] = (double)t->values[first + i * step] + t->slopes[other + i];
        sum += fmax(0, t->sorted[i] + t->slopes[place]);
    }
    t->slopes[place] = new_slope(t, place, count);
    return fabs(sum - (double)t->wanted[place]);
}

static void set_slopes(task *t)
{
    for (size_t round = 0; round < ROUNDS; round++) {
        double off = 0;
        for (size_t r = 0; r < t->rows; r++)
            off += set_slope(t, r);
        for (size_t c = 0; c < t->columns; c++)
            (void)set_slope(t, t->rows + c);
        if (round > 0 && off < 0.25)
            break;
    }
}

/* Whole prices, and the table that is optimal for them. */
static void set_counts(task *t)
{
    for (size_t i = 0; i < t->rows + t->columns; i++) {
        t->prices[i] = (int64_t)nearbyint(2 * t->slopes[i]);
        t->left[i] = t->wanted[i];
    }
    for (size_t r = 0; r < t->rows; r++)
        for (size_t c = 0; c < t->columns; c++) {
            const int64_t price = t->prices[r] + t->prices[t->rows + c];
            const int64_t half = (price - (price & 1)) / 2;
            const int64_t count = t->values[r * t->columns + c] + half;
            t->counts[r * t->columns + c] = count < 0 ? 0 : count;
            t->left[r] -= count < 0 ? 0 : count;
            t->left[t->rows + c] -= count < 0 ? 0 : count;
        }
}

/* Shortest paths. A row that lacks units gives one more to some column, a column that has too many takes one off some row;
 * a path ends at a column that lacks units, or at a row that has too many. */

static bool is_end(const task *t, size_t place)
{
    return place < t->rows ? t->left[place] < 0 : t->left[place] > 0;
}

/* From a place to one on the other side: what it costs beyond the prices, at least 0; -1: it cannot be done. */
static int64_t step_cost(const task *t, size_t from, size_t to)
{
    const bool adds = from < t->rows;
    const size_t r = adds ? from : to, c = (adds ? to : from) - t->rows,
                 cell = r * t->columns + c;
    const int64_t twice = 2 * (t->counts[cell] - t->values[cell]),
                  price = t->prices[r] + t->prices[t->rows + c];
    if (adds)
        return twice + 1 - price;
    return t->counts[cell] > 0 ? price - twice + 1 : -1;
}

static void look_around(task *t, size_t from)
{
    const size_t first = from < t->rows ? t->rows : 0,
                 last = from < t->rows ? t->rows + t->columns : t->rows;
    for (size_t to = first; to < last; to++) {
        if (t->is_settled[to])
            continue;
        const int64_t cost = step_cost(t, from, to);
        if (cost >= 0 && (t->reach[to] < 0 || t->reach[from] + cost < t->reach[to])) {
            t->reach[to] = t->reach[from] + cost;
            t->before[to] = from;
        }
    }
}

/* The nearest place that is not settled; the number of places if all are settled. */
static size_t nearest(const task *t)
{
    const size_t places = t->rows + t->columns;
    size_t best = places;
    for (size_t i = 0; i < places; i++)
        if (!t->is_settled[i] && t->reach[i] >= 0 &&
            (best == places || t->reach[i] < t->reach[best]))
            best = i;
    return best;
}

/* From start to the nearest end, which is returned: a table with the sums exists, so there is one. Prices are moved so that
 * the path costs nothing. */
static size_t find_path(task *t, size_t start)
{
    const size_t places = t->rows + t->columns;
    for (size_t i = 0; i < places; i++) {
        t->reach[i] = -1;
        t->is_settled[i] = false;
    }
    t->reach[start] = 0;
    size_t at = start;
    while (at < places && !is_end(t, at)) {
        t->is_settled[at] = true;
        look_around(t, at);
        at = nearest(t);
    }
    for (size_t i = 0; at < places && i < places; i++)
        if (t->is_settled[i]) {
            const int64_t shift = t->reach[at] - t->reach[i];
            t->prices[i] += i < t->rows ? shift : -shift;
        }
    return at;
}

static void move_unit(task *t, size_t start, size_t end)
{
    for (size_t to = end; to != start; to = t->before[to]) {
        const size_t from = t->before[to];
        if (from < t->rows)
            t->counts[from * t->columns + to - t->rows]++;
        else
            t->counts[to * t->columns + from - t->rows]--;
    }
    t->left[start] += start < t->rows ? -1 : 1;
    t->left[end] += end < t->rows ? 1 : -1;
}

static void meet_sums(task *t)
{
    const size_t places = t->rows + t->columns;
    for (size_t i = 0; i < places; i++)
        while (i < t->rows ? t->left[i] > 0 : t->left[i] < 0) {
            const size_t end = find_path(t, i);
            if (end == places)
                break;
            move_unit(t, i, end);
        }
}

/* Memory. */

static bool take_memory(task *t)
{
    const size_t places = t->rows + t->columns, cells = t->rows * t->columns;
    t->wanted = sc_allocate(places, sizeof *t->wanted);
    t->left = sc_allocate(places, sizeof *t->left);
    t->values = sc_allocate(cells, sizeof *t->values);
    t->counts = sc_allocate(cells, sizeof *t->counts);
    t->slopes = sc_allocate(places, sizeof *t->slopes);
    t->sorted = sc_allocate(places, sizeof *t->sorted);
    t->prices = sc_allocate(places, sizeof *t->prices);
    t->reach = sc_allocate(places, sizeof *t->reach);
    t->before = sc_allocate(places, sizeof *t->before);
    t->is_settled = sc_allocate(places, sizeof *t->is_settled);
    t->order = sc_allocate(places, sizeof *t->order);
    return t->wanted != NULL && t->left != NULL && t->values != NULL &&
           t->counts != NULL && t->slopes != NULL && t->sorted != NULL &&
           t->prices != NULL && t->reach != NULL && t->before != NULL &&
           t->is_settled != NULL && t->order != NULL;
}

static void free_memory(task *t)
{
    sc_free(t->wanted);
    sc_free(t->left);
    sc_free(t->values);
    sc_free(t->counts);
    sc_free(t->slopes);
    sc_free(t->sorted);
    sc_free(t->prices);
    sc_free(t->reach);
    sc_free(t->before);
    sc_free(t->is_settled);
    sc_free(t->order);
}

scrim_status sc_two_way(const int64_t *rows, size_t row_count, const int64_t *columns,
                        size_t column_count, const sc_hash_key *key, int64_t *values,
                        scrim_error *error)
{
    task t = {.rows = row_count, .columns = column_count};
    scrim_status status = SCRIM_OK;
    if (take_memory(&t)) {
        set_order(&t, key);
        load(&t, rows, columns, values);
        set_slopes(&t);
        set_counts(&t);
        meet_sums(&t);
        for (size_t r = 0; r < t.rows; r++)
            for (size_t c = 0; c < t.columns; c++)
                values[given_cell(&t, r, c)] = t.counts[r * t.columns + c];
    } else {
        status = sc_no_memory(error, "the tables of a tree");
    }
    free_memory(&t);
    return status;
}
