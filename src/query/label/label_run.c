#include "ledger/answer_record.h"
#include "ledger/ledger.h"
#include "model/measurement.h"
#include "query/label/label_part.h"

#include <string.h>

static scrim_status set_claimed(sc_label_maker *m, const scrim_measurement *measurement,
                                scrim_error *error)
{
    sc_exact_cost cost;
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
    m->parts[0] = (sc_claim_part){sc_measured_line(m->source->release.measurement), 1};
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

/* Accuracy: that of the certificate, as it was shown. */

/* The value of a line "KEY VALUE" of what was kept with the answer; empty when no line has that
 * key. */
static sc_text noted(const char *note, const char *key)
{
    sc_text rest = sc_text_of(note), line, name, value;
    while (sc_text_item(&rest, '\n', &line)) {
        if (sc_text_split(line, ' ', &name, &value) && sc_text_is(name, key))
            return value;
    }
    return (sc_text){NULL, 0};
}

static const char *statement_of(const scrim_certificate *certificate, const char *input)
{
    switch (certificate->form) {
    case SCRIM_CERTIFICATE_INTERVAL:
        return "each value is within the radius of the truth, with that probability";
    case SCRIM_CERTIFICATE_RANGE:
        return "each value is within the radius of the truth, always";
    case SCRIM_CERTIFICATE_DROP:
        if (certificate->value_radius[0] != '\0')
            return "a value is at most the radius of values above the truth and at most "
                   "the radius below it, with that probability";
        return "no value is above the truth, and none more than the radius below it, "
               "always";
    case SCRIM_CERTIFICATE_FREQUENCY:
        return "every frequency estimated from all values is within the radius of the "
               "truth, with that probability";
    case SCRIM_CERTIFICATE_MEAN:
        return "the mean estimated from all values is within the radius of the true "
               "mean, with that probability";
    case SCRIM_CERTIFICATE_FLEXIBLE:
        return "the answer is within beta of the truth for an input distorted by at most "
               "alpha, except with probability gamma";
    case SCRIM_CERTIFICATE_PAC:
        return strcmp(input, "queries") == 0
                   ? "answers are correct except for queries within the radius of the "
                     "threshold, with that probability"
               : strcmp(input, "rows") == 0
                   ? "no rank is off by more than the radius, with that probability"
               : strcmp(input, "transactions") == 0
                   ? "a set of as many transactions as the radius is shown, with that "
                     "probability"
               : strcmp(input, "counts") == 0
                   ? "a group of as many units as the radius is shown, with that "
                     "probability"
                   : "the choice is at most the radius worse than the best remaining "
                     "candidate, "
                     "with that probability";
    case SCRIM_CERTIFICATE_NONE:
        break;
    }
    return "no guarantee";
}

static void put_some(sc_label_maker *m, const char *key, const char *value)
{
    if (value != NULL && value[0] != '\0')
        sc_label_put(m->label, key, sc_text_of(value));
}

static void put_accuracy(sc_label_maker *m, const scrim_measurement *measurement)
{
    const char *note = m->source->release.note;
    const sc_text confidence = noted(note, "confidence");
    char text[SCRIM_NUMBER_BYTES];
    scrim_certificate certificate;
    uint64_t count = 0;
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, sizeof text);
    sc_text_put(&sink, confidence);
    /* Other surfaces may not have kept it. */
    if (!sc_text_uint64(noted(note, "count"), &count) ||
        scrim_measurement_certify(measurement, text, count, &certificate, NULL) !=
            SCRIM_OK) {
        sc_label_put(m->label, "accuracy.statement",
                     sc_text_of("not known: the number of values was not recorded"));
        return;
    }
    put_some(m, "accuracy.confidence", certificate.confidence);
    put_some(m, "accuracy.statement",
             statement_of(&certificate, scrim_measurement_mechanism(measurement)->input));
    put_some(m, "accuracy.radius", certificate.radius);
    put_some(m, "accuracy.value-radius", certificate.value_radius);
    put_some(m, SC_LABEL_RADIUS_ALL, certificate.radius_all);
    put_some(m, "accuracy.alpha", certificate.alpha);
    put_some(m, "accuracy.beta", certificate.beta);
    put_some(m, "accuracy.gamma", certificate.gamma);
    put_some(m, "accuracy.excludes", certificate.excludes);
}

scrim_status sc_label_run_put(sc_label_maker *m, scrim_error *error)
{
    char unit[SC_LABEL_UNIT_BYTES];
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
    sc_label_unit(m, unit);
    sc_label_print(m->label, "columns.1.clamping",
                   "the person who ran it computed the input from the data, and vouches "
                   "that one %s changes it by at most the measurement's sensitivity",
                   unit);
    sc_label_put_unprotected(m);
    sc_label_put(m->label, "post-processing.1", sc_text_of("none"));
    put_accuracy(m, measurement);
    scrim_measurement_free(measurement);
    return SCRIM_OK;
}
