#include "query/estimate/range_choice.h"
#include "query/language/key_text.h"
#include "query/plan/plan_cut.h"
#include "query/plan/plan_measure.h"
#include "query/plan/plan_select.h"
#include "query/plan/plan_shown.h"
#include "query/plan/plan_spread.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *scale_text(sc_texts *w, const sc_planned_statement *s,
                              const sc_drawn_part *part)
{
    char text[SC_SHOWN_THREE_BYTES];
    if (part->statistic == SC_STATISTIC_NONE && sc_plan_select_shows(s))
        sc_plan_put_selection_deviation(part->measurement, text);
    else
        sc_plan_put_deviation(s, part, text);
    return sc_texts_text(w, text);
}

/* Is an output made of the number of units? */
static bool counts_units(const sc_planned_statement *s, const sc_query_output *output)
{
    bool is = false;
    for (size_t i = 0; i < s->query->aggregate_count; i++) {
        const sc_statistic_use *use = &s->statistics.uses[i];
        const size_t counts = use->units != SC_STATISTIC_NONE ? use->units : use->rows;
        is |= counts != SC_STATISTIC_NONE &&
              sc_statistic_is_units(&s->statistics.list[counts]) &&
              sc_query_output_has(output, i);
    }
    return is;
}

/* "keys and n": the columns that a selection shows, where it shows any. */
static const char *what_text(sc_texts *w, const sc_planned_statement *s,
                             const sc_drawn_part *part)
{
    char what[SC_PLAN_WHAT_BYTES];
    sc_text_sink all;
    sc_plan_what(s, part->statistic, what);
    if (part->statistic != SC_STATISTIC_NONE || !sc_plan_select_shows(s))
        return sc_texts_text(w, what);
    sc_text_sink_init(&all, what, sizeof what);
    sc_text_put(&all, sc_text_of("keys"));
    for (size_t i = 0; i < s->query->output_count; i++) {
        const sc_query_output *own = &s->query->outputs[i];
        if (own->is_bucket || !counts_units(s, own))
            continue;
        sc_text_put(&all, sc_text_of(" and "));
        sc_text_put(&all, s->query->columns[i].name);
    }
    return sc_texts_text(w, what);
}

static const char *step_text(sc_texts *w, const sc_planned_statement *s,
                             const sc_drawn_part *part)
{
    SC_OWN(sc_ratio, step);
    sc_ratio_set_int64(&step, 1);
    if (part->statistic != SC_STATISTIC_NONE)
        sc_plan_step(s, part->statistic, &step);
    const char *text = sc_texts_ratio(w, &step);
    return text;
}

/* The first column of typed whose values may be missing; NULL if no column's may. */
static const sc_column *missing_column(const sc_query *query, const sc_typed *typed)
{
    const sc_column *found = NULL;
    if (typed->operation == SC_OP_COLUMN)
        return sc_typed_may_be_null(typed, query->is_present)
                   ? &query->schema->columns[typed->column]
                   : NULL;
    for (size_t i = 0; found == NULL && i < typed->count; i++)
        found = missing_column(query, typed->parts[i]);
    return found;
}

static bool draws_all_rows(const sc_planned_statement *s)
{
    for (size_t i = 0; i < s->statistics.count; i++)
        if (s->statistics.list[i].kind == SC_STATISTIC_MISSING ||
            (s->statistics.list[i].kind == SC_STATISTIC_ROWS &&
             s->statistics.list[i].value == SC_STATISTIC_NONE))
            return true;
    return false;
}

/* Is a statistic that of SUM, and not of a mean? */
static bool is_sum(const sc_planned_statement *s, size_t statistic)
{
    for (size_t i = 0; i < s->query->aggregate_count; i++)
        if (s->query->aggregates[i].kind->reads & SC_READS_SUM &&
            s->statistics.uses[i].sum == statistic)
            return true;
    return false;
}

/* For a sum that stands alone: the bound of rows is one of their total. */
static const char *clamped_text(sc_texts *w, const sc_planned_statement *s,
                                const sc_group_statistic *t)
{
    const sc_value_step step = s->statistics.values[t->value]->extent.step;
    const sc_group_value *value = &s->statistics.groups[t->value];
    char low[SC_RATIO_TEXT_BYTES], high[SC_RATIO_TEXT_BYTES], all[SC_RATIO_TEXT_BYTES],
        unit[SC_TEXT_QUOTE_BYTES],
        text[SC_TEXT_QUOTE_BYTES + 2 * SC_SHOWN_THREE_BYTES + 200];
    SC_OWN(sc_ratio, end);
    sc_extent_value(step, value->total_low, &end);
    sc_ratio_format(&end, low, sizeof low);
    sc_extent_value(step, value->total_high, &end);
    sc_ratio_format(&end, high, sizeof high);
    sc_extent_value(step, value->total_all, &end);
    sc_ratio_format(&end, all, sizeof all);
    sc_text_quote(s->query->schema->unit, unit);
    if (value->total_all > 0)
        snprintf(
            text, sizeof text,
            "all rows of one %s in the groups that stay, their totals scaled to %.40s "
            "together: as much noise as for %" PRIu64
            " rows, and never farther from all of them but for rounding",
            unit, all, s->bounds.rows);
    else
        snprintf(text, sizeof text,
                 "all rows of one %s in a group, their total clamped to %.40s to %.40s: "
                 "as much noise as for %" PRIu64
                 " rows, and never farther from all of them",
                 unit, low, high, s->bounds.rows);
    return sc_texts_text(w, text);
}

static bool is_declared(const sc_planned_statement *s, const sc_group_statistic *t,
                        const sc_column *column)
{
    const sc_group_value *value = &s->statistics.groups[t->value];
    return column != NULL && value->total_low == column->total_low &&
           value->total_high == column->total_high;
}

/* For a sum with bounded totals: which bound was taken. */
static const char *bound_text(sc_texts *w, const sc_planned_statement *s,
                              size_t statistic)
{
    const sc_group_statistic *t = &s->statistics.list[statistic];
    const sc_column *column =
        t->kind == SC_STATISTIC_TOTAL || t->kind == SC_STATISTIC_SUM
            ? sc_statistic_bounded(s->query, s->statistics.values[t->value])
            : NULL;
    char low[SC_COLUMN_TEXT_BYTES], high[SC_COLUMN_TEXT_BYTES];
    char unit[SC_TEXT_QUOTE_BYTES], text[2 * SC_COLUMN_TEXT_BYTES + 400];
    if (t->kind == SC_STATISTIC_TOTAL && s->clamps && !is_declared(s, t, column))
        return clamped_text(w, s, t);
    if (column == NULL || !is_sum(s, statistic))
        return "";
    (void)sc_column_format(column, column->total_low, low, sizeof low);
    (void)sc_column_format(column, column->total_high, high, sizeof high);
    sc_text_quote(s->query->schema->unit, unit);
    if (t->kind == SC_STATISTIC_TOTAL)
        snprintf(text, sizeof text,
                 "all rows of one %s in a group, their total clamped to %s to %s: less "
                 "noise than the bound of rows",
                 unit, low, high);
    else
        snprintf(text, sizeof text,
                 "by the bound of rows, which needs less noise than totals of one %s "
                 "clamped to %s to %s",
                 unit, low, high);
    return sc_texts_text(w, text);
}

/* For a sum, which bound was taken; for a count of present values beside that of all rows, why it is drawn. */
static const char *note_text(sc_texts *w, const sc_planned_statement *s,
                             const sc_drawn_part *part)
{
    const sc_group_statistic *t = part->statistic == SC_STATISTIC_NONE
                                      ? NULL
                                      : &s->statistics.list[part->statistic];
    if (t != NULL && t->kind == SC_STATISTIC_DISJOINT)
        return "no row is in two of these counts, so that they are drawn together";
    if (t != NULL && sc_statistic_is_cell(t))
        return "each row is in one of both counts, so that they cost as much as one; all "
               "rows are their sum";
    if (t != NULL && t->kind != SC_STATISTIC_ROWS)
        return bound_text(w, s, part->statistic);
    if (t == NULL || t->value == SC_STATISTIC_NONE || !draws_all_rows(s))
        return "";
    const sc_typed *typed = s->statistics.values[t->value];
    const sc_column *column = missing_column(s->query, typed);
    char name[SC_TEXT_QUOTE_BYTES], text[SC_TEXT_QUOTE_BYTES + 80];
    if (typed->operation == SC_OP_CASE || column == NULL)
        return "other rows than all, so that they have a count of their own";
    snprintf(text, sizeof text, "%s may be missing; declare a default to save this share",
             sc_text_quote(column->name, name));
    return sc_texts_text(w, text);
}

static const char *mechanism_text(sc_texts *w, const scrim_measurement *m)
{
    sc_parameters own =
        m->parameters; /* neighbours are the last of a measurement for data */
    while (own.count > 0 && strcmp(own.list[own.count - 1].name, "neighbours") != 0)
        own.count--;
    own.count -= own.count > 0;
    const size_t bytes = sc_parameters_format(&own, m->mechanism->entry.name, NULL, 0);
    char *text = sc_texts_room(w, bytes + 1, 1);
    if (text != NULL)
        sc_parameters_format(&own, m->mechanism->entry.name, text, bytes + 1);
    return text;
}

/* "0.05": people in each cell of those who are cut. */
static scrim_plan_part show_cut(sc_texts *w, const sc_planned_statement *s,
                                bool is_shared)
{
    const scrim_measurement *m = s->cut_part.measurement;
    char scale[SC_SHOWN_THREE_BYTES];
    sc_plan_put_selection_deviation(m, scale);
    return (scrim_plan_part){
        .what = "people cut",
        .measurement = scrim_measurement_text(m),
        .mechanism = mechanism_text(w, m),
        .share = sc_texts_ratio(w, &s->cut_part.share),
        .copies = 1,
        .scale = sc_texts_text(w, scale),
        .step = "1",
        .range = "",
        .note = is_shared
                    ? "how many people have rows left out, by how many, once for all "
                      "queries that count the same rows; cut-share 0 saves it"
                    : "how many people have rows left out, by how many; cut-share 0 "
                      "saves it"};
}

static scrim_plan_part show_part(sc_texts *w, const sc_planned_statement *s,
                                 const sc_drawn_part *part)
{
    char range[SC_RANGE_TEXT_BYTES] = "";
    if (part->statistic != SC_STATISTIC_NONE &&
        s->statistics.list[part->statistic].with_range)
        sc_range_put(part->measurement, range);
    return (scrim_plan_part){.what = what_text(w, s, part),
                             .measurement = scrim_measurement_text(part->measurement),
                             .mechanism = mechanism_text(w, part->measurement),
                             .share = sc_texts_ratio(w, &part->share),
                             .copies = part->copies,
                             .scale = scale_text(w, s, part),
                             .step = step_text(w, s, part),
                             .range = sc_texts_text(w, range),
                             .note = note_text(w, s, part)};
}

const scrim_plan_part *sc_plan_show_parts(sc_texts *w, const scrim_plan *plan,
                                          size_t statement, const sc_exact_cost **costs)
{
    const sc_planned_statement *s = &plan->statements[statement];
    const bool has_cut = s->cut_part.measurement != NULL;
    scrim_plan_part *parts = sc_texts_room(w, s->part_count + has_cut, sizeof *parts);
    for (size_t i = 0; parts != NULL && i < s->part_count + has_cut; i++) {
        const bool is_cut = i == s->part_count;
        const sc_drawn_part *part = is_cut ? &s->cut_part : &s->parts[i];
        const sc_exact_cost *own = &part->measurement->cost;
        parts[i] = is_cut ? show_cut(w, s, sc_plan_cut_is_shared(plan, statement))
                          : show_part(w, s, part);
        sc_cost_format(own->has_epsilon ? (*costs)++ : own, &parts[i].cost);
    }
    return parts;
}
