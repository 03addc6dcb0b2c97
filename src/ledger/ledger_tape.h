/* Ledgers of test builds: see random/bits_tape.h. */
#ifndef SC_LEDGER_LEDGER_TAPE_H
#define SC_LEDGER_LEDGER_TAPE_H

#ifndef SCRIM_TESTING
#error "ledger_tape.h is for test builds"
#endif

#include "ledger/ledger.h"

/* Draws from a tape from now on; the tape stays the caller's. */
static inline void sc_ledger_use_bits(scrim_ledger *ledger, sc_bits *bits)
{
    ledger->bits = bits;
}

#endif
