#include "choices.h"
#include "mechanism/threshold/unit_counts.h"

#include <stdio.h>

/* Every mechanism on groups reads max-groups, its default and its limits in the same way. */
TEST(unit_counts_are_those_of_every_mechanism_on_groups)
{
    static const char *const names[] = {"partition-selection", "threshold-laplace",
                                        "threshold-gaussian", "threshold-truncated"};
    static const struct {
        const char *rest;
        uint64_t groups, changed;
    } cases[] = {{"neighbours=add-remove", 1, 1},
                 {"neighbours=replace", 1, 2},
                 {"max-groups=7 neighbours=add-remove", 7, 7},
                 {"max-groups=7 neighbours=replace", 7, 14}};
    for (size_t n = 0; n < COUNT(names); n++) {
        char line[200];
        for (size_t i = 0; i < COUNT(cases); i++) {
            snprintf(line, sizeof line, "%s epsilon=2 delta=1e-3 %s", names[n],
                     cases[i].rest);
            scrim_measurement *m = choices_new(line);
            REQUIRE(m != NULL);
            CHECK_INT(sc_unit_counts_groups(m), cases[i].groups);
            CHECK_INT(sc_unit_counts_changed(m), cases[i].changed);
            CHECK_INT(m->mechanism->answer_count(m, 5), 5);
            CHECK_INT(m->domain.count_min, 0);
            CHECK_INT(sc_domain_clamp(&m->domain, -5), 0);
            CHECK_INT(sc_domain_clamp(&m->domain, 5), 5);
            scrim_measurement_free(m);
        }
        snprintf(line, sizeof line, "%s epsilon=2 delta=1e-3 max-groups=1048577 %s",
                 names[n], "neighbours=replace");
        choices_refused(line, SCRIM_E_LIMIT, "max-groups");
        snprintf(line, sizeof line, "%s epsilon=2 delta=1e-3 max-groups=0 %s", names[n],
                 "neighbours=replace");
        choices_refused(line, SCRIM_E_PARAM, "max-groups");
        snprintf(line, sizeof line, "%s epsilon=2 delta=1e-3 max-groups=3/2 %s", names[n],
                 "neighbours=replace");
        choices_refused(line, SCRIM_E_PARAM, "max-groups");
    }
}
