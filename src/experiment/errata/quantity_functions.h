/* Arithmetic and functions of quantities: exact where the result is rational and known to be, a ball that
 * holds it otherwise. out may be one of the arguments. */
#ifndef SC_EXPERIMENT_QUANTITY_FUNCTIONS_H
#define SC_EXPERIMENT_QUANTITY_FUNCTIONS_H

#include "experiment/errata/quantity.h"

/* The most arguments that a function below takes. */
#define SC_QUANTITY_ARGUMENTS 2
/* Exponents, and the n of a binomial coefficient, are at most this. */
#define SC_QUANTITY_LIMIT 2000000

void sc_quantity_add(sc_quantity *out, const sc_quantity *a, const sc_quantity *b);
void sc_quantity_sub(sc_quantity *out, const sc_quantity *a, const sc_quantity *b);
void sc_quantity_mul(sc_quantity *out, const sc_quantity *a, const sc_quantity *b);
void sc_quantity_negate(sc_quantity *x);
/* False if there is no finite value. */
bool sc_quantity_div(sc_quantity *out, const sc_quantity *a, const sc_quantity *b);
bool sc_quantity_power(sc_quantity *out, const sc_quantity *a, const sc_quantity *b);

/* Each replaces x[0] by its value at x[0], or at x[0] and x[1]; x has SC_QUANTITY_ARGUMENTS members, and
 * x[1] may be overwritten. False if there is no finite value, or it cannot be told. */
bool sc_take_exp(sc_quantity *x);
bool sc_take_ln(sc_quantity *x);
bool sc_take_sqrt(sc_quantity *x);
bool sc_take_abs(sc_quantity *x);
bool sc_take_floor(sc_quantity *x);
bool sc_take_ceil(sc_quantity *x);
bool sc_take_min(sc_quantity *x);
bool sc_take_max(sc_quantity *x);
bool sc_take_binomial(sc_quantity *x);
/* The upper tail of the standard normal distribution. */
bool sc_take_normal_tail(sc_quantity *x);
/* All that lies at most x[1] from x[0]. */
bool sc_take_within(sc_quantity *x);

#endif
