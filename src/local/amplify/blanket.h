/* Privacy of n shuffled reports: bounds on the hockey-stick divergence D(rho) when one device changes
 * its value, by the privacy blanket.
 *
 * A report of the other devices lies with probability r in the part that only the one value favours,
 * with r in that of the other, with t11 in the part that both favour, with t10 in the one that
 * neither does, and is else outside of the blanket. With p = e^(local epsilon),
 *
 *   D(rho) <= E max(0, X_1 + ... + X_n) / n,   X = p - rho (r), 1 - rho p (r), -(rho - 1) p (t11),
 *                                                  -(rho - 1) (t10), 0 (else).
 *
 * Evaluated as a sum over s, the reports in the first two parts, of two binomial tails and the common
 * part (blanket_sums.h). The expectation of the common part in place of the part itself makes it
 * smaller (Jensen): that is the value of the variation-ratio reduction, which is a lower end of the
 * bound and no upper bound of D.
 *
 * Claim  blanket.upper  the upper end is at least the blanket bound, which is at least D(rho), whatever
 *                       the other devices hold
 * Claim  blanket.lower  the lower end is at most the blanket bound
 *
 * Reference  Balle, Bell, Gascon, Nissim 2019; Feldman, McMillan, Talwar 2023; spec/local-additions.md 4
 */
#ifndef SC_LOCAL_BLANKET_H
#define SC_LOCAL_BLANKET_H

#include "local/amplify/blanket_sums.h"

typedef struct sc_blanket_law {
    sc_ball p;           /* > 1 */
    sc_ball r, t11, t10; /* 2 r + t11 + t10 < 1 */
} sc_blanket_law;

void sc_blanket_law_init(sc_blanket_law *law);
void sc_blanket_law_clear(sc_blanket_law *law);

/* All that does not depend on rho. */
typedef struct sc_blanket sc_blanket;

/* A blanket of n devices, 1 <= n <= SC_BLANKET_DEVICES; D about delta is asked for. A law is copied. With
 * epsilon > 0, near the answer, the common part is prepared for it, and upper ends can be had;
 * with 0 only lower ones. SCRIM_E_MEMORY, SCRIM_E_LIMIT. */
#define SC_BLANKET_DEVICES UINT64_C(1000000000)
SCRIM_MUST_USE scrim_status sc_blanket_new(const sc_blanket_law *law, uint64_t n,
                                           double delta, double epsilon, sc_blanket **out,
                                           scrim_error *error);
void sc_blanket_free(sc_blanket *blanket);
/* rho > 1. The upper end of the ball that is returned, and the lower end of it, count. */
void sc_blanket_upper(const sc_blanket *blanket, const sc_ball *rho, sc_ball *out);
void sc_blanket_lower(const sc_blanket *blanket, const sc_ball *rho, sc_ball *out);

#endif
