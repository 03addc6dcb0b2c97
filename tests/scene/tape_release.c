#include "tape_release.h"

#include "check.h"
#include "ledger/ledger_tape.h"

static scrim_status ledger_for(const scrim_measurement *m, sc_tape *tape,
                               scrim_ledger **out, scrim_error *error)
{
    scrim_cost cost;
    scrim_status status = scrim_measurement_cost(m, &cost, error);
    if (status != SCRIM_OK)
        return status;
    const bool has_epsilon = cost.epsilon[0] != 0;
    status = scrim_ledger_new(
        SCRIM_OPTIONS(scrim_ledger_options, .neighbours = cost.neighbours,
                      .epsilon = has_epsilon ? cost.epsilon : NULL,
                      .rho = has_epsilon ? NULL : cost.rho,
                      .delta = cost.delta[0] != 0 ? cost.delta : NULL),
        out, error);
    if (status == SCRIM_OK)
        sc_ledger_use_bits(*out, sc_tape_bits_of(tape));
    return status;
}

scrim_status tape_release(const scrim_measurement *m, const scrim_input *input,
                          sc_tape *tape, scrim_answer **out, scrim_entry_state *entry,
                          scrim_error *error)
{
    scrim_ledger *ledger = NULL;
    scrim_status status = ledger_for(m, tape, &ledger, error);
    if (status != SCRIM_OK)
        return status;
    status = scrim_release(ledger, m, input, out, error);
    if (entry != NULL) {
        scrim_entry line;
        *entry = (scrim_entry_state)0;
        if (scrim_ledger_count(ledger) > 0 &&
            scrim_ledger_entry(ledger, 0, &line, NULL) == SCRIM_OK)
            *entry = line.state;
    }
    scrim_ledger_free(ledger);
    return status;
}

scrim_measurement *tape_measurement(const char *line)
{
    scrim_measurement *m = NULL;
    scrim_error error = {.status = SCRIM_OK};
    if (scrim_measurement_parse(line, &m, &error) != SCRIM_OK)
        CHECK_FAIL("%s: %s", line, error.message);
    return m;
}
