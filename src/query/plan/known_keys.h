/* What a series does with keys that an earlier release has shown: "continue", they are shown again
 * without a selection; "rethreshold", they are selected anew. */
#ifndef SC_QUERY_KNOWN_KEYS_H
#define SC_QUERY_KNOWN_KEYS_H

#include "base/text.h"

const char *sc_known_keys_name(bool is_continued);
/* False, with nothing said, for any other word. */
bool sc_known_keys_parse(sc_text word, bool *is_continued);

#endif
