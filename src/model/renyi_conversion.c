#include "model/renyi_conversion.h"

void sc_renyi_less_one(const sc_ratio *order, sc_ratio *out)
{
    SC_OWN(sc_ratio, one);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_sub(out, order, &one);
}

typedef struct conversion conversion;

/* The quantity that is minimised: ln delta, epsilon, or -rho. */
typedef void objective(const conversion *c, const sc_ratio *order, sc_ball *out);

struct conversion {
    objective *of;
    const sc_curve *curve; /* NULL for rho */
    const sc_ratio *epsilon;
    const sc_ball *log_delta;
    long bits;
};

/* The logarithms of one order. */
typedef struct order_logs {
    sc_ball order, less; /* a, a - 1 */
    sc_ball log_order, log_less;
    sc_ball log_kept; /* ln(1 - 1/a) */
} order_logs;

static void logs_init(order_logs *logs, const sc_ratio *order, long bits)
{
    sc_ball *const all[] = {&logs->order, &logs->less, &logs->log_order, &logs->log_less,
                            &logs->log_kept};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        sc_ball_init(all[i]);
    SC_OWN(sc_ratio, less);
    sc_renyi_less_one(order, &less);
    sc_ball_set_ratio(&logs->order, order, bits);
    sc_ball_set_ratio(&logs->less, &less, bits);
    sc_ball_log(&logs->log_order, &logs->order, bits);
    sc_ball_log(&logs->log_less, &logs->less, bits);
    /* log1p keeps its digits where a is large. */
    sc_ball_set_int64(&logs->log_kept, -1);
    sc_ball_div(&logs->log_kept, &logs->log_kept, &logs->order, bits);
    sc_ball_log1p(&logs->log_kept, &logs->log_kept, bits);
}

static void logs_clear(order_logs *logs)
{
    sc_ball_clear(&logs->order);
    sc_ball_clear(&logs->less);
    sc_ball_clear(&logs->log_order);
    sc_ball_clear(&logs->log_less);
    sc_ball_clear(&logs->log_kept);
}

static void log_delta_at(const conversion *c, const sc_ratio *order, sc_ball *out)
{
    order_logs logs;
    logs_init(&logs, order, c->bits);
    SC_OWN(sc_ball, part);
    c->curve->functions->renyi(c->curve, order, c->bits, out);
    sc_ball_set_ratio(&part, c->epsilon, c->bits);
    sc_ball_sub(out, out, &part, c->bits);
    sc_ball_mul(out, out, &logs.less, c->bits);
    sc_ball_sub(out, out, &logs.log_less, c->bits);
    sc_ball_mul(&part, &logs.log_kept, &logs.order, c->bits);
    sc_ball_add(out, out, &part, c->bits);
    logs_clear(&logs);
}

static void epsilon_at(const conversion *c, const sc_ratio *order, sc_ball *out)
{
    order_logs logs;
    logs_init(&logs, order, c->bits);
    SC_OWN(sc_ball, part);
    c->curve->functions->renyi(c->curve, order, c->bits, out);
    sc_ball_add(out, out, &logs.log_kept, c->bits);
    sc_ball_add(&part, c->log_delta, &logs.log_order, c->bits);
    sc_ball_div(&part, &part, &logs.less, c->bits);
    sc_ball_sub(out, out, &part, c->bits);
    logs_clear(&logs);
}

static void minus_rho_at(const conversion *c, const sc_ratio *order, sc_ball *out)
{
    order_logs logs;
    logs_init(&logs, order, c->bits);
    SC_OWN(sc_ball, part);
    sc_ball_mul(out, &logs.log_kept, &logs.order, c->bits);
    sc_ball_sub(out, out, &logs.log_less, c->bits);
    sc_ball_sub(out, out, c->log_delta, c->bits);
    sc_ball_div(out, out, &logs.less, c->bits);
    sc_ball_set_ratio(&part, c->epsilon, c->bits);
    sc_ball_sub(out, out, &part, c->bits);
    sc_ball_div(out, out, &logs.order, c->bits);
    logs_clear(&logs);
}

#define ORDER_FINE ((int64_t)1 << 26) /* orders to a doubling of order - 1 */
#define ORDER_NEAR (-14)              /* from 1 + 2^-14 */
#define ORDER_FAR 21                  /* to 1 + 2^21, */
#define ORDER_FARTHEST 130 /* and as far as this while it gets better: small rho */

/* 1 + 2^k (1 + m / ORDER_FINE) for position k ORDER_FINE + m. */
static void order_at(int64_t position, sc_ratio *out)
{
    int64_t k = position / ORDER_FINE, m = position % ORDER_FINE;
    if (m < 0) {
        m += ORDER_FINE;
        k--;
    }
    SC_OWN(sc_integer, n, d);
    sc_integer_set_int128(&n, ORDER_FINE + m);
    sc_integer_set_int128(&d, ORDER_FINE);
    if (k > 0)
        sc_integer_shift_left(&n, &n, (unsigned)k);
    else
        sc_integer_shift_left(&d, &d, (unsigned)-k);
    sc_integer_add(&n, &n, &d);
    sc_ratio_set_fraction(out, &n, &d);
}

void sc_renyi_smallest_order(sc_ratio *out)
{
    order_at(ORDER_NEAR * ORDER_FINE, out);
}

/* The best so far. */
typedef struct best {
    bool any;
    int64_t position;
    sc_ball value;
} best;

static void try_order(const conversion *c, int64_t position, best *b)
{
    SC_OWN(sc_ratio, order);
    SC_OWN(sc_ball, value);
    order_at(position, &order);
    c->of(c, &order, &value);
    if (sc_ball_is_finite(&value) && (!b->any || sc_ball_is_less(&value, &b->value))) {
        sc_ball_set(&b->value, &value);
        b->position = position;
        b->any = true;
    }
}

/* Each doubling first, then ever smaller steps to both sides of the best. */
static bool minimise(const conversion *c, sc_ball *out)
{
    best b = {.any = false};
    sc_ball_init(&b.value);
    for (int64_t k = ORDER_NEAR; k <= ORDER_FAR; k++)
        try_order(c, k * ORDER_FINE, &b);
    for (int64_t k = ORDER_FAR;
         b.any && b.position == k * ORDER_FINE && k < ORDER_FARTHEST; k++)
        try_order(c, (k + 1) * ORDER_FINE, &b);
    for (int64_t step = ORDER_FINE / 2; b.any && step > 0; step /= 2) {
        int64_t at = b.position;
        try_order(c, at - step, &b);
        try_order(c, at + step, &b);
    }
    if (b.any)
        sc_ball_set(out, &b.value);
    sc_ball_clear(&b.value);
    return b.any;
}

bool sc_renyi_log_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                        sc_ball *out)
{
    conversion c = {.of = log_delta_at, .curve = curve, .epsilon = epsilon, .bits = bits};
    return minimise(&c, out);
}

bool sc_renyi_epsilon(const sc_curve *curve, const sc_ball *log_delta, long bits,
                      sc_ball *out)
{
    conversion c = {
        .of = epsilon_at, .curve = curve, .log_delta = log_delta, .bits = bits};
    return minimise(&c, out);
}

bool sc_renyi_rho(const sc_ratio *epsilon, const sc_ball *log_delta, long bits,
                  sc_ball *out)
{
    conversion c = {
        .of = minus_rho_at, .epsilon = epsilon, .log_delta = log_delta, .bits = bits};
    SC_OWN(sc_ball, value);
    bool found = minimise(&c, &value);
    sc_ball_neg(&value, &value);
    found = found && sc_ball_is_positive(&value);
    if (found)
        sc_ball_set(out, &value);
    return found;
}

bool sc_renyi_distance(const sc_curve *curve, long bits, sc_ball *out)
{
    SC_OWN(sc_ratio, order);
    SC_OWN(sc_ball, divergence, other);
    sc_renyi_smallest_order(&order);
    curve->functions->renyi(curve, &order, bits, &divergence);
    if (!sc_ball_is_finite(&divergence))
        return false;
    sc_ball_mul_power2(out, &divergence, -1);
    sc_ball_neg(&other, &divergence);
    sc_ball_expm1(&other, &other, bits);
    sc_ball_neg(&other, &other);
    sc_ball_take_smaller(out, &other);
    sc_ball_set_upper(out, out, bits); /* a root needs a number that is not below 0 */
    if (sc_ball_is_positive(out))
        sc_ball_sqrt(out, out, bits);
    else
        sc_ball_set_int64(out, 0);
    return sc_ball_is_finite(out);
}

bool sc_renyi_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                    sc_ball *out)
{
    SC_OWN(sc_ball, distance);
    const bool has_delta = sc_renyi_log_delta(curve, epsilon, bits, out);
    if (has_delta)
        sc_ball_exp(out, out, bits);
    if (!sc_renyi_distance(curve, bits, &distance))
        return has_delta;
    if (has_delta)
        sc_ball_take_smaller(out, &distance);
    else
        sc_ball_set(out, &distance);
    return true;
}
