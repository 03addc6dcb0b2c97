/* scrim audit MECHANISM key=value… */
#include "cli/verb/cmd_audit.h"

#include "cli/display/curve_plot.h"
#include "cli/mechanism/audit_writer.h"
#include "cli/terminal/command.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/screen.h"
#include "cli/terminal/talk.h"
#include "cli/verb/verbs.h"

#include <stdlib.h>

#define POINTS_LIMIT 4096

typedef struct audit_state {
    const scrim_measurement *measurement;
    scrim_audit_report *report;
    bool all;
    bool losses;        /* the outcomes of the worst pair, instead of the report */
    uint64_t points;    /* 0: as many as usual */
    const char *orders; /* NULL: the usual ones */
    sc_curve_point *curve;
    sc_curve_view view;
    sc_screen screen;
} audit_state;

/* The request. */

static scrim_status read_request(audit_state *audit, const sc_options *options,
                                 scrim_error *error)
{
    audit->all = sc_options_has(options, SCRIM_OPTION_POINTS);
    audit->orders = options->value[SCRIM_OPTION_ORDER];
    audit->losses = sc_options_has(options, SCRIM_OPTION_LOSSES) ||
                    sc_options_has(options, SCRIM_OPTION_AT);
    SC_TRY(sc_screen_read(options, &audit->screen, error));
    if (sc_options_number(options, SCRIM_OPTION_POINTS, POINTS_LIMIT, 0, &audit->points,
                          error) != SCRIM_OK ||
        (audit->all && audit->points < 2))
        return sc_refuse(error, "--points must be a whole number from 2 to %d",
                         POINTS_LIMIT);
    return SCRIM_OK;
}

/* The audit. */

static scrim_status make_audit(audit_state *audit, scrim_error *error)
{
    sc_progress progress;
    sc_progress_start(&progress, 0, "pairs", !audit->screen.quiet);
    scrim_status status =
        scrim_audit(audit->measurement,
                    SCRIM_OPTIONS(scrim_audit_options, .points = (size_t)audit->points,
                                  .orders = audit->orders, .progress = sc_progress_told,
                                  .context = &progress),
                    &audit->report, error);
    sc_progress_end(&progress);
    return status;
}

/* Showing it. */

static scrim_status get_curve(audit_state *audit, scrim_error *error)
{
    const scrim_audit_report *report = audit->report;
    scrim_audit_point point;
    size_t count = scrim_audit_report_points(report);
    audit->curve = calloc(count + 1, sizeof *audit->curve);
    if (audit->curve == NULL)
        return sc_out_of_memory(error, "the curve");
    for (size_t i = 0; i < count; i++) {
        SC_TRY(scrim_audit_report_point(report, i, &point, error));
        audit->curve[i] = (sc_curve_point){point.epsilon_view, point.delta_lower,
                                           point.delta_upper, point.claimed_upper};
    }
    audit->view = (sc_curve_view){
        .title = scrim_audit_report_text(report),
        .verdict = scrim_audit_verdict_name(scrim_audit_report_verdict(report)),
        .summary = scrim_audit_report_summary(report),
        .points = audit->curve,
        .count = count};
    scrim_error none;
    if (scrim_audit_report_charged(report, &point, &none) == SCRIM_OK) {
        audit->view.has_charged = true;
        audit->view.charged_epsilon = point.epsilon_view;
        audit->view.charged_delta = point.claimed_upper;
    }
    return SCRIM_OK;
}

static void draw(const void *context, sc_output *output, const sc_terminal *terminal)
{
    sc_curve_terminal_write(output, &((const audit_state *)context)->view, terminal);
}

static void draw_svg(const void *context, sc_output *output)
{
    sc_curve_svg_write(output, &((const audit_state *)context)->view);
}

/* A claim that does not hold is reported by the error that ends the command. */
static void write_verdict(const void *context, sc_output *output,
                          const sc_terminal *terminal)
{
    const scrim_audit_report *report = ((const audit_state *)context)->report;
    if (scrim_audit_report_verdict(report) == SCRIM_AUDIT_HOLDS)
        sc_audit_verdict_write(output, report, terminal->columns);
}

static scrim_status write_report(void *context, sc_screen *screen, scrim_error *error)
{
    const audit_state *audit = context;
    return sc_audit_write(&screen->output, audit->report, screen->format, audit->all,
                          &screen->terminal, error);
}

/* The report itself is not shown, but a claim that does not hold still ends the command. */
static scrim_status show_losses(audit_state *audit, const sc_options *options,
                                scrim_error *error)
{
    scrim_audit_losses *losses = NULL;
    scrim_status status =
        scrim_audit_losses_new(audit->measurement, audit->report, &losses, error);
    if (status == SCRIM_OK)
        status = sc_losses_show(audit->measurement, losses,
                                options->value[SCRIM_OPTION_AT], &audit->screen, error);
    scrim_audit_losses_free(losses);
    return status == SCRIM_OK ? scrim_audit_check(audit->report, error) : status;
}

static scrim_status show_audit(audit_state *audit, const sc_options *options,
                               scrim_error *error)
{
    static const sc_screen_page page = {write_report, draw, draw_svg, write_verdict,
                                        true};
    SC_TRY(read_request(audit, options, error));
    SC_TRY(make_audit(audit, error));
    if (audit->losses)
        return show_losses(audit, options, error);
    SC_TRY(get_curve(audit, error));
    SC_TRY(sc_screen_show(&audit->screen, &page, audit, error));
    return scrim_audit_check(audit->report, error);
}

scrim_status sc_audit_measurement(const scrim_measurement *measurement,
                                  const sc_options *options, scrim_error *error)
{
    SC_FREED audit_state *audit = calloc(1, sizeof *audit);
    if (audit == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    audit->measurement = measurement;
    const scrim_status status = show_audit(audit, options, error);
    free(audit->curve);
    scrim_audit_report_free(audit->report);
    return status;
}

static scrim_status audit_exactly(const scrim_measurement *measurement,
                                  const sc_options *options, scrim_error *error)
{
    if (sc_options_has(options, SCRIM_OPTION_CONFIDENCE))
        return sc_refuse(error,
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
    SC_OWNED(scrim_measurement_free_at) scrim_measurement *measurement = NULL;
    if (options->word_count < 2)
        return sc_refuse(error, "name a mechanism, as in 'scrim audit laplace "
                                "epsilon=1'; 'scrim list mechanisms' lists them");
    SC_FREED char *line = sc_word_line(options->words + 1, options->word_count - 1);
    if (line == NULL)
        return sc_out_of_memory(error, "the arguments");
    SC_TRY(scrim_measurement_parse_model(line, &measurement, error));
    return sc_options_has(options, SCRIM_OPTION_SAMPLE)
               ? sample_model(measurement, options, error)
               : audit_exactly(measurement, options, error);
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
        "  --order LIST  orders of Renyi divergences, such as 3/2,64 (default\n"
        "              1,1.01,2,5,32)\n"
        "  --losses    list the outcomes of the worst pair with their privacy losses, "
        "the\n"
        "              largest first; with --plot or --svg, draw the distribution of "
        "the\n"
        "              loss\n"
        "  --at OUTCOME  the same for one outcome, in steps of the grid, or as --losses\n"
        "              lists it, such as '2 below, above'; a value there that ends with\n"
        "              'or more' stands for all from it on\n"
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
        "  --quiet     show no progress, verdict or drawing on standard error\n"
#ifdef SCRIM_TESTING
        "  --seed N    the seed of --sample (default 1): NOT PRIVATE\n"
#endif
        "\n"
        "A mechanism that scrim does not have is given by the masses of its outcomes on\n"
        "two neighbouring inputs: 'scrim distance divergence P Q' compares two files.\n"
        "\n"
        "example: scrim audit laplace epsilon=1 --plot\n",
    .kind = SC_COMMAND_LIST,
    .options =
        SC_OPTION_SET(SCRIM_OPTION_PLOT, SCRIM_OPTION_SVG, SCRIM_OPTION_POINTS,
                      SCRIM_OPTION_ORDER, SCRIM_OPTION_LOSSES, SCRIM_OPTION_AT,
                      SCRIM_OPTION_SAMPLE, SCRIM_OPTION_CONFIDENCE, SCRIM_OPTION_SEED),
    .run = run_audit,
};
