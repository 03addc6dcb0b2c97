#include "account/draw.h"

scrim_status sc_gate_draw(const sc_draw_site *site, const scrim_measurement *m,
                          sc_bits *bits, const sc_private_input *input, sc_draw *out,
                          scrim_error *error)
{
    (void)site;
    return m->mechanism->draw(m, bits, input, out, error);
}

scrim_status sc_gate_ask(const scrim_ledger *ledger, const scrim_measurement *m,
                         sc_bits *bits, void *run, int64_t query, sc_mark *mark,
                         sc_int128 *value, bool *has_halted, scrim_error *error)
{
    (void)ledger;
    return m->mechanism->ask(m, bits, run, query, mark, value, has_halted, error);
}
