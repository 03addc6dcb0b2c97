/* The intervals of a synthetic report as a drawing, and as a page with it. */
#ifndef SC_CLI_SYNTH_REPORT_SVG_H
#define SC_CLI_SYNTH_REPORT_SVG_H

#include "cli/terminal/output.h"

typedef struct sc_synth_page {
    const scrim_synth_release *release;
    const scrim_synth_report *report;
    const char *confidence;
} sc_synth_page;

/* "measured", "not measured, model only", ... */
const char *sc_synth_basis_words(scrim_synth_basis basis);
/* Of all that has a bound; a drawing of its own. */
void sc_synth_report_svg(const void *page, sc_output *output);
/* A page that needs no other file: the summary, the drawing, and all marginals. */
void sc_synth_report_html(const void *page, sc_output *output);

#endif
