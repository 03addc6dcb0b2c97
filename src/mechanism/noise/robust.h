/* Robust release of another mechanism: discrete Laplace noise on its answer.
 *
 * Line        robust rho=R epsilon=R [theta=R] of MECHANISM ...; any mechanism whose answer is a list of
 *             numbers that is as long whatever the data are, with its own neighbours
 * Input       that of the mechanism
 * Output      y + Z for each value y of its answer, P(Z = z) proportional to exp(-|z| epsilon / R),
 *             where rho is R = ceil(rho/step) steps of its grid; a value that is not shown stays so
 * Claim       robust-wrapping.privacy   that of the mechanism, unchanged, and nothing else is charged:
 *                                       the noise is drawn apart from the data
 * Claim       robust-wrapping.close     where the laws of its answer on two inputs are within rho but
 *                                       for a mass of theta, W_inf at theta <= rho (of several values
 *                                       in the l1 norm, infinite where one shows a value that the
 *                                       other does not), the laws of the output are (epsilon,
 *                                       theta)-close: P(S) <= e^epsilon P'(S) + theta for every S
 * Claim       robust-wrapping.accuracy  of laplace, gaussian and robust-laplace: the radius of the
 *                                       sum of both noises, at most 2 % above its quantile. Of others:
 *                                       that of the sum of the noise and an error that is as large as
 *                                       the mechanism's radii allow. A value that is never above the
 *                                       truth is above it by the noise alone, and otherwise as far
 *                                       below. Values are shown as often as without the noise. Of
 *                                       ranks and of flexible accuracy nothing is said
 * Claim       robust-wrapping.exact     the law is that of the answer and independent noise
 * Claim       robust-wrapping.wiped     of the noise at most the last draw stays on the stack
 * Time        that of the mechanism, and of the noise
 * Reference   spec/papers-additions.md 5.2; spec/flexible-accuracy.md 12.2; errata E23 to E25
 *
 * A choice of a candidate, a category or a list of keys has no distance in which rho could be measured,
 * and answers that are given one by one are not there when noise is drawn: those are refused.
 *
 * epsilon and theta say how close outputs are, and are no cost. Of outputs that are close nothing of
 * the kind holds (distance/robust_release.h).
 */
#ifndef SC_MECHANISM_NOISE_ROBUST_H
#define SC_MECHANISM_NOISE_ROBUST_H

#include "model/measurement.h"

extern const sc_mechanism sc_robust;

#endif
