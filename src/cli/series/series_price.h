/* What a series that is declared will cost: a table of what one release, all of them and the best
 * accountant come to, and words on how they are charged. */
#ifndef SC_CLI_SERIES_PRICE_H
#define SC_CLI_SERIES_PRICE_H

#include "cli/terminal/options.h"
#include "cli/terminal/output.h"

/* To standard output. */
SCRIM_MUST_USE scrim_status sc_series_price_write(const scrim_series_forecast *forecast,
                                                  const sc_options *options,
                                                  scrim_error *error);
/* Notes, folded to so many columns; first is the series' first release. */
void sc_series_price_talk(sc_output *output, const scrim_series_facts *facts,
                          const scrim_series_step *first,
                          const scrim_series_forecast *forecast, unsigned columns);
/* That it is entered, and how its releases are made. where is what a command says of its vault, as
 * sc_vault_words has it. */
void sc_series_created_talk(sc_output *output, const scrim_series_facts *facts,
                            const char *where, unsigned columns);

#endif
