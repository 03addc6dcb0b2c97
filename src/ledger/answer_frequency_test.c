#include "check.h"
#include "ledger/answer.h"

#include <stdio.h>
#include <string.h>

/* An answer of `all` people, of whom `count` said value and the others 0. */
static scrim_answer *answers(const scrim_measurement *m, size_t all, size_t count,
                             sc_int128 value)
{
    sc_int128 values[16] = {0};
    sc_mark marks[16];
    sc_draw draw = {.values = values, .marks = marks, .capacity = 16, .count = all};
    scrim_answer *answer = NULL;
    for (size_t i = 0; i < all; i++)
        marks[i] = SC_MARK_VALUE;
    for (size_t i = 0; i < count; i++)
        values[i] = value;
    CHECK_STATUS(sc_answer_new(m, &draw, 1, &answer, NULL), SCRIM_OK);
    return answer;
}

static scrim_certificate certificate_of(scrim_certificate_form form, const char *radius)
{
    scrim_certificate certificate = {.form = form, .excludes = ""};
    snprintf(certificate.radius, sizeof certificate.radius, "%s", radius);
    return certificate;
}

/* (c/n - (1-p)/(k-1)) (k-1)/(kp-1), by hand. */
TEST(frequency_is_estimated_without_bias)
{
    CLAIM("randomised-response.estimate");
    static const struct {
        const char *line;
        size_t all, count;
        uint64_t value;
        const char *radius, *estimate, *low, *high;
    } cases[] = {
        {"keep=3/4", 10, 6, 1, "0.1", "0.7", "0.6", "0.8"},
        {"keep=3/4", 10, 6, 0, "0.1", "0.3", "0.2", "0.4"},
        /* 2/7: to the nearest, down and up */
        {"keep=2/3", 7, 3, 1, "0.1", "0.285714", "0.185714", "0.385715"},
        /* 6/7 */
        {"keep=2/3", 7, 3, 0, "0.1", "0.714286", "0.614285", "0.814286"},
        /* outside of [0, 1]: the interval is around the end */
        {"keep=3/4", 10, 0, 1, "0.1", "-0.5", "0", "0.1"},
        {"keep=3/4", 10, 0, 0, "0.25", "1.5", "0.75", "1"},
        {"keep=3/4", 10, 5, 1, "1", "0.5", "0", "1"},
        /* three values: 5/10 reports of 2, p = 1/2, others 1/4 */
        {"keep=1/2 values=3", 10, 5, 2, "0.05", "1", "0.95", "1"},
        {"keep=1/2 values=3", 10, 5, 1, "0.05", "-1", "0", "0.05"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[96];
        scrim_measurement *m = NULL;
        scrim_frequency found;
        snprintf(line, sizeof line, "randomised-response neighbours=local %s",
                 cases[i].line);
        REQUIRE_OK(scrim_measurement_parse(line, &m, NULL));
        const sc_int128 said = strstr(cases[i].line, "values=3") != NULL ? 2 : 1;
        scrim_answer *answer = answers(m, cases[i].all, cases[i].count, said);
        const scrim_certificate certificate =
            certificate_of(SCRIM_CERTIFICATE_FREQUENCY, cases[i].radius);
        REQUIRE(answer != NULL);
        CHECK_STATUS(
            scrim_answer_frequency(answer, m, cases[i].value, &certificate, &found, NULL),
            SCRIM_OK);
        CHECK_STR(found.estimate, cases[i].estimate);
        CHECK_STR(found.low, cases[i].low);
        CHECK_STR(found.high, cases[i].high);
        scrim_answer_free(answer);
        scrim_measurement_free(m);
    }
}

TEST(frequency_is_refused_where_there_is_none)
{
    scrim_measurement *m = NULL, *count = NULL;
    scrim_frequency found = {.estimate = "untouched"};
    scrim_error error;
    REQUIRE_OK(scrim_measurement_parse(
        "randomised-response epsilon=1 values=5 neighbours=replace", &m, NULL));
    REQUIRE_OK(scrim_measurement_parse(
        "laplace sensitivity=1 epsilon=1 neighbours=replace", &count, NULL));
    CHECK_INT((int64_t)scrim_measurement_values(m), 5);
    CHECK_INT((int64_t)scrim_measurement_values(count), 0);
    scrim_answer *answer = answers(m, 3, 1, 4), *none = answers(m, 0, 0, 0);
    REQUIRE(answer != NULL && none != NULL);
    const scrim_certificate good = certificate_of(SCRIM_CERTIFICATE_FREQUENCY, "0.5"),
                            other = certificate_of(SCRIM_CERTIFICATE_INTERVAL, "0.5");
    CHECK_STATUS(scrim_answer_frequency(answer, m, 5, &good, &found, &error),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_answer_frequency(answer, m, 4, &other, &found, &error),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_answer_frequency(none, m, 4, &good, &found, &error),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_answer_frequency(answer, count, 0, &good, &found, &error),
                 SCRIM_E_PARAM);
    CHECK_STR(found.estimate, "untouched");
    CHECK_STATUS(scrim_answer_frequency(answer, m, 4, &good, &found, &error), SCRIM_OK);
    scrim_answer_free(none);
    scrim_answer_free(answer);
    scrim_measurement_free(count);
    scrim_measurement_free(m);
}
