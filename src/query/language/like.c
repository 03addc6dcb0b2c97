#include "query/language/like.h"

#include "data/value/text_function.h"

#include <stdint.h>
#include <stdlib.h>

#define WORD 64
#define WORDS (SC_LIKE_PLACES / WORD + 1)

/* State i: the first i places are matched. Of each letter of the pattern, and of any other last, the
 * states in which it leads on. */
struct sc_like {
    uint32_t letters[SC_LIKE_PLACES]; /* in increasing order, each once */
    size_t letter_count, place_count, words;
    uint64_t stays[WORDS]; /* states with % behind them */
    uint64_t *leads;       /* words of each letter */
};

/* A pattern as it is read. */
typedef struct reading {
    uint32_t places[SC_LIKE_PLACES];
    bool is_any[SC_LIKE_PLACES];
} reading;

static void set_bit(uint64_t *bits, size_t at)
{
    bits[at / WORD] |= UINT64_C(1) << at % WORD;
}

static sc_like_fault read_pattern(sc_text pattern, sc_text escape, sc_like *like,
                                  reading *r)
{
    const bool has_escape = escape.bytes > 0;
    const uint32_t mark = has_escape ? sc_text_take_letter(&escape) : 0;
    while (pattern.bytes > 0) {
        uint32_t letter = sc_text_take_letter(&pattern);
        const bool is_escaped = has_escape && letter == mark;
        if (is_escaped && pattern.bytes == 0)
            return SC_LIKE_OPEN_ESCAPE;
        if (is_escaped)
            letter = sc_text_take_letter(&pattern);
        if (!is_escaped && letter == '%') {
            set_bit(like->stays, like->place_count);
            continue;
        }
        if (like->place_count == SC_LIKE_PLACES)
            return SC_LIKE_TOO_LONG;
        r->is_any[like->place_count] = !is_escaped && letter == '_';
        r->places[like->place_count++] = letter;
    }
    return SC_LIKE_FINE;
}

static int by_letter(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static void list_letters(sc_like *like, const reading *r)
{
    size_t count = 0;
    for (size_t i = 0; i < like->place_count; i++)
        if (!r->is_any[i])
            like->letters[count++] = r->places[i];
    qsort(like->letters, count, sizeof *like->letters, by_letter);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || like->letters[i] != like->letters[i - 1])
            like->letters[like->letter_count++] = like->letters[i];
}

/* The place of a letter on the list; that behind it for any other. */
static size_t place_of(const sc_like *like, uint32_t letter)
{
    const uint32_t *found = like->letter_count == 0
                                ? NULL
                                : bsearch(&letter, like->letters, like->letter_count,
                                          sizeof *like->letters, by_letter);
    return found == NULL ? like->letter_count : (size_t)(found - like->letters);
}

sc_like_fault sc_like_compile(sc_text pattern, sc_text escape, sc_arena *arena,
                              const sc_like **out)
{
    reading *r = sc_arena_allocate(arena, 1, sizeof *r);
    sc_like *like = sc_arena_allocate(arena, 1, sizeof *like);
    if (r == NULL || like == NULL)
        return SC_LIKE_NO_MEMORY;
    const sc_like_fault fault = read_pattern(pattern, escape, like, r);
    if (fault != SC_LIKE_FINE)
        return fault;
    list_letters(like, r);
    like->words = like->place_count / WORD + 1;
    like->leads = sc_arena_allocate(arena, (like->letter_count + 1) * like->words,
                                    sizeof(uint64_t));
    if (like->leads == NULL)
        return SC_LIKE_NO_MEMORY;
    for (size_t i = 0; i < like->place_count; i++)
        for (size_t j = 0; j <= like->letter_count; j++)
            if (r->is_any[i] || j == place_of(like, r->places[i]))
                set_bit(like->leads + j * like->words, i);
    *out = like;
    return SC_LIKE_FINE;
}

bool sc_like_matches(const sc_like *like, sc_text text)
{
    uint64_t states[WORDS] = {1};
    while (text.bytes > 0) {
        const uint32_t letter = sc_text_take_letter(&text);
        const uint64_t *leads = like->leads + place_of(like, letter) * like->words;
        uint64_t carry = 0;
        for (size_t i = 0; i < like->words; i++) {
            const uint64_t on = states[i] & leads[i];
            states[i] = on << 1 | carry | (states[i] & like->stays[i]);
            carry = on >> (WORD - 1);
        }
    }
    return states[like->place_count / WORD] >> like->place_count % WORD & 1;
}
