#include "query/estimate/formula_bounds.h"

/* Numbers. */

void sc_formula_number_init(sc_formula_number *number)
{
    sc_ratio_init(&number->number);
    number->is_null = false;
}

void sc_formula_number_clear(sc_formula_number *number)
{
    sc_ratio_clear(&number->number);
}

static void negate(sc_ratio *out, const sc_ratio *x)
{
    SC_OWN(sc_ratio, zero);
    sc_ratio_sub(out, &zero, x);
}

/* Rounds x to a multiple of a unit: down, or with is_rounded to the nearest one, halves up. */
static void to_unit(sc_ratio *out, const sc_ratio *x, sc_value_step unit, bool is_rounded)
{
    SC_OWN(sc_ratio, step, half);
    SC_OWN(sc_integer, whole);
    sc_extent_value(unit, 1, &step);
    sc_ratio_div(out, x, &step);
    if (is_rounded) {
        sc_extent_value((sc_value_step){1, 2}, 1, &half);
        sc_ratio_add(out, out, &half);
    }
    sc_ratio_floor(out, &whole);
    sc_ratio_set_integer(out, &whole);
    sc_ratio_mul(out, out, &step);
}

/* A step of one or two arguments, which are not NULL; false: the result is NULL. For one argument b is the same as a. */
static bool calculate(const sc_formula_step *step, const sc_ratio *a, const sc_ratio *b,
                      sc_ratio *out)
{
    switch (step->kind) {
    case SC_FORMULA_NEGATE:
        negate(out, a);
        return true;
    case SC_FORMULA_ADD:
        sc_ratio_add(out, a, b);
        return true;
    case SC_FORMULA_SUBTRACT:
        sc_ratio_sub(out, a, b);
        return true;
    case SC_FORMULA_MULTIPLY:
        sc_ratio_mul(out, a, b);
        return true;
    case SC_FORMULA_DIVIDE:
        if (sc_ratio_sign(b) != 0)
            sc_ratio_div(out, a, b);
        return sc_ratio_sign(b) != 0;
    case SC_FORMULA_ABS:
        sc_ratio_set(out, a);
        if (sc_ratio_sign(a) < 0)
            negate(out, a);
        return true;
    case SC_FORMULA_FLOOR:
    case SC_FORMULA_ROUND:
        to_unit(out, a, step->unit, step->kind == SC_FORMULA_ROUND);
        return true;
    case SC_FORMULA_NULLIF:
        sc_ratio_set(out, a);
        return sc_ratio_compare(a, b) != 0;
    case SC_FORMULA_NUMBER:
    case SC_FORMULA_AGGREGATE:
    case SC_FORMULA_CLAMP:
    case SC_FORMULA_LEAST:
    case SC_FORMULA_GREATEST:
    case SC_FORMULA_COALESCE:
    case SC_FORMULA_KINDS:
        break;
    }
    return false;
}

/* The first, the least or the greatest of the parts that are not NULL. */
static void choose(const sc_formula_step *step, const sc_formula_number *all,
                   sc_formula_number *out)
{
    out->is_null = true;
    for (size_t i = 0; i < step->count; i++) {
        const sc_formula_number *part = &all[step->parts[i]];
        if (part->is_null)
            continue;
        const int order = sc_ratio_compare(&part->number, &out->number);
        if (out->is_null || (step->kind == SC_FORMULA_LEAST && order < 0) ||
            (step->kind == SC_FORMULA_GREATEST && order > 0))
            sc_ratio_set(&out->number, &part->number);
        out->is_null = false;
    }
}

static void clamp(sc_ratio *x, const sc_ratio *low, const sc_ratio *high)
{
    if (sc_ratio_compare(x, low) < 0)
        sc_ratio_set(x, low);
    if (sc_ratio_compare(x, high) > 0)
        sc_ratio_set(x, high);
}

void sc_formula_number_of(const sc_formula_step *step, const sc_formula_number *all,
                          sc_formula_number *out)
{
    out->is_null = false;
    if (step->kind == SC_FORMULA_NUMBER) {
        sc_extent_value(step->number.step, step->number.low, &out->number);
        return;
    }
    if (step->kind == SC_FORMULA_LEAST || step->kind == SC_FORMULA_GREATEST ||
        step->kind == SC_FORMULA_COALESCE) {
        choose(step, all, out);
        return;
    }
    const sc_formula_number *a = &all[step->parts[0]],
                            *b = &all[step->parts[step->count > 1]];
    if (step->kind == SC_FORMULA_CLAMP) {
        sc_ratio_set(&out->number, &a->number);
        clamp(&out->number, &b->number, &all[step->parts[2]].number);
        out->is_null = a->is_null;
    } else if (step->kind == SC_FORMULA_NULLIF && b->is_null) {
        sc_ratio_set(&out->number, &a->number);
        out->is_null = a->is_null;
    } else {
        out->is_null = a->is_null || b->is_null ||
                       !calculate(step, &a->number, &b->number, &out->number);
    }
}

/* Bounds. */

void sc_formula_bounds_init(sc_formula_bounds *bounds)
{
    sc_ratio_init(&bounds->low);
    sc_ratio_init(&bounds->high);
    bounds->has_low = bounds->has_high = bounds->may_be_null = bounds->is_open = false;
}

void sc_formula_bounds_clear(sc_formula_bounds *bounds)
{
    sc_ratio_clear(&bounds->low);
    sc_ratio_clear(&bounds->high);
}

void sc_formula_bounds_set(sc_formula_bounds *out, const sc_formula_bounds *bounds)
{
    sc_ratio_set(&out->low, &bounds->low);
    sc_ratio_set(&out->high, &bounds->high);
    out->has_low = bounds->has_low;
    out->has_high = bounds->has_high;
    out->may_be_null = bounds->may_be_null;
    out->is_open = bounds->is_open;
}

void sc_formula_bounds_set_point(sc_formula_bounds *out, const sc_ratio *point)
{
    sc_ratio_set(&out->low, point);
    sc_ratio_set(&out->high, point);
    out->has_low = out->has_high = true;
    out->may_be_null = out->is_open = false;
}

void sc_formula_bounds_set_all(sc_formula_bounds *out)
{
    out->has_low = out->has_high = out->may_be_null = out->is_open = false;
}

static bool holds_zero(const sc_formula_bounds *b)
{
    return (!b->has_low || sc_ratio_sign(&b->low) <= 0) &&
           (!b->has_high || sc_ratio_sign(&b->high) >= 0);
}

static void swap_ends(sc_formula_bounds *b)
{
    SC_OWN(sc_ratio, low);
    const bool has_low = b->has_low;
    sc_ratio_set(&low, &b->low);
    sc_ratio_set(&b->low, &b->high);
    sc_ratio_set(&b->high, &low);
    b->has_low = b->has_high;
    b->has_high = has_low;
}

static void scale(sc_formula_bounds *b, const sc_ratio *times)
{
    sc_ratio_mul(&b->low, &b->low, times);
    sc_ratio_mul(&b->high, &b->high, times);
    if (sc_ratio_sign(times) == 0)
        b->has_low = b->has_high = true;
    if (sc_ratio_sign(times) < 0)
        swap_ends(b);
}

void sc_formula_bounds_add(sc_formula_bounds *sum, const sc_formula_bounds *more,
                           const sc_ratio *times)
{
    SC_OWN(sc_formula_bounds, term);
    sc_formula_bounds_set(&term, more);
    scale(&term, times);
    sc_ratio_add(&sum->low, &sum->low, &term.low);
    sc_ratio_add(&sum->high, &sum->high, &term.high);
    sum->has_low &= term.has_low;
    sum->has_high &= term.has_high;
}

void sc_formula_bounds_reach(sc_formula_bounds *b, const sc_ratio *number)
{
    if (sc_ratio_compare(number, &b->low) < 0)
        sc_ratio_set(&b->low, number);
    if (sc_ratio_compare(number, &b->high) > 0)
        sc_ratio_set(&b->high, number);
}

static void cut_end(sc_ratio *end, const sc_formula_bounds *within)
{
    if (within->has_low && sc_ratio_compare(end, &within->low) < 0)
        sc_ratio_set(end, &within->low);
    if (within->has_high && sc_ratio_compare(end, &within->high) > 0)
        sc_ratio_set(end, &within->high);
}

void sc_formula_bounds_cut(sc_formula_bounds *b, const sc_formula_bounds *within)
{
    if (b->has_low)
        cut_end(&b->low, within);
    else
        sc_ratio_set(&b->low, &within->low);
    if (b->has_high)
        cut_end(&b->high, within);
    else
        sc_ratio_set(&b->high, &within->high);
    b->has_low |= within->has_low;
    b->has_high |= within->has_high;
}

static bool is_not_below_zero(const sc_formula_bounds *b)
{
    return b->has_low && sc_ratio_sign(&b->low) >= 0;
}

/* If all ends are finite: from the smallest to the largest of their four products. Else only the signs are used, which gives a lower
 * bound for factors that are not negative, and no bound otherwise. */
static void multiply(const sc_formula_bounds *a, const sc_formula_bounds *b,
                     sc_formula_bounds *out)
{
    SC_OWN(sc_ratio, product);
    if (!a->has_low || !a->has_high || !b->has_low || !b->has_high) {
        sc_ratio_mul(&out->low, &a->low, &b->low);
        out->has_low = is_not_below_zero(a) && is_not_below_zero(b);
        out->has_high = false;
        return;
    }
    const sc_ratio *const others[] = {&a->low, &b->high, &a->high,
                                      &b->low, &a->high, &b->high};
    sc_ratio_mul(&out->low, &a->low, &b->low);
    sc_ratio_set(&out->high, &out->low);
    for (size_t i = 0; i < 6; i += 2) {
        sc_ratio_mul(&product, others[i], others[i + 1]);
        sc_formula_bounds_reach(out, &product);
    }
    out->has_low = out->has_high = true;
}

/* 1/b, where b does not hold 0. On a side where b is unbounded, 1/b comes close to 0. */
static void invert(const sc_formula_bounds *b, sc_formula_bounds *out)
{
    SC_OWN(sc_ratio, one);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_set_int64(&out->low, 0);
    sc_ratio_set_int64(&out->high, 0);
    if (b->has_high)
        sc_ratio_div(&out->low, &one, &b->high);
    if (b->has_low)
        sc_ratio_div(&out->high, &one, &b->low);
    out->has_low = out->has_high = true;
}

static void divide(const sc_formula_bounds *a, const sc_formula_bounds *b,
                   sc_formula_bounds *out)
{
    SC_OWN(sc_formula_bounds, inverse);
    if (holds_zero(b)) {
        out->is_open = out->may_be_null = true;
        return;
    }
    invert(b, &inverse);
    multiply(a, &inverse, out);
}

static void absolute(const sc_formula_bounds *a, sc_formula_bounds *out)
{
    SC_OWN(sc_ratio, zero, farthest);
    sc_formula_bounds_set(out, a);
    if (is_not_below_zero(a))
        return;
    negate(&farthest, &a->low);
    if (a->has_high && sc_ratio_compare(&farthest, &a->high) < 0)
        sc_ratio_set(&farthest, &a->high);
    sc_ratio_set(&out->low, &zero);
    if (a->has_high && sc_ratio_sign(&a->high) < 0)
        negate(&out->low, &a->high);
    sc_ratio_set(&out->high, &farthest);
    out->has_low = true;
    out->has_high = a->has_low && a->has_high;
}

static void round_ends(const sc_formula_step *step, const sc_formula_bounds *a,
                       sc_formula_bounds *out)
{
    const bool is_rounded = step->kind == SC_FORMULA_ROUND;
    sc_formula_bounds_set(out, a);
    to_unit(&out->low, &a->low, step->unit, is_rounded);
    to_unit(&out->high, &a->high, step->unit, is_rounded);
}

/* Is the end of a farther down, or up, than that of b? A missing end is farthest. */
static bool is_beyond(bool has_a, const sc_ratio *a, bool has_b, const sc_ratio *b,
                      bool is_up)
{
    if (!has_a || !has_b)
        return !has_a && has_b;
    return is_up ? sc_ratio_compare(a, b) > 0 : sc_ratio_compare(a, b) < 0;
}

/* Replaces the end, also by a missing one. */
static void take_low(sc_formula_bounds *out, const sc_formula_bounds *from)
{
    sc_ratio_set(&out->low, &from->low);
    out->has_low = from->has_low;
}

static void take_high(sc_formula_bounds *out, const sc_formula_bounds *from)
{
    sc_ratio_set(&out->high, &from->high);
    out->has_high = from->has_high;
}

static void widen(sc_formula_bounds *out, const sc_formula_bounds *by)
{
    if (is_beyond(by->has_low, &by->low, out->has_low, &out->low, false))
        take_low(out, by);
    if (is_beyond(by->has_high, &by->high, out->has_high, &out->high, true))
        take_high(out, by);
}

/* LEAST is not above any part that is present for certain, and not below the least of all;
 * GREATEST is the mirror image. */
static void extreme(const sc_formula_step *step, const sc_formula_bounds *all,
                    sc_formula_bounds *out)
{
    const bool is_least = step->kind == SC_FORMULA_LEAST;
    bool is_certain = false;
    sc_formula_bounds_set(out, &all[step->parts[0]]);
    for (size_t i = 1; i < step->count; i++)
        widen(out, &all[step->parts[i]]);
    for (size_t i = 0; i < step->count; i++) {
        const sc_formula_bounds *part = &all[step->parts[i]];
        if (part->may_be_null)
            continue;
        is_certain = true;
        if (is_least &&
            is_beyond(out->has_high, &out->high, part->has_high, &part->high, true))
            take_high(out, part);
        if (!is_least &&
            is_beyond(out->has_low, &out->low, part->has_low, &part->low, false))
            take_low(out, part);
    }
    out->may_be_null = !is_certain;
}

/* Joins all parts up to the first one that is certainly present. */
static void coalesce(const sc_formula_step *step, const sc_formula_bounds *all,
                     sc_formula_bounds *out)
{
    sc_formula_bounds_set(out, &all[step->parts[0]]);
    for (size_t i = 1; i < step->count && out->may_be_null; i++) {
        widen(out, &all[step->parts[i]]);
        out->may_be_null = all[step->parts[i]].may_be_null;
    }
}

static void clamp_ends(const sc_formula_step *step, const sc_formula_bounds *all,
                       sc_formula_bounds *out)
{
    SC_OWN(sc_formula_bounds, within);
    sc_ratio_set(&within.low, &all[step->parts[1]].low);
    sc_ratio_set(&within.high, &all[step->parts[2]].low);
    within.has_low = within.has_high = true;
    sc_formula_bounds_set(out, &all[step->parts[0]]);
    sc_formula_bounds_cut(out, &within);
}

/* The bounds of a step if no part is NULL. */
static void image(const sc_formula_step *step, const sc_formula_bounds *all,
                  sc_formula_bounds *out)
{
    const sc_formula_bounds *a = &all[step->parts[0]],
                            *b = &all[step->parts[step->count > 1]];
    SC_OWN(sc_ratio, times);
    switch (step->kind) {
    case SC_FORMULA_NEGATE:
        sc_ratio_set_int64(&times, -1);
        sc_formula_bounds_set(out, a);
        scale(out, &times);
        return;
    case SC_FORMULA_ADD:
    case SC_FORMULA_SUBTRACT:
        sc_ratio_set_int64(&times, step->kind == SC_FORMULA_ADD ? 1 : -1);
        sc_formula_bounds_set(out, a);
        sc_formula_bounds_add(out, b, &times);
        return;
    case SC_FORMULA_MULTIPLY:
        multiply(a, b, out);
        return;
    case SC_FORMULA_DIVIDE:
        divide(a, b, out);
        return;
    case SC_FORMULA_ABS:
        absolute(a, out);
        return;
    case SC_FORMULA_FLOOR:
    case SC_FORMULA_ROUND:
        round_ends(step, a, out);
        return;
    case SC_FORMULA_CLAMP:
        clamp_ends(step, all, out);
        return;
    case SC_FORMULA_LEAST:
    case SC_FORMULA_GREATEST:
        extreme(step, all, out);
        return;
    case SC_FORMULA_COALESCE:
        coalesce(step, all, out);
        return;
    case SC_FORMULA_NULLIF:
        sc_formula_bounds_set(out, a);
        out->may_be_null = true; /* the two may always be equal */
        return;
    case SC_FORMULA_NUMBER:
    case SC_FORMULA_AGGREGATE:
    case SC_FORMULA_KINDS:
        break;
    }
}

/* Does NULL in a part make the step NULL? */
static bool passes_null_on(sc_formula_kind kind)
{
    return kind != SC_FORMULA_LEAST && kind != SC_FORMULA_GREATEST &&
           kind != SC_FORMULA_COALESCE;
}

void sc_formula_bounds_of(const sc_formula_step *step, const sc_formula_bounds *all,
                          sc_formula_bounds *out)
{
    SC_OWN(sc_ratio, number);
    sc_formula_bounds_set_all(out);
    if (step->kind == SC_FORMULA_NUMBER) {
        sc_extent_value(step->number.step, step->number.low, &number);
        sc_formula_bounds_set_point(out, &number);
        return;
    }
    image(step, all, out);
    for (size_t i = 0; i < step->count; i++) {
        out->is_open |= all[step->parts[i]].is_open;
        out->may_be_null |= passes_null_on(step->kind) && all[step->parts[i]].may_be_null;
    }
}
