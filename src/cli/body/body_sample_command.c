/* scrim body sample FILE -n N */
#include "cli/body/body_commands.h"
#include "cli/body/body_file_view.h"
#include "cli/report/file_proof.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/program.h"
#include "cli/terminal/progress.h"
#include "cli/terminal/talk.h"

#include <stdlib.h>

#define COUNT_MOST UINT64_C(100000000)
#define TOLD_POINTS 1024

static scrim_status read_step(const sc_options *options, double *out, scrim_error *error)
{
    const char *text = options->value[SCRIM_OPTION_STEP];
    char *end;
    *out = 0;
    if (text == NULL)
        return SCRIM_OK;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && *out > 0 && *out < 1e9
               ? SCRIM_OK
               : sc_refuse(error, "'%.40s' is not a step; --step must be above 0", text);
}

/* Half of it is walking, half is writing. */
static void tell_walk(void *context, uint64_t done, uint64_t total)
{
    sc_progress_told(context, done, 2 * total);
}

static scrim_status read_request(const sc_options *options, sc_progress *progress,
                                 scrim_sample_options *out, scrim_error *error)
{
    uint64_t count, thinning;
    double step;
    SC_TRY(
        sc_options_number(options, SCRIM_OPTION_COUNT, COUNT_MOST, 1000, &count, error));
    SC_TRY(sc_options_number(options, SCRIM_OPTION_THINNING, COUNT_MOST, 0, &thinning,
                             error));
    SC_TRY(read_step(options, &step, error));
    if (count == 0)
        return sc_refuse(error, "-n must be at least 1");
    *out = *SCRIM_OPTIONS(scrim_sample_options, .count = count,
                          .method = options->value[SCRIM_OPTION_METHOD],
                          .weight = options->value[SCRIM_OPTION_WEIGHT],
                          .thinning = thinning, .step = step, .progress = tell_walk,
                          .context = progress);
    return SCRIM_OK;
}

/* The points to write, and the progress that is shown meanwhile. */
typedef struct written {
    const double *points;
    uint64_t count;
    sc_progress *progress;
} written;

static scrim_status put_points(const sc_body_view *view, const written *w,
                               sc_output *output, const sc_options *options,
                               scrim_error *error)
{
    sc_listing_column columns[SC_BODY_CELLS_MOST];
    sc_format format;
    sc_terminal terminal;
    sc_terminal_look(output->descriptor, &terminal);
    SC_TRY(sc_options_format(options, SCRIM_FORMAT_CSV, &format, error));
    sc_listing page = {.columns = columns,
                       .column_count = sc_body_view_columns(view, columns, 0),
                       .output = output,
                       .format = format,
                       .terminal = &terminal,
                       .is_marked = true};
    (void)sc_listing_open(&page);
    /* Points on a terminal show by themselves how far it is. */
    if (terminal.is_terminal)
        sc_progress_end(w->progress);
    for (uint64_t i = 0; i < w->count && output->error == 0; i++) {
        sc_body_view_put(view, &page, w->points + i * view->facts.dimension);
        if (i % TOLD_POINTS == 0 && !terminal.is_terminal)
            sc_progress_told(w->progress, w->count + i, 2 * w->count);
    }
    return sc_listing_close(&page, SCRIM_OK, error);
}

static scrim_status write_points(const sc_body_view *view, const written *w,
                                 const sc_options *options, scrim_error *error)
{
    const char *path = options->value[SCRIM_OPTION_OUT];
    sc_file_writer file;
    sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_out_of_memory(error, "points");
    scrim_status status = sc_file_writer_open(
        &file, "--out", path == NULL ? sc_standard_output : path, error);
    if (status == SCRIM_OK) {
        sc_output_init(output, file.descriptor);
        status = put_points(view, w, output, options, error);
        const scrim_status closed =
            sc_file_writer_close(&file, output, status == SCRIM_OK ? error : NULL);
        status = status == SCRIM_OK ? closed : status;
    }
    free(output);
    return status;
}

static scrim_status sample(const sc_body_view *view, const sc_options *options,
                           scrim_error *error)
{
    scrim_sample_options asked;
    scrim_sample_facts facts = {0};
    sc_progress progress;
    scrim_status status = read_request(options, &progress, &asked, error);
    if (status != SCRIM_OK)
        return status;
    double *points = calloc(asked.count, view->facts.dimension * sizeof *points);
    if (points == NULL)
        return sc_out_of_memory(error, "points");
    sc_progress_start(&progress, 0, "%", !sc_options_has(options, SCRIM_OPTION_QUIET));
    status = scrim_solid_sample(view->solid, &asked, points, &facts, error);
    if (status == SCRIM_OK)
        status = write_points(view, &(written){points, asked.count, &progress}, options,
                              error);
    sc_progress_end(&progress);
    free(points);
    if (status == SCRIM_OK && !sc_options_has(options, SCRIM_OPTION_QUIET)) {
        sc_body_view_note(view, options);
        sc_talk("%llu points of the region, %llu steps apart, correlated by %.2f; they "
                "are not "
                "rows, and tell nothing about how data lie in it\n",
                (unsigned long long)asked.count, (unsigned long long)facts.thinning,
                facts.correlation);
    }
    return status;
}

static scrim_status run_sample(const sc_options *options, scrim_error *error)
{
    SC_OWNED(sc_body_view_close) sc_body_view view = {0};
    const char *path = options->value[SCRIM_OPTION_OUT];
    SC_TRY(path == NULL ? SCRIM_OK : sc_file_writer_check("--out", path, error));
    SC_TRY(
        sc_body_view_only(&view, options, "scrim body sample body.json -n 1000", error));
    return sample(&view, options, error);
}

static const char usage[] =
    "Random points of the body, as CSV: uniform, or by the density exp(-phi) of a\n"
    "convex function phi. They are points of the region and not rows of the data. Any\n"
    "number of them is free. Points come from random walks: neighbours are a little\n"
    "correlated, and nothing proves how near the walk is to its distribution.\n"
    "\n"
    "  -n N           how many (default 1000)\n"
    "  --weight PHI   the density is exp(-PHI); written as for 'minimise'\n"
    "  --method M     hit-and-run (default) or langevin, which is biased and puts\n"
    "                 points on the boundary\n"
    "  --thinning N   steps of the walk from one point to the next\n"
    "  --step S       of langevin, in scaled columns\n"
    "  --out FILE     write the points to this file\n"
    "  --format table|csv|json|jsonl  default csv\n"
    "  --json         short for --format json\n" SC_USAGE_PROOF
    "  --quiet        show neither progress nor notes\n" SC_USAGE_SEED "\n"
    "example: scrim body sample body.json -n 10000 --out points.csv\n";

const sc_command sc_body_sample = {
    .name = "sample",
    .synopsis = "FILE [-n N] [--weight PHI]",
    .summary = "random points of the body",
    .usage = usage,
    .kind = SC_COMMAND_READ,
    .options = SC_OPTION_SET(SCRIM_OPTION_COUNT, SCRIM_OPTION_WEIGHT, SCRIM_OPTION_METHOD,
                             SCRIM_OPTION_THINNING, SCRIM_OPTION_STEP, SCRIM_OPTION_OUT,
                             SCRIM_OPTION_SEED),
    .run = run_sample,
};
