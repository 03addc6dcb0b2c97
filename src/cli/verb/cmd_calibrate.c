/* scrim calibrate MECHANISM key=value… */
#include "cli/display/curve_plot.h"
#include "cli/display/number_view.h"
#include "cli/mechanism/calibration_writer.h"
#include "cli/mechanism/experiments.h"
#include "cli/terminal/command.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/screen.h"
#include "cli/terminal/talk.h"
#include "cli/verb/verbs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_LIMIT (UINT64_C(1) << 40)
#define VALUES_LIMIT (UINT64_C(1) << 60)
#define POINTS 25 /* of the picture */

typedef struct calibrate_state {
    char *line;
    scrim_calibrate_options asked;
    scrim_calibration found;
    scrim_calibration_point points[POINTS];
    sc_error_point shown[POINTS];
    sc_error_curve curve;
    scrim_sizes_report sizes;
    sc_progress progress;
    sc_screen screen;
} calibrate_state;

/* The request. */

/* A count of at least 1; 0 stands for an option that was not given. */
static scrim_status read_count(const sc_options *options, sc_option option,
                               uint64_t limit, const char *limit_text, uint64_t *out,
                               scrim_error *error)
{
    if (sc_options_number(options, option, limit, 0, out, error) != SCRIM_OK ||
        (sc_options_has(options, option) && *out == 0))
        return sc_refuse(error, "%s must be a whole number from 1 to %s",
                         sc_option_name(option), limit_text);
    return SCRIM_OK;
}

static scrim_status read_request(calibrate_state *calibrate, const sc_options *options,
                                 scrim_error *error)
{
    if (options->word_count < 2)
        return sc_refuse(error,
                         "name a mechanism, as in 'scrim calibrate gaussian "
                         "--epsilon 1 --delta 1e-6'; 'scrim list mechanisms' lists them");
    calibrate->asked = (scrim_calibrate_options){
        .size = sizeof calibrate->asked,
        .epsilon = options->value[SCRIM_OPTION_EPSILON],
        .delta = options->value[SCRIM_OPTION_DELTA],
        .target_error = options->value[SCRIM_OPTION_TARGET_ERROR],
        .confidence = options->value[SCRIM_OPTION_CONFIDENCE],
        .is_at_once = sc_options_has(options, SCRIM_OPTION_AT_ONCE),
        .progress = sc_progress_told,
        .context = &calibrate->progress};
    SC_TRY(sc_screen_read(options, &calibrate->screen, error));
    SC_TRY(read_count(options, SCRIM_OPTION_RELEASES, COUNT_LIMIT, "1099511627776",
                      &calibrate->asked.count, error));
    SC_TRY(read_count(options, SCRIM_OPTION_VALUES, VALUES_LIMIT, "1.1e18",
                      &calibrate->asked.values, error));
    calibrate->line = sc_word_line(options->words + 1, options->word_count - 1);
    if (calibrate->line == NULL)
        return sc_out_of_memory(error, "the arguments");
    return SCRIM_OK;
}

static scrim_status find_noise(calibrate_state *calibrate, scrim_error *error)
{
    sc_progress_start(&calibrate->progress, 0, "candidates", !calibrate->screen.quiet);
    const scrim_status status =
        scrim_calibrate(calibrate->line, &calibrate->asked, &calibrate->found, error);
    sc_progress_end(&calibrate->progress);
    return status;
}

/* The picture. */

/* The axes are logarithmic: numbers without a logarithm are left out. */
static bool can_be_drawn(double epsilon, double error)
{
    return epsilon > 0 && isfinite(epsilon) && error > 0 && isfinite(error);
}

static scrim_status draw_curve(calibrate_state *calibrate, scrim_error *error)
{
    const scrim_calibration *found = &calibrate->found;
    sc_error_curve *curve = &calibrate->curve;
    size_t count = 0;
    sc_progress_start(&calibrate->progress, POINTS, "points", !calibrate->screen.quiet);
    const scrim_status status =
        scrim_calibration_curve(calibrate->line, &calibrate->asked, found, POINTS,
                                calibrate->points, &count, error);
    sc_progress_end(&calibrate->progress);
    if (status != SCRIM_OK)
        return status;
    curve->title = found->text;
    curve->about = "half of the interval of a value";
    curve->points = calibrate->shown;
    curve->chosen.epsilon = sc_number_view(found->joint.epsilon);
    curve->chosen.error = sc_number_view(calibrate->asked.is_at_once &&
                                                 found->certificate.radius_all[0] != '\0'
                                             ? found->certificate.radius_all
                                             : found->certificate.radius);
    if (calibrate->asked.target_error != NULL)
        curve->target = sc_number_view(calibrate->asked.target_error);
    for (size_t i = 0; i < count; i++) {
        const scrim_calibration_point *point = &calibrate->points[i];
        if (can_be_drawn(point->epsilon_upper, point->error_upper))
            calibrate->shown[curve->count++] =
                (sc_error_point){point->epsilon_upper, point->error_upper};
    }
    if (curve->count < 2 || !can_be_drawn(curve->chosen.epsilon, curve->chosen.error))
        return sc_refuse(
            error,
            "no curve to draw: give --delta for an epsilon, or --values for an error");
    return SCRIM_OK;
}

static void draw(const void *context, sc_output *output, const sc_terminal *terminal)
{
    sc_error_curve_terminal(output, &((const calibrate_state *)context)->curve, terminal);
}

static void draw_svg(const void *context, sc_output *output)
{
    sc_error_curve_svg(output, &((const calibrate_state *)context)->curve);
}

/* Showing it. */

static scrim_status write_found(void *context, sc_screen *screen, scrim_error *error)
{
    (void)error;
    sc_calibration_write(&screen->output, &((const calibrate_state *)context)->found,
                         screen->format, &screen->terminal);
    return SCRIM_OK;
}

static void write_sentence(const void *context, sc_output *output,
                           const sc_terminal *terminal)
{
    sc_calibration_sentence_write(output, &((const calibrate_state *)context)->found,
                                  terminal);
}

/* How large a key must be, in place of how much noise. */

static scrim_status check_size(const sc_options *options, scrim_error *error)
{
    static const sc_option others[] = {SCRIM_OPTION_TARGET_ERROR, SCRIM_OPTION_AT_ONCE,
                                       SCRIM_OPTION_RELEASES, SCRIM_OPTION_PLOT,
                                       SCRIM_OPTION_SVG};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (sc_options_has(options, others[i]))
            return sc_refuse(error, "--size does not search for noise; leave %s out",
                             sc_option_name(others[i]));
    return SCRIM_OK;
}

/* The line, with what stands in options; the caller frees it. */
static char *whole_line(const calibrate_state *calibrate)
{
    const char *epsilon = calibrate->asked.epsilon, *delta = calibrate->asked.delta;
    const size_t bytes = strlen(calibrate->line) +
                         (epsilon == NULL ? 0 : strlen(epsilon)) +
                         (delta == NULL ? 0 : strlen(delta)) + 32;
    char *line = malloc(bytes);
    if (line != NULL)
        (void)snprintf(line, bytes, "%s%s%s%s%s", calibrate->line,
                       epsilon == NULL ? "" : " epsilon=", epsilon == NULL ? "" : epsilon,
                       delta == NULL ? "" : " delta=", delta == NULL ? "" : delta);
    return line;
}

static scrim_status find_sizes(calibrate_state *calibrate, scrim_error *error)
{
    char keys[32];
    SC_FREED char *line = whole_line(calibrate);
    if (line == NULL)
        return sc_out_of_memory(error, "the arguments");
    (void)snprintf(keys, sizeof keys, "%" PRIu64, calibrate->asked.values);
    return scrim_group_sizes_of(line, calibrate->asked.confidence,
                                calibrate->asked.values == 0 ? NULL : keys,
                                &calibrate->sizes, error);
}

static scrim_status write_sizes(void *context, sc_screen *screen, scrim_error *error)
{
    const calibrate_state *calibrate = context;
    return sc_sizes_write(&screen->output, &calibrate->sizes, calibrate->asked.values,
                          screen->format, &screen->terminal, error);
}

static void write_sizes_sentence(const void *context, sc_output *output,
                                 const sc_terminal *terminal)
{
    sc_sizes_sentence_write(output, &((const calibrate_state *)context)->sizes, terminal);
}

static scrim_status calibrate_size(calibrate_state *calibrate, const sc_options *options,
                                   scrim_error *error)
{
    static const sc_screen_page page = {
        .write = write_sizes, .talk = write_sizes_sentence, .talks_beside_lines = true};
    SC_TRY(check_size(options, error));
    SC_TRY(find_sizes(calibrate, error));
    return sc_screen_show(&calibrate->screen, &page, calibrate, error);
}

static scrim_status calibrate_noise(calibrate_state *calibrate, scrim_error *error)
{
    static const sc_screen_page page = {write_found, draw, draw_svg, write_sentence,
                                        true};
    SC_TRY(find_noise(calibrate, error));
    if (sc_screen_draws(&calibrate->screen))
        SC_TRY(draw_curve(calibrate, error));
    return sc_screen_show(&calibrate->screen, &page, calibrate, error);
}

static scrim_status run_calibrate(const sc_options *options, scrim_error *error)
{
    if (sc_histogram_plan_asked(options))
        return sc_histogram_plan_show(options, error);
    SC_FREED calibrate_state *calibrate = calloc(1, sizeof *calibrate);
    if (calibrate == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = read_request(calibrate, options, error);
    if (status == SCRIM_OK)
        status = sc_options_has(options, SCRIM_OPTION_SIZE)
                     ? calibrate_size(calibrate, options, error)
                     : calibrate_noise(calibrate, error);
    free(calibrate->line);
    return status;
}

const sc_verb sc_verb_calibrate = {
    .name = "calibrate",
    .synopsis = "[poisson rate=R] MECHANISM key=value... [OPTION...]",
    .summary = "Find the noise for a target cost, or the cost for a target error",
    .usage =
        "Finds one parameter of a mechanism: scale, sigma or epsilon, the first that "
        "the\n"
        "mechanism has. With --epsilon and --delta it finds the least noise with which\n"
        "all releases together cost no more, by the best certified bound. With\n"
        "--target-error it finds the most noise with which one release is accurate\n"
        "enough, and shows what that costs. Give the other parameters as key=value;\n"
        "defaults: neighbours=add-remove, sensitivity=1, threshold=0. It uses no data.\n"
        "continuous-gaussian and continuous-laplace are there for comparison. A target\n"
        "that would take more than two seconds to compute is refused, with poisson more\n"
        "than eight. Write poisson rate=R in front of the mechanism if each release is\n"
        "of a sample that keeps each unit with probability R: it needs less noise, and\n"
        "is accurate for its sample.\n"
        "\n"
        "bucket-histogram elements=N upper=B plans a histogram of N elements from 0 (or\n"
        "lower) to B: give three of epsilon, delta, alpha (the fraction that may be "
        "lost)\n"
        "and beta (how far a value may be off); it finds the fourth.\n"
        "\n"
        "  --epsilon E       what all releases together may cost (or epsilon=E)\n"
        "  --delta D         the same for delta (default 0)\n"
        "  --target-error X  instead of --epsilon: largest error, in units of the input\n"
        "  --confidence C    of that error (default 0.95)\n"
        "  --count N         number of releases, declared in advance, up to 10^12\n"
        "                    (default 1)\n"
        "  --values N        how many numbers, scores, queries or people an input has\n"
        "  --at-once         the error is that of all values at once, not of each\n"
        "  --size            instead of noise: how many units a key needs to be shown,\n"
        "                    by this mechanism, by others of its kind, and by the best\n"
        "                    possible one; with --values N also by N public keys\n"
        "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
        "  --json            short for --format json\n"
        "  --plot            draw the error against epsilon: on a terminal above the\n"
        "                    table, otherwise on standard error\n"
        "  --svg FILE        write the same drawing to a file\n"
        "  --quiet           show no progress, notes or drawing on standard error\n"
        "\n"
        "example: scrim calibrate gaussian --epsilon 1 --delta 1e-6 --count 100\n"
        "         scrim calibrate poisson rate=0.01 gaussian --epsilon 2 \\\n"
        "           --delta 1e-5 --count 10000\n"
        "         scrim calibrate threshold-laplace epsilon=1 delta=1e-6 --size\n"
        "         scrim calibrate bucket-histogram epsilon=1 delta=1e-6 upper=1 \\\n"
        "           beta=0.1 elements=1000\n",
    .kind = SC_COMMAND_PLAN,
    .options =
        SC_OPTION_SET(SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA, SCRIM_OPTION_TARGET_ERROR,
                      SCRIM_OPTION_CONFIDENCE, SCRIM_OPTION_AT_ONCE,
                      SCRIM_OPTION_RELEASES, SCRIM_OPTION_VALUES, SCRIM_OPTION_SIZE),
    .run = run_calibrate,
};
