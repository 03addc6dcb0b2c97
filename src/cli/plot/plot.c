#include "cli/plot/plot.h"

#include "cli/plot/bar_plot.h"
#include "cli/sheet/wide_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A longer range is shown rounded. */
#define LABEL_CHARS 21

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

static void format_label(const sc_drawn_histogram *histogram, size_t index,
                         char label[SC_BAR_NAME_BYTES])
{
    const sc_drawn_bar *bar = &histogram->bars[index];
    char low[SCRIM_WIDE_BYTES], high[SCRIM_WIDE_BYTES];
    format_edge(bar->low, low);
    format_edge(bar->high, high);
    if (index == 0)
        snprintf(label, SC_BAR_NAME_BYTES, "<= %s", high);
    else if (index + 1 == histogram->bar_count)
        snprintf(label, SC_BAR_NAME_BYTES, ">= %s", low);
    else if (strcmp(low, high) == 0)
        snprintf(label, SC_BAR_NAME_BYTES, "%s", low);
    else if (snprintf(label, SC_BAR_NAME_BYTES, "%s..%s", low, high) > LABEL_CHARS)
        snprintf(label, SC_BAR_NAME_BYTES, "%.2e..%.2e", sc_wide_double(bar->low),
                 sc_wide_double(bar->high));
}

/* Rows: the bars that are shown. */
static void row_of(const void *context, size_t index, sc_bar_row *out)
{
    const sc_drawn_histogram *histogram = context;
    const size_t i = index + !is_shown(histogram, 0);
    const sc_drawn_bar *bar = &histogram->bars[i];
    const double drawn = (double)bar->count,
                 expected = bar->probability * (double)histogram->draws;
    *out = (sc_bar_row){.value = out->number,
                        .has_bar = true,
                        .bar = {.low = drawn, .value = drawn, .high = drawn},
                        .mark = expected};
    format_label(histogram, i, out->name);
    snprintf(out->number, sizeof out->number, "%" PRIu64, bar->count);
    snprintf(out->marked, sizeof out->marked, expected < 1e15 ? "%.1f" : "%.9e",
             expected);
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
    static const sc_bar_key key = {.name = "value",
                                   .bar = "drawn",
                                   .mark = "exact law",
                                   .value = "drawn",
                                   .marked = "expected"};
    const sc_bar_plot plot = {.count = histogram->bar_count - !is_shown(histogram, 0) -
                                       !is_shown(histogram, histogram->bar_count - 1),
                              .source = row_of,
                              .context = histogram,
                              .key = &key};
    sc_output_text(output, "  ");
    sc_output_text(output, text); /* may be long */
    sc_output_format(output, ", %" PRIu64 " draw%s\n", histogram->draws,
                     histogram->draws == 1 ? "" : "s");
    sc_bar_plot_write(output, &plot, terminal);
    if (histogram->draws > 0) {
        write_moments(output, histogram);
        plot_verdict_write(output, histogram);
    }
}
