/* The solid that callers of the library hold. */
#ifndef SC_SOLVE_SOLID_HANDLE_H
#define SC_SOLVE_SOLID_HANDLE_H

#include "random/bits.h"
#include "solve/shadow.h"

struct scrim_solid {
    const sc_body *body;
    sc_solid *solid;
    sc_shadow shadow; /* of the last call, in units of columns */
    sc_bits *tape;    /* NULL: bits of the system */
};

#ifdef SCRIM_TESTING
/* Draws from a tape from now on; the tape stays the caller's. */
static inline void sc_solid_use_bits(scrim_solid *solid, sc_bits *bits)
{
    solid->tape = bits;
}
#endif

#endif
