/* The decoders of protocols that ask which of k values a device holds: how many reports support each
 * (sum_kind.h). */
#ifndef SC_LOCAL_DECODE_COUNTS_H
#define SC_LOCAL_DECODE_COUNTS_H

#include "local/collect/decoding.h"

/* Randomised response, subsets and unary encodings: counter v is the support of v. */
SCRIM_MUST_USE scrim_status sc_decode_response(const sc_sums *sums, sc_decoding *out,
                                               scrim_error *error);
SCRIM_MUST_USE scrim_status sc_decode_projective(const sc_sums *sums, sc_decoding *out,
                                                 scrim_error *error);
SCRIM_MUST_USE scrim_status sc_decode_hashing(const sc_sums *sums, sc_decoding *out,
                                              scrim_error *error);
SCRIM_MUST_USE scrim_status sc_decode_hadamard(const sc_sums *sums, sc_decoding *out,
                                               scrim_error *error);
SCRIM_MUST_USE scrim_status sc_decode_bit_flip(const sc_sums *sums, sc_decoding *out,
                                               scrim_error *error);
/* Of a list of values, one bit each; a question of yes and no has one bit, and its mean is the share of
 * yes. SCRIM_E_PARAM: of texts, which need candidates. */
SCRIM_MUST_USE scrim_status sc_decode_rappor(const sc_sums *sums, sc_decoding *out,
                                             scrim_error *error);

#endif
