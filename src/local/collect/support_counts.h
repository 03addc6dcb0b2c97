/* Counts that decoders start from: bits of bitmaps, and reports that support each value. */
#ifndef SC_LOCAL_SUPPORT_COUNTS_H
#define SC_LOCAL_SUPPORT_COUNTS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* The Walsh-Hadamard transform of 2^s numbers, in place: out[i] = sum of x[y] (-1)^parity(i & y). Twice is
 * 2^s times the numbers. Integers whose absolute values add up to less than 2^53 stay exact. */

void sc_walsh_hadamard(double *x, size_t count);

/* How many reports of local hashing support each value: C_v = sum over a of N[a][<a, v> mod g], for all
 * g^m values at once, digit by digit (spec/local-additions.md 2.3).
 *
 * Claim  hashing-support.exact  equal to the sums over the seeds, for every prime g and m >= 1
 *
 * Doubles hold these integers exactly, as above.
 *
 * Time  m g^(m+2) additions, two tables of g^(m+1)
 */

/* The same for each turn z: sums[v g + z] = sum over a of counts[a][<a, v> + z mod g]. SCRIM_E_MEMORY leaves
 * them as they are. */
SCRIM_MUST_USE scrim_status sc_hashing_turned(double *counts, uint32_t g, uint32_t m,
                                              scrim_error *error);
/* counts[a g + y], g^(m+1) of them; the sums of the values come to lie in counts[0 .. g^m - 1].
 * SCRIM_E_MEMORY leaves them as they are. */
SCRIM_MUST_USE scrim_status sc_hashing_support(double *counts, uint32_t g, uint32_t m,
                                               scrim_error *error);

/* How many reports support each point, of the histogram of reports of projective geometry response:
 * C_v = sum of h[y] over the points y with <v, y> = 0 mod q, for all K points v at once, digit by
 * digit (spec/local-additions.md 1).
 *
 * Claim  projective-support.exact  equal to the sums over the hyperplanes, for every prime q and t >= 2
 *
 * Doubles hold these integers exactly: every partial sum is a sum of some of the reports, and there
 * are fewer than 2^53. The same sums of masses that are no integers serve the update by Bayes' rule: the
 * incidence is symmetric.
 *
 * Time  O(K q t) additions, O(K) memory
 */

/* (q^t - 1)/(q - 1), below 2^26. */
uint32_t sc_projective_points(uint32_t q, uint32_t t);
/* Replaces masses[0 .. K-1] by their sums. SCRIM_E_MEMORY leaves them as they are. */
SCRIM_MUST_USE scrim_status sc_projective_support(double *masses, uint32_t q, uint32_t t,
                                                  scrim_error *error);

/* How often each bit of many bitmaps is 1: sixteen bitmaps at once, by carry-save adders on words.
 *
 * Claim  bit-counters.exact  equal to counting bit by bit, whatever the number of bitmaps and their length
 */

#define SC_BIT_ROWS 16

typedef struct sc_bit_counters {
    size_t bits, bytes, words; /* of a bitmap */
    uint64_t *rows;            /* SC_BIT_ROWS bitmaps, in whole words, that wait */
    uint64_t
        *planes; /* of every word, four: bits of weight 1, 2, 4 and 8 of its counters */
    uint64_t *
        eighths; /* of every word, eight: bytes that count sixteens, of bit b of each byte */
    unsigned waiting, sixteens;
    uint64_t *counts; /* of every bit; sc_bit_counters_finish has them whole */
} sc_bit_counters;

/* SCRIM_E_MEMORY leaves nothing to clear. */
SCRIM_MUST_USE scrim_status sc_bit_counters_init(sc_bit_counters *counters, size_t bits,
                                                 scrim_error *error);
void sc_bit_counters_clear(sc_bit_counters *counters);
/* One bitmap, of which no bit beyond the last is 1: its weight. */
size_t sc_bit_counters_add(sc_bit_counters *counters, const uint8_t *bitmap);
/* Brings what is under way into counts; more may be added after. */
void sc_bit_counters_finish(sc_bit_counters *counters);

#endif
