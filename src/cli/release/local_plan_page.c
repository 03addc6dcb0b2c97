/* scrim local plan --users N --domain K --epsilon E: a table of all protocols (scrim/local_plan.h), and a drawing
 * of the error against epsilon. */
#include "cli/display/canvas.h"
#include "cli/display/chart.h"
#include "cli/display/listing.h"
#include "cli/release/local_files.h"
#include "cli/release/local_lifetime.h"
#include "cli/release/subcommands.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/options.h"
#include "cli/terminal/output.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/screen.h"
#include "cli/terminal/terminal.h"
#include "scrim.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SC_LOCAL_PLAN_LINES 2

#define SC_LOCAL_PLAN_POINTS 17

/* Standard errors of the recommended protocol and of another one, at each epsilon. */
typedef struct sc_local_plan_curve {
    char title[120];
    const char *names[SC_LOCAL_PLAN_LINES];
    double epsilon[SC_LOCAL_PLAN_POINTS];
    double error[SC_LOCAL_PLAN_LINES][SC_LOCAL_PLAN_POINTS]; /* infinite: no error */
    double chosen_epsilon, chosen_error;
    const char *y_name;
} sc_local_plan_curve;

typedef struct plan_state {
    scrim_local_plan_options asked;
    scrim_local_plan plan;
    sc_local_lifetime life;
    sc_local_plan_curve curve;
    sc_screen screen;
} plan_state;

/* A plan for local privacy (scrim/local_plan.h) as a table of all protocols, and as a drawing of the
 * error against epsilon. */

/* The table. */

static const sc_listing_column columns[] = {
    {.name = "protocol"},
    {.name = "answers"},
    {"bytes", SC_KIND_NUMBER | SC_NULLABLE | SC_RIGHT},
    {"error", SC_KIND_WORD | SC_NULLABLE},
    {"detectable", SC_KIND_WORD | SC_NULLABLE},
    {"epsilon", SC_KIND_WORD | SC_NULLABLE},
    {"lifetime", SC_KIND_WORD | SC_NULLABLE},
    {"fake_0.1%", SC_KIND_WORD | SC_NULLABLE},
    {"fake_1%", SC_KIND_WORD | SC_NULLABLE},
    {"fake_5%", SC_KIND_WORD | SC_NULLABLE},
    {"targets", SC_KIND_NUMBER | SC_NULLABLE | SC_RIGHT},
    {"config", SC_KIND_TEXT | SC_NULLABLE}};

#define COLUMNS (sizeof columns / sizeof *columns)
#define CELL_BYTES SCRIM_LOCAL_PLAN_TEXT_BYTES

/* Writes a number with that many digits; 0 leaves the cell empty. */
static void put_number(double number, int digits, char out[CELL_BYTES])
{
    if (number > 0)
        snprintf(out, CELL_BYTES, "%.*g", digits, number);
}

static void put_config(const char *config, char out[CELL_BYTES])
{
    snprintf(out, CELL_BYTES, "%.*s", (int)strcspn(config, "\n"), config);
}

/* People are told that a share of 1 or more is beyond all, not how far. digits = 0: for programs. */
static void put_share(double share, int digits, const char *beyond, char out[CELL_BYTES])
{
    if (digits > 0 && share >= 1)
        snprintf(out, CELL_BYTES, "%s", beyond);
    else
        put_number(share, digits > 0 ? digits : 9, out);
}

/* People are told which protocols cost more than the budget that was asked for. */
static void put_lifetime(const scrim_local_plan_row *row, double budget,
                         char out[CELL_BYTES])
{
    const bool is_above = budget > 0 && row->lifetime_upper > budget;
    snprintf(out, CELL_BYTES, "%.3g%s", row->lifetime_upper, is_above ? " !" : "");
}

static void put_cells(const scrim_local_plan_row *row, bool is_table, double budget,
                      char cells[COLUMNS][CELL_BYTES])
{
    snprintf(cells[0], CELL_BYTES, "%s", row->protocol);
    snprintf(cells[1], CELL_BYTES, "%s", row->answers);
    if (row->config[0] == '\0')
        return;
    snprintf(cells[2], CELL_BYTES, "%zu", row->report_bytes);
    put_number(row->standard_error, is_table ? 3 : 9, cells[3]);
    put_share(row->detectable, is_table ? 3 : 0, "not found", cells[4]);
    put_number(row->loss_upper, is_table ? 3 : 9, cells[5]);
    if (is_table)
        put_lifetime(row, budget, cells[6]);
    else
        put_number(row->lifetime_upper, 9, cells[6]);
    for (size_t i = 0; i < SCRIM_LOCAL_PLAN_SHARES; i++)
        put_share(row->raised[i], is_table ? 2 : 0, "all", cells[7 + i]);
    if (row->targets > 0)
        snprintf(cells[10], CELL_BYTES, "%" PRIu64, row->targets);
    put_config(row->config, cells[11]);
}

/* People are shown what fits 80 columns: names, and the column of each. */
static const sc_listing_column shown[] = {{.name = "protocol"}, {"bytes", SC_RIGHT},
                                          {.name = "error"},    {.name = "detectable"},
                                          {.name = "lifetime"}, {.name = "5% fake"}};
static const size_t places[] = {0, 2, 3, 4, 6, 9};

/* Can the protocol answer the question? A mean follows from a distribution, and texts may be found in any way. */
static bool is_answering(const scrim_local_plan *plan, const scrim_local_plan_row *row)
{
    const char *asked = plan->rows[plan->recommended].answers;
    return row->config[0] != '\0' && row->standard_error > 0 &&
           (strcmp(asked, "texts") == 0 || strcmp(row->answers, asked) == 0 ||
            (strcmp(asked, "distribution") == 0 && strcmp(row->answers, "mean") == 0));
}

/* A table has those that answer the question; other formats have all. */
static void put_rows(sc_listing *listing, const plan_state *state, bool is_table)
{
    const scrim_local_plan *plan = &state->plan;
    for (size_t i = 0; i < plan->count; i++) {
        if (is_table && !is_answering(plan, &plan->rows[i]))
            continue;
        char text[COLUMNS][CELL_BYTES] = {""};
        const char *cells[COLUMNS];
        put_cells(&plan->rows[i], is_table, state->life.budget, text);
        for (size_t k = 0; k < listing->column_count; k++)
            cells[k] = text[is_table ? places[k] : k];
        sc_listing_add(listing, cells);
    }
}

/* Is the error that of a mean? Errors of fractions cannot be compared with it. */
static bool is_of_mean(const scrim_local_plan_row *row)
{
    return strcmp(row->answers, "distribution") == 0 || strcmp(row->answers, "mean") == 0;
}

static bool has_above(const plan_state *state)
{
    const scrim_local_plan *plan = &state->plan;
    bool has = false;
    for (size_t i = 0; i < plan->count && state->life.budget > 0; i++)
        has |= is_answering(plan, &plan->rows[i]) &&
               plan->rows[i].lifetime_upper > state->life.budget;
    return has;
}

static void put_words(sc_output *output, const plan_state *state)
{
    const scrim_local_plan *plan = &state->plan;
    const bool is_repeated = state->life.is_constant && state->life.all > 1;
    const scrim_local_plan_row *row = &plan->rows[plan->recommended];
    sc_output_format(output, "recommended: %s (%s)\n", row->protocol, plan->reason);
    sc_output_format(output, "configuration: %s", row->config);
    if (is_repeated)
        sc_output_text(
            output, "lifetime: charged by the device's state; a report that is sent once "
                    "and stored costs its epsilon once\n");
    if (has_above(state))
        sc_output_format(output, "!: more than the lifetime of %.6g\n",
                         state->life.budget);
    sc_output_text(output, "all questions of a device share its budget; this plan counts "
                           "one\n");
    if (plan->share_error > 0)
        sc_output_format(
            output,
            "decode with --post em-smooth: without it the share of one value "
            "has a standard error of %.2g\n",
            plan->share_error);
    sc_output_format(
        output,
        "column error: standard error of %s\n"
        "column detectable: a fraction that is found with probability 0.9\n"
        "column 5%% fake: how much one estimate rises if 5 %% of the reports are forged; "
        "all: to the whole\n",
        is_of_mean(row) ? "the mean, as a fraction of the range"
                        : "a rare value's fraction");
}

/* The rows, and before them in JSON, below them in a table, what is recommended and why. SCRIM_E_MEMORY. */
static scrim_status sc_local_plan_write(sc_screen *screen, const plan_state *state,
                                        scrim_error *error)
{
    const scrim_local_plan *plan = &state->plan;
    const sc_format format = screen->format;
    const sc_terminal *terminal = &screen->terminal;
    sc_output *output = &screen->output;
    const bool is_table = format == SCRIM_FORMAT_TABLE;
    sc_listing listing = SC_LISTING(columns, output, format, terminal);
    if (is_table) {
        listing.columns = shown;
        listing.column_count = sizeof shown / sizeof *shown;
    }
    sc_json *json = is_table ? NULL : sc_listing_open(&listing);
    if (json != NULL) {
        sc_json_text(json, "recommended", plan->rows[plan->recommended].protocol);
        sc_json_text(json, "reason", plan->reason);
        if (state->life.budget > 0)
            sc_json_count(json, "every", state->life.every);
        if (plan->values_fit > 0)
            sc_json_count(json, "values_fit", plan->values_fit);
        if (plan->share_error > 0)
            sc_json_double(json, "share_error", plan->share_error);
    }
    put_rows(&listing, state, is_table);
    SC_TRY(sc_listing_close(&listing, SCRIM_OK, error));
    if (is_table)
        put_words(output, state);
    return SCRIM_OK;
}

/* The drawing. */

#define LEAST 0.1
#define MOST 8.0
#define HEIGHT 450
#define LEFT 80

static double error_of(const scrim_local_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->count; i++)
        if (strcmp(plan->rows[i].protocol, name) == 0 && plan->rows[i].standard_error > 0)
            return plan->rows[i].standard_error;
    return HUGE_VAL;
}

/* Beside the recommended one the first other of the list whose error is of the same quantity. */
static void name_lines(const scrim_local_plan *plan, sc_local_plan_curve *out)
{
    const scrim_local_plan_row *best = &plan->rows[plan->recommended];
    out->names[0] = best->protocol;
    for (size_t i = 0; i < plan->count && out->names[1] == NULL; i++)
        if (i != plan->recommended && is_of_mean(&plan->rows[i]) == is_of_mean(best))
            out->names[1] = plan->rows[i].protocol;
}

/* Plans for the epsilons around the one that was asked for. */
static scrim_status sc_local_plan_curve_find(const scrim_local_plan_options *options,
                                             const scrim_local_plan *plan,
                                             sc_local_plan_curve *out, scrim_error *error)
{
    scrim_local_plan_options asked = *options;
    SC_FREED scrim_local_plan *at = malloc(sizeof *at);
    if (at == NULL)
        return sc_out_of_memory(error, "a drawing");
    name_lines(plan, out);
    out->y_name = is_of_mean(&plan->rows[plan->recommended])
                      ? "standard error of the mean"
                      : "standard error";
    snprintf(out->title, sizeof out->title, "%" PRIu64 " devices: %s", options->users,
             out->names[0]);
    out->chosen_epsilon = plan->rows[plan->recommended].loss_upper;
    out->chosen_error = plan->rows[plan->recommended].standard_error;
    for (size_t i = 0; i < SC_LOCAL_PLAN_POINTS; i++) {
        char epsilon[32];
        const double part = (double)i / (SC_LOCAL_PLAN_POINTS - 1);
        snprintf(epsilon, sizeof epsilon, "%.6f", LEAST * pow(MOST / LEAST, part));
        out->epsilon[i] = strtod(epsilon, NULL);
        asked.epsilon = epsilon;
        SC_TRY(scrim_local_plan_find(&asked, at, error));
        for (size_t k = 0; k < SC_LOCAL_PLAN_LINES; k++)
            out->error[k][i] = error_of(at, out->names[k]);
    }
    return SCRIM_OK;
}

static sc_chart chart_of(const sc_local_plan_curve *curve)
{
    sc_chart chart = {.title = curve->title,
                      .points = curve->epsilon,
                      .count = SC_LOCAL_PLAN_POINTS,
                      .stride = 1,
                      .line_count = SC_LOCAL_PLAN_LINES,
                      .has_dot = true,
                      .dot_x = curve->chosen_epsilon,
                      .dot_y = curve->chosen_error,
                      .dot_hex = SC_ORANGE_HEX,
                      .names_y = true,
                      .rows = 15,
                      .label_chars = 8,
                      .margin = 8};
    sc_chart_axis_init(&chart.x, "epsilon", true);
    sc_chart_axis_init(&chart.y, curve->y_name, true);
    for (size_t k = 0; k < SC_LOCAL_PLAN_LINES; k++) {
        chart.lines[k] = (sc_chart_line){.words = curve->names[k], .y = curve->error[k]};
        for (size_t i = 0; i < SC_LOCAL_PLAN_POINTS; i++) {
            sc_chart_axis_widen(&chart.x, curve->epsilon[i]);
            if (isfinite(curve->error[k][i]))
                sc_chart_axis_widen(&chart.y, curve->error[k][i]);
        }
    }
    sc_chart_axis_label_log(&chart.x);
    sc_chart_axis_label_log(&chart.y);
    snprintf(chart.dot_words, sizeof chart.dot_words, "epsilon %.4g: %.3g",
             curve->chosen_epsilon, curve->chosen_error);
    return chart;
}

static void sc_local_plan_curve_terminal(sc_output *output,
                                         const sc_local_plan_curve *curve,
                                         const sc_terminal *terminal)
{
    const sc_chart chart = chart_of(curve);
    sc_chart_terminal_write(output, &chart, terminal);
}

static void sc_local_plan_curve_svg(sc_output *output, const sc_local_plan_curve *curve)
{
    static const sc_svg_field field = {
        .left = LEFT, .right = SC_SVG_WIDTH - 20, .top = 80, .bottom = HEIGHT - 60};
    char summary[200];
    const sc_chart chart = chart_of(curve);
    snprintf(summary, sizeof summary, "standard error of %s (thin) and %s (broad); %s",
             curve->names[0], curve->names[1], chart.dot_words);
    sc_svg_open_headed(
        output, HEIGHT,
        &(sc_svg_heading){.title = curve->title, .summary = summary, .x = LEFT, .y = 24});
    sc_chart_svg_write(output, &chart, &field);
    sc_svg_close(output);
}

/* scrim local plan --users N --domain K --epsilon E */
#define USERS_LIMIT (UINT64_C(1) << 40)
#define PERIODS_LIMIT (UINT64_C(1) << 32)

static scrim_status fail_domain(const sc_options *options, scrim_error *error)
{
    if (sc_options_has(options, SCRIM_OPTION_UNKNOWN))
        return sc_refuse(error, "--unknown has no list of values; leave --domain out");
    return sc_refuse(error, "missing --domain N, the number of values; for texts that "
                            "nobody has listed use --unknown --length BYTES");
}

static scrim_status read_asked(plan_state *plan, const sc_options *options,
                               scrim_error *error)
{
    scrim_local_plan_options *asked = &plan->asked;
    *asked = (scrim_local_plan_options){
        .size = sizeof *asked,
        .epsilon = options->value[SCRIM_OPTION_EPSILON],
        .is_constant = sc_options_has(options, SCRIM_OPTION_CONSTANT),
        .is_ordered = sc_options_has(options, SCRIM_OPTION_ORDERED),
        .question = options->word_count > 2 ? options->words[2] : NULL};
    if (options->word_count > 3)
        return sc_refuse(error,
                         "unexpected argument '%.40s'; the name of a question is "
                         "one word",
                         options->words[3]);
    const bool is_free =
        asked->epsilon == NULL && !sc_options_has(options, SCRIM_OPTION_LIFETIME);
    if (!sc_options_has(options, SCRIM_OPTION_USERS) || is_free)
        return sc_refuse(error, "missing %s",
                         is_free ? "--epsilon E, of one report, or --lifetime E, of all"
                                 : "--users N, the number of devices");
    if (sc_options_has(options, SCRIM_OPTION_UNKNOWN) ==
        sc_options_has(options, SCRIM_OPTION_DOMAIN))
        return fail_domain(options, error);
    SC_TRY(sc_options_number(options, SCRIM_OPTION_USERS, USERS_LIMIT, 0, &asked->users,
                             error));
    SC_TRY(sc_options_number(options, SCRIM_OPTION_DOMAIN, UINT32_MAX, 0, &asked->domain,
                             error));
    if (sc_options_has(options, SCRIM_OPTION_DOMAIN) && asked->domain == 0)
        asked->domain = 1; /* which is refused, too */
    SC_TRY(sc_options_number(options, SCRIM_OPTION_LENGTH, 31, 0, &asked->length, error));
    SC_TRY(sc_options_number(options, SCRIM_OPTION_PERIODS, PERIODS_LIMIT, 1,
                             &asked->periods, error));
    return sc_local_lifetime_read(&plan->life, options, asked, error);
}

static scrim_status write_table(void *context, sc_screen *screen, scrim_error *error)
{
    return sc_local_plan_write(screen, context, error);
}

static void draw(const void *context, sc_output *output, const sc_terminal *terminal)
{
    sc_local_plan_curve_terminal(output, &((const plan_state *)context)->curve, terminal);
}

static void draw_svg(const void *context, sc_output *output)
{
    sc_local_plan_curve_svg(output, &((const plan_state *)context)->curve);
}

static void write_config(const void *context, sc_output *output)
{
    const scrim_local_plan *plan = context;
    sc_output_text(output, plan->rows[plan->recommended].config);
}

/* Devices that have another configuration would answer it no more: a file that is there must have this one. */
static scrim_status write_out(const char *out, const scrim_local_plan *plan,
                              scrim_error *error)
{
    SC_OWNED(sc_whole_file_clear) sc_whole_file there = {.bytes = NULL};
    struct stat found;
    if (stat(out, &found) == 0 && S_ISREG(found.st_mode) && found.st_size > 0) {
        scrim_error unread = {.status = SCRIM_OK};
        const bool is_same =
            sc_whole_file_read(out, SCRIM_LOCAL_PLAN_TEXT_BYTES, &there, &unread) ==
                SCRIM_OK &&
            strcmp(there.bytes, plan->rows[plan->recommended].config) == 0;
        if (!is_same)
            return sc_refuse(error,
                             "'%.120s' is there and has something else; remove it, or "
                             "give another --out",
                             out);
    }
    return sc_file_write("--out", out, write_config, plan, error);
}

static scrim_status run_plan(const sc_options *options, scrim_error *error)
{
    static const sc_screen_page page = {write_table, draw, draw_svg, NULL, false};
    const char *out = options->value[SCRIM_OPTION_OUT];
    SC_FREED plan_state *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    SC_TRY(sc_screen_read(options, &plan->screen, error));
    SC_TRY(read_asked(plan, options, error));
    if (out != NULL)
        SC_TRY(sc_file_writer_check("--out", out, error));
    SC_TRY(sc_local_lifetime_plan(&plan->life, &plan->asked, &plan->plan, error));
    if (sc_screen_draws(&plan->screen))
        SC_TRY(sc_local_plan_curve_find(&plan->asked, &plan->plan, &plan->curve, error));
    if (out != NULL)
        SC_TRY(write_out(out, &plan->plan, error));
    SC_TRY(sc_screen_show(&plan->screen, &page, plan, error));
    if (!plan->screen.quiet)
        sc_local_lifetime_talk(&plan->life, &plan->asked, &plan->plan);
    return SCRIM_OK;
}

static const char usage[] =
    "Recommends a protocol for a number of devices and values before anything is\n"
    "collected. It shows all protocols beside it: bytes of a report, standard error,\n"
    "the smallest fraction that is found, epsilon of one report and of all periods,\n"
    "and how much one estimate rises if 0.1 %, 1 % or 5 % of the reports are fake.\n"
    "QUESTION is its name in the configuration, question if left out: a device that\n"
    "is asked two questions of one name answers one of them in a period.\n"
    "\n"
    "  --users N          devices of the fleet; all report in each period, unless\n"
    "                     they take turns (--lifetime)\n"
    "  --domain K         the number of values\n"
    "  --unknown          texts that nobody has listed, in place of --domain\n"
    "  --length N         their bytes, at most 31 (default 8)\n"
    "  --epsilon E        of one report, at most 8\n"
    "  --lifetime E       of all reports of a device: without --epsilon it is divided\n"
    "                     among the periods; with it, devices take turns\n"
    "  --periods N        periods in which a device reports (default 1)\n"
    "  --constant         the value of a device never changes\n"
    "  --ordered          values are numbers; show their distribution\n"
    "  --out FILE         write the recommended configuration for the devices; never\n"
    "                     over another one\n"
    "  --plot             draw the error against epsilon\n"
    "  --svg FILE         write the same drawing to a file\n"
    "  --quiet            no drawing on standard error\n"
    "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
    "  --json             short for --format json\n"
    "\n"
    "example: scrim local plan emoji --users 1e6 --domain 5000 --epsilon 2\n";

const sc_command sc_local_plan_command = {
    .name = "plan",
    .synopsis = "[QUESTION] --users N --domain K --epsilon E [OPTION...]",
    .summary = "recommend a protocol, and show all side by side",
    .usage = usage,
    .kind = SC_COMMAND_PLAN,
    .options =
        SC_OPTION_SET(SCRIM_OPTION_USERS, SCRIM_OPTION_DOMAIN, SCRIM_OPTION_EPSILON,
                      SCRIM_OPTION_UNKNOWN, SCRIM_OPTION_LENGTH, SCRIM_OPTION_PERIODS,
                      SCRIM_OPTION_CONSTANT, SCRIM_OPTION_ORDERED, SCRIM_OPTION_LIFETIME,
                      SCRIM_OPTION_OUT),
    .run = run_plan,
};
