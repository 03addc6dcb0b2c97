#include "lab/errata/paper_place.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define WORD_BYTES 64

/* The whole word of one that begins a kind, as "def" does; NULL if it begins none. */
static const char *kind_of(const char *word)
{
    static const char *const kinds[] = {
        "definition", "algorithm", "theorem", "lemma",       "claim",
        "corollary",  "remark",    "example", "figure",      "table",
        "fact",       "mechanism", "section", "proposition", "equation"};
    if (strcmp(word, "thm") == 0)
        return "theorem";
    if (strcmp(word, "eq") == 0 || strcmp(word, "eqn") == 0 || strcmp(word, "eqs") == 0)
        return "equation";
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

/* The digits of a number in brackets, as in "(12),"; 0 for any other word. */
static size_t bracketed(const char *word)
{
    const size_t digits = word[0] == '(' ? strspn(word + 1, "0123456789") : 0;
    return digits > 0 && word[1 + digits] == ')' ? digits : 0;
}

void lab_place_normalise(const char *place, char text[LAB_PLACE_BYTES])
{
    char word[WORD_BYTES];
    bool is_equation = false; /* was that the word before? */
    size_t length = 0;
    text[0] = '\0';
    for (place = next_word(place, word); word[0] != '\0';
         place = next_word(place, word)) {
        const char *kind = kind_of(word);
        const size_t digits = bracketed(word);
        const int added = digits == 0
                              ? snprintf(text + length, LAB_PLACE_BYTES - length, "%s ",
                                         kind == NULL ? word : kind)
                              : snprintf(text + length, LAB_PLACE_BYTES - length,
                                         "%s%.*s%s ", is_equation ? "" : "equation ",
                                         (int)digits, word + 1, word + digits + 2);
        if (added < 0 || (size_t)added >= LAB_PLACE_BYTES - length)
            return;
        length += (size_t)added;
        is_equation = kind != NULL && strcmp(kind, "equation") == 0;
    }
}

static bool is_in(const char *text, const char *wanted)
{
    char word[WORD_BYTES];
    const char *kind = kind_of(wanted);
    const size_t bytes = strlen(wanted);
    for (text = next_word(text, word); word[0] != '\0'; text = next_word(text, word)) {
        const char *at = word + (bracketed(word) > 0 && wanted[0] != '(');
        if (strncmp(at, wanted, bytes) == 0 &&
            (isalpha((unsigned char)wanted[0]) != 0 || at[bytes] == '\0' ||
             strchr(".,:;)-", at[bytes]) != NULL))
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
