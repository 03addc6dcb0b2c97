#include "cli/series/series_list.h"

#include "cli/display/listing.h"
#include "cli/display/number_view.h"

#include <inttypes.h>
#include <stdio.h>

static void add_exact(const scrim_series_facts *facts, sc_listing *page)
{
    char releases[24], made[24];
    snprintf(releases, sizeof releases, "%" PRIu64, facts->releases);
    snprintf(made, sizeof made, "%" PRIu64, facts->made);
    const char *const cells[] = {facts->name,       facts->dataset, facts->window,
                                 facts->known_keys, releases,       made,
                                 facts->unit,       facts->spent,   facts->spent_delta};
    sc_listing_add(page, cells);
}

static void add_short(const scrim_series_facts *facts, sc_listing *page)
{
    char made[64], amount[SC_BOUND_BYTES], delta[SC_BOUND_BYTES];
    char spent[SC_BOUND_BYTES + 32];
    snprintf(made, sizeof made, "%" PRIu64 " of %" PRIu64, facts->made, facts->releases);
    sc_number_format_upper(facts->spent, amount);
    sc_number_format_upper(facts->spent_delta, delta);
    snprintf(spent, sizeof spent, "%.31s %s", facts->unit, amount);
    const char *const cells[] = {
        facts->name, facts->dataset, facts->window, facts->known_keys,
        made,        spent,          delta};
    sc_listing_add(page, cells);
}

static scrim_status add_series(scrim_vault *vault, const char *name, sc_listing *page,
                               scrim_error *error)
{
    scrim_series *series = NULL;
    scrim_series_facts facts;
    const scrim_status status = scrim_series_read(vault, name, &series, error);
    if (status != SCRIM_OK)
        return status;
    scrim_series_describe(series, &facts);
    if (page->format == SCRIM_FORMAT_TABLE)
        add_short(&facts, page);
    else
        add_exact(&facts, page);
    scrim_series_free(series);
    return SCRIM_OK;
}

scrim_status sc_series_list_write(const sc_options *options, scrim_vault *vault,
                                  scrim_error *error)
{
    static const sc_listing_column exact[] = {
        {.name = "series"}, {.name = "dataset"},         {.name = "window"},
        {.name = "keys"},   {"planned", SC_KIND_NUMBER}, {"made", SC_KIND_NUMBER},
        {.name = "unit"},   {.name = "spent"},           {.name = "delta"}};
    static const sc_listing_column brief[] = {
        {.name = "series"}, {.name = "dataset"}, {.name = "window"}, {.name = "keys"},
        {.name = "made"},   {.name = "spent"},   {.name = "delta"}};
    sc_listing *page = NULL;
    char name[SCRIM_NAME_BYTES];
    scrim_status status =
        sc_page_new(options, exact, sizeof exact / sizeof *exact, &page, error);
    if (status != SCRIM_OK)
        return status;
    if (page->format == SCRIM_FORMAT_TABLE) {
        page->columns = brief;
        page->column_count = sizeof brief / sizeof *brief;
    }
    for (size_t i = 0; status == SCRIM_OK; i++) {
        status = scrim_series_name_at(vault, i, name, error);
        if (status == SCRIM_E_PARAM)
            return sc_page_end(page, SCRIM_OK, error);
        if (status == SCRIM_OK)
            status = add_series(vault, name, page, error);
    }
    return sc_page_end(page, status, error);
}
