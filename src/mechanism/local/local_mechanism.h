/* The local protocols as measurements of the catalogue: each value of the input is that of one
 * device, and an answer has its report, or `reports` reports about the same value.
 *
 * Input       values below `values`, one a device; or texts, as numbers whose highest byte is the first
 *             of the text
 * Output      the reports that scrim_local_encode makes, as numbers of 32 bits, lowest first
 * Neighbours  local: any two values that one device may hold
 * Claim       local-protocol.privacy   epsilon = the loss of the rounded parameters, rounded up, and
 *             never above the epsilon that was asked for; pure
 * Claim       local-protocol.condensed  with alpha, the reports of x and y differ by factors of at most
 *             exp(alpha d(x, y)); epsilon is that of the largest distance
 * Claim       local-protocol.exact     the law is that of the device's encoder
 * Claim       local-protocol.accuracy  all estimated frequencies, or the mean of numbers, are within the
 *             radius at once with the stated probability: by Chernoff's bound where each value has its chance
 *             of support (model/support_radius.h), else by Hoeffding's
 * Time        instructions and addresses do not depend on the values
 * Reference   spec/local-additions.md, spec/local-and-accounting.md sections 1 to 4
 */
#ifndef SC_MECHANISM_LOCAL_MECHANISM_H
#define SC_MECHANISM_LOCAL_MECHANISM_H

#include "mechanism/local/protocol.h"
#include "model/measurement.h"

typedef struct sc_local_state {
    scrim_local_config config;
    sc_ratio asked;                    /* epsilon */
    uint64_t reports;                  /* about one value */
    size_t bytes;                      /* of a report */
    size_t numbers;                    /* that an answer has of it */
    uint8_t table[SC_PARAMETER_ITEMS]; /* of declared distances, which config points to */
} sc_local_state;

const sc_local_state *sc_local_state_of(const scrim_measurement *measurement);
/* A number of a report, as an answer has it. */
int64_t sc_local_number_at(const sc_local_state *state, const uint8_t *report,
                           size_t index);

/* Members of the mechanisms (local_mechanism_law.c). */
scrim_status sc_local_law(const scrim_measurement *measurement,
                          const sc_private_input *input, long bits, sc_outcomes *out,
                          scrim_error *error);
size_t sc_local_pair_count(const scrim_measurement *measurement);
void sc_local_pair(const scrim_measurement *measurement, size_t index, sc_pair *out);

extern const sc_mechanism sc_projective_geometry, sc_subset_selection, sc_symmetric_unary,
    sc_optimised_unary, sc_local_hashing, sc_hadamard_response, sc_text_hashing,
    sc_prefix_report, sc_bit_flip, sc_repeated_unary, sc_rappor, sc_square_wave,
    sc_one_bit_mean, sc_rounded_bit_mean, sc_laplace_mean, sc_condensed_geometric,
    sc_condensed_exponential;

#endif
