#include "composition/loss/loss_atoms.h"

#include <math.h>

/* Less than this outside of the list is next to nothing. */
#define REST 0x1p-10

static double number(const sc_ratio *x)
{
    SC_OWN(sc_ball, ball);
    sc_ball_set_ratio(&ball, x, 64);
    return sc_ball_upper(&ball);
}

/* P and Q of the losses above j. */
static void above(const sc_loss_pair *pair, sc_int128 j, double *p, double *q)
{
    SC_OWN(sc_ball, first, second);
    pair->kind->above(pair, j, 64, &first, &second);
    *p = sc_ball_upper(&first);
    *q = sc_ball_upper(&second);
}

/* The middle of the list: loss 0 is at j = -offset/step. */
static sc_int128 first_index(const sc_loss_pair *pair)
{
    sc_int128 j = 0;
    SC_OWN(sc_ratio, offset, step);
    SC_OWN(sc_integer, whole);
    pair->kind->lattice(pair, &offset, &step);
    sc_ratio_div(&offset, &offset, &step);
    sc_ratio_floor(&offset, &whole);
    if (!sc_integer_get_int128(&whole, &j))
        j = 0;
    return -j - SC_LOSS_ATOMS / 2;
}

/* The loss z after sampling, and its mass from those of P and Q before. */
static void bend(const sc_loss_pair *pair, double z, double p, double q, double *at,
                 double *mass)
{
    const double rate = number(&pair->rate);
    if (!pair->is_sampled) {
        *at = z;
        *mass = p;
    } else if (pair->direction == SC_DIRECTION_REMOVE) {
        *at = log1p(rate * expm1(z));
        *mass = (1 - rate) * q + rate * p;
    } else {
        *at = -log1p(rate * expm1(-z));
        *mass = p;
    }
}

/* The list from the first index on, before times: false when much lies outside of it. */
static bool list(const sc_loss_pair *pair, sc_loss_atoms *out)
{
    SC_OWN(sc_ratio, offset, step);
    pair->kind->lattice(pair, &offset, &step);
    const double zero = number(&offset), width = number(&step);
    const sc_int128 first = first_index(pair);
    double p = 0, q = 0, next_p = 0, next_q = 0, total = 0;
    above(pair, first - 1, &p, &q);
    for (int i = 0; i < SC_LOSS_ATOMS; i++) {
        above(pair, first + i, &next_p, &next_q);
        if (p > next_p) {
            bend(pair, zero + width * (double)(first + i), p - next_p, q - next_q,
                 &out->at[out->count], &out->mass[out->count]);
            total += out->mass[out->count++];
        }
        p = next_p;
        q = next_q;
    }
    return total > 1 - REST;
}

void sc_loss_atoms_add(const sc_loss_pair *pair, double times, sc_loss_atoms *out)
{
    const size_t before = out->count;
    if (pair->kind->lattice == NULL ||
        before + SC_LOSS_ATOMS > sizeof out->at / sizeof out->at[0])
        return;
    if (!list(pair, out))
        out->count = before;
    for (size_t i = before; i < out->count; i++)
        out->mass[i] *= times;
}

double sc_loss_atoms_reach(const sc_loss_atoms *atoms)
{
    double reach = 0;
    for (size_t i = 0; i < atoms->count; i++)
        reach = fabs(atoms->at[i]) > reach ? fabs(atoms->at[i]) : reach;
    return reach;
}

double sc_loss_atoms_distance(const sc_loss_atoms *atoms, double step)
{
    double sum = 0;
    for (size_t i = 0; i < atoms->count; i++) {
        const double place = atoms->at[i] / step;
        sum += atoms->mass[i] * fabs(place - round(place));
    }
    return sum * step;
}
