/* Public points of a command line: --at X,Y,... (repeatable), or --csv FILE with a header that names the columns. */
#ifndef SC_CLI_BODY_POINTS_H
#define SC_CLI_BODY_POINTS_H

#include "cli/body/body_file_view.h"

/* The help of both options. */
#define SC_USAGE_POINTS                                                                  \
    "  --at X,Y,...   a public point: a number for each column; may be repeated\n"       \
    "  --csv FILE     public points, with a first line that names the columns\n"

typedef struct sc_body_points {
    double *x; /* one after the other */
    size_t count, room, dimension;
} sc_body_points;

/* At least one. SCRIM_E_PARAM: none, or one that is not a point; SCRIM_E_INPUT: a file without a column, or a cell that is not a
 * number. */
SCRIM_MUST_USE scrim_status sc_body_points_read(sc_body_points *points,
                                                const sc_body_view *view,
                                                const sc_options *options,
                                                scrim_error *error);
void sc_body_points_clear(sc_body_points *points);

#endif
