/* Formulas of the errata: text such as "(exp(eps) - 1)/(2*(exp(eps*q/2) - 1))", computed exactly
 * where it is rational and in balls otherwise. The text that is computed is the text that is shown.
 *
 *     sum      = product {(+|-) product}
 *     product  = sign {(*|/) sign}
 *     sign     = - sign | power
 *     power    = value [^ sign]
 *     value    = number | name | name(sum, ...) | (sum)
 *
 * Functions: exp, ln, sqrt, abs, floor, ceil, min, max, C (binomial coefficient), Q (upper tail of
 * the standard normal distribution), within (a value and a proved bound on its error), and those that
 * bind a name:
 *
 *     sum(k, a, b, f)    of the values at the integers from a to b
 *     prod(k, a, b, f)   their product
 *     least(k, a, b, f)  the smallest of these integers with f of at most 0
 *     root(x, a, b, f)   where f changes its sign between a and b
 *     most(k, a, b, f)   the largest value at the integers from a to b
 */
#ifndef LAB_ERRATA_EXACT_FORMULA_H
#define LAB_ERRATA_EXACT_FORMULA_H

#include "lab/quantity.h"

#include <stddef.h>

#define LAB_FORMULA_NAMES 48
#define LAB_FORMULA_NAME_BYTES 16

typedef struct lab_formula_scope {
    char names[LAB_FORMULA_NAMES][LAB_FORMULA_NAME_BYTES];
    lab_quantity values[LAB_FORMULA_NAMES];
    size_t count;
} lab_formula_scope;

void lab_formula_scope_init(lab_formula_scope *scope);
void lab_formula_scope_clear(lab_formula_scope *scope);
/* Adds a name. False if there is no room for it. */
bool lab_formula_bind(lab_formula_scope *scope, const char *name,
                      const lab_quantity *value);
/* False if the text is no formula, a name is unknown, or a value is not defined. The names that it
 * binds itself are gone afterwards. */
bool lab_formula_evaluate(lab_formula_scope *scope, const char *text, lab_quantity *out);

#endif
