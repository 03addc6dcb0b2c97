/* A keyed hash of byte strings: SipHash-2-4 (Aumasson, Bernstein 2012), 64 bits. With a secret
 * key nobody can prepare collisions; with a public one it is a public pseudo-random function. */
#ifndef SC_BASE_HASH_H
#define SC_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sc_hash_key {
    uint64_t k0, k1;
} sc_hash_key;

uint64_t sc_hash(const sc_hash_key *key, const void *data, size_t bytes);

/* The hash of sixteen bytes, two words with the lowest byte of each first, in halves: for many
 * pairs that begin alike. What lies between is as secret as the key. */
typedef struct sc_hash_half {
    uint64_t v0, v1, v2, v3;
} sc_hash_half;

sc_hash_half sc_hash_first(const sc_hash_key *key, uint64_t first);
uint64_t sc_hash_second(const sc_hash_half *half, uint64_t second);

/* Hashes `count` second halves at once, with vector instructions if the machine has them.
 *
 * Claim  hash.lanes  each is what sc_hash_second gives
 */
void sc_hash_seconds(const sc_hash_half *half, const uint64_t *seconds, size_t count,
                     uint64_t *hashes);

/* The same in a way of one's own choice, for tests. False: this machine cannot. */
typedef enum sc_hash_way { SC_HASH_AVX512, SC_HASH_AVX2, SC_HASH_PLAIN } sc_hash_way;
bool sc_hash_seconds_by(sc_hash_way way, const sc_hash_half *half,
                        const uint64_t *seconds, size_t count, uint64_t *hashes);

#endif
