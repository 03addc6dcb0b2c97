#include "cli/lab/experiments.h"
#include "cli/plot/panels.h"
#include "cli/plot/svg_plot.h"
#include "cli/sheet/fold.h"
#include "cli/sheet/listing.h"
#include "cli/sheet/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/word_line.h"
#include "lab/experiment/body_routes.h"
#include "lab/experiment/survey_examples.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Linear queries. */

static const sc_listing_column bound_columns[] = {
    {.name = "bound"}, {.name = "kind"}, {"error", SC_KIND_NUMBER}, {.name = "source"}};

/* An error that is enough is shown rounded up, a limit rounded down. */
static void put_bound(sc_listing *page, const lab_linear_bound *bound)
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
        put_bound(page, &bounds.list[i]);
    return sc_page_end(page, SCRIM_OK, error);
}

/* The sale. */

#define PATH_BYTES 4096

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

static void write_rows(sale *s, sc_listing *listing)
{
    for (size_t c = 0; c < LAB_PRICING_CROWDS; c++)
        for (size_t i = 0; i < LAB_PRICING_PRICES; i++) {
            const lab_pricing_crowd *crowd = &s->found.crowd[c];
            sc_listing_put(listing, "%" PRIu64, crowd->buyers);
            sc_listing_put(listing, "%.6g", s->found.price[i]);
            sc_listing_put(listing, "%.6g",
                           s->found.revenue[i] * (double)crowd->buyers / 3);
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
    static const sc_listing_column box[] = {
        {.name = "price"},      {.name = "buyers of 3"}, {.name = "revenue"},
        {.name = "chance: 3"},  {.name = "30"},          {.name = "300"},
        {.name = "3000 buyers"}};
    sc_listing listing = SC_LISTING(box, &s->output, SCRIM_FORMAT_TABLE, &s->terminal);
    sc_fold_line(&s->output, "prices", "how likely each is chosen, by number of buyers",
                 s->terminal.columns);
    for (size_t i = 0; i < LAB_PRICING_PRICES; i++) {
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

static scrim_status write_boxes(sale *s, scrim_error *error)
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
        SC_TRY(write_boxes(s, error));
    } else {
        sc_listing listing =
            SC_LISTING(sale_columns, &s->output, s->format, &s->terminal);
        (void)sc_listing_open(&listing);
        write_rows(s, &listing);
        SC_TRY(sc_listing_close(&listing, SCRIM_OK, error));
    }
    return sc_output_finish(&s->output, error);
}

/* The drawing: the revenue of each price, and how likely it is chosen. */
static void write_drawing(const void *context, sc_output *output)
{
    const sale *s = context;
    static const sc_panels panels = {
        .title = "A price for buyers who keep their valuations private",
        .summary =
            "the revenue of three buyers, and how likely the exponential mechanism "
            "chooses each price",
        .keys = {"3 buyers", "30 buyers", "300 buyers", "3000 buyers"}};
    sc_panel panel = {.x_name = "price",
                      .y_name = "revenue",
                      .x_step = 0.5,
                      .x = s->found.price,
                      .count = LAB_PRICING_PRICES,
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

static scrim_status read_request(sale *s, const sc_options *options, scrim_error *error)
{
    const char *folder = options->value[SCRIM_OPTION_SVG];
    if (options->word_count > 2)
        return sc_refuse(error, "this experiment uses no data; leave '%s' out",
                         options->words[2]);
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
    SC_TRY(read_request(s, options, error));
    SC_TRY(lab_pricing_of(epsilon == NULL ? "1" : epsilon,
                          confidence == NULL ? "0.95" : confidence, &s->found, error));
    if (s->path[0] != '\0') {
        SC_TRY(sc_folder_make("--svg", options->value[SCRIM_OPTION_SVG], error));
        SC_TRY(sc_file_write("--svg", s->path, write_drawing, s, error));
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
