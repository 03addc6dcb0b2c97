#include "distance/distortion.h"

#include "distance/transport.h"

/* 1 - |y|/|x|, where x is not empty. */
static void set_missing(const sc_masses *x, const sc_masses *y, sc_ratio *out)
{
    SC_OWN(sc_integer, missing, all);
    sc_integer_set_uint128(&missing, x->total - y->total);
    sc_integer_set_uint128(&all, x->total);
    sc_ratio_set_fraction(out, &missing, &all);
}

void sc_distortion_drop(const sc_masses *x, const sc_masses *y, sc_ratio *out,
                        bool *is_infinite)
{
    *is_infinite = false;
    for (size_t i = 0; i < y->count && !*is_infinite; i++)
        *is_infinite = y->list[i].mass > sc_masses_at(x, y->list[i].place);
    if (*is_infinite)
        return;
    if (x->total == 0)
        sc_ratio_set_int64(out, 0);
    else
        set_missing(x, y, out);
}

/* The least b at which each of y has an element of x of its own, in steps. */
static scrim_status find_injection(const sc_masses *x, const sc_masses *y,
                                   const sc_ground *ground, sc_ratio *out,
                                   bool *is_infinite, scrim_error *error)
{
    sc_transport t;
    sc_distance span = {.is_infinite = true};
    scrim_status status = SCRIM_OK;
    if (y->total <= x->total) {
        sc_transport_init_counts(&t, x, y);
        status = sc_wasserstein_radius(&t, ground, &span, error);
        sc_transport_clear(&t);
    }
    if (status != SCRIM_OK)
        return status;
    *is_infinite = span.is_infinite;
    if (!span.is_infinite)
        sc_ratio_set_int128(out, span.value);
    return SCRIM_OK;
}

scrim_status sc_distortion_move(const sc_masses *x, const sc_masses *y,
                                const sc_ground *ground, sc_ratio *out, bool *is_infinite,
                                scrim_error *error)
{
    if (x->total != y->total) {
        *is_infinite = true;
        return SCRIM_OK;
    }
    return find_injection(x, y, ground, out, is_infinite, error);
}

scrim_status sc_distortion_drop_move(const sc_masses *x, const sc_masses *y,
                                     const sc_ground *ground, const sc_ratio *eta,
                                     const sc_ratio *step, sc_ratio *out,
                                     bool *is_infinite, scrim_error *error)
{
    if (sc_ratio_sign(eta) < 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "eta",
                           "eta must be at least 0");
    SC_OWN(sc_ratio, moved, missing);
    scrim_status status = find_injection(x, y, ground, &moved, is_infinite, error);
    if (status == SCRIM_OK && !*is_infinite) {
        if (x->total != 0)
            set_missing(x, y, &missing);
        sc_ratio_mul(&moved, &moved, step);
        sc_ratio_mul(&moved, &moved, eta);
        sc_ratio_add(out, &moved, &missing);
    }
    return status;
}

/* On the line the nearest place of y moves to the right as x does, so one walk finds all of them. */
static int64_t furthest_on_line(const sc_masses *x, const sc_masses *y)
{
    int64_t furthest = 0;
    size_t j = 0;
    for (size_t i = 0; i < x->count; i++) {
        const int64_t place = x->list[i].place;
        while (j + 1 < y->count && y->list[j + 1].place <= place)
            j++;
        int64_t nearest = place - y->list[j].place;
        if (nearest < 0)
            nearest = -nearest;
        if (j + 1 < y->count && y->list[j + 1].place - place < nearest)
            nearest = y->list[j + 1].place - place;
        furthest = nearest > furthest ? nearest : furthest;
    }
    return furthest;
}

/* is_back: distances go from y to x. */
static int64_t furthest_in(const sc_masses *x, const sc_masses *y,
                           const sc_ground *ground, bool is_back)
{
    int64_t furthest = 0;
    for (size_t i = 0; i < x->count; i++) {
        int64_t nearest = SC_GROUND_NONE;
        for (size_t j = 0; j < y->count; j++) {
            const int64_t a = is_back ? y->list[j].place : x->list[i].place;
            const int64_t b = is_back ? x->list[i].place : y->list[j].place;
            const int64_t there = ground->between(ground->context, a, b);
            nearest = there < nearest ? there : nearest;
        }
        furthest = nearest > furthest ? nearest : furthest;
    }
    return furthest;
}

scrim_status sc_hausdorff(const sc_masses *x, const sc_masses *y, const sc_ground *ground,
                          sc_distance *out, scrim_error *error)
{
    if (x->count == 0 || y->count == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "input",
                           "hausdorff needs sets that are not empty");
    const int64_t there =
        ground == NULL ? furthest_on_line(x, y) : furthest_in(x, y, ground, false);
    const int64_t back =
        ground == NULL ? furthest_on_line(y, x) : furthest_in(y, x, ground, true);
    const int64_t most = there > back ? there : back;
    *out = (sc_distance){.is_infinite = most == SC_GROUND_NONE,
                         .value = most == SC_GROUND_NONE ? 0 : (uint64_t)most};
    return SCRIM_OK;
}

/* Mass of p that has no partner at its own place: half of the sum of all differences, since both
 * sides weigh the same. */
static sc_uint128 excess(const sc_transport *t)
{
    sc_uint128 sum = 0;
    size_t j = 0;
    for (size_t i = 0; i < t->p->count; i++) {
        const sc_mass *at = &t->p->list[i];
        while (j < t->q->count && t->q->list[j].place < at->place)
            j++;
        const sc_uint128 here = (sc_uint128)at->mass * t->p_unit;
        sc_uint128 there = 0;
        if (j < t->q->count && t->q->list[j].place == at->place)
            there = (sc_uint128)t->q->list[j].mass * t->q_unit;
        sum += here > there ? here - there : 0;
    }
    return sum;
}

scrim_status sc_total_variation(const sc_masses *p, const sc_masses *q, sc_ratio *out,
                                scrim_error *error)
{
    sc_transport t;
    SC_OWN(sc_ratio, none);
    scrim_status status = sc_transport_init_laws(&t, p, q, &none, error);
    if (status != SCRIM_OK)
        return status;
    SC_OWN(sc_integer, sum, total);
    sc_integer_set_uint128(&sum, excess(&t));
    sc_integer_set_uint128(&total, t.total);
    sc_ratio_set_fraction(out, &sum, &total);
    sc_transport_clear(&t);
    return SCRIM_OK;
}

static void add_difference(uint64_t x, uint64_t y, bool is_squared, sc_ratio *sum)
{
    SC_OWN(sc_ratio, difference);
    sc_ratio_set_int128(&difference, (sc_int128)(x > y ? x - y : y - x));
    if (is_squared)
        sc_ratio_mul(&difference, &difference, &difference);
    sc_ratio_add(sum, sum, &difference);
}

void sc_counts_apart(const sc_masses *x, const sc_masses *y, bool is_squared,
                     sc_ratio *out)
{
    sc_ratio_set_int64(out, 0);
    for (size_t i = 0, k = 0; i < x->count || k < y->count;) {
        const bool has_x =
            i < x->count && (k == y->count || x->list[i].place <= y->list[k].place);
        const bool has_y =
            k < y->count && (i == x->count || y->list[k].place <= x->list[i].place);
        add_difference(has_x ? x->list[i].mass : 0, has_y ? y->list[k].mass : 0,
                       is_squared, out);
        i += has_x;
        k += has_y;
    }
}
