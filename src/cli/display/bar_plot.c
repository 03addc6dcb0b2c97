#include "cli/display/bar_plot.h"

#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/line_fold.h"
#include "cli/terminal/terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The shortest bar. */
#define CELLS_LEAST 8

/* Above the first and the last cell. */
static void write_ends(sc_output *output, const sc_axis *axis, size_t names, bool is_date)
{
    void (*const format)(double, char *) =
        is_date ? sc_date_view_format : sc_bound_format_exact;
    char low[SC_BAR_NUMBER_BYTES], high[SC_BAR_NUMBER_BYTES];
    format(axis->low, low);
    format(axis->high, high);
    const size_t used = strlen(low) + strlen(high);
    sc_output_repeat(output, " ", names + 4);
    sc_output_text(output, low);
    sc_output_repeat(output, " ", used < axis->cells ? axis->cells - used : 1);
    sc_output_format(output, "%s\n", high);
}

typedef struct bar_layout {
    sc_axis axis;
    size_t names, values, marks; /* columns; marks is 0 where they are not shown */
} bar_layout;

/* The widths of all that is shown, and the axis that holds it. */
static void widen(const sc_bar_plot *plot, size_t shown, bar_layout *out)
{
    sc_bar_row row;
    sc_axis_init(&out->axis, 0);
    if (plot->key != NULL) {
        sc_width_widen(&out->names, plot->key->name);
        sc_width_widen(&out->values, plot->key->value);
        sc_width_widen(&out->marks, plot->key->marked);
        out->axis.low = out->axis.high = 0;
    }
    for (size_t i = 0; i < shown; i++) {
        plot->source(plot->context, i, &row);
        sc_width_widen(&out->names, row.name);
        sc_width_widen(&out->values, row.value);
        if (row.has_bar)
            sc_axis_widen(&out->axis, &row.bar);
        if (plot->key == NULL)
            continue;
        sc_width_widen(&out->marks, row.marked);
        sc_axis_widen(&out->axis, &(sc_error_bar){.low = row.mark, .high = row.mark});
    }
    if (plot->key != NULL && !(out->axis.high > 0))
        out->axis.high = 1;
}

static bar_layout layout_of(const sc_bar_plot *plot, size_t shown,
                            const sc_terminal *terminal)
{
    bar_layout out = {.names = 0};
    widen(plot, shown, &out);
    size_t numbers = out.values + (out.marks == 0 ? 0 : out.marks + 2);
    if (terminal->is_terminal && out.marks > 0 &&
        out.names + numbers + 6 + CELLS_LEAST > terminal->columns) {
        out.marks = 0;
        numbers = out.values;
    }
    const size_t beside = numbers + 6 + CELLS_LEAST,
                 room = beside + CELLS_LEAST < terminal->columns
                            ? terminal->columns - beside
                            : CELLS_LEAST;
    if (terminal->is_terminal && out.names > room)
        out.names = room; /* longer names are cut */
    const size_t used = out.names + numbers + 6;
    out.axis.cells =
        used + CELLS_LEAST < terminal->columns ? terminal->columns - used : CELLS_LEAST;
    return out;
}

static void write_numbers(sc_output *output, const bar_layout *layout, const char *value,
                          const char *marked)
{
    sc_output_format(output, "  %*s", (int)layout->values, value);
    if (layout->marks > 0)
        sc_output_format(output, "  %*s", (int)layout->marks, marked);
    sc_output_text(output, "\n");
}

static void write_key(sc_output *output, const sc_bar_key *key, const bar_layout *layout,
                      const sc_terminal *terminal)
{
    const char *blue = terminal->colour ? SC_BLUE : "",
               *orange = terminal->colour ? SC_ORANGE : "",
               *plain = terminal->colour ? SC_PLAIN : "";
    const size_t words = strlen(key->bar) + strlen(key->mark) + 6;
    const bool has_words = layout->axis.cells >= words;
    const size_t used = has_words ? words : 4;
    sc_output_format(output, "  %*s  %s%s%s%s%s  %s%s%s%s%s", (int)layout->names,
                     key->name, blue, sc_bar_cell_text(SCRIM_CELL_FILLED, terminal->utf8),
                     plain, has_words ? " " : "", has_words ? key->bar : "", orange,
                     sc_bar_mark_text(terminal->utf8), plain, has_words ? " " : "",
                     has_words ? key->mark : "");
    sc_output_repeat(output, " ", layout->axis.cells - used);
    write_numbers(output, layout, key->value, key->marked);
}

void sc_bar_plot_write(sc_output *output, const sc_bar_plot *plot,
                       const sc_terminal *terminal)
{
    const size_t shown = plot->count < SC_BAR_ROWS ? plot->count : SC_BAR_ROWS;
    const bar_layout layout = layout_of(plot, shown, terminal);
    const sc_axis *axis = &layout.axis;
    sc_bar_row row;
    if (plot->key != NULL)
        write_key(output, plot->key, &layout, terminal);
    if (plot->has_ends && axis->low <= axis->high)
        write_ends(output, axis, layout.names, plot->is_date);
    for (size_t i = 0; i < shown; i++) {
        plot->source(plot->context, i, &row);
        row.name[sc_fitting_bytes(row.name, strlen(row.name), layout.names)] = '\0';
        sc_output_repeat(output, " ", 2 + layout.names - sc_text_width(row.name));
        sc_output_text(output, row.name);
        sc_output_text(output, "  ");
        if (plot->key != NULL)
            sc_marked_bar_write(output, axis, row.bar.value, row.mark, terminal);
        else if (row.has_bar)
            sc_error_bar_write(output, axis, &row.bar, terminal);
        else
            sc_output_repeat(output, " ", axis->cells);
        write_numbers(output, &layout, row.value, row.marked);
    }
    if (plot->count > shown)
        sc_output_format(output, "  and %zu more\n", plot->count - shown);
}

/* Layout. */

/* Where the bars go: from a low to a high value, both inside. */
typedef struct law_extent {
    scrim_wide low, high;
    bool low_is_end, high_is_end; /* nothing of the law lies beyond */
} law_extent;

static scrim_status probability(const scrim_distribution *distribution, scrim_wide low,
                                scrim_wide high, double *out, scrim_error *error)
{
    double lower, upper;
    SC_TRY(
        scrim_distribution_probability(distribution, low, high, &lower, &upper, error));
    *out = (lower + upper) / 2;
    return SCRIM_OK;
}

/* If the support ends at or near a value that is already far out, move there. */
static scrim_status snap_to_bound(const scrim_distribution *distribution, const char *p,
                                  bool is_low, double near, scrim_wide *edge,
                                  bool *is_end, scrim_error *error)
{
    scrim_wide far;
    double beyond = 1;
    SC_TRY(scrim_distribution_quantile(distribution, p, &far, error));
    if (is_low)
        SC_TRY(probability(distribution, SC_WIDE_MIN, sc_wide_add(far, sc_wide_of(-1)),
                           &beyond, error));
    else
        SC_TRY(probability(distribution, sc_wide_add(far, sc_wide_of(1)), SC_WIDE_MAX,
                           &beyond, error));
    if (!(beyond > 0) && fabs(sc_wide_double(far) - sc_wide_double(*edge)) <= near) {
        *edge = far;
        *is_end = true;
    }
    return SCRIM_OK;
}

static scrim_status find_extent(const scrim_distribution *distribution, law_extent *out,
                                scrim_error *error)
{
    memset(out, 0, sizeof *out);
    SC_TRY(scrim_distribution_quantile(distribution, "1/1000", &out->low, error));
    SC_TRY(scrim_distribution_quantile(distribution, "999/1000", &out->high, error));
    double near = (sc_wide_double(out->high) - sc_wide_double(out->low)) / 8 + 2;
    SC_TRY(snap_to_bound(distribution, "1e-30", true, near, &out->low, &out->low_is_end,
                         error));
    return snap_to_bound(distribution, "0.999999999999999999999999999999", false, near,
                         &out->high, &out->high_is_end, error);
}

/* For a law around 0: bars of odd width around 0, so that left and right mirror each
 * other. */
static void lay_around_zero(law_extent *extent, unsigned bars, scrim_wide *first,
                            scrim_wide *width)
{
    /* the two quantiles may differ by one in magnitude: the further counts */
    scrim_wide mirrored = sc_wide_negate(extent->low);
    if (sc_wide_is_less(extent->high, mirrored))
        extent->high = mirrored;
    else
        extent->low = sc_wide_negate(extent->high);
    double reach = sc_wide_double(extent->high);
    *width = sc_wide_from_double(ceil((2 * reach + 1) / bars));
    width->low |= 1;
    *first = sc_wide_negate((scrim_wide){
        (width->low >> 1) | ((uint64_t)width->high << 63), width->high >> 1});
    while (sc_wide_is_less(extent->low, *first))
        *first = sc_wide_add(*first, sc_wide_negate(*width));
}

/* For the others: widths 1, 2, 5, 10, … beginning at multiples where that is easy to
 * have. */
static void lay_from_low(const law_extent *extent, unsigned bars, scrim_wide *first,
                         scrim_wide *width)
{
    static const double steps[] = {1, 2, 5};
    double span = sc_wide_double(extent->high) - sc_wide_double(extent->low) + 1;
    double decade = 1;
    size_t i = 0;
    while (steps[i] * decade * bars < span) {
        i = (i + 1) % 3;
        decade *= i == 0 ? 10 : 1;
    }
    double step = steps[i] * decade;
    *width = sc_wide_from_double(step);
    *first = extent->low;
    if (!extent->low_is_end && sc_wide_is_narrow(*first) && step < 0x1p62) {
        int64_t low = (int64_t)first->low, size = (int64_t)width->low;
        int64_t over = (low % size + size) % size;
        if (low >= INT64_MIN + over)
            *first = sc_wide_of(low - over);
    }
}

static void lay_bars(sc_drawn_histogram *histogram, law_extent *extent, unsigned bars)
{
    scrim_wide low, width;
    bool around_zero =
        histogram->exact.mean_lower <= 0 && histogram->exact.mean_upper >= 0;
    if (around_zero)
        lay_around_zero(extent, bars, &low, &width);
    else
        lay_from_low(extent, bars, &low, &width);

    scrim_wide below_width = sc_wide_add(width, sc_wide_of(-1));
    while (histogram->bar_count < SC_HISTOGRAM_BARS &&
           !sc_wide_is_less(extent->high, low)) {
        scrim_wide high = sc_wide_add(low, below_width);
        sc_drawn_bar *bar = &histogram->bars[histogram->bar_count++];
        bar->low =
            extent->low_is_end && sc_wide_is_less(low, extent->low) ? extent->low : low;
        bar->high = extent->high_is_end && sc_wide_is_less(extent->high, high)
                        ? extent->high
                        : high;
        low = sc_wide_add(low, width);
    }
}

/* A bar without an end on either side; where the law has an end, one of probability 0. */
static void lay_tails(sc_drawn_histogram *histogram)
{
    sc_drawn_bar *bars = histogram->bars;
    size_t count = histogram->bar_count;
    memmove(bars + 1, bars, count * sizeof bars[0]);
    bars[0] = (sc_drawn_bar){SC_WIDE_MIN, sc_wide_add(bars[1].low, sc_wide_of(-1)), 0, 0};
    bars[count + 1] =
        (sc_drawn_bar){sc_wide_add(bars[count].high, sc_wide_of(1)), SC_WIDE_MAX, 0, 0};
    histogram->bar_count = count + 2;
}

scrim_status sc_histogram_init(sc_drawn_histogram *histogram,
                               const scrim_distribution *distribution, unsigned bars,
                               scrim_error *error)
{
    law_extent extent;
    memset(histogram, 0, sizeof *histogram);
    SC_TRY(scrim_distribution_moments(distribution, &histogram->exact, error));
    SC_TRY(find_extent(distribution, &extent, error));
    histogram->centre = (histogram->exact.mean_lower + histogram->exact.mean_upper) / 2;
    lay_bars(histogram, &extent, bars);
    lay_tails(histogram);
    for (size_t i = 0; i < histogram->bar_count; i++) {
        sc_drawn_bar *bar = &histogram->bars[i];
        SC_TRY(probability(distribution, bar->low, bar->high, &bar->probability, error));
        histogram->last[i] = sc_wide_is_narrow(bar->high) ? (int64_t)bar->high.low
                             : bar->high.high < 0         ? INT64_MIN
                                                          : INT64_MAX;
    }
    return SCRIM_OK;
}

/* Counting. */

void sc_histogram_add(sc_drawn_histogram *histogram, const int64_t *draws, size_t count)
{
    double first = 0, second = 0;
    for (size_t i = 0; i < count; i++) {
        size_t bar = 0;
        for (size_t j = 0; j + 1 < histogram->bar_count; j++)
            bar += draws[i] > histogram->last[j];
        histogram->bars[bar].count++;
        double offset = (double)draws[i] - histogram->centre;
        first += offset;
        second += offset * offset;
    }
    histogram->first_sum += first;
    histogram->second_sum += second;
    histogram->draws += count;
}

void sc_histogram_add_wide(sc_drawn_histogram *histogram, const scrim_wide *draws,
                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t bar = 0;
        for (size_t j = 0; j + 1 < histogram->bar_count; j++)
            bar += sc_wide_is_less(histogram->bars[j].high, draws[i]);
        histogram->bars[bar].count++;
        double offset = sc_wide_double(draws[i]) - histogram->centre;
        histogram->first_sum += offset;
        histogram->second_sum += offset * offset;
    }
    histogram->draws += count;
}

double sc_histogram_mean(const sc_drawn_histogram *histogram)
{
    return histogram->centre + histogram->first_sum / (double)histogram->draws;
}

double sc_histogram_variance(const sc_drawn_histogram *histogram)
{
    if (histogram->draws < 2)
        return 0;
    double count = (double)histogram->draws;
    double offset = histogram->first_sum / count;
    return fmax(0, histogram->second_sum - count * offset * offset) / (count - 1);
}

/* Agreement. */

/* The regularised upper incomplete gamma function Q(a, x): its series for 1 - Q where x
 * is small, its continued fraction (modified Lentz) elsewhere. */
static double gamma_upper(double a, double x)
{
    if (x <= 0)
        return 1;
    double scale = exp(a * log(x) - x - lgamma(a));
    if (x < a + 1) {
        double term = 1 / a, sum = term;
        for (int n = 1; term > sum * 1e-15; n++) {
            term *= x / (a + n);
            sum += term;
        }
        return fmax(0, 1 - scale * sum);
    }
    double b = x + 1 - a, c = 1e300, d = 1 / b, h = d, factor = 0;
    for (int n = 1; n < 1000 && fabs(factor - 1) > 1e-15; n++) {
        double numerator = n * (a - n);
        b += 2;
        d = 1 / (numerator * d + b);
        c = b + numerator / c;
        factor = c * d;
        h *= factor;
    }
    return fmin(1, scale * h);
}

sc_chi_square sc_histogram_chi_square(const sc_drawn_histogram *histogram)
{
    sc_chi_square result = {0, 0, 1};
    double expected[SC_HISTOGRAM_BARS + 2], observed[SC_HISTOGRAM_BARS + 2];
    size_t cells = 0;
    bool open = false; /* the last cell still expects too little */
    bool impossible = false;
    for (size_t i = 0; i < histogram->bar_count; i++) {
        const sc_drawn_bar *bar = &histogram->bars[i];
        double want = bar->probability * (double)histogram->draws;
        impossible = impossible || (bar->count > 0 && !(bar->probability > 0));
        if (!open) {
            expected[cells] = observed[cells] = 0;
            cells++;
        }
        expected[cells - 1] += want;
        observed[cells - 1] += (double)bar->count;
        open = expected[cells - 1] < 5;
    }
    if (open && cells > 1) {
        cells--;
        expected[cells - 1] += expected[cells];
        observed[cells - 1] += observed[cells];
    }
    if (impossible)
        return (sc_chi_square){HUGE_VAL, 1, 0};
    if (cells < 2)
        return result;
    for (size_t i = 0; i < cells; i++) {
        double difference = observed[i] - expected[i];
        result.statistic += difference * difference / expected[i];
    }
    result.freedom = (unsigned)(cells - 1);
    result.p = gamma_upper((double)result.freedom / 2, result.statistic / 2);
    return result;
}

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
