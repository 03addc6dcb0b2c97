#include "cli/microdata/microdata_plan_writer.h"

#include "cli/plot/chart.h"
#include "cli/sheet/listing.h"
#include "cli/sheet/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The table. */

static const sc_listing_column columns[] = {
    {.name = "mechanism"},           {"cell_error", SC_KIND_NUMBER},
    {"sum_error", SC_KIND_NUMBER},   {"cell_radius", SC_KIND_NUMBER},
    {"all_radius", SC_KIND_NUMBER},  {"sum_radius", SC_KIND_NUMBER},
    {"other_lower", SC_KIND_NUMBER}, {.name = "measurement"}};
/* A table for people has the first six columns. */
static const sc_listing_column shown[] = {{.name = "mechanism"},
                                          {"cell error", SC_KIND_NUMBER},
                                          {"sum error", SC_KIND_NUMBER},
                                          {"each cell within", SC_KIND_NUMBER},
                                          {"all cells within", SC_KIND_NUMBER},
                                          {"sum within", SC_KIND_NUMBER}};

static void put_side(sc_listing *listing, const char *name,
                     const scrim_microdata_side *side, bool is_table)
{
    char bounds[5][SC_BOUND_BYTES];
    const char *cells[] = {name,
                           side->cell_error,
                           side->sum_error,
                           side->cell_radius,
                           side->all_radius,
                           side->sum_radius,
                           side->other_lower,
                           side->text};
    for (size_t i = 0; is_table && i < 5; i++) {
        sc_number_format_upper(cells[i + 1], bounds[i]);
        cells[i + 1] = bounds[i];
    }
    sc_listing_add(listing, cells);
}

static void put_impossible(sc_output *output, const char *side, const char *favoured,
                           const char *error, const char *other, const char *lower)
{
    char enough[SC_BOUND_BYTES], least[SC_BOUND_BYTES];
    if (strcmp(lower, "0") == 0)
        return;
    sc_number_format_upper(error, enough);
    sc_number_format_lower(lower, least);
    sc_output_format(output,
                     "impossible: a private table with a %s error of %s (%s) and a %s "
                     "error below %s\n",
                     favoured, enough, side, other, least);
}

static void put_words(sc_output *output, const scrim_microdata_question *question,
                      const scrim_microdata_plan *plan)
{
    const char *confidence = question->confidence == NULL ? "0.95" : question->confidence;
    sc_output_format(output,
                     "error: root mean squared error of one cell, or of the sum, for "
                     "any data at most\n");
    if (plan->sums.is_certain)
        sc_output_format(output,
                         "within: sum-first always, point-first with probability "
                         "%s\n",
                         confidence);
    else
        sc_output_format(output, "within: with probability %s\n", confidence);
    put_impossible(output, "sum-first", "sum", plan->sums.sum_error, "cell",
                   plan->sums.other_lower);
    put_impossible(output, "point-first", "cell", plan->points.cell_error, "sum",
                   plan->points.other_lower);
    sc_output_text(output, "choose point-first for accurate cells or sum-first for an "
                           "accurate sum; there is no third option\n");
}

scrim_status sc_microdata_plan_write(sc_output *output,
                                     const scrim_microdata_question *question,
                                     const scrim_microdata_plan *plan, sc_format format,
                                     const sc_terminal *terminal, scrim_error *error)
{
    const bool is_table = format == SCRIM_FORMAT_TABLE;
    sc_listing listing = SC_LISTING(columns, output, format, terminal);
    if (is_table) {
        listing.columns = shown;
        listing.column_count = sizeof shown / sizeof *shown;
    }
    if (!is_table)
        (void)sc_listing_open(&listing);
    put_side(&listing, "point-first", &plan->points, is_table);
    put_side(&listing, "sum-first", &plan->sums, is_table);
    SC_TRY(sc_listing_close(&listing, SCRIM_OK, error));
    if (is_table)
        put_words(output, question, plan);
    return SCRIM_OK;
}

/* The drawing. */

#define REACH 30.0 /* costs are drawn from 1/REACH to REACH times the chosen one */
#define HEIGHT 450
#define LEFT 80

static double or_none(const char *text)
{
    const double x = sc_number_view(text);
    return x > 0 ? x : HUGE_VAL;
}

void sc_microdata_curve_cost(sc_microdata_curve *curve, size_t point,
                             char text[SC_MICRODATA_COST_BYTES])
{
    const double part = 2.0 * (double)point / (SC_MICRODATA_POINTS - 1) - 1;
    snprintf(text, SC_MICRODATA_COST_BYTES, "%.6e",
             curve->chosen_cost * pow(REACH, part));
    curve->cost[point] = strtod(text, NULL);
}

scrim_status sc_microdata_curve_find(const scrim_microdata_question *question,
                                     const scrim_microdata_plan *plan,
                                     sc_microdata_curve *out, scrim_error *error)
{
    scrim_microdata_question asked = *question;
    SC_FREED scrim_microdata_plan *at = malloc(sizeof *at);
    const bool is_rho = question->rho != NULL;
    if (at == NULL)
        return sc_out_of_memory(error, "a drawing");
    out->axis = is_rho ? "rho" : "epsilon";
    out->chosen_cost = sc_number_view(is_rho ? question->rho : question->epsilon);
    out->chosen_error = sc_number_view(plan->sums.cell_error);
    out->words[0] = "cells of sum-first";
    out->words[1] = "impossible below, beside its sum";
    out->words[2] = "cells of point-first";
    snprintf(out->summary, sizeof out->summary,
             "cells of sum-first blue, of point-first green");
    snprintf(out->title, sizeof out->title, "tables of %" PRIu64 " cells that add up",
             question->cells);
    for (size_t i = 0; i < SC_MICRODATA_POINTS; i++) {
        char cost[SC_MICRODATA_COST_BYTES];
        sc_microdata_curve_cost(out, i, cost);
        if (is_rho)
            asked.rho = cost;
        else
            asked.epsilon = cost;
        SC_TRY(scrim_microdata_plan_find(&asked, at, error));
        out->error[0][i] = sc_number_view(at->sums.cell_error);
        out->error[1][i] = or_none(at->sums.other_lower);
        out->error[2][i] = sc_number_view(at->points.cell_error);
    }
    return SCRIM_OK;
}

static sc_chart chart_of(const sc_microdata_curve *curve, size_t lines)
{
    static const sc_chart_look looks[SC_MICRODATA_LINES] = {
        SC_CHART_LOOK("#0072b2", "none", "2", SC_SVG_DISC),
        SC_CHART_LOOK("#d55e00", "6 4", "2", SC_SVG_DISC),
        SC_CHART_LOOK("#009e73", "none", "2", SC_SVG_DISC)};
    sc_chart chart = {.title = curve->title,
                      .points = curve->cost,
                      .count = SC_MICRODATA_POINTS,
                      .stride = 1,
                      .line_count = lines,
                      .has_dot = true,
                      .dot_x = curve->chosen_cost,
                      .dot_y = curve->chosen_error,
                      .dot_hex = SC_ORANGE_HEX,
                      .names_y = true,
                      .rows = 15,
                      .label_chars = 8,
                      .margin = 8};
    sc_chart_axis_init(&chart.x, curve->axis, true);
    sc_chart_axis_init(&chart.y, "error", true);
    for (size_t k = 0; k < lines; k++) {
        chart.lines[k] = (sc_chart_line){.words = curve->words[k], .y = curve->error[k]};
        if (lines > 2) {
            chart.lines[k].look = &looks[k];
            chart.lines[k].low = chart.lines[k].high = curve->error[k]; /* no bars */
        }
        for (size_t i = 0; i < SC_MICRODATA_POINTS; i++) {
            sc_chart_axis_widen(&chart.x, curve->cost[i]);
            if (isfinite(curve->error[k][i]))
                sc_chart_axis_widen(&chart.y, curve->error[k][i]);
        }
    }
    sc_chart_axis_label_log(&chart.x);
    sc_chart_axis_label_log(&chart.y);
    snprintf(chart.dot_words, sizeof chart.dot_words, "%s %.4g: %.4g", curve->axis,
             curve->chosen_cost, curve->chosen_error);
    return chart;
}

/* Is a bound from below known at any cost? */
static bool has_bound(const sc_microdata_curve *curve)
{
    for (size_t i = 0; i < SC_MICRODATA_POINTS; i++)
        if (isfinite(curve->error[1][i]))
            return true;
    return false;
}

void sc_microdata_curve_terminal(sc_output *output, const sc_microdata_curve *curve,
                                 const sc_terminal *terminal)
{
    const sc_chart chart = chart_of(curve, has_bound(curve) ? 2 : 1);
    sc_chart_terminal_write(output, &chart, terminal);
}

void sc_microdata_curve_svg(sc_output *output, const sc_microdata_curve *curve)
{
    static const sc_svg_field field = {
        .left = LEFT, .right = SC_SVG_WIDTH - 20, .top = 80, .bottom = HEIGHT - 60};
    char summary[400];
    const sc_chart chart = chart_of(curve, SC_MICRODATA_LINES);
    snprintf(summary, sizeof summary, "%s%s; %s", curve->summary,
             has_bound(curve) ? ", impossible below the dashes" : "", chart.dot_words);
    sc_svg_open_headed(
        output, HEIGHT,
        &(sc_svg_heading){.title = curve->title, .summary = summary, .x = LEFT, .y = 24});
    sc_chart_svg_write(output, &chart, &field);
    sc_svg_close(output);
}
