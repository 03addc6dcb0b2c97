/* The facts of a label for people: the same words on every surface. */
#ifndef SC_CLI_REPORT_VIEW_H
#define SC_CLI_REPORT_VIEW_H

#include "cli/sheet/number_view.h"
#include "scrim.h"

#include <stdbool.h>
#include <stddef.h>

/* "" when there is no such fact. */
const char *sc_report_get(const scrim_label *label, const char *key);
/* A member of a list, from 1 on: "mechanism", 2, "line"; or "limitations", 2, NULL. */
const char *sc_report_item(const scrim_label *label, const char *list, size_t number,
                           const char *member);
/* How many a list has; member is one that all of them have. */
size_t sc_report_items(const scrim_label *label, const char *list, const char *member);

/* A number for people, rounded up where it is long. "" stays "". */
void sc_report_number(const char *text, char shown[SC_BOUND_BYTES]);

#define SC_REPORT_LINE_BYTES 1024
/* "epsilon 0.5, delta 1e-6", of what begins with this: "cost.", "cost.group-2-". */
void sc_report_cost(const scrim_label *label, const char *prefix,
                    char line[SC_REPORT_LINE_BYTES]);
/* "at most 3 rows per person were used; ...", or of a label of an earlier version "at most 2 groups a unit, and 3
 * rows in a group; ..."; "" where neither is known. */
void sc_report_bounds(const scrim_label *label, char line[SC_REPORT_LINE_BYTES]);
/* "1 of 3 epsilon spent by 2 charges". */
void sc_report_budget(const scrim_label *label, char line[SC_REPORT_LINE_BYTES]);
/* "noise with a standard deviation of 2.83"; "groups of 12 units are kept half of the time,
 * ..." */
void sc_report_noise(const scrim_label *label, size_t mechanism,
                     char line[SC_REPORT_LINE_BYTES]);
/* "62.3 %" of the guess. */
void sc_report_percent(const scrim_label *label, char text[SC_BOUND_BYTES]);

#endif
