#include "audit/divergence.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Is x certainly not above 0, so no mass? */
static bool ball_is_nothing(const sc_ball *x)
{
    SC_OWN(sc_ball, zero);
    return sc_ball_is_less_equal(x, &zero);
}

static void unshared_init(sc_unshared *side)
{
    sc_ball_init(&side->absent);
    sc_ball_init(&side->hidden);
    sc_ball_init(&side->rest);
    side->has_rest = false;
}

static void unshared_clear(sc_unshared *side)
{
    sc_ball_clear(&side->absent);
    sc_ball_clear(&side->hidden);
    sc_ball_clear(&side->rest);
}

/* Building. */

static int compare_losses(const void *a, const void *b)
{
    const double x = ((const sc_shared_outcome *)a)->loss_view,
                 y = ((const sc_shared_outcome *)b)->loss_view;
    return x > y ? -1 : x < y;
}

/* Notes a mass at an outcome that the other law does not have, or hides in its rest. */
static void unshared_add(sc_unshared *own, const sc_unshared *other, bool other_lists_it,
                         const sc_ball *mass, long bits)
{
    sc_ball *sum = other_lists_it || !other->has_rest ? &own->absent : &own->hidden;
    sc_ball_add(sum, sum, mass, bits);
}

static void outcome_clear(sc_shared_outcome *outcome)
{
    sc_ball_clear(&outcome->p);
    sc_ball_clear(&outcome->q);
    sc_ball_clear(&outcome->loss);
}

/* Sets the loss, and the double that it is sorted by; false when the loss is not known to 2^-30,
 * as for masses that touch 0. */
static bool measure_loss(sc_comparison *c, sc_shared_outcome *outcome)
{
    if (!sc_ball_is_positive(&outcome->p) || !sc_ball_is_positive(&outcome->q))
        return false;
    sc_ball_div(&outcome->loss, &outcome->p, &outcome->q, c->bits);
    sc_ball_log(&outcome->loss, &outcome->loss, c->bits);
    const double low = sc_ball_lower(&outcome->loss);
    const double high = sc_ball_upper(&outcome->loss);
    if (!isfinite(low) || !isfinite(high) || high - low > 0x1p-30)
        return false;
    outcome->loss_view = low;
    if (high - low > c->slack)
        c->slack = high - low;
    return true;
}

static void add_both(sc_comparison *c, const sc_ball *p, const sc_ball *q)
{
    sc_shared_outcome *outcome = &c->shared[c->shared_count];
    sc_ball_init(&outcome->p);
    sc_ball_init(&outcome->q);
    sc_ball_init(&outcome->loss);
    sc_ball_set(&outcome->p, p);
    sc_ball_set(&outcome->q, q);
    if (measure_loss(c, outcome)) {
        c->shared_count++;
        return;
    }
    outcome_clear(outcome);
    sc_vague_outcome *vague = &c->vague[c->vague_count++];
    sc_ball_init(&vague->p);
    sc_ball_init(&vague->q);
    sc_ball_set(&vague->p, p);
    sc_ball_set(&vague->q, q);
}

/* Walks the two sorted lists side by side. */
static void merge(sc_comparison *c, const sc_outcomes *p, const sc_outcomes *q)
{
    const size_t width = p->width;
    size_t i = 0, j = 0;
    while (i < p->count || j < q->count) {
        int order = 0;
        if (i == p->count || j == q->count)
            order = i == p->count ? 1 : -1;
        else
            order = sc_outcomes_compare(p->keys + i * width, q->keys + j * width, width);
        const bool in_p = order <= 0, in_q = order >= 0;
        const sc_ball *p_mass = in_p ? &p->mass[i] : NULL;
        const sc_ball *q_mass = in_q ? &q->mass[j] : NULL;
        const bool p_some = in_p && !ball_is_nothing(p_mass),
                   q_some = in_q && !ball_is_nothing(q_mass);
        if (p_some && q_some)
            add_both(c, p_mass, q_mass);
        else if (p_some)
            unshared_add(&c->p_unshared, &c->q_unshared, in_q, p_mass, c->bits);
        else if (q_some)
            unshared_add(&c->q_unshared, &c->p_unshared, in_p, q_mass, c->bits);
        i += in_p;
        j += in_q;
    }
}

static void sum_up(sc_comparison *c)
{
    for (size_t i = 0; i < c->shared_count; i++) {
        const sc_shared_outcome *outcome = &c->shared[i];
        sc_ball_add(&c->p_first[i + 1], &c->p_first[i], &outcome->p, c->bits);
        sc_ball_add(&c->q_first[i + 1], &c->q_first[i], &outcome->q, c->bits);
    }
    for (size_t i = c->shared_count; i-- > 0;) {
        const sc_shared_outcome *outcome = &c->shared[i];
        sc_ball_add(&c->p_last[i], &c->p_last[i + 1], &outcome->p, c->bits);
        sc_ball_add(&c->q_last[i], &c->q_last[i + 1], &outcome->q, c->bits);
    }
}

static scrim_status make_room(sc_comparison *c, size_t most, scrim_error *error)
{
    c->shared = sc_allocate(most, sizeof *c->shared);
    c->vague = sc_allocate(most, sizeof *c->vague);
    return c->shared == NULL || c->vague == NULL
               ? sc_fail(error, SCRIM_E_MEMORY, "out of memory to compare %zu outcomes",
                         most)
               : SCRIM_OK;
}

static scrim_status make_sums(sc_comparison *c, scrim_error *error)
{
    sc_ball **const sums[] = {&c->p_first, &c->q_first, &c->p_last, &c->q_last};
    for (size_t i = 0; i < 4; i++) {
        *sums[i] = sc_balls_new(c->shared_count + 1);
        if (*sums[i] == NULL)
            return sc_fail(error, SCRIM_E_MEMORY, "out of memory to compare %zu outcomes",
                           c->shared_count);
    }
    sum_up(c);
    return SCRIM_OK;
}

scrim_status sc_comparison_new(const sc_outcomes *p, const sc_outcomes *q, long bits,
                               sc_comparison **out, scrim_error *error)
{
    if (p->width != q->width)
        return sc_fail(error, SCRIM_E_INTERNAL,
                       "two laws with keys of %zu and of %zu integers", p->width,
                       q->width);
    sc_comparison *c = sc_allocate(1, sizeof *c);
    if (c == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory to compare two laws");
    c->bits = bits;
    unshared_init(&c->p_unshared);
    unshared_init(&c->q_unshared);
    sc_ball_set(&c->p_unshared.rest, &p->rest);
    sc_ball_set(&c->q_unshared.rest, &q->rest);
    c->p_unshared.has_rest = !ball_is_nothing(&p->rest);
    c->q_unshared.has_rest = !ball_is_nothing(&q->rest);
    scrim_status status = make_room(c, p->count < q->count ? p->count : q->count, error);
    if (status != SCRIM_OK)
        goto done;
    merge(c, p, q);
    if (c->shared_count > 1)
        qsort(c->shared, c->shared_count, sizeof *c->shared, compare_losses);
    status = make_sums(c, error);
    if (status != SCRIM_OK)
        goto done;
    *out = c;
    c = NULL;
done:
    sc_comparison_free(c);
    return status;
}

void sc_comparison_free(sc_comparison *comparison)
{
    if (comparison == NULL)
        return;
    for (size_t i = 0; i < comparison->shared_count; i++)
        outcome_clear(&comparison->shared[i]);
    for (size_t i = 0; i < comparison->vague_count; i++) {
        sc_ball_clear(&comparison->vague[i].p);
        sc_ball_clear(&comparison->vague[i].q);
    }
    sc_free(comparison->shared);
    sc_free(comparison->vague);
    sc_balls_free(comparison->p_first, comparison->shared_count + 1);
    sc_balls_free(comparison->q_first, comparison->shared_count + 1);
    sc_balls_free(comparison->p_last, comparison->shared_count + 1);
    sc_balls_free(comparison->q_last, comparison->shared_count + 1);
    unshared_clear(&comparison->p_unshared);
    unshared_clear(&comparison->q_unshared);
    sc_free(comparison);
}

/* Sides. */

sc_side sc_side_of(const sc_comparison *comparison, sc_direction direction)
{
    const bool is_back = direction == SC_BACK;
    const sc_unshared *p = &comparison->p_unshared, *q = &comparison->q_unshared;
    return (sc_side){comparison, is_back, is_back ? q : p, is_back ? p : q};
}

static const sc_shared_outcome *side_outcome(const sc_side *side, size_t place)
{
    const sc_comparison *c = side->comparison;
    return &c->shared[side->is_back ? c->shared_count - 1 - place : place];
}

double sc_side_loss_view(const sc_side *side, size_t place)
{
    const double view = side_outcome(side, place)->loss_view;
    return side->is_back ? -view : view;
}

size_t sc_side_above(const sc_side *side, double bound)
{
    size_t low = 0, high = side->comparison->shared_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sc_side_loss_view(side, middle) > bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const sc_ball *sc_side_p_sum(const sc_side *side, size_t places)
{
    const sc_comparison *c = side->comparison;
    return side->is_back ? &c->q_last[c->shared_count - places] : &c->p_first[places];
}

const sc_ball *sc_side_q_sum(const sc_side *side, size_t places)
{
    const sc_comparison *c = side->comparison;
    return side->is_back ? &c->p_last[c->shared_count - places] : &c->q_first[places];
}

static void side_loss(const sc_side *side, const sc_shared_outcome *outcome, sc_ball *out)
{
    if (side->is_back)
        sc_ball_neg(out, &outcome->loss);
    else
        sc_ball_set(out, &outcome->loss);
}

bool sc_side_is_partial(const sc_side *side)
{
    return side->own->has_rest || !ball_is_nothing(&side->own->hidden) ||
           side->comparison->vague_count > 0;
}

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
    } else if (!ball_is_nothing(&term)) {
        sc_ball_abs(&term, &term);
        sc_ball_add(&out->upper, &out->upper, &term, bits);
    }
}

/* Adds the outcomes that only this law lists. Lower bound: the other law has at most its whole
 * rest at all hidden ones, taken as one event. Upper bound: it has no mass there. */
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
        const sc_shared_outcome *t = side_outcome(side, place);
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

/* The largest loss at a shared outcome. Outcomes are sorted by their doubles, so only those
 * whose doubles are within the slack of the first can have it. */
static void largest_loss(const sc_side *side, sc_enclosure *out)
{
    SC_OWN(sc_ball, loss);
    side_loss(side, side_outcome(side, 0), &out->lower);
    sc_ball_set(&out->upper, &out->lower);
    const double near = sc_side_loss_view(side, 0) - 2 * side->comparison->slack;
    for (size_t place = 1; place < side->comparison->shared_count; place++) {
        if (sc_side_loss_view(side, place) < near)
            break;
        side_loss(side, side_outcome(side, place), &loss);
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
    /* The mass of outcomes that only P lists is reported in unlisted. Masses that may or may not
     * be 0 give no bound of the loss. */
    if (comparison->vague_count > 0 || !ball_is_nothing(&side.own->absent))
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
        side_loss(side, t, out);
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

/* Outcomes of one list alone may lower the sum: an event of mass x in P and at most 1 in Q
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
    } else if (!ball_is_nothing(&mass)) {
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
        side_loss(side, t, &term);
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
    out->is_bounded = !sc_side_is_partial(&side) && ball_is_nothing(&side.own->absent);
    if (sc_ratio_compare_int64(order, 1) > 0)
        renyi(&side, order, out);
    else
        kullback_leibler(&side, out);
    sc_bounds_cut_below(out); /* also where a logarithm of 0 was asked for */
}
