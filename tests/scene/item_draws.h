/* Answers that show sets of items, for tests: held against their law. */
#ifndef ITEM_DRAWS_H
#define ITEM_DRAWS_H

#include "check.h"
#include "model/measurement.h"

/* Draws that many times from a seeded tape on rows of items, and checks the frequencies against the law,
 * which adds up to 1. */
void item_draws_fit(const char *line, const int64_t *rows, size_t count, unsigned draws);

#endif
