#include "cli/display/canvas.h"

#include "cli/display/page_style.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/line_fold.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SC_SVG_PALE "#dddddd"

#define PIECE_BYTES 256

static const char *entity_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

/* As much of the text as fits, at a whole character, cleaned; returns its bytes. */
static size_t take_piece(const char *text, char piece[PIECE_BYTES])
{
    size_t bytes = strnlen(text, PIECE_BYTES);
    if (bytes == PIECE_BYTES) {
        size_t back = 1;
        while (back < 4 && sc_is_continuation(text[bytes - back]))
            back++;
        bytes -= back;
    }
    memcpy(piece, text, bytes);
    piece[bytes] = '\0';
    sc_complaint_clean(piece);
    return bytes;
}

static void write_bytes(sc_output *output, const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        const char *entity = entity_of(text[i]);
        if (entity != NULL)
            sc_output_text(output, entity);
        else
            sc_output_bytes(output, text + i, 1);
    }
}

void sc_markup_short(sc_output *output, const char *text, size_t most)
{
    char piece[PIECE_BYTES];
    while (*text != '\0') {
        text += take_piece(text, piece);
        const size_t bytes = strlen(piece), fits = sc_fitting_bytes(piece, bytes, most);
        write_bytes(output, piece, fits);
        if (fits < bytes) {
            sc_output_text(output, "\xe2\x80\xa6");
            return;
        }
        most -= sc_bytes_width(piece, fits);
    }
}

void sc_markup_text(sc_output *output, const char *text)
{
    sc_markup_short(output, text, SIZE_MAX);
}

double sc_axis_step(double extent, int labels)
{
    const double least = extent / labels;
    const double decade = pow(10, floor(log10(least)));
    const double part = least / decade;
    return (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10) * decade;
}

void sc_cell_plot_init(sc_cell_plot *plot, size_t rows, int label_chars, size_t margin,
                       const sc_terminal *terminal)
{
    memset(plot, 0, sizeof *plot);
    memset(plot->x_labels, ' ', sizeof plot->x_labels);
    plot->rows = rows;
    plot->label_chars = label_chars;
    plot->columns = terminal->columns - (size_t)label_chars - margin;
    if (plot->columns > SC_CELL_COLUMNS)
        plot->columns = SC_CELL_COLUMNS;
}

size_t sc_cell_plot_row(size_t rows, double part)
{
    return (size_t)((1 - part) * (double)(rows - 1) + 0.5);
}

size_t sc_cell_plot_column(const sc_cell_plot *plot, double part)
{
    return (size_t)(part * (double)(plot->columns - 1) + 0.5);
}

bool sc_cell_plot_is_free(const sc_cell_plot *plot, size_t column, size_t count)
{
    for (size_t i = column; i < column + count; i++)
        if (plot->x_labels[i] != ' ')
            return false;
    return true;
}

void sc_cell_plot_label(sc_cell_plot *plot, size_t column, const char *text)
{
    memcpy(plot->x_labels + column, text, strlen(text));
}

static const char *text_of(const sc_cell_plot *plot, unsigned kind, bool utf8)
{
    return kind == 0 ? " " : plot->kinds[kind].texts[utf8];
}

static void write_key(sc_output *output, const sc_cell_plot *plot,
                      const sc_terminal *terminal)
{
    sc_output_format(output, "  %*s", plot->label_chars, plot->y_name);
    for (unsigned kind = 1; kind < SC_CELL_KINDS; kind++)
        if (plot->kinds[kind].words != NULL)
            sc_output_format(output, "  %s%s%s %s",
                             terminal->colour ? plot->kinds[kind].colour : "",
                             text_of(plot, kind, terminal->utf8),
                             terminal->colour ? SC_PLAIN : "", plot->kinds[kind].words);
    sc_output_text(output, "\n");
}

/* No blanks at the end, and a colour only where it changes. */
static void write_row(sc_output *output, const sc_cell_plot *plot, size_t row,
                      const sc_terminal *terminal)
{
    size_t end = plot->columns;
    const char *colour = "";
    while (end > 0 && plot->cells[row][end - 1] == 0)
        end--;
    sc_output_format(output, "  %*s %s", plot->label_chars, plot->y_labels[row],
                     terminal->utf8 ? "│" : "|");
    for (size_t column = 0; column < end; column++) {
        const unsigned kind = plot->cells[row][column];
        const char *wanted = kind == 0 ? colour : plot->kinds[kind].colour;
        if (terminal->colour && strcmp(wanted, colour) != 0)
            sc_output_text(output, wanted);
        colour = wanted;
        sc_output_text(output, text_of(plot, kind, terminal->utf8));
    }
    sc_output_text(output, terminal->colour && end > 0 ? SC_PLAIN "\n" : "\n");
}

static void write_axis(sc_output *output, const sc_cell_plot *plot, bool utf8)
{
    size_t used = sizeof plot->x_labels;
    while (used > 0 && plot->x_labels[used - 1] == ' ')
        used--;
    sc_output_format(output, "  %*s %s", plot->label_chars, "", utf8 ? "└" : "+");
    sc_output_repeat(output, utf8 ? "─" : "-", plot->columns);
    sc_output_format(output, "\n  %*s  %.*s\n", plot->label_chars, "", (int)used,
                     plot->x_labels);
    sc_output_format(output, "  %*s  %s\n", plot->label_chars, "", plot->x_name);
}

void sc_cell_plot_write(sc_output *output, const sc_cell_plot *plot,
                        const sc_terminal *terminal)
{
    write_key(output, plot, terminal);
    for (size_t row = 0; row < plot->rows; row++)
        write_row(output, plot, row, terminal);
    write_axis(output, plot, terminal->utf8);
}

#define SUMMARY_CHARS 92
#define TITLE_CHARS 56 /* of one that is larger on a phone */
#define LINE 20        /* from one line of text to the next */
#define NEXT_LINE                                                                        \
    "</text>\n<text class=\"long\" x=\"%d\" y=\"%d\" fill=\"" SC_SVG_GREY "\">"

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
    sc_drawing_style_write(output);
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

/* In at most `most` lines; the last is cut. */
static void write_summary(sc_output *output, const sc_svg_heading *heading)
{
    const char *text = heading->summary;
    for (int line = 1; line < heading->summary_lines && text[line_of(text)] != '\0';
         line++) {
        char part[4 * SUMMARY_CHARS + 1];
        const size_t bytes = line_of(text);
        snprintf(part, sizeof part, "%.*s", (int)bytes, text);
        sc_markup_text(output, part);
        sc_output_format(output, NEXT_LINE, heading->x, heading->y + LINE * (line + 1));
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
                     "</desc>\n<rect class=\"paper\" width=\"%d\" height=\"%d\" "
                     "fill=\"#ffffff\"/>\n<text class=\"%s\" x=\"%d\" y=\"%d\" "
                     "font-size=\"15\">",
                     SC_SVG_WIDTH, height,
                     strlen(heading->title) > TITLE_CHARS ? "long" : "title", heading->x,
                     heading->y);
    sc_markup_short(output, heading->title, SC_SVG_TITLE_CHARS);
    sc_output_format(output, NEXT_LINE, heading->x, heading->y + LINE);
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
static void write_centred(sc_output *output, double x, double y, const char *text,
                          bool is_spare)
{
    sc_output_format(output, "<text%s x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                     is_spare ? " class=\"more\"" : "", x, y);
    sc_markup_text(output, text);
    sc_output_text(output, "</text>\n");
}

void sc_svg_x_label(sc_output *output, const sc_svg_field *field, double x,
                    const char *text, bool is_spare)
{
    sc_output_format(output,
                     "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                     "stroke=\"" SC_SVG_PALE "\"/>\n",
                     x, field->top, x, field->bottom);
    write_centred(output, x, field->bottom + 18, text, is_spare);
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
    write_centred(output, sc_svg_x(field, 0.5), field->bottom + 18 + LINE, name, false);
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
