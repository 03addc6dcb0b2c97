#include "check.h"
#include "cli/display/bar_plot.h"
#include "cli/display/number_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static sc_output output;

/* Values 0, 1, 2 and so on, but for the second, which has no value. */
static void row_at(const void *context, size_t index, sc_bar_row *out)
{
    (void)context;
    const double value = (double)index;
    *out = (sc_bar_row){.has_bar = index != 1};
    out->bar = (sc_error_bar){
        .low = value, .value = value, .high = value + 1, .is_filled = true};
    snprintf(out->name, sizeof out->name, index == 0 ? "first" : "%zu", index);
    snprintf(out->number, sizeof out->number, "%zu", 5 * index);
    out->value = index == 1 ? "" : out->number;
}

static const char *plotted(size_t count, unsigned columns)
{
    sc_output_init(&output, -1);
    sc_bar_plot_write(&output, &(sc_bar_plot){.count = count, .source = row_at},
                      &(sc_terminal){.columns = columns});
    output.bytes[output.used] = '\0';
    return output.bytes;
}

TEST(bar_plot_aligns_names_bars_and_numbers)
{
    CHECK_STR(plotted(3, 29), "  first  o----|             0\n"
                              "      1                      \n"
                              "      2  ##########o----|  10\n");
    CHECK_STR(plotted(0, 40), "");
}

TEST(bar_plot_counts_what_it_does_not_show)
{
    const char *text = plotted(SC_BAR_ROWS + 7, 80);
    CHECK(strstr(text, "  and 7 more\n") != NULL);
    size_t lines = 0;
    for (; *text != '\0'; text++)
        lines += *text == '\n';
    CHECK_INT(lines, SC_BAR_ROWS + 1);
}

/* Values 0, 2 and 4, marked at half of each and of 4. */
static void marked_row_at(const void *context, size_t index, sc_bar_row *out)
{
    (void)context;
    const double value = 2 * (double)index;
    *out = (sc_bar_row){.has_bar = true, .mark = index == 0 ? 4 : value / 2};
    out->bar = (sc_error_bar){.low = value, .value = value, .high = value};
    snprintf(out->name, sizeof out->name, "%zu", index);
    snprintf(out->number, sizeof out->number, "%g", value);
    snprintf(out->marked, sizeof out->marked, "%.1f", out->mark);
    out->value = out->number;
}

TEST(bar_plot_with_a_key_marks_its_bars)
{
    static const sc_bar_key key = {"x", "drawn", "law", "n", "want"};
    const sc_bar_plot plot = {.count = 3, .source = marked_row_at, .key = &key};
    const struct {
        sc_terminal terminal;
        const char *want;
    } list[] = {
        {{.columns = 29},
         "  x  # drawn  | law   n  want\n"
         "  0                |  0   4.0\n"
         "  1  ###|####         2   1.0\n"
         "  2  #######|#######  4   2.0\n"},
        {{.columns = 17, .is_terminal = true}, /* no room for the marks in digits */
         "  x  #  |       n\n"
         "  0          |  0\n"
         "  1  ##|##      2\n"
         "  2  ####|####  4\n"}};
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_output_init(&output, -1);
        sc_bar_plot_write(&output, &plot, &list[i].terminal);
        output.bytes[output.used] = '\0';
        CHECK_STR(output.bytes, list[i].want);
    }
}

static const char *const laws[] = {
    "uniform n=1",
    "uniform n=6",
    "uniform n=1000000",
    "bernoulli p=1/3",
    "bernoulli p=1",
    "bernoulli-exp x=2",
    "geometric scale=1/3",
    "geometric scale=1000",
    "discrete-laplace scale=1/3",
    "discrete-laplace scale=10",
    "discrete-laplace scale=2^40",
    "discrete-laplace scale=2^60",
    "discrete-gaussian variance=1/3",
    "discrete-gaussian variance=1e6",
    "discrete-gaussian variance=2^120",
    "truncated-laplace scale=10 bound=20",
    "clamped-laplace scale=10 bound=20",
    "shifted-laplace epsilon=1/10 q=41",
    "shifted-laplace epsilon=1/10 q=1000000",
};
#define LAWS (sizeof laws / sizeof laws[0])

/* Bars touch, cover every integer once, and their probabilities add up to 1. */
static void check_bars(const sc_drawn_histogram *histogram, const char *law)
{
    double sum = 0;
    size_t last = histogram->bar_count - 1;
    CHECK(histogram->bar_count >= 3);
    CHECK(histogram->bars[0].low.high == INT64_MIN && histogram->bars[0].low.low == 0);
    CHECK(histogram->bars[last].high.high == INT64_MAX);
    for (size_t i = 0; i <= last; i++) {
        const sc_drawn_bar *bar = &histogram->bars[i];
        sum += bar->probability;
        scrim_wide next = sc_wide_add(bar->high, sc_wide_of(1));
        if (i < last && (next.low != bar[1].low.low || next.high != bar[1].low.high))
            CHECK_FAIL("%s: bars %zu and %zu do not touch", law, i, i + 1);
        if (i > 0 && i < last && !(bar->probability > 0))
            CHECK_FAIL("%s: bar %zu is outside the law", law, i);
    }
    if (fabs(sum - 1) > 1e-9)
        CHECK_FAIL("%s: the bars' probabilities add up to %.12f", law, sum);
    /* the tails are what the bars leave out: little */
    if (histogram->bars[0].probability + histogram->bars[last].probability > 0.002)
        CHECK_FAIL("%s: too much is in the tails", law);
}

TEST(histogram_covers_every_law)
{
    for (size_t i = 0; i < LAWS; i++) {
        sc_drawn_histogram histogram;
        scrim_distribution *distribution;
        scrim_error error = {.status = SCRIM_OK};
        if (!CHECK_STATUS(scrim_distribution_parse(laws[i], &distribution, &error),
                          SCRIM_OK))
            continue;
        if (CHECK_STATUS(
                sc_histogram_init(&histogram, distribution, SC_HISTOGRAM_BARS, &error),
                SCRIM_OK))
            check_bars(&histogram, laws[i]);
        scrim_distribution_free(distribution);
    }
}

/* A law around 0 has the same bars on both sides. */
TEST(histogram_mirrors_a_symmetric_law)
{
    sc_drawn_histogram histogram;
    scrim_distribution *distribution;
    scrim_error error;
    REQUIRE_OK(
        scrim_distribution_parse("discrete-laplace scale=10", &distribution, &error));
    scrim_status status = sc_histogram_init(&histogram, distribution, 13, &error);
    scrim_distribution_free(distribution);
    REQUIRE_OK(status);
    CHECK(histogram.bar_count <= 13 + 2);
    for (size_t i = 1, j = histogram.bar_count - 2; i < j; i++, j--) {
        CHECK_INT((int64_t)histogram.bars[i].low.low,
                  -(int64_t)histogram.bars[j].high.low);
        CHECK_NEAR(histogram.bars[i].probability, histogram.bars[j].probability, 1e-12);
    }
}

/* Three bars 0, 1, 2 between tails that hold nothing. */
static void make_small(sc_drawn_histogram *histogram)
{
    memset(histogram, 0, sizeof *histogram);
    histogram->bar_count = 5;
    for (int64_t i = 0; i < 5; i++) {
        histogram->bars[i].low = i == 0 ? SC_WIDE_MIN : sc_wide_of(i - 1);
        histogram->bars[i].high = i == 4 ? SC_WIDE_MAX : sc_wide_of(i - 1);
        histogram->last[i] = i == 4 ? INT64_MAX : i - 1;
    }
    histogram->bars[1].probability = 0.5;
    histogram->bars[2].probability = 0.25;
    histogram->bars[3].probability = 0.25;
    histogram->centre = 0.75;
}

TEST(histogram_counts_and_sums)
{
    sc_drawn_histogram narrow, wide;
    int64_t draws[] = {0, 0, 1, 2, 2};
    scrim_wide same[] = {{0, 0}, {0, 0}, {1, 0}, {2, 0}, {2, 0}};
    make_small(&narrow);
    make_small(&wide);
    sc_histogram_add(&narrow, draws, 5);
    sc_histogram_add_wide(&wide, same, 5);
    CHECK_INT(narrow.bars[1].count, 2);
    CHECK_INT(narrow.bars[2].count, 1);
    CHECK_INT(narrow.bars[3].count, 2);
    CHECK_NEAR(sc_histogram_mean(&narrow), 1, 1e-12);
    CHECK_NEAR(sc_histogram_variance(&narrow), 1, 1e-12);
    for (size_t i = 0; i < 5; i++)
        CHECK_INT(wide.bars[i].count, narrow.bars[i].count);
    CHECK_NEAR(sc_histogram_variance(&wide), 1, 1e-12);
}

/* Statistics and upper tails worked out by hand: with 2 degrees of freedom P(> x) =
 * exp(-x/2), with 1 it is erfc(sqrt(x/2)). */
TEST(histogram_chi_square_is_right)
{
    sc_drawn_histogram histogram;
    make_small(&histogram);
    histogram.draws = 100;
    histogram.bars[1].count = 60;
    histogram.bars[2].count = 20;
    histogram.bars[3].count = 20;
    sc_chi_square test = sc_histogram_chi_square(&histogram);
    CHECK_INT(test.freedom, 2);
    CHECK_NEAR(test.statistic, 4, 1e-12);
    CHECK_NEAR(test.p, exp(-2), 1e-10);

    histogram.bars[1].count = 100;
    histogram.bars[2].count = histogram.bars[3].count = 0;
    test = sc_histogram_chi_square(&histogram);
    CHECK_NEAR(test.statistic, 100, 1e-12);
    CHECK_NEAR(test.p, exp(-50), 1e-9);

    /* 16 draws: the last two bars expect 4 each and are joined */
    histogram.draws = 16;
    histogram.bars[1].count = 12;
    histogram.bars[2].count = 4;
    test = sc_histogram_chi_square(&histogram);
    CHECK_INT(test.freedom, 1);
    CHECK_NEAR(test.statistic, 4, 1e-12);
    CHECK_NEAR(test.p, erfc(sqrt(2.0)), 1e-10);
}

TEST(histogram_knows_what_cannot_be_drawn)
{
    sc_drawn_histogram histogram;
    int64_t impossible = -1;
    make_small(&histogram);
    sc_histogram_add(&histogram, &impossible, 1);
    CHECK_INT(histogram.bars[0].count, 1);
    CHECK(sc_histogram_chi_square(&histogram).p <= 0);
    CHECK(sc_histogram_chi_square(&histogram).freedom > 0);
}

/* No line of a plot is wider than the terminal, in characters. */
TEST(plot_fits_the_terminal)
{

    for (size_t i = 0; i < LAWS; i++) {
        sc_drawn_histogram histogram;
        scrim_distribution *distribution;
        scrim_error error;
        REQUIRE_OK(scrim_distribution_parse(laws[i], &distribution, &error));
        scrim_status status =
            sc_histogram_init(&histogram, distribution, SC_HISTOGRAM_BARS, &error);
        scrim_distribution_free(distribution);
        REQUIRE_OK(status);
        histogram.draws = UINT64_C(1000000000000000);
        histogram.bars[1].count = histogram.draws;
        for (int utf8 = 0; utf8 <= 1; utf8++) {
            sc_terminal terminal = {.utf8 = utf8 == 1, .columns = 80};
            sc_output_init(&output, -1);
            sc_plot_write(&output, &histogram, laws[i], &terminal);
            size_t width = 0;
            for (size_t at = 0; at < output.used; at++) {
                unsigned char byte = (unsigned char)output.bytes[at];
                width = byte == '\n' ? 0 : width + ((byte & 0xc0) != 0x80);
                if (width == 81)
                    CHECK_FAIL("%s: a line is too long", laws[i]);
            }
        }
    }
}
