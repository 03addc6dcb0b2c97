/* Runs of coins of exp(-1), looked up: how many come up before the first that does not, and
 * the bits that they take, for each string of the next SC_COIN_RUN_BITS bits.
 *
 * The run decides the reference samplers' v (spec/mechanisms.md 2.1) in some four
 * branches, each of them a coin flip to the processor too; the table spares it those. It is
 * filled by the reference itself, which plays on every string.
 *
 * Claim  coin-runs.same  an entry holds the coins of the reference that bits which begin so
 *                        decide, up to the first that does not come up, and their bits
 */
#ifndef SC_SAMPLING_COIN_RUNS_H
#define SC_SAMPLING_COIN_RUNS_H

#include "random/bits.h"

#include <stdbool.h>

#define SC_COIN_RUN_BITS 11

typedef struct sc_coin_runs {
    unsigned char entry[1 << SC_COIN_RUN_BITS];
} sc_coin_runs;

void sc_coin_runs_init(sc_coin_runs *runs);

/* The entry of the string that is the low end of some bits. */
static inline unsigned sc_coin_runs_entry(const sc_coin_runs *runs, uint64_t string)
{
    return runs->entry[string % sizeof runs->entry];
}

/* The bits of the coins that are decided, those that came up, and whether one more did not. */
static inline unsigned sc_coin_runs_bits(unsigned entry)
{
    return entry % 16;
}
static inline bool sc_coin_runs_ended(unsigned entry)
{
    return entry & 16;
}
static inline unsigned sc_coin_runs_count(unsigned entry)
{
    return entry / 32;
}

/* The run of the reference, from any bits. */
SCRIM_MUST_USE scrim_status sc_coin_run(sc_bits *bits, uint64_t *out, scrim_error *error);

#endif
