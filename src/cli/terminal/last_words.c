#include "cli/terminal/last_words.h"

#include "cli/terminal/ending_signals.h"
#include "cli/terminal/talk.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* With room for the lines that it is broken into. */
#define WORDS_BYTES 1024

/* A handler can be told nothing but by what lies still: the line that is not being said is
 * written, and then is the one. */
static char lines[2][WORDS_BYTES];
static volatile sig_atomic_t current;

/* The default has been restored, and the signal may come again: it ends the process. */
static void say_and_end(int number)
{
    const char *line = lines[current];
    ssize_t written = write(STDERR_FILENO, line, strlen(line));
    (void)written; /* whoever read it may have gone, too */
    raise(number);
}

void sc_last_words_begin(void)
{
    struct sigaction before,
        action = {.sa_handler = say_and_end, .sa_flags = (int)SA_RESETHAND | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (int number = 1; number <= SIGRTMAX; number++) {
        if (!sc_signal_is_ending(number) || sigaction(number, NULL, &before) != 0)
            continue;
        if (before.sa_handler != SIG_IGN || number == SIGPIPE)
            sigaction(number, &action, NULL);
    }
}

void sc_last_words_set(const char *format, ...)
{
    const sig_atomic_t other = 1 - current;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(lines[other], WORDS_BYTES, format, arguments);
    va_end(arguments);
    sc_talk_fold(lines[other], WORDS_BYTES); /* a handler cannot */
    current = other;
}
