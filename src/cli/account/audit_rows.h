/* What an audit found as rows of one table: a number that was looked at, its bounds, what is
 * claimed of it and whether that holds. */
#ifndef SC_CLI_AUDIT_ROWS_H
#define SC_CLI_AUDIT_ROWS_H

#include "scrim.h"

#include <stdbool.h>

typedef struct sc_audit_row {
    const char *quantity;        /* "delta", "charged", "loss", "renyi" or "sampled" */
    char at[SCRIM_NUMBER_BYTES]; /* the epsilon or the order, exact; "" of a loss */
    double lower, upper;
    bool has_no_upper; /* of what is sampled */
    double claimed;    /* infinite: nothing is claimed */
    const char *pair;
    scrim_audit_verdict verdict;
} sc_audit_row;

/* The points of the curve, the pair that is charged where there is one, the loss, the
 * orders. */
size_t sc_audit_row_count(const scrim_audit_report *report);
void sc_audit_row_get(const scrim_audit_report *report, size_t index, sc_audit_row *out);

#endif
