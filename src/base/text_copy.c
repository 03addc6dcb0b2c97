#include "base/text_copy.h"

#include "base/memory.h"

#include <string.h>

char *sc_text_copy(sc_text text)
{
    char *copy = sc_allocate(text.bytes + 1, 1);
    if (copy != NULL && text.bytes > 0)
        memcpy(copy, text.start, text.bytes);
    return copy;
}
