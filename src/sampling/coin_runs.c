#include "sampling/coin_runs.h"

#include "sampling/bernoulli_exp.h"

#include <string.h>

/* A coin that succeeds uses at least three bits. */
_Static_assert(SC_COIN_RUN_BITS < 16 && SC_COIN_RUN_BITS / 3 < 8,
               "the bits, the end and the run fit a byte");

scrim_status sc_coin_run(sc_bits *bits, uint64_t *out, scrim_error *error)
{
    bool pass = true;
    for (uint64_t run = 0; run < SC_BITS_PATIENCE; run++) {
        scrim_status status = sc_bernoulli_exp01_64(bits, 1, 1, &pass, error);
        if (status != SCRIM_OK)
            return status;
        if (!pass) {
            *out = run;
            return SCRIM_OK;
        }
    }
    return sc_bits_broken(error);
}

/* The string has no further bits: ends play. */
static scrim_status no_more(sc_bits *bits, scrim_error *error)
{
    (void)bits, (void)error;
    return SCRIM_E_ENTROPY;
}

/* The entry of a string: runs the reference on it, coin by coin, until one fails or needs more bits. */
static unsigned play(uint64_t string)
{
    sc_bits_supply supply = {.reservoir = string, .held = SC_COIN_RUN_BITS};
    sc_bits bits = {&supply, no_more};
    unsigned run = 0, taken = 0;
    bool pass = true;
    while (pass && sc_bernoulli_exp01_64(&bits, 1, 1, &pass, NULL) == SCRIM_OK) {
        taken = SC_COIN_RUN_BITS - supply.held;
        run += pass;
    }
    return 32 * run + (pass ? 0 : 16) + taken;
}

/* A run that has ended used only its first bits (the lowest), so all strings that begin with them share the entry. */
void sc_coin_runs_init(sc_coin_runs *runs)
{
    const unsigned count = sizeof runs->entry;
    memset(runs->entry, 0, sizeof runs->entry);
    for (unsigned i = 0; i < count; i++) {
        if (runs->entry[i] != 0)
            continue;
        const unsigned entry = play(i);
        const unsigned step =
            sc_coin_runs_ended(entry) ? 1U << sc_coin_runs_bits(entry) : count;
        for (unsigned same = i; same < count; same += step)
            runs->entry[same] = (unsigned char)entry;
    }
}
