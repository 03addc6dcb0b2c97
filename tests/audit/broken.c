#include "audit/broken.h"

#include "model/certificate.h"

#include <string.h>

static broken *first;

void broken_register(broken *variant)
{
    broken **place = &first;
    while (*place != NULL && strcmp((*place)->name, variant->name) < 0)
        place = &(*place)->next;
    variant->next = *place;
    *place = variant;
}

const broken *broken_first(void)
{
    return first;
}

scrim_status broken_check(scrim_measurement *m, scrim_error *error)
{
    (void)m;
    (void)error;
    return SCRIM_OK;
}

void broken_discard(scrim_measurement *m)
{
    (void)m;
}

scrim_status broken_cost_pure(const scrim_measurement *m, sc_exact_cost *out,
                              scrim_error *error)
{
    const sc_ratio *epsilon = sc_measurement_get(m, "epsilon");
    if (epsilon == NULL)
        return sc_fail(error, SCRIM_E_PARAM, "epsilon is missing");
    sc_cost_set_pure(out, epsilon);
    return SCRIM_OK;
}

scrim_status broken_certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    (void)m;
    (void)beta;
    (void)count;
    (void)error;
    sc_certificate_none(out, NULL);
    return SCRIM_OK;
}

size_t broken_one(const scrim_measurement *m, size_t count)
{
    (void)m;
    (void)count;
    return 1;
}

scrim_status broken_draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    (void)m;
    (void)bits;
    (void)input;
    (void)out;
    return sc_fail(error, SCRIM_E_INTERNAL, "a broken variant is never drawn from");
}

void broken_pair(int64_t x, int64_t y, sc_pair *out)
{
    out->x_count = out->y_count = 1;
    out->x[0] = x;
    out->y[0] = y;
}

size_t broken_one_pair(const scrim_measurement *m)
{
    (void)m;
    return 1;
}

void broken_zero_and_one(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m;
    (void)index;
    broken_pair(0, 1, out);
}
