#include "check.h"
#include "cli/mechanism/calibration_writer.h"

#include <string.h>

static const scrim_calibration example = {
    .text = "gaussian sensitivity=1 sigma=7/3 neighbours=add-remove",
    .parameter = "sigma",
    .value = "7/3",
    .next = "2.33333",
    .count = 3,
    .values = 1,
    .alone = {SCRIM_ADD_REMOVE, "", "", "0.1"},
    .joint = {SCRIM_ADD_REMOVE, "1.5", "0.000001", "0.3"},
    .epsilon_lower = 1.25,
    .delta_upper = 1e-7,
    .source = "renyi",
    .certificate = {.form = SCRIM_CERTIFICATE_INTERVAL,
                    .confidence = "0.95",
                    .radius = "5",
                    .excludes = "nothing"},
    .input = "numbers",
};
static const sc_terminal narrow = {.columns = 60};

static const char *buffered(sc_output *output)
{
    output->bytes[output->used] = '\0';
    return output->bytes;
}

static const char *written(const scrim_calibration *found, sc_format format)
{
    static sc_output output;
    sc_output_init(&output, -1);
    sc_calibration_write(&output, found, format, &narrow);
    return buffered(&output);
}

TEST(calibration_is_a_row)
{
    const char *csv = written(&example, SCRIM_FORMAT_CSV);
    CHECK(strstr(csv,
                 "\ngaussian sensitivity=1 sigma=7/3 neighbours=add-remove,sigma,7/3,"
                 "2.33333,3,,,0.1,1.5,0.000001,0.3,1.25,1e-07,renyi,0.95,5,\n") != NULL);
}

TEST(calibration_is_an_object)
{
    const char *json = written(&example, SCRIM_FORMAT_JSON);
    CHECK(strstr(json, "\"exact\": false, \"count\": 3, \"each\": {\"neighbours\": "
                       "\"add-remove\", \"rho\": \"0.1\"}") != NULL);
    CHECK(strstr(json, "\"lower\": 1.25, \"delta\": 1e-07, \"accountant\": \"renyi\"") !=
          NULL);
    scrim_calibration last = example;
    last.next[0] = '\0';
    CHECK(strstr(written(&last, SCRIM_FORMAT_JSONL), "\"next\": null") != NULL);
}

TEST(calibration_is_told_in_words)
{
    const char *table = written(&example, SCRIM_FORMAT_TABLE);
    CHECK(strstr(table, "sigma       7/3; 2.33333 was tried, too, and misses the\n"
                        "            target\n"
                        "cost        one release: rho 0.1; neighbours add-remove\n"
                        "together    3 releases cost epsilon 1.5, delta 1e-6, rho 0.3\n"
                        "proved by   the accountant renyi; epsilon is 1.25 at least\n"
                        "accuracy    each value is within 5 of the truth with\n"
                        "            probability 0.95\n") != NULL);
    CHECK(strstr(table, "in words    with sigma=7/3 3 releases cost together epsilon") !=
          NULL);
    scrim_calibration pure = example;
    pure.count = 1;
    pure.is_exact = 1;
    pure.certificate.form = SCRIM_CERTIFICATE_NONE;
    table = written(&pure, SCRIM_FORMAT_TABLE);
    CHECK(strstr(table, "2.33333 and all beyond it miss the target\n") != NULL);
    CHECK(strstr(table, "in words    with sigma=7/3 one release costs epsilon 1.5") !=
          NULL);
    CHECK(strstr(table, "together    ") == NULL);
}

static const scrim_sizes_report sizes_example = {
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

static const char *sizes_written(const scrim_sizes_report *report, sc_format format)
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
    CHECK_STR(sizes_written(&sizes_example, SCRIM_FORMAT_CSV),
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
        sizes_written(&sizes_example, SCRIM_FORMAT_JSON),
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
    scrim_sizes_report secret = sizes_example;
    secret.has_universe = 0;
    CHECK(strstr(sizes_written(&secret, SCRIM_FORMAT_JSONL), "\"universe\": null}") !=
          NULL);
    CHECK(strstr(sizes_written(&secret, SCRIM_FORMAT_CSV), "public") == NULL);
}

TEST(sizes_are_told_in_words)
{
    const char *table = sizes_written(&sizes_example, SCRIM_FORMAT_TABLE);
    CHECK(strstr(table, "| threshold-laplace   | 7    | 10  |        | 0.000625 |") !=
          NULL);
    CHECK(strstr(table, "makes 25 % of those that are empty") != NULL);
    CHECK(strstr(table, "none of them reaches 21 with probability") != NULL);
    CHECK(strstr(table, "threshold-laplace needs 7") != NULL);
    CHECK(strstr(table, "partition-selection publishes a key of 8 units half") != NULL);
    scrim_sizes_report alone = sizes_example;
    alone.count = 1;
    alone.has_universe = 0;
    table = sizes_written(&alone, SCRIM_FORMAT_TABLE);
    CHECK(strstr(table, "threshold-laplace") == NULL && strstr(table, "public") == NULL);
}
