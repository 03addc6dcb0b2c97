/* scrim local simulate --config FILE --users N [--periods D] [--law LAW] [--drift P] [--lifetime E] */
#include "cli/local/fleet.h"
#include "cli/local/local_commands.h"
#include "cli/local/local_files.h"
#include "cli/plot/panels.h"
#include "cli/plot/svg_plot.h"
#include "cli/sheet/listing.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/program.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef SCRIM_TESTING
#include "cli/local/local_tape.h"
#endif

#define PERIODS_MAX 10000

typedef struct simulation {
    sc_fleet_plan plan;
    const char *svg;
    bool plot;
    sc_listing *page;
    double *lines[4]; /* period, held, estimate, error of each period */
    size_t count;
} simulation;

static const sc_listing_column columns[] = {
    {"period", SC_KIND_KEY | SC_RIGHT},   {"reports", SC_KIND_BOUND | SC_RIGHT},
    {"silent", SC_KIND_BOUND | SC_RIGHT}, {"spent", SC_KIND_BOUND | SC_RIGHT},
    {"held", SC_KIND_BOUND | SC_RIGHT},   {"estimate", SC_KIND_BOUND | SC_RIGHT},
    {"low", SC_KIND_BOUND | SC_RIGHT},    {"high", SC_KIND_BOUND | SC_RIGHT},
    {"error", SC_KIND_BOUND | SC_RIGHT},  {"covered", SC_KIND_BOUND | SC_RIGHT}};
#define COLUMNS (sizeof columns / sizeof *columns)

static void watch(void *context, uint64_t period, const sc_fleet_period *seen)
{
    simulation *s = context;
    const double line[] = {(double)period, seen->held, seen->estimate, seen->error};
    const double shares[] = {seen->held, seen->estimate, seen->low,
                             seen->high, seen->error,    seen->covered};
    sc_listing_put(s->page, "%llu", (unsigned long long)period);
    sc_listing_put(s->page, "%llu", (unsigned long long)seen->reports);
    sc_listing_put(s->page, "%llu", (unsigned long long)seen->silent);
    sc_listing_put(s->page, "%.4f", seen->spent);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        sc_listing_put(s->page, seen->reports > 0 ? "%.6f" : NULL, shares[i]);
    for (size_t i = 0; i < 4 && seen->reports > 0; i++)
        s->lines[i][s->count] = line[i];
    s->count += seen->reports > 0;
}

static scrim_status read_share(const sc_options *options, sc_option option,
                               const char *name, double most, double *out,
                               scrim_error *error)
{
    const char *text = options->value[option];
    char *end = NULL;
    if (text == NULL)
        return SCRIM_OK;
    *out = strtod(text, &end);
    if (*text == '\0' || *end != '\0' || !(*out >= 0 && *out <= most))
        return sc_refuse(error, "%s '%.40s' must be from 0 to %g", name, text, most);
    return SCRIM_OK;
}

static scrim_status read_request(simulation *s, const sc_options *options,
                                 scrim_error *error)
{
    sc_fleet_plan *plan = &s->plan;
    plan->law = options->value[SCRIM_OPTION_LAW];
    plan->law = plan->law == NULL ? "zipf" : plan->law;
    s->svg = options->value[SCRIM_OPTION_SVG];
    s->plot = sc_options_has(options, SCRIM_OPTION_PLOT) &&
              !sc_options_has(options, SCRIM_OPTION_QUIET);
    SC_TRY(sc_options_number(options, SCRIM_OPTION_USERS, SC_FLEET_USERS_MAX, 10000,
                             &plan->users, error));
    SC_TRY(sc_options_number(options, SCRIM_OPTION_PERIODS, PERIODS_MAX, 1,
                             &plan->periods, error));
    SC_TRY(sc_options_number(options, SCRIM_OPTION_EVERY, PERIODS_MAX, 1, &plan->every,
                             error));
    if ((plan->users == 0 || plan->periods == 0 || plan->every == 0))
        return sc_refuse(error, "--users, --periods and --every must be at least 1");
    SC_TRY(read_share(options, SCRIM_OPTION_DRIFT, "--drift", 1, &plan->drift, error));
    SC_TRY(read_share(options, SCRIM_OPTION_LIFETIME, "--lifetime", 1e6, &plan->lifetime,
                      error));
    if (s->svg != NULL)
        SC_TRY(sc_file_writer_check("--svg", s->svg, error));
    for (size_t i = 0; i < 4; i++) {
        s->lines[i] = calloc((size_t)plan->periods + 1, sizeof **s->lines);
        if (s->lines[i] == NULL)
            return sc_out_of_memory(error, "periods");
    }
    return SCRIM_OK;
}

static const sc_panels panels = {
    .title = "scrim local simulate",
    .summary = "share of the devices that hold value 0, and the error of all values",
    .keys = {"held", "estimated"}};

static void make_panels(const simulation *s, sc_panel out[2])
{
    const double step = fmax(1, floor((double)s->count / 10));
    for (size_t i = 0; i < 2; i++)
        out[i] = (sc_panel){
            .x_name = "period", .x_step = step, .x = s->lines[0], .count = s->count};
    out[0].title = "value 0";
    out[0].y_name = "share of devices";
    out[0].y[0] = s->lines[1];
    out[0].y[1] = s->lines[2];
    out[1].title = "root mean square error of all values";
    out[1].y_name = "share of devices";
    out[1].y[0] = s->lines[3];
}

static scrim_status draw(const simulation *s, scrim_error *error)
{
    sc_panel both[2];
    sc_output output;
    make_panels(s, both);
    if (s->plot) {
        sc_terminal beside;
        sc_terminal_look(STDERR_FILENO, &beside);
        sc_output_init_screen(&output, STDERR_FILENO, SCRIM_FORMAT_TABLE);
        for (size_t i = 0; i < 2; i++)
            sc_panel_terminal(&output, &panels, &both[i], &beside);
        const scrim_status status = sc_output_finish(&output, error);
        if (status != SCRIM_OK)
            return status;
    }
    if (s->svg == NULL)
        return SCRIM_OK;
    sc_file_writer file;
    const scrim_status status = sc_file_writer_open(&file, "--svg", s->svg, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_init(&output, file.descriptor);
    sc_panels_open(&output, &panels, 2);
    for (size_t i = 0; i < 2; i++)
        sc_panel_write(&output, &panels, i, &both[i]);
    sc_svg_close(&output);
    return sc_file_writer_close(&file, &output, error);
}

static scrim_status simulate(simulation *s, const sc_options *options, scrim_error *error)
{
    sc_whole_file config = {.bytes = NULL};
    scrim_status status = sc_local_config_file(options, &config, error);
    if (status == SCRIM_OK)
        status = sc_page_new(options, columns, COLUMNS, &s->page, error);
    if (status == SCRIM_OK) {
        s->plan.config = config.bytes;
        status = sc_fleet_run(&s->plan, watch, s, error);
    }
    sc_whole_file_clear(&config);
    if (status == SCRIM_OK)
        status = draw(s, error);
    return sc_page_end(s->page, status, error);
}

static scrim_status run_simulate(const sc_options *options, scrim_error *error)
{
    simulation s = {.svg = NULL};
    scrim_status status = read_request(&s, options, error);
    s.plan.source = scrim_local_system;
#ifdef SCRIM_TESTING
    struct sc_tape *tape = NULL;
    if (status == SCRIM_OK)
        status = sc_options_tape(options, &tape, error);
    s.plan.source = sc_local_tape_source(tape);
#endif
    if (status == SCRIM_OK)
        status = simulate(&s, options, error);
#ifdef SCRIM_TESTING
    sc_tape_free(tape);
#endif
    for (size_t i = 0; i < 4; i++)
        free(s.lines[i]);
    return status;
}

static const char usage[] =
    "Runs a simulated fleet through the code of devices, and decodes each period. It\n"
    "shows one line a period: reports, devices whose budget is spent, what a device\n"
    "has spent, the true share of value 0 and its estimate with interval, the root\n"
    "mean square error of all values and the share of intervals that hold. Periods\n"
    "without reports have no estimate.\n"
    "\n"
    "  --config FILE   the configuration of the devices\n"
    "  --users N       devices, at most 10^7 (default 10000)\n"
    "  --periods D     periods, each with one report (default 1)\n"
    "  --law LAW       of values: zipf, uniform or normal (default zipf)\n"
    "  --drift P       the chance that a value moves to the next one, each period\n"
    "                  (default 0)\n"
    "  --every N       each device reports in every Nth period, and they take turns\n"
    "                  (default 1)\n"
    "  --lifetime E    epsilon that a device may ever spend\n"
    "  --plot          draw the estimates and errors of all periods\n"
    "  --svg FILE      write the same drawing to a file\n"
    "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
    "  --json          short for --format json\n"
    "  --quiet         no drawing on standard error\n" SC_USAGE_SEED "\n"
    "example: scrim local simulate --config emoji.config --periods 30 --lifetime 10\n";

const sc_command sc_local_simulate = {
    .name = "simulate",
    .synopsis = "--config FILE [OPTION...]",
    .summary = "run a simulated fleet through many periods",
    .usage = usage,
    .kind = SC_COMMAND_LIST,
    .options = SC_OPTION_SET(SCRIM_OPTION_SEED, SCRIM_OPTION_CONFIG, SCRIM_OPTION_USERS,
                             SCRIM_OPTION_PERIODS, SCRIM_OPTION_LAW, SCRIM_OPTION_DRIFT,
                             SCRIM_OPTION_EVERY, SCRIM_OPTION_LIFETIME, SCRIM_OPTION_PLOT,
                             SCRIM_OPTION_SVG),
    .run = run_simulate,
};
