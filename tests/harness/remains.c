#include "remains.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MASK 0xa5

void masked_set(masked *out, const void *secret)
{
    const unsigned char *bytes = secret;
    for (size_t i = 0; i < sizeof out->bytes; i++)
        out->bytes[i] = bytes[i] ^ MASK;
}

static size_t remains_in(const unsigned char *memory, size_t bytes, const masked *secret)
{
    size_t found = 0;
    for (size_t at = 0; at + sizeof secret->bytes <= bytes; at += 4) {
        size_t same = 0;
        while (same < sizeof secret->bytes &&
               (memory[at + same] ^ MASK) == secret->bytes[same])
            same++;
        found += same == sizeof secret->bytes;
    }
    return found;
}

/* The same in a mapping, read as a file: the sanitizers and valgrind do not mind that. The
 * pieces overlap by less than a secret, and the copy is wiped, lest it be found too. */
static size_t remains_between(int memory, uintptr_t from, uintptr_t to,
                              const masked *secret)
{
    static unsigned char piece[65536];
    const size_t overlap = sizeof secret->bytes - 4;
    size_t found = 0;
    while (to - from > overlap) {
        size_t bytes = to - from < sizeof piece ? to - from : sizeof piece;
        if (pread(memory, piece, bytes, (off_t)from) != (ssize_t)bytes)
            break;
        found += remains_in(piece, bytes, secret);
        memset(piece, 0, sizeof piece);
        from += bytes - overlap;
    }
    return found;
}

size_t masked_remains(const masked *secret)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    char line[512];
    size_t found = 0;
    while (maps != NULL && memory >= 0 && fgets(line, sizeof line, maps) != NULL) {
        uintptr_t from, to;
        /* The sanitizers' shadow is larger than any memory of ours. */
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &from, &to) == 2 &&
            strstr(line, " rw") != NULL && to - from <= (uintptr_t)64 << 20)
            found += remains_between(memory, from, to, secret);
    }
    if (maps != NULL)
        (void)fclose(maps);
    (void)close(memory);
    return found;
}
