/* Reading a number that is data: a total function, and one that keeps neighbours together.
 *
 * A parameter that is not understood is refused; a value of the data may not be. So every
 * decimal is read as what it says, however it is written: blanks around it, a sign, "5." and
 * ".5", e or E, any number of digits; what is too large for every grid, and infinity, is an end
 * of it by its sign, and what is too small is 0. Only what is no number is missing.
 *
 * Claim  data-number.exact  a decimal text has the place on the grid that its exact value has,
 *                           whatever its length and its exponent
 */
#ifndef SC_MODEL_DATA_NUMBER_H
#define SC_MODEL_DATA_NUMBER_H

#include "model/grid.h"

/* The place of a text on the grid, in steps: the grid's missing value when it is no number. A
 * fraction or a power (the other forms of sc_ratio_parse) is read as well. */
int64_t sc_data_number_place(const sc_grid *grid, sc_text text);
/* True, with the place stored, for a decimal or infinity, and for nothing else: a fraction in a
 * table is more likely half a date than a number. */
bool sc_data_number_read(const sc_grid *grid, sc_text text, int64_t *place);
/* The value of such a text, for comparison with places: true, with a value that lies below,
 * on or above every place of every grid, and every border between two, as the exact one does. Of
 * more than 1,300 digits the rest is one, and what no grid reaches is a power of 10. */
bool sc_data_number_value(sc_text text, sc_ratio *value);
/* The same, and a fraction or a power as well. */
bool sc_data_number_exact(sc_text text, sc_ratio *value);

#endif
