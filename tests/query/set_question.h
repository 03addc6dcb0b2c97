/* Random questions with several sets of keys, about the columns sex, ok, age, pay and odd of small worlds. */
#ifndef SET_QUESTION_H
#define SET_QUESTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers add up; people are counted only where each is in one group. */
void set_question(char *text, size_t bytes, bool has_people, uint64_t *seed);

#endif
