/* The law of the reports of one device, and the values that the audit compares. */
#include "mechanism/local/local_mechanism.h"
#include "mechanism/local/report_law.h"

#include <string.h>

#define KEY_NUMBERS 64 /* of an outcome that is listed */
#define VALUES_AUDITED 16
#define TEXTS_AUDITED 4 /* see report_law.h */

static scrim_status list(const sc_local_state *state, uint64_t x, uint64_t index,
                         long bits, sc_outcomes *out, scrim_error *error)
{
    uint8_t report[4 * KEY_NUMBERS];
    int64_t key[KEY_NUMBERS];
    SC_OWN(sc_ratio, exact);
    SC_OWN(sc_ball, mass);
    sc_report_probability(&state->config, state->reports, x, index, &exact);
    if (sc_ratio_sign(&exact) == 0)
        return SCRIM_OK;
    memset(report, 0, state->bytes);
    for (uint64_t r = 0; r < state->reports; r++) {
        sc_report_at(&state->config, index, r, report);
        for (size_t i = 0; i < state->numbers; i++)
            key[r * state->numbers + i] = sc_local_number_at(state, report, i);
    }
    sc_ball_set_ratio(&mass, &exact, bits);
    return sc_outcomes_add(out, key, &mass, error);
}

scrim_status sc_local_law(const scrim_measurement *m, const sc_private_input *input,
                          long bits, sc_outcomes *out, scrim_error *error)
{
    const sc_local_state *state = sc_local_state_of(m);
    const uint64_t outputs = sc_report_outputs(&state->config, state->reports);
    if (input->count != 1 || outputs == 0 ||
        state->reports * state->numbers > KEY_NUMBERS ||
        (state->config.cells > 0 && input->values[0] >= TEXTS_AUDITED))
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many reports to give the probability of each");
    scrim_status status = SCRIM_OK;
    for (uint64_t i = 0; status == SCRIM_OK && i < outputs; i++)
        status = list(state, (uint64_t)input->values[0], i, bits, out, error);
    return status;
}

/* Neighbours: any two of the first values. */
static uint64_t audited(const scrim_measurement *m)
{
    const scrim_local_config *c = &sc_local_state_of(m)->config;
    return c->values == 0               ? TEXTS_AUDITED
           : c->values < VALUES_AUDITED ? c->values
                                        : VALUES_AUDITED;
}

size_t sc_local_pair_count(const scrim_measurement *m)
{
    return (size_t)(audited(m) * (audited(m) - 1) / 2);
}

void sc_local_pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    int64_t y = 1; /* pairs x < y, in the order of y */
    (void)m;
    for (; index >= (size_t)y; y++)
        index -= (size_t)y;
    out->x_count = out->y_count = 1;
    out->x[0] = (int64_t)index;
    out->y[0] = y;
}
