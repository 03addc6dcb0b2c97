/* Statistics of a released histogram, a row each: what was found, how much may have been left out, how
 * far the value is from that of the rest, and what is true of it on every run. They are read off
 * what was released, and free of charge. */
#ifndef SC_CLI_STATISTIC_LIST_H
#define SC_CLI_STATISTIC_LIST_H

#include "cli/answer/answer_sheet.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "scrim.h"

/* The list is "max,quantile=1/4,...": what scrim_histogram_statistic knows, and separator. Before any data
 * are read: SCRIM_E_PARAM for a measurement that is no bucket-histogram, and for what cannot be asked
 * of its histograms. */
SCRIM_MUST_USE scrim_status sc_statistic_list_check(const scrim_measurement *measurement,
                                                    const char *list, scrim_error *error);
/* Columns statistic, value, left_out, within, statement. A missing value is EMPTY or
 * NOT_SEPARABLE, and a distance without bound "unbounded". JSON has besides the rows what an answer
 * has: its measurement, cost, certificate and release. */
SCRIM_MUST_USE scrim_status sc_statistic_list_write(
    sc_output *output, const scrim_measurement *measurement, const sc_answer_sheet *sheet,
    const char *list, sc_format format, const sc_terminal *terminal, scrim_error *error);

#endif
