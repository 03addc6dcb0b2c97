/* Local hashing of a value by its digits: a hash function of a family drawn on the device, and randomised
 * response over its g cells, g prime.
 *
 *     s = uniform(g^m);  h = sum of products of the digits of s and of the value, mod g
 *     y = randomised response of h over g cells
 *
 * Two values share a cell with probability exactly 1/g over s, which the decoder relies on; s = 0 is one
 * of the functions.
 */
#ifndef SL_HASHING_ENCODER_H
#define SL_HASHING_ENCODER_H

#include "local/device/kind.h"

extern const sl_kind sl_hashing;

/* The cell of a value below g^digits under function s. */
static inline uint32_t sl_hashing_cell(sl_small g, uint32_t digits, uint32_t s,
                                       uint32_t x)
{
    uint32_t sum = 0;
    for (; digits > 0; digits--) {
        uint32_t left, right;
        s = sl_small_divide(g, s, &left);
        x = sl_small_divide(g, x, &right);
        sum += left * right;
    }
    return sl_small_modulo(g, sum);
}

#endif
