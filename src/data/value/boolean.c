#include "data/value/boolean.h"

#include <string.h>

static bool is_word(sc_text text, const char *word)
{
    if (text.bytes != strlen(word))
        return false;
    for (size_t i = 0; i < text.bytes; i++) {
        const char c = text.start[i];
        if ((c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) != word[i])
            return false;
    }
    return true;
}

bool sc_boolean_read(sc_text text, int64_t *out)
{
    static const char *const words[][5] = {{"false", "f", "no", "n", "0"},
                                           {"true", "t", "yes", "y", "1"}};
    text = sc_text_trim(text);
    for (int64_t value = 0; value < 2; value++)
        for (size_t i = 0; i < 5; i++)
            if (is_word(text, words[value][i])) {
                *out = value;
                return true;
            }
    return false;
}
