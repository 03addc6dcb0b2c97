#include "check.h"
#include "cli/report/report_html.h"
#include "cli/report/report_svg.h"

#include <stdlib.h>
#include <string.h>

static sc_output output;

static sc_report_column columns[] = {{"word", false, false, false},
                                     {"n", true, false, false}};
static sc_report_cell cells[] = {
    {"<a>&\"", NULL, NULL, false},
    {"0", "-10", "10", false},
    {"plain", NULL, NULL, false},
    {"90", "80", "100", true},
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
    CHECK(number_behind(text, "class=\"reach open\" d=\"M") > first);
}

/* Dates are on an axis of dates, each as far along it as the days say. */
TEST(report_bars_of_dates_are_to_scale)
{
    static sc_report_column days[] = {{"first", true, true, false}};
    static sc_report_cell dates[] = {{"2024-03-01", "2024-02-28", "2024-03-04", false},
                                     {"2024-03-05", "2024-03-01", "2024-03-06", false}};
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
        sc_report_cell one[] = {{values[i], NULL, NULL, false}};
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
