/* Linear reconstruction: secret bits from the sums of half of them at a time.
 *
 * Query j asks for the sum of the bits of all people i whose j & i has an even number of ones. Each
 * person is in exactly half of the queries, so one person changes the sums by SC_BIT_SUMS_QUERIES / 2
 * in the l1 norm. The signs are a Hadamard matrix H, whose inverse is its transpose: the estimate of
 * bit i is 2/m sum_j H_ij y_j, with an error of deviation 2 sigma / sqrt(m) for noise of deviation
 * sigma.
 *
 * Reference  Dinur, Nissim, "Revealing information while preserving privacy", 2003; Dwork, Yekhanin,
 *            "New efficient attacks on statistical disclosure control mechanisms", 2008
 */
#ifndef SC_ATTACK_BIT_SUMS_H
#define SC_ATTACK_BIT_SUMS_H

#include <stdint.h>

#define SC_BIT_SUMS_PEOPLE 1000
#define SC_BIT_SUMS_QUERIES 1024

/* The exact sums. Person i has the place i + 1: place 0 would be in every query. */
void sc_bit_sums_ask(const unsigned char bits[SC_BIT_SUMS_PEOPLE],
                     int64_t sums[SC_BIT_SUMS_QUERIES]);
/* How many bits the rounded estimates from noisy sums get right. */
int sc_bit_sums_recovered(const int64_t sums[SC_BIT_SUMS_QUERIES],
                          const unsigned char bits[SC_BIT_SUMS_PEOPLE]);
/* The expected share of right bits for independent noise of this deviation; 1 for none. */
double sc_bit_sums_expected(double deviation);

#endif
