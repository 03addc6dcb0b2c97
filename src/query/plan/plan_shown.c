#include "query/plan/plan_shown.h"

#include "base/decimal.h"
#include "model/at_once.h"
#include "query/estimate/bar_answer.h"
#include "query/estimate/range_choice.h"
#include "query/language/key_text.h"
#include "query/plan/kept_words.h"
#include "query/plan/plan_bars.h"
#include "query/plan/plan_caution.h"
#include "query/plan/plan_chain.h"
#include "query/plan/plan_deviation.h"
#include "query/plan/plan_keys.h"
#include "query/plan/plan_literals.h"
#include "query/plan/plan_measure.h"
#include "query/plan/plan_predict.h"
#include "query/plan/plan_ranks.h"
#include "query/plan/plan_select.h"
#include "query/plan/plan_size.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Texts in the arena; after one failed, all are NULL. */
typedef struct writer {
    sc_arena *arena;
    bool has_failed;
} writer;

static const char *copy(writer *w, const char *text, size_t bytes)
{
    const char *out = sc_arena_copy(w->arena, text, bytes);
    w->has_failed |= out == NULL;
    return out;
}

static const char *copy_text(writer *w, const char *text)
{
    return copy(w, text, strlen(text));
}

static const char *ratio_text(writer *w, const sc_ratio *x)
{
    char text[SC_RATIO_TEXT_BYTES];
    sc_ratio_format(x, text, sizeof text);
    return copy_text(w, text);
}

static const char *digits_text(writer *w, const sc_ratio *x)
{
    char text[SC_SHOWN_THREE_BYTES];
    sc_shown_three(x, text);
    return copy_text(w, text);
}

static void *room(writer *w, size_t count, size_t size)
{
    void *memory = sc_arena_allocate(w->arena, count, size);
    w->has_failed |= memory == NULL;
    return memory;
}

/* Outputs. */

/* (high - low) / 2 in the column's unit, or its square. */
static void half_range(const sc_extent *e, bool is_squared, sc_ratio *out)
{
    SC_OWN(sc_ratio, low, half);
    sc_extent_value(e->step, e->low, &low);
    sc_extent_value(e->step, e->high, out);
    sc_ratio_sub(out, out, &low);
    sc_ratio_set_int64(&half, 2);
    sc_ratio_div(out, out, &half);
    if (is_squared)
        sc_ratio_mul(out, out, out);
}

static void set_ends(writer *w, const sc_typed *value, scrim_plan_output *out)
{
    char text[SC_KEY_TEXT_BYTES];
    (void)sc_key_text(value, value->extent.low, text, sizeof text);
    out->low = copy_text(w, text);
    (void)sc_key_text(value, value->extent.high, text, sizeof text);
    out->high = copy_text(w, text);
}

static bool is_part(const sc_query_key *key, sc_date_part part)
{
    return key->value->operation == SC_OP_DATE_PART && key->value->part == part;
}

/* Does the range of dates begin or end within a year, so that a year is combined with months that it
 * does not have? A single year is no key. */
static bool has_parts_of_years(const sc_query_key *month)
{
    const sc_extent *days = &month->value->parts[0]->extent;
    return sc_date_part_of(SC_PART_YEAR, days->low) !=
               sc_date_part_of(SC_PART_YEAR, days->high) &&
           (sc_date_part_of(SC_PART_MONTH, days->low) != 1 ||
            sc_date_part_of(SC_PART_MONTH, days->high) != 12);
}

/* A week may begin in one year and be numbered in the other. Public keys are combined without regard
 * to the date that they come from. */
static const char *key_caution(const sc_planned_statement *s, const sc_query_key *key)
{
    const bool is_month = is_part(key, SC_PART_MONTH);
    bool has_year = false;
    for (size_t i = 0; i < s->query->key_count; i++)
        has_year |= is_part(&s->query->keys[i], SC_PART_YEAR);
    if (has_year && is_month && s->null_count > 0)
        return "each year is combined with each month, and NULL with both: some groups "
               "have a month and no year; GROUP BY DATE_TRUNC('month', d) instead";
    if (has_year && is_month && has_parts_of_years(key))
        return "each year is combined with each month, also outside the declared range; "
               "GROUP BY DATE_TRUNC('month', d) instead";
    if (has_year && is_part(key, SC_PART_WEEK))
        return "a week at the turn of a year has the number of the other year: "
               "2027-01-01 is in week 53; GROUP BY DATE_TRUNC('week', d) instead";
    return "";
}

/* Of a key that is public by its declared range. */
static void set_key_range(writer *w, const sc_planned_statement *s,
                          const sc_query_key *key, scrim_plan_output *out)
{
    out->caution = key_caution(s, key);
    out->is_range = s->uses_ranges && sc_plan_key_is_range(key);
    if (out->is_range)
        set_ends(w, key->value, out);
}

static void set_range(writer *w, const sc_query_aggregate *a, scrim_plan_output *out)
{
    const sc_aggregate_span span = a->kind->span;
    SC_OWN(sc_ratio, high);
    out->low = out->high = "";
    if (span == SC_SPAN_VALUE) {
        set_ends(w, a->value, out);
    } else if (span != SC_SPAN_OPEN) {
        half_range(&a->value->extent, span == SC_SPAN_HALF_SQUARED, &high);
        if (span == SC_SPAN_WIDTH)
            sc_ratio_add(&high, &high, &high);
        out->low = "0";
        out->high = ratio_text(w, &high);
    }
}

/* Against what a relative target is held against, else against plan_size.h's view of it. */
static void set_relative(writer *w, const sc_query *query, const sc_query_output *own,
                         const scrim_plan *plan, const sc_ratio *error,
                         scrim_plan_output *out)
{
    const sc_query_aggregate *a =
        own->formula == NULL ? &query->aggregates[own->index] : NULL;
    SC_OWN(sc_ratio, size, sign);
    if (!plan->options.is_relative && a != NULL) {
        sc_plan_size_view(plan, a, &size);
        out->reference = sc_plan_size_assumed(plan, a, w->arena);
        w->has_failed |= out->reference == NULL;
    } else if (plan->options.is_relative && a == NULL)
        w->has_failed |= sc_plan_size_formula(plan, query, own->formula, w->arena, &size,
                                              &out->reference, NULL) != SCRIM_OK;
    else if (a != NULL && !a->kind->is_unpredicted)
        w->has_failed |=
            sc_plan_size(plan, a, w->arena, &size, &out->reference, NULL) != SCRIM_OK;
    if (sc_ratio_sign(&size) != 0) {
        sc_ratio_div(&size, error, &size);
        sc_ratio_set_int64(&sign, sc_ratio_sign(&size) < 0 ? -1 : 1);
        sc_ratio_mul(&size, &size, &sign);
        out->relative = digits_text(w, &size);
    }
}

/* For aggregates of a histogram; once, though HISTOGRAM has two columns. */
static void set_certificate(writer *w, const scrim_plan *plan,
                            const sc_planned_statement *s, size_t output,
                            scrim_plan_output *out)
{
    const size_t aggregate = s->query->outputs[output].index;
    const sc_query_aggregate *a = &s->query->aggregates[aggregate];
    const size_t statistic = s->statistics.uses[aggregate].bars;
    const size_t place = statistic == SC_STATISTIC_NONE ? SC_STATISTIC_NONE
                                                        : sc_plan_part_of(s, statistic);
    sc_bar_view view;
    if (place == SC_STATISTIC_NONE ||
        (out->is_key && a->kind->shape == SC_SHAPE_COUNTS) ||
        !sc_bar_view_set(&s->statistics, statistic, s->parts[place].width,
                         s->parts[place].measurement, s->max_rows,
                         s->query->key_count > 0, &view))
        return;
    out->certificate = sc_bar_certificate(a, &view, w->arena);
    out->flexible = sc_bar_flexible_text(a, &view, w->arena);
    out->caution = sc_plan_bars_caution(a, &view.grid, s->parts[place].measurement,
                                        &plan->options.expect, w->arena);
    w->has_failed |=
        out->certificate == NULL || out->flexible == NULL || out->caution == NULL;
    if (a->kind->is_unpredicted)
        out->error = "";
}

/* What is computed from aggregates has the range that follows from theirs. */
static void show_formula(writer *w, const scrim_plan *plan, const sc_planned_statement *s,
                         const sc_formula *formula, const sc_ratio *error,
                         scrim_plan_output *out)
{
    const sc_trial_statement *parts = &plan->trial->statements[s - plan->statements];
    sc_formula_estimator *estimator = NULL;
    out->aggregate = "expression";
    if (sc_plan_formula(s, parts, formula, &plan->options.confidence, w->arena,
                        &estimator, NULL) != SCRIM_OK) {
        w->has_failed = true;
        return;
    }
    const sc_formula_bounds *range = sc_formula_range(estimator);
    if (range->has_low && range->has_high) {
        out->low = ratio_text(w, &range->low);
        out->high = ratio_text(w, &range->high);
    }
    if (out->is_unknown)
        out->error = "";
    else if (sc_ratio_sign(error) >= 0)
        out->error = digits_text(w, error);
    else
        out->caution = "a divisor may be 0, so that everything is possible; ask for a "
                       "larger epsilon, or expect more rows";
    out->is_certain = sc_formula_is_certain(estimator);
    sc_formula_estimator_free(estimator);
}

static void set_ranks(writer *w, const scrim_plan *plan, const sc_planned_statement *s,
                      size_t aggregate, scrim_plan_output *out)
{
    sc_plan_ranks ranks;
    w->has_failed |= !sc_plan_ranks_of(plan, s, aggregate, w->arena, &ranks);
    out->rank_error = ranks.radius;
    out->ranks = ranks.text;
}

static bool divides(const sc_formula *formula)
{
    for (size_t i = 0; i < formula->count; i++)
        if (formula->steps[i].kind == SC_FORMULA_DIVIDE)
            return true;
    return false;
}

/* Are rows of it left out by the bound of rows? Totals are of all rows. */
static bool is_bounded(const sc_planned_statement *s, size_t aggregate)
{
    const size_t sum = s->statistics.uses[aggregate].sum;
    return s->query->aggregates[aggregate].kind->reads != SC_READS_UNITS &&
           (sum == SC_STATISTIC_NONE ||
            s->statistics.list[sum].kind != SC_STATISTIC_TOTAL);
}

/* A quotient of people, who all count, and of their rows, of which the bound keeps some. */
static const char *mixed_caution(writer *w, const sc_planned_statement *s,
                                 const sc_query_output *own)
{
    const sc_query *query = s->query;
    const sc_schema *schema = query->schema;
    bool has_units = false, has_rows = false;
    char unit[SC_TEXT_QUOTE_BYTES], text[SC_TEXT_QUOTE_BYTES + 300];
    for (size_t i = 0; i < query->aggregate_count; i++) {
        if (!sc_query_output_has(own, i))
            continue;
        has_units |= query->aggregates[i].kind->reads == SC_READS_UNITS;
        has_rows |= is_bounded(s, i);
    }
    if (schema->unit.bytes == 0 || query->person != NULL || !has_units || !has_rows ||
        (schema->max_rows == 1 && schema->max_groups == 1) || !divides(own->formula))
        return "";
    snprintf(
        text, sizeof text,
        "COUNT(DISTINCT) counts each %s, and the other aggregates use at most %" PRIu64
        " row%s of it%s: this is not the value per %s if some have more rows",
        sc_text_quote(schema->unit, unit), schema->max_rows,
        schema->max_rows == 1 ? "" : "s", query->key_count > 0 ? " in a group" : "",
        unit);
    return copy_text(w, text);
}

static const scrim_plan_output *show_outputs(writer *w, const scrim_plan *plan,
                                             const sc_planned_statement *s,
                                             const sc_ratio *errors,
                                             const char *const *cautions)
{
    const sc_query *query = s->query;
    scrim_plan_output *outputs = room(w, query->output_count, sizeof *outputs);
    for (size_t i = 0; outputs != NULL && i < query->output_count; i++) {
        const sc_text name = query->columns[i].name;
        const sc_query_output *own = &query->outputs[i];
        outputs[i] = (scrim_plan_output){.name = copy(w, name.start, name.bytes),
                                         .is_key = own->is_key || own->is_bucket,
                                         .low = "",
                                         .high = "",
                                         .error = "",
                                         .relative = "",
                                         .certificate = "",
                                         .flexible = "",
                                         .reference = "",
                                         .rank_error = "",
                                         .ranks = "",
                                         .caution = ""};
        if (own->is_key) {
            set_key_range(w, s, &query->keys[own->index], &outputs[i]);
            continue;
        }
        outputs[i].is_unknown = sc_plan_unknown_of(plan, query, own) != NULL;
        if (own->formula != NULL) {
            show_formula(w, plan, s, own->formula, &errors[i], &outputs[i]);
            set_relative(w, query, own, plan, &errors[i], &outputs[i]);
            outputs[i].caution = mixed_caution(w, s, own);
            continue;
        }
        const sc_query_aggregate *a = &query->aggregates[own->index];
        if (own->is_bucket) {
            set_certificate(w, plan, s, i, &outputs[i]);
            continue;
        }
        outputs[i].aggregate = a->kind->name;
        outputs[i].is_certain = a->with_range;
        set_ranks(w, plan, s, own->index, &outputs[i]);
        /* Rungs are not equally far apart. */
        if (!outputs[i].is_unknown &&
            (a->value == NULL || a->value->type != SC_TYPE_RUNG))
            outputs[i].error = digits_text(w, &errors[i]);
        set_certificate(w, plan, s, i, &outputs[i]);
        set_range(w, a, &outputs[i]);
        set_relative(w, query, own, plan, &errors[i], &outputs[i]);
        /* That nothing is shown says more. */
        if (outputs[i].caution != NULL && outputs[i].caution[0] == '\0')
            outputs[i].caution = cautions[own->index];
    }
    return outputs;
}

/* Parts. */

static const char *scale_text(writer *w, const sc_planned_statement *s,
                              const sc_drawn_part *part)
{
    char text[SC_SHOWN_THREE_BYTES];
    if (part->statistic == SC_STATISTIC_NONE && sc_plan_select_shows(s))
        sc_plan_put_selection_deviation(part->measurement, text);
    else
        sc_plan_put_deviation(s, part, text);
    return copy_text(w, text);
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
static const char *what_text(writer *w, const sc_planned_statement *s,
                             const sc_drawn_part *part)
{
    char what[SC_PLAN_WHAT_BYTES];
    sc_text_sink all;
    sc_plan_what(s, part->statistic, what);
    if (part->statistic != SC_STATISTIC_NONE || !sc_plan_select_shows(s))
        return copy_text(w, what);
    sc_text_sink_init(&all, what, sizeof what);
    sc_text_put(&all, sc_text_of("keys"));
    for (size_t i = 0; i < s->query->output_count; i++) {
        const sc_query_output *own = &s->query->outputs[i];
        if (own->is_bucket || !counts_units(s, own))
            continue;
        sc_text_put(&all, sc_text_of(" and "));
        sc_text_put(&all, s->query->columns[i].name);
    }
    return copy_text(w, what);
}

static const char *step_text(writer *w, const sc_planned_statement *s,
                             const sc_drawn_part *part)
{
    SC_OWN(sc_ratio, step);
    sc_ratio_set_int64(&step, 1);
    if (part->statistic != SC_STATISTIC_NONE)
        sc_plan_step(s, part->statistic, &step);
    const char *text = ratio_text(w, &step);
    return text;
}

/* The first column of typed that may be NULL; NULL where there is none. */
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
        if (s->statistics.list[i].kind == SC_STATISTIC_ROWS &&
            s->statistics.list[i].value == SC_STATISTIC_NONE)
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

/* Of a sum whose totals are bounded: which bound was taken. */
static const char *bound_text(writer *w, const sc_planned_statement *s, size_t statistic)
{
    const sc_group_statistic *t = &s->statistics.list[statistic];
    const sc_column *column =
        t->kind == SC_STATISTIC_TOTAL || t->kind == SC_STATISTIC_SUM
            ? sc_statistic_bounded(s->query, s->statistics.values[t->value])
            : NULL;
    char low[SC_COLUMN_TEXT_BYTES], high[SC_COLUMN_TEXT_BYTES];
    char unit[SC_TEXT_QUOTE_BYTES], text[2 * SC_COLUMN_TEXT_BYTES + 400];
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
    return copy_text(w, text);
}

/* Of a sum, which bound was taken; of a count of values beside that of all rows, why it is another one. */
static const char *note_text(writer *w, const sc_planned_statement *s,
                             const sc_drawn_part *part)
{
    const sc_group_statistic *t = part->statistic == SC_STATISTIC_NONE
                                      ? NULL
                                      : &s->statistics.list[part->statistic];
    if (t != NULL && t->kind != SC_STATISTIC_ROWS)
        return bound_text(w, s, part->statistic);
    if (t == NULL || t->value == SC_STATISTIC_NONE || !draws_all_rows(s))
        return "";
    const sc_typed *typed = s->statistics.values[t->value];
    const sc_column *column = missing_column(s->query, typed);
    char name[SC_TEXT_QUOTE_BYTES], text[SC_TEXT_QUOTE_BYTES + 80];
    if (typed->operation == SC_OP_CASE || column == NULL)
        return "other rows than all, so that they have a count of their own";
    snprintf(text, sizeof text, "%s may be missing; a default would save this share",
             sc_text_quote(column->name, name));
    return copy_text(w, text);
}

static const char *mechanism_text(writer *w, const scrim_measurement *m)
{
    sc_parameters own =
        m->parameters; /* neighbours are the last of a measurement for data */
    while (own.count > 0 && strcmp(own.list[own.count - 1].name, "neighbours") != 0)
        own.count--;
    own.count -= own.count > 0;
    const size_t bytes = sc_parameters_format(&own, m->mechanism->entry.name, NULL, 0);
    char *text = room(w, bytes + 1, 1);
    if (text != NULL)
        sc_parameters_format(&own, m->mechanism->entry.name, text, bytes + 1);
    return text;
}

/* The bundle has a cost for each part that has an epsilon, in their order; one that has rho alone
 * costs that. */
static const scrim_plan_part *show_parts(writer *w, const sc_planned_statement *s,
                                         const sc_exact_cost **costs)
{
    scrim_plan_part *parts = room(w, s->part_count, sizeof *parts);
    for (size_t i = 0; parts != NULL && i < s->part_count; i++) {
        const sc_drawn_part *part = &s->parts[i];
        const sc_exact_cost *own = &part->measurement->cost;
        char range[SC_RANGE_TEXT_BYTES] = "";
        if (part->statistic != SC_STATISTIC_NONE &&
            s->statistics.list[part->statistic].with_range)
            sc_range_put(part->measurement, range);
        parts[i] =
            (scrim_plan_part){.what = what_text(w, s, part),
                              .measurement = scrim_measurement_text(part->measurement),
                              .mechanism = mechanism_text(w, part->measurement),
                              .share = ratio_text(w, &part->share),
                              .copies = part->copies,
                              .scale = scale_text(w, s, part),
                              .step = step_text(w, s, part),
                              .range = copy_text(w, range),
                              .note = note_text(w, s, part)};
        sc_cost_format(own->has_epsilon ? (*costs)++ : own, &parts[i].cost);
    }
    return parts;
}

/* The whole. */

/* Groups have independent noise; the numbers of one group may share some, so their failures add up. */
static const char *confidence_each(writer *w, const sc_ratio *confidence, uint64_t groups,
                                   uint64_t columns)
{
    SC_OWN(sc_ratio, one, beta, count);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_sub(&beta, &one, confidence);
    sc_at_once_each(&beta, groups, &beta);
    sc_ratio_set_int128(&count, (sc_int128)columns);
    sc_ratio_div(&beta, &beta, &count);
    sc_decimal_round_down(&beta, 3, &beta);
    sc_ratio_sub(&beta, &one, &beta);
    return ratio_text(w, &beta);
}

static void show_at_once(writer *w, const scrim_plan *plan, const sc_planned_statement *s,
                         scrim_plan_statement *out)
{
    const uint64_t groups = s->keys_kind == SC_PLAN_NO_KEYS ? 1 : s->key_count;
    const uint64_t columns = s->query->output_count - s->query->key_count;
    out->confidence_each = "";
    if (s->keys_kind == SC_PLAN_DISCOVERED || groups * columns < 2)
        return;
    out->number_count = groups * columns;
    out->confidence_each = confidence_each(w, &plan->options.confidence, groups, columns);
}

static size_t public_groups(const sc_planned_statement *s)
{
    return s->keys_kind == SC_PLAN_PUBLIC_KEYS ? s->key_count : 0;
}

static void show_statement(writer *w, const sc_planned_statement *s,
                           scrim_plan_statement *out)
{
    static const char *const kinds[] = {[SC_PLAN_NO_KEYS] = "none",
                                        [SC_PLAN_PUBLIC_KEYS] = "public",
                                        [SC_PLAN_DISCOVERED] = "discovered"};
    const sc_text text = s->query->canonical;
    char operations[SC_PLAN_CHAIN_BYTES];
    sc_plan_chain_put(s->query, operations);
    const char *unlisted = sc_plan_literals(s->query, w->arena);
    w->has_failed |= unlisted == NULL;
    *out = (scrim_plan_statement){
        .operations = copy_text(w, operations),
        .unlisted = unlisted,
        .missing = sc_missing_words(s->query, &s->statistics, public_groups(s), w->arena),
        .text = copy(w, text.start, text.bytes),
        .keys = kinds[s->keys_kind],
        .key_count = s->key_count,
        .null_count = s->null_count,
        .max_groups = s->max_groups,
        .max_rows = s->max_rows,
        .outputs = s->query->output_count,
        .parts = s->part_count,
        .choices = s->choice_count,
        .kept = sc_kept_words(
            s->query, &s->statistics, s->max_groups,
            (sc_kept_keys){s->keys_kind == SC_PLAN_PUBLIC_KEYS, s->uses_ranges},
            SC_KEPT_WILL_BE, w->arena)};
    w->has_failed |= out->kept == NULL || out->missing == NULL;
}

static const char *guesses_text(writer *w, const sc_column_guesses *guesses)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    sc_column_guesses_put(guesses, &sink);
    const size_t bytes = sink.length + 1;
    char *text = room(w, bytes, 1);
    if (text == NULL)
        return "";
    sc_text_sink_init(&sink, text, bytes);
    sc_column_guesses_put(guesses, &sink);
    return text;
}

scrim_status sc_plan_show(scrim_plan *plan, const sc_ratio *errors, scrim_error *error)
{
    writer w = {.arena = &plan->arena};
    const size_t count = plan->statement_count;
    const sc_text unit = plan->schema->unit;
    size_t cost_count;
    const sc_exact_cost *costs = sc_bundle_costs(plan->bundle, &cost_count);
    sc_plan_shown *shown = room(&w, 1, sizeof *shown);
    scrim_plan_statement *statements = room(&w, count, sizeof *statements);
    const scrim_plan_output **outputs =
        room(&w, count, sizeof(const scrim_plan_output *));
    const scrim_plan_part **parts = room(&w, count, sizeof(const scrim_plan_part *));
    sc_plan_cautions cautions;
    if (w.has_failed)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a plan");
    const scrim_status status = sc_plan_cautions_of(plan, &cautions, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        const sc_planned_statement *s = &plan->statements[i];
        show_statement(&w, s, &statements[i]);
        show_at_once(&w, plan, s, &statements[i]);
        statements[i].caution = cautions.statements[i];
        outputs[i] = show_outputs(&w, plan, s, errors, cautions.aggregates);
        parts[i] = show_parts(&w, s, &costs);
        errors += s->query->output_count;
        cautions.aggregates += s->query->aggregate_count;
    }
    *shown = (sc_plan_shown){
        .unit = unit.bytes == 0 ? "row" : copy(&w, unit.start, unit.bytes),
        .epsilon = ratio_text(&w, &plan->options.epsilon),
        .delta = ratio_text(&w, &plan->options.delta),
        .confidence = ratio_text(&w, &plan->options.confidence),
        .expect = ratio_text(&w, &plan->options.expect),
        .guesses = guesses_text(&w, &plan->options.guesses),
        .statements = statements,
        .outputs = outputs,
        .parts = parts,
    };
    plan->shown = shown;
    return w.has_failed ? sc_fail(error, SCRIM_E_MEMORY, "out of memory for a plan")
                        : SCRIM_OK;
}
