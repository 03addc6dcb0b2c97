/* The report of synthetic rows as a drawing (SVG) and as a page (HTML): for each combination of columns, or each query that was asked
 * for, how far the rows can be from the data. */
#ifndef SC_CLI_SYNTH_REPORT_DRAWING_H
#define SC_CLI_SYNTH_REPORT_DRAWING_H

#include "cli/terminal/output.h"
#include "scrim.h"

typedef struct sc_synth_page {
    const scrim_synth_release *release;
    const scrim_synth_report *report;
    const char *confidence;
} sc_synth_page;

/* How a bound is known, in words: "measured", "not measured, model only", ... */
const char *sc_synth_basis_words(scrim_synth_basis basis);

/* A file of its own each; context is an sc_synth_page. For sc_file_write. */
void sc_synth_report_svg(const void *context, sc_output *output);
void sc_synth_report_html(const void *context, sc_output *output);

#endif
