#include "composition/loss/loss_from_curve.h"

#include "base/memory.h"
#include "base/number/ball_mass.h"
#include "composition/loss/loss.h"

#include <string.h>

/* The middle of (m_a - m_b) / (t_b - t_a). */
static void slope_between(const sc_ball *t, const sc_ball *m, size_t a, size_t b,
                          long precision, sc_ball *out)
{
    SC_OWN(sc_ball, width);
    sc_ball_sub(&width, &t[b], &t[a], precision);
    sc_ball_sub(out, &m[a], &m[b], precision);
    sc_ball_div(out, out, &width, precision);
    sc_mass_middle(out, out);
}

/* Finds which points are corners of the hull, as far as the middles of the balls tell, and
 * returns how many: corner gets their indices, the first and the last point among them, and
 * slope[k] the slope from corner k to corner k + 1. Both have room for count. Points at which
 * the slope would grow are dropped. */
static size_t hull_corners(const sc_ball *t, const sc_ball *m, size_t count,
                           long precision, size_t *corner, sc_ball *slope)
{
    size_t many = 1;
    SC_OWN(sc_ball, next);
    corner[0] = 0;
    for (size_t i = 1; i < count; i++) {
        slope_between(t, m, corner[many - 1], i, precision, &next);
        while (many > 1 && !sc_ball_is_less(&next, &slope[many - 2])) {
            many--;
            slope_between(t, m, corner[many - 1], i, precision, &next);
        }
        sc_ball_set(&slope[many - 1], &next);
        corner[many++] = i;
    }
    return many;
}

/* The polyline that falls so, from the last point up to the first: is it below everywhere? */
static bool is_below(const sc_ball *t, const sc_ball *m, size_t count, long precision,
                     const sc_ball *slope)
{
    bool below = true;
    SC_OWN(sc_ball, height, part);
    for (size_t i = count - 1; below && i-- > 0;) {
        sc_ball_sub(&part, &t[i + 1], &t[i], precision);
        sc_ball_mul(&part, &part, &slope[i], precision);
        sc_ball_add(&height, &height, &part, precision);
        below = sc_ball_is_less_equal(&height, &m[i]);
    }
    return below;
}

/* From one slope a corner to one a point, back to front and a little less steep, so that what
 * rounding adds does not lift the polyline over a point. */
static void spread(const size_t *corner, size_t many, size_t count, long bits,
                   long precision, sc_ball *slope)
{
    SC_OWN(sc_ball, less, one);
    sc_ball_set_int64(&less, 1);
    sc_ball_set_int64(&one, 1);
    sc_ball_mul_power2(&less, &less, -bits);
    sc_ball_sub(&less, &one, &less, bits + 8);
    size_t k = many - 1;
    sc_ball_set_int64(&slope[count - 1], 0);
    for (size_t i = count - 1; i-- > 0;) {
        if (i < corner[k])
            k--; /* corner[k] <= i now */
        sc_ball_mul(&slope[i], &slope[k], &less, precision);
        sc_mass_middle(&slope[i], &slope[i]);
    }
}

scrim_status sc_hull_below(const sc_ball *t, const sc_ball *m, size_t count, long bits,
                           long precision, sc_ball *slope, bool *is_sharp,
                           scrim_error *error)
{
    size_t *corner = sc_allocate(count, sizeof *corner);
    if (corner == NULL)
        return sc_no_memory(error, "a privacy loss");
    const size_t many = hull_corners(t, m, count, precision, corner, slope);
    spread(corner, many, count, bits, precision, slope);
    *is_sharp = is_below(t, m, count, precision, slope);
    sc_free(corner);
    return SCRIM_OK;
}

/* An epsilon that stands for infinity: what a curve has there it has everywhere above. */
#define FAR_EPSILON ((int64_t)1 << 20)

typedef struct dots {
    sc_ball *t, *m; /* 0 and the points, and upper bounds of delta there, exact */
    sc_ball *slope;
    size_t *corner;
    size_t count;
    int64_t last;   /* the points are -last stride to last stride */
    int64_t stride; /* in steps */
    long bits;      /* of precision */
} dots;

/* An exact number that delta at epsilon >= 0 does not exceed. */
static void delta_at(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                     sc_ball *out)
{
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(&one, 1);
    sc_curve_delta_upper(curve, epsilon, bits, out);
    sc_ball_set_upper(out, out, bits);
    if (!sc_ball_is_less(out, &one))
        sc_ball_set(out, &one);
}

static void point_delta(const sc_curve *curve, const sc_ratio *step, int64_t place,
                        long bits, sc_ball *out)
{
    SC_OWN(sc_ratio, e);
    sc_ratio_set_int64(&e, place);
    sc_ratio_mul(&e, &e, step);
    delta_at(curve, &e, bits, out);
}

/* The first point at which no more than 2^-tail is left above what stays for ever. */
static bool find_last(const sc_curve *curve, const sc_ratio *step, long tail, long bits,
                      int64_t *out)
{
    SC_OWN(sc_ball, limit, here);
    SC_OWN(sc_ratio, far);
    sc_ratio_set_int64(&far, FAR_EPSILON);
    delta_at(curve, &far, bits, &limit);
    sc_ball_set_int64(&here, 1);
    sc_ball_mul_power2(&here, &here, -tail);
    sc_ball_add(&limit, &limit, &here, bits + 64);
    int64_t heavy = 0, light = 1;
    for (;; light *= 2) {
        point_delta(curve, step, light, bits, &here);
        if (light > (int64_t)SC_LOSS_PART || sc_ball_is_less_equal(&here, &limit))
            break;
        heavy = light;
    }
    while (light - heavy > 1) {
        const int64_t middle = heavy + (light - heavy) / 2;
        point_delta(curve, step, middle, bits, &here);
        if (sc_ball_is_less_equal(&here, &limit))
            light = middle;
        else
            heavy = middle;
    }
    *out = light;
    return 2 * light + 1 <= (int64_t)SC_LOSS_PART;
}

/* Both directions have these deltas, so that at -e it is at most 1 - exp(-e) (1 - delta(e)). */
static void fill_points(const sc_curve *curve, const sc_ratio *step, dots *d)
{
    SC_OWN(sc_ball, e, part);
    const size_t middle = 1 + (size_t)d->last;
    sc_ball_set_int64(&d->m[0], 1);
    for (int64_t place = 0; place <= d->last; place++) {
        const size_t above = middle + (size_t)place, below = middle - (size_t)place;
        sc_ball_set_ratio(&e, step, d->bits);
        sc_ball_mul_int64(&e, &e, place * d->stride, d->bits);
        sc_ball_exp(&d->t[above], &e, d->bits);
        sc_ball_neg(&e, &e);
        sc_ball_exp(&d->t[below], &e, d->bits);
        point_delta(curve, step, place * d->stride, d->bits, &d->m[above]);
        if (place > 0) {
            sc_ball_neg(&part, &d->m[above]);
            sc_ball_add_int64(&part, &part, 1, d->bits);
            sc_ball_mul(&part, &part, &d->t[below], d->bits);
            sc_ball_neg(&part, &part);
            sc_ball_add_int64(&part, &part, 1, d->bits);
            sc_ball_set_upper(&d->m[below], &part, d->bits);
        }
    }
}

/* (m_a - m_b) / (t_b - t_a) */
static void dots_slope(const dots *d, size_t a, size_t b, sc_ball *out)
{
    SC_OWN(sc_ball, width);
    sc_ball_sub(&width, &d->t[b], &d->t[a], d->bits);
    sc_ball_sub(out, &d->m[a], &d->m[b], d->bits);
    sc_ball_div(out, out, &width, d->bits);
}

/* The dots of the corners, connected. delta is convex in t, so it is below, whatever the corners;
 * those of the convex hull give the least. */
static bool connect(dots *d, sc_loss *out)
{
    const size_t many = hull_corners(d->t, d->m, d->count, d->bits, d->corner, d->slope);
    bool fits = true;
    SC_OWN(sc_ball, before, after);
    dots_slope(d, d->corner[0], d->corner[1], &before);
    for (size_t k = 1; fits && k < many; k++) {
        const size_t at = d->corner[k];
        if (k + 1 < many)
            dots_slope(d, at, d->corner[k + 1], &after);
        else
            sc_ball_set_int64(&after, 0);
        sc_ball_sub(&before, &before, &after, d->bits);
        sc_ball_mul(&before, &before, &d->t[at], d->bits);
        fits = sc_mass_up(&before, out->bits, &out->mass[(at - 1) * (size_t)d->stride]);
        sc_ball_set(&before, &after);
    }
    return fits && sc_mass_up(&d->m[d->count - 1], out->bits, &out->infinite);
}

static scrim_status fill(const sc_curve *curve, dots *d, sc_loss *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    d->count = 2 * (size_t)d->last + 2;
    d->t = sc_balls_new(d->count);
    d->m = sc_balls_new(d->count);
    d->slope = sc_balls_new(d->count);
    d->corner = sc_allocate(d->count, sizeof *d->corner);
    if (d->t == NULL || d->m == NULL || d->slope == NULL || d->corner == NULL) {
        status = sc_no_memory(error, "a privacy loss");
    } else {
        fill_points(curve, &out->step, d);
        if (!connect(d, out))
            status = sc_fail(error, SCRIM_E_INTERNAL, "a mass is not finite");
    }
    sc_free(d->corner);
    sc_balls_free(d->slope, d->count);
    sc_balls_free(d->m, d->count);
    sc_balls_free(d->t, d->count);
    return status;
}

/* Steps for one delta, as measured: most are a formula, one is a search over divisions, and one such a search
 * for each number of groups. */
#define QUICK_STEPS 20
#define SLOW_STEPS 4000
#define SLOWEST_STEPS 40000
#define FEWEST_POINTS 64

static uint64_t price_of(const sc_curve *curve, long bits)
{
    const char *name = curve->functions->name;
    const uint64_t steps = strcmp(name, "threshold-gaussian") == 0   ? SLOW_STEPS
                           : strcmp(name, "threshold-weighted") == 0 ? SLOWEST_STEPS
                                                                     : QUICK_STEPS;
    return sc_loss_work_at(steps, bits) / 2;
}

/* Dots at every point above 0 up to the last, or at as many as half of the work pays for: any dots give a bound. */
static bool set_stride(const sc_curve *curve, int64_t last, sc_loss_work *work, dots *d)
{
    const uint64_t price = price_of(curve, d->bits);
    uint64_t most = work == NULL ? UINT64_MAX : work->left / price / 2;
    most = most < FEWEST_POINTS ? FEWEST_POINTS : most;
    d->stride = (int64_t)((uint64_t)(last - 1) / most) + 1;
    d->last = (last + d->stride - 1) / d->stride;
    return sc_loss_work_spend_each(work, (uint64_t)d->last, price);
}

/* Searching for the last point, by halves. */
#define LAST_TURNS 40

scrim_status sc_loss_from_curve(const sc_curve *curve, const sc_loss_grid *grid,
                                sc_loss_work *work, sc_loss *out, scrim_error *error)
{
    const sc_ratio *step = grid->step;
    const long tail = grid->tail;
    const long fine = -sc_ratio_exponent(step);
    dots d = {.bits = grid->bits + 96 + (fine > 0 ? 2 * fine : 0)};
    int64_t last = 0;
    scrim_status status = SCRIM_OK;
    if (curve->functions == NULL || curve->functions->delta == NULL)
        return sc_fail(error, SCRIM_E_INTERNAL,
                       "a curve without a delta of its own has no loss");
    if (!sc_loss_work_spend_each(work, LAST_TURNS, price_of(curve, tail + 64)))
        return sc_fail(error, SCRIM_E_LIMIT, SC_LOSS_WORK_OVER);
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_loss, made);
    if (!find_last(curve, step, tail, tail + 64, &last))
        status =
            sc_fail(error, SCRIM_E_LIMIT,
                    "the privacy loss needs more than %zu points of this step; take a "
                    "larger step",
                    (size_t)SC_LOSS_PART);
    else if (!set_stride(curve, last, work, &d))
        status = sc_fail(error, SCRIM_E_LIMIT, SC_LOSS_WORK_OVER);
    if (status == SCRIM_OK)
        status = sc_loss_reset(&made, SC_LOSS_UPPER, step, grid->bits, -d.last * d.stride,
                               2 * (size_t)d.last * (size_t)d.stride + 1, error);
    if (status == SCRIM_OK)
        status = fill(curve, &d, &made, error);
    if (status == SCRIM_OK)
        sc_loss_swap(out, &made);
    return status;
}
