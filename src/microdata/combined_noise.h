/* How far a sum of independent noises with weights may be from 0: half widths of intervals.
 *
 *     S = sum of c z over many noises z, discrete Laplace or discrete Gaussian, each with its own weight c
 *
 * The weights are real, so S has no lattice, and its law has more values than can be listed. Its characteristic function is a
 * product of known ones, and Selberg's function m is below the indicator of [-t, t] everywhere while its Fourier transform is 0
 * beyond a band d. So
 *
 *     Pr[|S| <= t] >= E m(S) = integral over the band of the transform of m times the characteristic function of S,
 *
 * and a sum over a grid of period T is that integral but for what S has beyond T - t, which Chernoff's bound says. The half
 * width is the smallest t (to a thousandth of the deviation) whose bound holds; with a band of 32 deviations it is
 * a hundredth above the exact one. Of weights that are only known to be at most M with squares that sum to Q, the
 * characteristic function is between that of as many noises of one weight as there are, or of the Gaussian of their
 * variance, and that of Q/M^2 noises of weight M (below half a turn): the first is taken where the transform is positive, the
 * second where it is negative.
 *
 * Claim      combined-noise.sound   |S| is above the half width with probability at most beta
 * Claim      combined-noise.close   where all weights are known it is at most 1.02 times the smallest that is sound, and a step of
 *                              the widest noise
 * Claim      combined-noise.factor  deviation times factor is sound for every sum of noises of these kinds whose variances are at
 *                              least those given, whatever the weights
 * Proof      combined_noise.md
 * Reference  J. D. Vaaler, Some extremal functions in Fourier analysis, 1985; spec/synthetic.md 5
 */
#ifndef SC_MICRODATA_COMBINED_NOISE_H
#define SC_MICRODATA_COMBINED_NOISE_H

#include "microdata/least_squares.h"

/* Noises of a level with weights of which not all need to be known. */
typedef struct sc_noise_term {
    double weight; /* none is above it */
    double count;  /* the sum of their squares by the square of weight */
    size_t level;
    double noises; /* an upper bound; 0: they are count, all of this weight */
} sc_noise_term;

typedef struct sc_combined_noise {
    const sc_noise_term *terms;
    size_t count;
    const sc_level_noise *noises; /* of each level */
} sc_combined_noise;

/* The smaller of Chernoff's bound and the one by the characteristic function; 0 for a sum of nothing. */
double sc_combined_noise_half_width(const sc_combined_noise *sum, double beta);

/* Chernoff's bound alone: (ln(2/beta) + sum of ln E exp(s c z))/s at the best slope s. It needs no exact weights. */
double sc_combined_noise_chernoff(const sc_combined_noise *sum, double beta);
/* The same from a slope nearby, which is left at a better one: some turns of a search and not all of it. 0: from nowhere. */
double sc_combined_noise_chernoff_near(const sc_combined_noise *sum, double beta,
                                       double *slope);
/* At most `most`, which holds. */
double sc_combined_noise_at_most(const sc_combined_noise *sum, double most, double beta);

/* Half width by deviation, whatever the weights. Noises of amount 0 do not count. */
double sc_combined_noise_factor(const sc_level_noise *noises, size_t count, double beta);

/* The same for one noise by itself, a whole number: of discrete Laplace noise the exact one. */
double sc_noise_half_width(const sc_level_noise *noise, double beta);

#endif
