/* Masses of losses in doubles, as the fast implementation needs them: its input, many
 * exponentials, tilted masses and their cumulants. */
#ifndef SC_COMPOSITION_TILT_H
#define SC_COMPOSITION_TILT_H

#include "base/number/ball.h"
#include "base/status.h"
#include "composition/loss/loss.h"

/* The input of the fast implementation: losses of one side, step and bits, each composed `count` times.
 *
 * Claim  fast-part.infinite  the mass at infinity of the parts together is the product of their
 *                            whole masses less the product of their finite masses
 */

typedef struct sc_fast_part {
    const sc_loss *loss;
    uint64_t count;
} sc_fast_part;

/* SCRIM_E_PARAM for an empty list, for sides, steps or bits that differ, and for a count of 0;
 * SCRIM_E_LIMIT where a loss has too many bits or points. */
SCRIM_MUST_USE scrim_status sc_fast_parts_check(const sc_fast_part *parts, size_t count,
                                                scrim_error *error);
/* Has some part no finite mass? Then their sum has no finite mass either. */
bool sc_fast_parts_are_empty(const sc_fast_part *parts, size_t count);
/* The mass at infinity of all parts together. */
void sc_fast_parts_infinite(const sc_fast_part *parts, size_t count, sc_ball *out);

/* exp(j slope) for many j, in doubles, at the price of one multiplication each.
 *
 * j is split in high and low bits, and a table for each is filled from balls.
 *
 * Claim  exponentials.accurate  what lies between 2^-900 and 2^900 is within 6 u = 6 2^-53 of the
 *                               truth, relatively; what comes out below or above that is beyond
 *                               2^-899 or 2^899
 */

typedef struct sc_exponentials {
    unsigned log;   /* of the length of a block */
    size_t blocks;  /* of them */
    double *coarse; /* exp(offset + (b << log) slope) */
    double *fine;   /* exp(r slope), r >> log == 0 */
} sc_exponentials;

#define SC_EXPONENTIALS_ERROR 6 /* in u */
#define SC_EXPONENTIALS_LOG 10  /* at most */

void sc_exponentials_init(sc_exponentials *e);
void sc_exponentials_clear(sc_exponentials *e);
/* exp(offset + j slope) for 0 <= j < count. SCRIM_E_MEMORY; SCRIM_E_LIMIT when the time of
 * the caller is over. */
SCRIM_MUST_USE scrim_status sc_exponentials_fill(sc_exponentials *e,
                                                 const sc_ball *offset,
                                                 const sc_ball *slope, size_t count,
                                                 scrim_error *error);

static inline double sc_exponentials_at(const sc_exponentials *e, size_t j)
{
    return e->coarse[j >> e->log] * e->fine[j & (((size_t)1 << e->log) - 1)];
}

/* The masses of one loss, tilted: x_j = mass_j exp(theta z_j - log_scale) in doubles.
 *
 * On the upper side x_j is never below that, on the lower side never above it, and in both cases
 * within 22 u = 22 2^-53 of it, relatively. What is below 2^-900 is left out.
 *
 * Claim  tilt.side  the doubles lie on their side of the truth, and near it
 */

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

/* Where to look: the cumulants of composed losses, in doubles.
 *
 * K(t) = sum of count ln(sum mass exp(t z)) over the parts. Nothing here is proved and nothing
 * need be: tilts and slices that are found here are good, and what is computed with them is a
 * bound for any.
 */

/* One part, its points put together to a few. */
typedef struct sc_saddle_part {
    size_t count;
    double times;
    double *point, *log_mass;
} sc_saddle_part;

typedef struct sc_saddle {
    sc_saddle_part *parts;
    size_t count;
    double cap; /* no tilt is larger */
} sc_saddle;

typedef struct sc_cumulants {
    double k, mean, variance; /* K, K', K'' */
} sc_cumulants;

void sc_saddle_init(sc_saddle *saddle);
void sc_saddle_clear(sc_saddle *saddle);
SCRIM_MUST_USE scrim_status sc_saddle_set(sc_saddle *saddle, const sc_fast_part *parts,
                                          size_t count, scrim_error *error);

void sc_saddle_cumulants(const sc_saddle *saddle, double tilt, sc_cumulants *out);
/* ln of the sum of one part's mass exp(tilt z). */
double sc_saddle_log_moment(const sc_saddle *saddle, size_t part, double tilt);
/* The tilt in [least, cap] whose mean is this, or is nearest to it. */
double sc_saddle_tilt_to(const sc_saddle *saddle, double mean, double least);
/* The tilt >= 0 whose mean is the epsilon of this delta, about. */
double sc_saddle_tilt_for(const sc_saddle *saddle, double log_delta);
/* The same of the loss of Gaussian noise with this mean. */
double sc_saddle_normal_tilt(double mean, double log_delta);

#endif
