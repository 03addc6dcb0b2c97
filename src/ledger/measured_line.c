#include "ledger/measured_line.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char word[] = "compare release=";
static const char colon[] = " : ";

/* Two numbers of 20 digits, and the words. */
#define WORDS_BYTES 96

char *sc_measured_line_write(uint64_t release, uint64_t rows, const char *measurement)
{
    const size_t bytes = strlen(measurement) + WORDS_BYTES;
    char *line = sc_allocate(bytes, 1);
    if (line != NULL)
        snprintf(line, bytes, "%s%" PRIu64 " rows=%" PRIu64 "%s%s", word, release, rows,
                 colon, measurement);
    return line;
}

const char *sc_measured_line(const char *line)
{
    const char *found =
        strncmp(line, word, sizeof word - 1) == 0 ? strstr(line, colon) : NULL;
    return found == NULL ? line : found + sizeof colon - 1;
}
