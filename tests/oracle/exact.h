/* Exact numbers from text, for tests; and balls held against printed decimals. */
#ifndef EXACT_H
#define EXACT_H

#include "check.h"
#include "sampling/bernoulli.h"
#include "sampling/law.h"

/* Each initialises out; a text that is not a number is a failed check, and gives 1. */
void exact_ratio(const char *text, sc_ratio *out);
void exact_fraction(const char *text, sc_fraction *out);
/* shape may be NULL. */
void exact_law(const sc_law_functions *functions, const char *shape, sc_int128 bound,
               sc_law *out);

/* Precision of the balls that are compared with printed numbers. */
#define EXACT_BITS 256L

/* Does the ball hold a number that is printed like this, and no other than such? The
 * printed decimal is rounded: half a unit of its last digit is allowed, and 1e-12 of it,
 * whichever is less. The ball must be accurate to 200 bits. */
#define CHECK_PRINTED(ball, printed)                                                     \
    exact_check_printed((ball), (printed), #ball, __FILE__, __LINE__)
bool exact_check_printed(const sc_ball *ball, const char *printed, const char *text,
                         const char *file, int line);
/* Do two enclosures of one number have a point in common, each accurate to `bits`
 * bits? */
#define CHECK_SAME(a, b, bits) exact_check_same((a), (b), (bits), #a, __FILE__, __LINE__)
bool exact_check_same(const sc_ball *a, const sc_ball *b, long bits, const char *text,
                      const char *file, int line);

#endif
