/* The audit by samples, for mechanisms that have no finite law. */
#ifndef SC_AUDIT_AUDIT_SAMPLE_H
#define SC_AUDIT_AUDIT_SAMPLE_H

#include "base/status.h"
#include "random/bits.h"
#include "scrim/audit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lower bounds of a privacy loss from samples, for what has no finite law (Bichsel and others
 * 2021: DP-Sniper).
 *
 * The same number of outputs is drawn on each of two neighbouring inputs. One half of them is
 * for looking around: which event has outputs of the one input much more often than of the other? The other
 * half tests that one event, whose two probabilities are then bounded by Clopper and Pearson.
 *
 * Claim  statistical.confidence  a bound exceeds the true value with a probability of at most
 *                                failure, whatever the two laws are
 *
 * Events are tried in three kinds: sets of outputs that the looking found likelier, half lines of
 * one integer of the output, and the power of 2 that divides it (which is where floating-point
 * noise gives itself away). A bound says that there is a leak; that none was found says little.
 */

/* Fills keys with count outputs of width integers each, on the first or the second input. */
typedef scrim_status sc_output_source(void *context, bool is_second, size_t count,
                                      int64_t *keys, scrim_error *error);

typedef enum sc_sampled_number {
    SC_STATISTIC_EPSILON, /* the epsilon that is needed at a delta */
    SC_STATISTIC_DELTA    /* the delta that is needed at an epsilon */
} sc_sampled_number;

typedef struct sc_statistical {
    sc_output_source *source;
    void *context;
    size_t width;
    uint64_t draws; /* on each input; from 1000 to 2^26 */
    double failure; /* in (0, 1) */
    sc_sampled_number statistic;
    double at; /* the delta, or the epsilon */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;

    /* Found. */
    double lower;      /* 0 when nothing was found */
    const char *event; /* of what kind; constant text */
    bool is_back;      /* likelier on the second input */
    uint64_t tested;   /* outputs of each input in the second half */
    uint64_t hits[2];  /* of those, in the event: on the likelier input, on the other */
} sc_statistical;

/* SCRIM_E_PARAM, SCRIM_E_LIMIT for what is asked; SCRIM_E_MEMORY; what the source returns. */
SCRIM_MUST_USE scrim_status sc_statistical_run(sc_statistical *asked, scrim_error *error);

/* The audit by sampling, behind the public one: in a test build its bits can be a tape. */

/* As scrim_audit_by_sampling. NULL: bits of the system; others are tapes of test builds. */
SCRIM_MUST_USE scrim_status sc_audit_sample_from(
    const scrim_measurement *measurement, const scrim_audit_sample_options *options,
    sc_bits *bits, scrim_audit_sample *out, scrim_error *error);

#endif
