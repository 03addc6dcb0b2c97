/* What is said on standard error when a signal ends the command: what was charged, and how to
 * see it. The process then ends as the signal ends it, so that a shell shows 128 and its
 * number. */
#ifndef SC_CLI_LAST_WORDS_H
#define SC_CLI_LAST_WORDS_H

/* From here on; for every signal that ends a process (ending_signals.h) unless whoever started us
 * has it ignored, and for SIGPIPE in any case. Nothing is said until something is set. */
void sc_last_words_begin(void);
/* One line, at most 1023 bytes with its end. */
__attribute__((format(printf, 1, 2))) void sc_last_words_set(const char *format, ...);

#endif
