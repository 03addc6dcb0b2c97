/* Histograms that lose elements under the exact audit: what is charged is attained at the epsilon
 * that is charged, under replace by a unit that changes both ends. */
#include "check.h"
#include "scrim.h"

typedef struct audited {
    const char *line;
    double least, most; /* of the delta that is charged */
} audited;

static void check_audits(const audited *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        scrim_measurement *m = NULL;
        scrim_audit_report *report = NULL;
        scrim_audit_point charged;
        scrim_error error = {.message = ""};
        REQUIRE_OK(scrim_measurement_parse_model(cases[i].line, &m, &error));
        REQUIRE_OK(scrim_audit(m, SCRIM_OPTIONS(scrim_audit_options, .points = 5),
                               &report, &error));
        REQUIRE_OK(scrim_audit_report_charged(report, &charged, NULL));
        if (!CHECK_INT(scrim_audit_report_verdict(report), SCRIM_AUDIT_HOLDS) ||
            !CHECK(charged.delta_lower >= cases[i].least * charged.claimed_upper) ||
            !CHECK(charged.delta_upper <= cases[i].most * charged.claimed_upper))
            CHECK_FAIL("%s: %s", cases[i].line, scrim_audit_report_summary(report));
        scrim_audit_report_free(report);
        scrim_measurement_free(m);
    }
}

#define ALL 0.9999999999, 1.0000000001

SLOW_TEST(audit_of_stlap_is_attained)
{
    CLAIM("stlap.privacy");
    static const audited cases[] = {
        {"stlap epsilon=1 q=9", ALL},
        {"stlap epsilon=1 q=27 group=5", ALL},
        {"stlap epsilon=1 q=9 neighbours=replace", ALL},
        {"stlap epsilon=1 q=9 group=3 neighbours=replace", ALL},
        {"stlap epsilon=1/4 q=80 neighbours=replace", ALL}, /* beyond the small bars */
        {"stlap epsilon=1/4 q=90 group=7 neighbours=replace", ALL},
        {"stlap epsilon=2 q=9 group=2 sampler=table neighbours=replace", ALL},
        {"stlap epsilon=1 q=24 sampler=table neighbours=replace", ALL}};
    check_audits(cases, COUNT(cases));
}

TEST(audit_of_rounded_stlap_is_attained)
{
    CLAIM("rounded-stlap.privacy");
    static const audited cases[] = {{"rounded-stlap q=1", ALL},
                                    {"rounded-stlap q=2 epsilon=1/2", ALL},
                                    {"rounded-stlap q=4", ALL},
                                    {"rounded-stlap q=25", ALL},
                                    {"rounded-stlap q=6 epsilon=3", ALL}};
    check_audits(cases, COUNT(cases));
}

TEST(audit_of_bucket_histograms_is_attained)
{
    CLAIM("bucket-histogram.privacy");
    static const audited cases[] = {
        {"bucket-histogram epsilon=1 q=9 upper=1 beta=0.1", ALL},
        {"bucket-histogram epsilon=1 q=9 upper=1 beta=0.1 group=3", ALL},
        {"bucket-histogram epsilon=1 q=9 upper=1 beta=0.1 neighbours=replace", ALL},
        {"bucket-histogram epsilon=1 q=9 upper=1 beta=0.1 group=3 neighbours=replace",
         ALL},
        {"bucket-histogram epsilon=1 q=9 upper=1 beta=1 labelled=yes neighbours=replace",
         ALL},
        {"bucket-histogram epsilon=2 q=12 upper=1 beta=1/4 dimensions=3 sampler=table "
         "neighbours=replace",
         ALL},
        {"bucket-histogram epsilon=1/2 q=63 upper=1 beta=0.1 neighbours=replace", ALL},
        /* 65 rows are more than a pair holds, and one bucket has one side. */
        {"bucket-histogram epsilon=1 q=64 upper=1 beta=0.1 neighbours=replace", 0.5, 0.6},
        {"bucket-histogram epsilon=1 q=9 upper=1 beta=1 neighbours=replace", 0.5, 0.6}};
    check_audits(cases, COUNT(cases));
}
