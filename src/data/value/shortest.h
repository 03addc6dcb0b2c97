/* The shortest decimal that gives a floating-point number back, in its own width: of 0.1 it is 1/10,
 * though the number itself is a little more. It is what a CSV file has in its place.
 *
 * Of the decimals that are nearer to the number than to any other number of its format, these have
 * the fewest digits, and of these the nearest is taken. Numbers come as bits, and nothing here is
 * floating-point arithmetic.
 *
 * Claim  shortest.exact  no decimal with fewer digits is read as the same number, and none with as
 *                        many digits is nearer to it
 * Claim  shortest.twins  the fast way and the plain way agree on every number
 */
#ifndef SC_DATA_SHORTEST_H
#define SC_DATA_SHORTEST_H

#include <stdbool.h>
#include <stdint.h>

/* +-digits 10^exponent. */
typedef struct sc_shortest {
    bool is_negative;
    uint64_t digits; /* at most 17 of them */
    int exponent;
} sc_shortest;

/* Of IEEE binary64, binary32 and binary16. False for NaN and infinity. */
bool sc_shortest_of_double(uint64_t bits, sc_shortest *out);
bool sc_shortest_of_single(uint32_t bits, sc_shortest *out);
bool sc_shortest_of_half(uint16_t bits, sc_shortest *out);

/* The plain way, for tests. */
bool sc_shortest_of_double_plain(uint64_t bits, sc_shortest *out);

#endif
