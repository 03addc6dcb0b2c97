#include "check.h"
#include "cli/account/sizes_writer.h"

#include <string.h>

static const scrim_sizes_report example = {
    .text = "partition-selection epsilon=1 delta=0.001 neighbours=add-remove",
    .cost = {SCRIM_ADD_REMOVE, "1", "0.001", ""},
    .confidence = "0.9",
    .count = 3,
    .rows = {{.name = "partition-selection",
              .is_possible = 1,
              .kept = {8, 9, 14},
              .delta_upper = 0.001},
             {.name = "threshold-laplace",
              .is_possible = 1,
              .kept = {7, 10, 0},
              .delta_upper = 0.000625,
              .has_threshold = 1,
              .facts = {7, 0.000625, 0.0005, 0.00025, 0.00075}},
             {.name = "threshold-gaussian"}},
    .least = {5, 6, 7},
    .has_universe = 1,
    .universe = {.nonzero_upper = 0.5,
                 .positive_upper = 0.25,
                 .threshold = 21,
                 .formula_upper = 21.5},
};
static const sc_terminal wide = {.columns = 400};

static const char *written(const scrim_sizes_report *report, sc_format format)
{
    static sc_output output;
    sc_output_init(&output, -1);
    scrim_error error;
    CHECK_STATUS(sc_sizes_write(&output, report, 12345, format, &wide, &error), SCRIM_OK);
    output.bytes[output.used] = '\0';
    return output.bytes;
}

TEST(sizes_are_rows)
{
    CHECK_STR(written(&example, SCRIM_FORMAT_CSV),
              "mechanism,half,likely,certain,threshold,delta,new_groups,noise,added\n"
              "partition-selection,8,9,14,,0.001,,,\n"
              "threshold-laplace,7,10,,7,0.000625,0.0005,0.00025,0.00075\n"
              "threshold-gaussian,,,,,,,,\n"
              "\"any, at least\",5,6,7,,,,,\n"
              "public keys,,,,21,,,,\n");
}

TEST(sizes_are_an_object)
{
    CHECK_STR(
        written(&example, SCRIM_FORMAT_JSON),
        "{\"measurement\": \"partition-selection epsilon=1 delta=0.001 "
        "neighbours=add-remove\", \"cost\": {\"neighbours\": \"add-remove\", "
        "\"epsilon\": \"1\", \"delta\": \"0.001\"}, \"confidence\": \"0.9\", \"rows\": "
        "[{\"mechanism\": \"partition-selection\", \"half\": 8, \"likely\": 9, "
        "\"certain\": 14, \"threshold\": null, \"delta\": 0.001, \"new_groups\": null, "
        "\"noise\": null, \"added\": null}, {\"mechanism\": \"threshold-laplace\", "
        "\"half\": 7, \"likely\": 10, \"certain\": null, \"threshold\": 7, \"delta\": "
        "0.000625, \"new_groups\": 0.0005, \"noise\": 0.00025, \"added\": 0.00075}, "
        "{\"mechanism\": \"threshold-gaussian\", \"half\": null, \"likely\": null, "
        "\"certain\": null, \"threshold\": null, \"delta\": null, \"new_groups\": null, "
        "\"noise\": null, \"added\": null}], \"least\": {\"half\": 5, \"likely\": 6, "
        "\"certain\": 7}, \"universe\": {\"keys\": \"12345\", \"nonzero\": 0.5, "
        "\"positive\": 0.25, \"threshold\": 21, \"formula\": 21.5}}\n");
    scrim_sizes_report secret = example;
    secret.has_universe = 0;
    CHECK(strstr(written(&secret, SCRIM_FORMAT_JSONL), "\"universe\": null}") != NULL);
    CHECK(strstr(written(&secret, SCRIM_FORMAT_CSV), "public") == NULL);
}

TEST(sizes_are_told_in_words)
{
    const char *table = written(&example, SCRIM_FORMAT_TABLE);
    CHECK(strstr(table, "| threshold-laplace   | 7    | 10  |        | 0.000625 |") !=
          NULL);
    CHECK(strstr(table, "makes 25 % of those that are empty") != NULL);
    CHECK(strstr(table, "none of them reaches 21 with probability") != NULL);
    CHECK(strstr(table, "threshold-laplace needs 7") != NULL);
    CHECK(strstr(table, "partition-selection publishes a key of 8 units half") != NULL);
    scrim_sizes_report alone = example;
    alone.count = 1;
    alone.has_universe = 0;
    table = written(&alone, SCRIM_FORMAT_TABLE);
    CHECK(strstr(table, "threshold-laplace") == NULL && strstr(table, "public") == NULL);
}
