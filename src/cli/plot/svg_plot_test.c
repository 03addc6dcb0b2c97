#include "check.h"
#include "cli/plot/svg_plot.h"

#include <string.h>

static sc_output output;

static const char *buffered(void)
{
    output.bytes[output.used] = '\0';
    return output.bytes;
}

static const sc_svg_field field = {.left = 100, .right = 300, .top = 50, .bottom = 150};

#define OPENING(height, title)                                                           \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"                                       \
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"" height           \
    "\" viewBox=\"0 0 720 " height "\" role=\"img\" font-family=\"sans-serif\" "         \
    "font-size=\"13\">\n<title>" title "</title>\n"

TEST(svg_plot_has_a_heading)
{
    const sc_svg_heading heading = {
        .title = "a <b>", .verdict = "holds", .summary = "x & y", .x = 20, .y = 24};
    sc_output_init(&output, -1);
    sc_svg_open_headed(&output, 300, &heading);
    sc_svg_close(&output);
    CHECK_STR(buffered(), OPENING("300", "a &lt;b&gt;") //
              "<desc>holds: x &amp; y</desc>\n"
              "<rect width=\"720\" height=\"300\" fill=\"#ffffff\"/>\n"
              "<text x=\"20\" y=\"24\" font-size=\"15\">a &lt;b&gt;</text>\n"
              "<text x=\"20\" y=\"44\" fill=\"#666666\">"
              "<tspan font-weight=\"bold\">holds</tspan>: x &amp; y</text>\n"
              "</svg>\n");
}

/* What is too long is cut where it is seen, and nowhere else. */
TEST(svg_plot_cuts_a_long_heading)
{
    char title[100], summary[120];
    memset(title, 'a', sizeof title - 1);
    memset(summary, 'b', sizeof summary - 1);
    title[sizeof title - 1] = summary[sizeof summary - 1] = '\0';
    const sc_svg_heading heading = {.title = title, .summary = summary};
    sc_output_init(&output, -1);
    sc_svg_open_headed(&output, 300, &heading);
    const char *text = buffered();
    const char *whole = strstr(text, title), *seen = strstr(text, "<text");
    REQUIRE(whole != NULL && seen != NULL && strstr(text, summary) != NULL);
    CHECK(strstr(seen, title) == NULL && strstr(seen, summary) == NULL);
    CHECK(strstr(text, "tspan") == NULL && strstr(text, "<desc>bbb") != NULL);
}

TEST(svg_plot_breaks_a_summary)
{
    static const char words[] = "ab cd ";
    const size_t bytes = sizeof words - 1;
    char summary[400] = "";
    for (size_t i = 0; i < 30; i++)
        memcpy(summary + i * bytes, words, sizeof words);
    sc_svg_heading heading = {
        .title = "t", .summary = summary, .summary_lines = 2, .y = 4};
    sc_output_init(&output, -1);
    sc_svg_open_headed(&output, 300, &heading);
    CHECK(strstr(buffered(),
                 "ab</text>\n<text x=\"0\" y=\"44\" fill=\"#666666\">cd ab") != NULL);
    CHECK(strstr(buffered(), "\xe2\x80\xa6") == NULL);
    for (size_t i = 30; i < 60; i++)
        memcpy(summary + i * bytes, words, sizeof words);
    sc_output_init(&output, -1);
    sc_svg_open_headed(&output, 300, &heading);
    CHECK(strstr(buffered(), "y=\"64\"") == NULL);
    CHECK(strstr(buffered(), "\xe2\x80\xa6</text>") != NULL);
}

TEST(svg_plot_places_parts)
{
    CHECK_NEAR(sc_svg_x(&field, 0), 100, 0);
    CHECK_NEAR(sc_svg_x(&field, 0.25), 150, 0);
    CHECK_NEAR(sc_svg_x(&field, 1), 300, 0);
    CHECK_NEAR(sc_svg_y(&field, 0), 150, 0);
    CHECK_NEAR(sc_svg_y(&field, 0.25), 125, 0);
    CHECK_NEAR(sc_svg_y(&field, 1), 50, 0);
}

TEST(svg_plot_labels_its_axes)
{
    sc_output_init(&output, -1);
    sc_svg_x_label(&output, &field, 150, "1 < 2");
    sc_svg_x_name(&output, &field, "time");
    CHECK_STR(buffered(),
              "<line x1=\"150.0\" y1=\"50.0\" x2=\"150.0\" y2=\"150.0\" "
              "stroke=\"#dddddd\"/>\n"
              "<text x=\"150.0\" y=\"168.0\" text-anchor=\"middle\">1 &lt; 2</text>\n"
              "<text x=\"200.0\" y=\"188.0\" text-anchor=\"middle\">time</text>\n");
    sc_output_init(&output, -1);
    sc_svg_y_label(&output, &field, 125, "5", false);
    sc_svg_y_label(&output, &field, 150, "0", true);
    sc_svg_y_name(&output, &field, "a & b");
    CHECK_STR(buffered(), "<line x1=\"100\" y1=\"125.0\" x2=\"300\" y2=\"125.0\" "
                          "stroke=\"#dddddd\"/>\n"
                          "<text x=\"92\" y=\"129.0\" text-anchor=\"end\">5</text>\n"
                          "<line x1=\"100\" y1=\"150.0\" x2=\"300\" y2=\"150.0\" "
                          "stroke=\"#666666\"/>\n"
                          "<text x=\"92\" y=\"154.0\" text-anchor=\"end\">0</text>\n"
                          "<text x=\"38\" y=\"100.0\" text-anchor=\"middle\" "
                          "transform=\"rotate(-90 38 100.0)\">a &amp; b</text>\n");
}

/* A line is broken where the pen is lifted; no point, no line. */
TEST(svg_plot_draws_lines_with_a_pen)
{
    sc_svg_pen pen = {.output = &output, .style = "stroke=\"red\""};
    sc_output_init(&output, -1);
    sc_svg_pen_lift(&pen);
    CHECK_INT(output.used, 0);
    sc_svg_pen_to(&pen, 1, 2);
    sc_svg_pen_to(&pen, 3.125, 4);
    sc_svg_pen_lift(&pen);
    sc_svg_pen_lift(&pen);
    sc_svg_pen_to(&pen, 5, 6);
    sc_svg_pen_lift(&pen);
    CHECK_STR(buffered(),
              "<polyline fill=\"none\" points=\"1.00,2.00 3.12,4.00\" stroke=\"red\"/>\n"
              "<polyline fill=\"none\" points=\"5.00,6.00\" stroke=\"red\"/>\n");
}

TEST(svg_plot_has_a_key)
{
    sc_output_init(&output, -1);
    sc_svg_key(&output, 100, 34, SC_SVG_THIN, "at < most");
    CHECK_STR(buffered(),
              "<line x1=\"100\" y1=\"34.0\" x2=\"130\" y2=\"34.0\" stroke=\"#0072b2\" "
              "stroke-width=\"2\" stroke-linejoin=\"round\"/>\n"
              "<text x=\"136\" y=\"38.0\">at &lt; most</text>\n");
}
