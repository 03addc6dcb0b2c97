/* The proof of an enumeration: the exact probability lies in the bracket of the masses, and
 * the bracket is narrower than 2^-30. */
#ifndef BRACKET_H
#define BRACKET_H

#include "oracle.h"
#include "sampling/law.h"

#define BRACKET_GAP 30

/* Holds the conditional law of an accepted turn against the law, for every outcome of
 * low..high; name is for messages. */
void bracket_law(const oracle_tree *tree, const sc_law *law, int64_t low, int64_t high,
                 const char *name);

/* Holds P(outcome) of a tree without forgotten runs against a probability. */
void bracket_probability(const oracle_tree *tree, int64_t outcome, const sc_ball *exact,
                         const char *name);

#endif
