#include "composition/accountant/optimal.h"

#include "composition/loss/claims.h"
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
    .summary = "equal parts, at the worst that they can be together",
    .reference = "Kairouz, Oh, Viswanath 2015",
    .epsilon = optimal_epsilon,
    .delta = optimal_delta,
};
