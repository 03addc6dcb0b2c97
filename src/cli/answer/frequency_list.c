#include "cli/answer/frequency_list.h"

#include <inttypes.h>
#include <stdio.h>

/* How many are shown. */
static uint64_t count_of(const sc_answer_sheet *sheet)
{
    const uint64_t values =
        sheet->source == NULL || scrim_answer_count(sheet->answer) == 0
            ? 0
            : scrim_measurement_values(sheet->source);
    return values <= SC_FREQUENCIES_SHOWN ? values : 0;
}

static bool frequency_at(const sc_answer_sheet *sheet, uint64_t value,
                         scrim_frequency *out)
{
    scrim_error error;
    return scrim_answer_frequency(sheet->answer, sheet->source, value, sheet->certificate,
                                  out, &error) == SCRIM_OK;
}

void sc_frequency_json_write(sc_json *json, const sc_answer_sheet *sheet)
{
    const uint64_t count = count_of(sheet);
    scrim_frequency frequency;
    if (count == 0)
        return;
    sc_json_array(json, "frequencies");
    for (uint64_t value = 0; value < count && frequency_at(sheet, value, &frequency);
         value++) {
        sc_json_object(json, NULL);
        sc_json_count(json, "value", value);
        sc_json_object(json, "frequency");
        sc_json_number(json, "value", frequency.estimate);
        sc_json_number(json, "low", frequency.low);
        sc_json_number(json, "high", frequency.high);
        sc_json_end(json);
        sc_json_end(json);
    }
    sc_json_end(json);
}

scrim_status sc_frequency_table_write(sc_output *output, const sc_answer_sheet *sheet,
                                      const sc_terminal *terminal, scrim_error *error)
{
    static const sc_listing_column columns[] = {{.name = "value"},
                                                {.name = "frequency"},
                                                {.name = "frequency_low"},
                                                {.name = "frequency_high"}};
    sc_listing listing = SC_LISTING(columns, output, SCRIM_FORMAT_TABLE, terminal);
    const uint64_t count = count_of(sheet);
    scrim_frequency frequency;
    char number[24];
    if (count == 0)
        return SCRIM_OK;
    for (uint64_t value = 0; value < count && frequency_at(sheet, value, &frequency);
         value++) {
        snprintf(number, sizeof number, "%" PRIu64, value);
        sc_listing_add(&listing, (const char *[]){number, frequency.estimate,
                                                  frequency.low, frequency.high});
    }
    return sc_listing_close(&listing, SCRIM_OK, error);
}
