#include "query/plan/auto_range.h"

#include "base/arena_text.h"
#include "query/language/key_text.h"
#include "query/plan/auto_bounds.h"

#include <string.h>

/* Numbers of a query have at most 18 digits. */
#define STEPS_MOST ((int64_t)100000000000000000)

size_t sc_total_rungs(int64_t farthest, int64_t steps[SC_LADDER_MOST])
{
    size_t count = 0;
    steps[count++] = 0;
    for (int64_t rung = sc_rung_of((farthest + 999) / 1000);
         count < SC_LADDER_MOST && sc_rung_value(rung) <= STEPS_MOST; rung++)
        steps[count++] = sc_rung_value(rung);
    return count;
}

static size_t rungs_of(const sc_column *column, bool is_largest,
                       int64_t steps[SC_LADDER_MOST])
{
    return sc_total_rungs(is_largest ? column->grid.high : -column->grid.low, steps);
}

/* Columns. */

static bool is_number(const sc_column *column)
{
    return column->type == SC_COLUMN_INT || column->type == SC_COLUMN_DECIMAL;
}

static bool is_summed(const sc_query *query, sc_text name)
{
    for (size_t i = 0; i < query->aggregate_count; i++) {
        const sc_query_aggregate *a = &query->aggregates[i];
        const sc_column *column =
            a->kind->reads != SC_READS_SUM ? NULL : sc_statistic_column(query, a->value);
        if (column != NULL && sc_text_equal(column->name, name))
            return true;
    }
    return false;
}

static scrim_status take_range(const scrim_plan *plan, sc_text name, sc_auto_range *out,
                               scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    const sc_column *column = sc_schema_column(plan->schema, name);
    if (column == NULL)
        return sc_schema_unknown(plan->schema, name, "max-total", error);
    if (!is_number(column))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "max-total",
                           "max-total: %s has no total; name a column of numbers",
                           sc_text_quote(name, quote));
    if (!is_summed(plan->statements[0].query, name))
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "max-total",
            "max-total: the query has no SUM of %s whose bound could be found",
            sc_text_quote(name, quote));
    *out = (sc_auto_range){.column = column};
    return SCRIM_OK;
}

scrim_status sc_auto_ranges_read(const scrim_plan *plan, sc_arena *arena,
                                 sc_auto_range **out, size_t *count, scrim_error *error)
{
    sc_text rest = sc_text_of(plan->asked.ranges == NULL ? "" : plan->asked.ranges), name;
    *count = 0;
    *out = sc_arena_allocate(arena, SC_AUTO_RANGES, sizeof **out);
    if (*out == NULL)
        return sc_no_memory(error, "a plan");
    while (sc_text_item(&rest, '\n', &name)) {
        if (*count == SC_AUTO_RANGES)
            return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "max-total",
                               "at most %d bounds of totals can be found",
                               SC_AUTO_RANGES);
        SC_TRY(take_range(plan, name, &(*out)[*count], error));
        ++*count;
    }
    return SCRIM_OK;
}

/* Queries. */

static void put(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text));
}

static void put_steps(sc_text_sink *sink, const sc_column *column, int64_t steps)
{
    char text[SC_COLUMN_TEXT_BYTES];
    sc_extent extent;
    const sc_value_step step =
        sc_extent_of_grid(&column->grid, &extent) ? extent.step : (sc_value_step){1, 1};
    SC_OWN(sc_ratio, number);
    sc_extent_value(step, steps, &number);
    (void)sc_ratio_format(&number, text, sizeof text);
    put(sink, text);
}

/* Group by those keys of the question that are columns. Keys that are computed are left out: fewer groups have no
 * smaller totals. */
static void put_groups(sc_text_sink *sink, const sc_query *query)
{
    put(sink, " GROUP BY ");
    sc_auto_put_name(sink, query->schema->unit);
    for (size_t i = 0; i < query->key_count; i++)
        if (query->keys[i].column != NULL) {
            put(sink, ", ");
            sc_auto_put_name(sink, query->keys[i].column->name);
        }
}

static void put_range(sc_text_sink *sink, const sc_query *query, const sc_column *column,
                      bool is_largest)
{
    int64_t steps[SC_LADDER_MOST];
    const size_t count = rungs_of(column, is_largest, steps);
    put(sink, is_largest ? "SELECT LADDER(n" : "SELECT LADDER(-n");
    for (size_t i = 0; i < count; i++) {
        put(sink, ", ");
        put_steps(sink, column, steps[i]);
    }
    put(sink, ") AS total, COUNT(*) AS people FROM (SELECT CLAMP(");
    put(sink, is_largest ? "MAX(t), 0, " : "MIN(t), ");
    put_steps(sink, column, is_largest ? steps[count - 1] : -steps[count - 1]);
    put(sink, is_largest ? ") AS n" : ", 0) AS n");
    put(sink, " FROM (SELECT SUM(");
    sc_auto_put_name(sink, column->name);
    put(sink, ") AS t");
    sc_auto_put_where(sink, query);
    put_groups(sink, query);
    put(sink, ") GROUP BY ");
    sc_auto_put_name(sink, query->schema->unit);
    put(sink, ") WHERE n IS NOT NULL GROUP BY total");
}

typedef struct range_text {
    const sc_query *query;
    const sc_column *column;
    bool is_largest;
} range_text;

static void write_range(sc_text_sink *sink, const void *of)
{
    const range_text *t = of;
    put_range(sink, t->query, t->column, t->is_largest);
}

const char *sc_auto_range_text(const sc_query *query, const sc_column *column,
                               bool is_largest, sc_arena *arena)
{
    const range_text text = {query, column, is_largest};
    return sc_arena_write(arena, write_range, &text);
}

/* Bounds. */

/* The rung that released counts of people propose as a bound. */
static size_t find_rung(const sc_column *column, bool is_largest,
                        const sc_proposal *proposal, const scrim_measurement *noise,
                        const sc_ratio *confidence, const sc_int128 *counts)
{
    int64_t steps[SC_LADDER_MOST];
    sc_ladder_reading reading;
    sc_reading_init(&reading, steps, rungs_of(column, is_largest, steps), 0,
                    (sc_value_step){1, 1}, noise, confidence);
    for (size_t i = 0; i < reading.count; i++)
        reading.counts[i] = (int64_t)counts[i];
    return sc_proposal_total(proposal, &reading,
                             is_largest ? column->grid.high : -column->grid.low);
}

static void put_line(sc_text_sink *sink, const sc_auto_range *range, const size_t *rungs)
{
    int64_t steps[SC_LADDER_MOST];
    sc_text_put(sink, range->column->name);
    put(sink, "=");
    if (range->smallest > 0)
        (void)rungs_of(range->column, false, steps);
    put_steps(sink, range->column, range->smallest > 0 ? -steps[rungs[1]] : 0);
    put(sink, ",");
    if (range->largest > 0)
        (void)rungs_of(range->column, true, steps);
    put_steps(sink, range->column, range->largest > 0 ? steps[rungs[0]] : 0);
    put(sink, "\n");
}

static void put_lines(sc_text_sink *sink, const scrim_plan *plan,
                      const size_t (*rungs)[2])
{
    if (plan->asked.totals != NULL) {
        put(sink, plan->asked.totals);
        put(sink, "\n");
    }
    for (size_t i = 0; i < plan->range_count; i++)
        put_line(sink, &plan->ranges[i], rungs[i]);
}

typedef struct range_lines {
    const scrim_plan *plan;
    const size_t (*rungs)[2];
} range_lines;

static void write_lines(sc_text_sink *sink, const void *of)
{
    const range_lines *l = of;
    put_lines(sink, l->plan, l->rungs);
}

/* "amount, tax" */
static void write_names(sc_text_sink *sink, const void *of)
{
    const scrim_plan *plan = of;
    for (size_t i = 0; i < plan->range_count; i++) {
        put(sink, i == 0 ? "" : ", ");
        sc_text_put(sink, plan->ranges[i].column->name);
    }
}

const char *sc_auto_range_names(const scrim_plan *plan, sc_arena *arena)
{
    return sc_arena_write(arena, write_names, plan);
}

static bool is_found(const scrim_plan *plan, sc_text name)
{
    for (size_t i = 0; i < plan->range_count; i++)
        if (sc_text_equal(plan->ranges[i].column->name, name))
            return true;
    return false;
}

const char *sc_auto_unfound(const scrim_plan *plan, sc_arena *arena)
{
    const sc_query *query = plan->statements[0].query;
    if (plan->ladder == NULL || plan->statement_count != 1)
        return "";
    for (size_t i = 0; i < query->aggregate_count; i++) {
        const sc_query_aggregate *a = &query->aggregates[i];
        const sc_column *column =
            a->kind->reads != SC_READS_SUM ? NULL : sc_statistic_column(query, a->value);
        if (column != NULL && is_number(column) && !column->has_total &&
            !is_found(plan, column->name))
            return sc_arena_copy(arena, column->name.start, column->name.bytes);
    }
    return "";
}

const char *sc_auto_range_lines(const scrim_plan *plan, const size_t (*rungs)[2],
                                sc_arena *arena)
{
    const range_lines lines = {plan, rungs};
    return sc_arena_write(arena, write_lines, &lines);
}

/* All bounds. */

static const scrim_measurement *noise_of(const scrim_plan *plan, size_t ladder)
{
    return plan->ladder->statements[ladder - 1].parts[0].measurement;
}

static void propose_ranges(const scrim_plan *plan, const sc_auto_counts *ladders,
                           const sc_auto_bounds *most, sc_auto_bounds *out)
{
    const sc_planned_statement *s = &plan->statements[0];
    const sc_auto_range *first = &plan->ranges[0];
    const size_t people = s->ladder > 0        ? s->ladder
                          : first->largest > 0 ? first->largest
                                               : first->smallest;
    const sc_auto_counts *rows = &ladders[people - 1];
    const uint64_t groups = sc_plan_groups(s->keys_kind, s->key_count);
    const sc_bounds said = {.groups = s->said.groups, .total = out->totals[0]};
    int64_t rungs[SC_AUTO_RUNGS];
    sc_ladder_reading reading;
    SC_OWN(sc_ratio, epsilon);
    /* Without a ladder of rows there are few groups, and people may be in all of them; the rungs then serve only to count
     * people. */
    sc_auto_read(noise_of(plan, people), &plan->options.confidence, rows->counts,
                 rows->count, rungs, &reading);
    sc_auto_epsilon(plan, s, &epsilon);
    sc_proposal proposal = {.people = sc_reading_people(&reading),
                            .keys = s->ladder > 0 ? groups : 1,
                            .epsilon = &epsilon,
                            .is_doubled =
                                plan->neighbours == SCRIM_REPLACE && groups != 1};
    sc_proposal_reach(&proposal, &reading, sc_bounds_normal(&said, groups).groups);
    for (size_t i = 0; i < plan->range_count; i++)
        for (size_t k = 0; k < 2; k++) {
            const sc_auto_range *range = &plan->ranges[i];
            const size_t ladder = k == 0 ? range->largest : range->smallest;
            out->rungs[i][k] =
                ladder == 0
                    ? 0
                    : find_rung(range->column, k == 0, &proposal, noise_of(plan, ladder),
                                &plan->options.confidence, ladders[ladder - 1].counts);
            if (out->rungs[i][k] > most->rungs[i][k])
                out->rungs[i][k] = most->rungs[i][k];
        }
}

void sc_auto_propose(const scrim_plan *plan, const sc_auto_counts *ladders,
                     const sc_auto_bounds *most, sc_auto_bounds *out)
{
    *out = (sc_auto_bounds){.totals = {0}};
    for (size_t i = 0; i < plan->statement_count; i++) {
        const size_t ladder = plan->statements[i].ladder;
        out->totals[i] = most->totals[i];
        if (ladder == 0)
            continue;
        out->totals[i] =
            sc_auto_total(plan, i, ladders[ladder - 1].counts, ladders[ladder - 1].count);
        if (out->totals[i] > most->totals[i])
            out->totals[i] = most->totals[i];
    }
    if (plan->range_count > 0)
        propose_ranges(plan, ladders, most, out);
}
