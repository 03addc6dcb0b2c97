#include "cli/report/report_compare.h"

#include "cli/report/report_view.h"
#include "cli/terminal/box.h"

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

void sc_report_compare_write(sc_output *output, const scrim_label *a,
                             const scrim_label *b, sc_format format,
                             const sc_terminal *terminal)
{
    const scrim_label *const labels[] = {a, b};
    char names[2][NAME_BYTES], shown[2][ROWS][SC_BOUND_BYTES];
    const char *cells[ROWS * 3];
    const char *columns[] = {"fact", names[0], names[1]};
    for (size_t k = 0; k < 2; k++) {
        snprintf(names[k], NAME_BYTES,
                 format == SCRIM_FORMAT_TABLE ? "release %.24s" : "release_%.24s",
                 sc_report_get(labels[k], "release.number"));
        for (size_t i = 0; i < ROWS; i++) {
            const char *value = sc_report_get(labels[k], rows[i].key);
            cells[3 * i] = rows[i].name;
            cells[3 * i + 1 + k] = value;
            if (rows[i].is_number && format == SCRIM_FORMAT_TABLE) {
                sc_report_number(value, shown[k][i]);
                cells[3 * i + 1 + k] = shown[k][i];
            }
        }
    }
    const sc_box box = {columns, 3, cells, ROWS};
    sc_box_write(output, &box, format, terminal);
}
