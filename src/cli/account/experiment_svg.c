#include "cli/account/experiment_svg.h"

#include "cli/plot/axis_step.h"
#include "cli/plot/chart.h"
#include "cli/sheet/number_view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* Colours that differ for every kind of colour vision, and shapes that differ as well; what is
 * scrim's is drawn broad. */

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
static void take_row(panel *p, const scrim_experiment_row *row, bool is_flexible)
{
    const scrim_experiment_error *error = is_flexible ? &row->flexible : &row->raw;
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

/* scrim's last, so that nothing covers it but for the marks that are meant to be seen on it. */
static void write_panel(sc_output *output, const scrim_experiment *found,
                        unsigned experiment, bool is_flexible)
{
    static const size_t order[LOOKS] = {1, 2, 0, 3, 4, 5, 6};
    const sc_svg_field *field = is_flexible ? &flexible_field : &raw_field;
    const scrim_experiment_row *row;
    panel p = {.chart = {.points = &p.points->epsilon,
                         .stride = sizeof(panel_point) / sizeof(double),
                         .line_count = LOOKS}};
    sc_chart_axis_init(&p.chart.x, "epsilon", true);
    sc_chart_axis_init(&p.chart.y, NULL, true);
    p.chart.y.low = FLOOR;
    p.chart.y.high = CEILING;
    p.chart.y.zero_gap = ZERO;
    for (size_t i = 0; (row = scrim_experiment_row_at(found, i)) != NULL; i++)
        if (row->experiment == experiment)
            take_row(&p, row, is_flexible);
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

static void write_data(sc_output *output, const scrim_experiment_data *data)
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

void sc_experiment_svg_write(sc_output *output, const scrim_experiment *found,
                             const scrim_experiment_data *data)
{
    char title[80], summary[200];
    const scrim_experiment_row *row = NULL;
    for (size_t i = 0; (row = scrim_experiment_row_at(found, i)) != NULL; i++)
        if (row->experiment == data->experiment)
            break;
    snprintf(title, sizeof title, "Experiment %u: %s", data->experiment, data->statistic);
    snprintf(summary, sizeof summary, "%s; %" PRIu64 " runs, delta %s", data->data,
             row == NULL ? 0 : row->runs, SCRIM_EXPERIMENT_DELTA);
    sc_svg_open_headed(
        output, HEIGHT,
        &(sc_svg_heading){.title = title, .summary = summary, .x = LEFT, .y = 24});
    write_keys(output);
    write_panel(output, found, data->experiment, false);
    write_panel(output, found, data->experiment, true);
    write_data(output, data);
    sc_svg_close(output);
}
