#include "composition/accountant/sampled_gaussian.h"

/* The binomial weight p(j), and e(j) = exp(j (j-1) rho) - 1. As y(j) = exp(2 j rho) - 1 becomes
 * y Y + (Y - 1), with Y = exp(2 rho), e becomes e (y + 1) + y: nothing is subtracted. */
typedef struct recurrence {
    sc_ball weight, odds;
    sc_ball e, y, factor, less; /* Y and Y - 1 */
    sc_ball sum, work;
} recurrence;

static void recurrence_init(recurrence *r)
{
    sc_ball *const all[] = {&r->weight, &r->odds, &r->e,   &r->y,
                            &r->factor, &r->less, &r->sum, &r->work};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        sc_ball_init(all[i]);
}

static void recurrence_clear(recurrence *r)
{
    sc_ball *const all[] = {&r->weight, &r->odds, &r->e,   &r->y,
                            &r->factor, &r->less, &r->sum, &r->work};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        sc_ball_clear(all[i]);
}

static void start(recurrence *r, const sc_ratio *rho, const sc_ratio *rate, uint64_t a,
                  long bits)
{
    sc_ball_set_ratio(&r->odds, rate, bits);
    sc_ball_neg(&r->work, &r->odds);
    sc_ball_log1p(&r->weight, &r->work, bits);
    sc_ball_add_int64(&r->work, &r->work, 1, bits);
    sc_ball_div(&r->odds, &r->odds, &r->work, bits);
    sc_ball_mul_int64(&r->weight, &r->weight, (int64_t)a, bits);
    sc_ball_exp(&r->weight, &r->weight, bits); /* (1 - q)^a */
    sc_ball_set_ratio(&r->work, rho, bits);
    sc_ball_mul_power2(&r->work, &r->work, 1);
    sc_ball_exp(&r->factor, &r->work, bits);
    sc_ball_expm1(&r->less, &r->work, bits);
    sc_ball_set_int64(&r->e, 0);
    sc_ball_set_int64(&r->y, 0);
    sc_ball_set_int64(&r->sum, 0);
}

/* ln of the sum for an integer order: as the weights sum to 1, log1p of the sum of p(j) e(j). */
static void log_sum(const sc_ratio *rho, const sc_ratio *rate, uint64_t a, long bits,
                    sc_ball *out)
{
    recurrence r;
    recurrence_init(&r);
    start(&r, rho, rate, a, bits);
    for (uint64_t j = 0; j < a; j++) {
        sc_ball_mul(&r.work, &r.e, &r.y, bits);
        sc_ball_add(&r.e, &r.e, &r.work, bits);
        sc_ball_add(&r.e, &r.e, &r.y, bits);
        sc_ball_mul(&r.y, &r.y, &r.factor, bits);
        sc_ball_add(&r.y, &r.y, &r.less, bits);
        sc_ball_mul(&r.weight, &r.weight, &r.odds, bits);
        sc_ball_mul_int64(&r.weight, &r.weight, (int64_t)(a - j), bits);
        sc_ball_div_int64(&r.weight, &r.weight, (int64_t)(j + 1), bits);
        sc_ball_mul(&r.work, &r.weight, &r.e, bits);
        sc_ball_add(&r.sum, &r.sum, &r.work, bits);
    }
    sc_ball_log1p(out, &r.sum, bits);
    recurrence_clear(&r);
}

/* The chord of (a - 1) D_a at an order from a to a + 1, divided by order - 1. */
static void chord(const sc_ratio *rho, const sc_ratio *rate, uint64_t a,
                  const sc_ratio *order, long bits, sc_ball *out)
{
    SC_OWN(sc_ratio, part, one);
    SC_OWN(sc_ball, next, weight);
    sc_ratio_set_int128(&one, (sc_int128)a);
    sc_ratio_sub(&part, order, &one);
    sc_ball_set_int64(out, 0);
    if (a > 1)
        log_sum(rho, rate, a, bits, out);
    if (sc_ratio_sign(&part) > 0) {
        log_sum(rho, rate, a + 1, bits, &next);
        sc_ball_set_ratio(&weight, &part, bits);
        sc_ball_mul(&next, &next, &weight, bits);
        sc_ratio_set_int64(&one, 1);
        sc_ratio_sub(&part, &one, &part);
        sc_ball_set_ratio(&weight, &part, bits);
        sc_ball_mul(out, out, &weight, bits);
        sc_ball_add(out, out, &next, bits);
    }
    sc_ratio_set_int64(&one, 1);
    sc_ratio_sub(&part, order, &one);
    sc_ball_set_ratio(&weight, &part, bits);
    sc_ball_div(out, out, &weight, bits);
}

void sc_sampled_gaussian_renyi(const sc_ratio *rho, const sc_ratio *rate,
                               const sc_ratio *order, uint64_t most, long bits,
                               sc_ball *out)
{
    uint64_t a = 0;
    SC_OWN(sc_ratio, line);
    SC_OWN(sc_integer, whole);
    SC_OWN(sc_ball, other);
    sc_ratio_mul(&line, rho, order);
    sc_ball_set_ratio(out, &line, bits);
    sc_ratio_floor(order, &whole);
    if (sc_ratio_compare_int64(rate, 1) < 0 && sc_integer_get_uint64(&whole, &a) &&
        a < most) {
        chord(rho, rate, a, order, bits, &other);
        if (sc_ball_is_finite(&other))
            sc_ball_take_smaller(out, &other);
    }
}
