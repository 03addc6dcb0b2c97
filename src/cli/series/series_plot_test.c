#include "check.h"
#include "cli/series/series_plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Two releases of three, of made-up points. */
static scrim_series_step steps[] = {{.number = 1, .low = "1", .high = "10"},
                                    {.number = 2, .low = "11", .high = "20"}};
static sc_series_point points[] = {{true, 6849700, 6849710, 6849720}, {false, 0, 0, 0}};

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
    const sc_series_panels panels = {.sheet = &sheet,
                                     .column = "n",
                                     .list = {{.name = "<Ulm>", .points = points}},
                                     .count = 1,
                                     .keys = 9};
    const sc_terminal terminal = {.columns = 60};
    sc_output *output = malloc(sizeof *output);
    FILE *file = tmpfile();
    REQUIRE(output != NULL && file != NULL);
    sc_output_init(output, fileno(file));
    if (as_svg)
        sc_series_svg_write(output, &panels);
    else
        sc_series_plot_write(output, &panels, &terminal);
    CHECK(sc_output_flush(output));
    rewind(file);
    text[fread(text, 1, capacity - 1, file)] = '\0';
    fclose(file);
    free(output);
}

TEST(series_plot_has_a_line_a_release)
{
    char text[4000];
    draw(false, text, sizeof text);
    CHECK(strstr(text, "  n of <Ulm>\n") != NULL);
    /* 60 columns, of which the name, its release and the value take 30 */
    CHECK(strstr(text, "\n                6849700                6849720\n") != NULL);
    CHECK(strstr(text, "     1  1..10   ") != NULL);
    CHECK(strstr(text, "  6849710\n") != NULL);
    CHECK(strstr(text, "     2  11..20  not shown\n") != NULL);
    CHECK(strstr(text, "the 1 largest of 9 keys") != NULL);
}

TEST(series_drawing_has_a_point_a_release_and_no_tag_of_others)
{
    char text[8000];
    draw(true, text, sizeof text);
    CHECK(strstr(text, "&lt;Ulm&gt;") != NULL);
    CHECK(strstr(text, "<Ulm>") == NULL);
    const char *first = strstr(text, "<circle");
    CHECK(first != NULL && strstr(first + 1, "<circle") == NULL);
    CHECK(strstr(text, "</svg>") != NULL);
}
