/* The audit by sampling, behind the public one: in a test build its bits can be a tape. */
#ifndef SC_AUDIT_AUDIT_SAMPLE_H
#define SC_AUDIT_AUDIT_SAMPLE_H

#include "random/bits.h"
#include "scrim/audit.h"

/* As scrim_audit_by_sampling. NULL: bits of the system; others are tapes of test builds. */
SCRIM_MUST_USE scrim_status sc_audit_sample_from(
    const scrim_measurement *measurement, const scrim_audit_sample_options *options,
    sc_bits *bits, scrim_audit_sample *out, scrim_error *error);

#endif
