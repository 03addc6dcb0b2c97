#include "mechanism/microdata/lower_bound.h"

/* So many N between two of those that are tried. */
#define TRIED 256

typedef struct question {
    sc_ball epsilon, loss; /* loss: delta/epsilon */
    sc_ball cells;         /* d - 1 */
    const sc_ball *given;  /* the error of the other query */
    bool is_cell;          /* C is wanted */
    long bits;
} question;

/* q (d-1). */
static void weight_of(const question *ask, uint64_t n, sc_ball *out)
{
    SC_OWN(sc_ball, count);
    sc_ball_set_int128(&count, (sc_int128)n * -2);
    sc_ball_mul(out, &ask->epsilon, &count, ask->bits);
    sc_ball_exp(out, out, ask->bits);
    sc_ball_mul_power2(out, out, -2);
    sc_ball_sub(out, out, &ask->loss, ask->bits);
    sc_ball_mul(out, out, &ask->cells, ask->bits);
}

/* With w = q (d-1):  C >= (N w - 2D - N)/(2 + 2w),  D >= (N w - N - C (2 + 2w))/2. */
static bool bound_at(const question *ask, uint64_t n, sc_ball *out)
{
    const long bits = ask->bits;
    SC_OWN(sc_ball, w, count, part);
    weight_of(ask, n, &w);
    if (!sc_ball_is_positive(&w))
        return false;
    sc_ball_set_int128(&count, (sc_int128)n);
    sc_ball_mul(out, &count, &w, bits);
    sc_ball_sub(out, out, &count, bits);
    sc_ball_mul_power2(out, out, -1);
    sc_ball_add_int64(&w, &w, 1, bits);
    if (ask->is_cell) {
        sc_ball_sub(out, out, ask->given, bits);
        sc_ball_div(out, out, &w, bits);
    } else {
        sc_ball_mul(&part, &w, ask->given, bits);
        sc_ball_sub(out, out, &part, bits);
    }
    return true;
}

/* Is q (d-1) above 1 at n? Beyond, no bound is positive. */
static bool is_useful(const question *ask, uint64_t n)
{
    SC_OWN(sc_ball, w, one);
    sc_ball_set_int64(&one, 1);
    weight_of(ask, n, &w);
    const bool is_above = sc_ball_is_less(&one, &w);
    return is_above;
}

static uint64_t last_useful(const question *ask)
{
    uint64_t low = 0, high = 1;
    while (high < (uint64_t)1 << 50 && is_useful(ask, high)) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (is_useful(ask, middle))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The best of first, first + step, ... up to last. */
static void try_range(const question *ask, uint64_t first, uint64_t last, uint64_t step,
                      sc_ball *out, uint64_t *best)
{
    SC_OWN(sc_ball, found);
    for (uint64_t n = first; n <= last; n += step)
        if (bound_at(ask, n, &found) && sc_ball_is_less(out, &found)) {
            sc_ball_set(out, &found);
            *best = n;
        }
}

static void search(const question *ask, sc_ball *out, uint64_t *best)
{
    const uint64_t last = last_useful(ask);
    uint64_t step = last / TRIED + 1, at = 0;
    if (last == 0)
        return;
    try_range(ask, 1, last, step, out, &at);
    while (step > 1 && at > 0) {
        const uint64_t low = at > step ? at - step : 1,
                       high = at + step < last ? at + step : last;
        step = step / TRIED + 1;
        try_range(ask, low, high, step, out, &at);
    }
    *best = at > 0 ? at : *best;
}

/* epsilon = rho + 2 sqrt(rho ln 1/delta), delta = 2^-k. */
static void set_concentrated(question *ask, const sc_ratio *rho, long k)
{
    SC_OWN(sc_ball, part);
    sc_ball_set_ratio(&ask->epsilon, rho, ask->bits);
    sc_ball_set_int64(&part, 2);
    sc_ball_log(&part, &part, ask->bits);
    sc_ball_mul_int64(&part, &part, k, ask->bits);
    sc_ball_mul(&part, &part, &ask->epsilon, ask->bits);
    sc_ball_sqrt(&part, &part, ask->bits);
    sc_ball_mul_power2(&part, &part, 1);
    sc_ball_add(&ask->epsilon, &ask->epsilon, &part, ask->bits);
    sc_ball_set_int64(&ask->loss, 1);
    sc_ball_mul_power2(&ask->loss, &ask->loss, -k);
    sc_ball_div(&ask->loss, &ask->loss, &ask->epsilon, ask->bits);
}

static void find(const sc_table_privacy *p, question *ask, sc_ball *out, uint64_t *best)
{
    sc_ball_set_int64(out, 0);
    if (p->rho != NULL) {
        for (long k = 4; k <= 120; k += 4) {
            set_concentrated(ask, p->rho, k);
            search(ask, out, best);
        }
        return;
    }
    sc_ball_set_ratio(&ask->epsilon, p->epsilon, ask->bits);
    if (p->delta != NULL) {
        sc_ball_set_ratio(&ask->loss, p->delta, ask->bits);
        sc_ball_div(&ask->loss, &ask->loss, &ask->epsilon, ask->bits);
    }
    search(ask, out, best);
}

static void answer(const sc_table_privacy *p, uint64_t cells, const sc_ball *given,
                   bool is_cell, long bits, sc_ball *out, uint64_t *best)
{
    uint64_t n = 0;
    SC_OWN(sc_ball, upper);
    question ask = {.given = &upper, .is_cell = is_cell, .bits = bits};
    sc_ball_init(&ask.epsilon);
    sc_ball_init(&ask.loss);
    sc_ball_init(&ask.cells);
    sc_ball_set_upper(&upper, given, bits);
    sc_ball_set_int128(&ask.cells, (sc_int128)cells - 1);
    find(p, &ask, out, &n);
    sc_ball_clear(&ask.cells);
    sc_ball_clear(&ask.loss);
    sc_ball_clear(&ask.epsilon);
    if (best != NULL)
        *best = n;
}

void sc_cell_error_lower(const sc_table_privacy *p, uint64_t cells,
                         const sc_ball *sum_error, long bits, sc_ball *out,
                         uint64_t *best)
{
    answer(p, cells, sum_error, true, bits, out, best);
}

void sc_sum_error_lower(const sc_table_privacy *p, uint64_t cells,
                        const sc_ball *cell_error, long bits, sc_ball *out,
                        uint64_t *best)
{
    answer(p, cells, cell_error, false, bits, out, best);
}
