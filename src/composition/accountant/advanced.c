#include "composition/accountant/advanced.h"

#include "composition/loss/claims.h"

#define BITS SC_CLAIMS_BITS

static const char not_claimed[] = "not applicable: needs a pure epsilon for every part";
static const char no_delta[] = "the deltas of the parts use up that delta";

/* What the theorems need of the parts. */
typedef struct moments {
    sc_claims claims;
    sc_ball square, drift; /* q and b */
} moments;

static void moments_init(moments *m)
{
    sc_claims_init(&m->claims);
    sc_ball_init(&m->square);
    sc_ball_init(&m->drift);
}

static void moments_clear(moments *m)
{
    sc_ball_clear(&m->drift);
    sc_ball_clear(&m->square);
    sc_claims_clear(&m->claims);
}

/* tanh(x/2) = (1 - exp(-x)) / (1 + exp(-x)). */
static void half_tanh(const sc_ball *x, sc_ball *out)
{
    SC_OWN(sc_ball, below);
    sc_ball_neg(&below, x);
    sc_ball_expm1(out, &below, BITS);
    sc_ball_neg(out, out);
    sc_ball_exp(&below, &below, BITS);
    sc_ball_add_int64(&below, &below, 1, BITS);
    sc_ball_div(out, out, &below, BITS);
}

static scrim_status moments_read(moments *m, const sc_bag *bag, scrim_error *error)
{
    scrim_status status = sc_claims_read(&m->claims, bag, error);
    SC_OWN(sc_ball, epsilon, part);
    for (size_t i = 0; i < m->claims.count; i++) {
        const sc_claim *claim = &m->claims.list[i];
        sc_ball_set_ratio(&epsilon, &claim->epsilon, BITS);
        sc_ball_mul(&part, &epsilon, &epsilon, BITS);
        sc_ball_mul_int64(&part, &part, (int64_t)claim->count, BITS);
        sc_ball_add(&m->square, &m->square, &part, BITS);
        half_tanh(&epsilon, &part);
        sc_ball_mul(&part, &part, &epsilon, BITS);
        sc_ball_mul_int64(&part, &part, (int64_t)claim->count, BITS);
        sc_ball_add(&m->drift, &m->drift, &part, BITS);
    }
    return status;
}

/* b + sqrt(2 q ln x), taken where it is smaller. */
static void take_root(const moments *m, sc_ball *x, sc_ball *out)
{
    sc_ball_log(x, x, BITS);
    sc_ball_mul(x, x, &m->square, BITS);
    sc_ball_mul_power2(x, x, 1);
    sc_ball_sqrt(x, x, BITS);
    sc_ball_add(x, x, &m->drift, BITS);
    if (sc_ball_is_finite(x))
        sc_ball_take_smaller(out, x);
}

static void set_e(sc_ball *out)
{
    sc_ball_set_int64(out, 1);
    sc_ball_exp(out, out, BITS);
}

/* The least of basic, advanced and, if it is asked for, the third form. */
static void least_epsilon(const moments *m, const sc_ball *rest, bool is_closed,
                          sc_ball *out)
{
    SC_OWN(sc_ball, x, e);
    sc_claims_trade(&m->claims.epsilon, rest, out);
    if (sc_ball_is_positive(rest)) {
        sc_ball_set_int64(&x, 1);
        sc_ball_div(&x, &x, rest, BITS);
        take_root(m, &x, out);
    }
    if (is_closed && sc_ball_is_positive(rest)) {
        set_e(&e);
        sc_ball_sqrt(&x, &m->square, BITS);
        sc_ball_div(&x, &x, rest, BITS);
        sc_ball_add(&x, &x, &e, BITS);
        take_root(m, &x, out);
    }
}

/* The same, solved for d: with t = exp((e - b)^2 / (2 q)), 1/t and sqrt(q) / (t - e). */
static void least_delta(const moments *m, const sc_ratio *epsilon, bool is_closed,
                        sc_ball *out)
{
    SC_OWN(sc_ball, above, x, t);
    sc_claims_trade_back(&m->claims.epsilon, epsilon, out);
    sc_ball_set_ratio(&above, epsilon, BITS);
    sc_ball_sub(&above, &above, &m->drift, BITS);
    if (sc_ball_is_positive(&above) && sc_ball_is_positive(&m->square)) {
        sc_ball_mul(&t, &above, &above, BITS);
        sc_ball_div(&t, &t, &m->square, BITS);
        sc_ball_mul_power2(&t, &t, -1);
        sc_ball_neg(&x, &t);
        sc_ball_exp(&x, &x, BITS);
        sc_ball_take_smaller(out, &x);
        sc_ball_exp(&t, &t, BITS);
        set_e(&x);
        sc_ball_sub(&t, &t, &x, BITS);
        if (is_closed && sc_ball_is_finite(&t) && sc_ball_is_positive(&t)) {
            sc_ball_sqrt(&x, &m->square, BITS);
            sc_ball_div(&x, &x, &t, BITS);
            sc_ball_take_smaller(out, &x);
        }
    }
}

static scrim_status bound_epsilon(const sc_bag *bag, const sc_ratio *delta,
                                  bool is_closed, sc_enclosure *out, const char **remark,
                                  scrim_error *error)
{
    moments m;
    moments_init(&m);
    SC_OWN(sc_ball, rest);
    scrim_status status = moments_read(&m, bag, error);
    if (status == SCRIM_OK && m.claims.others > 0) {
        *remark = not_claimed;
    } else if (status == SCRIM_OK && !sc_claims_rest(&m.claims, delta, &rest)) {
        *remark = no_delta;
    } else if (status == SCRIM_OK) {
        least_epsilon(&m, &rest, is_closed, &out->upper);
        out->has_upper = true;
    }
    moments_clear(&m);
    return status;
}

static scrim_status bound_delta(const sc_bag *bag, const sc_ratio *epsilon,
                                bool is_closed, sc_enclosure *out, const char **remark,
                                scrim_error *error)
{
    moments m;
    moments_init(&m);
    SC_OWN(sc_ball, rest);
    scrim_status status = moments_read(&m, bag, error);
    if (status == SCRIM_OK && m.claims.others > 0) {
        *remark = not_claimed;
    } else if (status == SCRIM_OK) {
        least_delta(&m, epsilon, is_closed, &rest);
        sc_claims_total(&m.claims, &rest, &out->upper);
        out->has_upper = true;
    }
    moments_clear(&m);
    return status;
}

static scrim_status advanced_epsilon(const sc_bag *bag, const sc_ratio *delta,
                                     sc_enclosure *out, const char **remark,
                                     scrim_error *error)
{
    return bound_epsilon(bag, delta, false, out, remark, error);
}

static scrim_status advanced_delta(const sc_bag *bag, const sc_ratio *epsilon,
                                   sc_enclosure *out, const char **remark,
                                   scrim_error *error)
{
    return bound_delta(bag, epsilon, false, out, remark, error);
}

static scrim_status closed_epsilon(const sc_bag *bag, const sc_ratio *delta,
                                   sc_enclosure *out, const char **remark,
                                   scrim_error *error)
{
    return bound_epsilon(bag, delta, true, out, remark, error);
}

static scrim_status closed_delta(const sc_bag *bag, const sc_ratio *epsilon,
                                 sc_enclosure *out, const char **remark,
                                 scrim_error *error)
{
    return bound_delta(bag, epsilon, true, out, remark, error);
}

const sc_accountant sc_accountant_advanced = {
    .name = "advanced",
    .summary = "losses add up like a random walk with drift",
    .reference = "Dwork, Rothblum, Vadhan 2010",
    .epsilon = advanced_epsilon,
    .delta = advanced_delta,
};

const sc_accountant sc_accountant_closed = {
    .name = "closed",
    .summary = "different epsilons, in closed form",
    .reference = "Kairouz, Oh, Viswanath 2015",
    .epsilon = closed_epsilon,
    .delta = closed_delta,
};
