/* Random orthonormal frames from a public number: the same on every run. They are arithmetic and never noise. */
#ifndef SC_SOLVE_PUBLIC_FRAME_H
#define SC_SOLVE_PUBLIC_FRAME_H

#include <stddef.h>
#include <stdint.h>

/* Frame number index of this dimension, uniform among all: row after row. */
void sc_public_frame(size_t dimension, uint64_t index, double *rows);

#endif
