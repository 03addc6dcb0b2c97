#include "distance/distortion.h"

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
    sc_span span = {.is_infinite = true};
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
