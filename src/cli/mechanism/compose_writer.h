/* Writing what accountants say of parts, in every format. */
#ifndef SC_CLI_COMPOSE_WRITER_H
#define SC_CLI_COMPOSE_WRITER_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "scrim.h"

typedef struct sc_compose_view {
    const scrim_composition *parts;
    const scrim_bounds *bounds;
    bool for_epsilon; /* at a delta; else delta at an epsilon */
    const char *at;   /* what was given */
    double distance;  /* an upper bound of delta at epsilon 0; 1: nothing is proved */
} sc_compose_view;

/* CSV and JSON hold every digit; a table has six, each bound rounded away from the truth. */
SCRIM_MUST_USE scrim_status sc_compose_write(sc_output *output,
                                             const sc_compose_view *view,
                                             sc_format format,
                                             const sc_terminal *terminal,
                                             scrim_error *error);
/* The meaning of the bounds, in a sentence or two, folded to columns. */
void sc_compose_meaning_write(sc_output *output, const sc_compose_view *view,
                              size_t columns);
/* "epsilon between 4.49957 and 4.49958 at delta 1e-6". */
#define SC_COMPOSE_SUMMARY_BYTES 256
void sc_compose_summary(const sc_compose_view *view, char text[SC_COMPOSE_SUMMARY_BYTES]);

#endif
