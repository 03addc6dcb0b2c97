#include "check.h"
#include "cli/display/json_writer.h"

#include <math.h>
#include <string.h>

static sc_output output;

static void start(sc_json *json)
{
    sc_output_init(&output, -1);
    sc_json_init(json, &output);
}

static const char *written(void)
{
    output.bytes[output.used] = '\0';
    return output.bytes;
}

TEST(json_separates_members_and_ends_lines)
{
    sc_json json;
    start(&json);
    sc_json_object(&json, NULL);
    sc_json_text(&json, "a", "x\"y");
    sc_json_object(&json, "in\\side");
    sc_json_end(&json);
    sc_json_array(&json, "list");
    sc_json_text(&json, NULL, "1");
    sc_json_truth(&json, NULL, false);
    sc_json_end(&json);
    sc_json_text_or_null(&json, "empty", "");
    sc_json_text_if_any(&json, "absent", "");
    sc_json_end(&json);
    sc_json_object(&json, NULL);
    sc_json_end(&json);
    CHECK_STR(written(),
              "{\"a\": \"x\\\"y\", \"in\\\\side\": {}, \"list\": [\"1\", false], "
              "\"empty\": null}\n{}\n");
}

TEST(json_has_a_line_for_each_row)
{
    for (size_t rows = 0; rows < 3; rows++) {
        static const char *const wants[] = {
            "{\"rows\": [\n], \"n\": 1}\n", "{\"rows\": [\n{\"i\": 0}\n], \"n\": 1}\n",
            "{\"rows\": [\n{\"i\": 0},\n{\"i\": 1}\n], \"n\": 1}\n"};
        sc_json json;
        start(&json);
        sc_json_object(&json, NULL);
        sc_json_rows(&json, "rows");
        for (size_t i = 0; i < rows; i++) {
            sc_json_object(&json, NULL);
            sc_json_count(&json, "i", i);
            sc_json_end(&json);
        }
        sc_json_end(&json);
        sc_json_count(&json, "n", 1);
        sc_json_end(&json);
        CHECK_STR(written(), wants[rows]);
    }
}

/* No reader's double loses a digit. */
TEST(json_writes_numbers_that_readers_hold)
{
    sc_json json;
    start(&json);
    sc_json_array(&json, NULL);
    sc_json_count(&json, NULL, UINT64_C(1) << 53);
    sc_json_count(&json, NULL, UINT64_MAX);
    sc_json_number(&json, NULL, "-12");
    sc_json_number(&json, NULL, "1.5");
    sc_json_decimal(&json, NULL, "-1.50");
    sc_json_decimal(&json, NULL, "01.5");
    sc_json_decimal(&json, NULL, "1234567890.123456");
    sc_json_decimal(&json, NULL, "1/3");
    sc_json_double(&json, NULL, 0.5);
    sc_json_double(&json, NULL, HUGE_VAL);
    sc_json_end(&json);
    CHECK_STR(written(),
              "[9007199254740992, \"18446744073709551615\", -12, \"1.5\", -1.50, "
              "\"01.5\", \"1234567890.123456\", \"1/3\", 0.5, \"inf\"]\n");
}

TEST(json_is_bounded_in_depth)
{
    sc_json json;
    start(&json);
    for (size_t i = 0; i < 3 * (size_t)SC_JSON_DEPTH; i++)
        sc_json_object(&json, i == 0 ? NULL : "a");
    for (size_t i = 0; i < 3 * (size_t)SC_JSON_DEPTH; i++)
        sc_json_end(&json);
    CHECK(json.depth == 0);
    CHECK(output.bytes[output.used - 1] == '\n');
}
