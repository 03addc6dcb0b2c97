#include "check.h"
#include "cli/answer/answer_plot.h"
#include "cli/answer/answer_writer.h"
#include "ledger/answer.h"

#include <stdio.h>
#include <string.h>

#define SEEDED "\"not_private\": true, "

static const char *buffered(sc_output *output)
{
    output->bytes[output->used] = '\0';
    return output->bytes;
}

static const sc_terminal ascii = {.columns = 60};
static const char *const names[] = {"a", "b,c", "d"};

/* An answer on a grid of tenths or of ones. */
static scrim_answer *answer_of(const int64_t *values, const sc_mark *marks, size_t count,
                               bool tenths, bool has_halted)
{
    sc_int128 wide[8];
    sc_mark copies[8];
    static const sc_mechanism nameless = {.answer_parameter = NULL};
    scrim_measurement measurement = {.mechanism = &nameless};
    scrim_answer *answer = NULL;
    for (size_t i = 0; i < count; i++) {
        wide[i] = values[i];
        copies[i] = marks[i];
    }
    const sc_draw draw = {.values = wide,
                          .marks = copies,
                          .capacity = count,
                          .count = count,
                          .has_halted = has_halted};
    measurement.domain.grid = (sc_grid){
        .is_decimal = true, .exponent = tenths ? -1 : 0, .low = -99, .high = 99};
    sc_cost_init(&measurement.cost);
    measurement.cost.neighbours = SCRIM_REPLACE;
    CHECK_STATUS(sc_answer_new(&measurement, &draw, 7, &answer, NULL), SCRIM_OK);
    sc_cost_clear(&measurement.cost);
    return answer;
}

static scrim_certificate certificate_of(scrim_certificate_form form, const char *radius)
{
    scrim_certificate certificate = {.form = form, .excludes = ""};
    snprintf(certificate.radius, sizeof certificate.radius, "%s", radius);
    return certificate;
}

/* The text in each format, "" where it is not looked at. */
static void check_formats(const sc_answer_sheet *sheet, const char *const wants[4])
{
    static sc_output output;
    for (size_t format = 0; format < 4; format++) {
        scrim_error error;
        sc_output_init(&output, -1);
        CHECK_STATUS(sc_answer_write(&output, sheet, (sc_format)format, &ascii, &error),
                     SCRIM_OK);
        if (wants[format][0] != '\0')
            CHECK_STR(buffered(&output), wants[format]);
    }
}

TEST(answers_of_numbers_have_intervals)
{
    static const int64_t values[] = {12, -3};
    static const sc_mark marks[] = {SC_MARK_VALUE, SC_MARK_VALUE};
    static const char *const wants[] = {
        [SCRIM_FORMAT_TABLE] = "",
        [SCRIM_FORMAT_CSV] = "value,value_low,value_high\n12,10,14\n-3,-5,-1\n",
        [SCRIM_FORMAT_JSON] =
            "{" SEEDED "\"measurement\": \"m\", \"rows\": [\n"
            "{\"value\": {\"value\": 12, \"low\": 10, \"high\": 14}},\n"
            "{\"value\": {\"value\": -3, \"low\": -5, \"high\": -1}}\n"
            "], \"cost\": {\"neighbours\": \"replace\"}, "
            "\"certificate\": {\"form\": \"interval\", \"radius\": \"2\"}, "
            "\"release\": null}\n",
        [SCRIM_FORMAT_JSONL] =
            "{" SEEDED "\"value\": {\"value\": 12, \"low\": 10, \"high\": 14}}\n"
            "{" SEEDED "\"value\": {\"value\": -3, \"low\": -5, \"high\": -1}}\n",
    };
    const scrim_certificate within = certificate_of(SCRIM_CERTIFICATE_INTERVAL, "2");
    scrim_answer *answer = answer_of(values, marks, 2, false, false);
    REQUIRE(answer != NULL);
    const sc_answer_sheet sheet = {
        .answer = answer, .certificate = &within, .measurement = "m"};
    check_formats(&sheet, wants);
    scrim_answer_free(answer);
}

/* Where there is no range, there is an empty cell, the first as well. */
TEST(answers_without_a_range_say_nothing)
{
    static const int64_t values[] = {0, 12, 0};
    static const sc_mark marks[] = {SC_MARK_NONE, SC_MARK_VALUE, SC_MARK_NONE};
    static const char *const wants[] = {
        [SCRIM_FORMAT_TABLE] = "",
        [SCRIM_FORMAT_CSV] = "value,value_low,value_high\n,,\n12,10,14\n,,\n",
        [SCRIM_FORMAT_JSON] = "",
        [SCRIM_FORMAT_JSONL] =
            "{" SEEDED "\"value\": {\"value\": null, \"low\": null, \"high\": null}}\n"
            "{" SEEDED "\"value\": {\"value\": 12, \"low\": 10, \"high\": 14}}\n"
            "{" SEEDED "\"value\": {\"value\": null, \"low\": null, \"high\": null}}\n",
    };
    const scrim_certificate within = certificate_of(SCRIM_CERTIFICATE_RANGE, "2");
    scrim_answer *answer = answer_of(values, marks, 3, false, false);
    REQUIRE(answer != NULL);
    const sc_answer_sheet sheet = {
        .answer = answer, .certificate = &within, .measurement = "m"};
    check_formats(&sheet, wants);
    scrim_answer_free(answer);
}

TEST(answers_of_numbers_carry_names_and_labels)
{
    static const int64_t values[] = {12, -3, 0};
    static const sc_mark marks[] = {SC_MARK_VALUE, SC_MARK_VALUE, SC_MARK_VALUE};
    static const char *const wants[] = {
        [SCRIM_FORMAT_TABLE] =
            "+--------+------+-------+--------+-------------------------+\n"
            "| colour | n    | n_low | n_high | interval                |\n"
            "+--------+------+-------+--------+-------------------------+\n"
            "| a      |  1.2 |     1 |    1.4 |                   |-o-| |\n"
            "| b,c    | -0.3 |  -0.5 |   -0.1 | |-o-|                   |\n"
            "| d      |    0 |  -0.2 |    0.2 |    |--o-|               |\n"
            "+--------+------+-------+--------+-------------------------+\n",
        [SCRIM_FORMAT_CSV] =
            "colour,n,n_low,n_high\na,1.2,1,1.4\n\"b,c\",-0.3,-0.5,-0.1\n"
            "d,0,-0.2,0.2\n",
        [SCRIM_FORMAT_JSON] = "",
        [SCRIM_FORMAT_JSONL] =
            "{" SEEDED "\"colour\": \"a\", \"n\": {\"value\": \"1.2\", \"low\": 1, "
            "\"high\": \"1.4\"}}\n"
            "{" SEEDED "\"colour\": \"b,c\", \"n\": {\"value\": \"-0.3\", \"low\": "
            "\"-0.5\", \"high\": \"-0.1\"}}\n"
            "{" SEEDED "\"colour\": \"d\", \"n\": {\"value\": 0, \"low\": \"-0.2\", "
            "\"high\": \"0.2\"}}\n",
    };
    const scrim_certificate within = certificate_of(SCRIM_CERTIFICATE_RANGE, "0.2");
    scrim_answer *answer = answer_of(values, marks, 3, true, false);
    REQUIRE(answer != NULL);
    sc_answer_sheet sheet = {.answer = answer,
                             .certificate = &within,
                             .measurement = "m",
                             .labels = names,
                             .label_count = 3,
                             .name = "n",
                             .label_name = "colour"};
    check_formats(&sheet, wants);
    /* Labels of an input that has another number of values are not those of the answer. */
    sheet.label_count = 2;
    sc_answer_columns columns;
    sc_answer_columns_get(&sheet, &columns);
    CHECK_INT((sc_int128)columns.count, 3);
    CHECK_STR(columns.names[0], "n");
    scrim_answer_free(answer);
}

TEST(answers_of_choices_name_the_candidate)
{
    static const int64_t values[] = {2, 0};
    static const sc_mark marks[] = {SC_MARK_INDEX, SC_MARK_INDEX};
    static const char *const wants[] = {
        [SCRIM_FORMAT_TABLE] = "+-------+-------+\n"
                               "| index | label |\n"
                               "+-------+-------+\n"
                               "|     2 | d     |\n"
                               "|     0 | a     |\n"
                               "+-------+-------+\n",
        [SCRIM_FORMAT_CSV] = "index,label\n2,d\n0,a\n",
        [SCRIM_FORMAT_JSON] = "{" SEEDED "\"measurement\": \"m\", \"rows\": [\n"
                              "{\"index\": 2, \"label\": \"d\"},\n"
                              "{\"index\": 0, \"label\": \"a\"}\n"
                              "], \"cost\": {\"neighbours\": \"replace\"}, "
                              "\"certificate\": {\"form\": \"pac\", \"radius\": \"2\"}, "
                              "\"release\": null}\n",
        [SCRIM_FORMAT_JSONL] = "{" SEEDED "\"index\": 2, \"label\": \"d\"}\n"
                               "{" SEEDED "\"index\": 0, \"label\": \"a\"}\n",
    };
    const scrim_certificate near = certificate_of(SCRIM_CERTIFICATE_PAC, "2");
    scrim_answer *answer = answer_of(values, marks, 2, false, false);
    REQUIRE(answer != NULL);
    sc_answer_sheet sheet = {.answer = answer,
                             .certificate = &near,
                             .measurement = "m",
                             .labels = names,
                             .label_count = 3};
    check_formats(&sheet, wants);
    CHECK(!sc_answer_plot_is_possible(&sheet));
    sheet.labels = NULL;
    static const char *const bare[] = {
        "", "index\n2\n0\n", "", "{" SEEDED "\"index\": 2}\n{" SEEDED "\"index\": 0}\n"};
    check_formats(&sheet, bare);
    scrim_answer_free(answer);
}

TEST(answers_of_queries_say_where_they_halt)
{
    static const int64_t values[] = {0, 1, 15};
    static const sc_mark marks[] = {SC_MARK_BELOW, SC_MARK_ABOVE, SC_MARK_ABOVE_VALUE};
    static const char *const halted[] = {
        [SCRIM_FORMAT_TABLE] = "+--------+-------+\n"
                               "| answer | value |\n"
                               "+--------+-------+\n"
                               "| below  |       |\n"
                               "| above  |       |\n"
                               "| above  |    15 |\n"
                               "| halted |       |\n"
                               "+--------+-------+\n",
        [SCRIM_FORMAT_CSV] = "answer,value\nbelow,\nabove,\nabove,15\nhalted,\n",
        [SCRIM_FORMAT_JSON] =
            "{" SEEDED "\"measurement\": \"m\", \"rows\": [\n"
            "{\"answer\": \"below\"},\n"
            "{\"answer\": \"above\"},\n"
            "{\"answer\": \"above\", \"value\": {\"value\": 15}}\n"
            "], \"halted\": true, "
            "\"cost\": {\"neighbours\": \"replace\"}, "
            "\"certificate\": {\"form\": \"none\"}, \"release\": null}\n",
        [SCRIM_FORMAT_JSONL] =
            "{" SEEDED "\"answer\": \"below\"}\n"
            "{" SEEDED "\"answer\": \"above\"}\n"
            "{" SEEDED "\"answer\": \"above\", \"value\": {\"value\": 15}}\n"
            "{" SEEDED "\"answer\": \"halted\"}\n",
    };
    static const char *const open[] = {
        "", "label,answer,value\na,below,\n\"b,c\",above,\nd,above,15\n", "", ""};
    const scrim_certificate none = certificate_of(SCRIM_CERTIFICATE_NONE, "");
    for (int has_halted = 0; has_halted < 2; has_halted++) {
        scrim_answer *answer = answer_of(values, marks, 3, false, has_halted);
        REQUIRE(answer != NULL);
        sc_answer_sheet sheet = {
            .answer = answer, .certificate = &none, .measurement = "m"};
        if (!has_halted) {
            sheet.labels = names;
            sheet.label_count = 3;
        }
        check_formats(&sheet, has_halted ? halted : open);
        scrim_answer_free(answer);
    }
}

/* A label that steers a terminal reaches files as it is and screens harmless. */
TEST(answers_clean_labels_for_a_screen)
{
    static const int64_t values[] = {1};
    static const sc_mark marks[] = {SC_MARK_VALUE};
    static const char *const labels[] = {"\033[31mred"};
    static sc_output output;
    const scrim_certificate none = certificate_of(SCRIM_CERTIFICATE_NONE, "");
    scrim_error error;
    scrim_answer *answer = answer_of(values, marks, 1, false, false);
    REQUIRE(answer != NULL);
    const sc_answer_sheet sheet = {.answer = answer,
                                   .certificate = &none,
                                   .measurement = "m",
                                   .labels = labels,
                                   .label_count = 1};
    sc_output_init(&output, -1);
    CHECK_STATUS(sc_answer_write(&output, &sheet, SCRIM_FORMAT_TABLE, &ascii, &error),
                 SCRIM_OK);
    CHECK(strstr(buffered(&output), "?[31mred") != NULL);
    CHECK(strchr(buffered(&output), '\033') == NULL);
    sc_output_init(&output, -1);
    sc_answer_plot_write(&output, &sheet, &ascii);
    CHECK(strstr(buffered(&output), "?[31mred") != NULL);
    CHECK(strchr(buffered(&output), '\033') == NULL);
    scrim_answer_free(answer);
}

TEST(answers_are_plotted_with_error_bars)
{
    static const int64_t values[] = {20, -10, 0};
    static const sc_mark marks[] = {SC_MARK_VALUE, SC_MARK_VALUE, SC_MARK_VALUE};
    static sc_output output;
    const scrim_certificate within = certificate_of(SCRIM_CERTIFICATE_INTERVAL, "5");
    const sc_terminal narrow = {.columns = 40};
    scrim_answer *answer = answer_of(values, marks, 3, false, false);
    REQUIRE(answer != NULL);
    sc_answer_sheet sheet = {
        .answer = answer, .certificate = &within, .measurement = "m"};
    CHECK(sc_answer_plot_is_possible(&sheet));
    sc_output_init(&output, -1);
    sc_answer_plot_write(&output, &sheet, &narrow);
    CHECK_STR(buffered(&output), "  0             ###########|---o--|   20\n"
                                 "  1  |--o---|####                    -10\n"
                                 "  2         |---o---|                  0\n");
    const scrim_certificate dropped = certificate_of(SCRIM_CERTIFICATE_DROP, "10");
    sheet.certificate = &dropped; /* never too large: the value is the lower end */
    sc_output_init(&output, -1);
    sc_answer_plot_write(&output, &sheet, &narrow);
    CHECK_STR(buffered(&output), "  0         ###############o------|   20\n"
                                 "  1  o------|                        -10\n"
                                 "  2         o-------|                  0\n");
    scrim_answer_free(answer);
}
