/* Random tables of a few people, with malformed rows among them, and their neighbours. */
#ifndef NEIGHBOUR_TABLES_H
#define NEIGHBOUR_TABLES_H

#include <stdbool.h>
#include <stdint.h>

enum { NEIGHBOUR_BYTES = 8000 };

/* Writes two tables person,age,sex,city,income of at most NEIGHBOUR_BYTES bytes that
 * differ by the rows of unit 0, or by one row where rows are units: the second lacks them, or
 * has others if they are replaced. */
void neighbour_tables(char *first, char *second, bool is_row, bool is_replaced,
                      uint64_t *seed);

#endif
