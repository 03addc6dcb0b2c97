/* Numbers that are known exactly, or as a ball that contains them, and their functions.
 *
 * A result is exact if it is rational and known to be, and a ball otherwise. out may be one of the
 * arguments. */
#ifndef LAB_QUANTITY_H
#define LAB_QUANTITY_H

#include <arb.h>
#include <flint/fmpq.h>
#include <stdbool.h>
#include <stdint.h>

/* Precision of all balls. */
#define LAB_QUANTITY_BITS 256
/* Most significant digits of a value that is shown; as many as the test vectors have. */
#define LAB_QUANTITY_DIGITS 17
#define LAB_QUANTITY_TEXT_BYTES 64
/* Exponents, and the n of a binomial coefficient, are at most this. */
#define LAB_QUANTITY_LIMIT 2000000

typedef struct lab_quantity {
    bool is_exact;
    fmpq_t exact; /* if is_exact */
    arb_t ball;   /* otherwise */
} lab_quantity;

void lab_quantity_init(lab_quantity *out); /* 0, exactly */
void lab_quantity_clear(lab_quantity *x);
/* Declares a quantity that is 0, and cleared at the end of its block. */
#define LAB_QUANTITY(name)                                                               \
    __attribute__((cleanup(lab_quantity_clear))) lab_quantity name;                      \
    lab_quantity_init(&(name))

void lab_quantity_set(lab_quantity *out, const lab_quantity *x);
void lab_quantity_set_int64(lab_quantity *out, int64_t value);
/* Reads the first `bytes` characters: an integer, a decimal "0.1", either with an exponent "1e-9", a
 * fraction "1/3", or a power "2^-40". False if they have another form or are longer than 80. */
bool lab_quantity_parse(lab_quantity *out, const char *text, size_t bytes);
/* As a ball, exact or not. */
void lab_quantity_ball(const lab_quantity *x, arb_t out);
/* The smallest double that is not below x. */
double lab_quantity_upper(const lab_quantity *x);
/* True, with the value stored, if x is an exact integer of 64 bits. */
bool lab_quantity_int64(const lab_quantity *x, int64_t *out);
/* Stores the sign of a - b and returns true, if that is certain. */
bool lab_quantity_compare(const lab_quantity *a, const lab_quantity *b, int *out);
/* A short exact text, or a decimal with the digits that are certain, rounded to nearest. */
void lab_quantity_format(const lab_quantity *x, char text[LAB_QUANTITY_TEXT_BYTES]);

void lab_quantity_add(lab_quantity *out, const lab_quantity *a, const lab_quantity *b);
void lab_quantity_sub(lab_quantity *out, const lab_quantity *a, const lab_quantity *b);
void lab_quantity_mul(lab_quantity *out, const lab_quantity *a, const lab_quantity *b);
void lab_quantity_negate(lab_quantity *x);
/* False if there is no finite value. */
bool lab_quantity_div(lab_quantity *out, const lab_quantity *a, const lab_quantity *b);
bool lab_quantity_power(lab_quantity *out, const lab_quantity *a, const lab_quantity *b);

/* A function of one or two arguments: replaces x[0] by its value at x[0], or at x[0] and x[1]. x has
 * two members, and x[1] may be overwritten. False if there is no finite value, or it is uncertain. */
typedef bool lab_quantity_function(lab_quantity x[2]);
lab_quantity_function lab_quantity_exp, lab_quantity_ln, lab_quantity_sqrt,
    lab_quantity_abs, lab_quantity_floor, lab_quantity_ceil, lab_quantity_min,
    lab_quantity_max;
lab_quantity_function lab_quantity_binomial;
/* The upper tail of the standard normal distribution. */
lab_quantity_function lab_quantity_normal_tail;
/* The ball of all numbers at most x[1] from x[0]: a sum that stands for an integral or a series, with
 * a proved bound of its error. */
lab_quantity_function lab_quantity_within;

#endif
