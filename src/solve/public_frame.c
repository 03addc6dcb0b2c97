#include "solve/public_frame.h"

#include "base/hash.h"
#include "solve/half_spaces.h"

#include <math.h>

static const sc_hash_key key = {UINT64_C(0x626f64792066726d), UINT64_C(1)};

static double unit(const sc_hash_half *half, uint64_t place)
{
    return ldexp((double)(sc_hash_second(half, place) >> 11) + 0.5, -53);
}

void sc_public_frame(size_t d, uint64_t index, double *rows)
{
    const sc_hash_half half = sc_hash_first(&key, index * 64 + d);
    for (size_t i = 0; i < d; i++) {
        double *row = rows + i * d;
        for (size_t j = 0; j < d; j++) {
            const uint64_t place = 2 * (i * d + j);
            row[j] = sqrt(-2 * log(unit(&half, place))) *
                     cos(2 * acos(-1) * unit(&half, place + 1));
        }
        for (unsigned turn = 0; turn < 2; turn++)
            for (size_t k = 0; k < i; k++)
                sc_add_times(row, -sc_dot(rows + k * d, row, d), rows + k * d, d);
        const double length = sc_norm(row, d);
        for (size_t j = 0; j < d; j++)
            row[j] /= length;
    }
}
