/* How often each bit of many bitmaps is 1: sixteen bitmaps at once, by carry-save adders on words.
 *
 * Claim  bit-counters.exact  equal to counting bit by bit, whatever the number of bitmaps and their length
 */
#ifndef SC_LOCAL_BIT_COUNTERS_H
#define SC_LOCAL_BIT_COUNTERS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

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
