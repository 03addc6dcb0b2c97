#include "cli/mechanism/attack_writer.h"

#include "cli/display/canvas.h"
#include "cli/display/chart.h"
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/terminal/complaint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Charts. */

#define LEFT 80
#define KEY_STEP 340
#define LARGE_CHARS 46 /* of a heading that is larger on a phone */
/* Sizes of one chart among several. */
#define PANEL 320
#define PANEL_TOP 96

/* An axis around its values: a logarithmic one, or one with round numbers. */
static void choose_axis(sc_chart_axis *axis)
{
    const double least_extent = axis->is_log ? 0.1 : 1e-9;
    if (axis->high - axis->low < least_extent) {
        axis->low -= least_extent;
        axis->high += least_extent;
    }
    if (axis->is_log) {
        sc_chart_axis_label_log(axis);
        return;
    }
    const double step = sc_axis_step(axis->high - axis->low, SC_AXIS_LABELS);
    sc_chart_axis_label(axis, ceil(axis->low / step - 1e-9) * step, step);
}

static void choose_percent(sc_chart_axis *axis)
{
    axis->low = 0;
    axis->high = 100;
    sc_chart_axis_label(axis, 0, 20);
}

static sc_chart chart_of(const lab_findings_table *table)
{
    sc_chart chart = {.points = table->x,
                      .count = table->point_count,
                      .stride = 1,
                      .names_y = true,
                      .rows = 15,
                      .label_chars = 8,
                      .margin = 8};
    sc_chart_axis_init(&chart.x, table->chart.x_name, table->chart.is_log_x);
    sc_chart_axis_init(&chart.y, table->chart.y_name, table->chart.is_log_y);
    for (size_t i = 0; i < table->point_count; i++)
        sc_chart_axis_widen(&chart.x, table->x[i]);
    for (; chart.line_count < table->curve_count && chart.line_count < SC_CHART_LINES;
         chart.line_count++) {
        sc_chart_line *line = &chart.lines[chart.line_count];
        line->y = table->y[chart.line_count];
        line->words = table->chart.curves[chart.line_count];
        for (size_t i = 0; i < table->point_count; i++)
            sc_chart_axis_widen(&chart.y, line->y[i]);
    }
    choose_axis(&chart.x);
    if (table->chart.is_log_y)
        choose_axis(&chart.y);
    else
        choose_percent(&chart.y);
    return chart;
}

static void write_chart(sc_output *output, const lab_findings_table *table,
                        const sc_terminal *terminal)
{
    const sc_chart chart = chart_of(table);
    sc_output_format(output, "  %s\n", table->heading);
    sc_chart_terminal_write(output, &chart, terminal);
}

static void write_panel(sc_output *output, const lab_findings_table *table, int top)
{
    static const char *const styles[] = {SC_SVG_THIN, SC_SVG_BROAD};
    const sc_svg_field field = {.left = LEFT,
                                .right = SC_SVG_WIDTH - 20,
                                .top = top + 30,
                                .bottom = top + PANEL - 80};
    const sc_chart chart = chart_of(table);
    sc_output_format(output, "<text%s x=\"%d\" y=\"%d\" font-weight=\"bold\">",
                     strlen(table->heading) > LARGE_CHARS ? " class=\"words\"" : "", LEFT,
                     top);
    sc_markup_short(output, table->heading, SC_SVG_TITLE_CHARS);
    sc_output_text(output, "</text>\n");
    for (size_t i = 0; i < chart.line_count && i < 2; i++)
        sc_svg_key(output, LEFT + (int)i * KEY_STEP, top + 16, styles[i],
                   chart.lines[i].words);
    sc_chart_svg_write(output, &chart, &field);
}

void sc_attack_chart_svg(sc_output *output, const lab_attack_kind *kind,
                         const lab_findings *found)
{
    int charts = 0, place = 0;
    for (size_t i = 0; i < found->table_count; i++)
        charts += found->tables[i].point_count > 0;
    sc_svg_open_headed(output, PANEL_TOP + charts * PANEL,
                       &(sc_svg_heading){.title = kind->name,
                                         .summary = found->target,
                                         .summary_lines = 2,
                                         .x = LEFT,
                                         .y = 24});
    for (size_t i = 0; i < found->table_count; i++)
        if (found->tables[i].point_count > 0)
            write_panel(output, &found->tables[i], PANEL_TOP + PANEL * place++);
    sc_svg_close(output);
}

void sc_attack_write_charts(sc_output *output, const lab_findings *found,
                            const sc_terminal *terminal)
{
    for (size_t i = 0; i < found->table_count; i++)
        if (found->tables[i].point_count > 0)
            write_chart(output, &found->tables[i], terminal);
}

/* Pages. */

#define FACTS 6

typedef struct attack_view {
    sc_output *output;
    const lab_findings *found;
    const sc_terminal *terminal;
    struct {
        const char *name, *text;
    } facts[FACTS]; /* in the order of all formats */
    bool draws;
} attack_view;

static size_t rows_of(const lab_findings_table *table)
{
    return table->cell_count / table->column_count;
}

static sc_listing list_of(const attack_view *view, const lab_findings_table *table,
                          sc_format format,
                          sc_listing_column columns[LAB_FINDINGS_COLUMNS])
{
    for (size_t i = 0; i < table->column_count; i++)
        columns[i] =
            (sc_listing_column){table->columns[i], SC_KIND_DECIMAL | SC_NULLABLE};
    return (sc_listing){.columns = columns,
                        .column_count = table->column_count,
                        .output = view->output,
                        .format = format,
                        .terminal = view->terminal};
}

static void add_rows(const lab_findings_table *table, sc_listing *listing)
{
    for (size_t row = 0; row < rows_of(table); row++) {
        const char *cells[LAB_FINDINGS_COLUMNS];
        for (size_t i = 0; i < table->column_count; i++)
            cells[i] = table->cells[row * table->column_count + i];
        sc_listing_add(listing, cells);
    }
}

static scrim_status write_table(const attack_view *view, scrim_error *error)
{
    for (size_t i = 0; i < FACTS; i++)
        sc_fold_line(view->output, view->facts[i].name, view->facts[i].text,
                     view->terminal->columns);
    for (size_t i = 0; i < view->found->table_count; i++) {
        const lab_findings_table *table = &view->found->tables[i];
        sc_listing_column columns[LAB_FINDINGS_COLUMNS];
        sc_listing listing = list_of(view, table, SCRIM_FORMAT_TABLE, columns);
        listing.heading = table->heading;
        sc_output_text(view->output, "\n");
        add_rows(table, &listing);
        SC_TRY(sc_listing_close(&listing, SCRIM_OK, error));
        if (view->draws && table->point_count > 0)
            write_chart(view->output, table, view->terminal);
    }
    return SCRIM_OK;
}

static scrim_status write_json(const attack_view *view, scrim_error *error)
{
    sc_json json;
    scrim_status status = SCRIM_OK;
    sc_json_init(&json, view->output);
    sc_json_object(&json, NULL);
    sc_json_mark(&json);
    for (size_t i = 0; i < FACTS; i++)
        sc_json_text(&json, view->facts[i].name, view->facts[i].text);
    sc_json_rows(&json, "tables");
    for (size_t i = 0; status == SCRIM_OK && i < view->found->table_count; i++) {
        const lab_findings_table *table = &view->found->tables[i];
        sc_listing_column columns[LAB_FINDINGS_COLUMNS];
        sc_listing listing = list_of(view, table, SCRIM_FORMAT_JSON, columns);
        listing.json = &json;
        sc_json_object(&json, NULL);
        sc_json_text(&json, "table", table->name);
        sc_json_text(&json, "heading", table->heading);
        add_rows(table, &listing);
        status = sc_listing_close(&listing, SCRIM_OK, error);
        sc_json_end(&json);
    }
    sc_json_end(&json);
    sc_json_end(&json);
    return status;
}

/* One cell per row, since the tables have different columns. */
static scrim_status write_cells(const attack_view *view, sc_format format,
                                scrim_error *error)
{
    static const sc_listing_column columns[] = {{"table", SC_KIND_TEXT},
                                                {"row", SC_KIND_NUMBER},
                                                {"name", SC_KIND_TEXT},
                                                {"value", SC_KIND_DECIMAL}};
    sc_listing listing = SC_LISTING(columns, view->output, format, view->terminal);
    listing.is_marked = true;
    (void)sc_listing_open(&listing);
    for (size_t i = 0; i < FACTS; i++)
        sc_listing_add(&listing, (const char *[]){"facts", "1", view->facts[i].name,
                                                  view->facts[i].text});
    for (size_t i = 0; i < view->found->table_count; i++) {
        const lab_findings_table *table = &view->found->tables[i];
        for (size_t cell = 0; cell < rows_of(table) * table->column_count; cell++) {
            char row[24];
            snprintf(row, sizeof row, "%zu", cell / table->column_count + 1);
            sc_listing_add(&listing,
                           (const char *[]){table->name, row,
                                            table->columns[cell % table->column_count],
                                            table->cells[cell]});
        }
    }
    return sc_listing_close(&listing, SCRIM_OK, error);
}

scrim_status sc_attack_write(const sc_attack_page *page, const lab_attack_kind *kind,
                             const lab_findings *found, scrim_error *error)
{
    const attack_view view = {
        .output = page->output,
        .found = found,
        .terminal = page->terminal,
        .draws = page->draws,
        .facts = {{"attack", kind->name},
                  {"target", found->target},
                  {"learnt", found->learnt},
                  {"cost", found->cost},
                  {"stopped", found->stopped},
                  {"source", kind->source}},
    };
    if (page->format == SCRIM_FORMAT_TABLE)
        return write_table(&view, error);
    return page->format == SCRIM_FORMAT_JSON ? write_json(&view, error)
                                             : write_cells(&view, page->format, error);
}
