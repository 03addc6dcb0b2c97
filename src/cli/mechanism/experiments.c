#include "cli/mechanism/experiments.h"

#include "cli/display/canvas.h"
#include "cli/display/chart.h"
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/display/number_view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define OURS "stlap"

sc_experiment_verdict sc_experiment_standing(const lab_experiment_error *own,
                                             const lab_experiment_error *least)
{
    if (own->is_least)
        return SC_STANDING_LEAST;
    return own->mean - least->mean <=
                   2 * hypot(own->standard_error, least->standard_error)
               ? SC_STANDING_TIED
               : SC_STANDING_BEHIND;
}

/* Rows for programs. */

static void put_error(sc_listing *listing, const lab_experiment_error *e)
{
    const double numbers[] = {e->mean, e->standard_error, e->quantile, e->expected};
    char text[SC_BOUND_BYTES];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        sc_bound_format_exact(numbers[i], text);
        sc_listing_put(listing, "%s", i < 3 || e->has_expected ? text : "");
    }
    sc_listing_put(listing, "%s", e->is_least ? "yes" : "no");
}

static scrim_status write_csv(sc_output *output, const lab_experiment *found,
                              scrim_error *error)
{
    static const sc_listing_column columns[] = {{.name = "experiment"},
                                                {.name = "statistic"},
                                                {.name = "epsilon"},
                                                {.name = "mechanism"},
                                                {.name = "runs"},
                                                {.name = "raw_mean"},
                                                {.name = "raw_standard_error"},
                                                {.name = "raw_quantile"},
                                                {.name = "raw_expected"},
                                                {.name = "raw_best"},
                                                {.name = "flexible_mean"},
                                                {.name = "flexible_standard_error"},
                                                {.name = "flexible_quantile"},
                                                {.name = "flexible_expected"},
                                                {.name = "flexible_best"}};
    sc_listing listing = SC_LISTING(columns, output, SCRIM_FORMAT_CSV, NULL);
    for (const lab_experiment_row *row = found->rows;
         row < found->rows + found->row_count; row++) {
        sc_listing_put(&listing, "%u", row->experiment);
        sc_listing_put(&listing, "%s", row->statistic);
        sc_listing_put(&listing, "%s", row->epsilon);
        sc_listing_put(&listing, "%s", row->mechanism);
        sc_listing_put(&listing, "%" PRIu64, row->runs);
        put_error(&listing, &row->raw);
        put_error(&listing, &row->flexible);
    }
    return sc_listing_close(&listing, SCRIM_OK, error);
}

static void write_error_json(sc_json *json, const char *name,
                             const lab_experiment_error *e)
{
    sc_json_object(json, name);
    sc_json_double(json, "mean", e->mean);
    sc_json_double(json, "standard_error", e->standard_error);
    sc_json_double(json, "quantile", e->quantile);
    if (e->has_expected)
        sc_json_double(json, "expected", e->expected);
    else
        sc_json_word(json, "expected", "null");
    sc_json_truth(json, "best", e->is_least);
    sc_json_end(json);
}

/* Each line has the mark that an object has once. */
static void write_rows_json(sc_json *json, const lab_experiment *found, bool is_lines)
{
    for (const lab_experiment_row *row = found->rows;
         row < found->rows + found->row_count; row++) {
        sc_json_object(json, NULL);
        if (is_lines)
            sc_json_mark(json);
        sc_json_count(json, "experiment", row->experiment);
        sc_json_text(json, "statistic", row->statistic);
        sc_json_text(json, "epsilon", row->epsilon);
        sc_json_text(json, "mechanism", row->mechanism);
        sc_json_count(json, "runs", row->runs);
        write_error_json(json, "raw", &row->raw);
        write_error_json(json, "flexible", &row->flexible);
        sc_json_end(json);
    }
}

static void write_data_json(sc_json *json, const lab_experiment *found)
{
    char number[24];
    for (const lab_experiment_data *data = found->data;
         data < found->data + found->data_count; data++) {
        sc_json_object(json, NULL);
        sc_json_count(json, "experiment", data->experiment);
        sc_json_text(json, "statistic", data->statistic);
        sc_json_text(json, "data", data->data);
        sc_json_count(json, "value", data->value);
        snprintf(number, sizeof number, "%" PRId64, data->allowance);
        sc_json_number(json, "allowance", number);
        sc_json_array(json, "heights");
        for (size_t bar = 0; bar < data->bars; bar++) {
            snprintf(number, sizeof number, "%" PRId64, data->heights[bar]);
            sc_json_number(json, NULL, number);
        }
        sc_json_end(json);
        sc_json_end(json);
    }
}

static void write_json(sc_json *json, const lab_experiment *found)
{
    sc_json_object(json, NULL);
    sc_json_mark(json);
    sc_json_text(json, "name", "flexible-accuracy");
    sc_json_text(json, "delta", LAB_EXPERIMENT_DELTA);
    sc_json_text(json, "gamma", LAB_EXPERIMENT_GAMMA);
    sc_json_array(json, "data");
    write_data_json(json, found);
    sc_json_end(json);
    sc_json_rows(json, "rows");
    write_rows_json(json, found, false);
    sc_json_end(json);
    sc_json_end(json);
}

/* Tables for people. */

static void put_brief(sc_listing *box, const lab_experiment_error *e)
{
    sc_listing_put(box, "%.4f%s (%.4f)", e->mean, e->is_least ? "*" : "",
                   e->standard_error);
    sc_listing_put(box, "%.3g", e->quantile);
}

static scrim_status write_box(sc_output *output, const lab_experiment *found,
                              unsigned experiment, const sc_terminal *terminal,
                              scrim_error *error)
{
    static const sc_listing_column columns[] = {
        {.name = "epsilon"}, {.name = "mechanism"},        {.name = "raw error %"},
        {.name = "95 %"},    {.name = "flexible error %"}, {.name = "95 %"}};
    sc_listing box = SC_LISTING(columns, output, SCRIM_FORMAT_TABLE, terminal);
    for (const lab_experiment_row *row = found->rows;
         row < found->rows + found->row_count; row++) {
        if (row->experiment != experiment)
            continue;
        sc_listing_put(&box, "%s", row->epsilon);
        sc_listing_put(&box, "%s", row->mechanism);
        put_brief(&box, &row->raw);
        put_brief(&box, &row->flexible);
    }
    return sc_listing_close(&box, SCRIM_OK, error);
}

/* The row with the smallest mean at the same epsilon. */
static const lab_experiment_row *
least_beside(const lab_experiment *found, const lab_experiment_row *own, bool is_flexible)
{
    for (const lab_experiment_row *row = found->rows;
         row < found->rows + found->row_count; row++)
        if (row->experiment == own->experiment &&
            strcmp(row->epsilon, own->epsilon) == 0 &&
            (is_flexible ? row->flexible.is_least : row->raw.is_least))
            return row;
    return own;
}

/* "least at 0.05, 0.1; tied at 2; behind smooth at 0.5". */
static void write_standing(sc_output *output, const lab_experiment *found,
                           unsigned experiment, bool is_flexible)
{
    static const char *const words[] = {"least", "tied with the least", "behind"};
    const char *between = "";
    for (sc_experiment_verdict standing = SC_STANDING_LEAST;
         standing <= SC_STANDING_BEHIND; standing++) {
        const char *before = " at ";
        for (const lab_experiment_row *row = found->rows;
             row < found->rows + found->row_count; row++) {
            if (row->experiment != experiment || strcmp(row->mechanism, OURS) != 0)
                continue;
            const lab_experiment_row *least = least_beside(found, row, is_flexible);
            if (sc_experiment_standing(is_flexible ? &row->flexible : &row->raw,
                                       is_flexible ? &least->flexible : &least->raw) !=
                standing)
                continue;
            if (before[0] == ' ')
                sc_output_format(output, "%s%s", between, words[standing]);
            sc_output_format(output, "%s%s", before, row->epsilon);
            if (standing != SC_STANDING_LEAST)
                sc_output_format(output, " (%s)", least->mechanism);
            before = ", ";
            between = "; ";
        }
    }
    sc_output_text(output, "\n");
}

static scrim_status write_table(sc_output *output, const lab_experiment *found,
                                const sc_terminal *terminal, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < found->data_count; i++) {
        const lab_experiment_data *data = &found->data[i];
        size_t begin = sc_fold_begin(output);
        sc_output_format(output, "%sexperiment  %u: %s of ", i == 0 ? "" : "\n",
                         data->experiment, data->statistic);
        sc_output_format(output, "%s\n", data->data);
        sc_fold_end(output, begin, terminal->columns);
        status = write_box(output, found, data->experiment, terminal, error);
        begin = sc_fold_begin(output);
        sc_output_text(output, "raw         " OURS " is ");
        write_standing(output, found, data->experiment, false);
        sc_output_text(output, "flexible    " OURS " is ");
        write_standing(output, found, data->experiment, true);
        sc_fold_end(output, begin, terminal->columns);
    }
    const size_t begin = sc_fold_begin(output);
    sc_output_text(output,
                   "\nlegend      mean in percent of the number of bars, in brackets its "
                   "standard error, an asterisk behind the least; 95 %: what 95 % of the "
                   "runs stay within; tied: within two standard errors\n");
    sc_fold_end(output, begin, terminal->columns);
    return status;
}

scrim_status sc_experiment_write(sc_output *output, const lab_experiment *found,
                                 sc_format format, const sc_terminal *terminal,
                                 scrim_error *error)
{
    sc_json json;
    sc_json_init(&json, output);
    switch (format) {
    case SCRIM_FORMAT_TABLE:
        return write_table(output, found, terminal, error);
    case SCRIM_FORMAT_CSV:
        return write_csv(output, found, error);
    case SCRIM_FORMAT_JSON:
        write_json(&json, found);
        break;
    case SCRIM_FORMAT_JSONL:
        write_rows_json(&json, found, true);
        break;
    }
    return SCRIM_OK;
}

/* The drawing: a heading, the key in two lines, both errors side by side, the data below. */
#define HEIGHT 620
#define LEFT 76
#define KEY 70
#define KEY_STEP 160
#define TOP 138
#define BOTTOM 396
#define ZERO 22 /* between the lowest decade and 0 */
#define DATA_TOP 480
#define DATA_BOTTOM 570

/* Errors from 10^FLOOR to 10^CEILING percent. */
#define FLOOR (-3)
#define CEILING 2

static const sc_svg_field raw_field = {LEFT, 350, TOP, BOTTOM},
                          flexible_field = {LEFT + 350, 700, TOP, BOTTOM},
                          data_field = {LEFT, 700, DATA_TOP, DATA_BOTTOM};

/* Colours that differ for every kind of colour vision, and different shapes; scrim's line is broad. */

static const char *const mechanisms[] = {"stlap", "stability", "esa",     "exponential",
                                         "ptr",   "smooth",    "choosing"};
static const sc_chart_look looks[] = {
    SC_CHART_LOOK(SC_BLUE_HEX, "none", "4", SC_SVG_DISC),
    SC_CHART_LOOK("#000000", "none", "1", SC_SVG_PLUS),
    SC_CHART_LOOK(SC_ORANGE_HEX, "6 3", "2", SC_SVG_CROSS),
    SC_CHART_LOOK("#009e73", "none", "1", SC_SVG_SQUARE),
    SC_CHART_LOOK("#b8860b", "2 3", "2", SC_SVG_DIAMOND),
    SC_CHART_LOOK("#cc79a7", "none", "2", SC_SVG_UP),
    SC_CHART_LOOK("#666666", "8 3 2 3", "1", SC_SVG_DOWN)};
#define LOOKS (sizeof looks / sizeof *looks)

static void write_keys(sc_output *output)
{
    for (size_t i = 0; i < LOOKS; i++) {
        const int x = LEFT + (int)(i % 4) * KEY_STEP, y = KEY + (int)(i / 4) * 20;
        sc_svg_key(output, x, y, looks[i].style, mechanisms[i]);
        sc_svg_mark(output, x + 15, y, looks[i].shape, looks[i].colour);
    }
}

/* The errors of all mechanisms at an epsilon, and two standard errors to both sides. */
typedef struct panel_point {
    double epsilon;
    struct {
        double mean, low, high;
    } of[LOOKS];
} panel_point;

typedef struct panel {
    panel_point points[SC_CHART_LABELS];
    sc_chart chart;
} panel;

/* Rows come by epsilon. */
static void take_row(panel *p, const lab_experiment_row *row, bool is_flexible)
{
    const lab_experiment_error *error = is_flexible ? &row->flexible : &row->raw;
    const double epsilon = sc_number_view(row->epsilon),
                 reach = 2 * error->standard_error;
    size_t *count = &p->chart.count;
    if (*count == 0 || p->points[*count - 1].epsilon < epsilon) {
        if (*count == SC_CHART_LABELS)
            return;
        p->points[*count].epsilon = epsilon;
        for (size_t i = 0; i < LOOKS; i++)
            p->points[*count].of[i].mean = HUGE_VAL;
        sc_chart_axis_widen(&p->chart.x, epsilon);
        ++*count;
    }
    for (size_t i = 0; i < LOOKS; i++)
        if (strcmp(row->mechanism, mechanisms[i]) == 0) {
            p->points[*count - 1].of[i].mean = error->mean;
            p->points[*count - 1].of[i].low = error->mean - reach;
            p->points[*count - 1].of[i].high = error->mean + reach;
        }
}

/* Both from 0 on, and errors up to all bars. */
static void label_linear(sc_chart *chart)
{
    chart->x.low = 0;
    sc_chart_axis_label(&chart->x, 0, sc_axis_step(chart->x.high, SC_AXIS_LABELS));
    for (int percent = 0; percent <= 100; percent += 20) {
        char label[SC_CHART_LABEL_BYTES];
        snprintf(label, sizeof label, "%d %%", percent);
        sc_chart_axis_add(&chart->y, percent, label);
    }
}

static void label_axes(sc_chart *chart, const panel_point *points)
{
    char label[SC_CHART_LABEL_BYTES];
    const double margin = (chart->x.high - chart->x.low) * 0.04 / 0.92;
    chart->x.low -= margin;
    chart->x.high += margin;
    for (size_t i = 0; i < chart->count; i++) {
        snprintf(label, sizeof label, "%g", points[i].epsilon);
        sc_chart_axis_add(&chart->x, log10(points[i].epsilon), label);
    }
    for (int power = FLOOR; power <= CEILING; power++) {
        snprintf(label, sizeof label, "%g %%", pow(10, power));
        sc_chart_axis_add(&chart->y, power, label);
    }
}

/* scrim's line is drawn above those of stability and esa, which often coincide with it. */
static void write_panel(sc_output *output, const lab_experiment *found,
                        unsigned experiment, bool is_flexible, bool is_linear)
{
    static const size_t order[LOOKS] = {1, 2, 0, 3, 4, 5, 6};
    const sc_svg_field *field = is_flexible ? &flexible_field : &raw_field;
    panel p = {.chart = {.points = &p.points->epsilon,
                         .stride = sizeof(panel_point) / sizeof(double),
                         .line_count = LOOKS}};
    sc_chart_axis_init(&p.chart.x, "epsilon", !is_linear);
    sc_chart_axis_init(&p.chart.y, NULL, !is_linear);
    p.chart.y.low = is_linear ? 0 : FLOOR;
    p.chart.y.high = is_linear ? 100 : CEILING;
    p.chart.y.zero_gap = is_linear ? 0 : ZERO;
    for (const lab_experiment_row *row = found->rows;
         row < found->rows + found->row_count; row++)
        if (row->experiment == experiment)
            take_row(&p, row, is_flexible);
    if (is_linear)
        label_linear(&p.chart);
    else
        label_axes(&p.chart, p.points);
    for (size_t i = 0; i < LOOKS; i++)
        p.chart.lines[i] = (sc_chart_line){.look = &looks[order[i]],
                                           .y = &p.points->of[order[i]].mean,
                                           .low = &p.points->of[order[i]].low,
                                           .high = &p.points->of[order[i]].high};
    sc_output_format(output,
                     "<text x=\"%d\" y=\"%.1f\" font-weight=\"bold\">%s error, mean of "
                     "all runs</text>\n",
                     field->left, field->top - 12, is_flexible ? "flexible" : "raw");
    sc_chart_svg_write(output, &p.chart, field);
}

static void write_data(sc_output *output, const lab_experiment_data *data)
{
    int64_t most = 1;
    for (size_t i = 0; i < data->bars; i++)
        most = data->heights[i] > most ? data->heights[i] : most;
    const double step = sc_axis_step((double)most, SC_AXIS_LABELS) * 2,
                 width = sc_svg_x(&data_field, 1 / (double)data->bars) - LEFT;
    char label[32];
    for (double height = 0; height <= (double)most; height += step) {
        snprintf(label, sizeof label, "%g", height);
        sc_svg_y_label(output, &data_field, sc_svg_y(&data_field, height / (double)most),
                       label, height <= 0);
    }
    sc_output_text(output, "<path fill=\"" SC_BLUE_HEX "\" fill-opacity=\"0.5\" d=\"");
    sc_output_format(output, "M%d %d", LEFT, DATA_BOTTOM);
    for (size_t i = 0; i < data->bars; i++)
        if (i == 0 || data->heights[i] != data->heights[i - 1])
            sc_output_format(
                output, "H%.1fV%.1f", LEFT + width * (double)i,
                sc_svg_y(&data_field, (double)data->heights[i] / (double)most));
    sc_output_format(output, "H%dV%dz\"/>\n", data_field.right, DATA_BOTTOM);
    if (data->value > 0) {
        const double x = LEFT + width * ((double)data->value - 0.5);
        sc_output_format(output,
                         "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" "
                         "stroke=\"#000000\" stroke-dasharray=\"3 3\"/>\n"
                         "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%s = "
                         "%zu</text>\n",
                         x, DATA_TOP - 6, x, DATA_BOTTOM + 4, x, DATA_TOP - 10,
                         10 * data->value < data->bars       ? "start"
                         : 10 * data->value > 9 * data->bars ? "end"
                                                             : "middle",
                         data->statistic, data->value);
    }
    sc_output_format(output, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">data</text>\n",
                     LEFT, DATA_TOP - 28);
    sc_output_format(output, "<text x=\"%d\" y=\"%d\">1</text>\n", LEFT,
                     DATA_BOTTOM + 18);
    sc_output_format(output, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%zu</text>\n",
                     data_field.right, DATA_BOTTOM + 18, data->bars);
    sc_svg_x_name(output, &data_field, "bar");
}

#define HIDDEN 1 /* percent: a pixel or two of a linear axis */

/* How many raw errors a linear axis shows as 0, the largest of them, and how many there are. */
static void write_hidden(sc_output *output, const lab_experiment *found,
                         unsigned experiment)
{
    size_t hidden = 0, all = 0;
    double least = HUGE_VAL, most = 0;
    for (const lab_experiment_row *row = found->rows;
         row < found->rows + found->row_count; row++) {
        if (row->experiment != experiment)
            continue;
        all++;
        if (row->raw.mean >= HIDDEN || row->raw.mean <= 0)
            continue;
        hidden++;
        least = fmin(least, row->raw.mean);
        most = fmax(most, row->raw.mean);
    }
    sc_output_format(output, "<text x=\"%d\" y=\"%d\">", LEFT, BOTTOM + 62);
    if (hidden == 0)
        sc_output_text(output, "No raw error between 0 and 1 % looks like 0 here.");
    else
        sc_output_format(
            output,
            "%zu of %zu raw errors are above 0 and look like 0 here: %.2g %% "
            "to %.2g %%. A logarithmic axis tells them apart.",
            hidden, all, least, most);
    sc_output_text(output, "</text>\n");
}

void sc_experiment_svg_write(sc_output *output, const lab_experiment *found,
                             const lab_experiment_data *data, bool is_linear)
{
    char title[80], summary[200];
    snprintf(title, sizeof title, "Experiment %u: %s", data->experiment, data->statistic);
    snprintf(summary, sizeof summary, "%s; %" PRIu64 " runs, delta %s", data->data,
             found->rows[0].runs, LAB_EXPERIMENT_DELTA);
    sc_svg_open_headed(
        output, HEIGHT,
        &(sc_svg_heading){.title = title, .summary = summary, .x = LEFT, .y = 24});
    write_keys(output);
    write_panel(output, found, data->experiment, false, is_linear);
    write_panel(output, found, data->experiment, true, is_linear);
    if (is_linear)
        write_hidden(output, found, data->experiment);
    write_data(output, data);
    sc_svg_close(output);
}
