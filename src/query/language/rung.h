/* Numbers on a ladder: 0, 1, 2, 5, 10, 20, 50, 100 ... and the same below 0. A value is rounded away from 0
 * to the next rung. There are few rungs, however far they reach: a quantile that is chosen among them needs
 * far fewer people than one that is chosen among all values.
 */
#ifndef SC_QUERY_RUNG_H
#define SC_QUERY_RUNG_H

#include <stdint.h>

/* The number of the rung that a value up to 2^62 to either side of 0 is rounded to. */
int64_t sc_rung_of(int64_t value);
/* What stands on it; from -57 to 57. */
int64_t sc_rung_value(int64_t rung);
/* The largest value that is rounded to it. */
int64_t sc_rung_last(int64_t rung);

#endif
