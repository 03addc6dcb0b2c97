#include "attack/bit_sums.h"

#include "attack/attack_scene.h"

#include <math.h>
#include <string.h>

/* Multiplies by the Hadamard matrix, in place. */
static void transform(int64_t values[SC_BIT_SUMS_QUERIES])
{
    for (size_t half = 1; half < SC_BIT_SUMS_QUERIES; half *= 2)
        for (size_t block = 0; block < SC_BIT_SUMS_QUERIES; block += 2 * half)
            for (size_t i = block; i < block + half; i++) {
                const int64_t left = values[i], right = values[i + half];
                values[i] = left + right;
                values[i + half] = left - right;
            }
}

void sc_bit_sums_ask(const unsigned char bits[SC_BIT_SUMS_PEOPLE],
                     int64_t sums[SC_BIT_SUMS_QUERIES])
{
    memset(sums, 0, SC_BIT_SUMS_QUERIES * sizeof *sums);
    for (size_t i = 0; i < SC_BIT_SUMS_PEOPLE; i++)
        sums[i + 1] = bits[i];
    transform(sums);
    /* Sum of the bits with a plus: half of the sum of all and of the signed sum. */
    const int64_t all = sums[0];
    for (size_t j = 0; j < SC_BIT_SUMS_QUERIES; j++)
        sums[j] = (all + sums[j]) / 2;
}

int sc_bit_sums_recovered(const int64_t sums[SC_BIT_SUMS_QUERIES],
                          const unsigned char bits[SC_BIT_SUMS_PEOPLE])
{
    int64_t estimates[SC_BIT_SUMS_QUERIES];
    int right = 0;
    memcpy(estimates, sums, sizeof estimates);
    transform(estimates);
    /* 2/m times the entry is the bit: above 1/2 it is taken for 1. */
    for (size_t i = 0; i < SC_BIT_SUMS_PEOPLE; i++)
        right += (4 * estimates[i + 1] > SC_BIT_SUMS_QUERIES) == (bits[i] != 0);
    return right;
}

double sc_bit_sums_expected(double deviation)
{
    return deviation <= 0 ? 1
                          : sc_attack_normal(sqrt(SC_BIT_SUMS_QUERIES) / (4 * deviation));
}
