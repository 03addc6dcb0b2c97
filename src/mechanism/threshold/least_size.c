#include "mechanism/threshold/least_size.h"

#include "scrim/threshold.h"

void sc_least_steps(const sc_ratio *epsilon, const sc_ratio *delta, const sc_ratio *p,
                    long bits, sc_ball *out)
{
    SC_OWN(sc_ratio, times);
    SC_OWN(sc_ball, part);
    sc_ratio_div(&times, p, delta);
    sc_ball_set_ratio(&part, epsilon, bits);
    sc_ball_expm1(out, &part, bits);
    sc_ball_set_ratio(&part, &times, bits);
    sc_ball_mul(out, out, &part, bits);
    sc_ball_log1p(out, out, bits);
    sc_ball_set_ratio(&part, epsilon, bits);
    sc_ball_div(out, out, &part, bits);
}

/* Of a number of steps that is no integer, since e to a rational solves no equation with rational
 * coefficients: the next one. False where so many bits do not tell. */
static bool next_whole(const sc_ball *x, uint64_t *out)
{
    SC_OWN(sc_integer, whole);
    const bool is_known = sc_ball_floor(x, &whole) && sc_integer_get_uint64(&whole, out);
    *out += is_known;
    return is_known;
}

/* The turn: so many steps, and the probability after them. */
static bool find_turn(const sc_ratio *epsilon, const sc_ratio *delta, long bits,
                      uint64_t *steps, sc_ball *p)
{
    SC_OWN(sc_ball, grown, top, below, e);
    sc_ball_set_ratio(&e, epsilon, bits);
    sc_ball_expm1(&grown, &e, bits);
    sc_ball_set_ratio(&below, delta, bits);
    sc_ball_add(&top, &below, &below, bits);
    sc_ball_add(&top, &top, &grown, bits); /* e^epsilon - 1 + 2 delta */
    sc_ball_add_int64(p, &grown, 2, bits);
    sc_ball_mul(&below, &below, p, bits); /* (e^epsilon + 1) delta */
    sc_ball_div(&top, &top, &below, bits);
    sc_ball_log(&top, &top, bits);
    sc_ball_div(&top, &top, &e, bits);
    if (!next_whole(&top, steps))
        return false;
    sc_ball_set_int128(p, (sc_int128)*steps);
    sc_ball_mul(p, p, &e, bits);
    sc_ball_expm1(p, p, bits);
    sc_ball_div(p, p, &grown, bits);
    sc_ball_set_ratio(&top, delta, bits);
    sc_ball_mul(p, p, &top, bits);
    return true;
}

/* Steps from the turn on: ln((1 + c - turn) / (1 + c - p)) / epsilon, c = delta / (e^epsilon - 1). */
static void steps_beyond(const sc_ratio *epsilon, const sc_ratio *delta,
                         const sc_ball *turn, const sc_ball *p, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, whole, part);
    sc_ball_set_ratio(&part, epsilon, bits);
    sc_ball_expm1(&part, &part, bits);
    sc_ball_set_ratio(&whole, delta, bits);
    sc_ball_div(&whole, &whole, &part, bits);
    sc_ball_add_int64(&whole, &whole, 1, bits);
    sc_ball_sub(out, &whole, turn, bits);
    sc_ball_sub(&part, &whole, p, bits);
    sc_ball_div(out, out, &part, bits);
    sc_ball_log(out, out, bits);
    sc_ball_set_ratio(&part, epsilon, bits);
    sc_ball_div(out, out, &part, bits);
}

/* The least number of steps, by the constraint that binds. */
static bool find_steps(const sc_ratio *epsilon, const sc_ratio *delta, const sc_ratio *p,
                       long bits, uint64_t *out)
{
    uint64_t first = 0, more = 0;
    SC_OWN(sc_ball, turn, wanted, x);
    sc_ball_set_ratio(&wanted, p, bits);
    if (!find_turn(epsilon, delta, bits, &first, &turn))
        return false;
    if (sc_ball_is_less(&wanted, &turn)) {
        sc_least_steps(epsilon, delta, p, bits, &x);
        return next_whole(&x, out);
    }
    steps_beyond(epsilon, delta, &turn, &wanted, bits, &x);
    const bool is_known = sc_ball_is_less(&turn, &wanted) && next_whole(&x, &more) &&
                          more <= UINT64_MAX - first;
    if (is_known)
        *out = first + more;
    return is_known;
}

static bool steps_of(const sc_ratio *epsilon, const sc_ratio *delta, const sc_ratio *p,
                     uint64_t *out)
{
    bool is_known = false;
    for (long bits = 256; !is_known && bits <= 16384; bits *= 4)
        is_known = find_steps(epsilon, delta, p, bits, out);
    return is_known;
}

bool sc_least_size(const sc_ratio *epsilon, const sc_ratio *delta, uint64_t sensitivity,
                   const sc_ratio *p, uint64_t *units)
{
    uint64_t steps = 1;
    if (sc_ratio_compare(p, delta) > 0 && !steps_of(epsilon, delta, p, &steps))
        return false;
    const sc_uint128 size = (sc_uint128)(steps - 1) * sensitivity + 1;
    if (size >> 63 != 0)
        return false;
    *units = (uint64_t)size;
    return true;
}

static scrim_status fail_domain(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "",
                       "epsilon must be above 0 and at most 1000; delta above 0 and less "
                       "than 1; p above 0 "
                       "and at most 1; sensitivity an integer from 1 to 1099511627776");
}

static bool is_inside(const sc_ratio values[4])
{
    const sc_ratio *epsilon = &values[0], *delta = &values[1], *p = &values[3];
    return sc_ratio_sign(epsilon) > 0 && sc_ratio_compare_int64(epsilon, 1000) <= 0 &&
           sc_ratio_sign(delta) > 0 && sc_ratio_compare_int64(delta, 1) < 0 &&
           sc_ratio_sign(p) > 0 && sc_ratio_compare_int64(p, 1) <= 0 &&
           sc_ratio_is_integer(&values[2]) && sc_ratio_sign(&values[2]) > 0 &&
           sc_ratio_compare_int64(&values[2], (int64_t)1 << 40) <= 0;
}

scrim_status scrim_group_size_lower(const char *epsilon, const char *delta,
                                    const char *sensitivity, const char *p,
                                    uint64_t *units, scrim_error *error)
{
    const char *const texts[4] = {epsilon, delta, sensitivity, p};
    sc_ratio values[4];
    uint64_t step = 1, found = 0;
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_integer, whole);
    SC_BALL_SCOPE(scope);
    for (size_t i = 0; i < 4; i++)
        sc_ratio_init(&values[i]);
    for (size_t i = 0; status == SCRIM_OK && i < 4; i++)
        status = texts[i] == NULL
                     ? fail_domain(error)
                     : sc_ratio_parse(sc_text_of(texts[i]), &values[i], error);
    if (status == SCRIM_OK && !is_inside(values))
        status = fail_domain(error);
    if (status == SCRIM_OK) {
        sc_ratio_numerator(&values[2], &whole);
        if (!sc_integer_get_uint64(&whole, &step) ||
            !sc_least_size(&values[0], &values[1], step, &values[3], &found))
            status = sc_fail(error, SCRIM_E_LIMIT,
                             "such a group would have 9.2e18 units or more");
    }
    if (status == SCRIM_OK)
        *units = found;
    for (size_t i = 0; i < 4; i++)
        sc_ratio_clear(&values[i]);
    return status;
}
