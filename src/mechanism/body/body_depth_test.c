#include "base/number/ball_double.h"
#include "check.h"
#include "exact.h"
#include "mechanism/body/body_depth.h"
#include "model/measurement.h"
#include "random/bits_tape.h"
#include "scrim.h"

static scrim_measurement *made(const char *line)
{
    scrim_measurement *m = NULL;
    scrim_error error = {.message = ""};
    if (!CHECK_STATUS(scrim_measurement_parse_model(line, &m, &error), SCRIM_OK))
        CHECK_FAIL("%s: %s", line, error.message);
    return m;
}

SLOW_TEST(audit_of_depths_holds)
{
    CLAIM("body-depth.privacy");
    static const char *const lines[] = {
        "body-depth epsilon=1 centre=2 lower=0 upper=4 records=3",
        ("body-depth epsilon=1 centre=1,1 dimensions=2 lower=0 upper=2 "
         "neighbours=replace "
         "records=2"),
        "body-depth epsilon=2 centre=1 lower=0 upper=3 max-rows=2 records=3",
        "body-depth epsilon=1 centre=1/2 lower=0 upper=1 grid=1/4 records=3"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        scrim_measurement *m = made(lines[i]);
        scrim_audit_report *report = NULL;
        scrim_audit_options options = {.size = sizeof options, .points = 3};
        if (m != NULL && CHECK_STATUS(scrim_audit(m, &options, &report, NULL), SCRIM_OK))
            if (!CHECK_INT(scrim_audit_report_verdict(report), SCRIM_AUDIT_HOLDS))
                CHECK_FAIL("%s: %s", lines[i], scrim_audit_report_summary(report));
        scrim_audit_report_free(report);
        scrim_measurement_free(m);
    }
}

/* {(1,1),(1,3),(3,1),(3,3),(2,2)} has depth 3 at (2,2), of 8 directions. */
TEST(depths_are_near_the_truth)
{
    CLAIM("body-depth.accuracy");
    static const int64_t rows[] = {1, 1, 1, 3, 3, 1, 3, 3, 2, 2};
    scrim_measurement *m = made("body-depth epsilon=1000 centre=2,2 dimensions=2 lower=0 "
                                "upper=4 directions=pairs");
    sc_tape *tape = NULL;
    sc_certificate certificate;
    sc_ratio beta;
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(3, &tape, NULL));
    const sc_private_input input = {.values = rows, .count = COUNT(rows)};
    sc_int128 value = 0;
    sc_mark mark;
    sc_draw out = {.values = &value, .marks = &mark, .capacity = 1};
    REQUIRE_OK(m->mechanism->draw(m, sc_tape_bits_of(tape), &input, &out, NULL));
    CHECK_INT(value, 3);
    exact_ratio("1/20", &beta);
    sc_certificate_init(&certificate);
    REQUIRE_OK(m->mechanism->certify(m, &beta, 10, &certificate, NULL));
    CHECK(sc_ball_near(&certificate.radius) == 0);
    sc_certificate_clear(&certificate);
    scrim_measurement_free(m);
    m = made(
        "body-depth epsilon=1 centre=2,2 dimensions=2 lower=0 upper=4 directions=pairs");
    REQUIRE(m != NULL);
    sc_certificate_init(&certificate);
    REQUIRE_OK(m->mechanism->certify(m, &beta, 10, &certificate, NULL));
    const double radius = sc_ball_near(&certificate.radius);
    CHECK(radius == 3);
    size_t beyond = 0, near = 0;
    for (size_t i = 0; i < 1000; i++) {
        REQUIRE_OK(m->mechanism->draw(m, sc_tape_bits_of(tape), &input, &out, NULL));
        beyond += value > 3 + (sc_int128)radius || value < 3 - (sc_int128)radius;
        near += value >= 5 || value <= 1; /* two thirds of the radius, or more */
    }
    CHECK(beyond <= 50);
    CHECK(near > 100);
    CHECK_STATUS(
        scrim_measurement_parse("body-depth epsilon=1 centre=2 dimensions=2 lower=0 "
                                "upper=4 neighbours=replace",
                                &m, NULL),
        SCRIM_E_PARAM);
    sc_certificate_clear(&certificate);
    sc_ratio_clear(&beta);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

/* Rows on a grid of thousandths: 0.4995 is rounded to 0.5, and the depth is a whole number of rows, not of thousandths. */
TEST(depths_have_rows_on_a_grid_and_are_counts)
{
    CLAIM("body-depth.accuracy");
    static const char *const rows[] = {"0.1", "0.499", "0.4995", "0.5", "0.501", "3.9"};
    scrim_measurement *m = NULL;
    scrim_ledger *ledger = NULL;
    scrim_answer *answer = NULL;
    scrim_error error;
    REQUIRE_OK(
        scrim_measurement_parse("body-depth epsilon=1000 centre=0.5 lower=0 upper=4 "
                                "grid=1/1000 neighbours=add-remove",
                                &m, &error));
    REQUIRE_OK(
        scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options,
                                       .neighbours = SCRIM_ADD_REMOVE, .epsilon = "1000"),
                         &ledger, &error));
    REQUIRE_OK(scrim_release(
        ledger, m, &(scrim_input){.texts = rows, .count = COUNT(rows)}, &answer, &error));
    CHECK_STR(scrim_answer_text(answer, 0),
              "4"); /* 0.4995, 0.5, 0.501 and 3.9 to the right */
    scrim_answer_free(answer);
    scrim_ledger_free(ledger);
    scrim_measurement_free(m);
}
