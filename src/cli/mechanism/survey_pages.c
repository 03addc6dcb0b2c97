/* Pages of experiments of one table each: surveys, prices, routes to the centre of a body, and thresholds of
 * suppression. */
#include "cli/display/canvas.h"
#include "cli/display/curve_plot.h"
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/display/number_view.h"
#include "cli/mechanism/experiments.h"
#include "cli/terminal/command.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/owner.h"
#include "lab/experiment/body_routes.h"
#include "lab/experiment/survey_examples.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PATH_BYTES 4096
#define TEXT_BYTES 200

/* The paper's: epsilon 0.2, 0.1, 0.05 and delta 1e-4 to 1e-19; a billion values; beta 0.01. */
static const char *const epsilons[] = {"0.2", "0.1", "0.05"};
#define EPSILONS (sizeof epsilons / sizeof *epsilons)
#define FIRST_POWER 4
#define LAST_POWER 19
#define DELTAS (LAST_POWER - FIRST_POWER + 1)
#define VALUES "1000000000"
#define CONFIDENCE "0.99"

typedef struct figure {
    const char *epsilon[EPSILONS]; /* those that are asked for */
    char delta[DELTAS][TEXT_BYTES];
    size_t epsilons, deltas;
    const char *values, *confidence;
    scrim_suppression rows[EPSILONS][DELTAS];
    sc_output output; /* of the drawing */
    char path[PATH_BYTES];
} figure;

static scrim_status read_request(figure *f, const sc_options *options, scrim_error *error)
{
    const char *epsilon = options->value[SCRIM_OPTION_EPSILON];
    const char *delta = options->value[SCRIM_OPTION_DELTA];
    const char *folder = options->value[SCRIM_OPTION_SVG];
    f->values = options->value[SCRIM_OPTION_VALUES] == NULL
                    ? VALUES
                    : options->value[SCRIM_OPTION_VALUES];
    f->confidence = options->value[SCRIM_OPTION_CONFIDENCE] == NULL
                        ? CONFIDENCE
                        : options->value[SCRIM_OPTION_CONFIDENCE];
    f->epsilons = epsilon == NULL ? EPSILONS : 1;
    for (size_t i = 0; i < f->epsilons; i++)
        f->epsilon[i] = epsilon == NULL ? epsilons[i] : epsilon;
    f->deltas = delta == NULL ? DELTAS : 1;
    for (size_t i = 0; i < f->deltas && delta == NULL; i++)
        snprintf(f->delta[i], TEXT_BYTES, "1e-%zu", i + FIRST_POWER);
    if (delta != NULL && snprintf(f->delta[0], TEXT_BYTES, "%s", delta) >= TEXT_BYTES)
        return sc_complaint_fill(error, SCRIM_E_LIMIT, "--delta has too many digits");
    if (folder == NULL)
        return SCRIM_OK;
    if (snprintf(f->path, sizeof f->path, "%s/suppression.svg", folder) >= PATH_BYTES)
        return sc_refuse(error, "--svg: the name is too long");
    return sc_file_writer_check_in("--svg", folder, f->path, error);
}

static scrim_status compute(figure *f, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < f->epsilons; i++)
        for (size_t j = 0; j < f->deltas && status == SCRIM_OK; j++)
            status = scrim_suppression_of(f->epsilon[i], f->delta[j], f->values,
                                          f->confidence, &f->rows[i][j], error);
    return status;
}

/* Rows. */

/* Each cell of a row, by its column; a table for people has them in three boxes. */
static const sc_listing_column columns[] = {{.name = "epsilon"},
                                            {.name = "delta"},
                                            {"gamma_1", SC_KIND_WORD},
                                            {"gamma_0.1", SC_KIND_WORD},
                                            {"gamma_0.01", SC_KIND_WORD},
                                            {"threshold", SC_KIND_NUMBER},
                                            {"least", SC_KIND_NUMBER},
                                            {"range_formula", SC_KIND_WORD},
                                            {"range", SC_KIND_NUMBER},
                                            {"no_range", SC_KIND_WORD},
                                            {"zeros_positive", SC_KIND_WORD},
                                            {"zeros_formula", SC_KIND_WORD},
                                            {"zeros_threshold", SC_KIND_NUMBER}};
#define COLUMNS (sizeof columns / sizeof *columns)
#define ZEROS 10 /* the first column that no delta changes */

typedef char row_text[COLUMNS][SC_BOUND_BYTES];

/* All digits for programs, five for people. */
static void put_bound(double value, bool is_exact, char out[SC_BOUND_BYTES])
{
    if (is_exact)
        sc_bound_format_exact(value, out);
    else
        sc_bound_format(value, true, out);
}

static void put_count(uint64_t value, char out[SC_BOUND_BYTES])
{
    (void)snprintf(out, SC_BOUND_BYTES, "%" PRIu64, value);
}

static void fill_row(const scrim_suppression *row, bool is_exact, row_text out)
{
    for (size_t i = 0; i < SCRIM_SUPPRESSION_GAMMAS; i++)
        put_bound(row->printed_upper[i], is_exact, out[2 + i]);
    put_count(row->threshold, out[5]);
    put_count(row->least, out[6]);
    put_bound(row->width_printed_upper, is_exact, out[7]);
    put_count(row->width, out[8]);
    put_bound(row->none_upper, is_exact, out[9]);
    put_bound(row->zeros.positive_upper, is_exact, out[10]);
    put_bound(row->zeros.formula_upper, is_exact, out[11]);
    put_count(row->zeros.threshold, out[12]);
}

/* A table for people has every fifth delta. */
#define STRIDE 5

/* Rows, one for each stride of deltas: the first two cells, and those from column first to last. */
static void add_rows(const figure *f, size_t stride, size_t first, size_t last,
                     sc_listing *listing)
{
    for (size_t i = 0; i < f->epsilons; i++)
        for (size_t j = 0; j < f->deltas; j += stride) {
            row_text text;
            const char *cells[COLUMNS] = {f->epsilon[i], f->delta[j]};
            fill_row(&f->rows[i][j], listing->format != SCRIM_FORMAT_TABLE, text);
            for (size_t c = first; c <= last; c++)
                cells[2 + c - first] = text[c];
            sc_listing_add(listing, cells);
        }
}

static const struct {
    const char *name, *words;
    size_t first, last;
    sc_listing_column columns[COLUMNS];
} boxes[] = {
    {"thresholds",
     "the formula with gamma, what is enough, and what no mechanism can beat",
     2,
     6,
     {{.name = "epsilon"},
      {.name = "delta"},
      {.name = "gamma 1"},
      {.name = "0.1"},
      {.name = "0.01"},
      {.name = "enough"},
      {.name = "any"}}},
    {"ranges",
     "half-widths: the formula, what is enough, and the chance of no range",
     7,
     9,
     {{.name = "epsilon"},
      {.name = "delta"},
      {.name = "formula"},
      {.name = "enough"},
      {.name = "no range"}}},
    {"zeros",
     "of public keys, at every delta: the share that is positive, and thresholds "
     "without any",
     ZEROS,
     12,
     {{.name = "epsilon"},
      {.name = "delta"},
      {.name = "positive"},
      {.name = "formula"},
      {.name = "enough"}}}};

static scrim_status write_boxes(figure *f, const sc_terminal *terminal,
                                scrim_error *error)
{
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        sc_listing box = {.columns = boxes[i].columns,
                          .column_count = boxes[i].last - boxes[i].first + 3,
                          .output = &f->output,
                          .format = SCRIM_FORMAT_TABLE,
                          .terminal = terminal};
        sc_fold_line(&f->output, boxes[i].name, boxes[i].words, terminal->columns);
        const bool is_zeros = boxes[i].first == ZEROS;
        add_rows(f, is_zeros ? f->deltas : STRIDE, boxes[i].first, boxes[i].last, &box);
        SC_TRY(sc_listing_close(&box, SCRIM_OK, error));
    }
    if (f->deltas > 1)
        sc_fold_line(&f->output, "shown",
                     "every fifth delta; --delta D shows another, --format csv all",
                     terminal->columns);
    return SCRIM_OK;
}

/* The drawing: thresholds against 1/delta, a panel an epsilon. */

static const sc_panels suppression_panels = {
    .title = "Thresholds for counts that one unit changes by 1",
    .summary = "the formula 1 + (1 + gamma) ln(1/delta)/epsilon, and what is enough",
    .keys = {"enough", "gamma 1", "gamma 0.1", "gamma 0.01"}};

/* One panel, in a drawing or, where there is a terminal, there. */
static void write_panel(sc_output *output, const figure *f, size_t index,
                        const sc_terminal *terminal)
{
    double x[DELTAS], y[SC_PANELS_LINES][DELTAS];
    char title[40];
    sc_panel panel = {.title = title,
                      .x_name = "1 / delta",
                      .y_name = "threshold",
                      .x = x,
                      .count = f->deltas};
    snprintf(title, sizeof title, "epsilon %.6g", sc_number_view(f->epsilon[index]));
    for (size_t j = 0; j < f->deltas; j++) {
        x[j] = 1 / sc_number_view(f->delta[j]);
        y[0][j] = (double)f->rows[index][j].threshold;
        for (size_t i = 1; i < SC_PANELS_LINES; i++)
            y[i][j] = f->rows[index][j].printed_upper[i - 1];
    }
    for (size_t i = 0; i < SC_PANELS_LINES; i++)
        panel.y[i] = y[i];
    if (terminal == NULL)
        sc_panel_write(output, &suppression_panels, index, &panel);
    else
        sc_panel_terminal(output, &suppression_panels, &panel, terminal);
}

static void write_panels(sc_output *output, const figure *f, const sc_terminal *terminal)
{
    for (size_t i = 0; i < f->epsilons; i++)
        write_panel(output, f, i, terminal);
}

static void write_drawing(const void *context, sc_output *output)
{
    const figure *f = context;
    sc_panels_open(output, &suppression_panels, f->epsilons);
    write_panels(output, f, NULL);
    sc_svg_close(output);
}

/* Both. */

/* The figure below the table, or on standard error beside rows for programs. */
static scrim_status write_screen(figure *f, const sc_terminal *terminal, bool is_error,
                                 scrim_error *error)
{
    if (is_error)
        sc_output_init(&f->output, STDERR_FILENO);
    write_panels(&f->output, f, terminal);
    return sc_output_finish(&f->output, error);
}

static scrim_status write_rows(figure *f, const sc_options *options, scrim_error *error)
{
    sc_terminal terminal;
    sc_format format;
    scrim_status status = sc_options_screen(options, &terminal, &format, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_init_screen(&f->output, STDOUT_FILENO, format);
    if (format == SCRIM_FORMAT_TABLE) {
        status = write_boxes(f, &terminal, error);
    } else {
        sc_listing listing = SC_LISTING(columns, &f->output, format, &terminal);
        (void)sc_listing_open(&listing);
        add_rows(f, 1, 2, COLUMNS - 1, &listing);
        status = sc_listing_close(&listing, SCRIM_OK, error);
    }
    const bool is_table = format == SCRIM_FORMAT_TABLE,
               has_plot = sc_options_has(options, SCRIM_OPTION_PLOT);
    if (status == SCRIM_OK && (!has_plot || !is_table))
        status = sc_output_finish(&f->output, error);
    return status == SCRIM_OK && has_plot ? write_screen(f, &terminal, !is_table, error)
                                          : status;
}

static scrim_status say_written(const char *path, scrim_error *error)
{
    sc_output talk;
    sc_output_init(&talk, STDERR_FILENO);
    sc_output_format(&talk, "wrote %s\n", path);
    return sc_output_finish(&talk, error);
}

scrim_status sc_suppression_show(const sc_options *options, scrim_error *error)
{
    SC_FREED figure *f = calloc(1, sizeof *f);
    if (f == NULL)
        return sc_out_of_memory(error, "an experiment");
    if (options->word_count > 2)
        return sc_refuse(error, "this experiment uses no data; leave '%s' out",
                         options->words[2]);
    SC_TRY(read_request(f, options, error));
    SC_TRY(compute(f, error));
    if (options->value[SCRIM_OPTION_SVG] != NULL) {
        SC_TRY(sc_folder_make("--svg", options->value[SCRIM_OPTION_SVG], error));
        SC_TRY(sc_file_write("--svg", f->path, write_drawing, f, error));
    }
    SC_TRY(write_rows(f, options, error));
    return f->path[0] == '\0' || sc_options_has(options, SCRIM_OPTION_QUIET)
               ? SCRIM_OK
               : say_written(f->path, error);
}

/* Linear queries. */

static const sc_listing_column bound_columns[] = {
    {.name = "bound"}, {.name = "kind"}, {"error", SC_KIND_NUMBER}, {.name = "source"}};

/* An error that is enough is shown rounded up, a limit rounded down. */
static void survey_put_bound(sc_listing *page, const lab_linear_bound *bound)
{
    char error[SC_BOUND_BYTES];
    if (page->format == SCRIM_FORMAT_TABLE)
        sc_bound_format(bound->error, !bound->is_limit, error);
    else
        sc_bound_format_exact(bound->error, error);
    const char *cells[] = {bound->name, bound->is_limit ? "limit" : "enough", error,
                           bound->source};
    sc_listing_add(page, cells);
}

scrim_status sc_linear_bounds_show(const sc_options *options, scrim_error *error)
{
    lab_linear_bounds bounds;
    sc_listing *page = NULL;
    char *line = sc_word_line(options->words + 2, options->word_count - 2);
    if (line == NULL)
        return sc_out_of_memory(error, "the arguments");
    scrim_status status = lab_linear_bounds_of(line, &bounds, error);
    free(line);
    if (status == SCRIM_OK)
        status = sc_page_new(options, bound_columns,
                             sizeof bound_columns / sizeof *bound_columns, &page, error);
    if (status != SCRIM_OK)
        return status;
    page->heading = bounds.text;
    for (size_t i = 0; i < bounds.count; i++)
        survey_put_bound(page, &bounds.list[i]);
    return sc_page_end(page, SCRIM_OK, error);
}

/* The sale. */

typedef struct sale {
    lab_pricing found;
    sc_terminal terminal;
    sc_format format;
    sc_output output; /* standard output, or the drawing */
    char path[PATH_BYTES];
} sale;

/* Rows. */

static const sc_listing_column sale_columns[] = {
    {"buyers", SC_KIND_NUMBER},     {"price", SC_KIND_NUMBER},
    {"revenue", SC_KIND_NUMBER},    {"chance", SC_KIND_NUMBER},
    {"best", SC_KIND_NUMBER},       {"expected", SC_KIND_NUMBER},
    {"loss_bound", SC_KIND_NUMBER}, {"loss", SC_KIND_NUMBER},
    {"nothing", SC_KIND_NUMBER}};

static void survey_write_rows(sale *s, sc_listing *listing)
{
    for (size_t c = 0; c < LAB_PRICING_CROWDS; c++)
        for (size_t i = 0; i < s->found.prices; i++) {
            const lab_pricing_crowd *crowd = &s->found.crowd[c];
            sc_listing_put(listing, "%" PRIu64, crowd->buyers);
            sc_listing_put(listing, "%.6g", s->found.price[i]);
            sc_listing_put(listing, "%.6g",
                           s->found.revenue[i] * (double)crowd->buyers /
                               (double)s->found.valuations);
            sc_listing_put(listing, "%.6g", crowd->chance[i]);
            sc_listing_put(listing, "%.6g", crowd->best);
            sc_listing_put(listing, "%.6g", crowd->expected);
            sc_listing_put(listing, "%.6g", crowd->loss_bound);
            sc_listing_put(listing, "%.6g", crowd->loss);
            sc_listing_put(listing, "%.6g", crowd->nothing);
        }
}

static scrim_status write_prices(sale *s, scrim_error *error)
{
    char names[LAB_PRICING_CROWDS][40], buyers[40];
    sc_listing_column box[3 + LAB_PRICING_CROWDS] = {
        {.name = "price"}, {.name = buyers}, {.name = "revenue"}};
    (void)snprintf(buyers, sizeof buyers, "buyers of %zu", s->found.valuations);
    for (size_t c = 0; c < LAB_PRICING_CROWDS; c++) {
        (void)snprintf(names[c], sizeof names[c], "%s%" PRIu64 "%s",
                       c == 0 ? "chance: " : "", s->found.crowd[c].buyers,
                       c + 1 == LAB_PRICING_CROWDS ? " buyers" : "");
        box[3 + c].name = names[c];
    }
    sc_listing listing = SC_LISTING(box, &s->output, SCRIM_FORMAT_TABLE, &s->terminal);
    sc_fold_line(&s->output, "prices", "how likely each is chosen, by number of buyers",
                 s->terminal.columns);
    for (size_t i = 0; i < s->found.prices; i++) {
        sc_listing_put(&listing, "%.2f", s->found.price[i]);
        sc_listing_put(&listing, "%u", s->found.buyers[i]);
        sc_listing_put(&listing, "%.2f", s->found.revenue[i]);
        for (size_t c = 0; c < LAB_PRICING_CROWDS; c++)
            sc_listing_put(&listing, "%.4f", s->found.crowd[c].chance[i]);
    }
    return sc_listing_close(&listing, SCRIM_OK, error);
}

static scrim_status write_crowds(sale *s, scrim_error *error)
{
    static const sc_listing_column box[] = {
        {.name = "buyers"},       {.name = "best revenue"}, {.name = "expected"},
        {.name = "loss at most"}, {.name = "by the law"},   {.name = "sells nothing"}};
    sc_listing listing = SC_LISTING(box, &s->output, SCRIM_FORMAT_TABLE, &s->terminal);
    sc_fold_line(&s->output, "revenue",
                 "expected, and lost with the confidence: by Theorem 4.5, and by the "
                 "exact distribution",
                 s->terminal.columns);
    for (size_t c = 0; c < LAB_PRICING_CROWDS; c++) {
        const lab_pricing_crowd *crowd = &s->found.crowd[c];
        sc_listing_put(&listing, "%" PRIu64, crowd->buyers);
        sc_listing_put(&listing, "%.2f", crowd->best);
        sc_listing_put(&listing, "%.2f", crowd->expected);
        sc_listing_put(&listing, "%.2f", crowd->loss_bound);
        sc_listing_put(&listing, "%.2f", crowd->loss);
        sc_listing_put(&listing, "%.4f", crowd->nothing);
    }
    return sc_listing_close(&listing, SCRIM_OK, error);
}

static scrim_status survey_write_boxes(sale *s, scrim_error *error)
{
    char words[200];
    sc_fold_line(&s->output, "mechanism", s->found.text, s->terminal.columns);
    scrim_status status = write_prices(s, error);
    if (status == SCRIM_OK)
        status = write_crowds(s, error);
    (void)snprintf(words, sizeof words,
                   "noise on the largest valuation, at the same cost, makes a price that "
                   "nobody pays with probability %.4f",
                   s->found.overstep);
    sc_fold_line(&s->output, "instead", words, s->terminal.columns);
    return status;
}

static scrim_status write_sale(sale *s, scrim_error *error)
{
    sc_output_init_screen(&s->output, STDOUT_FILENO, s->format);
    if (s->format == SCRIM_FORMAT_TABLE) {
        SC_TRY(survey_write_boxes(s, error));
    } else {
        sc_listing listing =
            SC_LISTING(sale_columns, &s->output, s->format, &s->terminal);
        (void)sc_listing_open(&listing);
        survey_write_rows(s, &listing);
        SC_TRY(sc_listing_close(&listing, SCRIM_OK, error));
    }
    return sc_output_finish(&s->output, error);
}

/* The drawing: the revenue of each price, and how likely it is chosen. */
static void survey_write_drawing(const void *context, sc_output *output)
{
    const sale *s = context;
    char names[LAB_PRICING_CROWDS][40];
    sc_panels panels = {
        .title = "A price for buyers who keep their valuations private",
        .summary = "the revenue, and how likely the exponential mechanism chooses each "
                   "price"};
    for (size_t c = 0; c < LAB_PRICING_CROWDS; c++) {
        (void)snprintf(names[c], sizeof names[c], "%" PRIu64 " buyers",
                       s->found.crowd[c].buyers);
        panels.keys[c] = names[c];
    }
    sc_panel panel = {.x_name = "price",
                      .y_name = "revenue",
                      .x_step = 0.5,
                      .x = s->found.price,
                      .count = s->found.prices,
                      .y = {s->found.revenue}};
    _Static_assert(LAB_PRICING_CROWDS == SC_PANELS_LINES, "each has a line");
    sc_panels_open(output, &panels, 2);
    sc_panel_write(output, &panels, 0, &panel);
    panel.y_name = "chance";
    for (size_t c = 0; c < LAB_PRICING_CROWDS; c++)
        panel.y[c] = s->found.crowd[c].chance;
    sc_panel_write(output, &panels, 1, &panel);
    sc_svg_close(output);
}

static scrim_status survey_read_request(sale *s, const sc_options *options,
                                        scrim_error *error)
{
    const char *folder = options->value[SCRIM_OPTION_SVG];
    if (folder != NULL &&
        snprintf(s->path, sizeof s->path, "%s/pricing.svg", folder) >= PATH_BYTES)
        return sc_refuse(error, "--svg: the name is too long");
    SC_TRY(folder == NULL ? SCRIM_OK
                          : sc_file_writer_check_in("--svg", folder, s->path, error));
    return sc_options_screen(options, &s->terminal, &s->format, error);
}

scrim_status sc_pricing_show(const sc_options *options, scrim_error *error)
{
    const char *epsilon = options->value[SCRIM_OPTION_EPSILON];
    const char *confidence = options->value[SCRIM_OPTION_CONFIDENCE];
    SC_FREED sale *s = calloc(1, sizeof *s);
    if (s == NULL)
        return sc_out_of_memory(error, "an experiment");
    SC_TRY(survey_read_request(s, options, error));
    SC_FREED char *line = sc_word_line(options->words + 2, options->word_count - 2);
    if (line == NULL)
        return sc_out_of_memory(error, "the arguments");
    SC_TRY(lab_pricing_of(line, epsilon == NULL ? "1" : epsilon,
                          confidence == NULL ? "0.95" : confidence, &s->found, error));
    if (s->path[0] != '\0') {
        SC_TRY(sc_folder_make("--svg", options->value[SCRIM_OPTION_SVG], error));
        SC_TRY(sc_file_write("--svg", s->path, survey_write_drawing, s, error));
    }
    return write_sale(s, error);
}

/* Routes to the centre of a body. */

#define RUNS_LIMIT 1000
#define RUNS_USUAL 20

static const sc_listing_column route_columns[] = {
    {"units", SC_KIND_NUMBER},           {"plain", SC_KIND_NUMBER},
    {"route_b", SC_KIND_NUMBER},         {"route_c", SC_KIND_NUMBER},
    {"route_c_answers", SC_KIND_NUMBER}, {"sigma", SC_KIND_NUMBER}};

static void write_route(sc_listing *listing, const lab_body_routes_row *row)
{
    sc_listing_put(listing, "%" PRIu64, row->units);
    sc_listing_put(listing, "%.3g", row->plain);
    sc_listing_put(listing, "%.3g", row->quantiles);
    if (isnan(row->noise))
        sc_listing_put(listing, "%s", "");
    else
        sc_listing_put(listing, "%.3g", row->noise);
    sc_listing_put(listing, "%.3g", row->answered);
    sc_listing_put(listing, "%.3g", row->sigma);
}

static scrim_status write_routes(const lab_body_routes *found, sc_terminal *terminal,
                                 sc_format format, scrim_error *error)
{
    sc_output output;
    sc_output_init_screen(&output, STDOUT_FILENO, format);
    sc_listing listing = SC_LISTING(route_columns, &output, format, terminal);
    (void)sc_listing_open(&listing);
    for (size_t i = 0; i < LAB_BODY_ROUTES_ROWS; i++)
        write_route(&listing, &found->row[i]);
    SC_TRY(sc_listing_close(&listing, SCRIM_OK, error));
    return sc_output_finish(&output, error);
}

scrim_status sc_body_routes_show(const sc_options *options, scrim_error *error)
{
    lab_body_routes found;
    sc_terminal terminal;
    sc_format format;
    uint64_t runs = 0;
    if (options->word_count > 2)
        return sc_refuse(error, "experiments generate their data; leave '%s' out",
                         options->words[2]);
    SC_TRY(sc_options_number(options, SCRIM_OPTION_RUNS, RUNS_LIMIT, RUNS_USUAL, &runs,
                             error));
    SC_TRY(sc_options_screen(options, &terminal, &format, error));
    SC_TRY(lab_body_routes_run(runs, &found, error));
    return write_routes(&found, &terminal, format, error);
}
