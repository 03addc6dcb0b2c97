/* The facts of a local protocol: how reports support values, how accurate estimates are, what they cost. Computed from the configuration
 * that its devices have.
 *
 * A and B are the integers a and b of the configuration. Where each report supports a set of
 * values, P is the probability that a value is supported by a device that holds it, Q by one that
 * holds another; C reports of n support a value that n_v devices hold:
 *
 *     est = (C - n Q) / (P - Q),  of mean n_v and variance n_v var_at_1 + (n - n_v) var_at_0
 *
 * exactly, if P and Q are the same for all pairs of values (is_pure).
 *
 * Functions take configurations that scrim_local_config_parse or _format has accepted.
 *
 * Claim  protocol.support    P, Q and the variances are those of the device's encoder, exactly
 * Claim  protocol.loss       no pair of values has a larger loss over that many reports, and some
 *        pair has just that
 * Claim  protocol.rounding   the loss of parameters that were chosen for a wanted epsilon is never above it
 * Claim  protocol.poisoning  no report, valid or not, moves an estimate by more than raise and drop say
 */
#ifndef SC_MECHANISM_LOCAL_PROTOCOL_H
#define SC_MECHANISM_LOCAL_PROTOCOL_H

#include "base/number/ball.h"
#include "scrim_local.h"

/* The kinds of estimates that a server makes from the reports. */
typedef enum sc_protocol_question {
    SC_PROTOCOL_COUNTS, /* how many devices hold each value */
    SC_PROTOCOL_TEXTS,  /* likewise of texts */
    SC_PROTOCOL_NUMBERS /* the mean, or the distribution, of numbers */
} sc_protocol_question;

/* Is it about counts, texts or numbers? */
sc_protocol_question sc_protocol_asks(const scrim_local_config *config);

/* P and Q. Of rappor with a Bloom filter and of bit-flip those of one bit; of one-bit-mean and
 * rounded-bit-mean the probabilities of 1 at the largest number and at 0. False, with both
 * untouched: the protocol has no P and Q (hadamard with several blocks, square-wave, laplace-mean,
 * condensed-*). */
bool sc_protocol_support(const scrim_local_config *config, sc_ratio *p, sc_ratio *q);
/* P and Q are the same for all pairs of values, and est above is unbiased. */
bool sc_protocol_is_pure(const scrim_local_config *config);

typedef struct sc_protocol_facts {
    bool is_pure;
    /* Variance of the estimated count for one report: from a device that holds another value (hadamard with
     * several blocks: another one of the same block, the worst case), from one that holds it. Of
     * numbers: of the mean in steps, at 0 and at the largest number. */
    sc_ratio var_at_0, var_at_1;
    /* One report that an attacker makes up raises one estimate by at most raise and lowers it by at
     * most drop; of numbers the sum of all, in steps. */
    sc_ratio raise, drop;
    uint64_t targets; /* how many estimates one report can raise together */
} sc_protocol_facts;

void sc_protocol_facts_init(sc_protocol_facts *facts);
void sc_protocol_facts_clear(sc_protocol_facts *facts);
/* False: the protocol has no such facts (condensed-*). */
bool sc_protocol_find(const scrim_local_config *config, sc_protocol_facts *out);

/* above / below, which is not 0. */
void sc_protocol_fraction(sc_ratio *out, sc_uint128 above, sc_uint128 below);

/* F of hadamard: est is F times the sum of signs. (A + (2J-1)B)/(A - B). */
void sc_protocol_hadamard_factor(const scrim_local_config *config, sc_ratio *out);
/* The variance, in steps, of the estimate of its number that square-wave, one-bit-mean,
 * rounded-bit-mean or laplace-mean gives for one device that holds x; of the last without clamping. */
void sc_protocol_number_variance(const scrim_local_config *config, uint64_t x,
                                 sc_ratio *out);

/* Points, and points on one hyperplane, on two, of projective-geometry. */
typedef struct sc_geometry {
    uint64_t points, on_one, on_two;
} sc_geometry;
sc_geometry sc_protocol_geometry(uint32_t field, uint32_t digits);

/* A report that is one integer below first, and where second is not 1 another one below it; the server
 * counts each pair of them in a counter of its own. Of protocols with a bit a value first is values. */
typedef struct sc_protocol_integers {
    uint32_t first, second;
} sc_protocol_integers;
sc_protocol_integers sc_protocol_integers_of(const scrim_local_config *config);
/* A server keeps at most this many counters of one configuration. */
#define SC_PROTOCOL_COUNTERS ((uint64_t)1 << 24)

/* The exact loss of `reports` reports about one value that does not change; 0: of any number of
 * them. Not finite where there is no bound. Of condensed-exponential an upper bound, of |x-y| alone. */
void sc_protocol_loss(const scrim_local_config *config, uint64_t reports, long bits,
                      sc_ball *out);

/* a and b of condensed-geometric or condensed-exponential, so that the reports of x and y have ratios of at most
 * exp(alpha |x-y|). Errors as the next function. */
SCRIM_MUST_USE scrim_status sc_protocol_choose_alpha(scrim_local_config *config,
                                                     const sc_ratio *alpha,
                                                     scrim_error *error);
/* Sets each parameter that is 0 and that the protocol needs: a and b for the loss epsilon of any
 * number of reports about one value, and the others for the smallest variance. first is the loss
 * of the first report of repeated-unary; NULL: half of epsilon. The caller sets
 * protocol, values (texts: text) and any parameter that is to differ from this choice.
 * SCRIM_E_PARAM: no parameters have such a loss. SCRIM_E_LIMIT: epsilon or the domain is too large
 * for the protocol. */
SCRIM_MUST_USE scrim_status sc_protocol_choose(scrim_local_config *config,
                                               const sc_ratio *epsilon,
                                               const sc_ratio *first, scrim_error *error);

#endif
