#include "query/estimate/formula_form.h"

#include "base/memory.h"
#include "query/estimate/estimate.h"
#include "query/language/condition_facts.h"

/* Weights. */

static size_t length(const sc_formula_forms *f)
{
    return f->count + 1;
}

static void copy(const sc_formula_forms *f, sc_ratio *to, const sc_ratio *from)
{
    for (size_t i = 0; i < length(f); i++)
        sc_ratio_set(&to[i], &from[i]);
}

/* Adds a multiple. */
static void add(const sc_formula_forms *f, sc_ratio *to, const sc_ratio *more,
                const sc_ratio *times)
{
    SC_OWN(sc_ratio, term);
    for (size_t i = 0; i < length(f); i++) {
        sc_ratio_mul(&term, &more[i], times);
        sc_ratio_add(&to[i], &to[i], &term);
    }
}

static void multiply(const sc_formula_forms *f, sc_ratio *weights, const sc_ratio *times)
{
    for (size_t i = 0; i < length(f); i++)
        sc_ratio_mul(&weights[i], &weights[i], times);
}

bool sc_form_has_numbers(const sc_formula_forms *f, const sc_ratio *weights)
{
    for (size_t i = 0; i < f->count; i++)
        if (sc_ratio_sign(&weights[i]) != 0)
            return true;
    return false;
}

static bool is_equal(const sc_formula_forms *f, const sc_ratio *a, const sc_ratio *b)
{
    for (size_t i = 0; i < length(f); i++)
        if (sc_ratio_compare(&a[i], &b[i]) != 0)
            return false;
    return true;
}

bool sc_form_equal(const sc_formula_forms *f, const sc_form *a, const sc_form *b)
{
    return a->kind == b->kind && is_equal(f, a->top, b->top) &&
           (a->kind != SC_FORM_QUOTIENT || is_equal(f, a->bottom, b->bottom));
}

void sc_form_value(const sc_formula_forms *f, const sc_ratio *weights,
                   const sc_int128 *numbers, sc_ratio *out)
{
    SC_OWN(sc_ratio, term);
    sc_ratio_set(out, &weights[f->count]);
    for (size_t i = 0; i < f->count; i++) {
        sc_ratio_set_int128(&term, numbers[f->statistics->list[f->numbers[i]].first]);
        sc_ratio_mul(&term, &term, &weights[i]);
        sc_ratio_add(out, out, &term);
    }
}

/* Is b a multiple of a? Sets the factor. */
static bool is_multiple(const sc_formula_forms *f, const sc_ratio *a, const sc_ratio *b,
                        sc_ratio *times)
{
    SC_OWN(sc_ratio, product);
    size_t first = 0;
    while (first < length(f) && sc_ratio_sign(&a[first]) == 0)
        first++;
    if (first == length(f) || sc_ratio_sign(&b[first]) == 0)
        return false;
    sc_ratio_div(times, &b[first], &a[first]);
    for (size_t i = 0; i < length(f); i++) {
        sc_ratio_mul(&product, &a[i], times);
        if (sc_ratio_compare(&product, &b[i]) != 0)
            return false;
    }
    return true;
}

/* Forms of steps. */

static bool is_constant(const sc_formula_forms *f, const sc_form *form)
{
    return form->kind == SC_FORM_SUM && !sc_form_has_numbers(f, form->top);
}

static void set(const sc_formula_forms *f, sc_form *out, const sc_form *form)
{
    out->kind = form->kind;
    copy(f, out->top, form->top);
    copy(f, out->bottom, form->bottom);
}

/* a + times b, where it is a sum, or a quotient by what divides one of them. */
static void form_sum(const sc_formula_forms *f, const sc_form *a, const sc_form *b,
                     const sc_ratio *sign, sc_form *out)
{
    SC_OWN(sc_ratio, times, one);
    sc_ratio_set_int64(&one, 1);
    if (a->kind == SC_FORM_SUM && b->kind == SC_FORM_SUM) {
        set(f, out, a);
        add(f, out->top, b->top, sign);
    } else if (a->kind == SC_FORM_QUOTIENT && is_constant(f, b)) {
        set(f, out, a);
        sc_ratio_mul(&times, &b->top[f->count], sign);
        add(f, out->top, a->bottom, &times);
    } else if (is_constant(f, a) && b->kind == SC_FORM_QUOTIENT) {
        set(f, out, b);
        multiply(f, out->top, sign);
        add(f, out->top, b->bottom, &a->top[f->count]);
    } else if (a->kind == SC_FORM_QUOTIENT && b->kind == SC_FORM_QUOTIENT &&
               is_multiple(f, b->bottom, a->bottom, &times)) {
        set(f, out, a);
        sc_ratio_mul(&times, &times, sign);
        add(f, out->top, b->top, &times);
    }
}

/* Can NULL in a step change a later step that skips NULL? */
static bool passes_over_null(const sc_formula *formula)
{
    for (size_t i = 0; i < formula->count; i++)
        if (formula->steps[i].kind == SC_FORMULA_COALESCE ||
            formula->steps[i].kind == SC_FORMULA_LEAST ||
            formula->steps[i].kind == SC_FORMULA_GREATEST)
            return true;
    return false;
}

/* By a constant; and of a quotient, by what divides it: COUNT(x) * AVG(x) is a sum, but for NULL. */
static void form_product(const sc_formula_forms *f, const sc_form *a, const sc_form *b,
                         sc_form *out)
{
    SC_OWN(sc_ratio, times);
    const bool is_by_a =
        is_constant(f, a) || (a->kind == SC_FORM_SUM && b->kind == SC_FORM_QUOTIENT);
    const sc_form *by = is_by_a ? a : b, *other = is_by_a ? b : a;
    if (is_constant(f, by)) {
        set(f, out, other);
        if (other->kind != SC_FORM_OTHER)
            multiply(f, out->top, &by->top[f->count]);
    } else if (by->kind == SC_FORM_SUM && other->kind == SC_FORM_QUOTIENT &&
               is_multiple(f, other->bottom, by->top, &times) &&
               !passes_over_null(f->formula)) {
        out->kind = SC_FORM_SUM;
        copy(f, out->top, other->top);
        multiply(f, out->top, &times);
    }
}

/* A/B of sums; and of quotients, where a divisor of both falls out. */
static void form_quotient(const sc_formula_forms *f, const sc_form *a, const sc_form *b,
                          sc_form *out)
{
    SC_OWN(sc_ratio, times);
    if (is_constant(f, b)) {
        if (sc_ratio_sign(&b->top[f->count]) == 0)
            return;
        sc_ratio_set_int64(&times, 1);
        sc_ratio_div(&times, &times, &b->top[f->count]);
        set(f, out, a);
        if (a->kind != SC_FORM_OTHER)
            multiply(f, out->top, &times);
    } else if (a->kind == SC_FORM_SUM && b->kind == SC_FORM_SUM) {
        out->kind = SC_FORM_QUOTIENT;
        copy(f, out->top, a->top);
        copy(f, out->bottom, b->top);
    } else if (is_constant(f, a) && b->kind == SC_FORM_QUOTIENT) {
        out->kind = SC_FORM_QUOTIENT;
        copy(f, out->top, b->bottom);
        multiply(f, out->top, &a->top[f->count]);
        copy(f, out->bottom, b->top);
    } else if (a->kind == SC_FORM_QUOTIENT && b->kind == SC_FORM_QUOTIENT &&
               is_multiple(f, a->bottom, b->bottom, &times)) {
        out->kind = SC_FORM_QUOTIENT;
        copy(f, out->top, a->top);
        multiply(f, out->top, &times);
        copy(f, out->bottom, b->top);
    }
    /* The divisor is a constant: such a quotient is left to the general rule. */
    if (out->kind == SC_FORM_QUOTIENT && !sc_form_has_numbers(f, out->bottom))
        out->kind = SC_FORM_OTHER;
}

static sc_ratio *weight_of(const sc_formula_forms *f, sc_ratio *weights, size_t statistic)
{
    size_t place = 0;
    while (f->numbers[place] != statistic)
        place++;
    return &weights[place];
}

/* S + c N in the unit of the column, of counts N; AVG is that over N. */
static void form_aggregate(const sc_formula_forms *f, size_t aggregate, sc_form *out)
{
    const sc_query_aggregate *a = &f->query->aggregates[aggregate];
    const sc_statistic_use *use = &f->statistics->uses[aggregate];
    const sc_estimate_form form = sc_estimate_form_of(a);
    if (form == SC_ESTIMATE_APART)
        return;
    out->kind = form == SC_ESTIMATE_MEAN ? SC_FORM_QUOTIENT : SC_FORM_SUM;
    if (use->units != SC_STATISTIC_NONE)
        sc_ratio_set_int64(weight_of(f, out->top, use->units), 1);
    if (use->sum != SC_STATISTIC_NONE) {
        const sc_value_step step = a->value->extent.step;
        sc_extent_value(step, 1, weight_of(f, out->top, use->sum));
        if (use->rows != SC_STATISTIC_NONE)
            sc_extent_value(step, f->statistics->list[use->sum].centre,
                            weight_of(f, out->top, use->rows));
    } else if (use->rows != SC_STATISTIC_NONE) {
        sc_ratio_set_int64(weight_of(f, out->top, use->rows), 1);
        if (use->missing != SC_STATISTIC_NONE)
            sc_ratio_set_int64(weight_of(f, out->top, use->missing), 1);
    }
    if (form == SC_ESTIMATE_MEAN)
        sc_ratio_set_int64(weight_of(f, out->bottom, use->rows), 1);
}

static void make_form(const sc_formula_forms *f, const sc_formula_step *step,
                      sc_form *out)
{
    static const sc_form none = {.kind = SC_FORM_OTHER};
    SC_OWN(sc_ratio, sign);
    const sc_form *a = step->count > 0 ? &f->forms[step->parts[0]] : &none,
                  *b = step->count > 1 ? &f->forms[step->parts[1]] : &none;
    sc_ratio_set_int64(&sign, step->kind == SC_FORMULA_ADD ? 1 : -1);
    if (step->kind == SC_FORMULA_NUMBER) {
        out->kind = SC_FORM_SUM;
        sc_extent_value(step->number.step, step->number.low, &out->top[f->count]);
    } else if (step->kind == SC_FORMULA_AGGREGATE) {
        form_aggregate(f, step->aggregate, out);
    } else if (step->kind == SC_FORMULA_NEGATE && a->kind != SC_FORM_OTHER) {
        set(f, out, a);
        multiply(f, out->top, &sign);
    } else if (step->kind == SC_FORMULA_ADD || step->kind == SC_FORMULA_SUBTRACT) {
        form_sum(f, a, b, &sign, out);
    } else if (step->kind == SC_FORMULA_MULTIPLY) {
        form_product(f, a, b, out);
    } else if (step->kind == SC_FORMULA_DIVIDE) {
        form_quotient(f, a, b, out);
    }
}

/* Ranges. */

/* The rows that a number is about: all of them, those in which a value is present or is missing, or the units, of
 * which there are no more than rows. */
#define ALL_ROWS SIZE_MAX
#define UNITS (SIZE_MAX - 1)
#define MISSING(first) (SIZE_MAX / 2 + (first))
/* Different values: of which there are no more than rows, whatever the value. */
#define VALUES(value) (SIZE_MAX / 4 + (value))

static size_t rows_of(const sc_formula_forms *f, size_t number)
{
    const sc_statistics *s = f->statistics;
    const sc_group_statistic *t = &s->list[f->numbers[number]];
    if (sc_statistic_is_units(t))
        return UNITS;
    /* Their rows may be others than those that are counted: apart from all. */
    if (t->kind == SC_STATISTIC_UNITS)
        return UNITS - 1 - t->value;
    if (t->kind == SC_STATISTIC_VALUES)
        return VALUES(t->value);
    if (t->value == SC_STATISTIC_NONE || !s->groups[t->value].is_nullable)
        return ALL_ROWS;
    size_t first = 0;
    while (
        !sc_presence_equal(s->values[first], s->values[t->value], f->query->is_present))
        first++;
    return t->kind == SC_STATISTIC_MISSING ? MISSING(first) : first;
}

/* The cell of the rows that those of a kind are not, among the numbers; else their count. */
static size_t other_cell(const sc_formula_forms *f, size_t kind)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->statistics->list[f->numbers[i]].kind == SC_STATISTIC_MISSING &&
            rows_of(f, i) == MISSING(kind))
            return i;
    return f->count;
}

static bool counts_rows(const sc_formula_forms *f, size_t number)
{
    const sc_group_statistic *t = &f->statistics->list[f->numbers[number]];
    return t->kind == SC_STATISTIC_ROWS || sc_statistic_is_cell(t);
}

bool sc_form_counts(const sc_formula_forms *f, size_t number)
{
    const sc_statistic_kind kind = f->statistics->list[f->numbers[number]].kind;
    return counts_rows(f, number) || kind == SC_STATISTIC_UNITS ||
           kind == SC_STATISTIC_VALUES;
}

/* The contribution of one counted row to a number: 1, or a value. For a sum that is bounded otherwise only
 * the sign is known. */
static void row_adds(const sc_formula_forms *f, size_t number, sc_formula_bounds *out)
{
    const sc_group_statistic *t = &f->statistics->list[f->numbers[number]];
    SC_OWN(sc_ratio, one);
    sc_ratio_set_int64(&one, 1);
    sc_formula_bounds_set_point(out, &one);
    if (sc_form_counts(f, number))
        return;
    const sc_group_value *value = &f->statistics->groups[t->value];
    sc_ratio_set_int128(&out->low, (sc_int128)value->low - t->centre);
    sc_ratio_set_int128(&out->high, (sc_int128)value->high - t->centre);
    if (t->kind == SC_STATISTIC_SUM)
        return;
    out->has_low = sc_ratio_sign(&out->low) >= 0;
    out->has_high = sc_ratio_sign(&out->high) <= 0;
    sc_ratio_set_int64(&out->low, 0);
    sc_ratio_set_int64(&out->high, 0);
}

/* Adds the contribution of the rows of one kind to a sum, for each row of base: possibly 0 if some rows of
 * base are not of that kind; anything if some rows of that kind are not of base. */
static void kind_adds(const sc_formula_forms *f, const sc_ratio *weights, size_t kind,
                      size_t base, sc_formula_bounds *sum)
{
    SC_OWN(sc_ratio, zero, one);
    SC_OWN(sc_formula_bounds, all, own);
    sc_formula_bounds_set_point(&all, &zero);
    sc_ratio_set_int64(&one, 1);
    for (size_t i = 0; i < f->count; i++)
        if (rows_of(f, i) == kind) {
            row_adds(f, i, &own);
            sc_formula_bounds_add(&all, &own, &weights[i]);
        }
    /* A row is in one of two cells: it adds what it does there. */
    const size_t missing = base == ALL_ROWS ? other_cell(f, kind) : f->count;
    if (kind != base)
        sc_formula_bounds_reach(&all, missing < f->count ? &weights[missing] : &zero);
    if (kind != base && base != ALL_ROWS &&
        (sc_ratio_sign(&all.low) != 0 || sc_ratio_sign(&all.high) != 0))
        sc_formula_bounds_set_all(&all);
    sc_formula_bounds_add(sum, &all, &one);
}

/* The contribution of a row of base to a sum. */
static void sum_adds(const sc_formula_forms *f, const sc_ratio *weights, size_t base,
                     sc_formula_bounds *out)
{
    SC_OWN(sc_ratio, zero);
    sc_formula_bounds_set_point(out, &zero);
    for (size_t i = 0; i < f->count; i++) {
        const size_t kind = rows_of(f, i);
        bool is_first = true;
        for (size_t j = 0; j < i; j++)
            is_first &= rows_of(f, j) != kind;
        const bool is_added =
            base == ALL_ROWS &&
            f->statistics->list[f->numbers[i]].kind == SC_STATISTIC_MISSING;
        if (is_first && !is_added)
            kind_adds(f, weights, kind, base, out);
    }
}

/* A sum is on that side of its constant on which every row adds to it. */
static void range_of_sum(const sc_formula_forms *f, const sc_ratio *weights,
                         sc_formula_bounds *out)
{
    sum_adds(f, weights, ALL_ROWS, out);
    const bool is_up = out->has_low && sc_ratio_sign(&out->low) >= 0,
               is_down = out->has_high && sc_ratio_sign(&out->high) <= 0;
    sc_ratio_set(&out->low, &weights[f->count]);
    sc_ratio_set(&out->high, &weights[f->count]);
    out->has_low = is_up;
    out->has_high = is_down;
}

/* A number of rows that divides: what it is about, and a number with its weight. */
typedef struct divisor {
    size_t kind, number;
} divisor;

/* Are both of them cells of one value, with the same weight? Then all rows are counted. */
static bool are_all_rows(const sc_formula_forms *f, const sc_ratio *weights, size_t first,
                         size_t second)
{
    const size_t missing = other_cell(f, rows_of(f, first));
    return missing == second && sc_ratio_compare(&weights[first], &weights[second]) == 0;
}

/* If it is one number alone, or both cells; else the number is their count. */
static divisor single_rows(const sc_formula_forms *f, const sc_ratio *weights)
{
    const divisor none = {ALL_ROWS, f->count};
    divisor found = none;
    if (sc_ratio_sign(&weights[f->count]) != 0)
        return none;
    for (size_t i = 0; i < f->count; i++) {
        if (sc_ratio_sign(&weights[i]) == 0)
            continue;
        if (!counts_rows(f, i))
            return none;
        if (found.number == f->count)
            found = (divisor){rows_of(f, i), i};
        else if (are_all_rows(f, weights, found.number, i))
            found.kind = ALL_ROWS;
        else
            return none;
    }
    return found;
}

/* By a number of rows, which is at least 1: what a row adds, and a constant at most once. */
static void range_by_rows(const sc_formula_forms *f, const sc_form *form,
                          const divisor *by, sc_formula_bounds *out)
{
    SC_OWN(sc_ratio, zero, one, times);
    SC_OWN(sc_formula_bounds, constant);
    sc_ratio_set_int64(&one, 1);
    sum_adds(f, form->top, by->kind, out);
    sc_formula_bounds_set_point(&constant, &zero);
    sc_formula_bounds_reach(&constant, &form->top[f->count]);
    sc_formula_bounds_add(out, &constant, &one);
    sc_ratio_div(&times, &one, &form->bottom[by->number]);
    sc_formula_bounds_set(&constant, out);
    sc_formula_bounds_set_point(out, &zero);
    sc_formula_bounds_add(out, &constant, &times);
}

/* The range of a quotient by the signs of both sums alone. */
static void range_by_signs(const sc_formula_forms *f, const sc_form *form,
                           sc_formula_bounds *out)
{
    SC_OWN(sc_formula_bounds, top, bottom);
    range_of_sum(f, form->top, &top);
    range_of_sum(f, form->bottom, &bottom);
    const bool top_up = top.has_low && sc_ratio_sign(&top.low) >= 0,
               top_down = top.has_high && sc_ratio_sign(&top.high) <= 0,
               bottom_up = bottom.has_low && sc_ratio_sign(&bottom.low) >= 0,
               bottom_down = bottom.has_high && sc_ratio_sign(&bottom.high) <= 0;
    sc_ratio_set_int64(&out->low, 0);
    sc_ratio_set_int64(&out->high, 0);
    out->has_low = (top_up && bottom_up) || (top_down && bottom_down);
    out->has_high = (top_up && bottom_down) || (top_down && bottom_up);
}

/* The range of an aggregate that is not a sum, from the range of its values. The sample variance of two
 * rows is twice that of the population. */
static void range_apart(const sc_query_aggregate *a, sc_formula_bounds *out)
{
    SC_OWN(sc_ratio, width);
    const sc_aggregate_span span = a->kind->span;
    if (span == SC_SPAN_OPEN) {
        out->has_low = a->value == NULL || a->value->extent.low >= 0;
        out->has_high = a->value != NULL && a->value->extent.high <= 0;
        return;
    }
    const sc_extent *extent = &a->value->extent;
    sc_extent_value(extent->step, extent->low, &out->low);
    sc_extent_value(extent->step, extent->high, &out->high);
    out->has_low = out->has_high = true;
    if (span == SC_SPAN_VALUE)
        return;
    sc_ratio_sub(&out->high, &out->high, &out->low);
    sc_ratio_set_int64(&out->low, 0);
    if (span == SC_SPAN_HALF_SQUARED)
        sc_ratio_mul(&out->high, &out->high, &out->high);
}

static void make_range(const sc_formula_forms *f, size_t place)
{
    const sc_formula_step *step = &f->formula->steps[place];
    const sc_form *form = &f->forms[place];
    sc_formula_bounds *out = &f->ranges[place];
    sc_formula_bounds_set_all(out);
    if (form->kind == SC_FORM_SUM) {
        range_of_sum(f, form->top, out);
        if (is_constant(f, form))
            sc_formula_bounds_set_point(out, &form->top[f->count]);
    } else if (form->kind == SC_FORM_QUOTIENT) {
        const divisor by = single_rows(f, form->bottom);
        SC_OWN(sc_formula_bounds, signs);
        range_by_signs(f, form, &signs);
        if (by.number < f->count)
            range_by_rows(f, form, &by, out);
        sc_formula_bounds_cut(out, &signs);
        out->may_be_null = true;
    } else if (step->kind == SC_FORMULA_AGGREGATE) {
        range_apart(&f->query->aggregates[step->aggregate], out);
        out->may_be_null = true;
    } else {
        sc_formula_bounds_of(step, f->ranges, out);
        out->is_open = false;
    }
}

/* Making them. */

static void note_number(sc_formula_forms *f, size_t statistic)
{
    if (statistic == SC_STATISTIC_NONE)
        return;
    for (size_t i = 0; i < f->count; i++)
        if (f->numbers[i] == statistic)
            return;
    f->numbers[f->count++] = statistic;
}

static void note_numbers(sc_formula_forms *f)
{
    for (size_t i = 0; i < f->formula->count; i++) {
        const sc_formula_step *step = &f->formula->steps[i];
        if (step->kind != SC_FORMULA_AGGREGATE ||
            sc_estimate_form_of(&f->query->aggregates[step->aggregate]) ==
                SC_ESTIMATE_APART)
            continue;
        const sc_statistic_use *use = &f->statistics->uses[step->aggregate];
        note_number(f, use->units);
        note_number(f, use->rows);
        note_number(f, use->missing);
        note_number(f, use->sum);
    }
}

static sc_ratio *weights_new(const sc_formula_forms *f)
{
    sc_ratio *weights = sc_allocate(length(f), sizeof *weights);
    for (size_t i = 0; weights != NULL && i < length(f); i++)
        sc_ratio_init(&weights[i]);
    return weights;
}

static void weights_free(const sc_formula_forms *f, sc_ratio *weights)
{
    for (size_t i = 0; weights != NULL && i < length(f); i++)
        sc_ratio_clear(&weights[i]);
    sc_free(weights);
}

scrim_status sc_formula_forms_init(sc_formula_forms *f, const sc_formula *formula,
                                   const sc_query *query, const sc_statistics *statistics,
                                   scrim_error *error)
{
    *f = (sc_formula_forms){
        .formula = formula,
        .query = query,
        .statistics = statistics,
        .numbers = sc_allocate((size_t)2 * SC_FORMULA_AGGREGATES, sizeof *f->numbers),
        .forms = sc_allocate(formula->count, sizeof *f->forms),
        .ranges = sc_allocate(formula->count, sizeof *f->ranges)};
    bool is_made = f->numbers != NULL && f->forms != NULL && f->ranges != NULL;
    if (is_made)
        note_numbers(f);
    for (size_t i = 0; f->ranges != NULL && i < formula->count; i++)
        sc_formula_bounds_init(&f->ranges[i]);
    for (size_t i = 0; is_made && i < formula->count; i++) {
        f->forms[i] = (sc_form){.top = weights_new(f), .bottom = weights_new(f)};
        is_made = f->forms[i].top != NULL && f->forms[i].bottom != NULL;
        if (!is_made)
            break;
        make_form(f, &formula->steps[i], &f->forms[i]);
        make_range(f, i);
    }
    return is_made ? SCRIM_OK : sc_no_memory(error, "an estimate");
}

void sc_formula_forms_clear(sc_formula_forms *f)
{
    for (size_t i = 0; f->forms != NULL && i < f->formula->count; i++) {
        weights_free(f, f->forms[i].top);
        weights_free(f, f->forms[i].bottom);
    }
    for (size_t i = 0; f->ranges != NULL && i < f->formula->count; i++)
        sc_formula_bounds_clear(&f->ranges[i]);
    sc_free(f->numbers);
    sc_free(f->forms);
    sc_free(f->ranges);
}
