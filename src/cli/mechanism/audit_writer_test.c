#include "audit/broken.h"
#include "audit/broken_float.h"
#include "check.h"
#include "cli/mechanism/audit_writer.h"
#include "cli/verb/cmd_audit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *buffered(sc_output *output)
{
    output->bytes[output->used] = '\0';
    return output->bytes;
}

static const sc_terminal wide = {.columns = 100};

static const char *written(const scrim_audit_report *report, sc_format format, bool all)
{
    static sc_output output;
    scrim_error error;
    sc_output_init(&output, -1);
    CHECK_STATUS(sc_audit_write(&output, report, format, all, &wide, &error), SCRIM_OK);
    return buffered(&output);
}

static size_t count_of(const char *text, const char *word)
{
    size_t count = 0;
    for (; (text = strstr(text, word)) != NULL; text += strlen(word))
        count++;
    return count;
}

static scrim_audit_report *audit_of(const scrim_measurement *measurement, size_t points)
{
    scrim_audit_report *report = NULL;
    CHECK_STATUS(scrim_audit(measurement,
                             SCRIM_OPTIONS(scrim_audit_options, .points = points),
                             &report, NULL),
                 SCRIM_OK);
    return report;
}

TEST(audit_that_holds_is_told)
{
    scrim_measurement *m = NULL;
    REQUIRE_OK(scrim_measurement_parse_model("laplace epsilon=1", &m, NULL));
    scrim_audit_report *report = audit_of(m, 3);
    REQUIRE(report != NULL);
    CHECK_INT((sc_int128)sc_audit_row_count(report),
              (sc_int128)(3 + 1 + 1 + scrim_audit_report_orders(report)));
    const char *csv = written(report, SCRIM_FORMAT_CSV, false);
    CHECK(strstr(csv, "quantity,at,lower,upper,claimed,verdict,pair\n"
                      "delta,0,0.462117157260009") == csv);
    CHECK(strstr(csv, "\ndelta,0.625,0.228609855369435") != NULL);
    CHECK(strstr(csv, "\ncharged,1,0,") != NULL);
    CHECK(strstr(csv, "\nloss,,") != NULL);
    CHECK(strstr(csv, "\nrenyi,2,0.735325664055519") != NULL);
    const char *table = written(report, SCRIM_FORMAT_TABLE, false);
    CHECK(strstr(table, "audited     laplace sensitivity=1 epsilon=1 "
                        "neighbours=add-remove\n"
                        "claim       epsilon 1, delta 0, rho 0.5; neighbours add-remove\n"
                        "checked     ") == table);
    CHECK(strstr(table, "\nworst pair  x: 0 | y: 1\n") != NULL);
    CHECK(strstr(table,
                 "| delta       | 0     | 0.46211  | 0.46212    | 0.46212 | holds ") !=
          NULL);
    CHECK(strstr(table, "\nverdict     the claim holds and is tight: ") != NULL);
    CHECK(strstr(table, "undecided") == NULL);
    CHECK(strstr(written(report, SCRIM_FORMAT_JSON, false),
                 "\"verdict\": \"holds\", \"summary\": ") != NULL);
    CHECK_INT((sc_int128)count_of(written(report, SCRIM_FORMAT_JSONL, false), "\n"),
              (sc_int128)sc_audit_row_count(report));
    scrim_audit_report_free(report);
    scrim_measurement_free(m);
}

/* A table leaves points out, but no point that matters. */
TEST(audit_table_is_short)
{
    scrim_measurement *m = NULL;
    REQUIRE_OK(scrim_measurement_parse_model("laplace epsilon=1", &m, NULL));
    scrim_audit_report *report = audit_of(m, 41);
    REQUIRE(report != NULL);
    CHECK_INT((sc_int128)count_of(written(report, SCRIM_FORMAT_TABLE, true), "| delta  "),
              41);
    const char *table = written(report, SCRIM_FORMAT_TABLE, false);
    CHECK_INT((sc_int128)count_of(table, "| delta  "), 9);
    CHECK(strstr(table, "| delta       | 0  ") != NULL);
    CHECK(strstr(table, "| delta       | 1.25  ") != NULL);
    CHECK_INT((sc_int128)count_of(written(report, SCRIM_FORMAT_CSV, false), "\ndelta,"),
              41);
    scrim_audit_report_free(report);
    scrim_measurement_free(m);
}

static scrim_measurement *measurement_of(const broken *variant)
{
    scrim_measurement *m = NULL;
    CHECK_STATUS(sc_measurement_new(variant->mechanism, sc_text_of(variant->line),
                                    SC_PURPOSE_MODEL, &m, NULL),
                 SCRIM_OK);
    return m;
}

/* The status that the program would end with, standard output thrown away. */
static int status_of(const scrim_measurement *m, const char *message)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        sc_options options;
        scrim_error error = {.status = SCRIM_OK};
        memset(&options, 0, sizeof options);
        options.value[SCRIM_OPTION_QUIET] = "";
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        scrim_status status = sc_audit_measurement(m, &options, &error);
        if (message != NULL && strstr(error.message, message) == NULL)
            status = 0;
        _exit((int)status / 10);
    }
    int status = 0;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

TEST(audit_that_fails_ends_with_7)
{
    size_t count = 0;
    for (const broken *variant = broken_first(); variant != NULL && count < 4;
         variant = variant->next, count++) {
        scrim_measurement *m = measurement_of(variant);
        REQUIRE(m != NULL);
        scrim_audit_report *report = audit_of(m, 5);
        if (report == NULL) {
            scrim_measurement_free(m);
            return;
        }
        const char *table = written(report, SCRIM_FORMAT_TABLE, false);
        CHECK(strstr(table, "\nverdict     the claim is VIOLATED: ") != NULL);
        CHECK(strstr(table, "| violated") != NULL);
        CHECK(strstr(written(report, SCRIM_FORMAT_JSON, false),
                     "\"verdict\": \"violated\"") != NULL);
        CHECK(strstr(written(report, SCRIM_FORMAT_CSV, false), ",violated,") != NULL);
        CHECK_INT(status_of(m, "more than the claimed"), 7);
        scrim_audit_report_free(report);
        scrim_measurement_free(m);
    }
    CHECK(count > 0);
    scrim_measurement *sound = NULL;
    REQUIRE_OK(scrim_measurement_parse_model("laplace epsilon=1", &sound, NULL));
    CHECK_INT(status_of(sound, NULL), 0);
    scrim_measurement_free(sound);
}

static const char *sampled_written(const scrim_measurement *m,
                                   const scrim_audit_sample *sample, sc_format format)
{
    static sc_output output;
    sc_output_init(&output, -1);
    scrim_error error;
    CHECK_STATUS(sc_sample_write(&output, m, sample, format, &error), SCRIM_OK);
    output.bytes[output.used] = '\0';
    return output.bytes;
}

/* The status that the program would end with, standard output thrown away. */
static int sampled_status_of(const scrim_measurement *m, const char *message)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        sc_options options;
        scrim_error error = {.status = SCRIM_OK};
        memset(&options, 0, sizeof options);
        options.value[SCRIM_OPTION_QUIET] = "";
        options.value[SCRIM_OPTION_SAMPLE] = "2000";
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        scrim_status status = sc_sampled_audit(m, &options, &error);
        if (message != NULL && strstr(error.message, message) == NULL)
            status = 0;
        _exit((int)status / 10);
    }
    int status = 0;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Laplace noise in doubles gives itself away; that on integers does not. */
SLOW_TEST(sampled_audit_that_fails_ends_with_7)
{
    CLAIM("audit.sampling");
    scrim_measurement *broken_one = NULL, *sound = NULL;
    REQUIRE_OK(sc_measurement_new(&broken_float_laplace,
                                  sc_text_of("epsilon=1 neighbours=add-remove"),
                                  SC_PURPOSE_DATA, &broken_one, NULL));
    REQUIRE_OK(scrim_measurement_parse(
        "laplace sensitivity=1 epsilon=1 neighbours=add-remove", &sound, NULL));
    CHECK_INT(sampled_status_of(broken_one,
                                "more than the claimed 0, with a confidence of "
                                "0.999999999, on x: 0 | y: 1"),
              7);
    CHECK_INT(sampled_status_of(sound, NULL), 0);
    scrim_measurement_free(sound);
    scrim_measurement_free(broken_one);
}

TEST(sampled_audit_is_told_in_every_format)
{
    scrim_measurement *m = NULL;
    const scrim_audit_sample found = {.epsilon = "1",
                                      .delta_lower = 0.25,
                                      .claimed_upper = 0.125,
                                      .confidence = "0.99",
                                      .pairs = 3,
                                      .draws = 1000,
                                      .event = "outputs beyond a bound",
                                      .pair = "x: 0 | y: 1",
                                      .verdict = SCRIM_AUDIT_VIOLATED};
    REQUIRE_OK(scrim_measurement_parse(
        "laplace sensitivity=1 epsilon=1 neighbours=add-remove", &m, NULL));
    CHECK_STR(sampled_written(m, &found, SCRIM_FORMAT_CSV),
              "quantity,at,lower,upper,claimed,verdict,pair\n"
              "sampled,1,0.25,,0.125,violated,x: 0 | y: 1\n");
    CHECK_STR(
        sampled_written(m, &found, SCRIM_FORMAT_JSONL),
        "{\"quantity\": \"sampled\", \"at\": \"1\", \"lower\": 0.25, \"upper\": "
        "null, \"claimed\": 0.125, \"verdict\": \"violated\", \"pair\": \"x: 0 | y: "
        "1\"}\n");
    const char *json = sampled_written(m, &found, SCRIM_FORMAT_JSON);
    CHECK(strstr(json, "\"verdict\": \"violated\", \"cost\": {") != NULL);
    CHECK(strstr(json, "\"pairs\": 3, \"draws\": 1000, \"confidence\": \"0.99\", "
                       "\"event\": \"outputs beyond a bound\"") != NULL);
    CHECK_STR(
        sampled_written(m, &found, SCRIM_FORMAT_TABLE),
        "audited     laplace sensitivity=1 epsilon=1 neighbours=add-remove\n"
        "claim       epsilon 1, delta 0, rho 0.5; neighbours add-remove\n"
        "drawn       1000 answers on each input of 3 pairs of neighbours\n"
        "worst pair  x: 0 | y: 1\n"
        "event       outputs beyond a bound\n"
        "found       delta at epsilon 1 is at least 0.25, with a confidence of 0.99\n"
        "claimed     0.125\n"
        "verdict     the claim is VIOLATED\n");
    scrim_measurement_free(m);
}
