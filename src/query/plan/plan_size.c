#include "query/plan/plan_size.h"

#include "base/number/own.h"
#include "query/estimate/formula_bounds.h"
#include "query/estimate/shown.h"

#include <stdio.h>
#include <string.h>

/* A guess has at most SC_GUESS_BITS above and below its line. */
#define NUMBER_BYTES 48
#define SOURCE_BYTES (2 * NUMBER_BYTES + 100)
#define NUMBER "%.47s"

static const sc_column_guess *guess_of(const scrim_plan *plan,
                                       const sc_query_aggregate *a)
{
    return sc_column_guess_of(&plan->options.guesses, sc_plan_schema_of(plan, a),
                              a->value);
}

static void set_ends(const sc_query_aggregate *a, sc_ratio *low, sc_ratio *high)
{
    sc_extent_value(a->value->extent.step, a->value->extent.low, low);
    sc_extent_value(a->value->extent.step, a->value->extent.high, high);
}

void sc_plan_size_view(const scrim_plan *plan, const sc_query_aggregate *a,
                       sc_ratio *size)
{
    const sc_column_guess *guess = guess_of(plan, a);
    SC_OWN(sc_ratio, high);
    sc_ratio_set_int64(size, 0);
    if (a->value == NULL) {
        sc_ratio_set(size, &plan->options.expect);
    } else if (a->kind->reads & SC_READS_SUM) {
        set_ends(a, size, &high);
        sc_ratio_add(size, size, &high);
        sc_ratio_set_int64(&high, 2);
        sc_ratio_div(size, size, &high);
        if (guess != NULL)
            sc_ratio_set(size, &guess->mean);
        sc_ratio_mul(size, size, &plan->options.expect);
    }
}

const char *sc_plan_size_assumed(const scrim_plan *plan, const sc_query_aggregate *a,
                                 sc_arena *arena)
{
    char rows[SC_RATIO_TEXT_BYTES], middle[SC_RATIO_TEXT_BYTES], text[SOURCE_BYTES];
    SC_OWN(sc_ratio, size);
    if (a->value == NULL || a->kind->span != SC_SPAN_OPEN || guess_of(plan, a) != NULL)
        return "";
    sc_plan_size_view(plan, a, &size);
    if (sc_ratio_sign(&size) == 0)
        return "";
    sc_ratio_div(&size, &size, &plan->options.expect);
    sc_ratio_format(&size, middle, sizeof middle);
    sc_ratio_format(&plan->options.expect, rows, sizeof rows);
    snprintf(text, sizeof text, NUMBER " rows times " NUMBER ", the middle of the range",
             rows, middle);
    return sc_arena_copy(arena, text, strlen(text));
}

/* Guesses that a size needs. */

static void put_guess(sc_text_sink *sink, const sc_ratio *number, const char *missing)
{
    char text[SC_RATIO_TEXT_BYTES] = "";
    if (number != NULL)
        sc_ratio_format(number, text, sizeof text);
    sc_text_put(sink, sc_text_of(number == NULL ? missing : text));
}

/* The guess of one column; what is missing is a word in capitals. */
static void put_column(sc_text_sink *sink, const sc_column_guess *guess, sc_text name,
                       bool is_wanted, bool needs_deviation)
{
    const bool has_mean =
        guess != NULL && (!is_wanted || sc_ratio_sign(&guess->mean) != 0);
    const bool has_deviation = guess != NULL && guess->has_deviation;
    sc_text_put(sink, name);
    sc_text_put(sink, sc_text_of("="));
    put_guess(sink, has_mean ? &guess->mean : NULL, "MEAN");
    if (!has_deviation && !(is_wanted && needs_deviation))
        return;
    sc_text_put(sink, sc_text_of(":"));
    put_guess(sink, has_deviation ? &guess->deviation : NULL, "DEVIATION");
}

void sc_plan_size_wanted(const scrim_plan *plan, sc_text column, bool needs_deviation,
                         char wanted[SC_WANTED_BYTES])
{
    const sc_column_guesses *guesses = &plan->options.guesses;
    const char *comma = "";
    bool is_there = column.bytes == 0;
    sc_text_sink sink;
    sc_text_sink_init(&sink, wanted, SC_WANTED_BYTES);
    if (plan->options.says_rows || column.bytes == 0) {
        put_guess(&sink, plan->options.says_rows ? &plan->options.expect : NULL, "ROWS");
        comma = ",";
    }
    for (size_t i = 0; i < guesses->count; i++) {
        const bool is_wanted = sc_text_equal(guesses->columns[i].name, column);
        sc_text_put(&sink, sc_text_of(comma));
        put_column(&sink, &guesses->columns[i], guesses->columns[i].name, is_wanted,
                   needs_deviation);
        comma = ",";
        is_there |= is_wanted;
    }
    if (!is_there) {
        sc_text_put(&sink, sc_text_of(comma));
        put_column(&sink, NULL, column, true, needs_deviation);
    }
    if (sink.length >= SC_WANTED_BYTES)
        snprintf(wanted, SC_WANTED_BYTES, "ROWS,COLUMN=MEAN:DEVIATION");
}

static scrim_status lacks(const scrim_plan *plan, const sc_query_aggregate *a,
                          sc_text column, bool needs_deviation, scrim_error *error)
{
    char wanted[SC_WANTED_BYTES];
    sc_plan_size_wanted(plan, column, needs_deviation, wanted);
    return sc_fail_for(
        error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "expect",
        "a percentage of %s needs its size, which is private; guess it: %s",
        a->kind->name, wanted);
}

static scrim_status lacks_rows(const scrim_plan *plan, const sc_query_aggregate *a,
                               scrim_error *error)
{
    if (plan->options.guesses.count > 0)
        return lacks(plan, a, (sc_text){NULL, 0}, false, error);
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "expect",
                       "a percentage of %s needs its size, which is private; guess the "
                       "number of rows",
                       a->kind->name);
}

static scrim_status lacks_of_column(const scrim_plan *plan, const sc_query_aggregate *a,
                                    bool needs_deviation, scrim_error *error)
{
    if (a->value->operation != SC_OP_COLUMN)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "target-error",
            "a percentage of %s needs its size, which can be guessed only for a column",
            a->kind->name);
    return lacks(plan, a, sc_plan_schema_of(plan, a)->columns[a->value->column].name,
                 needs_deviation, error);
}

/* The smallest size of a value within the range; 0 where it reaches to 0. */
static void least_of(const sc_query_aggregate *a, sc_ratio *out)
{
    SC_OWN(sc_ratio, high);
    set_ends(a, out, &high);
    if (sc_ratio_sign(&high) < 0) {
        sc_ratio_set_int64(out, 0);
        sc_ratio_sub(out, out, &high);
    } else if (sc_ratio_sign(out) < 0) {
        sc_ratio_set_int64(out, 0);
    }
}

static void take_away_sign(sc_ratio *x)
{
    SC_OWN(sc_ratio, zero);
    if (sc_ratio_sign(x) < 0)
        sc_ratio_sub(x, &zero, x);
}

static bool is_number(const sc_query_aggregate *a)
{
    return a->value == NULL ||
           (!sc_type_is_time(a->value->type) && a->value->type != SC_TYPE_RUNG);
}

/* The size of one value: the guessed mean if the aggregate is a middle, or the end of the range that is
 * nearer to 0. */
static scrim_status size_of_value(const scrim_plan *plan, const sc_query_aggregate *a,
                                  sc_ratio *size, char source[SOURCE_BYTES],
                                  scrim_error *error)
{
    const sc_column_guess *guess = guess_of(plan, a);
    const bool is_middle =
        a->kind->bars == NULL &&
        (a->p.denominator == 0 || 2 * a->p.numerator == a->p.denominator);
    char number[SC_RATIO_TEXT_BYTES];
    const bool is_guessed =
        is_middle && guess != NULL && sc_ratio_sign(&guess->mean) != 0;
    if (is_guessed) {
        sc_ratio_set(size, &guess->mean);
        take_away_sign(size);
    } else {
        least_of(a, size);
    }
    sc_ratio_format(size, number, sizeof number);
    snprintf(source, SOURCE_BYTES,
             is_guessed ? "the mean " NUMBER " that is expected"
                        : NUMBER ", the smallest value of its range",
             number);
    if (sc_ratio_sign(size) != 0)
        return SCRIM_OK;
    return is_middle ? lacks_of_column(plan, a, false, error)
                     : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED,
                                   "target-error",
                                   "a percentage of %s needs its size, and its range "
                                   "contains 0",
                                   a->kind->name);
}

static scrim_status size_of_spread(const scrim_plan *plan, const sc_query_aggregate *a,
                                   sc_ratio *size, char source[SOURCE_BYTES],
                                   scrim_error *error)
{
    const sc_column_guess *guess = guess_of(plan, a);
    char number[SC_RATIO_TEXT_BYTES];
    if (guess == NULL || !guess->has_deviation)
        return lacks_of_column(plan, a, true, error);
    sc_ratio_set(size, &guess->deviation);
    if (!a->kind->is_root)
        sc_ratio_mul(size, size, size);
    sc_ratio_format(&guess->deviation, number, sizeof number);
    snprintf(source, SOURCE_BYTES, "the deviation " NUMBER " that is expected", number);
    return SCRIM_OK;
}

static scrim_status size_of_rows(const scrim_plan *plan, const sc_query_aggregate *a,
                                 sc_ratio *size, char source[SOURCE_BYTES],
                                 scrim_error *error)
{
    char number[SC_RATIO_TEXT_BYTES], value[SOURCE_BYTES];
    if (!plan->options.says_rows)
        return lacks_rows(plan, a, error);
    sc_ratio_format(&plan->options.expect, number, sizeof number);
    sc_ratio_set(size, &plan->options.expect);
    snprintf(source, SOURCE_BYTES, "the " NUMBER " rows that are expected", number);
    if (!(a->kind->reads & SC_READS_SUM))
        return SCRIM_OK;
    const scrim_status status = size_of_value(plan, a, size, value, error);
    sc_ratio_mul(size, size, &plan->options.expect);
    snprintf(source, SOURCE_BYTES, NUMBER " rows that are expected, times %.100s", number,
             value);
    return status;
}

scrim_status sc_plan_size(const scrim_plan *plan, const sc_query_aggregate *a,
                          sc_arena *arena, sc_ratio *size, const char **source,
                          scrim_error *error)
{
    char text[SOURCE_BYTES] = "";
    scrim_status status = SCRIM_OK;
    if (a->kind->shape != SC_SHAPE_VALUE || a->kind->span == SC_SPAN_WIDTH ||
        !is_number(a))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "target-error",
                           "the error of %s cannot be a percentage", a->kind->name);
    if (a->kind->span == SC_SPAN_OPEN)
        status = size_of_rows(plan, a, size, text, error);
    else if (a->kind->span == SC_SPAN_VALUE)
        status = size_of_value(plan, a, size, text, error);
    else
        status = size_of_spread(plan, a, size, text, error);
    if (status != SCRIM_OK)
        return status;
    *source = sc_arena_copy(arena, text, strlen(text));
    return *source == NULL ? sc_no_memory(error, "a plan") : SCRIM_OK;
}

/* Expressions. */

static scrim_status has_no_guess(const sc_query_aggregate *a, const char *why,
                                 scrim_error *error)
{
    return sc_fail_for(
        error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "target-error",
        "a percentage of an expression needs the size of each part, and %s "
        "has none: %s; give the error as a number",
        a->kind->name, why);
}

static scrim_status check_guessed(const scrim_plan *plan, const sc_query_aggregate *a,
                                  scrim_error *error)
{
    const sc_column_guess *guess = guess_of(plan, a);
    const bool is_spread =
        a->kind->span == SC_SPAN_HALF || a->kind->span == SC_SPAN_HALF_SQUARED;
    if (a->kind->bars != NULL || a->kind->shape != SC_SHAPE_VALUE || !is_number(a) ||
        (a->p.denominator != 0 && 2 * a->p.numerator != a->p.denominator))
        return has_no_guess(a, "only counts, sums, means, medians and deviations have",
                            error);
    if (a->present != NULL)
        return has_no_guess(a, "how many rows it counts is private", error);
    if (a->kind->span == SC_SPAN_OPEN && !plan->options.says_rows)
        return lacks_rows(plan, a, error);
    if (a->value != NULL && (guess == NULL || (is_spread && !guess->has_deviation)))
        return lacks_of_column(plan, a, is_spread, error);
    return SCRIM_OK;
}

/* The guessed value of one aggregate; its guesses are present. */
static void set_guessed(const scrim_plan *plan, const sc_query_aggregate *a,
                        sc_ratio *out)
{
    const sc_column_guess *guess = guess_of(plan, a);
    const sc_aggregate_span span = a->kind->span;
    if (span == SC_SPAN_HALF || span == SC_SPAN_HALF_SQUARED) {
        sc_ratio_set(out, &guess->deviation);
        if (!a->kind->is_root)
            sc_ratio_mul(out, out, out);
        return;
    }
    sc_ratio_set_int64(out, 1);
    if (a->value != NULL)
        sc_ratio_set(out, &guess->mean);
    if (span == SC_SPAN_OPEN)
        sc_ratio_mul(out, out, &plan->options.expect);
}

/* The value of all steps, the last of which is the whole. */
static bool evaluate(const scrim_plan *plan, const sc_query *query,
                     const sc_formula *formula, sc_formula_number *out)
{
    sc_formula_number *all = sc_allocate(formula->count, sizeof *all);
    for (size_t i = 0; all != NULL && i < formula->count; i++) {
        const sc_formula_step *step = &formula->steps[i];
        sc_formula_number_init(&all[i]);
        all[i].is_null = false;
        if (step->kind == SC_FORMULA_AGGREGATE)
            set_guessed(plan, &query->aggregates[step->aggregate], &all[i].number);
        else
            sc_formula_number_of(step, all, &all[i]);
    }
    if (all != NULL) {
        sc_ratio_set(&out->number, &all[formula->count - 1].number);
        out->is_null = all[formula->count - 1].is_null;
    }
    for (size_t i = 0; all != NULL && i < formula->count; i++)
        sc_formula_number_clear(&all[i]);
    sc_free(all);
    return all != NULL;
}

scrim_status sc_plan_size_formula(const scrim_plan *plan, const sc_query *query,
                                  const sc_formula *formula, sc_arena *arena,
                                  sc_ratio *size, const char **source, scrim_error *error)
{
    char shown[SC_SHOWN_THREE_BYTES], text[SOURCE_BYTES];
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_formula_number, value);
    for (size_t i = 0; status == SCRIM_OK && i < formula->count; i++)
        if (formula->steps[i].kind == SC_FORMULA_AGGREGATE)
            status = check_guessed(plan, &query->aggregates[formula->steps[i].aggregate],
                                   error);
    if (status != SCRIM_OK)
        return status;
    if (!evaluate(plan, query, formula, &value))
        return sc_no_memory(error, "a plan");
    sc_ratio_set(size, &value.number);
    take_away_sign(size);
    if (value.is_null || sc_ratio_sign(size) == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "target-error",
                           "a percentage of an expression needs its size, and by the "
                           "guesses it is %s; give the error as a number",
                           value.is_null ? "NULL" : "0");
    sc_shown_three(size, shown);
    snprintf(text, sizeof text,
             "%.40s, what it is of the rows and values that are expected", shown);
    *source = sc_arena_copy(arena, text, strlen(text));
    return *source == NULL ? sc_no_memory(error, "a plan") : SCRIM_OK;
}
