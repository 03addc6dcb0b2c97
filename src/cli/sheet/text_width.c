#include "cli/sheet/text_width.h"

#include <string.h>

bool sc_is_continuation(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

size_t sc_bytes_width(const char *text, size_t bytes)
{
    size_t width = 0;
    for (size_t i = 0; i < bytes; i++)
        width += !sc_is_continuation(text[i]);
    return width;
}

size_t sc_text_width(const char *text)
{
    return sc_bytes_width(text, strlen(text));
}

void sc_width_widen(size_t *width, const char *text)
{
    const size_t needed = sc_text_width(text);
    *width = needed > *width ? needed : *width;
}
