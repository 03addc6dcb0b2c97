#include "cli/answer/series_sheet.h"

#include "cli/terminal/complaint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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

static scrim_status read_steps(scrim_vault *vault, const char *confidence,
                               sc_series_sheet *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    const size_t made = (size_t)out->facts.made;
    out->steps = calloc(made + 1, sizeof *out->steps);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    out->results = calloc(made + 1, sizeof *out->results);
    if (out->steps == NULL || out->results == NULL)
        return sc_out_of_memory(error, "the series");
    for (size_t i = 0; status == SCRIM_OK && out->count < made; i++) {
        scrim_series_step step;
        status = scrim_series_step_at(out->series, i, &step, error);
        if (status != SCRIM_OK || step.release == 0)
            continue;
        status = scrim_query_replay(vault, step.release, confidence,
                                    &out->results[out->count], error);
        if (status == SCRIM_OK)
            out->steps[out->count++] = step;
    }
    return status;
}

/* A release that cannot be planned any more, as after another policy, has no plan. */
static scrim_status read_plan(scrim_vault *vault, sc_series_sheet *out,
                              scrim_error *error)
{
    const scrim_series_facts *facts = &out->facts;
    const scrim_status status = scrim_plan_new(
        vault, facts->dataset, &facts->query, 1,
        SCRIM_OPTIONS(scrim_query_options, .epsilon = facts->epsilon,
                      .delta = facts->delta, .max_groups = facts->max_groups,
                      .max_rows = facts->max_rows,
                      .max_total_rows = facts->max_total_rows,
                      .max_total = facts->max_total, .cut_share = facts->cut_share),
        &out->plan, NULL, error);
    return status == SCRIM_E_MEMORY ? status : SCRIM_OK;
}

scrim_status sc_series_sheet_read(scrim_vault *vault, const char *name,
                                  const char *confidence, sc_series_sheet *out,
                                  scrim_error *error)
{
    memset(out, 0, sizeof *out);
    scrim_status status = scrim_series_read(vault, name, &out->series, error);
    if (status != SCRIM_OK)
        return status;
    scrim_series_describe(out->series, &out->facts);
    status = read_steps(vault, confidence, out, error);
    if (status == SCRIM_OK)
        status = read_plan(vault, out, error);
    if (status != SCRIM_OK)
        sc_series_sheet_clear(out);
    return status;
}

void sc_series_sheet_clear(sc_series_sheet *sheet)
{
    for (size_t i = 0; sheet->results != NULL && i < sheet->count; i++)
        scrim_result_free(sheet->results[i]);
    free(sheet->results);
    free(sheet->steps);
    scrim_plan_free(sheet->plan);
    scrim_series_free(sheet->series);
    memset(sheet, 0, sizeof *sheet);
}

void sc_series_window_name(const scrim_series_step *step,
                           char text[SC_SERIES_WINDOW_BYTES])
{
    if (step->low[0] == '\0')
        snprintf(text, SC_SERIES_WINDOW_BYTES, "version %" PRIu64, step->version);
    else
        snprintf(text, SC_SERIES_WINDOW_BYTES, "%s..%s", step->low, step->high);
}
