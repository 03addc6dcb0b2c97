#include "mechanism/selection/weight_sum.h"

uint64_t sc_weight_sum_remainder(const sc_weight_sum *sum, uint64_t divisor)
{
    uint64_t rest = 0;
    for (int i = SC_WEIGHT_SUM_WORDS - 1; i >= 0; i--)
        rest = (uint64_t)(((sc_uint128)rest << 64 | sum->words[i]) % divisor);
    return rest;
}

/* So many bits as total - 1 has, so that more than half of the draws stay. */
static unsigned width_of(const sc_weight_sum *total)
{
    const sc_weight_sum one = {{1, 0, 0, 0}};
    sc_weight_sum last;
    (void)sc_weight_sum_sub(total, &one, &last);
    for (int i = SC_WEIGHT_SUM_WORDS - 1; i >= 0; i--)
        if (last.words[i] != 0)
            return 64u * (unsigned)i + sc_bit_length64(last.words[i]);
    return 0;
}

static scrim_status take(sc_bits *bits, unsigned width, sc_weight_sum *out,
                         scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (unsigned i = 0; status == SCRIM_OK && i < SC_WEIGHT_SUM_WORDS; i++) {
        unsigned left = width > 64 * i ? width - 64 * i : 0;
        out->words[i] = 0;
        status = sc_bits_take(bits, left < 64 ? left : 64, &out->words[i], error);
    }
    return status;
}

scrim_status sc_weight_sum_draw(sc_bits *bits, const sc_weight_sum *total,
                                sc_weight_sum *out, scrim_error *error)
{
    unsigned width = width_of(total);
    for (unsigned turn = 0; turn < SC_BITS_PATIENCE; turn++) {
        sc_weight_sum value, unused;
        scrim_status status = take(bits, width, &value, error);
        if (status != SCRIM_OK)
            return status;
        if (sc_weight_sum_sub(&value, total, &unused) != 0) {
            *out = value;
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}
