/* Capital and small letters: one character to one, by the simple mappings of Unicode 14.0, which are a
 * part of the program. No locale has a say, so that a recorded question keeps its meaning.
 *
 * Claim  letter-case.simple  each character becomes one character, and what has been mapped stays
 */
#ifndef SC_DATA_LETTER_CASE_H
#define SC_DATA_LETTER_CASE_H

#include <stdbool.h>
#include <stdint.h>

/* The letter, or the character itself where there is none. */
uint32_t sc_letter_case(uint32_t character, bool is_upper);

#endif
