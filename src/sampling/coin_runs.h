/* Runs of coins of exp(-1), looked up: how many come up before the first that does not, and
 * the bits that they take, for each string of the next SC_COIN_RUN_BITS bits.
 *
 * The run decides the reference samplers' v (spec/mechanisms.md 2.1) in some four
 * branches, each of them a coin flip to the processor too; the table spares it those. It is
 * filled by the reference itself, which plays on every string.
 *
 * Claim  coin-runs.same  an entry holds the run and the bits of the reference on bits that
 *                        begin so, or nothing where those do not decide it
 */
#ifndef SC_SAMPLING_COIN_RUNS_H
#define SC_SAMPLING_COIN_RUNS_H

#include "random/bits.h"

#define SC_COIN_RUN_BITS 10

typedef struct sc_coin_runs {
    unsigned char entry[1 << SC_COIN_RUN_BITS]; /* 16 run + bits taken; 0: undecided */
} sc_coin_runs;

void sc_coin_runs_init(sc_coin_runs *runs);

/* The run of the reference, from any bits. */
SCRIM_MUST_USE scrim_status sc_coin_run(sc_bits *bits, uint64_t *out, scrim_error *error);

#endif
