/* Logarithms in integers. */
#ifndef SL_LOCAL_CONFIG_H
#define SL_LOCAL_CONFIG_H

#include <stdint.h>

/* ln(over / under) in parts of 2^32 of a nat, over >= under >= 1: an upper bound, above it by less
 * than 1 + 2^-20; and a lower bound, likewise. */
uint64_t sl_log_upper(uint64_t over, uint64_t under);
uint64_t sl_log_lower(uint64_t over, uint64_t under);

#endif
