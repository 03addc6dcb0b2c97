#include "query/rows/group_cells.h"

#define MANY_CELLS 256

static unsigned width_for(uint64_t largest)
{
    return largest == 0            ? 0
           : largest <= UINT8_MAX  ? 1
           : largest <= UINT16_MAX ? 2
           : largest <= UINT32_MAX ? 4
                                   : 8;
}

static scrim_status check_value(const sc_group_value *value, scrim_error *error)
{
    if (value->low > value->centre || value->centre > value->high)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "centre",
                           "the centre of a value must lie in its range");
    if (value->low < -SC_GROUP_RANGE || value->high > SC_GROUP_RANGE)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a range must lie between -4.6e18 and 4.6e18");
    if (value->has_squares &&
        ((sc_int128)value->high - value->centre > SC_GROUP_SQUARED ||
         (sc_int128)value->centre - value->low > SC_GROUP_SQUARED))
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a variance needs values at most 2147483648 from their centre");
    if (value->has_total && (value->total_low > 0 || value->total_high < 0))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "max-total",
                           "the bounds of a total must contain 0");
    if (value->has_total &&
        (value->total_low < -SC_GROUP_RANGE || value->total_high > SC_GROUP_RANGE))
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a bound of totals must be between -4.6e18 and 4.6e18");
    if (value->total_all < 0 || value->total_all > SC_GROUP_RANGE)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a bound of totals must be between -4.6e18 and 4.6e18");
    if (value->bar_width < 0 || value->bar_width > SC_BAR_GRID_WIDTH)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "width",
                           "the bucket width must be above 0");
    if (value->bar_width > 0 &&
        sc_bar_grid_of(value->low, value->high, value->bar_width).count > SC_GROUP_BARS)
        return sc_fail(error, SCRIM_E_LIMIT, "at most %d buckets of a value",
                       SC_GROUP_BARS);
    return SCRIM_OK;
}

scrim_status sc_cell_plan_init(sc_cell_plan *plan, const sc_group_value *values,
                               size_t count, scrim_error *error)
{
    *plan = (sc_cell_plan){.value_count = count, .stride = SC_CELL_SUMS + count};
    if (count > SC_GROUP_VALUES)
        return sc_fail(error, SCRIM_E_LIMIT, "at most %d values of a row",
                       SC_GROUP_VALUES);
    plan->values = sc_allocate(count, sizeof *plan->values);
    if (plan->values == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    for (size_t i = 0; i < count; i++) {
        const sc_group_value *value = &values[i];
        const scrim_status status = check_value(value, error);
        if (status != SCRIM_OK) {
            sc_cell_plan_clear(plan);
            return status;
        }
        plan->values[i] =
            (sc_cell_value){.low = value->low,
                            .high = value->high,
                            .centre = value->centre,
                            .first = value->is_nullable,
                            .present = value->is_nullable ? plan->stride++ : SC_CELL_ROWS,
                            .width = width_for((uint64_t)value->high -
                                               (uint64_t)value->low + value->is_nullable),
                            .offset = plan->packed_bytes,
                            .squares = value->has_squares ? plan->stride++ : 0,
                            .has_list = value->has_list,
                            .to_low = value->has_squares ? value->low - value->centre : 0,
                            .total = value->has_total ? plan->stride++ : 0,
                            .total_low = value->total_low,
                            .total_high = value->total_high,
                            .total_all = value->total_all,
                            .is_cut = value->has_total && value->is_cut};
        plan->packed_bytes += plan->values[i].width;
        plan->list_count += value->has_list;
        plan->total_count += value->has_total;
        if (value->bar_width > 0) {
            plan->values[i].grid =
                sc_bar_grid_of(value->low, value->high, value->bar_width);
            plan->values[i].bars = plan->stride;
            plan->stride += (size_t)plan->values[i].grid.count;
            plan->bars_count++;
        }
    }
    return SCRIM_OK;
}

void sc_cell_plan_clear(sc_cell_plan *plan)
{
    sc_free(plan->values);
    *plan = (sc_cell_plan){0};
}

static inline uint64_t from_low(const sc_cell_value *value, int64_t x)
{
    const bool is_null = x == SC_NULL && value->first > 0;
    x = x < value->low ? value->low : x;
    x = x > value->high ? value->high : x;
    return is_null ? 0 : (uint64_t)x - (uint64_t)value->low + value->first;
}

/* One value of many rows: a loop for each width, so that none asks for it. */
static void pack_column(const sc_cell_value *value, const int64_t *xs, size_t count,
                        unsigned char *at, size_t step)
{
    if (value->width == 1)
        for (size_t i = 0; i < count; i++, at += step)
            *at = (unsigned char)from_low(value, xs[i]);
    else if (value->width == 2)
        for (size_t i = 0; i < count; i++, at += step) {
            const uint16_t y = (uint16_t)from_low(value, xs[i]);
            memcpy(at, &y, sizeof y);
        }
    else if (value->width == 4)
        for (size_t i = 0; i < count; i++, at += step) {
            const uint32_t y = (uint32_t)from_low(value, xs[i]);
            memcpy(at, &y, sizeof y);
        }
    else if (value->width == 8)
        for (size_t i = 0; i < count; i++, at += step) {
            const uint64_t y = from_low(value, xs[i]);
            memcpy(at, &y, sizeof y);
        }
}

void sc_cell_pack(const sc_cell_plan *plan, const int64_t *const *values, size_t from,
                  size_t count, unsigned char *packed)
{
    for (size_t i = 0; i < plan->value_count; i++)
        pack_column(&plan->values[i], values[i] + from, count,
                    packed + plan->values[i].offset, plan->packed_bytes);
}

scrim_status sc_cells_reserve(sc_cells *cells, const sc_cell_plan *plan, size_t groups,
                              scrim_error *error)
{
    if (cells->cells != NULL && groups <= cells->groups)
        return SCRIM_OK;
    /* Where a group has many cells there are few groups. */
    const size_t least = plan->stride > MANY_CELLS ? 1 : 16;
    size_t room = cells->groups < least ? least : 2 * cells->groups, count;
    room = room < groups ? groups : room;
    sc_uint128 *grown = sc_size_mul(room, plan->stride, &count)
                            ? sc_allocate(count, sizeof *grown)
                            : NULL;
    if (grown == NULL)
        return sc_no_memory(error, "the sums of the groups");
    if (cells->cells != NULL)
        memcpy(grown, cells->cells, cells->groups * plan->stride * sizeof *grown);
    sc_cells_clear(cells);
    *cells = (sc_cells){grown, room, plan->stride};
    return SCRIM_OK;
}

void sc_cells_clear(sc_cells *cells)
{
    sc_free_wiped(cells->cells, cells->groups * cells->stride * sizeof *cells->cells);
    *cells = (sc_cells){0};
}

/* Where there is one value, and only its sum is asked for: the usual case. */
static void add_plain(const sc_cells *cells, const sc_cell_value *value,
                      const sc_unit_row *rows, size_t count)
{
    sc_uint128 *before = NULL;
    for (size_t i = 0; i < count; i++) {
        sc_uint128 *own = cells->cells + (size_t)rows[i].group * cells->stride;
        own[SC_CELL_ROWS] += rows[i].copies;
        own[SC_CELL_UNITS] += own != before;
        own[SC_CELL_SUMS] +=
            (sc_uint128)sc_cell_unpack(value, rows[i].content) * rows[i].copies;
        before = own;
    }
}

void sc_cells_add_unit(const sc_cells *cells, const sc_cell_plan *plan,
                       const sc_unit_row *rows, size_t count)
{
    if (plan->value_count == 1 && plan->values[0].squares == 0 &&
        plan->values[0].bars == 0 && plan->values[0].first == 0) {
        add_plain(cells, &plan->values[0], rows, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || rows[i].group != rows[i - 1].group)
            cells->cells[rows[i].group * cells->stride + SC_CELL_UNITS]++;
        sc_cells_add(cells, plan, &rows[i]);
    }
}

/* Values are within 2^62 and copies fewer than 2^63: below 2^125. */
static sc_int128 sum_of(const sc_cell_value *value, const sc_unit_row *rows, size_t count)
{
    sc_int128 total = 0;
    for (size_t i = 0; i < count; i++) {
        const int64_t x = sc_cell_value_of(value, rows[i].content);
        total += x == SC_NULL ? 0 : (sc_int128)x * (sc_int128)rows[i].copies;
    }
    return total;
}

static sc_int128 clamped_sum(const sc_cell_value *value, const sc_unit_row *rows,
                             size_t count)
{
    sc_int128 total = sum_of(value, rows, count);
    total = total < value->total_low ? value->total_low : total;
    return total > value->total_high ? value->total_high : total;
}

/* Each is at most 2^62, and groups are fewer than 2^63. */
sc_int128 sc_totals_reach(const sc_cell_value *value, const sc_unit_row *rows,
                          size_t count)
{
    sc_int128 reach = 0;
    for (size_t from = 0, end; value->total_all > 0 && from < count; from = end) {
        end = sc_bound_group_end(rows, from, count);
        const sc_int128 total = clamped_sum(value, rows + from, end - from);
        reach += total < 0 ? -total : total;
    }
    return reach;
}

/* A product below 2^124; division rounds towards 0. */
sc_int128 sc_cell_total(const sc_cell_value *value, const sc_unit_row *rows, size_t count,
                        sc_int128 reach)
{
    const sc_int128 total = clamped_sum(value, rows, count);
    return reach > 0 && reach > value->total_all ? total * value->total_all / reach
                                                 : total;
}

bool sc_cells_are_clamped(const sc_cell_plan *plan, const sc_unit_row *rows, size_t count)
{
    for (size_t i = 0; i < plan->value_count; i++)
        if (plan->values[i].is_cut &&
            sc_totals_reach(&plan->values[i], rows, count) > plan->values[i].total_all)
            return true;
    for (size_t from = 0, end; from < count; from = end) {
        end = sc_bound_group_end(rows, from, count);
        for (size_t i = 0; i < plan->value_count; i++)
            if (plan->values[i].is_cut &&
                sum_of(&plan->values[i], rows + from, end - from) !=
                    clamped_sum(&plan->values[i], rows + from, end - from))
                return true;
    }
    return false;
}

void sc_cells_add_totals(const sc_cells *cells, const sc_cell_plan *plan,
                         const sc_unit_row *rows, size_t count)
{
    for (size_t i = 0; i < plan->value_count; i++) {
        const sc_cell_value *value = &plan->values[i];
        if (value->total == 0)
            continue;
        const sc_int128 reach = sc_totals_reach(value, rows, count);
        for (size_t from = 0, end; from < count; from = end) {
            sc_uint128 *own = cells->cells + (size_t)rows[from].group * cells->stride;
            end = sc_bound_group_end(rows, from, count);
            own[value->total] +=
                (sc_uint128)sc_cell_total(value, rows + from, end - from, reach);
        }
    }
}

void sc_cells_merge(const sc_cells *to, size_t to_group, const sc_cells *from,
                    size_t from_group)
{
    sc_uint128 *sums = to->cells + to_group * to->stride;
    const sc_uint128 *others = from->cells + from_group * from->stride;
    for (size_t i = 0; i < to->stride; i++)
        sums[i] += others[i];
}

uint64_t sc_cells_present(const sc_cells *cells, const sc_cell_plan *plan, size_t group,
                          size_t value)
{
    return (uint64_t)cells->cells[group * cells->stride + plan->values[value].present];
}

/* The cells have y = x - low: sum(x - centre) = sum(y) + n (low - centre) for n present values, whose
 * parts are below 2^127 for fewer than 2^63 rows. */
sc_int128 sc_cells_sum(const sc_cells *cells, const sc_cell_plan *plan, size_t group,
                       size_t value)
{
    const sc_uint128 *own = cells->cells + group * cells->stride;
    const sc_cell_value *v = &plan->values[value];
    return (sc_int128)own[SC_CELL_SUMS + value] +
           (sc_int128)own[v->present] * ((sc_int128)v->low - v->centre);
}

sc_int128 sc_cells_total(const sc_cells *cells, const sc_cell_plan *plan, size_t group,
                         size_t value)
{
    const size_t cell = plan->values[value].total;
    return cell == 0 ? 0 : (sc_int128)cells->cells[group * cells->stride + cell];
}

sc_int128 sc_cells_squares(const sc_cells *cells, const sc_cell_plan *plan, size_t group,
                           size_t value)
{
    const size_t cell = plan->values[value].squares;
    return cell == 0 ? 0 : (sc_int128)cells->cells[group * cells->stride + cell];
}
