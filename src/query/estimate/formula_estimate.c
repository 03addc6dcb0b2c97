#include "query/estimate/formula_estimate.h"

#include "base/memory.h"
#include "base/number/ball.h"
#include "query/estimate/real_digits.h"

#include <math.h>

/* The mean and the deviation of values that are guessed, in their unit. */
static void guess_moments(const sc_formula_parts *e, const sc_typed *value,
                          const sc_formula_guess *guess, sc_ratio *mean,
                          sc_ratio *variance)
{
    const sc_int128 low = value->extent.low, high = value->extent.high;
    const sc_int128 centre = (low + high) / 2 - ((low + high) % 2 < 0);
    const sc_query_aggregate moments = {
        .value = value,
        .centre = (int64_t)centre,
        .radius = (int64_t)(high - centre > centre - low ? high - centre : centre - low)};
    SC_OWN(sc_ratio, step);
    sc_column_guess_moments(
        guess->columns == NULL
            ? NULL
            : sc_column_guess_of(guess->columns, e->setting.query->schema, value),
        &moments, mean, variance);
    sc_ratio_set_int64(&step, moments.centre);
    sc_ratio_add(mean, mean, &step);
    sc_extent_value(value->extent.step, 1, &step);
    sc_ratio_mul(mean, mean, &step);
    sc_ratio_mul(variance, variance, &step);
    sc_ratio_mul(variance, variance, &step);
}

static sc_int128 whole_of(const sc_ratio *x)
{
    sc_int128 out = 0;
    SC_OWN(sc_integer, whole);
    sc_ratio_floor(x, &whole);
    return sc_integer_get_int128(&whole, &out) ? out : 0;
}

/* Every count is of the expected rows, no value is missing, and values have their mean. */
static sc_int128 guess_number(const sc_formula_parts *e, size_t number,
                              const sc_formula_guess *guess)
{
    const sc_group_statistic *t = &e->setting.statistics->list[e->forms.numbers[number]];
    SC_OWN(sc_ratio, mean, variance, part);
    if (t->kind == SC_STATISTIC_MISSING)
        return 0;
    if (sc_form_counts(&e->forms, number))
        return whole_of(guess->rows);
    const sc_typed *value = e->setting.statistics->values[t->value];
    guess_moments(e, value, guess, &mean, &variance);
    sc_extent_value(value->extent.step, 1, &part);
    sc_ratio_div(&mean, &mean, &part);
    sc_ratio_set_int64(&part, t->centre);
    sc_ratio_sub(&mean, &mean, &part);
    sc_ratio_mul(&mean, &mean, guess->rows);
    return whole_of(&mean);
}

static void guess_numbers(const sc_formula_parts *e, const sc_formula_guess *guess,
                          sc_int128 *numbers)
{
    for (size_t i = 0; i < e->forms.count; i++) {
        const size_t statistic = e->forms.numbers[i];
        numbers[e->setting.statistics->list[statistic].first] = guess_number(e, i, guess);
    }
}

static void guess_value(const sc_formula_parts *e, const sc_query_aggregate *a,
                        const sc_formula_guess *guess, sc_ratio *out)
{
    SC_OWN(sc_ratio, variance, low);
    sc_ratio_set(out, guess->rows);
    if (a->value == NULL)
        return;
    guess_moments(e, a->value, guess, out, &variance);
    switch (a->kind->span) {
    case SC_SPAN_OPEN:
        sc_ratio_mul(out, out, guess->rows);
        return;
    case SC_SPAN_VALUE:
        return;
    case SC_SPAN_WIDTH:
        sc_extent_value(a->value->extent.step, a->value->extent.low, &low);
        sc_extent_value(a->value->extent.step, a->value->extent.high, out);
        sc_ratio_sub(out, out, &low);
        return;
    case SC_SPAN_HALF:
        sc_real_to_ratio(sqrt(sc_ratio_upper(&variance)), out);
        return;
    case SC_SPAN_HALF_SQUARED:
        sc_ratio_set(out, &variance);
        return;
    }
}

static scrim_status guess_apart(const sc_formula_parts *e, const sc_formula_guess *guess,
                                size_t index, sc_formula_known *out, scrim_error *error)
{
    const sc_query_aggregate *a =
        &e->setting.query->aggregates[e->apart[index].aggregate];
    const sc_group_guess group = {
        .rows = guess->rows,
        .column =
            guess->columns == NULL
                ? NULL
                : sc_column_guess_of(guess->columns, e->setting.query->schema, a->value)};
    SC_OWN(sc_ratio, half);
    scrim_status status = SCRIM_OK;
    if (e->apart[index].estimator != NULL)
        status = sc_estimator_predict(e->apart[index].estimator, &group, &half, error);
    else if (guess->halves != NULL)
        sc_ratio_set(&half, &guess->halves[index]);
    guess_value(e, a, guess, &out->estimate.value);
    sc_ratio_sub(&out->estimate.low, &out->estimate.value, &half);
    sc_ratio_add(&out->estimate.high, &out->estimate.value, &half);
    return status;
}

/* Digits suffice for groups of this many rows; and the digits if nothing else decides. */
#define MANY_ROWS 1000000
#define SOME_DIGITS 6

struct sc_formula_estimator {
    sc_formula_parts parts;
    unsigned digits;
};

void sc_formula_answer_init(sc_formula_answer *answer)
{
    sc_formula_number_init(&answer->value);
    sc_formula_bounds_init(&answer->bounds);
}

void sc_formula_answer_clear(sc_formula_answer *answer)
{
    sc_formula_number_clear(&answer->value);
    sc_formula_bounds_clear(&answer->bounds);
}

static const sc_formula_step *step_at(const sc_formula_estimator *e, size_t place)
{
    return &e->parts.setting.formula->steps[place];
}

/* All steps. */

/* The value of S^/N^ for a mean, as AVG has it: N^ is at least 1, and it lies in the range. */
static void mean_value(const sc_formula_estimator *e, size_t place,
                       const sc_int128 *numbers, sc_ratio *out)
{
    const sc_form *form = &e->parts.forms.forms[place];
    SC_OWN(sc_ratio, rows);
    SC_OWN(sc_formula_bounds, point);
    sc_form_value(&e->parts.forms, form->top, numbers, out);
    sc_form_value(&e->parts.forms, form->bottom, numbers, &rows);
    if (sc_ratio_compare_int64(&rows, 1) < 0)
        sc_ratio_set_int64(&rows, 1);
    sc_ratio_div(out, out, &rows);
    sc_formula_bounds_set_point(&point, out);
    sc_formula_bounds_cut(&point, &e->parts.forms.ranges[place]);
    sc_ratio_set(out, &point.low);
}

static void value_of_step(const sc_formula_estimator *e, size_t place,
                          const sc_int128 *numbers, const sc_formula_known *apart,
                          sc_formula_number *all)
{
    const sc_formula_step *step = step_at(e, place);
    const sc_form *form = &e->parts.forms.forms[place];
    sc_formula_number *out = &all[place];
    if (step->kind != SC_FORMULA_AGGREGATE) {
        sc_formula_number_of(step, all, out);
        return;
    }
    out->is_null = false;
    if (form->kind == SC_FORM_SUM)
        sc_form_value(&e->parts.forms, form->top, numbers, &out->number);
    else if (form->kind == SC_FORM_QUOTIENT)
        mean_value(e, place, numbers, &out->number);
    for (size_t i = 0; i < e->parts.apart_count; i++)
        if (e->parts.apart[i].aggregate == step->aggregate) {
            sc_ratio_set(&out->number, &apart[i].estimate.value);
            out->is_null = apart[i].is_null;
        }
}

/* Equal steps share one part, which is computed once. */
static void bounds_of_step(const sc_formula_estimator *e, size_t place,
                           const sc_int128 *numbers, const sc_formula_known *apart,
                           bool is_cut, sc_formula_bounds *all)
{
    const sc_formula_step *step = step_at(e, place);
    const size_t own = e->parts.part_of[place];
    if (own == SC_FORMULA_NONE) {
        if (step->kind != SC_FORMULA_AGGREGATE)
            sc_formula_bounds_of(step, all, &all[place]);
        return;
    }
    const size_t first = e->parts.parts[own].step;
    if (first < place) {
        sc_formula_bounds_set(&all[place], &all[first]);
        return;
    }
    sc_formula_part_bounds(&e->parts, own, numbers, apart, &all[place]);
    if (is_cut && !all[place].is_open)
        sc_formula_bounds_cut(&all[place], &e->parts.forms.ranges[place]);
}

/* An open interval is the whole range; any other contains the value. */
static void finish(const sc_formula_estimator *e, sc_formula_answer *out)
{
    const sc_formula_bounds *range = sc_formula_range(e);
    sc_formula_bounds *b = &out->bounds;
    if (b->is_open) {
        sc_formula_bounds_set(b, range);
        b->is_open = true;
    } else {
        sc_formula_bounds_cut(b, range);
    }
    if (out->value.is_null)
        return;
    if (b->has_low && sc_ratio_compare(&out->value.number, &b->low) < 0)
        sc_ratio_set(&b->low, &out->value.number);
    if (b->has_high && sc_ratio_compare(&out->value.number, &b->high) > 0)
        sc_ratio_set(&b->high, &out->value.number);
}

static scrim_status evaluate(const sc_formula_estimator *e, const sc_int128 *numbers,
                             const sc_formula_known *apart, bool is_cut,
                             sc_formula_answer *out, scrim_error *error)
{
    const size_t count = e->parts.setting.formula->count;
    sc_formula_number *values = sc_allocate(count, sizeof *values);
    sc_formula_bounds *bounds = sc_allocate(count, sizeof *bounds);
    const bool is_had = values != NULL && bounds != NULL;
    for (size_t i = 0; is_had && i < count; i++) {
        sc_formula_number_init(&values[i]);
        sc_formula_bounds_init(&bounds[i]);
        value_of_step(e, i, numbers, apart, values);
        bounds_of_step(e, i, numbers, apart, is_cut, bounds);
    }
    if (is_had) {
        sc_ratio_set(&out->value.number, &values[count - 1].number);
        out->value.is_null = values[count - 1].is_null;
        sc_formula_bounds_set(&out->bounds, &bounds[count - 1]);
    }
    for (size_t i = 0; is_had && i < count; i++) {
        sc_formula_number_clear(&values[i]);
        sc_formula_bounds_clear(&bounds[i]);
    }
    sc_free(values);
    sc_free(bounds);
    return is_had ? SCRIM_OK : sc_no_memory(error, "an estimate");
}

scrim_status sc_formula_estimate_of(const sc_formula_estimator *e,
                                    const sc_int128 *numbers,
                                    const sc_formula_known *apart, sc_formula_answer *out,
                                    scrim_error *error)
{
    SC_BALL_SCOPE(scope);
    const scrim_status status = evaluate(e, numbers, apart, true, out, error);
    if (status == SCRIM_OK)
        finish(e, out);
    return status;
}

/* Predictions. */

/* Half of the interval as a double; infinite if it is open. */
static scrim_status predict(const sc_formula_estimator *e, const sc_formula_guess *guess,
                            double *out, scrim_error *error)
{
    sc_int128 *numbers =
        sc_allocate(e->parts.setting.statistics->number_count, sizeof *numbers);
    sc_formula_known *apart = sc_allocate(e->parts.apart_count, sizeof *apart);
    scrim_status status =
        numbers == NULL || apart == NULL ? sc_no_memory(error, "an estimate") : SCRIM_OK;
    SC_OWN(sc_formula_answer, answer);
    if (status == SCRIM_OK)
        guess_numbers(&e->parts, guess, numbers);
    for (size_t i = 0; apart != NULL && i < e->parts.apart_count; i++) {
        sc_estimate_init(&apart[i].estimate);
        if (status == SCRIM_OK)
            status = guess_apart(&e->parts, guess, i, &apart[i], error);
    }
    if (status == SCRIM_OK)
        status = evaluate(e, numbers, apart, false, &answer, error);
    if (status == SCRIM_OK) {
        sc_ratio_sub(&answer.bounds.high, &answer.bounds.high, &answer.bounds.low);
        *out = answer.bounds.is_open ? (double)INFINITY
                                     : sc_ratio_upper(&answer.bounds.high) / 2;
    }
    for (size_t i = 0; apart != NULL && i < e->parts.apart_count; i++)
        sc_estimate_clear(&apart[i].estimate);
    sc_free(apart);
    sc_free(numbers);
    return status;
}

scrim_status sc_formula_predict(const sc_formula_estimator *e,
                                const sc_formula_guess *guess, sc_ratio *out,
                                bool *is_open, scrim_error *error)
{
    SC_BALL_SCOPE(scope);
    double half = 0;
    const scrim_status status = predict(e, guess, &half, error);
    *is_open = !isfinite(half);
    sc_ratio_set_int64(out, 0);
    if (status == SCRIM_OK && !*is_open)
        sc_real_three_upper(half, out);
    return status;
}

/* Digits. */

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The digits that show a step exactly; SC_REAL_DIGITS if no number of digits does. */
static unsigned exact_digits(const sc_formula_estimator *e, size_t place,
                             const unsigned *all)
{
    const sc_formula_step *step = step_at(e, place);
    const sc_form *form = &e->parts.forms.forms[place];
    unsigned digits = 0;
    SC_OWN(sc_ratio, unit);
    for (size_t i = 0; form->kind == SC_FORM_SUM && i <= e->parts.forms.count; i++)
        digits = larger(digits, sc_digits_of_step(&form->top[i]));
    if (form->kind == SC_FORM_SUM)
        return digits;
    if (step->kind == SC_FORMULA_AGGREGATE) {
        const sc_query_aggregate *a =
            &e->parts.setting.query->aggregates[step->aggregate];
        if (a->kind->reads & (SC_READS_SQUARES | SC_READS_CENTRED))
            return SC_REAL_DIGITS;
        if (a->value != NULL)
            sc_extent_value(a->value->extent.step, 1, &unit);
        return sc_digits_of_step(&unit);
    }
    if (step->kind == SC_FORMULA_DIVIDE)
        return SC_REAL_DIGITS;
    for (size_t i = 0; i < step->count; i++)
        digits = step->kind == SC_FORMULA_MULTIPLY ? digits + all[step->parts[i]]
                                                   : larger(digits, all[step->parts[i]]);
    if (step->kind == SC_FORMULA_FLOOR || step->kind == SC_FORMULA_ROUND) {
        sc_extent_value(step->unit, 1, &unit);
        digits = smaller(digits, sc_digits_of_step(&unit));
    }
    return smaller(digits, SC_REAL_DIGITS);
}

/* The digits that a hundredth of the error needs, but no more than the value has; for quotients, as for a mean, those that
 * the error needs. */
static scrim_status set_digits(sc_formula_estimator *e, scrim_error *error)
{
    const size_t count = e->parts.setting.formula->count;
    unsigned *all = sc_allocate(count, sizeof *all);
    SC_OWN(sc_ratio, rows);
    double half = 0;
    sc_ratio_set_int64(&rows, MANY_ROWS);
    scrim_status status = all == NULL ? sc_no_memory(error, "an estimate") : SCRIM_OK;
    if (status == SCRIM_OK)
        status = predict(e, &(sc_formula_guess){.rows = &rows}, &half, error);
    if (status == SCRIM_OK) {
        for (size_t i = 0; i < count; i++)
            all[i] = exact_digits(e, i, all);
        const unsigned exact = all[count - 1];
        const bool is_known = isfinite(half) && half > 0;
        const unsigned enough = !is_known                ? SOME_DIGITS
                                : exact < SC_REAL_DIGITS ? sc_digits_for(half / 100)
                                                         : sc_digits_for(half);
        e->digits = smaller(enough, exact);
    }
    sc_free(all);
    return status;
}

unsigned sc_formula_digits(const sc_formula_estimator *e)
{
    return e->digits;
}

/* The whole. */

size_t sc_formula_apart_count(const sc_formula_estimator *e)
{
    return e->parts.apart_count;
}

const sc_formula_apart *sc_formula_apart_at(const sc_formula_estimator *e, size_t index)
{
    return &e->parts.apart[index];
}

const sc_formula_bounds *sc_formula_range(const sc_formula_estimator *e)
{
    return &e->parts.forms.ranges[e->parts.setting.formula->count - 1];
}

bool sc_formula_is_certain(const sc_formula_estimator *e)
{
    return e->parts.is_certain;
}

/* Is a sum of it bounded by person, and something else by rows? */
static bool is_bounded_both_ways(const sc_formula_estimator *e)
{
    const sc_formula_forms *f = &e->parts.forms;
    size_t totals = 0;
    for (size_t i = 0; i < f->count; i++)
        totals += f->statistics->list[f->numbers[i]].kind == SC_STATISTIC_TOTAL;
    return totals > 0 && totals < f->count;
}

const char *sc_formula_note(const sc_formula_estimator *e)
{
    if (is_bounded_both_ways(e))
        return "the sum and the count are bounded in different ways, so one divided by "
               "the other is not the mean; ask for AVG";
    const sc_form_kind kind =
        e->parts.forms.forms[e->parts.setting.formula->count - 1].kind;
    if (e->parts.is_certain)
        return "intervals of the parts hold with certainty, and so does that of the "
               "expression";
    return kind == SC_FORM_SUM
               ? "intervals of sums and differences follow from the distribution of "
                 "their noise together"
           : kind == SC_FORM_QUOTIENT
               ? "the interval of a quotient has no limit where the divisor may be 0"
               : "intervals are computed from those of the parts, which are wide enough "
                 "to hold together";
}

scrim_status sc_formula_estimator_new(const sc_formula_setting *setting,
                                      const sc_ratio *confidence,
                                      sc_formula_estimator **out, scrim_error *error)
{
    SC_BALL_SCOPE(scope);
    sc_formula_estimator *e = sc_allocate(1, sizeof *e);
    if (e == NULL)
        return sc_no_memory(error, "an estimate");
    scrim_status status = sc_formula_parts_init(&e->parts, setting, confidence, error);
    if (status == SCRIM_OK)
        status = set_digits(e, error);
    if (status == SCRIM_OK)
        *out = e;
    else
        sc_formula_estimator_free(e);
    return status;
}

void sc_formula_estimator_free(sc_formula_estimator *e)
{
    if (e == NULL)
        return;
    sc_formula_parts_clear(&e->parts);
    sc_free(e);
}
