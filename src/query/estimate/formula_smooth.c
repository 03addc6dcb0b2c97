#include "query/estimate/formula_smooth.h"

#include "base/own.h"
#include "query/estimate/real_digits.h"

#include <math.h>

/* Steps below the whole down to forms, one below the other. */
#define DEPTH 16
/* What doubles may have lost of a radius. */
#define ROUNDING 0x1p-40

/* Which steps. */

static bool has_number(const sc_formula_forms *f, size_t factor, size_t number)
{
    return sc_ratio_sign(&f->forms[factor].top[number]) != 0;
}

bool sc_formula_smooth_has(const sc_formula_forms *f, const sc_formula_smooth *smooth,
                           size_t number)
{
    for (size_t i = 0; i < smooth->count; i++)
        if (has_number(f, smooth->factors[i], number))
            return true;
    return false;
}

/* Where a sum is among the factors; count: it is not. */
static size_t factor_of(const sc_formula_forms *f, const sc_formula_smooth *smooth,
                        size_t place)
{
    size_t at = 0;
    while (at < smooth->count &&
           !sc_form_equal(f, &f->forms[smooth->factors[at]], &f->forms[place]))
        at++;
    return at;
}

static bool add_factor(const sc_formula_forms *f, size_t place, sc_formula_smooth *out)
{
    if (!sc_form_has_numbers(f, f->forms[place].top) ||
        factor_of(f, out, place) < out->count)
        return true;
    for (size_t i = 0; i < f->count; i++)
        if (has_number(f, place, i) && sc_formula_smooth_has(f, out, i))
            return false;
    if (out->count == SC_SMOOTH_FACTORS)
        return false;
    out->factors[out->count++] = place;
    return true;
}

static bool collect(const sc_formula_forms *f, size_t place, unsigned depth,
                    sc_formula_smooth *out)
{
    const sc_formula_step *step = &f->formula->steps[place];
    if (f->forms[place].kind != SC_FORM_OTHER)
        return f->forms[place].kind == SC_FORM_SUM && add_factor(f, place, out);
    if (depth == 0 ||
        (step->kind != SC_FORMULA_NEGATE && step->kind != SC_FORMULA_ADD &&
         step->kind != SC_FORMULA_SUBTRACT && step->kind != SC_FORMULA_MULTIPLY &&
         step->kind != SC_FORMULA_DIVIDE))
        return false;
    /* Only by a number: the interval of a quotient has a rule of its own. */
    if (step->kind == SC_FORMULA_DIVIDE) {
        const sc_form *divisor = &f->forms[step->parts[1]];
        if (divisor->kind != SC_FORM_SUM || sc_form_has_numbers(f, divisor->top) ||
            sc_ratio_sign(&divisor->top[f->count]) == 0)
            return false;
    }
    for (size_t i = 0; i < step->count; i++)
        if (!collect(f, step->parts[i], depth - 1, out))
            return false;
    return true;
}

bool sc_formula_smooth_find(const sc_formula_forms *f, size_t step,
                            sc_formula_smooth *out)
{
    *out = (sc_formula_smooth){.step = step};
    return f->forms[step].kind == SC_FORM_OTHER && collect(f, step, DEPTH, out) &&
           out->count >= 2;
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
    return (span){-sc_real_upper(&negative), sc_real_upper(x)};
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

static double size(span a)
{
    return fmax(fabs(a.low), fabs(a.high));
}

/* A step with its slopes and second derivatives, all of them over a box. */

typedef struct node {
    span value, slope[SC_SMOOTH_FACTORS], second[SC_SMOOTH_FACTORS][SC_SMOOTH_FACTORS];
} node;

typedef struct box {
    const sc_formula_forms *forms;
    const sc_formula_smooth *smooth;
    const sc_int128 *numbers;
    bool is_point; /* about Y alone */
} box;

static void set_sum(const box *b, size_t place, node *out)
{
    const size_t own = factor_of(b->forms, b->smooth, place);
    SC_OWN(sc_ratio, value);
    *out = (node){.value = {0, 0}};
    sc_form_value(b->forms, b->forms->forms[place].top, b->numbers, &value);
    out->value = span_of(&value);
    if (own == b->smooth->count)
        return;
    const double r = b->is_point ? 0 : b->smooth->radii[own];
    out->slope[own] = (span){1, 1};
    out->value = plus(out->value, (span){-r, r});
}

static void add(const box *b, const node *x, const node *y, bool is_minus, node *out)
{
    span (*const join)(span, span) = is_minus ? minus : plus;
    out->value = join(x->value, y->value);
    for (size_t i = 0; i < b->smooth->count; i++) {
        out->slope[i] = join(x->slope[i], y->slope[i]);
        for (size_t j = 0; j < b->smooth->count; j++)
            out->second[i][j] = join(x->second[i][j], y->second[i][j]);
    }
}

static void multiply(const box *b, const node *x, const node *y, node *out)
{
    out->value = times(x->value, y->value);
    for (size_t i = 0; i < b->smooth->count; i++) {
        out->slope[i] = plus(times(x->slope[i], y->value), times(x->value, y->slope[i]));
        for (size_t j = 0; j < b->smooth->count; j++)
            out->second[i][j] = plus(
                plus(times(x->second[i][j], y->value), times(x->value, y->second[i][j])),
                plus(times(x->slope[i], y->slope[j]), times(x->slope[j], y->slope[i])));
    }
}

static void set_step(const box *b, size_t place, node *out)
{
    const sc_formula_step *step = &b->forms->formula->steps[place];
    node x = {.value = {0, 0}}, y;
    if (b->forms->forms[place].kind == SC_FORM_SUM) {
        set_sum(b, place, out);
        return;
    }
    set_step(b, step->parts[step->count - 1], &y);
    if (step->kind != SC_FORMULA_NEGATE)
        set_step(b, step->parts[0], &x);
    if (step->kind == SC_FORMULA_DIVIDE)
        y.value = (span){down(1 / y.value.high), up(1 / y.value.low)};
    if (step->kind == SC_FORMULA_MULTIPLY || step->kind == SC_FORMULA_DIVIDE)
        multiply(b, &x, &y, out);
    else
        add(b, &x, &y, step->kind != SC_FORMULA_ADD, out);
}

/* How far h(Y) may be from h(y). */
static double distance(const sc_formula_forms *f, const sc_formula_smooth *smooth,
                       const sc_noise *noises, const node *at)
{
    sc_noise_sum sum = {.count = 0};
    double steps = 0, rest = 0;
    for (size_t i = 0; i < smooth->count; i++) {
        const sc_ratio *weights = f->forms[smooth->factors[i]].top;
        for (size_t j = 0; j < smooth->count; j++)
            rest += size(at->second[i][j]) * smooth->radii[i] * smooth->radii[j] / 2;
        for (size_t n = 0; n < f->count; n++) {
            const double weight = size(at->slope[i]) * size(span_of(&weights[n]));
            if (weight > 0) {
                sum.terms[sum.count] = &noises[n];
                sum.weights[sum.count++] = weight;
                if (!noises[n].is_gaussian)
                    steps += 2 * weight * noises[n].within;
            }
        }
    }
    const double linear =
        sum.count == 0 ? 0 : sc_noise_sum_radius_upper(&sum, smooth->beta * 2 / 3);
    return (linear + steps + rest) * (1 + ROUNDING);
}

void sc_formula_smooth_reach(const sc_formula_forms *forms,
                             const sc_formula_smooth *smooth, const sc_noise *noises,
                             const sc_int128 *numbers, double *low, double *high)
{
    node point, around;
    box b = {forms, smooth, numbers, true};
    set_step(&b, smooth->step, &point);
    b.is_point = false;
    set_step(&b, smooth->step, &around);
    const double reach = distance(forms, smooth, noises, &around);
    *low = fmax(down(point.value.low - reach), around.value.low);
    *high = fmin(up(point.value.high + reach), around.value.high);
}
