/* Dates for plots: where a day is on an axis, and which day a place is. */
#ifndef SC_CLI_DATE_VIEW_H
#define SC_CLI_DATE_VIEW_H

/* The day of "2020-02-29", counted from 1970-01-01; 0 for what is none. Of a timestamp with its offset
 * the days in UTC, with their fraction. */
double sc_date_view(const char *text);

#define SC_DATE_VIEW_BYTES 32
/* The date of the day that is nearest. */
void sc_date_view_format(double day, char text[SC_DATE_VIEW_BYTES]);

#endif
