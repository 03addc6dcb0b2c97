/* The exact distribution of the reports of one device, for small configurations.
 *
 * Reports are counted by an index: the number that is sent; of bitmaps the bits as a number; of
 * local-hashing a g + y; of bit-flip the set of buckets as a bitmap, times 2^d, and the bits. Several
 * reports about one value have one index for all of them, the first in its lowest digit. Of texts the
 * seed has too many values: its classes are listed in their place, which tell texts below 4 apart as
 * seeds do, (2 group cells + class) cells + y.
 *
 * Two shapes cover them all. A report of one draw has the weight A where it belongs to the value,
 * else B. Bits are drawn once, by the value, and each report shows them as they are or with noise.
 *
 * Claim  report-law.exact  the probabilities are those of the device's encoder
 */
#ifndef SC_MECHANISM_LOCAL_REPORT_LAW_H
#define SC_MECHANISM_LOCAL_REPORT_LAW_H

#include "mechanism/local/protocol.h"

/* How many indices this many reports have; 0: too many to list. */
uint64_t sc_report_outputs(const scrim_local_config *config, uint64_t reports);
/* The probability of one for a device that holds x; 0 for an index that is no report. */
void sc_report_probability(const scrim_local_config *config, uint64_t reports, uint64_t x,
                           uint64_t index, sc_ratio *out);
/* The bytes of report number `which`, scrim_local_report_bytes of them; of texts those of the index,
 * and nothing behind them. */
void sc_report_at(const scrim_local_config *config, uint64_t index, uint64_t which,
                  uint8_t *out);

#endif
