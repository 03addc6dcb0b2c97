/* Shares of discrete Gaussian noise, for parties that add them to a sum that only secure aggregation opens: no
 * party has to be trusted with the data.
 *
 * Input       a vector of numbers, of l2 sensitivity D under the neighbours
 * Output      x + Z, Z the sum of `honest` independent draws of discrete Gaussian noise of that variance each;
 *             honest is 1 unless given. For an epsilon and a delta the variance of a share is j / (64 honest)
 * Neighbours  add-remove or replace, as D was declared for
 * Claim       gaussian-share.privacy   one honest share: that of gaussian. h of them, one value: delta is at most
 *                                      exp(kappa) delta_G(epsilon - kappa), G the discrete Gaussian of variance
 *                                      h v, and at most that of one share. Both ways, and for several values,
 *                                      rho-concentrated with rho = (D / sqrt(2 h v) + kappa sqrt(d/2))^2, but at
 *                                      most D^2 / (2 v); d is how many values one unit can move
 * Claim       gaussian-share.wanted    the variance for an epsilon and a delta is verified, not only computed: its claim has
 *                                      at most delta at epsilon
 * Claim       gaussian-share.accuracy  the radius shown is the smallest t with P(|Z| > t) at most
 *                                      1 - confidence, for each value; if the distribution of Z is known only
 *                                      within a factor of exp(kappa), some t with this property
 * Time        depends on the noise, never on the input: noise is drawn before it is read
 * Reference   Kairouz, Liu, Steinke 2021; spec/local-additions.md 5
 *
 * The sum of discrete Gaussians is no discrete Gaussian: charged as one draw of variance h v it would be charged too little. Let g
 * be ln(P(Z = k)/G(k)), whose values span kappa (discrete_gaussian_law.h).
 *
 * Delta. P <= exp(a) G and P >= exp(a - kappa) G with a the largest g, so that P - e^epsilon P' is at most
 * exp(a) (G - e^(epsilon - kappa) G'), and a <= kappa, since g is 0 or both signs occur.
 *
 * Rho. K(t) = ln E_G exp(t g) is 0 at 0 and 1, and its second derivative, the variance of g under a tilted law, is
 * at most kappa^2/4: so D_t(P||G) = K(t)/(t-1) <= t kappa^2/8, and as much the other way. Coordinates that do not
 * move add nothing, d that do add d times that. Hoelder's inequality gives, for every s > 0,
 *
 *     D_t(P||R) <= t ((1+s) rho_1 + (1+1/s) rho_2)   where D_u(P||Q) <= u rho_1 and D_u(Q||R) <= u rho_2 for all u,
 *
 * so that square roots of rho add: from P to G, by D^2/(2 h v) to G moved, and to P moved.
 */
#ifndef SC_MECHANISM_NOISE_GAUSSIAN_SHARE_H
#define SC_MECHANISM_NOISE_GAUSSIAN_SHARE_H

#include "model/mechanism.h"

extern const sc_mechanism sc_gaussian_share;

#endif
