/* Random questions about rows with NULL, in three dialects: numbers, texts, dates and conditions of one row
 * in each other, grouped and summed. The columns are
 *
 *     x y    numbers that may be missing         c   a number with a default
 *     b      true or false, or missing           d   a date, e a timestamp in steps of half an hour
 *     t      ASCII text                          u   text of other scripts, where PostgreSQL is asked
 *     p      whose the row is, where there are units
 */
#ifndef RANDOM_QUESTION_H
#define RANDOM_QUESTION_H

#include "dialects.h"

/* How far local time is ahead in SQLite, which knows no other zones. */
#define RANDOM_QUESTION_ZONE "+02:00"

/* Writes a question: a key or none, COUNT(*) and up to three aggregates. */
void random_question(dialects *d);

#endif
