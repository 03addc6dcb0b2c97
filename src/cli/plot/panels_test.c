#include "check.h"
#include "cli/plot/panels.h"

#include <string.h>

static sc_output output;

static size_t count(const char *text)
{
    size_t found = 0;
    output.bytes[output.used] = '\0';
    for (const char *at = output.bytes; (at = strstr(at, text)) != NULL; at++)
        found++;
    return found;
}

TEST(panels_have_a_line_for_each_key)
{
    static const double x[] = {1, 2, 3}, low[] = {1, 2, 3}, high[] = {2, 4, 6};
    static const sc_panels panels = {
        .title = "lines", .summary = "two of them", .keys = {"low", "high"}};
    sc_panel panel = {.title = "first",
                      .x_name = "x",
                      .y_name = "y",
                      .x_step = 1,
                      .x = x,
                      .count = 3,
                      .y = {low, high}};
    sc_output_init(&output, -1);
    sc_panels_open(&output, &panels, 2);
    CHECK_INT(count(">low</text>"), 1);
    CHECK_INT(count(">high</text>"), 1);
    CHECK(count("height=\"630\"") > 0);
    sc_panel_write(&output, &panels, 0, &panel);
    CHECK_INT(count("<polyline"), 2);
    CHECK_INT(count(">first</text>"), 1);
    panel.y[1] = NULL;
    panel.title = NULL;
    panel.x_step = 0; /* powers of ten */
    panel.count = 1;
    sc_panel_write(&output, &panels, 1, &panel);
    CHECK_INT(count("font-weight=\"bold\">first"), 1);
    CHECK_INT(count(">x</text>"), 2);
}

TEST(panels_have_two_lines_in_a_terminal)
{
    static const double x[] = {1, 2, 3}, low[] = {1, 2, 3}, high[] = {2, 4, 6};
    static const sc_panels panels = {.keys = {"low", "high", "highest"}};
    const sc_panel panel = {.title = "first",
                            .x_name = "x",
                            .y_name = "y",
                            .x_step = 1,
                            .x = x,
                            .count = 3,
                            .y = {low, high, high}};
    sc_output_init(&output, -1);
    sc_panel_terminal(&output, &panels, &panel, &(sc_terminal){.columns = 60});
    CHECK_INT(count("first"), 1);
    CHECK_INT(count("low"), 1);
    CHECK_INT(count("high"), 1);
    CHECK_INT(count("highest"), 0);
}
