#include "sampling/coin_runs.h"

#include "sampling/bernoulli_exp.h"

#include <string.h>

_Static_assert(SC_COIN_RUN_BITS < 16,
               "the bits and the run, of a bit a coin, fit a byte");

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

static scrim_status no_more(sc_bits *bits, scrim_error *error)
{
    (void)bits, (void)error;
    return SCRIM_E_ENTROPY;
}

/* The other strings that begin with the bits of a decided one need no play of their own. */
void sc_coin_runs_init(sc_coin_runs *runs)
{
    const unsigned count = sizeof runs->entry;
    memset(runs->entry, 0, sizeof runs->entry);
    for (unsigned i = 0; i < count; i++) {
        sc_bits_window window = {.reservoir = i, .held = SC_COIN_RUN_BITS};
        sc_bits bits = {&window, no_more};
        uint64_t run = 0;
        if (runs->entry[i] != 0 || sc_coin_run(&bits, &run, NULL) != SCRIM_OK)
            continue;
        unsigned taken = SC_COIN_RUN_BITS - window.held;
        for (unsigned same = i; same < count; same += 1U << taken)
            runs->entry[same] = (unsigned char)(16 * run + taken);
    }
}
