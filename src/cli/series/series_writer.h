/* A series in every format: a row for each row of each release.
 *
 * CSV has the columns release, from, to, version and entry, and then those of the query's answer; from
 * and to are empty where a release is of a version. JSON is an object with rows, and with what the
 * series is, has cost and may still cost.
 */
#ifndef SC_CLI_SERIES_WRITER_H
#define SC_CLI_SERIES_WRITER_H

#include "cli/answer/series_sheet.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

SCRIM_MUST_USE scrim_status sc_series_write(sc_output *output,
                                            const sc_series_sheet *sheet,
                                            const scrim_series_forecast *forecast,
                                            sc_format format, const sc_terminal *terminal,
                                            scrim_error *error);
/* Notes for people: the question, the cost so far and the cost to come. Folded to so many columns.
 * vault is the file that the command named, or NULL. */
void sc_series_talk(sc_output *output, const sc_series_sheet *sheet,
                    const scrim_series_forecast *forecast, const char *vault,
                    unsigned columns);

#endif
