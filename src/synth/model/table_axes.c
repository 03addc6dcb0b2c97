#include "synth/model/table_axes.h"

#include <math.h>
#include <string.h>

/* Can the axis before become part of this one in every table? */
static bool is_neighbour(const sc_table_axis *before, const sc_table_axis *axis,
                         size_t count)
{
    for (size_t t = 0; t < count; t++)
        if (before->steps[t] != axis->size * axis->steps[t])
            return false;
    return true;
}

/* The axis of a column in front of those that are there, which are kept last to first. */
static void put_axis(sc_table_axes *out, const sc_table_axis *axis, size_t count)
{
    sc_table_axis *last = out->count == 0 ? NULL : &out->list[out->count - 1];
    if (axis->size == 1)
        return;
    if (last != NULL && is_neighbour(axis, last, count))
        last->size *= axis->size;
    else
        out->list[out->count++] = *axis;
}

static void reverse(sc_table_axes *axes)
{
    for (size_t i = 0, j = axes->count; i + 1 < j; i++) {
        const sc_table_axis axis = axes->list[i];
        axes->list[i] = axes->list[--j];
        axes->list[j] = axis;
    }
}

void sc_table_axes_set(const sc_synth_columns *columns, sc_clique walked,
                       const sc_clique *beside, size_t count, sc_table_axes *out)
{
    size_t strides[SC_TABLE_BESIDE_MAX] = {1, 1, 1};
    out->count = 0;
    out->cells = 1;
    for (size_t i = columns->count; i-- > 0;) {
        if ((walked & sc_clique_of(i)) == 0)
            continue;
        sc_table_axis axis = {.size = columns->sizes[i]};
        for (size_t t = 0; t < count; t++)
            if ((beside[t] & sc_clique_of(i)) != 0) {
                axis.steps[t] = strides[t];
                strides[t] *= axis.size;
            }
        put_axis(out, &axis, count);
        out->cells *= axis.size;
    }
    reverse(out);
}

/* Axes of a walk with one table beside it are by turns in that table and not in it. */
void sc_table_fold_set(const sc_synth_columns *columns, sc_clique large, sc_clique small,
                       sc_table_fold *out)
{
    sc_table_axes axes;
    sc_table_axes_set(columns, large, &small, 1, &axes);
    *out = (sc_table_fold){.rows = 1, .columns = 1, .is_along = true};
    out->small = (size_t)sc_clique_cells(columns, small);
    size_t left = axes.count;
    if (left > 0) {
        const sc_table_axis *inner = &axes.list[--left];
        out->columns = inner->size;
        out->is_along = inner->steps[0] != 0;
    }
    if (left > 0)
        out->rows = axes.list[--left].size;
    out->outer = left;
    for (size_t i = 0; i < left; i++) {
        out->sizes[i] = axes.list[i].size;
        out->steps[i] = axes.list[i].steps[0];
    }
}

/* The place of the small table's part of the next block. False after the last. */
static bool next_block(const sc_table_fold *fold, size_t *index, size_t *place)
{
    for (size_t i = fold->outer; i-- > 0;) {
        *place += fold->steps[i];
        if (++index[i] < fold->sizes[i])
            return true;
        *place -= fold->steps[i] * fold->sizes[i];
        index[i] = 0;
    }
    return false;
}

/* Four sums by turns: the order is the same with every compiler and processor. */
static inline double row_total(const double *row, size_t columns)
{
    double sums[4] = {0, 0, 0, 0};
    size_t j = 0;
    for (; j + 4 <= columns; j += 4)
        for (size_t lane = 0; lane < 4; lane++)
            sums[lane] += row[j + lane];
    double total = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (; j < columns; j++)
        total += row[j];
    return total;
}

static void sum_block(const sc_table_fold *fold, const double *restrict large,
                      double *restrict small)
{
    const size_t rows = fold->rows, columns = fold->columns;
    for (size_t i = 0; i < rows; i++, large += columns)
        if (fold->is_along)
            for (size_t j = 0; j < columns; j++)
                small[j] += large[j];
        else
            small[i] += row_total(large, columns);
}

void sc_table_sum(const sc_table_fold *fold, const double *large, double *small)
{
    memset(small, 0, fold->small * sizeof *small);
    sc_table_sum_more(fold, large, small);
}

void sc_table_sum_more(const sc_table_fold *fold, const double *large, double *small)
{
    size_t index[SC_SYNTH_COLUMNS_MAX] = {0}, place = 0;
    const size_t block = fold->rows * fold->columns;
    do {
        sum_block(fold, large, small + place);
        large += block;
    } while (next_block(fold, index, &place));
}

static void add_block(const sc_table_fold *fold, const double *restrict small,
                      double *restrict large)
{
    const size_t rows = fold->rows, columns = fold->columns;
    for (size_t i = 0; i < rows; i++, large += columns)
        if (fold->is_along)
            for (size_t j = 0; j < columns; j++)
                large[j] += small[j];
        else
            for (size_t j = 0; j < columns; j++)
                large[j] += small[i];
}

void sc_table_add(const sc_table_fold *fold, const double *small, double *large)
{
    size_t index[SC_SYNTH_COLUMNS_MAX] = {0}, place = 0;
    const size_t block = fold->rows * fold->columns;
    do {
        add_block(fold, small + place, large);
        large += block;
    } while (next_block(fold, index, &place));
}

static void multiply_block(const sc_table_fold *fold, const double *restrict small,
                           double *restrict large)
{
    const size_t rows = fold->rows, columns = fold->columns;
    for (size_t i = 0; i < rows; i++, large += columns)
        if (fold->is_along)
            for (size_t j = 0; j < columns; j++)
                large[j] *= small[j];
        else
            for (size_t j = 0; j < columns; j++)
                large[j] *= small[i];
}

void sc_table_multiply(const sc_table_fold *fold, const double *small, double *large)
{
    size_t index[SC_SYNTH_COLUMNS_MAX] = {0}, place = 0;
    const size_t block = fold->rows * fold->columns;
    do {
        multiply_block(fold, small + place, large);
        large += block;
    } while (next_block(fold, index, &place));
}

/* Moves the places of all tables beside a walk to its next row. False after the last. */
static bool next_row(const sc_table_axes *axes, size_t *index, size_t *places)
{
    for (size_t i = axes->count - 1; i-- > 0;) {
        const sc_table_axis *axis = &axes->list[i];
        const bool is_over = ++index[i] == axis->size;
        for (size_t t = 0; t < SC_TABLE_BESIDE_MAX; t++)
            places[t] += axis->steps[t] - (is_over ? axis->steps[t] * axis->size : 0);
        if (!is_over)
            return true;
        index[i] = 0;
    }
    return false;
}

void sc_table_contract(const sc_table_axes *axes, const double *a, const double *b,
                       double *out, size_t out_cells)
{
    size_t index[SC_SYNTH_COLUMNS_MAX] = {0}, places[SC_TABLE_BESIDE_MAX] = {0};
    memset(out, 0, out_cells * sizeof *out);
    if (axes->count == 0) {
        out[0] = a[0] * b[0];
        return;
    }
    const sc_table_axis *inner = &axes->list[axes->count - 1];
    do {
        const double *from = a + places[0], *with = b + places[1];
        double *to = out + places[2];
        for (size_t j = 0; j < inner->size; j++)
            to[j * inner->steps[2]] +=
                from[j * inner->steps[0]] * with[j * inner->steps[1]];
    } while (next_row(axes, index, places));
}

double sc_table_largest(const double *table, size_t cells)
{
    double largest = -(double)INFINITY;
    for (size_t i = 0; i < cells; i++)
        largest = table[i] > largest ? table[i] : largest;
    return largest;
}

double sc_table_total(const double *table, size_t cells)
{
    return row_total(table, cells);
}

void sc_table_rescale(double *table, size_t cells, double divisor, double factor)
{
    for (size_t i = 0; i < cells; i++)
        table[i] = table[i] / divisor * factor;
}
