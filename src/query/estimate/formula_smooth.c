#include "query/estimate/formula_smooth.h"

#include "base/number/own.h"
#include "query/estimate/real_digits.h"

#include <math.h>

/* The deepest nesting of steps down to forms. */
#define DEPTH 16
/* Bound of the rounding error of doubles, relative to a radius. */
#define ROUNDING 0x1p-40

/* Which steps. */

bool sc_formula_smooth_has(const sc_formula_smooth *smooth, size_t number)
{
    for (size_t i = 0; i < smooth->count; i++)
        if (smooth->numbers[i] == number)
            return true;
    return false;
}

static bool add_numbers(const sc_formula_forms *f, const sc_ratio *weights,
                        sc_formula_smooth *out)
{
    for (size_t i = 0; i < f->count; i++) {
        if (sc_ratio_sign(&weights[i]) == 0 || sc_formula_smooth_has(out, i))
            continue;
        if (out->count == SC_SMOOTH_NUMBERS)
            return false;
        out->numbers[out->count++] = i;
    }
    return true;
}

/* Numbers that are collected, and whether they occur in more than one form. */
typedef struct gathering {
    const sc_formula_forms *forms;
    sc_formula_smooth *out;
    size_t first; /* a step with numbers; SIZE_MAX: none yet */
    bool has_several;
} gathering;

static bool add_form(gathering *g, size_t place)
{
    const sc_form *form = &g->forms->forms[place];
    const bool is_quotient = form->kind == SC_FORM_QUOTIENT;
    if (!is_quotient && !sc_form_has_numbers(g->forms, form->top))
        return true;
    if (g->first == SIZE_MAX)
        g->first = place;
    g->has_several |= !sc_form_equal(g->forms, &g->forms->forms[g->first], form);
    return add_numbers(g->forms, form->top, g->out) &&
           (!is_quotient || add_numbers(g->forms, form->bottom, g->out));
}

static bool collect(gathering *g, size_t place, unsigned depth)
{
    const sc_formula_step *step = &g->forms->formula->steps[place];
    if (g->forms->forms[place].kind != SC_FORM_OTHER)
        return add_form(g, place);
    if (depth == 0 ||
        (step->kind != SC_FORMULA_NEGATE && step->kind != SC_FORMULA_ADD &&
         step->kind != SC_FORMULA_SUBTRACT && step->kind != SC_FORMULA_MULTIPLY &&
         step->kind != SC_FORMULA_DIVIDE))
        return false;
    for (size_t i = 0; i < step->count; i++)
        if (!collect(g, step->parts[i], depth - 1))
            return false;
    return true;
}

bool sc_formula_smooth_find(const sc_formula_forms *f, size_t step,
                            sc_formula_smooth *out)
{
    gathering g = {f, out, SIZE_MAX, false};
    *out = (sc_formula_smooth){.step = step};
    return f->forms[step].kind == SC_FORM_OTHER && collect(&g, step, DEPTH) &&
           g.has_several && out->count >= 2;
}

double sc_formula_smooth_level(const sc_formula_smooth *smooth, double beta)
{
    return -expm1(log1p(-beta / 3) / (double)smooth->count) * (1 - ROUNDING);
}

/* Bounds in doubles. */

typedef struct span {
    double low, high;
} span;

static double down(double x)
{
    return nextafter(x, -HUGE_VAL);
}

static double up(double x)
{
    return nextafter(x, HUGE_VAL);
}

static span span_of(const sc_ratio *x)
{
    SC_OWN(sc_ratio, negative);
    sc_ratio_sub(&negative, &negative, x);
    return (span){-sc_ratio_upper(&negative), sc_ratio_upper(x)};
}

static span plus(span a, span b)
{
    return (span){down(a.low + b.low), up(a.high + b.high)};
}

static span minus(span a, span b)
{
    return (span){down(a.low - b.high), up(a.high - b.low)};
}

static span times(span a, span b)
{
    const double p = a.low * b.low, q = a.low * b.high, r = a.high * b.low,
                 s = a.high * b.high;
    return (span){down(fmin(fmin(p, q), fmin(r, s))), up(fmax(fmax(p, q), fmax(r, s)))};
}

/* Divides by a span that does not contain 0. */
static span over(span a, span b)
{
    return times(a, (span){down(1 / b.high), up(1 / b.low)});
}

static bool holds_zero(span a)
{
    return !(a.low > 0 || a.high < 0);
}

static double size(span a)
{
    return fmax(fabs(a.low), fabs(a.high));
}

/* A step with its slopes and second derivatives, all of them over a box. */

typedef struct node {
    span value, slope[SC_SMOOTH_NUMBERS], second[SC_SMOOTH_NUMBERS][SC_SMOOTH_NUMBERS];
} node;

typedef enum extent {
    AT_Y,    /* a point */
    IN_BOX,  /* all about it */
    IN_RANGE /* where every step has a value that it can have in truth */
} extent;

typedef struct box {
    const sc_formula_forms *forms;
    const sc_formula_smooth *smooth;
    const sc_int128 *numbers;
    extent extent;
} box;

static void cut(const box *b, size_t place, span *x)
{
    const sc_formula_bounds *range = &b->forms->ranges[place];
    if (b->extent != IN_RANGE)
        return;
    const double low = range->has_low ? span_of(&range->low).low : -HUGE_VAL,
                 high = range->has_high ? span_of(&range->high).high : HUGE_VAL;
    *x = (span){fmin(fmax(x->low, low), high), fmin(fmax(x->high, low), high)};
}

/* A sum as a span: its value, and how far each number may move it. */
static span sum_of(const box *b, const sc_ratio *weights)
{
    SC_OWN(sc_ratio, value);
    sc_form_value(b->forms, weights, b->numbers, &value);
    span out = span_of(&value);
    for (size_t i = 0; b->extent != AT_Y && i < b->smooth->count; i++) {
        const double r = b->smooth->radii[i];
        out = plus(out, times(span_of(&weights[b->smooth->numbers[i]]), (span){-r, r}));
    }
    return out;
}

static void set_sum(const box *b, size_t place, node *out)
{
    const sc_ratio *weights = b->forms->forms[place].top;
    *out = (node){.value = sum_of(b, weights)};
    cut(b, place, &out->value);
    for (size_t i = 0; i < b->smooth->count; i++)
        out->slope[i] = span_of(&weights[b->smooth->numbers[i]]);
}

/* A number that stands above and below is taken out, as far as it can be: (S + c N)/N is c + S/N. */
static void set_shared(const sc_formula_forms *f, const sc_form *form, sc_ratio *out)
{
    sc_ratio_set_int64(out, 0);
    for (size_t i = 0; i < f->count; i++)
        if (sc_ratio_sign(&form->top[i]) != 0 && sc_ratio_sign(&form->bottom[i]) != 0) {
            sc_ratio_div(out, &form->top[i], &form->bottom[i]);
            return;
        }
}

/* h = c + T/B has the slopes (t_i - (h - c) b_i)/B and the second derivatives -(b_i h_j + b_j h_i)/B. */
static bool set_quotient(const box *b, size_t place, node *out)
{
    const sc_form *form = &b->forms->forms[place];
    const size_t count = b->smooth->count;
    span top[SC_SMOOTH_NUMBERS], bottom[SC_SMOOTH_NUMBERS];
    SC_OWN(sc_ratio, shared, term, value);
    set_shared(b->forms, form, &shared);
    sc_form_value(b->forms, form->bottom, b->numbers, &value);
    sc_ratio_mul(&term, &shared, &value);
    sc_form_value(b->forms, form->top, b->numbers, &value);
    sc_ratio_sub(&value, &value, &term);
    const span divisor = sum_of(b, form->bottom), c = span_of(&shared);
    span whole = span_of(&value);
    *out = (node){.value = c};
    for (size_t i = 0; i < count; i++) {
        const size_t n = b->smooth->numbers[i];
        const double r = b->extent == AT_Y ? 0 : b->smooth->radii[i];
        sc_ratio_mul(&term, &shared, &form->bottom[n]);
        sc_ratio_sub(&term, &form->top[n], &term);
        top[i] = span_of(&term);
        bottom[i] = span_of(&form->bottom[n]);
        whole = plus(whole, times(top[i], (span){-r, r}));
    }
    if (holds_zero(divisor))
        return false;
    out->value = plus(c, over(whole, divisor));
    cut(b, place, &out->value);
    const span rest = minus(out->value, c);
    for (size_t i = 0; i < count; i++)
        out->slope[i] = over(minus(top[i], times(rest, bottom[i])), divisor);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            out->second[i][j] =
                over(minus((span){0, 0}, plus(times(bottom[i], out->slope[j]),
                                              times(bottom[j], out->slope[i]))),
                     divisor);
    return true;
}

static void add(const box *b, const node *x, const node *y, bool is_minus, node *out)
{
    const size_t count = b->smooth->count;
    span (*const join)(span, span) = is_minus ? minus : plus;
    out->value = join(x->value, y->value);
    for (size_t i = 0; i < count; i++) {
        out->slope[i] = join(x->slope[i], y->slope[i]);
        for (size_t j = 0; j < count; j++)
            out->second[i][j] = join(x->second[i][j], y->second[i][j]);
    }
}

static void multiply(const box *b, const node *x, const node *y, node *out)
{
    const size_t count = b->smooth->count;
    out->value = times(x->value, y->value);
    for (size_t i = 0; i < count; i++) {
        out->slope[i] = plus(times(x->slope[i], y->value), times(x->value, y->slope[i]));
        for (size_t j = 0; j < count; j++)
            out->second[i][j] = plus(
                plus(times(x->second[i][j], y->value), times(x->value, y->second[i][j])),
                plus(times(x->slope[i], y->slope[j]), times(x->slope[j], y->slope[i])));
    }
}

/* 1/y: the slopes -y_i/y^2, the second derivatives (2 y_i y_j/y - y_ij)/y^2. */
static bool invert(const box *b, node *y)
{
    const size_t count = b->smooth->count;
    const span value = y->value, squared = times(value, value);
    if (holds_zero(value) || holds_zero(squared))
        return false;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            const span both = over(times(y->slope[i], y->slope[j]), value);
            y->second[i][j] = over(minus(plus(both, both), y->second[i][j]), squared);
        }
    for (size_t i = 0; i < count; i++)
        y->slope[i] = over(minus((span){0, 0}, y->slope[i]), squared);
    y->value = over((span){1, 1}, value);
    return true;
}

/* False if a divisor may be 0. */
static bool set_step(const box *b, size_t place, node *out)
{
    const sc_formula_step *step = &b->forms->formula->steps[place];
    node x = {.value = {0, 0}}, y = {.value = {0, 0}};
    if (b->forms->forms[place].kind == SC_FORM_SUM) {
        set_sum(b, place, out);
        return true;
    }
    if (b->forms->forms[place].kind == SC_FORM_QUOTIENT)
        return set_quotient(b, place, out);
    if (!set_step(b, step->parts[step->count - 1], &y) ||
        (step->kind != SC_FORMULA_NEGATE && !set_step(b, step->parts[0], &x)) ||
        (step->kind == SC_FORMULA_DIVIDE && !invert(b, &y)))
        return false;
    if (step->kind == SC_FORMULA_MULTIPLY || step->kind == SC_FORMULA_DIVIDE)
        multiply(b, &x, &y, out);
    else
        add(b, &x, &y, step->kind != SC_FORMULA_ADD, out);
    cut(b, place, &out->value);
    return true;
}

/* How far h(Y) may be from h(y): by slopes in the range, and second derivatives in the box. */
static double distance(const sc_formula_smooth *smooth, const sc_noise *noises,
                       const node *within, const node *around)
{
    sc_noise_sum sum = {.count = 0};
    double steps = 0, rest = 0;
    for (size_t i = 0; i < smooth->count; i++) {
        const sc_noise *noise = &noises[smooth->numbers[i]];
        const double weight = size(within->slope[i]);
        for (size_t j = 0; j < smooth->count; j++)
            rest += size(around->second[i][j]) * smooth->radii[i] * smooth->radii[j] / 2;
        if (weight > 0) {
            sum.terms[sum.count] = noise;
            sum.weights[sum.count++] = weight;
            if (!noise->is_gaussian)
                steps += 2 * weight * noise->within;
        }
    }
    const double linear =
        sum.count == 0 ? 0 : sc_noise_sum_radius_upper(&sum, smooth->beta * 2 / 3);
    return (linear + steps + rest) * (1 + ROUNDING);
}

bool sc_formula_smooth_reach(const sc_formula_forms *forms,
                             const sc_formula_smooth *smooth, const sc_noise *noises,
                             const sc_int128 *numbers, double *low, double *high)
{
    node point, within, around;
    box b = {forms, smooth, numbers, IN_BOX};
    if (!set_step(&b, smooth->step, &around))
        return false;
    b.extent = IN_RANGE;
    bool is_known = set_step(&b, smooth->step, &within);
    b.extent = AT_Y;
    is_known = is_known && set_step(&b, smooth->step, &point);
    if (!is_known)
        return false;
    const double reach = distance(smooth, noises, &within, &around);
    *low = fmax(down(point.value.low - reach), within.value.low);
    *high = fmin(up(point.value.high + reach), within.value.high);
    return isfinite(*low) && isfinite(*high);
}
