/* The word for a privacy unit, by the name of its column: "customer" of customer, customer_id and Customer ID.
 *
 * A few nouns for those whom rows are about are known; a unit of another name is called a unit, and one of no column a
 * row. All messages, plans and labels take the word from here.
 */
#ifndef SC_DATA_UNIT_WORD_H
#define SC_DATA_UNIT_WORD_H

#include "base/text.h"

#include <stdbool.h>

/* "customer", or "customers" of many; "row" if there is no column. The text is static. */
const char *sc_unit_word(sc_text column, bool is_many);

#endif
