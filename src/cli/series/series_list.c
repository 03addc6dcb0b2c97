#include "cli/series/series_list.h"

#include "cli/terminal/cell_sheet.h"
#include "cli/terminal/number_view.h"

#include <inttypes.h>
#include <stdio.h>

static scrim_status add_exact(const scrim_series_facts *facts, sc_cell_sheet *sheet,
                              scrim_error *error)
{
    char releases[24], made[24];
    snprintf(releases, sizeof releases, "%" PRIu64, facts->releases);
    snprintf(made, sizeof made, "%" PRIu64, facts->made);
    const char *const cells[] = {facts->name,       facts->dataset, facts->window,
                                 facts->known_keys, releases,       made,
                                 facts->unit,       facts->spent,   facts->spent_delta};
    return sc_cell_sheet_add(sheet, cells, sizeof cells / sizeof *cells, error);
}

static scrim_status add_short(const scrim_series_facts *facts, sc_cell_sheet *sheet,
                              scrim_error *error)
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
    return sc_cell_sheet_add(sheet, cells, sizeof cells / sizeof *cells, error);
}

static scrim_status add_series(scrim_vault *vault, const char *name, bool is_short,
                               sc_cell_sheet *sheet, scrim_error *error)
{
    scrim_series *series = NULL;
    scrim_series_facts facts;
    scrim_status status = scrim_series_read(vault, name, &series, error);
    if (status != SCRIM_OK)
        return status;
    scrim_series_describe(series, &facts);
    status = is_short ? add_short(&facts, sheet, error) : add_exact(&facts, sheet, error);
    scrim_series_free(series);
    return status;
}

scrim_status sc_series_list_write(const sc_options *options, scrim_vault *vault,
                                  scrim_error *error)
{
    static const char *const exact[] = {"series", "dataset", "window", "keys", "planned",
                                        "made",   "unit",    "spent",  "delta"};
    static const char *const brief[] = {"series", "dataset", "window", "keys",
                                        "made",   "spent",   "delta"};
    sc_cell_sheet sheet = {.columns = exact,
                           .column_count = sizeof exact / sizeof *exact,
                           .numbers = 1u << 4 | 1u << 5};
    bool is_table = false;
    char name[SCRIM_NAME_BYTES];
    scrim_status status = sc_cell_sheet_is_table(options, &is_table, error);
    if (is_table) {
        sheet.columns = brief;
        sheet.column_count = sizeof brief / sizeof *brief;
    }
    for (size_t i = 0; status == SCRIM_OK; i++) {
        status = scrim_series_name_at(vault, i, name, error);
        if (status == SCRIM_E_PARAM) {
            status = SCRIM_OK;
            break;
        }
        if (status == SCRIM_OK)
            status = add_series(vault, name, is_table, &sheet, error);
    }
    if (status == SCRIM_OK)
        status = sc_cell_sheet_write(&sheet, options, error);
    sc_cell_sheet_clear(&sheet);
    return status;
}
