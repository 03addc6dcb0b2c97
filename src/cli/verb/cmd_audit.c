/* scrim audit MECHANISM key=value… */
#include "cli/verb/cmd_audit.h"

#include "cli/account/audit_writer.h"
#include "cli/account/sampled_audit.h"
#include "cli/plot/curve_plot.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/word_line.h"
#include "cli/verb/verbs.h"

#include <stdlib.h>
#include <unistd.h>

#define POINTS_LIMIT 4096

typedef struct audit_state {
    const scrim_measurement *measurement;
    scrim_audit_report *report;
    sc_format format;
    bool plot, quiet, all;
    const char *svg; /* NULL: no file */
    uint64_t points; /* 0: as many as usual */
    sc_terminal terminal;
    sc_curve_point *curve;
    sc_output output; /* standard output */
    sc_output beside; /* standard error, then the file */
} audit_state;

/* The request. */

static scrim_status read_request(audit_state *audit, const sc_options *options,
                                 scrim_error *error)
{
    audit->plot = sc_options_has(options, SCRIM_OPTION_PLOT);
    audit->quiet = sc_options_has(options, SCRIM_OPTION_QUIET);
    audit->all = sc_options_has(options, SCRIM_OPTION_POINTS);
    audit->svg = options->value[SCRIM_OPTION_SVG];
    scrim_status status =
        sc_options_screen(options, &audit->terminal, &audit->format, error);
    if (status == SCRIM_OK &&
        (sc_options_number(options, SCRIM_OPTION_POINTS, POINTS_LIMIT, 0, &audit->points,
                           error) != SCRIM_OK ||
         (audit->all && audit->points < 2)))
        status = sc_complaint_fill(error, SCRIM_E_PARAM,
                                   "--points must be a whole number from 2 to %d",
                                   POINTS_LIMIT);
    if (status == SCRIM_OK && audit->svg != NULL)
        status = sc_file_writer_check("--svg", audit->svg, error);
    return status;
}

/* The audit. */

static scrim_status make_audit(audit_state *audit, scrim_error *error)
{
    sc_progress progress;
    sc_progress_start(&progress, 0, "pairs", !audit->quiet);
    scrim_status status =
        scrim_audit(audit->measurement,
                    SCRIM_OPTIONS(scrim_audit_options, .points = (size_t)audit->points,
                                  .progress = sc_progress_told, .context = &progress),
                    &audit->report, error);
    sc_progress_end(&progress);
    return status;
}

/* Showing it. */

static scrim_status get_curve(audit_state *audit, sc_curve_view *out, scrim_error *error)
{
    const scrim_audit_report *report = audit->report;
    scrim_audit_point point;
    size_t count = scrim_audit_report_points(report);
    audit->curve = calloc(count + 1, sizeof *audit->curve);
    if (audit->curve == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory for the curve");
    for (size_t i = 0; i < count; i++) {
        scrim_status status = scrim_audit_report_point(report, i, &point, error);
        if (status != SCRIM_OK)
            return status;
        audit->curve[i] = (sc_curve_point){point.epsilon_view, point.delta_lower,
                                           point.delta_upper, point.claimed_upper};
    }
    *out = (sc_curve_view){
        .title = scrim_audit_report_text(report),
        .verdict = scrim_audit_verdict_name(scrim_audit_report_verdict(report)),
        .summary = scrim_audit_report_summary(report),
        .points = audit->curve,
        .count = count};
    scrim_error none;
    if (scrim_audit_report_charged(report, &point, &none) == SCRIM_OK) {
        out->has_charged = true;
        out->charged_epsilon = point.epsilon_view;
        out->charged_delta = point.claimed_upper;
    }
    return SCRIM_OK;
}

static scrim_status write_svg(audit_state *audit, const sc_curve_view *view,
                              scrim_error *error)
{
    sc_file_writer file;
    scrim_status status = sc_file_writer_open(&file, "--svg", audit->svg, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_init(&audit->beside, file.descriptor);
    sc_curve_svg_write(&audit->beside, view);
    return sc_file_writer_close(&file, &audit->beside, error);
}

/* The plot and the verdict, where standard output does not hold them. */
static scrim_status write_talk(audit_state *audit, const sc_curve_view *view,
                               scrim_error *error)
{
    sc_terminal beside;
    sc_terminal_look(STDERR_FILENO, &beside);
    sc_output_init_screen(&audit->beside, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    if (audit->plot && !audit->terminal.is_terminal)
        sc_curve_terminal_write(&audit->beside, view, &beside);
    /* A claim that does not hold is reported by the error that ends the command. */
    bool holds = scrim_audit_report_verdict(audit->report) == SCRIM_AUDIT_HOLDS;
    bool tells = audit->format == SCRIM_FORMAT_CSV || audit->format == SCRIM_FORMAT_JSONL;
    if (holds && tells && !audit->quiet)
        sc_audit_verdict_write(&audit->beside, audit->report, beside.columns);
    return sc_output_finish(&audit->beside, error);
}

static scrim_status show_report(audit_state *audit, scrim_error *error)
{
    sc_curve_view view;
    scrim_status status = get_curve(audit, &view, error);
    if (status == SCRIM_OK && audit->svg != NULL)
        status = write_svg(audit, &view, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_init_screen(&audit->output, STDOUT_FILENO, audit->format);
    if (audit->plot && audit->terminal.is_terminal)
        sc_curve_terminal_write(&audit->output, &view, &audit->terminal);
    status = sc_audit_write(&audit->output, audit->report, audit->format, audit->all,
                            &audit->terminal, error);
    if (status == SCRIM_OK)
        status = sc_output_finish(&audit->output, error);
    if (status == SCRIM_OK)
        status = write_talk(audit, &view, error);
    return status;
}

scrim_status sc_audit_measurement(const scrim_measurement *measurement,
                                  const sc_options *options, scrim_error *error)
{
    audit_state *audit = calloc(1, sizeof *audit);
    if (audit == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    audit->measurement = measurement;
    scrim_status status = read_request(audit, options, error);
    if (status == SCRIM_OK)
        status = make_audit(audit, error);
    if (status == SCRIM_OK)
        status = show_report(audit, error);
    if (status == SCRIM_OK)
        status = scrim_audit_check(audit->report, error);
    free(audit->curve);
    scrim_audit_report_free(audit->report);
    free(audit);
    return status;
}

static scrim_status audit_exactly(const scrim_measurement *measurement,
                                  const sc_options *options, scrim_error *error)
{
    if (sc_options_has(options, SCRIM_OPTION_CONFIDENCE))
        return sc_complaint_fill(
            error, SCRIM_E_PARAM,
            "--confidence needs --sample; exact results have no confidence");
    return sc_audit_measurement(measurement, options, error);
}

/* Builds the measurement for the data from the same line, with the model's own parameters. */
static scrim_status sample_model(const scrim_measurement *model,
                                 const sc_options *options, scrim_error *error)
{
    scrim_measurement *measurement = NULL;
    scrim_error refused;
    scrim_status status =
        scrim_measurement_parse(scrim_measurement_text(model), &measurement, &refused);
    if (status != SCRIM_OK)
        return sc_complaint_fill(error, status, "--sample draws releases: %s",
                                 refused.message);
    status = sc_sampled_audit(measurement, options, error);
    scrim_measurement_free(measurement);
    return status;
}

static scrim_status run_audit(const sc_options *options, scrim_error *error)
{
    scrim_measurement *measurement = NULL;
    if (options->word_count < 2)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "name a mechanism, as in 'scrim audit laplace "
                                 "epsilon=1'; 'scrim list mechanisms' lists them");
    char *line = sc_word_line(options->words + 1, options->word_count - 1);
    if (line == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY,
                                 "out of memory for the arguments");
    scrim_status status = scrim_measurement_parse_model(line, &measurement, error);
    if (status == SCRIM_OK)
        status = sc_options_has(options, SCRIM_OPTION_SAMPLE)
                     ? sample_model(measurement, options, error)
                     : audit_exactly(measurement, options, error);
    scrim_measurement_free(measurement);
    free(line);
    return status;
}

const sc_verb sc_verb_audit = {
    .name = "audit",
    .synopsis = "MECHANISM key=value... [OPTION...]",
    .summary = "Compute the exact privacy of a mechanism on neighbouring inputs",
    .usage =
        "Computes the exact distributions of the answers on pairs of neighbouring "
        "inputs\n"
        "and compares their divergence with what the mechanism claims. It uses no data.\n"
        "Defaults: neighbours=add-remove, sensitivity=1, threshold=0. The status is 7 "
        "if\n"
        "the claim does not hold.\n"
        "\n"
        "  --points N  points of the curve, 2 to 4096 (default 41)\n"
        "  --sample N  draw N answers on each input instead, 1000 to 67108864: this can\n"
        "              find a violation, but cannot prove that there is none\n"
        "  --confidence C  with --sample: how certain a reported violation is\n"
        "              (default 0.999999999)\n"
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json      short for --format json\n"
        "  --plot      draw the exact curve and the claimed one: on a terminal above "
        "the\n"
        "              table, otherwise on standard error\n"
        "  --svg FILE  write the same drawing to a file\n"
        "  --quiet     show neither progress nor the verdict on standard error\n"
#ifdef SCRIM_TESTING
        "  --seed N    the seed of --sample (default 1): NOT PRIVATE\n"
#endif
        "\n"
        "example: scrim audit laplace epsilon=1 --plot\n",
    .kind = SC_COMMAND_LIST,
    .options =
        SC_OPTION_SET(SCRIM_OPTION_PLOT, SCRIM_OPTION_SVG, SCRIM_OPTION_POINTS,
                      SCRIM_OPTION_SAMPLE, SCRIM_OPTION_CONFIDENCE, SCRIM_OPTION_SEED),
    .run = run_audit,
};
