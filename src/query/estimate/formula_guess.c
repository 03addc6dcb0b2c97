#include "query/estimate/formula_guess.h"

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

/* Every count is of the expected rows, and values have their mean. */
static sc_int128 guess_number(const sc_formula_parts *e, size_t number,
                              const sc_formula_guess *guess)
{
    const sc_group_statistic *t = &e->setting.statistics->list[e->forms.numbers[number]];
    SC_OWN(sc_ratio, mean, variance, part);
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

void sc_formula_guess_numbers(const sc_formula_parts *e, const sc_formula_guess *guess,
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
        sc_real_to_ratio(sqrt(sc_real_upper(&variance)), out);
        return;
    case SC_SPAN_HALF_SQUARED:
        sc_ratio_set(out, &variance);
        return;
    }
}

scrim_status sc_formula_guess_apart(const sc_formula_parts *e,
                                    const sc_formula_guess *guess, size_t index,
                                    sc_formula_known *out, scrim_error *error)
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
