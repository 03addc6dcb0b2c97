#include "solve/objective.h"

#include "base/memory.h"
#include "base/number/ball_double.h"

#include <math.h>
#include <string.h>

#define NODES 256 /* values are found by recursion, at most this deep */
#define DEPTH 64

typedef enum kind {
    NUMBER,
    COLUMN,
    ADD,
    MULTIPLY,
    DIVIDE,
    POWER,
    NEGATE,
    ABS,
    MAX,
    MIN,
    EXP,
    LOG,
    SQRT,
    NORM
} kind;

static const struct {
    const char *name;
    kind kind;
    bool takes_many;
} functions[] = {{"abs", ABS, false}, {"max", MAX, true},  {"min", MIN, true},
                 {"exp", EXP, false}, {"log", LOG, false}, {"sqrt", SQRT, false},
                 {"norm", NORM, true}};

/* Arguments are a list: the first of a node, and the next beside it. */
typedef struct node {
    kind kind;
    size_t first, beside; /* SIZE_MAX: none */
    double number;
    size_t column;
    int degree; /* of a polynomial: 0, 1, 2; 3: more, or none */
    bool is_convex, is_concave;
} node;

struct sc_objective {
    const sc_body *body;
    const sc_solid *solid;
    node nodes[NODES];
    size_t count, root;
};

typedef struct reader {
    sc_objective *objective;
    const char *start, *at;
    unsigned depth;
    scrim_error *error;
    scrim_status status;
} reader;

#define NONE SIZE_MAX

static size_t wrong(reader *r, scrim_status status, const char *what)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (r->status == SCRIM_OK && *r->at == '\0')
        r->status = sc_fail_for(r->error, status, SCRIM_REASON_SYNTAX, "objective",
                                "%s at the end of the function", what);
    if (r->status == SCRIM_OK)
        r->status = sc_fail_for(r->error, status, SCRIM_REASON_SYNTAX, "objective",
                                "%s at '%s' of the function", what,
                                sc_text_quote(sc_text_of(r->at), quote));
    return NONE;
}

static size_t make(reader *r, node made)
{
    if (r->objective->count == NODES)
        return wrong(r, SCRIM_E_LIMIT, "too many terms");
    made.beside = NONE;
    r->objective->nodes[r->objective->count] = made;
    return r->objective->count++;
}

static node *at(const reader *r, size_t index)
{
    return &r->objective->nodes[index];
}

static void skip(reader *r)
{
    while (*r->at == ' ' || *r->at == '\t')
        r->at++;
}

static bool take(reader *r, char c)
{
    skip(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

/* Curvature. */

static bool is_constant(const node *n)
{
    return n->degree == 0;
}

static bool is_affine(const node *n)
{
    return n->degree <= 1;
}

static size_t add(reader *r, size_t left, size_t right)
{
    const node *a = at(r, left), *b = at(r, right);
    const size_t made =
        make(r, (node){.kind = ADD,
                       .first = left,
                       .degree = a->degree > b->degree ? a->degree : b->degree,
                       .is_convex = a->is_convex && b->is_convex,
                       .is_concave = a->is_concave && b->is_concave});
    at(r, left)->beside = right;
    return made;
}

static size_t negate(reader *r, size_t of)
{
    const node *a = at(r, of);
    return make(r, (node){.kind = NEGATE,
                          .first = of,
                          .degree = a->degree,
                          .is_convex = a->is_concave,
                          .is_concave = a->is_convex});
}

/* The value of a constant node: its gradient is 0, so any place does. */
static double value_of(const sc_objective *o, size_t index, const double *x,
                       double *gradient);

static double constant_of(const reader *r, size_t index)
{
    static const double zero[SCRIM_BODY_DIMENSIONS];
    double gradient[SCRIM_BODY_DIMENSIONS];
    return value_of(r->objective, index, zero, gradient);
}

static void scale_curvature(node *made, const node *a, double factor)
{
    made->degree = a->degree;
    made->is_convex = factor >= 0 ? a->is_convex : a->is_concave;
    made->is_concave = factor >= 0 ? a->is_concave : a->is_convex;
}

static size_t multiply(reader *r, size_t left, size_t right)
{
    const node *a = at(r, left), *b = at(r, right);
    node made = {.kind = MULTIPLY, .first = left, .degree = a->degree + b->degree};
    if (is_constant(a))
        scale_curvature(&made, b, constant_of(r, left));
    else if (is_constant(b))
        scale_curvature(&made, a, constant_of(r, right));
    if (made.degree > 3)
        made.degree = 3;
    const size_t index = make(r, made);
    at(r, left)->beside = right;
    return index;
}

static size_t divide(reader *r, size_t left, size_t right)
{
    const node *a = at(r, left);
    node made = {.kind = DIVIDE, .first = left};
    if (!is_constant(at(r, right)))
        return wrong(r, SCRIM_E_PARAM, "a function may be divided by a number only,");
    const double by = constant_of(r, right);
    if (!(fabs(by) > 0))
        return wrong(r, SCRIM_E_PARAM, "division by 0");
    scale_curvature(&made, a, by);
    const size_t index = make(r, made);
    at(r, left)->beside = right;
    return index;
}

static size_t raise(reader *r, size_t base, size_t exponent)
{
    const node *a = at(r, base);
    const double power = is_constant(at(r, exponent)) ? constant_of(r, exponent) : 0;
    if (!(power >= 1 && power <= 64 && rint(power) >= power && rint(power) <= power))
        return wrong(r, SCRIM_E_PARAM, "an exponent must be a whole number from 1 to 64");
    node made = {.kind = POWER, .first = base, .number = power};
    made.degree = (double)a->degree * power > 2 ? 3 : a->degree * (int)power;
    made.is_convex = is_constant(a) || (is_affine(a) && fmod(power, 2) < 1) ||
                     (power < 2 && a->is_convex);
    made.is_concave = is_constant(a) || (power < 2 && a->is_concave);
    return make(r, made);
}

/* f(first, ...): are all arguments of this curvature? */
static bool all_of(const reader *r, size_t first, bool is_convex)
{
    for (size_t i = first; i != NONE; i = at(r, i)->beside)
        if (is_convex ? !at(r, i)->is_convex : !at(r, i)->is_concave)
            return false;
    return true;
}

static bool all_affine(const reader *r, size_t first, int degree)
{
    for (size_t i = first; i != NONE; i = at(r, i)->beside)
        if (at(r, i)->degree > degree)
            return false;
    return true;
}

static size_t apply(reader *r, kind what, size_t first)
{
    node made = {.kind = what, .first = first, .degree = 3};
    if (all_affine(r, first, 0)) {
        made.degree = 0;
        made.is_convex = made.is_concave = true;
    } else if (what == ABS || what == NORM) {
        made.is_convex = all_affine(r, first, 1);
    } else if (what == MAX || what == EXP) {
        made.is_convex = all_of(r, first, true);
    } else {
        made.is_concave = all_of(r, first, false);
    }
    return make(r, made);
}

/* Text. */

static size_t read_sum(reader *r);

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static sc_text take_name(reader *r)
{
    sc_text name = {r->at, 0};
    if (take(r, '"')) {
        name.start = r->at;
        while (*r->at != '"' && *r->at != '\0')
            r->at++;
        if (*r->at == '"')
            name.bytes = (size_t)(r->at++ - name.start);
        return name;
    }
    while (is_letter(*r->at) || sc_ascii_is_digit(*r->at))
        r->at++;
    name.bytes = (size_t)(r->at - name.start);
    return name;
}

static size_t read_call(reader *r, size_t which)
{
    size_t first = NONE, last = NONE, count = 0;
    do {
        const size_t next = read_sum(r);
        if (next == NONE)
            return NONE;
        if (first == NONE)
            first = next;
        else
            at(r, last)->beside = next;
        last = next;
        count++;
    } while (take(r, ','));
    if (!take(r, ')'))
        return wrong(r, SCRIM_E_SYNTAX, "a closing bracket is missing");
    if (count > 1 && !functions[which].takes_many)
        return wrong(r, SCRIM_E_SYNTAX, "one argument is enough");
    return apply(r, functions[which].kind, first);
}

static size_t unknown_name(reader *r, sc_text name, bool is_function)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_text_quote(name, quote);
    if (r->status == SCRIM_OK && is_function)
        r->status = sc_fail_for(r->error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "objective",
                                "unknown function '%s'; use abs, max, min, exp, log, "
                                "sqrt or norm",
                                quote);
    if (r->status == SCRIM_OK)
        r->status = sc_fail_for(r->error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN,
                                "objective", "'%s' is not a column of the body", quote);
    return NONE;
}

static size_t read_word(reader *r)
{
    const sc_body *body = r->objective->body;
    const bool is_quoted = *r->at == '"';
    const sc_text name = take_name(r);
    for (size_t i = 0; !is_quoted && i < sizeof functions / sizeof *functions; i++)
        if (sc_text_is(name, functions[i].name) && take(r, '('))
            return read_call(r, i);
    for (size_t j = 0; j < body->dimension; j++)
        if (sc_text_is(name, body->columns[j].name))
            return make(r, (node){.kind = COLUMN,
                                  .column = j,
                                  .degree = 1,
                                  .is_convex = true,
                                  .is_concave = true});
    return unknown_name(r, name, !is_quoted && take(r, '('));
}

/* Digits, a point and an exponent. */
static sc_text take_digits(reader *r)
{
    sc_text rest = sc_text_of(r->at), before = rest;
    (void)sc_text_take_digits(&rest);
    if (sc_text_take(&rest, '.'))
        (void)sc_text_take_digits(&rest);
    if (sc_text_take(&rest, 'e') || sc_text_take(&rest, 'E')) {
        if (!sc_text_take(&rest, '-'))
            (void)sc_text_take(&rest, '+');
        (void)sc_text_take_digits(&rest);
    }
    return (sc_text){before.start, before.bytes - rest.bytes};
}

static size_t read_number(reader *r)
{
    SC_OWN(sc_ratio, number);
    const sc_text digits = take_digits(r);
    if (sc_ratio_parse(digits, &number, NULL) != SCRIM_OK ||
        !isfinite(sc_ball_near(&number)))
        return wrong(r, SCRIM_E_SYNTAX, "a number is expected");
    r->at += digits.bytes;
    return make(r, (node){.kind = NUMBER,
                          .number = sc_ball_near(&number),
                          .is_convex = true,
                          .is_concave = true});
}

static size_t read_term(reader *r)
{
    skip(r);
    if (r->depth == DEPTH)
        return wrong(r, SCRIM_E_LIMIT, "too many brackets");
    if (take(r, '(')) {
        const size_t inner = read_sum(r);
        if (inner != NONE && !take(r, ')'))
            return wrong(r, SCRIM_E_SYNTAX, "a closing bracket is missing");
        return inner;
    }
    if (is_letter(*r->at) || *r->at == '"')
        return read_word(r);
    if (sc_ascii_is_digit(*r->at) || *r->at == '.')
        return read_number(r);
    return wrong(r, SCRIM_E_SYNTAX, "a number or a column is expected");
}

static size_t read_power(reader *r)
{
    const size_t base = read_term(r);
    if (base == NONE || !take(r, '^'))
        return base;
    const size_t exponent = read_term(r);
    return exponent == NONE ? NONE : raise(r, base, exponent);
}

static size_t read_signed(reader *r)
{
    bool is_negative = false;
    for (skip(r); *r->at == '-' || *r->at == '+'; skip(r))
        is_negative ^= *r->at++ == '-';
    const size_t of = read_power(r);
    return of == NONE || !is_negative ? of : negate(r, of);
}

static size_t read_product(reader *r)
{
    size_t left = read_signed(r);
    while (left != NONE) {
        const bool times = take(r, '*');
        if (!times && !take(r, '/'))
            return left;
        const size_t right = read_signed(r);
        if (right == NONE)
            return NONE;
        left = times ? multiply(r, left, right) : divide(r, left, right);
    }
    return NONE;
}

static size_t read_sum(reader *r)
{
    r->depth++;
    size_t left = read_product(r);
    while (left != NONE) {
        const bool plus = take(r, '+');
        if (!plus && !take(r, '-')) {
            r->depth--;
            return left;
        }
        size_t right = read_product(r);
        if (right != NONE && !plus)
            right = negate(r, right);
        if (right == NONE)
            return NONE;
        left = add(r, left, right);
    }
    return NONE;
}

static scrim_status read_all(reader *r)
{
    r->objective->root = read_sum(r);
    skip(r);
    if (r->objective->root != NONE && *r->at != '\0')
        (void)wrong(r, SCRIM_E_SYNTAX, "an operator is expected");
    if (r->status != SCRIM_OK)
        return r->status;
    const node *root = at(r, r->objective->root);
    return root->is_convex || root->degree <= 2
               ? SCRIM_OK
               : sc_fail_for(r->error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "objective",
                             "the function is not convex by its form; use sums of convex "
                             "terms such as abs, max, exp, norm and squares");
}

scrim_status sc_objective_parse(const sc_body *body, const char *text, sc_objective **out,
                                scrim_error *error)
{
    if (strlen(text) >= SC_OBJECTIVE_BYTES)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "objective",
                           "the function has more than %d bytes", SC_OBJECTIVE_BYTES - 1);
    sc_objective *o = sc_allocate(1, sizeof *o);
    if (o == NULL)
        return sc_no_memory(error, "a function");
    o->body = body;
    reader r = {o, text, text, 0, error, SCRIM_OK};
    const scrim_status status = read_all(&r);
    if (status == SCRIM_OK)
        *out = o;
    else
        sc_objective_free(o);
    return status;
}

void sc_objective_free(sc_objective *objective)
{
    sc_free(objective);
}

/* Values. */

static void times(double *gradient, double factor, size_t d)
{
    for (size_t j = 0; j < d; j++)
        gradient[j] *= factor;
}

static double root_of_squares(const sc_objective *o, const node *n, const double *x,
                              double *gradient)
{
    const size_t d = o->body->dimension;
    double sum = 0, part[SCRIM_BODY_DIMENSIONS];
    memset(gradient, 0, d * sizeof *gradient);
    for (size_t i = n->first; i != NONE; i = o->nodes[i].beside) {
        const double value = value_of(o, i, x, part);
        sum += value * value;
        sc_add_times(gradient, value, part, d);
    }
    const double root = sqrt(sum);
    times(gradient, root > 0 ? 1 / root : 0, d);
    return root;
}

static double extreme(const sc_objective *o, const node *n, const double *x, bool is_max,
                      double *gradient)
{
    const size_t d = o->body->dimension;
    double part[SCRIM_BODY_DIMENSIONS];
    double best = value_of(o, n->first, x, gradient);
    for (size_t i = o->nodes[n->first].beside; i != NONE; i = o->nodes[i].beside) {
        const double value = value_of(o, i, x, part);
        if (is_max ? value > best : value < best) {
            best = value;
            memcpy(gradient, part, d * sizeof *gradient);
        }
    }
    return best;
}

static double pair(const sc_objective *o, const node *n, const double *x,
                   double *gradient)
{
    const size_t d = o->body->dimension;
    double part[SCRIM_BODY_DIMENSIONS];
    const double left = value_of(o, n->first, x, gradient),
                 right = value_of(o, o->nodes[n->first].beside, x, part);
    if (n->kind == ADD) {
        sc_add_times(gradient, 1, part, d);
        return left + right;
    }
    if (n->kind == DIVIDE) {
        times(gradient, 1 / right, d);
        return left / right;
    }
    times(gradient, right, d);
    sc_add_times(gradient, left, part, d);
    return left * right;
}

/* f(value), with the chain rule for its gradient. */
static double outer(const node *n, double value, double *slope)
{
    const double power = n->number;
    double f = (double)NAN;
    *slope = (double)NAN;
    switch (n->kind) {
    case NEGATE:
        f = -value;
        *slope = -1;
        break;
    case POWER:
        f = pow(value, power);
        *slope = power * pow(value, power - 1);
        break;
    case ABS:
        f = fabs(value);
        *slope = value < 0 ? -1 : 1;
        break;
    case EXP:
        f = exp(value);
        *slope = f;
        break;
    case LOG:
        f = log(value);
        *slope = 1 / value;
        break;
    case SQRT:
        f = sqrt(value);
        *slope = 1 / (2 * f);
        break;
    case NUMBER:
    case COLUMN:
    case ADD:
    case MULTIPLY:
    case DIVIDE:
    case MAX:
    case MIN:
    case NORM:
        break;
    }
    return f;
}

static double value_of(const sc_objective *o, size_t index, const double *x,
                       double *gradient)
{
    const node *n = &o->nodes[index];
    const size_t d = o->body->dimension;
    if (n->kind == NUMBER || n->kind == COLUMN) {
        memset(gradient, 0, d * sizeof *gradient);
        if (n->kind == NUMBER)
            return n->number;
        gradient[n->column] = 1;
        return x[n->column];
    }
    if (n->kind == ADD || n->kind == MULTIPLY || n->kind == DIVIDE)
        return pair(o, n, x, gradient);
    if (n->kind == MAX || n->kind == MIN)
        return extreme(o, n, x, n->kind == MAX, gradient);
    if (n->kind == NORM)
        return root_of_squares(o, n, x, gradient);
    double slope;
    const double value = value_of(o, n->first, x, gradient);
    const double f = outer(n, value, &slope);
    times(gradient, slope, d);
    return f;
}

static double value_at(const void *context, const double *v, double *gradient)
{
    const sc_objective *o = context;
    double x[SCRIM_BODY_DIMENSIONS];
    sc_solid_columns(o->solid, v, x);
    const double value = value_of(o, o->root, x, gradient);
    for (size_t j = 0; j < o->body->dimension; j++)
        gradient[j] *= o->solid->scale[j];
    return value;
}

sc_convex_function sc_objective_function(sc_objective *o, const sc_solid *solid)
{
    const int degree = o->nodes[o->root].degree;
    o->solid = solid;
    return (sc_convex_function){value_at, o, degree == 0 ? 1 : degree > 2 ? 0 : degree};
}
