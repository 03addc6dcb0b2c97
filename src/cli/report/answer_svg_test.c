#include "check.h"
#include "cli/report/answer_svg.h"

#include <string.h>

static sc_output output;

static sc_report_column columns[] = {
    {"word", false, false, false}, {"n", true, false, false}, {"m", true, false, false}};
static sc_report_cell cells[] = {
    {"<a>&\"", NULL, NULL, false}, {"0", "-10", "10", false},  {"1", "0", "2", false},
    {"plain", NULL, NULL, false},  {"90", "80", "100", false}, {"2", "0", "9", true},
};
static sc_report_sheet sheets[] = {{columns, 3, cells, 2}};

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
    sc_output_init(&output, -1);
    sc_answer_svg_write(&output, "SELECT <all>", &values);
    output.bytes[output.used] = '\0';
    const char *text = output.bytes;
    CHECK(strstr(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg ") == text);
    CHECK_STR(text + strlen(text) - strlen("</svg>\n"), "</svg>\n");
    CHECK_INT(times(text, "<circle class=\"dot\""), 4);
    CHECK_INT(times(text, "class=\"reach"), 4);
    CHECK_INT(times(text, "class=\"reach open\""), 1);
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
    sc_output_init(&output, -1);
    sc_answer_svg_write(&output, "", &values);
    output.bytes[output.used] = '\0';
    CHECK(strstr(output.bytes, "translate(20 40)") != NULL);
    CHECK(strstr(output.bytes, "translate(20 158)") != NULL);
    CHECK(strstr(output.bytes, "confidence") == NULL);
}
