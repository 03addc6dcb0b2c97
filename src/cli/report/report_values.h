/* What was released, for the page of a label: tables of keys and values with their intervals,
 * of a query or of a single measurement. */
#ifndef SC_CLI_REPORT_VALUES_H
#define SC_CLI_REPORT_VALUES_H

#include "scrim.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sc_report_cell {
    const char *text;       /* "" beside an interval: there is no value */
    const char *low, *high; /* NULL: none */
    bool is_open;           /* the interval is all that is possible */
} sc_report_cell;

static inline bool sc_report_is_empty(const sc_report_cell *cell)
{
    return cell->low != NULL && cell->text[0] == '\0';
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
    struct sc_report_memory *memory;
} sc_report_values;

/* From the record of a label alone. SCRIM_E_STATE when it has none. */
SCRIM_MUST_USE scrim_status sc_report_values_of(const scrim_label *label,
                                                sc_report_values *out,
                                                scrim_error *error);
/* Free of charge: a replay. What a measurement answers that is no table of values has none. */
SCRIM_MUST_USE scrim_status sc_report_values_read(scrim_vault *vault, uint64_t id,
                                                  sc_report_values *out,
                                                  scrim_error *error);
void sc_report_values_clear(sc_report_values *values); /* also of zeros */

#endif
