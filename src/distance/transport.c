#include "distance/transport.h"

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
