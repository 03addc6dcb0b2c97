#include "audit/divergence.h"

#include <math.h>

/* The hockey stick. */

/* Adds the bounds of max(0, p - growth q). */
static void add_positive_part(const sc_ball *p, const sc_ball *q, const sc_ball *growth,
                              long bits, sc_enclosure *out)
{
    SC_OWN(sc_ball, term);
    sc_ball_mul(&term, growth, q, bits);
    sc_ball_sub(&term, p, &term, bits);
    if (sc_ball_is_positive(&term)) {
        sc_ball_add(&out->lower, &out->lower, &term, bits);
        sc_ball_add(&out->upper, &out->upper, &term, bits);
    } else if (!sc_ball_is_nothing(&term)) {
        sc_ball_abs(&term, &term);
        sc_ball_add(&out->upper, &out->upper, &term, bits);
    }
}

/* The outcomes that the lists do not share. At least: the hidden ones, as one event, face no
 * more than the other's rest. At most: the other law has nothing there. */
static void add_unshared(const sc_side *side, const sc_ball *growth, sc_enclosure *out)
{
    const long bits = side->comparison->bits;
    SC_OWN(sc_ball, event);
    sc_ball_mul(&event, growth, &side->other->rest, bits);
    sc_ball_sub(&event, &side->own->hidden, &event, bits);
    if (sc_ball_is_positive(&event))
        sc_ball_add(&out->lower, &out->lower, &event, bits);
    sc_ball_add(&out->lower, &out->lower, &side->own->absent, bits);
    sc_ball_add(&out->upper, &out->upper, &side->own->absent, bits);
    sc_ball_add(&out->upper, &out->upper, &side->own->hidden, bits);
    sc_ball_add(&out->upper, &out->upper, &side->own->rest, bits);
}

static void hockey_stick(const sc_side *side, const sc_ball *epsilon, sc_enclosure *out)
{
    const sc_comparison *c = side->comparison;
    const long bits = c->bits;
    SC_OWN(sc_ball, growth, sure);
    sc_ball_exp(&growth, epsilon, bits);
    sc_bounds_set_zero(out);
    /* A view is within slack of the loss in either direction; the rest of the margin covers
     * the rounding of these sums. */
    const double e_low = sc_ball_lower(epsilon), e_high = sc_ball_upper(epsilon);
    const double margin =
        2 * c->slack + 0x1p-50 * fmax(fabs(e_low), fabs(e_high)) + 0x1p-1000;
    const size_t certain = sc_side_above(side, e_high + margin);
    const size_t possible = sc_side_above(side, e_low - margin);
    sc_ball_mul(&sure, &growth, sc_side_q_sum(side, certain), bits);
    sc_ball_sub(&sure, sc_side_p_sum(side, certain), &sure, bits);
    sc_ball_add(&out->lower, &out->lower, &sure, bits);
    sc_ball_add(&out->upper, &out->upper, &sure, bits);
    for (size_t place = certain; place < possible; place++) {
        const sc_shared_outcome *t = sc_side_outcome(side, place);
        add_positive_part(sc_side_p(side, t), sc_side_q(side, t), &growth, bits, out);
    }
    for (size_t i = 0; i < c->vague_count; i++) {
        const sc_vague_outcome *u = &c->vague[i];
        add_positive_part(side->is_back ? &u->q : &u->p, side->is_back ? &u->p : &u->q,
                          &growth, bits, out);
    }
    add_unshared(side, &growth, out);
    sc_bounds_cut_below(out);
    sc_ball_set_int64(&sure, 1);
    if (!sc_ball_is_less_equal(&out->upper, &sure))
        sc_ball_set(&out->upper, &sure);
}

void sc_divergence_hockey_stick(const sc_comparison *comparison, sc_direction direction,
                                const sc_ratio *epsilon, sc_enclosure *out)
{
    const sc_side side = sc_side_of(comparison, direction);
    SC_OWN(sc_ball, value);
    sc_ball_set_ratio(&value, epsilon, comparison->bits);
    hockey_stick(&side, &value, out);
}

/* The loss. */

/* Raises both bounds to ln(p/q) of an event, when that is larger. */
static void raise_by_event(const sc_ball *p, const sc_ball *q, long bits,
                           sc_enclosure *out)
{
    if (!sc_ball_is_positive(p) || !sc_ball_is_positive(q))
        return;
    SC_OWN(sc_ball, loss);
    sc_ball_div(&loss, p, q, bits);
    sc_ball_log(&loss, &loss, bits);
    if (sc_ball_is_less(&out->lower, &loss))
        sc_ball_set(&out->lower, &loss);
    if (!sc_ball_is_less_equal(&loss, &out->upper))
        sc_ball_set_union(&out->upper, &out->upper, &loss, bits);
}

/* Of a shared outcome: one of those whose views are nearly the largest. */
static void largest_loss(const sc_side *side, sc_enclosure *out)
{
    SC_OWN(sc_ball, loss);
    sc_side_loss(side, sc_side_outcome(side, 0), &out->lower);
    sc_ball_set(&out->upper, &out->lower);
    const double near = sc_side_loss_view(side, 0) - 2 * side->comparison->slack;
    for (size_t place = 1; place < side->comparison->shared_count; place++) {
        if (sc_side_loss_view(side, place) < near)
            break;
        sc_side_loss(side, sc_side_outcome(side, place), &loss);
        if (sc_ball_is_less(&out->lower, &loss))
            sc_ball_set(&out->lower, &loss);
        if (!sc_ball_is_less_equal(&loss, &out->upper) &&
            !sc_ball_contains(&out->upper, &loss))
            sc_ball_set_union(&out->upper, &out->upper, &loss, side->comparison->bits);
    }
}

void sc_divergence_loss(const sc_comparison *comparison, sc_direction direction,
                        sc_enclosure *out, sc_ball *unlisted)
{
    const sc_side side = sc_side_of(comparison, direction);
    const long bits = comparison->bits;
    sc_bounds_set_zero(out);
    out->is_infinite = sc_ball_is_positive(&side.own->absent);
    if (comparison->shared_count > 0)
        largest_loss(&side, out);
    raise_by_event(&side.own->hidden, &side.other->rest, bits, out);
    /* A law of which no outcome is shared has lost everything: that is in unlisted. Masses that
     * may be 0, or may not, bound nothing. */
    if (comparison->vague_count > 0 || !sc_ball_is_nothing(&side.own->absent))
        out->is_bounded = false;
    if (unlisted != NULL)
        sc_ball_add(unlisted, &side.own->hidden, &side.own->rest, bits);
}

/* Renyi. */

/* One term of the sum: p (p/q)^(order - 1). */
static void renyi_term(const sc_side *side, const sc_shared_outcome *t,
                       const sc_ball *power, uint64_t whole, sc_ball *out)
{
    const long bits = side->comparison->bits;
    if (whole != 0) {
        sc_ball_div(out, sc_side_p(side, t), sc_side_q(side, t), bits);
        sc_ball_power(out, out, whole, bits);
    } else {
        sc_side_loss(side, t, out);
        sc_ball_mul(out, out, power, bits);
        sc_ball_exp(out, out, bits);
    }
    sc_ball_mul(out, out, sc_side_p(side, t), bits);
}

/* order - 1 as an integer, when it is a small one; else 0. */
static uint64_t whole_power(const sc_ratio *power)
{
    uint64_t whole = 0;
    if (!sc_ratio_is_integer(power))
        return 0;
    SC_OWN(sc_integer, value);
    sc_ratio_numerator(power, &value);
    if (!sc_integer_get_uint64(&value, &whole) || whole > 256)
        whole = 0;
    return whole;
}

/* The hidden event has at least the term of its two masses: h (h/r)^power. */
static void add_hidden_event(const sc_side *side, const sc_ball *power, sc_ball *sum)
{
    const long bits = side->comparison->bits;
    const sc_ball *h = &side->own->hidden, *r = &side->other->rest;
    if (!sc_ball_is_positive(h) || !sc_ball_is_positive(r))
        return;
    SC_OWN(sc_ball, term);
    sc_ball_div(&term, h, r, bits);
    sc_ball_log(&term, &term, bits);
    sc_ball_mul(&term, &term, power, bits);
    sc_ball_exp(&term, &term, bits);
    sc_ball_mul(&term, &term, h, bits);
    sc_ball_add(sum, sum, &term, bits);
}

static void renyi(const sc_side *side, const sc_ratio *order, sc_enclosure *out)
{
    const long bits = side->comparison->bits;
    SC_OWN(sc_ratio, less_one, one);
    SC_OWN(sc_ball, power, term);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_sub(&less_one, order, &one);
    sc_ball_set_ratio(&power, &less_one, bits);
    const uint64_t whole = whole_power(&less_one);
    for (size_t i = 0; i < side->comparison->shared_count; i++) {
        renyi_term(side, &side->comparison->shared[i], &power, whole, &term);
        sc_ball_add(&out->upper, &out->upper, &term, bits);
    }
    sc_ball_set(&out->lower, &out->upper);
    add_hidden_event(side, &power, &out->lower);
    sc_ball *const ends[] = {&out->lower, &out->upper};
    for (size_t i = 0; i < 2; i++) {
        sc_ball_log(ends[i], ends[i], bits);
        sc_ball_div(ends[i], ends[i], &power, bits);
    }
}

/* out = x ln(x/y), for masses that are certainly positive. */
static void entropy_term(const sc_ball *x, const sc_ball *y, long bits, sc_ball *out)
{
    sc_ball_div(out, x, y, bits);
    sc_ball_log(out, out, bits);
    sc_ball_mul(out, out, x, bits);
}

/* What the lists do not share may lower the sum: an event of mass x in P and at most 1 in Q
 * has x ln x at least, which for all x <= r <= 1/4 is r ln r or more. */
static void lower_by_rest(const sc_side *side, bool has_event, sc_ball *lower)
{
    const long bits = side->comparison->bits;
    sc_ball one, quarter, mass, term;
    sc_ball *const all[] = {&one, &quarter, &mass, &term};
    for (size_t i = 0; i < 4; i++)
        sc_ball_init(all[i]);
    sc_ball_set_int64(&one, 1);
    sc_ball_mul_power2(&quarter, &one, -2);
    sc_ball_set(&mass, &side->own->rest);
    if (!has_event)
        sc_ball_add(&mass, &mass, &side->own->hidden, bits);
    for (size_t i = 0; i < side->comparison->vague_count; i++)
        sc_ball_add(&mass, &mass,
                    side->is_back ? &side->comparison->vague[i].q
                                  : &side->comparison->vague[i].p,
                    bits);
    if (sc_ball_is_less(&mass, &quarter) && sc_ball_is_positive(&mass)) {
        entropy_term(&mass, &one, bits, &term);
        sc_ball_add(lower, lower, &term, bits);
    } else if (!sc_ball_is_nothing(&mass)) {
        sc_ball_sub(lower, lower, &one, bits); /* x ln x > -1 */
    }
    for (size_t i = 0; i < 4; i++)
        sc_ball_clear(all[i]);
}

static void kullback_leibler(const sc_side *side, sc_enclosure *out)
{
    const long bits = side->comparison->bits;
    SC_OWN(sc_ball, term);
    for (size_t i = 0; i < side->comparison->shared_count; i++) {
        const sc_shared_outcome *t = &side->comparison->shared[i];
        sc_side_loss(side, t, &term);
        sc_ball_mul(&term, &term, sc_side_p(side, t), bits);
        sc_ball_add(&out->upper, &out->upper, &term, bits);
    }
    sc_ball_set(&out->lower, &out->upper);
    const bool has_event = sc_ball_is_positive(&side->own->hidden) &&
                           sc_ball_is_positive(&side->other->rest);
    if (has_event) {
        entropy_term(&side->own->hidden, &side->other->rest, bits, &term);
        sc_ball_add(&out->lower, &out->lower, &term, bits);
    }
    lower_by_rest(side, has_event, &out->lower);
}

void sc_divergence_renyi(const sc_comparison *comparison, sc_direction direction,
                         const sc_ratio *order, sc_enclosure *out)
{
    const sc_side side = sc_side_of(comparison, direction);
    sc_bounds_set_zero(out);
    out->is_infinite = sc_ball_is_positive(&side.own->absent);
    out->is_bounded = !sc_side_is_partial(&side) && sc_ball_is_nothing(&side.own->absent);
    if (sc_ratio_compare_int64(order, 1) > 0)
        renyi(&side, order, out);
    else
        kullback_leibler(&side, out);
    sc_bounds_cut_below(out); /* also where a logarithm of 0 was asked for */
}
