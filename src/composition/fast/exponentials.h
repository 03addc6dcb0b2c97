/* exp(j slope) for many j, in doubles, at the price of one multiplication each.
 *
 * j is split in high and low bits, and a table for each is filled from balls.
 *
 * Claim  exponentials.accurate  what lies between 2^-900 and 2^900 is within 6 u = 6 2^-53 of the
 *                               truth, relatively; what comes out below or above that is beyond
 *                               2^-899 or 2^899
 */
#ifndef SC_COMPOSITION_EXPONENTIALS_H
#define SC_COMPOSITION_EXPONENTIALS_H

#include "base/number/ball.h"
#include "base/status.h"

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

#endif
