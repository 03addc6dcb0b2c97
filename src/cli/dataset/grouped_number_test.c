#include "check.h"
#include "cli/dataset/grouped_number.h"

#include <string.h>

TEST(grouped_number_offers_both)
{
    static const struct {
        const char *text, *both; /* both: NULL where it can be one number only */
    } cases[] = {{"20.000", "20000 if it does, else 20"},
                 {"-1.250", "-1250 if it does, else -1.2500"},
                 {"999.001", "999001 if it does, else 999.0010"},
                 {"0.125", NULL},
                 {"1.25", NULL},
                 {"1.2500", NULL},
                 {"1000.125", NULL},
                 {"1.000.000", NULL},
                 {"20000", NULL},
                 {"20.", NULL},
                 {".125", NULL},
                 {"1.00x", NULL},
                 {"", NULL}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        scrim_error error = {.message = ""};
        const scrim_status status = sc_grouped_number_check(cases[i].text, &error);
        CHECK_STATUS(status, cases[i].both == NULL ? SCRIM_OK : SCRIM_E_PARAM);
        if (cases[i].both != NULL)
            CHECK(strstr(error.message, cases[i].both) != NULL);
    }
}
