#include "distance/transport.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void sc_masses_init(sc_masses *out)
{
    memset(out, 0, sizeof *out);
    out->is_sorted = true;
}

void sc_masses_clear(sc_masses *masses)
{
    sc_free(masses->list);
    sc_masses_init(masses);
}

scrim_status sc_masses_add(sc_masses *masses, int64_t place, uint64_t mass,
                           scrim_error *error)
{
    if (place > SC_PLACE_MAX || place < -SC_PLACE_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a place is beyond 2.3e18 steps; use places with fewer digits");
    if (mass > SC_MASS_MAX - masses->total)
        return sc_fail(error, SCRIM_E_LIMIT, "the masses add up to more than 4.6e18");
    if (mass == 0)
        return SCRIM_OK;
    if (!sc_make_room(&masses->list, masses->count, &masses->capacity,
                      sizeof *masses->list))
        return sc_no_memory(error, "the places");
    if (masses->count != 0 && masses->list[masses->count - 1].place >= place)
        masses->is_sorted = false;
    masses->list[masses->count++] = (sc_mass){.place = place, .mass = mass};
    masses->total += mass;
    return SCRIM_OK;
}

static int by_place(const void *a, const void *b)
{
    const int64_t x = ((const sc_mass *)a)->place, y = ((const sc_mass *)b)->place;
    return (x > y) - (x < y);
}

void sc_masses_sort(sc_masses *masses)
{
    if (masses->is_sorted)
        return;
    qsort(masses->list, masses->count, sizeof *masses->list, by_place);
    size_t kept = 0;
    for (size_t i = 1; i < masses->count; i++) {
        if (masses->list[i].place == masses->list[kept].place)
            masses->list[kept].mass += masses->list[i].mass;
        else
            masses->list[++kept] = masses->list[i];
    }
    masses->count = kept + 1;
    masses->is_sorted = true;
}

uint64_t sc_masses_at(const sc_masses *masses, int64_t place)
{
    const sc_mass key = {.place = place};
    if (masses->count == 0)
        return 0;
    const sc_mass *found =
        bsearch(&key, masses->list, masses->count, sizeof *masses->list, by_place);
    return found == NULL ? 0 : found->mass;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* (1 - gamma) total as a whole number and the rest of it. */
static void set_need(sc_transport *out, const sc_ratio *gamma)
{
    SC_OWN(sc_ratio, need);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&need, 1);
    sc_ratio_sub(&need, &need, gamma);
    if (sc_ratio_sign(&need) < 0)
        sc_ratio_set_int64(&need, 0);
    sc_integer_set_uint128(&whole, out->total);
    sc_ratio_set_integer(&out->part, &whole);
    sc_ratio_mul(&need, &need, &out->part);
    sc_ratio_floor(&need, &whole);
    (void)sc_integer_get_uint128(&whole, &out->whole);
    sc_ratio_set_integer(&out->part, &whole);
    sc_ratio_sub(&out->part, &need, &out->part);
}

scrim_status sc_transport_init_laws(sc_transport *out, const sc_masses *p,
                                    const sc_masses *q, const sc_ratio *gamma,
                                    scrim_error *error)
{
    if (sc_ratio_sign(gamma) < 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "loss",
                           "the loss must be from 0 to 1");
    if (p->total == 0 || q->total == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "input",
                           "give at least one element on each side");
    const uint64_t divisor = common_divisor(p->total, q->total);
    *out = (sc_transport){
        .p = p, .q = q, .p_unit = q->total / divisor, .q_unit = p->total / divisor};
    out->total = (sc_uint128)p->total * out->p_unit;
    sc_ratio_init(&out->part);
    set_need(out, gamma);
    return SCRIM_OK;
}

void sc_transport_init_counts(sc_transport *out, const sc_masses *x, const sc_masses *y)
{
    *out = (sc_transport){
        .p = x, .q = y, .p_unit = 1, .q_unit = 1, .total = x->total, .whole = y->total};
    sc_ratio_init(&out->part);
}

void sc_transport_clear(sc_transport *transport)
{
    sc_ratio_clear(&transport->part);
}

sc_uint128 sc_transport_need(const sc_transport *transport)
{
    return transport->whole + (sc_ratio_sign(&transport->part) != 0 ? 1 : 0);
}
