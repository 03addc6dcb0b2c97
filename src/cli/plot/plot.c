#include "cli/plot/plot.h"

#include "cli/sheet/wide_view.h"
#include "cli/terminal/palette.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LABEL_BYTES (2 * SCRIM_WIDE_BYTES + 4)
/* A longer range is shown rounded. */
#define LABEL_CHARS 21
#define NUMBER_BYTES 24
/* The shortest bar. */
#define CELLS_LEAST 8

/* The texts of one bar. */
typedef struct bar_text {
    char label[LABEL_BYTES], drawn[NUMBER_BYTES], expected[NUMBER_BYTES];
} bar_text;

typedef struct bar_layout {
    bar_text texts[SC_HISTOGRAM_BARS + 2];
    int label_width, drawn_width, expected_width;
    bool has_expected; /* no narrow terminal: the number stands beside its mark */
    size_t cells;      /* of the longest bar */
    double fullest;    /* what the longest bar stands for */
} bar_layout;

/* A tail that the law has not and nobody drew is not shown. */
static bool is_shown(const sc_drawn_histogram *histogram, size_t index)
{
    const sc_drawn_bar *bar = &histogram->bars[index];
    bool tail = index == 0 || index + 1 == histogram->bar_count;
    return !tail || bar->probability > 0 || bar->count > 0;
}

/* Texts. */

static void format_edge(scrim_wide value, char text[SCRIM_WIDE_BYTES])
{
    if (scrim_wide_format(value, text) > LABEL_CHARS - 3)
        snprintf(text, SCRIM_WIDE_BYTES, "%.3e", sc_wide_double(value));
}

static void format_label(const sc_drawn_histogram *histogram, size_t index, char *label)
{
    const sc_drawn_bar *bar = &histogram->bars[index];
    char low[SCRIM_WIDE_BYTES], high[SCRIM_WIDE_BYTES];
    format_edge(bar->low, low);
    format_edge(bar->high, high);
    if (index == 0)
        snprintf(label, LABEL_BYTES, "<= %s", high);
    else if (index + 1 == histogram->bar_count)
        snprintf(label, LABEL_BYTES, ">= %s", low);
    else if (strcmp(low, high) == 0)
        snprintf(label, LABEL_BYTES, "%s", low);
    else if (snprintf(label, LABEL_BYTES, "%s..%s", low, high) > LABEL_CHARS)
        snprintf(label, LABEL_BYTES, "%.2e..%.2e", sc_wide_double(bar->low),
                 sc_wide_double(bar->high));
}

static void format_expected(double expected, char text[NUMBER_BYTES])
{
    snprintf(text, NUMBER_BYTES, expected < 1e15 ? "%.1f" : "%.9e", expected);
}

static void widen(int *width, const char *text)
{
    int length = (int)strlen(text);
    *width = length > *width ? length : *width;
}

static void choose_layout(const sc_drawn_histogram *histogram,
                          const sc_terminal *terminal, bar_layout *out)
{
    *out = (bar_layout){.label_width = (int)strlen("value"),
                        .drawn_width = (int)strlen("drawn"),
                        .expected_width = (int)strlen("expected")};
    for (size_t i = 0; i < histogram->bar_count; i++) {
        const sc_drawn_bar *bar = &histogram->bars[i];
        bar_text *text = &out->texts[i];
        double expected = bar->probability * (double)histogram->draws;
        if (!is_shown(histogram, i))
            continue;
        format_label(histogram, i, text->label);
        snprintf(text->drawn, NUMBER_BYTES, "%" PRIu64, bar->count);
        format_expected(expected, text->expected);
        widen(&out->label_width, text->label);
        widen(&out->drawn_width, text->drawn);
        widen(&out->expected_width, text->expected);
        out->fullest = fmax(out->fullest, fmax(expected, (double)bar->count));
    }
    int taken = out->label_width + out->drawn_width + out->expected_width + 8;
    int left = (int)terminal->columns - taken;
    out->has_expected = left >= CELLS_LEAST || !terminal->is_terminal;
    left += out->has_expected ? 0 : out->expected_width + 2;
    out->cells = left < CELLS_LEAST ? CELLS_LEAST : (size_t)left;
}

/* Bars. */

/* One cell of a bar that is so many eighths of a cell long. */
static const char *cell_text(size_t cell, size_t eighths, bool utf8)
{
    static const char *const blocks[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
    size_t filled = eighths <= 8 * cell ? 0 : eighths - 8 * cell;
    if (filled > 8)
        filled = 8;
    return utf8 ? blocks[filled] : filled >= 4 ? "#" : " ";
}

static void write_bar(sc_output *output, double drawn, double expected,
                      const bar_layout *layout, const sc_terminal *terminal)
{
    double fullest = layout->fullest > 0 ? layout->fullest : 1;
    size_t eighths = (size_t)(drawn / fullest * (double)layout->cells * 8 + 0.5);
    size_t mark = (size_t)(expected / fullest * (double)layout->cells);
    if (mark >= layout->cells)
        mark = layout->cells - 1;
    if (terminal->colour)
        sc_output_text(output, SC_BLUE);
    for (size_t cell = 0; cell < layout->cells; cell++) {
        if (cell != mark)
            sc_output_text(output, cell_text(cell, eighths, terminal->utf8));
        else if (terminal->colour)
            sc_output_format(output, SC_ORANGE "%s" SC_BLUE, terminal->utf8 ? "┃" : "|");
        else
            sc_output_text(output, terminal->utf8 ? "┃" : "|");
    }
    if (terminal->colour)
        sc_output_text(output, SC_PLAIN);
}

static void write_numbers(sc_output *output, const bar_layout *layout, const char *drawn,
                          const char *expected)
{
    sc_output_format(output, "  %*s", layout->drawn_width, drawn);
    if (layout->has_expected)
        sc_output_format(output, "  %*s", layout->expected_width, expected);
    sc_output_text(output, "\n");
}

static void write_key(sc_output *output, const bar_layout *layout,
                      const sc_terminal *terminal)
{
    const char *block = terminal->utf8 ? "█" : "#", *mark = terminal->utf8 ? "┃" : "|";
    const char *blue = terminal->colour ? SC_BLUE : "",
               *orange = terminal->colour ? SC_ORANGE : "";
    const char *plain = terminal->colour ? SC_PLAIN : "";
    bool wide = layout->cells >= strlen("# drawn  | exact law");
    size_t used = wide ? strlen("# drawn  | exact law") : strlen("#  |");
    sc_output_format(output, "  %*s  ", layout->label_width, "value");
    sc_output_format(output, "%s%s%s%s  %s%s%s%s", blue, block, plain,
                     wide ? " drawn" : "", orange, mark, plain, wide ? " exact law" : "");
    sc_output_repeat(output, " ", layout->cells - used);
    write_numbers(output, layout, "drawn", "expected");
}

/* Lines below the bars. */

static void write_moments(sc_output *output, const sc_drawn_histogram *histogram)
{
    const scrim_moments *exact = &histogram->exact;
    sc_output_format(output, "  mean %.6g, exact %.6g; variance %.6g, exact %.6g\n",
                     sc_histogram_mean(histogram),
                     (exact->mean_lower + exact->mean_upper) / 2,
                     sc_histogram_variance(histogram),
                     (exact->variance_lower + exact->variance_upper) / 2);
}

/* The one line of agreement that ends a plot. */
static void plot_verdict_write(sc_output *output, const sc_drawn_histogram *histogram)
{
    sc_chi_square test = sc_histogram_chi_square(histogram);
    if (test.freedom == 0) {
        sc_output_text(output,
                       "  chi-square: nothing to test with so few draws or values\n");
        return;
    }
    const char *verdict = test.p >= 1e-3   ? "agrees with the exact law"
                          : test.p >= 1e-9 ? "unusual; draw again"
                                           : "NOT the exact law";
    sc_output_format(output, "  chi-square %.3g, %u degrees of freedom, p = %.2g: %s\n",
                     test.statistic, test.freedom, test.p, verdict);
}

void sc_plot_write(sc_output *output, const sc_drawn_histogram *histogram,
                   const char *text, const sc_terminal *terminal)
{
    bar_layout layout;
    choose_layout(histogram, terminal, &layout);
    sc_output_text(output, "  ");
    sc_output_text(output, text); /* may be long */
    sc_output_format(output, ", %" PRIu64 " draw%s\n", histogram->draws,
                     histogram->draws == 1 ? "" : "s");
    write_key(output, &layout, terminal);
    for (size_t i = 0; i < histogram->bar_count; i++) {
        const sc_drawn_bar *bar = &histogram->bars[i];
        if (!is_shown(histogram, i))
            continue;
        sc_output_format(output, "  %*s  ", layout.label_width, layout.texts[i].label);
        write_bar(output, (double)bar->count, bar->probability * (double)histogram->draws,
                  &layout, terminal);
        write_numbers(output, &layout, layout.texts[i].drawn, layout.texts[i].expected);
    }
    if (histogram->draws > 0) {
        write_moments(output, histogram);
        plot_verdict_write(output, histogram);
    }
}
