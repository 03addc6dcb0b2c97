/* scrim calibrate MECHANISM key=value… */
#include "cli/account/calibration_writer.h"
#include "cli/account/sizes_writer.h"
#include "cli/plot/error_curve.h"
#include "cli/sheet/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/word_line.h"
#include "cli/verb/verbs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    sc_format format;
    scrim_sizes_report sizes;
    bool plot, quiet, size;
    const char *svg; /* NULL: no file */
    sc_terminal terminal;
    sc_progress progress;
    sc_output output; /* standard output */
    sc_output beside; /* standard error */
} calibrate_state;

/* The request. */

/* From 1 on; 0 stays what was not given. */
static scrim_status read_count(const sc_options *options, sc_option option,
                               uint64_t limit, const char *limit_text, uint64_t *out,
                               scrim_error *error)
{
    if (sc_options_number(options, option, limit, 0, out, error) != SCRIM_OK ||
        (sc_options_has(options, option) && *out == 0))
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "%s must be a whole number from 1 to %s",
                                 sc_option_name(option), limit_text);
    return SCRIM_OK;
}

static scrim_status read_request(calibrate_state *calibrate, const sc_options *options,
                                 scrim_error *error)
{
    if (options->word_count < 2)
        return sc_complaint_fill(
            error, SCRIM_E_PARAM,
            "name a mechanism, as in 'scrim calibrate gaussian "
            "--epsilon 1 --delta 1e-6'; 'scrim list mechanisms' lists them");
    calibrate->plot = sc_options_has(options, SCRIM_OPTION_PLOT);
    calibrate->svg = options->value[SCRIM_OPTION_SVG];
    calibrate->quiet = sc_options_has(options, SCRIM_OPTION_QUIET);
    calibrate->size = sc_options_has(options, SCRIM_OPTION_SIZE);
    calibrate->asked = (scrim_calibrate_options){
        .size = sizeof calibrate->asked,
        .epsilon = options->value[SCRIM_OPTION_EPSILON],
        .delta = options->value[SCRIM_OPTION_DELTA],
        .target_error = options->value[SCRIM_OPTION_TARGET_ERROR],
        .confidence = options->value[SCRIM_OPTION_CONFIDENCE],
        .is_at_once = sc_options_has(options, SCRIM_OPTION_AT_ONCE),
        .progress = sc_progress_told,
        .context = &calibrate->progress};
    scrim_status status =
        sc_options_screen(options, &calibrate->terminal, &calibrate->format, error);
    if (status == SCRIM_OK)
        status = read_count(options, SCRIM_OPTION_RELEASES, COUNT_LIMIT, "1099511627776",
                            &calibrate->asked.count, error);
    if (status == SCRIM_OK)
        status = read_count(options, SCRIM_OPTION_VALUES, VALUES_LIMIT, "1.1e18",
                            &calibrate->asked.values, error);
    if (status == SCRIM_OK && calibrate->svg != NULL)
        status = sc_file_writer_check("--svg", calibrate->svg, error);
    if (status != SCRIM_OK)
        return status;
    calibrate->line = sc_word_line(options->words + 1, options->word_count - 1);
    if (calibrate->line == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY,
                                 "out of memory for the arguments");
    return SCRIM_OK;
}

static scrim_status find_noise(calibrate_state *calibrate, scrim_error *error)
{
    sc_progress_start(&calibrate->progress, 0, "candidates", !calibrate->quiet);
    const scrim_status status =
        scrim_calibrate(calibrate->line, &calibrate->asked, &calibrate->found, error);
    sc_progress_end(&calibrate->progress);
    return status;
}

/* The picture. */

/* Logarithms are drawn: what has none is left out. */
static bool can_be_drawn(double epsilon, double error)
{
    return epsilon > 0 && isfinite(epsilon) && error > 0 && isfinite(error);
}

static scrim_status draw_curve(calibrate_state *calibrate, scrim_error *error)
{
    const scrim_calibration *found = &calibrate->found;
    sc_error_curve *curve = &calibrate->curve;
    size_t count = 0;
    sc_progress_start(&calibrate->progress, POINTS, "points", !calibrate->quiet);
    const scrim_status status =
        scrim_calibration_curve(calibrate->line, &calibrate->asked, found, POINTS,
                                calibrate->points, &count, error);
    sc_progress_end(&calibrate->progress);
    if (status != SCRIM_OK)
        return status;
    curve->title = found->text;
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
        return sc_complaint_fill(
            error, SCRIM_E_PARAM,
            "no curve to draw: give --delta for an epsilon, or --values for an error");
    return SCRIM_OK;
}

static scrim_status write_svg(calibrate_state *calibrate, scrim_error *error)
{
    sc_file_writer file;
    scrim_status status = sc_file_writer_open(&file, "--svg", calibrate->svg, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_init(&calibrate->beside, file.descriptor);
    sc_error_curve_svg(&calibrate->beside, &calibrate->curve);
    return sc_file_writer_close(&file, &calibrate->beside, error);
}

/* Showing it. */

static scrim_status show_found(calibrate_state *calibrate, scrim_error *error)
{
    sc_output_init_screen(&calibrate->output, STDOUT_FILENO, calibrate->format);
    if (calibrate->plot && calibrate->terminal.is_terminal)
        sc_error_curve_terminal(&calibrate->output, &calibrate->curve,
                                &calibrate->terminal);
    sc_calibration_write(&calibrate->output, &calibrate->found, calibrate->format,
                         &calibrate->terminal);
    return sc_output_finish(&calibrate->output, error);
}

/* Is there a sentence beside what programs read? */
static bool tells(const calibrate_state *calibrate)
{
    return !calibrate->quiet && (calibrate->format == SCRIM_FORMAT_CSV ||
                                 calibrate->format == SCRIM_FORMAT_JSONL);
}

/* The picture and the sentence, where standard output does not hold them. */
static scrim_status show_talk(calibrate_state *calibrate, scrim_error *error)
{
    sc_terminal beside;
    sc_terminal_look(STDERR_FILENO, &beside);
    sc_output_init_screen(&calibrate->beside, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    if (calibrate->plot && !calibrate->terminal.is_terminal)
        sc_error_curve_terminal(&calibrate->beside, &calibrate->curve, &beside);
    if (tells(calibrate))
        sc_calibration_sentence_write(&calibrate->beside, &calibrate->found, &beside);
    return sc_output_finish(&calibrate->beside, error);
}

/* How large a key must be, in place of how much noise. */

static scrim_status check_size(const sc_options *options, scrim_error *error)
{
    static const sc_option others[] = {SCRIM_OPTION_TARGET_ERROR, SCRIM_OPTION_AT_ONCE,
                                       SCRIM_OPTION_RELEASES, SCRIM_OPTION_PLOT,
                                       SCRIM_OPTION_SVG};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (sc_options_has(options, others[i]))
            return sc_complaint_fill(error, SCRIM_E_PARAM,
                                     "--size does not search for noise; leave %s out",
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
    char *line = whole_line(calibrate);
    if (line == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY,
                                 "out of memory for the arguments");
    (void)snprintf(keys, sizeof keys, "%" PRIu64, calibrate->asked.values);
    const scrim_status status = scrim_group_sizes_of(
        line, calibrate->asked.confidence, calibrate->asked.values == 0 ? NULL : keys,
        &calibrate->sizes, error);
    free(line);
    return status;
}

static scrim_status show_sizes(calibrate_state *calibrate, scrim_error *error)
{
    sc_terminal beside;
    sc_output_init_screen(&calibrate->output, STDOUT_FILENO, calibrate->format);
    scrim_status status =
        sc_sizes_write(&calibrate->output, &calibrate->sizes, calibrate->asked.values,
                       calibrate->format, &calibrate->terminal, error);
    if (status == SCRIM_OK)
        status = sc_output_finish(&calibrate->output, error);
    if (status != SCRIM_OK || !tells(calibrate))
        return status;
    sc_terminal_look(STDERR_FILENO, &beside);
    sc_output_init_screen(&calibrate->beside, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    sc_sizes_sentence_write(&calibrate->beside, &calibrate->sizes, &beside);
    return sc_output_finish(&calibrate->beside, error);
}

static scrim_status calibrate_noise(calibrate_state *calibrate, scrim_error *error)
{
    scrim_status status = find_noise(calibrate, error);
    if (status == SCRIM_OK && (calibrate->plot || calibrate->svg != NULL))
        status = draw_curve(calibrate, error);
    if (status == SCRIM_OK && calibrate->svg != NULL)
        status = write_svg(calibrate, error);
    if (status == SCRIM_OK)
        status = show_found(calibrate, error);
    if (status == SCRIM_OK)
        status = show_talk(calibrate, error);
    return status;
}

static scrim_status run_calibrate(const sc_options *options, scrim_error *error)
{
    calibrate_state *calibrate = calloc(1, sizeof *calibrate);
    if (calibrate == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = read_request(calibrate, options, error);
    if (status == SCRIM_OK && !calibrate->size)
        status = calibrate_noise(calibrate, error);
    if (status == SCRIM_OK && calibrate->size)
        status = check_size(options, error);
    if (status == SCRIM_OK && calibrate->size)
        status = find_sizes(calibrate, error);
    if (status == SCRIM_OK && calibrate->size)
        status = show_sizes(calibrate, error);
    free(calibrate->line);
    free(calibrate);
    return status;
}

const sc_verb sc_verb_calibrate = {
    .name = "calibrate",
    .synopsis = "MECHANISM key=value... [OPTION...]",
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
        "that would take more than two seconds to compute is refused.\n"
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
        "  --quiet           show neither progress nor notes on standard error\n"
        "\n"
        "example: scrim calibrate gaussian --epsilon 1 --delta 1e-6 --count 100\n"
        "         scrim calibrate threshold-laplace epsilon=1 delta=1e-6 --size\n",
    .kind = SC_COMMAND_PLAN,
    .options =
        SC_OPTION_SET(SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA, SCRIM_OPTION_TARGET_ERROR,
                      SCRIM_OPTION_CONFIDENCE, SCRIM_OPTION_AT_ONCE,
                      SCRIM_OPTION_RELEASES, SCRIM_OPTION_VALUES, SCRIM_OPTION_SIZE),
    .run = run_calibrate,
};
