/* The charts of an attack's tables. A view: doubles. */
#ifndef SC_CLI_ATTACK_CHART_H
#define SC_CLI_ATTACK_CHART_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "scrim.h"

/* Is there a chart of the table at this index? */
bool sc_attack_has_chart(const scrim_attack *attack, size_t table);
/* The chart of one table, in characters. */
void sc_attack_chart_terminal(sc_output *output, const scrim_attack *attack, size_t table,
                              const sc_terminal *terminal);
/* All charts below one another, as a file that needs no other. */
void sc_attack_chart_svg(sc_output *output, const scrim_attack *attack);

#endif
