/* scrim microdata plan: errors of a flat table (--cells) or of a tree of groups (--levels) before they are
 * released, and a drawing of the error against the cost. */
#include "cli/display/chart.h"
#include "cli/display/listing.h"
#include "cli/display/number_view.h"
#include "cli/release/subcommands.h"
#include "cli/release/tree_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/options.h"
#include "cli/terminal/output.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/screen.h"
#include "cli/terminal/terminal.h"
#include "cli/vault/vault_place.h"
#include "scrim.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The cost at a point of the curve around the chosen one, also as text. */
#define SC_MICRODATA_COST_BYTES 32

#define SC_MICRODATA_LINES 3

#define SC_MICRODATA_POINTS 17

/* Errors at each cost: the one in question, its bound from below, and another one. */
typedef struct sc_microdata_curve {
    char title[160];
    const char *words[SC_MICRODATA_LINES];
    const char *axis; /* "epsilon" or "rho" */
    double cost[SC_MICRODATA_POINTS];
    double error[SC_MICRODATA_LINES][SC_MICRODATA_POINTS]; /* infinite: no error */
    double chosen_cost, chosen_error;
} sc_microdata_curve;

/* A plan of tables that add up (scrim/microdata.h) as a table of both sides, and as a drawing of the error of
 * cells against the cost, with the bound from below. */

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

/* Both sides, and below them in a table what is impossible. SCRIM_E_MEMORY. */
static scrim_status sc_microdata_plan_write(sc_output *output,
                                            const scrim_microdata_question *question,
                                            const scrim_microdata_plan *plan,
                                            sc_format format, const sc_terminal *terminal,
                                            scrim_error *error)
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
#define SUMMARY_BYTES 240

static double or_none(const char *text)
{
    const double x = sc_number_view(text);
    return x > 0 ? x : HUGE_VAL;
}

static void sc_microdata_curve_cost(sc_microdata_curve *curve, size_t point,
                                    char text[SC_MICRODATA_COST_BYTES])
{
    const double part = 2.0 * (double)point / (SC_MICRODATA_POINTS - 1) - 1;
    snprintf(text, SC_MICRODATA_COST_BYTES, "%.6e",
             curve->chosen_cost * pow(REACH, part));
    curve->cost[point] = strtod(text, NULL);
}

/* Plans for costs around the one of the question. */
static scrim_status sc_microdata_curve_find(const scrim_microdata_question *question,
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

static const sc_chart_look looks[SC_MICRODATA_LINES] = {
    SC_CHART_LOOK("#0072b2", "none", "2", SC_SVG_DISC),
    SC_CHART_LOOK("#d55e00", "6 4", "2", SC_SVG_DISC),
    SC_CHART_LOOK("#009e73", "none", "2", SC_SVG_DISC)};

static sc_chart chart_of(const sc_microdata_curve *curve, size_t lines)
{
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

static void sc_microdata_curve_terminal(sc_output *output,
                                        const sc_microdata_curve *curve,
                                        const sc_terminal *terminal)
{
    const sc_chart chart = chart_of(curve, has_bound(curve) ? 2 : 1);
    sc_chart_terminal_write(output, &chart, terminal);
}

static void sc_microdata_curve_svg(sc_output *output, const sc_microdata_curve *curve)
{
    static const sc_svg_field field = {
        .left = LEFT, .right = SC_SVG_WIDTH - 20, .top = 116, .bottom = HEIGHT - 60};
    char summary[SUMMARY_BYTES];
    const sc_chart chart = chart_of(curve, SC_MICRODATA_LINES);
    snprintf(summary, sizeof summary, "root of the mean squared error of a count; at %s",
             chart.dot_words);
    sc_svg_open_headed(
        output, HEIGHT,
        &(sc_svg_heading){.title = curve->title, .summary = summary, .x = LEFT, .y = 24});
    sc_svg_key(output, LEFT, 70, looks[0].style, curve->words[0]);
    sc_svg_key(output, LEFT + 320, 70, looks[2].style, curve->words[2]);
    if (has_bound(curve))
        sc_svg_key(output, LEFT, 94, looks[1].style, curve->words[1]);
    sc_chart_svg_write(output, &chart, &field);
    sc_svg_close(output);
}

/* scrim microdata plan NAME --levels ...: the errors of a tree of counts, before it is asked for. */

typedef struct tree_plan {
    sc_tree_request request;
    scrim_hierarchy_options how;
    scrim_vault *vault;
    scrim_plan *plan;
    scrim_hierarchy *tree;
    sc_tree_view view;
    sc_microdata_curve curve;
    sc_screen screen;
} tree_plan;

/* The table: a row for each level, and for each level of a table. */

static const sc_listing_column tree_columns[] = {{.name = "level"},
                                                 {.name = "table"},
                                                 {"counts", SC_KIND_NUMBER},
                                                 {"noise", SC_KIND_NUMBER | SC_OPTIONAL},
                                                 {"error", SC_KIND_NUMBER},
                                                 {"radius", SC_KIND_NUMBER},
                                                 {"bound", SC_KIND_NUMBER | SC_OPTIONAL},
                                                 {"lower", SC_KIND_NUMBER | SC_OPTIONAL},
                                                 {.name = "measurement"}};
static const sc_listing_column tree_shown[] = {{.name = "level"},
                                               {.name = "table"},
                                               {"counts", SC_KIND_NUMBER},
                                               {"noise", SC_KIND_NUMBER},
                                               {"error", SC_KIND_NUMBER},
                                               {"each within", SC_KIND_NUMBER},
                                               {"integers at most", SC_KIND_NUMBER},
                                               {"impossible below", SC_KIND_NUMBER}};

enum { COUNTS, NOISE, DEVIATION, RADIUS, BOUND, LOWER, NUMBERS };

/* A number that is 0 has no meaning here, and is left empty. */
static const char *put(char cell[SC_BOUND_BYTES], double value, bool is_short)
{
    if (!(value > 0))
        return "";
    if (is_short)
        snprintf(cell, SC_BOUND_BYTES, "%.4g", value);
    else
        sc_bound_format_exact(value, cell);
    return cell;
}

static void add_row(sc_listing *page, const char *level, const char *table,
                    const char *measurement, const double numbers[NUMBERS])
{
    char text[NUMBERS][SC_BOUND_BYTES], count[32];
    const bool is_short = page->format == SCRIM_FORMAT_TABLE;
    const char *cells[9] = {level, table};
    snprintf(count, sizeof count, "%.0f", numbers[COUNTS]);
    cells[2] = count;
    for (size_t i = NOISE; i < NUMBERS; i++)
        cells[2 + i] = put(text[i], numbers[i], is_short);
    cells[8] = measurement;
    sc_listing_add(page, cells);
}

static void add_level(sc_listing *page, const scrim_hierarchy_level *l)
{
    const double numbers[NUMBERS] = {(double)l->count, l->noise, l->deviation,
                                     l->half_width,    l->bound, l->lower};
    add_row(page, l->name, "", l->measurement, numbers);
}

/* The query of all cells of a table on a level, where there is one. */
static void add_cells(sc_listing *page, const sc_tree_view *view, size_t table,
                      size_t level)
{
    const scrim_hierarchy_level *l = &view->levels[level];
    const scrim_hierarchy_query all = {
        .table = table, .columns = (1u << view->tables[table].columns) - 1};
    scrim_hierarchy_query whole = {.measurement = ""};
    scrim_hierarchy_cell cell;
    char name[SC_TREE_QUERY_BYTES];
    for (size_t i = 0; i < view->facts.queries; i++) {
        scrim_hierarchy_query query;
        scrim_hierarchy_query_at(view->tree, i, &query);
        if (query.table == table && query.level == level && query.columns == all.columns)
            whole = query;
    }
    scrim_hierarchy_cell_at(view->tree, table, l->first, 0, &cell);
    const double numbers[NUMBERS] = {(double)l->count * (double)view->tables[table].cells,
                                     whole.noise,
                                     cell.deviation,
                                     (cell.high - cell.low) / 2,
                                     0,
                                     0};
    add_row(page, l->name, sc_tree_view_query(view, &all, name), whole.measurement,
            numbers);
}

static void put_tree_words(sc_output *output, const tree_plan *p)
{
    sc_output_text(output,
                   "error: root mean squared error of an estimate, for any data\n");
    sc_output_format(output, "within: with probability %s, each count by itself\n",
                     p->view.facts.confidence);
    sc_output_text(
        output,
        "integers at most: proven limit for the whole numbers, where they are made "
        "directly from the noisy counts\n"
        "impossible below: no private table with such a total has a "
        "smaller error\n");
}

static scrim_status write_levels(void *context, sc_screen *screen, scrim_error *error)
{
    const tree_plan *p = context;
    const sc_tree_view *view = &p->view;
    const bool is_table = screen->format == SCRIM_FORMAT_TABLE;
    sc_listing page =
        SC_LISTING(tree_columns, &screen->output, screen->format, &screen->terminal);
    if (is_table) {
        page.columns = tree_shown;
        page.column_count = sizeof tree_shown / sizeof *tree_shown;
    } else {
        (void)sc_listing_open(&page);
    }
    for (size_t i = 0; i < view->facts.levels; i++)
        add_level(&page, &view->levels[i]);
    for (size_t t = 0; t < view->facts.tables; t++)
        for (size_t i = 0; i < view->facts.levels; i++)
            add_cells(&page, view, t, i);
    SC_TRY(sc_listing_close(&page, SCRIM_OK, error));
    if (is_table)
        put_tree_words(&screen->output, p);
    return SCRIM_OK;
}

/* The drawing: the error of the last level, and of all rows, against epsilon. */

static scrim_status set_point(tree_plan *p, const char *dataset, size_t point,
                              scrim_error *error)
{
    sc_microdata_curve *c = &p->curve;
    char cost[SC_MICRODATA_COST_BYTES];
    SC_OWNED(scrim_plan_free_at) scrim_plan *plan = NULL;
    SC_OWNED(scrim_hierarchy_free_at) scrim_hierarchy *tree = NULL;
    scrim_hierarchy_level last, all;
    sc_microdata_curve_cost(c, point, cost);
    if (p->request.how.rho != NULL)
        p->request.how.rho = cost;
    else
        p->request.how.epsilon = cost;
    SC_TRY(sc_tree_request_plan(&p->request, p->vault, dataset, &plan, error));
    SC_TRY(scrim_hierarchy_expect(plan, &p->how, &tree, error));
    scrim_hierarchy_level_at(tree, p->view.facts.levels - 1, &last);
    scrim_hierarchy_level_at(tree, 0, &all);
    c->error[0][point] = last.deviation;
    c->error[1][point] = last.lower > 0 ? last.lower : HUGE_VAL;
    c->error[2][point] = all.deviation;
    return SCRIM_OK;
}

static scrim_status find_curve(tree_plan *p, const char *dataset, scrim_error *error)
{
    sc_microdata_curve *c = &p->curve;
    const scrim_hierarchy_level *last = &p->view.levels[p->view.facts.levels - 1];
    const bool has_rho = p->request.how.rho != NULL;
    c->axis = has_rho ? "rho" : "epsilon";
    c->words[0] = "counts of the last level";
    c->words[1] = "impossible below, beside the total";
    c->words[2] = "total";
    c->chosen_cost =
        sc_number_view(has_rho ? p->request.how.rho : p->request.how.epsilon);
    c->chosen_error = last->deviation;
    snprintf(c->title, sizeof c->title, "tree of %.60s: %zu counts by %.40s", dataset,
             last->count, last->name);
    for (size_t i = 0; i < SC_MICRODATA_POINTS; i++)
        SC_TRY(set_point(p, dataset, i, error));
    return SCRIM_OK;
}

static void draw_tree_curve(const void *context, sc_output *output,
                            const sc_terminal *terminal)
{
    sc_microdata_curve_terminal(output, &((const tree_plan *)context)->curve, terminal);
}

static void write_tree_curve(const void *context, sc_output *output)
{
    sc_microdata_curve_svg(output, &((const tree_plan *)context)->curve);
}

/* The command. */

static scrim_status read_tree_request(tree_plan *p, const sc_options *options,
                                      scrim_error *error)
{
    p->how = (scrim_hierarchy_options){
        .size = sizeof p->how, .confidence = options->value[SCRIM_OPTION_CONFIDENCE]};
    sc_tree_request_read(options, &p->request);
    const size_t words = sc_options_has(options, SCRIM_OPTION_POLICY) ? 2 : 3;
    if (options->word_count != words || sc_options_has(options, SCRIM_OPTION_CELLS))
        return sc_refuse(
            error, "name one dataset and its levels, as in 'scrim microdata "
                   "plan adult --levels sex', or --policy in place of a dataset, or give "
                   "--cells alone");
    if (sc_options_has(options, SCRIM_OPTION_ROWS_PER_UNIT) ||
        sc_options_has(options, SCRIM_OPTION_NEIGHBOURS))
        return sc_refuse(error, "--rows-per-unit and --neighbours are for --cells; a "
                                "tree has those of its dataset");
    SC_TRY(sc_screen_read(options, &p->screen, error));
    return sc_tree_request_policy(options, &p->request, error);
}

static scrim_status show_tree(tree_plan *p, const sc_options *options, scrim_error *error)
{
    static const sc_screen_page page = {write_levels, draw_tree_curve, write_tree_curve,
                                        NULL, false};
    const bool has_policy = p->request.policy != NULL;
    const char *dataset =
        has_policy ? options->value[SCRIM_OPTION_POLICY] : options->words[2];
    SC_TRY(has_policy ? SCRIM_OK : sc_vault_place_open(options, &p->vault, error));
    SC_TRY(sc_tree_request_plan(&p->request, p->vault, dataset, &p->plan, error));
    SC_TRY(scrim_hierarchy_expect(p->plan, &p->how, &p->tree, error));
    sc_tree_view_init(&p->view, p->tree);
    if (sc_screen_draws(&p->screen))
        SC_TRY(find_curve(p, dataset, error));
    return sc_screen_show(&p->screen, &page, p, error);
}

static scrim_status sc_tree_plan(const sc_options *options, scrim_error *error)
{
    tree_plan *p = calloc(1, sizeof *p);
    if (p == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = read_tree_request(p, options, error);
    if (status == SCRIM_OK)
        status = show_tree(p, options, error);
    scrim_hierarchy_free(p->tree);
    scrim_plan_free(p->plan);
    scrim_vault_close(p->vault);
    sc_tree_request_clear(&p->request);
    free(p);
    return status;
}

/* scrim microdata plan --cells D --epsilon E */
#define CELLS_LIMIT UINT64_C(134217728)
#define ROWS_LIMIT UINT64_C(1048576)

typedef struct plan_state {
    scrim_microdata_question asked;
    scrim_microdata_plan plan;
    sc_microdata_curve curve;
    sc_screen screen;
} plan_state;

static scrim_status read_neighbours(const char *text, scrim_neighbours *out,
                                    scrim_error *error)
{
    *out = SCRIM_ADD_REMOVE;
    if (text == NULL || strcmp(text, "add-remove") == 0)
        return SCRIM_OK;
    *out = SCRIM_REPLACE;
    if (strcmp(text, "replace") == 0)
        return SCRIM_OK;
    return sc_refuse(error, "unknown neighbours '%.40s'; use add-remove or replace",
                     text);
}

static scrim_status read_asked(plan_state *plan, const sc_options *options,
                               scrim_error *error)
{
    scrim_microdata_question *asked = &plan->asked;
    *asked =
        (scrim_microdata_question){.size = sizeof *asked,
                                   .epsilon = options->value[SCRIM_OPTION_EPSILON],
                                   .delta = options->value[SCRIM_OPTION_DELTA],
                                   .rho = options->value[SCRIM_OPTION_RHO],
                                   .confidence = options->value[SCRIM_OPTION_CONFIDENCE]};
    if (!sc_options_has(options, SCRIM_OPTION_CELLS))
        return sc_refuse(error, "missing --cells N, the number of cells of the table; "
                                "or name a dataset and --levels");
    if ((asked->epsilon == NULL) == (asked->rho == NULL))
        return sc_refuse(error, "give --epsilon E, or --rho R instead");
    SC_TRY(read_neighbours(options->value[SCRIM_OPTION_NEIGHBOURS], &asked->neighbours,
                           error));
    SC_TRY(sc_options_number(options, SCRIM_OPTION_CELLS, CELLS_LIMIT, 0, &asked->cells,
                             error));
    return sc_options_number(options, SCRIM_OPTION_ROWS_PER_UNIT, ROWS_LIMIT, 1,
                             &asked->max_rows, error);
}

static scrim_status write_sides(void *context, sc_screen *screen, scrim_error *error)
{
    const plan_state *plan = context;
    return sc_microdata_plan_write(&screen->output, &plan->asked, &plan->plan,
                                   screen->format, &screen->terminal, error);
}

static void draw_table_curve(const void *context, sc_output *output,
                             const sc_terminal *terminal)
{
    sc_microdata_curve_terminal(output, &((const plan_state *)context)->curve, terminal);
}

static void write_table_curve(const void *context, sc_output *output)
{
    sc_microdata_curve_svg(output, &((const plan_state *)context)->curve);
}

static scrim_status run_plan(const sc_options *options, scrim_error *error)
{
    static const sc_screen_page page = {write_sides, draw_table_curve, write_table_curve,
                                        NULL, false};
    if (sc_options_has(options, SCRIM_OPTION_LEVELS))
        return sc_tree_plan(options, error);
    if (options->word_count > 2 || sc_options_has(options, SCRIM_OPTION_TABLES) ||
        sc_options_has(options, SCRIM_OPTION_QUERIES) ||
        sc_options_has(options, SCRIM_OPTION_SHARES) ||
        sc_options_has(options, SCRIM_OPTION_MECHANISM) ||
        sc_options_has(options, SCRIM_OPTION_MAX_GROUPS) ||
        sc_options_has(options, SCRIM_OPTION_MAX_ROWS) ||
        sc_options_has(options, SCRIM_OPTION_MAX_TOTAL_ROWS) ||
        sc_options_has(options, SCRIM_OPTION_POLICY))
        return sc_refuse(error, "missing --levels; give columns, the coarsest first, as "
                                "in --levels country,education,sex");
    SC_FREED plan_state *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    SC_TRY(sc_screen_read(options, &plan->screen, error));
    SC_TRY(read_asked(plan, options, error));
    SC_TRY(scrim_microdata_plan_find(&plan->asked, &plan->plan, error));
    if (sc_screen_draws(&plan->screen))
        SC_TRY(sc_microdata_curve_find(&plan->asked, &plan->plan, &plan->curve, error));
    return sc_screen_show(&plan->screen, &page, plan, error);
}

const sc_command sc_microdata_plan_command = {
    .name = "plan",
    .kind = SC_COMMAND_PLAN,
    .options = SC_OPTION_SET(
        SCRIM_OPTION_CELLS, SCRIM_OPTION_EPSILON, SCRIM_OPTION_DELTA, SCRIM_OPTION_RHO,
        SCRIM_OPTION_ROWS_PER_UNIT, SCRIM_OPTION_NEIGHBOURS, SCRIM_OPTION_CONFIDENCE,
        SC_OPTIONS_VAULT, SCRIM_OPTION_LEVELS, SCRIM_OPTION_TABLES, SCRIM_OPTION_QUERIES,
        SCRIM_OPTION_SHARES, SCRIM_OPTION_MECHANISM, SCRIM_OPTION_POLICY,
        SCRIM_OPTION_MAX_GROUPS, SCRIM_OPTION_MAX_ROWS, SCRIM_OPTION_MAX_TOTAL_ROWS),
    .run = run_plan,
};
