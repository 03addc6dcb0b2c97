#include "sampling/fraction.h"

static void set_words(sc_fraction *x)
{
    x->is_small = sc_integer_bits(&x->n) <= SC_FRACTION_SMALL_BITS &&
                  sc_integer_bits(&x->d) <= SC_FRACTION_SMALL_BITS &&
                  sc_integer_get_uint64(&x->n, &x->n64) &&
                  sc_integer_get_uint64(&x->d, &x->d64);
}

void sc_fraction_init(sc_fraction *out, const sc_ratio *value)
{
    out->n64 = out->d64 = 0;
    sc_integer_init(&out->n);
    sc_integer_init(&out->d);
    sc_ratio_numerator(value, &out->n);
    sc_ratio_denominator(value, &out->d);
    set_words(out);
}

void sc_fraction_init_integers(sc_fraction *out, const sc_integer *n, const sc_integer *d)
{
    out->n64 = out->d64 = 0;
    sc_integer_init(&out->n);
    sc_integer_init(&out->d);
    sc_integer_set(&out->n, n);
    sc_integer_set(&out->d, d);
    set_words(out);
}

void sc_fraction_clear(sc_fraction *x)
{
    sc_integer_clear(&x->n);
    sc_integer_clear(&x->d);
}
