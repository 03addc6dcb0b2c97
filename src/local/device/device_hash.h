/* Hash functions on a device: SHA-256, SipHash, the stream of a device's secret, and RAPPOR's
 * Bloom filters. */
#ifndef SL_DEVICE_HASH_H
#define SL_DEVICE_HASH_H

#include "local/device/integers.h"
#include "scrim_local.h"

#include <stddef.h>
#include <stdint.h>

/* SHA-256 (FIPS 180-4), for the name of a configuration. */

void sl_sha256(const void *message, size_t bytes, uint8_t out[32]);

/* SipHash-2-4 (Aumasson, Bernstein 2012): a keyed function of bytes, in the same instructions whatever
 * they are. */

uint64_t sl_siphash(const uint64_t key[2], const uint8_t *message, size_t bytes);

/* Words that are a function of the device's secret: for each purpose, configuration, period and value others,
 * and each time the same. */

#define SL_SECRET_BYTES 32

/* The purposes of the words. */
typedef enum sl_purpose {
    SL_FOR_DEVICE = 1, /* cohort, sampled values, offset: of the device, not of a value */
    SL_FOR_PERMANENT = 2, /* a permanent answer */
    SL_FOR_REPORT = 3,    /* a report */
    SL_FOR_COVER = 4,     /* a number in place of an absent one */
    SL_FOR_CHOICE = 5,    /* which of many questions */
    SL_FOR_SEAL = 6,      /* the seal of the state */
    SL_FOR_TURN = 7       /* in which periods the device reports */
} sl_purpose;

typedef struct sl_stream {
    uint64_t key[2];
    uint64_t next;
} sl_stream;

/* The key is made of SHA-256 over purpose, secret, hash and period, and of SipHash-2-4 over the value's
 * bytes; word i is SipHash-2-4 of i. The same instructions whatever the value. */
void sl_stream_init(sl_stream *stream, const uint8_t secret[SL_SECRET_BYTES],
                    sl_purpose purpose, const uint8_t hash[SCRIM_LOCAL_HASH_BYTES],
                    uint64_t period, const uint8_t *value, size_t bytes);
/* It never fails. */
scrim_local_source sl_stream_source(sl_stream *stream);

/* The hash functions of RAPPOR's Bloom filters: public, the same on devices and servers. */

/* Which of the filter's bits a text sets by the hash function of this number, in this cohort: of
 * SipHash-2-4 with the key (cohort, number), the first 32-bit half, low before high, below the
 * largest multiple of the bits, modulo the bits; the high one where both are above it (its
 * chance is below 2^-32). The same instructions whatever the text. */
uint32_t sl_bloom_place(sl_divisor bits, uint32_t cohort, uint32_t number,
                        const uint8_t *text, size_t bytes);

#endif
