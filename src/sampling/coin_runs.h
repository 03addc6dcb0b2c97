/* A table of runs of coins, each of which succeeds with probability exp(-1): for every string of the next
 * SC_COIN_RUN_BITS bits, how many coins succeed before the first failure, and how many bits they use.
 *
 * The run is the v of the reference samplers (spec/mechanisms.md 2.1). Computed coin by coin it needs about four
 * branches that the processor cannot predict; a lookup has no branch. The table is filled by the reference
 * implementation itself, run on every string.
 *
 * Claim  coin-runs.same  an entry says what the reference does with bits that begin with its string: the coins
 *                        that the string decides, up to the first failure, and the bits they use
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

/* The entry of the lowest SC_COIN_RUN_BITS bits of string. */
static inline unsigned sc_coin_runs_entry(const sc_coin_runs *runs, uint64_t string)
{
    return runs->entry[string % sizeof runs->entry];
}

/* An entry, in bits 0 to 3: how many bits the decided coins use; bit 4: whether the last one failed, which ends the run; bits 5 to 7:
 * how many succeeded. */
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

/* The same run from the reference implementation, without the table. */
SCRIM_MUST_USE scrim_status sc_coin_run(sc_bits *bits, uint64_t *out, scrim_error *error);

#endif
