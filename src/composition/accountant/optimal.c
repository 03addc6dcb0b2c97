#include "composition/accountant/optimal.h"

#include "composition/loss/bag_parts.h"
#include "composition/loss/loss.h"
#include "model/copies.h"

#define BITS 128L

static const char not_claimed[] = "not applicable: needs a pure epsilon for every part";
static const char not_equal[] = "the parts differ in epsilon or delta";
static const char no_delta[] = "the deltas of the parts use up that delta";
static const char too_long[] = "the sum is too long for so many releases";

static bool are_equal(const sc_claims *claims)
{
    for (size_t i = 1; i < claims->count; i++)
        if (sc_ratio_compare(&claims->list[0].epsilon, &claims->list[i].epsilon) != 0 ||
            sc_ratio_compare(&claims->list[0].delta, &claims->list[i].delta) != 0)
            return false;
    return true;
}

/* Do all parts attain one pair? */
static bool have_lower(const sc_claims *claims)
{
    if (claims->list == NULL)
        return true;
    for (size_t i = 0; i < claims->count; i++) {
        const sc_claim *first = &claims->list[0], *claim = &claims->list[i];
        if (!claim->has_lower ||
            sc_ratio_compare(&first->lower_epsilon, &claim->lower_epsilon) != 0 ||
            sc_ratio_compare(&first->lower_delta, &claim->lower_delta) != 0)
            return false;
    }
    return true;
}

/* The claims of what is attained, for the same theorem from below. */
static void set_lower(const sc_claims *claims, sc_claims *out)
{
    if (claims->count > 0)
        sc_claims_join(out, &claims->list[0].lower_delta, claims->releases);
}

/* Why the theorem does not apply; NULL: it does. */
static const char *objection(const sc_claims *claims)
{
    return claims->others > 0 ? not_claimed : !are_equal(claims) ? not_equal : NULL;
}

static bool epsilon_of(const sc_claims *claims, const sc_ratio *epsilon,
                       const sc_ratio *delta, const char **remark, sc_ball *out)
{
    SC_OWN(sc_ball, rest);
    bool done = sc_claims_rest(claims, delta, &rest);
    if (!done)
        *remark = no_delta;
    else if (!(done = sc_copies_epsilon(epsilon, claims->releases, &rest, BITS, out)))
        *remark = too_long;
    return done;
}

static bool delta_of(const sc_claims *claims, const sc_ratio *epsilon, const sc_ratio *at,
                     const char **remark, sc_ball *out)
{
    SC_OWN(sc_ball, rest);
    const bool done = sc_copies_delta(epsilon, claims->releases, at, BITS, &rest);
    sc_claims_total(claims, &rest, out);
    if (!done)
        *remark = too_long;
    return done;
}

typedef bool question(const sc_claims *claims, const sc_ratio *epsilon,
                      const sc_ratio *at, const char **remark, sc_ball *out);

static scrim_status bound(const sc_bag *bag, question *of, const sc_ratio *at,
                          sc_enclosure *out, const char **remark, scrim_error *error)
{
    SC_OWN(sc_claims, claims, lower);
    SC_OWN(sc_ratio, nothing);
    scrim_status status = sc_claims_read(&claims, bag, error);
    if (status == SCRIM_OK && (*remark = objection(&claims)) == NULL) {
        const sc_claim *first = claims.count > 0 ? &claims.list[0] : NULL;
        out->has_upper = of(&claims, first == NULL ? &nothing : &first->epsilon, at,
                            remark, &out->upper);
        if (out->has_upper && have_lower(&claims)) {
            set_lower(&claims, &lower);
            out->has_lower = of(&lower, first == NULL ? &nothing : &first->lower_epsilon,
                                at, remark, &out->lower);
        }
    }
    return status;
}

static scrim_status optimal_epsilon(const sc_bag *bag, const sc_ratio *delta,
                                    sc_enclosure *out, const char **remark,
                                    scrim_error *error)
{
    return bound(bag, epsilon_of, delta, out, remark, error);
}

static scrim_status optimal_delta(const sc_bag *bag, const sc_ratio *epsilon,
                                  sc_enclosure *out, const char **remark,
                                  scrim_error *error)
{
    return bound(bag, delta_of, epsilon, out, remark, error);
}

const sc_accountant sc_accountant_optimal = {
    .name = "optimal",
    .summary = "equal mechanisms, worst case",
    .reference = "Kairouz, Oh, Viswanath 2015",
    .epsilon = optimal_epsilon,
    .delta = optimal_delta,
};

#define LATTICE_BITS SC_CLAIMS_BITS

static const char lattice_too_long[] = "the lattice is too long for so many releases";

/* The sum is exact, on the lattice of the losses, while it has at most UNITS_EXACT units to
 * either side; else it is rounded to a lattice of UNITS_ROUNDED. */
#define UNITS_EXACT ((int64_t)1 << 17)
#define UNITS_ROUNDED ((int64_t)1 << 14)

/* The pure epsilons to be composed. */
typedef struct pures {
    const sc_claims *claims;
    bool is_lower; /* those that are attained */
} pures;

static const sc_ratio *epsilon_at(const pures *p, size_t i)
{
    const sc_claim *claim = &p->claims->list[i];
    return p->is_lower ? &claim->lower_epsilon : &claim->epsilon;
}

/* a becomes the largest number of which both are multiples. False when a is below least, or gets
 * there. */
static bool divisor(sc_ratio *a, const sc_ratio *b, const sc_ratio *least)
{
    bool is_large = true;
    SC_OWN(sc_ratio, rest, part);
    SC_OWN(sc_integer, times);
    sc_ratio_set(&rest, b);
    while (is_large && sc_ratio_sign(&rest) > 0) {
        /* (a, rest) becomes (rest, a mod rest). */
        sc_ratio_div(&part, a, &rest);
        sc_ratio_floor(&part, &times);
        sc_ratio_set_integer(&part, &times);
        sc_ratio_mul(&part, &part, &rest);
        sc_ratio_sub(&part, a, &part);
        sc_ratio_set(a, &rest);
        sc_ratio_set(&rest, &part);
        is_large = sc_ratio_compare(a, least) >= 0;
    }
    return is_large;
}

/* True with the unit of which all epsilons are multiples; else with a coarser one. */
static bool find_unit(const pures *p, sc_ratio *unit)
{
    bool is_exact = true;
    SC_OWN(sc_ratio, sum, part);
    for (size_t i = 0; i < p->claims->count; i++) {
        sc_ratio_set_int128(&part, (sc_int128)p->claims->list[i].count);
        sc_ratio_mul(&part, &part, epsilon_at(p, i));
        sc_claims_add(&sum, &part);
    }
    sc_ratio_set_int64(&part, UNITS_EXACT);
    sc_ratio_div(&part, &sum, &part);
    sc_ratio_set_int64(unit, 0);
    for (size_t i = 0; is_exact && i < p->claims->count; i++)
        if (sc_ratio_sign(unit) == 0)
            sc_ratio_set(unit, epsilon_at(p, i));
        else if (sc_ratio_sign(epsilon_at(p, i)) > 0)
            is_exact = divisor(unit, epsilon_at(p, i), &part);
    is_exact = is_exact && sc_ratio_compare(unit, &part) >= 0;
    if (!is_exact) {
        sc_ratio_set_int64(&part, UNITS_ROUNDED);
        sc_ratio_div(unit, &sum, &part);
    }
    return is_exact;
}

/* All releases together, in units after rounding, at most; what is longer is not worth its time. */
#define UNITS_MOST ((int64_t)1 << 21)

static bool is_short(const pures *p, const sc_ratio *unit)
{
    SC_OWN(sc_ratio, sum, part);
    SC_OWN(sc_integer, times);
    for (size_t i = 0; i < p->claims->count; i++) {
        sc_ratio_div(&part, epsilon_at(p, i), unit);
        sc_ratio_ceil(&part, &times);
        sc_integer_mul_uint64(&times, &times, p->claims->list[i].count);
        sc_ratio_set_integer(&part, &times);
        sc_ratio_add(&sum, &sum, &part);
    }
    return sc_ratio_compare_int64(&sum, UNITS_MOST) <= 0;
}

/* x, or the next multiple of the unit above it. */
static void round_to_unit(const sc_ratio *x, const sc_ratio *unit, sc_ratio *out)
{
    SC_OWN(sc_integer, times);
    sc_ratio_div(out, x, unit);
    sc_ratio_ceil(out, &times);
    sc_ratio_set_integer(out, &times);
    sc_ratio_mul(out, out, unit);
}

/* A question about the composed loss and the deltas beside it. */
typedef struct query {
    bool for_epsilon;
    const sc_ratio *at;
} query;

/* How finely: masses that matter for delta to 2^-40 of it, with room for every rounding. */
typedef struct fineness {
    long bits, tail;
} fineness;

static fineness fineness_for(query q)
{
    long exponent =
        q.for_epsilon && sc_ratio_sign(q.at) > 0 ? sc_ratio_exponent(q.at) : -128;
    exponent = exponent > 0 ? 0 : exponent < -4096 ? -4096 : exponent;
    return (fineness){.bits = SC_LOSS_BITS - exponent, .tail = 100 - exponent};
}

static scrim_status add_part(const sc_ratio *epsilon, uint64_t count, fineness fine,
                             sc_loss *all, scrim_error *error)
{
    SC_OWN(sc_loss_pair, pair);
    SC_OWN(sc_loss, one);
    sc_loss_pair_set_pure(&pair, epsilon);
    SC_TRY(sc_loss_from_pair(&pair, all->side,
                             &(sc_loss_grid){&all->step, fine.bits, fine.tail}, NULL,
                             &one, error));
    SC_TRY(sc_loss_power(&one, count, fine.tail, &one, error));
    return sc_loss_compose(all, &one, fine.tail, all, error);
}

/* All parts, one after the other, on the lattice of a unit. */
static scrim_status compose(const pures *p, const sc_ratio *unit, fineness fine,
                            sc_loss *out, scrim_error *error)
{
    SC_OWN(sc_ratio, epsilon);
    scrim_status status = sc_loss_set_nothing(p->is_lower ? SC_LOSS_LOWER : SC_LOSS_UPPER,
                                              unit, fine.bits, out, error);
    for (size_t i = 0; status == SCRIM_OK && i < p->claims->count; i++) {
        if (sc_ratio_sign(epsilon_at(p, i)) == 0)
            continue;
        round_to_unit(epsilon_at(p, i), unit, &epsilon);
        status = add_part(&epsilon, p->claims->list[i].count, fine, out, error);
    }
    return status;
}

/* The rest of delta as a rational: below it for an upper lattice_bound, above it for a lower one. */
static bool rest_of(const sc_claims *beside, query q, bool is_lower, sc_ratio *out)
{
    SC_OWN(sc_ball, rest);
    const unsigned places = (unsigned)(fineness_for(q).bits);
    return sc_claims_rest(beside, q.at, &rest) &&
           (is_lower ? sc_ball_round_up(&rest, places, out)
                     : sc_ball_round_down(&rest, places, out));
}

static bool read_loss(const sc_loss *loss, const sc_claims *beside, query q, sc_ball *out)
{
    bool found = true;
    SC_OWN(sc_ratio, rest);
    SC_OWN(sc_ball, delta);
    if (q.for_epsilon) {
        found = rest_of(beside, q, loss->side == SC_LOSS_LOWER, &rest) &&
                sc_loss_epsilon(loss, &rest, LATTICE_BITS, out);
    } else {
        sc_ball_set_ratio(&delta, q.at, LATTICE_BITS);
        sc_loss_delta(loss, &delta, LATTICE_BITS, &delta);
        sc_ball_cut_unit(&delta);
        sc_claims_total(beside, &delta, out);
    }
    return found;
}

/* One side. A lower lattice_bound needs the exact unit. */
static scrim_status side(const pures *p, query q, const sc_claims *beside, sc_ball *out,
                         bool *found, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, unit);
    SC_OWN(sc_loss, loss);
    *found = false;
    if (find_unit(p, &unit) || !p->is_lower) {
        if (sc_ratio_sign(&unit) == 0)
            sc_ratio_set_int64(&unit, 1); /* nothing is lost by nothing */
        if (is_short(p, &unit))
            status = compose(p, &unit, fineness_for(q), &loss, error);
        else
            status = SCRIM_E_LIMIT;
        if (status == SCRIM_OK)
            *found = read_loss(&loss, beside, q, out);
        else if (status == SCRIM_E_LIMIT)
            status = SCRIM_OK;
    }
    return status;
}

static bool lattice_has_lower(const sc_claims *claims)
{
    for (size_t i = 0; i < claims->count; i++)
        if (!claims->list[i].has_lower)
            return false;
    return true;
}

static scrim_status both_sides(const sc_claims *claims, query q, sc_enclosure *out,
                               const char **remark, scrim_error *error)
{
    pures p = {.claims = claims};
    sc_claims attained;
    scrim_status status = side(&p, q, claims, &out->upper, &out->has_upper, error);
    if (status != SCRIM_OK)
        return status;
    if (!out->has_upper)
        *remark = lattice_too_long;
    else if (lattice_has_lower(claims)) {
        sc_claims_init(&attained);
        for (size_t i = 0; i < claims->count; i++)
            sc_claims_join(&attained, &claims->list[i].lower_delta,
                           claims->list[i].count);
        p.is_lower = true;
        status = side(&p, q, &attained, &out->lower, &out->has_lower, error);
        sc_claims_clear(&attained);
    }
    return status;
}

/* With no delta to give away the sums are exact. */
static void sum_up(const sc_claims *claims, sc_enclosure *out)
{
    out->has_upper = true;
    sc_ball_set_ratio(&out->upper, &claims->epsilon, LATTICE_BITS);
}

static scrim_status lattice_bound(const sc_bag *bag, query q, sc_enclosure *out,
                                  const char **remark, scrim_error *error)
{
    sc_claims claims;
    sc_ball rest;
    sc_claims_init(&claims);
    sc_ball_init(&rest);
    scrim_status status = sc_claims_read(&claims, bag, error);
    if (status != SCRIM_OK)
        goto done;
    if (claims.others > 0)
        *remark = not_claimed;
    else if (q.for_epsilon && !sc_claims_rest(&claims, q.at, &rest))
        *remark = no_delta;
    else if (q.for_epsilon && !sc_ball_is_positive(&rest))
        sum_up(&claims, out);
    else
        status = both_sides(&claims, q, out, remark, error);
done:
    sc_ball_clear(&rest);
    sc_claims_clear(&claims);
    return status;
}

static scrim_status lattice_epsilon(const sc_bag *bag, const sc_ratio *delta,
                                    sc_enclosure *out, const char **remark,
                                    scrim_error *error)
{
    return lattice_bound(bag, (query){.for_epsilon = true, .at = delta}, out, remark,
                         error);
}

static scrim_status lattice_delta(const sc_bag *bag, const sc_ratio *epsilon,
                                  sc_enclosure *out, const char **remark,
                                  scrim_error *error)
{
    return lattice_bound(bag, (query){.at = epsilon}, out, remark, error);
}

const sc_accountant sc_accountant_lattice = {
    .name = "lattice",
    .summary = "different mechanisms, worst case",
    .reference = "Murtagh, Vadhan 2016",
    .epsilon = lattice_epsilon,
    .delta = lattice_delta,
};
