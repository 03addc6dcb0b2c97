/* Divergences of two given distributions on one finite set, exactly.
 *
 *     scrim_place p[] = {{"yes", "9/10"}, {"no", "1/10"}}, q[] = {{"yes", "1/10"}, {"no", "9/10"}};
 *     scrim_laws *laws;
 *     scrim_distance found;
 *     if (scrim_laws_new(p, 2, q, 2, NULL, &laws, &error) == SCRIM_OK) {
 *         if (scrim_divergence_of(laws, SCRIM_OPTIONS(scrim_divergence, .kind = "renyi", .order = "2"), &found, &error) == SCRIM_OK)
 *             printf("%s\n", found.exact);
 *         scrim_laws_free(laws);
 *     }
 *
 * This prints ln(73/9). These functions compute with the numbers that they are given. They use no
 * ledger and no vault, and add no noise: results from private numbers are private.
 */
#ifndef SCRIM_DIVERGENCE_H
#define SCRIM_DIVERGENCE_H

#include "scrim/accuracy.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scrim_laws scrim_laws;

/* Where the two lists were read, for messages. */
typedef struct scrim_laws_options {
    size_t size;
    scrim_list_lines p_lines, q_lines;
} scrim_laws_options;

/* Two distributions, P and Q. A place is the name of an outcome, any text; the masses of one name
 * are added; an outcome that is missing on one side has mass 0 there. The masses of each side add
 * up to exactly 1, or are whole numbers with the same total on both sides.
 * SCRIM_E_PARAM: they do not. SCRIM_E_INPUT: a mass cannot be read or is below 0. SCRIM_E_LIMIT:
 * more than 2^20 outcomes, or no common denominator below 2^4096. SCRIM_E_MEMORY. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_laws_new(const scrim_place *p, size_t p_count,
                                                     const scrim_place *q, size_t q_count,
                                                     const scrim_laws_options *options,
                                                     scrim_laws **out,
                                                     scrim_error *error);
/* NULL is allowed. */
SCRIM_API void scrim_laws_free(scrim_laws *laws);

/* The kinds of divergences, from P to Q. Constant text.
 *
 *   tv               total variation
 *   kl               Kullback and Leibler: the sum of p ln(p/q)
 *   renyi            of an order from 0 to 10^6: ln(sum of p^a q^(1-a)) / (a-1)
 *   max              the largest ln(p/q)
 *   hockey-stick     at an epsilon: the sum of max(0, p - e^epsilon q), which is the smallest delta
 *   approximate-max  at a delta: the smallest epsilon whose hockey stick is at most delta
 *
 * and what follows from them:
 *
 *   kl-bound         epsilon tanh(epsilon/2), a bound on kl by the larger max of both directions
 *   renyi-bound      the epsilon at a delta that follows from the Renyi divergence of an order above
 *                    1, the larger of both directions (Canonne, Kamath and Steinke)
 *   group-max        epsilon of a group of `group` people: group times max
 *   group-delta      delta of a group at group times epsilon, from hockey-stick at epsilon:
 *                    delta (e^(group epsilon) - 1) / (e^epsilon - 1)
 */
typedef struct scrim_divergence_kind {
    const char *name;    /* "hockey-stick" */
    const char *summary; /* one line */
    const char
        *needs; /* "order", "epsilon", "delta", "group", or two, "order,delta"; or "" */
    int is_symmetric; /* both directions have the same value */
} scrim_divergence_kind;

/* Index from 0; NULL past the last. */
SCRIM_API const scrim_divergence_kind *scrim_divergence_kind_at(size_t index);

/* The question. Exact text; parameters that the kind does not need are NULL. */
typedef struct scrim_divergence {
    size_t size;
    const char *kind;
    int is_back;       /* from Q to P */
    const char *order; /* 0 to 10^6 */
    const char
        *epsilon; /* -1000 to 1000; or "ln(3/2)", the logarithm of a number above 0 */
    const char *delta; /* 0 to 1 */
    const char *group; /* 1 to 10^6 */
} scrim_divergence;

/* The exact text of the result is a number, "ln(73/9)" or "ln(5905/81)/2", and is empty if the value
 * has no such form, or a long one. The decimal has 15 digits and is rounded up. An infinite value is
 * "inf"; an approximate max divergence may be "-inf", at delta 1.
 * SCRIM_E_PARAM: unknown kind, or a number that is missing, wrong or not for this kind.
 * SCRIM_E_LIMIT: 15 digits are not reached with 65,536 bits. SCRIM_E_MEMORY.
 * out is written on success only. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_divergence_of(const scrim_laws *laws, const scrim_divergence *question,
                    scrim_distance *out, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
