#include "cli/plot/svg_plot.h"

#include "cli/sheet/markup.h"
#include "cli/terminal/text_width.h"

#include <stdio.h>
#include <string.h>

#define SUMMARY_CHARS 92
#define LINE 20 /* from one line of text to the next */

void sc_svg_open(sc_output *output, int width, int height, const char *title)
{
    sc_output_format(output,
                     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
                     "height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" "
                     "font-family=\"sans-serif\" font-size=\"13\">\n<title>",
                     width, height, width, height);
    sc_markup_text(output, title);
    sc_output_text(output, "</title>\n");
}

void sc_svg_close(sc_output *output)
{
    sc_output_text(output, "</svg>\n");
}

/* The bytes of a line, up to a space if there is one; all of them if the rest fits. */
static size_t line_of(const char *text)
{
    const size_t bytes = strlen(text),
                 most = sc_fitting_bytes(text, bytes, SUMMARY_CHARS);
    size_t fits = most;
    while (fits < bytes && fits > 0 && text[fits] != ' ')
        fits--;
    return fits == 0 ? most : fits;
}

/* In at most so many lines, of which the last is cut. */
static void write_summary(sc_output *output, const sc_svg_heading *heading)
{
    const char *text = heading->summary;
    for (int line = 1; line < heading->summary_lines && text[line_of(text)] != '\0';
         line++) {
        char part[4 * SUMMARY_CHARS + 1];
        const size_t bytes = line_of(text);
        snprintf(part, sizeof part, "%.*s", (int)bytes, text);
        sc_markup_text(output, part);
        sc_output_format(output,
                         "</text>\n<text x=\"%d\" y=\"%d\" fill=\"" SC_SVG_GREY "\">",
                         heading->x, heading->y + LINE * (line + 1));
        text += bytes + (text[bytes] == ' ');
    }
    sc_markup_short(output, text, SUMMARY_CHARS);
}

void sc_svg_open_headed(sc_output *output, int height, const sc_svg_heading *heading)
{
    sc_svg_open(output, SC_SVG_WIDTH, height, heading->title);
    sc_output_text(output, "<desc>");
    if (heading->verdict != NULL)
        sc_output_format(output, "%s: ", heading->verdict);
    sc_markup_text(output, heading->summary);
    sc_output_format(output,
                     "</desc>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n"
                     "<text x=\"%d\" y=\"%d\" font-size=\"15\">",
                     SC_SVG_WIDTH, height, heading->x, heading->y);
    sc_markup_short(output, heading->title, SC_SVG_TITLE_CHARS);
    sc_output_format(output, "</text>\n<text x=\"%d\" y=\"%d\" fill=\"" SC_SVG_GREY "\">",
                     heading->x, heading->y + LINE);
    if (heading->verdict != NULL)
        sc_output_format(output,
                         "<tspan font-weight=\"bold\">%s</tspan>: ", heading->verdict);
    write_summary(output, heading);
    sc_output_text(output, "</text>\n");
}

double sc_svg_x(const sc_svg_field *field, double part)
{
    return field->left + part * (field->right - field->left);
}

double sc_svg_y(const sc_svg_field *field, double part)
{
    return field->bottom - part * (field->bottom - field->top);
}

/* Text that stands in the middle of a place. */
static void write_centred(sc_output *output, double x, double y, const char *text)
{
    sc_output_format(output, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", x, y);
    sc_markup_text(output, text);
    sc_output_text(output, "</text>\n");
}

void sc_svg_x_label(sc_output *output, const sc_svg_field *field, double x,
                    const char *text)
{
    sc_output_format(output,
                     "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                     "stroke=\"" SC_SVG_PALE "\"/>\n",
                     x, field->top, x, field->bottom);
    write_centred(output, x, field->bottom + 18, text);
}

void sc_svg_y_label(sc_output *output, const sc_svg_field *field, double y,
                    const char *text, bool is_ground)
{
    sc_output_format(output,
                     "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" "
                     "stroke=\"%s\"/>\n<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
                     field->left, y, field->right, y,
                     is_ground ? SC_SVG_GREY : SC_SVG_PALE, field->left - 8, y + 4);
    sc_markup_text(output, text);
    sc_output_text(output, "</text>\n");
}

void sc_svg_x_name(sc_output *output, const sc_svg_field *field, const char *name)
{
    write_centred(output, sc_svg_x(field, 0.5), field->bottom + 18 + LINE, name);
}

void sc_svg_y_name(sc_output *output, const sc_svg_field *field, const char *name)
{
    const int x = field->left - 62;
    const double y = sc_svg_y(field, 0.5);
    sc_output_format(output,
                     "<text x=\"%d\" y=\"%.1f\" text-anchor=\"middle\" "
                     "transform=\"rotate(-90 %d %.1f)\">",
                     x, y, x, y);
    sc_markup_text(output, name);
    sc_output_text(output, "</text>\n");
}

void sc_svg_key(sc_output *output, int x, double y, const char *style, const char *words)
{
    sc_output_format(output,
                     "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" %s/>\n"
                     "<text x=\"%d\" y=\"%.1f\">",
                     x, y, x + 30, y, style, x + 36, y + 4);
    sc_markup_text(output, words);
    sc_output_text(output, "</text>\n");
}

void sc_svg_dot(sc_output *output, double x, double y, const char *colour,
                const char *title)
{
    sc_output_format(output,
                     "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"5\" fill=\"#ffffff\" "
                     "stroke=\"%s\" stroke-width=\"2\"",
                     x, y, colour);
    if (title == NULL) {
        sc_output_text(output, "/>\n");
        return;
    }
    sc_output_text(output, "><title>");
    sc_markup_text(output, title);
    sc_output_text(output, "</title></circle>\n");
}

void sc_svg_mark(sc_output *output, double x, double y, sc_svg_shape shape,
                 const char *colour)
{
    static const char *const paths[] = {
        [SC_SVG_SQUARE] = "m-4-4h8v8h-8z",  [SC_SVG_DIAMOND] = "m0-5l4 5l-4 5l-4-5z",
        [SC_SVG_UP] = "m0-5l5 9h-10z",      [SC_SVG_DOWN] = "m0 5l5-9h-10z",
        [SC_SVG_PLUS] = "m-5 0h10m-5-5v10", [SC_SVG_CROSS] = "m-4-4l8 8m0-8l-8 8"};
    const bool is_open = shape >= SC_SVG_PLUS;
    if (shape == SC_SVG_POINT)
        sc_output_format(output,
                         "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2.5\" fill=\"%s\"/>\n", x,
                         y, colour);
    else if (shape == SC_SVG_DISC)
        sc_output_format(output,
                         "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" fill=\"%s\"/>\n", x,
                         y, colour);
    else
        sc_output_format(output,
                         "<path d=\"M%.1f %.1f%s\" fill=\"%s\" stroke=\"%s\" "
                         "stroke-width=\"%d\"/>\n",
                         x, y, paths[shape], is_open ? "none" : "#ffffff", colour,
                         is_open ? 2 : 1);
}

void sc_svg_pen_to(sc_svg_pen *pen, double x, double y)
{
    sc_output_format(pen->output, "%s%.2f,%.2f",
                     pen->is_down ? " " : "<polyline fill=\"none\" points=\"", x, y);
    pen->is_down = true;
}

void sc_svg_pen_lift(sc_svg_pen *pen)
{
    if (pen->is_down)
        sc_output_format(pen->output, "\" %s/>\n", pen->style);
    pen->is_down = false;
}
