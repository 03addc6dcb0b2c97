/* SipHash-2-4 (Aumasson, Bernstein 2012): a keyed function of bytes, in the same instructions whatever
 * they are. */
#ifndef SL_SIPHASH_H
#define SL_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t sl_siphash(const uint64_t key[2], const uint8_t *message, size_t bytes);

#endif
