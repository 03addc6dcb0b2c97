/* Dates as people type them, "31.01.2025", in the ranges of columns. */
#ifndef SC_CLI_TYPED_DATES_H
#define SC_CLI_TYPED_DATES_H

#include "cli/terminal/interview.h"

/* Days that are written 31.1.2025 or 31.01.2025 become 2025-01-31, wherever they stand. */
void sc_typed_dates_turn(char text[SC_ANSWER_BYTES]);

#endif
