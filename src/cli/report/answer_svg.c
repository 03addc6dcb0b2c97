#include "cli/report/answer_svg.h"

#include "cli/plot/svg_plot.h"
#include "cli/report/report_svg.h"
#include "cli/sheet/markup.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/palette.h"

#include <stdlib.h>

#define MARGIN 20
#define TITLE 40   /* what was asked, */
#define HEADING 30 /* and above each picture the name of its column */
#define TITLE_CHARS 90

static const char style[] =
    "<style>text{fill:#1a1a1a}.name{text-anchor:end}"
    ".tick{text-anchor:middle;fill:#555}.grid{stroke:#ccc;fill:none}"
    ".fill{fill:#dbe9f3}.reach{stroke:" SC_ORANGE_HEX ";stroke-width:2;fill:none}"
    ".open{stroke-dasharray:4 3}.dot{fill:" SC_BLUE_HEX "}"
    ".heading{font-weight:bold}</style>\n";

static bool is_drawn(const sc_report_sheet *sheet, size_t column)
{
    return sheet->columns[column].is_number && sheet->row_count > 0;
}

static double height_of(const sc_report_values *values)
{
    double height = MARGIN + TITLE;
    for (size_t i = 0; i < values->count; i++)
        for (size_t k = 0; k < values->sheets[i].column_count; k++)
            if (is_drawn(&values->sheets[i], k))
                height += HEADING + sc_report_bars_height(&values->sheets[i]);
    return height;
}

static void write_opening(sc_output *output, const char *title,
                          const sc_report_values *values)
{
    const int width = SC_REPORT_BARS_WIDTH + 2 * MARGIN;
    const int height = (int)height_of(values);
    sc_svg_open(output, width, height, title);
    sc_output_text(output, style);
    sc_output_format(output,
                     "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n"
                     "<text x=\"%d\" y=\"28\" font-size=\"15\">",
                     width, height, MARGIN);
    sc_markup_short(output, title, TITLE_CHARS);
    sc_output_text(output, "</text>\n");
}

static void write_heading(sc_output *output, const sc_report_sheet *sheet, size_t column,
                          const char *confidence)
{
    sc_output_text(output, "<text class=\"heading\" x=\"0\" y=\"20\">");
    sc_markup_text(output, sheet->columns[column].name);
    if (sheet->columns[column].is_certain) {
        sc_output_text(output, ", intervals hold with certainty");
    } else if (confidence[0] != '\0') {
        sc_output_text(output, ", intervals at confidence ");
        sc_markup_text(output, confidence);
    }
    if (sheet->row_count > SC_REPORT_BARS)
        sc_output_format(output, ", the first %d rows of %zu", SC_REPORT_BARS,
                         sheet->row_count);
    sc_output_text(output, "</text>\n");
}

void sc_answer_svg_write(sc_output *output, const char *title,
                         const sc_report_values *values)
{
    double y = TITLE;
    unsigned number = 0;
    write_opening(output, title, values);
    for (size_t i = 0; i < values->count; i++) {
        const sc_report_sheet *sheet = &values->sheets[i];
        for (size_t k = 0; k < sheet->column_count; k++) {
            if (!is_drawn(sheet, k))
                continue;
            sc_output_format(output, "<g transform=\"translate(%d %.0f)\">\n", MARGIN, y);
            write_heading(output, sheet, k, values->confidence);
            sc_output_format(output, "<g transform=\"translate(0 %d)\">\n", HEADING);
            sc_report_bars_inside(output, sheet, k, ++number);
            sc_output_text(output, "</g>\n</g>\n");
            y += HEADING + sc_report_bars_height(sheet);
        }
    }
    sc_svg_close(output);
}

typedef struct drawing {
    const char *title;
    const sc_report_values *values;
} drawing;

static void write_drawing(const void *context, sc_output *output)
{
    const drawing *d = context;
    sc_answer_svg_write(output, d->title, d->values);
}

scrim_status sc_answer_svg_file(scrim_vault *vault, uint64_t release, const char *title,
                                const char *path, scrim_error *error)
{
    SC_OWNED(sc_report_values_clear) sc_report_values values = {0};
    SC_TRY(sc_report_values_read(vault, release, &values, error));
    return sc_file_write("--svg", path, write_drawing, &(drawing){title, &values}, error);
}
