/* A rational n/d >= 0 taken apart for samplers: big integers, and machine words where they
 * fit. */
#ifndef SC_SAMPLING_FRACTION_H
#define SC_SAMPLING_FRACTION_H

#include "base/number/ratio.h"

typedef struct sc_fraction {
    sc_integer n, d;   /* d >= 1 */
    uint64_t n64, d64; /* the same, when is_small */
    bool is_small;     /* n and d are below 2^50 */
} sc_fraction;

#define SC_FRACTION_SMALL_BITS 50

/* In lowest terms. */
void sc_fraction_init(sc_fraction *out, const sc_ratio *value);
/* n/d as given, not reduced. */
void sc_fraction_init_integers(sc_fraction *out, const sc_integer *n,
                               const sc_integer *d);
void sc_fraction_clear(sc_fraction *x);

#endif
