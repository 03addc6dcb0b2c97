#include "cli/dataset/typed_dates.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void sc_typed_dates_turn(char text[SC_ANSWER_BYTES])
{
    char turned[SC_ANSWER_BYTES];
    size_t used = 0;
    for (const char *at = text; *at != '\0' && used + 11 < sizeof turned;) {
        unsigned day = 0, month = 0, year = 0;
        int bytes = 0;
        const bool is_start = at == text || strchr("0123456789.", at[-1]) == NULL;
        if (is_start && at[0] >= '0' && at[0] <= '9' &&
            sscanf(at, "%2u.%2u.%4u%n", &day, &month, &year, &bytes) == 3 &&
            year >= 1000 &&
            (at[bytes] == '\0' || strchr("0123456789.", at[bytes]) == NULL)) {
            used += (size_t)snprintf(turned + used, sizeof turned - used,
                                     "%04u-%02u-%02u", year, month, day);
            at += bytes;
        } else {
            turned[used++] = *at++;
        }
    }
    turned[used] = '\0';
    snprintf(text, SC_ANSWER_BYTES, "%s", turned);
}
