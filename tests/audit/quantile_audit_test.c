/* Quantiles under the exact audit: every small table against each of its neighbours. */
#include "check.h"
#include "scrim/audit.h"

typedef struct audited {
    const char *line;
    double epsilon;
    double least; /* of epsilon that the worst pair is known to lose at least */
} audited;

static void check_audit(const audited *a)
{
    scrim_measurement *m = NULL;
    scrim_audit_report *report = NULL;
    scrim_audit_loss loss;
    scrim_error error = {.message = ""};
    scrim_audit_options options = {.size = sizeof options, .points = 9};
    if (!CHECK_STATUS(scrim_measurement_parse_model(a->line, &m, &error), SCRIM_OK) ||
        !CHECK_STATUS(scrim_audit(m, &options, &report, &error), SCRIM_OK)) {
        CHECK_FAIL("%s: %s", a->line, error.message);
        goto done;
    }
    if (!CHECK_INT(scrim_audit_report_verdict(report), SCRIM_AUDIT_HOLDS))
        CHECK_FAIL("%s: %s", a->line, scrim_audit_report_summary(report));
    scrim_audit_report_loss(report, &loss);
    CHECK(loss.loss_upper <= a->epsilon);
    if (!CHECK(loss.loss_lower >= a->least * a->epsilon))
        CHECK_FAIL("%s: %s", a->line, scrim_audit_report_summary(report));
    CHECK(loss.unlisted_upper == 0); /* the law is finite, and all of it was seen */
done:
    scrim_audit_report_free(report);
    scrim_measurement_free(m);
}

SLOW_TEST(audit_of_one_quantile_holds)
{
    CLAIM("quantile.privacy");
    static const audited cases[] = {
        {"quantile p=3/4 epsilon=1/2 lower=0 upper=7 neighbours=replace records=2", 0.5,
         0.84},
        {"quantile p=1/2 epsilon=2 lower=0 upper=5 records=3", 2, 0.6},
        {"quantile p=9/10 epsilon=1 lower=-3 upper=2 grid=1 records=3", 1, 0.4},
        {"quantile p=1/3 epsilon=1/10 lower=0 upper=4 records=3", 0.1, 0.5},
        {"quantile p=1/2 epsilon=1 lower=0 upper=3 max-rows=2 records=3", 1, 0.3},
        {"quantile p=2/3 epsilon=1 lower=0 upper=3 max-rows=2 neighbours=replace "
         "records=3",
         1, 0.3},
        {"quantile p=1/2 epsilon=1 lower=0 upper=10000 records=1", 1, 0.1},
        /* with as many rows and points as the specification has */
        {"quantile p=3/4 epsilon=2 lower=0 upper=7 neighbours=replace records=5", 2,
         0.77},
        {"quantile p=1/2 epsilon=1/2 lower=0 upper=7 records=5", 0.5, 0.86}};
    for (size_t i = 0; i < check_count(7, 9); i++)
        check_audit(&cases[i]);
}

TEST(audit_of_several_quantiles_holds)
{
    CLAIM("quantile.privacy");
    static const audited cases[] = {
        {"quantile p=1/3,2/3 epsilon=1 lower=0 upper=3 form=split records=2", 1, 0.3},
        {"quantile p=1/4,3/4 epsilon=1 lower=0 upper=3 form=split neighbours=replace "
         "records=2",
         1, 0.3},
        {"quantile p=1/3,2/3 epsilon=4 lower=0 upper=1 form=recursive records=2", 4,
         0.15},
        {"quantile p=1/4,1/2,3/4 epsilon=8 lower=0 upper=1 form=recursive records=2", 8,
         0.1},
        {"quantile p=1/3,2/3 epsilon=4 lower=0 upper=1 form=recursive "
         "neighbours=replace records=2",
         4, 0.1},
        {"quantile p=1/4,1/2,3/4 epsilon=4 lower=0 upper=3 form=recursive records=3", 4,
         0.3}};
    for (size_t i = 0; i < check_count(5, 6); i++)
        check_audit(&cases[i]);
}
