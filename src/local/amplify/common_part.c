#include "local/amplify/common_part.h"

#include "base/number/ball_double.h"

#include <math.h>
#include <stdlib.h>

#define BITS SC_AMPLIFY_BITS
#define POINTS_LIMIT ((size_t)1 << 20)
/* Up to so many trials d is taken given c, exactly. */
#define EXACT_TRIALS 512
/* Pays for the roundings of sums and of reading them. */
#define ROUNDING (1 + 0x1p-30)
/* At least the mass that is too small for a double. */
#define UNDERFLOW 0x1p-900

void sc_common_part_init(sc_common_part *part)
{
    sc_ball_init(&part->start);
    sc_ball_init(&part->step);
    sc_ball_init(&part->lost);
    part->count = 0;
    part->below = part->call = NULL;
}

void sc_common_part_clear(sc_common_part *part)
{
    free(part->call);
    free(part->below);
    sc_ball_clear(&part->lost);
    sc_ball_clear(&part->step);
    sc_ball_clear(&part->start);
}

double sc_common_part_call(const sc_common_part *part, double t)
{
    if (!(t > 0))
        return 0;
    const size_t i = t < (double)part->count ? (size_t)t : part->count - 1;
    return (part->call[i] + (t - (double)i) * part->below[i]) * ROUNDING;
}

static void set_step(sc_common_part *part, double wish)
{
    sc_ball_set_int64(&part->step, 1);
    if (wish >= 1)
        sc_ball_set_int64(&part->step, (int64_t)fmin(wish, 0x1p60));
    else
        sc_ball_div_int64(&part->step, &part->step, (int64_t)fmin(ceil(1 / wish), 0x1p60),
                          BITS);
}

/* Where an atom lies on the grid: at i + share, not above its place, start + x. */
typedef struct placement {
    size_t i;
    double share;
} placement;

/* x >= 0, and not too large but by a few roundings; nor is per_step = 1 / step. */
static placement place(double per_step, double x)
{
    const double t = x * per_step * (1 - 0x1p-50), whole = floor(t);
    return (placement){(size_t)whole, t - whole};
}

static void put(double *masses, placement at, double mass)
{
    masses[at.i] += mass * (1 - at.share);
    masses[at.i + 1] += mass * at.share;
}

/* What is above a window goes to its last point, which is lower. */
static void fold_above(sc_binomial_window *window)
{
    sc_ball *last = &window->mass[window->count - 1];
    sc_ball_add(last, last, &window->above, BITS);
}

/* For atoms of up to `widest`. */
static scrim_status make_room(sc_common_part *part, double per_step, double widest,
                              scrim_error *error)
{
    const double last = widest * per_step;
    if (!(last < POINTS_LIMIT))
        return sc_fail(error, SCRIM_E_LIMIT, "amplification: the grid is too fine");
    const size_t i = (size_t)last;
    part->count = i + 3;
    part->below = calloc(part->count, sizeof *part->below);
    part->call = calloc(part->count, sizeof *part->call);
    if (part->below == NULL || part->call == NULL)
        return sc_no_memory(error, "a grid");
    return SCRIM_OK;
}

/* From masses, in below, to sums, and sums of sums. */
static void add_up(sc_common_part *part)
{
    part->below[0] *= ROUNDING;
    for (size_t k = 1; k < part->count; k++) {
        part->below[k] = part->below[k] * ROUNDING + part->below[k - 1];
        part->call[k] = part->call[k - 1] + part->below[k - 1];
    }
}

/* What filling needs: c's window, and the chance of d among those that are not in c. */
typedef struct filling {
    sc_common_part *part;
    const sc_common_law *law;
    uint64_t trials;
    double depth, per_step;
    sc_ball w;
    sc_binomial_window c, d;
} filling;

/* d given c, for each c. */
static scrim_status fill_exactly(filling *f, scrim_error *error)
{
    SC_OWN(sc_ball, mass);
    sc_common_part *part = f->part;
    const double p = sc_ball_lower(&f->law->p), all = (double)f->trials;
    sc_ball_mul_int64(&part->start, &f->law->p, (int64_t)f->c.first, BITS);
    scrim_status status =
        make_room(part, f->per_step, p * (double)f->c.count + all, error);
    for (size_t i = 0; status == SCRIM_OK && i < f->c.count; i++) {
        status = sc_binomial_window_set(&f->d, f->trials - f->c.first - i, &f->w,
                                        f->depth, error);
        if (status != SCRIM_OK)
            break;
        fold_above(&f->d);
        sc_ball_mul(&mass, &f->d.below, &f->c.mass[i], BITS);
        sc_ball_add(&part->lost, &part->lost, &mass, BITS);
        const double of_c = sc_ball_upper(&f->c.mass[i]), x = p * (double)i;
        for (size_t j = 0; j < f->d.count; j++)
            put(part->below, place(f->per_step, x + (double)(f->d.first + j)),
                of_c * sc_ball_upper(&f->d.mass[j]));
    }
    return status;
}

/* The masses of d - d.first, spread on the grid. */
static scrim_status spread_d(filling *f, double **out, size_t *count, scrim_error *error)
{
    *count = place(f->per_step, (double)f->d.count).i + 2;
    *out = calloc(*count, sizeof **out);
    if (*out == NULL)
        return sc_no_memory(error, "a grid");
    for (size_t j = 0; j < f->d.count; j++)
        put(*out, place(f->per_step, (double)j), sc_ball_upper(&f->d.mass[j]));
    return SCRIM_OK;
}

static void convolve(filling *f, double by_c, const double *spread, size_t count)
{
    for (size_t i = 0; i < f->c.count; i++) {
        placement at = place(f->per_step, by_c * (double)i);
        const double mass = sc_ball_upper(&f->c.mass[i]);
        for (size_t k = 0; k < count; k++, at.i++)
            put(f->part->below, at, mass * spread[k]);
    }
}

/* p c + d is spread to p c.first + d.first + (p - w)(c - c.first) + (d' - d.first), d' being d of
 * c.first, and independent of c. */
static scrim_status fill_apart(filling *f, scrim_error *error)
{
    SC_OWN(sc_ball, slope);
    sc_common_part *part = f->part;
    double *spread = NULL;
    size_t count = 0;
    scrim_status status =
        sc_binomial_window_set(&f->d, f->trials - f->c.first, &f->w, f->depth, error);
    if (status != SCRIM_OK)
        return status;
    fold_above(&f->d);
    sc_ball_add(&part->lost, &part->lost, &f->d.below, BITS);
    sc_ball_mul_int64(&part->start, &f->law->p, (int64_t)f->c.first, BITS);
    sc_ball_add_int64(&part->start, &part->start, (int64_t)f->d.first, BITS);
    sc_ball_sub(&slope, &f->law->p, &f->w, BITS);
    const double by_c = sc_ball_lower(&slope);
    status = spread_d(f, &spread, &count, error);
    if (status == SCRIM_OK)
        status = make_room(part, f->per_step,
                           by_c * (double)f->c.count + (double)f->d.count + 2, error);
    if (status == SCRIM_OK)
        convolve(f, by_c, spread, count);
    free(spread);
    return status;
}

static scrim_status fill(filling *f, scrim_error *error)
{
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(&one, 1);
    sc_ball_div(&f->w, &one, &f->part->step, BITS);
    f->per_step = sc_ball_lower(&f->w);
    sc_ball_sub(&f->w, &one, &f->law->w11, BITS);
    sc_ball_div(&f->w, &f->law->w10, &f->w, BITS);
    scrim_status status =
        sc_binomial_window_set(&f->c, f->trials, &f->law->w11, f->depth, error);
    if (status != SCRIM_OK)
        return status;
    fold_above(&f->c);
    sc_ball_set_double(&f->part->lost, UNDERFLOW);
    sc_ball_add(&f->part->lost, &f->part->lost, &f->c.below, BITS);
    return (f->trials <= EXACT_TRIALS ? fill_exactly : fill_apart)(f, error);
}

scrim_status sc_common_part_set(sc_common_part *part, uint64_t trials,
                                const sc_common_law *law, double step, double depth,
                                scrim_error *error)
{
    filling f = {.part = part, .law = law, .trials = trials, .depth = depth};
    sc_ball_init(&f.w);
    sc_binomial_window_init(&f.c);
    sc_binomial_window_init(&f.d);
    set_step(part, step);
    const scrim_status status = fill(&f, error);
    if (status == SCRIM_OK)
        add_up(part);
    sc_binomial_window_clear(&f.d);
    sc_binomial_window_clear(&f.c);
    sc_ball_clear(&f.w);
    return status;
}
