/* The masses of one loss, tilted: x_j = mass_j exp(theta z_j - log_scale) in doubles.
 *
 * On the upper side x_j is never below that, on the lower side never above it, and in both cases
 * within 22 u = 22 2^-53 of it, relatively. What is below 2^-900 is left out.
 *
 * Claim  tilt.side  the doubles lie on their side of the truth, and near it
 */
#ifndef SC_COMPOSITION_TILT_H
#define SC_COMPOSITION_TILT_H

#include "composition/fast/exponentials.h"
#include "composition/loss/loss.h"

typedef struct sc_tilt {
    double theta, log_scale; /* taken as exact; the scale makes the sum about 1 */
    double *x;               /* as many as the loss has points */
    double *mass; /* without tilt, within 2 u, in units of 2^-(bits / 2): so that those
                                of 2^-bits are doubles too */
    double sum;   /* at least that of all x */
} sc_tilt;

void sc_tilt_clear(sc_tilt *tilt); /* all zero is clear */
/* near: about the logarithm of the sum of mass exp(theta z). SCRIM_E_MEMORY; SCRIM_E_LIMIT when
 * doubles do not reach. */
SCRIM_MUST_USE scrim_status sc_tilt_set(sc_tilt *tilt, const sc_loss *loss, double theta,
                                        double near, scrim_error *error);
/* Puts x at j modulo points, with the sign of a product modulo t^points + 1. */
void sc_tilt_put(const sc_loss *loss, const sc_tilt *tilt, size_t points, double *out);
/* An upper bound of ln of the sum of m_j exp(theta z_j), m_j = x_j exp(log_scale - tilt.theta z_j)
 * being the masses that the doubles stand for. near is about that. */
SCRIM_MUST_USE scrim_status sc_tilt_log_moment(const sc_loss *loss, const sc_tilt *tilt,
                                               double theta, double near, sc_ball *out,
                                               scrim_error *error);

#endif
