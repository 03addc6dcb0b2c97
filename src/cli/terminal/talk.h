/* Sentences and progress on standard error. */
#ifndef SC_CLI_TALK_H
#define SC_CLI_TALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lines on standard error, for people: on a terminal they are broken where it would break them. */

/* As printf has it, at most 8191 bytes. */
__attribute__((format(printf, 1, 2))) void sc_talk(const char *format, ...);
/* Words for a hint that is copied. The first as a shell reads it, in double quotes where it needs them, since
 * the command is in single ones; the second a column as a query has it. Both return out. */
#define SC_TALK_WORD_BYTES 512
const char *sc_talk_word(const char *word, char out[SC_TALK_WORD_BYTES]);
const char *sc_talk_column(const char *column, char out[SC_TALK_WORD_BYTES]);
/* A colour of palette.h to put into it; "" where standard error shows no colours. */
const char *sc_talk_colour(const char *colour);
/* The same text as a terminal has it, broken in place; it is as long as its capacity at most. */
void sc_talk_fold(char *text, size_t capacity);
/* A line of a query, and below it a line of spaces and carets of as many characters: columns of the
 * terminal for characters, and as much of both around the first caret as it has room for. */
void sc_talk_caret(const char *text);

/* A line on standard error about work that takes more than a second. */

typedef struct sc_progress {
    bool wanted, shown;
    uint64_t total;
    const char *unit;
    int64_t started_ns, next_ns;
    /* Called in place of the line, wherever standard error leads; start leaves it NULL. */
    void (*tell)(void *context, uint64_t done, uint64_t total);
    void *tell_context;
} sc_progress;

/* unit is what is counted, "draws", or "%" where only the share that is done is shown; total is 0
 * where nobody knows it. Nothing is ever shown when it is not wanted, or standard error is no terminal that can take a
 * line away again. */
void sc_progress_start(sc_progress *progress, uint64_t total, const char *unit,
                       bool wanted);
/* To be called now and then; cheap. */
void sc_progress_update(sc_progress *progress, uint64_t done);
/* The same, for the library to call; context is the progress. */
void sc_progress_told(void *context, uint64_t done, uint64_t total);
/* Takes the line away again. */
void sc_progress_end(sc_progress *progress);

#endif
