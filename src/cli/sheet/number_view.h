/* Numbers for people and plots: exact text as a double, and doubles that are bounds as text.
 * Nothing is decided by them. */
#ifndef SC_CLI_NUMBER_VIEW_H
#define SC_CLI_NUMBER_VIEW_H

#include <stdbool.h>
#include <stddef.h>

/* "12", "0.5", "1e-9" or "1/3"; 0 for what is none of them. */
double sc_number_view(const char *text);

#define SC_BOUND_BYTES 32
/* A bound for people, with five digits and rounded away from the truth, a lower one down, an
 * upper one up: but for the last bits of a double, so that 1 is shown as 1. */
#define SC_BOUND_SLACK 1e-12
void sc_bound_format(double value, bool upper, char text[SC_BOUND_BYTES]);
/* An exact number for people: as it is where it is short, with a power of ten where it is small and
 * its digits are few, a fraction as a decimal with six digits, else with five digits, and never
 * above what it says, or never below. */
void sc_number_format_lower(const char *text, char shown[SC_BOUND_BYTES]);
void sc_number_format_upper(const char *text, char shown[SC_BOUND_BYTES]);
/* The delta of "epsilon=2,delta=0.000001" as 1e-6, exactly, where it is small; in its place. */
void sc_delta_shorten(char *options);
/* A line of a mechanism for people: fractions are decimals of six digits, rounded up. Of a line that
 * does not fit, the end is missing. */
void sc_line_format(const char *line, char *shown, size_t bytes);
/* "3.33 %" with three digits, "1520 %" with all up to 10^6; "> 99.9 %" for less than all that would round up to 100 %. */
void sc_percent_format(double share, char text[SC_BOUND_BYTES]);
/* All digits that the double has; "inf". */
void sc_bound_format_exact(double value, char text[SC_BOUND_BYTES]);

#define SC_AMOUNT_BYTES (2 * SC_BOUND_BYTES + 80)
/* "epsilon 0.5, delta 1e-6": an amount of a unit and a delta, of which one that is "", or a delta of
 * 0, is left out. Returns the text. */
const char *sc_amount_format(const char *unit, const char *amount, const char *delta,
                             bool upper, char text[SC_AMOUNT_BYTES]);

#endif
