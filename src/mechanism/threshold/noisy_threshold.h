/* Counts with symmetric noise, shown where they reach a threshold: what the mechanisms of that
 * kind do alike, once their noise and their threshold are known.
 *
 * The noisy count n + Z of a group is shown where it is at least T; a group without units is never
 * shown. The state of such a measurement begins with an sc_noisy_threshold, so that the
 * functions below can be members of its descriptor.
 *
 * Claim  noisy-threshold.exact     the law is exactly that; a count that is T is shown
 * Claim  noisy-threshold.accuracy  a group of the stated number of units or more is shown with the
 *                                  stated probability, and no smaller number will do; n + Z is
 *                                  within the radius of values with it; where the noise has a
 *                                  bound, that is the radius, and always
 * Claim  noisy-threshold.public    a group whose key is public (sc_private_input) is n + Z, whatever that is and also
 *                                  without units; whichever keys are public, the privacy claims of the mechanisms
 *                                  hold for all groups together, at one charge
 * Time   depends on the noise, never on the counts: noise is drawn before they are read
 *
 * Public keys. A count that is always shown is moved by a unit as that of a group of others is, under the same noise,
 * and no unit makes it appear. So it is one of the groups of others in the proofs of the mechanisms, where unit and
 * bounds are about all groups, public or not (spec/thresholding.md 9). Where the noise has a bound, to leave out what
 * does not reach the threshold is to look at n + Z alone, in all groups.
 *
 * A value is shown only when it is large: near T it is too large on average, and the radius is that
 * of the noise before anything was left out.
 */
#ifndef SC_MECHANISM_THRESHOLD_NOISY_THRESHOLD_H
#define SC_MECHANISM_THRESHOLD_NOISY_THRESHOLD_H

#include "model/measurement.h"
#include "sampling/blocks.h"
#include "sampling/law.h"

/* The parameter that all of them have, for the lists. */
#define SC_PARAMETER_SHOWN_EPSILON                                                       \
    {                                                                                    \
        .name = "epsilon", .kind = SC_PARAMETER_RATIONAL, .above = "0",                  \
        .limit_low = "2^-30", .limit_high = "1000",                                      \
        .domain = "a rational above 0, from 9.4e-10 to 1000"                             \
    }
#define SC_PARAMETER_SHOWN_DELTA                                                         \
    {                                                                                    \
        .name = "delta", .kind = SC_PARAMETER_RATIONAL, .above = "0", .below = "1",      \
        .limit_low = "2^-160",                                                           \
        .domain = "a rational above 0 and below 1, from 6.9e-49 on"                      \
    }

#define SC_THRESHOLD_MAX ((int64_t)1 << 60)
#define SC_THRESHOLD_UNSEEN INT64_MIN /* in the law: a group that is not shown */

/* The units that the audit adds to one group, and to two groups at a time; 0 where it cannot. */
typedef struct sc_threshold_moves {
    int64_t one, two[2];
} sc_threshold_moves;

typedef struct sc_noisy_threshold {
    sc_law noise;
    sc_blocks blocks; /* the same law, drawn */
    bool is_ready;
    int64_t threshold;        /* from 1 to SC_THRESHOLD_MAX - 1 */
    sc_threshold_moves moves; /* zeros: those of units that count once in a group */
    size_t pairs;             /* the most sizes of one group for the audit; 0: 512 */
} sc_noisy_threshold;

/* Discrete Laplace noise of a scale, or discrete Gaussian noise of a variance. The threshold is set
 * afterwards. Also after a failure it is to be cleared. */
SCRIM_MUST_USE scrim_status sc_noisy_threshold_init(sc_noisy_threshold *out,
                                                    const sc_law_functions *noise,
                                                    const sc_ratio *shape,
                                                    scrim_error *error);
/* Discrete Laplace noise of a scale that never exceeds a bound, from 1 to 2^60. */
SCRIM_MUST_USE scrim_status sc_noisy_threshold_init_bounded(sc_noisy_threshold *out,
                                                            const sc_ratio *scale,
                                                            int64_t bound,
                                                            scrim_error *error);
void sc_noisy_threshold_clear(sc_noisy_threshold *x);

/* At least 1 - P(1 + Z < T)^groups, the probability that any of `groups` groups of one unit is
 * shown; and L = -ln P(1 + Z < T). */
void sc_noisy_threshold_mass(const sc_law *noise, int64_t threshold, uint64_t groups,
                             long bits, sc_ball *out);
void sc_noisy_threshold_loss(const sc_law *noise, int64_t threshold, long bits,
                             sc_ball *out);
/* The cost of noisy counts, where a unit's own group is shown with probability t at most and the
 * noise of the other groups has this curve: t + (1 - t) d at each epsilon, with d from the noise.
 * */
void sc_noisy_threshold_delta(const sc_curve *noise, const sc_ball *mass,
                              const sc_ratio *epsilon, long bits, sc_ball *out);
/* epsilon and delta as they were given (t where a threshold was given in place of delta), that curve,
 * and t aside from noise that is epsilon-DP. */
void sc_noisy_threshold_cost(const scrim_measurement *measurement, const sc_ball *mass,
                             const sc_curve_functions *functions, sc_exact_cost *out);
/* The smallest threshold from a first one on, at least 1, at which is_enough holds, which holds
 * from there on; SC_THRESHOLD_MAX if no smaller one does. */
int64_t sc_noisy_threshold_search(bool (*is_enough)(const void *context,
                                                    int64_t threshold),
                                  const void *context, int64_t from);

/* The beginning of the state of such a measurement, and its threshold T. */
const sc_noisy_threshold *sc_noisy_threshold_of(const scrim_measurement *measurement);
int64_t sc_threshold_of(const scrim_measurement *measurement);
/* Does the noise have a bound? */
bool sc_noisy_threshold_is_bounded(const sc_noisy_threshold *x);
/* The smallest number of units that is shown with probability p or more, 0 < p < 1, or p = 1 where
 * the noise has a bound. */
SCRIM_MUST_USE scrim_status sc_noisy_threshold_units(const scrim_measurement *measurement,
                                                     const sc_ratio *p, sc_int128 *out,
                                                     scrim_error *error);

/* Members of the descriptor; the state begins with an sc_noisy_threshold, and discard is for one that
 * owns nothing else. */
void sc_noisy_threshold_discard(scrim_measurement *measurement);
SCRIM_MUST_USE scrim_status
sc_noisy_threshold_certify(const scrim_measurement *measurement, const sc_ratio *beta,
                           size_t count, sc_certificate *out, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_noisy_threshold_draw(const scrim_measurement *measurement,
                                                    sc_bits *bits,
                                                    const sc_private_input *input,
                                                    sc_draw *out, scrim_error *error);
/* The groups are independent, and the law is the product of theirs. */
SCRIM_MUST_USE scrim_status sc_noisy_threshold_law(const scrim_measurement *measurement,
                                                   const sc_private_input *input,
                                                   long bits, sc_outcomes *out,
                                                   scrim_error *error);
/* The law of one count n >= 0 with noise: SC_THRESHOLD_UNSEEN, or a value from the threshold on. out is
 * empty, of width 1. */
SCRIM_MUST_USE scrim_status sc_noisy_threshold_list(const sc_law *noise,
                                                    int64_t threshold, int64_t n,
                                                    long bits, sc_outcomes *out,
                                                    scrim_error *error);
/* The neighbours for the audit: one group without and with the unit, of n others, n up to a little
 * above the threshold (and above the noise where that has a bound), some skipped where there are
 * many. Where a unit can change two numbers and the noise is short, two groups as well: one of them
 * new, or both known; under replace the one up and the other down. */
size_t sc_noisy_threshold_pair_count(const scrim_measurement *measurement);
void sc_noisy_threshold_pair(const scrim_measurement *measurement, size_t index,
                             sc_pair *out);

#define SC_NOISY_THRESHOLD_MEMBERS                                                       \
    .is_kept = sc_unit_counts_is_above, .answer_count = sc_unit_counts_answers,          \
    .draw = sc_noisy_threshold_draw, .width = sc_unit_counts_answers,                    \
    .law = sc_noisy_threshold_law, .pair_count = sc_noisy_threshold_pair_count,          \
    .pair = sc_noisy_threshold_pair

/* The groups of one unit alone: the probability that any of them is shown, and the threshold at
 * which it is small enough.
 *
 * Either a unit is in at most `groups` groups and adds at most `each` to each of them; or it is in any
 * number of groups, adds at least 1 to each of them and at most a total to all of them together, as
 * with an integral query of that l1 sensitivity. With t(a) = P(a + Z >= T) the probability is at
 * most
 *
 *     1 - (1 - t(each))^groups,   or   max( t(total), 1 - (1 - t(1))^total )
 *
 * Claim  new-groups.exact     that is the largest of all ways to divide what a unit adds
 * Claim  new-groups.smallest  the threshold is the smallest, from 1 on, that has at most delta
 *
 * Proof. t grows with a, which is the first. For the second, f(a) = -ln(1 - t(a)) is convex where a
 * is at least 1, as the tail of noise that is log-concave is: of j groups and a total the largest
 * sum of f has one group of total - j + 1 and j - 1 of 1. As that is convex in j, too, it is at
 * j = 1 or j = total.
 *
 * Reference  spec/thresholding.md 1, 3, F8
 */

typedef struct sc_new_groups {
    uint64_t groups, each; /* both from 1 to 2^20; or 0 */
    uint64_t total;        /* from 1 to 2^40, where groups is 0 */
} sc_new_groups;

/* The most that one unit adds to all groups together. */
uint64_t sc_new_groups_moved(const sc_new_groups *own);
/* The probability above, of noise that is symmetric and log-concave. */
void sc_new_groups_mass(const sc_new_groups *own, const sc_law *noise, int64_t threshold,
                        long bits, sc_ball *out);
/* The smallest threshold for a delta; SC_THRESHOLD_MAX if no smaller one will do. */
int64_t sc_new_groups_threshold(const sc_new_groups *own, const sc_law *noise,
                                const sc_ratio *delta);

#endif
