#include "check.h"
#include "exact.h"
#include "faults.h"
#include "mechanism/sparse/above_threshold.h"
#include "mechanism/sparse/sparse_measurement.h"
#include "mechanism_lines.h"

TEST(above_threshold_has_the_scales_of_its_algorithm)
{
    CLAIM("above-threshold.privacy");
    static const struct {
        const char *line, *threshold, *query;
    } list[] = {
        {"epsilon=1", "2", "4"},
        {"epsilon=1/2 sensitivity=3", "12", "24"},
        {"epsilon=1/2 sensitivity=5/2", "12", "24"}, /* rounded up */
        {"epsilon=0.1 sensitivity=1/100", "20", "40"},
        {"epsilon=1 monotone=yes", "2", "2"},
        {"epsilon=1 monotone=no", "2", "4"},
        {"epsilon=1 neighbours=replace", "2", "4"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        scrim_measurement *m = mechanism_model("above-threshold", list[i].line);
        if (m == NULL)
            continue;
        const sc_sparse_plan *plan = &sc_sparse_state_of(m)->plan;
        CHECK_RATIO(&plan->threshold.law.shape, list[i].threshold);
        CHECK_RATIO(&plan->query.law.shape, list[i].query);
        CHECK_INT((int)plan->count, 1);
        CHECK_INT((int)sc_sparse_stages(plan), 1);
        CHECK(!plan->is_numeric && !plan->redraws);
        CHECK(m->cost.has_epsilon && m->cost.has_rho);
        CHECK(sc_ratio_compare(&m->cost.epsilon, sc_measurement_get(m, "epsilon")) == 0);
        CHECK_INT(sc_ratio_sign(&m->cost.delta), 0);
        scrim_measurement_free(m);
    }
}

TEST(above_threshold_refuses_what_is_outside_its_domain)
{
    static const struct {
        const char *line;
        scrim_status status;
    } list[] = {
        {"", SCRIM_E_PARAM},
        {"epsilon=0", SCRIM_E_PARAM},
        {"epsilon=-1", SCRIM_E_PARAM},
        {"epsilon=1001", SCRIM_E_LIMIT},
        {"epsilon=1000", SCRIM_OK},
        {"epsilon=2^-51", SCRIM_E_LIMIT},
        {"epsilon=2^-50", SCRIM_OK},
        {"epsilon=2^-50 sensitivity=2^50", SCRIM_E_LIMIT}, /* noise wider than 2^60 */
        {"epsilon=1 sensitivity=0", SCRIM_E_PARAM},
        {"epsilon=1 sensitivity=2^50", SCRIM_OK},
        {"epsilon=1 sensitivity=2^51", SCRIM_E_LIMIT},
        {"epsilon=1 threshold=1/2", SCRIM_E_PARAM},
        {"epsilon=1 threshold=2^62", SCRIM_OK},
        {"epsilon=1 threshold=-2^62", SCRIM_OK},
        {"epsilon=1 threshold=4611686018427387905", SCRIM_E_LIMIT},
        {"epsilon=1 monotone=maybe", SCRIM_E_PARAM},
        {"epsilon=1 monotone=yes neighbours=replace", SCRIM_E_PARAM},
        {"epsilon=1 neighbours=local", SCRIM_E_PARAM},
        {"epsilon=1 queries=10", SCRIM_OK},
        {"epsilon=1 queries=11", SCRIM_E_LIMIT},
        {"epsilon=1 queries=0", SCRIM_E_PARAM},
        {"epsilon=1 count=2", SCRIM_E_PARAM},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        mechanism_check_status("above-threshold", list[i].line, list[i].status);
    /* for data all of it is to be said, and what is the audit's is not */
    scrim_measurement *m = NULL;
    static const char *const lines[] = {
        "above-threshold epsilon=1 sensitivity=1 threshold=0",
        "above-threshold epsilon=1 sensitivity=1 neighbours=add-remove",
        "above-threshold epsilon=1 threshold=0 neighbours=add-remove"};
    for (size_t i = 0; i < 3; i++)
        CHECK_STATUS(scrim_measurement_parse(lines[i], &m, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_measurement_parse("above-threshold epsilon=1 sensitivity=1 "
                                         "threshold=0 neighbours=replace queries=3",
                                         &m, NULL),
                 SCRIM_E_PARAM);
    REQUIRE_OK(scrim_measurement_parse(
        "above-threshold epsilon=1 sensitivity=1 threshold=0 neighbours=add-remove", &m,
        NULL));
    scrim_measurement_free(m);
}

TEST(above_threshold_certifies_its_radius)
{
    CLAIM("above-threshold.accuracy");
    scrim_measurement *m = mechanism_model("above-threshold", "epsilon=1");
    scrim_certificate certificate;
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_certify(m, "0.95", 10, &certificate, NULL));
    CHECK_INT(certificate.form, SCRIM_CERTIFICATE_PAC);
    CHECK_STR(certificate.radius, "24"); /* continuous noise: 23.73 */
    CHECK_STR(certificate.confidence, "0.95");
    CHECK_STATUS(scrim_measurement_certify(m, "0.95", 0, &certificate, NULL),
                 SCRIM_E_PARAM);
    scrim_measurement_free(m);
}

TEST(above_threshold_survives_a_lack_of_memory)
{
    mechanism_check_faults("above-threshold epsilon=1/3 sensitivity=2 threshold=-5 "
                           "monotone=yes neighbours=add-remove");
}
