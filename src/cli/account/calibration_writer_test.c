#include "check.h"
#include "cli/account/calibration_writer.h"

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
