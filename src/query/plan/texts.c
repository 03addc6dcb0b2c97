#include "query/plan/texts.h"

#include "query/estimate/shown.h"

#include <string.h>

const char *sc_texts_copy(sc_texts *w, const char *text, size_t bytes)
{
    const char *out = sc_arena_copy(w->arena, text, bytes);
    w->has_failed |= out == NULL;
    return out;
}

const char *sc_texts_text(sc_texts *w, const char *text)
{
    return sc_texts_copy(w, text, strlen(text));
}

const char *sc_texts_ratio(sc_texts *w, const sc_ratio *x)
{
    char text[SC_RATIO_TEXT_BYTES];
    sc_ratio_format(x, text, sizeof text);
    return sc_texts_text(w, text);
}

const char *sc_texts_digits(sc_texts *w, const sc_ratio *x)
{
    char text[SC_SHOWN_THREE_BYTES];
    sc_shown_three(x, text);
    return sc_texts_text(w, text);
}

void *sc_texts_room(sc_texts *w, size_t count, size_t size)
{
    void *memory = sc_arena_allocate(w->arena, count, size);
    w->has_failed |= memory == NULL;
    return memory;
}
