#include "cli/microdata/tree_plan.h"

#include "cli/microdata/microdata_plan_writer.h"
#include "cli/microdata/tree_request.h"
#include "cli/microdata/tree_view.h"
#include "cli/sheet/listing.h"
#include "cli/sheet/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/screen.h"
#include "cli/vault/vault_place.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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

static const sc_listing_column columns[] = {{.name = "level"},
                                            {.name = "table"},
                                            {"counts", SC_KIND_NUMBER},
                                            {"noise", SC_KIND_NUMBER | SC_OPTIONAL},
                                            {"error", SC_KIND_NUMBER},
                                            {"radius", SC_KIND_NUMBER},
                                            {"bound", SC_KIND_NUMBER | SC_OPTIONAL},
                                            {"lower", SC_KIND_NUMBER | SC_OPTIONAL},
                                            {.name = "measurement"}};
static const sc_listing_column shown[] = {{.name = "level"},
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

static void put_words(sc_output *output, const tree_plan *p)
{
    sc_output_text(output,
                   "error: root mean squared error of an estimate, for any data\n");
    sc_output_format(output, "within: with probability %s, each count by itself\n",
                     p->view.facts.confidence);
    sc_output_text(output,
                   "integers at most: their error if least squares were left out\n"
                   "impossible below: no private table with such a total has a "
                   "smaller error\n");
}

static scrim_status write_table(void *context, sc_screen *screen, scrim_error *error)
{
    const tree_plan *p = context;
    const sc_tree_view *view = &p->view;
    const bool is_table = screen->format == SCRIM_FORMAT_TABLE;
    sc_listing page =
        SC_LISTING(columns, &screen->output, screen->format, &screen->terminal);
    if (is_table) {
        page.columns = shown;
        page.column_count = sizeof shown / sizeof *shown;
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
        put_words(&screen->output, p);
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
    snprintf(c->summary, sizeof c->summary, "last level blue, total green");
    for (size_t i = 0; i < SC_MICRODATA_POINTS; i++)
        SC_TRY(set_point(p, dataset, i, error));
    return SCRIM_OK;
}

static void draw(const void *context, sc_output *output, const sc_terminal *terminal)
{
    sc_microdata_curve_terminal(output, &((const tree_plan *)context)->curve, terminal);
}

static void draw_svg(const void *context, sc_output *output)
{
    sc_microdata_curve_svg(output, &((const tree_plan *)context)->curve);
}

/* The command. */

static scrim_status read_request(tree_plan *p, const sc_options *options,
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

static scrim_status show(tree_plan *p, const sc_options *options, scrim_error *error)
{
    static const sc_screen_page page = {write_table, draw, draw_svg, NULL, false};
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

scrim_status sc_tree_plan(const sc_options *options, scrim_error *error)
{
    tree_plan *p = calloc(1, sizeof *p);
    if (p == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = read_request(p, options, error);
    if (status == SCRIM_OK)
        status = show(p, options, error);
    scrim_hierarchy_free(p->tree);
    scrim_plan_free(p->plan);
    scrim_vault_close(p->vault);
    sc_tree_request_clear(&p->request);
    free(p);
    return status;
}
