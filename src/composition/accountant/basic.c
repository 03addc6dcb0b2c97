#include "composition/accountant/basic.h"

#include "composition/loss/bag_parts.h"
#include "model/renyi_conversion.h"

#define BITS SC_CLAIMS_BITS

static const char no_delta[] = "the deltas of the parts use up that delta";
static const char no_epsilon[] = "the epsilons of the parts exceed that epsilon";
static const char no_share[] = "some part has no epsilon at its share of that delta";

/* x / count. */
static void share_of(const sc_ratio *x, uint64_t count, sc_ratio *out)
{
    SC_OWN(sc_ratio, divisor);
    sc_ratio_set_int128(&divisor, (sc_int128)count);
    sc_ratio_div(out, x, &divisor);
}

/* With more curves than this the epsilon is not searched for by delta, where the orders give one. */
#define SEARCHED 8

static bool is_long(const sc_bag *bag)
{
    size_t curves = 0;
    for (size_t i = 0; i < bag->count; i++)
        curves += !sc_claims_has(&bag->parts[i]);
    return curves > SEARCHED;
}

/* The bound by orders is not below that of the curve, and is computed at once. */
static bool by_orders(const sc_curve *curve, const sc_ratio *delta, sc_ratio *out)
{
    SC_OWN(sc_ball, value);
    sc_ball_set_ratio(&value, delta, BITS);
    sc_ball_log(&value, &value, BITS);
    const bool found = sc_renyi_epsilon(curve, &value, BITS, &value) &&
                       sc_ball_round_up(&value, 64, out);
    if (found && sc_ratio_sign(out) < 0)
        sc_ratio_set_int64(out, 0);
    return found;
}

static bool curve_epsilon(const sc_curve *curve, const sc_ratio *delta, bool is_quick,
                          sc_ratio *out)
{
    if (is_quick && sc_ratio_sign(delta) > 0 && curve->functions != NULL &&
        curve->functions->renyi != NULL && by_orders(curve, delta, out))
        return true;
    return sc_curve_epsilon_upper(curve, delta, out);
}

/* The epsilon of one release at a share of delta, which a sample divides by its rate. */
static bool epsilon_at(const sc_part *part, const sc_ratio *share, bool is_quick,
                       sc_ratio *out)
{
    if (!part->is_sampled)
        return curve_epsilon(&part->cost.curve, share, is_quick, out);
    bool found = true;
    SC_OWN(sc_ratio, base);
    sc_ratio_div(&base, share, &part->rate);
    if (sc_ratio_compare_int64(&base, 1) >= 0)
        sc_ratio_set_int64(out, 0);
    else
        found = curve_epsilon(&part->cost.curve, &base, is_quick, out);
    if (found)
        sc_claims_amplify(out, &part->rate, out);
    return found;
}

/* Adds what the parts without a claim cost at a share of delta each. */
static bool add_shares(const sc_bag *bag, const sc_ratio *share, sc_ratio *sum)
{
    const bool is_quick = is_long(bag);
    bool found = true;
    SC_OWN(sc_ratio, one, count);
    for (size_t i = 0; found && i < bag->count; i++) {
        const sc_part *part = &bag->parts[i];
        if (sc_claims_has(part))
            continue;
        found = epsilon_at(part, share, is_quick, &one);
        sc_ratio_set_int128(&count, (sc_int128)part->count);
        sc_ratio_mul(&one, &one, &count);
        sc_claims_add(sum, &one);
    }
    return found;
}

static void epsilon_by_shares(const sc_bag *bag, const sc_claims *claims,
                              const sc_ratio *delta, sc_enclosure *out,
                              const char **remark)
{
    SC_OWN(sc_ratio, share, sum);
    sc_ratio_sub(&share, delta, &claims->delta);
    sc_ratio_set(&sum, &claims->epsilon);
    if (sc_ratio_sign(&share) < 0 ||
        (sc_ratio_sign(&share) == 0 && sc_ratio_sign(delta) > 0)) {
        *remark = no_delta;
    } else {
        share_of(&share, claims->others, &share);
        out->has_upper = add_shares(bag, &share, &sum);
        sc_ball_set_ratio(&out->upper, &sum, BITS);
        if (!out->has_upper)
            *remark = no_share;
    }
}

/* The rest of delta lowers the sum of epsilons, and never raises it by a last digit. */
static void trade_rest(const sc_ratio *epsilon, const sc_ball *rest, sc_ball *out)
{
    SC_OWN(sc_ratio, traded);
    sc_claims_trade(epsilon, rest, out);
    if (!sc_ball_round_up(out, BITS, &traded) || sc_ratio_compare(&traded, epsilon) > 0)
        sc_ball_set_ratio(out, epsilon, BITS);
}

static void find_epsilon(const sc_bag *bag, const sc_claims *claims,
                         const sc_ratio *delta, sc_enclosure *out, const char **remark)
{
    SC_OWN(sc_ball, rest);
    if (claims->others > 0) {
        epsilon_by_shares(bag, claims, delta, out, remark);
    } else if (sc_claims_rest(claims, delta, &rest)) {
        trade_rest(&claims->epsilon, &rest, &out->upper);
        out->has_upper = true;
    } else {
        *remark = no_delta;
    }
}

/* Adds the deltas of the parts without a claim at a share of epsilon each. */
static void add_deltas(const sc_bag *bag, const sc_ratio *share, sc_ball *sum)
{
    SC_OWN(sc_ratio, base);
    SC_OWN(sc_ball, one, rate);
    for (size_t i = 0; i < bag->count; i++) {
        const sc_part *part = &bag->parts[i];
        if (sc_claims_has(part))
            continue;
        sc_ratio_set(&base, share);
        if (part->is_sampled)
            sc_claims_amplify_back(share, &part->rate, &base);
        sc_curve_delta_upper(&part->cost.curve, &base, BITS, &one);
        if (part->is_sampled) {
            sc_ball_set_ratio(&rate, &part->rate, BITS);
            sc_ball_mul(&one, &one, &rate, BITS);
        }
        sc_ball_mul_int64(&one, &one, (int64_t)part->count, BITS);
        sc_ball_add(sum, sum, &one, BITS);
    }
}

static void delta_by_shares(const sc_bag *bag, const sc_claims *claims,
                            const sc_ratio *epsilon, sc_ball *out)
{
    SC_OWN(sc_ratio, share);
    SC_OWN(sc_ball, sum);
    sc_ratio_sub(&share, epsilon, &claims->epsilon);
    share_of(&share, claims->others, &share);
    add_deltas(bag, &share, &sum);
    sc_ball_set_ratio(out, &claims->delta, BITS);
    sc_ball_add(out, out, &sum, BITS);
    sc_ball_cut_unit(out);
}

static void find_delta(const sc_bag *bag, const sc_claims *claims,
                       const sc_ratio *epsilon, sc_enclosure *out, const char **remark)
{
    SC_OWN(sc_ball, rest);
    if (claims->others == 0) {
        sc_claims_trade_back(&claims->epsilon, epsilon, &rest);
        sc_claims_total(claims, &rest, &out->upper);
        out->has_upper = true;
    } else if (sc_ratio_compare(&claims->epsilon, epsilon) <= 0) {
        delta_by_shares(bag, claims, epsilon, &out->upper);
        out->has_upper = true;
    } else {
        *remark = no_epsilon;
    }
}

/* A question about the claims of a bag; it has a bound, or a remark. */
typedef void question(const sc_bag *bag, const sc_claims *claims, const sc_ratio *at,
                      sc_enclosure *out, const char **remark);

static scrim_status ask(const sc_bag *bag, question *find, const sc_ratio *at,
                        sc_enclosure *out, const char **remark, scrim_error *error)
{
    SC_OWN(sc_claims, claims);
    const scrim_status status = sc_claims_read(&claims, bag, error);
    if (status == SCRIM_OK) {
        sc_claims_add_up(&claims);
        find(bag, &claims, at, out, remark);
    }
    return status;
}

static scrim_status basic_epsilon(const sc_bag *bag, const sc_ratio *delta,
                                  sc_enclosure *out, const char **remark,
                                  scrim_error *error)
{
    return ask(bag, find_epsilon, delta, out, remark, error);
}

static scrim_status basic_delta(const sc_bag *bag, const sc_ratio *epsilon,
                                sc_enclosure *out, const char **remark,
                                scrim_error *error)
{
    return ask(bag, find_delta, epsilon, out, remark, error);
}

const sc_accountant sc_accountant_basic = {
    .name = "basic",
    .summary = "epsilons and deltas add up",
    .reference = "Dwork, Lei 2009",
    .is_adaptive = true,
    .epsilon = basic_epsilon,
    .delta = basic_delta,
};

static const char not_claimed[] = "not applicable: needs a pure epsilon for every part";

/* Sums over the parts that the theorems need. */
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
