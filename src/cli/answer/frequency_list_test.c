#include "check.h"
#include "cli/answer/frequency_list.h"
#include "ledger/answer.h"

#include <string.h>

/* Seven answers, three of them 1, as they are shown: a JSON member and a box. */
static void write_both(const char *line, char *json, char *table, size_t bytes)
{
    static sc_output output;
    static const sc_terminal ascii = {.columns = 80};
    sc_int128 values[7] = {1, 0, 1, 0, 1, 0, 0};
    sc_mark marks[7] = {SC_MARK_VALUE};
    sc_draw draw = {.values = values, .marks = marks, .capacity = 7, .count = 7};
    scrim_certificate certificate = {.form = SCRIM_CERTIFICATE_FREQUENCY,
                                     .radius = "0.1"};
    scrim_measurement *m = NULL;
    scrim_answer *answer = NULL;
    if (!CHECK_STATUS(scrim_measurement_parse(line, &m, NULL), SCRIM_OK) ||
        !CHECK_STATUS(sc_answer_new(m, &draw, 1, &answer, NULL), SCRIM_OK))
        return;
    const sc_answer_sheet sheet = {
        .answer = answer, .source = m, .certificate = &certificate};
    sc_output_init(&output, -1);
    sc_json writer;
    sc_json_init(&writer, &output);
    sc_json_object(&writer, NULL);
    sc_frequency_json_write(&writer, &sheet);
    sc_json_end(&writer);
    CHECK(output.used < bytes);
    memcpy(json, output.bytes, output.used);
    json[output.used] = '\0';
    sc_output_init(&output, -1);
    CHECK_STATUS(sc_frequency_table_write(&output, &sheet, &ascii, NULL), SCRIM_OK);
    CHECK(output.used < bytes);
    memcpy(table, output.bytes, output.used);
    table[output.used] = '\0';
    scrim_answer_free(answer);
    scrim_measurement_free(m);
}

TEST(frequency_list_has_an_interval_each)
{
    char json[1024] = "", table[1024] = "";
    write_both("randomised-response keep=2/3 neighbours=local", json, table, sizeof json);
    CHECK_STR(json, "{\"frequencies\": [{\"value\": 0, \"frequency\": {\"value\": "
                    "\"0.714286\", \"low\": \"0.614285\", \"high\": \"0.814286\"}}, "
                    "{\"value\": 1, \"frequency\": {\"value\": \"0.285714\", \"low\": "
                    "\"0.185714\", \"high\": \"0.385715\"}}]}\n");
    CHECK_STR(table, "+-------+-----------+---------------+----------------+\n"
                     "| value | frequency | frequency_low | frequency_high |\n"
                     "+-------+-----------+---------------+----------------+\n"
                     "| 0     | 0.714286  | 0.614285      | 0.814286       |\n"
                     "| 1     | 0.285714  | 0.185714      | 0.385715       |\n"
                     "+-------+-----------+---------------+----------------+\n");
}

/* Other mechanisms, and more values than are shown. */
TEST(frequency_list_may_be_empty)
{
    static const char *const lines[] = {
        "laplace sensitivity=1 epsilon=1 neighbours=replace",
        "randomised-response keep=2/3 values=33 neighbours=local"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char json[1024] = "none", table[1024] = "none";
        write_both(lines[i], json, table, sizeof json);
        CHECK_STR(json, "{}\n");
        CHECK_STR(table, "");
    }
    char json[4096] = "", table[4096] = "";
    write_both("randomised-response keep=2/3 values=32 neighbours=local", json, table,
               sizeof json);
    CHECK(strstr(json, "{\"value\": 31,") != NULL);
    CHECK(strstr(table, "| 31 ") != NULL);
}
