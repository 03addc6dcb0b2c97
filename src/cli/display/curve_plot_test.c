#include "check.h"
#include "cli/display/curve_plot.h"

#include <math.h>
#include <string.h>

static const char *buffered(sc_output *output)
{
    output->bytes[output->used] = '\0';
    return output->bytes;
}

/* delta falls from 1 to 1e-4 and then is 0; twice as much is claimed. */
static const sc_curve_point points[] = {
    {0, 0.5, 0.5, 1}, {1, 1e-2, 1e-2, 2e-2}, {2, 1e-4, 1e-4, 2e-4}, {3, 0, 1e-20, 0}};
static const sc_curve_view falling = {.title = "m epsilon=3",
                                      .verdict = "holds",
                                      .summary = "delta is <half> of what is claimed",
                                      .points = points,
                                      .count = 4,
                                      .has_charged = true,
                                      .charged_epsilon = 3,
                                      .charged_delta = 0};

/* Whatever the points are, what is drawn is finite. */
TEST(curve_is_there_for_any_points)
{
    static const sc_curve_point flat = {0, 0, 0, 0}, nothing = {0, 0.25, 0.25, HUGE_VAL},
                                tiny = {1e-12, 1e-300, 1e-300, 1}, same = {2, 1, 1, 1},
                                far = {1e6, 0, 0, 1e-5};
    static const sc_curve_point *const cases[] = {&flat, &nothing, &tiny, &same, &far};
    for (size_t i = 0; i <= COUNT(cases); i++) {
        const bool empty = i == COUNT(cases);
        const sc_curve_view view = {.title = "",
                                    .verdict = "",
                                    .summary = "",
                                    .points = empty ? NULL : cases[i],
                                    .count = empty ? 0 : 1};
        const sc_terminal terminal = {.columns = 40};
        static sc_output output;
        sc_output_init(&output, -1);
        sc_curve_terminal_write(&output, &view, &terminal);
        sc_curve_svg_write(&output, &view);
        CHECK(strstr(buffered(&output), "nan") == NULL);
        CHECK(strstr(buffered(&output), "inf") == NULL);
    }
}

TEST(curve_on_a_terminal)
{
    static sc_output output;
    const sc_terminal narrow = {.columns = 46};
    sc_output_init(&output, -1);
    sc_curve_terminal_write(&output, &falling, &narrow);
    CHECK_STR(buffered(&output), "  m epsilon=3\n"
                                 "    delta  * exact  o claimed  @ both\n"
                                 "        1 |o\n"
                                 "          |*oo\n"
                                 "          | **oo\n"
                                 "          |   **o\n"
                                 "     1e-1 |     *oo\n"
                                 "          |      **oo\n"
                                 "          |        **o\n"
                                 "     1e-2 |          *oo\n"
                                 "          |           **o\n"
                                 "          |             *oo\n"
                                 "          |              * o\n"
                                 "     1e-3 |               **o\n"
                                 "          |                 *oo\n"
                                 "          |                  **oooooooooo\n"
                                 "     1e-4 |                    **********\n"
                                 "        0 |                              @\n"
                                 "          +-------------------------------\n"
                                 "           0    0.5  1    1.5  2    2.5  3\n"
                                 "           epsilon\n");
}

TEST(curve_is_drawn_in_unicode_and_colour)
{
    static sc_output output;
    const sc_terminal unicode = {.columns = 60, .utf8 = true, .colour = true};
    sc_output_init(&output, -1);
    sc_curve_terminal_write(&output, &falling, &unicode);
    const char *text = buffered(&output);
    CHECK(strstr(text, "●") != NULL && strstr(text, "○") != NULL &&
          strstr(text, "◉") != NULL && strstr(text, "\033[38;5;39m") != NULL);
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        size_t width = 0;
        for (const char *at = line; *at != '\n'; at++) {
            if (*at == '\033')
                at += strcspn(at, "m");
            else
                width += ((unsigned char)*at & 0xc0) != 0x80;
        }
        CHECK(width <= 60);
    }
}

TEST(curve_as_svg_is_whole)
{
    static sc_output output;
    sc_output_init(&output, -1);
    sc_curve_svg_write(&output, &falling);
    const char *text = buffered(&output);
    CHECK(strstr(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg ") == text);
    CHECK(strstr(text, "<title>m epsilon=3</title>") != NULL);
    CHECK(strstr(text, "<desc>holds: delta is &lt;half&gt; of") != NULL);
    CHECK_STR(text + strlen(text) - strlen("</svg>\n"), "</svg>\n");
    /* Two curves and the pair that is charged, in the middle of the last line. */
    CHECK(strstr(text, "<polyline") != NULL &&
          strstr(strstr(text, "<polyline") + 1, "<polyline") != NULL);
    CHECK(strstr(text, "<circle cx=\"700.00\" cy=\"400.00\"") != NULL);
    CHECK(strstr(text, "<script") == NULL && strstr(text, "href") == NULL);
}

/* Where nothing is claimed the line is broken, not drawn to infinity. */
TEST(curve_without_a_claim_has_one_line)
{
    static const sc_curve_point bare[] = {
        {0, 0.5, 0.5, HUGE_VAL}, {1, 0.25, 0.25, HUGE_VAL}, {2, 0.1, 0.1, HUGE_VAL}};
    static sc_output output;
    const sc_curve_view view = {
        .title = "", .verdict = "", .summary = "", .points = bare, .count = 3};
    sc_output_init(&output, -1);
    sc_curve_svg_write(&output, &view);
    const char *first = strstr(buffered(&output), "<polyline");
    REQUIRE(first != NULL);
    CHECK(strstr(first + 1, "<polyline") == NULL);
    const sc_terminal narrow = {.columns = 46};
    sc_output_init(&output, -1);
    sc_curve_terminal_write(&output, &view, &narrow);
    const char *grid = strchr(strchr(buffered(&output), '\n') + 1, '\n');
    CHECK(strpbrk(grid, "*") != NULL);
    CHECK(strpbrk(grid, "@") == NULL);
}

static const char *bounds_buffered(sc_output *output)
{
    output->bytes[output->used] = '\0';
    return output->bytes;
}

static size_t occurrences(const char *text, const char *of)
{
    size_t count = 0;
    for (; (text = strstr(text, of)) != NULL; text += strlen(of))
        count++;
    return count;
}

static const sc_bounds_point bounds_points[] = {
    {1e-9, 8, 10}, {1e-6, 6, 6}, {1e-3, 3, HUGE_VAL}, {1e-1, 1, 2}};
static const sc_bounds_view bounds_falling = {.title = "epsilon against <delta>",
                                              .x_name = "delta",
                                              .x_is_log = true,
                                              .points = bounds_points,
                                              .count = 4,
                                              .has_mark = true,
                                              .mark = 1e-5};
static const sc_bounds_point steps[] = {{1, 0.5, 1}, {50, 4, 5}, {100, 6, 7}};
static const sc_bounds_view rising = {
    .title = "growth", .x_name = "releases", .points = steps, .count = 3};

/* Whatever the points are, what is drawn is finite, and nothing is written outside. */
TEST(bounds_are_there_for_any_points)
{
    static const sc_bounds_point flat = {1, 0, 0}, nothing = {1e-300, 0, HUGE_VAL},
                                 huge = {1e12, 1e300, 1e300},
                                 tiny = {1e-9, 1e-300, 1e-300};
    static const sc_bounds_point *const cases[] = {&flat, &nothing, &huge, &tiny};
    static sc_output output;
    for (size_t i = 0; i < 2 * (COUNT(cases) + 1); i++) {
        const bool empty = i / 2 == COUNT(cases);
        const sc_bounds_view view = {.title = "",
                                     .x_name = "",
                                     .x_is_log = i % 2 == 0,
                                     .points = empty ? NULL : cases[i / 2],
                                     .count = empty ? 0 : 1};
        for (unsigned columns = 40; columns <= 240; columns += 100) {
            sc_output_init(&output, -1);
            sc_bounds_terminal_write(&output, &view, &(sc_terminal){.columns = columns});
            CHECK(strstr(bounds_buffered(&output), "nan") == NULL);
        }
        sc_output_init(&output, -1);
        sc_bounds_svg_write(&output, "", "", &view, 1);
        CHECK(strstr(bounds_buffered(&output), "nan") == NULL);
        CHECK(strstr(bounds_buffered(&output), "inf\"") == NULL);
    }
}

TEST(bounds_in_a_terminal)
{
    static sc_output output;
    sc_output_init(&output, -1);
    sc_bounds_terminal_write(&output, &rising, &(sc_terminal){.columns = 60});
    const char *text = bounds_buffered(&output);
    CHECK(strstr(text, "growth\n    epsilon  * at most  o at least  @ both\n") == text);
    CHECK(strstr(text, "\n          6 |") != NULL);
    CHECK(strstr(text, "releases\n") != NULL && strchr(text, '*') != NULL);
    for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1)
        CHECK(strcspn(line, "\n") <= 60);
    CHECK(strchr(text, '\033') == NULL);
    sc_output_init(&output, -1);
    sc_bounds_terminal_write(&output, &bounds_falling,
                             &(sc_terminal){.columns = 80, .utf8 = true, .colour = true});
    text = bounds_buffered(&output);
    CHECK(strstr(text, "○") != NULL && strstr(text, "└──") != NULL);
    CHECK(strstr(text, "\033[38") != NULL);
}

TEST(bounds_as_a_drawing)
{
    static sc_output output;
    const sc_bounds_view both[] = {bounds_falling, rising};
    sc_output_init(&output, -1);
    sc_bounds_svg_write(&output, "laplace & <more>", "epsilon \"lies\"", both, 2);
    const char *text = bounds_buffered(&output);
    CHECK(strstr(text, "<title>laplace &amp; &lt;more&gt;</title>") != NULL);
    CHECK(strstr(text, "epsilon against &lt;delta&gt;") != NULL);
    CHECK(strstr(text, "height=\"740\"") != NULL);
    /* An upper bound that is missing breaks its line in two. */
    CHECK_INT(occurrences(text, "<polyline"), 5);
    CHECK_INT(occurrences(text, "stroke-dasharray=\""), 1);
    CHECK(strcmp(text + strlen(text) - 7, "</svg>\n") == 0);
}

static sc_output output;

static const char *error_buffered(void)
{
    output.bytes[output.used] = '\0';
    return output.bytes;
}

/* The error is 1 over epsilon. */
static const sc_error_point error_points[] = {{0.1, 10}, {1, 1}, {10, 0.1}};
static const sc_error_curve error_falling = {.title = "SELECT <1>",
                                             .points = error_points,
                                             .count = 3,
                                             .chosen = {1, 1},
                                             .target = 2};

TEST(error_curve_on_a_terminal)
{
    const sc_terminal narrow = {.columns = 47};
    sc_output_init(&output, -1);
    sc_error_curve_terminal(&output, &error_falling, &narrow);
    CHECK_STR(error_buffered(), "  SELECT <1>\n"
                                "     error  * predicted  @ epsilon 1: 1  - wanted: 2\n"
                                "        10 |**\n"
                                "           |  **\n"
                                "         5 |    **\n"
                                "           |      **\n"
                                "           |        **\n"
                                "         2 |----------**-------------------\n"
                                "           |            **\n"
                                "         1 |              *@*\n"
                                "           |                 **\n"
                                "       0.5 |                   **\n"
                                "           |                     **\n"
                                "           |                       **\n"
                                "       0.2 |                         **\n"
                                "           |                           **\n"
                                "       0.1 |                             **\n"
                                "           +-------------------------------\n"
                                "            0.1  0.2  0.5  1    2    5   10\n"
                                "            epsilon\n");
}

TEST(error_curve_is_drawn_in_unicode_and_colour)
{
    const sc_terminal unicode = {.columns = 60, .utf8 = true, .colour = true};
    sc_output_init(&output, -1);
    sc_error_curve_terminal(&output, &error_falling, &unicode);
    const char *text = error_buffered();
    CHECK(strstr(text, "●") != NULL && strstr(text, "◉") != NULL &&
          strstr(text, "\033[38;5;39m") != NULL);
}

static double number_behind(const char *text, const char *mark)
{
    const char *at = strstr(text, mark);
    return CHECK(at != NULL) ? strtod(at + strlen(mark), NULL) : -1;
}

TEST(error_curve_as_svg_is_to_scale)
{
    sc_output_init(&output, -1);
    sc_error_curve_svg(&output, &error_falling);
    const char *text = error_buffered();
    CHECK(strstr(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg ") == text);
    CHECK_STR(text + strlen(text) - strlen("</svg>\n"), "</svg>\n");
    CHECK(strstr(text, "SELECT &lt;1&gt;") != NULL && strstr(text, "<1>") == NULL);
    CHECK(strstr(text, "points=\"80.00,80.00 390.00,235.00 700.00,390.00\"") != NULL);
    /* The dot is half way on both axes; the target, 2, is above it. */
    CHECK_NEAR(number_behind(text, "cx=\""), 390, 1e-9);
    CHECK_NEAR(number_behind(text, "cy=\""), 235, 1e-9);
    CHECK(strstr(text, "<title>wanted: 2</title>") != NULL);
}

/* Errors that are all alike, and epsilons far apart. */
TEST(error_curve_is_there_for_any_points)
{
    static const sc_error_point flat[] = {{1e-18, 5}, {1000, 5}};
    const sc_error_curve curve = {
        .title = "", .points = flat, .count = 2, .chosen = {1, 5}};
    const sc_terminal terminal = {.columns = 40};
    sc_output_init(&output, -1);
    sc_error_curve_terminal(&output, &curve, &terminal);
    sc_error_curve_svg(&output, &curve);
    CHECK(strstr(error_buffered(), "nan") == NULL &&
          strstr(error_buffered(), "inf") == NULL);
    CHECK(strstr(error_buffered(), "wanted") == NULL);
}

TEST(error_curves_stand_below_one_another)
{
    static const sc_error_point other[] = {{0.1, 200}, {10, 2}};
    const sc_error_curve curves[] = {
        {.title = "n", .points = error_points, .count = 3},
        {.title = "<s>", .points = other, .count = 2},
    };
    sc_output_init(&output, -1);
    sc_error_curves_svg(&output, "SELECT <1>", curves, 2);
    const char *text = error_buffered();
    CHECK(strstr(text, "SELECT &lt;1&gt;") != NULL && strstr(text, "&lt;s&gt;") != NULL);
    /* Each has the whole height of its own field, and no dot. */
    CHECK(strstr(text, "points=\"80.00,100.00 390.00,175.00 700.00,250.00\"") != NULL);
    CHECK(strstr(text, "points=\"80.00,330.00 700.00,480.00\"") != NULL);
    CHECK(strstr(text, "<circle") == NULL);
    CHECK_STR(text + strlen(text) - strlen("</svg>\n"), "</svg>\n");
}

static sc_output panels_output;

static size_t count(const char *text)
{
    size_t found = 0;
    panels_output.bytes[panels_output.used] = '\0';
    for (const char *at = panels_output.bytes; (at = strstr(at, text)) != NULL; at++)
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
    sc_output_init(&panels_output, -1);
    sc_panels_open(&panels_output, &panels, 2);
    CHECK_INT(count(">low</text>"), 1);
    CHECK_INT(count(">high</text>"), 1);
    CHECK(count("height=\"630\"") > 0);
    sc_panel_write(&panels_output, &panels, 0, &panel);
    CHECK_INT(count("<polyline"), 2);
    CHECK_INT(count(">first</text>"), 1);
    panel.y[1] = NULL;
    panel.title = NULL;
    panel.x_step = 0; /* powers of ten */
    panel.count = 1;
    sc_panel_write(&panels_output, &panels, 1, &panel);
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
    sc_output_init(&panels_output, -1);
    sc_panel_terminal(&panels_output, &panels, &panel, &(sc_terminal){.columns = 60});
    CHECK_INT(count("first"), 1);
    CHECK_INT(count("low"), 1);
    CHECK_INT(count("high"), 1);
    CHECK_INT(count("highest"), 0);
}
