#include "cli/number_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double sc_number_view(const char *text)
{
    char *end;
    double above = strtod(text, &end);
    return *end == '/' ? above / strtod(end + 1, NULL) : above;
}

void sc_bound_format(double value, bool upper, char text[SC_BOUND_BYTES])
{
    double shown = value, slack = fabs(value) * SC_BOUND_SLACK;
    for (int tries = 0; tries < 64; tries++) {
        snprintf(text, SC_BOUND_BYTES, "%.5g", shown);
        double back = strtod(text, NULL);
        if (!isfinite(value) || (upper ? back >= value - slack : back <= value + slack))
            return;
        /* Printed on the wrong side: half a digit further from the truth. */
        shown += (upper ? 1 : -1) * fabs(value) * 1e-6;
    }
}

/* What is longer is for machines. */
#define DIGITS_SHOWN 12
/* More than a double and SC_BOUND_SLACK together lose. */
#define MARGIN 1e-11

void sc_number_format_lower(const char *text, char shown[SC_BOUND_BYTES])
{
    if (strlen(text) <= DIGITS_SHOWN)
        snprintf(shown, SC_BOUND_BYTES, "%s", text);
    else
        sc_bound_format(sc_number_view(text) * (1 - MARGIN), false, shown);
}

void sc_number_format_upper(const char *text, char shown[SC_BOUND_BYTES])
{
    if (strlen(text) <= DIGITS_SHOWN)
        snprintf(shown, SC_BOUND_BYTES, "%s", text);
    else
        sc_bound_format(sc_number_view(text) * (1 + MARGIN), true, shown);
}

void sc_bound_format_exact(double value, char text[SC_BOUND_BYTES])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, SC_BOUND_BYTES, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}
