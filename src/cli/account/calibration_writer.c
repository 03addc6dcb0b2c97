#include "cli/account/calibration_writer.h"

#include "cli/answer/release_note.h"
#include "cli/sheet/fold.h"
#include "cli/sheet/listing.h"
#include "cli/sheet/number_view.h"

#include <inttypes.h>
#include <stdio.h>

/* Programs. */

static void write_csv(sc_output *output, const scrim_calibration *found)
{
    static const sc_listing_column columns[] = {
        {.name = "measurement"}, {.name = "parameter"},  {.name = "value"},
        {.name = "next"},        {.name = "count"},      {.name = "epsilon_each"},
        {.name = "delta_each"},  {.name = "rho_each"},   {.name = "epsilon"},
        {.name = "delta"},       {.name = "rho"},        {.name = "epsilon_lower"},
        {.name = "delta_upper"}, {.name = "accountant"}, {.name = "confidence"},
        {.name = "error"},       {.name = "error_all"}};
    char count[24], lower[SC_BOUND_BYTES], delta[SC_BOUND_BYTES];
    snprintf(count, sizeof count, "%" PRIu64, found->count);
    sc_bound_format_exact(found->epsilon_lower, lower);
    sc_bound_format_exact(found->delta_upper, delta);
    sc_listing_csv_row(
        output, columns, sizeof columns / sizeof *columns,
        (const char *[]){found->text, found->parameter, found->value, found->next, count,
                         found->alone.epsilon, found->alone.delta, found->alone.rho,
                         found->joint.epsilon, found->joint.delta, found->joint.rho,
                         lower, delta, found->source, found->certificate.confidence,
                         found->certificate.radius, found->certificate.radius_all});
}

/* One object; JSON and a line of JSON are the same. */
static void write_json(sc_output *output, const scrim_calibration *found)
{
    sc_json json;
    sc_json_init(&json, output);
    sc_json_object(&json, NULL);
    sc_json_text(&json, "measurement", found->text);
    sc_json_text_or_null(&json, "parameter", found->parameter);
    sc_json_text_or_null(&json, "value", found->value);
    sc_json_text_or_null(&json, "next", found->next);
    sc_json_truth(&json, "exact", found->is_exact);
    sc_json_count(&json, "count", found->count);
    sc_cost_json(&json, "each", &found->alone);
    sc_cost_json(&json, "cost", &found->joint);
    sc_json_double(&json, "lower", found->epsilon_lower);
    sc_json_double(&json, "delta", found->delta_upper);
    sc_json_text_or_null(&json, "accountant", found->source);
    sc_certificate_json(&json, "certificate", &found->certificate);
    sc_json_end(&json);
}

/* For people. */

static const char *releases(uint64_t count)
{
    return count == 1 ? "release" : "releases";
}

static void write_together(sc_output *output, const scrim_calibration *found)
{
    char lower[SC_BOUND_BYTES];
    if (found->count > 1) {
        sc_output_format(output, "together    %" PRIu64 " releases cost ", found->count);
        sc_cost_write(output, &found->joint);
        sc_output_text(output, "\n");
    }
    if (found->joint.epsilon[0] == '\0')
        return;
    sc_output_format(output, "proved by   the accountant %s", found->source);
    if (found->epsilon_lower > 0) {
        sc_bound_format(found->epsilon_lower, false, lower);
        sc_output_format(output, "; epsilon is %s at least", lower);
    }
    sc_output_text(output, "\n");
}

static void write_table(sc_output *output, const scrim_calibration *found, size_t columns)
{
    const size_t begin = sc_fold_begin(output);
    sc_output_text(output, "calibrated  ");
    sc_output_text(output, found->text); /* may be long */
    sc_output_format(output, "\n%-11s %s", found->parameter, found->value);
    if (found->next[0] != '\0')
        sc_output_format(output, "; %s %s", found->next,
                         found->is_exact ? "and all beyond it miss the target"
                                         : "was tried, too, and misses the target");
    sc_output_text(output, "\ncost        one release: ");
    sc_cost_write(output, &found->alone);
    sc_output_format(output, "; neighbours %s\n",
                     scrim_neighbours_name(found->alone.neighbours));
    write_together(output, found);
    sc_output_text(output, "accuracy    ");
    sc_certificate_write(output, &found->certificate, found->input);
    sc_output_text(output, "\n");
    sc_fold_end(output, begin, columns);
}

/* "scale=3.5 for 10 releases costs epsilon 1, delta 0 together, and each value is ..." */
void sc_calibration_sentence_write(sc_output *output, const scrim_calibration *found,
                                   const sc_terminal *terminal)
{
    size_t begin = sc_fold_begin(output);
    sc_output_format(output, "in words    with %s=%s ", found->parameter, found->value);
    if (found->count == 1)
        sc_output_text(output, "one release costs ");
    else
        sc_output_format(output, "%" PRIu64 " %s cost together ", found->count,
                         releases(found->count));
    sc_cost_write(output, &found->joint);
    if (found->certificate.form != SCRIM_CERTIFICATE_NONE) {
        sc_output_text(output, found->count == 1 ? ", and " : ", and in one of them ");
        sc_certificate_write(output, &found->certificate, found->input);
    }
    sc_output_text(output, "\n");
    sc_fold_end(output, begin, terminal->columns);
}

void sc_calibration_write(sc_output *output, const scrim_calibration *found,
                          sc_format format, const sc_terminal *terminal)
{
    switch (format) {
    case SCRIM_FORMAT_TABLE:
        write_table(output, found, terminal->columns);
        sc_calibration_sentence_write(output, found, terminal);
        break;
    case SCRIM_FORMAT_CSV:
        write_csv(output, found);
        break;
    case SCRIM_FORMAT_JSON:
    case SCRIM_FORMAT_JSONL:
        write_json(output, found);
        break;
    }
}
