#include "check.h"
#include "cli/plot/bar_plot.h"

#include <stdio.h>
#include <string.h>

static sc_output output;

/* Values 0, 1, 2 and so on, but for the second, which has none. */
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
