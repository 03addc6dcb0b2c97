/* The findings of an attack in every format, and their charts. */
#ifndef SC_CLI_ATTACK_WRITER_H
#define SC_CLI_ATTACK_WRITER_H

#include "cli/terminal/options.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "lab/attack/attack.h"

typedef struct sc_attack_page {
    sc_output *output;
    sc_format format;
    const sc_terminal *terminal;
    bool draws; /* a table also has charts */
} sc_attack_page;

/* SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_attack_write(const sc_attack_page *page,
                                            const lab_attack_kind *kind,
                                            const lab_findings *found,
                                            scrim_error *error);
/* The charts alone, in characters. */
void sc_attack_write_charts(sc_output *output, const lab_findings *found,
                            const sc_terminal *terminal);
/* All charts below one another, as an SVG file. */
void sc_attack_chart_svg(sc_output *output, const lab_attack_kind *kind,
                         const lab_findings *found);

#endif
