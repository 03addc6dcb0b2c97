/* The line of a charge for one measurement of something that was released before: what it is, a colon, the measurement.
 *
 *     compare release=1 rows=50 : laplace sensitivity=6 epsilon=1 neighbours=add-remove
 *
 * Two of them are the same question if they are the same line, so it names all that the answer depends on.
 */
#ifndef SC_ACCOUNT_MEASURED_LINE_H
#define SC_ACCOUNT_MEASURED_LINE_H

#include <stdint.h>

/* Terminated, freed by sc_free; NULL without memory. */
char *sc_measured_line_write(uint64_t release, uint64_t rows, const char *measurement);
/* The measurement in such a line; any other line is returned as it is. */
const char *sc_measured_line(const char *line);

#endif
