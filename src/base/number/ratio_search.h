/* Where the answer to a question turns from no to yes, among the positive rationals.
 *
 * The question is one whose answer, as x grows, is first no and then yes. An answer that is not
 * sure is given as no: what is found is then larger than need be, and nothing worse.
 *
 * Claim  ratio-search.holds  what is found holds: the question was asked of it, and answered yes
 */
#ifndef SC_BASE_RATIO_SEARCH_H
#define SC_BASE_RATIO_SEARCH_H

#include "base/number/ratio.h"

typedef bool sc_ratio_question(const void *context, const sc_ratio *x);

/* high = the power of 2 between 2^near and 2^far that holds where its half, low, does not;
 * near < 0 < far. False when there is none. */
bool sc_ratio_bracket(sc_ratio_question *holds, const void *context, int near, int far,
                      sc_ratio *low, sc_ratio *high);
/* Halves what lies between low, which does not hold, and high, which does, so many times. */
void sc_ratio_bisect(sc_ratio_question *holds, const void *context, int steps,
                     sc_ratio *low, sc_ratio *high);

#endif
