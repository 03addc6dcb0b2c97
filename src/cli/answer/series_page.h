/* A series on the screen: the list of all, its windows and price before it is entered, and its releases as one
 * table. */
#ifndef SC_CLI_SERIES_PAGE_H
#define SC_CLI_SERIES_PAGE_H

#include "cli/answer/series_sheet.h"
#include "cli/terminal/options.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

/* All series of a vault, a row each: with exact numbers for programs, and fewer columns with short
 * numbers for people. */

/* To standard output. */
SCRIM_MUST_USE scrim_status sc_series_list_write(const sc_options *options,
                                                 scrim_vault *vault, scrim_error *error);

/* The cost of a declared series: a table of one release, all releases and the best accountant's bound,
 * and notes on how releases are charged. */

/* To standard output. */
SCRIM_MUST_USE scrim_status sc_series_price_write(const scrim_series_forecast *forecast,
                                                  const sc_options *options,
                                                  scrim_error *error);
/* Notes, wrapped to `columns` columns; first is the series' first release. */
void sc_series_price_talk(sc_output *output, const scrim_series_facts *facts,
                          const scrim_series_step *first,
                          const scrim_series_forecast *forecast, unsigned columns);
/* Where the windows of a declared series begin and end; of many the first and the last. */
SCRIM_MUST_USE scrim_status sc_series_windows_talk(sc_output *output,
                                                   const scrim_series *series,
                                                   const scrim_series_facts *facts,
                                                   unsigned columns, scrim_error *error);
/* The error to expect of each column of a release, with the cautions that explain has; from what is
 * declared alone. */
SCRIM_MUST_USE scrim_status sc_series_error_talk(sc_output *output, scrim_vault *vault,
                                                 const scrim_plan *plan, unsigned columns,
                                                 scrim_error *error);
/* The same of running totals: for each number of draws, with the first releases that have it. */
SCRIM_MUST_USE scrim_status sc_series_running_talk(sc_output *output, scrim_vault *vault,
                                                   const scrim_series *series,
                                                   const scrim_series_facts *facts,
                                                   unsigned columns, scrim_error *error);
/* A note that the series is entered, and how to make its releases. where is the vault's option in
 * commands (sc_vault_words). */
void sc_series_created_talk(sc_output *output, const scrim_series_facts *facts,
                            const char *where, unsigned columns);

/* A series in every format: a row for each row of each release.
 *
 * CSV has the columns release, from, to, version and entry, and then those of the query's answer; from
 * and to are empty where a release is of a version. JSON is an object with rows, and with what the
 * series is, has cost and may still cost.
 */

SCRIM_MUST_USE scrim_status sc_series_write(sc_output *output,
                                            const sc_series_sheet *sheet,
                                            const scrim_series_forecast *forecast,
                                            sc_format format, const sc_terminal *terminal,
                                            scrim_error *error);
/* Notes for people: the question, the cost so far and the cost to come. Wrapped to `columns`
 * columns. vault is the file that the command named, or NULL. */
void sc_series_talk(sc_output *output, const sc_series_sheet *sheet,
                    const scrim_series_forecast *forecast, const char *vault,
                    unsigned columns);

#endif
