/* The joint law of two values of one device, and the likelihood of a report that it is computed
 * from. */
#ifndef SC_LOCAL_LOCAL_JOINT_H
#define SC_LOCAL_LOCAL_JOINT_H

#include "base/status.h"
#include "scrim/local_joint.h"

#include <stddef.h>
#include <stdint.h>

/* The joint law of two values of one device, from a report of each, by maximum likelihood.
 *
 * Reports of a device are independent given its values a and b, so that a pair of reports has the probability
 * sum over a, b of law[a][b] u[a] v[b], up to a factor, where u and v are the likelihoods of the two reports.
 * Its logarithm, added up over devices, is concave in the law; EM climbs it, with steps extrapolated (Varadhan,
 * Roland 2008) wherever that climbs no less.
 *
 * Claim  joint-law.peak  at the result no cell can gain: where the law is positive the gradient is that of the
 *                        total, elsewhere it is not above, to the tolerance
 */

typedef struct sc_joint_pairs {
    size_t rows, columns;    /* values a and b */
    size_t count;            /* pairs of reports that differ */
    const double *first;     /* [pair][rows] u */
    const double *second;    /* [pair][columns] v */
    const uint64_t *weights; /* [pair] how many devices have sent it */
    double devices;          /* sum of the weights */
} sc_joint_pairs;

/* law: [row][column], adds up to 1. passes: how many steps of EM it took. */
SCRIM_MUST_USE scrim_status sc_joint_law_fit(const sc_joint_pairs *pairs, double *law,
                                             unsigned *passes, scrim_error *error);
/* Standard errors of devices x law as numbers of devices that hold a and b, by the observed information of
 * the cells that are positive; NAN at the others. */
SCRIM_MUST_USE scrim_status sc_joint_law_errors(const sc_joint_pairs *pairs,
                                                const double *law, double *errors,
                                                scrim_error *error);

#endif
