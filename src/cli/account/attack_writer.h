/* What an attack found, in every format. */
#ifndef SC_CLI_ATTACK_WRITER_H
#define SC_CLI_ATTACK_WRITER_H

#include "cli/terminal/options.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "scrim.h"

/* A table with charts where draws is set. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_attack_write(sc_output *output, const scrim_attack *attack,
                                            sc_format format, bool draws,
                                            const sc_terminal *terminal,
                                            scrim_error *error);
/* The charts alone. */
void sc_attack_write_charts(sc_output *output, const scrim_attack *attack,
                            const sc_terminal *terminal);

#endif
