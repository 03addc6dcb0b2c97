/* scrim local simulate --config FILE: a simulated fleet of devices with states, whose values drift from period to
 * period. Devices run the code of real ones (scrim_local.h); the server sums up and estimates each period. */
#include "cli/display/canvas.h"
#include "cli/display/curve_plot.h"
#include "cli/display/listing.h"
#include "cli/release/local_files.h"
#include "cli/release/local_tape.h"
#include "cli/release/subcommands.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/program.h"
#include "cli/terminal/talk.h"
#include "scrim.h"
#include "scrim_local.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct sc_fleet_period {
    uint64_t reports, silent; /* silent: devices whose budget is spent */
    double spent;             /* epsilon of a device, the largest so far */
    /* Value 0, as shares of the users; of numbers whose mean is estimated, their mean. */
    double held, estimate, low, high;
    double
        error; /* root mean square of the errors of all values, as a share of those who reported */
    double
        covered; /* share of all values whose interval holds the number of those who reported */
} sc_fleet_period;

/* Called at the end of each period. */
typedef void sc_fleet_watcher(void *context, uint64_t period,
                              const sc_fleet_period *seen);

typedef struct sc_fleet_plan {
    const char *config; /* its text */
    uint64_t users, periods;
    uint64_t every;  /* a device reports in every such period, and they take turns */
    const char *law; /* zipf, uniform or normal */
    double drift;    /* the chance that a value moves to the next one, each period */
    double
        lifetime; /* epsilon that a device may ever spend; 0: whatever the periods cost */
    scrim_local_source source;
} sc_fleet_plan;

#define SC_FLEET_USERS_MAX 10000000
#define VALUES_MAX 16777216

/* A simulated fleet: devices with states, whose values drift from period to period, through the code of real
 * devices (scrim_local.h); the server's sums and estimates of each period (scrim/collection.h). */

#define STATES_BYTES ((size_t)1 << 30) /* of all devices */
#define NATS 4294967296.0              /* parts of a nat in a state */

typedef struct fleet {
    const sc_fleet_plan *plan;
    scrim_local_config config;
    size_t state_bytes, report_bytes;
    uint8_t *states, *message, *batch;
    uint32_t *values;
    double *below;  /* the chance of all values before each */
    uint64_t *held; /* by those who report in this period */
    uint64_t words[256];
    size_t left; /* of words */
} fleet;

/* Words are fetched many at a time, since each device draws one in each period. */
static bool draw(fleet *f, double *out)
{
    const scrim_local_source *source = &f->plan->source;
    if (f->left == 0) {
        if (source->fill(source->context, f->words, sizeof f->words) != 0)
            return false;
        f->left = sizeof f->words / sizeof *f->words;
    }
    *out = ldexp((double)(f->words[--f->left] >> 11), -53);
    return true;
}

/* The weights are unnormalised; false: no such law. */
static bool fill_law(fleet *f)
{
    const char *law = f->plan->law;
    const double k = f->config.values;
    double sum = 0;
    for (uint32_t v = 0; v < f->config.values; v++) {
        const double z = (v + 0.5 - k / 2) / (k / 6);
        f->below[v] = sum;
        if (strcmp(law, "zipf") == 0)
            sum += pow(v + 1.0, -1.1);
        else if (strcmp(law, "normal") == 0)
            sum += exp(-z * z / 2);
        else if (strcmp(law, "uniform") == 0)
            sum += 1;
        else
            return false;
    }
    for (uint32_t v = 0; v < f->config.values; v++)
        f->below[v] /= sum;
    return true;
}

static uint32_t value_at(const fleet *f, double u)
{
    uint32_t low = 0, high = f->config.values;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (f->below[middle] <= u)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static scrim_status no_bits(scrim_error *error)
{
    return sc_complaint_fill(error, SCRIM_E_ENTROPY, "there are no random bits");
}

static scrim_status no_estimate(scrim_error *error)
{
    return sc_refuse(error,
                     "a fleet needs a protocol that counts values or estimates a mean");
}

static scrim_status make_devices(fleet *f, scrim_error *error)
{
    const uint64_t loss = scrim_local_loss(&f->config);
    const double life = f->plan->lifetime * NATS;
    const uint64_t whole =
        loss > UINT64_MAX / f->plan->periods ? UINT64_MAX : loss * f->plan->periods;
    const uint64_t cap = f->plan->lifetime > 0 && life < 0x1p63 ? (uint64_t)life : whole;
    for (uint64_t i = 0; i < f->plan->users; i++) {
        double u;
        if (!draw(f, &u) ||
            scrim_local_state_init(f->states + i * f->state_bytes, f->state_bytes, 1,
                                   (uint32_t)f->report_bytes, cap, loss,
                                   &f->plan->source) != SCRIM_LOCAL_OK)
            return no_bits(error);
        f->values[i] = value_at(f, u);
    }
    return SCRIM_OK;
}

/* One device, one period: false, and there is no report, where its budget is spent. */
static bool report(fleet *f, uint64_t device, uint64_t period)
{
    uint8_t *state = f->states + device * f->state_bytes;
    return scrim_local_state_prepare(state, f->state_bytes, &f->config, period,
                                     f->values[device]) == SCRIM_LOCAL_OK &&
           scrim_local_state_send(state, f->state_bytes, &f->config, period,
                                  f->message) == SCRIM_LOCAL_OK;
}

static scrim_status move(fleet *f, uint64_t device, scrim_error *error)
{
    double u;
    if (!draw(f, &u))
        return no_bits(error);
    if (u < f->plan->drift)
        f->values[device] = (f->values[device] + 1) % f->config.values;
    return SCRIM_OK;
}

static scrim_status send_all(fleet *f, uint64_t period, scrim_collection *collection,
                             sc_fleet_period *seen, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    scrim_local_header(&f->config, f->batch);
    f->batch[3] = 1;
    status = scrim_collection_read(collection, f->batch, SCRIM_LOCAL_HEADER_BYTES, error);
    memset(f->held, 0, f->config.values * sizeof *f->held);
    for (uint64_t i = 0; i < f->plan->users && status == SCRIM_OK; i++) {
        if (period > 1 && f->plan->drift > 0)
            status = move(f, i, error);
        if (status != SCRIM_OK)
            break;
        if ((period + i) % f->plan->every != 0)
            continue;
        if (!report(f, i, period)) {
            seen->silent++;
            continue;
        }
        seen->reports++;
        f->held[f->values[i]]++;
        status = scrim_collection_read(collection, f->message + SCRIM_LOCAL_HEADER_BYTES,
                                       f->report_bytes, error);
    }
    return status == SCRIM_OK ? scrim_collection_end_file(collection, error) : status;
}

static void judge(const fleet *f, const scrim_estimates *estimates, sc_fleet_period *seen)
{
    const double n = (double)seen->reports;
    double squares = 0, covered = 0;
    for (uint32_t v = 0; v < f->config.values; v++) {
        scrim_estimate row;
        const double truth = (double)f->held[v];
        scrim_estimates_at(estimates, v, &row);
        squares += (row.estimate - truth) * (row.estimate - truth);
        covered += row.low <= truth && truth <= row.high;
        if (v == 0) {
            seen->held = truth / n;
            seen->estimate = row.estimate / n;
            seen->low = row.low / n;
            seen->high = row.high / n;
        }
    }
    seen->error = sqrt(squares / f->config.values) / n;
    seen->covered = covered / f->config.values;
}

/* The others estimate the mean of a number, which has no counters of values. */
static bool counts_values(const scrim_local_config *config)
{
    return config->protocol < SCRIM_LOCAL_ONE_BIT ||
           config->protocol == SCRIM_LOCAL_CONDENSED;
}

/* The mean of those who reported, and the error of its estimate. */
static bool judge_mean(const fleet *f, const scrim_estimates *estimates,
                       sc_fleet_period *seen)
{
    scrim_estimate row;
    double sum = 0;
    if (!scrim_estimates_mean(estimates, &row))
        return false;
    for (uint32_t v = 0; v < f->config.values; v++)
        sum += (double)v * (double)f->held[v];
    seen->held = sum / (double)seen->reports;
    seen->estimate = row.estimate;
    seen->low = row.low;
    seen->high = row.high;
    seen->error = fabs(row.estimate - seen->held);
    seen->covered = row.low <= seen->held && seen->held <= row.high;
    return true;
}

static scrim_status run_period(fleet *f, uint64_t period, sc_fleet_period *seen,
                               scrim_error *error)
{
    scrim_collection *collection = NULL;
    scrim_estimates *estimates = NULL;
    scrim_local_account account;
    scrim_status status = scrim_collection_new(f->plan->config, &collection, error);
    if (status == SCRIM_OK)
        status = send_all(f, period, collection, seen, error);
    if (status == SCRIM_OK && seen->reports > 0)
        status = scrim_collection_decode(collection, NULL, &estimates, error);
    if (status == SCRIM_OK && estimates != NULL) {
        if (counts_values(&f->config) &&
            scrim_estimates_count(estimates) == f->config.values)
            judge(f, estimates, seen);
        else if (!judge_mean(f, estimates, seen))
            status = no_estimate(error);
    }
    /* A device whose turn comes first. */
    const size_t first = (size_t)((f->plan->every - 1) % f->plan->users);
    if (scrim_local_state_read(f->states + first * f->state_bytes, f->state_bytes,
                               &account) == SCRIM_LOCAL_OK)
        seen->spent = (double)account.spent / NATS;
    scrim_estimates_free(estimates);
    scrim_collection_free(collection);
    return status;
}

static scrim_status prepare(fleet *f, scrim_error *error)
{
    scrim_collection *collection = NULL;
    /* words a refusal of the configuration */
    scrim_status status = scrim_collection_new(f->plan->config, &collection, error);
    scrim_collection_free(collection);
    if (status != SCRIM_OK)
        return status;
    if (scrim_local_config_parse(f->plan->config, &f->config) != SCRIM_LOCAL_OK ||
        f->config.values == 0 || f->config.text > 0)
        return no_estimate(error);
    if (f->config.values > VALUES_MAX)
        return sc_complaint_fill(error, SCRIM_E_LIMIT, "a fleet has at most %d values",
                                 VALUES_MAX);
    f->report_bytes = scrim_local_report_bytes(&f->config);
    f->state_bytes = scrim_local_state_bytes(1, (uint32_t)f->report_bytes);
    if (f->plan->users > STATES_BYTES / f->state_bytes)
        return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                 "a device of this configuration keeps %zu bytes; use at "
                                 "most %zu devices: --users",
                                 f->state_bytes, STATES_BYTES / f->state_bytes);
    f->states = calloc((size_t)f->plan->users, f->state_bytes);
    f->values = calloc((size_t)f->plan->users, sizeof *f->values);
    f->message = calloc(1, SCRIM_LOCAL_HEADER_BYTES + f->report_bytes);
    f->batch = calloc(1, SCRIM_LOCAL_HEADER_BYTES);
    f->below = calloc(f->config.values, sizeof *f->below);
    f->held = calloc(f->config.values, sizeof *f->held);
    if (f->states == NULL || f->values == NULL || f->message == NULL ||
        f->batch == NULL || f->below == NULL || f->held == NULL)
        return sc_out_of_memory(error, "devices");
    if (!fill_law(f))
        return sc_refuse(error, "unknown law '%.40s'; use zipf, uniform or normal",
                         f->plan->law);
    return SCRIM_OK;
}

/* SCRIM_E_PARAM: the configuration has no counts of values to estimate, or an unknown law. */
static scrim_status sc_fleet_run(const sc_fleet_plan *plan, sc_fleet_watcher *watcher,
                                 void *context, scrim_error *error)
{
    fleet f = {.plan = plan};
    scrim_status status = prepare(&f, error);
    if (status == SCRIM_OK)
        status = make_devices(&f, error);
    for (uint64_t period = 1; period <= plan->periods && status == SCRIM_OK; period++) {
        sc_fleet_period seen = {.reports = 0};
        status = run_period(&f, period, &seen, error);
        if (status == SCRIM_OK)
            watcher(context, period, &seen);
    }
    free(f.states);
    free(f.values);
    free(f.message);
    free(f.batch);
    free(f.below);
    free(f.held);
    return status;
}

/* scrim local simulate --config FILE --users N [--periods D] [--law LAW] [--drift P] [--lifetime E] */
#ifdef SCRIM_TESTING
#endif

#define PERIODS_MAX 10000

typedef struct simulation {
    sc_fleet_plan plan;
    const char *svg;
    bool plot;
    sc_listing *page;
    double *lines[4]; /* period, held, estimate, error of each period */
    size_t count;     /* periods with reports */
    uint64_t silent;  /* in the last period */
    double covered;   /* sum of all periods */
    bool is_quiet;
} simulation;

static const sc_listing_column columns[] = {
    {"period", SC_KIND_KEY | SC_RIGHT},   {"reports", SC_KIND_BOUND | SC_RIGHT},
    {"silent", SC_KIND_BOUND | SC_RIGHT}, {"spent", SC_KIND_BOUND | SC_RIGHT},
    {"held", SC_KIND_BOUND | SC_RIGHT},   {"estimate", SC_KIND_BOUND | SC_RIGHT},
    {"low", SC_KIND_BOUND | SC_RIGHT},    {"high", SC_KIND_BOUND | SC_RIGHT},
    {"error", SC_KIND_BOUND | SC_RIGHT},  {"covered", SC_KIND_BOUND | SC_RIGHT}};
#define COLUMNS (sizeof columns / sizeof *columns)

/* People are shown what fits 80 columns. */
static const sc_listing_column shown[] = {
    {"period", SC_KIND_KEY | SC_RIGHT},     {"reports", SC_KIND_BOUND | SC_RIGHT},
    {"spent", SC_KIND_BOUND | SC_RIGHT},    {"held", SC_KIND_BOUND | SC_RIGHT},
    {"estimate", SC_KIND_BOUND | SC_RIGHT}, {"interval", SC_KIND_TEXT},
    {"error", SC_KIND_BOUND | SC_RIGHT}};
#define SHOWN (sizeof shown / sizeof *shown)

static void put_period(sc_listing *page, uint64_t period, const sc_fleet_period *seen)
{
    char interval[64];
    const bool has = seen->reports > 0;
    snprintf(interval, sizeof interval, "[%.4g, %.4g]", seen->low, seen->high);
    sc_listing_put(page, "%llu", (unsigned long long)period);
    sc_listing_put(page, "%llu", (unsigned long long)seen->reports);
    sc_listing_put(page, "%.4g", seen->spent);
    sc_listing_put(page, has ? "%.4g" : NULL, seen->held);
    sc_listing_put(page, has ? "%.4g" : NULL, seen->estimate);
    sc_listing_put(page, has ? "%s" : NULL, interval);
    sc_listing_put(page, has ? "%.4g" : NULL, seen->error);
}

static void watch(void *context, uint64_t period, const sc_fleet_period *seen)
{
    simulation *s = context;
    const double line[] = {(double)period, seen->held, seen->estimate, seen->error};
    const double shares[] = {seen->held, seen->estimate, seen->low,
                             seen->high, seen->error,    seen->covered};
    s->silent = seen->silent;
    s->covered += seen->reports > 0 ? seen->covered : 0;
    for (size_t i = 0; i < 4 && seen->reports > 0; i++)
        s->lines[i][s->count] = line[i];
    s->count += seen->reports > 0;
    if (s->page->format == SCRIM_FORMAT_TABLE) {
        put_period(s->page, period, seen);
        return;
    }
    sc_listing_put(s->page, "%llu", (unsigned long long)period);
    sc_listing_put(s->page, "%llu", (unsigned long long)seen->reports);
    sc_listing_put(s->page, "%llu", (unsigned long long)seen->silent);
    sc_listing_put(s->page, "%.4f", seen->spent);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        sc_listing_put(s->page, seen->reports > 0 ? "%.6f" : NULL, shares[i]);
}

/* Facts that a table leaves out. */
static void note_table(const simulation *s)
{
    if (s->count > 0)
        sc_talk("%.3g %% of all intervals hold the truth\n",
                100 * s->covered / (double)s->count);
    if (s->silent > 0)
        sc_talk("in the last period, the budget of %llu devices was spent\n",
                (unsigned long long)s->silent);
    if (s->count < s->plan.periods && (s->plot || s->svg != NULL))
        sc_talk("the drawing has the %zu periods with reports, of %llu\n", s->count,
                (unsigned long long)s->plan.periods);
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
    if (options->word_count > 2)
        return sc_refuse(error, "unexpected argument '%.40s'", options->words[2]);
    plan->law = options->value[SCRIM_OPTION_LAW];
    plan->law = plan->law == NULL ? "zipf" : plan->law;
    s->svg = options->value[SCRIM_OPTION_SVG];
    s->is_quiet = sc_options_has(options, SCRIM_OPTION_QUIET);
    s->plot = sc_options_has(options, SCRIM_OPTION_PLOT) &&
              !sc_options_has(options, SCRIM_OPTION_QUIET);
    SC_TRY(sc_options_number(options, SCRIM_OPTION_USERS, SC_FLEET_USERS_MAX, 10000,
                             &plan->users, error));
    SC_TRY(sc_options_number(options, SCRIM_OPTION_PERIODS, PERIODS_MAX, 1,
                             &plan->periods, error));
    SC_TRY(sc_options_number(options, SCRIM_OPTION_EVERY, PERIODS_MAX, 1, &plan->every,
                             error));
    if (plan->users == 0 || plan->periods == 0 || plan->every == 0)
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
    .keys = {"held", "estimated", "error"}};

static void make_panels(const simulation *s, sc_panel out[2])
{
    const double last = (double)s->plan.periods;
    const double step = fmax(1, sc_axis_step(last, SC_AXIS_LABELS + 1));
    for (size_t i = 0; i < 2; i++)
        out[i] = (sc_panel){.x_name = "period",
                            .x_step = step,
                            .x_last = last,
                            .x = s->lines[0],
                            .count = s->count};
    out[0].title = "value 0";
    out[0].y_name = "share of devices";
    out[0].y[0] = s->lines[1];
    out[0].y[1] = s->lines[2];
    out[1].title = "root mean square error of all values";
    out[1].y_name = "share of devices";
    out[1].y[2] = s->lines[3];
}

static scrim_status show_panels(const simulation *s, scrim_error *error)
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
    if (status == SCRIM_OK && s->page->format == SCRIM_FORMAT_TABLE) {
        s->page->columns = shown;
        s->page->column_count = SHOWN;
    }
    if (status == SCRIM_OK) {
        s->plan.config = config.bytes;
        status = sc_fleet_run(&s->plan, watch, s, error);
    }
    sc_whole_file_clear(&config);
    if (status == SCRIM_OK)
        status = show_panels(s, error);
    const bool is_table = status == SCRIM_OK && s->page->format == SCRIM_FORMAT_TABLE;
    status = sc_page_end(s->page, status, error);
    if (status == SCRIM_OK && is_table && !s->is_quiet)
        note_table(s);
    return status;
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
    "mean square error of all values and the share of intervals that hold. Protocols\n"
    "for a mean have the mean in place of the share. Periods without reports have\n"
    "no estimate.\n"
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
