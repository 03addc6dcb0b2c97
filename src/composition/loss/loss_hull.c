#include "composition/loss/loss_hull.h"

#include "base/memory.h"
#include "base/number/ball_mass.h"

/* The middle of (m_a - m_b) / (t_b - t_a). */
static void fall(const sc_ball *t, const sc_ball *m, size_t a, size_t b, long precision,
                 sc_ball *out)
{
    SC_OWN(sc_ball, width);
    sc_ball_sub(&width, &t[b], &t[a], precision);
    sc_ball_sub(out, &m[a], &m[b], precision);
    sc_ball_div(out, out, &width, precision);
    sc_mass_middle(out, out);
}

/* slope[k] is that from corner k to corner k + 1. A corner from which the fall grows is none. */
size_t sc_hull_corners(const sc_ball *t, const sc_ball *m, size_t count, long precision,
                       size_t *corner, sc_ball *slope)
{
    size_t many = 1;
    SC_OWN(sc_ball, next);
    corner[0] = 0;
    for (size_t i = 1; i < count; i++) {
        fall(t, m, corner[many - 1], i, precision, &next);
        while (many > 1 && !sc_ball_is_less(&next, &slope[many - 2])) {
            many--;
            fall(t, m, corner[many - 1], i, precision, &next);
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
    const size_t many = sc_hull_corners(t, m, count, precision, corner, slope);
    spread(corner, many, count, bits, precision, slope);
    *is_sharp = is_below(t, m, count, precision, slope);
    sc_free(corner);
    return SCRIM_OK;
}
