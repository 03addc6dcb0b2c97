#include "composition/fast/exponentials.h"

#include "base/memory.h"
#include "base/work_limit.h"

#include <math.h>

#define BITS 128
/* The exponent of fine stays within this, so that a result above 2^-900 has a normal coarse. */
#define FINE_RANGE 60

void sc_exponentials_init(sc_exponentials *e)
{
    *e = (sc_exponentials){0};
}

void sc_exponentials_clear(sc_exponentials *e)
{
    sc_free(e->coarse);
    sc_exponentials_init(e);
}

static unsigned block_log(const sc_ball *slope, size_t count)
{
    const double size = fmax(fabs(sc_ball_lower(slope)), fabs(sc_ball_upper(slope)));
    unsigned log = 0;
    while (log < SC_EXPONENTIALS_LOG && (size_t)1 << (2 * log) < count &&
           size * ldexp(1, (int)log + 1) <= FINE_RANGE)
        log++;
    return log;
}

/* out[j] = exp(offset + j slope), rounded down: an error below 2u. False when the work limit is reached. */
static bool fill(double *out, size_t count, const sc_ball *offset, const sc_ball *slope)
{
    SC_OWN(sc_ball, x);
    bool is_over = sc_work_limit_is_over();
    for (size_t j = 0; j < count && !is_over; j++) {
        sc_ball_mul_int64(&x, slope, (int64_t)j, BITS);
        if (offset != NULL)
            sc_ball_add(&x, &x, offset, BITS);
        sc_ball_exp(&x, &x, BITS);
        out[j] = sc_ball_lower(&x);
        is_over = sc_work_limit_is_over();
    }
    return !is_over;
}

scrim_status sc_exponentials_fill(sc_exponentials *e, const sc_ball *offset,
                                  const sc_ball *slope, size_t count, scrim_error *error)
{
    sc_exponentials_clear(e);
    e->log = block_log(slope, count);
    e->blocks = (count >> e->log) + 1;
    e->coarse = sc_allocate(e->blocks + ((size_t)1 << e->log), sizeof *e->coarse);
    if (e->coarse == NULL)
        return sc_no_memory(error, "a table of exponentials");
    e->fine = e->coarse + e->blocks;
    SC_OWN(sc_ball, stride);
    sc_ball_mul_power2(&stride, slope, (long)e->log);
    const bool is_done = fill(e->coarse, e->blocks, offset, &stride) &&
                         fill(e->fine, (size_t)1 << e->log, NULL, slope);
    return is_done
               ? SCRIM_OK
               : sc_fail(error, SCRIM_E_LIMIT, "a table of exponentials takes too long");
}
