#include "cli/answer/frequency_list.h"

#include "cli/terminal/box.h"

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

void sc_frequency_json_write(sc_output *output, const sc_answer_sheet *sheet)
{
    const uint64_t count = count_of(sheet);
    scrim_frequency frequency;
    if (count == 0)
        return;
    sc_output_text(output, "\"frequencies\": [");
    for (uint64_t value = 0; value < count; value++) {
        if (!frequency_at(sheet, value, &frequency))
            break;
        sc_output_format(output, "%s{\"value\": %" PRIu64 ", \"frequency\": {\"value\": ",
                         value > 0 ? ", " : "", value);
        sc_output_json_number(output, frequency.estimate);
        sc_output_text(output, ", \"low\": ");
        sc_output_json_number(output, frequency.low);
        sc_output_text(output, ", \"high\": ");
        sc_output_json_number(output, frequency.high);
        sc_output_text(output, "}}");
    }
    sc_output_text(output, "], ");
}

void sc_frequency_table_write(sc_output *output, const sc_answer_sheet *sheet,
                              const sc_terminal *terminal)
{
    static const char *const columns[] = {"value", "frequency", "frequency_low",
                                          "frequency_high"};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    const uint64_t count = count_of(sheet);
    scrim_frequency frequencies[SC_FREQUENCIES_SHOWN];
    char values[SC_FREQUENCIES_SHOWN][24];
    const char *cells[SC_FREQUENCIES_SHOWN * COLUMNS];
    sc_box box = {columns, COLUMNS, cells, 0};
    for (uint64_t value = 0; value < count; value++) {
        if (!frequency_at(sheet, value, &frequencies[value]))
            return;
        snprintf(values[value], sizeof values[value], "%" PRIu64, value);
        const char **row = &cells[COLUMNS * box.row_count++];
        row[0] = values[value];
        row[1] = frequencies[value].estimate;
        row[2] = frequencies[value].low;
        row[3] = frequencies[value].high;
    }
    if (count > 0)
        sc_box_write(output, &box, SCRIM_FORMAT_TABLE, terminal);
}
