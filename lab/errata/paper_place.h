/* Places in a document, "Theorem 4.2" or "Section 4.2, non-integral", and finding them by what people type.
 *
 * Case, points behind words and spaces do not matter, and a kind may be shortened: "thm 4.2", "Def. 3.5". A number in
 * brackets is an equation: "(12)", "eq. 12" and "Equation (12)" are one place.
 *
 * Claim  paper-place.found  a place is found by its own name, and by words and numbers of it and of what it is about
 */
#ifndef LAB_PAPER_PLACE_H
#define LAB_PAPER_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#define LAB_PLACE_BYTES 64

/* The same text for all spellings of a place. One that is too long is cut. */
void lab_place_normalise(const char *place, char text[LAB_PLACE_BYTES]);

/* Does each word of asked stand in the place, or in the words about it? A number is there as it is or with parts behind a
 * point, so 5 finds 5.4, and not 15; a word of letters begins one that is there. */
bool lab_place_matches(const char *place, const char *about, const char *asked);

#endif
