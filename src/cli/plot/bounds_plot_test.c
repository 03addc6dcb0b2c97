#include "check.h"
#include "cli/plot/bounds_plot.h"

#include <math.h>
#include <string.h>

static const char *buffered(sc_output *output)
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

static const sc_bounds_point points[] = {
    {1e-9, 8, 10}, {1e-6, 6, 6}, {1e-3, 3, HUGE_VAL}, {1e-1, 1, 2}};
static const sc_bounds_view falling = {.title = "epsilon against <delta>",
                                       .x_name = "delta",
                                       .x_is_log = true,
                                       .points = points,
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
            CHECK(strstr(buffered(&output), "nan") == NULL);
        }
        sc_output_init(&output, -1);
        sc_bounds_svg_write(&output, "", "", &view, 1);
        CHECK(strstr(buffered(&output), "nan") == NULL);
        CHECK(strstr(buffered(&output), "inf\"") == NULL);
    }
}

TEST(bounds_in_a_terminal)
{
    static sc_output output;
    sc_output_init(&output, -1);
    sc_bounds_terminal_write(&output, &rising, &(sc_terminal){.columns = 60});
    const char *text = buffered(&output);
    CHECK(strstr(text, "growth\n    epsilon  * at most  o at least  @ both\n") == text);
    CHECK(strstr(text, "\n          6 |") != NULL);
    CHECK(strstr(text, "releases\n") != NULL && strchr(text, '*') != NULL);
    for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1)
        CHECK(strcspn(line, "\n") <= 60);
    CHECK(strchr(text, '\033') == NULL);
    sc_output_init(&output, -1);
    sc_bounds_terminal_write(&output, &falling,
                             &(sc_terminal){.columns = 80, .utf8 = true, .colour = true});
    text = buffered(&output);
    CHECK(strstr(text, "○") != NULL && strstr(text, "└──") != NULL);
    CHECK(strstr(text, "\033[38") != NULL);
}

TEST(bounds_as_a_drawing)
{
    static sc_output output;
    const sc_bounds_view both[] = {falling, rising};
    sc_output_init(&output, -1);
    sc_bounds_svg_write(&output, "laplace & <more>", "epsilon \"lies\"", both, 2);
    const char *text = buffered(&output);
    CHECK(strstr(text, "<title>laplace &amp; &lt;more&gt;</title>") != NULL);
    CHECK(strstr(text, "epsilon against &lt;delta&gt;") != NULL);
    CHECK(strstr(text, "height=\"740\"") != NULL);
    /* An upper bound that is missing breaks its line in two. */
    CHECK_INT(occurrences(text, "<polyline"), 5);
    CHECK_INT(occurrences(text, "stroke-dasharray"), 1);
    CHECK(strcmp(text + strlen(text) - 7, "</svg>\n") == 0);
}
