/* The label of one measurement, as `scrim run --charge` releases it: whoever ran it has
 * computed its input, so that of columns, keys and bounds nothing is known but what the
 * measurement says. */
#include "account/ledger.h"
#include "model/measurement.h"
#include "query/label_part.h"

#include <string.h>

static scrim_status set_claimed(sc_label_maker *m, const scrim_measurement *measurement,
                                scrim_error *error)
{
    sc_cost cost;
    scrim_cost shown;
    sc_cost_init(&cost);
    const scrim_status status =
        sc_ledger_convert(&measurement->cost, m->source->budget.neighbours, &cost, error);
    if (status == SCRIM_OK) {
        sc_cost_format(&cost, &shown);
        memcpy(m->epsilon, shown.epsilon, sizeof m->epsilon);
        memcpy(m->delta, shown.delta, sizeof m->delta);
    }
    sc_cost_clear(&cost);
    return status;
}

scrim_status sc_label_run_read(sc_label_maker *m, scrim_error *error)
{
    scrim_measurement *measurement = NULL;
    m->parts = sc_arena_allocate(&m->arena, 1, sizeof *m->parts);
    if (m->parts == NULL)
        return sc_label_no_memory(error);
    m->parts[0] = (sc_claim_part){m->source->release.measurement, 1};
    m->part_count = 1;
    scrim_status status = scrim_measurement_parse(m->parts[0].line, &measurement, error);
    if (status == SCRIM_OK)
        status = set_claimed(m, measurement, error);
    scrim_measurement_free(measurement);
    /* A dataset that only carries a budget declares no unit, and has no schema. */
    if (status == SCRIM_OK) {
        scrim_error ignored;
        if (sc_schema_parse(sc_text_of(m->source->policy), NULL, &m->schema, &ignored) ==
            SCRIM_E_MEMORY)
            status = sc_label_no_memory(error);
    }
    return status;
}

scrim_status sc_label_run_put(sc_label_maker *m, scrim_error *error)
{
    scrim_measurement *measurement = NULL;
    scrim_status status = scrim_measurement_parse(m->parts[0].line, &measurement, error);
    if (status != SCRIM_OK)
        return status;
    const scrim_mechanism_entry *entry = scrim_measurement_mechanism(measurement);
    sc_label_put_number(m->label, "mechanism.1.question", 1);
    sc_label_put(m->label, "mechanism.1.what", sc_text_of(entry->input));
    sc_label_put(m->label, "mechanism.1.line", sc_text_of(m->parts[0].line));
    sc_label_put_number(m->label, "mechanism.1.copies", 1);
    sc_label_put_kept(m, 1, measurement);
    sc_label_put(m->label, "columns.1.name", sc_text_of("input"));
    sc_label_put(m->label, "columns.1.type", sc_text_of(entry->input));
    sc_label_put(m->label, "columns.1.clamping",
                 sc_text_of("whoever ran it has computed the input from the data, and "
                            "vouches that one unit changes it by no more than the "
                            "measurement's sensitivity"));
    sc_label_put_unprotected(m);
    sc_label_put(m->label, "post-processing.1", sc_text_of("none"));
    sc_label_put(m->label, "accuracy.statement",
                 sc_text_of("that of the measurement; scrim replay shows it with the "
                            "answer"));
    scrim_measurement_free(measurement);
    return SCRIM_OK;
}
