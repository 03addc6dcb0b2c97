#include "ledger/draw.h"

#include "mechanism/threshold/used_keys.h"

/* The second step of a measurement "A then B", on the keys that A has kept; the charge covers both. */
static scrim_status use_keys(const scrim_measurement *m, sc_bits *bits,
                             const sc_private_input *input, sc_draw *out,
                             scrim_error *error)
{
    sc_used_keys kept;
    scrim_status status = sc_used_keys_take(m, input, out, &kept, error);
    if (status == SCRIM_OK && kept.is_enough)
        status = m->then->mechanism->draw(m->then, bits, &kept.input, &kept.draw, error);
    if (status == SCRIM_OK)
        sc_used_keys_put(m, &kept, out);
    sc_used_keys_clear(&kept);
    return status;
}

scrim_status sc_gate_draw(const sc_draw_site *site, const scrim_measurement *m,
                          sc_bits *bits, const sc_private_input *input, sc_draw *out,
                          scrim_error *error)
{
    (void)site; /* only the recorder of the tests reads it */
    scrim_status status = SCRIM_OK;
    if (m->mechanism
            ->wraps) /* it adds noise to the answer of another mechanism, which is drawn first */
        status = m->then->mechanism->draw(m->then, bits, input, out, error);
    if (status == SCRIM_OK)
        status = m->mechanism->draw(m, bits, input, out, error);
    if (status == SCRIM_OK && m->then != NULL && !m->mechanism->wraps)
        status = use_keys(m, bits, input, out, error);
    return status;
}

scrim_status sc_gate_ask(const scrim_ledger *ledger, const scrim_measurement *m,
                         sc_bits *bits, void *run, int64_t query, sc_run_piece *out,
                         scrim_error *error)
{
    (void)ledger;
    return m->mechanism->ask(m, bits, run, query, out, error);
}
