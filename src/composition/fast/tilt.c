#include "composition/fast/tilt.h"

#include "base/memory.h"
#include "base/number/ball_double.h"

#include <math.h>

#define BITS 192
#define LEAST 0x1p-900

void sc_tilt_clear(sc_tilt *tilt)
{
    sc_free(tilt->x);
    *tilt = (sc_tilt){.x = NULL};
}

/* exp(theta z_j - log_scale) 2^-(bits / 2) for all points of the loss. */
static scrim_status factors(const sc_loss *loss, double theta, double log_scale,
                            sc_exponentials *out, scrim_error *error)
{
    SC_OWN(sc_ball, slope, offset, scale);
    sc_ball_set_ratio(&slope, &loss->step, BITS);
    sc_ball_set_double(&offset, theta);
    sc_ball_mul(&slope, &slope, &offset, BITS);
    sc_ball_mul_int64(&offset, &slope, loss->low, BITS);
    sc_ball_set_double(&scale, log_scale);
    sc_ball_sub(&offset, &offset, &scale, BITS);
    sc_ball_set_int64(&scale, 2);
    sc_ball_log(&scale, &scale, BITS);
    sc_ball_mul_int64(&scale, &scale, loss->bits / 2, BITS);
    sc_ball_sub(&offset, &offset, &scale, BITS);
    return sc_exponentials_fill(out, &offset, &slope, loss->count, error);
}

/* x_j = mass_j times its factor, turned by so much; returns an upper bound of their sum. The
 * product is within 9u of the truth (mass 2u, coarse and fine 2u each, two roundings), so that
 * (1 + 12u) makes it no smaller and (1 - 12u) no larger, after one more rounding. */
static double apply(const sc_loss *loss, const double *mass, const sc_exponentials *e,
                    double turn, double *x)
{
    const size_t size = (size_t)1 << e->log;
    double sum = 0;
    for (size_t b = 0; b << e->log < loss->count; b++) {
        const size_t from = b << e->log;
        const size_t run = loss->count - from < size ? loss->count - from : size;
        double part = 0;
        for (size_t r = 0; r < run; r++) {
            double value = 0;
            if (mass[from + r] > 0)
                value = mass[from + r] * e->coarse[b] * e->fine[r] * turn;
            if (value < LEAST)
                value = 0;
            if (x != NULL)
                x[from + r] = value;
            part += value;
        }
        sum += part;
    }
    /* Sums of n terms above 0 are within n u. */
    return sum * (1 + (double)(size + e->blocks + 2) * 0x1p-52);
}

scrim_status sc_tilt_set(sc_tilt *tilt, const sc_loss *loss, double theta, double near,
                         scrim_error *error)
{
    const double turn = loss->side == SC_LOSS_UPPER ? 1 + 12 * 0x1p-53 : 1 - 12 * 0x1p-53;
    sc_exponentials e;
    scrim_status status = SCRIM_OK;
    sc_exponentials_init(&e);
    sc_tilt_clear(tilt);
    tilt->x = sc_allocate(loss->count, 2 * sizeof *tilt->x);
    if (tilt->x == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a loss of %zu points",
                       loss->count);
    tilt->mass = tilt->x + loss->count;
    tilt->theta = theta;
    tilt->log_scale = near;
    sc_ball_doubles(loss->mass, loss->count, loss->bits - loss->bits / 2, tilt->mass);
    /* Once more where the first scale was rough. */
    for (int i = 0; i < 3 && status == SCRIM_OK; i++) {
        status = factors(loss, theta, tilt->log_scale, &e, error);
        if (status == SCRIM_OK)
            tilt->sum = apply(loss, tilt->mass, &e, turn, tilt->x);
        if (fabs(tilt->sum - 1) < 1e-12)
            break;
        if (i < 2 && tilt->sum > 0 && tilt->sum < HUGE_VAL)
            tilt->log_scale += log(tilt->sum);
    }
    if (status == SCRIM_OK && !(tilt->sum < 2))
        status =
            sc_fail(error, SCRIM_E_LIMIT, "the losses are too far apart for doubles");
    sc_exponentials_clear(&e);
    return status;
}

void sc_tilt_put(const sc_loss *loss, const sc_tilt *tilt, size_t points, double *out)
{
    const size_t mask = points - 1;
    for (size_t j = 0; j < points; j++)
        out[j] = 0;
    for (size_t j = 0; points > 0 && j < loss->count; j++)
        out[j & mask] += j / points % 2 == 0 ? tilt->x[j] : -tilt->x[j];
}

/* x_j is at most 22u above what the mass gives, and a product here 9u below: (1 + 40u) covers both,
 * and one 2^-890 each what is left out. */
scrim_status sc_tilt_log_moment(const sc_loss *loss, const sc_tilt *tilt, double theta,
                                double near, sc_ball *out, scrim_error *error)
{
    sc_exponentials e;
    sc_exponentials_init(&e);
    SC_OWN(sc_ball, scale);
    const scrim_status status = factors(loss, theta, near, &e, error);
    if (status == SCRIM_OK) {
        const double sum = apply(loss, tilt->mass, &e, 1 + 40 * 0x1p-53, NULL);
        sc_ball_set_double(out, sum + (double)loss->count * 0x1p-890);
        sc_ball_log(out, out, BITS);
        sc_ball_set_double(&scale, near);
        sc_ball_add(out, out, &scale, BITS);
    }
    sc_exponentials_clear(&e);
    return status;
}
