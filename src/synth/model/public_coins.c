#include "synth/model/public_coins.h"

#include "base/checked.h"

void sc_public_coins_init(sc_public_coins *coins, const sc_hash_key *key, uint64_t stream)
{
    coins->half = sc_hash_first(key, stream);
    coins->place = 0;
    coins->left = 0;
}

static void make_ready(sc_public_coins *coins)
{
    uint64_t places[SC_PUBLIC_COINS_READY];
    for (unsigned i = 0; i < SC_PUBLIC_COINS_READY; i++)
        places[i] = coins->place++;
    sc_hash_seconds(&coins->half, places, SC_PUBLIC_COINS_READY, coins->ready);
    coins->left = SC_PUBLIC_COINS_READY;
}

uint64_t sc_public_coins_word(sc_public_coins *coins)
{
    if (coins->left == 0)
        make_ready(coins);
    return coins->ready[SC_PUBLIC_COINS_READY - coins->left--];
}

/* The high half of a product with a word; low halves that would make it uneven are rejected. */
uint64_t sc_public_coins_below(sc_public_coins *coins, uint64_t n)
{
    sc_uint128 product;
    do
        product = (sc_uint128)sc_public_coins_word(coins) * n;
    while ((uint64_t)product < n && (uint64_t)product < -n % n);
    return (uint64_t)(product >> 64);
}

double sc_public_coins_unit(sc_public_coins *coins)
{
    return (double)(sc_public_coins_word(coins) >> 11) * 0x1p-53;
}

void sc_public_coins_shuffle(sc_public_coins *coins, uint32_t *list, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        const size_t other = (size_t)sc_public_coins_below(coins, i);
        const uint32_t item = list[i - 1];
        list[i - 1] = list[other];
        list[other] = item;
    }
}
