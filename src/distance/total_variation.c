#include "distance/total_variation.h"

#include "distance/transport.h"

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
