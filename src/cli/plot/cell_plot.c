#include "cli/plot/cell_plot.h"

#include "cli/terminal/palette.h"

#include <string.h>

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
