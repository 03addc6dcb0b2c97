#include "check.h"
#include "cli/plot/error_curve.h"

#include <string.h>

static sc_output output;

static const char *buffered(void)
{
    output.bytes[output.used] = '\0';
    return output.bytes;
}

/* The error is 1 over epsilon. */
static const sc_error_point points[] = {{0.1, 10}, {1, 1}, {10, 0.1}};
static const sc_error_curve falling = {
    .title = "SELECT <1>", .points = points, .count = 3, .chosen = {1, 1}, .target = 2};

TEST(error_curve_on_a_terminal)
{
    const sc_terminal narrow = {.columns = 47};
    sc_output_init(&output, -1);
    sc_error_curve_terminal(&output, &falling, &narrow);
    CHECK_STR(buffered(), "  SELECT <1>\n"
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
    sc_error_curve_terminal(&output, &falling, &unicode);
    const char *text = buffered();
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
    sc_error_curve_svg(&output, &falling);
    const char *text = buffered();
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
    CHECK(strstr(buffered(), "nan") == NULL && strstr(buffered(), "inf") == NULL);
    CHECK(strstr(buffered(), "wanted") == NULL);
}

TEST(error_curves_stand_below_one_another)
{
    static const sc_error_point other[] = {{0.1, 200}, {10, 2}};
    const sc_error_curve curves[] = {
        {.title = "n", .points = points, .count = 3},
        {.title = "<s>", .points = other, .count = 2},
    };
    sc_output_init(&output, -1);
    sc_error_curves_svg(&output, "SELECT <1>", curves, 2);
    const char *text = buffered();
    CHECK(strstr(text, "SELECT &lt;1&gt;") != NULL && strstr(text, "&lt;s&gt;") != NULL);
    /* Each has the whole height of its own field, and no dot. */
    CHECK(strstr(text, "points=\"80.00,100.00 390.00,175.00 700.00,250.00\"") != NULL);
    CHECK(strstr(text, "points=\"80.00,330.00 700.00,480.00\"") != NULL);
    CHECK(strstr(text, "<circle") == NULL);
    CHECK_STR(text + strlen(text) - strlen("</svg>\n"), "</svg>\n");
}
