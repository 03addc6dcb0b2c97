/* Words that are a function of the device's secret: for each purpose, configuration, period and value others,
 * and each time the same. */
#ifndef SL_KEYED_STREAM_H
#define SL_KEYED_STREAM_H

#include "scrim_local.h"

#define SL_SECRET_BYTES 32

/* What the words are for. */
typedef enum sl_purpose {
    SL_FOR_DEVICE = 1, /* cohort, sampled values, offset: of the device, not of a value */
    SL_FOR_PERMANENT = 2, /* a permanent answer */
    SL_FOR_REPORT = 3,    /* a report */
    SL_FOR_COVER = 4,     /* a number in place of an absent one */
    SL_FOR_CHOICE = 5,    /* which of many questions */
    SL_FOR_SEAL = 6       /* the seal of the state */
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

#endif
