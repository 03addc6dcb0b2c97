#include "query/rows/statistic.h"

#include "base/memory.h"
#include "base/number/own.h"
#include "base/number/ratio.h"
#include "query/language/typed_node.h"
#include "query/rows/quantile_rings.h"

/* The statistics while they are made: arrays with room for all that the aggregates could ask for. */
typedef struct making {
    const sc_query *query;
    sc_bounds bounds;      /* normal */
    bool counts_units;     /* COUNT(*) is the number of units */
    const sc_typed *cells; /* rows in which it is present are a cell; NULL: none are */
    const sc_typed *disjoint
        [SC_DISJOINT_MOST]; /* rows in which they are present are drawn together */
    size_t disjoint_count;
    bool clamps; /* sums that stand alone are totals */
    sc_group_statistic *list;
    size_t count;
    sc_statistic_use *uses;
    const sc_typed **values;
    sc_group_value *groups;
    size_t value_count;
    sc_value_step *ps; /* room for those of all quantiles */
    size_t p_count;
} making;

/* At most: a number of units, one of rows with and without a range, the other cell; rows of its own, a sum, one with a
 * range and squares, or two of a quantile, for each aggregate. */
#define STATISTICS_MAX(aggregates) (4 + 4 * (aggregates))

/* Values. */

static size_t value_of(making *m, const sc_typed *value)
{
    for (size_t i = 0; i < m->value_count; i++)
        if (sc_typed_equal(m->values[i], value))
            return i;
    static const sc_extent texts = {0, SC_TEXT_TOKEN_MAX, {1, 1}};
    const sc_extent *extent = sc_typed_is_text(value) ? &texts : &value->extent;
    const int64_t zero = extent->low > 0 ? extent->low : 0;
    m->values[m->value_count] = value;
    m->groups[m->value_count] =
        (sc_group_value){.low = extent->low,
                         .high = extent->high,
                         .is_nullable = sc_typed_may_be_null(value, m->query->is_present),
                         .centre = zero > extent->high ? extent->high : zero};
    return m->value_count++;
}

/* Statistics. */

static bool is_same(const sc_group_statistic *a, const sc_group_statistic *b)
{
    return a->kind == b->kind && a->value == b->value && a->centre == b->centre &&
           a->offset == b->offset && a->with_range == b->with_range &&
           a->width == b->width;
}

static size_t statistic_of(making *m, const sc_group_statistic *wanted)
{
    for (size_t i = 0; i < m->count; i++)
        if (is_same(&m->list[i], wanted))
            return i;
    m->list[m->count] = *wanted;
    return m->count++;
}

static size_t counts(making *m, sc_statistic_kind kind, size_t value, bool with_range)
{
    return statistic_of(m, &(sc_group_statistic){.kind = kind,
                                                 .value = value,
                                                 .most = 1,
                                                 .with_range = with_range,
                                                 .count = 1});
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static size_t raw_sum(making *m, const sc_query_aggregate *a)
{
    const sc_extent *extent = &a->value->extent;
    return statistic_of(m,
                        &(sc_group_statistic){.kind = SC_STATISTIC_SUM,
                                              .value = value_of(m, a->value),
                                              .most = larger(-extent->low, extent->high),
                                              .with_range = a->with_range,
                                              .count = 1});
}

/* The centre of a value's range and the distance of its ends, as validate.h has them for means. */
static size_t centred_sum(making *m, const sc_typed *typed)
{
    const size_t value = value_of(m, typed);
    const sc_int128 low = typed->extent.low, high = typed->extent.high;
    const sc_int128 centre = (low + high) / 2 - ((low + high) % 2 < 0);
    const sc_int128 radius = high - centre > centre - low ? high - centre : centre - low;
    m->groups[value].centre = (int64_t)centre;
    return statistic_of(m, &(sc_group_statistic){.kind = SC_STATISTIC_SUM,
                                                 .value = value,
                                                 .centre = (int64_t)centre,
                                                 .most = (int64_t)radius,
                                                 .count = 1});
}

static size_t squares(making *m, const sc_query_aggregate *a)
{
    const size_t value = value_of(m, a->value);
    m->groups[value].has_squares = true;
    return statistic_of(m,
                        &(sc_group_statistic){
                            .kind = SC_STATISTIC_SQUARES,
                            .value = value,
                            .centre = a->centre,
                            .offset = a->offset,
                            .most = larger(a->offset, a->radius * a->radius - a->offset),
                            .count = 1});
}

/* Totals by person. */

/* Is it 0 or NULL, whatever the row? */
static bool adds_nothing(const sc_typed *typed)
{
    return typed->operation == SC_OP_NULL ||
           (typed->operation == SC_OP_CONSTANT && typed->type == SC_TYPE_NUMBER &&
            typed->extent.low == 0);
}

/* The column x, if in every row the value is x, 0 or NULL, on the grid of x. Else NULL. */
static const sc_typed *column_of(const sc_typed *typed)
{
    const sc_typed *found = NULL;
    const bool is_case = typed->operation == SC_OP_CASE;
    if (typed->operation == SC_OP_COLUMN)
        return typed;
    if (!is_case && typed->operation != SC_OP_COALESCE)
        return NULL;
    for (size_t i = 0; i < typed->count; i++) {
        const bool is_condition = is_case && i % 2 == 0 && i + 1 < typed->count;
        if (is_condition || adds_nothing(typed->parts[i]))
            continue;
        const sc_typed *column = column_of(typed->parts[i]);
        if (column == NULL || (found != NULL && found->column != column->column) ||
            !sc_step_equal(column->extent.step, typed->extent.step))
            return NULL;
        found = column;
    }
    return found;
}

/* How far one unit can change a sum to which it adds a number from low to high: by the farther end from 0 if it comes
 * or goes, by the width if it is replaced and there is one group. */
static sc_int128 change_of(const making *m, sc_int128 low, sc_int128 high)
{
    const bool stays =
        m->query->schema->neighbours == SCRIM_REPLACE && m->query->key_count == 0;
    low = low < 0 ? low : 0;
    high = high > 0 ? high : 0;
    return stays ? high - low : -low > high ? -low : high;
}

/* Do the totals of all groups change a sum by no more than all rows do? A sum that follows from a centred one and the
 * rows has the noise of both. */
static bool is_smaller(const making *m, const sc_column *column, const sc_extent *extent,
                       bool is_derived)
{
    const sc_int128 rows = (sc_int128)m->bounds.total, low = extent->low,
                    high = extent->high,
                    centre = (low + high) / 2 - ((low + high) % 2 < 0),
                    total = change_of(m, column->total_low, column->total_high) *
                            (sc_int128)m->bounds.groups;
    SC_OWN(sc_integer, a, b, sum);
    if (!is_derived)
        return total <= change_of(m, low, high) * rows;
    sc_integer_set_int128(&a, change_of(m, low - centre, high - centre) * rows);
    sc_integer_mul(&a, &a, &a);
    sc_integer_set_int128(&b, centre * rows);
    sc_integer_mul(&b, &b, &b);
    sc_integer_add(&sum, &a, &b);
    sc_integer_set_int128(&a, total);
    sc_integer_mul(&a, &a, &a);
    return sc_integer_compare(&a, &sum) <= 0;
}

const sc_column *sc_statistic_column(const sc_query *query, const sc_typed *typed)
{
    const sc_typed *own = column_of(typed);
    return own == NULL ? NULL : &query->schema->columns[own->column];
}

const sc_column *sc_statistic_bounded(const sc_query *query, const sc_typed *typed)
{
    const sc_column *column = sc_statistic_column(query, typed);
    return column != NULL && column->has_total ? column : NULL;
}

/* The declared bound of a sum's totals, where it is the better one; NULL: none. */
static const sc_column *total_of(const making *m, const sc_query_aggregate *a,
                                 bool is_derived)
{
    const sc_column *column = sc_statistic_bounded(m->query, a->value);
    return column != NULL && is_smaller(m, column, &a->value->extent, is_derived) ? column
                                                                                  : NULL;
}

static size_t total(making *m, const sc_query_aggregate *a, int64_t low, int64_t high,
                    bool is_scaled)
{
    const size_t value = value_of(m, a->value);
    sc_group_value *group = &m->groups[value];
    group->has_total = true;
    group->total_low = low;
    group->total_high = high;
    group->total_all = is_scaled ? larger(-low, high) : 0;
    if (is_scaled) { /* by itself each total is anything */
        group->total_low = low < 0 ? -SC_GROUP_RANGE : 0;
        group->total_high = high > 0 ? SC_GROUP_RANGE : 0;
    }
    group->is_cut = true;
    return statistic_of(m, &(sc_group_statistic){.kind = SC_STATISTIC_TOTAL,
                                                 .value = value,
                                                 .most = larger(-low, high),
                                                 .with_range = a->with_range,
                                                 .count = 1});
}

/* Sums that stand alone. */

static bool divides_by_sums(const sc_formula *formula)
{
    for (size_t i = 0; formula != NULL && i < formula->count; i++)
        if (formula->steps[i].kind == SC_FORMULA_DIVIDE &&
            formula->steps[formula->steps[i].parts[1]].kind != SC_FORMULA_NUMBER)
            return true;
    return false;
}

/* A total over several groups, in any of which all of the rows may be. */
static bool is_over_groups(const sc_bounds *bounds)
{
    return bounds->groups > 1 && bounds->rows == bounds->total;
}

/* Totals of a unit that is replaced may lie on both sides of 0: scaling them lets a sum change by more than bounding
 * rows does. */
static bool may_scale(const sc_query *query, const sc_query_aggregate *a)
{
    return query->schema->neighbours != SCRIM_REPLACE || a->value->extent.low >= 0 ||
           a->value->extent.high <= 0;
}

bool sc_statistics_may_clamp(const sc_query *query, const sc_bounds *bounds)
{
    const bool is_scaled = is_over_groups(bounds);
    bool may = query->schema->unit.bytes > 0 && query->person == NULL &&
               query->unnest == NULL && query->set_count == 0 &&
               query->aggregate_count > 0 && bounds->rows > 1 &&
               (is_scaled || (sc_uint128)bounds->groups * bounds->rows == bounds->total);
    for (size_t i = 0; i < query->aggregate_count; i++)
        may = may && query->aggregates[i].kind->reads == SC_READS_SUM &&
              (!is_scaled || may_scale(query, &query->aggregates[i]));
    for (size_t i = 0; i < query->output_count; i++)
        may = may && !divides_by_sums(query->outputs[i].formula);
    return may;
}

/* The range of the total of one unit in a group: all its rows at one end of their range. False if it is wider than
 * totals are clamped to. */
static bool rows_total(const making *m, const sc_extent *extent, int64_t *low,
                       int64_t *high)
{
    const sc_int128 rows = (sc_int128)m->bounds.rows,
                    least = rows * (extent->low < 0 ? extent->low : 0),
                    most = rows * (extent->high > 0 ? extent->high : 0);
    *low = (int64_t)least;
    *high = (int64_t)most;
    return least >= -SC_GROUP_RANGE && most <= SC_GROUP_RANGE;
}

/* Rows. */

/* The value by which the rows of an aggregate are counted: NULL where all are. */
static const sc_typed *presence_of(const making *m, const sc_query_aggregate *a)
{
    const sc_typed *typed = a->value != NULL ? a->value : a->present;
    return typed != NULL && sc_typed_may_be_null(typed, m->query->is_present) ? typed
                                                                              : NULL;
}

/* The value of COUNT(x) among those of the statistics, or of one that is present in the same rows;
 * SC_STATISTIC_NONE for all rows. */
static size_t present_value(making *m, const sc_typed *presence)
{
    if (presence == NULL)
        return SC_STATISTIC_NONE;
    for (size_t i = 0; i < m->value_count; i++)
        if (sc_presence_equal(m->values[i], presence, m->query->is_present))
            return i;
    return value_of(m, presence);
}

static bool have_same_rows(const making *m, const sc_query_aggregate *a,
                           const sc_query_aggregate *b)
{
    const sc_typed *x = presence_of(m, a), *y = presence_of(m, b);
    return x == NULL || y == NULL ? x == y
                                  : sc_presence_equal(x, y, m->query->is_present);
}

/* Is it present in the rows of the cell? */
static bool is_cell(const making *m, const sc_typed *presence)
{
    return m->cells != NULL && presence != NULL &&
           sc_presence_equal(m->cells, presence, m->query->is_present);
}

static bool is_disjoint(const making *m, const sc_typed *presence)
{
    for (size_t i = 0; presence != NULL && i < m->disjoint_count; i++)
        if (sc_presence_equal(m->disjoint[i], presence, m->query->is_present))
            return true;
    return false;
}

/* The first one makes all of them, one after another. */
static size_t disjoint_rows(making *m, const sc_typed *presence)
{
    for (size_t i = 0; i < m->disjoint_count; i++)
        (void)counts(m, SC_STATISTIC_DISJOINT, present_value(m, m->disjoint[i]), false);
    return counts(m, SC_STATISTIC_DISJOINT, present_value(m, presence), false);
}

/* The rows of an aggregate: both cells, one of them, one of those that are drawn together, or a count of their own. */
static void use_rows(making *m, const sc_query_aggregate *a, sc_statistic_use *use)
{
    const sc_typed *presence = presence_of(m, a);
    const bool is_all = m->cells != NULL && presence == NULL;
    if (!a->with_range && is_disjoint(m, presence)) {
        use->rows = disjoint_rows(m, presence);
        return;
    }
    if (a->with_range || (!is_all && !is_cell(m, presence))) {
        use->rows = counts(m, m->counts_units ? SC_STATISTIC_UNITS : SC_STATISTIC_ROWS,
                           present_value(m, presence), a->with_range);
        return;
    }
    const size_t value = present_value(m, m->cells);
    use->rows = counts(m, SC_STATISTIC_PRESENT, value, false);
    const size_t missing = counts(m, SC_STATISTIC_MISSING, value, false);
    if (is_all)
        use->missing = missing;
}

/* The value that units are counted by, which is 1 where it is present: its total, clamped to 1, unless each
 * row is a unit; SC_STATISTIC_NONE for all units. */
static size_t unit_value(making *m, const sc_query_aggregate *a)
{
    const sc_typed *presence = presence_of(m, a);
    if (presence == NULL)
        return SC_STATISTIC_NONE;
    const size_t value = value_of(m, presence);
    m->groups[value].has_total = m->query->person == NULL;
    m->groups[value].total_high = 1;
    return value;
}

/* Are the rows of an aggregate drawn whatever becomes of the sums? */
static bool has_rows(const making *m, const sc_query_aggregate *sum)
{
    for (size_t i = 0; i < m->query->aggregate_count; i++) {
        const sc_query_aggregate *a = &m->query->aggregates[i];
        if (a->kind->reads & SC_READS_ROWS && !a->with_range && have_same_rows(m, a, sum))
            return true;
    }
    return false;
}

/* Quantiles. */

static bool is_below(sc_value_step a, sc_value_step b)
{
    return (sc_int128)a.numerator * b.denominator <
           (sc_int128)b.numerator * a.denominator;
}

/* Puts p among count others that are in increasing order; false when it is there. */
static bool insert_p(sc_value_step *ps, size_t count, sc_value_step p)
{
    size_t at = count;
    for (size_t i = 0; i < count; i++)
        if (sc_step_equal(ps[i], p))
            return false;
    for (; at > 0 && is_below(p, ps[at - 1]); at--)
        ps[at] = ps[at - 1];
    ps[at] = p;
    return true;
}

/* All ps that are asked of a value, of which the aggregate is one. */
static size_t gather_ps(const making *m, const sc_typed *value, sc_value_step *ps)
{
    size_t count = 0;
    for (size_t i = 0; i < m->query->aggregate_count; i++) {
        const sc_query_aggregate *a = &m->query->aggregates[i];
        if (a->kind->reads & SC_READS_RANKS && sc_typed_equal(a->value, value))
            count += insert_p(ps, count, a->p);
    }
    return count;
}

/* It is among them. */
static size_t place_of(const sc_group_statistic *s, sc_value_step p)
{
    size_t place = 0;
    while (place + 1 < s->count && !sc_step_equal(s->p[place], p))
        place++;
    return place;
}

static void use_quantile(making *m, const sc_query_aggregate *a, sc_statistic_use *use)
{
    const size_t value = value_of(m, a->value);
    sc_group_statistic wanted = {.kind = SC_STATISTIC_QUANTILES, .value = value};
    const size_t before = m->count;
    use->quantiles = statistic_of(m, &wanted);
    wanted.kind = SC_STATISTIC_AROUND;
    wanted.most = 1;
    use->around = statistic_of(m, &wanted);
    if (m->count > before) {
        sc_value_step *ps = m->ps + m->p_count;
        const size_t count = gather_ps(m, a->value, ps);
        m->p_count += count;
        m->groups[value].has_list = true;
        m->list[use->quantiles].p = ps;
        m->list[use->quantiles].count = count;
        m->list[use->around].count =
            sc_rings_most(m->groups[value].low, m->groups[value].high, count);
    }
    use->p = place_of(&m->list[use->quantiles], a->p);
}

/* Histograms. */

static size_t bars(making *m, const sc_query_aggregate *a)
{
    const size_t value = value_of(m, a->value);
    m->groups[value].has_list = true;
    return statistic_of(
        m, &(sc_group_statistic){
               .kind = SC_STATISTIC_BARS, .value = value, .most = 1, .width = a->width});
}

/* Different values. */

static size_t different_values(making *m, const sc_query_aggregate *a)
{
    const size_t value = value_of(m, a->present);
    m->groups[value].has_list = true;
    return counts(m, SC_STATISTIC_VALUES, value, false);
}

/* Has the query nothing but one count of different values, and do its rows have units that bounds leave rows out of? */
static bool has_values_alone(const making *m)
{
    return m->query->schema->unit.bytes > 0 && m->query->person == NULL &&
           m->count == 1 && m->list[0].kind == SC_STATISTIC_VALUES;
}

/* Uses. */

/* Where rows are drawn anyway, S + c N has less noise than a sum of its own: the radius and the
 * centre, each over its own share, in place of both over one. */
static void use_sum(making *m, const sc_query_aggregate *a, sc_statistic_use *use)
{
    const bool is_derived = !a->with_range && has_rows(m, a);
    /* Totals that are clamped in each group do not add up to those of coarser groups. */
    const sc_column *bounded =
        m->query->set_count > 0 ? NULL : total_of(m, a, is_derived);
    int64_t low, high;
    if (bounded != NULL) {
        use->sum = total(m, a, bounded->total_low, bounded->total_high, false);
        return;
    }
    if (m->clamps && rows_total(m, &a->value->extent, &low, &high)) {
        use->sum = total(m, a, low, high, is_over_groups(&m->bounds));
        return;
    }
    if (!is_derived) {
        use->sum = raw_sum(m, a);
        return;
    }
    use_rows(m, a, use);
    use->sum = centred_sum(m, a->value);
}

static void use_of(making *m, const sc_query_aggregate *a, sc_statistic_use *use)
{
    *use = (sc_statistic_use){
        .units = SC_STATISTIC_NONE,
        .rows = SC_STATISTIC_NONE,
        .sum = SC_STATISTIC_NONE,
        .squares = SC_STATISTIC_NONE,
        .missing = SC_STATISTIC_NONE,
        .quantiles = SC_STATISTIC_NONE,
        .around = SC_STATISTIC_NONE,
        .bars = SC_STATISTIC_NONE,
    };
    const unsigned reads = a->kind->reads;
    if (reads & SC_READS_UNITS)
        use->units = counts(m, SC_STATISTIC_UNITS, unit_value(m, a), false);
    if (reads & SC_READS_ROWS)
        use_rows(m, a, use);
    if (reads & SC_READS_SUM)
        use_sum(m, a, use);
    if (reads & SC_READS_CENTRED)
        use->sum = centred_sum(m, a->value);
    if (reads & SC_READS_SQUARES)
        use->squares = squares(m, a);
    if (reads & SC_READS_RANKS)
        use_quantile(m, a, use);
    if (reads & SC_READS_BARS)
        use->bars = bars(m, a);
    if (reads & SC_READS_VALUES)
        use->rows = different_values(m, a);
}

/* Has COUNT(*) alone a use for rows? COUNT(x) has fewer. Where units are asked for besides, both are drawn: a record that
 * has the two numbers is read as it was written. */
static bool is_count_alone(const making *m)
{
    bool is_any = false;
    for (size_t i = 0; i < m->query->aggregate_count; i++) {
        const sc_query_aggregate *a = &m->query->aggregates[i];
        if (a->kind->bars != NULL)
            continue;
        if (a->kind->reads != SC_READS_ROWS || a->with_range || presence_of(m, a) != NULL)
            return false;
        is_any = true;
    }
    return is_any;
}

static bool counts_rows(const sc_statistics *s, size_t aggregate)
{
    const size_t rows = s->uses[aggregate].rows;
    return rows != SC_STATISTIC_NONE && s->list[rows].kind == SC_STATISTIC_ROWS &&
           !s->list[rows].with_range;
}

bool sc_statistics_may_have_cells(const sc_query *query, const sc_statistics *statistics,
                                  size_t aggregate)
{
    bool is_any = false;
    if (aggregate >= query->aggregate_count || !counts_rows(statistics, aggregate) ||
        statistics->list[statistics->uses[aggregate].rows].value == SC_STATISTIC_NONE)
        return false;
    for (size_t i = 0; i < query->aggregate_count; i++) {
        if (!counts_rows(statistics, i) ||
            statistics->list[statistics->uses[i].rows].value != SC_STATISTIC_NONE)
            continue;
        if (query->aggregates[i].kind->reads != SC_READS_ROWS)
            return false;
        is_any = true;
    }
    return is_any;
}

bool sc_statistics_may_be_disjoint(const sc_statistics *statistics, size_t aggregate)
{
    return aggregate < SC_DISJOINT_MOST && counts_rows(statistics, aggregate) &&
           statistics->list[statistics->uses[aggregate].rows].value != SC_STATISTIC_NONE;
}

/* False: one of them cannot be so. */
static bool read_disjoint(const sc_statistics *apart, uint64_t disjoint, making *m)
{
    for (size_t i = 0; i < SC_DISJOINT_MOST; i++) {
        if ((disjoint >> i & 1) == 0)
            continue;
        if (i >= m->query->aggregate_count || !sc_statistics_may_be_disjoint(apart, i))
            return false;
        m->disjoint[m->disjoint_count++] = presence_of(m, &m->query->aggregates[i]);
    }
    return true;
}

/* The subjects of the cells, or of the counts that are drawn together. */
static scrim_status read_cells(const sc_query *query, const sc_statistics_plan *plan,
                               sc_arena *arena, making *m, scrim_error *error)
{
    const sc_statistics_plan without = {.bounds = plan->bounds,
                                        .rows_are_units = plan->rows_are_units};
    sc_statistics apart;
    if (plan->cells == 0 && plan->disjoint == 0)
        return SCRIM_OK;
    SC_TRY(sc_statistics_of(query, &without, arena, &apart, error));
    const bool may = plan->cells == 0 ? read_disjoint(&apart, plan->disjoint, m)
                                      : plan->disjoint == 0 &&
                                            sc_statistics_may_have_cells(query, &apart,
                                                                         plan->cells - 1);
    if (!may)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "cells",
                           "these rows cannot be counted as cells");
    if (plan->cells > 0)
        m->cells = presence_of(m, &query->aggregates[plan->cells - 1]);
    return SCRIM_OK;
}

size_t sc_statistic_drawn_with(const sc_statistics *statistics, size_t statistic)
{
    const sc_group_statistic *list = statistics->list;
    if (list[statistic].kind == SC_STATISTIC_MISSING)
        return statistic - 1;
    while (statistic > 0 && list[statistic].kind == SC_STATISTIC_DISJOINT &&
           list[statistic - 1].kind == SC_STATISTIC_DISJOINT)
        statistic--;
    return statistic;
}

size_t sc_statistic_numbers(const sc_statistics *statistics, size_t statistic)
{
    const sc_group_statistic *first = &statistics->list[statistic];
    size_t count = 1;
    if (first->kind == SC_STATISTIC_PRESENT)
        return 2;
    if (first->kind != SC_STATISTIC_DISJOINT)
        return first->count;
    while (statistic + count < statistics->count &&
           first[count].kind == SC_STATISTIC_DISJOINT)
        count++;
    return count;
}

scrim_status sc_statistics_of(const sc_query *query, const sc_statistics_plan *plan,
                              sc_arena *arena, sc_statistics *out, scrim_error *error)
{
    const size_t room = query->aggregate_count;
    making m = {
        .query = query,
        .bounds = sc_bounds_normal(&plan->bounds, 0),
        .list = sc_arena_allocate(arena, STATISTICS_MAX(room), sizeof *m.list),
        .uses = sc_arena_allocate(arena, room, sizeof *m.uses),
        .values = sc_arena_allocate(arena, room, sizeof(const sc_typed *)),
        .groups = sc_arena_allocate(arena, room, sizeof *m.groups),
        .ps = sc_arena_allocate(arena, room, sizeof *m.ps),
    };
    if (m.list == NULL || m.uses == NULL || m.values == NULL || m.groups == NULL ||
        m.ps == NULL)
        return sc_no_memory(error, "a query");
    m.counts_units = plan->rows_are_units && is_count_alone(&m);
    SC_TRY(read_cells(query, plan, arena, &m, error));
    m.clamps = plan->clamps;
    if (m.clamps && !sc_statistics_may_clamp(query, &plan->bounds))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "sums",
                           "these sums cannot be clamped by unit");
    for (size_t i = 0; i < room; i++)
        use_of(&m, &query->aggregates[i], &m.uses[i]);
    *out = (sc_statistics){.list = m.list,
                           .count = m.count,
                           .uses = m.uses,
                           .values = m.values,
                           .groups = m.groups,
                           .value_count = m.value_count,
                           .has_values_alone = has_values_alone(&m)};
    for (size_t i = 0; i < m.count; i++) {
        m.list[i].first = out->number_count;
        out->number_count += m.list[i].count;
        if (m.list[i].kind == SC_STATISTIC_BARS)
            m.list[i].histogram = out->histogram_count++;
    }
    return SCRIM_OK;
}
