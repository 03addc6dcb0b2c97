#include "cli/answer/series_place.h"

#include "cli/answer/series_sheet.h"
#include "cli/terminal/complaint.h"

#include <inttypes.h>
#include <string.h>

scrim_status sc_series_place_read(scrim_vault *vault, const char *name, uint64_t release,
                                  sc_series_place *out, scrim_error *error)
{
    sc_series_place place = {.series = NULL};
    scrim_status status = scrim_series_read(vault, name, &place.series, error);
    if (status != SCRIM_OK)
        return status;
    scrim_series_describe(place.series, &place.facts);
    for (size_t i = 0; status == SCRIM_OK && place.step.release != release; i++)
        status = scrim_series_step_at(place.series, i, &place.step, error);
    if (status == SCRIM_OK)
        *out = place;
    else
        sc_series_place_clear(&place);
    return status;
}

void sc_series_place_clear(sc_series_place *place)
{
    scrim_series_free(place->series);
    memset(place, 0, sizeof *place);
}

void sc_series_place_talk(sc_output *output, const sc_series_place *place)
{
    char window[SC_SERIES_WINDOW_BYTES];
    sc_series_window_name(&place->step, window);
    sc_output_format(output, "series      release %" PRIu64 " of %" PRIu64 " of %s: ",
                     place->step.number, place->facts.releases, place->facts.name);
    if (place->facts.window[0] != '\0')
        sc_output_format(output, "%.128s ", place->facts.window);
    sc_output_text(output, window);
    sc_output_text(output, "\n");
}

void sc_series_place_json(sc_json *json, const sc_series_place *place)
{
    sc_json_text(json, "series", place->facts.name);
    sc_json_count(json, "number", place->step.number);
    sc_json_count(json, "releases", place->facts.releases);
    if (place->step.low[0] == '\0')
        return;
    sc_json_text(json, "from", place->step.low);
    sc_json_text(json, "to", place->step.high);
}

void sc_series_next_talk(sc_output *output, const scrim_series_facts *facts,
                         uint64_t made_of, const char *where)
{
    if (facts->window[0] != '\0' || facts->next < 2 || facts->is_over ||
        made_of != facts->version)
        return;
    sc_output_format(output,
                     "next        release %" PRIu64
                     " is of the next version, which 'scrim "
                     "dataset update %s%s' declares\n",
                     facts->next, facts->dataset, where);
}
