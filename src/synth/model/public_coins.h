/* Public coins: a stream of words that a public key determines. They are arithmetic and never noise.
 * They choose which of several equally good rows is written.
 *
 * Claim  public-coins.same  the words are a function of key, stream and place
 */
#ifndef SC_SYNTH_PUBLIC_COINS_H
#define SC_SYNTH_PUBLIC_COINS_H

#include "base/hash.h"

#define SC_PUBLIC_COINS_READY 64

typedef struct sc_public_coins {
    sc_hash_half half;
    uint64_t place; /* of the next words to be made */
    uint64_t ready[SC_PUBLIC_COINS_READY];
    unsigned left; /* of them */
} sc_public_coins;

void sc_public_coins_init(sc_public_coins *coins, const sc_hash_key *key,
                          uint64_t stream);
uint64_t sc_public_coins_word(sc_public_coins *coins);
/* Uniform below n >= 1. */
uint64_t sc_public_coins_below(sc_public_coins *coins, uint64_t n);
/* A multiple of 2^-53, at least 0 and below 1. */
double sc_public_coins_unit(sc_public_coins *coins);
/* Brings a list into an order that is uniform among all. */
void sc_public_coins_shuffle(sc_public_coins *coins, uint32_t *list, size_t count);

#endif
