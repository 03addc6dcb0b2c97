/* Text of any length in an arena, written by what puts it into a sink. */
#ifndef SC_BASE_ARENA_TEXT_H
#define SC_BASE_ARENA_TEXT_H

#include "base/memory.h"
#include "base/text.h"

/* Puts the text of `of`: the same each time it is called. */
typedef void sc_text_writer(sc_text_sink *sink, const void *of);
/* Calls write for the length, and again for the bytes. Terminated, in the arena; NULL without memory. */
char *sc_arena_write(sc_arena *arena, sc_text_writer *write, const void *of);

#endif
