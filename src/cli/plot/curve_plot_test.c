#include "check.h"
#include "cli/plot/curve_plot.h"

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
