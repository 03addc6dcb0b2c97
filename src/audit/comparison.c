#include "audit/comparison.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

bool sc_ball_is_nothing(const sc_ball *x)
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

/* Notes a mass at an outcome where the other law has none, or hides it in its rest. */
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

/* The loss, and the double that it is sorted by; false when the double would say too little, as
 * for masses that touch 0. */
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
        const bool p_some = in_p && !sc_ball_is_nothing(p_mass),
                   q_some = in_q && !sc_ball_is_nothing(q_mass);
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
    c->p_unshared.has_rest = !sc_ball_is_nothing(&p->rest);
    c->q_unshared.has_rest = !sc_ball_is_nothing(&q->rest);
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

const sc_shared_outcome *sc_side_outcome(const sc_side *side, size_t place)
{
    const sc_comparison *c = side->comparison;
    return &c->shared[side->is_back ? c->shared_count - 1 - place : place];
}

double sc_side_loss_view(const sc_side *side, size_t place)
{
    const double view = sc_side_outcome(side, place)->loss_view;
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

void sc_side_loss(const sc_side *side, const sc_shared_outcome *outcome, sc_ball *out)
{
    if (side->is_back)
        sc_ball_neg(out, &outcome->loss);
    else
        sc_ball_set(out, &outcome->loss);
}

bool sc_side_is_partial(const sc_side *side)
{
    return side->own->has_rest || !sc_ball_is_nothing(&side->own->hidden) ||
           side->comparison->vague_count > 0;
}
