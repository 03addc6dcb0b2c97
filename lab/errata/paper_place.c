#include "lab/errata/paper_place.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define WORD_BYTES 64

/* The whole word of one that begins a kind, as "def" does; NULL if it begins none. */
static const char *kind_of(const char *word)
{
    static const char *const kinds[] = {
        "definition", "algorithm", "theorem", "lemma",      "claim",
        "corollary",  "remark",    "example", "figure",     "table",
        "fact",       "mechanism", "section", "proposition"};
    if (strcmp(word, "thm") == 0)
        return "theorem";
    for (size_t i = 0; strlen(word) >= 3 && i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(kinds[i], word, strlen(word)) == 0)
            return kinds[i];
    return NULL;
}

/* The next run of letters in small ones, or of other signs but spaces; "" at the end. A point behind a word
 * is skipped. */
static const char *next_word(const char *text, char word[WORD_BYTES])
{
    size_t length = 0;
    while (isspace((unsigned char)*text))
        text++;
    const bool is_word = isalpha((unsigned char)*text) != 0;
    while (*text != '\0' && !isspace((unsigned char)*text) &&
           (isalpha((unsigned char)*text) != 0) == is_word) {
        if (length + 1 < WORD_BYTES)
            word[length++] = (char)tolower((unsigned char)*text);
        text++;
    }
    word[length] = '\0';
    return is_word && *text == '.' ? text + 1 : text;
}

void lab_place_normalise(const char *place, char text[LAB_PLACE_BYTES])
{
    char word[WORD_BYTES];
    size_t length = 0;
    text[0] = '\0';
    for (place = next_word(place, word); word[0] != '\0';
         place = next_word(place, word)) {
        const char *kind = kind_of(word);
        const int added = snprintf(text + length, LAB_PLACE_BYTES - length, "%s ",
                                   kind == NULL ? word : kind);
        if (added < 0 || (size_t)added >= LAB_PLACE_BYTES - length)
            return;
        length += (size_t)added;
    }
}

static bool is_in(const char *text, const char *wanted)
{
    char word[WORD_BYTES];
    const char *kind = kind_of(wanted);
    const size_t bytes = strlen(wanted);
    for (text = next_word(text, word); word[0] != '\0'; text = next_word(text, word)) {
        const bool begins = strncmp(word, wanted, bytes) == 0;
        if (begins && (isalpha((unsigned char)wanted[0]) != 0 || word[bytes] == '\0' ||
                       strchr(".,:;)", word[bytes]) != NULL))
            return true;
        if (kind != NULL && strcmp(kind, word) == 0)
            return true;
    }
    return false;
}

bool lab_place_matches(const char *place, const char *about, const char *asked)
{
    char word[WORD_BYTES];
    for (asked = next_word(asked, word); word[0] != '\0'; asked = next_word(asked, word))
        if (!is_in(place, word) && !is_in(about, word))
            return false;
    return true;
}
