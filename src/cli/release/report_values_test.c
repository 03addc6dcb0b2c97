#include "check.h"
#include "cli/release/report_text.h"
#include "cli/release/report_values.h"
#include "cli/release/report_verify.h"

#include <stdlib.h>
#include <string.h>

static const char block[] =
    "scrim-label 1\n"
    "release.number 8\n"
    "release.time 2026-01-02T03:04:05Z\n"
    "release.dataset adult\n"
    "release.version 2\n"
    "release.population people\n"
    "release.question.1 SELECT COUNT(*) AS n\n"
    "release.question.2 SELECT \"x\"\n"
    "protection.unit person_id\n"
    "protection.neighbours add-remove\n"
    "protection.max-groups 1\n"
    "protection.max-rows 3\n"
    "cost.epsilon 1\n"
    "cost.delta 0.0000001\n"
    "cost.guess 0.732\n"
    "cost.group-2-epsilon 2\n"
    "cost.account epsilon\n"
    "cost.budget 3\n"
    "cost.budget-delta 0.000001\n"
    "cost.spent 1.5\n"
    "cost.spent-delta 0.0000001\n"
    "cost.charges 2\n"
    "mechanism.1.what keys\n"
    "mechanism.1.line partition-selection\n"
    "mechanism.1.copies 1\n"
    "mechanism.1.kept-half 40\n"
    "mechanism.1.kept-most 46\n"
    "mechanism.2.what quantiles\n"
    "mechanism.2.line quantile\n"
    "mechanism.2.copies 4\n"
    "mechanism.2.deviation 3.8\n"
    "limitations.1 none is %25 none\n"
    "hash 0030b3dd24beabc5aa1ad4d48cd07bd386dd485251c10853ca471b9a291250e2\n";

static scrim_label *read_label(void)
{
    scrim_label *label = NULL;
    scrim_error error = {.message = ""};
    if (!CHECK_STATUS(scrim_label_find(block, strlen(block), &label, &error), SCRIM_OK))
        CHECK_STR(error.message, "");
    return label;
}

TEST(report_reads_facts_and_lists)
{
    scrim_label *label = read_label();
    REQUIRE(label != NULL);
    CHECK_STR(sc_report_get(label, "release.dataset"), "adult");
    CHECK_STR(sc_report_get(label, "release.nothing"), "");
    CHECK_INT(sc_report_items(label, "mechanism", "line"), 2);
    CHECK_INT(sc_report_items(label, "release.question", NULL), 2);
    CHECK_INT(sc_report_items(label, "nothing", NULL), 0);
    CHECK_STR(sc_report_item(label, "mechanism", 2, "deviation"), "3.8");
    CHECK_STR(sc_report_item(label, "limitations", 1, NULL), "none is % none");
    scrim_label_free(label);
}

TEST(report_says_it_in_words)
{
    scrim_label *label = read_label();
    char line[SC_REPORT_LINE_BYTES], percent[SC_BOUND_BYTES];
    REQUIRE(label != NULL);
    sc_report_cost(label, "cost.", line);
    CHECK_STR(line, "epsilon 1, delta 1e-7");
    sc_report_cost(label, "cost.group-2-", line);
    CHECK_STR(line, "epsilon 2");
    sc_report_cost(label, "cost.group-4-", line);
    CHECK_STR(line, "");
    sc_report_bounds(label, line);
    CHECK(strstr(line, "at most 1 group per person_id and 3 rows per group") == line);
    sc_report_budget(label, line);
    CHECK_STR(line, "epsilon 1.5 of 3 and delta 1e-7 of 1e-6 spent by 2 charges to "
                    "people when this label was made");
    sc_report_noise(label, 1, line);
    CHECK_STR(line, "a group of 40 units is shown with a chance of 50 %, one of 46 with "
                    "95 %");
    sc_report_noise(label, 2, line);
    CHECK_STR(line, "noise of standard deviation 3.8; charged 4 times: one person_id can "
                    "change 4 of its draws");
    sc_report_percent(label, percent);
    CHECK_STR(percent, "73.2 %");
    scrim_label_free(label);
}

static sc_output output;

static const char *written(void)
{
    output.bytes[output.used] = '\0';
    return output.bytes;
}

/* Sections are objects, what is numbered is a list, what counts is a number. */
TEST(report_in_json)
{
    scrim_label *label = read_label();
    REQUIRE(label != NULL);
    sc_output_init(&output, -1);
    sc_report_json_write(&output, label);
    const char *text = written();
    CHECK(strstr(text, "{\"release\": {\"number\": 8, \"time\": \"2026-01-02") == text);
    CHECK(strstr(text, "\"question\": [\"SELECT COUNT(*) AS n\", \"SELECT \\\"x\\\"\"]}, "
                       "\"protection\": {") != NULL);
    CHECK(strstr(text, "\"cost\": {\"epsilon\": \"1\", \"delta\": \"0.0000001\"") !=
          NULL);
    CHECK(strstr(text, "\"mechanism\": [{\"what\": \"keys\", \"line\": "
                       "\"partition-selection\", \"copies\": 1, \"kept-half\": 40, "
                       "\"kept-most\": 46}, {\"what\": \"quantiles\"") != NULL);
    CHECK(strstr(text, "\"limitations\": [\"none is % none\"], \"label\": "
                       "\"scrim-label 1") != NULL);
    scrim_label_free(label);
}

/* The page holds a label that is found again. */
static void check_found(const scrim_label *label)
{
    scrim_label *again = NULL;
    if (CHECK_STATUS(scrim_label_find(written(), output.used, &again, NULL), SCRIM_OK))
        CHECK_STR(scrim_label_text(again), scrim_label_text(label));
    scrim_label_free(again);
}

TEST(report_carries_its_label)
{
    scrim_label *label = read_label();
    sc_terminal terminal = {.columns = 80};
    REQUIRE(label != NULL);
    sc_output_init(&output, -1);
    sc_report_text_write(&output, label, &terminal);
    check_found(label);
    sc_output_init(&output, -1);
    sc_report_json_write(&output, label);
    check_found(label);
    /* On a screen it is left out. */
    terminal.is_terminal = true;
    sc_output_init(&output, -1);
    sc_report_text_write(&output, label, &terminal);
    CHECK(strstr(written(), "scrim-label") == NULL);
    scrim_label_free(label);
}

/* Numbers of YAML that are numbers for every reader; texts that are texts. */
TEST(report_in_yaml)
{
    scrim_label *label = read_label();
    REQUIRE(label != NULL);
    sc_output_init(&output, -1);
    sc_report_yaml_write(&output, label);
    const char *text = written();
    CHECK(strstr(text, "\n      epsilon: 1\n      delta: 1.0e-7\n") != NULL);
    CHECK(strstr(text, "\n  description: |-\n    - SELECT COUNT(*) AS n\n    - SELECT "
                       "\"x\"\n") != NULL);
    CHECK(strstr(text, "\n    privacy_unit: \"person_id\"\n") != NULL);
    CHECK(strstr(text, "\n  publication_date: \"2026-01-02\"\n") != NULL);
    scrim_label_free(label);
}
