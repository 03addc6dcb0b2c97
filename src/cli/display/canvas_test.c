#include "check.h"
#include "cli/display/canvas.h"
#include "cli/terminal/terminal.h"

#include <math.h>
#include <string.h>

static const char *marked(const char *text, size_t most)
{
    static sc_output output;
    sc_output_init(&output, -1);
    if (most == 0)
        sc_markup_text(&output, text);
    else
        sc_markup_short(&output, text, most);
    output.bytes[output.used] = '\0';
    return output.bytes;
}

/* Nothing ends the text, an attribute or a line (A61). */
TEST(markup_spells_out_what_is_special)
{
    CHECK_STR(marked("", 0), "");
    CHECK_STR(marked("plain text, 1/2", 0), "plain text, 1/2");
    CHECK_STR(marked("<a href=\"x\" b='y'>&amp;</a>", 0),
              "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;");
    CHECK_STR(marked("gr\xc3\xbc\xc3\x9f", 0), "gr\xc3\xbc\xc3\x9f");
    CHECK_STR(marked("a\nb\x1b[31m", 0), "a?b?[31m");
    /* U+202E turns what follows around; 0xff is no UTF-8. */
    CHECK(strstr(marked("x\xe2\x80\xaey", 0), "\xe2\x80\xae") == NULL);
    CHECK_STR(marked("\xff", 0), "?");
}

TEST(markup_is_cut_at_characters)
{
    CHECK_STR(marked("abcdef", 6), "abcdef");
    CHECK_STR(marked("abcdef", 3), "abc\xe2\x80\xa6");
    CHECK_STR(marked("&&&&", 2), "&amp;&amp;\xe2\x80\xa6");
    CHECK_STR(marked("\xc3\xbc\xc3\xbc\xc3\xbc", 2), "\xc3\xbc\xc3\xbc\xe2\x80\xa6");
    CHECK_STR(marked("\xe6\x9d\xb1\xe4\xba\xac", 3), "\xe6\x9d\xb1\xe2\x80\xa6");
}

/* Longer than a piece, with characters across every boundary. */
TEST(markup_of_long_texts)
{
    char text[2000];
    for (size_t shift = 0; shift < 4; shift++) {
        size_t used = 0;
        for (; used < shift; used++)
            text[used] = 'x';
        for (; used + 4 < sizeof text; used += 4)
            memcpy(text + used, "\xf0\x9f\x8e\xad", 4);
        text[used] = '\0';
        CHECK_STR(marked(text, 0), text);
    }
}

TEST(axis_step_gives_few_round_labels)
{
    static const struct {
        double extent, step;
    } list[] = {{1, 0.2},  {7, 1},        {7.1, 2},    {14.5, 5},
                {100, 20}, {1e-9, 2e-10}, {70000, 1e4}};
    for (size_t i = 0; i < COUNT(list); i++)
        CHECK_NEAR(sc_axis_step(list[i].extent, SC_AXIS_LABELS), list[i].step, 1e-12);
    for (int i = -1000; i <= 1000; i++) {
        const double extent = ldexp(1.3, i), step = sc_axis_step(extent, SC_AXIS_LABELS);
        CHECK(extent / step <= SC_AXIS_LABELS * (1 + 1e-9));
        CHECK(extent / step > 2);
    }
}

static const char *buffered(sc_output *output)
{
    output->bytes[output->used] = '\0';
    return output->bytes;
}

static const sc_terminal ascii = {.columns = 40};

/* Three rows between a label of four characters and a margin; two kinds, and both of them. */
static void make(sc_cell_plot *plot, const sc_terminal *terminal)
{
    sc_cell_plot_init(plot, 3, 4, 25, terminal);
    plot->x_name = "time";
    plot->y_name = "rate";
    plot->kinds[1] = (sc_cell_kind){{"*", "●"}, SC_BLUE, "one"};
    plot->kinds[2] = (sc_cell_kind){{"o", "○"}, SC_ORANGE, "two"};
    plot->kinds[3] = (sc_cell_kind){{"@", "◉"}, SC_BLUE, NULL};
    strcpy(plot->y_labels[0], "10");
    plot->cells[0][0] = plot->cells[0][2] = 1;
    plot->cells[0][3] = 2;
    plot->cells[1][10] = 3;
    sc_cell_plot_label(plot, 0, "0");
    sc_cell_plot_label(plot, 10, "100");
}

TEST(cell_plot_is_what_was_put_there)
{
    static sc_output output;
    sc_cell_plot plot;
    make(&plot, &ascii);
    CHECK_INT(plot.columns, 11);
    sc_output_init(&output, -1);
    sc_cell_plot_write(&output, &plot, &ascii);
    CHECK_STR(buffered(&output), "  rate  * one  o two\n"
                                 "    10 |* *o\n"
                                 "       |          @\n"
                                 "       |\n"
                                 "       +-----------\n"
                                 "        0         100\n"
                                 "        time\n");
}

/* A colour begins where it changes, blanks have no colour, and a row ends without one. */
TEST(cell_plot_changes_colours_where_they_change)
{
    static sc_output output;
    const sc_terminal colours = {.columns = 40, .utf8 = true, .colour = true};
    sc_cell_plot plot;
    make(&plot, &colours);
    plot.cells[2][0] = 1; /* blue, and blue again */
    plot.cells[2][1] = 3;
    sc_output_init(&output, -1);
    sc_cell_plot_write(&output, &plot, &colours);
    CHECK_STR(buffered(&output),
              "  rate  " SC_BLUE "●" SC_PLAIN " one  " SC_ORANGE "○" SC_PLAIN " two\n"
              "    10 │" SC_BLUE "● ●" SC_ORANGE "○" SC_PLAIN "\n"
              "       │          " SC_BLUE "◉" SC_PLAIN "\n"
              "       │" SC_BLUE "●◉" SC_PLAIN "\n"
              "       └───────────\n"
              "        0         100\n"
              "        time\n");
}

TEST(cell_plot_is_as_wide_as_it_may_be)
{
    sc_cell_plot plot;
    sc_cell_plot_init(&plot, 3, 7, 8, &ascii);
    CHECK_INT(plot.columns, 25);
    sc_cell_plot_init(&plot, 3, 7, 8, &(sc_terminal){.columns = 240});
    CHECK_INT(plot.columns, SC_CELL_COLUMNS);
}

TEST(cell_plot_places_parts)
{
    sc_cell_plot plot;
    make(&plot, &ascii);
    CHECK_INT(sc_cell_plot_row(13, 0), 12);
    CHECK_INT(sc_cell_plot_row(13, 1), 0);
    CHECK_INT(sc_cell_plot_row(13, 0.46), 6);
    CHECK_INT(sc_cell_plot_row(13, 0.45), 7);
    CHECK_INT(sc_cell_plot_row(13, 1 + 1e-9), 0); /* rounding beyond an end */
    CHECK_INT(sc_cell_plot_column(&plot, 0), 0);
    CHECK_INT(sc_cell_plot_column(&plot, 1), 10);
    CHECK_INT(sc_cell_plot_column(&plot, 0.44), 4);
    CHECK_INT(sc_cell_plot_column(&plot, 0.46), 5);
    CHECK_INT(sc_cell_plot_column(&plot, -1e-9), 0);
}

/* A place is free as far as the next label, and a label may begin in the last column. */
TEST(cell_plot_knows_where_labels_are)
{
    sc_cell_plot plot;
    make(&plot, &ascii);
    CHECK(!sc_cell_plot_is_free(&plot, 0, 1));
    CHECK(sc_cell_plot_is_free(&plot, 1, 9));
    CHECK(!sc_cell_plot_is_free(&plot, 1, 10));
    CHECK(!sc_cell_plot_is_free(&plot, 12, 1));
    CHECK(sc_cell_plot_is_free(&plot, 13, 1));
    char longest[SC_CELL_LABEL_BYTES];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    static sc_output output;
    const sc_terminal wide = {.columns = 240};
    make(&plot, &wide);
    sc_cell_plot_label(&plot, SC_CELL_COLUMNS - 1, longest);
    sc_output_init(&output, -1);
    sc_cell_plot_write(&output, &plot, &wide);
    const char *label = strstr(buffered(&output), longest);
    REQUIRE(label != NULL);
    CHECK_STR(label + strlen(longest), "\n        time\n");
}

static sc_output output;

static const char *svg_buffered(void)
{
    output.bytes[output.used] = '\0';
    return output.bytes;
}

static const sc_svg_field field = {.left = 100, .right = 300, .top = 50, .bottom = 150};

/* The drawing behind its style, which is the same in all drawings. */
static const char *behind_style(void)
{
    static const char end[] = "</style>\n";
    const char *style = strstr(svg_buffered(), end);
    return style == NULL ? "no style" : style + sizeof end - 1;
}

TEST(svg_plot_has_a_heading)
{
    const sc_svg_heading heading = {
        .title = "a <b>", .verdict = "holds", .summary = "x & y", .x = 20, .y = 24};
    sc_output_init(&output, -1);
    sc_svg_open_headed(&output, 300, &heading);
    sc_svg_close(&output);
    static const char opening[] =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"300\" "
        "viewBox=\"0 0 720 300\" role=\"img\" font-family=\"sans-serif\" "
        "font-size=\"13\">\n<title>a &lt;b&gt;</title>\n<style>\n";
    CHECK_INT(strncmp(svg_buffered(), opening, sizeof opening - 1), 0);
    CHECK_STR(
        behind_style(),
        "<desc>holds: x &amp; y</desc>\n"
        "<rect class=\"paper\" width=\"720\" height=\"300\" fill=\"#ffffff\"/>\n"
        "<text class=\"title\" x=\"20\" y=\"24\" font-size=\"15\">a &lt;b&gt;</text>\n"
        "<text class=\"long\" x=\"20\" y=\"44\" fill=\"#666666\">"
        "<tspan font-weight=\"bold\">holds</tspan>: x &amp; y</text>\n"
        "</svg>\n");
}

/* A heading that is too long is cut where it is seen, and nowhere else. */
TEST(svg_plot_cuts_a_long_heading)
{
    char title[100], summary[120];
    memset(title, 'a', sizeof title - 1);
    memset(summary, 'b', sizeof summary - 1);
    title[sizeof title - 1] = summary[sizeof summary - 1] = '\0';
    const sc_svg_heading heading = {.title = title, .summary = summary};
    sc_output_init(&output, -1);
    sc_svg_open_headed(&output, 300, &heading);
    const char *text = svg_buffered();
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
    CHECK(
        strstr(
            svg_buffered(),
            "ab</text>\n<text class=\"long\" x=\"0\" y=\"44\" fill=\"#666666\">cd ab") !=
        NULL);
    CHECK(strstr(svg_buffered(), "\xe2\x80\xa6") == NULL);
    for (size_t i = 30; i < 60; i++)
        memcpy(summary + i * bytes, words, sizeof words);
    sc_output_init(&output, -1);
    sc_svg_open_headed(&output, 300, &heading);
    CHECK(strstr(svg_buffered(), "y=\"64\"") == NULL);
    CHECK(strstr(svg_buffered(), "\xe2\x80\xa6</text>") != NULL);
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
    sc_svg_x_label(&output, &field, 150, "1 < 2", false);
    sc_svg_x_name(&output, &field, "time");
    CHECK_STR(svg_buffered(),
              "<line x1=\"150.0\" y1=\"50.0\" x2=\"150.0\" y2=\"150.0\" "
              "stroke=\"#dddddd\"/>\n"
              "<text x=\"150.0\" y=\"168.0\" text-anchor=\"middle\">1 &lt; 2</text>\n"
              "<text x=\"200.0\" y=\"188.0\" text-anchor=\"middle\">time</text>\n");
    sc_output_init(&output, -1);
    sc_svg_y_label(&output, &field, 125, "5", false);
    sc_svg_y_label(&output, &field, 150, "0", true);
    sc_svg_y_name(&output, &field, "a & b");
    CHECK_STR(svg_buffered(), "<line x1=\"100\" y1=\"125.0\" x2=\"300\" y2=\"125.0\" "
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
    CHECK_STR(svg_buffered(),
              "<polyline fill=\"none\" points=\"1.00,2.00 3.12,4.00\" stroke=\"red\"/>\n"
              "<polyline fill=\"none\" points=\"5.00,6.00\" stroke=\"red\"/>\n");
}

TEST(svg_plot_has_a_key)
{
    sc_output_init(&output, -1);
    sc_svg_key(&output, 100, 34, SC_SVG_THIN, "at < most");
    CHECK_STR(svg_buffered(),
              "<line x1=\"100\" y1=\"34.0\" x2=\"130\" y2=\"34.0\" stroke=\"#0072b2\" "
              "stroke-width=\"2\" stroke-linejoin=\"round\"/>\n"
              "<text x=\"136\" y=\"38.0\">at &lt; most</text>\n");
}
