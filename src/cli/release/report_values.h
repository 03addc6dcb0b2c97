/* Released values, for the page of a label: tables of keys and values with their intervals,
 * of a query or of a single measurement. */
#ifndef SC_CLI_REPORT_VALUES_H
#define SC_CLI_REPORT_VALUES_H

#include "cli/display/number_view.h"
#include "scrim.h"

#include <stdbool.h>
#include <stddef.h>

/* The facts of a label for people: the same words on every surface. */

/* "" when there is no such fact. */
const char *sc_report_get(const scrim_label *label, const char *key);
/* A member of a list, from 1 on: "mechanism", 2, "line"; or "limitations", 2, NULL. */
const char *sc_report_item(const scrim_label *label, const char *list, size_t number,
                           const char *member);
/* How many a list has; member is one that all of them have. */
size_t sc_report_items(const scrim_label *label, const char *list, const char *member);

/* A number for people, rounded up where it is long. "" stays "". */
void sc_report_number(const char *text, char shown[SC_BOUND_BYTES]);

#define SC_REPORT_WHEN_BYTES 64
/* "31 December 2026, 23:59 UTC". */
void sc_report_when(const scrim_label *label, char shown[SC_REPORT_WHEN_BYTES]);

#define SC_REPORT_LINE_BYTES 1024
/* "epsilon 0.5, delta 1e-6", of what begins with this: "cost.", "cost.group-2-". */
void sc_report_cost(const scrim_label *label, const char *prefix,
                    char line[SC_REPORT_LINE_BYTES]);
/* How often an item of a list occurs with both of these members, or by itself with NULL for them, counted at its first place; 0 at
 * later ones. A question with several sets of keys stands in the label once for each. */
size_t sc_report_times(const scrim_label *label, const char *list, const char *first,
                       const char *second, size_t item);
/* Appends ", drawn 3 times" where it is more than once. */
void sc_report_put_times(size_t times, char line[SC_REPORT_LINE_BYTES]);
/* "3 rows per person; ...", or of a label of an earlier version "at most 2 groups a unit, and 3
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

typedef struct sc_report_cell {
    const char *text;       /* "" beside an interval: there is no value */
    const char *low, *high; /* NULL: none */
    bool is_open;   /* everything is possible: no value and no interval is shown */
    bool is_beyond; /* noise took it beyond 0: it is shown as 0 */
    bool
        is_outside; /* by more than its interval is wide: no value and no interval is shown */
} sc_report_cell;

static inline bool sc_report_is_empty(const sc_report_cell *cell)
{
    return cell->low != NULL && cell->text[0] == '\0';
}

/* Is noise alone to be seen? Else an empty value is one that does not exist. */
static inline bool sc_report_is_unusable(const sc_report_cell *cell)
{
    return cell->is_outside || (cell->is_open && sc_report_is_empty(cell) &&
                                (cell->low[0] != '\0' || cell->high[0] != '\0'));
}

typedef struct sc_report_column {
    const char *name;
    bool is_number;  /* values with intervals that can be drawn, */
    bool is_date;    /* of dates */
    bool is_certain; /* these hold whatever the confidence */
} sc_report_column;

typedef struct sc_report_sheet {
    sc_report_column *columns;
    size_t column_count;
    sc_report_cell *cells; /* row after row */
    size_t row_count;
} sc_report_sheet;

typedef struct sc_report_values {
    const char *confidence; /* "" where there are no intervals */
    sc_report_sheet *sheets;
    size_t count;
    bool is_tree; /* counts that add up, made of the noisy ones */
    struct sc_report_memory *memory;
} sc_report_values;

/* From the record of a label alone. SCRIM_E_STATE when the label has no record. */
SCRIM_MUST_USE scrim_status sc_report_values_of(const scrim_label *label,
                                                sc_report_values *out,
                                                scrim_error *error);
/* Free of charge: a replay. Answers of a measurement that are not a table of values give no
 * values. */
SCRIM_MUST_USE scrim_status sc_report_values_read(scrim_vault *vault, uint64_t id,
                                                  sc_report_values *out,
                                                  scrim_error *error);
void sc_report_values_clear(sc_report_values *values); /* also of zeros */

#endif
