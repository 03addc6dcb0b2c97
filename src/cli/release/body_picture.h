/* Drawings of bodies: for each pair of columns the shadow of each body, its Steiner point, and the lines of the half-spaces
 * that stand upright on the plane, and public points that the caller has. Never a row of a dataset. */
#ifndef SC_CLI_BODY_PICTURE_H
#define SC_CLI_BODY_PICTURE_H

#include "cli/release/body_page.h"
#include "cli/terminal/terminal.h"
#include "scrim.h"

#define SC_BODY_PICTURE_BODIES 4
#define SC_BODY_PICTURE_PANELS 15

typedef struct sc_body_picture {
    sc_body_view *views[SC_BODY_PICTURE_BODIES]; /* the same columns */
    size_t count;
    double centers[SC_BODY_PICTURE_BODIES][SCRIM_BODY_DIMENSIONS];
    size_t pairs[SC_BODY_PICTURE_PANELS][2]; /* columns of each panel */
    size_t panel_count;
    const sc_body_points *points; /* public ones, drawn as dots in SVG; NULL: none */
} sc_body_picture;

/* Draws these columns of the first body, "a,b"; NULL: all of them. SCRIM_E_PARAM: unknown
 * columns, or not 2 to 6 of them. */
SCRIM_MUST_USE scrim_status sc_body_picture_choose(sc_body_picture *picture,
                                                   const char *names, scrim_error *error);
/* Finds the centres. Pairs are set. */
SCRIM_MUST_USE scrim_status sc_body_picture_init(sc_body_picture *picture,
                                                 scrim_error *error);
SCRIM_MUST_USE scrim_status sc_body_picture_svg(const sc_body_picture *picture,
                                                const char *path, scrim_error *error);
/* One panel after the other, in characters. */
SCRIM_MUST_USE scrim_status sc_body_picture_write(const sc_body_picture *picture,
                                                  sc_output *output,
                                                  const sc_terminal *terminal,
                                                  scrim_error *error);

/* The drawing of one body as text, for the Python package. */

/* SVG, terminated; freed by free(). columns are 2 to 6, "a,b", or NULL for all. Free of charge. SCRIM_E_PARAM, SCRIM_E_MEMORY,
 * and what is wrong with the region. The Python package enters by this function and that of label_page.h alone. */
SCRIM_MUST_USE scrim_status sc_body_drawing_text(scrim_body *body, const char *columns,
                                                 char **out, size_t *bytes,
                                                 scrim_error *error);

#endif
