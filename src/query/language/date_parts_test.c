#include "check.h"
#include "data/value/calendar.h"
#include "query/language/date_parts.h"

#include <stdio.h>

TEST(date_parts_are_those_of_the_calendar)
{
    const int64_t stride = (int64_t)check_count(7, 1);
    for (int64_t day = SC_CALENDAR_FIRST; day <= SC_CALENDAR_LAST; day += stride) {
        char text[SC_CALENDAR_TEXT_BYTES + 1], want[64];
        const sc_date_parts parts = sc_date_parts_of(day);
        sc_calendar_format(day, text);
        snprintf(want, sizeof want, "%04d-%02d-%02d", (int)parts.year, (int)parts.month,
                 (int)parts.day);
        if (!CHECK_STR(text, want))
            return;
    }
    CHECK_INT(sc_date_parts_of(SC_CALENDAR_FIRST).year, 0);
    CHECK_INT(sc_date_parts_of(SC_CALENDAR_LAST).year, 9999);
}
