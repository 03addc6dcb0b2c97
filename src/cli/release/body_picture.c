#include "cli/release/body_picture.h"

#include "cli/display/canvas.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/line_fold.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADING 96
/* The key of the drawing: the width of a letter, and the letters of the sample line, q and a gap. */
#define KEY_LETTER 8
#define KEY_LEAD 13
#define LABELS 5

/* Which columns are drawn. */

typedef struct choice {
    size_t columns[SCRIM_BODY_DIMENSIONS], count;
} choice;

static scrim_status take_column(choice *c, const sc_body_view *view, const char *name,
                                size_t bytes, scrim_error *error)
{
    for (size_t j = 0; j < view->facts.dimension; j++)
        if (strlen(view->columns[j].name) == bytes &&
            memcmp(view->columns[j].name, name, bytes) == 0) {
            if (c->count < SCRIM_BODY_DIMENSIONS)
                c->columns[c->count++] = j;
            return SCRIM_OK;
        }
    return sc_refuse(error, "'%.*s' is not a column of the body",
                     bytes < 60 ? (int)bytes : 60, name);
}

static scrim_status take_columns(choice *c, const sc_body_view *view, const char *names,
                                 scrim_error *error)
{
    if (names == NULL)
        for (size_t j = 0; j < view->facts.dimension; j++)
            c->columns[c->count++] = j;
    while (names != NULL) {
        const char *comma = strchr(names, ',');
        SC_TRY(take_column(c, view, names,
                           comma == NULL ? strlen(names) : (size_t)(comma - names),
                           error));
        names = comma == NULL ? NULL : comma + 1;
    }
    return SCRIM_OK;
}

/* Each surface words the advice. */
static scrim_status refuse_count(scrim_error *error)
{
    const scrim_status status =
        sc_refuse(error, "a drawing has 2 to 6 columns; name those to draw");
    error->reason = SCRIM_REASON_MISSING;
    strcpy(error->parameter, "columns");
    return status;
}

scrim_status sc_body_picture_choose(sc_body_picture *p, const char *names,
                                    scrim_error *error)
{
    choice c = {.count = 0};
    SC_TRY(take_columns(&c, p->views[0], names, error));
    if (p->views[0]->facts.dimension == 1) {
        p->pairs[0][1] = 1;
        p->panel_count = 1;
        return SCRIM_OK;
    }
    if (c.count < 2 || c.count > 6)
        return refuse_count(error);
    for (size_t i = 0; i < c.count; i++)
        for (size_t j = i + 1; j < c.count; j++) {
            if (c.columns[i] == c.columns[j])
                return sc_refuse(error, "a drawing names a column twice");
            p->pairs[p->panel_count][0] = c.columns[i];
            p->pairs[p->panel_count++][1] = c.columns[j];
        }
    return SCRIM_OK;
}

scrim_status sc_body_picture_init(sc_body_picture *p, scrim_error *error)
{
    for (size_t i = 0; i < p->count; i++) {
        scrim_center center;
        SC_TRY(scrim_solid_center(p->views[i]->solid, "steiner", p->centers[i], &center,
                                  error));
    }
    return SCRIM_OK;
}

/* A panel: a part of the plane of two columns that holds all shadows, with a margin. */
typedef struct panel {
    const sc_body_picture *picture;
    size_t first, second; /* columns; second is 1 for a body of one column */
    double low[2], high[2];
    double *corners[SC_BODY_PICTURE_BODIES];
    size_t counts[SC_BODY_PICTURE_BODIES];
} panel;

static void clear_panel(panel *p)
{
    for (size_t i = 0; i < SC_BODY_PICTURE_BODIES; i++)
        free(p->corners[i]);
}

static bool is_segment(const panel *p)
{
    return p->picture->views[0]->facts.dimension == 1;
}

static void widen(panel *p, const double *corner)
{
    for (size_t k = 0; k < 2; k++) {
        p->low[k] = fmin(p->low[k], corner[k]);
        p->high[k] = fmax(p->high[k], corner[k]);
    }
}

static scrim_status find_panel(panel *p, scrim_error *error)
{
    p->low[0] = p->low[1] = (double)INFINITY;
    p->high[0] = p->high[1] = -(double)INFINITY;
    for (size_t i = 0; i < p->picture->count; i++) {
        const double *corners;
        scrim_status status =
            scrim_solid_shadow(p->picture->views[i]->solid, p->first, p->second, &corners,
                               &p->counts[i], error);
        if (status != SCRIM_OK)
            return status;
        p->corners[i] = malloc(2 * p->counts[i] * sizeof *corners);
        if (p->corners[i] == NULL)
            return sc_out_of_memory(error, "a drawing");
        memcpy(p->corners[i], corners, 2 * p->counts[i] * sizeof *corners);
        for (size_t c = 0; c < p->counts[i]; c++)
            widen(p, corners + 2 * c);
    }
    const sc_body_points *points = p->picture->points;
    for (size_t i = 0; points != NULL && i < points->count; i++) {
        const double *x = points->x + i * points->dimension;
        widen(p, (const double[]){x[p->first], is_segment(p) ? p->low[1] : x[p->second]});
    }
    for (size_t k = 0; k < 2; k++) {
        const double margin = fmax(0.15 * (p->high[k] - p->low[k]), 1e-9);
        p->low[k] -= margin;
        p->high[k] += margin;
    }
    return SCRIM_OK;
}

/* Lines of more bodies would hide them. */
static bool has_lines(const sc_body_picture *picture)
{
    return picture->count <= 2;
}

static double part(const panel *p, size_t axis, double value)
{
    return (value - p->low[axis]) / (p->high[axis] - p->low[axis]);
}

/* The line <normal, x> = offset inside the panel; false: it has no line, or the half-space does not stand upright on it. */
static bool cut_line(const panel *p, const double *normal, double offset, size_t d,
                     double ends[2][2])
{
    const double a = normal[p->first], b = p->second < d ? normal[p->second] : 0;
    size_t count = 0;
    for (size_t j = 0; j < d; j++)
        if (j != p->first && j != p->second && fabs(normal[j]) > 0)
            return false;
    for (size_t side = 0; side < 4 && count < 2; side++) {
        const size_t k = side / 2; /* this one is at its end, the other is found */
        const double at = side % 2 == 0 ? p->low[k] : p->high[k];
        const double own = k == 0 ? a : b, other = k == 0 ? b : a;
        if (!(fabs(other) > 0))
            continue;
        const double found = (offset - own * at) / other;
        if (found < p->low[1 - k] || found > p->high[1 - k])
            continue;
        ends[count][k] = at;
        ends[count++][1 - k] = found;
    }
    return count == 2;
}

/* SVG. */

static const struct look {
    const char *fill, *stroke;
} looks[SC_BODY_PICTURE_BODIES] = {{SC_BLUE_HEX, SC_BLUE_HEX},
                                   {SC_ORANGE_HEX, SC_ORANGE_HEX},
                                   {"#009e73", "#009e73"},
                                   {"#cc79a7", "#cc79a7"}};

static void draw_axis(sc_output *output, const panel *p, const sc_svg_field *field,
                      size_t axis)
{
    const double step = sc_axis_step(p->high[axis] - p->low[axis], LABELS);
    for (double at = ceil(p->low[axis] / step) * step; at <= p->high[axis]; at += step) {
        char text[32];
        snprintf(text, sizeof text, "%.6g", fabs(at) < step / 2 ? 0 : at);
        if (axis == 0)
            sc_svg_x_label(output, field, sc_svg_x(field, part(p, 0, at)), text, false);
        else
            sc_svg_y_label(output, field, sc_svg_y(field, part(p, 1, at)), text, false);
    }
}

/* From the foot of the Steiner point on a line of the screen, towards where the sum grows. */
static void draw_tick(sc_output *output, const panel *p, const sc_svg_field *field,
                      size_t which, const double *line, const double *normal)
{
    const double *center = p->picture->centers[which];
    const double dx = line[2] - line[0], dy = line[3] - line[1], length = hypot(dx, dy);
    const double cx = sc_svg_x(field, part(p, 0, center[p->first])),
                 cy =
                     sc_svg_y(field, is_segment(p) ? 0.5 : part(p, 1, center[p->second]));
    if (!(length > 0))
        return;
    const double along = ((cx - line[0]) * dx + (cy - line[1]) * dy) / length,
                 x = line[0] + along * dx / length, y = line[1] + along * dy / length;
    /* Upright on the line; the sign is that of the sum. */
    double ux = dy / length, uy = -dx / length;
    const double grows = normal[p->first] * ux * (p->high[0] - p->low[0]) -
                         (is_segment(p) ? 0 : normal[p->second] * uy) *
                             (p->high[1] - p->low[1]) * (field->right - field->left) /
                             (field->bottom - field->top);
    if (grows < 0) {
        ux = -ux;
        uy = -uy;
    }
    sc_output_format(output,
                     "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                     "stroke=\"%s\" stroke-width=\"1.5\"/>\n",
                     x, y, x + 8 * ux, y + 8 * uy, looks[which].stroke);
}

/* Released half-spaces as thin lines, with a tick outwards where the Steiner point is nearest: its direction. */
static void draw_lines(sc_output *output, const panel *p, const sc_svg_field *field,
                       size_t which)
{
    const sc_body_view *view = p->picture->views[which];
    double normal[SCRIM_BODY_DIMENSIONS], offset, ends[2][2];
    for (size_t i = 0; scrim_body_half_space_at(view->body, i, normal, &offset) != 0;
         i++) {
        if (!cut_line(p, normal, offset, view->facts.dimension, ends))
            continue;
        const double x1 = sc_svg_x(field, part(p, 0, ends[0][0])),
                     y1 = sc_svg_y(field, part(p, 1, ends[0][1])),
                     x2 = sc_svg_x(field, part(p, 0, ends[1][0])),
                     y2 = sc_svg_y(field, part(p, 1, ends[1][1]));
        sc_output_format(output,
                         "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                         "stroke=\"%s\" stroke-width=\"0.7\" stroke-opacity=\"0.35\"/>\n",
                         x1, y1, x2, y2, looks[which].stroke);
        draw_tick(output, p, field, which, (const double[]){x1, y1, x2, y2}, normal);
    }
}

static void draw_shadow(sc_output *output, const panel *p, const sc_svg_field *field,
                        size_t which)
{
    sc_output_text(output, "<polygon points=\"");
    for (size_t c = 0; c < p->counts[which]; c++)
        sc_output_format(output, "%s%.2f,%.2f", c == 0 ? "" : " ",
                         sc_svg_x(field, part(p, 0, p->corners[which][2 * c])),
                         sc_svg_y(field, part(p, 1, p->corners[which][2 * c + 1])));
    sc_output_format(output,
                     "\" fill=\"%s\" fill-opacity=\"0.15\" stroke=\"%s\" "
                     "stroke-width=\"2\" stroke-linejoin=\"round\"/>\n",
                     looks[which].fill, looks[which].stroke);
    const double *center = p->picture->centers[which];
    sc_svg_mark(output, sc_svg_x(field, part(p, 0, center[p->first])),
                sc_svg_y(field, is_segment(p) ? 0.5 : part(p, 1, center[p->second])),
                SC_SVG_PLUS, looks[which].stroke);
}

/* Small and grey, so that bodies are seen through thousands of them. */
static void draw_points(sc_output *output, const panel *p, const sc_svg_field *field)
{
    const sc_body_points *points = p->picture->points;
    sc_output_text(output, "<g fill=\"#808080\" fill-opacity=\"0.6\">\n");
    for (size_t i = 0; i < points->count; i++) {
        const double *x = points->x + i * points->dimension;
        sc_output_format(output, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"1.5\"/>\n",
                         sc_svg_x(field, part(p, 0, x[p->first])),
                         sc_svg_y(field, is_segment(p) ? 0.5 : part(p, 1, x[p->second])));
    }
    sc_output_text(output, "</g>\n");
}

static void draw_panel(sc_output *output, const panel *p, const sc_svg_field *field,
                       size_t number)
{
    const sc_body_view *view = p->picture->views[0];
    draw_axis(output, p, field, 0);
    if (!is_segment(p))
        draw_axis(output, p, field, 1);
    sc_output_format(output,
                     "<clipPath id=\"panel%zu\"><rect x=\"%d\" y=\"%.1f\" width=\"%d\" "
                     "height=\"%.1f\"/></clipPath>\n<g clip-path=\"url(#panel%zu)\">\n",
                     number, field->left, field->top, field->right - field->left,
                     field->bottom - field->top, number);
    if (p->picture->points != NULL)
        draw_points(output, p, field);
    for (size_t i = 0; has_lines(p->picture) && i < p->picture->count; i++)
        draw_lines(output, p, field, i);
    for (size_t i = 0; i < p->picture->count; i++)
        draw_shadow(output, p, field, i);
    sc_output_text(output, "</g>\n");
    sc_svg_x_name(output, field, view->columns[p->first].name);
    if (!is_segment(p))
        sc_svg_y_name(output, field, view->columns[p->second].name);
}

/* Is q enough to tell the bodies apart? */
static bool have_own_q(const sc_body_picture *picture)
{
    for (size_t i = 0; i < picture->count; i++)
        for (size_t k = 0; k < i; k++)
            if (!(fabs(picture->views[i]->facts.q - picture->views[k]->facts.q) > 0))
                return false;
    return true;
}

/* The name of a file without its folder, and no longer than it has room. */
static void draw_key(sc_output *output, const sc_body_picture *picture)
{
    const int width = 680 / (int)picture->count;
    const unsigned room = (unsigned)(width / KEY_LETTER - KEY_LEAD);
    const bool is_named = picture->count > 1 && !have_own_q(picture);
    for (size_t i = 0; i < picture->count; i++) {
        char words[120], style[80];
        const char *path = picture->views[i]->path, *slash = strrchr(path, '/'),
                   *name = slash == NULL ? path : slash + 1;
        const size_t bytes = strlen(name);
        const bool is_cut = sc_fitting_bytes(name, bytes, room) < bytes;
        const size_t shown = sc_fitting_bytes(name, bytes, is_cut ? room - 1 : room);
        snprintf(words, sizeof words, "q %g%s%.*s%s", picture->views[i]->facts.q,
                 is_named ? ", " : "", is_named ? (int)shown : 0, name,
                 is_named && is_cut ? "\xe2\x80\xa6" : "");
        snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"3\"",
                 looks[i].stroke);
        sc_svg_key(output, 20 + (int)i * width, 72, style, words);
    }
}

/* The same to an output that is open. */
static scrim_status sc_body_picture_draw(const sc_body_picture *picture,
                                         sc_output *output, scrim_error *error)
{
    const size_t across = picture->panel_count > 1 ? 2 : 1,
                 down = (picture->panel_count + across - 1) / across;
    const bool is_line = picture->views[0]->facts.dimension == 1;
    const int width = SC_SVG_WIDTH / (int)across, height = is_line       ? 150
                                                           : across == 1 ? 520
                                                                         : 330;
    const scrim_body_facts *facts = &picture->views[0]->facts;
    char title[160], summary[240];
    snprintf(title, sizeof title, "Floating body%s%.60s",
             facts->dataset[0] == '\0' ? "" : " of ", facts->dataset);
    snprintf(summary, sizeof summary, "cut by %zu directions; %scross: Steiner point%s",
             facts->direction_count,
             has_lines(picture) ? "thin lines: half-spaces, ticks outwards; " : "",
             picture->views[0]->shape.inflation > 0 ? "; INFLATED" : "");
    const sc_svg_heading heading = {.title = title, .summary = summary, .x = 20, .y = 28};
    scrim_status status = SCRIM_OK;
    sc_svg_open_headed(output, HEADING + height * (int)down + 10, &heading);
    draw_key(output, picture);
    for (size_t i = 0; status == SCRIM_OK && i < picture->panel_count; i++) {
        panel p = {.picture = picture,
                   .first = picture->pairs[i][0],
                   .second = picture->pairs[i][1]};
        const int left = (int)(i % across) * width;
        const int top = HEADING + (int)(i / across) * height;
        const sc_svg_field field = {left + 86, left + width - 24, top, top + height - 60};
        status = find_panel(&p, error);
        if (status == SCRIM_OK)
            draw_panel(output, &p, &field, i);
        clear_panel(&p);
    }
    sc_svg_close(output);
    return status;
}

scrim_status sc_body_picture_svg(const sc_body_picture *picture, const char *path,
                                 scrim_error *error)
{
    sc_file_writer file;
    sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_out_of_memory(error, "a drawing");
    scrim_status status = sc_file_writer_open(&file, "--svg", path, error);
    if (status == SCRIM_OK) {
        sc_output_init(output, file.descriptor);
        status = sc_body_picture_draw(picture, output, error);
        const scrim_status closed =
            sc_file_writer_close(&file, output, status == SCRIM_OK ? error : NULL);
        status = status == SCRIM_OK ? closed : status;
    }
    free(output);
    return status;
}

/* In characters. */

/* The bodies come last, one after the other. */
enum { EMPTY, LINE, CENTER, BODY };

static bool is_inside(const panel *p, size_t which, double x, double y)
{
    const double *corners = p->corners[which];
    const size_t count = p->counts[which];
    if (count == 0)
        return false;
    if (is_segment(p))
        return (x - corners[0]) * (x - corners[2]) <= 0;
    for (size_t i = 0; i < count; i++) {
        const double *a = corners + 2 * i, *b = corners + 2 * ((i + 1) % count);
        if ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) < 0)
            return false;
    }
    return true;
}

/* Cells that a released line crosses. */
static void mark_lines(const panel *p, sc_cell_plot *plot)
{
    const sc_body_view *view = p->picture->views[0];
    double normal[SCRIM_BODY_DIMENSIONS], offset, ends[2][2];
    for (size_t i = 0; scrim_body_half_space_at(view->body, i, normal, &offset) != 0; i++)
        if (cut_line(p, normal, offset, view->facts.dimension, ends))
            for (size_t s = 0; s <= 400; s++) {
                const double t = (double)s / 400;
                const double x = part(p, 0, ends[0][0] + t * (ends[1][0] - ends[0][0])),
                             y = part(p, 1, ends[0][1] + t * (ends[1][1] - ends[0][1]));
                plot->cells[sc_cell_plot_row(plot->rows, y)]
                           [sc_cell_plot_column(plot, x)] = LINE;
            }
}

/* The size of a shadow: twice its area, or its length if it is a segment. */
static double size_of(const panel *p, size_t which)
{
    const double *corners = p->corners[which];
    const size_t count = p->counts[which];
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const double *a = corners + 2 * i, *b = corners + 2 * ((i + 1) % count);
        sum += is_segment(p) ? fabs(b[0] - a[0]) : a[0] * b[1] - b[0] * a[1];
    }
    return fabs(sum);
}

/* The largest first, so that none hides another. */
static void sort_shadows(const panel *p, size_t order[SC_BODY_PICTURE_BODIES])
{
    for (size_t i = 0; i < p->picture->count; i++) {
        size_t at = i;
        for (; at > 0 && size_of(p, order[at - 1]) < size_of(p, i); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static void fill_cells(const panel *p, sc_cell_plot *plot)
{
    size_t order[SC_BODY_PICTURE_BODIES];
    sort_shadows(p, order);
    for (size_t i = 0; i < p->picture->count; i++)
        for (size_t r = 0; r < plot->rows; r++)
            for (size_t c = 0; c < plot->columns; c++) {
                const double x = p->low[0] + ((double)c + 0.5) / (double)plot->columns *
                                                 (p->high[0] - p->low[0]),
                             y = p->high[1] - ((double)r + 0.5) / (double)plot->rows *
                                                  (p->high[1] - p->low[1]);
                if (is_inside(p, order[i], x, y))
                    plot->cells[r][c] = (unsigned char)(BODY + order[i]);
            }
    const double *center = p->picture->centers[0];
    plot->cells[is_segment(p)
                    ? plot->rows / 2
                    : sc_cell_plot_row(plot->rows, part(p, 1, center[p->second]))]
               [sc_cell_plot_column(plot, part(p, 0, center[p->first]))] = CENTER;
}

static void label_cells(const panel *p, sc_cell_plot *plot)
{
    for (size_t axis = 0; axis < (is_segment(p) ? 1U : 2U); axis++) {
        const double step = sc_axis_step(p->high[axis] - p->low[axis], LABELS);
        for (double at = ceil(p->low[axis] / step) * step; at <= p->high[axis];
             at += step) {
            char text[SC_CELL_LABEL_BYTES];
            snprintf(text, sizeof text, "%.6g", fabs(at) < step / 2 ? 0 : at);
            const size_t column = sc_cell_plot_column(plot, part(p, 0, at));
            if (axis == 1)
                memcpy(plot->y_labels[sc_cell_plot_row(plot->rows, part(p, 1, at))], text,
                       sizeof text);
            else if (sc_cell_plot_is_free(plot, column, strlen(text)))
                sc_cell_plot_label(plot, column, text);
        }
    }
}

static const sc_cell_kind body_kinds[SC_BODY_PICTURE_BODIES] = {
    {{"#", "\xe2\x96\x88"}, SC_BLUE, "body"},
    {{"=", "\xe2\x96\x92"}, SC_ORANGE, "second body"},
    {{"-", "\xe2\x96\x91"}, SC_ORANGE, "third body"},
    {{"%", "\xe2\x96\x93"}, SC_BLUE, "fourth body"}};

static void write_panel(sc_output *output, const panel *p, const sc_terminal *terminal)
{
    const sc_body_view *view = p->picture->views[0];
    sc_cell_plot *plot = calloc(1, sizeof *plot);
    if (plot == NULL)
        return;
    sc_cell_plot_init(plot, is_segment(p) ? 3 : SC_CELL_ROWS, 9, 4, terminal);
    plot->x_name = view->columns[p->first].name;
    plot->y_name = is_segment(p) ? "" : view->columns[p->second].name;
    if (has_lines(p->picture))
        plot->kinds[LINE] =
            (sc_cell_kind){{".", "\xc2\xb7"}, SC_BLUE, "released half-spaces"};
    plot->kinds[CENTER] = (sc_cell_kind){{"+", "+"}, SC_ORANGE, "Steiner point"};
    for (size_t i = 0; i < p->picture->count; i++)
        plot->kinds[BODY + i] = body_kinds[i];
    if (has_lines(p->picture))
        mark_lines(p, plot);
    fill_cells(p, plot);
    label_cells(p, plot);
    sc_cell_plot_write(output, plot, terminal);
    free(plot);
}

scrim_status sc_body_picture_write(const sc_body_picture *picture, sc_output *output,
                                   const sc_terminal *terminal, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < picture->panel_count; i++) {
        panel p = {.picture = picture,
                   .first = picture->pairs[i][0],
                   .second = picture->pairs[i][1]};
        status = find_panel(&p, error);
        if (status == SCRIM_OK)
            write_panel(output, &p, terminal);
        clear_panel(&p);
    }
    return status;
}

typedef struct drawing {
    sc_body_view view;
    sc_body_picture picture;
    sc_output output;
} drawing;

static scrim_status draw(drawing *d, const char *columns, char **out, size_t *bytes,
                         scrim_error *error)
{
    d->picture.views[d->picture.count++] = &d->view;
    scrim_status status = sc_body_picture_choose(&d->picture, columns, error);
    if (status == SCRIM_OK)
        status = sc_body_picture_init(&d->picture, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_init_keep(&d->output);
    status = sc_body_picture_draw(&d->picture, &d->output, error);
    char *text = sc_output_take(&d->output, bytes);
    if (status == SCRIM_OK && text == NULL)
        return sc_out_of_memory(error, "a drawing");
    if (status == SCRIM_OK)
        *out = text;
    else
        free(text);
    return status;
}

scrim_status sc_body_drawing_text(scrim_body *body, const char *columns, char **out,
                                  size_t *bytes, scrim_error *error)
{
    drawing *d = calloc(1, sizeof *d);
    if (d == NULL)
        return sc_out_of_memory(error, "a drawing");
    scrim_status status = sc_body_view_of(&d->view, body, error);
    if (status == SCRIM_OK)
        status = draw(d, columns, out, bytes, error);
    scrim_solid_free(d->view.solid);
    free(d);
    return status;
}
