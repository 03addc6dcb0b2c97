/* The whole sparse vector family under the exact audit: no claim is exceeded, and those that are
 * known to be tight are attained. */
#include "check.h"
#include "scrim.h"

#include <stdio.h>

/* Audits a line; tight says that its claim must be attained to within a hundredth. */
static void check_line(const char *line, bool is_tight)
{
    scrim_measurement *m = NULL;
    scrim_audit_report *r = NULL;
    scrim_error error = {.status = SCRIM_OK};
    if (scrim_measurement_parse_model(line, &m, &error) != SCRIM_OK ||
        scrim_audit(m, SCRIM_OPTIONS(scrim_audit_options, .points = 11), &r, &error) !=
            SCRIM_OK ||
        scrim_audit_check(r, &error) != SCRIM_OK)
        CHECK_FAIL("%s: %s", line, error.message);
    else if (is_tight && !scrim_audit_report_is_tight(r))
        CHECK_FAIL("%s: not attained: %s", line, scrim_audit_report_summary(r));
    else
        CHECK(scrim_audit_report_pairs(r) > 5);
    scrim_audit_report_free(r);
    scrim_measurement_free(m);
}

SLOW_TEST(audit_of_above_threshold_holds_and_is_tight)
{
    CLAIM("above-threshold.privacy");
    static const char *const lines[] = {
        "above-threshold epsilon=1",
        "above-threshold epsilon=1 monotone=yes",
        "above-threshold epsilon=1/2 threshold=-3 queries=2",
        "above-threshold epsilon=3 sensitivity=2 queries=4",
        "above-threshold epsilon=2 sensitivity=3/2 monotone=yes neighbours=add-remove",
        "above-threshold epsilon=5 queries=1"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i += check_every(3))
        check_line(lines[i], true);
}

SLOW_TEST(audit_of_sparse_vector_holds_and_is_tight)
{
    CLAIM("sparse-vector.privacy");
    static const char *const tight[] = {
        "sparse-vector epsilon=1 count=1",
        "sparse-vector epsilon=2 count=2",
        "sparse-vector epsilon=2 count=2 monotone=yes",
        "sparse-vector epsilon=2 count=2 numeric=yes",
        "sparse-vector epsilon=2 count=1 form=b",
        "sparse-vector epsilon=3 count=1 form=b numeric=yes"};
    static const char *const loose[] = {
        /* what one threshold pays for is paid again for each: no pair attains it */
        "sparse-vector epsilon=2 count=2 form=b",
        "sparse-vector epsilon=2 count=2 form=b monotone=yes",
        "sparse-vector epsilon=2 count=3 form=b delta=0.01",
        "sparse-vector epsilon=2 count=2 form=b delta=0.01 numeric=yes"};
    for (size_t i = 0; i < sizeof tight / sizeof *tight; i += check_every(3))
        check_line(tight[i], true);
    for (size_t i = 0; i < sizeof loose / sizeof *loose; i += check_every(3))
        check_line(loose[i], false);
}

/* Full runs: as many answers with values as a distribution is listed for. */
SLOW_TEST(audit_of_numeric_sparse_vector_holds_for_eight_answers)
{
    CLAIM("sparse-vector.privacy");
    static const char *const lines[] = {
        "sparse-vector epsilon=2 count=8 numeric=yes",
        "sparse-vector epsilon=2 count=8 numeric=yes monotone=yes",
        "sparse-vector epsilon=2 count=8 numeric=yes form=b",
        "sparse-vector epsilon=4 count=5 sensitivity=2 numeric=yes"};
    for (size_t i = check_is_long() ? 0 : 3; i < COUNT(lines); i++) {
        scrim_measurement *m = NULL;
        scrim_audit_report *r = NULL;
        scrim_error error = {.status = SCRIM_OK};
        if (scrim_measurement_parse_model(lines[i], &m, &error) != SCRIM_OK ||
            scrim_audit(m, SCRIM_OPTIONS(scrim_audit_options, .points = 3), &r, &error) !=
                SCRIM_OK ||
            scrim_audit_check(r, &error) != SCRIM_OK)
            CHECK_FAIL("%s: %s", lines[i], error.message);
        else
            CHECK(scrim_audit_report_pairs(r) >= 4);
        scrim_audit_report_free(r);
        scrim_measurement_free(m);
    }
}

SLOW_TEST(audit_of_generalised_sparse_vector_holds)
{
    CLAIM("generalised-sparse-vector.privacy");
    CLAIM("sparse-renyi.bounds");
    CLAIM("sparse-cost.upper");
    static const char *const lines[] = {
        "generalised-sparse-vector threshold-variance=4 query-variance=16 length=4",
        "generalised-sparse-vector threshold-variance=1 query-variance=4 length=8 "
        "count=2 "
        "delta=0.001",
        "generalised-sparse-vector threshold-scale=2 query-variance=9 length=40",
        "generalised-sparse-vector threshold-variance=4 query-scale=3 delta=1e-6",
        "generalised-sparse-vector threshold-variance=4 query-scale=3 count=2",
        "generalised-sparse-vector threshold-variance=4 query-variance=16 "
        "nonnegative=yes threshold=2",
        "generalised-sparse-vector threshold-variance=4 query-variance=40 count=2 "
        "nonnegative=yes",
        "generalised-sparse-vector threshold-variance=4 query-variance=9 count=2 "
        "resample=yes length=6"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i += check_every(3))
        check_line(lines[i], false);
    check_line("generalised-sparse-vector threshold-scale=1 query-scale=1", true);
    check_line("generalised-sparse-vector threshold-scale=2 query-scale=3 count=2", true);
}

SLOW_TEST(audit_of_stagewise_sparse_vector_holds)
{
    CLAIM("stagewise-sparse-vector.privacy");
    CLAIM("sparse-cost.upper");
    static const char *const lines[] = {
        "stagewise-sparse-vector threshold-variance=4 query-variance=16 count=3 stage=2 "
        "stage-length=3 delta=0.0001",
        "stagewise-sparse-vector threshold-scale=2 query-scale=4 count=2 stage=1 "
        "queries=4",
        "stagewise-sparse-vector threshold-variance=4 query-variance=9 count=4 stage=2 "
        "stage-length=2 resample=yes queries=4",
        "stagewise-sparse-vector threshold-variance=2 query-variance=16 count=2 stage=1 "
        "nonnegative=yes delta=1e-3"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i += check_every(3))
        check_line(lines[i], false);
}

/* Many more, over a grid of parameters: all of them with --long, some otherwise. */
SLOW_TEST(audit_of_many_sparse_vectors_holds)
{
    static const char *const epsilons[] = {"1/2", "1", "7/3", "4"};
    static const char *const variances[] = {"1", "5/2", "9"};
    const uint64_t most = check_count(12, 1000);
    char line[200];
    uint64_t done = 0;
    for (int i = 0; i < 4 * 3 * 2 * 2 * 2 && done < most;
         i += check_is_long() ? 1 : 29 * (int)check_every(3)) {
        (void)snprintf(
            line, sizeof line, "sparse-vector epsilon=%s count=%d form=%s%s%s queries=3",
            epsilons[i % 4], 1 + i / 4 % 3, i & 16 ? "b" : "a",
            i & 32 ? " monotone=yes" : "", i & 64 && i / 4 % 3 < 2 ? " numeric=yes" : "");
        check_line(line, false);
        done++;
    }
    for (int i = 0; i < 3 * 3 * 4 * 2 && done < most;
         i += check_is_long() ? 1 : 25 * (int)check_every(3)) {
        (void)snprintf(
            line, sizeof line,
            "generalised-sparse-vector threshold-variance=%s query-variance=%s "
            "count=%d length=%d resample=%s",
            variances[i % 3], variances[i / 3 % 3], 1 + i / 9 % 2, 3 + 4 * (i / 18 % 2),
            i / 36 % 2 ? "yes" : "no");
        check_line(line, false);
        done++;
    }
    CHECK(done * check_every(3) >= 6);
}
