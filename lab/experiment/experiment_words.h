/* The words of an experiment: "queries=100 bins=64 epsilon=1", read by a list of rules.
 *
 * A rule bounds a number from both sides, or takes a list that the experiment reads itself. Messages
 * name the word and its domain.
 */
#ifndef LAB_EXPERIMENT_EXPERIMENT_WORDS_H
#define LAB_EXPERIMENT_EXPERIMENT_WORDS_H

#include "lab/lab.h"
#include "lab/quantity.h"

#define LAB_WORD_BYTES 512

typedef struct lab_word_rule {
    const char *name, *default_text; /* NULL: required; "": may be left out */
    const char *low, *high;
    bool is_whole, is_above_low, is_below_high; /* else the ends are allowed */
    bool is_list;                               /* the text is kept; it has no value */
    const char *domain;
} lab_word_rule;

/* A word as it was given, or its default; empty if it was left out. */
typedef struct lab_word {
    char text[LAB_WORD_BYTES];
    lab_quantity value; /* unless it is a list or was left out */
} lab_word;

/* Reads all words of a line; words has a member for each rule. Clear them in any case. SCRIM_E_SYNTAX,
 * SCRIM_E_PARAM, SCRIM_E_LIMIT. */
SCRIM_MUST_USE scrim_status lab_words_read(const lab_word_rule *rules, size_t count,
                                           const char *line, lab_word *words,
                                           scrim_error *error);
void lab_words_clear(lab_word *words, size_t count);

/* The next member of "1,1.01,3.01", whose rest begins at *at: false behind the last one, or, with a status,
 * if it is not a number of at least 0. name is that of the word. */
bool lab_words_next(const char **at, const char *name, lab_quantity *out,
                    scrim_status *status, scrim_error *error);

#endif
