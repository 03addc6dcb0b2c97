#include "base/arena_text.h"

char *sc_arena_write(sc_arena *arena, sc_text_writer *write, const void *of)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    write(&sink, of);
    const size_t bytes = sink.length + 1;
    char *text = sc_arena_allocate(arena, bytes, 1);
    if (text == NULL)
        return NULL;
    sc_text_sink_init(&sink, text, bytes);
    write(&sink, of);
    return text;
}
