#include "audit/broken_float.h"
#include "check.h"
#include "cli/account/sampled_audit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *written(const scrim_measurement *m, const scrim_audit_sample *sample,
                           sc_format format)
{
    static sc_output output;
    sc_output_init(&output, -1);
    scrim_error error;
    CHECK_STATUS(sc_sample_write(&output, m, sample, format, &error), SCRIM_OK);
    output.bytes[output.used] = '\0';
    return output.bytes;
}

/* What the program would end with, standard output thrown away. */
static int status_of(const scrim_measurement *m, const char *message)
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
    scrim_measurement *broken = NULL, *sound = NULL;
    REQUIRE_OK(sc_measurement_new(&broken_float_laplace,
                                  sc_text_of("epsilon=1 neighbours=add-remove"),
                                  SC_PURPOSE_DATA, &broken, NULL));
    REQUIRE_OK(scrim_measurement_parse(
        "laplace sensitivity=1 epsilon=1 neighbours=add-remove", &sound, NULL));
    CHECK_INT(status_of(broken, "more than the claimed 0, with a confidence of "
                                "0.999999999, on x: 0 | y: 1"),
              7);
    CHECK_INT(status_of(sound, NULL), 0);
    scrim_measurement_free(sound);
    scrim_measurement_free(broken);
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
    CHECK_STR(written(m, &found, SCRIM_FORMAT_CSV),
              "quantity,at,lower,upper,claimed,verdict,pair\n"
              "sampled,1,0.25,,0.125,violated,x: 0 | y: 1\n");
    CHECK_STR(
        written(m, &found, SCRIM_FORMAT_JSONL),
        "{\"quantity\": \"sampled\", \"at\": \"1\", \"lower\": 0.25, \"upper\": "
        "null, \"claimed\": 0.125, \"verdict\": \"violated\", \"pair\": \"x: 0 | y: "
        "1\"}\n");
    const char *json = written(m, &found, SCRIM_FORMAT_JSON);
    CHECK(strstr(json, "\"verdict\": \"violated\", \"cost\": {") != NULL);
    CHECK(strstr(json, "\"pairs\": 3, \"draws\": 1000, \"confidence\": \"0.99\", "
                       "\"event\": \"outputs beyond a bound\"") != NULL);
    CHECK_STR(
        written(m, &found, SCRIM_FORMAT_TABLE),
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
