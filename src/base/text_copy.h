/* A text of its own. */
#ifndef SC_BASE_TEXT_COPY_H
#define SC_BASE_TEXT_COPY_H

#include "base/text.h"

/* With a terminating 0, freed by sc_free; NULL without memory. */
char *sc_text_copy(sc_text text);

#endif
