/* Computations for whose numbers the allocator has no memory at all: each answers as it always does, or fails
 * with SCRIM_E_MEMORY, leaves nothing in the reserve, and answers afterwards. */
#include "base/number/ball.h"
#include "base/reserve.h"
#include "check.h"
#include "refusing.h"
#include "scrim.h"

#include <flint/flint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef scrim_status computation(const char *text, char answer[SCRIM_NUMBER_BYTES],
                                 scrim_error *error);

static scrim_status compose(const char *text, char answer[SCRIM_NUMBER_BYTES],
                            scrim_error *error)
{
    scrim_composition *parts = NULL;
    scrim_bounds bounds;
    scrim_status status = scrim_composition_parse(text, &parts, error);
    if (status == SCRIM_OK)
        status = scrim_composition_epsilon(
            parts, "1e-9", SCRIM_OPTIONS(scrim_composition_options, .accountant = "loss"),
            &bounds, error);
    if (status == SCRIM_OK) {
        snprintf(answer, SCRIM_NUMBER_BYTES, "%s", bounds.best.upper);
        scrim_bounds_clear(&bounds);
    }
    scrim_composition_free(parts);
    return status;
}

static scrim_status calibrate(const char *text, char answer[SCRIM_NUMBER_BYTES],
                              scrim_error *error)
{
    scrim_calibration *found = calloc(1, sizeof *found);
    if (!CHECK(found != NULL))
        return SCRIM_E_INTERNAL;
    const scrim_status status = scrim_calibrate(
        text, SCRIM_OPTIONS(scrim_calibrate_options, .epsilon = "1"), found, error);
    if (status == SCRIM_OK)
        snprintf(answer, SCRIM_NUMBER_BYTES, "%s", found->value);
    free(found);
    return status;
}

static scrim_status audit(const char *text, char answer[SCRIM_NUMBER_BYTES],
                          scrim_error *error)
{
    scrim_measurement *m = NULL;
    scrim_audit_report *report = NULL;
    scrim_status status = scrim_measurement_parse_model(text, &m, error);
    if (status == SCRIM_OK)
        status = scrim_audit(m, NULL, &report, error);
    if (status == SCRIM_OK)
        snprintf(answer, SCRIM_NUMBER_BYTES, "%s",
                 scrim_audit_verdict_name(scrim_audit_report_verdict(report)));
    scrim_audit_report_free(report);
    scrim_measurement_free(m);
    return status;
}

/* Two equal laws of 20,000 outcomes: masses of five digits, but for two, of 400 digits, that make up 1. The
 * common denominator makes all of them long. */
#define OUTCOMES 20000
static scrim_status compare_laws(const char *text, char answer[SCRIM_NUMBER_BYTES],
                                 scrim_error *error)
{
    scrim_place *places = calloc(OUTCOMES, sizeof *places);
    char(*names)[24] = calloc(OUTCOMES, sizeof *names);
    char largest[512] = "0.80001";
    scrim_laws *laws = NULL;
    if (!CHECK(places != NULL && names != NULL)) {
        free(names);
        free(places);
        return SCRIM_E_INTERNAL;
    }
    memset(largest + strlen(largest), '9', 395);
    for (size_t i = 0; i < OUTCOMES; i++) {
        snprintf(names[i], sizeof names[i], "%s%zu", text, i);
        places[i] = (scrim_place){names[i], i == 0   ? largest
                                            : i == 1 ? "1e-400"
                                                     : "0.00001"};
    }
    const scrim_status status =
        scrim_laws_new(places, OUTCOMES, places, OUTCOMES, NULL, &laws, error);
    answer[0] = '\0';
    scrim_laws_free(laws);
    free(names);
    free(places);
    return status;
}

static scrim_status range(const char *text, char answer[SCRIM_NUMBER_BYTES],
                          scrim_error *error)
{
    return scrim_range_variance(SCRIM_OPTIONS(scrim_range_options, .bins = 2048,
                                              .branching = 2, .variance = text),
                                100, 1500, answer, error);
}

static void check_one(computation *compute, const char *text, bool is_refused)
{
    char with[SCRIM_NUMBER_BYTES] = "", without[SCRIM_NUMBER_BYTES] = "";
    scrim_error error = {.message = ""};
    flint_cleanup();
    refusing_begin();
    const scrim_status status = compute(text, without, &error);
    flint_cleanup();
    refusing_end();
    CHECK(refusing_count() > 0);
    if (is_refused)
        CHECK_STATUS(status, SCRIM_E_MEMORY);
    else
        CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY);
    CHECK(!sc_reserve_is_used());
    if (status != SCRIM_OK)
        CHECK(strstr(error.message, "out of memory") != NULL);
    CHECK_STATUS(compute(text, with, &error), SCRIM_OK);
    if (status == SCRIM_OK)
        CHECK_STR(without, with);
}

SLOW_TEST(A103_computations_fail_or_answer_without_an_allocator)
{
    CLAIM("reserve.memory");
    check_one(compose, "gaussian sigma=1", false);
    check_one(compose, "gaussian sigma=50 x1000", true);
    check_one(calibrate, "laplace", false);
    check_one(audit, "laplace scale=1", false);
    check_one(audit, "gaussian sigma=20", false);
    check_one(compare_laws, "o", true);
    check_one(range, "4", false);
    check_one(range, "1234567890123456789/9876543210987654321", false);
}
