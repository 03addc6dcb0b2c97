#include "check.h"
#include "cli/answer/series_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A charge that waits for its answer is told beside what is to come, and nothing without one. */
TEST(series_talk_tells_a_charge_that_waits)
{
    const sc_series_sheet sheet = {.facts = {.name = "daily",
                                             .dataset = "people",
                                             .query = "SELECT COUNT(*)",
                                             .window = "",
                                             .known_keys = "",
                                             .releases = 3,
                                             .unit = "epsilon",
                                             .spent = "100",
                                             .spent_delta = "0"}};
    scrim_series_forecast forecast = {.unit = "epsilon",
                                      .remaining = 3,
                                      .total = "200",
                                      .total_delta = "0",
                                      .left = "400",
                                      .left_delta = "0",
                                      .fits = 1};
    for (forecast.pending = 0; forecast.pending <= 7; forecast.pending += 7) {
        char text[2000];
        static sc_output output;
        FILE *file = tmpfile();
        REQUIRE(file != NULL);
        sc_output_init(&output, fileno(file));
        sc_series_talk(&output, &sheet, &forecast, NULL, 200);
        CHECK(sc_output_flush(&output));
        rewind(file);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        CHECK(strstr(text, "to come     epsilon 200, delta 0 for 3 releases") != NULL);
        CHECK_INT(strstr(text, "pending     release 7 is charged for the next one and "
                               "has no answer yet: asking again is free\n") != NULL,
                  forecast.pending == 7);
        fclose(file);
    }
}
