/* Texts that live in an arena. A failure for want of memory is remembered and told once, by the caller. */
#ifndef SC_QUERY_PLAN_TEXTS_H
#define SC_QUERY_PLAN_TEXTS_H

#include "base/memory.h"
#include "base/number/ratio.h"

typedef struct sc_texts {
    sc_arena *arena;
    bool has_failed;
} sc_texts;

/* All are NULL where there is no memory. */
const char *sc_texts_copy(sc_texts *w, const char *text, size_t bytes);
const char *sc_texts_text(sc_texts *w, const char *text);
const char *sc_texts_ratio(sc_texts *w, const sc_ratio *x);
/* Three digits (query/estimate/shown.h). */
const char *sc_texts_digits(sc_texts *w, const sc_ratio *x);
void *sc_texts_room(sc_texts *w, size_t count, size_t size);

#endif
