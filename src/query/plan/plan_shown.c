#include "query/plan/plan_shown.h"

#include "base/number/decimal.h"
#include "model/at_once.h"
#include "query/estimate/bar_answer.h"
#include "query/estimate/range_choice.h"
#include "query/estimate/shown.h"
#include "query/language/key_text.h"
#include "query/language/lookup.h"
#include "query/language/person.h"
#include "query/language/set_query.h"
#include "query/plan/auto_range.h"
#include "query/plan/kept_words.h"
#include "query/plan/plan_bars.h"
#include "query/plan/plan_caution.h"
#include "query/plan/plan_chain.h"
#include "query/plan/plan_keys.h"
#include "query/plan/plan_measure.h"
#include "query/plan/plan_predict.h"
#include "query/plan/plan_select.h"
#include "query/plan/plan_size.h"
#include "query/plan/plan_spread.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *copy_text(sc_texts *w, const char *text, size_t bytes)
{
    const char *out = sc_arena_copy(w->arena, text, bytes);
    w->has_failed |= out == NULL;
    return out;
}

const char *sc_texts_text(sc_texts *w, const char *text)
{
    return copy_text(w, text, strlen(text));
}

const char *sc_texts_ratio(sc_texts *w, const sc_ratio *x)
{
    char text[SC_RATIO_TEXT_BYTES];
    sc_ratio_format(x, text, sizeof text);
    return sc_texts_text(w, text);
}

const char *sc_texts_three(sc_texts *w, const sc_ratio *x)
{
    char text[SC_SHOWN_THREE_BYTES];
    sc_shown_three(x, text);
    return sc_texts_text(w, text);
}

void *sc_texts_room(sc_texts *w, size_t count, size_t size)
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

static void set_ends(sc_texts *w, const sc_typed *value, scrim_plan_output *out)
{
    char text[SC_KEY_TEXT_BYTES];
    (void)sc_key_text(value, value->extent.low, text, sizeof text);
    out->low = sc_texts_text(w, text);
    (void)sc_key_text(value, value->extent.high, text, sizeof text);
    out->high = sc_texts_text(w, text);
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

/* Is it combined only with those keys of its column that it can stand beside? */
static bool is_combined_as_it_can(const sc_query *query, const sc_query_key *key)
{
    size_t places[SC_QUERY_KEYS];
    return sc_possible_places(query, (size_t)(key - query->keys), places) > 1;
}

/* A week may begin in one year and be numbered in the other. Public keys of a long range are combined
 * without regard to the date that they come from. */
static const char *key_caution(const sc_planned_statement *s, const sc_query_key *key)
{
    const bool is_month =
        is_part(key, SC_PART_MONTH) && !is_combined_as_it_can(s->query, key);
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

/* Marks a key that is public by its declared range. */
static void set_key_range(sc_texts *w, const sc_planned_statement *s,
                          const sc_query_key *key, scrim_plan_output *out)
{
    out->caution = key_caution(s, key);
    out->is_range = s->uses_ranges && sc_plan_key_is_range(key);
    if (out->is_range)
        set_ends(w, key->value, out);
}

static void set_range(sc_texts *w, const sc_query_aggregate *a, scrim_plan_output *out)
{
    const sc_aggregate_span span = a->value == NULL ? SC_SPAN_OPEN : a->kind->span;
    SC_OWN(sc_ratio, high);
    out->low = out->high = "";
    if (span == SC_SPAN_VALUE) {
        set_ends(w, a->value, out);
    } else if (span != SC_SPAN_OPEN) {
        half_range(&a->value->extent, span == SC_SPAN_HALF_SQUARED, &high);
        if (span == SC_SPAN_WIDTH)
            sc_ratio_add(&high, &high, &high);
        out->low = "0";
        out->high = sc_texts_ratio(w, &high);
    }
}

/* The error relative to the size of a relative target, else to the view of plan_size.h. */
static void set_relative(sc_texts *w, const sc_query *query, const sc_query_output *own,
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
        out->relative = sc_texts_three(w, &size);
    }
}

/* For aggregates of a histogram; once, though HISTOGRAM has two columns. */
static void set_certificate(sc_texts *w, const scrim_plan *plan,
                            const sc_planned_statement *s, size_t output,
                            scrim_plan_output *out)
{
    const size_t aggregate = s->query->outputs[output].index;
    const sc_query_aggregate *a = &s->query->aggregates[aggregate];
    const size_t statistic = s->statistics.uses[aggregate].bars;
    const size_t place = statistic == SC_STATISTIC_NONE ? SC_STATISTIC_NONE
                                                        : sc_plan_part_of(s, statistic);
    sc_bar_view view;
    if (place == SC_STATISTIC_NONE || (out->is_key && a->kind->shape == SC_SHAPE_COUNTS))
        return;
    const sc_bar_source source = {.width = s->parts[place].width,
                                  .measurement = s->parts[place].measurement,
                                  .confidence = &plan->options.confidence,
                                  .max_rows = s->bounds.rows,
                                  .is_grouped = s->query->key_count > 0};
    const sc_bar_expected expected = {&plan->options.expect, &plan->options.confidence};
    if (!sc_bar_view_set(&s->statistics, statistic, &source, &view))
        return;
    out->certificate = sc_bar_certificate(a, &view, w->arena);
    out->flexible = sc_bar_flexible_text(a, &view, w->arena);
    out->caution = sc_plan_bars_caution(a, &view.grid, s->parts[place].measurement,
                                        &expected, w->arena);
    w->has_failed |=
        out->certificate == NULL || out->flexible == NULL || out->caution == NULL;
    if (a->kind->is_unpredicted)
        out->error = "";
}

/* A formula of aggregates has the range that follows from theirs. */
static void show_formula(sc_texts *w, const scrim_plan *plan,
                         const sc_planned_statement *s, const sc_formula *formula,
                         const sc_ratio *error, scrim_plan_output *out)
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
        out->low = sc_texts_ratio(w, &range->low);
        out->high = sc_texts_ratio(w, &range->high);
    }
    if (out->is_unknown)
        out->error = "";
    else if (sc_ratio_sign(error) >= 0)
        out->error = sc_texts_three(w, error);
    else
        out->caution = "a divisor may be 0, so that everything is possible; ask for a "
                       "larger epsilon, or expect more rows";
    out->is_certain = sc_formula_is_certain(estimator);
    sc_formula_estimator_free(estimator);
}

static void set_ranks(sc_texts *w, const scrim_plan *plan, const sc_planned_statement *s,
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
static const char *mixed_caution(sc_texts *w, const sc_planned_statement *s,
                                 const sc_query_output *own)
{
    const sc_query *query = s->query;
    const sc_schema *schema = query->schema;
    const uint64_t rows = s->bounds.rows;
    bool has_units = false, has_rows = false;
    char unit[SC_TEXT_QUOTE_BYTES], text[SC_TEXT_QUOTE_BYTES + 300];
    for (size_t i = 0; i < query->aggregate_count; i++) {
        if (!sc_query_output_has(own, i))
            continue;
        has_units |= query->aggregates[i].kind->reads == SC_READS_UNITS;
        has_rows |= is_bounded(s, i);
    }
    if (schema->unit.bytes == 0 || query->person != NULL || !has_units || !has_rows ||
        s->bounds.total == 1 || !divides(own->formula))
        return "";
    snprintf(
        text, sizeof text,
        "COUNT(DISTINCT) counts each %s, and the other aggregates use at most %" PRIu64
        " row%s of it%s: this is not the value per %s if some have more rows",
        sc_text_quote(schema->unit, unit), rows, rows == 1 ? "" : "s",
        query->key_count > 0 && s->said.rows > 0 ? " in a group" : "", unit);
    return sc_texts_text(w, text);
}

/* A count of different values is smaller by what bounds leave out, never larger. */
static const char *values_caution(const scrim_plan *plan, const sc_planned_statement *s,
                                  const sc_query_aggregate *a)
{
    const bool is_bounded = s->query->schema->unit.bytes > 0 &&
                            s->query->person == NULL &&
                            (!plan->has_single_rows || s->query->unnest != NULL);
    return is_bounded && a->kind->reads == SC_READS_VALUES
               ? "at least so many: the true number is not below the lower end of the "
                 "interval, and may be above the upper one"
               : "";
}

static const scrim_plan_output *show_outputs(sc_texts *w, const scrim_plan *plan,
                                             const sc_planned_statement *s,
                                             const sc_ratio *errors,
                                             const char *const *cautions)
{
    const sc_query *query = s->query;
    scrim_plan_output *outputs = sc_texts_room(w, query->output_count, sizeof *outputs);
    for (size_t i = 0; outputs != NULL && i < query->output_count; i++) {
        const sc_text name = query->columns[i].name;
        const sc_query_output *own = &query->outputs[i];
        outputs[i] = (scrim_plan_output){.name = copy_text(w, name.start, name.bytes),
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
        outputs[i].is_all =
            sc_query_output_is_grouping(own) || sc_query_output_is_all(query, own);
        if (outputs[i].is_all)
            continue;
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
            outputs[i].error = sc_texts_three(w, &errors[i]);
        set_certificate(w, plan, s, i, &outputs[i]);
        set_range(w, a, &outputs[i]);
        set_relative(w, query, own, plan, &errors[i], &outputs[i]);
        /* Keep a caution that nothing is shown: it matters more. */
        if (outputs[i].caution != NULL && outputs[i].caution[0] == '\0')
            outputs[i].caution = cautions[own->index];
        if (outputs[i].caution != NULL && outputs[i].caution[0] == '\0')
            outputs[i].caution = values_caution(plan, s, a);
    }
    return outputs;
}

/* The whole. */

/* Groups have independent noise; the numbers of one group may share some, so their failures add up. */
static const char *confidence_each(sc_texts *w, const sc_ratio *confidence,
                                   uint64_t groups, uint64_t columns)
{
    SC_OWN(sc_ratio, one, beta, count);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_sub(&beta, &one, confidence);
    sc_at_once_each(&beta, groups, &beta);
    sc_ratio_set_int128(&count, (sc_int128)columns);
    sc_ratio_div(&beta, &beta, &count);
    sc_decimal_round_down(&beta, 3, &beta);
    sc_ratio_sub(&beta, &one, &beta);
    return sc_texts_ratio(w, &beta);
}

static void show_at_once(sc_texts *w, const scrim_plan *plan,
                         const sc_planned_statement *s, scrim_plan_statement *out)
{
    const uint64_t groups = s->keys_kind == SC_PLAN_NO_KEYS ? 1 : s->key_count;
    uint64_t columns = 0;
    for (size_t i = 0; i < s->query->output_count; i++)
        columns += !s->query->outputs[i].is_key;
    out->confidence_each = "";
    /* The rows of a histogram are not those of groups; its certificate speaks of all of them. */
    if (s->keys_kind == SC_PLAN_DISCOVERED || groups * columns < 2 ||
        s->query->aggregates[0].kind->shape != SC_SHAPE_VALUE)
        return;
    out->number_count = groups * columns;
    out->confidence_each = confidence_each(w, &plan->options.confidence, groups, columns);
}

static size_t public_groups(const sc_planned_statement *s)
{
    return s->keys_kind == SC_PLAN_PUBLIC_KEYS ? s->key_count : 0;
}

static void put_joins(sc_text_sink *sink, const sc_query *query)
{
    const sc_joined *joins;
    const size_t count = sc_query_joins(query, &joins);
    char text[2 * SC_TEXT_QUOTE_BYTES + 200], table[SC_TEXT_QUOTE_BYTES],
        key[SC_TEXT_QUOTE_BYTES];
    for (size_t i = 0; i < count; i++) {
        snprintf(text, sizeof text,
                 "%spublic table %s by %s, at most one of its rows per row; rows without "
                 "one %s",
                 i == 0 ? "" : "; ", sc_text_quote(joins[i].table->name, table),
                 sc_text_quote(joins[i].key->column.name, key),
                 joins[i].is_left ? "have NULL in its columns" : "are left out");
        sc_text_put(sink, sc_text_of(text));
    }
}

static const char *joins_text(sc_texts *w, const sc_query *query)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    put_joins(&sink, query);
    const size_t bytes = sink.length + 1;
    char *text = sc_texts_room(w, bytes, 1);
    if (text == NULL)
        return "";
    sc_text_sink_init(&sink, text, bytes);
    put_joins(&sink, query);
    return text;
}

static void show_statement(sc_texts *w, const scrim_plan *plan,
                           const sc_planned_statement *s, scrim_plan_statement *out)
{
    static const char *const kinds[] = {[SC_PLAN_NO_KEYS] = "none",
                                        [SC_PLAN_PUBLIC_KEYS] = "public",
                                        [SC_PLAN_DISCOVERED] = "discovered"};
    const sc_text text = s->text;
    char operations[SC_PLAN_CHAIN_BYTES];
    sc_plan_chain_put(s->query, operations);
    const sc_kept_keys keys = {s->keys_kind == SC_PLAN_PUBLIC_KEYS, s->uses_ranges,
                               !sc_plan_is_sum(plan, (size_t)(s - plan->statements)) ? 0
                               : plan->has_sets ? SC_ROWS_OF_KEYS
                                                : plan->source};
    const sc_planned_statement *bounding = keys.rows_of == 0 ? s : sc_plan_source(plan);
    const sc_kept_bounds kept = {bounding->said, bounding->bounds.groups, NULL};
    const char *unlisted = sc_plan_literals(s->query, w->arena);
    w->has_failed |= unlisted == NULL;
    *out = (scrim_plan_statement){
        .operations = sc_texts_text(w, operations),
        .unlisted = unlisted,
        .missing = sc_missing_words(s->query, &s->statistics, &s->said, public_groups(s),
                                    keys, w->arena),
        .text = copy_text(w, text.start, text.bytes),
        .set = s->set,
        .joins = joins_text(w, s->query),
        .keys = kinds[s->keys_kind],
        .key_count = s->key_count,
        .null_count = s->null_count,
        .max_groups = s->bounds.groups,
        .max_rows = s->bounds.rows,
        .max_total_rows = s->bounds.total,
        .outputs = s->query->output_count,
        .parts = s->part_count + (s->cut_part.measurement != NULL),
        .choices = s->choice_count,
        .kept = sc_kept_words(s->query, &s->statistics, &kept, keys, SC_KEPT_WILL_BE,
                              w->arena)};
    w->has_failed |= out->kept == NULL || out->missing == NULL;
}

static const char *guesses_text(sc_texts *w, const sc_column_guesses *guesses)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    sc_column_guesses_put(guesses, &sink);
    const size_t bytes = sink.length + 1;
    char *text = sc_texts_room(w, bytes, 1);
    if (text == NULL)
        return "";
    sc_text_sink_init(&sink, text, bytes);
    sc_column_guesses_put(guesses, &sink);
    return text;
}

scrim_status sc_plan_show(scrim_plan *plan, const sc_ratio *errors, scrim_error *error)
{
    sc_texts w = {.arena = &plan->arena};
    const size_t count = plan->statement_count;
    const sc_text unit = plan->schema->unit;
    size_t cost_count;
    const sc_exact_cost *costs = sc_bundle_costs(plan->bundle, &cost_count);
    sc_plan_shown *shown = sc_texts_room(&w, 1, sizeof *shown);
    scrim_plan_statement *statements = sc_texts_room(&w, count, sizeof *statements);
    const scrim_plan_output **outputs =
        sc_texts_room(&w, count, sizeof(const scrim_plan_output *));
    const scrim_plan_part **parts =
        sc_texts_room(&w, count, sizeof(const scrim_plan_part *));
    const scrim_plan_other **others =
        sc_texts_room(&w, count, sizeof(const scrim_plan_other *));
    sc_plan_cautions cautions;
    if (w.has_failed)
        return sc_no_memory(error, "a plan");
    SC_TRY(sc_plan_cautions_of(plan, &cautions, error));
    for (size_t i = 0; i < count; i++) {
        const sc_planned_statement *s = &plan->statements[i];
        show_statement(&w, plan, s, &statements[i]);
        show_at_once(&w, plan, s, &statements[i]);
        statements[i].caution = cautions.statements[i];
        outputs[i] = show_outputs(&w, plan, s, errors, cautions.aggregates);
        parts[i] = sc_plan_show_parts(&w, plan, i, &costs);
        if (w.has_failed)
            return sc_no_memory(error, "a plan");
        SC_TRY(sc_plan_show_others(plan, i, errors, outputs[i], &others[i],
                                   &statements[i].others, error));
        errors += s->query->output_count;
        cautions.aggregates += s->query->aggregate_count;
    }
    *shown = (sc_plan_shown){
        .unit = unit.bytes == 0 ? "row" : copy_text(&w, unit.start, unit.bytes),
        .epsilon = sc_texts_ratio(&w, &plan->options.epsilon),
        .delta = sc_texts_ratio(&w, &plan->options.delta),
        .confidence = sc_texts_ratio(&w, &plan->options.confidence),
        .expect = sc_texts_ratio(&w, &plan->options.expect),
        .guesses = guesses_text(&w, &plan->options.guesses),
        .auto_share =
            plan->ladder == NULL ? "" : sc_texts_ratio(&w, &plan->options.auto_share),
        .found_totals = sc_auto_range_names(plan, &plan->arena),
        .unfound_total = sc_auto_unfound(plan, &plan->arena),
        .statements = statements,
        .outputs = outputs,
        .parts = parts,
        .others = others,
    };
    w.has_failed |= shown->found_totals == NULL || shown->unfound_total == NULL;
    plan->shown = shown;
    return w.has_failed ? sc_no_memory(error, "a plan") : SCRIM_OK;
}
