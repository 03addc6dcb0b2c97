#include "cli/report/report_compare.h"

#include "cli/report/report_view.h"
#include "cli/sheet/listing.h"

#include <stdio.h>
#include <string.h>

#define ROWS 14
#define NAME_BYTES 40

static const struct {
    const char *name, *key;
    bool is_number; /* rounded up for people */
} rows[ROWS] = {
    {"dataset", "release.dataset", false},
    {"version", "release.version", false},
    {"population", "release.population", false},
    {"unit", "protection.unit", false},
    {"neighbours", "protection.neighbours", false},
    {"model", "protection.model", false},
    {"variant", "protection.variant", false},
    {"epsilon", "cost.epsilon", true},
    {"delta", "cost.delta", true},
    {"rho", "cost.rho", true},
    {"guess", "cost.guess", true},
    {"epsilon of 2 units", "cost.group-2-epsilon", true},
    {"epsilon of 4 units", "cost.group-4-epsilon", true},
    {"charged", "cost.charged", true},
};

scrim_status sc_report_compare_write(sc_output *output, const scrim_label *a,
                                     const scrim_label *b, sc_format format,
                                     const sc_terminal *terminal, scrim_error *error)
{
    const scrim_label *const labels[] = {a, b};
    const bool is_table = format == SCRIM_FORMAT_TABLE;
    char names[2][NAME_BYTES], shown[2][SC_BOUND_BYTES];
    const sc_listing_column columns[] = {
        {.name = "fact"}, {.name = names[0]}, {.name = names[1]}};
    sc_listing listing = SC_LISTING(columns, output, format, terminal);
    for (size_t k = 0; k < 2; k++)
        snprintf(names[k], NAME_BYTES, is_table ? "release %.24s" : "release_%.24s",
                 sc_report_get(labels[k], "release.number"));
    (void)sc_listing_open(&listing);
    for (size_t i = 0; i < ROWS; i++) {
        const char *cells[3] = {rows[i].name};
        for (size_t k = 0; k < 2; k++) {
            cells[1 + k] = sc_report_get(labels[k], rows[i].key);
            if (rows[i].is_number && is_table) {
                sc_report_number(cells[1 + k], shown[k]);
                cells[1 + k] = shown[k];
            }
        }
        sc_listing_add(&listing, cells);
    }
    return sc_listing_close(&listing, SCRIM_OK, error);
}
