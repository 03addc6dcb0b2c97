/* The driver of plans, audits and calculations: a table, its drawing, and sentences beside rows for programs.
 *
 * --svg FILE is written first. Standard output has the table, and on a terminal the drawing of --plot above it. Standard
 * error has the drawing otherwise, and the sentences beside CSV and JSON lines; --quiet leaves out both.
 */
#ifndef SC_CLI_SCREEN_H
#define SC_CLI_SCREEN_H

#include "cli/terminal/options.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

typedef struct sc_screen {
    sc_format format;
    sc_terminal terminal; /* standard output */
    bool plot, quiet;
    const char *svg;  /* NULL: no file */
    sc_output output; /* standard output, then standard error */
} sc_screen;

/* Reads --format, --plot, --svg and --quiet; looks whether the file can be made. SCRIM_E_PARAM, SCRIM_E_POLICY. */
SCRIM_MUST_USE scrim_status sc_screen_read(const sc_options *options, sc_screen *out,
                                           scrim_error *error);
/* Will a drawing be shown or written? Plans compute its curve only then. */
bool sc_screen_draws(const sc_screen *screen);

typedef struct sc_screen_page {
    /* The table, to screen->output in screen->format. */
    scrim_status (*write)(void *context, sc_screen *screen, scrim_error *error);
    void (*draw)(const void *context, sc_output *output, const sc_terminal *terminal);
    void (*svg)(const void *context, sc_output *output);
    /* Sentences for people; NULL: none. */
    void (*talk)(const void *context, sc_output *output, const sc_terminal *terminal);
    bool talks_beside_lines; /* beside JSON lines as beside CSV */
} sc_screen_page;

/* Fails as write does; SCRIM_E_INTERNAL: standard output or the file cannot be written. */
SCRIM_MUST_USE scrim_status sc_screen_show(sc_screen *screen, const sc_screen_page *page,
                                           void *context, scrim_error *error);

#endif
