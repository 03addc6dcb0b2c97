#include "check.h"
#include "cli/answer/series_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Two releases of three, of made-up points. */
static scrim_series_step steps[] = {{.number = 1, .low = "1", .high = "10"},
                                    {.number = 2, .low = "11", .high = "20"}};
static sc_series_point points[] = {{1, 6849700, 6849710, 6849720}, {2, 0, HUGE_VAL, 0}};
static sc_series_point days[] = {{1, 20000, 20010, 20031}, {2, 20031, 20040, 20062}};

static void draw(bool as_svg, char *text, size_t capacity)
{
    const sc_series_sheet sheet = {
        .facts = {.name = "daily",
                  .dataset = "people",
                  .window = "day",
                  .releases = 3,
                  .made = 2},
        .steps = steps,
        .count = 2,
    };
    sc_series_panel list[] = {
        {.column = "n", .name = "<Ulm>", .points = points},
        {.column = "m", .name = "<Ulm>", .points = days, .is_date = true}};
    const sc_series_panels panels = {
        .sheet = &sheet, .columns = 2, .list = list, .count = 2, .keys = 9};
    const sc_terminal terminal = {.columns = 60};
    static sc_output output;
    FILE *file = tmpfile();
    REQUIRE(file != NULL);
    sc_output_init(&output, fileno(file));
    if (as_svg)
        sc_series_svg_write(&output, &panels);
    else
        sc_series_plot_write(&output, &panels, &terminal);
    CHECK(sc_output_flush(&output));
    rewind(file);
    text[fread(text, 1, capacity - 1, file)] = '\0';
    fclose(file);
}

TEST(series_plot_has_a_line_a_release)
{
    char text[4000];
    draw(false, text, sizeof text);
    CHECK(strstr(text, "  n of <Ulm>\n") != NULL);
    /* 60 columns, of which the name, its release and the value take 27 */
    CHECK(strstr(text, "\n                6849700                   6849720\n") != NULL);
    CHECK(strstr(text, "     1  1..10   ") != NULL);
    CHECK(strstr(text, "    6849710\n") != NULL);
    CHECK(strstr(text, "     2  11..20  ") != NULL &&
          strstr(text, "  not shown\n") != NULL);
    CHECK(strstr(text, "the 6 largest of 9 keys") != NULL);
    /* every column has its own axis */
    CHECK(strstr(text, "\n\n  m of <Ulm>\n"
                       "                2024-10-04            2024-12-05\n") != NULL);
    CHECK(strstr(text, "  2024-11-13\n") != NULL);
}

TEST(series_drawing_has_a_point_a_release_and_no_tag_of_others)
{
    char text[8000];
    draw(true, text, sizeof text);
    CHECK(strstr(text, "&lt;Ulm&gt;") != NULL);
    CHECK(strstr(text, "<Ulm>") == NULL);
    size_t points_drawn = 0;
    for (const char *at = text; (at = strstr(at, "<circle")) != NULL; at++)
        points_drawn++;
    CHECK_INT(points_drawn, 3);
    CHECK(strstr(text, "n, m by release, each of a window of day") != NULL);
    CHECK(strstr(text, ">m of &lt;Ulm&gt;<") != NULL);
    CHECK(strstr(text, ">2024-1") != NULL);
    CHECK(strstr(text, "</svg>") != NULL);
}
