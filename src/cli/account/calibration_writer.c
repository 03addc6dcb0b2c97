#include "cli/account/calibration_writer.h"

#include "cli/answer/release_note.h"
#include "cli/terminal/fold.h"
#include "cli/terminal/number_view.h"

#include <inttypes.h>
#include <string.h>

/* CSV and JSON. */

static void write_csv_cell(sc_output *output, const char *text, const char *after)
{
    sc_output_csv_text(output, text);
    sc_output_text(output, after);
}

static void write_csv_cost(sc_output *output, const scrim_cost *cost)
{
    write_csv_cell(output, cost->epsilon, ",");
    write_csv_cell(output, cost->delta, ",");
    write_csv_cell(output, cost->rho, ",");
}

static void write_csv(sc_output *output, const scrim_calibration *found)
{
    char lower[SC_BOUND_BYTES], delta[SC_BOUND_BYTES];
    sc_bound_format_exact(found->epsilon_lower, lower);
    sc_bound_format_exact(found->delta_upper, delta);
    sc_output_text(output,
                   "measurement,parameter,value,next,count,epsilon_each,delta_each,"
                   "rho_each,epsilon,delta,rho,epsilon_lower,delta_upper,accountant,"
                   "confidence,error\n");
    write_csv_cell(output, found->text, ",");
    write_csv_cell(output, found->parameter, ",");
    write_csv_cell(output, found->value, ",");
    write_csv_cell(output, found->next, ",");
    sc_output_format(output, "%" PRIu64 ",", found->count);
    write_csv_cost(output, &found->alone);
    write_csv_cost(output, &found->joint);
    sc_output_format(output, "%s,%s,", lower, delta);
    write_csv_cell(output, found->source, ",");
    write_csv_cell(output, found->certificate.confidence, ",");
    write_csv_cell(output, found->certificate.radius, "\n");
}

static void write_member(sc_output *output, const char *name, const char *value)
{
    sc_output_format(output, ", \"%s\": ", name);
    if (value[0] == '\0')
        sc_output_text(output, "null");
    else
        sc_output_json_text(output, value);
}

/* One object; JSON and a line of JSON are the same. */
static void write_json(sc_output *output, const scrim_calibration *found)
{
    char lower[SC_BOUND_BYTES], delta[SC_BOUND_BYTES];
    sc_bound_format_exact(found->epsilon_lower, lower);
    sc_bound_format_exact(found->delta_upper, delta);
    sc_output_text(output, "{\"measurement\": ");
    sc_output_json_text(output, found->text);
    write_member(output, "parameter", found->parameter);
    write_member(output, "value", found->value);
    write_member(output, "next", found->next);
    sc_output_format(output, ", \"exact\": %s, \"count\": %" PRIu64 ", \"each\": ",
                     found->is_exact ? "true" : "false", found->count);
    sc_cost_json_write(output, &found->alone);
    sc_output_text(output, ", \"cost\": ");
    sc_cost_json_write(output, &found->joint);
    sc_output_format(output, ", \"lower\": %s, \"delta\": %s", lower, delta);
    write_member(output, "accountant", found->source);
    sc_output_text(output, ", \"certificate\": ");
    sc_certificate_json_write(output, &found->certificate);
    sc_output_text(output, "}\n");
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
