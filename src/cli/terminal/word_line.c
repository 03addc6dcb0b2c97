#include "cli/terminal/word_line.h"

#include <stdlib.h>
#include <string.h>

char *sc_word_line(char *const *words, size_t count)
{
    size_t bytes = 1;
    for (size_t i = 0; i < count; i++)
        bytes += strlen(words[i]) + 1;
    char *line = malloc(bytes);
    if (line == NULL)
        return NULL;
    char *end = line;
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            *end++ = ' ';
        end = stpcpy(end, words[i]);
    }
    *end = '\0';
    return line;
}
