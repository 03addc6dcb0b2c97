/* Exact text as a double, for plots: nothing is decided by it. */
#ifndef SC_CLI_NUMBER_VIEW_H
#define SC_CLI_NUMBER_VIEW_H

#include <stdlib.h>

/* "12", "0.5", "1e-9" or "1/3"; 0 for what is none of them. */
static inline double sc_number_view(const char *text)
{
    char *end;
    double above = strtod(text, &end);
    return *end == '/' ? above / strtod(end + 1, NULL) : above;
}

#endif
