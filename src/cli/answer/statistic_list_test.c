#include "check.h"
#include "cli/answer/statistic_list.h"

#include <stdio.h>
#include <string.h>

#define LINE "bucket-histogram epsilon=1 q=3 upper=2 beta=0.1 neighbours=add-remove"

TEST(statistic_lists_are_looked_at_before_data)
{
    static const struct {
        const char *list;
        scrim_status status;
    } cases[] = {
        {"max", SCRIM_OK},
        {"max,min,range,interval,support,median,mode,total", SCRIM_OK},
        {"quantile=1/3,max-k=2", SCRIM_OK},
        {"max,max", SCRIM_OK},
        {"", SCRIM_E_PARAM},
        {"max,", SCRIM_E_PARAM},
        {"max,,min", SCRIM_E_PARAM},
        {"max min", SCRIM_E_PARAM},
        {"separator", SCRIM_E_PARAM}, /* without labels */
    };
    char many[65 * 4 + 1] = "", wide[160];
    scrim_measurement *m = NULL;
    scrim_error error;
    REQUIRE_OK(scrim_measurement_parse(LINE, &m, NULL));
    for (size_t i = 0; i < COUNT(cases); i++)
        CHECK_STATUS(sc_statistic_list_check(m, cases[i].list, &error), cases[i].status);
    for (size_t i = 0; i < 64; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "%smax",
                 i > 0 ? "," : "");
    CHECK_STATUS(sc_statistic_list_check(m, many, &error), SCRIM_OK);
    snprintf(many + strlen(many), sizeof many - strlen(many), ",max");
    CHECK_STATUS(sc_statistic_list_check(m, many, &error), SCRIM_E_LIMIT);
    memset(wide, 'x', sizeof wide - 1);
    wide[sizeof wide - 1] = '\0';
    CHECK_STATUS(sc_statistic_list_check(m, wide, &error), SCRIM_E_LIMIT);
    scrim_measurement_free(m);
    REQUIRE_OK(scrim_measurement_parse(LINE " labelled=yes", &m, NULL));
    CHECK_STATUS(sc_statistic_list_check(m, "separator,mode", &error), SCRIM_OK);
    CHECK_STATUS(sc_statistic_list_check(m, "max", &error), SCRIM_E_PARAM);
    scrim_measurement_free(m);
    REQUIRE_OK(scrim_measurement_parse(
        "laplace sensitivity=1 epsilon=1 neighbours=add-remove", &m, NULL));
    CHECK_STATUS(sc_statistic_list_check(m, "max", &error), SCRIM_E_PARAM);
    scrim_measurement_free(m);
}
