#include "query/estimate/formula_parts.h"

#include "base/memory.h"
#include "query/estimate/moment_interval.h"
#include "query/estimate/real_digits.h"

#include <math.h>

/* Bound of the rounding error of doubles, relative to a level or a radius. */
#define ROUNDING 0x1p-40

static const sc_formula_step *step_at(const sc_formula_parts *e, size_t place)
{
    return &e->setting.formula->steps[place];
}

static const sc_query_aggregate *aggregate_at(const sc_formula_parts *e, size_t aggregate)
{
    return &e->setting.query->aggregates[aggregate];
}

static const sc_statistic_use *use_of(const sc_formula_parts *e, size_t aggregate)
{
    return &e->setting.statistics->uses[aggregate];
}

/* Parts. */

static size_t apart_of(sc_formula_parts *e, size_t aggregate)
{
    for (size_t i = 0; i < e->apart_count; i++)
        if (e->apart[i].aggregate == aggregate)
            return i;
    e->apart[e->apart_count] = (sc_formula_apart){.aggregate = aggregate};
    return e->apart_count++;
}

static bool is_same_part(const sc_formula_parts *e, const sc_formula_part *p, size_t step,
                         size_t apart)
{
    if (apart != SC_FORMULA_NONE || p->apart != SC_FORMULA_NONE)
        return p->apart == apart;
    if (p->smooth.count > 0)
        return p->step == step;
    return sc_form_equal(&e->forms, &e->forms.forms[p->step], &e->forms.forms[step]);
}

static void add_part(sc_formula_parts *e, size_t step, size_t apart)
{
    for (size_t i = 0; i < e->part_count; i++)
        if (is_same_part(e, &e->parts[i], step, apart)) {
            e->part_of[step] = i;
            return;
        }
    e->part_of[step] = e->part_count;
    e->parts[e->part_count] = (sc_formula_part){.step = step, .apart = apart};
    sc_ratio_init(&e->parts[e->part_count++].half);
}

static void add_smooth(sc_formula_parts *e, const sc_formula_smooth *smooth)
{
    add_part(e, smooth->step, SC_FORMULA_NONE);
    e->parts[e->part_of[smooth->step]].smooth = *smooth;
}

/* The largest forms and smooth steps, and what is apart, from the whole down. */
static void find_parts(sc_formula_parts *e, size_t place, bool has_smooth)
{
    const sc_formula_step *step = step_at(e, place);
    const sc_form *form = &e->forms.forms[place];
    sc_formula_smooth smooth;
    if (has_smooth && sc_formula_smooth_find(&e->forms, place, &smooth)) {
        add_smooth(e, &smooth);
    } else if (form->kind != SC_FORM_OTHER) {
        if (form->kind == SC_FORM_QUOTIENT || sc_form_has_numbers(&e->forms, form->top))
            add_part(e, place, SC_FORMULA_NONE);
    } else if (step->kind == SC_FORMULA_AGGREGATE) {
        add_part(e, place, apart_of(e, step->aggregate));
    } else {
        for (size_t i = 0; i < step->count; i++)
            find_parts(e, step->parts[i], has_smooth);
    }
}

/* Does it hold with certainty? */
static bool is_certain(const sc_formula_parts *e, const sc_formula_part *p)
{
    if (p->apart == SC_FORMULA_NONE)
        return false;
    const sc_query_aggregate *a = aggregate_at(e, e->apart[p->apart].aggregate);
    return a->with_range || a->kind->bars != NULL;
}

/* Is a statistic among the numbers of a part? */
static bool has_number(const sc_formula_parts *e, const sc_formula_part *p,
                       size_t statistic)
{
    if (p->apart != SC_FORMULA_NONE) {
        const sc_statistic_use *use = use_of(e, e->apart[p->apart].aggregate);
        return use->units == statistic || use->rows == statistic ||
               use->missing == statistic || use->sum == statistic ||
               use->squares == statistic || use->quantiles == statistic ||
               use->around == statistic;
    }
    const sc_form *form = &e->forms.forms[p->step];
    for (size_t i = 0; i < e->forms.count; i++)
        if (e->forms.numbers[i] == statistic && p->smooth.count > 0)
            return sc_formula_smooth_has(&p->smooth, i);
        else if (e->forms.numbers[i] == statistic)
            return sc_ratio_sign(&form->top[i]) != 0 ||
                   (form->kind == SC_FORM_QUOTIENT &&
                    sc_ratio_sign(&form->bottom[i]) != 0);
    return false;
}

/* Do no two parts that are drawn have a number in common? */
static bool are_independent(const sc_formula_parts *e)
{
    for (size_t s = 0; s < e->setting.statistics->count; s++) {
        size_t users = 0;
        for (size_t i = 0; i < e->part_count; i++)
            users += !is_certain(e, &e->parts[i]) && has_number(e, &e->parts[i], s);
        if (users > 1)
            return false;
    }
    return true;
}

/* The numbers of all forms that are parts. */
static size_t count_numbers(const sc_formula_parts *e)
{
    size_t count = 0;
    for (size_t k = 0; k < e->forms.count; k++) {
        bool is_used = false;
        for (size_t i = 0; i < e->part_count; i++)
            is_used |= e->parts[i].apart == SC_FORMULA_NONE &&
                       has_number(e, &e->parts[i], e->forms.numbers[k]);
        count += is_used;
    }
    return count;
}

static size_t count_forms(const sc_formula_parts *e)
{
    size_t count = 0;
    for (size_t i = 0; i < e->part_count; i++)
        count += e->parts[i].apart == SC_FORMULA_NONE;
    return count;
}

static void forget_parts(sc_formula_parts *e)
{
    for (size_t i = 0; i < e->part_count; i++)
        sc_ratio_clear(&e->parts[i].half);
    for (size_t i = 0; i < e->setting.formula->count; i++)
        e->part_of[i] = SC_FORMULA_NONE;
    e->part_count = e->apart_count = 0;
}

/* Where numbers are the parts, a smooth step is computed from them like any other. */
static void choose_parts(sc_formula_parts *e)
{
    const size_t whole = e->setting.formula->count - 1;
    find_parts(e, whole, true);
    e->by_number = count_numbers(e) < count_forms(e);
    if (!e->by_number)
        return;
    forget_parts(e);
    find_parts(e, whole, false);
    e->by_number = count_numbers(e) < count_forms(e);
}

/* How many intervals must hold together, and the level of each. */
static void set_level(sc_formula_parts *e, const sc_ratio *beta)
{
    size_t others = 0;
    for (size_t i = 0; i < e->part_count; i++)
        others += e->parts[i].apart != SC_FORMULA_NONE && !is_certain(e, &e->parts[i]);
    const double count =
        (double)((e->by_number ? count_numbers(e) : count_forms(e)) + others);
    const bool is_free = (e->by_number && others == 0) || are_independent(e);
    e->is_certain = count == 0;
    e->beta = sc_ratio_upper(beta) * (1 - ROUNDING);
    sc_ratio_set(&e->level, beta);
    if (count <= 1)
        return;
    e->beta =
        (is_free ? -expm1(log1p(-e->beta) / count) : e->beta / count) * (1 - ROUNDING);
    sc_real_to_ratio(e->beta, &e->level);
}

/* Noise. */

static scrim_status take_noises(sc_formula_parts *e, scrim_error *error)
{
    for (size_t i = 0; i < e->forms.count; i++) {
        const scrim_measurement *m = e->setting.measurements[e->forms.numbers[i]];
        const sc_law *law = m == NULL ? NULL : sc_noise_law(m);
        if (law == NULL)
            return sc_fail(error, SCRIM_E_INTERNAL,
                           "an expression lacks a number that it is computed from");
        sc_noise_init(&e->noises[i], law);
    }
    return SCRIM_OK;
}

static scrim_status half_of_number(const sc_formula_parts *e, size_t number,
                                   const sc_ratio *level, sc_ratio *out,
                                   scrim_error *error)
{
    sc_int128 radius = 0;
    const scrim_status status = sc_noise_law_radius(
        sc_noise_law(e->setting.measurements[e->forms.numbers[number]]), level, &radius,
        error);
    sc_ratio_set_int128(out, radius);
    return status;
}

/* The exact radius of one number, or the radius of the sum of several. */
static scrim_status half_of_sum(const sc_formula_parts *e, const sc_ratio *weights,
                                const sc_ratio *level, sc_ratio *out, scrim_error *error)
{
    sc_noise_sum sum = {.count = 0};
    size_t last = 0;
    SC_OWN(sc_ratio, size, zero);
    for (size_t i = 0; i < e->forms.count; i++) {
        if (sc_ratio_sign(&weights[i]) == 0)
            continue;
        sc_ratio_set(&size, &weights[i]);
        if (sc_ratio_sign(&size) < 0)
            sc_ratio_sub(&size, &zero, &size);
        sum.terms[sum.count] = &e->noises[i];
        sum.weights[sum.count++] = sc_ratio_upper(&size);
        last = i;
    }
    if (sum.count <= 1) {
        const scrim_status status = half_of_number(e, last, level, out, error);
        sc_ratio_mul(out, out, &size);
        return status;
    }
    const double radius =
        sc_noise_sum_radius_upper(&sum, sc_ratio_upper(level) * (1 - ROUNDING)) *
        (1 + ROUNDING);
    if (!isfinite(radius))
        return sc_fail(error, SCRIM_E_LIMIT,
                       "the noise of an expression has no bound at this confidence; ask "
                       "for a lower one");
    sc_real_to_ratio(radius, out);
    return SCRIM_OK;
}

static scrim_status prepare_smooth(const sc_formula_parts *e, sc_formula_smooth *smooth,
                                   scrim_error *error)
{
    SC_OWN(sc_ratio, level, radius);
    scrim_status status = SCRIM_OK;
    smooth->beta = e->beta;
    sc_real_to_ratio(sc_formula_smooth_level(smooth, e->beta), &level);
    for (size_t i = 0; status == SCRIM_OK && i < smooth->count; i++) {
        status = half_of_number(e, smooth->numbers[i], &level, &radius, error);
        smooth->radii[i] = sc_ratio_upper(&radius);
    }
    return status;
}

static scrim_status prepare_forms(sc_formula_parts *e, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < e->part_count; i++) {
        const sc_formula_part *p = &e->parts[i];
        const sc_form *form = &e->forms.forms[p->step];
        if (p->smooth.count > 0)
            status = prepare_smooth(e, &e->parts[i].smooth, error);
        else if (!e->by_number && p->apart == SC_FORMULA_NONE &&
                 form->kind == SC_FORM_SUM)
            status = half_of_sum(e, form->top, &e->level, &e->parts[i].half, error);
    }
    for (size_t i = 0; status == SCRIM_OK && e->by_number && i < e->forms.count; i++)
        status = half_of_number(e, i, &e->level, &e->halves[i], error);
    return status;
}

static scrim_status prepare_apart(sc_formula_parts *e, scrim_error *error)
{
    SC_OWN(sc_ratio, confidence);
    scrim_status status = SCRIM_OK;
    sc_ratio_set_int64(&confidence, 1);
    sc_ratio_sub(&confidence, &confidence, &e->level);
    for (size_t i = 0; status == SCRIM_OK && i < e->apart_count; i++) {
        const sc_query_aggregate *a = aggregate_at(e, e->apart[i].aggregate);
        const sc_statistic_use *use = use_of(e, e->apart[i].aggregate);
        const sc_estimate_sources sources =
            sc_estimate_sources_of(use, e->setting.measurements);
        if (a->kind->numbers != NULL)
            status = sc_estimator_new(
                a,
                use->sum == SC_STATISTIC_NONE ? NULL
                                              : &e->setting.statistics->list[use->sum],
                &sources, &confidence, &e->apart[i].estimator, error);
    }
    return status;
}

/* Intervals of parts. */

/* From the sum itself, or from the intervals of its numbers. */
static void surround_sum(const sc_formula_parts *e, const sc_ratio *weights,
                         const sc_ratio *half, const sc_int128 *numbers,
                         sc_formula_bounds *out)
{
    SC_OWN(sc_ratio, value, radius, term, zero);
    sc_form_value(&e->forms, weights, numbers, &value);
    sc_ratio_set(&radius, half);
    for (size_t i = 0; e->by_number && i < e->forms.count; i++) {
        sc_ratio_mul(&term, &weights[i], &e->halves[i]);
        if (sc_ratio_sign(&term) < 0)
            sc_ratio_sub(&term, &zero, &term);
        sc_ratio_add(&radius, &radius, &term);
    }
    sc_formula_bounds_set_point(out, &value);
    sc_ratio_sub(&out->low, &value, &radius);
    sc_ratio_add(&out->high, &value, &radius);
}

static void open_bounds(sc_formula_bounds *out)
{
    sc_formula_bounds_set_all(out);
    out->is_open = out->may_be_null = true;
}

/* The quotient of both sums for the numbers, and how far off it may be. */
static void surround_quotient(const sc_formula_parts *e, const sc_form *form,
                              const sc_int128 *numbers, sc_formula_bounds *out)
{
    SC_OWN(sc_ratio, quotient, divisor, term);
    double off[SC_NOISE_SUM_MAX], bottom[SC_NOISE_SUM_MAX], below = 0, above = 0;
    const sc_noise *noises[SC_NOISE_SUM_MAX];
    sc_form_value(&e->forms, form->top, numbers, &quotient);
    sc_form_value(&e->forms, form->bottom, numbers, &divisor);
    open_bounds(out);
    if (sc_ratio_sign(&divisor) == 0)
        return;
    sc_ratio_div(&quotient, &quotient, &divisor);
    for (size_t i = 0; i < e->forms.count; i++) {
        sc_ratio_mul(&term, &quotient, &form->bottom[i]);
        sc_ratio_sub(&term, &form->top[i], &term);
        off[i] = sc_ratio_upper(&term);
        bottom[i] = sc_ratio_upper(&form->bottom[i]);
        noises[i] = &e->noises[i];
    }
    const sc_quotient_sums sums = {.noises = noises,
                                   .off = off,
                                   .bottom = bottom,
                                   .count = e->forms.count,
                                   .divisor =
                                       fabs(sc_ratio_upper(&divisor)) * (1 - 0x1p-50)};
    if (!sc_quotient_reach(&sums, e->beta, &below, &above))
        return;
    sc_formula_bounds_set_point(out, &quotient);
    sc_real_to_ratio(below, &term);
    sc_ratio_sub(&out->low, &out->low, &term);
    sc_real_to_ratio(above, &term);
    sc_ratio_add(&out->high, &out->high, &term);
}

/* Is a number of rows that divides on the wrong side of 0, where the noise has brought it? */
static bool is_out_of_range(const sc_formula_parts *e, const sc_form *form,
                            const sc_int128 *numbers)
{
    SC_OWN(sc_ratio, divisor);
    bool is_up = true, is_down = true;
    sc_form_value(&e->forms, form->bottom, numbers, &divisor);
    for (size_t i = 0; i < e->forms.count; i++) {
        const bool is_count = sc_form_counts(&e->forms, i);
        const int sign = sc_ratio_sign(&form->bottom[i]);
        is_up &= sign == 0 || (sign > 0 && is_count);
        is_down &= sign == 0 || (sign < 0 && is_count);
    }
    is_up &= sc_ratio_sign(&form->bottom[e->forms.count]) >= 0;
    is_down &= sc_ratio_sign(&form->bottom[e->forms.count]) <= 0;
    return (is_up && sc_ratio_sign(&divisor) <= 0) ||
           (is_down && sc_ratio_sign(&divisor) >= 0);
}

static void surround_smooth(const sc_formula_parts *e, const sc_formula_part *p,
                            const sc_int128 *numbers, sc_formula_bounds *out)
{
    SC_OWN(sc_ratio, end);
    double low = 0, high = 0;
    open_bounds(out);
    if (!sc_formula_smooth_reach(&e->forms, &p->smooth, e->noises, numbers, &low, &high))
        return;
    sc_real_to_ratio(low, &end);
    sc_formula_bounds_set_point(out, &end);
    sc_real_to_ratio(high, &end);
    sc_formula_bounds_reach(out, &end);
}

static void surround_form(const sc_formula_parts *e, const sc_formula_part *p,
                          const sc_int128 *numbers, sc_formula_bounds *out)
{
    static const size_t both[] = {0, 1};
    static const sc_formula_step divide = {
        .kind = SC_FORMULA_DIVIDE, .parts = both, .count = 2};
    const sc_form *form = &e->forms.forms[p->step];
    if (p->smooth.count > 0) {
        surround_smooth(e, p, numbers, out);
    } else if (form->kind == SC_FORM_SUM) {
        surround_sum(e, form->top, &p->half, numbers, out);
    } else if (is_out_of_range(e, form, numbers)) {
        open_bounds(out);
    } else if (!e->by_number) {
        surround_quotient(e, form, numbers, out);
    } else {
        sc_formula_bounds sums[2];
        sc_formula_bounds_init(&sums[0]);
        sc_formula_bounds_init(&sums[1]);
        surround_sum(e, form->top, &p->half, numbers, &sums[0]);
        surround_sum(e, form->bottom, &p->half, numbers, &sums[1]);
        sc_formula_bounds_of(&divide, sums, out);
        sc_formula_bounds_clear(&sums[0]);
        sc_formula_bounds_clear(&sums[1]);
    }
}

static void surround_apart(const sc_formula_known *known, sc_formula_bounds *out)
{
    if (known->is_null) {
        open_bounds(out);
        return;
    }
    sc_ratio_set(&out->low, &known->estimate.low);
    sc_ratio_set(&out->high, &known->estimate.high);
    out->has_low = out->has_high = true;
    out->may_be_null = false;
    out->is_open = known->estimate.is_open;
}

void sc_formula_part_bounds(const sc_formula_parts *e, size_t part,
                            const sc_int128 *numbers, const sc_formula_known *apart,
                            sc_formula_bounds *out)
{
    const sc_formula_part *p = &e->parts[part];
    if (p->apart != SC_FORMULA_NONE)
        surround_apart(&apart[p->apart], out);
    else
        surround_form(e, p, numbers, out);
}

/* The whole. */

static bool make_room(sc_formula_parts *e)
{
    const size_t count = e->setting.formula->count;
    e->noises = sc_allocate(e->forms.count, sizeof *e->noises);
    e->halves = sc_allocate(e->forms.count, sizeof *e->halves);
    e->apart = sc_allocate(count, sizeof *e->apart);
    e->parts = sc_allocate(count, sizeof *e->parts);
    e->part_of = sc_allocate(count, sizeof *e->part_of);
    for (size_t i = 0; e->halves != NULL && i < e->forms.count; i++)
        sc_ratio_init(&e->halves[i]);
    for (size_t i = 0; e->part_of != NULL && i < count; i++)
        e->part_of[i] = SC_FORMULA_NONE;
    return e->noises != NULL && e->halves != NULL && e->apart != NULL &&
           e->parts != NULL && e->part_of != NULL;
}

scrim_status sc_formula_parts_init(sc_formula_parts *e, const sc_formula_setting *setting,
                                   const sc_ratio *confidence, scrim_error *error)
{
    SC_OWN(sc_ratio, beta);
    *e = (sc_formula_parts){.setting = *setting};
    sc_ratio_init(&e->level);
    sc_ratio_set_int64(&beta, 1);
    sc_ratio_sub(&beta, &beta, confidence);
    scrim_status status = sc_formula_forms_init(
        &e->forms, setting->formula, setting->query, setting->statistics, error);
    if (status == SCRIM_OK &&
        (sc_ratio_sign(confidence) <= 0 || sc_ratio_sign(&beta) <= 0))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "confidence",
                           "confidence must be above 0 and below 1, such as 0.95");
    if (status == SCRIM_OK && !make_room(e))
        status = sc_no_memory(error, "an estimate");
    if (status != SCRIM_OK)
        return status;
    choose_parts(e);
    set_level(e, &beta);
    status = take_noises(e, error);
    if (status == SCRIM_OK)
        status = prepare_forms(e, error);
    return status == SCRIM_OK ? prepare_apart(e, error) : status;
}

void sc_formula_parts_clear(sc_formula_parts *e)
{
    for (size_t i = 0; i < e->part_count; i++)
        sc_ratio_clear(&e->parts[i].half);
    for (size_t i = 0; e->halves != NULL && i < e->forms.count; i++)
        sc_ratio_clear(&e->halves[i]);
    for (size_t i = 0; i < e->apart_count; i++)
        sc_estimator_free(e->apart[i].estimator);
    sc_formula_forms_clear(&e->forms);
    sc_ratio_clear(&e->level);
    sc_free(e->noises);
    sc_free(e->halves);
    sc_free(e->apart);
    sc_free(e->parts);
    sc_free(e->part_of);
}
