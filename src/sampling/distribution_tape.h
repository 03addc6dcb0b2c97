/* Distributions of test builds: see random/bits_tape.h. */
#ifndef SC_SAMPLING_SAMPLER_DISTRIBUTION_TAPE_H
#define SC_SAMPLING_SAMPLER_DISTRIBUTION_TAPE_H

#ifndef SCRIM_TESTING
#error "distribution_tape.h is for test builds"
#endif

#include "sampling/distribution.h"

/* Draws from a tape from now on; the tape stays the caller's. */
static inline void sc_distribution_use_bits(scrim_distribution *d, sc_bits *bits)
{
    d->tape = bits;
}

#endif
