#include "lab/errata/exact_formula.h"

#include <stdio.h>
#include <string.h>

#define BITS LAB_QUANTITY_BITS
#define BISECTIONS 160
/* A loop over more integers is a mistake of the formula. */
#define LOOP_LIMIT LAB_QUANTITY_LIMIT
#define ARGUMENTS 2
#define DEPTH_LIMIT 64

typedef struct reader {
    lab_formula_scope *scope;
    const char *at;
    unsigned depth;
} reader;

void lab_formula_scope_init(lab_formula_scope *scope)
{
    scope->count = 0;
}

void lab_formula_scope_clear(lab_formula_scope *scope)
{
    while (scope->count > 0)
        lab_quantity_clear(&scope->values[--scope->count]);
}

bool lab_formula_bind(lab_formula_scope *scope, const char *name,
                      const lab_quantity *value)
{
    if (scope->count == LAB_FORMULA_NAMES || strlen(name) >= LAB_FORMULA_NAME_BYTES)
        return false;
    snprintf(scope->names[scope->count], LAB_FORMULA_NAME_BYTES, "%s", name);
    lab_quantity_init(&scope->values[scope->count]);
    lab_quantity_set(&scope->values[scope->count], value);
    scope->count++;
    return true;
}

typedef struct value_function {
    const char *name;
    size_t arguments;
    lab_quantity_function *take;
} value_function;

static const value_function value_functions[] = {
    {"exp", 1, lab_quantity_exp},       {"ln", 1, lab_quantity_ln},
    {"sqrt", 1, lab_quantity_sqrt},     {"abs", 1, lab_quantity_abs},
    {"floor", 1, lab_quantity_floor},   {"ceil", 1, lab_quantity_ceil},
    {"min", 2, lab_quantity_min},       {"max", 2, lab_quantity_max},
    {"C", 2, lab_quantity_binomial},    {"Q", 1, lab_quantity_normal_tail},
    {"within", 2, lab_quantity_within},
};

/* Reading. */

static bool read_sum(reader *r, lab_quantity *out);

static void skip_blanks(reader *r)
{
    while (*r->at == ' ')
        r->at++;
}

static bool take_mark(reader *r, char mark)
{
    skip_blanks(r);
    if (*r->at != mark)
        return false;
    r->at++;
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool read_number(reader *r, lab_quantity *out)
{
    const char *end = r->at;
    while (is_digit(*end) || *end == '.')
        end++;
    if (*end == 'e' && (is_digit(end[1]) || (end[1] == '-' && is_digit(end[2]))))
        for (end += 2; is_digit(*end);)
            end++;
    const char *begin = r->at;
    r->at = end;
    return lab_quantity_parse(out, begin, (size_t)(end - begin));
}

static bool read_name(reader *r, char name[LAB_FORMULA_NAME_BYTES])
{
    size_t length = 0;
    skip_blanks(r);
    while (is_letter(r->at[length]) || (length > 0 && is_digit(r->at[length])))
        length++;
    if (length == 0 || length >= LAB_FORMULA_NAME_BYTES)
        return false;
    memcpy(name, r->at, length);
    name[length] = '\0';
    r->at += length;
    return true;
}

static bool find_name(const lab_formula_scope *scope, const char *name, lab_quantity *out)
{
    for (size_t i = scope->count; i-- > 0;)
        if (strcmp(scope->names[i], name) == 0) {
            lab_quantity_set(out, &scope->values[i]);
            return true;
        }
    if (strcmp(name, "pi") != 0)
        return false;
    arb_const_pi(out->ball, BITS);
    out->is_exact = false;
    return true;
}

/* Functions that bind a name. */

typedef struct binding {
    reader *r;
    const char *body; /* the formula of the bound name */
    lab_quantity from, to;
} binding;

static bool body_at(const binding *b, const lab_quantity *value, lab_quantity *out)
{
    lab_formula_scope *scope = b->r->scope;
    const unsigned depth = b->r->depth;
    lab_quantity_set(&scope->values[scope->count - 1], value);
    b->r->at = b->body;
    const bool is_read = read_sum(b->r, out);
    b->r->depth = depth;
    return is_read;
}

/* Calls visit at each integer from from to to, until it returns false. */
static bool visit_integers(const binding *b,
                           bool (*visit)(lab_quantity *out, const lab_quantity *value,
                                         int64_t k),
                           lab_quantity *out)
{
    int64_t from, to;
    LAB_QUANTITY(place);
    LAB_QUANTITY(value);
    if (!lab_quantity_int64(&b->from, &from) || !lab_quantity_int64(&b->to, &to) ||
        to - from > LOOP_LIMIT)
        return false;
    for (int64_t k = from; k <= to; k++) {
        lab_quantity_set_int64(&place, k);
        if (!body_at(b, &place, &value))
            return false;
        if (!visit(out, &value, k))
            break;
    }
    return true;
}

static bool add_value(lab_quantity *out, const lab_quantity *value, int64_t k)
{
    (void)k;
    lab_quantity_add(out, out, value);
    return true;
}

static bool multiply_value(lab_quantity *out, const lab_quantity *value, int64_t k)
{
    (void)k;
    lab_quantity_mul(out, out, value);
    return true;
}

static bool keep_integer(lab_quantity *out, const lab_quantity *value, int64_t k)
{
    int sign;
    LAB_QUANTITY(zero);
    lab_quantity_set_int64(out, k);
    return !lab_quantity_compare(value, &zero, &sign) || sign > 0;
}

static bool keep_largest(lab_quantity *out, const lab_quantity *value, int64_t k)
{
    lab_quantity pair[2];
    (void)k;
    lab_quantity_init(&pair[0]);
    lab_quantity_init(&pair[1]);
    lab_quantity_set(&pair[0], out);
    lab_quantity_set(&pair[1], value);
    (void)lab_quantity_max(pair);
    lab_quantity_set(out, &pair[0]);
    lab_quantity_clear(&pair[0]);
    lab_quantity_clear(&pair[1]);
    return true;
}

static bool bind_sum(const binding *b, lab_quantity *out)
{
    lab_quantity_set_int64(out, 0);
    return visit_integers(b, add_value, out);
}

static bool bind_product(const binding *b, lab_quantity *out)
{
    lab_quantity_set_int64(out, 1);
    return visit_integers(b, multiply_value, out);
}

/* There must be one: the last of the integers may have been reached without it. */
static bool bind_least(const binding *b, lab_quantity *out)
{
    int sign;
    LAB_QUANTITY(value);
    LAB_QUANTITY(zero);
    return visit_integers(b, keep_integer, out) && body_at(b, out, &value) &&
           lab_quantity_compare(&value, &zero, &sign) && sign <= 0;
}

static bool bind_most(const binding *b, lab_quantity *out)
{
    LAB_QUANTITY(first);
    return body_at(b, &b->from, &first) &&
           (lab_quantity_set(out, &first), visit_integers(b, keep_largest, out));
}

static bool sign_at(const binding *b, const lab_quantity *place, int *sign)
{
    LAB_QUANTITY(value);
    LAB_QUANTITY(zero);
    return body_at(b, place, &value) && lab_quantity_compare(&value, &zero, sign);
}

/* Halves the interval while the sign in its middle is certain; the root lies in what is left. */
static bool bind_root(const binding *b, lab_quantity *out)
{
    int low_sign, high_sign, sign;
    LAB_QUANTITY(low);
    LAB_QUANTITY(high);
    LAB_QUANTITY(middle);
    LAB_QUANTITY(two);
    lab_quantity_set(&low, &b->from);
    lab_quantity_set(&high, &b->to);
    lab_quantity_set_int64(&two, 2);
    if (!sign_at(b, &low, &low_sign) || !sign_at(b, &high, &high_sign) ||
        low_sign == high_sign)
        return false;
    for (int i = 0; i < BISECTIONS; i++) {
        lab_quantity_add(&middle, &low, &high);
        if (!lab_quantity_div(&middle, &middle, &two) || !sign_at(b, &middle, &sign))
            break;
        lab_quantity_set(sign == low_sign ? &low : &high, &middle);
    }
    lab_quantity_ball(&low, out->ball);
    lab_quantity_ball(&high, high.ball);
    arb_union(out->ball, out->ball, high.ball, BITS);
    out->is_exact = false;
    return true;
}

typedef struct binding_function {
    const char *name;
    bool (*take)(const binding *b, lab_quantity *out);
} binding_function;

static const binding_function binding_functions[] = {
    {"sum", bind_sum},   {"prod", bind_product}, {"least", bind_least},
    {"most", bind_most}, {"root", bind_root},
};

/* Behind a body that may not have been read: its closing bracket. */
static const char *end_of_body(const char *at)
{
    for (unsigned open = 0; *at != '\0'; at++) {
        if (*at == ')' && open == 0)
            return at;
        open += *at == '(';
        open -= *at == ')';
    }
    return at;
}

static bool read_binding(reader *r, const binding_function *function, lab_quantity *out)
{
    char name[LAB_FORMULA_NAME_BYTES];
    binding b = {.r = r};
    lab_quantity_init(&b.from);
    lab_quantity_init(&b.to);
    bool is_read = read_name(r, name) && take_mark(r, ',') && read_sum(r, &b.from) &&
                   take_mark(r, ',') && read_sum(r, &b.to) && take_mark(r, ',');
    if (is_read) {
        LAB_QUANTITY(result);
        b.body = r->at;
        is_read = lab_formula_bind(r->scope, name, &b.from);
        if (is_read) {
            is_read = function->take(&b, &result);
            lab_quantity_clear(&r->scope->values[--r->scope->count]);
        }
        lab_quantity_set(out, &result);
        r->at = end_of_body(b.body);
        is_read = is_read && take_mark(r, ')');
    }
    lab_quantity_clear(&b.from);
    lab_quantity_clear(&b.to);
    return is_read;
}

static bool read_arguments(reader *r, const value_function *function, lab_quantity *out)
{
    lab_quantity x[ARGUMENTS];
    bool is_read = true;
    for (size_t i = 0; i < ARGUMENTS; i++)
        lab_quantity_init(&x[i]);
    for (size_t i = 0; i < function->arguments && is_read; i++)
        is_read = (i == 0 || take_mark(r, ',')) && read_sum(r, &x[i]);
    is_read = is_read && take_mark(r, ')') && function->take(x);
    lab_quantity_set(out, &x[0]);
    for (size_t i = 0; i < ARGUMENTS; i++)
        lab_quantity_clear(&x[i]);
    return is_read;
}

static bool read_call(reader *r, const char *name, lab_quantity *out)
{
    for (size_t i = 0; i < sizeof value_functions / sizeof *value_functions; i++)
        if (strcmp(value_functions[i].name, name) == 0)
            return read_arguments(r, &value_functions[i], out);
    for (size_t i = 0; i < sizeof binding_functions / sizeof *binding_functions; i++)
        if (strcmp(binding_functions[i].name, name) == 0)
            return read_binding(r, &binding_functions[i], out);
    return false;
}

static bool read_value(reader *r, lab_quantity *out)
{
    char name[LAB_FORMULA_NAME_BYTES];
    skip_blanks(r);
    if (is_digit(*r->at))
        return read_number(r, out);
    if (take_mark(r, '('))
        return read_sum(r, out) && take_mark(r, ')');
    if (!read_name(r, name))
        return false;
    return take_mark(r, '(') ? read_call(r, name, out) : find_name(r->scope, name, out);
}

static bool read_sign(reader *r, lab_quantity *out)
{
    LAB_QUANTITY(base);
    LAB_QUANTITY(exponent);
    if (take_mark(r, '-')) {
        if (!read_sign(r, out))
            return false;
        lab_quantity_negate(out);
        return true;
    }
    if (!read_value(r, &base))
        return false;
    if (take_mark(r, '^'))
        return read_sign(r, &exponent) && lab_quantity_power(out, &base, &exponent);
    lab_quantity_set(out, &base);
    return true;
}

static bool read_product(reader *r, lab_quantity *out)
{
    LAB_QUANTITY(left);
    LAB_QUANTITY(right);
    bool is_read = read_sign(r, &left);
    while (is_read) {
        if (take_mark(r, '*')) {
            is_read = read_sign(r, &right);
            lab_quantity_mul(&left, &left, &right);
        } else if (take_mark(r, '/')) {
            is_read = read_sign(r, &right) && lab_quantity_div(&left, &left, &right);
        } else {
            break;
        }
    }
    lab_quantity_set(out, &left);
    return is_read;
}

static bool read_sum(reader *r, lab_quantity *out)
{
    LAB_QUANTITY(left);
    LAB_QUANTITY(right);
    if (++r->depth > DEPTH_LIMIT)
        return false;
    bool is_read = read_product(r, &left);
    while (is_read) {
        if (take_mark(r, '+')) {
            is_read = read_product(r, &right);
            lab_quantity_add(&left, &left, &right);
        } else if (take_mark(r, '-')) {
            is_read = read_product(r, &right);
            lab_quantity_sub(&left, &left, &right);
        } else {
            break;
        }
    }
    r->depth--;
    lab_quantity_set(out, &left);
    return is_read;
}

bool lab_formula_evaluate(lab_formula_scope *scope, const char *text, lab_quantity *out)
{
    reader r = {.scope = scope, .at = text};
    LAB_QUANTITY(result);
    if (!read_sum(&r, &result))
        return false;
    skip_blanks(&r);
    if (*r.at != '\0')
        return false;
    lab_quantity_set(out, &result);
    return true;
}
