#include "cli/account/experiment_svg.h"

#include "cli/plot/axis_step.h"
#include "cli/plot/svg_plot.h"
#include "cli/sheet/markup.h"
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
typedef struct look {
    const char *mechanism, *colour, *dashes;
    int width;
    char shape;
} look;

static const look looks[] = {
    {"stlap", SC_BLUE_HEX, "none", 4, 'o'},    {"stability", "#000000", "none", 1, '+'},
    {"esa", SC_ORANGE_HEX, "6 3", 2, 'x'},     {"exponential", "#009e73", "none", 1, 's'},
    {"ptr", "#b8860b", "2 3", 2, 'd'},         {"smooth", "#cc79a7", "none", 2, 't'},
    {"choosing", "#666666", "8 3 2 3", 1, 'v'}};
#define LOOKS (sizeof looks / sizeof *looks)

static double place_x(const sc_svg_field *field, const char *epsilon, double first,
                      double last)
{
    const double part = log(sc_number_view(epsilon) / first) / log(last / first);
    return sc_svg_x(field, 0.04 + 0.92 * part);
}

static double place_y(const sc_svg_field *field, double error)
{
    const double low = field->bottom - ZERO;
    const double part = error > 0 ? (log10(error) - FLOOR) / (CEILING - FLOOR) : -1;
    return part < 0 ? field->bottom : low - fmin(part, 1) * (low - field->top);
}

/* The shape of a mechanism at a place. */
static void write_mark(sc_output *output, const look *l, double x, double y)
{
    static const struct {
        char shape;
        const char *path;
        int is_open;
    } paths[] = {{'s', "m-4-4h8v8h-8z", 0},    {'d', "m0-5l4 5l-4 5l-4-5z", 0},
                 {'t', "m0-5l5 9h-10z", 0},    {'v', "m0 5l5-9h-10z", 0},
                 {'+', "m-5 0h10m-5-5v10", 1}, {'x', "m-4-4l8 8m0-8l-8 8", 1}};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (paths[i].shape == l->shape)
            sc_output_format(output,
                             "<path d=\"M%.1f %.1f%s\" fill=\"%s\" stroke=\"%s\" "
                             "stroke-width=\"%d\"/>\n",
                             x, y, paths[i].path, paths[i].is_open ? "none" : "#ffffff",
                             l->colour, paths[i].is_open ? 2 : 1);
    if (l->shape == 'o')
        sc_output_format(output,
                         "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" fill=\"%s\"/>\n", x,
                         y, l->colour);
}

static void write_style(char text[160], const look *l)
{
    snprintf(text, 160,
             "stroke=\"%s\" stroke-width=\"%d\" stroke-dasharray=\"%s\" "
             "stroke-linejoin=\"round\"",
             l->colour, l->width, l->dashes);
}

static void write_keys(sc_output *output)
{
    for (size_t i = 0; i < LOOKS; i++) {
        char style[160];
        const int x = LEFT + (int)(i % 4) * KEY_STEP, y = KEY + (int)(i / 4) * 20;
        write_style(style, &looks[i]);
        sc_svg_key(output, x, y, style, looks[i].mechanism);
        write_mark(output, &looks[i], x + 15, y);
    }
}

/* The rows of one experiment. */
typedef struct panel {
    const scrim_experiment *found;
    unsigned experiment;
    const sc_svg_field *field;
    bool is_flexible;
    double first, last; /* epsilons */
} panel;

/* The next row of the experiment, and of a mechanism where one is named; NULL past the last. */
static const scrim_experiment_row *next_row(const panel *p, const char *mechanism,
                                            size_t *index)
{
    const scrim_experiment_row *row;
    while ((row = scrim_experiment_row_at(p->found, (*index)++)) != NULL)
        if (row->experiment == p->experiment &&
            (mechanism == NULL || strcmp(row->mechanism, mechanism) == 0))
            return row;
    return NULL;
}

static const scrim_experiment_error *error_of(const panel *p,
                                              const scrim_experiment_row *row)
{
    return p->is_flexible ? &row->flexible : &row->raw;
}

static void find_ends(panel *p)
{
    const scrim_experiment_row *row;
    p->first = HUGE_VAL;
    p->last = 0;
    for (size_t i = 0; (row = next_row(p, NULL, &i)) != NULL;) {
        p->first = fmin(p->first, sc_number_view(row->epsilon));
        p->last = fmax(p->last, sc_number_view(row->epsilon));
    }
}

static void write_axes(sc_output *output, const panel *p)
{
    const scrim_experiment_row *row;
    char label[32];
    for (size_t i = 0; (row = next_row(p, looks[0].mechanism, &i)) != NULL;)
        sc_svg_x_label(output, p->field,
                       place_x(p->field, row->epsilon, p->first, p->last), row->epsilon);
    sc_svg_x_name(output, p->field, "epsilon");
    for (int power = FLOOR; power <= CEILING; power++) {
        snprintf(label, sizeof label, "%g %%", pow(10, power));
        sc_svg_y_label(output, p->field, place_y(p->field, pow(10, power)), label, false);
    }
    sc_svg_y_label(output, p->field, place_y(p->field, 0), "0", true);
    sc_output_format(output,
                     "<text x=\"%d\" y=\"%.1f\" font-weight=\"bold\">%s error, mean of "
                     "all runs</text>\n",
                     p->field->left, p->field->top - 12,
                     p->is_flexible ? "flexible" : "raw");
}

/* Two standard errors to both sides. */
static void write_reach(sc_output *output, const panel *p, const look *l, double x,
                        const scrim_experiment_error *error)
{
    const double reach = 2 * error->standard_error;
    if (reach > 0)
        sc_output_format(
            output,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x,
            place_y(p->field, error->mean - reach), x,
            place_y(p->field, error->mean + reach), l->colour);
}

static void write_curve(sc_output *output, const panel *p, const look *l)
{
    const scrim_experiment_row *row;
    char style[160];
    sc_svg_pen pen = {.output = output, .style = style};
    write_style(style, l);
    for (size_t i = 0; (row = next_row(p, l->mechanism, &i)) != NULL;)
        sc_svg_pen_to(&pen, place_x(p->field, row->epsilon, p->first, p->last),
                      place_y(p->field, error_of(p, row)->mean));
    sc_svg_pen_lift(&pen);
    for (size_t i = 0; (row = next_row(p, l->mechanism, &i)) != NULL;) {
        const double x = place_x(p->field, row->epsilon, p->first, p->last);
        write_reach(output, p, l, x, error_of(p, row));
        write_mark(output, l, x, place_y(p->field, error_of(p, row)->mean));
    }
}

/* scrim's last, so that nothing covers it but for the marks that are meant to be seen on it. */
static void write_panel(sc_output *output, panel *p)
{
    find_ends(p);
    write_axes(output, p);
    for (size_t i = LOOKS; i-- > 3;)
        write_curve(output, p, &looks[i]);
    write_curve(output, p, &looks[0]);
    write_curve(output, p, &looks[2]);
    write_curve(output, p, &looks[1]);
}

static void write_data(sc_output *output, const scrim_experiment_data *data)
{
    int64_t most = 1;
    for (size_t i = 0; i < data->bars; i++)
        most = data->heights[i] > most ? data->heights[i] : most;
    const double step = sc_axis_step((double)most) * 2,
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
    panel raw = {.found = found, .experiment = data->experiment, .field = &raw_field};
    panel flexible = raw;
    size_t index = 0;
    const scrim_experiment_row *row = next_row(&raw, NULL, &index);
    flexible.field = &flexible_field;
    flexible.is_flexible = true;
    snprintf(title, sizeof title, "Experiment %u: %s", data->experiment, data->statistic);
    snprintf(summary, sizeof summary, "%s; %" PRIu64 " runs, delta %s", data->data,
             row == NULL ? 0 : row->runs, SCRIM_EXPERIMENT_DELTA);
    sc_svg_open_headed(
        output, HEIGHT,
        &(sc_svg_heading){.title = title, .summary = summary, .x = LEFT, .y = 24});
    write_keys(output);
    write_panel(output, &raw);
    write_panel(output, &flexible);
    write_data(output, data);
    sc_svg_close(output);
}
