#include "check.h"
#include "cli/sheet/date_view.h"
#include "query/language/date_parts.h"

#include <stdio.h>

/* There and back, as the engine counts: every day of four hundred years, and the ends. */
TEST(date_view_is_the_day_of_the_engine)
{
    char text[SC_DATE_VIEW_BYTES], want[64];
    for (int64_t day = -719162; day <= 2932896;
         day += day < 146097 && day > -40000 ? 1 : 97) {
        const sc_date_parts parts = sc_date_parts_of(day);
        snprintf(want, sizeof want, "%04lld-%02lld-%02lld", (long long)parts.year,
                 (long long)parts.month, (long long)parts.day);
        sc_date_view_format((double)day, text);
        if (!CHECK_STR(text, want) || !CHECK(sc_date_view(want) == (double)day))
            break;
    }
    CHECK(sc_date_view("1970-01-01") == 0);
    CHECK(sc_date_view("no date") == 0);
}
