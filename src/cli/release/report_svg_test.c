#include "check.h"
#include "cli/release/report_html.h"
#include "cli/release/report_svg.h"

#include <stdlib.h>
#include <string.h>

static sc_output output;

static sc_report_column columns[] = {{"word", false, false, false},
                                     {"n", true, false, false}};
static sc_report_cell cells[] = {
    {"<a>&\"", NULL, NULL, false, false, false},
    {"0", "-10", "10", false, false, false},
    {"plain", NULL, NULL, false, false, false},
    {"90", "80", "100", true, false, false},
};
static const sc_report_sheet sheet = {columns, 2, cells, 2};

static const char *drawn(void)
{
    sc_output_init(&output, -1);
    sc_report_bars_write(&output, &sheet, 1, 1);
    output.bytes[output.used] = '\0';
    return output.bytes;
}

static double number_behind(const char *text, const char *mark)
{
    const char *at = strstr(text, mark);
    return CHECK(at != NULL) ? strtod(at + strlen(mark), NULL) : -1;
}

/* Words in place of a number, and no line where the noise is larger than its interval. */
TEST(report_bars_show_no_noise_as_a_number)
{
    static sc_report_column number[] = {{"n", true, false, false}};
    static sc_report_cell odd[] = {{"0", "0", "12", false, true, false},
                                   {"", "", "", false, false, true},
                                   {"", "0", "20", true, false, false},
                                   {"", "", "", true, false, false}};
    const sc_report_sheet small = {number, 1, odd, 4};
    sc_output_init(&output, -1);
    sc_report_bars_write(&output, &small, 0, 1);
    output.bytes[output.used] = '\0';
    const char *text = output.bytes;
    CHECK(strstr(text, ">about 0</text>") != NULL);
    const char *first = strstr(text, ">no usable value</text>");
    CHECK(first != NULL && strstr(first + 1, ">no usable value</text>") != NULL);
    CHECK(strstr(text, ">no value</text>") != NULL);
    CHECK(strstr(text, "<circle") != NULL &&
          strstr(strstr(text, "<circle") + 1, "<circle") == NULL);
    CHECK(strstr(strstr(text, ">about 0<"), "class=\"reach\"") == NULL);
}

/* The dot of a value is as far between the ends of its line as the value is between those of the
 * interval, and larger values are further right. */
TEST(report_bars_are_to_scale)
{
    const char *text = drawn();
    const double first = number_behind(text, "cx=\"");
    const char *rest = strstr(text, "<circle");
    const double second = number_behind(strstr(rest + 1, "<circle"), "cx=\"");
    const double low = number_behind(text, "class=\"reach\" d=\"M");
    const char *line = strstr(text, "class=\"reach\"");
    const double high = number_behind(line, "H");
    CHECK(low < first && first < high);
    CHECK_NEAR(first - low, high - first, 0.01);
    /* 90 steps of 10 pixels a half interval. */
    CHECK_NEAR(second - first, 9 * (first - low), 0.02);
}

/* Dates are on an axis of dates, each as far along it as the days say. */
TEST(report_bars_of_dates_are_to_scale)
{
    static sc_report_column days[] = {{"first", true, true, false}};
    static sc_report_cell dates[] = {
        {"2024-03-01", "2024-02-28", "2024-03-04", false, false, false},
        {"2024-03-05", "2024-03-01", "2024-03-06", false, false, false}};
    const sc_report_sheet dated = {days, 1, dates, 2};
    sc_output_init(&output, -1);
    sc_report_bars_write(&output, &dated, 0, 1);
    output.bytes[output.used] = '\0';
    const char *text = output.bytes;
    const double value = number_behind(text, "cx=\"");
    const double low = number_behind(text, "class=\"reach\" d=\"M");
    const double high = number_behind(strstr(text, "class=\"reach\""), "H");
    /* Two days down, of a leap year, and three up. */
    CHECK_NEAR(3 * (value - low), 2 * (high - value), 0.02);
    CHECK(strstr(text, ">2024-03-03</text>") != NULL);
    CHECK(strstr(text, "class=\"fill\"") == NULL);
}

/* It says in words what it is, and keys stay keys (A61). */
TEST(report_bars_have_names)
{
    const char *text = drawn();
    CHECK(strstr(text, "role=\"img\"") != NULL);
    CHECK(strstr(text, "<title id=\"t1\">n</title>") != NULL);
    CHECK(strstr(text, "<desc id=\"d1\">") != NULL);
    CHECK(strstr(text, "&lt;a&gt;&amp;&quot;</text>") != NULL);
    CHECK(strstr(text, "<a>") == NULL);
}

/* Values that are all the same, or none, are drawn as well. */
TEST(report_bars_of_little)
{
    static const char *const values[] = {"0", "5", "-3", "1e30", "0.000001"};
    for (size_t i = 0; i < COUNT(values); i++) {
        sc_report_cell one[] = {{values[i], NULL, NULL, false, false, false}};
        sc_report_column name[] = {{"n", true, false, false}};
        const sc_report_sheet small = {name, 1, one, 1};
        sc_output_init(&output, -1);
        sc_report_bars_write(&output, &small, 0, 1);
        output.bytes[output.used] = '\0';
        const double x = number_behind(output.bytes, "cx=\"");
        CHECK(x >= 180 && x <= 570);
        CHECK(strstr(output.bytes, "nan") == NULL && strstr(output.bytes, "inf") == NULL);
    }
}

static sc_output answer_output;

static sc_report_column answer_columns[] = {
    {"word", false, false, false}, {"n", true, false, false}, {"m", true, false, false}};
static sc_report_cell answer_cells[] = {
    {"<a>&\"", NULL, NULL, false, false, false},
    {"0", "-10", "10", false, false, false},
    {"1", "0", "2", false, false, false},
    {"plain", NULL, NULL, false, false, false},
    {"90", "80", "100", false, false, false},
    {"2", "0", "9", true, false, false},
};
static sc_report_sheet sheets[] = {{answer_columns, 3, answer_cells, 2}};

static size_t times(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        count++;
    return count;
}

TEST(answer_svg_has_every_value_with_its_interval)
{
    const sc_report_values values = {.confidence = "0.95", .sheets = sheets, .count = 1};
    sc_output_init(&answer_output, -1);
    sc_answer_svg_write(&answer_output, "SELECT <all>", &values);
    answer_output.bytes[answer_output.used] = '\0';
    const char *text = answer_output.bytes;
    CHECK(strstr(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg ") == text);
    CHECK_STR(text + strlen(text) - strlen("</svg>\n"), "</svg>\n");
    CHECK_INT(times(text, "<circle class=\"dot\""), 4);
    CHECK_INT(times(text, "class=\"reach"), 3);
    CHECK_INT(times(text, "class=\"heading\""), 2);
    CHECK_INT(times(text, "intervals at confidence 0.95"), 2);
    CHECK_INT(times(text, "<g "), times(text, "</g>"));
    CHECK(strstr(text, "<all>") == NULL && strstr(text, "<a>") == NULL);
    /* It needs nothing that is elsewhere. */
    CHECK_INT(times(text, "http"), 1);
    CHECK(strstr(text, "href") == NULL && strstr(text, "url(") == NULL);
}

/* The second picture stands below the first, which is one heading, two rows and an axis high. */
TEST(answer_svg_pictures_stand_below_each_other)
{
    const sc_report_values values = {.confidence = "", .sheets = sheets, .count = 1};
    sc_output_init(&answer_output, -1);
    sc_answer_svg_write(&answer_output, "", &values);
    answer_output.bytes[answer_output.used] = '\0';
    CHECK(strstr(answer_output.bytes, "translate(20 40)") != NULL);
    CHECK(strstr(answer_output.bytes, "translate(20 158)") != NULL);
    CHECK(strstr(answer_output.bytes, "confidence") == NULL);
}
