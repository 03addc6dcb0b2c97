/* The hash functions of RAPPOR's Bloom filters: public, the same on devices and servers. */
#ifndef SL_BLOOM_H
#define SL_BLOOM_H

#include "local/device/integers.h"

/* Which of so many bits a text sets by the hash function of this number, in this cohort: of SipHash-2-4
 * with the key (cohort, number), the first 32-bit half, low before high, below the largest multiple of
 * the bits, modulo the bits; the high one where both are above it (its chance is below 2^-32). The same
 * instructions whatever the text. */
uint32_t sl_bloom_place(sl_divisor bits, uint32_t cohort, uint32_t number,
                        const uint8_t *text, size_t bytes);

#endif
