/* The target of a calibration, and one candidate compared with it.
 *
 * Claim  calibration-attempt.sound  a candidate that is said to hold has a certified cost, or a
 *                                 certificate, within what is wanted
 */
#ifndef SC_COMPOSITION_CALIBRATION_ATTEMPT_H
#define SC_COMPOSITION_CALIBRATION_ATTEMPT_H

#include "composition/accountant/accountants.h"
#include "composition/calibration/noise_line.h"
#include "scrim/calibration.h"

typedef struct sc_target {
    sc_noise_line line;
    bool by_error;   /* a target error, else a target cost */
    bool is_at_once; /* of all values at once, else of each */
    sc_ratio epsilon, delta, error;
    sc_ratio beta;          /* 1 - confidence */
    uint64_t count, values; /* values is 0 where they must be said, and were not */
    /* As they were written, where that is not in the line: for messages, and for a delta that
     * would be long otherwise. They live as long as the options; "" if it is in the line or was
     * not given. */
    const char *target, *delta_text;
    void (*progress)(void *context, uint64_t done, uint64_t total); /* may be NULL */
    void *context;
} sc_target;

void sc_target_init(sc_target *target);
void sc_target_clear(sc_target *target);
/* SCRIM_E_PARAM and others as scrim_calibrate; target, which is initialised, is to be cleared all the
 * same. */
SCRIM_MUST_USE scrim_status sc_target_read(const char *line,
                                           const scrim_calibrate_options *options,
                                           sc_target *target, scrim_error *error);

/* Reports progress to the caller. */
void sc_target_tell(const sc_target *target, uint64_t done, uint64_t total);

/* The releases that one candidate makes: a bag of one part. */
typedef struct sc_attempt {
    sc_bag bag;
    const sc_part *part;
    sc_ratio value;
    /* The guarantee of one release, of its sample if it has one. */
    bool has_epsilon;
    sc_ratio epsilon, delta;
} sc_attempt;

/* delta_each is NULL where a release has no delta of its own. SCRIM_E_LIMIT when the mechanism
 * refuses so much or so little noise. To be closed on success only. */
SCRIM_MUST_USE scrim_status sc_attempt_open(const sc_target *target,
                                            const sc_ratio *value,
                                            const sc_ratio *delta_each, sc_attempt *out,
                                            scrim_error *error);
void sc_attempt_close(sc_attempt *attempt);

/* Every release is pure: the sum of their epsilons is exact. */
bool sc_attempt_is_pure(const sc_attempt *attempt, sc_ratio *epsilon_sum);
/* The certificate of one release, of the form NONE where no guarantee. */
SCRIM_MUST_USE scrim_status sc_attempt_certify(const sc_attempt *attempt,
                                               const sc_target *target,
                                               sc_certificate *out, scrim_error *error);
/* The radius that the target is about: of all values at once, or of each. */
const sc_ratio *sc_attempt_radius(const sc_target *target,
                                  const sc_certificate *certificate);
/* Is it within the target? miss is the logarithm of what it has over what is wanted: a view. */
SCRIM_MUST_USE scrim_status sc_attempt_holds(const sc_attempt *attempt,
                                             const sc_target *target,
                                             sc_joint_effort effort, bool *holds,
                                             double *miss, scrim_error *error);

#endif
