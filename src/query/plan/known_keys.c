#include "query/plan/known_keys.h"

static const char *const names[] = {"rethreshold", "continue"};

const char *sc_known_keys_name(bool is_continued)
{
    return names[is_continued];
}

bool sc_known_keys_parse(sc_text word, bool *is_continued)
{
    for (size_t i = 0; i < 2; i++)
        if (sc_text_is(word, names[i])) {
            *is_continued = i == 1;
            return true;
        }
    return false;
}
