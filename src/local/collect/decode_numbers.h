/* The decoders of protocols that ask for a number: its mean, and of square-wave its distribution
 * (sum_kind.h). */
#ifndef SC_LOCAL_DECODE_NUMBERS_H
#define SC_LOCAL_DECODE_NUMBERS_H

#include "local/collect/decoding.h"

SCRIM_MUST_USE scrim_status sc_decode_square_wave(const sc_sums *sums, sc_decoding *out,
                                                  scrim_error *error);
/* one-bit-mean and rounded-bit-mean. */
SCRIM_MUST_USE scrim_status sc_decode_one_bit(const sc_sums *sums, sc_decoding *out,
                                              scrim_error *error);
/* laplace-mean and condensed-geometric. */
SCRIM_MUST_USE scrim_status sc_decode_laplace(const sc_sums *sums, sc_decoding *out,
                                              scrim_error *error);

#endif
