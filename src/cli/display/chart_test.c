#include "check.h"
#include "cli/display/canvas.h"
#include "cli/display/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

TEST(chart_axis_holds_what_it_can_show)
{
    sc_chart_axis axis;
    sc_chart_axis_init(&axis, "x", false);
    const double values[] = {2, HUGE_VAL, -1, (double)NAN};
    for (size_t i = 0; i < COUNT(values); i++)
        sc_chart_axis_widen(&axis, values[i]);
    CHECK_NEAR(axis.low, -1, 1e-12);
    CHECK_NEAR(axis.high, 2, 1e-12);
    CHECK_NEAR(sc_chart_part(&axis, 0.5), 0.5, 1e-12);
    sc_chart_axis_init(&axis, "y", true);
    axis.zero_gap = 18;
    const double deltas[] = {0, 1e-9, -3, 1e-1};
    for (size_t i = 0; i < COUNT(deltas); i++)
        sc_chart_axis_widen(&axis, deltas[i]);
    CHECK_NEAR(axis.low, -9, 1e-9);
    CHECK_NEAR(sc_chart_part(&axis, 1e-5), 0.5, 1e-9);
    CHECK(sc_chart_is_zero(&axis, 0) && sc_chart_is_zero(&axis, 1e-10));
    CHECK(!sc_chart_is_zero(&axis, 1e-9 * (1 + 1e-12)) && !sc_chart_is_zero(&axis, 0.1));
}

/* All labels of an axis, a space between them. */
static const char *labels_of(const sc_chart_axis *axis)
{
    static char text[400];
    text[0] = '\0';
    for (size_t i = 0; i < axis->label_count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s",
                 i > 0 ? " " : "", axis->labels[i].text);
    return text;
}

TEST(chart_axis_has_round_labels)
{
    sc_chart_axis axis;
    sc_chart_axis_init(&axis, "", false);
    axis.low = 0;
    axis.high = 100;
    sc_chart_axis_label(&axis, 0, sc_axis_step(100, SC_AXIS_LABELS));
    CHECK_STR(labels_of(&axis), "0 20 40 60 80 100");
    sc_chart_axis_init(&axis, "", true);
    axis.low = -9;
    axis.high = 0;
    sc_chart_axis_label(&axis, 0, -2);
    CHECK_STR(labels_of(&axis), "1 1e-2 1e-4 1e-6 1e-8");
    sc_chart_axis_init(&axis, "", true);
    axis.low = -1;
    axis.high = 1;
    sc_chart_axis_label_log(&axis);
    CHECK_STR(labels_of(&axis), "0.1 0.2 0.5 1 2 5 10");
    axis.label_count = 0;
    axis.high = 4;
    sc_chart_axis_label_log(&axis);
    CHECK_STR(labels_of(&axis), "0.1 1 10 100 1000 10000");
    axis.label_count = 0;
    axis.low = 4;
    axis.high = 19;
    sc_chart_axis_label_log(&axis);
    CHECK_STR(labels_of(&axis), "10000 1e6 1e8 1e10 1e12 1e14 1e16 1e18");
    axis.label_count = 0;
    axis.low = -300;
    axis.high = 300;
    sc_chart_axis_label_log(&axis);
    CHECK_INT(axis.label_count, 9);
}

/* Points, a level below them and a dot on them; both backends place them alike. */
TEST(chart_is_drawn_alike_in_both_places)
{
    static const double points[] = {0, 1, 1, 2, 2, 3};
    static sc_output output;
    sc_chart chart = {.points = points,
                      .count = 3,
                      .stride = 2,
                      .lines = {{.words = "line", .y = points + 1}},
                      .line_count = 1,
                      .has_dot = true,
                      .dot_x = 1,
                      .dot_y = 2,
                      .dot_hex = "#123456",
                      .dot_words = "a <dot>",
                      .has_level = true,
                      .level = 1,
                      .level_words = "level",
                      .rows = 5,
                      .label_chars = 2,
                      .margin = 26};
    sc_chart_axis_init(&chart.x, "x", false);
    sc_chart_axis_init(&chart.y, "y", false);
    for (size_t i = 0; i < 6; i++)
        sc_chart_axis_widen(i % 2 == 0 ? &chart.x : &chart.y, points[i]);
    sc_chart_axis_label(&chart.x, 0, 1);
    sc_chart_axis_label(&chart.y, 0, 1);
    sc_output_init(&output, -1);
    sc_chart_terminal_write(&output, &chart, &(sc_terminal){.columns = 41});
    output.bytes[output.used] = '\0';
    CHECK_STR(output.bytes, "   y  * line  @ a <dot>  - level\n"
                            "   3 |           **\n"
                            "     |        ***\n"
                            "   2 |     *@*\n"
                            "     |  ***\n"
                            "   1 |**-----------\n"
                            "     +-------------\n"
                            "      0     1     2\n"
                            "      x\n");
    const sc_svg_field field = {.left = 0, .right = 100, .top = 0, .bottom = 50};
    sc_output_init(&output, -1);
    sc_chart_svg_write(&output, &chart, &field);
    output.bytes[output.used] = '\0';
    CHECK(strstr(output.bytes, "points=\"0.00,50.00 50.00,25.00 100.00,0.00\"") != NULL);
    CHECK(strstr(output.bytes, "<circle cx=\"50.00\" cy=\"25.00\"") != NULL);
    CHECK(strstr(output.bytes, "a &lt;dot&gt;") != NULL);
    CHECK(strstr(output.bytes, "M0 50.0H100") != NULL);
}

/* Each point with its error bar, but for the one that is not there, where the line is broken. */
TEST(chart_draws_error_bars)
{
    static const sc_chart_look look = {.style = "s=1",
                                       .reach_style = "r=1",
                                       .colour = "red",
                                       .shape = SC_SVG_PLUS,
                                       .cap = 2};
    static const double points[] = {1, 0, 1, 2, 2, 0, HUGE_VAL, 0, 3, 1, 2, 4};
    static sc_output output;
    sc_chart chart = {.points = points,
                      .count = 3,
                      .stride = 4,
                      .lines = {{.y = points + 2,
                                 .look = &look,
                                 .low = points + 1,
                                 .high = points + 3}},
                      .line_count = 1};
    const sc_svg_field field = {.left = 0, .right = 100, .top = 0, .bottom = 40};
    sc_chart_axis_init(&chart.x, NULL, false);
    sc_chart_axis_init(&chart.y, NULL, false);
    chart.x.low = 1;
    chart.x.high = 3;
    chart.y.low = 0;
    chart.y.high = 4;
    chart.y.is_date = true;
    sc_chart_axis_label(&chart.y, -1, 4);
    sc_output_init(&output, -1);
    sc_chart_svg_write(&output, &chart, &field);
    output.bytes[output.used] = '\0';
    CHECK(strstr(output.bytes, ">1970-01-04<") != NULL);
    CHECK(strstr(output.bytes, "points=\"0.00,30.00\" s=1/>") != NULL);
    CHECK(strstr(output.bytes, "M0.00 40.00V20.00M-2.00 40.00h4M-2.00 20.00h4\" "
                               "fill=\"none\" r=1/>") != NULL);
    CHECK(strstr(output.bytes, "M0.0 30.0m-5 0h10m-5-5v10\" fill=\"none\" "
                               "stroke=\"red\"") != NULL);
    CHECK(strstr(output.bytes, "M100.00 30.00V0.00") != NULL);
    CHECK(strstr(output.bytes, "inf") == NULL);
}

TEST(chart_axis_says_large_and_small_numbers_shortly)
{
    static const double at[] = {1e6, 2.5e-7, 5000, -1e10};
    static const char *const words[] = {"1e6", "2.5e-7", "5000", "-1e10"};
    sc_chart_axis axis;
    sc_chart_axis_init(&axis, "x", false);
    axis.low = -1e11;
    axis.high = 1e11;
    for (size_t i = 0; i < COUNT(at); i++) {
        sc_chart_axis_add(&axis, at[i], NULL);
        CHECK_STR(axis.labels[i].text, words[i]);
    }
}
